//! From the text of a definition to a [`GameDefinition`].

use super::definition::{GameDefinition, StartingInput};
use super::error::DefinitionProblem;
use super::reader::{Located, Mistake, Source, TableReader};
use crate::action::Action;
use crate::rules::{ModeProgram, Part, Rules, Sources};
use gym2600_vcs::{Controller, Mapper, TvFormat};
use std::ops::RangeInclusive;

/// The first line shown, and how many, of a ROM that ALE does not know.
const YSTART: u16 = 34;
const HEIGHT: u16 = 210;
/// The highest resistance of a paddle, unless a game sets its own.
const PADDLE_MAX: u32 = 790_196;

const SIZES: RangeInclusive<u32> = 1..=65_536;
const YSTARTS: RangeInclusive<u32> = 0..=64;
const HEIGHTS: RangeInclusive<u32> = 200..=256;
/// From the lowest resistance of a paddle.
const PADDLE_MAXIMA: RangeInclusive<u32> = 27_450..=10_000_000;
const FRAMES: RangeInclusive<u32> = 1..=10_000;
const MODES: RangeInclusive<u32> = 0..=1_000_000;
const DIFFICULTIES: RangeInclusive<u32> = 0..=3;

/// The words for a value, with what each stands for.
type Words<T> = [(&'static str, T)];

const MAPPERS: [(&str, Mapper); 9] = [
    ("2K", Mapper::Rom2K),
    ("4K", Mapper::Rom4K),
    ("F8", Mapper::F8),
    ("F8SC", Mapper::F8Sc),
    ("F6", Mapper::F6),
    ("F6SC", Mapper::F6Sc),
    ("E0", Mapper::E0),
    ("FE", Mapper::Fe),
    ("DPC", Mapper::Dpc),
];
const TV_FORMATS: [(&str, TvFormat); 2] = [("NTSC", TvFormat::Ntsc), ("PAL", TvFormat::Pal)];
const CONTROLLERS: [(&str, Controller); 2] = [("joystick", Controller::Joystick), ("paddles", Controller::Paddles)];
/// Whether a difficulty switch is at A.
const SWITCHES: [(&str, bool); 2] = [("A", true), ("B", false)];

pub(super) fn definition(text: &str, file_name: &str) -> Result<GameDefinition, Mistake> {
    let source = Source { text, file_name };
    let mut top = source.parse()?;
    let rom = top
        .string("rom")?
        .ok_or_else(|| source.error(0, DefinitionProblem::MissingKey("rom")))?
        .value;
    let title = top.string("title")?.map_or_else(|| rom.clone(), |title| title.value);
    let env_id = top.string("env_id")?.map(|env_id| env_id.value);
    let md5 = top.string("md5")?.map(|md5| check_md5(source, md5)).transpose()?;
    let size = top.integer("size", &SIZES)?.map(|size| size.value as usize);
    let mapper = word(source, top.string("mapper")?, "mapper", &MAPPERS)?;
    let mut game = GameDefinition {
        rom,
        title,
        env_id,
        md5,
        size,
        mapper,
        tv: None,
        expected_tv: None,
        ystart: YSTART,
        height: HEIGHT,
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
        modes: vec![0],
        default_mode: 0,
        difficulties: vec![0],
        default_difficulty: 0,
        mode_select: None,
        rules: Rules::none(),
    };
    picture(source, top.table("picture")?, &mut game)?;
    controllers(source, top.table("controllers")?, &mut game)?;
    actions(source, top.table("actions")?, &mut game)?;
    let select = modes(source, top.table("modes")?, &mut game)?;
    (game.rules, game.mode_select) = rules(source, top.table("rules")?, select.as_ref())?;
    top.finish()?;
    Ok(game)
}

fn check_md5(source: Source<'_>, Located { value, span }: Located<String>) -> Result<String, Mistake> {
    let digit = |byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    if value.len() == 32 && value.bytes().all(digit) {
        Ok(value)
    } else {
        Err(source.error(span.start, DefinitionProblem::NotMd5(value)))
    }
}

/// What the word of a key stands for, if the key is there.
fn word<T: Copy>(
    source: Source<'_>,
    value: Option<Located<String>>,
    what: &'static str,
    words: &Words<T>,
) -> Result<Option<T>, Mistake> {
    let place = place(source, value, what, words.len(), &|place| words[place].0)?;
    Ok(place.map(|place| words[place].1))
}

/// The same for any type, by the place among `count` words.
fn place(
    source: Source<'_>,
    value: Option<Located<String>>,
    what: &'static str,
    count: usize,
    word: &dyn Fn(usize) -> &'static str,
) -> Result<Option<usize>, Mistake> {
    let Some(Located { value, span }) = value else {
        return Ok(None);
    };
    if let Some(place) = (0..count).find(|&place| word(place) == value) {
        return Ok(Some(place));
    }
    let known = (0..count).map(word).collect::<Vec<_>>().join(", ");
    let problem = DefinitionProblem::UnknownWord {
        what,
        word: value,
        known,
    };
    Err(source.error(span.start, problem))
}

fn picture(source: Source<'_>, mut table: TableReader<'_>, game: &mut GameDefinition) -> Result<(), Mistake> {
    game.tv = word(source, table.string("tv")?, "television", &TV_FORMATS)?;
    game.expected_tv = word(source, table.string("expected_tv")?, "television", &TV_FORMATS)?.or(game.tv);
    if let Some(ystart) = table.integer("first_line", &YSTARTS)? {
        game.ystart = ystart.value as u16;
    }
    if let Some(height) = table.integer("height", &HEIGHTS)? {
        game.height = height.value as u16;
    }
    game.hmove_blanks = table.boolean("hmove_blanks")?.unwrap_or(game.hmove_blanks);
    table.finish()
}

fn controllers(source: Source<'_>, mut table: TableReader<'_>, game: &mut GameDefinition) -> Result<(), Mistake> {
    game.left = word(source, table.string("left")?, "controller", &CONTROLLERS)?.unwrap_or(game.left);
    game.right = word(source, table.string("right")?, "controller", &CONTROLLERS)?.unwrap_or(game.right);
    game.swap_ports = table.boolean("swap_ports")?.unwrap_or(game.swap_ports);
    game.swap_paddles = table.boolean("swap_paddles")?.unwrap_or(game.swap_paddles);
    if let Some(paddle_max) = table.integer("paddle_max", &PADDLE_MAXIMA)? {
        game.paddle_max = paddle_max.value;
    }
    let left = word(source, table.string("left_difficulty")?, "switch position", &SWITCHES)?;
    let right = word(source, table.string("right_difficulty")?, "switch position", &SWITCHES)?;
    game.left_difficulty_a = left.unwrap_or(game.left_difficulty_a);
    game.right_difficulty_a = right.unwrap_or(game.right_difficulty_a);
    table.finish()
}

fn actions(source: Source<'_>, mut table: TableReader<'_>, game: &mut GameDefinition) -> Result<(), Mistake> {
    if let Some(minimal) = table.strings("minimal")? {
        game.minimal_actions = minimal
            .into_iter()
            .map(|name| action(source, name))
            .collect::<Result<_, _>>()?;
    }
    if let Some(legal) = table.strings("legal")? {
        game.legal_actions = legal
            .into_iter()
            .map(|name| action(source, name))
            .collect::<Result<_, _>>()?;
    }
    for mut entry in table.tables("starting")? {
        let start = entry.start();
        let missing = |key| source.error(start, DefinitionProblem::MissingKey(key));
        let press = entry.string("press")?.ok_or_else(|| missing("press"))?;
        let frames = entry
            .integer("frames", &FRAMES)?
            .ok_or_else(|| missing("frames"))?
            .value;
        let input = match press.value.as_str() {
            "RESET" => StartingInput::Reset,
            _ => StartingInput::Action(action(source, press)?),
        };
        entry.finish()?;
        game.starting_actions.push((input, frames));
    }
    table.finish()
}

fn action(source: Source<'_>, name: Located<String>) -> Result<Action, Mistake> {
    let words = Action::ALL.map(|action| (action.name(), action));
    let at = name.span.start;
    let missing = || source.error(at, DefinitionProblem::MissingKey("action"));
    word(source, Some(name), "action", &words)?.ok_or_else(missing)
}

/// Reads the modes and gives the text of the program that selects one.
fn modes<'t>(
    source: Source<'t>,
    mut table: TableReader<'t>,
    game: &mut GameDefinition,
) -> Result<Option<Located<&'t str>>, Mistake> {
    let values = |list: Vec<Located<u32>>| list.into_iter().map(|entry| entry.value).collect::<Vec<_>>();
    game.modes = table.integers("available", &MODES)?.map_or_else(|| vec![0], values);
    game.default_mode = game.modes[0];
    if let Some(Located { value, span }) = table.integer("default", &MODES)? {
        if !game.modes.contains(&value) {
            let problem = DefinitionProblem::NotListed {
                value: value.to_string(),
                list: "available",
            };
            return Err(source.error(span.start, problem));
        }
        game.default_mode = value;
    }
    game.difficulties = table
        .integers("difficulties", &DIFFICULTIES)?
        .map_or_else(|| vec![0], values);
    // ALE lets every game start at difficulty 0, whether the game lists it or not.
    game.default_difficulty = table
        .integer("default_difficulty", &DIFFICULTIES)?
        .map_or(0, |entry| entry.value);
    let select = table.rules("select")?;
    table.finish()?;
    Ok(select)
}

