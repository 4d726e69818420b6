//! ImagePreprocessing: grey, crop and resize.

use std::mem::replace;

use gym2600_arcade::Drawing;

use super::Env;
use crate::image::{Colours, Grey, Resizer, RowSet, Source, update_rows};
use crate::transition::{ResetScope, Transition};
use crate::view::{Indices, View, ViewKind};

/// Resizes pictures and converts them to grey. Only the rows that depend on changed rows are computed.
pub(crate) struct Preprocessor {
    resizer: Resizer,
    grey: Option<Grey>,
    colours: &'static Colours,
    /// The resized picture.
    picture: Vec<u8>,
    /// Whether `picture` is up to date with the wrapped environment.
    current: bool,
    /// The source of `picture`.
    made_of: MadeOf,
    /// A copy of the last picture that came as single indices, to compare the next one with. Empty for other forms.
    indices: Vec<u8>,
}

/// The source of a resized picture.
#[derive(Clone, Copy, PartialEq, Eq)]
enum MadeOf {
    /// The picture that was copied to `indices`.
    Copied,
    /// A picture with the times at which its rows changed, resized at this time.
    Noted(u64),
    /// Bytes, or pictures without a faster form.
    Other,
}

impl Preprocessor {
    /// A layer around one that shows pictures in `form`. The first `pixels` of a picture are used.
    pub(crate) fn new(
        resizer: Resizer,
        grey: Option<Grey>,
        colours: &'static Colours,
        form: ViewKind,
        pixels: usize,
    ) -> Self {
        Self {
            picture: vec![0; resizer.output_len()],
            resizer,
            grey,
            colours,
            current: false,
            made_of: MadeOf::Other,
            indices: vec![0; if form == ViewKind::Indexed { pixels } else { 0 }],
        }
    }

    pub(crate) fn step(&mut self, inner: &mut Env<'_>, action: u32, drawing: Drawing) -> Transition {
        self.current = false;
        inner.step(action, drawing)
    }

    pub(crate) fn reset(&mut self, inner: &mut Env<'_>, reset: ResetScope) {
        self.current = false;
        inner.reset(reset);
    }

    /// Called after a state is loaded. The resized picture is not part of a state and is computed again.
    pub(crate) fn restored(&mut self) {
        self.current = false;
    }

    pub(crate) fn view<'a>(&'a mut self, inner: Env<'a>) -> View<'a> {
        if !self.current {
            let view = inner.into_view();
            let changed = match &view {
                View::Indices(indices) => self.changed_rows(indices),
                View::Bytes(_) | View::Ring(..) => {
                    self.made_of = MadeOf::Other;
                    RowSet::ALL
                }
            };
            let source = match (&view, self.grey) {
                (View::Indices(indices), Some(_)) => indices.grey_source(self.colours),
                (View::Indices(indices), None) => indices.source(self.colours),
                (View::Bytes(pixels) | View::Ring(pixels, _), Some(grey)) => Source::GreyOfRgb { pixels, grey },
                (View::Bytes(pixels) | View::Ring(pixels, _), None) => Source::Bytes { pixels },
            };
            self.resizer.run(&source, &changed, &mut self.picture);
            self.current = true;
        }
        View::Bytes(&self.picture)
    }

    /// The rows in which a picture differs from the source of the resized picture.
    fn changed_rows(&mut self, indices: &Indices<'_>) -> RowSet {
        match indices.changes {
            Some(changes) => match replace(&mut self.made_of, MadeOf::Noted(changes.now)) {
                MadeOf::Noted(seen) => changes.since(seen),
                MadeOf::Copied | MadeOf::Other => RowSet::ALL,
            },
            None if indices.second.is_none() && !self.indices.is_empty() => {
                let mut changed = RowSet::NONE;
                update_rows(&mut self.indices, indices.first, |row| changed.insert(row));
                match replace(&mut self.made_of, MadeOf::Copied) {
                    MadeOf::Copied => changed,
                    MadeOf::Noted(_) | MadeOf::Other => RowSet::ALL,
                }
            }
            None => {
                self.made_of = MadeOf::Other;
                RowSet::ALL
            }
        }
    }
}

/// Shows the first rows of pictures of palette indices as grey. The indices are looked up in the resize.
pub(crate) struct Shader {
    pub(crate) colours: &'static Colours,
    /// Pixels of the rows that are shown.
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
