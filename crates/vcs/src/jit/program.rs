//! A ROM's program: its profile, its code cache and when it is compiled.

use super::blocks;
use super::code_cache::{CodeCache, Entries, EntryPoint};
use super::compiler::{CompileJob, CompiledCode, Compiler, TierUpThreshold, installed};
use super::lower;
use super::profile::{Entering, Profile};
use super::rom_view::{Block, RomView, is_flow};
use crate::Mapper;
use crate::cartridge::{Cartridge, QuietRanges};
use crate::cpu::LENGTHS;
use std::collections::HashMap;
use std::mem;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicU32};
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// The second compile job begins once this many blocks were interpreted that the first job did not have. Each later job needs twice as
/// many as the one before.
const UNCOMPILED_BLOCKS: u32 = 8000;
/// Compile jobs of a program, at most.
const JOBS: u32 = 8;
/// A console counts so many blocks before it adds them to the program's count, which other threads use too.
const REPORTED_BLOCKS: u32 = 64;

/// The mapper and the ROM's bytes. Consoles with the same key share a program.
type Key = (Mapper, Arc<[u8]>);

/// Programs by ROM.
static PROGRAMS: Mutex<Option<Programs>> = Mutex::new(None);

#[derive(Default)]
struct Programs {
    /// The programs that consoles play.
    played: HashMap<Key, Weak<Program>>,
    /// The last used program. Its code survives a time without consoles.
    last: Option<Arc<Program>>,
}

/// A program, shared by all consoles that play it.
pub(super) struct Program {
    compiler: &'static dyn Compiler,
    threshold: TierUpThreshold,
    pub(super) rom: Arc<[u8]>,
    quiet_ranges: QuietRanges,
    switches: bool,
    chip: u16,
    profile: Profile,
    /// Frames that consoles without compiled code have run.
    frames: AtomicU32,
    /// Interpreted blocks that the last job did not have. A block counts each time.
    uncompiled: AtomicU32,
    /// Jobs that have begun.
    jobs: AtomicU32,
    is_compiling: AtomicBool,
    /// A job has failed.
    has_failed: AtomicBool,
    code: Mutex<Option<Arc<CodeCache>>>,
    /// How often `code` has been replaced.
    generation: AtomicU32,
    /// How often `code` has been locked to be read.
    locks: AtomicU32,
}

/// Figures of a program's compile jobs and code cache. They are shared by all consoles with the same ROM.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct JitStatistics {
    /// Compile jobs that have begun.
    pub jobs: u32,
    /// Whether a compile job has finished with code, which every console with the ROM runs from its next frame on.
    pub is_compiled: bool,
    /// How often a console has taken the lock of the program's code cache.
    pub locks: u32,
}

/// A console's copy of the current code cache.
#[derive(Clone, Default)]
pub(super) struct Code {
    pub(super) generation: u32,
    pub(super) cache: Option<Arc<CodeCache>>,
}

/// How a console without compiled code runs a frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Tier {
    Interpreted,
    Profiled,
}

impl Program {
    /// The program of a cartridge, if a compiler is installed.
    pub(super) fn of(cartridge: &Cartridge, mapper: Mapper) -> Option<Arc<Self>> {
        let (compiler, threshold) = installed()?;
        let key = (mapper, cartridge.rom());
        let mut programs = PROGRAMS.lock().unwrap_or_else(PoisonError::into_inner);
        let Programs { played, last } = programs.get_or_insert_default();
        if let Some(known) = played.get(&key).and_then(Weak::upgrade) {
            *last = Some(Arc::clone(&known));
            return Some(known);
        }
        let program = Arc::new(Self::new(compiler, threshold, cartridge));
        *last = Some(Arc::clone(&program));
        played.retain(|_, program| program.strong_count() > 0);
        played.insert(key, Arc::downgrade(&program));
        Some(program)
    }

