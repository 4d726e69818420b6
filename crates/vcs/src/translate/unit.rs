//! What is known of a ROM's program, what has been translated of it, and how it runs.

use super::ir::outcome;
use super::region::{self, Block, Region};
use super::{Program, lower};
use crate::Mapper;
use crate::cartridge::{Cartridge, Seams};
use crate::cpu::{self, LENGTHS};
use crate::machine::Machine;
use crate::tia::FrameEnd;
use std::collections::HashMap;
use std::ffi::c_void;
use std::fmt;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock, Weak};

/// How long a program is interpreted before it is translated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Patience {
    /// Frames that are only interpreted: many consoles never play more.
    pub idle: u32,
    /// Frames after these in which it is noted what runs.
    pub watching: u32,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            idle: 400,
            watching: 60,
        }
    }
}

/// Runs of instructions that were not translated, until all is translated anew for the first time; each time it takes twice as many.
const UNKNOWN_RUNS: u32 = 4000;
/// Times that all is translated anew, at most.
const TRANSLATIONS: u32 = 8;
/// Instructions that the interpreter does before it looks for translated code again, at most.
const RUN: u32 = 32;

/// How often the bus of 13 bits is seen in 16 bits.
const MIRRORS: usize = 8;

/// A translated function: takes the machine, the ROM's first byte and the number of a block.
pub type Function = extern "C" fn(*mut c_void, *const u8, u32) -> u32;

/// Whoever can make functions of programs.
pub trait Host: Send + Sync {
    /// Makes functions of a program. None where that is not possible here.
    fn load(&self, program: &Program) -> Option<Box<dyn Loaded>>;
}

/// A program's functions, as long as they may be called.
pub trait Loaded: Send + Sync {
    /// The functions, in their order.
    fn functions(&self) -> &[Function];
}

static HOST: OnceLock<(Box<dyn Host>, Patience)> = OnceLock::new();
static UNITS: Mutex<Option<HashMap<Key, Weak<Unit>>>> = Mutex::new(None);

/// What tells programs apart.
type Key = (Mapper, Arc<[u8]>);

/// Consoles that are made from now on have their programs translated. Only the first host counts.
pub fn translate_with(host: Box<dyn Host>, patience: Patience) {
    let _ = HOST.set((host, patience));
}

/// A program, shared by all consoles that play it.
struct Unit {
    host: &'static dyn Host,
    patience: Patience,
    rom: Arc<[u8]>,
    seams: Seams,
    switches: bool,
    frames: AtomicU32,
    state: RwLock<State>,
}

#[derive(Default)]
struct State {
    /// By the address bits above those that the chips see: programs run in several mirrors of their ROM.
    mirrors: [Option<Mirror>; MIRRORS],
    loaded: Option<Box<dyn Loaded>>,
    translations: u32,
    /// Runs of instructions since the last translation that had not been translated though they could be.
    unknown: u32,
    /// The host does not translate.
    refused: bool,
}

/// What is known of a program in one of the ROM's mirrors, by place in the ROM.
struct Mirror {
    /// At which address an instruction was executed.
    seen: Vec<Option<u16>>,
    /// Whether a run of instructions has begun.
    begun: Vec<Begun>,
    /// What has been translated.
    entries: Vec<Option<Entry>>,
}

/// Whether a run of instructions has begun at a place.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum Begun {
    #[default]
    Never,
    /// Already when all was translated last.
    Before,
    /// For the first time since then.
    Since,
}

/// Where translated code can be entered.
#[derive(Clone, Copy)]
struct Entry {
    function: Function,
    block: u16,
    address: u16,
}

/// Instructions one after the other that were interpreted.
#[derive(Clone, Copy)]
struct Run {
    place: u32,
    address: u16,
    length: u16,
}

/// A console's part in its program's translation.
#[derive(Clone)]
pub(crate) struct Translator {
    unit: Arc<Unit>,
    runs: Vec<Run>,
}

impl fmt::Debug for Translator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Translator")
    }
}

