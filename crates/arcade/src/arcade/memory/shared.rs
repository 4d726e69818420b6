//! What is remembered is shared by all who play the same game with the same settings, and outlasts the last of them until another
//! game is loaded: whoever makes and drops one after the other need not begin anew.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use gym2600_vcs::Console;

use super::ResetMemory;
use crate::catalogue::GameDefinition;
use crate::load::{self, LoadError, PoweredOn};
use crate::random::Mt19937;
use crate::settings::Settings;

/// All memories that are in use.
static MEMORIES: Mutex<Memories> = Mutex::new(Memories {
    used: Vec::new(),
    last: None,
});

struct Memories {
    used: Vec<(Key, Weak<Mutex<ResetMemory>>)>,
    last: Option<SharedMemory>,
}

/// What a reset depends on besides where it begins.
#[derive(PartialEq)]
struct Key {
    rom: Arc<[u8]>,
    game: Arc<GameDefinition>,
    settings: Settings,
}

/// What is remembered of a game's resets, by all who play it. A copy is the same memory.
#[derive(Clone, Debug)]
pub(in crate::arcade) struct SharedMemory(Arc<Mutex<ResetMemory>>);

impl SharedMemory {
    /// The memory of a game.
    pub(in crate::arcade) fn of(rom: &Arc<[u8]>, game: &Arc<GameDefinition>, settings: &Settings) -> Self {
        let key = Key {
            rom: Arc::clone(rom),
            game: Arc::clone(game),
            // A reset that depends on what this seeds is not remembered.
            settings: Settings {
                random_seed: 0,
                ..*settings
            },
        };
        let Memories { used, last } = &mut *lock(&MEMORIES);
        used.retain(|(_, memory)| memory.strong_count() > 0);
        let known = used.iter().find(|(known, _)| *known == key);
        let known = known.and_then(|(_, memory)| memory.upgrade());
        let memory = Self(known.unwrap_or_default());
        if Arc::weak_count(&memory.0) == 0 {
            used.push((key, Arc::downgrade(&memory.0)));
        }
        *last = Some(memory.clone());
        memory
    }

    /// The game's console, switched on, and the generator that gave its RAM noise.
    pub(in crate::arcade) fn power_on(
        &self,
        rom: &[u8],
        game: &GameDefinition,
        settings: &Settings,
    ) -> Result<(Console, Mt19937), LoadError> {
        if let Some(powered_on) = &self.lock().powered_on {
            return powered_on.again(rom, game);
        }
        let (mut console, random) = load::power_on(rom, game, settings.system_random_seed)?;
        if settings.remember_resets {
            self.lock().powered_on = Some(PoweredOn::of(&mut console, &random));
        }
        Ok((console, random))
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, ResetMemory> {
        lock(&self.0)
    }

    /// Whether the reset that is about to be played is to be recorded, and if so, whether its program is followed to the end.
    pub(in crate::arcade) fn wants(&self) -> Option<bool> {
        self.lock().wants()
    }
}

/// Nobody leaves a memory half changed.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
