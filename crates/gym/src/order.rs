//! Checks a list of wrappers as far as that needs no game: places, options and the number of frames.

use crate::error::GymError;
use crate::spec::{
    AutoresetMode, MAX_FRAMES, MAX_START_FRAMES, NoopReset, Shows, SkipFrames, StartWithRandomActions, Wrapper,
};

/// Checks all wrappers. The error has the place and the reason.
pub(crate) fn check(wrappers: &[Wrapper]) -> Result<(), GymError> {
    let mut frames = Frames { step: 1, start: 0 };
    for (index, wrapper) in wrappers.iter().enumerate() {
        check_place(wrappers, index)
            .and_then(|()| check_options(wrapper))
            .and_then(|()| frames.add(wrapper))
            .map_err(|reason| GymError::wrapper(index, wrapper.name(), reason))?;
    }
    Ok(())
}

/// Checks the place of the wrapper at `index`.
fn check_place(wrappers: &[Wrapper], index: usize) -> Result<(), String> {
    let wrapper = &wrappers[index];
    let before = &wrappers[..index];
    match wrapper {
        Wrapper::StickyActions(_) if index != 0 => Err("it is a setting of the console and has to come first".into()),
        Wrapper::FrameBlending if !before.iter().all(|other| matches!(other, Wrapper::StickyActions(_))) => {
            Err("it is a setting of the console and has to come before all wrappers but StickyActions".into())
        }
        Wrapper::EpisodicLife(_)
        | Wrapper::EpisodeStatistics
        | Wrapper::FireReset(_)
        | Wrapper::NoopReset(_)
        | Wrapper::StartWithRandomActions(_)
            if before.iter().any(|other| other.name() == wrapper.name()) =>
        {
            Err("it stands in the list twice".into())
        }
        Wrapper::AutoReset(_) => match wrappers.get(index + 1) {
            Some(next) => Err(format!("it has to come last, but {} follows", next.name())),
            None => Ok(()),
        },
        _ => Ok(()),
    }
}

/// Checks the options of a wrapper, except those that count frames.
fn check_options(wrapper: &Wrapper) -> Result<(), String> {
    match wrapper {
        Wrapper::StickyActions(options) if !(0.0..=1.0).contains(&options.probability) => {
            Err(format!("probability {} is not from 0 to 1", options.probability))
        }
        Wrapper::AutoReset(options) if options.mode == AutoresetMode::Disabled => {
            Err("mode is disabled; leave the wrapper out instead".into())
        }
        Wrapper::TimeLimit(options) if options.steps == 0 => Err("steps is 0; an episode has at least 1".into()),
        Wrapper::QueueFrames(options) if options.n == 0 => Err("n is 0; a stack has at least 1 observation".into()),
        _ => Ok(()),
    }
}

/// The most frames that the wrappers so far play.
struct Frames {
    /// In a step.
    step: u32,
    /// In the steps before an episode.
    start: u32,
}

impl Frames {
    /// Adds the frames of one more wrapper, or says which limit they exceed.
    fn add(&mut self, wrapper: &Wrapper) -> Result<(), String> {
        match wrapper {
            Wrapper::SkipFrames(options) => {
                self.step = self.step.saturating_mul(most_frames(options)?);
                if self.step > MAX_FRAMES {
                    let frames = self.step;
                    return Err(format!(
                        "a step would have {frames} frames; it has at most {MAX_FRAMES}"
                    ));
                }
            }
            Wrapper::NoopReset(NoopReset { max, .. })
            | Wrapper::StartWithRandomActions(StartWithRandomActions { max }) => {
                self.start = self.start.saturating_add(max.saturating_mul(self.step));
                if self.start > MAX_START_FRAMES {
                    let frames = self.start;
                    return Err(format!(
                        "max is {max}; the steps before an episode would have {frames} frames, they have at most {MAX_START_FRAMES}"
                    ));
                }
            }
            _ => {}
        }
        Ok(())
    }
}

/// The most frames of a step.
fn most_frames(options: &SkipFrames) -> Result<u32, String> {
    let SkipFrames { n, below, shows, .. } = *options;
    if n == 0 {
        return Err("n is 0; a step has at least 1 frame".into());
    }
    let Some(below) = below else { return Ok(n) };
    if below <= n {
        return Err(format!("below is {below}; it has to be above n, which is {n}"));
    }
    if shows != Shows::Last {
        return Err("with below, a step shows its last frame; leave out shows".into());
    }
    Ok(below - 1)
}
