//! Cached resets of programs that are made to tell resets apart: by RAM, the rules' variables, pictures, controls and sound.

use std::sync::Arc;

use allocation_counter::measure;
use gym2600_arcade::{Action, Arcade, Drawing, GameDefinition, Generators, Settings};

/// Address of the program, and of the RAM that it uses: the timer's start, shown as the background of a frame; a byte for the
/// program's own use; frames so far; lines of the second half of a frame.
const ORIGIN: u16 = 0xF000;
const TIMER: u8 = 0x80;
const OWN: u8 = 0x81;
const FRAMES: u8 = 0x83;
const LINES: u8 = 0x84;

/// Rules with variables that outlast a reset: the greatest background that was seen, a sum over all frames, and bit 0 of [`OWN`] when
/// its bit 2 was set last.
const GREATEST: &str = "[rules]\nload = \"most = 0\"\nframe = \"most = ram[0x80] if ram[0x80] > most else most\"";
const EVERY: &str = "[rules]\nload = \"past = 0\"\nframe = \"past = (past * 3 + ram[0x83] + ram[0x81]) & 0xFFFFFF\"";
const LAST: &str = "[rules]\nload = \"last = 0\"\nframe = \"last = ram[0x81] & 1 if ram[0x81] & 4 else last\"";

/// A program that reads the timer at its start and clears what it read after a frame. At its start it runs `start`, which sets
/// [`OWN`] and keeps Y and other RAM, and in each frame `each`.
fn program(start: &[u8], each: &[u8]) -> Vec<u8> {
    let mut code = vec![0x78, 0xD8, 0xA2, 0xFF, 0x9A]; // SEI, CLD, LDX #$FF, TXS
    code.extend([0xAC, 0x84, 0x02]); // LDY INTIM
    code.extend(start);
    code.extend([0xA9, 0x00, 0xA2, 0x82]); // LDA #0, LDX #$82
    code.extend([0x95, 0x00, 0xE8, 0xD0, 0xFB]); // STA 0,X; INX; BNE
    code.extend([0x84, TIMER, 0xA0, 0x00]); // STY TIMER, LDY #0
    code.extend([0xA9, 0x80, 0x85, LINES]); // LDA #128, STA LINES
    let [low, high] = (ORIGIN + code.len() as u16).to_le_bytes();
    code.extend([0xA9, 0x02, 0x85, 0x00]); // LDA #2, STA VSYNC
    code.extend([0x85, 0x02, 0x85, 0x02, 0x85, 0x02]); // STA WSYNC, three times
    code.extend([0xA9, 0x00, 0x85, 0x00]); // LDA #0, STA VSYNC
    code.extend([0xA9, 0x20, 0x8D, 0x96, 0x02]); // LDA #32, STA TIM64T
    code.extend([0xA5, TIMER, 0x85, 0x09]); // LDA TIMER, STA COLUBK
    code.extend(each);
    code.extend([0xA2, 0x80, 0x85, 0x02, 0xCA, 0xD0, 0xFB]); // LDX #128; STA WSYNC, DEX, BNE
    code.extend([0xA6, LINES, 0x85, 0x02, 0xCA, 0xD0, 0xFB]); // LDX LINES; STA WSYNC, DEX, BNE
    code.extend([0xE6, FRAMES, 0xA5, FRAMES, 0xC9, 0x01]); // INC FRAMES, LDA FRAMES, CMP #1
    code.extend([0xD0, 0x04, 0xA9, 0x00, 0x85, TIMER]); // BNE +4, LDA #0, STA TIMER
    code.extend([0x4C, low, high]); // JMP
    code.resize(4096, 0xEA);
    code[0xFFC..0xFFE].copy_from_slice(&ORIGIN.to_le_bytes());
    code
}

/// Clears [`OWN`].
const NOTHING: [u8; 4] = [0xA9, 0x00, 0x85, OWN];

/// Runs `code` from frame `first` on.
fn from_frame(first: u8, code: &[u8]) -> Vec<u8> {
    [&[0xA5, FRAMES, 0xC9, first, 0x90, code.len() as u8], code].concat() // LDA FRAMES, CMP, BCC
}

/// A game with the program, and another one without a cache.
struct Pair {
    arcade: Arcade,
    played: Arcade,
}

impl Pair {
    fn load(name: &str, program: &[u8], definition: &str) -> Self {
        Self::load_with(name, program, definition, &Settings::default())
    }

