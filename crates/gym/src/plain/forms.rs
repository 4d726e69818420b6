//! What the types of this crate look like as plain data.

use super::{Fields, Plain, Record, Slot, Value, fill_field};
use crate::image::{Grey, Interpolation};
use crate::options::{Autoreset, GameOptions};
use crate::spaces::{Dtype, Observation, Space};
use crate::spec::*;
use std::borrow::Cow;

/// Types whose values are words.
macro_rules! words {
    ($($type:ident { $($variant:ident = $word:literal),* })*) => {$(
        impl Plain for $type {
            fn read(value: &Value) -> Result<Self, String> {
                Ok([$($type::$variant),*][place(value, &[$($word),*])?])
            }

            fn write(&self) -> Value {
                Value::Text(Cow::Borrowed(match self { $($type::$variant => $word),* }))
            }
        }
    )*};
}

/// Types whose values are objects.
macro_rules! records {
    ($($type:ident { $($field:ident = $name:literal),* })*) => {$(
        impl Record for $type {
            fn fields(&mut self) -> Fields<'_> {
                let Self { $($field),* } = self;
                vec![$(($name, $field as &mut dyn Slot)),*]
            }
        }
    )*};
}

words! {
    LivesBaseline { PreviousStep = "previousStep", EpisodeStart = "episodeStart" }
    EndingLoss { LivesLeft = "livesLeft", Any = "any" }
    Restart { NoopStep = "noopStep", Continue = "continue", FullReset = "fullReset" }
    FirePlays { Fire = "fire", FireAndSecond = "fireAndSecond" }
    WithoutFire { Refuse = "refuse", PassOn = "passOn" }
    NoopDraw { Numpy = "numpy", AleVector = "aleVector", Envpool = "envpool" }
    Shows {
        Last = "last",
        BrighterOfLastTwo = "brighterOfLastTwo",
        BrighterOfTwoBuffers = "brighterOfTwoBuffers",
        BrighterWithoutEndingFrame = "brighterWithoutEndingFrame",
        BrighterOrFirstBuffer = "brighterOrFirstBuffer"
    }
    StopsAt { EpisodeEnd = "episodeEnd", LostLife = "lostLife" }
    Grey { Opencv = "opencv", Ale = "ale" }
    Interpolation { Area = "area", Linear = "linear" }
    Axis { First = "first", Last = "last" }
    Padding { Reset = "reset", Zero = "zero", GameReset = "gameReset" }
    Clip { Sign = "sign", Range = "range" }
    AtLimit { Truncated = "truncated", TruncatedOnly = "truncatedOnly" }
    AutoResetMode { NextStep = "next-step", SameStep = "same-step" }
    Autoreset { NextStep = "next-step", SameStep = "same-step", Disabled = "disabled" }
    Seeding { Gymnasium = "gymnasium", Gym = "gym", Native = "native" }
    Observation { Rgb = "rgb", Grey = "grey", Ram = "ram" }
    Dtype { Uint8 = "uint8", Float32 = "float32" }
}

records! {
    StickyActions { probability = "probability" }
    EpisodicLife { compare = "compare", ends = "ends", restart = "restart" }
    FireReset { plays = "plays", without_fire = "withoutFire" }
    NoopReset { max = "max", draw = "draw" }
    StartWithRandomActions { max = "max" }
    SkipFrames { n = "n", shows = "shows", stops_at = "stopsAt" }
    ImagePreprocessing {
        width = "width",
        height = "height",
        grey = "grey",
        interpolation = "interpolation",
        rows = "rows"
    }
    QueueFrames { n = "n", axis = "axis", concat = "concat", padding = "padding" }
    ClipReward { to = "to" }
    TimeLimit { steps = "steps", at_limit = "atLimit" }
    AutoReset { mode = "mode" }
    Space { shape = "shape", dtype = "dtype" }
    Spec {
        preset = "preset",
        game = "game",
        observation = "observation",
        seeding = "seeding",
        full_action_space = "fullActionSpace",
        max_frames_per_episode = "maxFramesPerEpisode",
        truncate_on_loss_of_life = "truncateOnLossOfLife",
        mode = "mode",
        difficulty = "difficulty",
        wrappers = "wrappers"
    }
    GameOptions {
        preset = "preset",
        wrappers = "wrappers",
        seed = "seed",
        mode = "mode",
        difficulty = "difficulty",
        repeat_action_probability = "repeatActionProbability",
        full_action_space = "fullActionSpace",
        max_frames_per_episode = "maxFramesPerEpisode",
        truncate_on_loss_of_life = "truncateOnLossOfLife",
        sound_obs = "soundObs",
        observation = "observation",
        seeding = "seeding",
        autoreset = "autoreset",
        game = "game"
    }
}

