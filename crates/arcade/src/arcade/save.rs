//! The state of an arcade as bytes.

use gym2600_vcs::State;

use super::Arcade;
use crate::rules::Variables;
use crate::state::{StateError, StateKind, check_rom, seal, unseal};

/// Whether a state contains what sticky actions depend on: their generator and the last action. With it, play from the state is the same
/// each time. The generator of the console is part of every state, as in ALE.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Generators {
    /// With both, as with ALE's `cloneState(include_rng=True)`, whose states lack the last action.
    Included,
    /// Without them. A restore leaves both unchanged, as in ALE.
    Excluded,
}

impl Arcade {
    /// The complete state as bytes, for this or another process, the same on every platform after the same play. It does not contain settings.
    pub fn save(&mut self, generators: Generators) -> Vec<u8> {
        let mut state = Vec::new();
        self.save_to(&mut state, generators);
        seal(kind(generators), self.md5(), &state)
    }

    /// Restores a state that was saved from the same game, with the same `generators`.
    ///
    /// # Errors
    /// [`StateError`] if the bytes are not such a state. Nothing has changed then.
    pub fn restore(&mut self, bytes: &[u8], generators: Generators) -> Result<(), StateError> {
        let state = unseal(kind(generators), self.md5(), bytes)?;
        let mut rest = state.as_slice();
        let mut arcade = self.clone();
        arcade.load_from(&mut rest, generators)?;
        if !rest.is_empty() {
            return Err(StateError::Misfit);
        }
        *self = arcade;
        Ok(())
    }

    /// Continues from the state of another arcade with the same ROM and definition, such as a clone of this one. It is what [`Arcade::restore`]
    /// does with the bytes of [`Arcade::save`], in about the time of a clone.
    ///
    /// # Errors
    /// [`StateError`] if the other has another ROM or definition. Nothing has changed then.
    pub fn copy_from(&mut self, other: &Self, generators: Generators) -> Result<(), StateError> {
        check_rom(other.md5(), self.md5())?;
        if other.game().digest != self.game().digest || other.console.geometry() != self.console.geometry() {
            return Err(StateError::Misfit);
        }
        self.console.clone_from(&other.console);
        self.reset.power_on_random.clone_from(&other.reset.power_on_random);
        self.reset.mode = other.reset.mode;
        self.reset.difficulty = other.reset.difficulty;
        self.reset.mode_error = other.reset.mode_error;
        self.episode.progress.clone_from(&other.episode.progress);
        self.episode.total_frames = other.episode.total_frames;
        if generators == Generators::Included {
            self.episode.sticky.random.clone_from(&other.episode.sticky.random);
            self.episode.sticky.controls = other.episode.sticky.controls;
        }
        Ok(())
    }

    /// Appends the state without a seal, for states that contain that of an arcade.
    pub fn save_to(&mut self, bytes: &mut Vec<u8>, generators: Generators) {
        if let Some(digest) = &self.cache.game().digest {
            digest.save(bytes);
        }
        self.console.save(bytes);
        self.reset.power_on_random.save(bytes);
        let variables = self.episode.progress.variables.as_slice();
        variables.len().save(bytes);
        variables.save(bytes);
        let parts: [&dyn State; 5] = [
            &self.reset.mode,
            &self.reset.difficulty,
            &self.episode.total_frames,
            &self.episode.progress.frame,
            &self.episode.progress.paddles,
        ];
        for part in parts {
            part.save(bytes);
        }
        if generators == Generators::Included {
            self.episode.sticky.random.save(bytes);
            self.episode.sticky.controls.save(bytes);
        }
    }

    /// Loads a state of [`Arcade::save_to`] from the front of `bytes`.
    ///
    /// # Errors
    /// [`StateError::Misfit`] if it belongs to another game. The arcade is partly restored then, so restore into a clone.
    pub fn load_from(&mut self, bytes: &mut &[u8], generators: Generators) -> Result<(), StateError> {
        if let Some(digest) = self.cache.game().digest {
            let mut saved = [0_u8; 16];
            saved.load(bytes)?;
            if saved != digest {
                return Err(StateError::Misfit);
            }
        }
        self.console.load(bytes)?;
        self.reset.power_on_random.load(bytes)?;
        let mut count = 0_usize;
        count.load(bytes)?;
        if count > Variables::LIMIT {
            return Err(StateError::Misfit);
        }
        let mut variables = vec![0_i64; count];
        variables.load(bytes)?;
        self.episode
            .progress
            .variables
            .restore(&variables)
            .map_err(|_| StateError::Misfit)?;
        let parts: [&mut dyn State; 5] = [
            &mut self.reset.mode,
            &mut self.reset.difficulty,
            &mut self.episode.total_frames,
            &mut self.episode.progress.frame,
            &mut self.episode.progress.paddles,
        ];
        parts.into_iter().try_for_each(|part| part.load(bytes))?;
        if generators == Generators::Included {
            self.episode.sticky.random.load(bytes)?;
            self.episode.sticky.controls.load(bytes)?;
        }
        let (mode, difficulty) = (self.reset.mode, self.reset.difficulty);
        let game = self.cache.game();
        let is_valid = (mode == game.default_mode || game.modes.contains(&mode))
            && (difficulty == game.default_difficulty || game.difficulties.contains(&difficulty))
            && self.episode.is_valid(game);
        if is_valid { Ok(()) } else { Err(StateError::Misfit) }
    }

    /// MD5 of the ROM.
    pub fn md5(&self) -> [u8; 16] {
        self.cache.md5()
    }
}

fn kind(generators: Generators) -> StateKind {
    match generators {
        Generators::Included => StateKind::ArcadeWithGenerators,
        Generators::Excluded => StateKind::Arcade,
    }
}
