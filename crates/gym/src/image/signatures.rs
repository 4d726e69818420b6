//! Which rows of a picture have changed, as their signatures tell.

use super::rows::RowSet;

/// The signatures of the rows of the console's picture, or of two, that a small picture was made of: rows with the same one look the
/// same.
pub(crate) struct Signatures {
    rows: Vec<u64>,
    /// Whether they are those of a picture.
    known: bool,
}

impl Signatures {
    /// Of pictures of `height` rows.
    pub(crate) fn new(height: usize) -> Self {
        Self {
            rows: vec![0; height],
            known: false,
        }
    }

    /// Forgets the picture.
    pub(crate) fn forget(&mut self) {
        self.known = false;
    }

    /// Takes the signatures of another picture, of two if there is a `second`, and says which rows have others than before.
    pub(crate) fn note(&mut self, first: &[u64], second: Option<&[u64]>) -> RowSet {
        match second {
            None => self.note_rows(first.iter().copied()),
            // Not those of one picture, be the other one black.
            Some(second) => self.note_rows(
                first
                    .iter()
                    .zip(second)
                    .map(|(first, second)| first.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ !second.rotate_left(32)),
            ),
        }
    }

    fn note_rows(&mut self, rows: impl Iterator<Item = u64>) -> RowSet {
        let mut changed = RowSet::NONE;
        for (y, (old, new)) in self.rows.iter_mut().zip(rows).enumerate() {
            if *old != new {
                *old = new;
                changed.insert(y);
            }
        }
        let known = std::mem::replace(&mut self.known, true);
        if known { changed } else { RowSet::ALL }
    }

    /// The signature of each row.
    pub(crate) fn rows(&self) -> &[u64] {
        &self.rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_has_changed_where_it_has_in_either_picture() {
        let mut signatures = Signatures::new(3);
        assert_eq!(signatures.note(&[0; 3], Some(&[0; 3])), RowSet::ALL);
        assert_eq!(signatures.note(&[0; 3], Some(&[0; 3])), RowSet::NONE);
        let changed = signatures.note(&[0, 1, 0], Some(&[0, 0, 2]));
        assert_eq!([0, 1, 2].map(|y| changed.contains(y)), [false, true, true]);
        let changed = signatures.note(&[0, 1, 3], None);
        assert_eq!([0, 1, 2].map(|y| changed.contains(y)), [true; 3]);
        assert_eq!(signatures.note(&[0, 1, 3], None), RowSet::NONE);
        signatures.forget();
        assert_eq!(signatures.note(&[0, 1, 3], None), RowSet::ALL);
    }
}
