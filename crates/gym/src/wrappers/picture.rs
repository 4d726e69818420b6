//! The shapes of observations between wrappers, and room to keep one.

use crate::chain::{Form, View};
use crate::spaces::{Dtype, Space};
use gym2600_arcade::fields;

/// What the level below shows: the observation's space and the form in which it comes.
#[derive(Debug, Clone)]
pub(crate) struct Shape {
    pub(crate) space: Space,
    pub(crate) form: Form,
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
            is_picture,
        }
    }

    /// Bytes of one row of the picture, or of everything where there are no rows.
    pub(crate) fn row_len(&self) -> usize {
        self.space.len() / self.space.shape[0]
    }
}

/// Room for one observation in the form in which it comes.
pub(crate) struct Frame {
    form: Form,
    first: Vec<u8>,
    second: Vec<u8>,
}

impl Frame {
    pub(crate) fn like(shape: &Shape) -> Self {
        let (first, second) = match shape.form {
            Form::Indexed => (shape.space.len() / 3, 0),
            Form::Pair => (shape.space.len() / 3, shape.space.len() / 3),
            Form::Bytes => (shape.space.len(), 0),
        };
        Self {
            form: shape.form,
            first: vec![0; first],
            second: vec![0; second],
        }
    }

    pub(crate) fn keep(&mut self, view: View<'_>) {
        match view {
            View::Indexed(pixels) | View::Bytes(pixels) => self.first.copy_from_slice(pixels),
            View::Pair(first, second) => {
                self.first.copy_from_slice(first);
                self.second.copy_from_slice(second);
            }
        }
    }

    pub(crate) fn view(&self) -> View<'_> {
        match self.form {
            Form::Indexed => View::Indexed(&self.first),
            Form::Pair => View::Pair(&self.first, &self.second),
            Form::Bytes => View::Bytes(&self.first),
        }
    }
}

/// Two observations of which the brighter is shown.
///
/// Over palette indices both stay indices, and whoever looks takes the brighter; over anything else they are bytes.
pub(crate) struct Brighter {
    form: Form,
    /// Bytes of one row of the observation, for colours to be looked up by rows.
    row_len: usize,
    colours: Option<crate::image::Colours>,
    pub(crate) buffers: [Vec<u8>; 2],
    pooled: Vec<u8>,
    current: bool,
}

impl Brighter {
    /// Room for two observations of the level below. Where `overwrites`, the brighter replaces a buffer, and indices are
    /// not enough: `colours` turns them into bytes first.
    pub(crate) fn new(inner: &Shape, colours: Option<crate::image::Colours>) -> Self {
        let keeps_indices = inner.form == Form::Indexed && colours.is_none();
        let len = if keeps_indices {
            inner.space.len() / 3
        } else {
            inner.space.len()
        };
        Self {
            form: if keeps_indices { Form::Pair } else { Form::Bytes },
            row_len: inner.row_len(),
            colours,
            buffers: [vec![0; len], vec![0; len]],
            pooled: vec![0; if keeps_indices { 0 } else { len }],
            current: false,
        }
    }

    /// The form in which the brighter is shown.
    pub(crate) fn form(&self) -> Form {
        self.form
    }

    /// Puts an observation into a buffer.
    pub(crate) fn keep(&mut self, buffer: usize, view: View<'_>) {
        self.current = false;
        match (view, &self.colours) {
            (View::Indexed(bytes) | View::Bytes(bytes), None) | (View::Bytes(bytes), Some(_)) => {
                self.buffers[buffer].copy_from_slice(bytes);
            }
            (view, Some(colours)) => view.write(colours, self.row_len, &mut self.buffers[buffer]),
            (View::Pair(..), None) => unreachable!("a pair of pictures is only pooled with colours"),
        }
    }

    /// Blackens a buffer.
    pub(crate) fn clear(&mut self, buffer: usize) {
        self.current = false;
        self.buffers[buffer].fill(0);
    }

    /// Copies a buffer over the other.
    pub(crate) fn copy(&mut self, from: usize, to: usize) {
        self.current = false;
        let [first, second] = &mut self.buffers;
        if from < to {
            second.copy_from_slice(first);
        } else {
            first.copy_from_slice(second);
        }
        debug_assert_ne!(from, to);
    }

    /// Replaces a buffer by the brighter of both.
    pub(crate) fn pool_into_first(&mut self) {
        let [first, second] = &mut self.buffers;
        for (pixel, other) in first.iter_mut().zip(second.iter()) {
            *pixel = (*pixel).max(*other);
        }
        self.current = false;
    }

    /// The brighter of both buffers.
    pub(crate) fn view(&mut self) -> View<'_> {
        if self.form == Form::Pair {
            return View::Pair(&self.buffers[0], &self.buffers[1]);
        }
        if !self.current {
            let [first, second] = &self.buffers;
            for ((pixel, a), b) in self.pooled.iter_mut().zip(first).zip(second) {
                *pixel = (*a).max(*b);
            }
            self.current = true;
        }
        View::Bytes(&self.pooled)
    }

    /// The first buffer by itself; only of a form of bytes.
    pub(crate) fn view_first(&self) -> View<'_> {
        View::Bytes(&self.buffers[0])
    }
}

fields!(Frame { first, second });
fields!(Brighter {
    buffers,
    pooled,
    current
});
