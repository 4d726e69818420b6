//! ALE's colour averaging: blends a picture with the previous one, like the phosphor of a television.

use crate::palette::Palette;

/// The position of a blended channel between the darker and the brighter one, in percent.
const BLEND: u16 = 77;
/// Bits of a blended channel that the search for the nearest colour compares.
const KEPT_BITS: u8 = 0xFC;
/// Colours of a palette.
const COLOURS: usize = 128;

/// A table of the palette index nearest to the blend of two indices.
#[derive(Clone, Debug)]
pub(crate) struct Averaging {
    /// Indexed by half of each index.
    nearest: Box<[[u8; COLOURS]]>,
    picture: Box<[u8]>,
}

impl Averaging {
    /// A table for `palette`, with a buffer for `pixels` pixels.
    pub(crate) fn new(palette: &Palette, pixels: usize) -> Self {
        let mut nearest = vec![[0; COLOURS]; COLOURS].into_boxed_slice();
        for (first, row) in nearest.iter_mut().enumerate() {
            for (second, index) in row.iter_mut().enumerate() {
                *index = nearest_to_blend(palette, first, second);
            }
        }
        Self {
            nearest,
            picture: vec![0; pixels].into(),
        }
    }

    /// Blends the present picture with the previous one.
    pub(crate) fn blend(&mut self, present: &[u8], previous: &[u8]) -> &[u8] {
        for ((blended, present), previous) in self.picture.iter_mut().zip(present).zip(previous) {
            *blended = self.nearest[usize::from(present / 2)][usize::from(previous / 2)];
        }
        &self.picture
    }
}

fn nearest_to_blend(palette: &Palette, first: usize, second: usize) -> u8 {
    let (first, second) = (palette.rgb[2 * first], palette.rgb[2 * second]);
    let blend = [0, 1, 2].map(|channel| {
        let (low, high) = (first[channel].min(second[channel]), first[channel].max(second[channel]));
        (low + (u16::from(high - low) * BLEND / 100) as u8) & KEPT_BITS
    });
    let distance = |index: usize| -> u32 {
        palette.rgb[2 * index]
            .iter()
            .zip(blend)
            .map(|(&channel, blended)| u32::from(channel.abs_diff(blended)))
            .sum()
    };
    // Of equal distances the first counts.
    (0..COLOURS)
        .min_by_key(|&index| distance(index))
        .map_or(0, |index| 2 * index as u8)
}