    fn load_with(name: &str, program: &[u8], definition: &str, settings: &Settings) -> Self {
        let text = format!("rom = \"{name}\"\n{definition}");
        let game = Arc::new(GameDefinition::from_toml(&text, "test").expect("a definition"));
        let load = |cache_resets| {
            let settings = Settings {
                cache_resets,
                ..*settings
            };
            Arcade::load_as(program, Arc::clone(&game), &settings).expect("a game")
        };
        let mut pair = Self {
            arcade: load(true),
            played: load(false),
        };
        pair.check("after loading");
        pair
    }

    /// Resets both, which may have different RAM to begin with.
    fn reset(&mut self) {
        self.arcade.reset_game();
        self.played.reset_game();
        self.check("after a reset");
    }

    fn check(&mut self, when: &str) {
        assert_eq!(
            self.arcade.console_frames(),
            self.played.console_frames(),
            "{when}: the frames"
        );
        let [state, expected] = [&mut self.arcade, &mut self.played].map(|arcade| {
            let mut bytes = Vec::new();
            arcade.save_to(&mut bytes, Generators::Included);
            bytes
        });
        assert!(state == expected, "{when}: it is not as if it had been played");
    }

    fn cached(&self) -> u64 {
        self.arcade.reset_counts().cached
    }

    fn idle_cached(&self) -> u64 {
        self.arcade.reset_counts().idle_cached
    }

    fn play(&mut self, frames: u32) {
        for _ in 0..frames {
            self.arcade.act(Action::Noop, Drawing::OnDemand);
            self.played.act(Action::Noop, Drawing::OnDemand);
        }
        self.check("after play");
    }
}

#[test]
fn resets_that_read_different_timers_are_cached_once_that_is_forgotten() {
    let mut pair = Pair::load("alike", &program(&NOTHING, &[]), GREATEST);
    for _ in 0..40 {
        pair.reset();
        pair.play(3);
    }
    // Once the brightest of the backgrounds has been seen, the variable is always the same.
    assert!(pair.cached() > 10, "{} cached", pair.cached());
}

#[test]
fn pixels_of_older_frames_keep_a_reset_from_the_cache() {
    let short = from_frame(3, &[0xA9, 0x01, 0x85, LINES]); // LDA #1, STA LINES
    let mut pair = Pair::load("short", &program(&NOTHING, &short), GREATEST);
    for _ in 0..20 {
        pair.reset();
    }
    assert_eq!(pair.cached(), 0);
}

#[test]
fn ram_that_outlasts_a_reset_tells_resets_apart() {
    // TYA, AND #1, BEQ; LDA $90, CMP #5, BNE; LDA #1, STA OWN, BNE; LDA #0, STA OWN
    let odd = [
        0x98, 0x29, 0x01, 0xF0, 0x0C, 0xA5, 0x90, 0xC9, 0x05, 0xD0, 0x06, 0xA9, 0x01, 0x85, OWN, 0xD0, 0x04, 0xA9,
        0x00, 0x85, OWN,
    ];
    let mut pair = Pair::load("odd", &program(&odd, &[]), GREATEST);
    let mut owned = 0;
    for number in 0..400 {
        for arcade in [&mut pair.arcade, &mut pair.played] {
            arcade.set_ram(0x10, if number % 3 == 0 { 5 } else { 4 });
        }
        pair.reset();
        owned += u32::from(pair.arcade.ram()[usize::from(OWN & 0x7F)]);
    }
    assert!(owned > 20, "{owned}");
    assert!(pair.cached() > 10, "{} cached", pair.cached());
}

#[test]
fn variables_that_outlast_a_reset_tell_resets_apart() {
    // TYA, AND #1, BNE or BEQ; LDA #0, STA OWN; and in the second frame what was left out before.
    for (name, branch) in [("even", 0xD0), ("odd", 0xF0)] {
        let start = [0x98, 0x29, 0x01, branch, 0x04, 0xA9, 0x00, 0x85, OWN];
        let each = from_frame(1, &NOTHING);
        let mut pair = Pair::load(name, &program(&start, &each), LAST);
        for number in 0..400 {
            for arcade in [&mut pair.arcade, &mut pair.played] {
                arcade.set_ram(OWN & 0x7F, [0, 4, 5, 1][number % 4]);
            }
            pair.reset();
        }
        assert!(pair.cached() > 10, "{} cached", pair.cached());
    }
}

