//! The console's switches, as a player moves them.

use gym2600_vcs::Switches;
use serde::{Deserialize, Serialize};

use crate::definition::RawSwitch;

/// The console's buttons and switches, under the names of the Stella Programmer's Guide. By default none is touched.
///
/// They count in every act until they are set again. A reset presses what the game's definition says, and nothing else. Like a
/// controller, they are no part of a saved state.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields = nullable))]
#[serde(
    rename_all = "camelCase",
    deny_unknown_fields,
    default,
    expecting = "an object of switches"
)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "three switches with two positions are three booleans"
)]
pub struct ConsoleSwitches {
    /// GAME SELECT is held; false by default. Most games step through their variants.
    #[cfg_attr(test, ts(as = "Option<bool>"))]
    pub select: bool,
    /// GAME RESET is held; false by default. Most games start anew. The episode and its rules go on, so the reward of a score that falls to 0
    /// is below 0.
    #[cfg_attr(test, ts(as = "Option<bool>"))]
    pub reset: bool,
    /// TV TYPE is at black and white; false by default. The picture changes in games that read the switch: the signal always has colours.
    #[cfg_attr(test, ts(as = "Option<bool>"))]
    pub black_and_white: bool,
    /// The left difficulty switch. By default it is where the difficulty has it.
    pub left_difficulty: Option<RawSwitch>,
    /// The right difficulty switch. By default it is where the difficulty has it.
    pub right_difficulty: Option<RawSwitch>,
}

impl ConsoleSwitches {
    /// RESET is held.
    pub(crate) const RESET: Self = Self {
        reset: true,
        ..Self::NONE
    };

    /// SELECT is held.
    pub(crate) const SELECT: Self = Self {
        select: true,
        ..Self::NONE
    };

    /// None is touched.
    pub(crate) const NONE: Self = Self {
        select: false,
        reset: false,
        black_and_white: false,
        left_difficulty: None,
        right_difficulty: None,
    };

    /// The switches of a console with this difficulty: bit 0 is the left switch at A, bit 1 the right one.
    pub(crate) fn at(self, difficulty: u32) -> Switches {
        let is_a =
            |switch: Option<RawSwitch>, bit| switch.map_or(difficulty & bit != 0, |position| position == RawSwitch::A);
        Switches {
            reset: self.reset,
            select: self.select,
            black_and_white: self.black_and_white,
            left_difficulty_a: is_a(self.left_difficulty, 1),
            right_difficulty_a: is_a(self.right_difficulty, 2),
        }
    }
}
