//! How wrappers call each other.
//!
//! An [`Env`] is a console and the wrappers around it up to some level. Stepping or resetting one calls its outermost
//! wrapper, which calls the Env inside it as often as it likes. Pictures are pulled, not pushed: after a step or a reset,
//! [`Env::view`] makes the observation, and what nobody looks at is never made. A view stays in the form in which it is
//! cheapest, palette indices, until a wrapper has to compute with bytes.

use gym2600_arcade::Picture;

use crate::Episode;
use crate::console::Console;
use crate::image::{Colours, Source, copy_rows};
use crate::wrappers::Layer;

/// The result of a step, at any level.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Outcome {
    pub(crate) reward: f64,
    pub(crate) terminated: bool,
    pub(crate) truncated: bool,
    /// Whether the game itself ended, where a wrapper tells that from a lost life.
    pub(crate) real_done: Option<bool>,
    /// Whether a wrapper ended the episode because a life was lost.
    pub(crate) life_lost: bool,
    pub(crate) episode: Option<Episode>,
}

impl Outcome {
    pub(crate) fn ended(&self) -> bool {
        self.terminated || self.truncated
    }
}

/// An observation in the form in which a level has it.
#[derive(Clone, Copy)]
pub(crate) enum View<'a> {
    /// Palette indices; as an observation, RGB.
    Indexed(&'a [u8]),
    /// Two pictures of palette indices; as an observation, the brighter of the two in RGB.
    Pair(&'a [u8], &'a [u8]),
    /// The observation's own bytes.
    Bytes(&'a [u8]),
}

/// The form that a level's views always have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Indexed,
    Pair,
    Bytes,
}

impl View<'_> {
    /// Writes the observation's bytes.
    pub(crate) fn write(&self, colours: &Colours, row_len: usize, out: &mut [u8]) {
        match *self {
            View::Indexed(pixels) => copy_rows(&Source::Rgb { pixels, colours }, row_len, out),
            View::Pair(first, second) => {
                copy_rows(&Source::BrighterRgb { first, second, colours }, row_len, out);
            }
            View::Bytes(bytes) => out.copy_from_slice(bytes),
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
    pub(crate) fn reset(&mut self, seed: Option<u64>) {
        match self.layers.split_last_mut() {
            None => self.console.reset(seed),
            Some((outer, layers)) => outer.reset(
                &mut Env {
                    console: self.console,
                    layers,
                },
                seed,
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
