//! The shapes of observations between wrappers, and room to keep one.

use std::cell::{Cell, RefCell};

use gym2600_arcade::{State, WIDTH, WrongLength, fields};

use crate::chain::{Form, Indices, View};
use crate::image::{Colours, RowSet, copy_changed, same};
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
            first: &self.first,
            second,
            shade: self.shade,
            changed: None,
        })
    }
}

thread_local! {
    /// The rows that the one [`Brighter`] owes which is being filled: by the end of a step it owes nothing any more.
    static OWED: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Two observations of which the brighter is shown.
///
/// Palette indices stay indices, and whoever looks takes the brighter; anything else is bytes.
pub(crate) struct Brighter {
    form: Form,
    /// Bytes of one row of the observation, for colours to be looked up by rows.
    row_len: usize,
    shade: Option<&'static Colours>,
    colours: &'static Colours,
    buffers: [Vec<u8>; 2],
    /// The first buffer stands for the brighter of both. Of indices it is made only when it has to be.
    pools: bool,
    /// Rows of the second buffer that were replaced while the first stood for the brighter of both, and are in [`OWED`]: the first
    /// owes them.
    owes: RowSet,
    /// Rows of indices that have changed.
    changed: Cell<RowSet>,
    /// The brighter of both, of bytes.
    pooled: Vec<u8>,
    current: bool,
}

impl Brighter {
    /// Room for two observations of the level below, kept in pairs of indices or in bytes, as `form` says.
    pub(crate) fn new(inner: &Shape, form: Form, colours: &'static Colours) -> Self {
        let keeps_indices = form == Form::Pair;
        let len = if keeps_indices {
            inner.pixels()
        } else {
            inner.space.len()
        };
        Self {
            form,
            row_len: inner.row_len(),
            shade: inner.shade.filter(|_| keeps_indices),
            colours,
            buffers: [vec![0; len], vec![0; len]],
            pools: false,
            owes: RowSet::NONE,
            changed: Cell::new(RowSet::ALL),
            pooled: Vec::new(),
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
        match view {
            View::Indices(indices) if self.form == Form::Pair => {
                if buffer == 0 {
                    self.owes = RowSet::NONE;
                }
                if self.pools && buffer == 1 {
                    self.replace_second(indices.first);
                } else {
                    copy_changed(indices.first, &mut self.buffers[buffer], WIDTH, self.changed.get_mut());
                }
                self.pools = false;
            }
            view => view.write(self.colours, self.row_len, &mut self.buffers[buffer]),
        }
    }

    /// Blackens a buffer.
    pub(crate) fn clear(&mut self, buffer: usize) {
        self.forget();
        self.pools = false;
        self.owes = RowSet::NONE;
        self.buffers[buffer].fill(0);
    }

    /// Copies a buffer over the other.
    pub(crate) fn copy(&mut self, from: usize, to: usize) {
        self.forget();
        self.pools = false;
        self.owes = RowSet::NONE;
        let [first, second] = &mut self.buffers;
        if from < to {
            second.copy_from_slice(first);
        } else {
            first.copy_from_slice(second);
        }
        debug_assert_ne!(from, to);
    }

    /// What was made of the buffers is of others.
    pub(crate) fn forget(&mut self) {
        self.current = false;
        self.changed.set(RowSet::ALL);
    }

    /// Replaces the first buffer by the brighter of both.
    pub(crate) fn pool_into_first(&mut self) {
        if self.form == Form::Pair {
            self.settle();
            self.pools = true;
            return;
        }
        let [first, second] = &mut self.buffers;
        for (pixel, other) in first.iter_mut().zip(second.iter()) {
            *pixel = (*pixel).max(*other);
        }
        self.current = false;
    }

    /// Replaces the second buffer, but not yet what is in the first by the brighter of both: as a rule that is replaced next, and
    /// else pooled again. Rows that stay in the second need not be in the first too.
    fn replace_second(&mut self, picture: &[u8]) {
        let changed = self.changed.get_mut();
        let second = &mut self.buffers[1];
        OWED.with_borrow_mut(|owed| {
            owed.resize(second.len(), 0);
            let rows = second.chunks_exact_mut(WIDTH).zip(owed.chunks_exact_mut(WIDTH));
            for (y, ((row, owed), new)) in rows.zip(picture.chunks_exact(WIDTH)).enumerate() {
                if !same(row, new) {
                    changed.insert(y);
                    self.owes.insert(y);
                    owed.copy_from_slice(row);
                    row.copy_from_slice(new);
                }
            }
        });
    }

    /// Puts what the first buffer owes into it, where it is brighter.
    fn settle(&mut self) {
        let owes = std::mem::replace(&mut self.owes, RowSet::NONE);
        if owes == RowSet::NONE {
            return;
        }
        let grey = &self.shade.unwrap_or(self.colours).grey;
        OWED.with_borrow(|owed| {
            let rows = self.buffers[0].chunks_exact_mut(WIDTH).zip(owed.chunks_exact(WIDTH));
            for (_, (row, owed)) in rows.enumerate().filter(|(y, _)| owes.contains(*y)) {
                for (index, other) in row.iter_mut().zip(owed) {
                    if grey[*other as usize] > grey[*index as usize] {
                        *index = *other;
                    }
                }
            }
        });
    }

    /// The brighter of both buffers.
    pub(crate) fn view(&mut self) -> View<'_> {
        if self.form == Form::Pair {
            return View::Indices(Indices {
                first: &self.buffers[0],
                second: Some(&self.buffers[1]),
                shade: self.shade,
                changed: Some(&self.changed),
            });
        }
        if !self.current {
            let [first, second] = &self.buffers;
            self.pooled.resize(first.len(), 0);
            for ((pixel, a), b) in self.pooled.iter_mut().zip(first).zip(second) {
                *pixel = (*a).max(*b);
            }
            self.current = true;
        }
        View::Bytes(&self.pooled)
    }

    /// The first buffer.
    pub(crate) fn view_first(&mut self) -> View<'_> {
        match self.form {
            Form::Pair if self.pools => self.view(),
            Form::Pair => View::Indices(Indices {
                shade: self.shade,
                ..Indices::of(&self.buffers[0])
            }),
            _ => View::Bytes(&self.buffers[0]),
        }
    }
}

