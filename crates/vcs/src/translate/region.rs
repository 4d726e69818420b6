//! Which parts of a ROM make up which functions.

use super::lower;
use crate::cartridge::Stretch;
use crate::cpu::LENGTHS;

/// Instructions of a block, at most.
const BLOCK: u32 = 64;
/// Instructions after which a function ends where it can, and where it must.
const FUNCTION: [u32; 2] = [96, 192];

/// A stretch of ROM, as the cartridge shows it between two switches of banks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Region<'a> {
    /// The address of its first byte.
    pub(super) first: u16,
    /// Where that is in the ROM.
    pub(super) offset: u32,
    pub(super) bytes: &'a [u8],
    /// The cartridge has banks to switch.
    pub(super) switches: bool,
    /// How many addresses of its bank, from the first on, are those of a chip that answers reads.
    pub(super) chip: u16,
}

impl Region<'_> {
    /// The four bytes at `at`, lowest first, where an instruction can be.
    pub(super) fn code(&self, at: u32) -> Option<u32> {
        Stretch::of(self.bytes, self.first).code(at)
    }

    /// The address at `at`.
    pub(super) fn address(&self, at: u32) -> u16 {
        self.first.wrapping_add(at as u16)
    }

    /// Where an address is, from the beginning; beyond the end where it is outside.
    pub(super) fn place(&self, address: u16) -> u32 {
        u32::from(address.wrapping_sub(self.first))
    }
}

/// Instructions one after the other, entered only at the first one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Block {
    /// Where it begins, from the region's beginning.
    pub(super) at: u32,
    /// Where it ends.
    pub(super) end: u32,
    /// How many instructions it has.
    pub(super) length: u32,
}

/// Whether what comes after an opcode is never what lies behind it.
pub(super) fn never_falls_through(opcode: u8) -> bool {
    // BRK, JSR, RTI, JMP, RTS, JMP through a pointer.
    matches!(opcode, 0x00 | 0x20 | 0x40 | 0x4C | 0x60 | 0x6C)
}

/// Whether an opcode can go on elsewhere than behind it.
pub(super) fn is_flow(opcode: u8) -> bool {
    never_falls_through(opcode) || opcode & 0x1F == 0x10
}

/// The blocks of a region: `seen` says where instructions have been executed, `entered` where they have been jumped to.
pub(super) fn blocks(region: &Region<'_>, seen: impl Fn(u32) -> bool, entered: impl Fn(u32) -> bool) -> Vec<Block> {
    let places = 0..region.bytes.len() as u32;
    let mut heads = vec![false; region.bytes.len()];
    for at in places.clone().filter(|&at| seen(at)) {
        heads[at as usize] |= entered(at);
        if let Some(target) = region.code(at).and_then(|code| target(region, at, code))
            && let Some(head) = heads.get_mut(target as usize)
            && seen(target)
        {
            *head = true;
        }
    }
    let mut blocks = Vec::new();
    let mut covered = vec![false; region.bytes.len()];
    for begin in places.filter(|&at| seen(at)) {
        if covered[begin as usize] && !heads[begin as usize] {
            continue;
        }
        let (mut at, mut length) = (begin, 0);
        while let Some(code) = region.code(at) {
            covered[at as usize] = true;
            at += u32::from(LENGTHS[usize::from(code as u8)]);
            length += 1;
            let is_head = heads.get(at as usize).is_none_or(|&head| head);
            let opcode = code as u8;
            if never_falls_through(opcode) || !lower::translates(opcode) || is_head || length == BLOCK || !seen(at) {
                break;
            }
        }
        if length > 0 {
            blocks.push(Block {
                at: begin,
                end: at,
                length,
            });
        }
    }
    blocks
}

/// Where an instruction jumps, if that is constant.
fn target(region: &Region<'_>, at: u32, code: u32) -> Option<u32> {
    match code as u8 {
        0x20 | 0x4C => Some(region.place((code >> 8) as u16)),
        opcode if opcode & 0x1F == 0x10 => Some(at.wrapping_add(2).wrapping_add_signed(i32::from((code >> 8) as i8))),
        _ => None,
    }
}

/// Divides blocks into functions.
pub(super) fn functions(blocks: &[Block]) -> impl Iterator<Item = &[Block]> {
    let [can, must] = FUNCTION;
    let mut length = 0;
    blocks.chunk_by(move |block, next| {
        length += block.length;
        let is_whole = length >= must || length >= can && next.at != block.end;
        if is_whole {
            length = 0;
        }
        !is_whole
    })
}
