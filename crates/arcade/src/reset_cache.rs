//! The reset cache: the ends of resets that were played, by the state after their first frames.
//!
//! A [`Checkpoint`] is the state [`CHECKPOINT_FRAMES`] frames after power-on: the console's, the episode's, the switches. It
//! determines the rest of the reset. Most programs have overwritten by then what differed at power-on, so most resets arrive at the
//! checkpoint of an earlier one, and continue from where that one ended.
//!
//! The idle frames alone are cached as well: they are played when a new console's television is detected.
//!
//! A checkpoint has no pictures. Where frames end early, the end of a reset may show pixels of frames before the checkpoint; such a
//! reset is played ([`Console::would_reach`]).
//!
//! Invariant: a game that continues from a cached place behaves as if it had played on from its checkpoint.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use gym2600_vcs::{Console, Mark, Place};

use crate::arcade::Episode;
use crate::definition::GameDefinition;
use crate::load::{LoadError, PoweredOn};
use crate::random::Mt19937;
use crate::settings::Settings;

/// Idle frames after a console's reset.
pub(crate) const IDLE_FRAMES: u32 = 60;
/// Frames of a reset before its checkpoint.
pub(crate) const CHECKPOINT_FRAMES: u32 = 3;
/// Bytes that the resets of a cache take. The reset that was not used for longest makes room.
const BUDGET: usize = 512 * 1024;
/// Caches that are kept for the next game of the same ROM. The cache of the game that was loaded first makes room.
const MOST_CACHES: usize = 4;

/// The caches of the games that were loaded last, the latest one last.
static CACHES: Mutex<Vec<Arc<ResetCache>>> = Mutex::new(Vec::new());

/// The state after the first frames of a reset.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Checkpoint {
    difficulty: u32,
    episode: Episode,
    console: Vec<u8>,
}

impl Checkpoint {
    /// The checkpoint where console and episode are. The console's bytes are written to `buffer`.
    pub(crate) fn of(difficulty: u32, episode: &Episode, console: &mut Console, mut buffer: Vec<u8>) -> Self {
        buffer.clear();
        console.save_state(&mut buffer);
        Self {
            difficulty,
            episode: episode.clone(),
            console: buffer,
        }
    }
}

/// The state at the end of a reset, or of its idle frames.
#[derive(Debug)]
pub(crate) struct Destination {
    pub(crate) place: Place,
    pub(crate) episode: Episode,
    /// Numbers that were drawn on the way from the generator of sticky actions, whose values made no difference.
    pub(crate) draws: u32,
}

impl Destination {
    /// Where console and episode are. `mark` is the console's at the checkpoint.
    pub(crate) fn of(console: &mut Console, mark: Mark, episode: &Episode, draws: u32) -> Self {
        Self {
            place: console.place(mark),
            episode: episode.clone(),
            draws,
        }
    }
}

/// What the cache knows of a reset.
pub(crate) enum Found {
    /// Where it ends.
    End(Arc<Destination>),
    /// Where its idle frames end.
    IdleEnd(Arc<Destination>, Checkpoint),
    /// Nothing.
    Nothing(Checkpoint),
}

/// The cache of all games with the same ROM, definition and settings. The settings' `random_seed` may differ: a reset that
/// depends on it is not cached.
#[derive(Debug)]
pub(crate) struct ResetCache {
    rom: Arc<[u8]>,
    game: Arc<GameDefinition>,
    settings: Settings,
    contents: Mutex<Contents>,
}

#[derive(Debug, Default)]
struct Contents {
    powered_on: Option<PoweredOn>,
    /// The reset that was used last is the last one.
    resets: Vec<CachedReset>,
    /// Room for a checkpoint.
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
        size_of::<Self>() + size_of::<Destination>() + self.checkpoint.console.len() + self.end.place.bytes()
    }
}

impl Contents {
    /// The end of a reset to `mode` whose checkpoint is where `console` is.
    fn end(&mut self, mode: u32, checkpoint: &Checkpoint, console: &Console) -> Option<Arc<Destination>> {
        let at = self.resets.iter().rposition(|known| {
            known.mode == mode && known.checkpoint == *checkpoint && console.would_reach(&known.end.place)
        })?;
        self.resets[at..].rotate_left(1);
        self.resets.last().map(|known| Arc::clone(&known.end))
    }
}

impl ResetCache {
    /// The cache of a game.
    pub(crate) fn of(rom: &[u8], game: Arc<GameDefinition>, settings: &Settings) -> Arc<Self> {
        let mut caches = lock(&CACHES);
        let known = caches
            .iter()
            .position(|known| known.serves(settings) && *known.rom == *rom && known.game == game);
        let cache = match known {
            Some(at) => caches.remove(at),
            None => Arc::new(Self {
                rom: rom.into(),
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

    /// The game's definition.
    pub(crate) fn game(&self) -> &Arc<GameDefinition> {
        &self.game
    }

    /// The game's console, switched on, and the generator that gave its RAM noise.
    pub(crate) fn power_on(&self) -> Result<(Console, Mt19937), LoadError> {
        let known = &mut self.lock().powered_on;
        let powered_on = match known.take() {
            Some(powered_on) => powered_on,
            None => PoweredOn::new(&self.rom, &self.game, self.settings.system_random_seed)?,
        };
        let switched_on = powered_on.console(&self.rom, &self.game)?;
        *known = self.settings.cache_resets.then_some(powered_on);
        Ok(switched_on)
    }

    /// What is known of a reset to `mode` whose checkpoint is where console and episode are.
    pub(crate) fn find(&self, mode: u32, difficulty: u32, episode: &Episode, console: &mut Console) -> Found {
        let mut contents = self.lock();
        let buffer = std::mem::take(&mut contents.buffer);
        let checkpoint = Checkpoint::of(difficulty, episode, console, buffer);
        if let Some(end) = contents.end(mode, &checkpoint, console) {
            contents.buffer = checkpoint.console;
            return Found::End(end);
        }
        let mut idle = contents.powered_on.iter().flat_map(PoweredOn::idle);
        match idle.find(|(known, end)| *known == checkpoint && console.would_reach(&end.place)) {
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