fields!(Frame { first, second });

impl State for Brighter {
    fn save(&self, bytes: &mut Vec<u8>) {
        debug_assert!(self.owes == RowSet::NONE, "a step pools or replaces what it owes");
        self.buffers.save(bytes);
        self.pools.save(bytes);
    }

    /// Notes which rows change thereby: what was made of the others stays.
    fn load(&mut self, bytes: &mut &[u8]) -> Result<(), WrongLength> {
        self.current = false;
        self.owes = RowSet::NONE;
        if self.form != Form::Pair {
            self.buffers.load(bytes)?;
            return self.pools.load(bytes);
        }
        for buffer in &mut self.buffers {
            let (saved, rest) = bytes.split_at_checked(buffer.len()).ok_or(WrongLength)?;
            copy_changed(saved, buffer, WIDTH, self.changed.get_mut());
            *bytes = rest;
        }
        self.pools.load(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image::Grey;
    use gym2600_arcade::{Palette, TvFormat};

    const ROWS: usize = 3;

    /// The greys of what is shown.
    fn greys(view: &View<'_>, grey: &[u8; 256]) -> Vec<u8> {
        let View::Indices(Indices { first, second, .. }) = view else {
            return Vec::new();
        };
        let pairs = first.iter().zip(second.unwrap_or(first));
        pairs.map(|(a, b)| grey[*a as usize].max(grey[*b as usize])).collect()
    }

    #[test]
    fn a_pooled_picture_outlasts_the_step_in_which_one_frame_alone_is_kept() {
        let mut state = 1_u32;
        let mut draw = |below: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) % below
        };
        let colours = Colours::of(Palette::of(TvFormat::Ntsc), Grey::Ale);
        let shape = Shape {
            form: Form::Indexed,
            shade: Some(colours),
            ..Shape::bytes(vec![ROWS, WIDTH], true)
        };
        let mut frames = Brighter::new(&shape, Form::Pair, colours);
        let mut first = vec![colours.grey[0]; ROWS * WIDTH];
        let mut picture = vec![0; ROWS * WIDTH];
        for step in 0..500 {
            let row = draw(ROWS as u32) as usize * WIDTH;
            picture[row..row + WIDTH].fill_with(|| 2 * draw(128) as u8);
            frames.keep(1, View::Indices(Indices::of(&picture)));
            let second: Vec<u8> = picture.iter().map(|index| colours.grey[*index as usize]).collect();
            if draw(3) > 0 {
                picture[draw(WIDTH as u32) as usize] = 2 * draw(128) as u8;
                frames.keep(0, View::Indices(Indices::of(&picture)));
                first = picture.iter().map(|index| colours.grey[*index as usize]).collect();
            }
            frames.pool_into_first();
            for (grey, other) in first.iter_mut().zip(&second) {
                *grey = (*grey).max(*other);
            }
            assert!(greys(&frames.view_first(), &colours.grey) == first, "step {step}");
        }
    }
}
