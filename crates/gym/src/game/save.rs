//! An environment's state as bytes: the console, the generators, the wrappers' state and the episode's statistics.

use std::sync::Arc;

use gym2600_arcade::{InvalidState, State, StateError, StateKind, digest, fields, seal, unseal};

use super::{Game, Phase};
use crate::record::EpisodeSummary;
use crate::resolve::check_seed;

fields!(EpisodeSummary { reward, length, frames } where is_valid);

impl EpisodeSummary {
    fn is_valid(&self) -> bool {
        self.reward.is_finite()
    }
}

impl State for Phase {
    fn save(&self, bytes: &mut Vec<u8>) {
        (*self as u8).save(bytes);
    }

    fn load(&mut self, bytes: &mut &[u8]) -> Result<(), InvalidState> {
        let mut phase = 0_u8;
        phase.load(bytes)?;
        *self = match phase {
            0 => Self::New,
            1 => Self::Running,
            2 => Self::Ended,
            _ => return Err(InvalidState),
        };
        Ok(())
    }
}

impl Game {
    /// The complete state as bytes, the same on every platform after the same play. Restored into a game of the same ROM and options, in
    /// this process or another, it continues with the same bytes as the original.
    pub fn save(&mut self) -> Vec<u8> {
        let mut state = Vec::new();
        self.save_to(&mut state);
        seal(StateKind::Environment, self.base.arcade().md5(), &state)
    }

    /// Restores a state of [`Game::save`]. [`Game::observe`] then writes its observation.
    ///
    /// # Errors
    /// [`StateError`] if the bytes are not a state, are damaged, or belong to another ROM or other options. Nothing is changed then.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), StateError> {
        let state = unseal(StateKind::Environment, self.base.arcade().md5(), bytes)?;
        let mut before = Vec::new();
        self.save_to(&mut before);
        let result = self.load_from(&state);
        if result.is_err() {
            self.load_from(&before).expect("the state was saved above");
        }
        self.restored();
        result
    }

    /// Continues from the state of another game with the same ROM and options, such as an earlier clone of this one or another lane of a
    /// batch. It is what [`Game::restore`] does with the bytes of [`Game::save`], in about the time of a clone.
    ///
    /// # Errors
    /// [`StateError`] if the other has another ROM or other options. Nothing is changed then.
    pub fn copy_from(&mut self, other: &Self) -> Result<(), StateError> {
        if !Arc::ptr_eq(&self.spec, &other.spec) && self.spec != other.spec {
            return Err(StateError::Misfit);
        }
        self.base.copy_from(&other.base)?;
        self.layers.clone_from(&other.layers);
        self.seed = other.seed;
        self.phase = other.phase;
        if self.keeps_final_observations {
            self.keep_final_observations();
        }
        self.restored();
        Ok(())
    }

    /// Drops what belongs to the state before.
    fn restored(&mut self) {
        self.layers.iter_mut().for_each(|layer| layer.restored());
    }

    fn save_to(&mut self, bytes: &mut Vec<u8>) {
        self.spec_digest().save(bytes);
        self.base.save(bytes);
        self.layers.save(bytes);
        self.seed.save(bytes);
        self.phase.save(bytes);
    }

    fn load_from(&mut self, mut bytes: &[u8]) -> Result<(), StateError> {
        let mut saved = [0_u8; 16];
        saved.load(&mut bytes)?;
        if saved != self.spec_digest() {
            return Err(StateError::Misfit);
        }
        self.base.load(&mut bytes)?;
        self.layers.load(&mut bytes)?;
        self.seed.load(&mut bytes)?;
        check_seed(self.seed, self.spec.seeding).map_err(|_| StateError::Misfit)?;
        self.phase.load(&mut bytes)?;
        if bytes.is_empty() {
            Ok(())
        } else {
            Err(StateError::Misfit)
        }
    }

    /// A hash of the options. A state with another hash is refused.
    fn spec_digest(&self) -> [u8; 16] {
        digest(format!("{:?}", self.spec).as_bytes())
    }
}
