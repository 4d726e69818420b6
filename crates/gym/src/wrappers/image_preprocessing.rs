//! ImagePreprocessing: grey, crop and resize.

use gym2600_arcade::{Picture, WIDTH};

use super::picture::Shape;
use crate::chain::{Env, Form, Indices, Outcome, Reset, View};
use crate::image::{Colours, Grey, Resizer, RowSet, Source, copy_changed};

/// Makes small or grey pictures of large ones.
pub(crate) struct Preprocessor {
    resizer: Resizer,
    grey: Option<Grey>,
    colours: &'static Colours,
    picture: Vec<u8>,
    current: bool,
    /// The indices that `picture` was made of, where those below do not say what changes; else empty.
    seen: Vec<u8>,
    /// Whether `picture` was made of what is in `seen`, or of what the set of changed rows is about.
    in_step: bool,
}

impl Preprocessor {
    /// A wrapper around a level that shows `inner`, of which `height` rows are used.
    pub(crate) fn new(
        resizer: Resizer,
        grey: Option<Grey>,
        colours: &'static Colours,
        inner: &Shape,
        height: usize,
    ) -> Self {
        Self {
            picture: vec![0; resizer.output_len()],
            seen: vec![0; if inner.form == Form::Indexed { height * WIDTH } else { 0 }],
            resizer,
            grey,
            colours,
            current: false,
            in_step: false,
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
            let changed = self.changed(&view);
            self.resizer.run(&source, changed, &mut self.picture);
            self.current = true;
        }
        View::Bytes(&self.picture)
    }

    /// The rows of what is shown that may differ from what `picture` was made of.
    fn changed(&mut self, view: &View<'_>) -> RowSet {
        let mut changed = RowSet::NONE;
        let knows = match view {
            View::Indices(Indices {
                changed: Some(rows), ..
            }) => {
                changed = rows.replace(RowSet::NONE);
                true
            }
            View::Indices(Indices {
                first, second: None, ..
            }) if !self.seen.is_empty() => {
                copy_changed(first, &mut self.seen, WIDTH, &mut changed);
                true
            }
            _ => false,
        };
        let in_step = std::mem::replace(&mut self.in_step, knows);
        if in_step && knows { changed } else { RowSet::ALL }
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
