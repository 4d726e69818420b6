//! Where a picture comes from, one row of bytes at a time.

use super::fixed::LANES;
use super::rows::same;
use super::{Colours, Grey};

/// A picture of rows of pixels, in whichever form the wrapper below keeps it.
#[derive(Clone, Copy)]
pub(crate) enum Source<'a> {
    /// Palette indices, wanted as grey.
    Grey { pixels: &'a [u8], colours: &'a Colours },
    /// Two pictures of palette indices, wanted as the grey of the brighter colours.
    BrighterGrey {
        first: &'a [u8],
        second: &'a [u8],
        colours: &'a Colours,
        /// [`Colours::brighter_grey`].
        brighter: &'a [u8],
    },
    /// Two pictures of palette indices, wanted as the brighter of their greys.
    GreyPair {
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
        let width = row.len();
        match *self {
            Self::Grey { pixels, colours } => look_up(row, row_of(pixels, y, width), &colours.grey),
            Self::BrighterGrey {
                first,
                second,
                colours,
                brighter,
            } => {
                let (first, second) = (row_of(first, y, width), row_of(second, y, width));
                if same(first, second) {
                    look_up(row, first, &colours.grey);
                    return;
                }
                for ((out, a), b) in row.iter_mut().zip(first).zip(second) {
                    *out = brighter[*a as usize * 256 + *b as usize];
                }
            }
            Self::GreyPair { first, second, colours } => {
                let (first, second) = (row_of(first, y, width), row_of(second, y, width));
                if same(first, second) {
                    look_up(row, first, &colours.grey);
                    return;
                }
                for ((out, a), b) in row.iter_mut().zip(first).zip(second) {
                    *out = colours.grey[*a as usize].max(colours.grey[*b as usize]);
                }
            }
            Self::Rgb { pixels, colours } => {
                for (out, index) in row.chunks_exact_mut(3).zip(row_of(pixels, y, width / 3)) {
                    out.copy_from_slice(&colours.rgb[*index as usize]);
                }
            }
            Self::BrighterRgb { first, second, colours } => {
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

    /// Writes row `y`, `width` bytes in the form that is wanted, in quarters side by side (see [`super::fixed`]).
    pub(super) fn fill_quarters(&self, y: usize, width: usize, quarters: &mut [u8]) {
        match *self {
            Self::Grey { pixels, colours } => {
                interleave(row_of(pixels, y, width), quarters, |index| colours.grey[index as usize]);
            }
            Self::BrighterGrey {
                first,
                second,
                colours,
                brighter,
            } => {
                let (first, second) = (row_of(first, y, width), row_of(second, y, width));
                if same(first, second) {
                    interleave(first, quarters, |index| colours.grey[index as usize]);
                } else {
                    interleave_pair(first, second, quarters, |a, b| brighter[a as usize * 256 + b as usize]);
                }
            }
            Self::GreyPair { first, second, colours } => {
                let (first, second) = (row_of(first, y, width), row_of(second, y, width));
                if same(first, second) {
                    interleave(first, quarters, |index| colours.grey[index as usize]);
                } else {
                    interleave_pair(first, second, quarters, |a, b| {
                        colours.grey[a as usize].max(colours.grey[b as usize])
                    });
                }
            }
            Self::Bytes { pixels } => interleave(row_of(pixels, y, width), quarters, |byte| byte),
            Self::GreyOfRgb { pixels, grey } => {
                let row = row_of(pixels, y, width * 3);
                for (x, rgb) in row.chunks_exact(3).enumerate() {
                    let quarter = width / LANES;
                    quarters[x % quarter * LANES + x / quarter] = grey.of([rgb[0], rgb[1], rgb[2]]);
                }
            }
            // Of three channels, which are never in quarters.
            Self::Rgb { .. } | Self::BrighterRgb { .. } => quarters.fill(0),
        }
    }

    /// Whether row `y` looks exactly like the row above it; `len` is the length of a filled row.
    pub(crate) fn repeats(&self, y: usize, len: usize) -> bool {
        if y == 0 {
            return false;
        }
        let same = |pixels: &[u8], width: usize| same(row_of(pixels, y, width), row_of(pixels, y - 1, width));
        match *self {
            Self::Grey { pixels, .. } | Self::Bytes { pixels } => same(pixels, len),
            Self::Rgb { pixels, .. } => same(pixels, len / 3),
            Self::GreyOfRgb { pixels, .. } => same(pixels, len * 3),
            Self::BrighterGrey { first, second, .. } | Self::GreyPair { first, second, .. } => {
                same(first, len) && same(second, len)
            }
            Self::BrighterRgb { first, second, .. } => same(first, len / 3) && same(second, len / 3),
        }
    }
}

fn row_of(pixels: &[u8], y: usize, width: usize) -> &[u8] {
    &pixels[y * width..][..width]
}

fn look_up(row: &mut [u8], indices: &[u8], table: &[u8; 256]) {
    for (out, index) in row.iter_mut().zip(indices) {
        *out = table[*index as usize];
    }
}

/// The quarters of a row.
fn quarters_of(row: &[u8]) -> [&[u8]; LANES] {
    let (left, right) = row.split_at(row.len() / 2);
    let ((a, b), (c, d)) = (left.split_at(left.len() / 2), right.split_at(right.len() / 2));
    [a, b, c, d]
}

fn interleave(row: &[u8], out: &mut [u8], look: impl Fn(u8) -> u8) {
    let [a, b, c, d] = quarters_of(row);
    for ((((out, a), b), c), d) in out.chunks_exact_mut(LANES).zip(a).zip(b).zip(c).zip(d) {
        out.copy_from_slice(&[look(*a), look(*b), look(*c), look(*d)]);
    }
}

fn interleave_pair(first: &[u8], second: &[u8], out: &mut [u8], look: impl Fn(u8, u8) -> u8) {
    let [a, b, c, d] = quarters_of(first);
    let [e, f, g, h] = quarters_of(second);
    let firsts = a.iter().zip(b).zip(c).zip(d);
    let seconds = e.iter().zip(f).zip(g).zip(h);
    for ((out, (((a, b), c), d)), (((e, f), g), h)) in out.chunks_exact_mut(LANES).zip(firsts).zip(seconds) {
        out.copy_from_slice(&[look(*a, *e), look(*b, *f), look(*c, *g), look(*d, *h)]);
    }
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
