//! The collision latches of a beam.

use super::Beam;

impl Beam {
    /// The latches that are looked for.
    pub(crate) fn sought(&self) -> u16 {
        self.sought
    }

    /// Looks for these latches from now on.
    pub(crate) fn seek(&mut self, latches: u16) {
        self.sought = latches;
    }

    /// The latches.
    pub(crate) fn collisions(&self) -> u16 {
        self.collisions
    }

    pub(crate) fn set_collisions(&mut self, collisions: u16) {
        self.collisions = collisions;
    }

    /// The collision latches as the bits 7 and 6 of read register `register` (0..=7).
    pub(crate) fn collision_bits(&self, register: u8) -> u8 {
        let pair = self.collisions >> (2 * (register & 7)) & 3;
        (pair as u8 & 1) << 7 | (pair as u8 & 2) << 5
    }
}
