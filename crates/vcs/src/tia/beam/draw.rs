//! How the beam goes on to a colour clock, and draws on its way.

use super::{ALL, Beam, HBLANK, HMOVE_BLANK_END, LINE, M0, STALE_PF, wrap};
use crate::WIDTH;
use crate::tia::canvas::{Backdrop, Canvas};
use crate::tia::mask::FirstCopy;
use crate::tia::span::{self, Priority};

/// Whether a line is drawn otherwise than the one before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Change {
    /// It is the same.
    None,
    /// It may not be.
    Some,
}

impl Beam {
    /// Draws up to `clock` with the present registers.
    #[inline(always)]
    pub(crate) fn draw_to<const PIXELS: bool, const COLLISIONS: bool>(&mut self, clock: i32, canvas: &mut Canvas<'_>) {
        if clock > self.last {
            self.draw_on::<PIXELS, COLLISIONS>(clock, canvas);
        }
    }

    #[inline(never)]
    fn draw_on<const PIXELS: bool, const COLLISIONS: bool>(&mut self, clock: i32, canvas: &mut Canvas<'_>) {
        if clock < self.window.start || self.last >= self.window.end {
            return;
        }
        let clock = clock.min(self.window.end);
        // Strictly greater: what happens at a line's end waits until the beam goes past it.
        if clock > self.line_end {
            self.draw_lines::<PIXELS, COLLISIONS>(clock, canvas);
        }
        if clock - self.line_end <= HBLANK - LINE {
            self.pass_blank(clock);
        } else {
            self.draw_span::<PIXELS, COLLISIONS>(clock, canvas);
        }
    }

    /// Goes on to `clock`, which is in the horizontal blank.
    #[inline]
    fn pass_blank(&mut self, clock: i32) {
        if self.last == self.line_end - LINE {
            self.first_stop = 0;
        }
        if self.hmove_blank && self.first_stop == 0 {
            self.first_stop = clock - (self.line_end - LINE);
        }
        self.last = clock;
    }

    /// Shows what HMOVE's blank comes to where the frame ends in this line: it reaches as far to the right of the horizontal blank
    /// as the first access since HMOVE was left of the eighth pixel's end.
    pub(crate) fn stop(&mut self, canvas: &mut Canvas<'_>) {
        if self.first_stop > 0 && self.last < self.window.end {
            let drawn = (self.last - (self.line_end - LINE) - HBLANK).max(0);
            canvas.blank(
                self.row + drawn as usize,
                self.row + (HMOVE_BLANK_END - self.first_stop) as usize,
            );
        }
    }

    /// Draws to the end of every line that ends before `clock`.
    #[inline(never)]
    fn draw_lines<const PIXELS: bool, const COLLISIONS: bool>(&mut self, clock: i32, canvas: &mut Canvas<'_>) {
        while clock > self.line_end {
            let whole = self.last <= self.line_end - (LINE - HBLANK) && !self.hmove_blank;
            self.draw_span::<PIXELS, COLLISIONS>(self.line_end, canvas);
            // As long as nothing changes, lines are like the one before them.
            if self.end_line() == Change::None && whole {
                let lines = (clock - self.line_end - 1).max(0) / LINE;
                self.repeat_line::<PIXELS>(lines, canvas);
            }
        }
    }

    /// Draws `lines` more of the line above the beam.
    #[inline]
    fn repeat_line<const PIXELS: bool>(&mut self, lines: i32, canvas: &mut Canvas<'_>) {
        for _ in 0..lines {
            if PIXELS {
                canvas.repeat(self.row - WIDTH);
            }
            self.row += WIDTH;
        }
        self.last += lines * LINE;
        self.line_end += lines * LINE;
    }

    /// Draws up to `clock`, which is in this line's picture or at its end.
    #[inline]
    fn draw_span<const PIXELS: bool, const COLLISIONS: bool>(&mut self, clock: i32, canvas: &mut Canvas<'_>) {
        let line_start = self.line_end - LINE;
        let from = self.last - line_start;
        let to = clock - line_start;
        self.last = clock;
        if to > from {
            let from = (from - HBLANK).max(0) as usize;
            self.draw_pixels::<PIXELS, COLLISIONS>(from, (to - HBLANK) as usize, canvas);
        }
        if self.hmove_blank {
            self.draw_hmove_blank::<PIXELS>(from, to, canvas);
        }
    }

    /// Blanks what HMOVE does of a span of the line that goes beyond the horizontal blank.
    fn draw_hmove_blank<const PIXELS: bool>(&mut self, from: i32, to: i32, canvas: &mut Canvas<'_>) {
        let from = from.max(HBLANK);
        if PIXELS && from < HMOVE_BLANK_END {
            canvas.blank(
                self.row + (from - HBLANK) as usize,
                self.row + (HMOVE_BLANK_END - HBLANK) as usize,
            );
        }
        if from < HMOVE_BLANK_END && to >= HMOVE_BLANK_END {
            self.hmove_blank = false;
        }
    }

    /// Draws the pixels `from..to` of the line.
    #[inline]
    fn draw_pixels<const PIXELS: bool, const COLLISIONS: bool>(
        &mut self,
        from: usize,
        to: usize,
        canvas: &mut Canvas<'_>,
    ) {
        if PIXELS {
            if self.vblank {
                canvas.blank(self.row + from, self.row + to);
            } else {
                let priority = self.priority();
                canvas.paint_backdrop(self.row, from, to, self.backdrop(priority));
                if self.enabled & !STALE_PF != 0 {
                    self.refresh(ALL);
                    canvas.paint_objects(self.row, from, to, &self.objects, priority, self.colours);
                }
            }
        }
        if COLLISIONS && !self.vblank {
            let open = span::possible(self.enabled) & !self.collisions;
            if open != 0 {
                self.refresh(span::objects_of(open));
                self.collisions |= self.objects.collide(open, from, to);
            }
        }
    }

    fn priority(&self) -> Priority {
        match self.control_playfield >> 1 & 3 {
            0 => Priority::Players,
            1 => Priority::PlayersScore,
            // Where no other object is switched on, wherever it would be, the score's colours show in spite of the priority.
            3 if self.enabled & !STALE_PF == 0 => Priority::PlayersScore,
            _ => Priority::Playfield,
        }
    }

    fn backdrop(&self, priority: Priority) -> Backdrop {
        let [p0, p1, pf, background] = self.colours;
        let (left, right) = match priority {
            Priority::PlayersScore => (p0, p1),
            Priority::Players | Priority::Playfield => (pf, pf),
        };
        Backdrop {
            playfield: self.playfield,
            reflected: self.reflect,
            colours: [left, right, background],
        }
    }

    /// The beam goes on to the next line.
    fn end_line(&mut self) -> Change {
        self.line_end += LINE;
        self.row += WIDTH;
        self.first_stop = 0;
        let reflect = self.control_playfield & 1 != 0;
        let shown = [FirstCopy::Shown; 2];
        if self.reflect == reflect && self.first_copy == shown && self.cosmic_ark.is_none() {
            return Change::None;
        }
        self.set_reflect(reflect);
        self.show_first_copies();
        self.move_cosmic_ark();
        Change::Some
    }

    fn move_cosmic_ark(&mut self) {
        if let Some(step) = self.cosmic_ark {
            let step = (step + 1) & 3;
            self.cosmic_ark = Some(step);
            self.position[M0] = wrap(i32::from(self.position[M0]) - [18, 33, 0, 17][usize::from(step)]);
            self.latch_missile0();
            match step {
                1 => self.missile0.size_code |= 1,
                2 => self.missile0.hidden = true,
                _ => {}
            }
        }
    }
}
