//! Numbers with a fraction in messages.

use std::fmt;

/// A number in as few decimal digits as tell it from its neighbours; of doubles with more than fifteen digits the last may be off by
/// a few. The standard library has no such exception, and is 7 kB of the WebAssembly module.
#[derive(Clone, Copy)]
pub struct Decimal {
    number: f64,
    /// Whether its neighbours are those of an `f32`.
    single: bool,
}

impl From<f64> for Decimal {
    fn from(number: f64) -> Self {
        Self { number, single: false }
    }
}

impl From<f32> for Decimal {
    fn from(number: f32) -> Self {
        Self {
            number: f64::from(number),
            single: true,
        }
    }
}

/// More digits than a number below this has do not tell a double from its neighbours.
const MOST: f64 = 1e17;

impl Decimal {
    /// The digits of its size, and how many of them are behind the point.
    fn digits(self) -> (u64, usize) {
        let size = self.number.abs();
        let mut scale = 1.0;
        let mut places = 0;
        while size * scale < MOST && !self.is((size * scale).round() / scale) {
            scale *= 10.0;
            places += 1;
        }
        ((size * scale).round() as u64, places)
    }

    /// Whether its size cannot be told from `number`.
    #[allow(clippy::float_cmp, reason = "it has to be the same")]
    fn is(self, number: f64) -> bool {
        if self.single {
            number as f32 == self.number.abs() as f32
        } else {
            number == self.number.abs()
        }
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.number.is_nan() {
            return formatter.write_str("NaN");
        }
        if self.number.is_sign_negative() {
            formatter.write_str("-")?;
        }
        let size = self.number.abs();
        if size.is_infinite() {
            return formatter.write_str("inf");
        }
        let (digits, places) = self.digits();
        if places == 0 {
            // A large one has zeros in the place of digits that tell nothing.
            let mut zeros = 0;
            let mut unit = 1.0;
            let tells = |unit: f64| size >= unit && self.is((size / unit).round() * unit);
            while size / unit >= MOST || tells(unit * 10.0) {
                unit *= 10.0;
                zeros += 1;
            }
            write!(formatter, "{}{:0<zeros$}", (size / unit).round() as u64, "")
        } else {
            let unit = 10_u64.saturating_pow(places as u32);
            write!(formatter, "{}.{:0places$}", digits / unit, digits % unit)
        }
    }
}

/// As that of an `f32`.
impl fmt::Debug for Decimal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (digits, places) = self.digits();
        if digits == 0 || self.number >= 1e-4 {
            write!(formatter, "{self}{}", if places == 0 { ".0" } else { "" })
        } else {
            let text = digits.to_string();
            let (first, rest) = text.split_at(1);
            let point = if rest.is_empty() { "" } else { "." };
            write!(formatter, "{first}{point}{rest}e-{}", places - rest.len())
        }
    }
}
