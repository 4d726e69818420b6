//! A span of a line by bit operations: which objects collide in it, and which object is in front at each pixel.

use super::mask::{self, Mask};
use super::object::{BL, M0, M1, P0, P1, PF, Set, bit};

/// The priority of objects, CTRLPF bits 1 and 2.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Priority {
    /// Players and missiles in front of the playfield.
    Players,
    /// Players first, and the halves of the playfield in the players' colours.
    PlayersScore,
    /// Playfield and ball in front of all.
    Playfield,
}

/// The pixels that the six objects cover on the present line.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Objects {
    masks: [Mask; 6],
}

/// COLUP0, COLUP1, COLUPF, COLUBK.
pub(crate) type Colours = [u8; 4];

impl Objects {
    /// Replaces an object's mask.
    #[inline]
    pub(crate) fn set(&mut self, object: usize, mask: Mask) {
        self.masks[object] = mask;
    }

    /// Replaces an object's mask from pixel `at` on.
    #[inline]
    pub(crate) fn set_from(&mut self, object: usize, at: usize, mask: Mask) {
        self.masks[object] = mask::join(self.masks[object], at, mask);
    }

    /// The pixels among those of `window`, of word `word`, at which movable objects show COLUP0, COLUP1 and COLUPF. `left` are the
    /// pixels of the line's left half. None if there is no movable object.
    #[inline]
    pub(crate) fn layers(&self, word: usize, window: u64, priority: Priority, left: u64) -> Option<[u64; 3]> {
        let covered = self.masks[..PF].iter().fold(0, |covered, mask| covered | mask[word]);
        let at = |object: usize| self.masks[object][word] & window;
        (covered & window != 0).then(|| {
            let [p0, p1, m0, m1, bl, pf] = [at(P0), at(P1), at(M0), at(M1), at(BL), at(PF)];
            Word { p0, p1, m0, m1, bl, pf }.layers(priority, left)
        })
    }

    /// The pairs of `collisions` that collide among the pixels `from..to`.
    #[inline]
    pub(crate) fn collide(&self, collisions: u16, from: usize, to: usize) -> u16 {
        let span = mask::between(from, to);
        let mut open = collisions;
        let mut found = 0;
        while open != 0 {
            let collision = open.trailing_zeros() as usize;
            open &= open - 1;
            let [one, other] = PAIRS[collision % PAIRS.len()];
            let (one, other) = (&self.masks[usize::from(one)], &self.masks[usize::from(other)]);
            let mut hit = 0;
            for word in 0..3 {
                hit |= one[word] & other[word] & span[word];
            }
            found |= u16::from(hit != 0) << collision;
        }
        found
    }
}

/// The two objects whose collision each latch holds: two latches for each read register from CXM0P on, bit 7 first.
const PAIRS: [[u8; 2]; 16] = [
    pair(M0, P1),
    pair(M0, P0),
    pair(M1, P0),
    pair(M1, P1),
    pair(P0, PF),
    pair(P0, BL),
    pair(P1, PF),
    pair(P1, BL),
    pair(M0, PF),
    pair(M0, BL),
    pair(M1, PF),
    pair(M1, BL),
    pair(BL, PF),
    pair(BL, BL),
    pair(P0, P1),
    pair(M0, M1),
];

const fn pair(one: usize, other: usize) -> [u8; 2] {
    [one as u8, other as u8]
}

/// The latch that does not exist: bit 6 of CXBLPF.
const NO_LATCH: usize = 13;

/// The collisions that are possible, by the set of objects that are shown.
const POSSIBLE: [u16; 64] = {
    let mut possible = [0; 64];
    let mut shown = 0;
    while shown < 64 {
        let mut latch = 0;
        while latch < PAIRS.len() {
            let [one, other] = PAIRS[latch];
            if latch != NO_LATCH && shown >> one & shown >> other & 1 == 1 {
                possible[shown] |= 1 << latch;
            }
            latch += 1;
        }
        shown += 1;
    }
    possible
};

/// The collisions that are possible among a set of objects.
#[inline]
pub(crate) fn possible(objects: Set) -> u16 {
    POSSIBLE[usize::from(objects & 0x3F)]
}

/// The set of objects that these collisions are between.
#[inline]
pub(crate) fn objects_of(collisions: u16) -> Set {
    let mut objects = 0;
    let mut left = collisions;
    while left != 0 {
        let [one, other] = PAIRS[left.trailing_zeros() as usize % PAIRS.len()];
        objects |= bit(one.into()) | bit(other.into());
        left &= left - 1;
    }
    objects
}

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
    /// The pixels at which movable objects show COLUP0, COLUP1 and COLUPF. No two of the masks overlap. The playfield's own
    /// pixels are part of the backdrop.
    #[inline]
    fn layers(&self, priority: Priority, left: u64) -> [u64; 3] {
        let Self { p0, p1, m0, m1, bl, pf } = *self;
        let (first, second) = (p0 | m0, p1 | m1);
        match priority {
            Priority::Playfield => {
                let front = pf | bl;
                [first & !front, second & !front & !first, bl]
            }
            Priority::Players => [first, second & !first, bl & !first & !second],
            Priority::PlayersScore => [first, second & !first & !(pf & left), bl & !first & !second & !pf],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::canvas::{Backdrop, Canvas, Row};
    use super::super::mask::EMPTY;
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
            let mut random_mask = || {
                if round % 5 == 0 {
                    EMPTY
                } else {
                    [random() & random(), random() & random(), random() & 0xFFFF_FFFF]
                }
            };
            let mut objects = Objects::default();
            for object in 0..5 {
                objects.set(object, random_mask());
            }
            let cells = mask::cells(random() as u32 & 0xF_FFFF, round % 3 == 0);
            objects.set(PF, mask::playfield(cells));
            let colours = [0x1E, 0x2C, 0x3A, 0x48];
            let from = (random() % 160) as usize;
            let to = from + 1 + (random() as usize) % (160 - from);
            for priority in [Priority::Players, Priority::PlayersScore, Priority::Playfield] {
                let mut line = [0xEE; 160];
                let mut canvas = Canvas {
                    pixels: &mut line,
                    rows: &mut [Row::UNKNOWN],
                };
                let score = priority == Priority::PlayersScore;
                let backdrop = Backdrop {
                    cells,
                    colours: if score {
                        [colours[0], colours[1], colours[3]]
                    } else {
                        [colours[2], colours[2], colours[3]]
                    },
                };
                let mut row = canvas.row(0).expect("a row");
                row.paint_backdrop(from, to, backdrop);
                row.paint_objects(from, to, &objects, priority, colours);
                let mut expected = [0xEE; 160];
                let mut expected_latches = 0;
                for x in from..to {
                    let (colour, hits) = slow(&objects, priority, colours, x);
                    expected[x] = colour;
                    expected_latches |= hits;
                }
                assert_eq!(line, expected);
                let open = possible(0x3F);
                assert_eq!(objects.collide(open, from, to), expected_latches);
                assert_eq!(objects.collide(open & 0xF0F0, from, to), expected_latches & 0xF0F0);
            }
        }
    }
}
