//! Outcomes that depend on the same sources: one in full, the others by what differs.

use gym2600_vcs::{pack_pictures, unpack_pictures};

use super::{BUDGET, Shape};

/// Bytes of a patch: where, in three, counted over the state and both pictures, and what is there.
const PATCH: usize = 4;
/// Outcomes that differ in more bytes have little in common.
const PATCHES: usize = 256;
/// What an outcome takes besides its bytes.
const OVERHEAD: usize = 32;

/// A group. It has at least one outcome.
#[derive(Debug)]
pub(super) struct Group {
    pub(super) shape: Shape,
    /// Bytes of a key.
    key: usize,
    /// What the outcomes are told by: a state and two pictures.
    state: Box<[u8]>,
    pictures: Box<[u8]>,
    outcomes: Vec<Outcome>,
}

#[derive(Debug)]
struct Outcome {
    /// The key, and after it the patches.
    bytes: Box<[u8]>,
    /// When it was kept.
    kept: u64,
    /// When it was asked for last.
    used: u64,
}

impl Group {
    /// A group with an outcome, unless that takes too much.
    pub(super) fn new(shape: Shape, key: &[u8], state: &[u8], screens: [&[u8]; 2], now: u64) -> Option<Self> {
        let mut packed = Vec::new();
        pack_pictures(screens, &mut packed);
        let group = Self {
            shape,
            key: key.len(),
            state: state.into(),
            pictures: packed.into(),
            outcomes: vec![Outcome {
                bytes: key.into(),
                kept: now,
                used: now,
            }],
        };
        (group.bytes() <= BUDGET / 2).then_some(group)
    }

    /// Adds an outcome, unless it has little in common with the others.
    pub(super) fn add(&mut self, key: &[u8], state: &[u8], screens: [&[u8]; 2], now: u64) -> bool {
        if state.len() != self.state.len() {
            return false;
        }
        let mut known = screens.map(<[u8]>::to_vec);
        let [first, second] = &mut known;
        unpack_pictures(&self.pictures, [first, second]);
        let pairs = [
            (&*self.state, state),
            (known[0].as_slice(), screens[0]),
            (known[1].as_slice(), screens[1]),
        ];
        let mut bytes = key.to_vec();
        let mut start = 0;
        for (known, new) in pairs {
            for (at, (known, new)) in known.iter().zip(new).enumerate() {
                if known != new {
                    let [low, middle, high, _] = ((start + at) as u32).to_le_bytes();
                    bytes.extend_from_slice(&[low, middle, high, *new]);
                }
            }
            start += new.len();
        }
        let fits = bytes.len() <= key.len() + PATCHES * PATCH;
        if fits {
            self.push(bytes, now);
        }
        fits
    }

    /// Adds an outcome that is the same as another one of the group.
    pub(super) fn add_same(&mut self, key: &[u8], outcome: usize, now: u64) {
        let mut bytes = key.to_vec();
        bytes.extend_from_slice(&self.outcomes[outcome].bytes[self.key..]);
        self.push(bytes, now);
    }

    fn push(&mut self, bytes: Vec<u8>, now: u64) {
        self.outcomes.push(Outcome {
            bytes: bytes.into(),
            kept: now,
            used: now,
        });
    }

    /// The outcome that was kept then.
    pub(super) fn find_kept(&mut self, kept: u64, now: u64) -> Option<usize> {
        let found = self.outcomes.iter().position(|outcome| outcome.kept == kept)?;
        self.outcomes[found].used = now;
        Some(found)
    }

    /// The outcome with this key.
    pub(super) fn find(&mut self, key: &[u8], now: u64) -> Option<usize> {
        let length = self.key;
        let found = self
            .outcomes
            .iter()
            .position(|outcome| outcome.bytes[..length] == *key)?;
        self.outcomes[found].used = now;
        Some(found)
    }

    /// Whether any outcome's key begins so.
    pub(super) fn resembles(&self, beginning: &[u8]) -> bool {
        self.outcomes.iter().any(|outcome| outcome.bytes.starts_with(beginning))
    }

    /// Puts the outcome's state into `state`.
    pub(super) fn state(&self, outcome: usize, state: &mut Vec<u8>) {
        state.clear();
        state.extend_from_slice(&self.state);
        for (at, byte) in self.patches(outcome) {
            if let Some(patched) = state.get_mut(at) {
                *patched = byte;
            }
        }
    }

    /// Draws the outcome's pictures.
    pub(super) fn draw(&self, outcome: usize, screens: [&mut [u8]; 2]) {
        let [first, second] = screens;
        unpack_pictures(&self.pictures, [first, second]);
        let size = first.len();
        for (at, byte) in self.patches(outcome) {
            if let Some(at) = at.checked_sub(self.state.len()) {
                let screen = if at < size { &mut *first } else { &mut *second };
                screen[at % size] = byte;
            }
        }
    }

    /// Where the outcome differs, and what is there.
    fn patches(&self, outcome: usize) -> impl Iterator<Item = (usize, u8)> {
        let (patches, _) = self.outcomes[outcome].bytes[self.key..].as_chunks::<PATCH>();
        patches
            .iter()
            .map(|&[low, middle, high, byte]| (u32::from_le_bytes([low, middle, high, 0]) as usize, byte))
    }

    /// Bytes that the group takes.
    pub(super) fn bytes(&self) -> usize {
        let outcomes = self.outcomes.iter().map(|outcome| outcome.bytes.len() + OVERHEAD);
        self.state.len() + self.pictures.len() + outcomes.sum::<usize>()
    }

    /// When the outcome was asked for that was not for longest.
    pub(super) fn oldest(&self) -> u64 {
        self.outcomes
            .iter()
            .map(|outcome| outcome.used)
            .min()
            .unwrap_or_default()
    }

    /// Forgets the outcome that was last asked for then. Gives whether any are left.
    pub(super) fn forget(&mut self, used: u64) -> bool {
        self.outcomes.retain(|outcome| outcome.used != used);
        !self.outcomes.is_empty()
    }
}
