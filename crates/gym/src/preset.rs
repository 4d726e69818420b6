//! Presets: named lists of wrappers.
//!
//! A preset with the name of a Python package gives the bytes of that package, quirks included. Each quirk is an option of a
//! wrapper. The preset `gym2600` has no quirks.

use crate::image::{Grey, Interpolation};
use crate::spec::{
    AtLimit, AutoReset, AutoresetMode, Axis, Clip, ClipReward, EndingLoss, EpisodicLife, FirePlays, FireReset,
    ImagePreprocessing, LivesBaseline, NoopDraw, NoopReset, Padding, QueueFrames, Restart, Seeding, Shows, SkipFrames,
    StartWithRandomActions, StickyActions, StopsAt, TimeLimit, WithoutFire, Wrapper,
};

/// A named list of wrappers, with the options of the console.
#[derive(Debug, Clone, Copy)]
pub struct Preset {
    /// Its name.
    pub name: &'static str,
    /// The Python code whose behaviour it has.
    pub about: &'static str,
    /// How a seed is used.
    pub seeding: Seeding,
    /// Frames after which ALE truncates an episode; 0 for never. A list may count frames itself, by a `TimeLimit` before its
    /// `SkipFrames`.
    pub max_frames_per_episode: u32,
    wrappers: fn() -> Vec<Wrapper>,
}

impl Preset {
    /// Its wrappers, from the console outwards.
    pub fn wrappers(&self) -> Vec<Wrapper> {
        (self.wrappers)()
    }
}

/// Half an hour of play, after which most presets and the environments without one end an episode.
pub(crate) const HALF_HOUR: u32 = 108_000;

/// All presets.
pub const PRESETS: [Preset; 7] = [
    Preset {
        name: "gym2600",
        about: "our recommendation: sticky actions, the maximum of the last two of four frames, grey, 84 x 84, four of them",
        seeding: Seeding::Gymnasium,
        max_frames_per_episode: HALF_HOUR,
        wrappers: gym2600,
    },
    Preset {
        name: "labml",
        about: "the Game of labml's annotated implementations: one life per episode, resets by itself",
        seeding: Seeding::Gymnasium,
        max_frames_per_episode: HALF_HOUR,
        wrappers: labml,
    },
    Preset {
        name: "nature-dqn",
        about: "the nature_dqn_env of the reinforcement learning notebooks, bilinear resize included",
        seeding: Seeding::Gym,
        max_frames_per_episode: HALF_HOUR,
        wrappers: nature_dqn,
    },
    Preset {
        name: "gymnasium",
        about: "Gymnasium's AtariPreprocessing and FrameStackObservation around ALE's v5 environments",
        seeding: Seeding::Gymnasium,
        max_frames_per_episode: HALF_HOUR,
        wrappers: gymnasium,
    },
    Preset {
        name: "ale-vector",
        about: "ale-py's AtariVectorEnv",
        seeding: Seeding::Native,
        max_frames_per_episode: 0,
        wrappers: ale_vector,
    },
    Preset {
        name: "envpool",
        about: "EnvPool's Atari environments",
        seeding: Seeding::Native,
        max_frames_per_episode: 0,
        wrappers: envpool,
    },
    Preset {
        name: "baselines",
        about: "OpenAI baselines' make_atari and wrap_deepmind with stacked frames",
        seeding: Seeding::Gymnasium,
        max_frames_per_episode: HALF_HOUR,
        wrappers: baselines,
    },
];

/// The preset with a name.
pub(crate) fn find(name: &str) -> Option<&'static Preset> {
    static ALL: [Preset; 7] = PRESETS;
    ALL.iter().find(|preset| preset.name == name)
}

/// The names of all presets, for messages.
pub(crate) fn names() -> String {
    PRESETS.map(|preset| preset.name).join(", ")
}

/// ALE's grey at full size. ALE's environments pool it before they resize.
fn ale_grey(rows: Option<usize>) -> Wrapper {
    Wrapper::ImagePreprocessing(ImagePreprocessing {
        width: None,
        height: None,
        grey: Some(Grey::Ale),
        rows,
        ..ImagePreprocessing::default()
    })
}

/// The resize after the maximum over frames.
fn resize() -> Wrapper {
    Wrapper::ImagePreprocessing(ImagePreprocessing {
        grey: None,
        ..ImagePreprocessing::default()
    })
}

fn skip(shows: Shows) -> Wrapper {
    Wrapper::SkipFrames(SkipFrames {
        shows: Some(shows),
        ..SkipFrames::default()
    })
}