fn rules<'t>(
    source: Source<'t>,
    mut table: TableReader<'t>,
    select: Option<&Located<&'t str>>,
) -> Result<(Rules, Option<ModeProgram>), Mistake> {
    let load = table.rules("load")?;
    let start = table.rules("start")?;
    let frame = table.rules("frame")?;
    let reward = table.rules("reward")?;
    let terminal = table.rules("terminal")?;
    let lives = table.rules("lives")?;
    table.finish()?;
    let text = |part: Option<&Located<&'t str>>| part.map(|part| part.value);
    let sources = Sources {
        load: text(load.as_ref()).unwrap_or_default(),
        start: text(start.as_ref()).unwrap_or_default(),
        frame: text(frame.as_ref()).unwrap_or_default(),
        reward: text(reward.as_ref()),
        terminal: text(terminal.as_ref()),
        lives: text(lives.as_ref()),
        select: text(select),
    };
    Rules::compile(&sources).map_err(|error| {
        let part = match error.part {
            Part::Load => load.as_ref(),
            Part::Start => start.as_ref(),
            Part::Frame => frame.as_ref(),
            Part::Reward => reward.as_ref(),
            Part::Terminal => terminal.as_ref(),
            Part::Lives => lives.as_ref(),
            Part::Select => select,
        };
        let base = part.map_or(0, |part| part.span.start);
        source.error(base + error.offset, error.problem)
    })
}
