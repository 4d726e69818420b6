//! Mistakes in definitions that are not text: their key, and their position in rules.

use super::*;

/// The message about a definition in JSON.
fn refused(json: &str) -> String {
    let raw: RawDefinition = serde_json::from_str(json).unwrap();
    GameDefinition::new(&raw).unwrap_err().to_string()
}

#[test]
fn a_mistake_is_reported_with_its_key_and_the_position_in_rules() {
    let expected = [
        (
            r#"{"rom": "a", "picture": {"height": 300}}"#,
            r#"game.picture.height: "height" takes 200 to 256, not 300"#,
        ),
        (
            r#"{"rom": "a", "modes": {"available": [1, 2, 1]}}"#,
            r#"game.modes.available[2]: 1 is twice in "available""#,
        ),
        (
            r#"{"rom": "a", "modes": {"default": 3}}"#,
            r#"game.modes.default: 3 is not in "available""#,
        ),
        (
            r#"{"rom": "a", "actions": {"minimal": []}}"#,
            r#"game.actions.minimal: "minimal" must not be empty"#,
        ),
        (
            r#"{"rom": "a", "actions": {"starting": [{"press": "RESET", "frames": 0}]}}"#,
            r#"game.actions.starting[0].frames: "frames" takes 1 to 10000, not 0"#,
        ),
        (
            r#"{"rom": "a", "rules": {"frame": "\nx = 1\n é = 2"}}"#,
            "game.rules.frame, line 3, column 2: unexpected character 'é'",
        ),
        (
            r#"{"rom": "a", "modes": {"select": "act JUMP"}}"#,
            r#"game.modes.select, line 1, column 5: unknown action "JUMP""#,
        ),
        (
            r#"{"rom": "a", "md5": "0"}"#,
            r#"game.md5: "0" is not an MD5: that is 32 hexadecimal digits in lower case"#,
        ),
    ];
    for (json, message) in expected {
        assert_eq!(refused(json), message, "{json}");
    }
}

#[test]
fn long_values_are_refused() {
    let list = |length: usize| (0..length).map(|n| n.to_string()).collect::<Vec<_>>().join(",");
    let modes = format!(r#"{{"rom": "a", "modes": {{"available": [{}]}}}}"#, list(1001));
    assert_eq!(
        refused(&modes),
        "game.modes.available: too many entries: 1000 is the limit"
    );
    let rules = format!(r#"{{"rom": "a", "rules": {{"frame": "{}"}}}}"#, " ".repeat(32_769));
    assert_eq!(
        refused(&rules),
        "game.rules.frame: too many bytes of rules: 32768 is the limit"
    );
    let name = format!(r#"{{"rom": "{}"}}"#, "a".repeat(201));
    assert_eq!(refused(&name), "game.rom: too many bytes in a name: 200 is the limit");
    let longest = format!(
        r#"{{"rom": "{}", "rules": {{"frame": "{}"}}}}"#,
        "a".repeat(200),
        " ".repeat(32_768)
    );
    GameDefinition::new(&serde_json::from_str(&longest).unwrap()).unwrap();
}

#[test]
fn a_definition_is_the_same_after_postcard_and_after_json() {
    for entry in crate::catalogue::games() {
        let file = format!("{}/games/{}.toml", env!("CARGO_MANIFEST_DIR"), entry.rom);
        let raw = RawDefinition::from_toml(&std::fs::read_to_string(file).unwrap(), entry.rom).unwrap();
        let bytes = postcard::to_allocvec(&raw).unwrap();
        assert_eq!(postcard::from_bytes::<RawDefinition>(&bytes).unwrap(), raw);
        let json = serde_json::to_string(&raw).unwrap();
        assert_eq!(serde_json::from_str::<RawDefinition>(&json).unwrap(), raw);
    }
}
