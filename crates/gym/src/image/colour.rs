//! Palette indices to grey and to colour, and the brighter of two indices.

use gym2600_arcade::Palette;
use serde::{Deserialize, Serialize};

/// How a colour becomes grey.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
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

/// Whether tables for pairs of indices are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pairs {
    None,
    All,
}

/// The colours of one palette, by index and by pair of indices, in one grey or in colour.
#[derive(Debug, Clone)]
pub(crate) struct Colours {
    /// The grey of an index.
    pub(crate) grey: Box<[u8; 256]>,
    /// The colour of an index.
    pub(crate) rgb: Box<[[u8; 3]; 256]>,
    /// The grey of the brighter of two indices: `256 * first + second`. Empty unless asked for.
    pub(crate) brighter_grey: Box<[u8]>,
}

impl Colours {
    /// Tables for `palette`, with grey made as `grey` says; those for pairs of indices only where `pairs` are looked up.
    ///
    /// The brighter of two *colours*, channel by channel, is taken before it becomes grey, as the Python stacks do that keep
    /// RGB frames.
    pub(crate) fn new(palette: &Palette, grey: Grey, pairs: Pairs) -> Self {
        let grey_of = |index: usize| match grey {
            Grey::Opencv => grey.of(palette.rgb[index]),
            // ALE looks odd PAL indices up elsewhere than the formula would.
            Grey::Ale => palette.gray[index],
        };
        let brighter = |first: usize, second: usize| {
            let [a, b] = [palette.rgb[first], palette.rgb[second]];
            grey.of([a[0].max(b[0]), a[1].max(b[1]), a[2].max(b[2])])
        };
        Self {
            grey: Box::new(std::array::from_fn(grey_of)),
            rgb: Box::new(palette.rgb),
            brighter_grey: match pairs {
                Pairs::None => Box::default(),
                Pairs::All => (0..1 << 16).map(|pair| brighter(pair >> 8, pair & 0xff)).collect(),
            },
        }
    }
}
