//! What an arcade shows.

use gym2600_vcs::{Screen, Still, TvFormat};

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

    /// [`Arcade::screen`] with all that is known of it: of a blend nothing.
    pub fn known_screen(&mut self) -> Screen<'_> {
        if self.averaging.is_none() {
            return self.console.known_screen();
        }
        Screen {
            pixels: self.screen(),
            signatures: None,
            still: None,
        }
    }

    /// [`gym2600_vcs::Console::screens_of`]: those that the console still holds.
    pub fn screens_of(&mut self, stills: [Option<&Still>; 2]) -> [Option<Screen<'_>>; 2] {
        self.console.screens_of(stills)
    }

    /// [`gym2600_vcs::Console::rest`]: nobody will look at the picture before the next frame. It can be looked at all the same.
    pub fn rest(&mut self) {
        self.console.rest();
    }

    /// Rows of the picture.
    pub fn height(&self) -> usize {
        usize::from(self.console.geometry().height)
    }

    /// The television that the game was made for.
    pub fn tv(&self) -> TvFormat {
        self.console.geometry().tv
    }

    /// The colours of the picture.
    pub fn palette(&self) -> &'static Palette {
        Palette::of(self.tv())
    }
}