fn fire(plays: FirePlays) -> Wrapper {
    Wrapper::FireReset(FireReset {
        plays,
        without_fire: WithoutFire::PassOn,
    })
}

fn noops(draw: NoopDraw) -> Wrapper {
    Wrapper::NoopReset(NoopReset { max: 30, draw })
}

fn queue(axis: Axis, padding: Padding) -> Wrapper {
    Wrapper::QueueFrames(QueueFrames {
        axis,
        padding,
        ..QueueFrames::default()
    })
}

fn auto_reset(mode: AutoresetMode) -> Wrapper {
    Wrapper::AutoReset(AutoReset { mode })
}

fn gym2600() -> Vec<Wrapper> {
    vec![
        Wrapper::StickyActions(StickyActions { probability: 0.25 }),
        skip(Shows::MaxOfLastTwo),
        Wrapper::ImagePreprocessing(ImagePreprocessing::default()),
        queue(Axis::First, Padding::Reset),
    ]
}

fn labml() -> Vec<Wrapper> {
    vec![
        Wrapper::EpisodicLife(EpisodicLife {
            compare: LivesBaseline::EpisodeStart,
            ends: EndingLoss::Any,
            restart: Restart::FullReset,
        }),
        Wrapper::ImagePreprocessing(ImagePreprocessing::default()),
        Wrapper::SkipFrames(SkipFrames {
            n: 4,
            shows: Some(Shows::MaxOfTwoBuffers),
            stops_at: StopsAt::LostLife,
            ..SkipFrames::default()
        }),
        queue(Axis::First, Padding::Reset),
        auto_reset(AutoresetMode::SameStep),
    ]
}

fn nature_dqn() -> Vec<Wrapper> {
    vec![
        Wrapper::EpisodicLife(EpisodicLife::default()),
        fire(FirePlays::FireAndSecond),
        Wrapper::StartWithRandomActions(StartWithRandomActions { max: 30 }),
        Wrapper::MaxBetweenFrames,
        skip(Shows::Last),
        // `nature_dqn_env` passes the interpolation as the destination, so OpenCV uses its default, bilinear.
        Wrapper::ImagePreprocessing(ImagePreprocessing {
            interpolation: Interpolation::Linear,
            ..ImagePreprocessing::default()
        }),
        queue(Axis::Last, Padding::Reset),
        Wrapper::ClipReward(ClipReward { to: Clip::Sign }),
    ]
}

fn gymnasium() -> Vec<Wrapper> {
    vec![
        Wrapper::StickyActions(StickyActions { probability: 0.25 }),
        noops(NoopDraw::Numpy),
        ale_grey(None),
        skip(Shows::MaxWithoutEndingFrame),
        resize(),
        queue(Axis::First, Padding::Reset),
    ]
}

fn ale_vector() -> Vec<Wrapper> {
    vec![
        fire(FirePlays::Fire),
        noops(NoopDraw::AleVector),
        ale_grey(None),
        // Counts the frames after the no-ops of a reset, which ALE's own limit counts too.
        Wrapper::TimeLimit(TimeLimit {
            steps: HALF_HOUR,
            at_limit: AtLimit::UnlessTerminated,
        }),
        skip(Shows::MaxWithoutEndingFrame),
        resize(),
        queue(Axis::First, Padding::Zero),
        Wrapper::ClipReward(ClipReward { to: Clip::Range }),
        auto_reset(AutoresetMode::NextStep),
    ]
}

fn envpool() -> Vec<Wrapper> {
    vec![
        noops(NoopDraw::Envpool),
        fire(FirePlays::Fire),
        ale_grey(Some(210)),
        skip(Shows::MaxOrFirstBuffer),
        resize(),
        Wrapper::TimeLimit(TimeLimit {
            steps: 27_000,
            at_limit: AtLimit::TruncatedOnly,
        }),
        queue(Axis::First, Padding::Reset),
        auto_reset(AutoresetMode::NextStep),
    ]
}

fn baselines() -> Vec<Wrapper> {
    vec![
        noops(NoopDraw::Numpy),
        skip(Shows::MaxOfTwoBuffers),
        Wrapper::EpisodicLife(EpisodicLife::default()),
        fire(FirePlays::FireAndSecond),
        Wrapper::ImagePreprocessing(ImagePreprocessing::default()),
        Wrapper::ClipReward(ClipReward { to: Clip::Sign }),
        queue(Axis::Last, Padding::Reset),
    ]
}
