//! Compares greys and resizes with checksums of OpenCV's. `tests/parity/goldens.py` writes the file.

#![allow(
    clippy::unwrap_used,
    clippy::doc_markdown,
    reason = "a test may panic; NumPy is a name"
)]

use gym2600_gym::image::{Interpolation, ResizeError, Resizer, opencv_grey};
use serde::Deserialize;

#[derive(Deserialize)]
struct Goldens {
    grey: u32,
    resizes: Vec<(usize, usize, String, Interpolation, usize, usize, u32)>,
}

fn goldens() -> Goldens {
    serde_json::from_str(include_str!("opencv.json")).unwrap()
}

/// A test picture, computed as in `goldens.py`.
fn picture(width: usize, height: usize, channels: usize, kind: &str) -> Vec<u8> {
    let stride = width * channels;
    (0..stride * height)
        .map(|index| {
            let index = if kind == "bars" {
                index / stride / 7 * 1000 + index % stride / 5
            } else {
                index
            };
            ((index as u64 * 2_654_435_761) as u32 >> 24) as u8
        })
        .collect()
}

#[test]
fn resizes_are_opencvs_to_the_byte() {
    for (height, channels, kind, interpolation, to_width, to_height, crc) in goldens().resizes {
        let source = picture(160, height, channels, &kind);
        let resizer = Resizer::new((160, height), (to_width, to_height), channels, interpolation).unwrap();
        let mut result = vec![0; resizer.output_len()];
        for _ in 0..2 {
            resizer.resize(&source, &mut result).unwrap();
            assert_eq!(
                crc32fast::hash(&result),
                crc,
                "{kind} {interpolation:?} 160x{height}x{channels} to {to_width}x{to_height}"
            );
        }
    }
}

#[test]
fn grey_is_opencvs_to_the_byte() {
    let steps = || (0..=255).step_by(4);
    let greys: Vec<u8> = steps()
        .flat_map(|red| steps().flat_map(move |green| steps().map(move |blue| opencv_grey([red, green, blue]))))
        .collect();
    assert_eq!(crc32fast::hash(&greys), goldens().grey);
}

#[test]
fn pictures_of_impossible_sizes_and_short_buffers_are_refused() {
    let new = |to, channels| Resizer::new((160, 210), to, channels, Interpolation::Linear);
    assert_eq!(new((0, 84), 1), Err(ResizeError::Empty { width: 0, height: 84 }));
    let width = usize::MAX;
    assert_eq!(new((width, 84), 1), Err(ResizeError::TooLarge { width, height: 84 }));
    assert_eq!(new((84, 84), 0), Err(ResizeError::Channels { channels: 0 }));
    let resizer = new((2, 2), 3).unwrap();
    let refused = resizer.resize(&vec![0; 160 * 210 * 3], &mut [0; 11]);
    assert_eq!(refused, Err(ResizeError::Length { given: 11, needed: 12 }));
    assert!(resizer.resize(&[0; 9], &mut [0; 12]).is_err());
}
