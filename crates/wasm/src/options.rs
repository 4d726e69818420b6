//! Options as they come from JavaScript.

use gym2600_arcade::Settings;
use gym2600_gym::plain::{Decimal, Fields, Record, Slot, Value, fill_field};
use wasm_bindgen::JsValue;

use crate::error::thrown;
use crate::plain;

/// Frames that one act of a bare console may play; more would be a hang.
const MAX_FRAME_SKIP: u32 = 1000;

/// The package's `ArcadeOptions` without `rom`.
#[derive(Default)]
pub(crate) struct ArcadeOptions {
    seed: Option<u32>,
    system_random_seed: Option<u32>,
    repeat_action_probability: Option<f32>,
    frame_skip: Option<u32>,
    reward_min: Option<i32>,
    reward_max: Option<i32>,
    max_num_frames_per_episode: Option<u32>,
    truncate_on_loss_of_life: Option<bool>,
    color_averaging: Option<bool>,
    sound_obs: Option<bool>,
    pub(crate) mode: Option<u32>,
    pub(crate) difficulty: Option<u32>,
    pub(crate) game: Option<String>,
}

impl Record for ArcadeOptions {
    fn fields(&mut self) -> Fields<'_> {
        vec![
            ("seed", &mut self.seed as &mut dyn Slot),
            ("systemRandomSeed", &mut self.system_random_seed),
            ("repeatActionProbability", &mut self.repeat_action_probability),
            ("frameSkip", &mut self.frame_skip),
            ("rewardMin", &mut self.reward_min),
            ("rewardMax", &mut self.reward_max),
            ("maxNumFramesPerEpisode", &mut self.max_num_frames_per_episode),
            ("truncateOnLossOfLife", &mut self.truncate_on_loss_of_life),
            ("colorAveraging", &mut self.color_averaging),
            ("soundObs", &mut self.sound_obs),
            ("mode", &mut self.mode),
            ("difficulty", &mut self.difficulty),
            ("game", &mut self.game),
        ]
    }
}

impl ArcadeOptions {
    /// What is said, and ALE's defaults for the rest.
    pub(crate) fn settings(&self) -> Result<Settings, JsValue> {
        let default = Settings::default();
        let settings = Settings {
            random_seed: self.seed.unwrap_or(default.random_seed),
            system_random_seed: self.system_random_seed.unwrap_or(default.system_random_seed),
            repeat_action_probability: self
                .repeat_action_probability
                .unwrap_or(default.repeat_action_probability),
            frame_skip: self.frame_skip.unwrap_or(default.frame_skip),
            reward_min: self.reward_min.unwrap_or(default.reward_min),
            reward_max: self.reward_max.unwrap_or(default.reward_max),
            max_num_frames_per_episode: self
                .max_num_frames_per_episode
                .unwrap_or(default.max_num_frames_per_episode),
            truncate_on_loss_of_life: self.truncate_on_loss_of_life.unwrap_or_default(),
            color_averaging: self.color_averaging.unwrap_or_default(),
            sound_obs: self.sound_obs.unwrap_or_default(),
            cache_resets: default.cache_resets,
        };
        let Settings {
            repeat_action_probability: probability,
            frame_skip,
            reward_min,
            reward_max,
            ..
        } = settings;
        if !(0.0..=1.0).contains(&probability) {
            return Err(bad(&format!(
                "repeatActionProbability: {} is not from 0 to 1",
                Decimal::from(probability)
            )));
        }
        if !(1..=MAX_FRAME_SKIP).contains(&frame_skip) {
            return Err(bad(&format!(
                "frameSkip: {frame_skip} is not from 1 to {MAX_FRAME_SKIP}"
            )));
        }
        if reward_min > reward_max {
            return Err(bad(&format!(
                "rewardMin: {reward_min} is above rewardMax, {reward_max}"
            )));
        }
        Ok(settings)
    }
}

fn bad(reason: &str) -> JsValue {
    thrown("bad-option", &format!("option {reason}"))
}

/// The options that `value`, a plain object, says.
pub(crate) fn options<T: Record + Default>(value: &JsValue) -> Result<T, JsValue> {
    let mut options = T::default();
    fill(&mut options.fields(), value)?;
    Ok(options)
}

/// Reads every key of an object.
fn fill(fields: &mut Fields<'_>, value: &JsValue) -> Result<(), JsValue> {
    let said = match plain::value(value) {
        Value::Object(said) => said,
        other => return Err(thrown("bad-option", &other.misfit("an object of options"))),
    };
    for (key, value) in said {
        fill_field(fields, &key, &value).map_err(|reason| bad(&format!("{key}: {reason}")))?;
    }
    Ok(())
}