impl Record for Wrapper {
    fn fields(&mut self) -> Fields<'_> {
        match self {
            Self::StickyActions(options) => options.fields(),
            Self::EpisodicLife(options) => options.fields(),
            Self::FireReset(options) => options.fields(),
            Self::NoopReset(options) => options.fields(),
            Self::StartWithRandomActions(options) => options.fields(),
            Self::SkipFrames(options) => options.fields(),
            Self::ImagePreprocessing(options) => options.fields(),
            Self::QueueFrames(options) => options.fields(),
            Self::ClipReward(options) => options.fields(),
            Self::TimeLimit(options) => options.fields(),
            Self::AutoReset(options) => options.fields(),
            Self::FrameBlending | Self::MaxBetweenFrames | Self::ScaledFloat | Self::EpisodeStatistics => Vec::new(),
        }
    }
}

/// Where an object has its wrapper's name.
const TAG: &str = "type";

/// Every wrapper, with its defaults.
fn wrappers() -> [Wrapper; 15] {
    [
        Wrapper::StickyActions(StickyActions::default()),
        Wrapper::FrameBlending,
        Wrapper::EpisodicLife(EpisodicLife::default()),
        Wrapper::FireReset(FireReset::default()),
        Wrapper::NoopReset(NoopReset::default()),
        Wrapper::StartWithRandomActions(StartWithRandomActions::default()),
        Wrapper::MaxBetweenFrames,
        Wrapper::SkipFrames(SkipFrames::default()),
        Wrapper::ImagePreprocessing(ImagePreprocessing::default()),
        Wrapper::QueueFrames(QueueFrames::default()),
        Wrapper::ClipReward(ClipReward::default()),
        Wrapper::ScaledFloat,
        Wrapper::TimeLimit(TimeLimit::default()),
        Wrapper::EpisodeStatistics,
        Wrapper::AutoReset(AutoReset::default()),
    ]
}

impl Plain for Wrapper {
    fn read(value: &Value) -> Result<Self, String> {
        let (name, options) = match value {
            Value::Object(options) => {
                let tag = options.iter().find(|(key, _)| key == TAG);
                (&tag.ok_or("missing field `type`")?.1, options.as_slice())
            }
            Value::Text(_) => (value, [].as_slice()),
            _ => return Err(value.misfit("a wrapper: its name, or an object with its name as \"type\"")),
        };
        let mut wrappers = wrappers();
        let place = match name {
            Value::Text(_) => place(name, &wrappers.each_ref().map(Wrapper::name))?,
            _ => return Err(name.misfit("variant identifier")),
        };
        let wrapper = &mut wrappers[place];
        let mut fields = wrapper.fields();
        // serde does not look at what a wrapper without options is given.
        if !fields.is_empty() {
            for (name, value) in options.iter().filter(|(name, _)| name != TAG) {
                fill_field(&mut fields, name, value)?;
            }
        }
        Ok(wrapper.clone())
    }

    fn write(&self) -> Value {
        let name = Value::Text(self.name().into());
        object_of([(TAG, name)].into(), self.clone().fields())
    }
}

/// An object of these and the fields.
pub(super) fn object_of(mut first: Vec<(&'static str, Value)>, fields: Fields<'_>) -> Value {
    first.extend(fields.into_iter().map(|(name, slot)| (name, slot.content())));
    Value::object(first)
}

/// Which of the words the value is.
fn place(value: &Value, words: &[&'static str]) -> Result<usize, String> {
    let Value::Text(text) = value else {
        return Err(value.misfit("string or map"));
    };
    words
        .iter()
        .position(|word| word == text)
        .ok_or_else(|| unknown("variant", text, words))
}

/// The complaint about a name that is none of those known.
pub(super) fn unknown(what: &str, name: &str, known: &[&str]) -> String {
    let expected = match *known {
        [] => format!("there are no {what}s"),
        [one] => format!("expected `{one}`"),
        [one, other] => format!("expected `{one}` or `{other}`"),
        _ => format!("expected one of `{}`", known.join("`, `")),
    };
    format!("unknown {what} `{name}`, {expected}")
}