    fn new(compiler: &'static dyn Compiler, threshold: TierUpThreshold, cartridge: &Cartridge) -> Self {
        let rom = cartridge.rom();
        Self {
            compiler,
            threshold,
            profile: Profile::new(rom.len()),
            rom,
            quiet_ranges: cartridge.quiet_ranges(),
            switches: cartridge.switches(),
            chip: cartridge.chip_addresses(),
            frames: AtomicU32::new(0),
            uncompiled: AtomicU32::new(0),
            jobs: AtomicU32::new(0),
            is_compiling: AtomicBool::new(false),
            has_failed: AtomicBool::new(false),
            code: Mutex::new(None),
            generation: AtomicU32::new(0),
            locks: AtomicU32::new(0),
        }
    }

    /// Brings a console's copy of the code cache up to date. It takes a lock only if there is another one.
    pub(super) fn refresh(&self, code: &mut Code) {
        let generation = self.generation.load(Acquire);
        if generation != code.generation {
            self.locks.fetch_add(1, Relaxed);
            let current = self.code.lock().unwrap_or_else(PoisonError::into_inner);
            *code = Code {
                generation,
                cache: current.clone(),
            };
        }
    }

    /// Counts a frame of a console without compiled code, and returns how to run it.
    pub(super) fn count_frame(&self) -> Tier {
        let frames = self.frames.load(Relaxed).saturating_add(1);
        self.frames.store(frames, Relaxed);
        if frames <= self.threshold.interpreted || self.has_failed.load(Relaxed) {
            Tier::Interpreted
        } else {
            Tier::Profiled
        }
    }

    /// Figures of the program's compile jobs, over all consoles that play it.
    pub(super) fn statistics(&self) -> JitStatistics {
        JitStatistics {
            jobs: self.jobs.load(Relaxed),
            is_compiled: self.generation.load(Relaxed) > 0,
            locks: self.locks.load(Relaxed),
        }
    }

    /// Follows the instructions from an offset in the ROM until one that can jump, at most `most`, and while `go_on` accepts the
    /// next one's offset and address. Returns how many there are.
    pub(super) fn walk(
        &self,
        rom_offset: usize,
        address: u16,
        most: u32,
        mut go_on: impl FnMut(usize, u16) -> bool,
    ) -> u32 {
        let view = self.view(rom_offset, address);
        let mut at = view.index_of(address);
        let mut length = 0;
        while let Some(code) = view.code(at) {
            let opcode = code as u8;
            at += u32::from(LENGTHS[usize::from(opcode)]);
            length += 1;
            if is_flow(opcode) || length == most || !go_on((view.offset + at) as usize, view.address(at)) {
                break;
            }
        }
        length
    }

    /// Notes that `length` instructions are interpreted. Returns whether a compile job could have them.
    pub(super) fn note(&self, rom_offset: usize, address: u16, length: u32) -> bool {
        let entering = self.profile.enter(rom_offset, address);
        if entering == Entering::New {
            self.walk(rom_offset, address, length, |rom_offset, address| {
                self.profile.execute(rom_offset, address)
            });
        }
        entering != Entering::Compiled
    }

    /// Ends a frame. `count` is a console's number of blocks that were interpreted and that a compile job could have. Begins a job
    /// if one is due.
    pub(super) fn tier_up(self: &Arc<Self>, count: &mut u32) {
        let jobs = self.jobs.load(Relaxed);
        let is_reported = *count >= REPORTED_BLOCKS || jobs == 0 && *count > 0;
        if !is_reported || jobs >= JOBS || self.is_compiling.load(Relaxed) || self.has_failed.load(Relaxed) {
            return;
        }
        let uncompiled = mem::take(count);
        let total = self
            .uncompiled
            .fetch_add(uncompiled, Relaxed)
            .saturating_add(uncompiled);
        let is_due = if jobs == 0 {
            let TierUpThreshold { interpreted, profiled } = self.threshold;
            self.frames.load(Relaxed) >= interpreted.saturating_add(profiled)
        } else {
            total >= UNCOMPILED_BLOCKS << (jobs - 1)
        };
        if is_due && !self.is_compiling.swap(true, Acquire) {
            self.begin_job();
        }
    }

