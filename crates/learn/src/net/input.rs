//! Bytes of pictures as a net's input.

/// Writes a stack of pictures as height, width, picture, from 0 to 1.
pub(crate) fn write_input(pictures: &[&[u8]], out: &mut [f32]) {
    let value = |pixel: &u8| f32::from(*pixel) * (1.0 / 255.0);
    if let [first, second, third, fourth] = pictures {
        // The usual stack, in a form that becomes vector instructions.
        let pixels = first.iter().zip(*second).zip(third.iter().zip(*fourth));
        for (out, ((first, second), (third, fourth))) in out.as_chunks_mut().0.iter_mut().zip(pixels) {
            *out = [first, second, third, fourth].map(value);
        }
        return;
    }
    for (number, picture) in pictures.iter().enumerate() {
        let places = out[number..].iter_mut().step_by(pictures.len());
        for (out, pixel) in places.zip(*picture) {
            *out = value(pixel);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stack_becomes_one_value_of_each_picture_after_the_other() {
        for count in [1, 3, 4] {
            let bytes: Vec<u8> = (0..count * 6).map(|at| (at * 37 % 256) as u8).collect();
            let pictures: Vec<&[u8]> = bytes.chunks_exact(6).collect();
            let mut out = vec![0.0; bytes.len()];
            write_input(&pictures, &mut out);
            for (at, value) in out.iter().enumerate() {
                let byte = pictures[at % count][at / count];
                assert_eq!(value.to_bits(), (f32::from(byte) * (1.0 / 255.0)).to_bits());
            }
        }
    }
}
