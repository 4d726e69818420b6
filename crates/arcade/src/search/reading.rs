//! Numbers in RAM: where they stand and how they are written.

use std::fmt;

/// A number in the console's RAM, in one of the forms that games store scores and lives in.
///
/// It is shown as an expression of a definition, such as `bcd(0x85, 0x84, 0x83)` or `ram[0xBC] >> 4`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Reading {
    pub(super) encoding: Encoding,
    /// The place of the byte with the lowest digits, from 0.
    pub(super) first: u8,
    /// How far the byte with the next digits is.
    pub(super) step: i8,
    pub(super) bytes: u8,
    /// The zeros that the screen shows behind the number.
    pub(super) zeros: u8,
}

/// How a byte holds a part of a number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Encoding {
    /// Two decimal digits.
    Bcd,
    /// A decimal digit in the lower half; 10 and 15 are blanks.
    Digit,
    /// A decimal digit times eight, the place of its shape; from 80 on a blank.
    Shape,
    /// The byte.
    Binary,
    /// The lower half of a byte.
    LowHalf,
    /// The upper half of a byte.
    HighHalf,
}

impl Encoding {
    /// What a byte adds, in units of its place; none for a byte that is no part of such a number.
    fn part(self, byte: u8) -> Option<i64> {
        let [low, high] = [byte & 15, byte >> 4];
        Some(i64::from(match self {
            Self::Bcd if low <= 9 && high <= 9 => 10 * high + low,
            Self::Digit if low <= 9 => low,
            Self::Digit if low == 10 || low == 15 => 0,
            Self::Shape if byte >= 80 => 0,
            Self::Shape if byte.is_multiple_of(8) => byte / 8,
            Self::Binary => byte,
            Self::LowHalf => low,
            Self::HighHalf => high,
            Self::Bcd | Self::Digit | Self::Shape => return None,
        }))
    }

    /// What the place of the next byte is worth more.
    fn base(self) -> i64 {
        match self {
            Self::Bcd => 100,
            Self::Digit | Self::Shape => 10,
            Self::Binary => 256,
            Self::LowHalf | Self::HighHalf => 16,
        }
    }
}

/// The digits of a table, for digits that may be blank: what is no index of it reads as 0.
const TABLE: &str = "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]";

/// The address of the first byte of RAM.
const RAM: u8 = 0x80;

/// The most bytes of a number, and of one that has a digit in each byte.
const MOST_BYTES: u8 = 4;
const MOST_DIGITS: u8 = 6;
/// The largest distance of the bytes of a number. Two bytes in BCD may be anywhere.
const MOST_STEP: i8 = 4;
/// The most zeros that a screen shows behind a number.
const MOST_ZEROS: u8 = 3;

impl Reading {
    /// All readings that a search begins with.
    pub(super) fn all() -> Vec<Self> {
        let near = || (-MOST_STEP..=MOST_STEP).filter(|step| *step != 0);
        let anywhere = || (-127..=127_i8).filter(|step| *step != 0);
        let mut all = Vec::new();
        let mut add = |encoding, bytes, zeros, steps: &mut dyn Iterator<Item = i8>| {
            let steps: Vec<i8> = if bytes == 1 { vec![1] } else { steps.collect() };
            for step in steps {
                for first in 0..128_u8 {
                    let last = i32::from(first) + i32::from(step) * (i32::from(bytes) - 1);
                    if (0..128).contains(&last) {
                        all.push(Self {
                            encoding,
                            first,
                            step,
                            bytes,
                            zeros,
                        });
                    }
                }
            }
        };
        for zeros in 0..=MOST_ZEROS {
            add(Encoding::Bcd, 1, zeros, &mut near());
            add(Encoding::Bcd, 2, zeros, &mut anywhere());
            for bytes in 3..=MOST_BYTES {
                add(Encoding::Bcd, bytes, zeros, &mut near());
            }
            for bytes in 1..=MOST_BYTES {
                add(Encoding::Binary, bytes, zeros, &mut [-1, 1].into_iter());
            }
            for encoding in [Encoding::Digit, Encoding::Shape] {
                for bytes in 2..=MOST_DIGITS {
                    add(encoding, bytes, zeros, &mut [-2, -1, 1, 2].into_iter());
                }
            }
        }
        add(Encoding::LowHalf, 1, 0, &mut near());
        add(Encoding::HighHalf, 1, 0, &mut near());
        all
    }

