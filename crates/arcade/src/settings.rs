//! ALE's settings, which are chosen before a ROM is loaded.

use gym2600_vcs::Mapper;

use crate::load::LoadError;

/// ALE's settings, with ALE's defaults but for `random_seed`, which there is the time of day. A ROM is not loaded with settings that are out of
/// their range.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// Seed of the generator behind sticky actions.
    pub random_seed: u32,
    /// Seed of the generator behind the console's power-on noise.
    pub system_random_seed: u32,
    /// Probability, 0 to 1, that a frame repeats the last action instead of taking the new one.
    pub repeat_action_probability: f32,
    /// Frames of an [`act`](crate::Arcade::act), at least 1.
    pub frame_skip: u32,
    /// The least reward that an act returns, at most `reward_max`.
    pub reward_min: i32,
    /// The greatest reward that an act returns.
    pub reward_max: i32,
    /// Frames after which an episode is truncated; 0 for never.
    pub max_num_frames_per_episode: u32,
    /// Whether an episode is truncated when a life is lost.
    pub truncate_on_loss_of_life: bool,
    /// Whether a picture is blended with the one before it.
    pub color_averaging: bool,
    /// Whether every act makes [`Arcade::audio`](crate::Arcade::audio).
    pub sound_obs: bool,
    /// Whether parts of resets that were played from the same state before are taken from a cache. It makes no difference but to
    /// time and memory.
    pub cache_resets: bool,
    /// How the cartridge is banked, in place of what the definition says or the detection finds. ALE has no such setting.
    pub mapper: Option<Mapper>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            random_seed: 0,
            system_random_seed: 4_753_849,
            repeat_action_probability: 0.25,
            frame_skip: 1,
            reward_min: i32::MIN,
            reward_max: i32::MAX,
            max_num_frames_per_episode: 0,
            truncate_on_loss_of_life: false,
            color_averaging: false,
            sound_obs: false,
            cache_resets: true,
            mapper: None,
        }
    }
}

impl Settings {
    /// # Errors
    /// [`LoadError::RewardLimits`] or [`LoadError::Probability`]
    pub(crate) fn check(&self) -> Result<(), LoadError> {
        let (min, max) = (self.reward_min, self.reward_max);
        if min > max {
            return Err(LoadError::RewardLimits { min, max });
        }
        let probability = self.repeat_action_probability;
        if !(0.0..=1.0).contains(&probability) {
            return Err(LoadError::Probability { probability });
        }
        Ok(())
    }

    /// The probability as ALE compares with it: it keeps six significant digits of the setting.
    pub(crate) fn sticky_threshold(&self) -> f64 {
        let probability = f64::from(self.repeat_action_probability);
        if probability == 0.0 {
            return probability;
        }
        // The product is exact: an f32 has 24 significant bits, and a power of ten that a probability above 1e-7 needs has 29. Together
        // they are no more than an f64's 53.
        let mut scale = 1e5;
        while probability * scale < 1e5 {
            scale *= 10.0;
        }
        f64::from(((probability * scale).round_ties_even() / scale) as f32)
    }
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "the digits are the point")]
mod tests {
    use super::*;

    #[test]
    fn limits_of_rewards_may_be_equal_but_not_crossed() {
        let limits = |reward_min, reward_max| Settings {
            reward_min,
            reward_max,
            ..Settings::default()
        };
        assert!(limits(1, 1).check().is_ok());
        assert!(matches!(
            limits(2, 1).check(),
            Err(LoadError::RewardLimits { min: 2, max: 1 })
        ));
    }

    #[test]
    fn probabilities_keep_six_digits() {
        let settings = Settings {
            repeat_action_probability: 0.123_456_78,
            ..Settings::default()
        };
        assert_eq!(settings.sticky_threshold(), f64::from(0.123_457_f32));
        assert_eq!(Settings::default().sticky_threshold(), 0.25);
    }

    #[test]
    fn six_digits_are_those_that_a_text_of_the_probability_has() {
        for step in 0..2_000_000_u32 {
            // Every 530th of the probabilities from 0 to 1.
            let repeat_action_probability = f32::from_bits(step * 530);
            let settings = Settings {
                repeat_action_probability,
                ..Settings::default()
            };
            let text = format!("{repeat_action_probability:.5e}");
            if repeat_action_probability > 1e-15 {
                assert_eq!(
                    settings.sticky_threshold(),
                    f64::from(text.parse::<f32>().unwrap()),
                    "{text}"
                );
            }
        }
    }
}
