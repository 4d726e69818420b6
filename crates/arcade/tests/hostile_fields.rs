//! Fields of a console's state behind a right checksum: a value that the machine cannot have is refused by the field's own check, and the
//! values at the check's limits are played.

mod support;

use gym2600_arcade::{Action, Arcade, Drawing, Generators, Settings, StateError, StateKind, seal, unseal};
use std::collections::HashMap;
use support::rom;

/// The fields of a console's state in their order, with their widths in bytes.
const BEFORE_PICTURES: [(&str, usize); 66] = [
    ("a, x, y and sp", 4),
    ("pc", 2),
    ("result", 2),
    ("carry", 1),
    ("overflow", 1),
    ("decimal", 1),
    ("interrupt disable", 1),
    ("jammed", 1),
    ("cycles", 4),
    ("data", 1),
    ("ram", 128),
    ("timer", 1),
    ("timer's shift", 4),
    ("timer's set cycle", 4),
    ("has read after interrupt", 1),
    ("read after interrupt", 4),
    ("ddra", 1),
    ("frame start", 4),
    ("window start", 4),
    ("window end", 4),
    ("limit of lines", 4),
    ("vsync deadline", 4),
    ("partial", 1),
    ("lines", 4),
    ("dump", 1),
    ("dump's off cycle", 4),
    ("shadow", 64),
    ("copied", 1),
    ("hmove pending", 1),
    ("last access", 4),
    ("last register", 1),
    ("beam's frame start", 4),
    ("beam's window start", 4),
    ("beam's window end", 4),
    ("beam's clock", 4),
    ("line's end", 4),
    ("row", 4),
    ("hmove blank", 1),
    ("first stop", 4),
    ("last hmove", 4),
    ("has cosmic ark", 1),
    ("cosmic ark", 1),
    ("vblank", 1),
    ("colour loss", 1),
    ("colour", 1),
    ("other colours", 3),
    ("control playfield", 1),
    ("reflect", 1),
    ("playfield", 4),
    ("nusiz", 2),
    ("reflect player", 2),
    ("graphics", 2),
    ("old graphics", 2),
    ("enable missile", 2),
    ("enable ball", 2),
    ("vertical delay", 3),
    ("missile locked", 2),
    ("position", 1),
    ("other positions", 4),
    ("motion", 1),
    ("other motions", 4),
    ("first copy", 2),
    ("missile 0", 1),
    ("missile 0's size", 3),
    ("collisions", 2),
    ("pictures", 0),
];
const AFTER_PICTURES: [(&str, usize); 9] = [
    ("current picture", 4),
    ("sound channels", 9),
    ("sound clocks", 1),
    ("sound pulse", 1),
    ("sound noise", 1),
    ("sample", 1),
    ("other samples", 511),
    ("slices", 16),
    ("chip or RAM", 0),
];
/// Fields that are there if the one before them is 1.
const OPTIONAL: [&str; 2] = ["read after interrupt", "cosmic ark"];

const MIN: i64 = i32::MIN as i64;
const MAX: i64 = i32::MAX as i64;
/// The cycle from which on no frame is, and the lines that it has by then.
const LAST_CYCLE: i64 = (1 << 28) + (1 << 22);
const LAST_LINE: i64 = 3 * LAST_CYCLE / LINE;
/// Colour clocks of a line, and of its blank part.
const LINE: i64 = 228;
const BLANK: i64 = 68;

/// A game with a state of it.
struct Attacked {
    arcade: Arcade,
    state: Vec<u8>,
    /// Where each field is in the state, and its width.
    places: HashMap<&'static str, (usize, usize)>,
}

impl Attacked {
    fn new(name: &str) -> Self {
        let mut arcade = Arcade::load(&rom(name), &Settings::default()).expect("a game of the catalogue");
        for index in 0..60 {
            arcade.act(Action::ALL[index % Action::ALL.len()], Drawing::OnDemand);
        }
        let sealed = arcade.save(Generators::Included);
        let state = unseal(StateKind::ArcadeWithGenerators, arcade.md5(), &sealed).expect("its own state");
        let mut places = HashMap::new();
        let mut at = 0;
        for (field, width) in BEFORE_PICTURES.into_iter().chain(AFTER_PICTURES) {
            if field == "current picture" {
                at += 2 * arcade.screen().len();
            }
            if OPTIONAL.contains(&field) && state[at - 1] == 0 {
                continue;
            }
            places.insert(field, (at, width));
            at += width;
        }
        Self { arcade, state, places }
    }

    fn get(&self, field: &str) -> i64 {
        let (at, width) = self.places[field];
        let mut bytes = [0; 4];
        bytes[..width].copy_from_slice(&self.state[at..at + width]);
        i32::from_le_bytes(bytes).into()
    }

    /// Restores the state with other bytes in it.
    fn restore(&mut self, at: usize, bytes: &[u8]) -> Result<(), StateError> {
        let mut state = self.state.clone();
        state[at..at + bytes.len()].copy_from_slice(bytes);
        let sealed = seal(StateKind::ArcadeWithGenerators, self.arcade.md5(), &state);
        self.arcade.restore(&sealed, Generators::Included)
    }