#[test]
fn a_variable_that_changes_with_each_frame_keeps_all_resets_but_the_first_from_the_cache() {
    let mut pair = Pair::load("every", &program(&NOTHING, &[]), EVERY);
    assert_eq!((pair.cached(), pair.idle_cached()), (0, 1));
    for _ in 0..10 {
        pair.reset();
        pair.play(3);
    }
    assert_eq!((pair.cached(), pair.idle_cached()), (0, 1));
}

#[test]
fn a_cached_reset_allocates_nothing() {
    let mut arcade = Pair::load("cached", &program(&NOTHING, &[]), "").arcade;
    let mut cached = 0;
    for number in 0..100 {
        let before = arcade.reset_counts().cached;
        let allocated = measure(|| arcade.reset_game()).count_total;
        // Buffers may be made when they are first needed.
        if number >= 20 && arcade.reset_counts().cached > before {
            assert_eq!(allocated, 0);
            cached += 1;
        }
    }
    assert!(cached > 50, "{cached} were cached");
}

#[test]
fn the_cache_is_bounded() {
    // LDA $92, STA OWN
    let mut pair = Pair::load("bounded", &program(&[0xA5, 0x92, 0x85, OWN], &[]), "");
    let noise = |number: u32| (number.wrapping_mul(2_654_435_761) >> 24) as u8;
    let mut resets = |count: u32| {
        measure(|| {
            for number in 0..count {
                pair.arcade.set_ram(0x12, noise(number));
                pair.arcade.reset_game();
            }
        })
        .bytes_current
    };
    resets(500);
    let left = resets(500);
    assert!(left < 100_000, "{left} bytes left by the last 500 resets");
}

#[test]
fn the_first_reset_may_be_a_frame_ahead_of_the_console_whose_television_was_detected() {
    // LDA $90, BEQ; LDA #2, STA VSYNC; STA WSYNC, three times; LDA #0, STA VSYNC: a frame more where there is noise in RAM.
    let noise = [
        0xA5, 0x90, 0xF0, 0x0E, 0xA9, 0x02, 0x85, 0x00, 0x85, 0x02, 0x85, 0x02, 0x85, 0x02, 0xA9, 0x00, 0x85, 0x00,
    ];
    let each = [0x85, 0x2A]; // STA HMOVE, or else the time since the last one tells them apart
    let mut pair = Pair::load("ahead", &program(&[&noise[..], &NOTHING].concat(), &each), "");
    assert_eq!(pair.idle_cached(), 1);
    for _ in 0..10 {
        pair.play(2);
        pair.reset();
    }
}

#[test]
fn a_cached_reset_leaves_the_sound_counters_as_they_are() {
    let settings = Settings {
        sound_obs: true,
        ..Settings::default()
    };
    // LDA #4, STA AUDC0; LDA #31, STA AUDF0; STA AUDV0
    let sound = [0xA9, 0x04, 0x85, 0x15, 0xA9, 0x1F, 0x85, 0x17, 0x85, 0x19];
    let mut pair = Pair::load_with("sound", &program(&NOTHING, &sound), "", &settings);
    for number in 1..10 {
        pair.play(number);
        pair.reset();
        pair.play(1);
        assert!(pair.arcade.audio() == pair.played.audio(), "reset {number}");
    }
    assert!(pair.cached() > 5, "{} cached", pair.cached());
}

#[test]
fn a_paddle_keeps_the_first_idle_frames_from_the_cache() {
    let paddle = from_frame(6, &[0xA5, 0x08, 0x85, OWN]); // LDA INPT0, STA OWN
    let mut pair = Pair::load(
        "paddle",
        &program(&NOTHING, &paddle),
        "[controllers]\nleft = \"paddles\"\n",
    );
    assert_eq!(pair.idle_cached(), 0);
    pair.reset();
}

#[test]
fn another_difficulty_is_another_reset() {
    let switches = from_frame(6, &[0xAD, 0x82, 0x02, 0x85, OWN]); // LDA SWCHB, STA OWN
    for definition in [
        "[modes]\ndifficulties = [0, 1]\ndefault_difficulty = 1\n",
        "[controllers]\nleft_difficulty = \"A\"\n",
    ] {
        let mut pair = Pair::load("switches", &program(&NOTHING, &switches), definition);
        pair.reset();
        assert_eq!(pair.idle_cached(), 0);
    }
    let definition = "[modes]\ndifficulties = [0, 1]\n";
    let mut pair = Pair::load("switches", &program(&NOTHING, &switches), definition);
    for (difficulty, cached) in [(0, 1), (1, 1), (1, 2), (0, 3)] {
        for arcade in [&mut pair.arcade, &mut pair.played] {
            arcade.set_difficulty(difficulty).expect("one of its difficulties");
        }
        pair.reset();
        assert_eq!(pair.cached(), cached);
    }
}

