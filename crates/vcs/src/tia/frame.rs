//! The present frame in time: when it began, which of its lines are shown, and when it ends.

use super::beam::{LINE, Window};
use crate::state::fields;
use crate::{FrameGeometry, TvFormat};

/// A VSYNC deadline that no frame reaches.
const NEVER: i32 = i32::MAX;

/// CPU cycles after which the clocks of a frame that does not end are set back. The limit of lines is far below.
const LONG_FRAME: i32 = 1 << 28;
/// CPU cycles by which they are set back: an even number of lines.
pub(super) const SET_BACK: i32 = LONG_FRAME / 2 / (2 * LINE / 3) * (2 * LINE / 3);
/// An upper bound of the CPU cycles of one call.
const LONGEST_CALL: i32 = 1 << 22;

/// Whether the frame ends after the instruction in progress.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum FrameEnd {
    /// The frame goes on.
    No,
    /// VSYNC was on for long enough and is off, or there were too many lines.
    Yes,
}

/// The present frame.
///
/// Invariant: window and limit follow from the geometry and the clock at which the frame began. That is at most a line before clock 0,
/// unless the frame is so long that its clocks have been set back.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub(crate) window: Window,
    /// Colour clock at which there are too many lines.
    pub(crate) limit: i32,
    /// Colour clock from which the end of VSYNC ends the frame.
    vsync_deadline: i32,
    /// The last frame stopped before its end. The next call continues it.
    partial: bool,
    /// Lines of the last frame that ended.
    lines: i32,
    /// CPU cycle at which a recent line began, from which WSYNC computes the next one.
    pub(crate) line: i32,
    pub(crate) end: FrameEnd,
}

fields!(Frame {
    window,
    limit,
    vsync_deadline,
    partial,
    lines,
});

impl Frame {
    pub(super) fn new(geometry: FrameGeometry) -> Self {
        Self {
            window: window(geometry, 0),
            limit: limit(geometry, 0),
            vsync_deadline: NEVER,
            partial: false,
            lines: 0,
            line: 0,
            end: FrameEnd::No,
        }
    }

    /// Resets everything but whether the frame is partial and has ended.
    pub(super) fn reset(&mut self, geometry: FrameGeometry) {
        let Self { partial, end, .. } = *self;
        *self = Self {
            partial,
            end,
            ..Self::new(geometry)
        };
    }

    pub(super) fn is_partial(&self) -> bool {
        self.partial
    }

    /// Starts a frame at CPU cycle `cycles`, which becomes 0.
    pub(super) fn begin(&mut self, geometry: FrameGeometry, cycles: i32) {
        let clock = cycles.wrapping_mul(3);
        let line_phase = clock.wrapping_sub(self.window.frame_start) % LINE;
        self.vsync_deadline = self.vsync_deadline.wrapping_sub(clock);
        self.window = window(geometry, -line_phase);
        self.limit = limit(geometry, -line_phase);
        self.line = -line_phase / 3;
        self.partial = true;
    }

    /// Stops at `cycles`, at the frame's end or short of it.
    pub(super) fn finish(&mut self, cycles: i32) {
        if self.end == FrameEnd::Yes {
            self.lines = self.scanlines(cycles);
            self.partial = false;
        }
    }

    /// Whether PAL loses the colours of the frame after the last one: that had an odd number of lines.
    pub(super) fn loses_colours(&self, geometry: FrameGeometry) -> bool {
        geometry.tv == TvFormat::Pal && self.lines & 1 != 0
    }

    /// Lines from the start of the frame to `cycles`.
    pub(super) fn scanlines(&self, cycles: i32) -> i32 {
        cycles.wrapping_mul(3).wrapping_sub(self.window.frame_start) / LINE
    }

    /// Whether the clocks have to be set back by [`SET_BACK`], or overflow.
    pub(super) fn is_long(cycles: i32) -> bool {
        cycles >= LONG_FRAME
    }

    /// Sets back the clocks that are ahead of the frame's start.
    pub(super) fn shift_clocks(&mut self, clocks: i32) {
        self.vsync_deadline = self.vsync_deadline.wrapping_sub(clocks);
    }

    /// Writes VSYNC.
    pub(super) fn write_vsync(&mut self, value: u8, clock: i32) {
        if value & 2 != 0 {
            self.vsync_deadline = clock.wrapping_add(LINE);
        } else if clock >= self.vsync_deadline {
            self.vsync_deadline = NEVER;
            self.end = FrameEnd::Yes;
        }
    }

    /// The first CPU cycle of a line at or after `cycles`.
    #[inline(always)]
    pub(super) fn next_line(&mut self, cycles: i32) -> i32 {
        const CYCLES: i32 = LINE / 3;
        let mut in_line = cycles.wrapping_sub(self.line);
        if !(0..CYCLES).contains(&in_line) {
            in_line = in_line.rem_euclid(CYCLES);
        }
        self.line = if in_line == 0 {
            cycles
        } else {
            cycles.wrapping_add(CYCLES - in_line)
        };
        self.line
    }

    /// Recomputes what follows from the loaded fields.
    pub(super) fn resume(&mut self) {
        self.line = self.window.frame_start / 3;
        self.end = if self.partial { FrameEnd::No } else { FrameEnd::Yes };
    }

    /// Whether a console with this geometry can have the loaded fields.
    pub(super) fn is_valid(&self, geometry: FrameGeometry) -> bool {
        let start = self.window.frame_start;
        (1 - LINE..=0).contains(&start)
            && self.window == window(geometry, start)
            && self.limit == limit(geometry, start)
            && (0..=3 * (LONG_FRAME + LONGEST_CALL) / LINE).contains(&self.lines)
    }

    /// Whether a frame can be at this CPU cycle.
    pub(super) fn can_be_at(cycles: i32) -> bool {
        (0..LONG_FRAME + LONGEST_CALL).contains(&cycles)
    }
}

fn window(geometry: FrameGeometry, frame_start: i32) -> Window {
    let start = frame_start + LINE * i32::from(geometry.first_line);
    Window {
        frame_start,
        start,
        end: start + LINE * i32::from(geometry.height),
    }
}

fn limit(geometry: FrameGeometry, frame_start: i32) -> i32 {
    let lines = match geometry.tv {
        TvFormat::Ntsc => 290,
        TvFormat::Pal => 342,
    };
    frame_start + LINE * (lines + 1)
}