    /// The places of its bytes in RAM, from 0, that with the lowest digits first.
    pub fn places(self) -> impl DoubleEndedIterator<Item = u8> {
        (0..self.bytes).map(move |index| {
            let place = i32::from(self.first) + i32::from(self.step) * i32::from(index);
            u8::try_from(place).expect("a reading lies within RAM")
        })
    }

    /// The number; none if the bytes hold no such number now.
    pub fn value(self, ram: &[u8; 128]) -> Option<i64> {
        let mut worth = 10_i64.pow(self.zeros.into());
        let mut value = 0;
        for place in self.places() {
            value += worth * self.encoding.part(ram[usize::from(place)])?;
            worth *= self.encoding.base();
        }
        Some(value)
    }

    /// How many decimal digits the number has at most.
    pub(super) fn digits(self) -> u8 {
        self.zeros
            + match self.encoding {
                Encoding::Bcd => 2 * self.bytes,
                Encoding::Digit | Encoding::Shape => self.bytes,
                Encoding::Binary => (5 * self.bytes).div_ceil(2),
                Encoding::LowHalf | Encoding::HighHalf => 2,
            }
    }

    /// Whether it is the value of one byte or of a half of one.
    pub(super) fn is_plain(self) -> bool {
        let byte = self.encoding == Encoding::Binary && self.bytes == 1 && self.zeros == 0;
        byte || matches!(self.encoding, Encoding::LowHalf | Encoding::HighHalf)
    }

    /// The expression without the factor, and whether an operator can follow it.
    fn unscaled(self) -> (String, bool) {
        let address = |place: u8| format!("0x{:02X}", RAM + place);
        let addresses = || self.places().map(address);
        let ram = format!("ram[{}]", address(self.first));
        match self.encoding {
            Encoding::Bcd => (format!("bcd({})", addresses().collect::<Vec<_>>().join(", ")), true),
            Encoding::Binary if self.bytes == 1 => (ram, true),
            Encoding::Binary => {
                let worth = |index: usize| 256_u64.pow(index as u32);
                let parts = addresses().enumerate().map(|(index, address)| match index {
                    0 => format!("ram[{address}]"),
                    _ => format!("{} * ram[{address}]", worth(index)),
                });
                (parts.collect::<Vec<_>>().join(" + "), false)
            }
            Encoding::LowHalf => (format!("{ram} & 15"), false),
            Encoding::HighHalf => (format!("{ram} >> 4"), false),
            Encoding::Digit | Encoding::Shape => {
                let place = match self.step {
                    1 => format!("{} + i", address(self.first)),
                    -1 => format!("{} - i", address(self.first)),
                    step => format!(
                        "{} {} {} * i",
                        address(self.first),
                        if step < 0 { '-' } else { '+' },
                        step.abs()
                    ),
                };
                let digit = if self.encoding == Encoding::Digit {
                    "& 15"
                } else {
                    ">> 3"
                };
                let each = format!("{TABLE}[ram[{place}] {digit}] * 10 ** i");
                (format!("sum({each} for i in range(0, {}))", self.bytes), true)
            }
        }
    }

    /// The expression; in parentheses if it has an operator.
    pub(super) fn operand(self) -> String {
        let (text, single) = self.unscaled();
        if single && self.zeros == 0 {
            text
        } else {
            format!("({self})")
        }
    }
}

impl fmt::Display for Reading {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (text, single) = self.unscaled();
        match (self.zeros, single) {
            (0, _) => formatter.write_str(&text),
            (zeros, true) => write!(formatter, "{text} * {}", 10_u32.pow(zeros.into())),
            (zeros, false) => write!(formatter, "({text}) * {}", 10_u32.pow(zeros.into())),
        }
    }
}
