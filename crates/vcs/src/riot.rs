//! The 6532 RIOT: 128 bytes of RAM, the interval timer and the two ports.

use crate::state::fields;
use std::ops::RangeInclusive;

/// Binary logarithms of the timer's intervals, by the register that sets it.
const SHIFTS: [u32; 4] = [0, 3, 6, 10];

/// RAM, ports and timer.
#[derive(Clone, Debug)]
pub(crate) struct Riot {
    pub(crate) ram: [u8; 128],
    timer: u8,
    /// The interval is `1 << shift` cycles: one of [`SHIFTS`].
    shift: u32,
    set_cycle: i32,
    /// The cycle of the first read after the timer ran out.
    read_after_interrupt: Option<i32>,
    ddra: u8,
}

fields!(Riot {
    ram,
    timer,
    shift,
    set_cycle,
    read_after_interrupt,
    ddra
} where is_valid);

impl Riot {
    pub(crate) fn new() -> Self {
        Self {
            ram: [0; 128],
            timer: 0,
            shift: 6,
            set_cycle: 0,
            read_after_interrupt: None,
            ddra: 0,
        }
    }

    fn is_valid(&self) -> bool {
        SHIFTS.contains(&self.shift)
    }

    /// The console's reset leaves the timer at a random value; RAM keeps what it holds.
    pub(crate) fn reset(&mut self, random: u32) {
        self.timer = 25 + (random % 75) as u8;
        self.shift = 6;
        self.set_cycle = 0;
        self.read_after_interrupt = None;
        self.ddra = 0;
    }

    /// Sets all clocks back by `cycles`.
    pub(crate) fn shift_clocks(&mut self, cycles: i32) {
        self.set_cycle = self.set_cycle.wrapping_sub(cycles);
        self.read_after_interrupt = self.read_after_interrupt.map(|cycle| cycle.wrapping_sub(cycles));
    }

    /// Reads I/O register `address & 7`; `swcha` and `swchb` are the pins of the two ports.
    pub(crate) fn read(&mut self, address: u16, cycles: i32, swcha: u8, swchb: u8) -> u8 {
        match address & 7 {
            0 => swcha,
            1 => self.ddra,
            2 => swchb,
            3 => 0,
            4 | 6 => self.read_timer(cycles),
            _ => self.read_interrupt(cycles),
        }
    }

    /// Writes I/O register `address & 7`. A write to the timer needs address bit 4.
    pub(crate) fn write(&mut self, address: u16, value: u8, cycles: i32) {
        if address & 4 != 0 {
            if address & 0x10 != 0 {
                self.timer = value;
                self.shift = SHIFTS[usize::from(address & 3)];
                self.set_cycle = cycles;
                self.read_after_interrupt = None;
            }
        } else if address & 3 == 1 {
            self.ddra = value;
        }
    }

    /// Intervals left before the timer runs out, and cycles since it was set.
    fn remaining(&self, cycles: i32) -> (i32, u32) {
        let since = cycles.wrapping_sub(1).wrapping_sub(self.set_cycle) as u32;
        (
            (i32::from(self.timer))
                .wrapping_sub((since >> self.shift) as i32)
                .wrapping_sub(1),
            since,
        )
    }

    /// Predicts reads of the timer at `cycles` and then every `period`, as long as it is within `values`, which are not negative.
    /// Returns the number of reads and the last value. None if the first value is another.
    pub(crate) fn timer_stays(&self, cycles: i32, period: i32, values: &RangeInclusive<i32>) -> Option<(u32, u8)> {
        let (remaining, since) = self.remaining(cycles);
        if !values.contains(&remaining) {
            return None;
        }
        // The last cycle at which the timer is within `values`, counted from when it was set.
        let until = ((i64::from(self.timer) - i64::from(*values.start())) << self.shift) - 1;
        // The cycle count wraps long after the timer was set. The difference is negative then, and no round may be skipped.
        let more = until.checked_sub_unsigned(since.into()).filter(|&cycles| cycles >= 0)? / i64::from(period);
        let more = more as i32;
        let (remaining, _) = self.remaining(cycles.wrapping_add(more * period));
        Some((more as u32 + 1, remaining as u8))
    }

    fn read_timer(&mut self, cycles: i32) -> u8 {
        let (remaining, since) = self.remaining(cycles);
        if remaining >= 0 {
            return remaining as u8;
        }
        let run_out = i32::from(self.timer) << self.shift;
        let after = run_out.wrapping_sub(since as i32).wrapping_sub(1);
        if after <= -2 && self.read_after_interrupt.is_none() {
            self.read_after_interrupt = Some(cycles);
        }
        match self.read_after_interrupt {
            None => after as u8,
            Some(read) => {
                let offset = read.wrapping_sub(self.set_cycle.wrapping_add(run_out));
                i32::from(self.timer)
                    .wrapping_sub((since >> self.shift) as i32)
                    .wrapping_sub(offset) as u8
            }
        }
    }

    fn read_interrupt(&self, cycles: i32) -> u8 {
        let (remaining, _) = self.remaining(cycles);
        if remaining >= 0 || self.read_after_interrupt.is_some() {
            0
        } else {
            0x80
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_timer_counts_intervals_and_then_cycles_until_it_is_read() {
        let mut riot = Riot::new();
        riot.write(0x294, 0x80, 100);
        assert_eq!(riot.read(0x284, 104, 0, 0), 0x7C);
        riot.write(0x295, 1, 0);
        assert_eq!(riot.read(0x284, 8, 0, 0), 0);
        assert_eq!(riot.read(0x285, 8, 0, 0), 0);
        assert_eq!(riot.read(0x285, 12, 0, 0), 0x80);
        assert_eq!(riot.read(0x284, 12, 0, 0), 0xFC);
        assert_eq!(riot.read(0x285, 12, 0, 0), 0);
    }

    #[test]
    fn the_end_of_a_wait_is_foreseen() {
        for (register, timer, first) in [(0x294, 9, 3), (0x295, 40, 5), (0x296, 33, 90), (0x297, 4, 1030)] {
            for last in [0, 1, 3] {
                let mut riot = Riot::new();
                riot.write(register, timer, 0);
                let foreseen = riot.timer_stays(first, 7, &(last..=255));
                let reads = (0..10_000)
                    .map(|read| riot.remaining(first + 7 * read).0)
                    .take_while(|&value| value >= last)
                    .map(|value| value as u8)
                    .collect::<Vec<_>>();
                assert_eq!(foreseen, reads.last().map(|&value| (reads.len() as u32, value)));
            }
        }
    }

    #[test]
    fn edge_control_writes_leave_the_timer_alone() {
        let mut riot = Riot::new();
        riot.write(0x296, 9, 0);
        riot.write(0x286, 77, 3);
        assert_eq!(riot.read(0x284, 1, 0, 0), 8);
    }
}
