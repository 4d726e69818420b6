//! What the chip's registers are read and written by, for those who follow a program.

use super::{Dpc, FIRST_VOICE, QUIET, READ_END};

/// What a fetcher has, one bit each as the bytes of [`Dpc::bytes`] lie: top, bottom, both bytes of the counter, flag, music.
const TOP: u128 = 1;
const BOTTOM: u128 = 2;
const LOW: u128 = 4;
const HIGH: u128 = 8;
const FLAG: u128 = 16;
const MUSIC: u128 = 32;
const FETCHER: u128 = 63;
/// Bytes of a fetcher.
const FETCHER_BYTES: usize = 6;
/// Those of all fetchers, and after them the generator.
pub(in crate::cartridge) const BYTES: usize = 8 * FETCHER_BYTES + 1;
const GENERATOR: u128 = 1 << (8 * FETCHER_BYTES);

impl Dpc {
    /// What a reset leaves as it is.
    pub(in crate::cartridge) fn bytes(&self) -> [u8; BYTES] {
        let mut bytes = [0; BYTES];
        for (bytes, fetcher) in bytes.chunks_exact_mut(FETCHER_BYTES).zip(&self.fetchers) {
            let [low, high] = fetcher.counter.to_le_bytes();
            let music = u8::from(fetcher.music);
            bytes.copy_from_slice(&[fetcher.top, fetcher.bottom, low, high, fetcher.flag, music]);
        }
        bytes[BYTES - 1] = self.lfsr;
        bytes
    }

    /// Which of [`Dpc::bytes`] a read depends on. That it also moves counters and flags is no matter: all of their fetcher is
    /// among them.
    pub(in crate::cartridge) fn reads(offset: u16) -> u128 {
        if offset >= READ_END {
            return 0;
        }
        let index = usize::from(offset & 7);
        let others = match offset >> 3 & 7 {
            0 if index < 4 => GENERATOR,
            0 => (FIRST_VOICE..8).fold(0, |bytes, voice| bytes | fetcher_bytes(voice, FETCHER)),
            _ => 0,
        };
        others | fetcher_bytes(index, FETCHER)
    }

    /// Which of [`Dpc::bytes`] a write depends on, and which it then writes over.
    pub(in crate::cartridge) fn writes(&self, offset: u16) -> (u128, u128) {
        if !(READ_END..QUIET.start).contains(&offset) {
            return (0, 0);
        }
        let index = usize::from(offset & 7);
        let voice = index >= FIRST_VOICE;
        let (read, written) = match offset >> 3 & 7 {
            0 => (0, TOP | FLAG),
            1 => (0, BOTTOM),
            2 if voice && self.fetchers[index].music => (MUSIC | TOP, LOW),
            2 if voice => (MUSIC, LOW),
            2 => (0, LOW),
            3 if voice => (0, HIGH | MUSIC),
            3 => (0, HIGH),
            6 => return (0, GENERATOR),
            _ => (0, 0),
        };
        (fetcher_bytes(index, read), fetcher_bytes(index, written))
    }
}

/// These of a fetcher's bytes, among all.
fn fetcher_bytes(index: usize, bytes: u128) -> u128 {
    bytes << (FETCHER_BYTES * index)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::State;

    /// A chip with these bytes.
    fn chip(bytes: &[u8; BYTES]) -> Dpc {
        let mut saved = bytes.to_vec();
        // The music's clock.
        saved.extend([0; 12]);
        let rom = (0..10240_u32)
            .map(|at| (at.wrapping_mul(2_654_435_761) >> 13) as u8)
            .collect();
        let mut chip = Dpc::new(rom);
        assert_eq!(chip.load(&mut saved.as_slice()), Ok(()));
        chip
    }

    /// An access, and what it gives.
    fn access(chip: &mut Dpc, offset: u16, written: u8) -> u8 {
        if offset < READ_END {
            return chip.access_and_read(offset, 70_000);
        }
        chip.access(offset);
        chip.write(offset, written);
        0
    }

    #[test]
    fn an_access_depends_on_nothing_but_what_is_told() {
        let mut seed = 1_u32;
        let mut number = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 24) as u8
        };
        for offset in (0..0x100).chain(0xFC0..0x1000) {
            for _ in 0..8 {
                let mut bytes = [0; BYTES];
                for (at, byte) in bytes.iter_mut().enumerate() {
                    let mask = [
                        0xFF,
                        0xFF,
                        0xFF,
                        0x07,
                        0xFF,
                        u8::from(at % 6 == 5 && at / 6 >= FIRST_VOICE),
                    ][at % 6];
                    *byte = number() & mask;
                }
                bytes[BYTES - 1] = number();
                let written = number();
                let start = chip(&bytes);
                assert_eq!(start.bytes(), bytes);
                let mut ended = start.clone();
                let value = access(&mut ended, offset, written);
                let (needs, replaces) = start.writes(offset);
                let inputs = needs | Dpc::reads(offset);
                for at in (0..BYTES).filter(|at| inputs >> at & 1 == 0) {
                    let mut others = bytes;
                    others[at] ^= match at % 6 {
                        _ if at == BYTES - 1 => 0xFF,
                        3 => 7,
                        5 => u8::from(at / 6 >= FIRST_VOICE),
                        _ => 0xFF,
                    };
                    let mut other = chip(&others);
                    assert_eq!(
                        access(&mut other, offset, written),
                        value,
                        "{offset:03x}: byte {at} shows"
                    );
                    let mut after = other.bytes();
                    if replaces >> at & 1 == 0 {
                        after[at] = ended.bytes()[at];
                    }
                    assert_eq!(after, ended.bytes(), "{offset:03x}: byte {at} matters");
                }
            }
        }
    }
}
