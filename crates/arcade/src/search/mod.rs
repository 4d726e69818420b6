//! A search in RAM for what a person sees on the screen, and the definition of a game that it leads to.
//!
//! A [`RamSearch`] works as a memory editor does: the person says what a number is, or that it rose, and plays on; each [`look`](RamSearch::look)
//! leaves the numbers in RAM that agree. A [`Candidate`] is an expression of a definition. [`define()`] makes a definition of what was found,
//! and tries which controllers and actions matter.
//!
//! Invariant: a candidate agrees with every look. The order of candidates is a guess, and depends on the looks alone.

mod define;
mod inputs;
mod reading;
#[cfg(test)]
mod tests;

pub use define::{DefineError, Found, define};
pub use inputs::actions_that_matter;
pub use reading::Reading;

use std::collections::HashSet;
use std::fmt;
use std::sync::OnceLock;

use reading::Encoding;

/// What a person sees at a moment of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Seen {
    /// The number on the screen.
    Number {
        /// The number.
        value: i64,
        /// How many digits the screen shows, leading zeros among them. It orders candidates only.
        digits: u8,
    },
    /// It is another one than at the look or mark before.
    Changed,
    /// It is the same as at the look or mark before.
    Unchanged,
    /// It is larger than at the look or mark before.
    Larger,
    /// It is smaller than at the look or mark before.
    Smaller,
    /// Whether something is so now, such as that the game is over: the byte has one value whenever it is so, and others whenever it is not.
    State(bool),
}

/// Why a look was refused. The search is as before.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SearchError {
    /// There is no earlier look or mark.
    #[error("there is no earlier look or mark to compare with")]
    NothingBefore,
    /// No screen shows such a number.
    #[error("{0} is not from 0 to {max}", max = RamSearch::MAX_NUMBER)]
    Number(i64),
}

/// A moment of a game, and what was seen then; nothing for a mark.
#[derive(Clone, Debug)]
struct Look {
    ram: [u8; 128],
    seen: Option<Seen>,
}

/// A search for one thing that a person sees.
///
/// # Examples
/// ```
/// use gym2600_arcade::search::{RamSearch, Seen};
/// use gym2600_arcade::{Action, Arcade, Drawing, Settings, WALLOP};
///
/// let mut arcade = Arcade::load(WALLOP, &Settings::default())?;
/// let mut lives = RamSearch::new();
/// lives.look(arcade.ram(), Seen::Number { value: 5, digits: 1 })?;
/// while arcade.lives() == 5 {
///     arcade.act(Action::Fire, Drawing::OnDemand);
/// }
/// lives.look(arcade.ram(), Seen::Smaller)?;
/// lives.look(arcade.ram(), Seen::Number { value: 4, digits: 1 })?;
/// assert_eq!(lives.candidates()[0].to_string(), "ram[0x82]");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct RamSearch {
    looks: Vec<Look>,
    /// The readings that agree with all looks.
    readings: Vec<Reading>,
    /// What [`RamSearch::candidates`] gives until the next look.
    candidates: OnceLock<Vec<Candidate>>,
}

/// A reading that agrees with every look.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Candidate {
    /// Where it is read.
    pub reading: Reading,
    /// The value that the reading has when the state is on; none in a search for a number.
    pub when: Option<i64>,
}

impl Default for RamSearch {
    fn default() -> Self {
        Self::new()
    }
}

impl RamSearch {
    /// The largest number that a screen shows.
    pub const MAX_NUMBER: i64 = 99_999_999;

    /// The digits of a score, unless a look says more.
    const USUAL_DIGITS: u8 = 6;

    /// A search that knows nothing: every reading is possible.
    pub fn new() -> Self {
        Self {
            looks: Vec::new(),
            readings: Reading::all(),
            candidates: OnceLock::new(),
        }
    }

    /// Marks a moment that the next look is compared with.
    pub fn mark(&mut self, ram: &[u8; 128]) {
        self.looks.push(Look { ram: *ram, seen: None });
    }

    /// Keeps the readings that agree with what is seen now.
    ///
    /// # Errors
    /// [`SearchError::NothingBefore`] for a comparison at the first moment, [`SearchError::Number`] for a number that no screen shows.
    pub fn look(&mut self, ram: &[u8; 128], seen: Seen) -> Result<(), SearchError> {
        match seen {
            Seen::Number { value, .. } if !(0..=Self::MAX_NUMBER).contains(&value) => {
                return Err(SearchError::Number(value));
            }
            Seen::Changed | Seen::Unchanged | Seen::Larger | Seen::Smaller if self.looks.is_empty() => {
                return Err(SearchError::NothingBefore);
            }
            _ => {}
        }
        self.keep(Look {
            ram: *ram,
            seen: Some(seen),
        });
        Ok(())
    }

    /// Takes the last look or mark back. False if there is none.
    pub fn undo(&mut self) -> bool {
        let mut looks = std::mem::take(&mut self.looks);
        let taken = looks.pop().is_some();
        self.readings = Reading::all();
        self.candidates = OnceLock::new();
        for look in looks {
            self.keep(look);
        }
        taken
    }

    /// How many looks and marks there were.
    pub fn looks(&self) -> usize {
        self.looks.len()
    }

