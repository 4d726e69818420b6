//! Arithmetic and logic on the registers, including what the undocumented opcodes and decimal mode compute.

use super::Registers;

/// A byte of two decimal digits as a number; digits above nine count as they are.
fn from_bcd(byte: u8) -> i32 {
    10 * i32::from(byte >> 4) + i32::from(byte & 0x0F)
}

/// A number as two decimal digits, without its hundreds.
fn to_bcd(number: i32) -> u8 {
    let number = number % 100;
    (number / 10 * 16 + number % 10) as u8
}

impl Registers {
    #[inline(always)]
    pub(super) fn set_nz(&mut self, value: u8) -> u8 {
        self.negative = value;
        self.not_zero = value;
        value
    }

    #[inline(always)]
    pub(super) fn adc(&mut self, operand: u8) {
        if self.decimal {
            self.adc_decimal(operand);
            return;
        }
        let sum = u16::from(self.a) + u16::from(operand) + u16::from(self.carry);
        let result = sum as u8;
        self.overflow = (self.a ^ result) & (operand ^ result) & 0x80 != 0;
        self.carry = sum > 0xFF;
        self.a = self.set_nz(result);
    }

    fn adc_decimal(&mut self, operand: u8) {
        let sum = from_bcd(self.a) + from_bcd(operand) + i32::from(self.carry);
        let result = to_bcd(sum & 0xFF);
        self.carry = sum > 99;
        self.overflow = (self.a ^ result) & 0x80 != 0 && (result ^ operand) & 0x80 != 0;
        self.a = self.set_nz(result);
    }

    #[inline(always)]
    pub(super) fn sbc(&mut self, operand: u8) {
        if self.decimal {
            self.sbc_decimal(operand);
        } else {
            self.adc_binary_complement(operand);
        }
    }

    #[inline(always)]
    fn adc_binary_complement(&mut self, operand: u8) {
        let operand = !operand;
        let sum = u16::from(self.a) + u16::from(operand) + u16::from(self.carry);
        let result = sum as u8;
        self.overflow = (self.a ^ result) & (operand ^ result) & 0x80 != 0;
        self.carry = sum > 0xFF;
        self.a = self.set_nz(result);
    }

    fn sbc_decimal(&mut self, operand: u8) {
        let borrow = i32::from(!self.carry);
        let mut difference = from_bcd(self.a) - from_bcd(operand) - borrow;
        if difference < 0 {
            difference += 100;
        }
        // Only digits above nine leave it negative still.
        let result = if difference < 0 {
            from_bcd(difference as u8) as u8
        } else {
            to_bcd(difference)
        };
        self.carry = i32::from(self.a) >= i32::from(operand) + borrow;
        self.overflow = (self.a ^ result) & 0x80 != 0 && (result ^ operand) & 0x80 != 0;
        self.a = self.set_nz(result);
    }

    #[inline(always)]
    pub(super) fn compare(&mut self, register: u8, operand: u8) {
        self.carry = register >= operand;
        self.set_nz(register.wrapping_sub(operand));
    }

    #[inline(always)]
    pub(super) fn bit(&mut self, operand: u8) {
        self.negative = operand;
        self.overflow = operand & 0x40 != 0;
        self.not_zero = self.a & operand;
    }

    #[inline(always)]
    pub(super) fn asl(&mut self, value: u8) -> u8 {
        self.carry = value & 0x80 != 0;
        self.set_nz(value << 1)
    }

    #[inline(always)]
    pub(super) fn lsr(&mut self, value: u8) -> u8 {
        self.carry = value & 1 != 0;
        self.set_nz(value >> 1)
    }

    #[inline(always)]
    pub(super) fn rol(&mut self, value: u8) -> u8 {
        let result = value << 1 | u8::from(self.carry);
        self.carry = value & 0x80 != 0;
        self.set_nz(result)
    }

    #[inline(always)]
    pub(super) fn ror(&mut self, value: u8) -> u8 {
        let result = value >> 1 | u8::from(self.carry) << 7;
        self.carry = value & 1 != 0;
        self.set_nz(result)
    }

