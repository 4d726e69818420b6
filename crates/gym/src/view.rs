//! Views: observations in the form of their layer.
//!
//! A view stays in the cheapest form, palette indices, until a layer computes with bytes.

use crate::image::{Changes, Colours, Source, copy_rows};

/// An observation in the form of its layer.
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
    /// The tables if indices stand for greys; without them they stand for RGB. The maximum is taken of the greys or colours.
    pub(crate) shade: Option<&'static Colours>,
    /// The times at which rows of either picture changed, if they are known.
    pub(crate) changes: Option<Changes<'a>>,
}

/// The form of a layer's views. The second picture of a pair may be missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ViewKind {
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
