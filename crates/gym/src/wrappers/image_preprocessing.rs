//! ImagePreprocessing: grey, crop and resize.

use gym2600_arcade::Picture;
use gym2600_arcade::fields;

use crate::chain::{Env, Outcome, View};
use crate::image::{Colours, Grey, Resizer, Source};

/// Makes small or grey pictures of large ones.
pub(crate) struct Preprocessor {
    resizer: Resizer,
    grey: Option<Grey>,
    colours: Colours,
    picture: Vec<u8>,
    current: bool,
}

impl Preprocessor {
    pub(crate) fn new(resizer: Resizer, grey: Option<Grey>, colours: Colours) -> Self {
        let picture = vec![0; resizer.output_len()];
        Self {
            resizer,
            grey,
            colours,
            picture,
            current: false,
        }
    }

    pub(crate) fn step(&mut self, inner: &mut Env<'_>, action: u32, picture: Picture) -> Outcome {
        self.current = false;
        inner.step(action, picture)
    }

    pub(crate) fn reset(&mut self, inner: &mut Env<'_>, seed: Option<u64>) {
        self.current = false;
        inner.reset(seed);
    }

    pub(crate) fn view<'a>(&'a mut self, inner: Env<'a>) -> View<'a> {
        if !self.current {
            let colours = &self.colours;
            let source = match (inner.into_view(), self.grey) {
                (View::Indexed(pixels), Some(_)) => Source::Grey { pixels, colours },
                (View::Indexed(pixels), None) => Source::Rgb { pixels, colours },
                (View::Pair(first, second), Some(_)) => Source::BrighterGrey { first, second, colours },
                (View::Pair(first, second), None) => Source::BrighterRgb { first, second, colours },
                (View::Bytes(pixels), Some(grey)) => Source::GreyOfRgb { pixels, grey },
                (View::Bytes(pixels), None) => Source::Bytes { pixels },
            };
            self.resizer.run(&source, &mut self.picture);
            self.current = true;
        }
        View::Bytes(&self.picture)
    }
}

fields!(Preprocessor { picture, current });
