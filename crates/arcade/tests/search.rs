//! Scores, lives and ends of games that the catalogue knows, found in RAM by what a person sees.

#![allow(clippy::unwrap_used, reason = "a test fails where it panics")]

mod support;

use std::sync::Arc;

use gym2600_arcade::definition::RawDefinition;
use gym2600_arcade::search::{DefineError, Found, RamSearch, Seen, actions_that_matter, define};
use gym2600_arcade::{Action, Arcade, Drawing, GameDefinition, Mt19937, Settings, WALLOP};

/// The most looks, and the frames between them.
const LOOKS: usize = 6;
const BETWEEN: u32 = 400;
/// The frames after which a person who sees no other number gives up.
const PATIENCE: u32 = 20_000;

/// Ten games with the expressions that the catalogue reads their scores by.
const SCORES: [(&str, &str); 10] = [
    ("amidar", "bcd(0xD9, 0xDA, 0xDB)"),
    ("asterix", "bcd(0xE0, 0xDF, 0xDE)"),
    ("asteroids", "bcd(0xBE, 0xBD) * 10"),
    ("beam_rider", "bcd(0x89, 0x8A, 0x8B)"),
    ("donkey_kong", "bcd(0x88, 0x87) * 100"),
    ("entombed", "ram[0xE3]"),
    ("king_kong", "bcd(0x83, 0x82)"),
    ("mr_do", "bcd(0x82, 0x83) * 10"),
    ("seaquest", "bcd(0xBA, 0xB9, 0xB8)"),
    ("space_invaders", "bcd(0xE8, 0xE6)"),
];

/// Plays at random, and looks at the score where it has changed.
fn search(rom: &[u8], seed: u32) -> RamSearch {
    let mut arcade = Arcade::load(rom, &Settings::default()).unwrap();
    let mut random = Mt19937::new(seed);
    let mut search = RamSearch::new();
    let mut score = 0_i64;
    let mut last = 0;
    let mut action = Action::Noop;
    for frame in 1..PATIENCE {
        if frame % 8 == 1 {
            let actions = arcade.minimal_actions();
            action = actions[random.next_u32() as usize % actions.len()];
        }
        score += i64::from(arcade.act(action, Drawing::OnDemand));
        if frame % BETWEEN == 0 && score > last {
            let digits = score.to_string().len() as u8;
            search
                .look(arcade.ram(), Seen::Number { value: score, digits })
                .unwrap();
            last = score;
            if search.looks() == LOOKS {
                break;
            }
        }
        if arcade.game_over() {
            arcade.reset_game();
            (score, last) = (0, 0);
        }
    }
    search
}

#[test]
fn the_score_of_ten_games_is_found_with_at_most_six_looks() {
    for (game, expression) in SCORES {
        let search = search(&support::rom(game), 1);
        let found: Vec<_> = search.candidates().iter().map(ToString::to_string).collect();
        assert_eq!(
            found.first().map(String::as_str),
            Some(expression),
            "{game}: {} looks, {found:?}",
            search.looks()
        );
    }
}

#[test]
fn a_definition_of_what_was_found_has_the_rewards_lives_and_ends_of_the_catalogue() {
    let found = Found {
        name: "mine".into(),
        title: Some("My game".into()),
        score: Some("bcd(0x85, 0x84, 0x83)".into()),
        lives: Some("ram[0x82]".into()),
        ..Found::default()
    };
    let definition = define(WALLOP, &found).unwrap();
    let catalogue = RawDefinition::from_toml(include_str!("../games/wallop.toml"), "wallop.toml").unwrap();
    let known = RawDefinition {
        rules: catalogue.rules,
        ..definition.clone()
    };
    let [mut ours, mut theirs] = [definition, known].map(|definition| {
        let game = Arc::new(GameDefinition::new(&definition).unwrap());
        Arcade::load_as(WALLOP, game, &Settings::default()).unwrap()
    });
    assert_eq!(
        ours.minimal_actions()[..4],
        [Action::Noop, Action::Fire, Action::Right, Action::Left]
    );
    let mut random = Mt19937::new(3);
    let (mut points, mut ends) = (0, 0);
    while ends < 2 {
        let action = Action::ALL[random.next_u32() as usize % 5];
        let rewards = [&mut ours, &mut theirs].map(|arcade| arcade.act(action, Drawing::OnDemand));
        assert_eq!(rewards[0], rewards[1]);
        assert_eq!((ours.lives(), ours.game_over()), (theirs.lives(), theirs.game_over()));
        points += rewards[0];
        if ours.game_over() {
            ends += 1;
            ours.reset_game();
            theirs.reset_game();
        }
    }
    assert!(points > 0);
}

#[test]
fn the_actions_that_matter_are_those_of_the_catalogue() {
    for game in ["asterix", "freeway"] {
        let arcade = Arcade::load(&support::rom(game), &Settings::default()).unwrap();
        assert_eq!(actions_that_matter(&arcade), arcade.minimal_actions(), "{game}");
    }
}

#[test]
fn a_game_of_paddles_is_known_by_what_turns_them() {
    let found = Found {
        name: "mine".into(),
        ..Found::default()
    };
    let definition = define(&support::rom("breakout"), &found).unwrap();
    let left = definition.controllers.unwrap().left.map(|left| format!("{left:?}"));
    assert_eq!(left.as_deref(), Some("Paddles"));
    assert_eq!(definition.rules, None);
}

#[test]
fn an_expression_with_a_mistake_is_refused_with_its_place() {
    let found = Found {
        name: "mine".into(),
        score: Some("bcd(".into()),
        ..Found::default()
    };
    let error = define(WALLOP, &found).unwrap_err().to_string();
    assert!(error.contains("rules.frame"), "{error}");
}

#[test]
fn cells_are_variables_and_take_no_name_of_the_rules() {
    let named = |name: &str| Found {
        name: "mine".into(),
        lives: Some("ram[0x82]".into()),
        cells: Some([(name.to_owned(), "ram[0x82] + 1".to_owned())].into()),
        ..Found::default()
    };
    let definition = define(WALLOP, &named("balls")).unwrap();
    let game = Arc::new(GameDefinition::new(&definition).unwrap());
    let mut arcade = Arcade::load_as(WALLOP, game, &Settings::default()).unwrap();
    arcade.act(Action::Noop, Drawing::OnDemand);
    let values: Vec<_> = arcade
        .variables()
        .filter(|(name, _)| ["lives", "balls"].contains(name))
        .collect();
    assert_eq!(values, [("lives", 5), ("balls", 6)]);
    assert_eq!(define(WALLOP, &named("over")), Err(DefineError::Name("over".into())));
}
