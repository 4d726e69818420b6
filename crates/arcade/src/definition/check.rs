//! Makes a [`GameDefinition`] of a [`RawDefinition`]: defaults, ranges, lists and rules.

use gym2600_vcs::Controller;

use super::error::{DefinitionError, DefinitionProblem, PathPart, Place, Position};
use super::game::GameDefinition;
use super::raw::{RawActions, RawControllers, RawDefinition, RawModes, RawPicture, RawRules, RawSwitch};
use crate::action::Action;
use crate::md5::digest;
use crate::rules::{ModeProgram, Part, Rules, Sources};

/// The first line shown, and how many, of a ROM that ALE does not know.
const FIRST_LINE: u16 = 34;
const HEIGHT: u16 = 210;
/// The highest resistance of a paddle, unless a game sets its own.
const PADDLE_MAX: u32 = 790_196;

/// The longest name or title, in bytes.
const MAX_NAME: usize = 200;
/// The longest list.
const MAX_LIST: usize = 1000;
/// The longest text of rules, in bytes.
const MAX_RULES: usize = 32 * 1024;

type Checked<T> = Result<T, DefinitionError>;

/// A mistake in the value at a path.
fn error(path: &[PathPart], problem: DefinitionProblem) -> DefinitionError {
    let place = Place::Key {
        path: path.to_vec(),
        within: None,
    };
    DefinitionError { place, problem }
}

impl GameDefinition {
    /// Checks a definition. The defaults of its keys are those of a ROM that ALE does not know: a detected cartridge, two joysticks,
    /// all actions, one mode, no reward and no end.
    ///
    /// # Errors
    /// [`DefinitionError`] with the key and the reason of a mistake.
    pub fn new(raw: &RawDefinition) -> Result<Self, DefinitionError> {
        let (rules, mode_select) = rules(raw)?;
        let modes = Modes::of(raw.modes.as_ref())?;
        let bytes = postcard::to_extend(raw, Vec::new()).expect("plain data can be written to a vector");
        let mut game = Self {
            digest: Some(digest(&bytes)),
            rom: name("rom", Some(&raw.rom))?.unwrap_or_default(),
            title: name("title", raw.title.as_ref())?.unwrap_or_else(|| raw.rom.clone()),
            env_id: name("env_id", raw.env_id.as_ref())?,
            md5: raw.md5.as_ref().map(|md5| checked_md5(md5)).transpose()?,
            size: TOP.integer("size", raw.size, 1, 1 << 20)?.map(|size| size as usize),
            mapper: raw.mapper.map(Into::into),
            tv: None,
            expected_tv: None,
            first_line: FIRST_LINE,
            height: HEIGHT,
            whole_picture: false,
            left: Controller::Joystick,
            right: Controller::Joystick,
            swap_ports: false,
            swap_paddles: false,
            hmove_blanks: true,
            left_difficulty_a: false,
            right_difficulty_a: false,
            paddle_max: PADDLE_MAX,
            minimal_actions: Action::ALL.to_vec(),
            legal_actions: Action::ALL.to_vec(),
            starting_actions: Vec::new(),
            modes: modes.available,
            default_mode: modes.default,
            difficulties: modes.difficulties,
            default_difficulty: modes.default_difficulty,
            mode_select,
            rules,
        };
        if let Some(picture) = &raw.picture {
            game.set_picture(picture)?;
        }
        if let Some(controllers) = &raw.controllers {
            game.set_controllers(controllers)?;
        }
        if let Some(actions) = &raw.actions {
            game.set_actions(actions)?;
        }
        Ok(game)
    }

    fn set_picture(&mut self, raw: &RawPicture) -> Checked<()> {
        let table = Table(Some("picture"));
        self.tv = raw.tv.map(Into::into);
        self.expected_tv = raw.expected_tv.map(Into::into).or(self.tv);
        if let Some(line) = table.integer("first_line", raw.first_line, 0, 64)? {
            self.first_line = line as u16;
        }
        if let Some(height) = table.integer("height", raw.height, 200, 256)? {
            self.height = height as u16;
        }
        self.hmove_blanks = raw.hmove_blanks.unwrap_or(true);
        self.whole_picture = raw.whole.unwrap_or(false);
        Ok(())
    }

