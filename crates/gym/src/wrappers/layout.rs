//! The layout of observations between wrappers, and a buffer for one.

use gym2600_arcade::fields;

use crate::image::Colours;
use crate::spaces::{Dtype, Space};
use crate::view::{Indices, View, ViewKind};

/// The layout of an observation: its space and its form.
#[derive(Debug, Clone)]
pub(crate) struct Layout {
    pub(crate) space: Space,
    pub(crate) form: ViewKind,
    /// Palette indices stand for greys of these tables. Without tables they stand for RGB.
    pub(crate) shade: Option<&'static Colours>,
    /// Whether the axes are those of a picture: height, width and possibly channels.
    pub(crate) is_picture: bool,
}

impl Layout {
    /// An observation of bytes.
    pub(crate) fn bytes(shape: Vec<usize>, is_picture: bool) -> Self {
        Self {
            space: Space {
                shape,
                dtype: Dtype::Uint8,
                bounds: None,
            },
            form: ViewKind::Bytes,
            shade: None,
            is_picture,
        }
    }

    /// Pixels of the picture of indices.
    pub(crate) fn pixels(&self) -> usize {
        self.space.shape.iter().take(2).product()
    }

    /// Bytes of a row of the picture, or of the whole observation without rows.
    pub(crate) fn row_len(&self) -> usize {
        self.space.len() / self.space.shape[0]
    }
}

/// A buffer for one observation in its form.
#[derive(Clone)]
pub(crate) struct Frame {
    form: ViewKind,
    row_len: usize,
    shade: Option<&'static Colours>,
    colours: &'static Colours,
    first: Vec<u8>,
    second: Vec<u8>,
}

impl Frame {
    pub(crate) fn like(layout: &Layout, colours: &'static Colours) -> Self {
        let (first, second) = match layout.form {
            ViewKind::Indexed => (layout.pixels(), 0),
            ViewKind::Pair => (layout.pixels(), layout.pixels()),
            ViewKind::Bytes => (layout.space.len(), 0),
        };
        Self {
            form: layout.form,
            row_len: layout.row_len(),
            shade: layout.shade,
            colours,
            first: vec![0; first],
            second: vec![0; second],
        }
    }

    pub(crate) fn keep(&mut self, view: View<'_>) {
        match view {
            View::Indices(indices) if self.form != ViewKind::Bytes => {
                self.first.copy_from_slice(indices.first);
                if self.form == ViewKind::Pair {
                    self.second.copy_from_slice(indices.second.unwrap_or(indices.first));
                }
            }
            view => view.write(self.colours, self.row_len, &mut self.first),
        }
    }

    pub(crate) fn view(&self) -> View<'_> {
        let second = match self.form {
            ViewKind::Bytes => return View::Bytes(&self.first),
            ViewKind::Indexed => None,
            ViewKind::Pair => Some(self.second.as_slice()),
        };
        View::Indices(Indices {
            second,
            shade: self.shade,
            ..Indices::of(&self.first)
        })
    }
}

fields!(Frame { first, second });
