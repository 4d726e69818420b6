//! Wrappers as data: what a list of them may say, and how it is written as JSON.
//!
//! A list goes from the console outwards: the first wrapper is next to the game, the last one next to the agent, in the
//! order in which Python code would write `env = Wrapper(env)`. Each is an object with a `type` and its options in
//! camelCase, `{"type": "SkipFrames", "n": 4}`, or just its name where every option may keep its default: `"ClipReward"`.
//! Options left out have the default of the wrapper that the type is named after, without any preset's quirk.

mod form;

use serde::{Deserialize, Serialize};
use std::fmt;

use crate::image::{Grey, Interpolation};
use crate::plain::Decimal;
use crate::spaces::Observation;

/// One wrapper of a list, with its options.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", remote = "Self")]
pub enum Wrapper {
    /// ALE's sticky actions: every frame, with this probability, the previous action is played instead. First in a list.
    StickyActions(StickyActions),
    /// ALE's colour averaging: every frame is blended with the one before it. Before any wrapper but `StickyActions`.
    FrameBlending,
    /// Ends an episode when a life is lost.
    EpisodicLife(EpisodicLife),
    /// Presses FIRE after a reset, for games that wait for it.
    FireReset(FireReset),
    /// Does nothing for a random number of frames after a reset.
    NoopReset(NoopReset),
    /// Plays a random number of random actions at the start of a real episode.
    StartWithRandomActions(StartWithRandomActions),
    /// Shows the brighter of this frame and the one before it.
    MaxBetweenFrames,
    /// Plays an action for several frames.
    SkipFrames(SkipFrames),
    /// Grey, crop and resize.
    ImagePreprocessing(ImagePreprocessing),
    /// Stacks the last observations.
    QueueFrames(QueueFrames),
    /// Reduces rewards to -1, 0 and 1.
    ClipReward(ClipReward),
    /// Observations as floats from 0 to 1.
    ScaledFloat,
    /// Truncates an episode after a number of steps.
    TimeLimit(TimeLimit),
    /// Where an episode's reward and length are counted; without it they are counted next to the agent.
    EpisodeStatistics,
    /// Starts the next episode by itself. Last in a list.
    AutoReset(AutoReset),
}

/// Options of [`Wrapper::StickyActions`].
#[derive(Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct StickyActions {
    /// Probability from 0 to 1 that a frame repeats the previous action.
    pub probability: f32,
}

// As it would be derived, but without the standard library's way of writing floats.
impl fmt::Debug for StickyActions {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut fields = formatter.debug_struct("StickyActions");
        fields.field("probability", &Decimal::from(self.probability)).finish()
    }
}

impl Default for StickyActions {
    fn default() -> Self {
        Self { probability: 0.25 }
    }
}

/// Options of [`Wrapper::EpisodicLife`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct EpisodicLife {
    /// What the number of lives is compared with.
    pub compare: LivesBaseline,
    /// Which losses end an episode.
    pub ends: EndingLoss,
    /// What the reset after a lost life does.
    pub restart: Restart,
}

/// What [`EpisodicLife`] compares the number of lives with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum LivesBaseline {
    /// The lives after the step before.
    #[default]
    PreviousStep,
    /// The lives at the episode's start: a life won and lost again does not end it.
    EpisodeStart,
}

/// Which losses [`EpisodicLife`] turns into an end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum EndingLoss {
    /// A loss that leaves lives; the last one ends the game by itself, if the game says so.
    #[default]
    LivesLeft,
    /// Every loss, also down to none.
    Any,
}

/// What the reset after a lost life does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Restart {
    /// The game goes on after one step of no action.
    #[default]
    NoopStep,
    /// The game goes on where it is; the wrappers below reset around it, with their steps of no action and their presses of
    /// FIRE. A time limit below counts on.
    Continue,
    /// The whole game starts again.
    FullReset,
}

/// Options of [`Wrapper::FireReset`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct FireReset {
    /// What is played.
    pub plays: FirePlays,
    /// What happens in a game without FIRE.
    pub without_fire: WithoutFire,
}

/// What [`FireReset`] plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum FirePlays {
    /// One step of FIRE.
    #[default]
    Fire,
    /// One step of action 1, which must be FIRE, and one of action 2, starting again if either ends the episode. The
    /// observation is the second step's, even if the game was reset after it.
    FireAndSecond,
}

/// What [`FireReset`] does in a game without FIRE.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum WithoutFire {
    /// The list is refused.
    #[default]
    Refuse,
    /// The wrapper does nothing.
    PassOn,
}

/// Options of [`Wrapper::NoopReset`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct NoopReset {
    /// Most steps without action.
    pub max: u32,
    /// How their number is drawn.
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

/// Options of [`Wrapper::StartWithRandomActions`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct StartWithRandomActions {
    /// Most random actions; their number is 0 to `max`. Should the game end during them, they go on regardless.
    pub max: u32,
}

impl Default for StartWithRandomActions {
    fn default() -> Self {
        Self { max: 30 }
    }
}

/// Options of [`Wrapper::SkipFrames`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct SkipFrames {
    /// Frames (steps of the wrapper below) per step.
    pub n: u32,
    /// Which of them are shown.
    pub shows: Shows,
    /// What cuts a step short.
    pub stops_at: StopsAt,
}

