//! The files of the catalogue, and what is said of files that are wrong.

use super::*;
use crate::action::Action;
use crate::rules::Memory;
use gym2600_vcs::{Controller, Mapper, TvFormat};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// A RAM that holds the same byte everywhere.
struct Filled(u8);

impl Memory for Filled {
    fn ram(&self, _address: u8) -> u8 {
        self.0
    }

    fn cart_ram(&self, _index: u8) -> u8 {
        self.0
    }
}

#[test]
fn every_file_of_the_catalogue_is_a_definition() {
    let games_folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("games");
    for entry in games() {
        let name = format!("{}.toml", entry.rom);
        let file = fs::read_to_string(games_folder.join(&name)).unwrap();
        let written =
            GameDefinition::from_toml(&file, &format!("games/{name}")).unwrap_or_else(|error| panic!("{error}"));
        let game = entry.definition().unwrap();
        assert_eq!(game, written);
        assert_eq!(game.rom, entry.rom);
        assert_eq!(game.title, entry.title);
        assert_eq!(game.env_id.as_deref(), entry.env_id, "{}", entry.rom);
        assert_eq!(game.md5.as_deref(), Some(entry.md5), "{}", entry.rom);
        assert!(
            game.mapper.unwrap().sizes().contains(&game.size.unwrap()),
            "{}",
            entry.rom
        );
        assert!(game.expected_tv.is_some(), "{}", entry.rom);
        assert!(
            game.minimal_actions
                .iter()
                .all(|action| game.legal_actions.contains(action)),
            "{}",
            entry.rom
        );
        assert!(game.legal_actions.contains(&Action::Noop), "{}", entry.rom);
        assert!(
            game.minimal_actions.is_sorted_by_key(|action| action.number()),
            "{}",
            entry.rom
        );
    }
}

#[test]
fn the_catalogue_has_all_environments_of_ale_and_its_bare_cartridges() {
    let environments = games().filter(|entry| entry.env_id.is_some_and(|env_id| env_id.starts_with("ALE/")));
    assert_eq!(environments.count(), 104);
    for rom in ["combat", "joust", "maze_craze", "warlords"] {
        assert_eq!(find_by_name(rom).unwrap().env_id, None);
    }
}

#[test]
fn the_example_of_the_documentation_is_a_definition() {
    let page = include_str!("../../../../docs/games.md");
    let example = page
        .split("```toml\n")
        .nth(1)
        .and_then(|rest| rest.split("```").next())
        .unwrap();
    let game = GameDefinition::from_toml(example, "docs/games.md").unwrap();
    let mut variables = game.rules.initial();
    game.rules.step(&mut variables, &Filled(0x02));
    assert_eq!(
        (game.rules.reward(&variables), game.rules.lives(&variables)),
        (20202, 2)
    );
}

#[test]
fn no_two_games_have_the_same_name_or_rom() {
    let count = games().count();
    assert_eq!(games().map(|entry| entry.md5).collect::<BTreeSet<_>>().len(), count);
    assert_eq!(games().map(|entry| entry.rom).collect::<BTreeSet<_>>().len(), count);
    assert_eq!(games().map(|entry| entry.title).collect::<BTreeSet<_>>().len(), count);
}

#[test]
fn an_environment_is_named_like_its_rom() {
    for entry in games() {
        let Some(name) = entry.env_id.and_then(|env_id| env_id.strip_prefix("ALE/")) else {
            continue;
        };
        assert_eq!(name.to_lowercase(), format!("{}-v5", entry.rom.replace('_', "")));
    }
}

#[test]
fn a_game_is_found_by_md5_and_by_name() {
    let breakout = find_by_name("breakout").unwrap();
    assert_eq!(find_by_md5("f34f08e5eb96e500e851a80be3277a56"), Some(breakout));
    assert_eq!(find_by_md5("F34F08E5EB96E500E851A80BE3277A56"), Some(breakout));
    assert_eq!(find_by_md5("00000000000000000000000000000000"), None);
    assert_eq!(find_by_name("Breakout"), None);
}

