//! The rules of games whose ROMs the tests do not have, run over recordings of play.

#[path = "support/recording.rs"]
mod recording;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use gym2600_arcade::{GameDefinition, catalogue};
use recording::{Line, compare, unseen};

/// The ROMs of ale-py that it has no environments for.
const BARE: [&str; 4] = ["combat", "joust", "maze_craze", "warlords"];

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// The recordings by the names of their games.
fn recordings() -> BTreeMap<String, String> {
    let files = fs::read_dir(folder("tests/recordings")).expect("the folder of recordings");
    files
        .map(|file| {
            let path = file.expect("a file").path();
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            (name, fs::read_to_string(&path).expect("a text"))
        })
        .collect()
}

#[test]
fn the_rules_of_a_game_agree_with_its_recording() {
    for (game, text) in recordings() {
        let file = format!("tests/recordings/{game}.jsonl");
        let entry = catalogue::find_by_name(&game).unwrap_or_else(|| panic!("{file}: there is no games/{game}.toml"));
        let rules = entry.definition().expect("the build checks it").rules;
        compare(&rules, &text).unwrap_or_else(|difference| panic!("{file}, {difference}"));
    }
}

#[test]
fn a_game_that_ale_py_lacks_has_a_recording() {
    let recordings = recordings();
    for game in catalogue::games() {
        let in_ale_py = BARE.contains(&game.rom) || game.env_id.is_some_and(|id| id.starts_with("ALE/"));
        assert!(
            in_ale_py || recordings.contains_key(game.rom),
            "games/{0}.toml: ale-py has no such game, so a recording of it has to test its rules: run \
             scripts/record-game crates/arcade/games/{0}.toml ROM (CONTRIBUTING.md, \"How to add a game\")",
            game.rom
        );
    }
}

#[test]
fn a_recording_shows_a_score_a_lost_life_and_an_end() {
    for (game, text) in recordings() {
        let lines = text
            .lines()
            .map(|line| serde_json::from_str::<Line>(line).expect("a line"));
        let shown: Vec<_> = lines.filter_map(|line| line.shows).collect();
        assert_eq!(unseen(&shown), None, "{game}");
    }
}

#[test]
fn wrong_rules_differ_from_a_recording() {
    let text = &recordings()["wallop"];
    let definition = fs::read_to_string(folder("games/wallop.toml")).expect("a definition");
    let differs = |right: &str, wrong: &str| {
        let changed = definition.replace(right, wrong);
        assert_ne!(changed, definition, "{right:?} is not in the file");
        let game = GameDefinition::from_toml(&changed, "wrong.toml").expect("a definition");
        compare(&game.rules, text).expect_err(wrong)
    };
    assert!(differs("reward = new - score", "reward = score - new").contains("the rules say Shown { score: -"));
    assert!(differs("lives = ram[0x82]", "lives = ram[0x83]").contains("lives: 0"));
    assert!(differs("lives = ram[0x82]", "lives = ram[0x86]").contains("the rules read ram[0x86]"));
    assert!(differs("terminal = lives == 0", "terminal = lives == 1").contains("over: true"));
    assert!(differs("bcd(0x85, 0x84, 0x83)", "bcd(0x84, 0x85, 0x83)").contains("score"));
}
