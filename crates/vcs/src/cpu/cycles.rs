//! The cycles and bytes of each opcode.

/// CPU cycles by opcode, without the extra ones of branches and page crossings.
#[rustfmt::skip]
pub(crate) const CYCLES: [u8; 256] = [
    7, 6, 2, 8, 3, 3, 5, 5, 3, 2, 2, 2, 4, 4, 6, 6,
    2, 5, 2, 8, 4, 4, 6, 6, 2, 4, 2, 7, 4, 4, 7, 7,
    6, 6, 2, 8, 3, 3, 5, 5, 4, 2, 2, 2, 4, 4, 6, 6,
    2, 5, 2, 8, 4, 4, 6, 6, 2, 4, 2, 7, 4, 4, 7, 7,
    6, 6, 2, 8, 3, 3, 5, 5, 3, 2, 2, 2, 3, 4, 6, 6,
    2, 5, 2, 8, 4, 4, 6, 6, 2, 4, 2, 7, 4, 4, 7, 7,
    6, 6, 2, 8, 3, 3, 5, 5, 4, 2, 2, 2, 5, 4, 6, 6,
    2, 5, 2, 8, 4, 4, 6, 6, 2, 4, 2, 7, 4, 4, 7, 7,
    2, 6, 2, 6, 3, 3, 3, 3, 2, 2, 2, 2, 4, 4, 4, 4,
    2, 6, 2, 6, 4, 4, 4, 4, 2, 5, 2, 5, 5, 5, 5, 5,
    // LAX zp (A7) takes four cycles here and three on the chip: ale-py's machine takes four.
    2, 6, 2, 6, 3, 3, 3, 4, 2, 2, 2, 2, 4, 4, 4, 4,
    2, 5, 2, 5, 4, 4, 4, 4, 2, 4, 2, 4, 4, 4, 4, 4,
    2, 6, 2, 8, 3, 3, 5, 5, 2, 2, 2, 2, 4, 4, 6, 6,
    2, 5, 2, 8, 4, 4, 6, 6, 2, 4, 2, 7, 4, 4, 7, 7,
    2, 6, 2, 8, 3, 3, 5, 5, 2, 2, 2, 2, 4, 4, 6, 6,
    2, 5, 2, 8, 4, 4, 6, 6, 2, 4, 2, 7, 4, 4, 7, 7,
];

/// Bytes that an instruction fetches before it does anything else, including the opcode. JSR fetches its last byte after its pushes.
pub(crate) const LENGTHS: [u8; 256] = {
    let mut lengths = [0; 256];
    let mut opcode = 0;
    while opcode < 256 {
        lengths[opcode] = match opcode {
            // Returns.
            0x40 | 0x60 => 1,
            // Immediate, unlike their neighbours, which jam the chip.
            0x82 | 0xA2 | 0xC2 | 0xE2 => 2,
            _ => match opcode & 0x1F {
                // Implied, and the opcodes that jam the chip.
                0x02 | 0x08 | 0x0A | 0x12 | 0x18 | 0x1A => 1,
                // Absolute.
                0x0C..=0x0F | 0x19 | 0x1B..=0x1F => 3,
                // Immediate, page 0, indirect, relative.
                _ => 2,
            },
        };
        opcode += 1;
    }
    lengths
};