    /// Compiles everything in the profile.
    fn begin_job(self: &Arc<Self>) {
        self.jobs.fetch_add(1, Relaxed);
        self.uncompiled.store(0, Relaxed);
        self.profile.begin_job();
        let views = self.views();
        let functions: Vec<_> = views
            .iter()
            .flat_map(|(view, blocks)| blocks::functions(view, blocks).map(move |blocks| (view, blocks)))
            .collect();
        let lowered = functions
            .iter()
            .map(|(view, blocks)| lower::function(view, blocks))
            .collect();
        let entry = |view: &RomView<'_>, block: &Block| EntryPoint {
            rom_offset: view.offset + block.at,
            address: view.address(block.at),
        };
        let entries: Entries = functions
            .iter()
            .map(|(view, blocks)| blocks.iter().map(|block| entry(view, block)).collect())
            .collect();
        let program = Arc::clone(self);
        let finish = Box::new(move |code| program.finish_job(code, &entries));
        self.compiler.compile(CompileJob::new(lowered, finish));
    }

    /// Ends a compile job, with code that is entered at `entries` or without.
    fn finish_job(&self, code: Option<Box<dyn CompiledCode>>, entries: &Entries) {
        match code {
            Some(code) => {
                let cache = CodeCache::new(code, entries);
                let mut code = self.code.lock().unwrap_or_else(PoisonError::into_inner);
                *code = Some(Arc::new(cache));
                self.generation.fetch_add(1, Release);
            }
            None => self.has_failed.store(true, Relaxed),
        }
        self.is_compiling.store(false, Release);
    }

    /// The view of the ROM around a quiet `address` that shows this offset of the ROM.
    fn view(&self, rom_offset: usize, address: u16) -> RomView<'_> {
        let (first, last) = self.quiet_ranges.around(address);
        let offset = rom_offset - usize::from(address - first);
        RomView {
            first,
            offset: offset as u32,
            bytes: &self.rom[offset..=offset + usize::from(last - first)],
            switches: self.switches,
            chip: self.chip,
            sliced: self.quiet_ranges.sliced(),
        }
    }

    /// The views in which something has been executed, with their basic blocks.
    fn views(&self) -> Vec<(RomView<'_>, Vec<Block>)> {
        let mut views: Vec<(RomView<'_>, Vec<Block>)> = Vec::new();
        for (rom_offset, address) in self.profile.executed() {
            let view = self.view(rom_offset, address);
            let is_known = |(known, _): &(RomView<'_>, _)| known.offset == view.offset && known.first == view.first;
            if views.iter().any(is_known) {
                continue;
            }
            let note = |at: u32| self.profile.at((view.offset + at) as usize, view.address(at));
            let blocks = blocks::blocks(&view, |at| note(at).0, |at| note(at).1);
            views.push((view, blocks));
        }
        views
    }
}

#[cfg(test)]
mod tests {
    use super::super::compiler::CompiledFunction;
    use super::*;
    use std::sync::mpsc::{Sender, channel};
    use std::thread;
    use std::time::Duration;

    /// Never compiles.
    struct Idle;

    impl Compiler for Idle {
        fn compile(&self, _job: CompileJob) {}
    }

    /// Code without functions, which tells when the code cache asks for them.
    struct Reporting(Sender<()>);

    impl CompiledCode for Reporting {
        fn functions(&self) -> &[CompiledFunction] {
            self.0.send(()).expect("the test waits");
            &[]
        }
    }

    #[test]
    fn consoles_learn_of_new_code_once_it_is_in_place() {
        let cartridge = Cartridge::new(vec![0; 4096].into(), Mapper::Rom4K);
        let program = Program::new(&Idle, TierUpThreshold::default(), &cartridge);
        program.is_compiling.store(true, Relaxed);
        let (sender, asked) = channel();
        // A job that is about to replace the code waits for this lock.
        let lock = program.code.lock().expect("no panic before");
        thread::scope(|scope| {
            scope.spawn(|| program.finish_job(Some(Box::new(Reporting(sender))), &Entries::new()));
            asked.recv().expect("a code cache");
            thread::sleep(Duration::from_millis(50));
            assert!(!program.statistics().is_compiled);
            // No other job begins meanwhile.
            assert!(program.is_compiling.load(Relaxed));
            drop(lock);
        });
        let mut code = Code::default();
        program.refresh(&mut code);
        assert!(code.cache.is_some());
        assert!(!program.is_compiling.load(Relaxed));
    }
}
