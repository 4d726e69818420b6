//! The effect of a register write on the picture from its clock on.

use super::Beam;
use super::line::{HBLANK, LINE};
use super::movable::wrap;
use super::registers::PRIORITY;
use crate::WIDTH;
use crate::tia::canvas::Canvas;
use crate::tia::log::{Write, Writes};
use crate::tia::mask::{self, CELL, FirstCopy};
use crate::tia::object::{BL, M0, M1, P0, P1, PF, bit};
use crate::tia::register::{self, *};

impl Beam {
    /// Plays logged writes.
    #[inline(never)]
    pub(crate) fn play<const PIXELS: bool, const COLLISIONS: bool>(
        &mut self,
        writes: Writes<'_>,
        canvas: &mut Canvas<'_>,
    ) {
        for Write { clock, register, value } in writes.iter() {
            self.write::<PIXELS, COLLISIONS>(register, value, clock, canvas);
        }
    }

    /// Moves the beam to where a write to `register` at `clock` takes effect, and writes.
    #[inline(always)]
    pub(crate) fn write<const PIXELS: bool, const COLLISIONS: bool>(
        &mut self,
        register: u8,
        value: u8,
        clock: i32,
        canvas: &mut Canvas<'_>,
    ) {
        let since = clock.wrapping_sub(self.window.frame_start);
        // The beam is in the write's line, unless that line is not shown or has just begun. A subtraction is quicker than a division.
        let hpos = |beam: &Self| match clock - beam.line.start() {
            hpos @ 0..LINE => hpos,
            _ => since % LINE,
        };
        self.go_to::<PIXELS, COLLISIONS>(clock + register::delay(register, since), canvas);
        if self.line.waits() {
            if !(PIXELS || COLLISIONS && self.may_collide()) {
                self.forget_waiting();
            } else if self.cannot_wait(register, value) {
                self.draw::<PIXELS, COLLISIONS>(canvas);
            }
        }
        match register {
            VBLANK => self.registers.vblank = value & 2 != 0,
            NUSIZ0 | NUSIZ1 => self.set_nusiz(usize::from(register - NUSIZ0), value),
            COLUP0..=COLUBK => self.registers.set_colour(usize::from(register - COLUP0), value),
            CTRLPF => self.set_control_playfield(value, hpos(self)),
            REFP0 | REFP1 => self.set_reflection(usize::from(register - REFP0), value & 8 != 0),
            PF0 => self.set_playfield(0xF, u32::from(value) >> 4),
            PF1 => self.set_playfield(0xFF0, u32::from(mask::reversed(value)) << 4),
            PF2 => self.set_playfield(0xF_F000, u32::from(value) << 12),
            RESP0 | RESP1 => {
                self.reset_player::<PIXELS, COLLISIONS>(usize::from(register - RESP0), hpos(self), clock, canvas);
            }
            RESM0 | RESM1 | RESBL => self.reset_missile_or_ball(register, hpos(self), clock),
            GRP0 => self.set_graphics::<0>(value),
            GRP1 => self.set_graphics::<1>(value),
            ENAM0 | ENAM1 => {
                let missile = usize::from(register - ENAM0);
                self.keep(bit(M0) << missile);
                self.registers.enable_missile[missile] = value & 2 != 0;
                self.enable_missile(missile);
            }
            ENABL => {
                self.keep(bit(BL));
                self.registers.enable_ball = value & 2 != 0;
                self.enable_ball();
            }
            HMP0..=HMBL => self.set_motion(usize::from(register - HMP0), value >> 4, clock),
            VDELP0..=VDELBL => self.set_vertical_delay(usize::from(register - VDELP0), value & 1 != 0),
            RESMP0 | RESMP1 => self.lock_missile(usize::from(register - RESMP0), value & 2 != 0),
            HMOVE => self.move_objects(hpos(self), clock),
            HMCLR => self.movable.clear_motion(),
            CXCLR => self.collisions = 0,
            _ => {}
        }
    }

    /// Whether the pixels that wait have to be drawn before a write, because masks cannot hold the state before it.
    #[inline]
    fn cannot_wait(&self, register: u8, value: u8) -> bool {
        let within_cell = || !((self.line.end - self.line.clock) as usize).is_multiple_of(CELL);
        match register {
            VBLANK | CXCLR => true,
            COLUP0..=COLUBK => self.shows(register),
            PF0..=PF2 => within_cell(),
            CTRLPF => within_cell() || (self.registers.control_playfield ^ value) & PRIORITY != 0,
            _ => self.registers.control_playfield & PRIORITY == PRIORITY,
        }
    }

    /// Whether a colour may be in use among the pixels that wait.
    fn shows(&self, register: u8) -> bool {
        let shown = self.masks.waiting();
        let score = if self.registers.has_score() { bit(PF) } else { 0 };
        match register {
            COLUP0 => shown & (bit(P0) | bit(M0) | score) != 0,
            COLUP1 => shown & (bit(P1) | bit(M1) | score) != 0,
            COLUPF => shown & (bit(PF) | bit(BL)) != 0,
            _ => true,
        }
    }

    fn set_nusiz(&mut self, player: usize, value: u8) {
        self.keep((bit(P0) | bit(M0)) << player);
        self.registers.nusiz[player] = value;
        self.movable.first_copy[player] = FirstCopy::Shown;
        self.masks.stale |= (bit(P0) | bit(M0)) << player;
        if player == 0 {
            self.latch_missile0();
        }
    }

    fn set_reflection(&mut self, player: usize, reflected: bool) {
        self.keep(bit(P0) << player);
        self.registers.reflect_player[player] = reflected;
        self.masks.stale |= bit(P0) << player;
    }

