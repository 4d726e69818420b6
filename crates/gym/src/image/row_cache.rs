//! Rows that a resize has prepared, shared between the output rows that need them.

/// The latest prepared rows, as many as an output row needs.
pub(crate) struct RowCache<T> {
    rows: Vec<T>,
    row_len: usize,
    /// The source row in each slot. The number of slots is a power of two.
    held: Vec<usize>,
}

impl<T: Copy + Default> RowCache<T> {
    /// Room for `count` neighbouring rows.
    pub(crate) fn new(count: usize, row_len: usize) -> Self {
        let count = count.next_power_of_two();
        Self {
            rows: vec![T::default(); count * row_len],
            row_len,
            held: vec![usize::MAX; count],
        }
    }

    /// Forgets all rows, for the next picture.
    pub(crate) fn clear(&mut self) {
        self.held.fill(usize::MAX);
    }

    /// Prepares row `y`: copies the row above if `repeats` says that the source rows are equal, else calls `make`.
    pub(crate) fn prepare(&mut self, y: usize, repeats: impl FnOnce() -> bool, make: impl FnOnce(&mut [T])) {
        let slot = self.slot(y);
        if self.held[slot] == y {
            return;
        }
        let at = slot * self.row_len;
        let above = self.slot(y.wrapping_sub(1));
        if above != slot && y > 0 && self.held[above] == y - 1 && repeats() {
            let above = above * self.row_len;
            self.rows.copy_within(above..above + self.row_len, at);
        } else {
            make(&mut self.rows[at..at + self.row_len]);
        }
        self.held[slot] = y;
    }

    fn slot(&self, y: usize) -> usize {
        y & (self.held.len() - 1)
    }

    /// Row `y`, which [`RowCache::prepare`] has made.
    pub(crate) fn row(&self, y: usize) -> &[T] {
        let at = self.slot(y) * self.row_len;
        &self.rows[at..at + self.row_len]
    }
}
