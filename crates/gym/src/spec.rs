//! Wrappers as data, and the spec of an environment.
//!
//! A list goes from the console outwards: the first wrapper is next to the game, the last one next to the agent, in the
//! order in which Python code writes `env = Wrapper(env)`. A wrapper is an object with a `type` and its options in
//! camelCase, `{"type": "SkipFrames", "n": 4}`, or a name where every option keeps its default: `"ClipReward"`.
//! The defaults are those of the wrapper that the type is named after, without any preset's quirk.

mod environment;
mod form;

pub use environment::{Seeding, Spec};

use serde::{Deserialize, Serialize};

use crate::image::{Grey, Interpolation};

/// Most frames that the wrappers of a list may make of one step.
pub(crate) const MAX_FRAMES: u32 = 10_000;
/// Most frames of the steps that a reset may take before an episode.
pub(crate) const MAX_START_FRAMES: u32 = 1_500;
/// Cycles of the CPU after which the steps before an episode end: those of [`MAX_START_FRAMES`], PAL or NTSC, and of several resets. Only
/// a program that does not end its frames, a game that ends in nearly every step, or a step of many thousand frames takes as many.
pub(crate) const MAX_START_CYCLES: u64 = 60_000_000;

/// One wrapper of a list, with its options.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "WrapperOptions"))]
#[serde(tag = "type", remote = "Self")]
pub enum Wrapper {
    /// ALE's sticky actions: every frame, with this probability, the previous action is played instead. First in a list.
    StickyActions(StickyActions),
    /// ALE's colour averaging: every frame is blended with the one before it. Before any wrapper but `StickyActions`.
    #[serde(deserialize_with = "form::no_options")]
    FrameBlending,
    /// Ends an episode when a life is lost.
    EpisodicLife(EpisodicLife),
    /// Presses FIRE after a reset, for games that wait for it.
    FireReset(FireReset),
    /// Plays NOOP for a random number of steps after a reset.
    NoopReset(NoopReset),
    /// Plays a random number of random actions at the start of a real episode.
    StartWithRandomActions(StartWithRandomActions),
    /// Shows the pixel-wise maximum of this frame and the previous one.
    #[serde(deserialize_with = "form::no_options")]
    MaxBetweenFrames,
    /// Repeats an action for several frames.
    SkipFrames(SkipFrames),
    /// Converts to grey, crops and resizes.
    ImagePreprocessing(ImagePreprocessing),
    /// Stacks the last observations.
    QueueFrames(QueueFrames),
    /// Clips rewards to the range from -1 to 1.
    ClipReward(ClipReward),
    /// Observations as floats from 0 to 1.
    #[serde(deserialize_with = "form::no_options")]
    ScaledFloat,
    /// Truncates an episode after a number of steps.
    TimeLimit(TimeLimit),
    /// Counts an episode's reward and length at this place. A list without it counts them next to the agent.
    #[serde(deserialize_with = "form::no_options")]
    EpisodeStatistics,
    /// Starts the next episode without a call of reset. Last in a list.
    AutoReset(AutoReset),
}

/// ALE's sticky actions: a frame repeats the previous action with this probability. First in a list.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct StickyActions {
    /// Probability from 0 to 1; 0.25 by default.
    #[cfg_attr(test, ts(optional = nullable))]
    pub probability: f32,
}

impl Default for StickyActions {
    fn default() -> Self {
        Self { probability: 0.25 }
    }
}

/// Ends an episode when a life is lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct EpisodicLife {
    /// The number of lives to compare with: that after the previous step, or at the episode's start.
    #[cfg_attr(test, ts(optional = nullable))]
    pub compare: LivesBaseline,
    /// Which losses end an episode: those that leave lives, or all.
    #[cfg_attr(test, ts(optional = nullable))]
    pub ends: EndingLoss,
    /// What the reset after a lost life does.
    #[cfg_attr(test, ts(optional = nullable))]
    pub restart: Restart,
}

/// The number of lives that [`EpisodicLife`] compares with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum LivesBaseline {
    /// The lives after the step before.
    #[default]
    PreviousStep,
    /// The lives at the episode's start: losing a life that was won during the episode does not end it.
    EpisodeStart,
}

/// Which losses [`EpisodicLife`] turns into an end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum EndingLoss {
    /// A loss that leaves lives. The last life ends the episode only if the game ends with it.
    #[default]
    LivesLeft,
    /// Every loss, the last life included.
    Any,
}

/// What the reset after a lost life does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum Restart {
    /// The game continues after one step of NOOP.
    #[default]
    NoopStep,
    /// The game continues. The inner wrappers reset around it, with their steps of NOOP and their presses of FIRE. An inner
    /// time limit keeps its count. As in EnvPool, a reset by the caller starts the game where ends are followed by resets of
    /// their own.
    Continue,
    /// The whole game starts again.
    FullReset,
}

