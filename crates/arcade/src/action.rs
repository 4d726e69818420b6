//! ALE's eighteen actions.

use std::fmt;
use std::str::FromStr;

use gym2600_vcs::{InvalidState, Joystick, State};
use serde::{Deserialize, Serialize};

/// An action of a player in a frame, numbered as in ALE.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
#[repr(u8)]
#[allow(missing_docs, reason = "the variants are ALE's names")]
pub enum Action {
    #[default]
    Noop,
    Fire,
    Up,
    Right,
    Left,
    Down,
    UpRight,
    UpLeft,
    DownRight,
    DownLeft,
    UpFire,
    RightFire,
    LeftFire,
    DownFire,
    UpRightFire,
    UpLeftFire,
    DownRightFire,
    DownLeftFire,
}

/// A number or name that is not an action.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum UnknownAction {
    /// The number is above 17.
    #[error("action {0} is out of range: actions are 0 to 17")]
    Number(u32),
    /// The name is none of the eighteen.
    #[error(
        "unknown action \"{0}\": actions are NOOP, FIRE, UP, RIGHT, LEFT, DOWN and their combinations such as UPRIGHTFIRE"
    )]
    Name(String),
}

impl Action {
    /// All actions by number.
    pub const ALL: [Self; 18] = [
        Self::Noop,
        Self::Fire,
        Self::Up,
        Self::Right,
        Self::Left,
        Self::Down,
        Self::UpRight,
        Self::UpLeft,
        Self::DownRight,
        Self::DownLeft,
        Self::UpFire,
        Self::RightFire,
        Self::LeftFire,
        Self::DownFire,
        Self::UpRightFire,
        Self::UpLeftFire,
        Self::DownRightFire,
        Self::DownLeftFire,
    ];

    const NAMES: [&'static str; 18] = [
        "NOOP",
        "FIRE",
        "UP",
        "RIGHT",
        "LEFT",
        "DOWN",
        "UPRIGHT",
        "UPLEFT",
        "DOWNRIGHT",
        "DOWNLEFT",
        "UPFIRE",
        "RIGHTFIRE",
        "LEFTFIRE",
        "DOWNFIRE",
        "UPRIGHTFIRE",
        "UPLEFTFIRE",
        "DOWNRIGHTFIRE",
        "DOWNLEFTFIRE",
    ];

    /// The action of an ALE number, 0 to 17.
    ///
    /// # Errors
    /// [`UnknownAction::Number`] for any other number.
    pub fn from_number(number: u32) -> Result<Self, UnknownAction> {
        Self::ALL
            .get(number as usize)
            .copied()
            .ok_or(UnknownAction::Number(number))
    }

    /// ALE's number, 0 to 17.
    pub const fn number(self) -> u8 {
        self as u8
    }

    /// ALE's name, as `UPRIGHTFIRE`.
    pub const fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// The action with the button held.
    pub fn fires(self) -> bool {
        self.joystick().fire
    }

    /// The contacts that the action closes.
    pub fn joystick(self) -> Joystick {
        // A name is the directions in order, then FIRE.
        let name = self.name();
        let directions = name.strip_suffix("FIRE").unwrap_or(name);
        Joystick {
            up: directions.starts_with("UP"),
            down: directions.starts_with("DOWN"),
            left: directions.ends_with("LEFT"),
            right: directions.ends_with("RIGHT"),
            fire: name.ends_with("FIRE"),
        }
    }
}

/// A player's action in a frame, with its strength for paddles.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Control {
    /// The action.
    pub action: Action,
    /// How fast it turns a paddle: 0 to 1 of full speed.
    pub strength: f32,
}

/// Nothing is pressed.
pub(crate) const NO_CONTROLS: [Control; 2] = [Control {
    action: Action::Noop,
    strength: 1.0,
}; 2];

impl Default for Control {
    fn default() -> Self {
        Action::Noop.into()
    }
}

impl From<Action> for Control {
    fn from(action: Action) -> Self {
        Self { action, strength: 1.0 }
    }
}

impl State for Control {
    fn save(&self, bytes: &mut Vec<u8>) {
        self.action.number().save(bytes);
        self.strength.save(bytes);
    }

    fn load(&mut self, bytes: &mut &[u8]) -> Result<(), InvalidState> {
        let mut action = 0_u8;
        action.load(bytes)?;
        self.action = Action::from_number(action.into()).map_err(|_| InvalidState)?;
        self.strength.load(bytes)
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Action {
    type Err = UnknownAction;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|action| action.name() == name)
            .ok_or_else(|| UnknownAction::Name(name.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_names_and_contacts_agree() {
        for (number, action) in Action::ALL.into_iter().enumerate() {
            assert_eq!(usize::from(action.number()), number);
            assert_eq!(action.name().parse(), Ok(action));
        }
        let Joystick {
            up,
            down,
            left,
            right,
            fire,
        } = Action::DownLeftFire.joystick();
        assert_eq!([up, down, left, right, fire], [false, true, true, false, true]);
        assert_eq!(Action::Noop.joystick(), Joystick::default());
    }

    #[test]
    fn other_numbers_and_names_are_refused() {
        assert_eq!(Action::from_number(18), Err(UnknownAction::Number(18)));
        assert!("JUMP".parse::<Action>().is_err());
    }
}
