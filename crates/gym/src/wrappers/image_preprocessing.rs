//! ImagePreprocessing: grey, crop and resize.

use gym2600_arcade::Picture;

use crate::chain::{Env, Indices, Outcome, Reset, View};
use crate::image::{Colours, Grey, Resizer, Rows, Signatures, Source};

/// Makes small or grey pictures of large ones.
pub(crate) struct Preprocessor {
    resizer: Resizer,
    grey: Option<Grey>,
    colours: &'static Colours,
    picture: Vec<u8>,
    current: bool,
    /// Those of the indices that `picture` was made of, if it was made of indices.
    signatures: Signatures,
}

impl Preprocessor {
    /// A wrapper around a level of whose pictures `height` rows are used.
    pub(crate) fn new(resizer: Resizer, grey: Option<Grey>, colours: &'static Colours, height: usize) -> Self {
        Self {
            picture: vec![0; resizer.output_len()],
            resizer,
            grey,
            colours,
            current: false,
            signatures: Signatures::new(height),
        }
    }

    pub(crate) fn step(&mut self, inner: &mut Env<'_>, action: u32, picture: Picture) -> Outcome {
        self.current = false;
        inner.step(action, picture)
    }

    pub(crate) fn reset(&mut self, inner: &mut Env<'_>, reset: Reset) {
        self.current = false;
        inner.reset(reset);
    }

    /// The picture is of another state. It is no part of that: it is made again of what the level below shows, where that differs.
    pub(crate) fn restored(&mut self) {
        self.current = false;
    }

    pub(crate) fn view<'a>(&'a mut self, inner: Env<'a>) -> View<'a> {
        if !self.current {
            let view = inner.into_view();
            let source = match (&view, self.grey) {
                (View::Indices(indices), Some(_)) => indices.grey_source(self.colours),
                (View::Indices(indices), None) => indices.source(self.colours),
                (View::Bytes(pixels) | View::Ring(pixels, _), Some(grey)) => Source::GreyOfRgb { pixels, grey },
                (View::Bytes(pixels) | View::Ring(pixels, _), None) => Source::Bytes { pixels },
            };
            let changed = match &view {
                View::Indices(Indices {
                    signatures: Some((first, second)),
                    ..
                }) => Some(self.signatures.note(first, *second)),
                _ => None,
            };
            let about = if let Some(changed) = changed {
                Rows {
                    changed,
                    signatures: Some(self.signatures.rows()),
                }
            } else {
                self.signatures.forget();
                Rows::ANY
            };
            self.resizer.run(&source, &about, &mut self.picture);
            self.current = true;
        }
        View::Bytes(&self.picture)
    }
}

/// Shows palette indices as greys, without looking them up: whoever resizes them does.
pub(crate) struct Shader {
    pub(crate) colours: &'static Colours,
    /// Pixels that are left of the picture.
    pub(crate) pixels: usize,
}

impl Shader {
    pub(crate) fn view<'a>(&'a self, inner: Env<'a>) -> View<'a> {
        match inner.into_view() {
            View::Indices(indices) => View::Indices(Indices {
                first: &indices.first[..self.pixels],
                shade: Some(self.colours),
                ..indices
            }),
            view => view,
        }
    }
}
