//! Two pictures in a few kilobytes: what differs from the row above, or from the first picture, eight pixels at a time.
//!
//! Packed are, over and over: how many rows are like their base (one byte); then of one row the groups of pixels that are not, and
//! which of these have one colour (three bytes each, a bit a group); and these groups, one byte or eight each.

use crate::WIDTH;

/// Pixels of a group.
const GROUP: usize = 8;
/// Bytes of a bit for each group of a row.
const MASK: usize = 3;

/// Appends two pictures of palette indices, of the same size, to `packed`.
pub fn pack_pictures([first, second]: [&[u8]; 2], packed: &mut Vec<u8>) {
    let above = [&[0; WIDTH], first].concat();
    pack_rows(first, &above, packed);
    pack_rows(second, first, packed);
}

/// Appends a picture's rows, each as what differs from that of `bases`.
fn pack_rows(picture: &[u8], bases: &[u8], packed: &mut Vec<u8>) {
    let mut like = 0;
    for (row, base) in picture.chunks_exact(WIDTH).zip(bases.chunks_exact(WIDTH)) {
        let (groups, old_groups) = (row.as_chunks::<GROUP>().0, base.as_chunks::<GROUP>().0);
        // Not as slices, which WebAssembly has to compare byte by byte.
        if groups.iter().zip(old_groups).all(|(new, old)| new == old) && like < u8::MAX {
            like += 1;
            continue;
        }
        packed.push(like);
        like = 0;
        let masks = packed.len();
        packed.extend_from_slice(&[0; 2 * MASK]);
        for (group, (new, old)) in groups.iter().zip(old_groups).enumerate() {
            if new != old {
                let (byte, bit) = (masks + group / 8, 1 << (group % 8));
                let plain = *new == [new[0]; GROUP];
                packed[byte] |= bit;
                packed[byte + MASK] |= u8::from(plain) * bit;
                packed.extend_from_slice(if plain { &new[..1] } else { new.as_slice() });
            }
        }
    }
    packed.push(like);
}

/// Draws what [`pack_pictures`] packed into pictures of the same size.
pub fn unpack_pictures(mut packed: &[u8], [first, second]: [&mut [u8]; 2]) {
    let mut above = [0; WIDTH];
    let mut like = next(&mut packed);
    for row in first.as_chunks_mut().0 {
        *row = above;
        unpack_row(&mut packed, &mut like, row);
        above = *row;
    }
    second.copy_from_slice(first);
    like = next(&mut packed);
    for row in second.as_chunks_mut().0 {
        unpack_row(&mut packed, &mut like, row);
    }
}

/// Makes a row of its base, if it is not one of those that are `like` theirs.
#[inline]
fn unpack_row(packed: &mut &[u8], like: &mut u8, row: &mut [u8; WIDTH]) {
    if *like > 0 {
        *like -= 1;
        return;
    }
    let mut changed = mask(packed);
    let plain = mask(packed);
    let groups = row.as_chunks_mut::<GROUP>().0;
    while changed != 0 {
        let group = changed.trailing_zeros() as usize;
        changed &= changed - 1;
        let Some(place) = groups.get_mut(group) else { return };
        if plain >> group & 1 != 0 {
            *place = [next(packed); GROUP];
        } else if let Some((pixels, rest)) = packed.split_first_chunk() {
            *place = *pixels;
            *packed = rest;
        }
    }
    *like = next(packed);
}

#[inline]
fn next(packed: &mut &[u8]) -> u8 {
    packed.split_off_first().copied().unwrap_or_default()
}

/// A bit for each group of a row.
#[inline]
fn mask(packed: &mut &[u8]) -> u32 {
    let Some((&[low, middle, high], rest)) = packed.split_first_chunk::<MASK>() else {
        return 0;
    };
    *packed = rest;
    u32::from_le_bytes([low, middle, high, 0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_come_back_and_take_little() {
        let first: Vec<u8> = (0..210 * WIDTH)
            .map(|pixel| (pixel / WIDTH / 7 * 2 + pixel % WIDTH / 40) as u8)
            .collect();
        let mut second = first.clone();
        second[50 * WIDTH + 30] = 0x1E;
        second[..WIDTH].fill(0);
        let mut packed = Vec::new();
        pack_pictures([&first, &second], &mut packed);
        assert!(packed.len() < 1000, "{} bytes", packed.len());
        let mut screens = [vec![1; first.len()], vec![2; first.len()]];
        let [one, two] = &mut screens;
        unpack_pictures(&packed, [one, two]);
        assert!(screens == [first, second]);
    }

    #[test]
    fn noise_comes_back() {
        let noise = |seed: u32| -> Vec<u8> {
            (0..20 * WIDTH as u32)
                .map(|pixel| ((pixel + seed).wrapping_mul(2_654_435_761) >> 24) as u8)
                .collect()
        };
        let pictures = [noise(0), noise(7)];
        let mut packed = Vec::new();
        pack_pictures([&pictures[0], &pictures[1]], &mut packed);
        let mut screens = [vec![0; pictures[0].len()], vec![0; pictures[1].len()]];
        let [one, two] = &mut screens;
        unpack_pictures(&packed, [one, two]);
        assert!(screens == pictures);
    }
}
