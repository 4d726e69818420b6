//! The reset cache: the ends of resets that were played, by the state after their first frames.
//!
//! A [`Checkpoint`] is the state [`CHECKPOINT_FRAMES`](crate::checkpoint::CHECKPOINT_FRAMES) frames after power-on: the console's, the
//! rules' variables, the paddles, the switches. It determines the rest of the reset. Most programs have overwritten by then what
//! differed at power-on, so most resets arrive at the checkpoint of an earlier one, and continue from where that one ended. A program
//! that leaves a byte of noise as it is, such as one byte of the cartridge RAM in Dark Chambers, arrives at another one each time.
//!
//! The idle frames alone are cached as well: they are played when a new console's television is detected.
//!
//! A checkpoint has no pictures. Where frames end early, the end of a reset may show pixels of frames before the checkpoint; such a
//! reset is played ([`Console::is_covered_by`]).
//!
//! Invariant: a game that continues from a cached snapshot behaves as if it had played on from its checkpoint.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use gym2600_vcs::{Console, FrameGeometry};

use crate::checkpoint::{Checkpoint, Destination};
use crate::definition::GameDefinition;
use crate::episode::Progress;
use crate::load::LoadError;
use crate::power_on::{self, PoweredOn};
use crate::random::Mt19937;
use crate::settings::Settings;

/// Bytes that the resets of a cache take. The least recently used reset is dropped first.
const BUDGET: usize = 512 * 1024;
/// Caches that are kept for the next game of the same ROM. The oldest is dropped first.
const MOST_CACHES: usize = 4;

/// The caches of the games that were loaded last, the latest one last.
static CACHES: Mutex<Vec<Arc<ResetCache>>> = Mutex::new(Vec::new());

/// The result of a look-up by checkpoint.
pub(crate) enum Found {
    /// The state at the end of the reset.
    End(Arc<Destination>),
    /// The state at the end of its idle frames, and the checkpoint, under which the end of the reset is to be kept.
    IdleEnd(Arc<Destination>, Checkpoint),
    /// No state. The end of the reset is to be kept under the checkpoint.
    Nothing(Checkpoint),
}

/// The cache of all games with the same ROM, definition and settings. The settings' `random_seed` may differ: a reset that
/// depends on it is not cached.
#[derive(Debug)]
pub(crate) struct ResetCache {
    rom: Arc<[u8]>,
    md5: [u8; 16],
    game: Arc<GameDefinition>,
    settings: Settings,
    contents: Mutex<Contents>,
}

#[derive(Debug, Default)]
struct Contents {
    powered_on: Option<PoweredOn>,
    /// The reset that was used last is the last one.
    resets: Vec<CachedReset>,
    /// A buffer for the next checkpoint. Empty while one is being made.
    buffer: Vec<u8>,
}

#[derive(Debug)]
struct CachedReset {
    mode: u32,
    checkpoint: Checkpoint,
    end: Arc<Destination>,
}

impl CachedReset {
    fn bytes(&self) -> usize {
        size_of::<Self>() + size_of::<Destination>() + self.checkpoint.bytes() + self.end.snapshot.bytes()
    }
}

impl Contents {
    /// The cached end of a reset with this mode and checkpoint. `console` is at the checkpoint.
    fn end(&mut self, mode: u32, checkpoint: &Checkpoint, console: &Console) -> Option<Arc<Destination>> {
        let at = self.resets.iter().rposition(|known| {
            known.mode == mode && known.checkpoint == *checkpoint && console.is_covered_by(&known.end.snapshot)
        })?;
        self.resets[at..].rotate_left(1);
        self.resets.last().map(|known| Arc::clone(&known.end))
    }
}

