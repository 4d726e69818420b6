//! Moving the beam to a colour clock, and drawing on the way.

use super::Beam;
use super::line::LINE;
use super::masks::PF_PIXELS;
use crate::tia::canvas::{Backdrop, Canvas};
use crate::tia::object::{MOVABLE, PF, Set, bit};
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
        if clock > self.line.end {
            self.end_lines::<PIXELS, COLLISIONS>(clock, canvas);
        } else if clock > self.line.clock {
            self.go_on(clock);
        }
    }

    /// Moves to `clock`, which is in this line or at its end.
    #[inline(always)]
    fn go_on(&mut self, clock: i32) {
        self.hmove.pass(&self.line, clock);
        self.line.clock = clock;
    }

    /// Moves to `clock`, which is beyond this line's end, and draws the lines that end before it.
    #[inline(always)]
    fn end_lines<const PIXELS: bool, const COLLISIONS: bool>(&mut self, clock: i32, canvas: &mut Canvas<'_>) {
        let clock = clock.min(self.window.end);
        while clock > self.line.end {
            let whole_line = self.line.clock <= self.line.left() && !self.hmove.blank_is_pending;
            self.go_on(self.line.end);
            if PIXELS || COLLISIONS && self.may_collide() {
                self.draw::<PIXELS, COLLISIONS>(canvas);
            }
            // Without a change, the lines up to `clock` repeat this one.
            if self.end_line() == Change::None && whole_line && clock - self.line.end > LINE {
                let lines = (clock - self.line.end - 1) / LINE;
                self.repeat_line::<PIXELS>(lines, canvas);
            }
        }
        if clock > self.line.clock {
            self.go_on(clock);
        }
        if clock == self.window.end {
            self.draw::<PIXELS, COLLISIONS>(canvas);
        }
    }

    /// Repeats the line above the beam `lines` times.
    #[inline(never)]
    fn repeat_line<const PIXELS: bool>(&mut self, lines: i32, canvas: &mut Canvas<'_>) {
        for _ in 0..lines {
            if PIXELS {
                canvas.repeat(self.line.row - 1);
            }
            self.line.row += 1;
        }
        self.line.add_clocks(lines * LINE);
    }

    /// Draws the pixels that wait.
    #[inline(always)]
    pub(super) fn draw<const PIXELS: bool, const COLLISIONS: bool>(&mut self, canvas: &mut Canvas<'_>) {
        if self.line.waits() {
            self.draw_span::<PIXELS, COLLISIONS>(canvas);
        }
    }

    /// Counts the pixels that wait as drawn.
    #[inline(always)]
    pub(super) fn forget_waiting(&mut self) {
        self.line.drawn = self.line.clock;
        self.masks.forget_waiting();
    }

    #[inline(never)]
    fn draw_span<const PIXELS: bool, const COLLISIONS: bool>(&mut self, canvas: &mut Canvas<'_>) {
        let left = self.line.left();
        let (from, to) = ((self.line.drawn - left) as usize, (self.line.clock - left) as usize);
        let shown = self.masks.waiting();
        self.forget_waiting();
        if PIXELS {
            self.paint(from, to, shown, canvas);
        }
        if COLLISIONS && !self.registers.vblank {
            let open = self.open(shown);
            if open != 0 {
                let objects = span::objects_of(open);
                self.refresh(objects);
                if objects & bit(PF) != 0 {
                    self.refresh(PF_PIXELS);
                }
                self.collisions |= self.masks.objects.collide(open, from, to);
            }
        }
    }

    #[inline(always)]
    fn paint(&mut self, from: usize, to: usize, shown: Set, canvas: &mut Canvas<'_>) {
        let Some(mut row) = canvas.row(self.line.row) else {
            return;
        };
        if self.registers.vblank {
            row.paint_backdrop(from, to, Backdrop::BLACK);
        } else {
            let priority = self.priority();
            let shows_movable = shown & MOVABLE != 0;
            self.refresh(if shows_movable { bit(PF) | MOVABLE } else { bit(PF) });
            row.paint_backdrop(from, to, self.backdrop(priority));
            if shows_movable {
                if priority != Priority::Players {
                    self.refresh(PF_PIXELS);
                }
                row.paint_objects(from, to, &self.masks.objects, priority, self.registers.colours);
            }
        }
        if let Some(blank_from) = self.hmove.blank_from {
            row.blank_first(from.max(usize::from(blank_from)));
        }
    }

    /// The collisions of these objects that are not latched yet.
    #[inline]
    fn open(&self, shown: Set) -> u16 {
        span::possible(shown) & !self.collisions
    }

    /// Whether the pixels that wait may have new collisions.
    #[inline]
    pub(super) fn may_collide(&self) -> bool {
        !self.registers.vblank && self.open(self.masks.waiting()) != 0
    }

    fn priority(&self) -> Priority {
        match self.registers.control_playfield >> 1 & 3 {
            0 => Priority::Players,
            1 => Priority::PlayersScore,
            // ALE's machine: where no movable object is switched on, the score's colours show in spite of the priority.
            3 if self.masks.enabled & MOVABLE == 0 => Priority::PlayersScore,
            _ => Priority::Playfield,
        }
    }

    fn backdrop(&self, priority: Priority) -> Backdrop {
        let [p0, p1, pf, background] = self.registers.colours;
        let (left, right) = match priority {
            Priority::PlayersScore => (p0, p1),
            Priority::Players | Priority::Playfield => (pf, pf),
        };
        Backdrop {
            cells: self.masks.cells,
            colours: [left, right, background],
        }
    }

    /// Moves to the next line.
    #[inline(always)]
    fn end_line(&mut self) -> Change {
        self.line.next();
        self.start_line();
        let reflect = self.registers.control_playfield & 1 != 0;
        if self.registers.reflect == reflect && self.movable.shows_first_copies() && self.hmove.cosmic_ark.is_none() {
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
}
