//! The source of a resize, read row by row as bytes.

use super::changes::same;
use super::greys::{look_up, look_up_greater, look_up_pairs};
use super::{Colours, Grey};

/// A picture in the form of the layer below.
#[derive(Clone, Copy)]
pub(crate) enum Source<'a> {
    /// Palette indices, wanted as grey.
    Grey { pixels: &'a [u8], colours: &'a Colours },
    /// Two pictures of palette indices, wanted as the grey of the maximum of their colours.
    MaxGrey {
        first: &'a [u8],
        second: &'a [u8],
        colours: &'a Colours,
        /// [`Colours::max_grey`].
        max_grey: &'a [u8],
    },
    /// Two pictures of palette indices, wanted as the maximum of their greys.
    GreyPair {
        first: &'a [u8],
        second: &'a [u8],
        colours: &'a Colours,
    },
    /// Palette indices, wanted as RGB.
    Rgb { pixels: &'a [u8], colours: &'a Colours },
    /// Two pictures of palette indices, wanted as the maximum of each RGB channel.
    MaxRgb {
        first: &'a [u8],
        second: &'a [u8],
        colours: &'a Colours,
    },
    /// RGB bytes, wanted as grey.
    GreyOfRgb { pixels: &'a [u8], grey: Grey },
    /// Bytes as they are, of any number of channels.
    Bytes { pixels: &'a [u8] },
}

impl Source<'_> {
    /// Writes row `y` in the form that is wanted. The length of `row` gives the picture's width.
    pub(crate) fn fill(&self, y: usize, row: &mut [u8]) {
        let width = row.len();
        match *self {
            Self::Grey { pixels, colours } => look_up(row_of(pixels, y, width), &colours.grey, row),
            Self::MaxGrey {
                first,
                second,
                colours,
                max_grey,
            } => {
                let (first, second) = (row_of(first, y, width), row_of(second, y, width));
                look_up_pairs(first, second, &colours.grey, max_grey, row);
            }
            Self::GreyPair { first, second, colours } => {
                let (first, second) = (row_of(first, y, width), row_of(second, y, width));
                look_up_greater(first, second, &colours.grey, row);
            }
            Self::Rgb { pixels, colours } => {
                for (out, index) in row.chunks_exact_mut(3).zip(row_of(pixels, y, width / 3)) {
                    out.copy_from_slice(&colours.rgb[*index as usize]);
                }
            }
            Self::MaxRgb { first, second, colours } => {
                let width = width / 3;
                let pairs = row_of(first, y, width).iter().zip(row_of(second, y, width));
                for (out, (a, b)) in row.chunks_exact_mut(3).zip(pairs) {
                    let [a, b] = [colours.rgb[*a as usize], colours.rgb[*b as usize]];
                    out.copy_from_slice(&[a[0].max(b[0]), a[1].max(b[1]), a[2].max(b[2])]);
                }
            }
            Self::GreyOfRgb { pixels, grey } => {
                let stride = width * 3;
                for (out, rgb) in row.iter_mut().zip(row_of(pixels, y, stride).chunks_exact(3)) {
                    *out = grey.of([rgb[0], rgb[1], rgb[2]]);
                }
            }
            Self::Bytes { pixels } => row.copy_from_slice(row_of(pixels, y, width)),
        }
    }

    /// Whether row `y` equals the row above it. `len` is the length of a filled row.
    pub(crate) fn repeats(&self, y: usize, len: usize) -> bool {
        if y == 0 {
            return false;
        }
        let (first, second, width) = match *self {
            Self::Grey { pixels, .. } | Self::Bytes { pixels } => (pixels, None, len),
            Self::Rgb { pixels, .. } => (pixels, None, len / 3),
            Self::GreyOfRgb { pixels, .. } => (pixels, None, len * 3),
            Self::MaxGrey { first, second, .. } | Self::GreyPair { first, second, .. } => (first, Some(second), len),
            Self::MaxRgb { first, second, .. } => (first, Some(second), len / 3),
        };
        let repeats = |pixels| same(row_of(pixels, y, width), row_of(pixels, y - 1, width));
        repeats(first) && second.is_none_or(repeats)
    }
}

fn row_of(pixels: &[u8], y: usize, width: usize) -> &[u8] {
    &pixels[y * width..][..width]
}

/// Writes a whole picture row by row; rows that repeat are copied from the row above.
pub(crate) fn copy_rows(source: &Source<'_>, row_len: usize, out: &mut [u8]) {
    for y in 0..out.len() / row_len {
        if source.repeats(y, row_len) {
            out.copy_within((y - 1) * row_len..y * row_len, y * row_len);
        } else {
            source.fill(y, &mut out[y * row_len..][..row_len]);
        }
    }
}
