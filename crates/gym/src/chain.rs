//! How wrappers call each other.
//!
//! An [`Env`] is a console and the wrappers around it up to some level. Stepping or resetting one calls its outermost
//! wrapper, which calls the Env inside it as often as it likes. Pictures are pulled, not pushed: after a step or a reset,
//! [`Env::view`] makes the observation, and what nobody looks at is never made. A view stays in the form in which it is
//! cheapest, palette indices, until a wrapper has to compute with bytes.

use gym2600_arcade::Picture;

use crate::console::Console;
use crate::image::{Changes, Colours, Source, copy_rows};
use crate::record::Episode;
use crate::wrappers::Layer;

/// The result of a step, at any level.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Outcome {
    pub(crate) reward: f64,
    /// The reward before any wrapper clipped it.
    pub(crate) raw_reward: f64,
    pub(crate) terminated: bool,
    pub(crate) truncated: bool,
    /// Whether the game itself ended, where a wrapper tells that from a lost life.
    pub(crate) real_done: Option<bool>,
    /// Whether the step is truncated and must not be terminated too.
    pub(crate) only_truncated: bool,
    /// Whether a wrapper ended the episode because a life was lost.
    pub(crate) life_lost: bool,
    pub(crate) episode: Option<Episode>,
}

impl Outcome {
    pub(crate) fn ended(&self) -> bool {
        self.terminated || self.truncated
    }
}

/// What a reset starts again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reset {
    /// The game, and everything around it.
    Game {
        /// What to seed the generators with first.
        seed: Option<u64>,
    },
    /// Only what is around the game, which goes on.
    Wrappers,
}

impl Reset {
    /// A reset of the game that lets the generators run on.
    pub(crate) const AGAIN: Self = Self::Game { seed: None };

    /// The same for a game that ended while it was reset.
    pub(crate) fn repeated(self) -> Self {
        match self {
            Self::Game { .. } => self,
            Self::Wrappers => Self::AGAIN,
        }
    }
}

/// An observation in the form in which a level has it.
#[derive(Clone, Copy)]
pub(crate) enum View<'a> {
    /// Pictures of palette indices.
    Indices(Indices<'a>),
    /// The observation's own bytes.
    Bytes(&'a [u8]),
    /// The observation's own bytes, beginning with those from `start`, before which come the last ones.
    Ring(&'a [u8], usize),
}

/// One picture of palette indices, or two of which the brighter is meant.
#[derive(Clone, Copy)]
pub(crate) struct Indices<'a> {
    pub(crate) first: &'a [u8],
    pub(crate) second: Option<&'a [u8]>,
    /// As an observation, indices are RGB, or grey of these tables. The brighter is that of the colours or of the greys.
    pub(crate) shade: Option<&'static Colours>,
    /// When the rows of either picture changed, if that is known.
    pub(crate) changes: Option<Changes<'a>>,
}

/// The form in which a level's views come. Where two pictures are expected there may be one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Indexed,
    Pair,
    Bytes,
}

impl View<'_> {
    /// Writes the observation's bytes; `colours` for indices, which are RGB unless they say otherwise.
    pub(crate) fn write(&self, colours: &Colours, row_len: usize, out: &mut [u8]) {
        match *self {
            View::Indices(indices) => copy_rows(&indices.source(colours), row_len, out),
            View::Bytes(bytes) => out.copy_from_slice(bytes),
            View::Ring(bytes, start) => {
                let (newer, older) = bytes.split_at(start);
                out[..older.len()].copy_from_slice(older);
                out[older.len()..].copy_from_slice(newer);
            }
        }
    }
}

impl<'a> Indices<'a> {
    /// One picture, in colour.
    pub(crate) fn of(pixels: &'a [u8]) -> Self {
        Self {
            first: pixels,
            second: None,
            shade: None,
            changes: None,
        }
    }

    /// The picture as the observation that is meant.
    pub(crate) fn source(&self, colours: &'a Colours) -> Source<'a> {
        let &Self {
            first, second, shade, ..
        } = self;
        match (second, shade) {
            (None, None) => Source::Rgb { pixels: first, colours },
            (Some(second), None) => Source::BrighterRgb { first, second, colours },
            (None, Some(colours)) => Source::Grey { pixels: first, colours },
            (Some(second), Some(colours)) => Source::GreyPair { first, second, colours },
        }
    }

    /// The grey of a picture in colour.
    pub(crate) fn grey_source(&self, colours: &'a Colours) -> Source<'a> {
        let &Self { first, second, .. } = self;
        match second {
            None => Source::Grey { pixels: first, colours },
            Some(second) => Source::BrighterGrey {
                first,
                second,
                colours,
                brighter: colours.brighter_grey(),
            },
        }
    }
}

/// A console and the wrappers around it, innermost first.
pub(crate) struct Env<'a> {
    pub(crate) console: &'a mut Console,
    pub(crate) layers: &'a mut [Layer],
}

impl<'a> Env<'a> {
    /// Steps the outermost wrapper. `picture` says whether the caller will surely look at the result.
    pub(crate) fn step(&mut self, action: u32, picture: Picture) -> Outcome {
        match self.layers.split_last_mut() {
            None => self.console.step(action, picture),
            Some((outer, layers)) => outer.step(
                &mut Env {
                    console: self.console,
                    layers,
                },
                action,
                picture,
            ),
        }
    }

    /// Resets the outermost wrapper.
    pub(crate) fn reset(&mut self, reset: Reset) {
        match self.layers.split_last_mut() {
            None => self.console.reset(reset),
            Some((outer, layers)) => outer.reset(
                &mut Env {
                    console: self.console,
                    layers,
                },
                reset,
            ),
        }
    }

    /// What the outermost wrapper shows after its last step or reset.
    pub(crate) fn into_view(self) -> View<'a> {
        match self.layers.split_last_mut() {
            None => self.console.view(),
            Some((outer, layers)) => outer.view(Env {
                console: self.console,
                layers,
            }),
        }
    }

    /// [`Env::into_view`] of a borrowed environment.
    pub(crate) fn view(&mut self) -> View<'_> {
        Env {
            console: self.console,
            layers: self.layers,
        }
        .into_view()
    }

    pub(crate) fn lives(&self) -> i32 {
        self.console.lives()
    }
}
