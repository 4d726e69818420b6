//! Options to a spec: joins a preset, or the caller's list of wrappers, with the other options.

use crate::error::GymError;
use crate::options::{Autoreset, GameOptions};
use crate::preset;
use crate::spec::{AutoReset, AutoResetMode, Seeding, Spec, StickyActions, Wrapper};

/// The sticky probability of a list.
pub(crate) fn sticky(wrappers: &[Wrapper]) -> f32 {
    match wrappers.first() {
        Some(Wrapper::StickyActions(options)) => options.probability,
        _ => 0.0,
    }
}

/// The largest seed: JavaScript's numbers are exact up to it.
const MAX_SEED: u64 = 1 << 53;

/// Refuses a seed that Python refuses with the same seeding.
pub(crate) fn check_seed(seed: u64, seeding: Seeding) -> Result<(), GymError> {
    let max = match seeding {
        Seeding::Gymnasium => MAX_SEED,
        Seeding::Gym => u64::from(u32::MAX),
        Seeding::Native => i32::MAX as u64,
    };
    if seed > max {
        return Err(GymError::Option {
            option: "seed",
            reason: format!("{seed} is above {max}"),
        });
    }
    Ok(())
}

/// The spec that options ask for, its game not yet named, and the seed of the first reset.
pub(crate) fn resolve(options: &GameOptions) -> Result<(Spec, u64), GymError> {
    let preset = match (&options.preset, &options.wrappers) {
        (Some(preset), Some(_)) => return Err(GymError::PresetAndWrappers { preset: preset.clone() }),
        (None, Some(_)) => None,
        (name, None) => {
            let name = name.as_deref().unwrap_or("gym2600");
            Some(preset::find(name).ok_or_else(|| GymError::UnknownPreset { name: name.into() })?)
        }
    };
    let mut wrappers = options
        .wrappers
        .clone()
        .or(preset.map(preset::Preset::wrappers))
        .unwrap_or_default();
    if let Some(probability) = options.repeat_action_probability {
        if !(0.0..=1.0).contains(&probability) {
            let reason = format!("{probability} is not from 0 to 1");
            return Err(GymError::Option {
                option: "repeatActionProbability",
                reason,
            });
        }
        set_sticky(&mut wrappers, probability);
    }
    if let Some(autoreset) = options.autoreset {
        set_autoreset(&mut wrappers, autoreset);
    }
    let max_frames = options.max_frames_per_episode;
    let is_counted = preset.is_some() && max_frames.is_some_and(|frames| set_frame_limit(&mut wrappers, frames));
    let seeding = options
        .seeding
        .or(preset.map(|preset| preset.seeding))
        .unwrap_or_default();
    let seed = options.seed.unwrap_or(0);
    check_seed(seed, seeding)?;
    let spec = Spec {
        preset: preset.map(|preset| preset.name.into()),
        game: String::new(),
        observation: options.observation.unwrap_or_default(),
        seeding,
        full_action_space: options.full_action_space.unwrap_or(false),
        max_frames_per_episode: max_frames
            .filter(|_| !is_counted)
            .or(preset.map(|preset| preset.max_frames_per_episode))
            .unwrap_or(108_000),
        truncate_on_loss_of_life: options.truncate_on_loss_of_life.unwrap_or(false),
        mode: options.mode,
        difficulty: options.difficulty,
        wrappers,
    };
    Ok((spec, seed))
}

/// Sets the sticky probability of a list.
fn set_sticky(wrappers: &mut Vec<Wrapper>, probability: f32) {
    let sticky = Wrapper::StickyActions(StickyActions { probability });
    match wrappers.first_mut() {
        Some(first @ Wrapper::StickyActions(_)) => *first = sticky,
        _ if probability > 0.0 => wrappers.insert(0, sticky),
        _ => {}
    }
}

/// Sets the number of frames after which a list truncates an episode, 0 for never. Returns whether the list counts frames: by a
/// `TimeLimit` before its `SkipFrames`.
fn set_frame_limit(wrappers: &mut Vec<Wrapper>, frames: u32) -> bool {
    let counted = |wrapper: &&mut Wrapper| !matches!(wrapper, Wrapper::SkipFrames(_));
    let limit = wrappers
        .iter_mut()
        .take_while(counted)
        .position(|wrapper| match wrapper {
            Wrapper::TimeLimit(limit) => {
                limit.steps = frames;
                true
            }
            _ => false,
        });
    if let Some(at) = limit.filter(|_| frames == 0) {
        wrappers.remove(at);
    }
    limit.is_some()
}

/// Sets when a list starts the next episode.
fn set_autoreset(wrappers: &mut Vec<Wrapper>, autoreset: Autoreset) {
    if let Some(Wrapper::AutoReset(_)) = wrappers.last() {
        wrappers.pop();
    }
    let mode = match autoreset {
        Autoreset::NextStep => AutoResetMode::NextStep,
        Autoreset::SameStep => AutoResetMode::SameStep,
        Autoreset::Disabled => return,
    };
    wrappers.push(Wrapper::AutoReset(AutoReset { mode }));
}
