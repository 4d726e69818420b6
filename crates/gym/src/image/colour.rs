//! Palette indices to grey and to colour, and the maximum of two of them.

use std::ptr;
use std::sync::OnceLock;

use gym2600_arcade::{Palette, TvFormat};
use serde::{Deserialize, Serialize};

/// How a colour becomes grey.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum Grey {
    /// OpenCV's `cvtColor(.., COLOR_RGB2GRAY)`: weights of 9798, 19235 and 3735 in 32768.
    Opencv,
    /// ALE's grey of each palette entry: weights of 0.2989, 0.5870 and 0.1140.
    Ale,
}

impl Grey {
    /// The grey of a colour.
    pub(crate) fn of(self, rgb: [u8; 3]) -> u8 {
        match self {
            Self::Opencv => opencv_grey(rgb),
            Self::Ale => {
                let [red, green, blue] = rgb.map(f64::from);
                (0.2989 * red + 0.5870 * green + 0.1140 * blue).round() as u8
            }
        }
    }
}

/// OpenCV's grey of an RGB colour.
pub fn opencv_grey([red, green, blue]: [u8; 3]) -> u8 {
    ((9798 * u32::from(red) + 19235 * u32::from(green) + 3735 * u32::from(blue) + 16384) >> 15) as u8
}

/// The colours of one palette, by index and by pair of indices, in one grey or in colour.
#[derive(Debug)]
pub(crate) struct Colours {
    /// The grey of an index.
    pub(crate) grey: [u8; 256],
    /// The colour of an index.
    pub(crate) rgb: [[u8; 3]; 256],
    kind: Grey,
    max_grey: OnceLock<Box<[u8]>>,
}

impl Colours {
    /// The tables of `palette` with grey as `grey` says. A process has each of them once.
    pub(crate) fn of(palette: &'static Palette, grey: Grey) -> &'static Self {
        static TABLES: [OnceLock<Colours>; 4] = [const { OnceLock::new() }; 4];
        let is_pal = ptr::eq(palette, Palette::of(TvFormat::Pal));
        TABLES[2 * usize::from(is_pal) + usize::from(grey == Grey::Ale)].get_or_init(|| Self {
            grey: std::array::from_fn(|index| match grey {
                Grey::Opencv => grey.of(palette.rgb[index]),
                // For odd PAL indices ALE's table differs from the formula.
                Grey::Ale => palette.gray[index],
            }),
            rgb: palette.rgb,
            kind: grey,
            max_grey: OnceLock::new(),
        })
    }

    /// The grey of the maximum of two colours, by `256 * first + second`. The maximum is taken channel by channel before it
    /// becomes grey, as in the Python stacks that keep RGB frames.
    pub(crate) fn max_grey(&self) -> &[u8] {
        self.max_grey.get_or_init(|| {
            let max_grey = |pair: usize| {
                let [a, b] = [self.rgb[pair >> 8], self.rgb[pair & 0xff]];
                self.kind.of([a[0].max(b[0]), a[1].max(b[1]), a[2].max(b[2])])
            };
            (0..1 << 16).map(max_grey).collect()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_television_has_greys_of_its_own() {
        for tv in [TvFormat::Ntsc, TvFormat::Pal] {
            let palette = Palette::of(tv);
            assert_eq!(Colours::of(palette, Grey::Ale).grey, palette.gray);
            let opencv = palette.rgb.map(|rgb| Grey::Opencv.of(rgb));
            assert_eq!(Colours::of(palette, Grey::Opencv).grey, opencv);
        }
    }
}
