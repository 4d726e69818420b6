//! Runs a program one instruction at a time and notes what each reads and writes.
//!
//! The instructions are executed as ever; what they will touch is computed before, from the opcode's place in the opcode map and
//! the registers. What is noted as read may be more than is read; what is noted as written is just what is.

use super::Interpreter;
use crate::bus::Bus;
use crate::machine::Machine;
use crate::registers::Registers;
use crate::trace::Trace;

/// An interpreter that notes what is touched.
#[derive(Debug)]
pub(crate) struct Traced<'a> {
    pub(crate) interpreter: Interpreter,
    pub(crate) trace: &'a mut Trace,
}

impl Traced<'_> {
    pub(crate) fn run(&mut self, machine: &mut Machine, instructions: u32) {
        let trace = &mut *self.trace;
        self.interpreter
            .interpret_watched(machine, instructions, 1, |word, registers, bus| {
                note(word, registers, bus, trace);
            });
    }
}

/// What an instruction does at its effective address.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Access {
    Read,
    Write,
    Modify,
}

/// Notes what the instruction that `word` begins with is about to touch.
fn note(word: u32, registers: &Registers, bus: &Bus, trace: &mut Trace) {
    let [opcode, low, high, _] = word.to_le_bytes();
    // JSR fetches its last byte late, and whoever returns reads a byte beyond the opcode. Most cartridges have nothing but ROM.
    if registers.pc & 0x1000 == 0 || bus.cartridge.byte_count() > 0 {
        for byte in 0..3 {
            trace.read_at(registers.pc.wrapping_add(byte), bus);
        }
    }
    match opcode {
        // BRK, JSR, PHP, PHA.
        0x00 => push(3, registers, bus, trace),
        0x20 => push(2, registers, bus, trace),
        0x08 | 0x48 => push(1, registers, bus, trace),
        // RTI, RTS, PLP, PLA.
        0x40 => pull(3, registers, bus, trace),
        0x60 => {
            pull(2, registers, bus, trace);
            let low = trace.peek(u16::from(registers.sp.wrapping_add(1)), bus);
            let high = trace.peek(u16::from(registers.sp.wrapping_add(2)), bus);
            trace.read_at(u16::from_le_bytes([low, high]), bus);
        }
        0x28 | 0x68 => pull(1, registers, bus, trace),
        // JMP to an address, and through a pointer.
        0x4C => {}
        0x6C => {
            trace.read_at(u16::from_le_bytes([low, high]), bus);
            trace.read_at(u16::from_le_bytes([low.wrapping_add(1), high]), bus);
        }
        _ => note_operand(opcode, u16::from_le_bytes([low, high]), registers, bus, trace),
    }
}

fn note_operand(opcode: u8, operand: u16, registers: &Registers, bus: &Bus, trace: &mut Trace) {
    let low = operand as u8;
    let Registers { x, y, .. } = *registers;
    // STX, LDX and their undocumented relatives are indexed by Y where the others are by X.
    let index = if matches!(opcode & 0xC2, 0x82) { y } else { x };
    let address = match opcode & 0x1F {
        0x01 | 0x03 => pointer(low.wrapping_add(x), bus, trace),
        0x11 | 0x13 => pointer(low, bus, trace).wrapping_add(u16::from(y)),
        0x04..=0x07 => u16::from(low),
        0x14..=0x17 => u16::from(low.wrapping_add(index)),
        0x0C..=0x0F => operand,
        0x1C..=0x1F => operand.wrapping_add(u16::from(index)),
        0x19 | 0x1B => operand.wrapping_add(u16::from(y)),
        // Implied, immediate, relative.
        _ => return,
    };
    let access = match opcode >> 5 {
        4 => Access::Write,
        // The shifts, increments and decrements, documented and not.
        0..=3 | 6 | 7 if opcode & 2 != 0 => Access::Modify,
        _ => Access::Read,
    };
    if access != Access::Write {
        trace.read_at(address, bus);
    }
    if access != Access::Read {
        trace.write_at(address, bus);
    }
}

/// The word at a pointer on page 0, whose high byte may lie beyond it.
fn pointer(address: u8, bus: &Bus, trace: &mut Trace) -> u16 {
    let low = trace.peek(u16::from(address), bus);
    let high = trace.peek(u16::from(address) + 1, bus);
    u16::from_le_bytes([low, high])
}

fn push(bytes: u8, registers: &Registers, bus: &Bus, trace: &mut Trace) {
    for byte in 0..bytes {
        trace.write_at(u16::from(registers.sp.wrapping_sub(byte)), bus);
    }
}

