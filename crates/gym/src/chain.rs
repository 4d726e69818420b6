//! The chain of wrappers.
//!
//! An [`Env`] is a console and the wrappers around it up to some level. A step or a reset calls the outermost wrapper, which
//! calls the Env inside it any number of times. Pictures are pulled, not pushed: [`Env::view`] makes the observation after a
//! step or a reset, and an observation that is not viewed is never made. A view consists of palette indices, the cheapest form,
//! until a wrapper has to compute with bytes.

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
    /// Whether the game itself ended, if a wrapper distinguishes that from a lost life.
    pub(crate) real_done: Option<bool>,
    /// Whether the step is truncated and cannot be terminated too.
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

/// The part of an environment that a reset restarts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reset {
    /// The game and all wrappers.
    Game {
        /// The seed for the generators.
        seed: Option<u64>,
    },
    /// The wrappers only. The game continues.
    Wrappers,
}

impl Reset {
    /// A reset of the game that does not seed the generators.
    pub(crate) const AGAIN: Self = Self::Game { seed: None };

    /// The same for a game that ended while it was reset.
    pub(crate) fn repeated(self) -> Self {
        match self {
            Self::Game { .. } => self,
            Self::Wrappers => Self::AGAIN,
        }
    }
}

/// An observation in the form of its level.
#[derive(Clone, Copy)]
pub(crate) enum View<'a> {
    /// Pictures of palette indices.
    Indices(Indices<'a>),
    /// The observation's own bytes.
    Bytes(&'a [u8]),
    /// The observation's own bytes as a ring: those from `start` come first.
    Ring(&'a [u8], usize),
}

/// One picture of palette indices, or two that stand for their maximum.
#[derive(Clone, Copy)]
pub(crate) struct Indices<'a> {
    pub(crate) first: &'a [u8],
    pub(crate) second: Option<&'a [u8]>,
    /// The tables if indices stand for greys. Without them they stand for RGB. The maximum is that of the greys or colours.
    pub(crate) shade: Option<&'static Colours>,
    /// The times at which rows of either picture changed, if they are known.
    pub(crate) changes: Option<Changes<'a>>,
}

/// The form of a level's views. A view with the form of two pictures may have one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Indexed,
    Pair,
    Bytes,
}

impl View<'_> {
    /// Writes the observation's bytes. `colours` is for indices, which stand for RGB by default.
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

    /// The observation that the picture stands for.
    pub(crate) fn source(&self, colours: &'a Colours) -> Source<'a> {
        let &Self {
            first, second, shade, ..
        } = self;
        match (second, shade) {
            (None, None) => Source::Rgb { pixels: first, colours },
            (Some(second), None) => Source::MaxRgb { first, second, colours },
            (None, Some(colours)) => Source::Grey { pixels: first, colours },
            (Some(second), Some(colours)) => Source::GreyPair { first, second, colours },
        }
    }

    /// The grey of a picture in colour.
    pub(crate) fn grey_source(&self, colours: &'a Colours) -> Source<'a> {
        let &Self { first, second, .. } = self;
        match second {
            None => Source::Grey { pixels: first, colours },
            Some(second) => Source::MaxGrey {
                first,
                second,
                colours,
                max_grey: colours.max_grey(),
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
    /// Steps the outermost wrapper. `picture` tells whether the caller will view the result.
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

    /// The observation of the outermost wrapper after its last step or reset.
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
