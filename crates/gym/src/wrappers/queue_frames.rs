//! `QueueFrames`: stacks the last observations.

use gym2600_arcade::{Drawing, InvalidState, State};
use serde::{Deserialize, Serialize};

use super::{Env, Layer, WrapperKind};
use crate::builder::{Builder, MAX_BYTES};
use crate::image::Colours;
use crate::order::Place;
use crate::transition::{ResetScope, Transition};
use crate::view::{View, ViewKind};

/// Stacks the last observations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct QueueFrames {
    /// Observations in the stack; 4 by default.
    #[cfg_attr(test, ts(optional = nullable))]
    pub n: usize,
    /// Whether the stack's axis comes first or last.
    #[cfg_attr(test, ts(optional = nullable))]
    pub axis: Axis,
    /// Whether frames are joined along that existing axis instead of along a new one. Last, frames with channels are
    /// always joined along their channels, as `np.dstack` joins them.
    #[cfg_attr(test, ts(optional = nullable))]
    pub concat: bool,
    /// The content of the older places after a reset.
    #[cfg_attr(test, ts(optional = nullable))]
    pub padding: Padding,
}

impl Default for QueueFrames {
    fn default() -> Self {
        Self {
            n: 4,
            axis: Axis::First,
            concat: false,
            padding: Padding::Reset,
        }
    }
}

/// Where the axis of a stack is in its shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum Axis {
    /// Slowest: (n, 84, 84).
    First,
    /// Fastest: (84, 84, n).
    Last,
}

/// The content of the older places of a [`QueueFrames`] stack after a reset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum Padding {
    /// The reset's observation.
    Reset,
    /// Zeros.
    Zero,
    /// The reset's observation where the game itself starts again; an episode that goes on after a lost life keeps the older
    /// observations.
    GameReset,
}

impl WrapperKind for QueueFrames {
    fn check(&self, _place: &mut Place<'_>) -> Result<(), String> {
        if self.n == 0 {
            return Err("n is 0; a stack has at least 1 observation".into());
        }
        Ok(())
    }

    fn layer(&self, game: &mut Builder<'_>) -> Result<Option<Box<dyn Layer>>, String> {
        let colours = game.colours();
        let layout = &mut *game.layout;
        let shape = &layout.space.shape;
        if shape.len() > 3 {
            return Err(format!("observations of shape {shape:?} have been stacked already"));
        }
        let size = layout.space.dtype.size();
        let len = layout.space.len();
        if len.saturating_mul(self.n) > MAX_BYTES {
            return Err(format!(
                "{} observations of {len} bytes are more than {MAX_BYTES} bytes",
                self.n
            ));
        }
        let mut stacked = shape.clone();
        let last = stacked.len() - 1;
        let chunk = match self.axis {
            Axis::First => {
                if self.concat {
                    stacked[0] *= self.n;
                } else {
                    stacked.insert(0, self.n);
                }
                len
            }
            Axis::Last if self.concat || stacked.len() == 3 => {
                stacked[last] *= self.n;
                shape[last] * size
            }
            Axis::Last => {
                stacked.push(self.n);
                size
            }
        };
        let row_len = layout.row_len();
        if let (Some(bounds), true) = (&mut layout.space.bounds, chunk < len) {
            // Interleaved as the observations are.
            for values in [&mut bounds.low, &mut bounds.high] {
                *values = values
                    .chunks(chunk / size)
                    .flat_map(|values| values.repeat(self.n))
                    .collect();
            }
        }
        layout.space.shape = stacked;
        layout.form = ViewKind::Bytes;
        layout.is_picture = false;
        Ok(Some(Box::new(QueueFramesLayer {
            n: self.n,
            chunk,
            padding: self.padding,
            row_len,
            colours,
            frame: vec![0; if chunk == len { 0 } else { len }],
            stack: vec![0; len * self.n],
            start: 0,
        })))
    }
}

/// A stack of observations: a ring in the order of the result.
#[derive(Clone)]
struct QueueFramesLayer {
    /// Observations in the stack.
    n: usize,
    /// Adjacent bytes of an observation in the stack.
    chunk: usize,
    padding: Padding,
    /// Bytes of a row, and the colours for palette indices.
    row_len: usize,
    colours: &'static Colours,
    /// The newest observation if observations are interleaved in the stack, else empty.
    frame: Vec<u8>,
    stack: Vec<u8>,
    /// The offset of the oldest observation, 0 if they are interleaved.
    start: usize,
}

impl QueueFramesLayer {
    /// Appends an observation in the place of the oldest.
    fn push(&mut self, inner: &mut Env<'_>) {
        if self.frame.is_empty() {
            let oldest = &mut self.stack[self.start..self.start + self.chunk];
            inner.view().write(self.colours, self.row_len, oldest);
            self.start = (self.start + self.chunk) % self.stack.len();
            return;
        }
        inner.view().write(self.colours, self.row_len, &mut self.frame);
        if self.n == 4 && self.chunk == 1 {
            for (group, pixel) in self.stack.chunks_exact_mut(4).zip(&self.frame) {
                group.copy_from_slice(&[group[1], group[2], group[3], *pixel]);
            }
            return;
        }
        let chunk = self.chunk;
        for (group, new) in self
            .stack
            .chunks_exact_mut(self.n * chunk)
            .zip(self.frame.chunks_exact(chunk))
        {
            group.copy_within(chunk.., 0);
            group[(self.n - 1) * chunk..].copy_from_slice(new);
        }
    }
}

impl Layer for QueueFramesLayer {
    fn step(&mut self, inner: &mut Env<'_>, action: u32, _drawing: Drawing) -> Transition {
        let transition = inner.step(action, Drawing::Immediate);
        self.push(inner);
        transition
    }

    fn reset(&mut self, inner: &mut Env<'_>, reset: ResetScope) {
        let games = inner.base.games();
        inner.reset(reset);
        match self.padding {
            Padding::GameReset if inner.base.games() == games => {}
            Padding::Reset | Padding::GameReset => {
                for _ in 1..self.n {
                    self.push(inner);
                }
            }
            Padding::Zero => self.stack.fill(0),
        }
        self.push(inner);
    }

    fn view<'a>(&'a mut self, _inner: Env<'a>) -> View<'a> {
        View::Ring(&self.stack, self.start)
    }
}

impl State for QueueFramesLayer {
    fn save(&self, bytes: &mut Vec<u8>) {
        let (newer, older) = self.stack.split_at(self.start);
        bytes.extend_from_slice(older);
        bytes.extend_from_slice(newer);
    }

    fn load(&mut self, bytes: &mut &[u8]) -> Result<(), InvalidState> {
        self.start = 0;
        self.stack.as_mut_slice().load(bytes)
    }
}
