//! From logs to pictures: what is drawn into which frame buffer, and when.

use super::beam::Beam;
use super::canvas::{Canvas, Row};
use super::log::{Write, Writes};
use super::stage::{Drawing, Stage};
use super::still::{Still, replay};
use super::{Access, Tia, latches, register};
use crate::{FrameGeometry, WIDTH};

/// Rows below its end of a frame that is kept, at most. The frames of most programs that end early end far above, right after a reset.
const MOST_BELOW: usize = 16;

/// A picture, to be looked at.
#[derive(Clone, Copy, Debug)]
pub struct Screen<'a> {
    /// A palette index a pixel, [`WIDTH`] a row, as many rows as the geometry has lines.
    pub pixels: &'a [u8],
    /// A number for each row, if they are known. Rows with the same one may be taken to be the same: that two others have the same has a
    /// chance of one in 2^64. Others may be the same too.
    pub signatures: Option<&'a [u64]>,
    /// The frame that it shows, where that can be drawn again.
    pub still: Option<&'a Still>,
}

/// The two frame buffers.
#[derive(Clone, Debug)]
pub(super) struct Buffers {
    /// Rows of each.
    height: usize,
    /// Where they are drawn, unless the console rests; both can be drawn again then.
    stage: Option<Stage>,
    /// By which it is known again.
    stamp: u64,
    frames: [FrameBuffer; 2],
}

/// What is known of one of them.
#[derive(Clone, Debug, Default)]
struct FrameBuffer {
    /// The last whole frame, as long as it is kept.
    still: Option<Still>,
    /// It has not been drawn into this buffer.
    undrawn: bool,
}

impl FrameBuffer {
    /// Nothing is left of the last frame but its pixels.
    fn forget(&mut self) {
        if let Some(still) = self.still.take() {
            still.retire();
        }
        self.undrawn = false;
    }
}

impl Buffers {
    /// Black pictures.
    pub(super) fn new(geometry: FrameGeometry) -> Self {
        let mut buffers = Self {
            height: geometry.height.into(),
            stage: None,
            stamp: 0,
            frames: Default::default(),
        };
        buffers.blacken();
        buffers
    }

    /// Blackens both.
    pub(super) fn blacken(&mut self) {
        for picture in &mut self.stage().pictures {
            picture.blacken();
        }
        self.frames.iter_mut().for_each(FrameBuffer::forget);
    }

    /// The room for the pictures.
    #[inline]
    fn stage(&mut self) -> &mut Stage {
        let Self {
            height,
            stage,
            stamp,
            frames,
        } = self;
        stage.get_or_insert_with(|| take(*height, *stamp, frames))
    }

    /// Gives the room back to the thread until it is needed again, if what was drawn there can be drawn again.
    pub(super) fn rest(&mut self) {
        if self.frames.iter().all(|frame| frame.still.is_some())
            && let Some(stage) = self.stage.take()
        {
            self.stamp = stage.hand_back();
        }
    }

    /// The last whole frame of a buffer, as long as it is kept.
    pub(super) fn still(&self, at: usize) -> Option<&Still> {
        self.frames[at].still.as_ref()
    }

    /// Has a frame that can be drawn again be the last one of a buffer.
    pub(super) fn show(&mut self, at: usize, still: Still) {
        let frame = &mut self.frames[at];
        frame.forget();
        frame.still = Some(still);
        frame.undrawn = true;
    }

    /// Puts pixels into a buffer.
    pub(super) fn put(&mut self, at: usize, pixels: &[u8]) {
        self.frames[at].forget();
        self.stage().pictures[at].forget().copy_from_slice(pixels);
    }

    /// Keeps a frame that has covered so many rows of a buffer. `still` is given an older one and what is below these rows.
    fn keep(&mut self, at: usize, rows: usize, undrawn: bool, still: impl FnOnce(Option<Still>, &[u8]) -> Still) {
        let Self { stage, frames, .. } = self;
        let pixels = stage.as_ref().map(|stage| &*stage.pictures[at].pixels);
        let below = pixels.and_then(|pixels| pixels.get(rows * WIDTH..));
        let frame = &mut frames[at];
        frame.still = Some(still(frame.still.take(), below.unwrap_or_default()));
        frame.undrawn = undrawn;
    }

    /// Draws a buffer's last frame, if it has not been, and gives the pixels.
    pub(super) fn draw(&mut self, at: usize) -> &mut [u8] {
        self.stage();
        if std::mem::take(&mut self.frames[at].undrawn)
            && let Some(still) = self.frames[at].still.clone()
        {
            still.draw_on(&mut self.canvas(at));
        }
        &mut self.stage().pictures[at].pixels
    }

    /// Draws both.
    pub(super) fn draw_both(&mut self) -> [&[u8]; 2] {
        self.draw(0);
        self.draw(1);
        self.stage().pictures.each_ref().map(|picture| &*picture.pixels)
    }

    /// Nothing is left of the last frames but pixels, which may become any.
    pub(super) fn forget(&mut self) -> [&mut [u8]; 2] {
        self.stage();
        self.frames.iter_mut().for_each(FrameBuffer::forget);
        self.stage().pictures.each_mut().map(Drawing::forget)
    }

    /// Draws one and makes its signatures.
    fn sign(&mut self, at: usize) {
        self.draw(at);
        self.stage().pictures[at].sign();
    }

    /// One that has been drawn and signed.
    fn signed(&self, at: usize) -> Screen<'_> {
        let picture = self.stage.as_ref().map(|stage| &stage.pictures[at]);
        Screen {
            pixels: picture.map_or(&[], |picture| &picture.pixels),
            signatures: picture.map(Drawing::signatures),
            still: self.still(at),
        }
    }

    fn canvas(&mut self, at: usize) -> Canvas<'_> {
        self.stage().pictures[at].canvas()
    }
}

