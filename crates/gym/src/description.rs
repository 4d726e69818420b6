//! Descriptions of a game and of the environment around it, as plain data.

use gym2600_arcade::definition::RawTv;
use gym2600_arcade::{Action, Arcade, FrameGeometry, GameDefinition, GameFacts, Palette, WIDTH, hexadecimal};
use serde::Serialize;

use crate::base_env::action_set;
use crate::builder;
use crate::error::GymError;
use crate::game::Game;
use crate::options::GameOptions;
use crate::setup::Setup;
use crate::spaces::Space;
use crate::spec::Spec;

/// The size of the console's picture in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ScreenSize {
    /// Always 160. On a television a pixel is twice as wide as high.
    pub width: usize,
    /// Usually 210.
    pub height: usize,
}

/// An arcade: a game and its console. Plain data: it can be posted, printed and stored.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ArcadeDescription {
    /// The catalogue's name of the game, such as `breakout`.
    pub rom: String,
    /// The MD5 of the ROM, 32 hexadecimal digits.
    pub md5: String,
    /// The game's title, such as `Breakout`.
    pub title: String,
    /// The television that the game was made for: `NTSC`, 60 frames a second, or `PAL`, 50.
    #[cfg_attr(test, ts(type = "RawTv"))]
    pub tv: RawTv,
    /// The size of the console's picture.
    pub screen: ScreenSize,
    /// The actions that have an effect in this game, in the order of their numbers.
    #[cfg_attr(test, ts(type = "readonly ActionName[]"))]
    pub minimal_actions: Vec<&'static str>,
    /// The actions that reach the game. Others are played as `NOOP`.
    #[cfg_attr(test, ts(type = "readonly ActionName[]"))]
    pub legal_actions: Vec<&'static str>,
    /// The game's modes.
    #[cfg_attr(test, ts(type = "readonly number[]"))]
    pub modes: Vec<u32>,
    /// The game's difficulties. Bit 0 is the left difficulty switch, bit 1 the right one.
    #[cfg_attr(test, ts(type = "readonly number[]"))]
    pub difficulties: Vec<u32>,
    /// Whether the game has a rule for rewards. Without one there is nothing to learn.
    pub gives_rewards: bool,
    /// The names of the variables of the game's rules, in the order of `variables` and of the observation `labels`.
    #[cfg_attr(test, ts(type = "readonly string[]"))]
    pub labels: Vec<String>,
}

/// A game and the environment around it. Plain data.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct GameDescription {
    /// The arcade inside the environment.
    #[serde(flatten)]
    pub arcade: ArcadeDescription,
    /// The names of the actions, by their number in the action space, such as `["NOOP", "FIRE", "RIGHT", "LEFT"]`.
    #[cfg_attr(test, ts(type = "readonly ActionName[]"))]
    pub actions: Vec<&'static str>,
    /// The observation's shape and type.
    pub observation: Space,
    /// Whether the next episode starts without a call of reset.
    pub resets_itself: bool,
    /// The frames of a step that no end cuts short; their mean where they are random.
    pub frames_per_step: f64,
    /// The resolved options of the environment. `spec.wrappers` is its list of wrappers.
    pub spec: Spec,
    /// The names of the preset's wrappers that the option `observation` left out: those that process pictures.
    #[cfg_attr(test, ts(type = "readonly string[]"))]
    pub left_out: Vec<&'static str>,
}

impl ArcadeDescription {
    /// Describes an arcade.
    pub fn of(arcade: &Arcade) -> Self {
        Self::new(arcade.game(), arcade.md5(), arcade.geometry())
    }

    fn new(game: &GameDefinition, md5: [u8; 16], geometry: FrameGeometry) -> Self {
        let names = |actions: &[Action]| actions.iter().map(|action| action.name()).collect();
        Self {
            rom: game.rom.clone(),
            md5: hexadecimal(&md5),
            title: game.title.clone(),
            tv: geometry.tv.into(),
            screen: ScreenSize {
                width: WIDTH,
                height: geometry.height.into(),
            },
            minimal_actions: names(&game.minimal_actions),
            legal_actions: names(&game.legal_actions),
            modes: game.modes.clone(),
            difficulties: game.difficulties.clone(),
            gives_rewards: game.rules.gives_rewards(),
            labels: game.rules.variable_names().to_vec(),
        }
    }
}

impl GameDescription {
    /// Describes an environment.
    pub fn of(game: &Game) -> Self {
        Self {
            arcade: ArcadeDescription::of(game.arcade()),
            actions: game.action_names(),
            observation: game.observation_space().clone(),
            resets_itself: game.resets_itself(),
            left_out: game.spec().left_out.clone(),
            frames_per_step: game.spec().frames_per_step(),
            spec: game.spec().clone(),
        }
    }
}

/// Describes the environment that options make of a ROM, without making it. The console runs only if the television has to be
/// detected.
///
/// # Errors
/// As [`Game::new`], except for a first reset that does not reach the start of the game: the game is not reset.
pub fn describe(rom: &[u8], options: &GameOptions) -> Result<GameDescription, GymError> {
    let Setup {
        mut spec,
        settings,
        definition,
        ..
    } = Setup::of(options)?;
    let GameFacts {
        definition,
        md5,
        geometry,
    } = match definition {
        Some(definition) => GameFacts::of_definition(rom, definition, &settings)?,
        None => GameFacts::of(rom, &settings)?,
    };
    if let Some(mode) = spec.mode {
        definition.check_mode(mode)?;
    }
    if let Some(difficulty) = spec.difficulty {
        definition.check_difficulty(difficulty)?;
    }
    spec.game.clone_from(&definition.rom);
    let actions = action_set(&definition, spec.full_action_space);
    let mut layout = builder::console_layout(spec.observation, geometry.height.into(), &definition)?;
    builder::build(&spec.wrappers, actions, Palette::of(geometry.tv), &mut layout)?;
    Ok(GameDescription {
        arcade: ArcadeDescription::new(&definition, md5, geometry),
        actions: actions.iter().map(|action| action.name()).collect(),
        observation: layout.space,
        resets_itself: spec.resets_itself(),
        left_out: spec.left_out.clone(),
        frames_per_step: spec.frames_per_step(),
        spec,
    })
}