    fn keep(&mut self, look: Look) {
        self.candidates = OnceLock::new();
        let before = self.looks.last().map(|look| look.ram);
        let ram = look.ram;
        let seen = look.seen;
        self.looks.push(look);
        let compared = |reading: &Reading, holds: fn(&i64, &i64) -> bool| {
            let [now, before] = [Some(ram), before].map(|ram| ram.and_then(|ram| reading.value(&ram)));
            now.zip(before).is_some_and(|(now, before)| holds(&now, &before))
        };
        let looks = &self.looks;
        self.readings.retain(|reading| match seen {
            None => true,
            Some(Seen::Number { value, .. }) => reading.value(&ram) == Some(value),
            Some(Seen::Changed) => compared(reading, i64::ne),
            Some(Seen::Unchanged) => compared(reading, i64::eq),
            Some(Seen::Larger) => compared(reading, i64::gt),
            Some(Seen::Smaller) => compared(reading, i64::lt),
            Some(Seen::State(_)) => reading.is_plain() && tells_states(*reading, looks),
        });
    }

    /// What agrees with every look, the likeliest first: one reading for each byte that may hold the lowest digits.
    ///
    /// Scores are mostly BCD in neighbouring bytes, with six digits. A byte that was 0 in all looks is taken for digits only beside
    /// the others. Numbers below ten are a plain byte, and so is what was only compared.
    pub fn candidates(&self) -> &[Candidate] {
        self.candidates.get_or_init(|| self.ranked())
    }

    fn ranked(&self) -> Vec<Candidate> {
        let numbers = || {
            self.looks.iter().filter_map(|look| match look.seen {
                Some(Seen::Number { value, digits }) => Some((value, digits)),
                _ => None,
            })
        };
        // A comparison alone is of a plain byte.
        let known_number = numbers().next().is_some();
        let small = numbers().all(|(value, _)| value < 10);
        // More digits than the number has are leading zeros: the screen always shows so many.
        let fixed = numbers().filter(|&(value, digits)| digits > value.max(1).ilog10() as u8 + 1);
        let usual = if small { 1 } else { Self::USUAL_DIGITS };
        let wanted = fixed.map(|(_, digits)| digits).max().unwrap_or(usual);
        let rank = |reading: &Reading| {
            let encoding = match reading.encoding {
                Encoding::Binary if small => 0,
                Encoding::Bcd => 1,
                Encoding::Digit | Encoding::Shape => 2,
                Encoding::Binary => 3,
                Encoding::LowHalf | Encoding::HighHalf => 4,
            };
            let distance = reading.step.unsigned_abs();
            let digits = reading.digits().abs_diff(wanted);
            (
                encoding,
                distance,
                digits,
                reading.zeros,
                reading.bytes,
                reading.step,
                reading.first,
            )
        };
        let mut readings: Vec<Reading> = self
            .readings
            .iter()
            .copied()
            .filter(|one| self.is_shown(*one) && (known_number || one.is_plain()))
            .collect();
        readings.sort_by_cached_key(rank);
        let mut known = HashSet::new();
        readings.retain(|reading| known.insert((reading.first, reading.zeros, reading.encoding == Encoding::HighHalf)));
        let on = self.looks.iter().find(|look| look.seen == Some(Seen::State(true)));
        let when = |reading: Reading| on.and_then(|look| reading.value(&look.ram));
        let candidate = |reading| Candidate {
            reading,
            when: when(reading),
        };
        readings.into_iter().map(candidate).collect()
    }

    /// Whether its bytes are neighbours, or those at its ends have not been 0 whenever a number was seen. The lowest digit of many scores is
    /// always 0, so every second byte will do for it.
    fn is_shown(&self, reading: Reading) -> bool {
        let proven = |place: Option<u8>| {
            let numbers = self
                .looks
                .iter()
                .filter(|look| matches!(look.seen, Some(Seen::Number { .. })));
            place.is_some_and(|place| numbers.into_iter().any(|look| look.ram[usize::from(place)] != 0))
        };
        let [lowest, highest] = [reading.places().next(), reading.places().next_back()];
        let distance = reading.step.unsigned_abs();
        distance == 1 || proven(highest) && (distance == 2 || proven(lowest))
    }
}

/// Whether a reading has one value in all looks at which the state is on, and another in all at which it is off.
fn tells_states(reading: Reading, looks: &[Look]) -> bool {
    let values = |wanted| {
        let looks = looks.iter().filter(move |look| look.seen == Some(Seen::State(wanted)));
        looks.map(move |look| reading.value(&look.ram))
    };
    let on = values(true).next();
    values(true).all(|value| Some(value) == on) && values(false).all(|value| Some(value) != on)
}

impl Candidate {
    /// Its value: the number, or whether the state is on. None if the bytes hold no such number.
    pub fn value(self, ram: &[u8; 128]) -> Option<i64> {
        let value = self.reading.value(ram)?;
        Some(self.when.map_or(value, |when| i64::from(value == when)))
    }
}

/// The expression of a definition.
impl fmt::Display for Candidate {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.when {
            None => self.reading.fmt(formatter),
            Some(when) => write!(formatter, "{} == {when}", self.reading.operand()),
        }
    }
}