    /// `object` is a player, or 2 for the ball.
    fn set_vertical_delay(&mut self, object: usize, delayed: bool) {
        self.keep(if object == 2 { bit(BL) } else { bit(P0) << object });
        self.registers.vertical_delay[object] = delayed;
        match object {
            player @ 0..2 => self.enable_player(player),
            _ => self.enable_ball(),
        }
    }

    fn set_control_playfield(&mut self, value: u8, hpos: i32) {
        if (self.registers.control_playfield ^ value) & 0x30 != 0 {
            self.keep(bit(BL));
            self.masks.stale |= bit(BL);
        }
        self.registers.control_playfield = value;
        // While the beam is in the left half, the change applies to this line's right half.
        if hpos < HBLANK + 79 {
            self.keep(bit(PF));
            self.set_reflect(value & 1 != 0);
        }
    }

    fn set_playfield(&mut self, bits: u32, value: u32) {
        self.keep(bit(PF));
        self.registers.playfield = self.registers.playfield & !bits | value & bits;
        self.enable_playfield();
    }

    /// GRP0 or GRP1, which copies the other player's graphics to its delayed register, and GRP1 also the ball's switch.
    #[inline(always)]
    fn set_graphics<const PLAYER: usize>(&mut self, value: u8) {
        let other = 1 - PLAYER;
        if self.registers.graphics[PLAYER] != value {
            if !self.registers.vertical_delay[PLAYER] {
                self.keep(bit(P0 + PLAYER));
                self.masks.enable(bit(P0 + PLAYER), value != 0);
            }
            self.registers.graphics[PLAYER] = value;
        }
        let copied = self.registers.graphics[other];
        if self.registers.old_graphics[other] != copied {
            if self.registers.vertical_delay[other] {
                self.keep(bit(P0 + other));
                self.masks.enable(bit(P0 + other), copied != 0);
            }
            self.registers.old_graphics[other] = copied;
        }
        if PLAYER == 1 && self.registers.old_enable_ball != self.registers.enable_ball {
            self.keep(bit(BL));
            self.registers.old_enable_ball = self.registers.enable_ball;
            self.enable_ball();
        }
    }

    fn lock_missile(&mut self, missile: usize, locked: bool) {
        self.keep(bit(M0) << missile);
        let released = self.registers.missile_locked[missile] && !locked;
        self.registers.missile_locked[missile] = locked;
        self.enable_missile(missile);
        if released {
            let middle = match self.registers.nusiz[missile] & 7 {
                5 => 8,
                7 => 16,
                _ => 4,
            };
            self.movable.position[M0 + missile] = wrap(i32::from(self.movable.position[missile]) + middle);
            if missile == 0 {
                self.latch_missile0();
            }
        }
    }

    fn reset_player<const PIXELS: bool, const COLLISIONS: bool>(
        &mut self,
        player: usize,
        hpos: i32,
        clock: i32,
        canvas: &mut Canvas<'_>,
    ) {
        let position = if hpos < HBLANK { 3 } else { (hpos - HBLANK + 5) % 160 };
        let zone = zone(
            position,
            i32::from(self.movable.position[player]),
            self.registers.nusiz[player],
        );
        if zone == Zone::Display {
            self.go_to::<PIXELS, COLLISIONS>(clock + 11, canvas);
        }
        self.keep(bit(P0) << player);
        self.movable.position[player] = position as u8;
        self.movable.first_copy[player] = if zone == Zone::Delay {
            FirstCopy::Shown
        } else {
            FirstCopy::Skipped
        };
        self.masks.stale |= bit(P0) << player;
    }

    fn reset_missile_or_ball(&mut self, register: u8, hpos: i32, clock: i32) {
        let since_hmove = clock.wrapping_sub(self.hmove.last);
        let ordinary = if hpos < HBLANK { 2 } else { (hpos - HBLANK + 4) % 160 };
        // ALE's machine has special positions for strobes right after an HMOVE.
        let position = match (register, since_hmove, hpos) {
            (RESM0, 60, 69) => 8,
            (RESM1 | RESBL, 9, 18) => 3,
            (RESBL, 54, 60 | 69) => 10,
            (RESBL, 21, 30) => 6,
            (RESBL, 18, 27) => 5,
            _ => ordinary,
        };
        self.keep(bit(P0) << (register - RESP0));
        self.movable.position[usize::from(register - RESP0)] = position as u8;
        match register {
            RESM0 => self.latch_missile0(),
            RESM1 => self.masks.stale |= bit(M1),
            _ => self.masks.stale |= bit(BL),
        }
    }
}

/// Where a player's reset strobe falls among the copies being drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Zone {
    /// Just before a copy, which is delayed.
    Delay,
    /// Inside a copy, which is completed.
    Display,
    /// Elsewhere.
    Outside,
}

fn zone(new: i32, old: i32, nusiz: u8) -> Zone {
    let width = match nusiz & 7 {
        5 => 16,
        7 => 32,
        _ => 8,
    };
    let mut zone = Zone::Outside;
    for unwrapped in [new, new + WIDTH as i32] {
        if unwrapped >= 237 {
            break;
        }
        let distances = || {
            mask::COPIES[usize::from(nusiz & 7)]
                .iter()
                .map(|&offset| unwrapped - old - i32::from(offset))
        };
        if distances().any(|distance| (4..4 + width).contains(&distance)) {
            zone = Zone::Display;
        } else if distances().any(|distance| (0..4).contains(&distance)) {
            zone = Zone::Delay;
        }
    }
    zone
}
