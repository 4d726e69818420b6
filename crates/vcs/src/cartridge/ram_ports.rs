//! Where RAM of a cartridge is read and written.

/// RAM of a cartridge that has one port for writes and one for reads, both at fixed addresses.
#[derive(Clone, Copy, Debug)]
pub(super) struct RamPorts {
    /// Where the ports begin in the bank.
    write: u16,
    read: u16,
    /// The bytes of each.
    pub(super) len: u16,
}

impl RamPorts {
    pub(super) const NONE: Self = Self::at(0, 0, 0);
    /// 128 bytes.
    pub(super) const SUPERCHIP: Self = Self::at(0x000, 0x080, 0x80);
    /// CV's kilobyte.
    pub(super) const COMMAVID: Self = Self::at(0x400, 0x000, 0x400);
    /// FA's 256 bytes.
    pub(super) const RAM_PLUS: Self = Self::at(0x000, 0x100, 0x100);

    const fn at(write: u16, read: u16, len: u16) -> Self {
        Self { write, read, len }
    }

    /// The first address of the bank behind both ports.
    pub(super) const fn end(self) -> u16 {
        2 * self.len
    }

    /// The byte that is written at an address of the bank.
    pub(super) fn written(self, offset: u16) -> Option<usize> {
        let byte = offset.wrapping_sub(self.write);
        (byte < self.len).then_some(usize::from(byte))
    }

    /// The byte that is read at an address of the bank.
    pub(super) fn read(self, offset: u16) -> Option<usize> {
        let byte = offset.wrapping_sub(self.read);
        (byte < self.len).then_some(usize::from(byte))
    }
}
