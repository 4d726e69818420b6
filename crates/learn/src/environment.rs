//! The games of a run: what it changes in their options, and how its nets see them.

use gym2600_gym::spec::{
    Axis, EpisodicLife, FirePlays, FireReset, ImagePreprocessing, NoopReset, QueueFrames, Shows, SkipFrames,
    WithoutFire,
};
use gym2600_gym::{AutoresetMode, Dtype, GameOptions, Space, Wrapper};

use crate::error::LearnError;
use crate::game::{GameTraits, Rom};
use crate::net::Input;

/// The list of a run whose options name neither a preset nor a list: that of OpenAI baselines with raw rewards.
pub(crate) fn default_wrappers() -> Vec<Wrapper> {
    vec![
        Wrapper::NoopReset(NoopReset::default()),
        Wrapper::SkipFrames(SkipFrames {
            shows: Some(Shows::MaxOfTwoBuffers),
            ..SkipFrames::default()
        }),
        Wrapper::EpisodicLife(EpisodicLife::default()),
        Wrapper::FireReset(FireReset {
            plays: FirePlays::FireAndSecond,
            without_fire: WithoutFire::PassOn,
        }),
        Wrapper::ImagePreprocessing(ImagePreprocessing::default()),
        Wrapper::QueueFrames(QueueFrames::default()),
    ]
}

/// The options with which a run makes its games: an episode is followed by the next in the same step, and scores are those of whole games,
/// whatever the list counts.
///
/// # Errors
/// Those of [`Rom::open`].
pub fn training_options<R: Rom + ?Sized>(rom: &R, options: &GameOptions) -> Result<GameOptions, R::Error> {
    let mut options = options.clone();
    if options.preset.is_none() && options.wrappers.is_none() {
        options.wrappers = Some(default_wrappers());
    }
    let traits = rom.traits(&options)?;
    let mut wrappers = traits.wrappers;
    wrappers.retain(|wrapper| !matches!(wrapper, Wrapper::AutoReset(_) | Wrapper::EpisodeStatistics));
    // The learner stores single frames, so the order of a stack does not matter, and this one is faster.
    for wrapper in &mut wrappers {
        if let Wrapper::QueueFrames(queue) = wrapper
            && !queue.concat
        {
            queue.axis = Axis::First;
        }
    }
    Ok(GameOptions {
        preset: None,
        wrappers: Some(wrappers),
        seeding: Some(traits.seeding),
        max_frames_per_episode: Some(traits.max_frames_per_episode),
        autoreset: Some(AutoresetMode::SameStep),
        ..options
    })
}

/// What a file of weights calls its environment: the preset, or the list as JSON.
pub(crate) fn environment_name(options: &GameOptions) -> String {
    match (&options.preset, &options.wrappers) {
        (Some(preset), _) => preset.clone(),
        (None, None) => "baselines with raw rewards".to_owned(),
        (None, Some(wrappers)) => serde_json::to_string(wrappers).expect("wrappers are plain data"),
    }
}

/// How the stack of an observation lies in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Layout {
    pub(crate) input: Input,
    axis: Axis,
}

impl Layout {
    /// # Errors
    /// [`LearnError::Observation`] for anything but grey pictures of bytes, stacked along an axis of their own or single.
    pub(crate) fn of(traits: &GameTraits) -> Result<Self, LearnError> {
        let space = &traits.observation;
        let queue = traits.wrappers.iter().find_map(|wrapper| match wrapper {
            Wrapper::QueueFrames(queue) => Some(*queue),
            _ => None,
        });
        let (axis, input) = match (queue, space.shape.as_slice()) {
            (None, &[height, width]) => (Axis::First, [1, height, width]),
            (Some(queue), &[first, second, third]) if !queue.concat => match queue.axis {
                Axis::First => (Axis::First, [first, second, third]),
                Axis::Last => (Axis::Last, [third, first, second]),
            },
            _ => return Err(Self::refusal(space)),
        };
        if space.dtype != Dtype::Uint8 {
            return Err(Self::refusal(space));
        }
        let [frames, height, width] = input;
        Ok(Self {
            axis,
            input: Input { height, width, frames },
        })
    }

    fn refusal(space: &Space) -> LearnError {
        LearnError::Observation {
            reason: format!("this environment shows {:?} of {:?}", space.shape, space.dtype),
        }
    }

    /// Copies one picture of a stack.
    pub(crate) fn frame(&self, observation: &[u8], number: usize, out: &mut [u8]) {
        let pixels = self.input.pixels();
        match self.axis {
            Axis::First => out.copy_from_slice(&observation[number * pixels..][..pixels]),
            Axis::Last => {
                let stacks = observation.chunks_exact(self.input.frames);
                for (out, stack) in out.iter_mut().zip(stacks) {
                    *out = stack[number];
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails where it panics")]

    use gym2600_arcade::WALLOP;

    use super::*;

    #[test]
    fn scores_are_those_of_whole_games_whatever_a_list_counts() {
        let of = |list: &str| {
            let options = serde_json::from_str(&format!(r#"{{"wrappers": {list}}}"#)).unwrap();
            training_options(WALLOP, &options).unwrap()
        };
        let plain = of(r#"["SkipFrames", "EpisodicLife", "ClipReward"]"#);
        assert_eq!(
            of(r#"["SkipFrames", "EpisodicLife", "ClipReward", "EpisodeStatistics"]"#),
            plain
        );
        let mut game = WALLOP.open(&plain).unwrap();
        game.restart(None).unwrap();
        let (mut score, mut lives) = (0.0, 0);
        let summary = loop {
            let record = game.advance(1).unwrap();
            score += record.raw_reward;
            lives += i32::from(record.terminated);
            if let Some(summary) = record.episode {
                break summary;
            }
        };
        assert_eq!((summary.reward, lives), (score, 5));
    }
}
