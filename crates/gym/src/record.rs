//! The results of resets and steps.
//!
//! A [`StepRecord`] has the same content everywhere: Rust programs get the struct, and JavaScript gets its numbers as one row of a
//! `Float64Array`, in the order of [`StepRecord::FIELDS`]. This file imports nothing from the rest of the crate.

use gym2600_arcade::Arcade;
use serde::{Deserialize, Serialize};

/// Summary of a game that ended: all that was played in it, whatever the list of wrappers clips, skips or divides into episodes.
///
/// Where a list places the wrapper `EpisodeStatistics`, the summary is that of an episode at this place.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct EpisodeSummary {
    /// The score: the sum of the game's rewards, not clipped, those of the steps that a reset plays included.
    pub reward: f64,
    /// The agent's steps.
    pub length: u32,
    /// The frames, those that a wrapper skips and those that a reset plays included.
    pub frames: u32,
}

/// Information about the state that an observation shows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Info {
    /// Lives left, as ALE counts them; 0 in games without lives.
    pub lives: i32,
    /// Frames played since the game's last reset; in games that select a mode, the frames of the selection count too.
    pub episode_frame_number: u32,
    /// Frames played since the game was loaded.
    pub frame_number: u32,
}

impl Info {
    pub(crate) fn of(arcade: &Arcade) -> Self {
        Self {
            lives: arcade.lives(),
            episode_frame_number: arcade.episode_frame_number(),
            frame_number: arcade.frame_number(),
        }
    }
}

/// The result of a step without its observation.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StepRecord {
    /// The reward, clipped if the list of wrappers clips it.
    pub reward: f64,
    /// The reward before any `ClipReward`.
    pub raw_reward: f64,
    /// Whether the episode ended.
    pub terminated: bool,
    /// Whether a limit cut the episode off.
    pub truncated: bool,
    /// Whether the game itself ended. False where an episode ends with a life and the game continues.
    pub real_done: bool,
    /// Information about the state that the observation shows.
    pub info: Info,
    /// The game that this step ended. None at the end of an episode after which the game continues.
    pub episode: Option<EpisodeSummary>,
    /// Information about the end of that episode, if this step also started the next one: Gymnasium's `final_info`.
    pub final_info: Option<Info>,
}

impl StepRecord {
    /// The names of the numbers of a record, in order.
    pub const FIELDS: [&str; 12] = [
        "reward",
        "rawReward",
        "flags",
        "lives",
        "frameNumber",
        "episodeFrameNumber",
        "episodeReward",
        "episodeLength",
        "episodeFrames",
        "finalLives",
        "finalFrameNumber",
        "finalEpisodeFrameNumber",
    ];

    /// The bits of `flags`, from the lowest.
    pub const FLAGS: [&str; 5] = ["terminated", "truncated", "realDone", "episode", "finalInfo"];

    /// A record of a reset, or of a state in which no step was taken.
    pub fn of_reset(info: Info) -> Self {
        Self {
            info,
            ..Self::default()
        }
    }

    /// The record as numbers, in the order of [`StepRecord::FIELDS`]. The numbers of an absent episode or final info are 0.
    pub fn to_numbers(&self) -> [f64; Self::FIELDS.len()] {
        let flags = [
            self.terminated,
            self.truncated,
            self.real_done,
            self.episode.is_some(),
            self.final_info.is_some(),
        ];
        let flags = flags.iter().rev().fold(0, |bits, flag| bits << 1 | u32::from(*flag));
        let episode = self.episode.unwrap_or_default();
        let last = self.final_info.unwrap_or_default();
        [
            self.reward,
            self.raw_reward,
            flags.into(),
            self.info.lives.into(),
            self.info.frame_number.into(),
            self.info.episode_frame_number.into(),
            episode.reward,
            episode.length.into(),
            episode.frames.into(),
            last.lives.into(),
            last.frame_number.into(),
            last.episode_frame_number.into(),
        ]
    }
}
