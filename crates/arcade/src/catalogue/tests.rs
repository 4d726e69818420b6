//! The files of the catalogue, and the errors of wrong files.

use super::*;
use crate::action::Action;
use crate::rules::ReadRam;
use gym2600_vcs::{Controller, Mapper, TvFormat};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// A RAM that holds the same byte everywhere.
struct Filled(u8);

impl ReadRam for Filled {
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
        assert_eq!(
            game,
            GameDefinition {
                digest: None,
                ..written
            }
        );
        assert_eq!(game.rom, entry.rom);
        assert_eq!(game.title, entry.title);
        assert_eq!(game.env_id.as_deref(), entry.env_id, "{}", entry.rom);
        assert_eq!(game.md5.as_deref(), Some(entry.md5), "{}", entry.rom);
        let (Some(mapper), Some(size), Some(_)) = (game.mapper, game.size, game.expected_tv) else {
            panic!("games/{name}: a file of the catalogue has a mapper, a size and an expected_tv");
        };
        assert!(
            mapper.sizes().contains(size),
            "games/{name}: size = {size}, mapper = {mapper:?}"
        );
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
    assert_eq!(environments.count(), 104, "a game that ale-py lacks has no env_id");
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
    game.rules.update(&mut variables, &Filled(0x02));
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
        let game = entry.definition().unwrap();
        let rules = &game.rules;
        let bounds = game.variable_bounds();
        let mut variables = rules.initial();
        for byte in 0..=255 {
            rules.update(&mut variables, &Filled(byte));
            let lives = rules.lives(&variables);
            assert!((-256..=256).contains(&lives), "{} has {lives} lives", entry.rom);
            for ((name, value), bounds) in rules.variable_names().iter().zip(variables.as_slice()).zip(&bounds) {
                let is_within = (bounds.least..=bounds.greatest).contains(value);
                assert!(is_within, "{}: {name} is {value}, not within {bounds:?}", entry.rom);
            }
        }
    }
}

#[test]
fn a_bare_cartridge_pays_nothing_and_never_ends() {
    let rules = find_by_name("combat").unwrap().definition().unwrap().rules;
    let mut variables = rules.initial();
    rules.update(&mut variables, &Filled(0xFF));
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
    assert_eq!((game.first_line, game.height, game.paddle_max), (34, 210, 790_196));
    assert_eq!(
        game.minimal_actions,
        [Action::Noop, Action::Fire, Action::Right, Action::Left]
    );
    assert_eq!(game.modes.len(), 12);
    assert!(game.mode_select.is_some());
}
