//! MD5, by which ROMs are known.

use md5::{Digest, Md5};

/// The MD5 of `bytes`, 32 hexadecimal digits.
pub fn md5(bytes: &[u8]) -> String {
    hexadecimal(&digest(bytes))
}

/// The MD5 of `bytes`.
pub fn digest(bytes: &[u8]) -> [u8; 16] {
    Md5::digest(bytes).into()
}

/// `bytes` as lower-case hexadecimal digits.
pub fn hexadecimal(bytes: &[u8]) -> String {
    use std::fmt::Write;
    bytes
        .iter()
        .fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
            write!(text, "{byte:02x}").expect("a string takes any text");
            text
        })
}
