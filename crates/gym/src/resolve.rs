//! Makes a spec of options: joins a preset, or the caller's list of wrappers, with the other options.

use crate::error::GymError;
use crate::options::GameOptions;
use crate::preset::{self, HALF_HOUR};
use crate::spaces::Observation;
use crate::spec::{AutoReset, AutoresetMode, Seeding, Shows, Spec, StickyActions, Wrapper};

/// The sticky probability of a list.
pub(crate) fn sticky(wrappers: &[Wrapper]) -> f32 {
    match wrappers.first() {
        Some(Wrapper::StickyActions(options)) => options.probability,
        _ => 0.0,
    }
}

/// The largest seed: `Number.MAX_SAFE_INTEGER` of JavaScript.
const MAX_SEED: u64 = (1 << 53) - 1;

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

/// The spec of the options, with an empty name of the game, and the seed of the first reset.
pub(crate) fn resolve(options: &GameOptions) -> Result<(Spec, u64), GymError> {
    let preset = find_preset(options)?;
    let mut wrappers = options
        .wrappers
        .clone()
        .or(preset.map(preset::Preset::wrappers))
        .unwrap_or_default();
    let left_out = match options.observation {
        Some(observation) if preset.is_some() => leave_pictures_out(&mut wrappers, observation),
        _ => Vec::new(),
    };
    resolve_shows(&mut wrappers, options.observation.unwrap_or_default());
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
    if let Some(mode) = options.autoreset {
        set_autoreset(&mut wrappers, mode);
    }
    let mut console_limit = preset.map_or(HALF_HOUR, |preset| preset.max_frames_per_episode);
    if let Some(frames) = options.max_frames_per_episode {
        // A preset may count frames by a wrapper instead of the console.
        let has_wrapper = preset.is_some() && set_time_limit(&mut wrappers, frames);
        if !has_wrapper {
            console_limit = frames;
        }
    }
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
        max_frames_per_episode: console_limit,
        truncate_on_loss_of_life: options.truncate_on_loss_of_life.unwrap_or(false),
        mode: options.mode,
        difficulty: options.difficulty,
        wrappers,
        left_out,
    };
    Ok((spec, seed))
}

/// The preset of the options; none for a list of wrappers.
fn find_preset(options: &GameOptions) -> Result<Option<&'static preset::Preset>, GymError> {
    match (&options.preset, &options.wrappers) {
        (Some(preset), Some(_)) => Err(GymError::PresetAndWrappers { preset: preset.clone() }),
        (None, Some(_)) => Ok(None),
        (name, None) => {
            let name = name.as_deref().unwrap_or("gym2600");
            let preset = preset::find(name).ok_or_else(|| GymError::UnknownPreset { name: name.into() })?;
            Ok(Some(preset))
        }
    }
}

/// Leaves out the wrappers of a preset that process pictures, whose observation the caller has chosen, and gives their names.
fn leave_pictures_out(wrappers: &mut Vec<Wrapper>, observation: Observation) -> Vec<&'static str> {
    let pictures = observation.is_picture();
    let (left_out, kept): (Vec<_>, Vec<_>) = wrappers.drain(..).partition(|wrapper| match wrapper {
        Wrapper::ImagePreprocessing(_) => true,
        Wrapper::MaxBetweenFrames => !pictures,
        _ => false,
    });
    *wrappers = kept;
    for wrapper in wrappers {
        if let Wrapper::SkipFrames(skip) = wrapper
            && !pictures
        {
            skip.shows = Some(Shows::Last);
        }
    }
    left_out.iter().map(Wrapper::name).collect()
}

/// Sets what every `SkipFrames` of a list shows.
fn resolve_shows(wrappers: &mut [Wrapper], observation: Observation) {
    let mut pictures = observation.is_picture();
    for wrapper in wrappers {
        match wrapper {
            Wrapper::ScaledFloat => pictures = false,
            Wrapper::SkipFrames(skip) => skip.resolve_shows(pictures),
            _ => {}
        }
    }
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

/// Sets the number of frames after which the `TimeLimit` before a list's `SkipFrames` truncates an episode, 0 for never. Returns whether
/// the list has one.
fn set_time_limit(wrappers: &mut Vec<Wrapper>, frames: u32) -> bool {
    let is_skip = |wrapper: &Wrapper| matches!(wrapper, Wrapper::SkipFrames(_));
    let is_limit = |wrapper: &Wrapper| matches!(wrapper, Wrapper::TimeLimit(_));
    let mut before_skip = wrappers.iter().take_while(|wrapper| !is_skip(wrapper));
    let Some(at) = before_skip.position(is_limit) else {
        return false;
    };
    match &mut wrappers[at] {
        Wrapper::TimeLimit(limit) if frames > 0 => limit.steps = frames,
        _ => {
            wrappers.remove(at);
        }
    }
    true
}

/// Sets when a list starts the next episode.
fn set_autoreset(wrappers: &mut Vec<Wrapper>, mode: AutoresetMode) {
    if let Some(Wrapper::AutoReset(_)) = wrappers.last() {
        wrappers.pop();
    }
    if mode != AutoresetMode::Disabled {
        wrappers.push(Wrapper::AutoReset(AutoReset { mode }));
    }
}
