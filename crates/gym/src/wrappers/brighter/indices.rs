//! Two pictures of palette indices. Those that are frames of the console are not copied: they are where the console has them,
//! and where it has drawn over them, they are drawn again.

use std::cell::RefCell;

use gym2600_arcade::{Screen, State, Still, WrongLength};

use crate::chain::{Indices, View};
use crate::console::Console;
use crate::image::Colours;
use crate::wrappers::Shape;

/// Pictures without an owner that are kept for their room.
const MOST_SPARE: usize = 4;

thread_local! {
    /// Pictures without an owner.
    static SPARE: RefCell<Vec<Vec<u8>>> = const { RefCell::new(Vec::new()) };
}

/// See the module.
pub(crate) struct IndexPair {
    /// How many pixels of a picture are kept.
    pixels: usize,
    shade: Option<&'static Colours>,
    colours: &'static Colours,
    kept: [Kept; 2],
    /// The first stands for the brighter of both. That is made only when it has to be.
    pools: bool,
    /// The second that was replaced while the first stood for the brighter of both: the first owes it.
    owed: Option<Kept>,
}

/// A picture.
enum Kept {
    Black,
    /// A frame of the console.
    Still(Still),
    /// Any other.
    Pixels(Vec<u8>),
}

impl Kept {
    fn of(indices: Indices<'_>) -> Self {
        if let Some(still) = indices.still {
            return Self::Still(still.clone());
        }
        let mut pixels = spare(indices.first.len());
        pixels.copy_from_slice(indices.first);
        Self::Pixels(pixels)
    }

    fn still(&self) -> Option<&Still> {
        match self {
            Self::Still(still) => Some(still),
            Self::Black | Self::Pixels(_) => None,
        }
    }

    /// Writes it, from the top.
    #[cold]
    #[inline(never)]
    fn draw(&self, pixels: &mut [u8]) {
        match self {
            Self::Black => pixels.fill(0),
            Self::Still(still) => still.draw(pixels),
            Self::Pixels(own) => pixels.copy_from_slice(own),
        }
    }

    /// Becomes pixels, `len` of them.
    fn draw_itself(&mut self, len: usize) -> &mut [u8] {
        if !matches!(self, Self::Pixels(_)) {
            let mut pixels = spare(len);
            self.draw(&mut pixels);
            std::mem::replace(self, Self::Pixels(pixels)).retire();
        }
        match self {
            Self::Pixels(pixels) => pixels,
            Self::Black | Self::Still(_) => &mut [],
        }
    }

    /// Drops it, and keeps its room for another.
    fn retire(self) {
        match self {
            Self::Black => {}
            Self::Still(still) => still.retire(),
            Self::Pixels(pixels) => SPARE.with_borrow_mut(|spare| {
                if spare.len() < MOST_SPARE {
                    spare.push(pixels);
                }
            }),
        }
    }
}

/// Room for a picture of `len` pixels, whatever they are.
fn spare(len: usize) -> Vec<u8> {
    let mut pixels = SPARE.with_borrow_mut(Vec::pop).unwrap_or_default();
    pixels.resize(len, 0);
    pixels
}

impl IndexPair {
    pub(super) fn new(inner: &Shape, colours: &'static Colours) -> Self {
        Self {
            pixels: inner.pixels(),
            shade: inner.shade,
            colours,
            kept: [Kept::Black, Kept::Black],
            pools: false,
            owed: None,
        }
    }

    pub(super) fn keep(&mut self, buffer: usize, indices: Indices<'_>) {
        self.replace(buffer, Kept::of(indices));
    }

    pub(super) fn clear(&mut self, buffer: usize) {
        self.replace(buffer, Kept::Black);
    }

    pub(super) fn copy_first(&mut self) {
        self.replace(1, Kept::Black);
        self.settle();
        let copy = match &self.kept[0] {
            Kept::Black => Kept::Black,
            Kept::Still(still) => Kept::Still(still.clone()),
            Kept::Pixels(first) => Kept::of(Indices::of(first)),
        };
        self.replace(1, copy);
    }

