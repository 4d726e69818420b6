//! Nets as data.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::error::LearnError;
use crate::kernel::{WIDTH, Windows};

/// A net: convolutions, a hidden layer, and on top of it the actor and the critic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Net {
    /// 8 filters of 8 x 8, stride 4; 16 of 4 x 4, stride 2; 128 hidden units. Small enough for a page.
    #[default]
    Tiny,
    /// That of the A3C paper: 16 filters of 8 x 8, stride 4; 32 of 4 x 4, stride 2; 256 hidden units.
    A3c,
    /// That of the Nature paper on DQN: 32 filters of 8 x 8, stride 4; 64 of 4 x 4, stride 2; 64 of 3 x 3; 512 hidden units.
    Nature,
}

/// A convolution without padding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Filters {
    pub(crate) count: usize,
    pub(crate) size: usize,
    pub(crate) stride: usize,
}

impl Filters {
    /// Rows and columns of the output for an input with so many, which are not fewer than those of a filter.
    fn places(self, rows: usize, columns: usize) -> (usize, usize) {
        let places = |pixels: usize| (pixels - self.size) / self.stride + 1;
        (places(rows), places(columns))
    }
}

const fn filters(count: usize, size: usize, stride: usize) -> Filters {
    Filters { count, size, stride }
}

impl Net {
    /// All nets.
    pub const ALL: [Self; 3] = [Self::Tiny, Self::A3c, Self::Nature];

    pub(crate) fn filters(self) -> &'static [Filters] {
        const TINY: [Filters; 2] = [filters(8, 8, 4), filters(16, 4, 2)];
        const A3C: [Filters; 2] = [filters(16, 8, 4), filters(32, 4, 2)];
        const NATURE: [Filters; 3] = [filters(32, 8, 4), filters(64, 4, 2), filters(64, 3, 1)];
        match self {
            Self::Tiny => &TINY,
            Self::A3c => &A3C,
            Self::Nature => &NATURE,
        }
    }

    pub(crate) fn hidden(self) -> usize {
        match self {
            Self::Tiny => 128,
            Self::A3c => 256,
            Self::Nature => 512,
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Tiny => "tiny",
            Self::A3c => "a3c",
            Self::Nature => "nature",
        }
    }
}

impl fmt::Display for Net {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl FromStr for Net {
    type Err = LearnError;

    fn from_str(name: &str) -> Result<Self, LearnError> {
        Self::ALL
            .into_iter()
            .find(|net| net.name() == name)
            .ok_or_else(|| LearnError::option("net", format!("there is no net {name:?}; there are tiny, a3c, nature")))
    }
}

/// The sizes of a net's input: a stack of pictures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Input {
    /// Rows of a picture.
    pub height: usize,
    /// Columns of a picture.
    pub width: usize,
    /// Pictures in the stack, the oldest first.
    pub frames: usize,
}

impl Input {
    /// Pixels of one picture.
    pub fn pixels(self) -> usize {
        self.height * self.width
    }
}

/// A layer with its sizes and the places of its parameters.
#[derive(Debug, Clone)]
pub(crate) struct Layer {
    pub(crate) kind: LayerKind,
    /// Values of one sample's input.
    pub(crate) inputs: usize,
    /// Places of one sample's output; a linear layer has one.
    pub(crate) places: usize,
    /// Output values at each place.
    pub(crate) outputs: usize,
    /// Terms of each output's sum.
    pub(crate) terms: usize,
    /// Where the weights start, `terms` rows of `outputs`; the biases follow.
    pub(crate) at: usize,
    pub(crate) relu: bool,
}

#[derive(Debug, Clone)]
pub(crate) enum LayerKind {
    /// The windows of one sample.
    Convolution {
        windows: Windows,
        size: usize,
        stride: usize,
        channels: usize,
    },
    Linear,
}