/// Presses FIRE after a reset, for games that wait for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct FireReset {
    /// The actions that are played.
    #[cfg_attr(test, ts(optional = nullable))]
    pub plays: FirePlays,
    /// Whether a game without FIRE is refused.
    #[cfg_attr(test, ts(optional = nullable))]
    pub without_fire: WithoutFire,
}

/// The actions that [`FireReset`] plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum FirePlays {
    /// One step of FIRE.
    #[default]
    Fire,
    /// One step of action 1, which must be FIRE, and one of action 2, starting again if either ends the episode. The
    /// observation is the second step's, even if the game was reset after it.
    FireAndSecond,
}

/// Whether [`FireReset`] refuses a game without FIRE.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum WithoutFire {
    /// The list is refused.
    #[default]
    Refuse,
    /// The wrapper does nothing.
    PassOn,
}

/// Plays NOOP for a random number of steps after a reset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct NoopReset {
    /// Largest number of steps; 30 by default.
    #[cfg_attr(test, ts(optional = nullable))]
    pub max: u32,
    /// How their number is drawn.
    #[cfg_attr(test, ts(optional = nullable))]
    pub draw: NoopDraw,
}

impl Default for NoopReset {
    fn default() -> Self {
        Self {
            max: 30,
            draw: NoopDraw::default(),
        }
    }
}

/// How [`NoopReset`] draws its number of steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum NoopDraw {
    /// 1 to `max`, from the environment's NumPy generator.
    #[default]
    Numpy,
    /// 0 to `max - 1` from a Mersenne twister, one less (but not below 0) where a FIRE was pressed.
    AleVector,
    /// 1 to `max` from a Mersenne twister, one less where a FIRE follows.
    Envpool,
}

/// Plays a random number of random actions at the start of a real episode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct StartWithRandomActions {
    /// Largest number of actions, drawn from 0 to `max`; 30 by default. They continue if the game ends during them.
    #[cfg_attr(test, ts(optional = nullable))]
    pub max: u32,
}

impl Default for StartWithRandomActions {
    fn default() -> Self {
        Self { max: 30 }
    }
}

/// Repeats an action for several frames.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct SkipFrames {
    /// Frames (steps of the inner wrapper) per step; 4 by default.
    #[cfg_attr(test, ts(optional = nullable))]
    pub n: u32,
    /// If given, each step has a random number of frames: `n` to `below - 1`, from the environment's generator, as in Gymnasium's
    /// `frameskip=(n, below)`. The observation is then the last frame.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional = nullable))]
    pub below: Option<u32>,
    /// Which of the frames make the observation.
    #[cfg_attr(test, ts(optional = nullable))]
    pub shows: Shows,
    /// The ends that cut a step short.
    #[cfg_attr(test, ts(optional = nullable))]
    pub stops_at: StopsAt,
}

impl Default for SkipFrames {
    fn default() -> Self {
        Self {
            n: 4,
            below: None,
            shows: Shows::default(),
            stops_at: StopsAt::default(),
        }
    }
}

/// Which frames of a [`SkipFrames`] step make its observation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum Shows {
    /// The last frame that was played.
    #[default]
    Last,
    /// As ALE's vector environment does it without max-pooling: the last of `n` frames. A step that ends an episode shows the picture
    /// of the step before.
    LastWithoutEndingFrame,
    /// The maximum of the last two frames that were played, or the only frame if the first one ended the step.
    MaxOfLastTwo,
    /// The maximum of two buffers, which the last two of `n` frames fill. A step cut short leaves older frames in them,
    /// and so does a reset.
    MaxOfTwoBuffers,
    /// As Gymnasium and ALE's vector environment do it: the pooled picture replaces the newer buffer, and the frame that
    /// ends an episode never reaches either, so that an early end shows the picture of the step before.
    MaxWithoutEndingFrame,
    /// As EnvPool does it: the maximum if the step was not cut short, else the first buffer, which may hold an older frame.
    MaxOrFirstBuffer,
}

/// The ends that cut a step of [`SkipFrames`] short.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum StopsAt {
    /// Any end that the wrappers below report.
    #[default]
    EpisodeEnd,
    /// Only an end for a lost life; a game that is over idles through the rest of the step.
    LostLife,
}

/// Converts to grey, crops and resizes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ImagePreprocessing {
    /// Width of the result, 84 by default; `null` keeps it.
    #[cfg_attr(test, ts(optional = nullable))]
    pub width: Option<usize>,
    /// Height of the result, 84 by default; `null` keeps it.
    #[cfg_attr(test, ts(optional = nullable))]
    pub height: Option<usize>,
    /// How colours become grey; `null` leaves them as they are.
    #[cfg_attr(test, ts(optional = nullable))]
    pub grey: Option<Grey>,
    /// How the picture is resized.
    #[cfg_attr(test, ts(optional = nullable))]
    pub interpolation: Interpolation,
    /// Only the first so many rows are used; `null` uses all.
    #[cfg_attr(test, ts(optional = nullable))]
    pub rows: Option<usize>,
}

