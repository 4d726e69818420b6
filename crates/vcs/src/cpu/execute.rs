//! The instruction set.
//!
//! The loop keeps A, X, Y, the flags and the clock in locals. Each arm adds its opcode's length and cycles as constants, so no
//! instruction waits for a table look-up. Reads of quiet ROM and RAM, which are most, happen here; all other accesses go
//! through the bus.

use super::alu;
use super::cycles::{CYCLES, LENGTHS};
use super::timer_wait::{TIMER_LOOP_CYCLES, TIMER_LOOP_OFFSET, Wait, timer_wait};
use crate::bus::{self, Bus, RAM_BYTE};
use crate::cartridge::Stretch;
use crate::registers::{Registers, is_negative, is_zero};
use crate::tia::FrameEnd;

/// The vector of BRK.
const BREAK_VECTOR: u16 = 0xFFFE;

/// Whether an address on page 0 is RAM, not the TIA.
const RAM_BIT: u8 = bus::RIOT as u8;

/// Every byte on the bus is kept in [`Bus::data`].
pub(super) const EVERY: bool = true;
/// Only the bytes that the next instruction's fetch may read are kept.
pub(super) const NEEDED: bool = false;

/// Why the execution of a stretch ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum End {
    /// The program has left it, or all instructions that were asked for are executed.
    Stretch,
    /// The next opcode is undocumented, and not executed here.
    Undocumented,
}