    fn refuses(&mut self, what: &str, at: usize, bytes: &[u8]) {
        let before = self.arcade.save(Generators::Included);
        assert_eq!(self.restore(at, bytes), Err(StateError::Misfit), "{what}: {bytes:?}");
        assert!(self.arcade.save(Generators::Included) == before, "{what}: {bytes:?}");
    }

    fn plays(&mut self, what: &str, at: usize, bytes: &[u8]) {
        assert_eq!(self.restore(at, bytes), Ok(()), "{what}: {bytes:?}");
        for drawing in [Drawing::Immediate, Drawing::OnDemand, Drawing::Immediate] {
            self.arcade.act(Action::Fire, drawing);
        }
        self.arcade.screen();
    }
}

/// A field, values of it that are refused, and values that are played.
type Row = (&'static str, Vec<i64>, Vec<i64>);

fn rows(game: &Attacked) -> Vec<Row> {
    let [start, window, end, limit] =
        ["frame start", "window start", "window end", "limit of lines"].map(|field| game.get(field));
    let [cycles, line_end, row] = ["cycles", "line's end", "row"].map(|field| game.get(field));
    let other = |value: i64| vec![MIN, value - LINE, value - 1, value + 1, value + LINE, MAX];
    let mut rows = vec![
        ("result", vec![0x200, 0xFFFF], vec![0, 0x1FF]),
        ("cycles", vec![MIN, -1, LAST_CYCLE, MAX], vec![LAST_CYCLE - 1]),
        ("data", vec![1, 0xFF], vec![0]),
        (
            "timer's shift",
            vec![1, 2, 4, 9, 11, 31, 32, 33, 63, 64, 128, 256, MAX, MIN, -1],
            vec![0, 3, 6, 10],
        ),
        ("timer's set cycle", vec![], vec![MIN, -1, MAX]),
        ("frame start", other(start), vec![]),
        ("window start", other(window), vec![]),
        ("window end", other(end), vec![]),
        ("limit of lines", other(limit), vec![]),
        ("vsync deadline", vec![], vec![MIN, -1, MAX]),
        ("lines", vec![MIN, -1, LAST_LINE + 1, MAX], vec![0, LAST_LINE]),
        ("dump's off cycle", vec![], vec![MIN, -1, MAX]),
        ("copied", vec![4, 8, 0x14, 0x20, 0x80, 0xFF], vec![0, 0x13]),
        // The log begins at this clock.
        (
            "last access",
            vec![MIN, start - 1, 3 * cycles + 1, MAX],
            vec![start, 3 * cycles],
        ),
        ("last register", vec![64, 128, 255], vec![0, 63]),
        ("beam's frame start", other(start), vec![]),
        ("beam's window start", other(window), vec![]),
        ("beam's window end", other(end), vec![]),
        (
            "beam's clock",
            vec![MIN, line_end - LINE - 1, line_end + 1, MAX],
            vec![line_end - LINE, line_end],
        ),
        ("line's end", other(line_end), vec![]),
        ("row", vec![MIN, -1, row - 1, row + 1, MAX], vec![row]),
        ("first stop", vec![MIN, -1, BLANK + 1, MAX], vec![0, BLANK]),
        ("last hmove", vec![], vec![MIN, -1, MAX]),
        ("colour loss", vec![1], vec![0]),
        ("colour", vec![1, 0xFF], vec![0, 0xFE]),
        ("playfield", vec![1 << 20, MIN, -1], vec![0, (1 << 20) - 1]),
        ("position", vec![160, 255], vec![0, 159]),
        ("motion", vec![16, 255], vec![0, 15]),
        ("missile 0", vec![160, 255], vec![0, 159]),
        ("current picture", vec![2, MAX, MIN, -1], vec![0, 1]),
        ("sound clocks", vec![32, 255], vec![0, 31]),
        ("sound pulse", vec![16, 255], vec![0, 15]),
        ("sound noise", vec![32, 255], vec![0, 31]),
        ("sample", vec![1, 127, 129, 255], vec![0]),
    ];
    for boolean in [
        "carry",
        "decimal",
        "jammed",
        "partial",
        "dump",
        "hmove pending",
        "vblank",
    ] {
        rows.push((boolean, vec![2, 128, 255], vec![0, 1]));
    }
    for option in ["has read after interrupt", "has cosmic ark"] {
        rows.push((option, vec![2, 128, 255], vec![]));
    }
    rows
}

#[test]
fn values_that_a_machine_cannot_have_are_refused_by_field() {
    for name in ["seaquest", "pitfall2"] {
        let mut game = Attacked::new(name);
        for (field, refused, played) in rows(&game) {
            let (at, width) = game.places[field];
            let what = format!("{name}, {field}");
            for value in refused {
                game.refuses(&what, at, &value.to_le_bytes()[..width]);
            }
            for value in played {
                game.plays(&what, at, &value.to_le_bytes()[..width]);
            }
        }
    }
}

/// The bytes of a table of slices, by slice.
fn slices(numbers: [u16; 8]) -> Vec<u8> {
    numbers
        .into_iter()
        .flat_map(|slice| (slice * 1024).to_le_bytes())
        .collect()
}

#[test]
fn slices_that_no_bank_switch_makes_are_refused() {
    let bank = |bank: u16| [0, 1, 2, 3, 0, 1, 2, 3].map(|slice| 4 * bank + slice);
    // A game of each mapper, and the tables that it can have.
    let games = [
        ("breakout", vec![bank(0)]),
        ("seaquest", vec![bank(0)]),
        ("asteroids", vec![bank(0), bank(1)]),
        ("elevator_action", vec![bank(0), bank(1)]),
        ("crossbow", (0..4).map(bank).collect()),
        ("darkchambers", (0..4).map(bank).collect()),
        (
            "montezuma_revenge",
            vec![bank(1), [0, 0, 0, 7, 0, 0, 0, 7], [6, 2, 7, 7, 6, 2, 7, 7]],
        ),
        ("robotank", vec![[4, 5, 6, 7, 0, 1, 2, 3]]),
        ("pitfall2", vec![bank(0), bank(1)]),
    ];
    let tables = (0..5).map(bank).chain([
        [0, 0, 0, 7, 0, 0, 0, 7],
        [6, 2, 7, 7, 6, 2, 7, 7],
        [0, 0, 0, 6, 0, 0, 0, 6],
        [8, 0, 0, 7, 8, 0, 0, 7],
        [4, 5, 6, 7, 0, 1, 2, 3],
        [0, 1, 2, 3, 4, 5, 6, 7],
        [3, 2, 1, 0, 3, 2, 1, 0],
        [63; 8],
    ]);
    let tables: Vec<[u16; 8]> = tables.collect();
    for (name, possible) in games {
        let mut game = Attacked::new(name);
        let (at, width) = game.places["slices"];
        for table in &tables {
            let bytes = slices(*table);
            if possible.contains(table) {
                game.plays(name, at, &bytes);
            } else {
                game.refuses(name, at, &bytes);
            }
        }
        // Slices that do not begin at a multiple of their size.
        let mut shifted = slices(possible[0]);
        for byte in [0, 8, width - 2] {
            shifted[byte] = 1;
            game.refuses(name, at, &shifted);
        }
    }
}

#[test]
fn registers_that_the_chip_of_a_cartridge_cannot_have_are_refused() {
    let mut game = Attacked::new("pitfall2");
    let chip = game.places["chip or RAM"].0;
    // Each of the eight fetchers has top, bottom, counter, flag and music; after them are the generator, and the clock of the music.
    let fetcher = |number: usize| chip + 6 * number;
    let fraction = chip + 6 * 8 + 1 + 4;
    for number in 0..8 {
        game.refuses("counter", fetcher(number) + 2, &0x800_u16.to_le_bytes());
        game.plays("counter", fetcher(number) + 2, &0x7FF_u16.to_le_bytes());
        game.refuses("flag", fetcher(number) + 4, &[1]);
        game.plays("flag", fetcher(number) + 4, &[0xFF]);
        game.refuses("music", fetcher(number) + 5, &[2]);
        if number < 5 {
            game.refuses("music", fetcher(number) + 5, &[1]);
        } else {
            game.plays("music", fetcher(number) + 5, &[1]);
        }
    }
    for value in [1.0, -1.0, f64::INFINITY, f64::NAN] {
        game.refuses("fraction", fraction, &value.to_le_bytes());
    }
    game.plays("fraction", fraction, &0.999_f64.to_le_bytes());
    for cycle in [i32::MIN, -1, i32::MAX] {
        game.plays("cycle", fraction - 4, &cycle.to_le_bytes());
    }
}

#[test]
fn counters_of_frames_and_controls_that_no_play_leads_to_are_refused() {
    let mut game = Attacked::new("seaquest");
    // The last fields: mode, difficulty, all frames, the episode's frames, two resistances, the generator of sticky actions, and the action
    // and strength of each player.
    let controls = game.state.len() - 10;
    let generator = controls - 625 * 4;
    let [mode, difficulty, all, episode, paddle] = [24, 20, 16, 12, 8].map(|back| generator - back);
    let [action, strength] = [controls, controls + 1];
    let word = |value: u32| value.to_le_bytes();
    game.refuses("frames of an episode and of all", episode, &word(u32::MAX));
    game.refuses("frames of all", all, &word(0));
    game.plays("frames of all", all, &word(u32::MAX));
    game.plays("both", all, &[0xFF; 8]);
    game.refuses("mode", mode, &word(99));
    game.refuses("difficulty", difficulty, &word(99));
    for resistance in [0, u32::MAX, i32::MAX as u32, 1 << 31] {
        game.refuses("resistance", paddle, &word(resistance));
    }
    game.refuses("action", action, &[18]);
    for value in [-0.5, 1.5, f32::INFINITY, f32::NAN] {
        game.refuses("strength", strength, &value.to_le_bytes());
    }
    game.plays("strength", strength, &0.5_f32.to_le_bytes());
}