#[test]
fn the_rules_of_every_game_run_on_any_memory() {
    for entry in games() {
        let rules = entry.definition().unwrap().rules;
        let mut variables = rules.initial();
        for byte in 0..=255 {
            rules.step(&mut variables, &Filled(byte));
            let lives = rules.lives(&variables);
            assert!((-256..=256).contains(&lives), "{} has {lives} lives", entry.rom);
        }
    }
}

#[test]
fn a_bare_cartridge_pays_nothing_and_never_ends() {
    let rules = find_by_name("combat").unwrap().definition().unwrap().rules;
    let mut variables = rules.initial();
    rules.step(&mut variables, &Filled(0xFF));
    assert_eq!(
        (
            rules.reward(&variables),
            rules.terminal(&variables),
            rules.lives(&variables)
        ),
        (0, false, 0)
    );
}

#[test]
fn breakout_is_as_its_file_says() {
    let game = find_by_name("breakout").unwrap().definition().unwrap();
    assert!(game.uses_paddles());
    assert_eq!((game.left, game.right), (Controller::Paddles, Controller::Joystick));
    assert_eq!(
        (game.mapper, game.tv, game.expected_tv),
        (Some(Mapper::Rom2K), None, Some(TvFormat::Ntsc))
    );
    assert_eq!((game.ystart, game.height, game.paddle_max), (34, 210, 790_196));
    assert_eq!(
        game.minimal_actions,
        [Action::Noop, Action::Fire, Action::Right, Action::Left]
    );
    assert_eq!(game.modes.len(), 12);
    assert!(game.mode_select.is_some());
}

#[test]
fn a_definition_may_say_no_more_than_a_name() {
    let game = GameDefinition::from_toml("rom = \"mine\"", "mine.toml").unwrap();
    assert_eq!((game.rom.as_str(), game.title.as_str()), ("mine", "mine"));
    assert_eq!(
        (game.env_id, game.md5, game.size, game.mapper, game.tv),
        (None, None, None, None, None)
    );
    assert_eq!((game.left, game.right), (Controller::Joystick, Controller::Joystick));
    assert_eq!((game.ystart, game.height, game.hmove_blanks), (34, 210, true));
    assert_eq!((game.minimal_actions.len(), game.legal_actions.len()), (18, 18));
    assert_eq!(
        (
            game.modes,
            game.default_mode,
            game.difficulties,
            game.default_difficulty
        ),
        (vec![0], 0, vec![0], 0)
    );
    assert_eq!((game.starting_actions, game.mode_select), (vec![], None));
    assert_eq!(game.rules, crate::rules::Rules::none());
}

#[test]
fn the_reset_switch_can_start_a_game() {
    let text =
        "rom = \"mine\"\n[actions]\nstarting = [{ press = \"RESET\", frames = 1 }, { press = \"LEFT\", frames = 2 }]";
    let game = GameDefinition::from_toml(text, "mine.toml").unwrap();
    assert_eq!(
        game.starting_actions,
        [(StartingInput::Reset, 1), (StartingInput::Action(Action::Left), 2)]
    );
}