impl Translator {
    /// For a cartridge, if there is a host.
    pub(crate) fn new(cartridge: &Cartridge, mapper: Mapper) -> Option<Self> {
        let (host, patience) = HOST.get()?;
        let rom = cartridge.rom();
        let mut units = UNITS.lock().unwrap_or_else(PoisonError::into_inner);
        let units = units.get_or_insert_default();
        units.retain(|_, unit| unit.strong_count() > 0);
        let known = units.get(&(mapper, Arc::clone(&rom))).and_then(Weak::upgrade);
        let unit = known.unwrap_or_else(|| {
            let unit = Arc::new(Unit {
                host: host.as_ref(),
                patience: *patience,
                seams: cartridge.seams(),
                switches: cartridge.switches(),
                frames: AtomicU32::new(0),
                state: RwLock::default(),
                rom: Arc::clone(&rom),
            });
            units.insert((mapper, rom), Arc::downgrade(&unit));
            unit
        });
        Some(Self { unit, runs: Vec::new() })
    }

    /// Whether the program, or a part of it, has been translated.
    pub(crate) fn has_translated(&self) -> bool {
        let state = self.unit.state.read().unwrap_or_else(PoisonError::into_inner);
        state.loaded.is_some()
    }

    /// Runs `instructions`, or fewer: see [`cpu::run`].
    #[inline(never)]
    pub(crate) fn run(&mut self, machine: &mut Machine, instructions: u32) {
        let frame = self.unit.frames.load(Ordering::Relaxed).saturating_add(1);
        self.unit.frames.store(frame, Ordering::Relaxed);
        let state = self.unit.state.read().unwrap_or_else(PoisonError::into_inner);
        if frame <= self.unit.patience.idle || state.refused {
            cpu::run(machine, instructions);
            return;
        }
        let mut left = instructions;
        while left > 0 && !machine.registers.jammed {
            left = match state.entry(&machine.bus.cartridge, machine.registers.pc) {
                Some(entry) => self.unit.call(entry, machine, left),
                None => self.unit.interpret(machine, left, &state, &mut self.runs),
            };
            if machine.bus.tia.frame_end == FrameEnd::Yes {
                break;
            }
        }
        drop(state);
        if !self.runs.is_empty() {
            let mut state = self.unit.state.write().unwrap_or_else(PoisonError::into_inner);
            self.unit.learn(&mut state, &mut self.runs, frame);
        }
    }
}

impl Unit {
    /// Runs translated code. Gives how many instructions are left.
    fn call(&self, entry: Entry, machine: &mut Machine, left: u32) -> u32 {
        machine.bus.left = left;
        machine.bus.cartridge.forget_switch();
        let address = std::ptr::from_mut(machine).cast();
        let outcome = (entry.function)(address, self.rom.as_ptr(), entry.block.into());
        let left = machine.bus.left;
        if outcome == outcome::INTERPRET as u32 && left > 0 {
            return left - 1 + cpu::run(machine, 1);
        }
        left
    }

    /// Interprets up to the next jump or translated code, and notes what. Gives how many instructions are left.
    fn interpret(&self, machine: &mut Machine, left: u32, state: &State, runs: &mut Vec<Run>) -> u32 {
        let address = machine.registers.pc;
        let mut length = 1;
        if let Some(place) = machine.bus.cartridge.place(address) {
            length = self.walk(place, address, RUN, |place, address| {
                state.entry_at(place, address).is_none()
            });
            runs.push(Run {
                place: place as u32,
                address,
                length: length as u16,
            });
        }
        let some = left.min(length.max(1));
        left - some + cpu::run(machine, some)
    }

    /// Goes from instruction to instruction as long as none can jump, there are no more than `most`, and `go_on` says so of
    /// the next one's place and address. Gives how many there are.
    fn walk(&self, place: usize, address: u16, most: u32, mut go_on: impl FnMut(usize, u16) -> bool) -> u32 {
        let region = self.region(place, address);
        let mut at = region.place(address);
        let mut length = 0;
        while let Some(code) = region.code(at) {
            let opcode = code as u8;
            at += u32::from(LENGTHS[usize::from(opcode)]);
            length += 1;
            if region::is_flow(opcode) || length == most || !go_on((region.offset + at) as usize, region.address(at)) {
                break;
            }
        }
        length
    }