    /// Replaces a buffer.
    fn replace(&mut self, buffer: usize, kept: Kept) {
        let replaced = std::mem::replace(&mut self.kept[buffer], kept);
        let pooled = std::mem::replace(&mut self.pools, false);
        if buffer == 0 {
            self.forgive();
        } else if pooled {
            // As a rule the first is replaced next, and owes nothing then.
            self.owed = Some(replaced);
            return;
        }
        replaced.retire();
    }

    /// Nothing is owed any more.
    fn forgive(&mut self) {
        if let Some(owed) = self.owed.take() {
            owed.retire();
        }
    }

    pub(super) fn pool_into_first(&mut self) {
        self.settle();
        self.pools = true;
    }

    /// Puts what the first owes into it, where it is brighter.
    fn settle(&mut self) {
        if let Some(owed) = self.owed.take() {
            self.pay(owed);
        }
    }

    #[cold]
    #[inline(never)]
    fn pay(&mut self, mut owed: Kept) {
        let grey = &self.shade.unwrap_or(self.colours).grey;
        let first = self.kept[0].draw_itself(self.pixels);
        for (index, other) in first.iter_mut().zip(owed.draw_itself(self.pixels)) {
            if grey[*other as usize] > grey[*index as usize] {
                *index = *other;
            }
        }
        owed.retire();
    }

    /// The brighter of both.
    pub(super) fn view<'a>(&'a mut self, console: &'a mut Console) -> View<'a> {
        self.settle();
        let stills = self.kept.each_ref().map(Kept::still);
        let held = console.screens_of(stills).map(|screen| screen.is_some());
        for (kept, held) in self.kept.iter_mut().zip(held) {
            if !held {
                kept.draw_itself(self.pixels);
            }
        }
        let [first, second] = &self.kept;
        let screens = console.screens_of([first.still(), second.still()]);
        let pixels = |kept: &'a Kept, screen: Option<Screen<'a>>| match kept {
            Kept::Pixels(pixels) => pixels.as_slice(),
            Kept::Black | Kept::Still(_) => screen.map_or(&[][..], |screen| &screen.pixels[..self.pixels]),
        };
        View::Indices(Indices {
            second: Some(pixels(second, screens[1])),
            shade: self.shade,
            signatures: match screens.map(|screen| screen?.signatures) {
                [Some(first), second @ Some(_)] => Some((first, second)),
                _ => None,
            },
            ..Indices::of(pixels(first, screens[0]))
        })
    }

    /// The first.
    pub(super) fn view_first<'a>(&'a mut self, console: &'a mut Console) -> View<'a> {
        let pools = self.pools;
        match self.view(console) {
            View::Indices(indices) if !pools => View::Indices(Indices {
                second: None,
                signatures: indices.signatures.map(|(first, _)| (first, None)),
                ..indices
            }),
            view => view,
        }
    }
}

impl State for IndexPair {
    fn save(&self, bytes: &mut Vec<u8>) {
        debug_assert!(self.owed.is_none(), "a step pools or replaces what it owes");
        for kept in &self.kept {
            let start = bytes.len();
            bytes.resize(start + self.pixels, 0);
            kept.draw(&mut bytes[start..]);
        }
        self.pools.save(bytes);
    }

