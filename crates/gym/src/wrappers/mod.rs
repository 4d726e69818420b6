//! The wrappers.
//!
//! A file has everything of one wrapper: its options as users write them, what it checks and which layer it makes ([`WrapperKind`]),
//! and that [`Layer`], the wrapper with its state in an environment. A new wrapper is a file, its module and its place in the list below.
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
    sticky_actions: StickyActions(StickyActions),
    /// ALE's colour averaging: every frame is blended with the one before it. Before any wrapper but `StickyActions`.
    #[serde(deserialize_with = "crate::spec::no_options")]
    frame_blending: FrameBlending,
    /// Ends an episode when a life is lost.
    episodic_life: EpisodicLife(EpisodicLife),
    /// Presses FIRE after a reset, for games that wait for it.
    fire_reset: FireReset(FireReset),
    /// Plays NOOP for a random number of steps after a reset.
    noop_reset: NoopReset(NoopReset),
    /// Plays a random number of random actions at the start of a real episode.
    start_with_random_actions: StartWithRandomActions(StartWithRandomActions),
    /// Shows the pixel-wise maximum of this frame and the previous one.
    #[serde(deserialize_with = "crate::spec::no_options")]
    max_between_frames: MaxBetweenFrames,
    /// Repeats an action for several frames.
    skip_frames: SkipFrames(SkipFrames),
    /// Converts to grey, crops and resizes.
    image_preprocessing: ImagePreprocessing(ImagePreprocessing),
    /// Stacks the last observations.
    queue_frames: QueueFrames(QueueFrames),
    /// Clips rewards to the range from -1 to 1.
    clip_reward: ClipReward(ClipReward),
    /// Observations as floats from 0 to 1.
    #[serde(deserialize_with = "crate::spec::no_options")]
    scaled_float: ScaledFloat,
    /// Truncates an episode after a number of steps.
    time_limit: TimeLimit(TimeLimit),
    /// Counts reward and length of each episode at this place, as the wrappers before it make them. A list without it counts those of the
    /// whole game: the raw score, the agent's steps and all frames.
    #[serde(deserialize_with = "crate::spec::no_options")]
    episode_statistics: EpisodeStatistics,
    /// Starts the next episode without a call of reset. Last in a list.
    auto_reset: AutoReset(AutoReset),
}
