//! Parts of small programs that draw frames.

/// Begins a frame with three lines of VSYNC.
pub const VSYNC: [u8; 14] = [
    0xA9, 0x02, 0x85, 0x00, 0x85, 0x02, 0x85, 0x02, 0x85, 0x02, 0xA9, 0x00, 0x85, 0x00,
];

/// Waits for so many lines.
pub fn wait(lines: u8) -> [u8; 7] {
    [0xA2, lines, 0x85, 0x02, 0xCA, 0xD0, 0xFB]
}

/// A ROM whose code starts at 0xF000.
pub fn rom_of(code: &[u8]) -> Vec<u8> {
    let mut rom = vec![0xEA; 4096];
    rom[..code.len()].copy_from_slice(code);
    rom[4092..].copy_from_slice(&[0x00, 0xF0, 0x00, 0xF0]);
    rom
}