    /// ANC: AND, then the sign into the carry.
    pub(super) fn anc(&mut self, operand: u8) {
        self.a = self.set_nz(self.a & operand);
        self.carry = self.a & 0x80 != 0;
    }

    /// ARR: AND, then a rotation with flags of its own.
    pub(super) fn arr(&mut self, operand: u8) {
        let value = self.a & operand;
        let rotated = value >> 1 | u8::from(self.carry) << 7;
        if !self.decimal {
            self.a = self.set_nz(rotated);
            self.carry = rotated & 0x40 != 0;
            self.overflow = (rotated >> 6 ^ rotated >> 5) & 1 != 0;
            return;
        }
        self.negative = u8::from(self.carry) << 7;
        self.not_zero = rotated;
        self.overflow = (value ^ rotated) & 0x40 != 0;
        let mut result = rotated;
        if (value & 0x0F) + (value & 0x01) > 5 {
            result = result & 0xF0 | result.wrapping_add(6) & 0x0F;
        }
        self.carry = u16::from(value & 0xF0) + u16::from(value & 0x10) > 0x50;
        if self.carry {
            result = result.wrapping_add(0x60);
        }
        self.a = result;
    }

    /// SBX: A AND X less the operand, without a borrow, into X.
    pub(super) fn sbx(&mut self, operand: u8) {
        let value = self.a & self.x;
        self.carry = value >= operand;
        self.x = self.set_nz(value.wrapping_sub(operand));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(a: u8, carry: bool, operate: impl Fn(&mut Registers)) -> (u8, u8) {
        let mut registers = Registers {
            a,
            carry,
            decimal: true,
            interrupt_disable: true,
            ..Registers::default()
        };
        operate(&mut registers);
        (registers.a, registers.status())
    }

    #[test]
    fn decimal_sums_are_those_measured() {
        assert_eq!(after(0x0F, false, |r| r.adc(0x01)), (0x16, 0x3C));
        assert_eq!(after(0x99, false, |r| r.adc(0x01)), (0x00, 0x3F));
        assert_eq!(after(0xFF, true, |r| r.adc(0xFF)), (0x75, 0x7D));
        assert_eq!(after(0x00, true, |r| r.sbc(0x01)), (0x99, 0xFC));
        assert_eq!(after(0x0A, true, |r| r.sbc(0x01)), (0x09, 0x3D));
        assert_eq!(after(0x12, true, |r| r.sbc(0x21)), (0x91, 0xFC));
        assert_eq!(after(0x00, false, |r| r.sbc(0xFF)), (0x7C, 0x3C));
    }

    #[test]
    fn arr_is_as_measured() {
        let mut registers = Registers {
            a: 0xC3,
            ..Registers::default()
        };
        registers.arr(0xFF);
        assert_eq!(registers.a, 0x61);
        assert!(registers.carry && !registers.overflow);
    }

    #[test]
    fn binary_sums_set_carry_and_overflow() {
        for a in 0..=255_u8 {
            for operand in 0..=255_u8 {
                for carry in [false, true] {
                    let mut sum = Registers {
                        a,
                        carry,
                        ..Registers::default()
                    };
                    sum.adc(operand);
                    let signed = i32::from(a as i8) + i32::from(operand as i8) + i32::from(carry);
                    assert_eq!(sum.overflow, !(-128..=127).contains(&signed));
                    assert_eq!(
                        u16::from(sum.carry) << 8 | u16::from(sum.a),
                        u16::from(a) + u16::from(operand) + u16::from(carry)
                    );
                    let mut difference = Registers {
                        a,
                        carry,
                        ..Registers::default()
                    };
                    difference.sbc(operand);
                    let signed = i32::from(a as i8) - i32::from(operand as i8) - i32::from(!carry);
                    assert_eq!(difference.overflow, !(-128..=127).contains(&signed));
                    assert_eq!(difference.a, a.wrapping_sub(operand).wrapping_sub(u8::from(!carry)));
                }
            }
        }
    }
}
