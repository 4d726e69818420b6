//! Options as they come from JavaScript.

use std::fmt;
use std::marker::PhantomData;

use gym2600_arcade::Settings;
use serde::de::value::{MapAccessDeserializer, StringDeserializer};
use serde::de::{DeserializeOwned, DeserializeSeed, IntoDeserializer, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use wasm_bindgen::JsValue;

use crate::error::thrown;

/// Frames that one act of a bare console may play; more would be a hang.
const MAX_FRAME_SKIP: u32 = 1000;

/// The package's `ArcadeOptions` without `rom`.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
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
            remember_resets: default.remember_resets,
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
                "repeatActionProbability: {probability} is not from 0 to 1"
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
pub(crate) fn options<T: DeserializeOwned>(value: JsValue) -> Result<T, JsValue> {
    let mut key = String::new();
    let form = Form {
        key: &mut key,
        options: PhantomData,
    };
    let result = serde_wasm_bindgen::Deserializer::from(value).deserialize_map(form);
    result.map_err(|error| {
        let text = error.to_string();
        let reason = text.strip_prefix("Error: ").unwrap_or(&text);
        if key.is_empty() {
            thrown("bad-option", reason)
        } else {
            bad(&format!("{key}: {reason}"))
        }
    })
}

/// Reads every key of an object. Read as a structure, an object is only asked for the keys that the structure has, and a
/// misspelt option would go unnoticed. `key` is the one being read.
struct Form<'k, T> {
    key: &'k mut String,
    options: PhantomData<T>,
}

impl<'de, T: Deserialize<'de>> Visitor<'de> for Form<'_, T> {
    type Value = T;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object of options")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
        T::deserialize(MapAccessDeserializer::new(Named { map, key: self.key }))
    }
}

/// An object whose reader remembers the key.
struct Named<'k, A> {
    map: A,
    key: &'k mut String,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Named<'_, A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, A::Error> {
        self.key.clear();
        let Some(key) = self.map.next_key::<String>()? else {
            return Ok(None);
        };
        self.key.clone_from(&key);
        let key: StringDeserializer<A::Error> = key.into_deserializer();
        seed.deserialize(key).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        self.map.next_value_seed(seed)
    }
}
