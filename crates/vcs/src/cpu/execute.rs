//! The instruction set.

use super::cycles::{CYCLES, LENGTHS};
use super::{BREAK_VECTOR, Registers, frame_has_ended};
use crate::cartridge::Cartridge;
use crate::machine::Bus;

/// An opcode and the two bytes after it, of which the instruction has as many as its length says.
type Instruction = [u8; 3];

/// Fetches an instruction; all its cycles pass after its opcode.
#[inline(always)]
fn fetch<C: Cartridge>(r: &mut Registers, bus: &mut Bus<C>) -> Instruction {
    let window = if r.pc & 0x1000 == 0 {
        None
    } else {
        bus.cartridge.window(r.pc)
    };
    let Some(instruction) = window else {
        let (instruction, pc) = fetch_by_bytes(r.pc, bus);
        r.pc = pc;
        return instruction;
    };
    let opcode = usize::from(instruction[0]);
    let length = LENGTHS[opcode];
    bus.cycles = bus.cycles.wrapping_add(i32::from(CYCLES[opcode]));
    let [first, second, third] = instruction.map(u32::from);
    bus.noise = ((first | second << 8 | third << 16) >> (8 * (length - 1))) as u8;
    r.pc = r.pc.wrapping_add(u16::from(length));
    instruction
}

/// [`fetch`] where a byte's fetch may do something: at a cartridge's hot spots and outside of its ROM.
#[cold]
#[inline(never)]
fn fetch_by_bytes<C: Cartridge>(mut pc: u16, bus: &mut Bus<C>) -> (Instruction, u16) {
    let mut next = |bus: &mut Bus<C>| {
        let byte = bus.read_rarely(pc);
        pc = pc.wrapping_add(1);
        byte
    };
    let opcode = next(bus);
    bus.cycles = bus.cycles.wrapping_add(i32::from(CYCLES[usize::from(opcode)]));
    let mut instruction = [opcode, 0, 0];
    for operand in &mut instruction[1..usize::from(LENGTHS[usize::from(opcode)])] {
        *operand = next(bus);
    }
    (instruction, pc)
}

/// Whether an indexed read takes a cycle longer where it crosses a page.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PageCross {
    Costs,
    Free,
}

#[inline(always)]
fn index<C: Cartridge>(bus: &mut Bus<C>, base: u16, index: u8, cross: PageCross) -> u16 {
    let address = base.wrapping_add(u16::from(index));
    if cross == PageCross::Costs && (base ^ address) & 0xFF00 != 0 {
        bus.cycles = bus.cycles.wrapping_add(1);
    }
    address
}

/// The word at `pointer` of page 0; its high byte comes from the next address, also beyond the page.
#[inline(never)]
fn pointer<C: Cartridge>(bus: &mut Bus<C>, pointer: u8) -> u16 {
    let low = bus.read_low(pointer);
    let high = bus.read(u16::from(pointer) + 1);
    u16::from_le_bytes([low, high])
}

#[inline(always)]
fn indirect_y<C: Cartridge>(r: &Registers, bus: &mut Bus<C>, operand: u8, cross: PageCross) -> u16 {
    let base = pointer(bus, operand);
    index(bus, base, r.y, cross)
}

#[inline(always)]
fn push<C: Cartridge>(r: &mut Registers, bus: &mut Bus<C>, value: u8) {
    bus.write_low(r.sp, value);
    r.sp = r.sp.wrapping_sub(1);
}

/// Pulls a byte without the read that comes before the first one.
#[inline(always)]
fn pull<C: Cartridge>(r: &mut Registers, bus: &mut Bus<C>) -> u8 {
    r.sp = r.sp.wrapping_add(1);
    bus.read_low(r.sp)
}

#[inline(always)]
fn branch<C: Cartridge>(r: &mut Registers, bus: &mut Bus<C>, offset: u8, taken: bool) {
    if taken {
        let target = r.pc.wrapping_add_signed(i16::from(offset as i8));
        bus.cycles = bus
            .cycles
            .wrapping_add(if (target ^ r.pc) & 0xFF00 == 0 { 1 } else { 2 });
        r.pc = target;
    }
}

/// What the unstable stores write: the value AND one more than the high byte of the address.
fn with_high_byte(value: u8, address: u16) -> u8 {
    value & ((address >> 8) as u8).wrapping_add(1)
}

