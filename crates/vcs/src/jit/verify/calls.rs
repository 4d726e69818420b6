//! The real runtime functions keep to what the verifier takes as given of them, in random states of machines with each mapper.

use super::memory::effect;
use super::programs::random::Random;
use super::*;
use crate::cartridge::Cartridge;
use crate::jit::runtime;
use crate::machine::Machine;
use crate::registers::Registers;
use crate::tia::{FrameEnd, Greying};
use crate::{Drawing, FrameGeometry, HmoveBlanks, Mapper, State, TvFormat};
use std::cmp::Ordering;
use std::collections::HashSet;

/// The functions that get an address.
const ACCESSES: [RuntimeCall; 5] = [
    RuntimeCall::Read,
    RuntimeCall::Word,
    RuntimeCall::Chip,
    RuntimeCall::Write,
    RuntimeCall::WriteTia,
];

/// A machine that is played by calls alone.
struct Caller {
    machine: Machine,
    fields: HashMap<(u32, u32), Range>,
    random: Random,
    cycles: i32,
    /// Cycles between two calls are fewer than this.
    pace: usize,
    /// Bits that are set in every byte.
    bits: u32,
    /// The functions that have logged a write.
    logged: HashSet<u32>,
    full_logs: u32,
}

impl Caller {
    fn new(mapper: Mapper) -> Self {
        let mut random = Random(mapper as u64);
        let rom: Vec<u8> = (0..mapper.sizes().least()).map(|_| random.below(256) as u8).collect();
        let geometry = FrameGeometry {
            tv: [TvFormat::Ntsc, TvFormat::Pal][random.below(2)],
            first_line: random.below(60) as u16,
            height: 210,
        };
        let cartridge = Cartridge::new(rom.into(), mapper);
        let fields = memory::fields(cartridge.rom().len());
        let mut machine = Machine::new(cartridge, geometry, HmoveBlanks::Shown);
        machine.reset(&mut || random.below(1 << 30) as u32);
        // No register holds a value that a change is likely to have.
        machine.registers = Registers {
            a: 0xA1,
            x: 0xA2,
            y: 0xA3,
            sp: 0xA4,
            result: 0xA5,
            carry: true,
            overflow: true,
            decimal: true,
            ..machine.registers
        };
        let mut caller = Self {
            machine,
            fields,
            random,
            cycles: 0,
            pace: 0,
            bits: 0,
            logged: HashSet::new(),
            full_logs: 0,
        };
        caller.next_frame();
        caller
    }

    fn next_frame(&mut self) {
        self.machine.bus.cycles = self.cycles;
        self.machine.end_frame(Greying::Done);
        self.machine
            .begin_frame([Drawing::Immediate, Drawing::OnDemand][self.random.below(2)]);
        self.cycles = self.machine.bus.cycles;
        // With the first, VSYNC stays on, and the log is full before the frame ends.
        (self.pace, self.bits) = [(2, 2), (8, 0), (60, 0)][self.random.below(3)];
    }

    /// Calls a function with an address, the value or byte before, and the cycles.
    fn access(&mut self, callee: RuntimeCall, address: u32) {
        if self.machine.bus.tia.frame.end == FrameEnd::Yes {
            self.next_frame();
        }
        self.cycles += self.random.below(self.pace) as i32;
        let (byte, cycles) = (self.random.below(256) as u32 | self.bits, self.cycles);
        let result = self.check(callee, |machine| match callee {
            RuntimeCall::Read => runtime::read(machine, address, byte, cycles),
            RuntimeCall::Word => runtime::word(machine, address & 0xFF, byte, cycles),
            RuntimeCall::Chip => runtime::chip(machine, address, cycles),
            RuntimeCall::Write => runtime::write(machine, address, byte, cycles).cast_unsigned(),
            _ => runtime::write_tia(machine, address & 0x3F, byte, cycles).cast_unsigned(),
        });
        if matches!(callee, RuntimeCall::Write | RuntimeCall::WriteTia) {
            self.cycles = result.cast_signed();
        }
    }

