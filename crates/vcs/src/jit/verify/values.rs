//! Ranges of the values that generated code computes.

use super::super::ir::Op;

/// The values that a word may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Range {
    pub(super) low: u32,
    pub(super) high: u32,
    /// The bits that may be set.
    pub(super) bits: u32,
}

impl Range {
    pub(super) const ANY: Self = Self {
        low: 0,
        high: u32::MAX,
        bits: u32::MAX,
    };

    pub(super) fn up_to(high: u32) -> Self {
        Self::new(0, high)
    }

    pub(super) fn new(low: u32, high: u32) -> Self {
        Self {
            low,
            high,
            bits: ones(high),
        }
    }

    pub(super) fn exactly(value: u32) -> Self {
        Self {
            low: value,
            high: value,
            bits: value,
        }
    }

    /// Values with these bits.
    pub(super) fn of_bits(bits: u32) -> Self {
        Self {
            low: 0,
            high: bits,
            bits,
        }
    }

    pub(super) fn either(self, other: Self) -> Self {
        Self {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
            bits: self.bits | other.bits,
        }
    }

    pub(super) fn both(self, other: Self) -> Self {
        let bits = self.bits & other.bits;
        Self {
            low: self.low.max(other.low),
            high: self.high.min(other.high).min(bits),
            bits,
        }
    }

    fn constant(self) -> Option<u32> {
        (self.low == self.high).then_some(self.low)
    }
}

/// The lowest mask of ones that contains `value`.
fn ones(value: u32) -> u32 {
    u32::MAX.checked_shr(value.leading_zeros()).unwrap_or(0)
}

/// The range of an operation's result.
pub(super) fn compute(op: Op, left: Range, right: Range) -> Range {
    let sums = |low: Option<u32>, high: Option<u32>| match (low, high) {
        (Some(low), Some(high)) => Range::new(low, high),
        _ => Range::ANY,
    };
    match op {
        Op::Add => sums(left.low.checked_add(right.low), left.high.checked_add(right.high)),
        Op::Sub => sums(left.low.checked_sub(right.high), left.high.checked_sub(right.low)),
        Op::Remainder => Range::up_to(right.high.saturating_sub(1)),
        Op::And => match right.constant() {
            // The bits above a mask of ones do not differ.
            Some(mask) if mask == ones(mask) && left.low & !mask == left.high & !mask => {
                Range::new(left.low & mask, left.high & mask).both(Range::of_bits(left.bits & mask))
            }
            _ => Range::of_bits(left.bits & right.bits).both(Range::up_to(left.high.min(right.high))),
        },
        Op::Or | Op::Xor => Range::of_bits(left.bits | right.bits),
        Op::ShiftLeft => match right.constant() {
            Some(by) if by < 32 && left.high <= u32::MAX >> by => Range {
                low: left.low << by,
                high: left.high << by,
                bits: left.bits << by,
            },
            Some(by) if by < 32 => Range::of_bits(left.bits << by),
            _ => Range::ANY,
        },
        Op::ShiftRight => match right.constant() {
            Some(by) if by < 32 => Range {
                low: left.low >> by,
                high: left.high >> by,
                bits: left.bits >> by,
            },
            _ => Range::ANY,
        },
        _ => Range::up_to(1),
    }
}
