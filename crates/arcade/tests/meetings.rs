//! Resets that come by where another one was, or the console when its television was told: only those end alike that cannot be told
//! from it. The programs are made for what no game does.

use std::sync::Arc;

use allocation_counter::measure;
use gym2600_arcade::{Action, Arcade, GameDefinition, Generators, Picture, Settings};

/// Address of the program, and of the RAM that it uses: the timer's start, shown as the background of two frames; a byte for the
/// program's own use; frames so far; lines of the second half of a frame.
const ORIGIN: u16 = 0xF000;
const TIMER: u8 = 0x80;
const OWN: u8 = 0x81;
const FRAMES: u8 = 0x83;
const LINES: u8 = 0x84;

/// Rules that note the greatest background ever seen; rules that note every frame; rules that keep what [`OWN`] said last.
const GREATEST: &str = "[rules]\nload = \"most = 0\"\nframe = \"most = ram[0x80] if ram[0x80] > most else most\"";
const EVERY: &str = "[rules]\nload = \"past = 0\"\nframe = \"past = (past * 3 + ram[0x83] + ram[0x81]) & 0xFFFFFF\"";

const LAST: &str = "[rules]\nload = \"last = 0\"\nframe = \"last = ram[0x81] & 1 if ram[0x81] & 4 else last\"";

/// A program that reads the timer and forgets it after two frames. It runs `start` in the beginning, which sets [`OWN`], leaves Y as
/// it is and other RAM alone, and `each` once a frame.
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
    code.extend([0xE6, FRAMES, 0xA5, FRAMES, 0xC9, 0x02]); // INC FRAMES, LDA FRAMES, CMP #2
    code.extend([0xD0, 0x04, 0xA9, 0x00, 0x85, TIMER]); // BNE +4, LDA #0, STA TIMER
    code.extend([0x4C, low, high]); // JMP
    code.resize(4096, 0xEA);
    code[0xFFC..0xFFE].copy_from_slice(&ORIGIN.to_le_bytes());
    code
}

/// Has [`OWN`] be 0.
const NOTHING: [u8; 4] = [0xA9, 0x00, 0x85, OWN];

/// From frame `first` on, `code`.
fn from_frame(first: u8, code: &[u8]) -> Vec<u8> {
    [&[0xA5, FRAMES, 0xC9, first, 0x90, code.len() as u8], code].concat() // LDA FRAMES, CMP, BCC
}

/// A game with the program, and another that remembers nothing.
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
        let load = |remember_resets| {
            let settings = Settings {
                remember_resets,
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
        let [state, expected] = [&mut self.arcade, &mut self.played].map(|arcade| {
            let mut bytes = Vec::new();
            arcade.save_to(&mut bytes, Generators::Included);
            bytes
        });
        assert!(state == expected, "{when}: it is not as if it had been played");
    }

    fn play(&mut self, frames: u32) {
        for _ in 0..frames {
            self.arcade.act(Action::Noop, Picture::OnDemand);
            self.played.act(Action::Noop, Picture::OnDemand);
        }
        self.check("after play");
    }
}

#[test]
fn resets_meet_that_only_differ_in_what_they_have_read_before() {
    let mut pair = Pair::load("alike", &program(&NOTHING, &[]), GREATEST);
    for _ in 0..40 {
        pair.reset();
        pair.play(3);
    }
    // As soon as the brightest of the backgrounds has been seen, what is seen is always the same.
    assert!(pair.arcade.met_resets() > 10, "{} met", pair.arcade.met_resets());
}

#[test]
fn what_older_frames_have_left_on_the_screen_tells_resets_apart() {
    let short = from_frame(2, &[0xA9, 0x01, 0x85, LINES]); // LDA #1, STA LINES
    let mut pair = Pair::load("short", &program(&NOTHING, &short), GREATEST);
    for _ in 0..20 {
        pair.reset();
    }
    assert_eq!(pair.arcade.met_resets(), 0);
}

#[test]
fn what_a_reset_has_read_before_it_met_another_still_counts() {
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
    assert!(pair.arcade.met_resets() > 10, "{} met", pair.arcade.met_resets());
}

#[test]
fn what_the_rules_have_read_before_it_still_counts_too() {
    // TYA, AND #1, BNE or BEQ; LDA #0, STA OWN; and in the second frame what was left out before. Which of the two ways is the
    // first to be remembered is chance.
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
        assert!(pair.arcade.met_resets() > 10, "{} met", pair.arcade.met_resets());
    }
}

#[test]
fn a_reset_goes_on_as_the_console_did_when_it_was_left_alone() {
    let mut pair = Pair::load("idle", &program(&NOTHING, &[]), EVERY);
    assert_eq!(pair.arcade.shortened_resets(), 1);
    assert_eq!(pair.played.shortened_resets(), 0);
    pair.play(60);
    for number in 0..10 {
        // What the rules have seen is never the same again.
        pair.reset();
        assert_eq!(pair.arcade.shortened_resets(), 2 + number);
        pair.play(3);
    }
    assert_eq!((pair.arcade.met_resets(), pair.arcade.remembered_resets()), (0, 0));
}

