//! Which rows of a picture have changed, so that what was made of the others can stay.

use std::ops::Range;

use wide::u8x32;

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

/// Whether two rows of the same length are equal. Rows mostly are, so all of them is compared before anything is decided.
pub(crate) fn same(first: &[u8], second: &[u8]) -> bool {
    let ((firsts, rest), (seconds, other_rest)) = (first.as_chunks(), second.as_chunks());
    let differences = firsts
        .iter()
        .zip(seconds)
        .fold(u8x32::ZERO, |differences, (first, second)| {
            differences | u8x32::new(*first) ^ u8x32::new(*second)
        });
    rest == other_rest && differences.simd_eq(u8x32::ZERO).all()
}

/// The rows that a resize has made ready, as many of the latest as an output row needs together.
pub(crate) struct RowCache<T> {
    rows: Vec<T>,
    row_len: usize,
    /// The source row that is in each place. The places are a power of two, for a row's to be found without a division.
    held: Vec<usize>,
    /// The first row of those above the last one made ready that are known to look like it.
    run: usize,
}

impl<T: Copy + Default> RowCache<T> {
    /// Room for `count` neighbouring rows.
    pub(crate) fn new(count: usize, row_len: usize) -> Self {
        let count = count.next_power_of_two();
        Self {
            rows: vec![T::default(); count * row_len],
            row_len,
            held: vec![usize::MAX; count],
            run: usize::MAX,
        }
    }

    /// Forgets the rows of another picture.
    pub(crate) fn clear(&mut self) {
        self.held.fill(usize::MAX);
        self.run = usize::MAX;
    }

    /// Makes row `y` ready: by copying the row above where `repeats` says that it looks the same, else by `make`.
    pub(crate) fn ready(&mut self, y: usize, repeats: impl FnOnce() -> bool, make: impl FnOnce(&mut [T])) {
        let place = self.place(y);
        if self.held[place] == y {
            return;
        }
        let at = place * self.row_len;
        let above = self.place(y.wrapping_sub(1));
        if above != place && y > 0 && self.held[above] == y - 1 && repeats() {
            let above = above * self.row_len;
            self.rows.copy_within(above..above + self.row_len, at);
        } else {
            make(&mut self.rows[at..at + self.row_len]);
            self.run = y;
        }
        self.held[place] = y;
    }

    /// Whether all rows from `y` to the last one made ready look the same, as far as was seen.
    pub(crate) fn same_since(&self, y: usize) -> bool {
        self.run <= y
    }

    fn place(&self, y: usize) -> usize {
        y & (self.held.len() - 1)
    }

    /// Row `y`, which [`RowCache::ready`] has made.
    pub(crate) fn row(&self, y: usize) -> &[T] {
        let at = self.place(y) * self.row_len;
        &self.rows[at..at + self.row_len]
    }
}