#[test]
fn a_wrong_definition_is_refused_with_file_line_column_and_reason() {
    let expected = [
        ("title = \"x\"", "1:1: \"rom\" is missing"),
        ("rom = \"x\"\nromm = 1", "2:1: unknown key \"romm\""),
        ("rom = \"x\"\n\n[rule]\nframe = \"\"", "3:2: unknown key \"rule\""),
        ("rom = \"x\"\n[picture]\nhight = 210", "3:1: unknown key \"hight\""),
        ("rom = 5", "1:7: \"rom\" takes a string"),
        ("rom = \"x\"\nmd5 = \"ABC\"", "2:7: \"ABC\" is not an MD5"),
        (
            "rom = \"x\"\nmapper = \"F9\"",
            "2:10: unknown mapper \"F9\" (known: 2K, 4K, F8, F8SC, F6, F6SC, E0, FE, DPC)",
        ),
        ("rom = \"x\"\nsize = 2048.0", "2:8: \"size\" takes a whole number"),
        (
            "rom = \"x\"\n[picture]\ntv = \"SECAM\"",
            "3:6: unknown television \"SECAM\" (known: NTSC, PAL)",
        ),
        (
            "rom = \"x\"\n[picture]\nheight = 300",
            "3:10: \"height\" takes 200 to 256, not 300",
        ),
        (
            "rom = \"x\"\n[picture]\nhmove_blanks = 1",
            "3:16: \"hmove_blanks\" takes true or false",
        ),
        (
            "rom = \"x\"\n[controllers]\nleft = \"mouse\"",
            "3:8: unknown controller \"mouse\"",
        ),
        (
            "rom = \"x\"\n[actions]\nminimal = [\"NOOP\", \"JUMP\"]",
            "3:20: unknown action \"JUMP\"",
        ),
        (
            "rom = \"x\"\n[actions]\nminimal = []",
            "3:11: \"minimal\" must not be empty",
        ),
        (
            "rom = \"x\"\n[actions]\nlegal = [\"NOOP\", \"NOOP\"]",
            "3:18: \"NOOP\" is twice in \"legal\"",
        ),
        (
            "rom = \"x\"\n[actions]\nstarting = [{ press = \"FIRE\" }]",
            "3:13: \"frames\" is missing",
        ),
        (
            "rom = \"x\"\n[actions]\nstarting = [{ press = \"GO\", frames = 1 }]",
            "3:23: unknown action \"GO\"",
        ),
        (
            "rom = \"x\"\n[modes]\navailable = []",
            "3:13: \"available\" must not be empty",
        ),
        (
            "rom = \"x\"\n[modes]\navailable = [1, 2]\ndefault = 0",
            "4:11: 0 is not in \"available\"",
        ),
        (
            "rom = \"x\"\n[modes]\navailable = [1, 0x1]",
            "3:17: 0x1 is twice in \"available\"",
        ),
        (
            "rom = \"x\"\n[modes]\ndifficulties = [4]",
            "3:17: \"difficulties\" takes 0 to 3, not 4",
        ),
        (
            "rom = \"x\"\n[modes]\navailable = [-1]",
            "3:14: \"available\" takes 0 to 1000000, not -1",
        ),
        ("rom = \"x\"\nrom = \"y\"", "2:1: duplicate key"),
        ("rom = \"x\nsize = 1", "1:"),
        ("rom = \"x\"\nrules = 5", "2:9: \"rules\" takes a table"),
    ];
    for (text, message) in expected {
        let error = GameDefinition::from_toml(text, "mine.toml").unwrap_err().to_string();
        assert!(
            error.starts_with(&format!("mine.toml:{message}")),
            "{error:?} for {text:?}"
        );
    }
}

#[test]
fn a_mistake_in_the_rules_is_found_in_the_file() {
    let expected = [
        (
            "rom = \"x\"\n[rules]\nframe = \"\"\"\nscore = 1\nreward = scor\n\"\"\"",
            "5:10: unknown variable \"scor\"",
        ),
        (
            "rom = \"x\"\n[rules]\nframe = '''reward = 1 +'''",
            "3:24: expected a value, found the end of the text",
        ),
        (
            "rom = \"x\"\n[rules]\nframe = \"reward = ram[0x1FF]\"",
            "3:23: 0x1ff is not an address of this memory",
        ),
        (
            "rom = \"x\"\n[rules]\nlives = 'livse'",
            "3:10: unknown variable \"livse\"",
        ),
        (
            "rom = \"x\"\n[rules]\nstart = \"\"\"\n  # höhö\n  a = 1 ö\n\"\"\"",
            "5:9: unexpected character 'ö'",
        ),
        (
            "rom = \"x\"\n[modes]\nselect = \"\"\"\nreset\nact JUMP\n\"\"\"",
            "5:5: unknown action \"JUMP\"",
        ),
        (
            "rom = \"x\"\r\n[rules]\r\nframe = \"\"\"\r\na = 1\r\nb = c\r\n\"\"\"",
            "5:5: unknown variable \"c\"",
        ),
        (
            "rom = \"x\"\n[rules]\nframe = \"a = 1\\nb = 2\"",
            "3:15: rules are written without backslashes",
        ),
    ];
    for (text, message) in expected {
        let error = GameDefinition::from_toml(text, "mine.toml").unwrap_err().to_string();
        assert_eq!(error, format!("mine.toml:{message}"), "for {text:?}");
    }
}
