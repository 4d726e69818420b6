//! Files that tell their cartridge format. ale-py's names of them are compared in `tests/conformance/test_cartridges.py`.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::BTreeMap;
use std::sync::Arc;

use gym2600_arcade::{Arcade, CartridgeError, GameDefinition, Generators, LoadError, Mapper, Settings, Unplayable};

/// A file and the format that ale-py finds in it; none where ale-py refuses the file.
#[derive(Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    size: usize,
    /// Ranges of one byte.
    #[serde(default)]
    equal: Vec<(usize, usize)>,
    /// Parts in hexadecimal by their offset.
    #[serde(default)]
    bytes: BTreeMap<String, String>,
    /// The bytes after which the file repeats.
    repeat: Option<usize>,
    detected: Option<String>,
}

impl Case {
    fn rom(&self) -> Vec<u8> {
        let mut rom: Vec<u8> = (0..self.size).map(|at| (at % 251) as u8).collect();
        for &(first, end) in &self.equal {
            let byte = rom[first];
            rom[first..end].fill(byte);
        }
        for (at, part) in &self.bytes {
            let at: usize = at.parse().unwrap();
            for (index, digits) in part.as_bytes().chunks(2).enumerate() {
                rom[at + index] = u8::from_str_radix(str::from_utf8(digits).unwrap(), 16).unwrap();
            }
        }
        let repeat = self.repeat.unwrap_or(self.size.max(1));
        (0..self.size).map(|at| rom[at % repeat]).collect()
    }

    /// Our name of the format that ale-py finds.
    fn expected(&self) -> Option<&str> {
        match (self.detected.as_deref(), self.size) {
            (Some("FASC"), _) => Some("FA"),
            // Two equal banks, which F8 plays in the same way.
            (Some("4K"), 8192) => Some("F8"),
            // Two equal halves, which 4K plays in the same way.
            (Some("2K"), 4096) => Some("4K"),
            (name, _) => name,
        }
    }
}

#[test]
fn a_format_is_found_where_ale_finds_it() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/conformance/detection.json");
    let cases: Vec<Case> = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    for case in cases {
        let found = match Mapper::detect(&case.rom()) {
            Ok(mapper) => Some(mapper.name()),
            Err(CartridgeError::Unplayable { format }) => Some(format.name()),
            Err(CartridgeError::Size { .. }) => None,
            Err(error) => panic!("{error}"),
        };
        assert_eq!(found, case.expected(), "{case:?}");
    }
}

#[test]
fn a_format_that_is_not_played_is_refused_and_a_named_mapper_overrides_that() {
    let mut rom: Vec<u8> = (0..32768_usize).map(|at| (at % 251) as u8).collect();
    rom[100..104].copy_from_slice(b"DPC+");
    let load = |definition: &str| {
        let game = GameDefinition::from_toml(definition, "mine.toml").unwrap();
        Arcade::load_as(&rom, Arc::new(game), &Settings::default()).map(|_| ())
    };
    let format = Unplayable::DpcPlus;
    let refused = Err(LoadError::Cartridge(CartridgeError::Unplayable { format }));
    assert_eq!(load("rom = \"mine\""), refused);
    assert_eq!(load("rom = \"mine\"\nmapper = \"F4\""), Ok(()));
}

#[test]
fn a_setting_overrides_the_mapper_of_the_definition_and_of_the_detection() {
    let mut rom: Vec<u8> = (0..8192_usize).map(|at| (at % 251) as u8).collect();
    rom[100..103].copy_from_slice(&[0x8D, 0xE0, 0x1F]);
    assert_eq!(Mapper::detect(&rom), Ok(Mapper::E0));
    let load = |definition: &str, mapper| {
        let game = GameDefinition::from_toml(definition, "mine.toml").unwrap();
        let settings = Settings {
            mapper,
            ..Settings::default()
        };
        Arcade::load_as(&rom, Arc::new(game), &settings)
    };
    let mine = load("rom = \"mine\"\nmapper = \"FE\"", None).unwrap();
    let mut overridden = load("rom = \"mine\"\nmapper = \"FE\"", Some(Mapper::F8)).unwrap();
    assert_eq!(mine.game().mapper, Some(Mapper::Fe));
    assert_eq!(overridden.game().mapper, Some(Mapper::F8));
    assert_eq!(
        load("rom = \"mine\"", Some(Mapper::F8)).unwrap().game().mapper,
        Some(Mapper::F8)
    );
    // States of one are none of the other.
    let state = overridden.save(Generators::Included);
    let other = load("rom = \"mine\"\nmapper = \"FE\"", None);
    assert!(other.unwrap().restore(&state, Generators::Included).is_err());
    let (mapper, size) = (Mapper::F6, rom.len());
    let refused = LoadError::Cartridge(CartridgeError::MapperSize { mapper, size });
    assert_eq!(load("rom = \"mine\"", Some(mapper)).unwrap_err(), refused);
    let unknown = Arcade::load(
        &rom,
        &Settings {
            mapper: Some(mapper),
            ..Settings::default()
        },
    );
    assert_eq!(unknown.unwrap_err(), refused);
}