/// The stack's addresses from where it stands: the byte there is read before the first that is pulled.
fn pull(bytes: u8, registers: &Registers, bus: &Bus, trace: &mut Trace) {
    let first = registers.sp.wrapping_add(1);
    for byte in 0..bytes {
        trace.read_at(u16::from(first.wrapping_add(byte)), bus);
    }
    // Of the byte under the stack only the TIA, which does not drive all lines, lets anything through.
    if first & 0x80 == 0 {
        trace.read_at(u16::from(registers.sp), bus);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cartridge::{Cartridge, Mapper};
    use crate::state::State;
    use crate::trace::{CARTRIDGE, RAM, Selection};
    use crate::{FrameGeometry, HmoveBlanks, TvFormat};

    /// Numbers that look random.
    struct Numbers(u64);

    impl Numbers {
        fn next(&mut self) -> u32 {
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 32) as u32
        }
    }

    /// A machine with random contents, about to execute `opcode` in ROM or, now and then, in RAM, also the cartridge's.
    fn machine(opcode: u8, mapper: Mapper, numbers: &mut Numbers) -> Machine {
        let size = match mapper {
            Mapper::F8Sc => 8192,
            _ => 4096,
        };
        let mut rom: Vec<u8> = (0..size).map(|_| numbers.next() as u8).collect();
        // Addresses on the pages where something answers, and registers that keep them there.
        let pages = [0x00, 0x01, 0x02, 0x10, 0xF0];
        let high = pages[numbers.next() as usize % pages.len()];
        let geometry = FrameGeometry {
            tv: TvFormat::Ntsc,
            ystart: 34,
            height: 1,
        };
        let pc = match (numbers.next() % 8, mapper) {
            (0, _) => 0xC0,
            (1, Mapper::F8Sc) => 0xF0C0,
            _ => 0xF300,
        };
        for bank in rom.chunks_mut(4096) {
            if let Some(code) = bank.get_mut(0x300..0x303) {
                code.copy_from_slice(&[opcode, numbers.next() as u8, high]);
            }
        }
        let mut machine = Machine::new(
            Cartridge::new(rom.as_slice().into(), mapper),
            geometry,
            HmoveBlanks::Shown,
        );
        machine.reset(&mut || numbers.next());
        for byte in &mut machine.bus.riot.ram {
            *byte = numbers.next() as u8;
        }
        for pointer in machine.bus.riot.ram.chunks_exact_mut(2) {
            pointer[1] = pages[numbers.next() as usize % pages.len()];
        }
        machine.bus.riot.ram[0x40..0x43].copy_from_slice(&[opcode, numbers.next() as u8, high]);
        if let Some(code) = machine.bus.cartridge.ram_mut().get_mut(0x40..0x43) {
            code.copy_from_slice(&[opcode, numbers.next() as u8, high]);
        }
        let [a, x, y, sp] = numbers.next().to_le_bytes();
        let flags = numbers.next();
        machine.registers = Registers {
            a,
            x: x & 0x83,
            y: y & 0x83,
            sp,
            pc,
            carry: flags & 1 != 0,
            decimal: flags & 2 != 0,
            overflow: flags & 4 != 0,
            ..Registers::default()
        };
        machine
    }

    /// Inverts a byte of a part of the sources.
    fn perturb(machine: &mut Machine, part: usize, index: usize) {
        match part {
            RAM => machine.bus.riot.ram[index] ^= 0xFF,
            _ => {
                if let Some(byte) = machine.bus.cartridge.ram_mut().get_mut(index) {
                    *byte ^= 0xFF;
                }
            }
        }
    }

    /// Everything but the bytes of the sources.
    fn others(machine: &mut Machine) -> Vec<u8> {
        let mut bytes = Vec::new();
        let riot = machine.bus.riot.clone();
        machine.bus.riot.ram = [0; 128];
        machine.registers.save(&mut bytes);
        machine.bus.cycles.save(&mut bytes);
        machine.bus.riot.save(&mut bytes);
        machine.bus.tia.save(&mut bytes);
        machine.bus.tia.sound.registers().save(&mut bytes);
        machine.bus.riot = riot;
        bytes
    }

    fn run_traced(machine: &mut Machine, trace: &mut Trace) {
        let interpreter = Interpreter::new(&machine.bus.cartridge);
        Traced { interpreter, trace }.run(machine, 1);
    }

    /// Runs an instruction in machines that differ in one byte, and checks that what differs then is what the trace says.
    fn check(opcode: u8, mapper: Mapper, numbers: &mut Numbers) -> Trace {
        let start = machine(opcode, mapper, numbers);
        let mut ended = start.clone();
        let mut trace = ended.trace();
        run_traced(&mut ended, &mut trace);
        if trace.is_lost() {
            return trace;
        }
        let (inputs, untouched) = (trace.inputs(), trace.untouched());
        let expected = (others(&mut ended), ended.sources());
        for part in [RAM, CARTRIDGE] {
            for index in 0..128 {
                let bit = Selection(std::array::from_fn(|at| u128::from(at == part) << index));
                if !inputs.and(&bit).is_empty() {
                    continue;
                }
                let mut other = start.clone();
                perturb(&mut other, part, index);
                let perturbed = other.sources();
                let mut again = other.trace();
                run_traced(&mut other, &mut again);
                let place = format!("{mapper} {opcode:02x}: byte {index} of part {part}");
                assert!(others(&mut other) == expected.0, "{place} matters");
                let mut sources = other.sources();
                let passes = !untouched.and(&bit).is_empty();
                if passes {
                    assert_eq!(
                        sources.0[part][index], perturbed.0[part][index],
                        "{place} does not pass"
                    );
                    sources.0[part][index] = expected.1.0[part][index];
                }
                assert!(sources == expected.1, "{place} changes another, or shows");
            }
        }
        trace
    }

    #[test]
    fn an_instruction_depends_on_nothing_but_what_is_noted() {
        let mut numbers = Numbers(1);
        for mapper in [Mapper::Rom4K, Mapper::F8Sc] {
            let (mut reads, mut writes, mut lost) = (0, 0, 0);
            for opcode in 0..=u8::MAX {
                for _ in 0..16 {
                    let trace = check(opcode, mapper, &mut numbers);
                    lost += u32::from(trace.is_lost());
                    let [ram, cartridge] = trace.inputs().ram();
                    reads += (ram | cartridge).count_ones();
                    let [ram, cartridge] = trace.untouched().ram();
                    writes += u32::from(ram & cartridge != u128::MAX);
                }
            }
            assert!(reads > 500 && writes > 500, "{reads} read, {writes} written");
            assert!(lost < 500, "{lost} lost");
        }
    }
}