impl ResetCache {
    /// The cache of a game.
    pub(crate) fn of(rom: &[u8], md5: [u8; 16], game: Arc<GameDefinition>, settings: &Settings) -> Arc<Self> {
        let mut caches = lock(&CACHES);
        let known = caches
            .iter()
            .position(|known| known.serves(settings) && *known.rom == *rom && known.game == game);
        let cache = match known {
            Some(at) => caches.remove(at),
            None => Arc::new(Self {
                rom: rom.into(),
                md5,
                game,
                settings: *settings,
                contents: Mutex::default(),
            }),
        };
        if caches.len() == MOST_CACHES {
            caches.remove(0);
        }
        caches.push(Arc::clone(&cache));
        cache
    }

    /// Whether games with these settings share the cache.
    pub(crate) fn serves(&self, settings: &Settings) -> bool {
        let random_seed = self.settings.random_seed;
        let settings = Settings {
            random_seed,
            ..*settings
        };
        self.settings == settings
    }

    /// The game's ROM.
    pub(crate) fn rom(&self) -> &Arc<[u8]> {
        &self.rom
    }

    /// The MD5 of the ROM.
    pub(crate) fn md5(&self) -> [u8; 16] {
        self.md5
    }

    /// The game's definition.
    pub(crate) fn game(&self) -> &Arc<GameDefinition> {
        &self.game
    }

    /// The game's console, switched on, and the generator that gave its RAM noise.
    pub(crate) fn power_on(&self) -> Result<(Console, Mt19937), LoadError> {
        self.with_powered_on(|powered_on| powered_on.console(&self.rom, &self.game))
    }

    /// The part of the game's frames that is shown. Detects the television if the definition does not name it.
    pub(crate) fn geometry(&self) -> Result<FrameGeometry, LoadError> {
        match power_on::named_geometry(&self.rom, &self.game)? {
            Some(geometry) => Ok(geometry),
            None => self.with_powered_on(|powered_on| Ok(powered_on.geometry())),
        }
    }

    /// Calls `read` with a console that has been switched on for this cache once.
    fn with_powered_on<T>(&self, read: impl FnOnce(&PoweredOn) -> Result<T, LoadError>) -> Result<T, LoadError> {
        let known = &mut self.lock().powered_on;
        let powered_on = match known.take() {
            Some(powered_on) => powered_on,
            None => PoweredOn::new(&self.rom, &self.game, self.settings.system_random_seed)?,
        };
        let value = read(&powered_on)?;
        *known = self.settings.cache_resets.then_some(powered_on);
        Ok(value)
    }

    /// Looks up the reset with this mode whose checkpoint is the present state of `console` and `progress`.
    pub(crate) fn find(&self, mode: u32, difficulty: u32, progress: &Progress, console: &mut Console) -> Found {
        // The checkpoint is made without the lock, so that games in several threads wait for a comparison at most.
        let buffer = std::mem::take(&mut self.lock().buffer);
        let checkpoint = Checkpoint::of(difficulty, progress, console, buffer);
        let mut contents = self.lock();
        if let Some(end) = contents.end(mode, &checkpoint, console) {
            contents.buffer = checkpoint.into_buffer();
            return Found::End(end);
        }
        let mut idle = contents.powered_on.iter().flat_map(PoweredOn::idle);
        match idle.find(|(known, end)| *known == checkpoint && console.is_covered_by(&end.snapshot)) {
            Some((_, end)) => Found::IdleEnd(Arc::clone(end), checkpoint),
            None => Found::Nothing(checkpoint),
        }
    }

    /// Keeps the end of a reset to `mode`.
    pub(crate) fn keep(&self, mode: u32, checkpoint: Checkpoint, end: Destination) {
        let resets = &mut self.lock().resets;
        resets.retain(|known| known.mode != mode || known.checkpoint != checkpoint);
        resets.push(CachedReset {
            mode,
            checkpoint,
            end: Arc::new(end),
        });
        while resets.iter().map(CachedReset::bytes).sum::<usize>() > BUDGET {
            resets.remove(0);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Contents> {
        lock(&self.contents)
    }
}

/// Locks a mutex. A panic leaves what it guards usable: each change is made by one call.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
