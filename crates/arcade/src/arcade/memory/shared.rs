//! What is remembered is shared by all who play the same game with the same settings, and outlasts the last of them until another
//! game is loaded: whoever makes and drops one after the other need not begin anew.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use gym2600_vcs::Console;

use super::ResetMemory;
use crate::definition::GameDefinition;
use crate::load::{LoadError, PoweredOn};
use crate::random::Mt19937;
use crate::settings::Settings;

/// All memories that are in use.
static MEMORIES: Mutex<Memories> = Mutex::new(Memories {
    used: Vec::new(),
    last: None,
});

struct Memories {
    used: Vec<Weak<Shared>>,
    last: Option<SharedMemory>,
}

/// What all who play a game have once.
#[derive(Debug)]
struct Shared {
    rom: Arc<[u8]>,
    game: Arc<GameDefinition>,
    settings: Settings,
    memory: Mutex<ResetMemory>,
}

/// What is remembered of a game's resets, by all who play it, and what these depend on besides where they begin. A copy is the same
/// memory.
#[derive(Clone, Debug)]
pub(in crate::arcade) struct SharedMemory(Arc<Shared>);

impl SharedMemory {
    /// The memory of a game.
    pub(in crate::arcade) fn of(rom: &[u8], game: Arc<GameDefinition>, settings: &Settings) -> Self {
        // A reset that depends on what this seeds is not remembered.
        let settings = Settings {
            random_seed: 0,
            ..*settings
        };
        let Memories { used, last } = &mut *lock(&MEMORIES);
        used.retain(|memory| memory.strong_count() > 0);
        let known = used
            .iter()
            .filter_map(Weak::upgrade)
            .find(|known| *known.rom == *rom && known.game == game && known.settings == settings);
        let memory = known.unwrap_or_else(|| {
            let memory = Arc::new(Shared {
                rom: rom.into(),
                game,
                settings,
                memory: Mutex::default(),
            });
            used.push(Arc::downgrade(&memory));
            memory
        });
        *last = Some(Self(Arc::clone(&memory)));
        Self(memory)
    }

    /// The game's ROM.
    pub(in crate::arcade) fn rom(&self) -> &Arc<[u8]> {
        &self.0.rom
    }

    /// What is known of the game.
    pub(in crate::arcade) fn game(&self) -> &Arc<GameDefinition> {
        &self.0.game
    }

    /// The game's console, switched on, and the generator that gave its RAM noise.
    pub(in crate::arcade) fn power_on(&self) -> Result<(Console, Mt19937), LoadError> {
        let Shared {
            rom, game, settings, ..
        } = &*self.0;
        let known = &mut self.lock().powered_on;
        let powered_on = match known.take() {
            Some(powered_on) => powered_on,
            None => PoweredOn::new(rom, game, settings.system_random_seed)?,
        };
        let switched_on = powered_on.console(rom, game)?;
        *known = settings.remember_resets.then_some(powered_on);
        Ok(switched_on)
    }

    pub(in crate::arcade) fn lock(&self) -> MutexGuard<'_, ResetMemory> {
        lock(&self.0.memory)
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