    fn set_controllers(&mut self, raw: &RawControllers) -> Checked<()> {
        let table = Table(Some("controllers"));
        self.left = raw.left.map_or(Controller::Joystick, Into::into);
        self.right = raw.right.map_or(Controller::Joystick, Into::into);
        self.swap_ports = raw.swap_ports.unwrap_or(false);
        self.swap_paddles = raw.swap_paddles.unwrap_or(false);
        // The lower end is the lowest resistance of a paddle.
        let paddle_max = table.integer("paddle_max", raw.paddle_max, 27_450, 10_000_000)?;
        self.paddle_max = paddle_max.unwrap_or(PADDLE_MAX);
        self.left_difficulty_a = raw.left_difficulty == Some(RawSwitch::A);
        self.right_difficulty_a = raw.right_difficulty == Some(RawSwitch::A);
        Ok(())
    }

    fn set_actions(&mut self, raw: &RawActions) -> Checked<()> {
        let table = Table(Some("actions"));
        if let Some(minimal) = &raw.minimal {
            self.minimal_actions = table.set("minimal", minimal)?;
        }
        if let Some(legal) = &raw.legal {
            self.legal_actions = table.set("legal", legal)?;
        }
        let starting = raw.starting.as_deref().unwrap_or_default();
        table.length("starting", starting)?;
        for (index, start) in starting.iter().enumerate() {
            let path = [
                PathPart::Key("actions"),
                PathPart::Key("starting"),
                PathPart::Index(index),
            ];
            let frames = in_range(&path, "frames", start.frames, 1, 10_000)?;
            self.starting_actions.push((start.press, frames));
        }
        Ok(())
    }
}

