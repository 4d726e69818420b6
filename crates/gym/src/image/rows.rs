//! Which rows of a picture have changed, so that what was made of the others can stay.

use std::ops::Range;

/// Rows that have their own place; those beyond share the last one.
const PLACES: usize = 320;

/// A set of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RowSet([u64; PLACES / 64]);

impl RowSet {
    pub(crate) const NONE: Self = Self([0; PLACES / 64]);
    pub(crate) const ALL: Self = Self([u64::MAX; PLACES / 64]);

    pub(crate) fn insert(&mut self, row: usize) {
        let place = row.min(PLACES - 1);
        self.0[place / 64] |= 1 << (place % 64);
    }

    pub(crate) fn contains(&self, row: usize) -> bool {
        let place = row.min(PLACES - 1);
        self.0[place / 64] >> (place % 64) & 1 == 1
    }

    /// Whether one of some neighbouring rows is in the set.
    pub(crate) fn meets(&self, mut rows: Range<usize>) -> bool {
        rows.any(|row| self.contains(row))
    }
}

/// Whether two rows are equal: a comparison of words, because in WebAssembly that of slices goes byte by byte.
pub(crate) fn same(first: &[u8], second: &[u8]) -> bool {
    let word = |bytes: &[u8]| bytes.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
    let (firsts, seconds) = (first.chunks_exact(32), second.chunks_exact(32));
    firsts.remainder() == seconds.remainder()
        && firsts.zip(seconds).all(|(a, b)| {
            let differs = |at: usize| word(&a[at..]) ^ word(&b[at..]);
            differs(0) | differs(8) | differs(16) | differs(24) == 0
        })
}

/// Copies a picture over another one of the same size and adds the rows that differed to `changed`.
pub(crate) fn copy_changed(from: &[u8], to: &mut [u8], width: usize, changed: &mut RowSet) {
    for (y, (old, new)) in to.chunks_exact_mut(width).zip(from.chunks_exact(width)).enumerate() {
        if !same(old, new) {
            old.copy_from_slice(new);
            changed.insert(y);
        }
    }
}

/// The rows that a resize has made ready, as many of the latest as an output row needs together.
pub(crate) struct RowCache<T> {
    rows: Vec<T>,
    row_len: usize,
    /// The source row that is in each place.
    held: Vec<usize>,
}

impl<T: Copy + Default> RowCache<T> {
    /// Room for `count` neighbouring rows.
    pub(crate) fn new(count: usize, row_len: usize) -> Self {
        Self {
            rows: vec![T::default(); count * row_len],
            row_len,
            held: vec![usize::MAX; count],
        }
    }

    /// Forgets the rows of another picture.
    pub(crate) fn clear(&mut self) {
        self.held.fill(usize::MAX);
    }

    /// Makes row `y` ready: by copying the row above where `repeats` says that it looks the same, else by `make`.
    pub(crate) fn ready(&mut self, y: usize, repeats: impl FnOnce() -> bool, make: impl FnOnce(&mut [T])) {
        let count = self.held.len();
        let place = y % count;
        if self.held[place] == y {
            return;
        }
        let at = place * self.row_len;
        if count > 1 && y > 0 && self.held[(y - 1) % count] == y - 1 && repeats() {
            let above = (y - 1) % count * self.row_len;
            self.rows.copy_within(above..above + self.row_len, at);
        } else {
            make(&mut self.rows[at..at + self.row_len]);
        }
        self.held[place] = y;
    }

    /// Row `y`, which [`RowCache::ready`] has made.
    pub(crate) fn row(&self, y: usize) -> &[T] {
        let at = y % self.held.len() * self.row_len;
        &self.rows[at..at + self.row_len]
    }
}
