//! Where a picture comes from, one row of bytes at a time.

use super::{Colours, Grey};

/// A picture of rows of pixels, in whichever form the wrapper below keeps it.
#[derive(Clone, Copy)]
pub(crate) enum Source<'a> {
    /// Palette indices, wanted as grey.
    Grey { pixels: &'a [u8], colours: &'a Colours },
    /// Two pictures of palette indices, wanted as the grey of the brighter.
    BrighterGrey {
        first: &'a [u8],
        second: &'a [u8],
        colours: &'a Colours,
    },
    /// Palette indices, wanted as RGB.
    Rgb { pixels: &'a [u8], colours: &'a Colours },
    /// Two pictures of palette indices, wanted as RGB, each channel the brighter.
    BrighterRgb {
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
    /// Writes row `y` in the form that is wanted; the row's length says how wide the picture is.
    pub(crate) fn fill(&self, y: usize, row: &mut [u8]) {
        match *self {
            Self::Grey { pixels, colours } => {
                let width = row.len();
                for (out, index) in row.iter_mut().zip(row_of(pixels, y, width)) {
                    *out = colours.grey[*index as usize];
                }
            }
            Self::BrighterGrey { first, second, colours } => {
                let width = row.len();
                for ((out, a), b) in row
                    .iter_mut()
                    .zip(row_of(first, y, width))
                    .zip(row_of(second, y, width))
                {
                    *out = colours.brighter_grey[*a as usize * 256 + *b as usize];
                }
            }
            Self::Rgb { pixels, colours } => {
                let width = row.len() / 3;
                for (out, index) in row.chunks_exact_mut(3).zip(row_of(pixels, y, width)) {
                    out.copy_from_slice(&colours.rgb[*index as usize]);
                }
            }
            Self::BrighterRgb { first, second, colours } => {
                let width = row.len() / 3;
                let pairs = row_of(first, y, width).iter().zip(row_of(second, y, width));
                for (out, (a, b)) in row.chunks_exact_mut(3).zip(pairs) {
                    let [a, b] = [colours.rgb[*a as usize], colours.rgb[*b as usize]];
                    out.copy_from_slice(&[a[0].max(b[0]), a[1].max(b[1]), a[2].max(b[2])]);
                }
            }
            Self::GreyOfRgb { pixels, grey } => {
                let stride = row.len() * 3;
                for (out, rgb) in row.iter_mut().zip(row_of(pixels, y, stride).chunks_exact(3)) {
                    *out = grey.of([rgb[0], rgb[1], rgb[2]]);
                }
            }
            Self::Bytes { pixels } => row.copy_from_slice(row_of(pixels, y, row.len())),
        }
    }

    /// Whether row `y` looks exactly like the row above it; `len` is the length of a filled row.
    pub(crate) fn repeats(&self, y: usize, len: usize) -> bool {
        if y == 0 {
            return false;
        }
        let same = |pixels: &[u8], width: usize| row_of(pixels, y, width) == row_of(pixels, y - 1, width);
        match *self {
            Self::Grey { pixels, .. } | Self::Bytes { pixels } => same(pixels, len),
            Self::Rgb { pixels, .. } => same(pixels, len / 3),
            Self::GreyOfRgb { pixels, .. } => same(pixels, len * 3),
            Self::BrighterGrey { first, second, .. } => same(first, len) && same(second, len),
            Self::BrighterRgb { first, second, .. } => same(first, len / 3) && same(second, len / 3),
        }
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
