//! A PNG file without compression (PNG specification, second edition; RFC 1950 and 1951): pictures of 160 pixels a
//! line need none.

/// A picture of three bytes (red, green, blue) a pixel and `width` pixels a line.
pub(crate) fn rgb(width: usize, pixels: &[u8]) -> Vec<u8> {
    let stride = width * 3;
    let height = pixels.len() / stride;
    // Every line starts with the number of its filter, 0 for none.
    let lines: Vec<u8> = pixels
        .chunks_exact(stride)
        .flat_map(|line| [&[0], line].concat())
        .collect();

    let mut header = Vec::new();
    header.extend((width as u32).to_be_bytes());
    header.extend((height as u32).to_be_bytes());
    header.extend([8, 2, 0, 0, 0]); // bits a channel, RGB, and the only values there are for the rest

    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    chunk(&mut file, *b"IHDR", &header);
    chunk(&mut file, *b"IDAT", &zlib(&lines));
    chunk(&mut file, *b"IEND", &[]);
    file
}

fn chunk(file: &mut Vec<u8>, kind: [u8; 4], data: &[u8]) {
    let checked = [&kind, data].concat();
    file.extend((data.len() as u32).to_be_bytes());
    file.extend(&checked);
    file.extend(crc32fast::hash(&checked).to_be_bytes());
}

/// The data as a zlib stream of stored blocks.
fn zlib(data: &[u8]) -> Vec<u8> {
    const LONGEST: usize = 0xFFFF;
    let mut stream = vec![0x78, 0x01];
    let last = data.chunks(LONGEST).count().saturating_sub(1);
    for (index, block) in data.chunks(LONGEST).enumerate() {
        let length = block.len() as u16;
        stream.push(u8::from(index == last));
        stream.extend(length.to_le_bytes());
        stream.extend((!length).to_le_bytes());
        stream.extend(block);
    }
    stream.extend(adler32(data).to_be_bytes());
    stream
}

fn adler32(data: &[u8]) -> u32 {
    const MODULUS: u32 = 65521;
    let (low, high) = data.iter().fold((1, 0), |(low, high), &byte| {
        let low = (low + u32::from(byte)) % MODULUS;
        (low, (high + low) % MODULUS)
    });
    (high << 16) | low
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_adlers() {
        assert_eq!(adler32(b"Wikipedia"), 0x11E6_0398);
    }

    #[test]
    fn a_picture_has_the_chunks_of_a_png() {
        let file = rgb(2, &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
        assert!(file.starts_with(b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\x02\0\0\0\x02\x08\x02\0\0\0"));
        assert!(file.ends_with(b"\0\0\0\0IEND\xae\x42\x60\x82"));
        let stored = [0, 1, 2, 3, 4, 5, 6, 0, 7, 8, 9, 10, 11, 12];
        assert!(file.windows(stored.len()).any(|window| window == stored));
    }
}