impl Default for SkipFrames {
    fn default() -> Self {
        Self {
            n: 4,
            shows: Shows::default(),
            stops_at: StopsAt::default(),
        }
    }
}

/// Which frames of a [`SkipFrames`] step make its observation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Shows {
    /// The last frame that was played.
    #[default]
    Last,
    /// The brighter of the last two frames that were played; of the only one, if it was the first.
    BrighterOfLastTwo,
    /// The brighter of two buffers, which the last two of `n` frames fill. A step cut short leaves older frames in them,
    /// and so does a reset.
    BrighterOfTwoBuffers,
    /// As Gymnasium and ALE's vector environment do it: the pooled picture replaces the newer buffer, and the frame that
    /// ends an episode never reaches either, so that an early end shows the picture of the step before.
    BrighterWithoutEndingFrame,
    /// As EnvPool does it: pooled only if the step was not cut short; else whatever the first buffer holds.
    BrighterOrFirstBuffer,
}

/// What cuts a [`SkipFrames`] step short.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum StopsAt {
    /// Any end that the wrappers below report.
    #[default]
    EpisodeEnd,
    /// Only an end for a lost life; a game that is over idles through the rest of the step.
    LostLife,
}

/// Options of [`Wrapper::ImagePreprocessing`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ImagePreprocessing {
    /// Width of the result; `null` keeps it.
    pub width: Option<usize>,
    /// Height of the result; `null` keeps it.
    pub height: Option<usize>,
    /// How colours become grey; `null` leaves them as they are.
    pub grey: Option<Grey>,
    /// How the picture is resized.
    pub interpolation: Interpolation,
    /// Only the first so many rows are used; `null` uses all.
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

/// Options of [`Wrapper::QueueFrames`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct QueueFrames {
    /// Observations in the stack.
    pub n: usize,
    /// Whether the stack's axis comes first or last.
    pub axis: Axis,
    /// Whether frames are joined along that existing axis instead of along a new one. Last, frames with channels are
    /// always joined along their channels, as `np.dstack` joins them.
    pub concat: bool,
    /// What a reset fills the older places with.
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

/// An end of a shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Axis {
    /// Slowest: (n, 84, 84).
    First,
    /// Fastest: (84, 84, n).
    Last,
}

/// What a reset fills the older places of a [`QueueFrames`] stack with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
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

/// Options of [`Wrapper::ClipReward`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ClipReward {
    /// How; whole rewards give the same either way.
    pub to: Clip,
}

/// How [`ClipReward`] clips.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Clip {
    /// The reward's sign.
    #[default]
    Sign,
    /// The nearest number from -1 to 1.
    Range,
}

/// Options of [`Wrapper::TimeLimit`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct TimeLimit {
    /// Steps after which an episode is truncated.
    pub steps: u32,
    /// What else its last step may be.
    pub at_limit: AtLimit,
}

/// What the step is at which a [`TimeLimit`] ends an episode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum AtLimit {
    /// Truncated, and terminated if the episode ends at that very step anyway.
    #[default]
    Truncated,
    /// Truncated and nothing else, as in EnvPool.
    TruncatedOnly,
}

impl Default for TimeLimit {
    fn default() -> Self {
        Self {
            steps: 27_000,
            at_limit: AtLimit::default(),
        }
    }
}

/// Options of [`Wrapper::AutoReset`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct AutoReset {
    /// When the next episode starts.
    pub mode: AutoResetMode,
}

/// When [`AutoReset`] starts the next episode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AutoResetMode {
    /// In the step after an end: its action is ignored and its reward is 0.
    #[default]
    NextStep,
    /// In the step that ends an episode: its observation is the next episode's first.
    SameStep,
}

/// How a seed reaches the generators.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Seeding {
    /// As Gymnasium's ALE environment: NumPy's `SeedSequence` makes ALE's seed and the environment's generator of it, and a
    /// reset with a seed seeds again whenever a wrapper repeats that reset.
    #[default]
    Gymnasium,
    /// The same numbers, but seeded once, before the reset, as old Gym's `env.seed(seed)` did; `np.random` and the action
    /// space are seeded with the same number.
    Gym,
    /// As native vector environments: the seed itself is ALE's, and seeds a Mersenne twister.
    Native,
}

/// Everything that an environment was made with: what [`crate::Game::spec`] reports.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Spec {
    /// The preset's name, if it was made from one.
    pub preset: Option<String>,
    /// The game's short name.
    pub game: String,
    /// What the console shows the first wrapper.
    pub observation: Observation,
    /// How a seed is used.
    pub seeding: Seeding,
    /// Whether all of the game's legal actions are offered instead of the minimal set.
    pub full_action_space: bool,
    /// Frames after which ALE truncates an episode; 0 for never.
    pub max_frames_per_episode: u32,
    /// Whether ALE truncates an episode when a life is lost.
    pub truncate_on_loss_of_life: bool,
    /// The game's mode, if not its default.
    pub mode: Option<u32>,
    /// The difficulty, if not the default.
    pub difficulty: Option<u32>,
    /// The wrappers, from the console outwards.
    pub wrappers: Vec<Wrapper>,
}

impl Wrapper {
    /// The name that `type` gives it.
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