/// Executes until the program leaves the stretch, no instructions are left ([`Bus::left`]), or the TIA ends the frame. With
/// [`EVERY`], the stretch is one instruction that has been fetched.
#[rustfmt::skip]
#[inline(never)]
#[allow(clippy::too_many_lines, clippy::cognitive_complexity, reason = "one arm an opcode, in the order of the opcode map's columns")]
#[allow(unused_assignments, reason = "every instruction sets all its flags, also those that it sets again")]
pub(super) fn execute<const EVERY: bool>(r: &mut Registers, bus: &mut Bus, stretch: Stretch<'_>) -> End {
    let mut end = End::Stretch;
    let Registers { mut a, mut x, mut y, mut carry, .. } = *r;
    // Wider than a byte: the host's registers are, and a flag can be in bit 8.
    let mut result = u32::from(r.result);
    // The program counter, relative to the stretch's beginning.
    let mut at = u32::from(r.pc.wrapping_sub(stretch.first()));
    let mut cycles = bus.cycles;

    let mut left = bus.left;
    while left > 0 {
        let Some(word) = stretch.code(at) else {
            break;
        };
        left -= 1;
        let opcode = word as u8;

    // The bytes after the opcode.
    macro_rules! low { () => { (word >> 8) as u8 }; }
    macro_rules! high { () => { (word >> 16) as u8 }; }
    macro_rules! absolute { () => { (word >> 8) as u16 }; }
    macro_rules! pc { () => { stretch.first().wrapping_add(at as u16) }; }
    macro_rules! jump { ($target:expr) => { at = u32::from($target.wrapping_sub(stretch.first())) }; }

    // The bus. A read takes the byte that was on it before.
    macro_rules! note {
        ($byte:expr) => { if EVERY { bus.data = $byte } };
    }
    macro_rules! read {
        ($address:expr, $before:expr) => {{
            let address = $address;
            match stretch.read(address) {
                Some(value) if !EVERY => value,
                _ => read_rarely!(address, $before),
            }
        }};
    }
    // If an access to the cartridge has switched banks, the stretch ends with this instruction.
    macro_rules! leave_stretch {
        ($address:expr) => {
            if bus::is_cartridge($address) && bus.cartridge.has_switched() {
                bus.frame_left += left;
                left = 0;
            }
        };
    }
    macro_rules! read_rarely {
        ($address:expr, $before:expr) => {{
            let address = $address;
            let value = bus.read(address, cycles, $before);
            leave_stretch!(address);
            value
        }};
    }
    macro_rules! read_low {
        ($address:expr, $before:expr) => {{
            let address = $address;
            if address & RAM_BIT == 0 {
                bus.read(u16::from(address), cycles, $before)
            } else {
                let value = bus.riot.ram[usize::from(address & RAM_BYTE as u8)];
                note!(value);
                value
            }
        }};
    }
    macro_rules! end_of_write {
        () => { if bus.tia.frame.end == FrameEnd::Yes { break; } };
    }
    macro_rules! write {
        ($address:expr, $value:expr) => {{
            let address = $address;
            cycles = bus.write(address, $value, cycles);
            leave_stretch!(address);
            end_of_write!();
        }};
    }
    macro_rules! write_low {
        ($address:expr, $value:expr) => {{
            let address = $address;
            let value = $value;
            note!(value);
            if address & RAM_BIT == 0 {
                cycles = if EVERY {
                    bus.write_tia(u16::from(address), value, cycles)
                } else {
                    bus.tia.write(address, value, cycles)
                };
                end_of_write!();
            } else {
                bus.riot.ram[usize::from(address & RAM_BYTE as u8)] = value;
            }
        }};
    }
    // An instruction that pushes several bytes ends the frame only after the last one.
    macro_rules! push {
        ($value:expr) => {{
            let value = $value;
            note!(value);
            if r.sp & RAM_BIT == 0 {
                cycles = if EVERY {
                    bus.write_tia(u16::from(r.sp), value, cycles)
                } else {
                    bus.tia.write(r.sp, value, cycles)
                };
            } else {
                bus.riot.ram[usize::from(r.sp & RAM_BYTE as u8)] = value;
            }
            r.sp = r.sp.wrapping_sub(1);
        }};
    }
    // Pulls a byte. The read of the stack before the first pull is not part of it.
    macro_rules! pull {
        ($before:expr) => {{
            r.sp = r.sp.wrapping_add(1);
            read_low!(r.sp, $before)
        }};
    }
    // The word at a pointer on page 0; its high byte comes from the next address, also beyond the page.
    macro_rules! pointer {
        ($address:expr) => {{
            let address = $address;
            match bus.ram_word(address) {
                Some(base) => {
                    note!((base >> 8) as u8);
                    base
                }
                None => bus.word(address, cycles, low!()),
            }
        }};
    }

    // Effective addresses, each with the byte that is on the bus before the access. For reads, crossing a page costs a cycle, which
    // passes before the read.
    macro_rules! address {
        (abs) => {{ note!(high!()); (absolute!(), high!()) }};
        (abx) => {{ note!(high!()); (absolute!().wrapping_add(u16::from(x)), high!()) }};
        (aby) => {{ note!(high!()); (absolute!().wrapping_add(u16::from(y)), high!()) }};
        (abx_read) => {{ note!(high!()); (crossing!(absolute!(), x), high!()) }};
        (aby_read) => {{ note!(high!()); (crossing!(absolute!(), y), high!()) }};
        (inx) => {{ let base = pointer!(low!().wrapping_add(x)); (base, (base >> 8) as u8) }};
        (iny) => {{ let base = pointer!(low!()); (base.wrapping_add(u16::from(y)), (base >> 8) as u8) }};
        (iny_read) => {{ let base = pointer!(low!()); (crossing!(base, y), (base >> 8) as u8) }};
    }
    macro_rules! crossing {
        ($base:expr, $index:expr) => {{
            let base = $base;
            let address = base.wrapping_add(u16::from($index));
            cycles = cycles.wrapping_add(i32::from((base ^ address) & 0xFF00 != 0));
            address
        }};
    }
    macro_rules! low_address {
        (zp) => { low!() };
        (zpx) => { low!().wrapping_add(x) };
        (zpy) => { low!().wrapping_add(y) };
    }
    // Operands.
    macro_rules! load {
        (imm) => {{ note!(low!()); low!() }};
        (zp) => { read_low!(low_address!(zp), low!()) };
        (zpx) => { read_low!(low_address!(zpx), low!()) };
        (zpy) => { read_low!(low_address!(zpy), low!()) };
        ($mode:ident) => {{ let (address, before) = address!($mode); read!(address, before) }};
    }
    macro_rules! load_rarely {
        (imm) => { load!(imm) };
        (zp) => { read_rarely!(u16::from(low_address!(zp)), low!()) };
        (zpx) => { read_rarely!(u16::from(low_address!(zpx)), low!()) };
        (zpy) => { read_rarely!(u16::from(low_address!(zpy)), low!()) };
        ($mode:ident) => {{ let (address, before) = address!($mode); read_rarely!(address, before) }};
    }
    macro_rules! store {
        (zp, $value:expr) => { write_low!(low_address!(zp), $value) };
        (zpx, $value:expr) => { write_low!(low_address!(zpx), $value) };
        (zpy, $value:expr) => { write_low!(low_address!(zpy), $value) };
        ($mode:ident, $value:expr) => {{ let (address, _) = address!($mode); write!(address, $value); }};
    }
    // Read, modify, write.
    macro_rules! modify {
        (zp, $value:ident => $result:expr) => { modify!(low low_address!(zp); $value => $result) };
        (zpx, $value:ident => $result:expr) => { modify!(low low_address!(zpx); $value => $result) };
        (low $address:expr; $value:ident => $result:expr) => {{
            let address = $address;
            let $value = read_low!(address, low!());
            write_low!(address, $result);
        }};
        ($mode:ident, $value:ident => $result:expr) => {{
            let (address, before) = address!($mode);
            let $value = read_rarely!(address, before);
            write!(address, $result);
        }};
    }
    macro_rules! implied {
        ($effect:expr) => {{ note!(opcode); $effect; }};
    }
    macro_rules! branch {
        ($taken:expr) => {{
            note!(low!());
            if $taken {
                take_branch!();
            }
        }};
    }
    macro_rules! take_branch {
        () => {{
            let target = at.wrapping_add_signed(i32::from(low!() as i8));
            let from = u32::from(stretch.first());
            let crosses = (from.wrapping_add(at) ^ from.wrapping_add(target)) & 0xFF00 != 0;
            cycles = cycles.wrapping_add(1 + i32::from(crosses));
            bus.data = low!();
            at = target & 0xFFFF;
        }};
    }
    // A branch that may end a loop that waits for the timer.
    macro_rules! branch_or_wait {
        ($taken:expr) => {{
            note!(low!());
            if $taken {
                take_branch!();
                if low!() == TIMER_LOOP_OFFSET {
                    let read = stretch.code(at).unwrap_or_default();
                    if let Some(Wait { rounds, value }) = timer_wait(bus, (pc!(), read), opcode, cycles, left / 2) {
                        cycles = cycles.wrapping_add(rounds as i32 * TIMER_LOOP_CYCLES);
                        left -= rounds * 2;
                        match read as u8 {
                            0xAC => y = set_nz!(value),
                            0xAE => x = set_nz!(value),
                            _ => a = set_nz!(value),
                        }
                    }
                }
            }
        }};
    }

    // Computation and flags.
    macro_rules! set_nz {
        ($value:expr) => {{ let value: u8 = $value; result = u32::from(value); value }};
    }
    macro_rules! take {
        ($sum:expr) => {{ let sum = $sum; carry = sum.carry; r.overflow = sum.overflow; a = set_nz!(sum.value); }};
    }
    macro_rules! shift {
        ($shifted:expr) => {{ let shifted = $shifted; carry = shifted.carry; set_nz!(shifted.value) }};
    }
    macro_rules! compare {
        ($register:expr, $operand:expr) => {{
            let (register, operand) = ($register, $operand);
            carry = register >= operand;
            set_nz!(register.wrapping_sub(operand));
        }};
    }
    // P as it is pushed, and as it is pulled.
    macro_rules! status {
        () => {{ r.result = result as u16; r.carry = carry; r.status() }};
    }
    macro_rules! set_status {
        ($status:expr) => {{ let status = $status; r.set_status(status); result = u32::from(r.result); carry = r.carry; }};
    }

    // Instructions by addressing mode.
    macro_rules! lda { ($mode:ident) => { a = set_nz!(load!($mode)) }; }
    macro_rules! ldx { ($mode:ident) => { x = set_nz!(load!($mode)) }; }
    macro_rules! ldy { ($mode:ident) => { y = set_nz!(load!($mode)) }; }
    macro_rules! ora { ($mode:ident) => {{ let value = load!($mode); a = set_nz!(a | value); }}; }
    macro_rules! and { ($mode:ident) => {{ let value = load!($mode); a = set_nz!(a & value); }}; }
    macro_rules! eor { ($mode:ident) => {{ let value = load!($mode); a = set_nz!(a ^ value); }}; }
    macro_rules! adc { ($mode:ident) => {{ let value = load!($mode); take!(alu::adc(a, value, carry, r.decimal)); }}; }
    macro_rules! sbc { ($mode:ident) => {{ let value = load!($mode); take!(alu::sbc(a, value, carry, r.decimal)); }}; }
    macro_rules! cmp { ($mode:ident) => { compare!(a, load!($mode)) }; }
    macro_rules! cpx { ($mode:ident) => { compare!(x, load!($mode)) }; }
    macro_rules! cpy { ($mode:ident) => { compare!(y, load!($mode)) }; }
    macro_rules! bit {
        ($mode:ident) => {{
            let value = load!($mode);
            r.overflow = value & 0x40 != 0;
            result = u32::from(value & 0x80) << 1 | u32::from(a & value);
        }};
    }
    macro_rules! nop { ($mode:ident) => {{ let _ = load_rarely!($mode); }}; }
    macro_rules! asl { ($mode:ident) => { modify!($mode, value => shift!(alu::shift_left(value, false))) }; }
    macro_rules! lsr { ($mode:ident) => { modify!($mode, value => shift!(alu::shift_right(value, false))) }; }
    macro_rules! rol { ($mode:ident) => { modify!($mode, value => shift!(alu::shift_left(value, carry))) }; }
    macro_rules! ror { ($mode:ident) => { modify!($mode, value => shift!(alu::shift_right(value, carry))) }; }
    macro_rules! inc { ($mode:ident) => { modify!($mode, value => set_nz!(value.wrapping_add(1))) }; }
    macro_rules! dec { ($mode:ident) => { modify!($mode, value => set_nz!(value.wrapping_sub(1))) }; }

    // Branches by opcode. Opcodes of one arm have the same length and the same cycles.
    macro_rules! decode {
        ($($first:literal $(| $other:literal)* => $effect:expr,)*) => {
            match opcode {
                $($first $(| $other)* => {
                    at += const { LENGTHS[$first] as u32 };
                    cycles = cycles.wrapping_add(const { CYCLES[$first] as i32 });
                    $effect;
                })*
                _ => {
                    left += 1;
                    end = End::Undocumented;
                    break;
                }
            }
        };
    }

        decode! {
            // Loads and stores.
            0xA9 => lda!(imm), 0xA5 => lda!(zp), 0xB5 => lda!(zpx), 0xAD => lda!(abs), 0xBD => lda!(abx_read),
            0xB9 => lda!(aby_read), 0xA1 => lda!(inx), 0xB1 => lda!(iny_read),
            0xA2 => ldx!(imm), 0xA6 => ldx!(zp), 0xB6 => ldx!(zpy), 0xAE => ldx!(abs), 0xBE => ldx!(aby_read),
            0xA0 => ldy!(imm), 0xA4 => ldy!(zp), 0xB4 => ldy!(zpx), 0xAC => ldy!(abs), 0xBC => ldy!(abx_read),
            0x85 => store!(zp, a), 0x95 => store!(zpx, a), 0x8D => store!(abs, a), 0x9D => store!(abx, a),
            0x99 => store!(aby, a), 0x81 => store!(inx, a), 0x91 => store!(iny, a),
            0x86 => store!(zp, x), 0x96 => store!(zpy, x), 0x8E => store!(abs, x),
            0x84 => store!(zp, y), 0x94 => store!(zpx, y), 0x8C => store!(abs, y),
            // Logic and arithmetic.
            0x09 => ora!(imm), 0x05 => ora!(zp), 0x15 => ora!(zpx), 0x0D => ora!(abs), 0x1D => ora!(abx_read),
            0x19 => ora!(aby_read), 0x01 => ora!(inx), 0x11 => ora!(iny_read),
            0x29 => and!(imm), 0x25 => and!(zp), 0x35 => and!(zpx), 0x2D => and!(abs), 0x3D => and!(abx_read),
            0x39 => and!(aby_read), 0x21 => and!(inx), 0x31 => and!(iny_read),
            0x49 => eor!(imm), 0x45 => eor!(zp), 0x55 => eor!(zpx), 0x4D => eor!(abs), 0x5D => eor!(abx_read),
            0x59 => eor!(aby_read), 0x41 => eor!(inx), 0x51 => eor!(iny_read),
            0x69 => adc!(imm), 0x65 => adc!(zp), 0x75 => adc!(zpx), 0x6D => adc!(abs), 0x7D => adc!(abx_read),
            0x79 => adc!(aby_read), 0x61 => adc!(inx), 0x71 => adc!(iny_read),
            0xE9 | 0xEB => sbc!(imm), 0xE5 => sbc!(zp), 0xF5 => sbc!(zpx), 0xED => sbc!(abs), 0xFD => sbc!(abx_read),
            0xF9 => sbc!(aby_read), 0xE1 => sbc!(inx), 0xF1 => sbc!(iny_read),
            0xC9 => cmp!(imm), 0xC5 => cmp!(zp), 0xD5 => cmp!(zpx), 0xCD => cmp!(abs), 0xDD => cmp!(abx_read),
            0xD9 => cmp!(aby_read), 0xC1 => cmp!(inx), 0xD1 => cmp!(iny_read),
            0xE0 => cpx!(imm), 0xE4 => cpx!(zp), 0xEC => cpx!(abs),
            0xC0 => cpy!(imm), 0xC4 => cpy!(zp), 0xCC => cpy!(abs),
            0x24 => bit!(zp), 0x2C => bit!(abs),
            // Shifts, increments, decrements.
            0x0A => implied!(a = shift!(alu::shift_left(a, false))), 0x06 => asl!(zp), 0x16 => asl!(zpx), 0x0E => asl!(abs), 0x1E => asl!(abx),
            0x4A => implied!(a = shift!(alu::shift_right(a, false))), 0x46 => lsr!(zp), 0x56 => lsr!(zpx), 0x4E => lsr!(abs), 0x5E => lsr!(abx),
            0x2A => implied!(a = shift!(alu::shift_left(a, carry))), 0x26 => rol!(zp), 0x36 => rol!(zpx), 0x2E => rol!(abs), 0x3E => rol!(abx),
            0x6A => implied!(a = shift!(alu::shift_right(a, carry))), 0x66 => ror!(zp), 0x76 => ror!(zpx), 0x6E => ror!(abs), 0x7E => ror!(abx),
            0xE6 => inc!(zp), 0xF6 => inc!(zpx), 0xEE => inc!(abs), 0xFE => inc!(abx),
            0xC6 => dec!(zp), 0xD6 => dec!(zpx), 0xCE => dec!(abs), 0xDE => dec!(abx),
            0xE8 => implied!(x = set_nz!(x.wrapping_add(1))),
            0xC8 => implied!(y = set_nz!(y.wrapping_add(1))),
            0xCA => implied!(x = set_nz!(x.wrapping_sub(1))),
            0x88 => implied!(y = set_nz!(y.wrapping_sub(1))),
            // Transfers and flags.
            0xAA => implied!(x = set_nz!(a)),
            0xA8 => implied!(y = set_nz!(a)),
            0x8A => implied!(a = set_nz!(x)),
            0x98 => implied!(a = set_nz!(y)),
            0xBA => implied!(x = set_nz!(r.sp)),
            0x9A => implied!(r.sp = x),
            0x18 => implied!(carry = false),
            0x38 => implied!(carry = true),
            0x58 => implied!(r.interrupt_disable = false),
            0x78 => implied!(r.interrupt_disable = true),
            0xB8 => implied!(r.overflow = false),
            0xD8 => implied!(r.decimal = false),
            0xF8 => implied!(r.decimal = true),
            // Branches and jumps.
            0x10 => branch_or_wait!(!is_negative(result as u16)),
            0x30 => branch!(is_negative(result as u16)),
            0x50 => branch!(!r.overflow),
            0x70 => branch!(r.overflow),
            0x90 => branch!(!carry),
            0xB0 => branch!(carry),
            0xD0 => branch_or_wait!(!is_zero(result as u16)),
            0xF0 => branch!(is_zero(result as u16)),
            0x4C => {
                bus.data = high!();
                jump!(absolute!());
            },
            0x6C => {
                let target = read_rarely!(absolute!(), high!());
                let next = absolute!() & 0xFF00 | absolute!().wrapping_add(1) & 0x00FF;
                bus.data = read_rarely!(next, target);
                jump!(u16::from_le_bytes([target, bus.data]));
            },
            0x20 => {
                read_low!(r.sp, low!());
                push!((pc!() >> 8) as u8);
                push!(pc!() as u8);
                bus.data = if EVERY {
                    read_rarely!(pc!(), bus.data)
                } else {
                    high!()
                };
                jump!(u16::from_le_bytes([low!(), bus.data]));
                end_of_write!();
            },
            0x60 => {
                let before = read_low!(r.sp, opcode);
                let low = pull!(before);
                let high = pull!(low);
                let before = u16::from_le_bytes([low, high]);
                bus.data = read!(before, high);
                jump!(before.wrapping_add(1));
            },
            0x40 => {
                let before = read_low!(r.sp, opcode);
                let status = pull!(before);
                set_status!(status);
                let low = pull!(status);
                bus.data = pull!(low);
                jump!(u16::from_le_bytes([low, bus.data]));
            },
            0x00 => {
                push!((pc!() >> 8) as u8);
                push!(pc!() as u8);
                let status = status!();
                push!(status);
                r.interrupt_disable = true;
                let low = read_rarely!(BREAK_VECTOR, status);
                bus.data = read_rarely!(BREAK_VECTOR + 1, low);
                jump!(u16::from_le_bytes([low, bus.data]));
                end_of_write!();
            },
            // The stack.
            0x48 => {
                push!(a);
                end_of_write!();
            },
            0x08 => {
                push!(status!());
                end_of_write!();
            },
            0x68 => {
                let before = read_low!(r.sp, opcode);
                let value = pull!(before);
                a = set_nz!(value);
            },
            0x28 => {
                let before = read_low!(r.sp, opcode);
                let status = pull!(before);
                set_status!(status);
            },
            // NOP, documented and undocumented.
            0xEA | 0x1A | 0x3A | 0x5A | 0x7A | 0xDA | 0xFA => note!(opcode),
            0x80 | 0x82 | 0x89 | 0xC2 | 0xE2 => nop!(imm),
            0x04 | 0x44 | 0x64 => nop!(zp),
            0x14 | 0x34 | 0x54 | 0x74 | 0xD4 | 0xF4 => nop!(zpx),
            0x0C => nop!(abs),
            0x1C | 0x3C | 0x5C | 0x7C | 0xDC | 0xFC => nop!(abx_read),
        }
    }
    bus.cycles = cycles;
    bus.left = left;
    *r = Registers { a, x, y, pc: stretch.first().wrapping_add(at as u16), result: result as u16, carry, ..*r };
    end
}
