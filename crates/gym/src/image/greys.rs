//! Look-up of palette indices, 32 pixels at once. Neighbouring pixels have few colours, so each colour is looked up once
//! and written to all of its pixels.

use wide::u8x32;

/// Pixels at once.
const WIDE: usize = 32;

/// Looks a row of indices up.
pub(super) fn look_up(indices: &[u8], table: &[u8; 256], out: &mut [u8]) {
    let (chunks, rest) = indices.as_chunks::<WIDE>();
    let (outs, rest_out) = out.as_chunks_mut::<WIDE>();
    for (out, chunk) in outs.iter_mut().zip(chunks) {
        *out = look_up_chunk(chunk, table).to_array();
    }
    for (out, index) in rest_out.iter_mut().zip(rest) {
        *out = table[*index as usize];
    }
}

/// Looks two rows of indices up, and takes the maximum of each pixel.
pub(super) fn look_up_greater(first: &[u8], second: &[u8], table: &[u8; 256], out: &mut [u8]) {
    let ((firsts, rest), (seconds, other_rest)) = (first.as_chunks::<WIDE>(), second.as_chunks::<WIDE>());
    let (outs, rest_out) = out.as_chunks_mut::<WIDE>();
    for ((out, first), second) in outs.iter_mut().zip(firsts).zip(seconds) {
        let of_first = look_up_chunk(first, table);
        let left = differing(first, second);
        *out = for_each_colour(second, left, of_first, |greatest, colour, there| {
            greatest.max(there & u8x32::splat(table[colour as usize]))
        })
        .to_array();
    }
    for ((out, a), b) in rest_out.iter_mut().zip(rest).zip(other_rest) {
        *out = table[*a as usize].max(table[*b as usize]);
    }
}

/// Looks two rows of indices up: equal pixels in `table`, others in `pairs` by both indices.
pub(super) fn look_up_pairs(first: &[u8], second: &[u8], table: &[u8; 256], pairs: &[u8], out: &mut [u8]) {
    let ((firsts, rest), (seconds, other_rest)) = (first.as_chunks::<WIDE>(), second.as_chunks::<WIDE>());
    let (outs, rest_out) = out.as_chunks_mut::<WIDE>();
    let pair = |a: u8, b: u8| pairs[a as usize * 256 + b as usize];
    for ((out, first), second) in outs.iter_mut().zip(firsts).zip(seconds) {
        *out = look_up_chunk(first, table).to_array();
        let mut left = differing(first, second);
        while left != 0 {
            let pixel = left.trailing_zeros() as usize % WIDE;
            left &= left - 1;
            out[pixel] = pair(first[pixel], second[pixel]);
        }
    }
    for ((out, a), b) in rest_out.iter_mut().zip(rest).zip(other_rest) {
        *out = pair(*a, *b);
    }
}

#[inline(always)]
fn look_up_chunk(chunk: &[u8; WIDE], table: &[u8; 256]) -> u8x32 {
    let pixels = u8x32::from(*chunk);
    let grey = |colour: u8| u8x32::splat(table[colour as usize]);
    // Most chunks have one colour or two, so two are handled without a branch.
    let [first, .., last] = *chunk;
    let (at_first, at_last) = (pixels.simd_eq(u8x32::splat(first)), pixels.simd_eq(u8x32::splat(last)));
    let out = at_first & grey(first) | at_last & grey(last);
    let left = !(at_first | at_last).to_bitmask();
    for_each_colour(chunk, left, out, |out, colour, there| out | there & grey(colour))
}

/// The pixels at which two chunks differ, a bit each.
#[inline(always)]
fn differing(first: &[u8; WIDE], second: &[u8; WIDE]) -> u32 {
    !u8x32::from(*first).simd_eq(u8x32::from(*second)).to_bitmask()
}

/// Calls `change` for each colour of the pixels `left`, with a mask of all pixels that have it.
#[inline(always)]
fn for_each_colour(
    chunk: &[u8; WIDE],
    mut left: u32,
    mut state: u8x32,
    change: impl Fn(u8x32, u8, u8x32) -> u8x32,
) -> u8x32 {
    let pixels = u8x32::from(*chunk);
    while left != 0 {
        let colour = chunk[left.trailing_zeros() as usize % WIDE];
        let there = pixels.simd_eq(u8x32::splat(colour));
        state = change(state, colour, there);
        left &= !there.to_bitmask();
    }
    state
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_looked_up_like_single_pixels() {
        let mut state = 1_u32;
        let mut draw = |below: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            ((state >> 8) % below) as u8
        };
        let mut table = [0; 256];
        table.fill_with(|| draw(256));
        let mut pairs: Vec<u8> = (0..1 << 16).map(|_| draw(256)).collect();
        for index in 0..256 {
            pairs[index * 257] = table[index];
        }
        for round in 0..2000 {
            let (width, colours) = ([160, 32, 31, 33, 7][round % 5], [1, 2, 4, 256][round % 4]);
            let mut row = || -> Vec<u8> { (0..width).map(|_| draw(colours).wrapping_mul(37)).collect() };
            let (first, mut second) = (row(), row());
            if round % 3 == 0 {
                second.clone_from(&first);
                second[width / 2] = 5;
            }
            let look = |index: u8| table[index as usize];
            let single = |out: &[u8], expected: &dyn Fn(u8, u8) -> u8| {
                let both = first.iter().zip(&second);
                assert!(
                    both.zip(out).all(|((a, b), out)| *out == expected(*a, *b)),
                    "round {round}"
                );
            };
            let mut out = vec![0; width];
            look_up(&first, &table, &mut out);
            single(&out, &|a, _| look(a));
            look_up_greater(&first, &second, &table, &mut out);
            single(&out, &|a, b| look(a).max(look(b)));
            look_up_pairs(&first, &second, &table, &pairs, &mut out);
            single(&out, &|a, b| pairs[a as usize * 256 + b as usize]);
        }
    }
}
