//! The definition of a game that was found in RAM.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Deserialize;

use super::inputs::actions_that_matter;
use crate::action::Action;
use crate::arcade::Arcade;
use crate::archive::rom_of;
use crate::definition::{
    DefinitionError, GameDefinition, RawActions, RawController, RawControllers, RawDefinition, RawPicture, RawRules,
};
use crate::load::LoadError;
use crate::md5::md5;
use crate::settings::Settings;

/// What was found of a game. Expressions are those of a definition's rules, as candidates are shown.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct Found {
    /// The name of the ROM, such as `mine`.
    pub name: String,
    /// The name on the box; `name` by default.
    pub title: Option<String>,
    /// The score, such as `bcd(0x85, 0x84, 0x83)`; without one there is no reward.
    pub score: Option<String>,
    /// The lives left, such as `ram[0x82]`.
    pub lives: Option<String>,
    /// Whether the game is over, such as `ram[0xC7] == 1`; by default when no lives are left, and never without lives.
    pub over: Option<String>,
    /// Other values by name, such as `x = ram[0x8A]`. They become variables of the rules, which [`Arcade::variables`] tells.
    #[cfg_attr(test, ts(optional, type = "Readonly<Record<string, string>>"))]
    pub cells: Option<BTreeMap<String, String>>,
}

/// The variables that the rules have besides the cells.
const OWN: [&str; 7] = ["new", "score", "reward", "lives", "over", "started", "terminal"];

/// Why there is no definition.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DefineError {
    /// A cell has the name of a variable that the rules need.
    #[error("the rules have a variable {0} of their own: give the cell another name")]
    Name(String),
    /// The ROM cannot be played, or an expression has a mistake.
    #[error(transparent)]
    Load(#[from] LoadError),
}

impl From<DefinitionError> for DefineError {
    fn from(error: DefinitionError) -> Self {
        LoadError::from(error).into()
    }
}

/// Makes the definition of a ROM: rules of what was found, and the controllers and actions that matter in a trial of at most some 13,000 frames.
///
/// The reward is the change of the score. A game is over only after it was seen to be not over since its start. The definition has the
/// ROM's MD5, and shows the whole picture.
///
/// # Errors
/// [`DefineError::Name`] for a cell that cannot have its name, [`LoadError::Definition`] for an expression with a mistake; otherwise those of
/// [`Arcade::load_as`].
///
/// # Examples
/// ```
/// use gym2600_arcade::WALLOP;
/// use gym2600_arcade::search::{Found, define};
///
/// let found = Found {
///     name: "mine".into(),
///     score: Some("bcd(0x85, 0x84, 0x83)".into()),
///     lives: Some("ram[0x82]".into()),
///     ..Found::default()
/// };
/// let definition = define(WALLOP, &found)?;
/// assert!(definition.rules.is_some());
/// # Ok::<(), gym2600_arcade::search::DefineError>(())
/// ```
pub fn define(rom: &[u8], found: &Found) -> Result<RawDefinition, DefineError> {
    let mut cells = found.cells.iter().flatten();
    if let Some((name, _)) = cells.find(|(name, _)| OWN.contains(&name.as_str())) {
        return Err(DefineError::Name(name.clone()));
    }
    let bytes = rom_of(rom).map_err(LoadError::from)?;
    let mut definition = RawDefinition {
        rom: found.name.clone(),
        title: found.title.clone(),
        md5: Some(md5(&bytes)),
        size: i64::try_from(bytes.len()).ok(),
        picture: Some(RawPicture {
            whole: Some(true),
            ..RawPicture::default()
        }),
        rules: found.rules(),
        ..RawDefinition::default()
    };
    let mut matter = tried(&bytes, &definition)?;
    // The button of a paddle is wired as a direction of a joystick.
    if directions(&matter) < 2 {
        let paddles = RawDefinition {
            controllers: Some(RawControllers {
                left: Some(RawController::Paddles),
                ..RawControllers::default()
            }),
            ..definition.clone()
        };
        let turning = tried(&bytes, &paddles)?;
        if directions(&turning) >= 2 {
            (definition, matter) = (paddles, turning);
        }
    }
    // Where nothing matters, the trial has not reached the game.
    if matter.len() > 1 {
        definition.actions = Some(RawActions {
            minimal: Some(matter),
            ..RawActions::default()
        });
    }
    Ok(definition)
}

/// The actions that matter by a definition.
fn tried(rom: &[u8], definition: &RawDefinition) -> Result<Vec<Action>, DefineError> {
    let game = Arc::new(GameDefinition::new(definition)?);
    Ok(actions_that_matter(&Arcade::load_as(rom, game, &Settings::default())?))
}

/// How many of the four directions are among the actions.
fn directions(actions: &[Action]) -> usize {
    let directions = [Action::Up, Action::Right, Action::Left, Action::Down];
    directions.iter().filter(|action| actions.contains(action)).count()
}

impl Found {
    /// The rules; none if nothing was found.
    fn rules(&self) -> Option<RawRules> {
        let mut start = Vec::new();
        let mut frame = Vec::new();
        if let Some(score) = &self.score {
            start.push("score = 0; reward = 0".to_owned());
            frame.extend([
                format!("new = {score}"),
                "reward = new - score".into(),
                "score = new".into(),
            ]);
        }
        if let Some(lives) = &self.lives {
            start.push("lives = 0".into());
            frame.push(format!("lives = {lives}"));
        }
        let lost = || self.lives.as_ref().map(|_| "lives == 0");
        if let Some(over) = self.over.as_deref().or_else(lost) {
            start.push("started = false; terminal = false".into());
            frame.extend([
                format!("over = {over}"),
                "started = started or not over".into(),
                "terminal = started and over".into(),
            ]);
        }
        for (name, expression) in self.cells.iter().flatten() {
            frame.push(format!("{name} = {expression}"));
        }
        let text = |lines: &[String]| Some(lines.join("\n") + "\n");
        (!frame.is_empty()).then(|| RawRules {
            start: text(&start),
            frame: text(&frame),
            ..RawRules::default()
        })
    }
}