impl Default for ImagePreprocessing {
    fn default() -> Self {
        Self {
            width: Some(84),
            height: Some(84),
            grey: Some(Grey::Opencv),
            interpolation: Interpolation::Area,
            rows: None,
        }
    }
}

/// Stacks the last observations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct QueueFrames {
    /// Observations in the stack; 4 by default.
    #[cfg_attr(test, ts(optional = nullable))]
    pub n: usize,
    /// Whether the stack's axis comes first or last.
    #[cfg_attr(test, ts(optional = nullable))]
    pub axis: Axis,
    /// Whether frames are joined along that existing axis instead of along a new one. Last, frames with channels are
    /// always joined along their channels, as `np.dstack` joins them.
    #[cfg_attr(test, ts(optional = nullable))]
    pub concat: bool,
    /// The content of the older places after a reset.
    #[cfg_attr(test, ts(optional = nullable))]
    pub padding: Padding,
}

impl Default for QueueFrames {
    fn default() -> Self {
        Self {
            n: 4,
            axis: Axis::First,
            concat: false,
            padding: Padding::Reset,
        }
    }
}

/// Where the axis of a stack is in its shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum Axis {
    /// Slowest: (n, 84, 84).
    First,
    /// Fastest: (84, 84, n).
    Last,
}

/// The content of the older places of a [`QueueFrames`] stack after a reset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum Padding {
    /// The reset's observation.
    Reset,
    /// Zeros.
    Zero,
    /// The reset's observation where the game itself starts again; an episode that goes on after a lost life keeps the older
    /// observations.
    GameReset,
}

/// Clips rewards to the range from -1 to 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ClipReward {
    /// How a reward is clipped; both ways agree on whole rewards.
    #[cfg_attr(test, ts(optional = nullable))]
    pub to: Clip,
}

/// How [`ClipReward`] clips.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum Clip {
    /// The reward's sign.
    #[default]
    Sign,
    /// The nearest number from -1 to 1.
    Range,
}

/// Truncates an episode after a number of steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct TimeLimit {
    /// Steps after which an episode is truncated; 27000 by default.
    #[cfg_attr(test, ts(optional = nullable))]
    pub steps: u32,
    /// Whether the last step may also be terminated.
    #[cfg_attr(test, ts(optional = nullable))]
    pub at_limit: AtLimit,
}

/// The flags of the step at which a [`TimeLimit`] ends an episode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum AtLimit {
    /// Truncated, and terminated if the episode ends at that very step anyway.
    #[default]
    Truncated,
    /// Truncated and nothing else, as in EnvPool.
    TruncatedOnly,
    /// Truncated, unless the episode is terminated at that very step, as in ALE's vector environment.
    UnlessTerminated,
}

impl Default for TimeLimit {
    fn default() -> Self {
        Self {
            steps: 27_000,
            at_limit: AtLimit::default(),
        }
    }
}

/// Starts the next episode without a call of reset. Last in a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct AutoReset {
    /// When the next episode starts: in the step after an end, by default, or in the step that ends an episode.
    #[cfg_attr(test, ts(optional, type = "Exclude<AutoresetMode, \"disabled\">"))]
    pub mode: AutoresetMode,
}

/// When the next episode starts after an end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum AutoresetMode {
    /// In the step after an end: its action is ignored and its reward is 0.
    #[default]
    NextStep,
    /// In the step that ends an episode: its observation is the next episode's first.
    SameStep,
    /// When the caller resets it. The wrapper [`AutoReset`] does not take this value.
    Disabled,
}

impl Wrapper {
    /// The wrapper's name, as the key `type` has it.
    pub fn name(&self) -> &'static str {
        match self {
            Self::StickyActions(_) => "StickyActions",
            Self::FrameBlending => "FrameBlending",
            Self::EpisodicLife(_) => "EpisodicLife",
            Self::FireReset(_) => "FireReset",
            Self::NoopReset(_) => "NoopReset",
            Self::StartWithRandomActions(_) => "StartWithRandomActions",
            Self::MaxBetweenFrames => "MaxBetweenFrames",
            Self::SkipFrames(_) => "SkipFrames",
            Self::ImagePreprocessing(_) => "ImagePreprocessing",
            Self::QueueFrames(_) => "QueueFrames",
            Self::ClipReward(_) => "ClipReward",
            Self::ScaledFloat => "ScaledFloat",
            Self::TimeLimit(_) => "TimeLimit",
            Self::EpisodeStatistics => "EpisodeStatistics",
            Self::AutoReset(_) => "AutoReset",
        }
    }
}
