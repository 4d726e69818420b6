//! Two pictures in a few kilobytes: rows that repeat take a byte, the others runs of a colour.

use gym2600_vcs::WIDTH;

/// The row above again.
const ABOVE: u8 = 0;
/// The first picture's row.
const FIRST: u8 = 1;
/// Runs follow, each its length and its colour, until the row is full.
const RUNS: u8 = 2;

/// Appends two pictures of the same size.
pub(super) fn pack([first, second]: [&[u8]; 2], packed: &mut Vec<u8>) {
    for (picture, other) in [(first, None), (second, Some(first))] {
        let mut above: &[u8] = &[];
        for (index, row) in picture.chunks_exact(WIDTH).enumerate() {
            let in_first = other.and_then(|other| other.chunks_exact(WIDTH).nth(index));
            if row == above {
                packed.push(ABOVE);
            } else if in_first == Some(row) {
                packed.push(FIRST);
            } else {
                packed.push(RUNS);
                for run in row.chunk_by(|left, right| left == right) {
                    packed.extend_from_slice(&[run.len() as u8, run[0]]);
                }
            }
            above = row;
        }
    }
}

/// Draws what [`pack`] packed into pictures of the same size.
pub(super) fn unpack(packed: &[u8], [first, second]: [&mut [u8]; 2]) {
    let packed = &mut packed.iter().copied();
    unpack_one(packed, first, &[]);
    unpack_one(packed, second, first);
}

fn unpack_one(packed: &mut impl Iterator<Item = u8>, picture: &mut [u8], first: &[u8]) {
    for start in (0..picture.len()).step_by(WIDTH) {
        match packed.next() {
            Some(RUNS) => {
                let mut rest = &mut picture[start..start + WIDTH];
                while !rest.is_empty() {
                    let (length, colour) = (packed.next().unwrap_or(0), packed.next().unwrap_or(0));
                    let length = usize::from(length).clamp(1, rest.len());
                    let (run, after) = rest.split_at_mut(length);
                    run.fill(colour);
                    rest = after;
                }
            }
            Some(FIRST) => picture[start..start + WIDTH].copy_from_slice(&first[start..start + WIDTH]),
            _ => picture.copy_within(start - WIDTH..start, start),
        }
    }
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
        pack([&first, &second], &mut packed);
        assert!(packed.len() < 1000, "{} bytes", packed.len());
        let mut screens = [vec![1; first.len()], vec![2; first.len()]];
        let [one, two] = &mut screens;
        unpack(&packed, [one, two]);
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
        pack([&pictures[0], &pictures[1]], &mut packed);
        let mut screens = [vec![0; pictures[0].len()], vec![0; pictures[1].len()]];
        let [one, two] = &mut screens;
        unpack(&packed, [one, two]);
        assert!(screens == pictures);
    }
}
