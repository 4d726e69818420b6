//! The wrappers.
//!
//! A file has everything of one wrapper: its options as users write them, what it checks and which layer it makes ([`WrapperKind`]),
//! and that [`Layer`], the wrapper with its state in an environment, which is `Clone`. A new wrapper is a file, its module and its
//! place in the list below, whose docs are those of the wrapper in all languages: what it does, then the Python code that does the same.
//! `StickyActions` and `FrameBlending` have no layer: they are settings of the arcade. Several wrappers use `layout` and `max_pool`.

mod auto_reset;
mod clip_reward;
mod episode_statistics;
mod episodic_life;
mod fire_reset;
mod frame_blending;
mod image_preprocessing;
mod kind;
mod layer;
mod layout;
mod max_between_frames;
mod max_pool;
mod noop_reset;
mod queue_frames;
mod scaled_float;
mod skip_frames;
mod start_with_random_actions;
mod sticky_actions;
mod time_limit;

pub(crate) use kind::WrapperKind;
pub(crate) use layer::{Env, Layer};
pub(crate) use layout::Layout;

kind::wrappers! {
    /// ALE's sticky actions: every frame, with this probability, the previous action is played instead. First in a list.
    ///
    /// In Python: ALE's `repeat_action_probability`, also an option of ale-py's, Gymnasium's and EnvPool's environments;
    /// Stable-Baselines3's `StickyActionEnv` and Gymnasium's `StickyAction`, which repeat whole steps.
    sticky_actions: StickyActions(StickyActions),
    /// ALE's colour averaging: every frame is blended with the one before it. Before any wrapper but `StickyActions`.
    ///
    /// In Python: ALE's setting `color_averaging`.
    #[serde(deserialize_with = "crate::spec::no_options")]
    frame_blending: FrameBlending,
    /// Ends an episode when a life is lost.
    ///
    /// In Python: `EpisodicLifeEnv` of baselines and Stable-Baselines3, `terminal_on_life_loss` of Gymnasium's `AtariPreprocessing`,
    /// `episodic_life` of ale-py's `AtariVectorEnv` and of EnvPool, `EpisodicLife` of the notebooks, and a part of labml's `Game`.
    episodic_life: EpisodicLife(EpisodicLife),
    /// Presses FIRE after a reset, for games that wait for it.
    ///
    /// In Python: `FireResetEnv` of baselines and Stable-Baselines3, `use_fire_reset` of ale-py's `AtariVectorEnv` and of EnvPool,
    /// `FireReset` of the notebooks.
    fire_reset: FireReset(FireReset),
    /// Plays NOOP for a random number of steps after a reset.
    ///
    /// In Python: `NoopResetEnv` of baselines and Stable-Baselines3, `noop_max` of Gymnasium's `AtariPreprocessing`, of ale-py's
    /// `AtariVectorEnv` and of EnvPool.
    noop_reset: NoopReset(NoopReset),
    /// Plays a random number of random actions at the start of a real episode.
    ///
    /// In Python: `StartWithRandomActions` of the notebooks.
    start_with_random_actions: StartWithRandomActions(StartWithRandomActions),
    /// Shows the pixel-wise maximum of this frame and the previous one.
    ///
    /// In Python: `MaxBetweenFrames` of the notebooks.
    #[serde(deserialize_with = "crate::spec::no_options")]
    max_between_frames: MaxBetweenFrames,
    /// Repeats an action for several frames.
    ///
    /// In Python: `MaxAndSkipEnv` of baselines and Stable-Baselines3, `MaxAndSkipObservation` and `frame_skip` of `AtariPreprocessing` in
    /// Gymnasium, `frameskip` of ale-py's environments, `frame_skip` of EnvPool, `SkipFrames` of the notebooks, and a part of labml's
    /// `Game`.
    skip_frames: SkipFrames(SkipFrames),
    /// Converts to grey, crops and resizes.
    ///
    /// In Python: `WarpFrame` of baselines and Stable-Baselines3, `AtariPreprocessing`, `GrayscaleObservation` and `ResizeObservation` of
    /// Gymnasium, `img_width`, `img_height` and `grayscale` of ale-py's `AtariVectorEnv`, `img_width`, `img_height` and `gray_scale` of
    /// EnvPool, `ImagePreprocessing` of the notebooks, and a part of labml's `Game`.
    image_preprocessing: ImagePreprocessing(ImagePreprocessing),
    /// Stacks the last observations.
    ///
    /// In Python: `FrameStack` of baselines, `VecFrameStack` of Stable-Baselines3, `FrameStackObservation` of Gymnasium, `stack_num` of
    /// ale-py's `AtariVectorEnv` and of EnvPool, `QueueFrames` of the notebooks, and a part of labml's `Game`.
    queue_frames: QueueFrames(QueueFrames),
    /// Clips rewards to the range from -1 to 1.
    ///
    /// In Python: `ClipRewardEnv` of baselines and Stable-Baselines3, `ClipReward` of Gymnasium, `reward_clipping` of ale-py's
    /// `AtariVectorEnv`, `reward_clip` of EnvPool, `ClipReward` of the notebooks.
    clip_reward: ClipReward(ClipReward),
    /// Observations as floats from 0 to 1.
    ///
    /// In Python: `ScaledFloatFrame` of baselines, `scale_obs` of Gymnasium's `AtariPreprocessing`.
    #[serde(deserialize_with = "crate::spec::no_options")]
    scaled_float: ScaledFloat,
    /// Truncates an episode after a number of steps.
    ///
    /// In Python: `TimeLimit` of Gymnasium, `max_num_frames_per_episode` of ale-py's `AtariVectorEnv`, `max_episode_steps` of EnvPool.
    time_limit: TimeLimit(TimeLimit),
    /// Counts reward and length of each episode at this place, as the wrappers before it make them. A list without it counts those of the
    /// whole game: the raw score, the agent's steps and all frames.
    ///
    /// In Python: `RecordEpisodeStatistics` of Gymnasium, `Monitor` of Stable-Baselines3.
    #[serde(deserialize_with = "crate::spec::no_options")]
    episode_statistics: EpisodeStatistics,
    /// Starts the next episode without a call of reset. Last in a list.
    ///
    /// In Python: `Autoreset` and the `AutoresetMode` of batches in Gymnasium, and the resets that the batches of Stable-Baselines3, ale-py
    /// and EnvPool do themselves.
    auto_reset: AutoReset(AutoReset),
}