impl Layer {
    /// A convolution of an input with so many rows, columns and channels, with its parameters from `at` on.
    fn convolution(filters: Filters, (rows, columns, channels): (usize, usize, usize), at: usize) -> Self {
        let Filters { count, size, stride } = filters;
        let (out_rows, out_columns) = filters.places(rows, columns);
        let start = |row: usize, column: usize| (row * columns + column) * stride * channels;
        let windows = Windows {
            starts: (0..out_rows)
                .flat_map(|row| (0..out_columns).map(move |column| (row, column)))
                .map(|(row, column)| start(row, column))
                .collect(),
            segments: size,
            stride: columns * channels,
            len: size * channels,
        };
        Self {
            inputs: rows * columns * channels,
            places: out_rows * out_columns,
            outputs: count,
            terms: windows.columns(),
            at,
            relu: true,
            kind: LayerKind::Convolution {
                windows,
                size,
                stride,
                channels,
            },
        }
    }

    /// A linear layer without ReLU, with its parameters from `at` on.
    fn linear(inputs: usize, outputs: usize, at: usize) -> Self {
        Self {
            kind: LayerKind::Linear,
            inputs,
            places: 1,
            outputs,
            terms: inputs,
            at,
            relu: false,
        }
    }

    /// Where its biases start.
    pub(crate) fn bias(&self) -> usize {
        self.at + self.terms * self.outputs
    }

    /// Where the next layer's parameters start.
    pub(crate) fn end(&self) -> usize {
        self.bias() + self.outputs
    }
}

/// Rows and columns of a picture at most. The console's have 250 rows or fewer.
const MOST_PIXELS: usize = 256;
/// Pictures of a stack at most.
const MOST_FRAMES: usize = 16;
/// Actions at most. The console has 18; nets of others may have more.
const MOST_ACTIONS: usize = 1024;

/// The layers of a net for an input and a number of actions, and the picture size before the first linear layer.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    pub(crate) input: Input,
    pub(crate) actions: usize,
    pub(crate) layers: Vec<Layer>,
    /// Places and channels of the last convolution's output.
    pub(crate) flattened: (usize, usize),
}

impl Plan {
    /// # Errors
    /// [`LearnError::Observation`] if a picture is smaller than a filter.
    pub(crate) fn new(
        convolutions: &[Filters],
        hidden: usize,
        input: Input,
        actions: usize,
    ) -> Result<Self, LearnError> {
        let Input { height, width, frames } = input;
        if height.max(width) > MOST_PIXELS || frames > MOST_FRAMES || !(1..=MOST_ACTIONS).contains(&actions) {
            return Err(LearnError::Observation {
                reason: format!(
                    "{frames} pictures of {height} x {width} pixels and {actions} actions are not at most {MOST_FRAMES} pictures of \
                     {MOST_PIXELS} x {MOST_PIXELS} pixels and 1 to {MOST_ACTIONS} actions"
                ),
            });
        }
        let (mut rows, mut columns, mut channels) = (height, width, frames);
        let mut layers: Vec<Layer> = Vec::new();
        let end = |layers: &[Layer]| layers.last().map_or(0, Layer::end);
        for &filters in convolutions {
            if rows.min(columns) < filters.size {
                return Err(LearnError::Observation {
                    reason: format!("{height} x {width} pixels are too few for this net's filters"),
                });
            }
            let layer = Layer::convolution(filters, (rows, columns, channels), end(&layers));
            (rows, columns) = filters.places(rows, columns);
            channels = filters.count;
            layers.push(layer);
        }
        let flattened = (rows * columns, channels);
        layers.push(Layer {
            relu: true,
            ..Layer::linear(rows * columns * channels, hidden, end(&layers))
        });
        // The last column of the heads is the critic; columns beyond it have weights and gradients of 0.
        let heads = (actions + 1).next_multiple_of(WIDTH);
        layers.push(Layer::linear(hidden, heads, end(&layers)));
        Ok(Self {
            input,
            actions,
            layers,
            flattened,
        })
    }

    /// The plan of a named net.
    ///
    /// # Errors
    /// Those of [`Plan::new`].
    pub(crate) fn of(net: Net, input: Input, actions: usize) -> Result<Self, LearnError> {
        Self::new(net.filters(), net.hidden(), input, actions)
    }

    /// Number of parameters, with those of the padding.
    pub(crate) fn parameters(&self) -> usize {
        self.layers.last().map_or(0, Layer::end)
    }

    /// Values that the heads give for each sample.
    pub(crate) fn outputs(&self) -> usize {
        self.layers.last().map_or(0, |layer| layer.outputs)
    }
}