    fn load(&mut self, bytes: &mut &[u8]) -> Result<(), WrongLength> {
        self.forgive();
        for kept in &mut self.kept {
            let (saved, rest) = bytes.split_at_checked(self.pixels).ok_or(WrongLength)?;
            std::mem::replace(kept, Kept::of(Indices::of(saved))).retire();
            *bytes = rest;
        }
        self.pools.load(bytes)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;
    use crate::console::ConsoleOptions;
    use crate::image::Grey;
    use crate::spaces::Observation;
    use crate::spec::Seeding;
    use gym2600_arcade::{Arcade, Picture, Settings, WIDTH};

    const WALLOP: &[u8] = gym2600_arcade::WALLOP;
    /// Rows that are kept.
    const ROWS: usize = 180;

    fn console(seed: u64) -> Console {
        let options = ConsoleOptions {
            settings: Settings::default(),
            mode: None,
            difficulty: None,
            full_action_space: false,
            seeding: Seeding::Gymnasium,
            observation: Observation::Rgb,
            seed,
        };
        let mut console = Console::new(options, |settings| Ok(Arcade::load(WALLOP, settings)?)).unwrap();
        console.reset(crate::chain::Reset::AGAIN);
        console
    }

    /// The greys of what is shown.
    fn greys(view: &View<'_>, grey: &[u8; 256]) -> Vec<u8> {
        let View::Indices(Indices { first, second, .. }) = view else {
            return Vec::new();
        };
        let pairs = first.iter().zip(second.unwrap_or(first));
        pairs.map(|(a, b)| grey[*a as usize].max(grey[*b as usize])).collect()
    }

    /// Two buffers of greys.
    struct Model {
        grey: [u8; 256],
        buffers: [Vec<u8>; 2],
    }

    impl Model {
        fn keep(&mut self, buffer: usize, indices: &[u8]) {
            let pixels = indices[..ROWS * WIDTH].iter();
            self.buffers[buffer] = pixels.map(|index| self.grey[*index as usize]).collect();
        }

        fn brighter(&self) -> Vec<u8> {
            let [first, second] = &self.buffers;
            first.iter().zip(second).map(|(a, b)| *a.max(b)).collect()
        }
    }

    #[test]
    fn what_is_kept_is_what_copies_would_be_whatever_the_console_has_drawn_since() {
        let mut state = 1_u32;
        let mut draw = |below: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) % below
        };
        let (mut player, mut other) = (console(1), console(2));
        let colours = Colours::of(player.arcade().palette(), Grey::Ale);
        let shape = Shape {
            shade: Some(colours),
            ..Shape::bytes(vec![ROWS, WIDTH], true)
        };
        let mut pair = IndexPair::new(&shape, colours);
        let mut model = Model {
            grey: colours.grey,
            buffers: [vec![colours.grey[0]; ROWS * WIDTH], vec![colours.grey[0]; ROWS * WIDTH]],
        };
        let mut saved = None;
        for step in 0..2000 {
            let picture = [Picture::Wanted, Picture::OnDemand][draw(2) as usize];
            player.step(draw(3), picture);
            let buffer = draw(2) as usize;
            match draw(16) {
                0..8 => {
                    let screen = player.arcade_mut().known_screen();
                    assert!(screen.still.is_some());
                    model.keep(buffer, screen.pixels);
                    let first = &screen.pixels[..ROWS * WIDTH];
                    let indices = Indices::of_screen(screen);
                    pair.keep(buffer, Indices { first, ..indices });
                }
                8 => {
                    let pixels = other.arcade_mut().screen();
                    model.keep(buffer, pixels);
                    pair.keep(buffer, Indices::of(&pixels[..ROWS * WIDTH]));
                }
                9 => {
                    model.buffers[buffer].fill(colours.grey[0]);
                    pair.clear(buffer);
                }
                10 => {
                    model.buffers[1] = model.buffers[0].clone();
                    pair.copy_first();
                }
                11 | 12 => {
                    model.buffers[0] = model.brighter();
                    pair.pool_into_first();
                }
                13 => {
                    // The other console draws where this one has.
                    player.rest();
                    other.step(draw(3), Picture::Wanted);
                    other.rest();
                }
                14 => {
                    pair.view(&mut player);
                    let mut bytes = Vec::new();
                    pair.save(&mut bytes);
                    saved = Some((bytes, model.buffers.clone()));
                }
                _ => {
                    if let Some((bytes, buffers)) = &saved {
                        pair.load(&mut bytes.as_slice()).unwrap();
                        model.buffers.clone_from(buffers);
                    }
                }
            }
            if draw(2) == 0 {
                continue;
            }
            let first = greys(&pair.view_first(&mut player), &colours.grey);
            assert!(first == model.buffers[0], "step {step}");
            let both = greys(&pair.view(&mut player), &colours.grey);
            assert!(both == model.brighter(), "step {step}");
        }
    }
}
