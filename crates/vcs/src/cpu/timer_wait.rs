//! Loops that wait for the timer: a read of the timer and a branch back to it. All rounds except the last are executed at once.

use super::CYCLES;
use crate::bus::{self, Bus};

/// The offset of the branch back to the read right before it.
pub(crate) const TIMER_LOOP_OFFSET: u8 = 0xFB;
/// Bytes of the read and the branch.
pub(crate) const TIMER_LOOP_BYTES: u16 = 5;
/// Cycles of both on one page.
pub(crate) const TIMER_LOOP_CYCLES: i32 = 7;

/// Rounds of a loop that waits for the timer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wait {
    pub(crate) rounds: u32,
    /// The value that the last round reads.
    pub(crate) value: u8,
}

/// The rounds of a program that has just branched back to `pc`. `code` is the read and the branch's opcode. None if it is no such
/// loop, if the branch is about to fall through, or if there are more than `limit` rounds.
#[inline(never)]
pub(crate) fn timer_wait(bus: &Bus, (pc, code): (u16, u32), branch: u8, cycles: i32, limit: u32) -> Option<Wait> {
    // The values for which the branch is taken: BPL, BNE.
    let values = match branch {
        0x10 => 0..=0x7F,
        0xD0 => 1..=0xFF,
        _ => return None,
    };
    let [load, low, high, next] = code.to_le_bytes();
    let address = u16::from_le_bytes([low, high]);
    let crosses = (pc ^ pc.wrapping_add(TIMER_LOOP_BYTES)) & 0xFF00 != 0;
    if !matches!(load, 0xAC..=0xAE) || next != branch || !bus::is_timer(address) || crosses {
        return None;
    }
    let first = cycles.wrapping_add(i32::from(CYCLES[usize::from(load)]));
    let (rounds, value) = bus.riot.timer_stays(first, TIMER_LOOP_CYCLES, &values)?;
    (rounds <= limit).then_some(Wait { rounds, value })
}
