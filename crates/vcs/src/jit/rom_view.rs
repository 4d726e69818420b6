//! The part of a ROM that code is compiled from, and the basic blocks in it.

use crate::cartridge::Stretch;

/// The contiguous ROM that the CPU sees between two bank switches.
#[derive(Clone, Copy, Debug)]
pub(super) struct RomView<'a> {
    /// The address of its first byte.
    pub(super) first: u16,
    /// Its offset in the ROM.
    pub(super) offset: u32,
    pub(super) bytes: &'a [u8],
    /// Whether the cartridge can switch banks.
    pub(super) switches: bool,
    /// How many addresses at the bank's beginning belong to a chip that answers reads.
    pub(super) chip: u16,
    /// For cartridges that switch slices of 1 KB (E0): the first address of the visible slice without a bank switch, and the number of
    /// such addresses.
    pub(super) sliced: Option<(u16, u16)>,
}

impl RomView<'_> {
    /// The four bytes at `at`, the first one lowest. None near the end, where an instruction might not be complete.
    pub(super) fn code(&self, at: u32) -> Option<u32> {
        Stretch::of(self.bytes, self.first).code(at)
    }

    /// [`RomView::code`] at an instruction of a block.
    pub(super) fn code_in_block(&self, at: u32) -> u32 {
        self.code(at).expect("a block has only complete instructions")
    }

    /// The address at `at`.
    pub(super) fn address(&self, at: u32) -> u16 {
        self.first.wrapping_add(at as u16)
    }

    /// The index of an address. It is beyond the end if the address is outside of the view.
    pub(super) fn index_of(&self, address: u16) -> u32 {
        u32::from(address.wrapping_sub(self.first))
    }
}

/// A basic block: a run of instructions that is entered only at the first one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Block {
    /// The index of its first byte in the view.
    pub(super) at: u32,
    /// The index after its last byte.
    pub(super) end: u32,
    /// Its instructions.
    pub(super) length: u32,
}

/// Whether an instruction is never followed by the one behind it.
pub(super) fn never_falls_through(opcode: u8) -> bool {
    // BRK, JSR, RTI, JMP, RTS, JMP through a pointer.
    matches!(opcode, 0x00 | 0x20 | 0x40 | 0x4C | 0x60 | 0x6C)
}

/// Whether an instruction can jump.
pub(super) fn is_flow(opcode: u8) -> bool {
    never_falls_through(opcode) || opcode & 0x1F == 0x10
}