    /// Makes a call, and checks its result and what it does to the machine.
    fn check(&mut self, callee: RuntimeCall, call: impl FnOnce(&mut Machine) -> u32) -> u32 {
        let registers = |machine: &Machine| {
            let mut bytes = Vec::new();
            machine.registers.save(&mut bytes);
            bytes
        };
        let machine = &mut self.machine;
        let before = (registers(machine), machine.bus.tia.playback.log.entries.as_ptr());
        let length = machine.bus.tia.playback.log.len;
        let result = Range::exactly(call(machine));
        let (range, writes) = effect(callee);
        assert_eq!(result.both(range), result, "{callee:?}");
        let tia = &machine.bus.tia;
        if writes == 0 {
            assert_eq!(tia.playback.log.len, length, "{callee:?}");
        } else {
            assert!(
                tia.playback.log.len <= length + writes,
                "{callee:?} logs more than {writes}"
            );
        }
        match tia.playback.log.len.cmp(&length) {
            Ordering::Greater => {
                self.logged.insert(callee as u32);
            }
            // The log was full, and has been emptied.
            Ordering::Less => self.full_logs += 1,
            Ordering::Equal => {}
        }
        // Code keeps the registers and the log's address in locals.
        let after = (registers(machine), tia.playback.log.entries.as_ptr());
        assert_eq!(after, before, "{callee:?}");
        let in_range = |at: u32, width: u32, value: u32| {
            let value = Range::exactly(value);
            value.both(self.fields[&(at, width)]) == value
        };
        let all = in_range(layout::COPIED, 1, tia.shadow.copied.into())
            && in_range(layout::LAST_REGISTER, 1, tia.shadow.last_access.register.into())
            && machine
                .bus
                .cartridge
                .slices
                .iter()
                .all(|&slice| in_range(layout::SLICES, 2, slice.into()));
        assert!(all, "{callee:?}: {tia:?}");
        result.low
    }
}

#[test]
fn accesses_keep_to_their_effect_at_every_address() {
    let mut logged = HashSet::new();
    for mapper in Mapper::ALL {
        let mut caller = Caller::new(mapper);
        for address in 0..=0xFFFF {
            let first = caller.random.below(ACCESSES.len());
            for number in 0..ACCESSES.len() {
                caller.access(ACCESSES[(first + number) % ACCESSES.len()], address);
            }
        }
        assert!(caller.full_logs > 10, "{mapper}: {} full logs", caller.full_logs);
        logged.extend(caller.logged);
    }
    let may_log = ACCESSES.into_iter().filter(|&callee| effect(callee).1 > 0);
    assert_eq!(logged, may_log.map(|callee| callee as u32).collect());
}

#[test]
fn decimal_arithmetic_keeps_to_its_effect() {
    for (callee, call) in [
        (
            RuntimeCall::AddDecimal,
            runtime::add as extern "C" fn(u32, u32, u32) -> u32,
        ),
        (RuntimeCall::SubtractDecimal, runtime::subtract),
    ] {
        for number in 0..1 << 17 {
            let result = Range::exactly(call(number & 0xFF, number >> 8 & 0xFF, number >> 16));
            assert_eq!(result.both(effect(callee).0), result, "{callee:?}");
        }
    }
}

#[test]
fn waits_for_the_timer_keep_to_their_effect() {
    let mut caller = Caller::new(Mapper::Rom4K);
    let mut waits = 0;
    for _ in 0..100_000 {
        let timer = 0x294 + caller.random.below(4) as u32;
        caller.access(RuntimeCall::Write, timer);
        let branch = [0x10, 0xD0][caller.random.below(2)];
        let code = branch << 24 | 0x284 << 8 | 0xAD;
        let pc = 0xF000 + caller.random.below(0x1000) as u32;
        let left = caller.random.below(25_000) as u32;
        let cycles = caller.cycles + caller.random.below(2000) as i32;
        let result = caller.check(RuntimeCall::TimerWait, |machine| {
            runtime::timer_wait(machine, pc, code, branch, cycles, left)
        });
        // Each round is two of the instructions that are left.
        assert!(2 * (result >> 8) <= left, "{} rounds of {left}", result >> 8);
        waits += u32::from(result > 0);
    }
    assert!(waits > 1000, "{waits} waits");
}
