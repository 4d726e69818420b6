//! Arithmetic: sums and differences, binary and decimal, and what the undocumented opcodes compute.

use crate::registers;

/// The result of an addition or subtraction. N and Z are those of its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Sum {
    pub(crate) value: u8,
    pub(crate) carry: bool,
    pub(crate) overflow: bool,
}

/// A byte of two decimal digits as a number; digits above nine count as they are.
fn from_bcd(byte: u8) -> i32 {
    10 * i32::from(byte >> 4) + i32::from(byte & 0x0F)
}

/// A number as two decimal digits, without its hundreds.
fn to_bcd(number: i32) -> u8 {
    let number = number % 100;
    (number / 10 * 16 + number % 10) as u8
}

/// ADC.
#[inline(always)]
pub(super) fn adc(a: u8, operand: u8, carry: bool, decimal: bool) -> Sum {
    if decimal {
        add_decimal(a, operand, carry)
    } else {
        add(a, operand, carry)
    }
}

/// SBC.
#[inline(always)]
pub(super) fn sbc(a: u8, operand: u8, carry: bool, decimal: bool) -> Sum {
    if decimal {
        subtract_decimal(a, operand, carry)
    } else {
        add(a, !operand, carry)
    }
}

/// ADC in binary. SBC adds the operand's complement.
#[inline(always)]
fn add(a: u8, operand: u8, carry: bool) -> Sum {
    let sum = u16::from(a) + u16::from(operand) + u16::from(carry);
    let value = sum as u8;
    Sum {
        value,
        carry: sum > 0xFF,
        overflow: (a ^ value) & (operand ^ value) & 0x80 != 0,
    }
}

/// ADC in decimal mode.
#[inline(never)]
pub(crate) fn add_decimal(a: u8, operand: u8, carry: bool) -> Sum {
    let sum = from_bcd(a) + from_bcd(operand) + i32::from(carry);
    let value = to_bcd(sum & 0xFF);
    Sum {
        value,
        carry: sum > 99,
        overflow: (a ^ value) & 0x80 != 0 && (value ^ operand) & 0x80 != 0,
    }
}

/// SBC in decimal mode.
#[inline(never)]
pub(crate) fn subtract_decimal(a: u8, operand: u8, carry: bool) -> Sum {
    let borrow = i32::from(!carry);
    let mut difference = from_bcd(a) - from_bcd(operand) - borrow;
    if difference < 0 {
        difference += 100;
    }
    // It is still negative only for digits above nine.
    let value = if difference < 0 {
        from_bcd(difference as u8) as u8
    } else {
        to_bcd(difference)
    };
    Sum {
        value,
        carry: i32::from(a) >= i32::from(operand) + borrow,
        overflow: (a ^ value) & 0x80 != 0 && (value ^ operand) & 0x80 != 0,
    }
}

/// The result of a shift by one. N and Z are those of its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Shifted {
    pub(super) value: u8,
    pub(super) carry: bool,
}

/// ASL, or ROL with the carry.
#[inline(always)]
pub(super) fn shift_left(value: u8, carry: bool) -> Shifted {
    Shifted {
        value: value << 1 | u8::from(carry),
        carry: value & 0x80 != 0,
    }
}

/// LSR, or ROR with the carry.
#[inline(always)]
pub(super) fn shift_right(value: u8, carry: bool) -> Shifted {
    Shifted {
        value: value >> 1 | u8::from(carry) << 7,
        carry: value & 1 != 0,
    }
}

/// The result of ARR: A with its flags, and the result that N and Z follow from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Rotated {
    pub(super) sum: Sum,
    pub(super) result: u16,
}

/// ARR: rotates A AND the operand to the right, with its own flags.
#[inline(never)]
pub(super) fn and_rotate(value: u8, carry: bool, decimal: bool) -> Rotated {
    let rotated = value >> 1 | u8::from(carry) << 7;
    if !decimal {
        let sum = Sum {
            value: rotated,
            carry: rotated & 0x40 != 0,
            overflow: (rotated >> 6 ^ rotated >> 5) & 1 != 0,
        };
        return Rotated {
            sum,
            result: u16::from(rotated),
        };
    }
    let mut digits = rotated;
    if (value & 0x0F) + (value & 0x01) > 5 {
        digits = digits & 0xF0 | digits.wrapping_add(6) & 0x0F;
    }
    let high = u16::from(value & 0xF0) + u16::from(value & 0x10) > 0x50;
    if high {
        digits = digits.wrapping_add(0x60);
    }
    let sum = Sum {
        value: digits,
        carry: high,
        overflow: (value ^ rotated) & 0x40 != 0,
    };
    Rotated {
        sum,
        result: registers::result(carry, rotated == 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimal_sums_are_those_measured() {
        let status = |sum: Sum| {
            let registers = registers::Registers {
                result: u16::from(sum.value),
                carry: sum.carry,
                overflow: sum.overflow,
                decimal: true,
                interrupt_disable: true,
                ..registers::Registers::default()
            };
            (sum.value, registers.status())
        };
        assert_eq!(status(add_decimal(0x0F, 0x01, false)), (0x16, 0x3C));
        assert_eq!(status(add_decimal(0x99, 0x01, false)), (0x00, 0x3F));
        assert_eq!(status(add_decimal(0xFF, 0xFF, true)), (0x75, 0x7D));
        assert_eq!(status(subtract_decimal(0x00, 0x01, true)), (0x99, 0xFC));
        assert_eq!(status(subtract_decimal(0x0A, 0x01, true)), (0x09, 0x3D));
        assert_eq!(status(subtract_decimal(0x12, 0x21, true)), (0x91, 0xFC));
        assert_eq!(status(subtract_decimal(0x00, 0xFF, false)), (0x7C, 0x3C));
    }

    #[test]
    fn arr_is_as_measured() {
        let Rotated { sum, .. } = and_rotate(0xC3, false, false);
        assert_eq!(
            sum,
            Sum {
                value: 0x61,
                carry: true,
                overflow: false
            }
        );
    }

    #[test]
    fn binary_sums_set_carry_and_overflow() {
        for a in 0..=255_u8 {
            for operand in 0..=255_u8 {
                for carry in [false, true] {
                    let sum = add(a, operand, carry);
                    let signed = i32::from(a as i8) + i32::from(operand as i8) + i32::from(carry);
                    assert_eq!(sum.overflow, !(-128..=127).contains(&signed));
                    assert_eq!(
                        u16::from(sum.carry) << 8 | u16::from(sum.value),
                        u16::from(a) + u16::from(operand) + u16::from(carry)
                    );
                    let difference = add(a, !operand, carry);
                    let signed = i32::from(a as i8) - i32::from(operand as i8) - i32::from(!carry);
                    assert_eq!(difference.overflow, !(-128..=127).contains(&signed));
                    assert_eq!(difference.value, a.wrapping_sub(operand).wrapping_sub(u8::from(!carry)));
                }
            }
        }
    }
}
