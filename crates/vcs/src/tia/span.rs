//! Drawing a span of one line: collisions, priority and colours by bit operations, eight pixels at a time.

use super::mask::{EMPTY, Mask};

/// Pixels of the left half of the line.
const LEFT_HALF: Mask = [u64::MAX, 0xFFFF, 0];
/// Each bit of a byte as a byte of ones; the lowest bit is the lowest byte, the leftmost pixel.
const BYTES: [u64; 256] = {
    let mut table = [0_u64; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[byte] |= 0xFF << (8 * bit);
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// Who is in front, CTRLPF bits 1 and 2.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Priority {
    /// Players and missiles before the playfield.
    Players,
    /// Players first, and the halves of the playfield in the players' colours.
    PlayersScore,
    /// Playfield and ball before all.
    Playfield,
}

/// Index of an object, and of its bit in [`Objects::shown`]. That of a player's or missile's second one is one more.
pub(crate) const PLAYER: usize = 0;
pub(crate) const MISSILE: usize = 2;
pub(crate) const BALL: usize = 4;
pub(crate) const PLAYFIELD: usize = 5;

/// What the six objects cover on the present line.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Objects {
    masks: [Mask; 6],
    /// The objects that cover any pixel.
    shown: u8,
}

/// COLUP0, COLUP1, COLUPF, COLUBK.
pub(crate) type Colours = [u8; 4];

impl Objects {
    /// Replaces what an object covers.
    #[inline]
    pub(crate) fn set(&mut self, object: usize, mask: Mask) {
        self.masks[object] = mask;
        self.shown = self.shown & !(1 << object) | u8::from(mask != EMPTY) << object;
    }

    #[inline]
    fn word(&self, word: usize, window: u64) -> Word {
        let [p0, p1, m0, m1, bl, pf] = self.masks.map(|mask| mask[word] & window);
        Word { p0, p1, m0, m1, bl, pf }
    }

    /// Whether objects are shown whose collision is not latched yet.
    #[inline]
    fn can_collide(&self, latched: u16) -> bool {
        POSSIBLE[usize::from(self.shown)] & !latched != 0
    }
}

/// The collisions that objects can have, by which of them are shown.
const POSSIBLE: [u16; 64] = {
    let mut possible = [0; 64];
    let mut shown = 0;
    while shown < 64 {
        let word = Word {
            p0: shown & 1,
            p1: shown >> 1 & 1,
            m0: shown >> 2 & 1,
            m1: shown >> 3 & 1,
            bl: shown >> 4 & 1,
            pf: shown >> 5 & 1,
        };
        possible[shown as usize] = word.pairs();
        shown += 1;
    }
    possible
};

/// 64 pixels of all objects.
#[derive(Clone, Copy)]
pub(crate) struct Word {
    p0: u64,
    p1: u64,
    m0: u64,
    m1: u64,
    bl: u64,
    pf: u64,
}

impl Word {
    /// The collision latches that these pixels set, two a read register from CXM0P (bits 0 and 1) to CXPPMM (bits 14 and 15);
    /// the lower bit of a pair is the register's bit 7.
    #[inline]
    pub(crate) fn collisions(&self) -> u16 {
        let mut once = self.p0;
        let mut twice = 0;
        for object in [self.p1, self.m0, self.m1, self.bl, self.pf] {
            twice |= once & object;
            once |= object;
        }
        if twice == 0 { 0 } else { self.pairs() }
    }

    const fn pairs(&self) -> u16 {
        let Self { p0, p1, m0, m1, bl, pf } = *self;
        let pairs = [
            m0 & p1,
            m0 & p0,
            m1 & p0,
            m1 & p1,
            p0 & pf,
            p0 & bl,
            p1 & pf,
            p1 & bl,
            m0 & pf,
            m0 & bl,
            m1 & pf,
            m1 & bl,
            bl & pf,
            0,
            p0 & p1,
            m0 & m1,
        ];
        let mut latches = 0;
        let mut bit = 0;
        while bit < pairs.len() {
            if pairs[bit] != 0 {
                latches |= 1 << bit;
            }
            bit += 1;
        }
        latches
    }

    /// The pixels that show COLUP0, COLUP1 and COLUPF; no two overlap, the rest is COLUBK.
    #[inline]
    fn layers(&self, priority: Priority, left: u64) -> (u64, u64, u64) {
        let Self { p0, p1, m0, m1, bl, pf } = *self;
        match priority {
            Priority::Playfield => {
                let front = pf | bl;
                let first = (p0 | m0) & !front;
                (first, (p1 | m1) & !front & !first, front)
            }
            Priority::Players => {
                let first = p0 | m0;
                let second = (p1 | m1) & !first;
                (first, second, (pf | bl) & !first & !second)
            }
            Priority::PlayersScore => {
                let first = p0 | m0 | pf & left;
                let second = (p1 | m1 | pf & !left) & !first;
                (first, second, bl & !first & !second)
            }
        }
    }
}

