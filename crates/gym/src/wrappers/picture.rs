//! The shapes of observations between wrappers, and room to keep one.

use gym2600_arcade::fields;

use crate::chain::{Form, Indices, View};
use crate::image::Colours;
use crate::spaces::{Dtype, Space};

/// What the level below shows: the observation's space and the form in which it comes.
#[derive(Debug, Clone)]
pub(crate) struct Shape {
    pub(crate) space: Space,
    pub(crate) form: Form,
    /// Indices are greys of these tables; without any they are RGB.
    pub(crate) shade: Option<&'static Colours>,
    /// Whether the axes are those of a picture: height, width and perhaps channels.
    pub(crate) is_picture: bool,
}

impl Shape {
    /// A picture or other thing of bytes.
    pub(crate) fn bytes(shape: Vec<usize>, is_picture: bool) -> Self {
        Self {
            space: Space {
                shape,
                dtype: Dtype::Uint8,
            },
            form: Form::Bytes,
            shade: None,
            is_picture,
        }
    }

    /// Pixels of the picture that indices are of.
    pub(crate) fn pixels(&self) -> usize {
        self.space.shape.iter().take(2).product()
    }

    /// Bytes of one row of the picture, or of everything where there are no rows.
    pub(crate) fn row_len(&self) -> usize {
        self.space.len() / self.space.shape[0]
    }
}

/// Room for one observation in the form in which it comes.
pub(crate) struct Frame {
    form: Form,
    row_len: usize,
    shade: Option<&'static Colours>,
    colours: &'static Colours,
    first: Vec<u8>,
    second: Vec<u8>,
}

impl Frame {
    pub(crate) fn like(shape: &Shape, colours: &'static Colours) -> Self {
        let (first, second) = match shape.form {
            Form::Indexed => (shape.pixels(), 0),
            Form::Pair => (shape.pixels(), shape.pixels()),
            Form::Bytes => (shape.space.len(), 0),
        };
        Self {
            form: shape.form,
            row_len: shape.row_len(),
            shade: shape.shade,
            colours,
            first: vec![0; first],
            second: vec![0; second],
        }
    }

    pub(crate) fn keep(&mut self, view: View<'_>) {
        match view {
            View::Indices(indices) if self.form != Form::Bytes => {
                self.first.copy_from_slice(indices.first);
                if self.form == Form::Pair {
                    self.second.copy_from_slice(indices.second.unwrap_or(indices.first));
                }
            }
            view => view.write(self.colours, self.row_len, &mut self.first),
        }
    }

    pub(crate) fn view(&self) -> View<'_> {
        let second = match self.form {
            Form::Bytes => return View::Bytes(&self.first),
            Form::Indexed => None,
            Form::Pair => Some(self.second.as_slice()),
        };
        View::Indices(Indices {
            second,
            shade: self.shade,
            ..Indices::of(&self.first)
        })
    }
}

fields!(Frame { first, second });
