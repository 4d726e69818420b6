//! Recordings of play: what the rules of a game read from memory, and what they have to say about it.
//!
//! A recording is JSON, one [`Line`] for each frame at which something changes. It tests the rules of a game whose ROM is not at hand.
//! `scripts/record-game` writes it.

use std::cell::Cell;
use std::collections::BTreeMap;

use gym2600_arcade::rules::{ReadRam, Rules, Variables};
use serde::{Deserialize, Serialize};

/// What the screen of a game shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shown {
    /// The points of this game: the sum of its rewards.
    pub score: i64,
    /// The lives left.
    pub lives: i32,
    /// Whether the game is over.
    pub over: bool,
}

impl Shown {
    /// What the rules say after a frame, with the points until then.
    fn by(rules: &Rules, variables: &Variables, score: i64) -> Self {
        Self {
            score,
            lives: rules.lives(variables),
            over: rules.terminal(variables),
        }
    }
}

/// A frame at which something changes.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// The frames played until then, without those of resets.
    pub frame: u32,
    /// Whether a game starts here.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub reset: bool,
    /// The bytes of RAM that have changed, by their addresses as rules write them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub ram: BTreeMap<String, u8>,
    /// The same of the cartridge's RAM.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub cart_ram: BTreeMap<String, u8>,
    /// What the screen shows, if that has changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shows: Option<Shown>,
}

/// The bytes that a recording has had so far.
struct Memory {
    ram: [Option<u8>; 128],
    cart_ram: [Option<u8>; 128],
    /// What was read last of all that the recording lacks.
    lacking: Cell<Option<(&'static str, u8)>>,
}

impl ReadRam for Memory {
    fn ram(&self, address: u8) -> u8 {
        self.ram[usize::from(address & 0x7F)].unwrap_or_else(|| {
            self.lacking.set(Some(("ram", address)));
            0
        })
    }

    fn cart_ram(&self, index: u8) -> u8 {
        self.cart_ram[usize::from(index & 0x7F)].unwrap_or_else(|| {
            self.lacking.set(Some(("cart_ram", index)));
            0
        })
    }
}

/// What a recording should show and does not.
pub fn unseen(shown: &[Shown]) -> Option<&'static str> {
    let ends = shown.iter().any(|shown| shown.over);
    let scores = shown.iter().any(|shown| shown.score != 0);
    // A game without lives has 0 or 1 of them.
    let lost = shown.windows(2).any(|pair| pair[1].lives < pair[0].lives);
    if !scores {
        Some("no score")
    } else if !lost && shown.iter().any(|shown| shown.lives > 1) {
        Some("no lost life")
    } else if !ends {
        Some("no end")
    } else {
        None
    }
}

/// Runs rules over the lines of a recording and compares what they say after every frame.
///
/// # Errors
/// The first difference, in words.
pub fn compare(rules: &Rules, text: &str) -> Result<(), String> {
    let mut memory = Memory {
        ram: [None; 128],
        cart_ram: [None; 128],
        lacking: Cell::new(None),
    };
    let mut variables = rules.initial();
    let (mut frame, mut score, mut shows) = (0, 0, None);
    for (number, line) in text.lines().enumerate() {
        let at = |problem: String| format!("line {}: {problem}", number + 1);
        let line: Line = serde_json::from_str(line).map_err(|error| at(error.to_string()))?;
        let mut check = |memory: &Memory, reset: bool, frame: u32, shows: Option<Shown>| {
            if reset {
                rules.reset(&mut variables);
                score = 0;
            }
            rules.update(&mut variables, memory);
            if !reset {
                score += i64::from(rules.reward(&variables));
            }
            if let Some((kind, address)) = memory.lacking.get() {
                return Err(at(format!(
                    "frame {frame}: the rules read {kind}[{address:#04X}], which the recording lacks; record the game again"
                )));
            }
            let found = Shown::by(rules, &variables, score);
            if Some(found) == shows {
                return Ok(());
            }
            Err(at(format!(
                "frame {frame}: the rules say {found:?}, the recording {shows:?}"
            )))
        };
        if !line.reset {
            // The frames without a line are like the one before them.
            for same in frame + 1..line.frame {
                check(&memory, false, same, shows)?;
            }
        }
        for (kind, bytes) in [(&mut memory.ram, &line.ram), (&mut memory.cart_ram, &line.cart_ram)] {
            for (address, &byte) in bytes {
                let digits = address.strip_prefix("0x").unwrap_or_default();
                let index = u8::from_str_radix(digits, 16).map_err(|_| at(format!("{address:?} is no address")))?;
                kind[usize::from(index & 0x7F)] = Some(byte);
            }
        }
        shows = line.shows.or(shows);
        check(&memory, line.reset, line.frame, shows)?;
        frame = line.frame;
    }
    if frame == 0 {
        return Err("nothing is played".to_owned());
    }
    Ok(())
}