#[test]
fn a_reset_that_goes_on_elsewhere_and_is_not_recorded_allocates_nothing() {
    let mut arcade = Pair::load("unrecorded", &program(&NOTHING, &[]), EVERY).arcade;
    let mut counted = 0;
    for _ in 0..100 {
        let (recorded, shortened) = (arcade.recorded_resets(), arcade.shortened_resets());
        let allocated = measure(|| arcade.reset_game()).count_total;
        assert_eq!(arcade.shortened_resets(), shortened + 1);
        if arcade.recorded_resets() == recorded {
            assert_eq!(allocated, 0);
            counted += 1;
        }
    }
    assert!(counted > 10, "{counted} were not recorded");
}

#[test]
fn a_console_that_is_left_alone_may_be_a_frame_behind() {
    // LDA $90, BEQ; LDA #2, STA VSYNC; STA WSYNC, three times; LDA #0, STA VSYNC: a frame more where there is noise in RAM.
    let noise = [
        0xA5, 0x90, 0xF0, 0x0E, 0xA9, 0x02, 0x85, 0x00, 0x85, 0x02, 0x85, 0x02, 0x85, 0x02, 0xA9, 0x00, 0x85, 0x00,
    ];
    let each = [0x85, 0x2A]; // STA HMOVE, or else the time since the last one tells them apart
    let mut pair = Pair::load("behind", &program(&[&noise[..], &NOTHING].concat(), &each), EVERY);
    assert_eq!(pair.arcade.shortened_resets(), 1);
    for _ in 0..10 {
        pair.play(2);
        pair.reset();
    }
    assert_eq!(pair.arcade.shortened_resets(), 11);
}

#[test]
fn a_reset_that_goes_on_elsewhere_leaves_the_sound_as_it_is() {
    let settings = Settings {
        sound_obs: true,
        ..Settings::default()
    };
    // LDA #4, STA AUDC0; LDA #31, STA AUDF0; STA AUDV0
    let sound = [0xA9, 0x04, 0x85, 0x15, 0xA9, 0x1F, 0x85, 0x17, 0x85, 0x19];
    let mut pair = Pair::load_with("sound", &program(&NOTHING, &sound), EVERY, &settings);
    for number in 1..10 {
        pair.play(number);
        pair.reset();
        pair.play(1);
        assert!(pair.arcade.audio() == pair.played.audio(), "reset {number}");
    }
    assert_eq!(pair.arcade.shortened_resets(), 10);
}

#[test]
fn a_paddle_that_is_turned_is_not_left_alone() {
    let paddle = from_frame(6, &[0xA5, 0x08, 0x85, OWN]); // LDA INPT0, STA OWN
    let definition = format!("[controllers]\nleft = \"paddles\"\n{EVERY}");
    let mut pair = Pair::load("paddle", &program(&NOTHING, &paddle), &definition);
    pair.reset();
}

#[test]
fn another_difficulty_is_not_as_when_the_television_was_told() {
    let switches = from_frame(6, &[0xAD, 0x82, 0x02, 0x85, OWN]); // LDA SWCHB, STA OWN
    for definition in [
        "[modes]\ndifficulties = [0, 1]\ndefault_difficulty = 1\n",
        "[controllers]\nleft_difficulty = \"A\"\n",
    ] {
        let definition = format!("{definition}{EVERY}");
        let mut pair = Pair::load("switches", &program(&NOTHING, &switches), &definition);
        pair.reset();
        assert_eq!(pair.arcade.shortened_resets(), 0);
    }
    let definition = format!("[modes]\ndifficulties = [0, 1]\n{EVERY}");
    let mut pair = Pair::load("switches", &program(&NOTHING, &switches), &definition);
    for (difficulty, shortened) in [(1, 1), (0, 2)] {
        for arcade in [&mut pair.arcade, &mut pair.played] {
            arcade.set_difficulty(difficulty).expect("one of its difficulties");
        }
        pair.reset();
        assert_eq!(pair.arcade.shortened_resets(), shortened);
    }
}

#[test]
fn a_frame_that_is_not_whole_leaves_the_other_frame_buffer_in_view() {
    // LDA FRAMES, CMP #30, BNE; LDY #52; DEX, BNE; DEY, BNE
    let long = [
        0xA5, FRAMES, 0xC9, 0x1E, 0xD0, 0x08, 0xA0, 0x34, 0xCA, 0xD0, 0xFD, 0x88, 0xD0, 0xFA,
    ];
    let mut pair = Pair::load("long", &program(&NOTHING, &long), EVERY);
    for _ in 0..20 {
        pair.reset();
        pair.play(3);
    }
    assert!(pair.arcade.shortened_resets() > 0);
}
