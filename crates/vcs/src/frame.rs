//! Values that describe a frame. This file imports nothing, so every part of the machine can use it.

/// Pixels of a line.
pub const WIDTH: usize = 160;

/// The television a game was made for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TvFormat {
    /// 262 lines, 60 Hz.
    #[default]
    Ntsc,
    /// 312 lines, 50 Hz.
    Pal,
}

/// Whether HMOVE blanks the first eight pixels of a line, as it does on the console.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(u8)]
pub enum HmoveBlanks {
    /// Blanked.
    #[default]
    Shown,
    /// Not blanked; a few games look better so.
    Hidden,
}

/// The part of a frame that is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FrameGeometry {
    /// The television standard.
    pub tv: TvFormat,
    /// Lines from the start of a frame to the first one shown.
    pub first_line: u16,
    /// Lines shown.
    pub height: u16,
}

/// When the pixels of a frame are drawn. Both give the same pixels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Drawing {
    /// Draw while the frame runs: best when the picture is read afterwards.
    Immediate,
    /// Draw when [`Console::screen`](crate::Console::screen) asks: best when the picture is rarely read.
    OnDemand,
}