    /// The region in which `address` is, which shows this place in the ROM.
    fn region(&self, place: usize, address: u16) -> Region<'_> {
        let (first, last) = self.seams.around(address);
        let offset = place - usize::from(address - first);
        Region {
            first,
            offset: offset as u32,
            bytes: self
                .rom
                .get(offset..=offset + usize::from(last - first))
                .unwrap_or_default(),
            switches: self.switches,
        }
    }

    /// Notes what has been interpreted, and translates if that has become a lot.
    fn learn(&self, state: &mut State, runs: &mut Vec<Run>, frame: u32) {
        for Run { place, address, length } in runs.drain(..) {
            let place = place as usize;
            let Mirror { seen, begun, .. } =
                state.mirrors[mirror(address)].get_or_insert_with(|| Mirror::new(self.rom.len()));
            match &mut begun[place] {
                Begun::Before => continue,
                begun => *begun = Begun::Since,
            }
            state.unknown += 1;
            seen[place].get_or_insert(address);
            self.walk(place, address, length.into(), |place, address| {
                seen.get_mut(place)
                    .is_some_and(|seen| *seen.get_or_insert(address) == address)
            });
        }
        let is_due = match state.translations {
            0 => frame >= self.patience.idle.saturating_add(self.patience.watching),
            TRANSLATIONS.. => false,
            times => state.unknown >= UNKNOWN_RUNS << times,
        };
        if is_due {
            self.translate(state);
        }
    }

    /// Translates all that has been seen.
    fn translate(&self, state: &mut State) {
        state.translations += 1;
        state.unknown = 0;
        for Mirror { begun, entries, .. } in state.mirrors.iter_mut().flatten() {
            for begun in begun.iter_mut().filter(|begun| **begun == Begun::Since) {
                *begun = Begun::Before;
            }
            entries.fill(None);
        }
        let regions = self.regions(state);
        let functions = || {
            regions
                .iter()
                .flat_map(|(region, blocks)| region::functions(blocks).map(move |blocks| (region, blocks)))
        };
        let program = Program {
            functions: functions()
                .map(|(region, blocks)| lower::function(region, blocks))
                .collect(),
        };
        state.loaded = None;
        state.loaded = self.host.load(&program);
        let Some(loaded) = &state.loaded else {
            *state = State {
                refused: true,
                ..State::default()
            };
            return;
        };
        let mirrors = &mut state.mirrors;
        for (&function, (region, blocks)) in loaded.functions().iter().zip(functions()) {
            let Some(Mirror { entries, .. }) = &mut mirrors[mirror(region.first)] else {
                continue;
            };
            for (number, block) in blocks.iter().enumerate() {
                entries[(region.offset + block.at) as usize] = Some(Entry {
                    function,
                    block: number as u16,
                    address: region.address(block.at),
                });
            }
        }
    }

    /// The regions in which something has been seen, with their blocks.
    fn regions(&self, state: &State) -> Vec<(Region<'_>, Vec<Block>)> {
        let mut regions: Vec<(Region<'_>, Vec<Block>)> = Vec::new();
        for Mirror { seen, begun, .. } in state.mirrors.iter().flatten() {
            for (place, address) in seen.iter().enumerate() {
                let Some(address) = *address else { continue };
                let region = self.region(place, address);
                let is_known =
                    |(known, _): &(Region<'_>, _)| known.offset == region.offset && known.first == region.first;
                if regions.iter().any(is_known) {
                    continue;
                }
                let place = |at: u32| (region.offset + at) as usize;
                let seen = |at: u32| seen.get(place(at)) == Some(&Some(region.address(at)));
                let begun = |at: u32| begun.get(place(at)).is_some_and(|&begun| begun != Begun::Never);
                regions.push((region, region::blocks(&region, seen, begun)));
            }
        }
        regions
    }
}

impl Mirror {
    fn new(places: usize) -> Self {
        Self {
            seen: vec![None; places],
            begun: vec![Begun::Never; places],
            entries: vec![None; places],
        }
    }
}

/// Which mirror of the bus an address is in.
fn mirror(address: u16) -> usize {
    usize::from(address >> 13) % MIRRORS
}

impl State {
    fn entry(&self, cartridge: &Cartridge, address: u16) -> Option<Entry> {
        self.entry_at(cartridge.place(address)?, address)
    }

    fn entry_at(&self, place: usize, address: u16) -> Option<Entry> {
        let entry = *self.mirrors[mirror(address)].as_ref()?.entries.get(place)?;
        entry.filter(|entry| entry.address == address)
    }
}
