//! Two pictures of palette indices.

use gym2600_arcade::{InvalidState, State, WIDTH};

use crate::image::{ChangeTimes, Colours, update_rows};
use crate::view::{Indices, View};
use crate::wrappers::Layout;

/// Two pictures of palette indices, and when their rows changed.
#[derive(Clone)]
pub(crate) struct IndexPair {
    /// The palette's greys, if the observation is grey.
    shade: Option<&'static Colours>,
    buffers: [Vec<u8>; 2],
    /// When a row of either picture changed last.
    times: ChangeTimes,
    /// When the second picture was pooled into the first. Rows that have not changed since are pooled.
    pooled: u64,
}

impl IndexPair {
    /// Two black pictures.
    pub(super) fn new(inner: &Layout) -> Self {
        let pixels = inner.pixels();
        Self {
            shade: inner.shade,
            buffers: [vec![0; pixels], vec![0; pixels]],
            times: ChangeTimes::new(pixels / WIDTH),
            pooled: 0,
        }
    }

    pub(super) fn keep(&mut self, buffer: usize, pixels: &[u8]) {
        self.times.begin_update();
        update_rows(&mut self.buffers[buffer], pixels, |row| self.times.note(row));
    }

    pub(super) fn clear(&mut self, buffer: usize) {
        self.times.begin_update();
        for (row, pixels) in self.buffers[buffer].chunks_exact_mut(WIDTH).enumerate() {
            pixels.fill(0);
            self.times.note(row);
        }
    }

    pub(super) fn copy_first(&mut self) {
        self.times.begin_update();
        let [first, second] = &mut self.buffers;
        update_rows(second, first, |row| self.times.note(row));
    }

    /// Copies each index of the second picture to the first one where its grey is brighter. The maximum of two colours may be a third
    /// one, so this is for grey observations only.
    pub(super) fn pool_into_first(&mut self) {
        let changed = self.times.get().since(self.pooled);
        self.times.begin_update();
        self.pooled = self.times.get().now;
        let grey = &self.shade.expect("colours are pooled as bytes").grey;
        let [first, second] = &mut self.buffers;
        let rows = first.as_chunks_mut::<WIDTH>().0.iter_mut().zip(second.as_chunks().0);
        for (row, (first, second)) in rows.enumerate() {
            if changed.contains(row) && pool_row(first, second, grey) {
                self.times.note(row);
            }
        }
    }

    /// The maximum of both.
    pub(super) fn view(&self) -> View<'_> {
        let [first, second] = &self.buffers;
        View::Indices(Indices {
            second: Some(second),
            ..self.indices(first)
        })
    }

    /// The first picture.
    pub(super) fn view_first(&self) -> View<'_> {
        View::Indices(self.indices(&self.buffers[0]))
    }

    fn indices<'a>(&'a self, first: &'a [u8]) -> Indices<'a> {
        Indices {
            shade: self.shade,
            changes: Some(self.times.get()),
            ..Indices::of(first)
        }
    }
}

/// Pools a row. Returns whether this has changed it.
fn pool_row(first: &mut [u8; WIDTH], second: &[u8; WIDTH], grey: &[u8; 256]) -> bool {
    let mut changed = false;
    let groups = first.as_chunks_mut::<8>().0.iter_mut().zip(second.as_chunks::<8>().0);
    for (group, others) in groups.filter(|(group, others)| group != others) {
        for (index, other) in group.iter_mut().zip(others) {
            if grey[*other as usize] > grey[*index as usize] {
                *index = *other;
                changed = true;
            }
        }
    }
    changed
}

impl State for IndexPair {
    fn save(&self, bytes: &mut Vec<u8>) {
        self.buffers.save(bytes);
    }

    fn load(&mut self, bytes: &mut &[u8]) -> Result<(), InvalidState> {
        for buffer in 0..self.buffers.len() {
            let (saved, rest) = bytes.split_at_checked(self.buffers[buffer].len()).ok_or(InvalidState)?;
            self.keep(buffer, saved);
            *bytes = rest;
        }
        Ok(())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;
    use crate::image::Grey;
    use gym2600_arcade::{Palette, TvFormat};

    const ROWS: usize = 9;

    /// The greys that a view shows.
    fn greys(view: &View<'_>, grey: &[u8; 256]) -> Vec<u8> {
        let View::Indices(Indices { first, second, .. }) = view else {
            return Vec::new();
        };
        let pairs = first.iter().zip(second.unwrap_or(first));
        pairs.map(|(a, b)| grey[*a as usize].max(grey[*b as usize])).collect()
    }

    fn rows_that_differ(before: &[u8], after: &[u8]) -> Vec<usize> {
        let rows = before.chunks(WIDTH).zip(after.chunks(WIDTH)).enumerate();
        rows.filter(|(_, (before, after))| before != after)
            .map(|(row, _)| row)
            .collect()
    }

    #[test]
    fn a_pair_is_two_grey_pictures_and_notes_every_row_that_changes() {
        let mut state = 1_u32;
        let mut draw = |below: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) % below
        };
        let colours = Colours::of(Palette::of(TvFormat::Ntsc), Grey::Ale);
        let grey = &colours.grey;
        let layout = Layout {
            shade: Some(colours),
            ..Layout::bytes(vec![ROWS, WIDTH], true)
        };
        let mut pair = IndexPair::new(&layout);
        let mut model = [vec![grey[0]; ROWS * WIDTH], vec![grey[0]; ROWS * WIDTH]];
        let mut picture = vec![0; ROWS * WIDTH];
        let mut saved = None;
        let (mut seen, mut shown) = (0, model[0].clone());
        for step in 0..3000 {
            picture[draw((ROWS * WIDTH) as u32) as usize] = draw(256) as u8;
            let buffer = draw(2) as usize;
            match draw(12) {
                0..6 => {
                    pair.keep(buffer, &picture);
                    model[buffer] = picture.iter().map(|index| grey[*index as usize]).collect();
                }
                6 => {
                    pair.clear(buffer);
                    model[buffer].fill(grey[0]);
                }
                7 => {
                    pair.copy_first();
                    model[1] = model[0].clone();
                }
                8..10 => {
                    pair.pool_into_first();
                    let [first, second] = &mut model;
                    first.iter_mut().zip(second).for_each(|(a, b)| *a = (*a).max(*b));
                }
                10 => {
                    let mut bytes = Vec::new();
                    pair.save(&mut bytes);
                    saved = Some((bytes, model.clone()));
                }
                _ => {
                    if let Some((bytes, buffers)) = &saved {
                        pair.load(&mut bytes.as_slice()).unwrap();
                        model.clone_from(buffers);
                    }
                }
            }
            assert!(greys(&pair.view_first(), grey) == model[0], "step {step}");
            let both: Vec<u8> = model[0].iter().zip(&model[1]).map(|(a, b)| *a.max(b)).collect();
            assert!(greys(&pair.view(), grey) == both, "step {step}");
            if draw(3) == 0 {
                let changed = pair.times.get().since(seen);
                for row in rows_that_differ(&shown, &both) {
                    assert!(changed.contains(row), "row {row} of step {step}");
                }
                (seen, shown) = (pair.times.get().now, both);
            }
        }
    }
}