#[test]
fn a_frame_without_an_end_can_be_part_of_a_cached_reset() {
    // LDA FRAMES, CMP #30, BNE; LDY #52; DEX, BNE; DEY, BNE
    let long = [
        0xA5, FRAMES, 0xC9, 0x1E, 0xD0, 0x08, 0xA0, 0x34, 0xCA, 0xD0, 0xFD, 0x88, 0xD0, 0xFA,
    ];
    let mut pair = Pair::load("long", &program(&NOTHING, &long), "");
    for _ in 0..20 {
        pair.reset();
        pair.play(3);
    }
    assert!(pair.cached() > 10, "{} cached", pair.cached());
}

/// Loads a program that does nothing, with a definition that spends the budget of a reset. Gives the error.
fn refused(definition: &str) -> String {
    let text = format!("rom = \"spent\"\n{definition}");
    let game = Arc::new(GameDefinition::from_toml(&text, "test").expect("a definition"));
    let error = Arcade::load_as(&program(&NOTHING, &[]), game, &Settings::default());
    error.expect_err("more than the budget").to_string()
}

#[test]
fn a_definition_that_spends_the_budget_of_a_reset_is_refused_with_the_rule_that_spent_it() {
    let select = |text: &str| refused(&format!("[modes]\nselect = \"{text}\"\n"));
    let frames = "modes.select: mode 0 was not reached, the program takes more than 1500 frames";
    assert_eq!(select("until 1 == 2 { reset }"), frames);
    assert_eq!(select("act NOOP 7000"), frames);
    assert_eq!(
        select("until sum(ram[0x80] for i in range(0, 1500)) < 0 { }"),
        "modes.select: mode 0 was not reached, the program takes more than 20000000 steps of rules"
    );
    let starting = "{ press = \"NOOP\", frames = 1000 }, ".repeat(200);
    assert_eq!(
        refused(&format!("[actions]\nstarting = [{starting}]\n")),
        "actions.starting: with the selection of the mode, these take more than 1500 frames"
    );
}

/// A program that loops in RAM and ends no frame: each has 25,000 instructions.
fn endless() -> Vec<u8> {
    let mut code = vec![0xA9, 0x4C, 0x85, 0x90, 0xA9, 0x90, 0x85, 0x91]; // LDA #$4C, STA $90, LDA #$90, STA $91
    code.extend([0xA9, 0x00, 0x85, 0x92, 0x4C, 0x90, 0x00]); // LDA #0, STA $92, JMP $0090
    code.resize(4096, 0xEA);
    code[0xFFC..0xFFE].copy_from_slice(&ORIGIN.to_le_bytes());
    code
}

#[test]
fn a_reset_has_a_bounded_number_of_frames() {
    let spent = "more than 1500 frames";
    let starting = "[actions]\nstarting = [{ press = \"NOOP\", frames = 1200 }]\n";
    let usual = program(&NOTHING, &[]);
    for (rom, frame_skip, select, more, rule) in [
        (endless(), 1, "until mode == 0 { select }", "", "modes.select"),
        (usual.clone(), 1, "until mode == 0 { act NOOP }", "", "modes.select"),
        (usual.clone(), 1000, "until mode == 0 { act NOOP }", "", "modes.select"),
        (usual.clone(), 1, "until mode == 0 { reset }", "", "modes.select"),
        (usual, 1, "if mode == 1 { select 400 }", starting, "actions.starting"),
    ] {
        let text = format!("rom = \"spent\"\n[modes]\navailable = [0, 1]\nselect = \"{select}\"\n{more}");
        let game = Arc::new(GameDefinition::from_toml(&text, "test").expect("a definition"));
        let settings = Settings {
            frame_skip,
            ..Settings::default()
        };
        let mut arcade = Arcade::load_as(&rom, game, &settings).expect("mode 0 takes little");
        arcade.set_mode(1).expect("a mode");
        let before = arcade.console_frames();
        arcade.reset_game();
        // The idle frames, two presses of RESET, and the frames of the budget.
        let frames = arcade.console_frames() - before;
        assert!(frames <= 60 + 2 * 4 + 1500, "{select}: {frames}");
        let error = arcade.mode_error().map(|error| error.to_string()).unwrap_or_default();
        assert!(error.contains(spent) && error.contains(rule), "{select}: {error}");
    }
}
