//! What is known of a ROM's program, and what has been translated of it.

use super::host::{Delivery, Function, Host, Loaded, Patience, Slot, host};
use super::region::{self, Block, Region};
use super::{Program, lower};
use crate::Mapper;
use crate::cartridge::{Cartridge, Seams};
use crate::cpu::LENGTHS;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, Weak};

/// Runs of instructions that had to be interpreted, until all is translated a second time; before each time after that, twice as many.
const UNKNOWN_RUNS: u32 = 8000;
/// Times that all is translated, at most.
const TRANSLATIONS: u32 = 8;
/// How often the bus of 13 bits is seen in 16 bits.
const MIRRORS: usize = 8;

/// What tells programs apart.
type Key = (Mapper, Arc<[u8]>);

/// Programs that are known.
static UNITS: Mutex<Option<Units>> = Mutex::new(None);

#[derive(Default)]
struct Units {
    /// Those that consoles play now.
    played: HashMap<Key, Weak<Unit>>,
    /// The one that a console was made for last: whoever makes and drops one console after the other need not begin anew.
    last: Option<Arc<Unit>>,
}

/// A program, shared by all consoles that play it.
pub(super) struct Unit {
    host: &'static dyn Host,
    pub(super) patience: Patience,
    pub(super) rom: Arc<[u8]>,
    seams: Seams,
    switches: bool,
    chip: u16,
    frames: AtomicU32,
    pub(super) state: RwLock<State>,
}

#[derive(Default)]
pub(super) struct State {
    /// By the address bits above those that the chips see: programs run in several mirrors of their ROM.
    mirrors: [Option<Mirror>; MIRRORS],
    pub(super) loaded: Option<Box<dyn Loaded>>,
    /// What will take its place.
    awaited: Option<Awaited>,
    translations: u32,
    /// Runs of instructions since the last translation that had not been translated though they could be.
    unknown: u32,
    /// The host does not translate.
    pub(super) refused: bool,
}

/// A translation that the host is at.
struct Awaited {
    slot: Arc<Mutex<Slot>>,
    /// Where each function can be entered, block by block: the place in the ROM and the address.
    blocks: Vec<Vec<(u32, u16)>>,
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
pub(super) struct Entry {
    pub(super) function: Function,
    pub(super) block: u16,
    address: u16,
}

/// Instructions one after the other that were interpreted.
#[derive(Clone, Copy)]
pub(super) struct Run {
    pub(super) place: u32,
    pub(super) address: u16,
    pub(super) length: u16,
}

impl Unit {
    /// The program of a cartridge, if there is a host.
    pub(super) fn of(cartridge: &Cartridge, mapper: Mapper) -> Option<Arc<Self>> {
        let (host, patience) = host()?;
        let key = (mapper, cartridge.rom());
        let mut units = UNITS.lock().unwrap_or_else(PoisonError::into_inner);
        let Units { played, last } = units.get_or_insert_default();
        if let Some(known) = played.get(&key).and_then(Weak::upgrade) {
            *last = Some(Arc::clone(&known));
            return Some(known);
        }
        let unit = Arc::new(Self {
            host,
            patience,
            rom: cartridge.rom(),
            seams: cartridge.seams(),
            switches: cartridge.switches(),
            chip: cartridge.chip_addresses(),
            frames: AtomicU32::new(0),
            state: RwLock::default(),
        });
        *last = Some(Arc::clone(&unit));
        played.retain(|_, unit| unit.strong_count() > 0);
        played.insert(key, Arc::downgrade(&unit));
        Some(unit)
    }

    /// Counts a frame, and gives how many there have been.
    pub(super) fn count_frame(&self) -> u32 {
        let frame = self.frames.load(Ordering::Relaxed).saturating_add(1);
        self.frames.store(frame, Ordering::Relaxed);
        frame
    }

    /// Goes from instruction to instruction as long as none can jump, there are no more than `most`, and `go_on` says so of
    /// the next one's place and address. Gives how many there are.
    pub(super) fn walk(&self, place: usize, address: u16, most: u32, mut go_on: impl FnMut(usize, u16) -> bool) -> u32 {
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
            chip: self.chip,
            sliced: self.seams.sliced(),
        }
    }

    /// Notes what has been interpreted, and translates if that has become a lot.
    pub(super) fn learn(&self, state: &mut State, runs: &mut Vec<Run>, frame: u32) {
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
            _ if state.awaited.is_some() => false,
            0 => frame >= self.patience.idle.saturating_add(self.patience.watching),
            TRANSLATIONS.. => false,
            times => state.unknown >= UNKNOWN_RUNS << (times - 1),
        };
        if is_due {
            self.translate(state);
        }
    }

    /// Translates all that has been seen.
    fn translate(&self, state: &mut State) {
        state.translations += 1;
        state.unknown = 0;
        for Mirror { begun, .. } in state.mirrors.iter_mut().flatten() {
            for begun in begun.iter_mut().filter(|begun| **begun == Begun::Since) {
                *begun = Begun::Before;
            }
        }
        let regions = self.regions(state);
        let functions: Vec<_> = regions
            .iter()
            .flat_map(|(region, blocks)| region::functions(region, blocks).map(move |blocks| (region, blocks)))
            .collect();
        let program = Program {
            functions: functions
                .iter()
                .map(|(region, blocks)| lower::function(region, blocks))
                .collect(),
        };
        let place = |region: &Region<'_>, block: &Block| (region.offset + block.at, region.address(block.at));
        let blocks = functions
            .iter()
            .map(|(region, blocks)| blocks.iter().map(|block| place(region, block)).collect())
            .collect();
        let (delivery, slot) = Delivery::new();
        state.awaited = Some(Awaited { slot, blocks });
        self.host.load(program, delivery);
        state.receive();
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

impl Awaited {
    fn slot(&self) -> MutexGuard<'_, Slot> {
        self.slot.lock().unwrap_or_else(PoisonError::into_inner)
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
    /// Whether the host has done what it was at.
    pub(super) fn has_come(&self) -> bool {
        let is_awaited = |awaited: &Awaited| matches!(*awaited.slot(), Slot::Awaited);
        self.awaited.as_ref().is_some_and(|awaited| !is_awaited(awaited))
    }

    /// Takes what the host has done, if it has.
    pub(super) fn receive(&mut self) {
        if !self.has_come() {
            return;
        }
        let Some(awaited) = self.awaited.take() else { return };
        let come = std::mem::replace(&mut *awaited.slot(), Slot::Awaited);
        let Slot::Come(Some(loaded)) = come else {
            *self = Self {
                refused: true,
                ..Self::default()
            };
            return;
        };
        for Mirror { entries, .. } in self.mirrors.iter_mut().flatten() {
            entries.fill(None);
        }
        for (&function, blocks) in loaded.functions().iter().zip(&awaited.blocks) {
            for (block, &(place, address)) in blocks.iter().enumerate() {
                if let Some(Mirror { entries, .. }) = &mut self.mirrors[mirror(address)] {
                    entries[place as usize] = Some(Entry {
                        function,
                        block: block as u16,
                        address,
                    });
                }
            }
        }
        self.loaded = Some(loaded);
    }

    pub(super) fn entry(&self, cartridge: &Cartridge, address: u16) -> Option<Entry> {
        self.entry_at(cartridge.place(address)?, address)
    }

    pub(super) fn entry_at(&self, place: usize, address: u16) -> Option<Entry> {
        let entry = *self.mirrors[mirror(address)].as_ref()?.entries.get(place)?;
        entry.filter(|entry| entry.address == address)
    }
}
