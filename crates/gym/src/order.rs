//! Checks a list of wrappers as far as that needs no game: places, options and the number of frames.

use crate::error::GymError;
use crate::spec::{MAX_FRAMES, MAX_START_FRAMES, Wrapper};

/// Checks all wrappers. The error has the place and the reason.
pub(crate) fn check(wrappers: &[Wrapper]) -> Result<(), GymError> {
    let mut place = Place {
        wrappers,
        index: 0,
        step: 1,
        start: 0,
    };
    for (index, wrapper) in wrappers.iter().enumerate() {
        place.index = index;
        wrapper
            .kind()
            .check(&mut place)
            .map_err(|reason| GymError::wrapper(index, wrapper.name(), reason))?;
    }
    Ok(())
}

/// A wrapper's place in its list, and the most frames that the wrappers so far play.
pub(crate) struct Place<'a> {
    wrappers: &'a [Wrapper],
    index: usize,
    /// Frames of a step.
    step: u32,
    /// Frames of the steps before an episode.
    start: u32,
}

impl Place<'_> {
    /// The wrappers before this one.
    pub(crate) fn before(&self) -> &[Wrapper] {
        &self.wrappers[..self.index]
    }

    /// The wrapper after this one.
    pub(crate) fn next(&self) -> Option<&Wrapper> {
        self.wrappers.get(self.index + 1)
    }

    /// Refuses a second wrapper of this kind.
    pub(crate) fn is_only_once(&self) -> Result<(), String> {
        let name = self.wrappers[self.index].name();
        if self.before().iter().any(|other| other.name() == name) {
            return Err("it stands in the list twice".into());
        }
        Ok(())
    }

    /// Counts the frames of a wrapper that plays at most so many inner steps in each of its own.
    pub(crate) fn multiply_step(&mut self, steps: u32) -> Result<(), String> {
        self.step = self.step.saturating_mul(steps);
        if self.step > MAX_FRAMES {
            return Err(format!(
                "a step would have {} frames; it has at most {MAX_FRAMES}",
                self.step
            ));
        }
        Ok(())
    }

    /// Counts the frames of a wrapper that plays at most `max` inner steps before an episode.
    pub(crate) fn add_start(&mut self, max: u32) -> Result<(), String> {
        self.start = self.start.saturating_add(max.saturating_mul(self.step));
        if self.start > MAX_START_FRAMES {
            return Err(format!(
                "max is {max}; the steps before an episode would have {} frames, they have at most {MAX_START_FRAMES}",
                self.start
            ));
        }
        Ok(())
    }
}