/// A table of a definition, by its key; none for the definition itself.
struct Table(Option<&'static str>);

const TOP: Table = Table(None);

impl Table {
    fn path(&self, key: &'static str) -> Vec<PathPart> {
        self.0.into_iter().chain([key]).map(PathPart::Key).collect()
    }

    /// A whole number within a range.
    fn integer(&self, key: &'static str, value: Option<i64>, from: u32, to: u32) -> Checked<Option<u32>> {
        let path: Vec<_> = self.0.into_iter().map(PathPart::Key).collect();
        value.map(|value| in_range(&path, key, value, from, to)).transpose()
    }

    fn length<T>(&self, key: &'static str, list: &[T]) -> Checked<()> {
        if list.len() <= MAX_LIST {
            return Ok(());
        }
        let problem = DefinitionProblem::TooMany {
            what: "entries",
            limit: MAX_LIST,
        };
        Err(error(&self.path(key), problem))
    }

    /// A list without repetitions and with at least one entry.
    fn set<T: Copy + PartialEq + ToString>(&self, key: &'static str, list: &[T]) -> Checked<Vec<T>> {
        self.length(key, list)?;
        if list.is_empty() {
            return Err(error(&self.path(key), DefinitionProblem::Empty(key)));
        }
        for (index, entry) in list.iter().enumerate() {
            if list[..index].contains(entry) {
                let value = entry.to_string();
                let path = [self.path(key), vec![PathPart::Index(index)]].concat();
                return Err(error(&path, DefinitionProblem::Duplicate { key, value }));
            }
        }
        Ok(list.to_vec())
    }

    /// A set of whole numbers within a range; `[0]` by default.
    fn integers(&self, key: &'static str, list: Option<&Vec<i64>>, to: u32) -> Checked<Vec<u32>> {
        let Some(list) = list else { return Ok(vec![0]) };
        for (index, &value) in list.iter().enumerate() {
            if !(0..=i64::from(to)).contains(&value) {
                let path = [self.path(key), vec![PathPart::Index(index)]].concat();
                return Err(error(&path, out_of_range(key, value, 0, to)));
            }
        }
        Ok(self.set(key, list)?.into_iter().map(|value| value as u32).collect())
    }
}

fn out_of_range(key: &'static str, value: i64, from: u32, to: u32) -> DefinitionProblem {
    DefinitionProblem::OutOfRange { key, value, from, to }
}

/// The number of a key within the table at `path`.
fn in_range(path: &[PathPart], key: &'static str, value: i64, from: u32, to: u32) -> Checked<u32> {
    if (i64::from(from)..=i64::from(to)).contains(&value) {
        return Ok(value as u32);
    }
    let path = [path, &[PathPart::Key(key)]].concat();
    Err(error(&path, out_of_range(key, value, from, to)))
}

fn name(key: &'static str, value: Option<&String>) -> Checked<Option<String>> {
    match value {
        Some(value) if value.len() > MAX_NAME => {
            let problem = DefinitionProblem::TooMany {
                what: "bytes in a name",
                limit: MAX_NAME,
            };
            Err(error(&[PathPart::Key(key)], problem))
        }
        _ => Ok(value.cloned()),
    }
}

fn checked_md5(md5: &str) -> Checked<String> {
    let digit = |byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    if md5.len() == 32 && md5.bytes().all(digit) {
        Ok(md5.to_owned())
    } else {
        let start: String = md5.chars().take(MAX_NAME).collect();
        Err(error(&[PathPart::Key("md5")], DefinitionProblem::NotMd5(start)))
    }
}

/// The checked modes.
struct Modes {
    available: Vec<u32>,
    default: u32,
    difficulties: Vec<u32>,
    default_difficulty: u32,
}

impl Modes {
    fn of(raw: Option<&RawModes>) -> Checked<Self> {
        const MAX_MODE: u32 = 1_000_000;
        const MAX_DIFFICULTY: u32 = 3;
        let table = Table(Some("modes"));
        let nothing = RawModes::default();
        let raw = raw.unwrap_or(&nothing);
        let available = table.integers("available", raw.available.as_ref(), MAX_MODE)?;
        let default = table
            .integer("default", raw.default, 0, MAX_MODE)?
            .unwrap_or(available[0]);
        if !available.contains(&default) {
            let problem = DefinitionProblem::NotListed {
                value: default,
                list: "available",
            };
            return Err(error(&table.path("default"), problem));
        }
        let default_difficulty = table.integer("default_difficulty", raw.default_difficulty, 0, MAX_DIFFICULTY)?;
        Ok(Self {
            available,
            default,
            difficulties: table.integers("difficulties", raw.difficulties.as_ref(), MAX_DIFFICULTY)?,
            // ALE lets every game start at difficulty 0, whether the game lists it or not.
            default_difficulty: default_difficulty.unwrap_or(0),
        })
    }
}

/// The key of a text of rules.
fn path_of(part: Part) -> [PathPart; 2] {
    let (table, key) = match part {
        Part::Load => ("rules", "load"),
        Part::Start => ("rules", "start"),
        Part::Frame => ("rules", "frame"),
        Part::Reward => ("rules", "reward"),
        Part::Terminal => ("rules", "terminal"),
        Part::Lives => ("rules", "lives"),
        Part::Select => ("modes", "select"),
    };
    [PathPart::Key(table), PathPart::Key(key)]
}

fn rules(raw: &RawDefinition) -> Checked<(Rules, Option<ModeProgram>)> {
    let nothing = RawRules::default();
    let rules = raw.rules.as_ref().unwrap_or(&nothing);
    let select = raw.modes.as_ref().and_then(|modes| modes.select.as_deref());
    let texts = [
        (Part::Load, rules.load.as_deref()),
        (Part::Start, rules.start.as_deref()),
        (Part::Frame, rules.frame.as_deref()),
        (Part::Reward, rules.reward.as_deref()),
        (Part::Terminal, rules.terminal.as_deref()),
        (Part::Lives, rules.lives.as_deref()),
        (Part::Select, select),
    ];
    let text = |wanted| {
        texts
            .into_iter()
            .find(|(part, _)| *part == wanted)
            .and_then(|(_, text)| text)
    };
    for (part, text) in texts {
        if text.is_some_and(|text| text.len() > MAX_RULES) {
            let problem = DefinitionProblem::TooMany {
                what: "bytes of rules",
                limit: MAX_RULES,
            };
            return Err(error(&path_of(part), problem));
        }
    }
    let sources = Sources {
        load: text(Part::Load).unwrap_or_default(),
        start: text(Part::Start).unwrap_or_default(),
        frame: text(Part::Frame).unwrap_or_default(),
        reward: text(Part::Reward),
        terminal: text(Part::Terminal),
        lives: text(Part::Lives),
        select: text(Part::Select),
    };
    Rules::compile(&sources).map_err(|mistake| DefinitionError {
        place: Place::Key {
            path: path_of(mistake.part).to_vec(),
            within: Some(Position::of(text(mistake.part).unwrap_or_default(), mistake.offset)),
        },
        problem: mistake.problem.into(),
    })
}