/// The pixels `from..to` of word `word`.
#[inline]
pub(crate) fn window(word: usize, from: usize, to: usize) -> u64 {
    let low = from.saturating_sub(word * 64).min(64);
    let high = to.saturating_sub(word * 64).min(64);
    let ones = |count: usize| if count >= 64 { u64::MAX } else { (1 << count) - 1 };
    ones(high) & !ones(low)
}

/// The collisions `latched` so far and those among the pixels `from..to`.
#[inline]
pub(crate) fn collide(objects: &Objects, latched: u16, from: usize, to: usize) -> u16 {
    let mut latches = latched;
    if objects.can_collide(latched) {
        for word in from / 64..=(to - 1) / 64 {
            latches |= objects.word(word, window(word, from, to)).collisions();
        }
    }
    latches
}

/// Writes the colours of pixels `from..to` of a line to `line`, which starts at pixel 0 and may be cut short.
pub(crate) fn paint(objects: &Objects, priority: Priority, colours: Colours, from: usize, to: usize, line: &mut [u8]) {
    if objects.shown == 0 {
        let end = to.min(line.len());
        if from < end {
            line[from..end].fill(colours[3]);
        }
        return;
    }
    for word in from / 64..=(to - 1) / 64 {
        let window = window(word, from, to);
        let layers = objects.word(word, window).layers(priority, LEFT_HALF[word]);
        paint_word(layers, colours, word * 64, window, line);
    }
}

fn paint_word((first, second, front): (u64, u64, u64), colours: Colours, start: usize, window: u64, line: &mut [u8]) {
    let [p0, p1, pf, bk] = colours.map(|colour| u64::from_ne_bytes([colour; 8]));
    let (p0, p1, pf) = (p0 ^ bk, p1 ^ bk, pf ^ bk);
    let mut group = window.trailing_zeros() as usize / 8;
    let last = (63 - window.leading_zeros() as usize) / 8;
    while group <= last {
        let byte = |mask: u64| (mask >> (8 * group)) as u8;
        let eight = bk
            ^ BYTES[usize::from(byte(first))] & p0
            ^ BYTES[usize::from(byte(second))] & p1
            ^ BYTES[usize::from(byte(front))] & pf;
        let x = start + 8 * group;
        let wanted = byte(window);
        if let Some(pixels) = line.get_mut(x..x + 8) {
            if wanted == 0xFF {
                pixels.copy_from_slice(&eight.to_le_bytes());
            } else {
                for (bit, (pixel, colour)) in pixels.iter_mut().zip(eight.to_le_bytes()).enumerate() {
                    if wanted >> bit & 1 == 1 {
                        *pixel = colour;
                    }
                }
            }
        }
        group += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One pixel at a time, straight from the priority table of the Stella Programmer's Guide.
    fn slow(objects: &Objects, priority: Priority, colours: Colours, x: usize) -> (u8, u16) {
        let at = |mask: &Mask| mask[x / 64] >> (x % 64) & 1 == 1;
        let [p0, p1, m0, m1, bl, pf] = objects.masks.map(|mask| at(&mask));
        let left = x < 80;
        let colour = match priority {
            Priority::Playfield if pf || bl => colours[2],
            _ if p0 || m0 => colours[0],
            Priority::PlayersScore if pf && left => colours[0],
            _ if p1 || m1 => colours[1],
            Priority::PlayersScore if pf => colours[1],
            _ if pf || bl => colours[2],
            _ => colours[3],
        };
        let pairs = [
            m0 && p1,
            m0 && p0,
            m1 && p0,
            m1 && p1,
            p0 && pf,
            p0 && bl,
            p1 && pf,
            p1 && bl,
            m0 && pf,
            m0 && bl,
            m1 && pf,
            m1 && bl,
            bl && pf,
            false,
            p0 && p1,
            m0 && m1,
        ];
        (
            colour,
            pairs
                .iter()
                .enumerate()
                .fold(0, |bits, (bit, &hit)| bits | u16::from(hit) << bit),
        )
    }

    #[test]
    fn spans_equal_the_priority_table_pixel_by_pixel() {
        let mut state = 0x1234_5678_9ABC_DEF0_u64;
        let mut random = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        for round in 0..400 {
            let mut mask = || {
                if round % 5 == 0 {
                    EMPTY
                } else {
                    [random() & random(), random() & random(), random() & 0xFFFF_FFFF]
                }
            };
            let mut objects = Objects::default();
            for object in 0..6 {
                objects.set(object, mask());
            }
            let colours = [0x1E, 0x2C, 0x3A, 0x48];
            let from = (random() % 160) as usize;
            let to = from + 1 + (random() as usize) % (160 - from);
            for priority in [Priority::Players, Priority::PlayersScore, Priority::Playfield] {
                let mut line = [0xEE; 160];
                paint(&objects, priority, colours, from, to, &mut line);
                let mut expected = [0xEE; 160];
                let mut expected_latches = 0;
                for x in from..to {
                    let (colour, hits) = slow(&objects, priority, colours, x);
                    expected[x] = colour;
                    expected_latches |= hits;
                }
                assert_eq!(line, expected);
                assert_eq!(collide(&objects, 0, from, to), expected_latches);
                assert_eq!(collide(&objects, 0x0F0F, from, to), expected_latches | 0x0F0F);
            }
        }
    }
}
