//! The TIA writes of a frame with their clocks, to be played to a beam when somebody looks.

use std::cell::Cell;
use std::ops::Range;

/// Writes that a log holds; what a longer frame does is drawn on the way.
pub(crate) const CAPACITY: usize = 2048;
/// Where an entry has its register and its clock; the value is in the lowest bits.
pub(crate) const REGISTER_SHIFT: u32 = 8;
pub(crate) const CLOCK_SHIFT: u32 = 14;
/// Colour clocks that an entry can lie after the log's base.
const REACH: i32 = 1 << 18;

/// One logged write.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Write {
    pub(crate) clock: i32,
    pub(crate) register: u8,
    pub(crate) value: u8,
}

/// Room for writes.
type Entries = [u32; CAPACITY];

thread_local! {
    /// Room that no log has just now: of the consoles of a thread only one plays at a time.
    static SPARE: Cell<Option<Box<Entries>>> = const { Cell::new(None) };
}

/// A list of writes, packed into 32 bits each: clock since the base (18), register (6), value (8).
///
/// Translated code appends to it in place.
#[derive(Clone, Debug)]
pub(crate) struct Log {
    /// None while the log is closed.
    pub(crate) entries: Option<Box<Entries>>,
    pub(crate) len: u32,
    pub(crate) base: i32,
}

impl Log {
    pub(crate) fn new() -> Self {
        Self {
            entries: None,
            len: 0,
            base: 0,
        }
    }

    /// Has room from now on.
    pub(crate) fn open(&mut self) {
        self.entries
            .get_or_insert_with(|| SPARE.take().unwrap_or_else(|| Box::new([0; CAPACITY])));
    }

    /// Leaves the room, and what is in it, to the next log of this thread.
    pub(crate) fn close(&mut self) {
        self.len = 0;
        SPARE.set(self.entries.take());
    }

    pub(crate) fn clear(&mut self, base: i32) {
        self.len = 0;
        self.base = base;
    }

    pub(crate) fn len(&self) -> usize {
        self.len as usize
    }

    /// Whether a write at `clock` can be logged as far as its clock goes.
    pub(crate) fn reaches(&self, clock: i32) -> bool {
        (0..REACH).contains(&clock.wrapping_sub(self.base))
    }

    /// Appends a write within the log's reach, or says that the log has to be cleared first.
    #[inline]
    pub(crate) fn push(&mut self, write: Write) -> Result<(), Full> {
        debug_assert!(
            self.reaches(write.clock),
            "the TIA empties the log before it cannot reach a write"
        );
        let since = write.clock.wrapping_sub(self.base);
        let entry = self
            .entries
            .as_mut()
            .and_then(|entries| entries.get_mut(self.len as usize));
        let entry = entry.ok_or(Full)?;
        *entry = (since as u32) << CLOCK_SHIFT | u32::from(write.register) << REGISTER_SHIFT | u32::from(write.value);
        self.len += 1;
        Ok(())
    }

    /// All writes.
    pub(crate) fn writes(&self) -> Writes<'_> {
        Writes {
            base: self.base,
            entries: self
                .entries
                .as_ref()
                .map_or(&[], |entries| &entries[..self.len as usize]),
        }
    }
}

/// Writes of a log.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Writes<'a> {
    pub(crate) base: i32,
    pub(crate) entries: &'a [u32],
}

impl<'a> Writes<'a> {
    /// Some of them.
    pub(crate) fn range(self, range: Range<usize>) -> Self {
        Self {
            entries: &self.entries[range],
            ..self
        }
    }

    /// One after the other.
    #[inline]
    pub(crate) fn iter(self) -> impl Iterator<Item = Write> + 'a {
        self.entries.iter().map(move |&entry| Write {
            clock: self.base.wrapping_add((entry >> CLOCK_SHIFT) as i32),
            register: (entry >> REGISTER_SHIFT & 0x3F) as u8,
            value: entry as u8,
        })
    }
}

/// There is no room for the write, or the log is closed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Full;
