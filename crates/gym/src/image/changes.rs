//! The rows of a picture that have changed. Only these are merged and resized again.
//!
//! [`update_rows`] compares each row byte by byte with a copy of the previous picture, and updates the copy.
//!
//! A pair of pictures has two readers: the pool, which merges changed rows, and the resize. They read at different times, and either
//! may skip steps. So each row has the time of its last change, and each reader keeps the time of its last read.
//!
//! Invariant: [`Changes::since`] contains every row that differs from its content at the given time.

use wide::u8x32;

use gym2600_arcade::WIDTH;

/// Bits of a [`RowSet`]. Row 319 and all rows below it share the last one.
const BITS: usize = 320;

/// A set of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RowSet([u64; BITS / 64]);

impl RowSet {
    pub(crate) const NONE: Self = Self([0; BITS / 64]);
    pub(crate) const ALL: Self = Self([u64::MAX; BITS / 64]);

    pub(crate) fn insert(&mut self, row: usize) {
        let bit = row.min(BITS - 1);
        self.0[bit / 64] |= 1 << (bit % 64);
    }

    pub(crate) fn contains(&self, row: usize) -> bool {
        let bit = row.min(BITS - 1);
        self.0[bit / 64] >> (bit % 64) & 1 == 1
    }

    /// Whether the set contains any row of a range.
    pub(crate) fn meets(&self, mut rows: std::ops::Range<usize>) -> bool {
        rows.any(|row| self.contains(row))
    }
}

/// When each row of a picture changed last, counted in updates of the picture.
#[derive(Debug, Clone)]
pub(crate) struct ChangeTimes {
    rows: Vec<u64>,
    now: u64,
}

/// [`ChangeTimes`] to be read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Changes<'a> {
    rows: &'a [u64],
    /// The time of the latest update.
    pub(crate) now: u64,
}

impl ChangeTimes {
    /// For a picture of `height` rows.
    pub(crate) fn new(height: usize) -> Self {
        Self {
            rows: vec![0; height],
            now: 0,
        }
    }

    /// Begins an update.
    pub(crate) fn begin_update(&mut self) {
        self.now += 1;
    }

    /// Notes that the update changes a row.
    pub(crate) fn note(&mut self, row: usize) {
        self.rows[row] = self.now;
    }

    pub(crate) fn get(&self) -> Changes<'_> {
        Changes {
            rows: &self.rows,
            now: self.now,
        }
    }
}

impl Changes<'_> {
    /// The rows that have changed after time `seen`.
    pub(crate) fn since(&self, seen: u64) -> RowSet {
        let mut changed = RowSet::NONE;
        for (row, time) in self.rows.iter().enumerate() {
            if *time > seen {
                changed.insert(row);
            }
        }
        changed
    }
}

/// Copies each row of `new` that differs to `old`, and calls `changed` for it.
pub(crate) fn update_rows(old: &mut [u8], new: &[u8], mut changed: impl FnMut(usize)) {
    let rows = old.as_chunks_mut::<WIDTH>().0.iter_mut().zip(new.as_chunks().0);
    for (row, (old, new)) in rows.enumerate() {
        if !same(old, new) {
            *old = *new;
            changed(row);
        }
    }
}

/// Whether two rows of the same length are equal. Rows mostly are, so the comparison has no early exit.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_rows_that_differ_are_copied_and_noted() {
        let mut times = ChangeTimes::new(3);
        let mut old = [0; 3 * WIDTH];
        let mut update = |pixels: &[(usize, u8)], seen: u64| {
            let mut new = [0; 3 * WIDTH];
            for (at, pixel) in pixels {
                new[*at] = *pixel;
            }
            times.begin_update();
            update_rows(&mut old, &new, |row| times.note(row));
            assert_eq!(old, new);
            let changes = times.get();
            ([0, 1, 2].map(|row| changes.since(seen).contains(row)), changes.now)
        };
        assert_eq!(update(&[], 0), ([false; 3], 1));
        assert_eq!(update(&[(WIDTH, 7)], 1), ([false, true, false], 2));
        assert_eq!(update(&[(WIDTH, 7), (3 * WIDTH - 1, 9)], 2), ([false, false, true], 3));
        assert_eq!(update(&[(3 * WIDTH - 1, 9)], 2), ([false, true, true], 4));
    }

    #[test]
    fn rows_beyond_the_last_bit_share_it() {
        let mut rows = RowSet::NONE;
        rows.insert(BITS + 5);
        assert!(rows.contains(BITS - 1) && rows.contains(BITS + 80) && !rows.contains(BITS - 2));
        assert!(rows.meets(BITS - 3..BITS) && !rows.meets(0..BITS - 1));
    }
}