/// Takes room for pictures. Where others have drawn there since, nothing that was drawn before is left.
#[cold]
#[inline(never)]
fn take(height: usize, stamp: u64, frames: &mut [FrameBuffer; 2]) -> Stage {
    let stage = Stage::take(height, stamp);
    if stage.stamp() != stamp {
        for frame in frames {
            frame.undrawn = true;
        }
    }
    stage
}

impl Tia {
    /// Whether few rows of the current buffer are below the beam.
    pub(super) fn leaves_few_rows(&self) -> bool {
        self.beam.rows_drawn() + MOST_BELOW >= self.buffers.height
    }

    /// Keeps the frame, which has ended, began with this beam and leaves few rows.
    pub(super) fn keep(&mut self, start: &Beam) {
        let ended_early = !self.beam.window_is_drawn();
        if ended_early {
            self.catch_up(Some(start));
        }
        let (rows, end) = (self.beam.rows_drawn(), self.beam.clock());
        let (log, cleared) = (&self.log, self.cleared);
        let undrawn = !(self.drawing || ended_early);
        self.buffers.keep(self.current, rows, undrawn, |old, below| {
            Still::keep(start, end, cleared, log, below, old)
        });
    }

    /// Has all pixels up to the beam drawn, of a frame that began with the beam at `start` if the log reaches back there.
    fn catch_up(&mut self, start: Option<&Beam>) {
        if self.drawing {
            self.beam.stop(&mut self.buffers.canvas(self.current));
        }
        if let Some(start) = start
            && (self.buffers.frames[self.current].undrawn || !self.drawing)
        {
            self.buffers.draw(self.current);
            let canvas = &mut self.buffers.canvas(self.current);
            replay(self.log.writes(), *start, self.beam.clock(), canvas);
        }
    }

    /// Brings the current buffer up to the beam. What is logged is of no use any more.
    pub(super) fn settle(&mut self) {
        self.seek(latches::ALL);
        let start = self.start.take();
        self.catch_up(start.as_ref());
        self.buffers.frames[self.current].forget();
        self.drawing = true;
    }

    pub(super) fn grey_below(&mut self, cycles: i32) {
        let row = (self.scanlines(cycles) - i32::from(self.geometry.ystart)).max(0) as usize;
        let Canvas { pixels, rows } = self.buffers.canvas(self.current);
        for pixel in pixels.iter_mut().skip(row * WIDTH) {
            *pixel = (*pixel & 0x0F) >> 1;
        }
        for row in rows.iter_mut().skip(row) {
            *row = Row::UNKNOWN;
        }
    }

    /// The picture as it stands: palette indices, row by row.
    pub(crate) fn pixels(&mut self) -> &[u8] {
        self.buffers.draw(self.current)
    }

    /// The picture as it stands.
    pub(crate) fn screen(&mut self) -> Screen<'_> {
        self.buffers.sign(self.current);
        self.buffers.signed(self.current)
    }

    /// The picture as it stands, and what the other buffer holds.
    pub(crate) fn screens(&mut self) -> [&[u8]; 2] {
        let mut screens = self.buffers.draw_both();
        screens.rotate_left(self.current);
        screens
    }

    /// [`Tia::screens`], to be changed.
    pub(crate) fn screens_mut(&mut self) -> [&mut [u8]; 2] {
        self.seek(latches::ALL);
        self.buffers.draw_both();
        let mut screens = self.buffers.forget();
        screens.rotate_left(self.current);
        screens
    }

    /// The pictures of frames, where a buffer holds them.
    pub(crate) fn screens_of(&mut self, stills: [Option<&Still>; 2]) -> [Option<Screen<'_>>; 2] {
        let places = stills.map(|wanted| {
            let wanted = wanted?;
            (0..2).find(|at| self.buffers.still(*at).is_some_and(|still| still.is(wanted)))
        });
        for place in places.into_iter().flatten() {
            self.buffers.sign(place);
        }
        places.map(|place| place.map(|place| self.buffers.signed(place)))
    }

    /// Gives the room for the pictures back, if they can be drawn again.
    pub(crate) fn rest(&mut self) {
        self.buffers.rest();
    }

    /// Plays what is logged to the beam.
    pub(super) fn play(&mut self) {
        let writes = self.log.writes();
        let (from, to) = (self.played, self.log.len());
        let canvas = &mut self.buffers.canvas(self.current);
        let beam = &mut self.beam;
        if self.drawing {
            play::<true, true>(beam, writes.range(from..to), canvas);
        } else {
            let cleared = self.cleared.clamp(from, to);
            play::<false, false>(beam, writes.range(from..cleared), canvas);
            play::<false, true>(beam, writes.range(cleared..to), canvas);
        }
        self.played = to;
    }

    pub(super) fn draw_to_last_access(&mut self) {
        let Access { clock, register } = self.last_access;
        let since = clock.wrapping_sub(self.window.frame_start);
        self.draw_to(clock.wrapping_add(register::delay(register, since)));
    }

    pub(super) fn draw_to(&mut self, clock: i32) {
        let canvas = &mut self.buffers.canvas(self.current);
        if self.drawing {
            self.beam.draw_to::<true, true>(clock, canvas);
        } else {
            self.beam.draw_to::<false, true>(clock, canvas);
        }
    }
}

/// Plays writes to the beam.
#[inline(never)]
pub(super) fn play<const PIXELS: bool, const COLLISIONS: bool>(
    beam: &mut Beam,
    writes: Writes<'_>,
    canvas: &mut Canvas<'_>,
) {
    for Write { clock, register, value } in writes.iter() {
        beam.write::<PIXELS, COLLISIONS>(register, value, clock, canvas);
    }
}
