//! The picture of an arcade.

use gym2600_vcs::{FrameGeometry, TvFormat};

use super::Arcade;
use crate::palette::Palette;

impl Arcade {
    /// The picture: [`Arcade::height`] rows of [`crate::WIDTH`] palette indices.
    pub fn screen(&mut self) -> &[u8] {
        match &mut self.averaging {
            None => self.console.screen(),
            Some(averaging) => {
                let [present, previous] = self.console.screens();
                averaging.blend(present, previous)
            }
        }
    }

    /// The television that the game was made for, and the lines shown.
    pub fn geometry(&self) -> FrameGeometry {
        self.console.geometry()
    }

    /// Rows of the picture.
    pub fn height(&self) -> usize {
        usize::from(self.geometry().height)
    }

    /// The television that the game was made for.
    pub fn tv(&self) -> TvFormat {
        self.geometry().tv
    }

    /// The colours of the picture.
    pub fn palette(&self) -> &'static Palette {
        Palette::of(self.tv())
    }
}
