//! Moving the beam to a colour clock, and drawing on the way.

use super::{Beam, HBLANK, HMOVE_BLANK_END, LINE, PF_PIXELS, wrap};
use crate::WIDTH;
use crate::tia::canvas::{Backdrop, Canvas};
use crate::tia::mask::FirstCopy;
use crate::tia::object::{M0, MOVABLE, PF, bit};
use crate::tia::span::{self, Priority};

/// Whether a line differs from the one before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Change {
    /// The lines are equal.
    None,
    /// The lines may differ.
    Some,
}

impl Beam {
    /// Moves to `clock` with the present registers, and draws everything up to there.
    #[inline]
    pub(crate) fn draw_to<const PIXELS: bool, const COLLISIONS: bool>(&mut self, clock: i32, canvas: &mut Canvas<'_>) {
        self.go_to::<PIXELS, COLLISIONS>(clock, canvas);
        self.draw::<PIXELS, COLLISIONS>(canvas);
    }

    /// Moves to `clock` with the present registers. Pixels of the present line may wait.
    #[inline(always)]
    pub(crate) fn go_to<const PIXELS: bool, const COLLISIONS: bool>(&mut self, clock: i32, canvas: &mut Canvas<'_>) {
        // Strictly greater: events of a line's end happen when the beam moves past it.
        if clock > self.line_end {
            self.end_lines::<PIXELS, COLLISIONS>(clock, canvas);
        } else if clock > self.clock {
            self.go_on(clock);
        }
    }

    /// Moves to `clock`, which is in this line or at its end.
    #[inline(always)]
    fn go_on(&mut self, clock: i32) {
        if self.hmove_blank {
            let line_start = self.line_end - LINE;
            if clock > line_start + HBLANK {
                self.pass_hmove_blank(clock);
            } else if self.first_stop == 0 {
                self.first_stop = clock - line_start;
            }
        }
        self.clock = clock;
    }

    /// Blanks the line's first eight pixels from the beam on, for the pending HMOVE.
    fn pass_hmove_blank(&mut self, clock: i32) {
        let line_start = self.line_end - LINE;
        let from = (self.clock - line_start).max(HBLANK);
        if from < HMOVE_BLANK_END {
            let first = (from - HBLANK) as u8;
            self.blank_from = Some(self.blank_from.unwrap_or(first));
            self.hmove_blank = clock - line_start < HMOVE_BLANK_END;
        }
    }

    /// Moves to `clock`, which is beyond this line's end, and draws the lines that end before it.
    #[inline(never)]
    fn end_lines<const PIXELS: bool, const COLLISIONS: bool>(&mut self, clock: i32, canvas: &mut Canvas<'_>) {
        let clock = clock.min(self.window.end);
        while clock > self.line_end {
            let whole_line = self.clock <= self.line_end - WIDTH as i32 && !self.hmove_blank;
            self.go_on(self.line_end);
            if PIXELS || COLLISIONS && self.may_collide() {
                self.draw::<PIXELS, COLLISIONS>(canvas);
            }
            // Without a change, the lines up to `clock` repeat this one.
            if self.end_line() == Change::None && whole_line {
                let lines = (clock - self.line_end - 1).max(0) / LINE;
                self.repeat_line::<PIXELS>(lines, canvas);
            }
        }
        if clock > self.clock {
            self.go_on(clock);
        }
        if clock == self.window.end {
            self.draw::<PIXELS, COLLISIONS>(canvas);
        }
    }

    /// Repeats the line above the beam `lines` times.
    #[inline]
    fn repeat_line<const PIXELS: bool>(&mut self, lines: i32, canvas: &mut Canvas<'_>) {
        for _ in 0..lines {
            if PIXELS {
                canvas.repeat(self.row - 1);
            }
            self.row += 1;
        }
        self.clock += lines * LINE;
        self.drawn += lines * LINE;
        self.line_end += lines * LINE;
    }

    /// Draws the pixels that wait.
    #[inline(always)]
    pub(super) fn draw<const PIXELS: bool, const COLLISIONS: bool>(&mut self, canvas: &mut Canvas<'_>) {
        if self.clock > self.drawn {
            self.draw_span::<PIXELS, COLLISIONS>(canvas);
        }
    }

    #[inline(never)]
    fn draw_span<const PIXELS: bool, const COLLISIONS: bool>(&mut self, canvas: &mut Canvas<'_>) {
        let left = self.line_end - WIDTH as i32;
        let (from, to) = ((self.drawn - left) as usize, (self.clock - left) as usize);
        self.drawn = self.clock;
        let shown = self.enabled | self.shown;
        self.shown = 0;
        if PIXELS {
            self.paint(from, to, shown, canvas);
        }
        if COLLISIONS && !self.vblank {
            let open = self.open(shown);
            if open != 0 {
                let objects = span::objects_of(open);
                self.refresh(objects);
                if objects & bit(PF) != 0 {
                    self.refresh(PF_PIXELS);
                }
                self.collisions |= self.objects.collide(open, from, to);
            }
        }
    }

    #[inline]
    fn paint(&mut self, from: usize, to: usize, shown: u8, canvas: &mut Canvas<'_>) {
        if self.vblank {
            canvas.paint_backdrop(self.row, from, to, Backdrop::BLACK);
        } else {
            let priority = self.priority();
            self.refresh(bit(PF));
            canvas.paint_backdrop(self.row, from, to, self.backdrop(priority));
            if shown & MOVABLE != 0 {
                self.refresh(MOVABLE);
                if priority != Priority::Players {
                    self.refresh(PF_PIXELS);
                }
                canvas.paint_objects(self.row, from, to, &self.objects, priority, self.colours);
            }
        }
        if let Some(blank_from) = self.blank_from {
            canvas.blank_first(self.row, from.max(usize::from(blank_from)));
        }
    }

    /// The collisions of these objects that are not latched yet.
    #[inline]
    fn open(&self, shown: u8) -> u16 {
        span::possible(shown) & !self.collisions
    }

    /// Whether the pixels that wait may have new collisions.
    #[inline]
    pub(super) fn may_collide(&self) -> bool {
        !self.vblank && self.open(self.enabled | self.shown) != 0
    }

    fn priority(&self) -> Priority {
        match self.control_playfield >> 1 & 3 {
            0 => Priority::Players,
            1 => Priority::PlayersScore,
            // ALE's machine: where no movable object is switched on, the score's colours show in spite of the priority.
            3 if self.enabled & MOVABLE == 0 => Priority::PlayersScore,
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
            cells: self.cells,
            colours: [left, right, background],
        }
    }

    /// Moves to the next line.
    #[inline(always)]
    fn end_line(&mut self) -> Change {
        self.line_end += LINE;
        self.row += 1;
        self.start_line();
        let reflect = self.control_playfield & 1 != 0;
        let shown = [FirstCopy::Shown; 2];
        if self.reflect == reflect && self.first_copy == shown && self.cosmic_ark.is_none() {
            return Change::None;
        }
        self.change_line(reflect);
        Change::Some
    }

    #[inline(never)]
    fn change_line(&mut self, reflect: bool) {
        self.set_reflect(reflect);
        self.show_first_copies();
        self.move_cosmic_ark();
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
