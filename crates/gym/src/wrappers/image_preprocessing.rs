//! `ImagePreprocessing`: grey, crop and resize.

use std::mem::replace;

use gym2600_arcade::{Drawing, fields};
use serde::{Deserialize, Serialize};

use super::layout::Layout;
use super::{Env, Layer, WrapperKind};
use crate::builder::Builder;
use crate::image::{Colours, Grey, Interpolation, Resizer, RowSet, Source, update_rows};
use crate::transition::{ResetScope, Transition};
use crate::view::{Indices, View, ViewKind};

/// Largest side of a resized picture.
const MAX_SIDE: usize = 4096;

/// Converts to grey, crops and resizes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ImagePreprocessing {
    /// Width of the result, 84 by default; `null` keeps it.
    #[cfg_attr(test, ts(optional = nullable))]
    pub width: Option<usize>,
    /// Height of the result, 84 by default; `null` keeps it.
    #[cfg_attr(test, ts(optional = nullable))]
    pub height: Option<usize>,
    /// How colours become grey; `null` leaves them as they are.
    #[cfg_attr(test, ts(optional = nullable))]
    pub grey: Option<Grey>,
    /// How the picture is resized.
    #[cfg_attr(test, ts(optional = nullable))]
    pub interpolation: Interpolation,
    /// Only the first so many rows are used; `null` uses all.
    #[cfg_attr(test, ts(optional = nullable))]
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

impl WrapperKind for ImagePreprocessing {
    fn layer(&self, game: &mut Builder<'_>) -> Result<Option<Box<dyn Layer>>, String> {
        game.need_bytes()?;
        let shape = &game.layout.space.shape;
        let (height, width, channels) = match (game.layout.is_picture, shape.as_slice()) {
            (true, [height, width]) => (*height, *width, 1),
            (true, [height, width, channels]) => (*height, *width, *channels),
            _ => return Err(format!("observations of shape {shape:?} are not pictures")),
        };
        if self.grey.is_some() && channels != 3 {
            return Err("the pictures below it have no colours to make grey; set grey to null".into());
        }
        let height = match self.rows {
            Some(0) => return Err("rows is 0; a picture has at least 1".into()),
            Some(rows) => rows.min(height),
            None => height,
        };
        let channels = if self.grey.is_some() { 1 } else { channels };
        let to = (self.width.unwrap_or(width), self.height.unwrap_or(height));
        if to.0.max(to.1) > MAX_SIDE {
            return Err(format!(
                "{} x {} is too large; a picture has at most {MAX_SIDE} pixels a side",
                to.0, to.1
            ));
        }
        let resizer =
            Resizer::new((width, height), to, channels, self.interpolation).map_err(|error| error.to_string())?;
        let colours = Colours::of(game.palette, self.grey.unwrap_or(Grey::Ale));
        let pixels = height * width;
        let form = game.layout.form;
        if self.grey.is_some() && form == ViewKind::Indexed && to == (width, height) {
            *game.layout = Layout {
                form: ViewKind::Indexed,
                shade: Some(colours),
                ..Layout::bytes(vec![height, width], true)
            };
            return Ok(Some(Box::new(GreyIndicesLayer { colours, pixels })));
        }
        let mut shape = vec![to.1, to.0];
        if channels != 1 {
            shape.push(channels);
        }
        *game.layout = Layout::bytes(shape, true);
        Ok(Some(Box::new(ImagePreprocessingLayer {
            picture: vec![0; resizer.output_len()],
            resizer,
            grey: self.grey,
            colours,
            current: false,
            made_of: MadeOf::Other,
            indices: vec![0; if form == ViewKind::Indexed { pixels } else { 0 }],
        })))
    }
}

/// Resizes pictures and converts them to grey. Only the rows that depend on changed rows are computed.
#[derive(Clone)]
struct ImagePreprocessingLayer {
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

impl ImagePreprocessingLayer {
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

impl Layer for ImagePreprocessingLayer {
    fn step(&mut self, inner: &mut Env<'_>, action: u32, drawing: Drawing) -> Transition {
        self.current = false;
        inner.step(action, drawing)
    }

    fn reset(&mut self, inner: &mut Env<'_>, reset: ResetScope) {
        self.current = false;
        inner.reset(reset);
    }

    fn view<'a>(&'a mut self, inner: Env<'a>) -> View<'a> {
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

    /// The resized picture is not part of a state and is computed again.
    fn restored(&mut self) {
        self.current = false;
    }
}

fields!(ImagePreprocessingLayer {});

/// The wrapper where it makes palette indices grey and keeps the width: shows the first rows. The greys are looked up in the resize.
#[derive(Clone)]
struct GreyIndicesLayer {
    colours: &'static Colours,
    /// Pixels of the rows that are shown.
    pixels: usize,
}

impl Layer for GreyIndicesLayer {
    fn view<'a>(&'a mut self, inner: Env<'a>) -> View<'a> {
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

fields!(GreyIndicesLayer {});