/// Runs `instructions`, or fewer where the TIA ends the frame or an opcode jams the chip.
#[rustfmt::skip]
#[allow(clippy::too_many_lines, clippy::cognitive_complexity, reason = "one arm an opcode, in the order of the opcode map's columns")]
pub(super) fn run<C: Cartridge>(r: &mut Registers, bus: &mut Bus<C>, instructions: u32) {
    let mut state = *r;
    let r_out = r;
    let r = &mut state;

    for _ in 0..instructions {
        let [opcode, low, high] = fetch(r, bus);
        let absolute = u16::from_le_bytes([low, high]);

    // Effective addresses.
    macro_rules! address {
        (abs) => { absolute };
        (abx) => { index(bus, absolute, r.x, PageCross::Free) };
        (aby) => { index(bus, absolute, r.y, PageCross::Free) };
        (abx_read) => { index(bus, absolute, r.x, PageCross::Costs) };
        (aby_read) => { index(bus, absolute, r.y, PageCross::Costs) };
        (inx) => { pointer(bus, low.wrapping_add(r.x)) };
        (iny) => { indirect_y(r, bus, low, PageCross::Free) };
        (iny_read) => { indirect_y(r, bus, low, PageCross::Costs) };
    }
    macro_rules! low_address {
        (zp) => { low };
        (zpx) => { low.wrapping_add(r.x) };
        (zpy) => { low.wrapping_add(r.y) };
    }
    // Operands.
    macro_rules! load {
        (imm) => { low };
        (zp) => {{ let address = low_address!(zp); bus.read_low(address) }};
        (zpx) => {{ let address = low_address!(zpx); bus.read_low(address) }};
        (zpy) => {{ let address = low_address!(zpy); bus.read_low(address) }};
        ($mode:ident) => {{ let address = address!($mode); bus.read(address) }};
    }
    macro_rules! load_rarely {
        (imm) => { load!(imm) };
        (zp) => {{ let address = low_address!(zp); bus.read_rarely(u16::from(address)) }};
        (zpx) => {{ let address = low_address!(zpx); bus.read_rarely(u16::from(address)) }};
        (zpy) => {{ let address = low_address!(zpy); bus.read_rarely(u16::from(address)) }};
        ($mode:ident) => {{ let address = address!($mode); bus.read_rarely(address) }};
    }
    macro_rules! end_of_write {
        () => { if frame_has_ended(bus) { break; } };
    }
    macro_rules! store {
        (zp, $value:expr) => {{ let address = low_address!(zp); bus.write_low(address, $value); end_of_write!(); }};
        (zpx, $value:expr) => {{ let address = low_address!(zpx); bus.write_low(address, $value); end_of_write!(); }};
        (zpy, $value:expr) => {{ let address = low_address!(zpy); bus.write_low(address, $value); end_of_write!(); }};
        ($mode:ident, $value:expr) => {{ let address = address!($mode); bus.write(address, $value); end_of_write!(); }};
    }
    macro_rules! store_high {
        ($mode:ident, $value:expr) => {{
            let address = address!($mode);
            bus.write(address, with_high_byte($value, address));
            end_of_write!();
        }};
    }
    // Read, modify, write.
    macro_rules! modify {
        (zp, $value:ident => $result:expr) => {{
            let address = low_address!(zp);
            let $value = bus.read_low(address);
            let result = $result;
            bus.write_low(address, result);
            end_of_write!();
        }};
        (zpx, $value:ident => $result:expr) => {{
            let address = low_address!(zpx);
            let $value = bus.read_low(address);
            let result = $result;
            bus.write_low(address, result);
            end_of_write!();
        }};
        ($mode:ident, $value:ident => $result:expr) => {{
            let address = address!($mode);
            let $value = bus.read_rarely(address);
            let result = $result;
            bus.write(address, result);
            end_of_write!();
        }};
    }
    macro_rules! modify_rarely {
        (zp, $value:ident => $result:expr) => { modify_rarely!(u16::from(low_address!(zp)); $value => $result) };
        (zpx, $value:ident => $result:expr) => { modify_rarely!(u16::from(low_address!(zpx)); $value => $result) };
        ($mode:ident, $value:ident => $result:expr) => { modify_rarely!(address!($mode); $value => $result) };
        ($address:expr; $value:ident => $result:expr) => {{
            let address = $address;
            let $value = bus.read_rarely(address);
            let result = $result;
            bus.write(address, result);
            end_of_write!();
        }};
    }
    macro_rules! lda { ($mode:ident) => {{ let value = load!($mode); r.a = r.set_nz(value); }}; }
    macro_rules! ldx { ($mode:ident) => {{ let value = load!($mode); r.x = r.set_nz(value); }}; }
    macro_rules! ldy { ($mode:ident) => {{ let value = load!($mode); r.y = r.set_nz(value); }}; }
    macro_rules! lax { ($mode:ident) => {{ let value = load_rarely!($mode); r.a = r.set_nz(value); r.x = value; }}; }
    macro_rules! ora { ($mode:ident) => {{ let value = load!($mode); r.a = r.set_nz(r.a | value); }}; }
    macro_rules! and { ($mode:ident) => {{ let value = load!($mode); r.a = r.set_nz(r.a & value); }}; }
    macro_rules! eor { ($mode:ident) => {{ let value = load!($mode); r.a = r.set_nz(r.a ^ value); }}; }
    macro_rules! adc { ($mode:ident) => {{ let value = load!($mode); r.adc(value); }}; }
    macro_rules! sbc { ($mode:ident) => {{ let value = load!($mode); r.sbc(value); }}; }
    macro_rules! cmp { ($mode:ident) => {{ let value = load!($mode); r.compare(r.a, value); }}; }
    macro_rules! cpx { ($mode:ident) => {{ let value = load!($mode); r.compare(r.x, value); }}; }
    macro_rules! cpy { ($mode:ident) => {{ let value = load!($mode); r.compare(r.y, value); }}; }
    macro_rules! bit { ($mode:ident) => {{ let value = load!($mode); r.bit(value); }}; }
    macro_rules! nop { ($mode:ident) => {{ let _ = load_rarely!($mode); }}; }
    macro_rules! asl { ($mode:ident) => { modify!($mode, value => r.asl(value)) }; }
    macro_rules! lsr { ($mode:ident) => { modify!($mode, value => r.lsr(value)) }; }
    macro_rules! rol { ($mode:ident) => { modify!($mode, value => r.rol(value)) }; }
    macro_rules! ror { ($mode:ident) => { modify!($mode, value => r.ror(value)) }; }
    macro_rules! inc { ($mode:ident) => { modify!($mode, value => r.set_nz(value.wrapping_add(1))) }; }
    macro_rules! dec { ($mode:ident) => { modify!($mode, value => r.set_nz(value.wrapping_sub(1))) }; }
    macro_rules! slo { ($mode:ident) => { modify_rarely!($mode, value => { let v = r.asl(value); r.a = r.set_nz(r.a | v); v }) }; }
    macro_rules! rla { ($mode:ident) => { modify_rarely!($mode, value => { let v = r.rol(value); r.a = r.set_nz(r.a & v); v }) }; }
    macro_rules! sre { ($mode:ident) => { modify_rarely!($mode, value => { let v = r.lsr(value); r.a = r.set_nz(r.a ^ v); v }) }; }
    macro_rules! rra { ($mode:ident) => { modify_rarely!($mode, value => { let v = r.ror(value); r.adc(v); v }) }; }
    macro_rules! dcp { ($mode:ident) => { modify_rarely!($mode, value => { let v = value.wrapping_sub(1); r.compare(r.a, v); v }) }; }
    macro_rules! isb { ($mode:ident) => { modify_rarely!($mode, value => { let v = value.wrapping_add(1); r.sbc(v); v }) }; }

        match opcode {
            // Loads and stores.
            0xA9 => lda!(imm), 0xA5 => lda!(zp), 0xB5 => lda!(zpx), 0xAD => lda!(abs), 0xBD => lda!(abx_read),
            0xB9 => lda!(aby_read), 0xA1 => lda!(inx), 0xB1 => lda!(iny_read),
            0xA2 => ldx!(imm), 0xA6 => ldx!(zp), 0xB6 => ldx!(zpy), 0xAE => ldx!(abs), 0xBE => ldx!(aby_read),
            0xA0 => ldy!(imm), 0xA4 => ldy!(zp), 0xB4 => ldy!(zpx), 0xAC => ldy!(abs), 0xBC => ldy!(abx_read),
            0x85 => store!(zp, r.a), 0x95 => store!(zpx, r.a), 0x8D => store!(abs, r.a), 0x9D => store!(abx, r.a),
            0x99 => store!(aby, r.a), 0x81 => store!(inx, r.a), 0x91 => store!(iny, r.a),
            0x86 => store!(zp, r.x), 0x96 => store!(zpy, r.x), 0x8E => store!(abs, r.x),
            0x84 => store!(zp, r.y), 0x94 => store!(zpx, r.y), 0x8C => store!(abs, r.y),
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
            0x0A => r.a = r.asl(r.a), 0x06 => asl!(zp), 0x16 => asl!(zpx), 0x0E => asl!(abs), 0x1E => asl!(abx),
            0x4A => r.a = r.lsr(r.a), 0x46 => lsr!(zp), 0x56 => lsr!(zpx), 0x4E => lsr!(abs), 0x5E => lsr!(abx),
            0x2A => r.a = r.rol(r.a), 0x26 => rol!(zp), 0x36 => rol!(zpx), 0x2E => rol!(abs), 0x3E => rol!(abx),
            0x6A => r.a = r.ror(r.a), 0x66 => ror!(zp), 0x76 => ror!(zpx), 0x6E => ror!(abs), 0x7E => ror!(abx),
            0xE6 => inc!(zp), 0xF6 => inc!(zpx), 0xEE => inc!(abs), 0xFE => inc!(abx),
            0xC6 => dec!(zp), 0xD6 => dec!(zpx), 0xCE => dec!(abs), 0xDE => dec!(abx),
            0xE8 => r.x = r.set_nz(r.x.wrapping_add(1)),
            0xC8 => r.y = r.set_nz(r.y.wrapping_add(1)),
            0xCA => r.x = r.set_nz(r.x.wrapping_sub(1)),
            0x88 => r.y = r.set_nz(r.y.wrapping_sub(1)),
            // Transfers and flags.
            0xAA => r.x = r.set_nz(r.a),
            0xA8 => r.y = r.set_nz(r.a),
            0x8A => r.a = r.set_nz(r.x),
            0x98 => r.a = r.set_nz(r.y),
            0xBA => r.x = r.set_nz(r.sp),
            0x9A => r.sp = r.x,
            0x18 => r.carry = false,
            0x38 => r.carry = true,
            0x58 => r.interrupt_disable = false,
            0x78 => r.interrupt_disable = true,
            0xB8 => r.overflow = false,
            0xD8 => r.decimal = false,
            0xF8 => r.decimal = true,
            // Branches and jumps.
            0x10 => branch(r, bus, low, r.negative & 0x80 == 0),
            0x30 => branch(r, bus, low, r.negative & 0x80 != 0),
            0x50 => branch(r, bus, low, !r.overflow),
            0x70 => branch(r, bus, low, r.overflow),
            0x90 => branch(r, bus, low, !r.carry),
            0xB0 => branch(r, bus, low, r.carry),
            0xD0 => branch(r, bus, low, r.not_zero != 0),
            0xF0 => branch(r, bus, low, r.not_zero == 0),
            0x4C => r.pc = absolute,
            0x6C => {
                let low = bus.read_rarely(absolute);
                let high = bus.read_rarely(absolute & 0xFF00 | absolute.wrapping_add(1) & 0x00FF);
                r.pc = u16::from_le_bytes([low, high]);
            }
            0x20 => {
                bus.read_low(r.sp);
                push(r, bus, (r.pc >> 8) as u8);
                push(r, bus, r.pc as u8);
                let high = bus.read(r.pc);
                r.pc = u16::from_le_bytes([low, high]);
                end_of_write!();
            }
            0x60 => {
                bus.read_low(r.sp);
                let low = pull(r, bus);
                let high = pull(r, bus);
                let before = u16::from_le_bytes([low, high]);
                bus.read(before);
                r.pc = before.wrapping_add(1);
            }
            0x40 => {
                bus.read_low(r.sp);
                let status = pull(r, bus);
                r.set_status(status);
                let low = pull(r, bus);
                let high = pull(r, bus);
                r.pc = u16::from_le_bytes([low, high]);
            }
            0x00 => {
                push(r, bus, (r.pc >> 8) as u8);
                push(r, bus, r.pc as u8);
                push(r, bus, r.status());
                r.interrupt_disable = true;
                let low = bus.read_rarely(BREAK_VECTOR);
                let high = bus.read_rarely(BREAK_VECTOR + 1);
                r.pc = u16::from_le_bytes([low, high]);
                end_of_write!();
            }
            // The stack.
            0x48 => {
                push(r, bus, r.a);
                end_of_write!();
            }
            0x08 => {
                push(r, bus, r.status());
                end_of_write!();
            }
            0x68 => {
                bus.read_low(r.sp);
                let value = pull(r, bus);
                r.a = r.set_nz(value);
            }
            0x28 => {
                bus.read_low(r.sp);
                let status = pull(r, bus);
                r.set_status(status);
            }
            // Nothing, in documented and undocumented ways.
            0xEA | 0x1A | 0x3A | 0x5A | 0x7A | 0xDA | 0xFA => {}
            0x80 | 0x82 | 0x89 | 0xC2 | 0xE2 => nop!(imm),
            0x04 | 0x44 | 0x64 => nop!(zp),
            0x14 | 0x34 | 0x54 | 0x74 | 0xD4 | 0xF4 => nop!(zpx),
            0x0C => nop!(abs),
            0x1C | 0x3C | 0x5C | 0x7C | 0xDC | 0xFC => nop!(abx_read),
            // Undocumented: a shift, increment or decrement, and an operation with A.
            0x07 => slo!(zp), 0x17 => slo!(zpx), 0x0F => slo!(abs), 0x1F => slo!(abx), 0x1B => slo!(aby), 0x03 => slo!(inx), 0x13 => slo!(iny),
            0x27 => rla!(zp), 0x37 => rla!(zpx), 0x2F => rla!(abs), 0x3F => rla!(abx), 0x3B => rla!(aby), 0x23 => rla!(inx), 0x33 => rla!(iny),
            0x47 => sre!(zp), 0x57 => sre!(zpx), 0x4F => sre!(abs), 0x5F => sre!(abx), 0x5B => sre!(aby), 0x43 => sre!(inx), 0x53 => sre!(iny),
            0x67 => rra!(zp), 0x77 => rra!(zpx), 0x6F => rra!(abs), 0x7F => rra!(abx), 0x7B => rra!(aby), 0x63 => rra!(inx), 0x73 => rra!(iny),
            0xC7 => dcp!(zp), 0xD7 => dcp!(zpx), 0xCF => dcp!(abs), 0xDF => dcp!(abx), 0xDB => dcp!(aby), 0xC3 => dcp!(inx), 0xD3 => dcp!(iny),
            0xE7 => isb!(zp), 0xF7 => isb!(zpx), 0xEF => isb!(abs), 0xFF => isb!(abx), 0xFB => isb!(aby), 0xE3 => isb!(inx), 0xF3 => isb!(iny),
            // Undocumented: A and X together.
            0xA7 => lax!(zp), 0xB7 => lax!(zpy), 0xAF => lax!(abs), 0xBF => lax!(aby_read), 0xA3 => lax!(inx), 0xB3 => lax!(iny_read),
            0x87 => store!(zp, r.a & r.x), 0x97 => store!(zpy, r.a & r.x), 0x8F => store!(abs, r.a & r.x), 0x83 => store!(inx, r.a & r.x),
            0x9F => store_high!(aby, r.a & r.x),
            0x93 => store_high!(iny, r.a & r.x),
            0x9E => store_high!(aby, r.x),
            0x9C => store_high!(abx, r.y),
            0x9B => {
                r.sp = r.a & r.x;
                store_high!(aby, r.sp);
            }
            0xBB => {
                let value = load_rarely!(aby_read) & r.sp;
                r.sp = value;
                r.x = value;
                r.a = r.set_nz(value);
            }
            0x0B | 0x2B => r.anc(low),
            0x4B => r.a = r.lsr(r.a & low),
            0x6B => r.arr(low),
            0x8B => {
                r.a = r.set_nz((r.a | 0xEE) & r.x & low);
            }
            0xAB => {
                r.a = r.set_nz((r.a | 0xEE) & low);
                r.x = r.a;
            }
            0xCB => r.sbx(low),
            0x02 | 0x12 | 0x22 | 0x32 | 0x42 | 0x52 | 0x62 | 0x72 | 0x92 | 0xB2 | 0xD2 | 0xF2 => {
                r.jammed = true;
                break;
            }
        }
    }
    *r_out = state;
}
