//! An environment's state as bytes: the console, the generators, every wrapper's memory and the episode's statistics.

use gym2600_arcade::{State as _, StateError, StateKind, WrongLength, checksum, fields, seal, unseal};

use super::{Episode, Game, State};
use crate::plain::Record;
use crate::wrappers::Layer;

fields!(Episode { reward, length });

impl gym2600_arcade::State for State {
    fn save(&self, bytes: &mut Vec<u8>) {
        (*self as u8).save(bytes);
    }

    fn load(&mut self, bytes: &mut &[u8]) -> Result<(), WrongLength> {
        let mut state = 0_u8;
        state.load(bytes)?;
        *self = match state {
            0 => Self::New,
            1 => Self::Running,
            _ => Self::Ended,
        };
        Ok(())
    }
}

impl Game {
    /// The complete state as bytes, to be stored or restored into a game of the same ROM and options, here or elsewhere: going on from it gives
    /// the same bytes as never having stopped.
    pub fn save(&mut self) -> Vec<u8> {
        let mut state = Vec::new();
        self.save_to(&mut state);
        seal(StateKind::Environment, self.console.arcade().md5(), &state)
    }

    /// Restores what [`Game::save`] gave; [`Game::observe`] gives the observation of that state.
    ///
    /// # Errors
    /// [`StateError`] where the bytes are no such state, of another ROM, of other options or damaged; nothing is changed then.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), StateError> {
        let state = unseal(StateKind::Environment, self.console.arcade().md5(), bytes)?;
        let mut before = Vec::new();
        self.save_to(&mut before);
        let result = self.load_from(&state);
        if result.is_err() {
            // What was just saved fits.
            self.load_from(&before)?;
        }
        self.layers.iter_mut().for_each(Layer::restored);
        result
    }

    fn save_to(&mut self, bytes: &mut Vec<u8>) {
        self.spec_checksum().save(bytes);
        self.console.save(bytes);
        self.layers.save(bytes);
        self.seed.save(bytes);
        self.state.save(bytes);
    }

    fn load_from(&mut self, mut bytes: &[u8]) -> Result<(), StateError> {
        let mut saved = 0_u32;
        saved.load(&mut bytes)?;
        if saved != self.spec_checksum() {
            return Err(StateError::Misfit);
        }
        self.console.load(&mut bytes)?;
        self.layers.load(&mut bytes)?;
        self.seed.load(&mut bytes)?;
        self.state.load(&mut bytes)?;
        if bytes.is_empty() {
            Ok(())
        } else {
            Err(StateError::Misfit)
        }
    }

    /// Tells lists of wrappers and options apart.
    fn spec_checksum(&self) -> u32 {
        let mut bytes = Vec::new();
        self.spec.object().append_to(&mut bytes);
        checksum(&bytes)
    }
}
