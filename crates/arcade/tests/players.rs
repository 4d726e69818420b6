//! The controls of both players and the console's switches, seen by a program that writes what it reads of them to RAM.

use std::sync::Arc;

use gym2600_arcade::definition::RawSwitch;
use gym2600_arcade::{
    Action, Arcade, ConsoleSwitches, Control, Drawing, GameDefinition, Generators, Mt19937, Settings, WALLOP,
};

/// Indices into RAM: the joysticks' contacts, the two buttons of joysticks, the switches, and how many of 255 lines each paddle takes to charge.
const CONTACTS: usize = 0;
const BUTTONS: [usize; 2] = [1, 2];
const SWITCHES: usize = 3;
const CHARGE: [usize; 2] = [4, 5];

/// A frame of the program: 3 lines of VSYNC, one to read joysticks and to start the charge of the paddles, and 255 to measure it.
fn program() -> Vec<u8> {
    let mut code = vec![0x78, 0xD8, 0xA2, 0xFF, 0x9A]; // SEI, CLD, LDX #$FF, TXS
    let [low, high] = (0xF000 + code.len() as u16).to_le_bytes();
    code.extend([0xA9, 0x02, 0x85, 0x00]); // LDA #2, STA VSYNC
    code.extend([0x85, 0x02, 0x85, 0x02, 0x85, 0x02]); // STA WSYNC, three times
    code.extend([0xA9, 0x00, 0x85, 0x00]); // LDA #0, STA VSYNC
    code.extend([0xA9, 0x80, 0x85, 0x01]); // LDA #$80, STA VBLANK: discharge
    code.extend([0xAD, 0x80, 0x02, 0x85, 0x80]); // LDA SWCHA, STA $80
    code.extend([0xAD, 0x82, 0x02, 0x85, 0x83]); // LDA SWCHB, STA $83
    code.extend([0xA5, 0x0C, 0x85, 0x81]); // LDA INPT4, STA $81
    code.extend([0xA5, 0x0D, 0x85, 0x82]); // LDA INPT5, STA $82
    code.extend([0xA9, 0x00, 0x85, 0x84, 0x85, 0x85]); // LDA #0, STA $84, STA $85
    code.extend([0x85, 0x02, 0x85, 0x01]); // STA WSYNC, STA VBLANK: charge
    code.extend([0xA2, 0xFF]); // LDX #255
    code.extend([0x85, 0x02]); // STA WSYNC
    code.extend([0xA5, 0x08, 0x30, 0x02, 0xE6, 0x84]); // LDA INPT0, BMI +2, INC $84
    code.extend([0xA5, 0x09, 0x30, 0x02, 0xE6, 0x85]); // LDA INPT1, BMI +2, INC $85
    code.extend([0xCA, 0xD0, 0xEF]); // DEX, BNE to STA WSYNC
    code.extend([0x4C, low, high]); // JMP
    code.resize(4096, 0xEA);
    code[0xFFC..0xFFE].copy_from_slice(&0xF000_u16.to_le_bytes());
    code
}

fn load(controllers: &str, probability: f32) -> Arcade {
    let text = format!("rom = \"players\"\n[controllers]\nleft = \"{controllers}\"");
    let game = Arc::new(GameDefinition::from_toml(&text, "test").expect("a definition"));
    let settings = Settings {
        repeat_action_probability: probability,
        ..Settings::default()
    };
    Arcade::load_as(&program(), game, &settings).expect("a game")
}

/// Two frames, because the program may have read the controls of the first before they changed.
fn act_twice(arcade: &mut Arcade, controls: [Control; 2]) -> [u8; 128] {
    arcade.act_both(controls, Drawing::OnDemand);
    arcade.act_both(controls, Drawing::OnDemand);
    *arcade.ram()
}

/// The four contacts of a joystick as SWCHA has them, 0 where closed: right, left, down, up.
fn contacts(action: Action) -> u8 {
    let name = action.name();
    let open = |word| u8::from(!name.contains(word));
    open("RIGHT") << 3 | open("LEFT") << 2 | open("DOWN") << 1 | open("UP")
}

#[test]
fn each_player_has_a_joystick() {
    let mut arcade = load("joystick", 0.0);
    for first in Action::ALL {
        for second in Action::ALL {
            let ram = act_twice(&mut arcade, [first.into(), second.into()]);
            assert_eq!(
                ram[CONTACTS],
                contacts(first) << 4 | contacts(second),
                "{first}, {second}"
            );
            for (button, action) in BUTTONS.into_iter().zip([first, second]) {
                assert_eq!(ram[button] & 0x80 == 0, action.fires(), "{first}, {second}");
            }
        }
    }
}

#[test]
fn an_action_that_is_not_legal_reaches_no_game() {
    let text = "rom = \"players\"\n[actions]\nminimal = [\"NOOP\", \"LEFT\"]\nlegal = [\"NOOP\", \"LEFT\"]";
    let game = Arc::new(GameDefinition::from_toml(text, "test").expect("a definition"));
    let mut arcade = Arcade::load_as(
        &program(),
        game,
        &Settings {
            repeat_action_probability: 0.0,
            ..Settings::default()
        },
    )
    .expect("a game");
    for action in Action::ALL {
        let played = if action == Action::Left {
            Action::Left
        } else {
            Action::Noop
        };
        let ram = act_twice(&mut arcade, [action.into(), Control::default()]);
        assert_eq!(ram[CONTACTS] >> 4, contacts(played), "{action}");
    }
}

#[test]
fn a_reset_forgets_the_actions_that_may_stick() {
    let mut arcade = load("joystick", 0.0);
    arcade.act(Action::Right, Drawing::OnDemand);
    assert_eq!(arcade.last_action(), Action::Right);
    arcade.reset_game();
    assert_eq!(arcade.last_action(), Action::Noop);
}

#[test]
fn each_player_has_a_paddle_with_its_strength() {
    let mut arcade = load("paddles", 0.0);
    let full = |action| Control { action, strength: 1.0 };
    let start = act_twice(&mut arcade, [full(Action::Noop); 2]);
    let [first, second] = CHARGE.map(|paddle| start[paddle]);
    assert_eq!(first, second);
    // The buttons are contacts of SWCHA.
    let fires = act_twice(&mut arcade, [full(Action::Noop), full(Action::Fire)]);
    assert_eq!(start[CONTACTS] ^ fires[CONTACTS], 0x40);
    act_twice(&mut arcade, [full(Action::Noop), full(Action::Right)]);
    let turned = act_twice(&mut arcade, [full(Action::Noop); 2]);
    assert_eq!(turned[CHARGE[0]], first);
    assert!(turned[CHARGE[1]] < second);
    let half = Control {
        action: Action::Left,
        strength: 0.5,
    };
    act_twice(&mut arcade, [half, half]);
    act_twice(&mut arcade, [half, half]);
    let back = act_twice(&mut arcade, [full(Action::Noop); 2]);
    assert_eq!(back[CHARGE[1]], second);
    assert!(back[CHARGE[0]] > first);
}

#[test]
fn each_players_action_sticks_by_itself_and_is_part_of_a_state() {
    let mut arcade = load("joystick", 0.5);
    let mut random = Mt19937::new(Settings::default().random_seed);
    let mut held = [Action::Noop; 2];
    let (mut expected, mut found) = (Vec::new(), Vec::new());
    for frame in 0..400_usize {
        let wanted = [Action::ALL[frame % 18], Action::ALL[frame / 3 % 18]];
        for (action, wanted) in held.iter_mut().zip(wanted) {
            if random.next_f64() >= 0.5 {
                *action = wanted;
            }
        }
        expected.push(contacts(held[0]) << 4 | contacts(held[1]));
        let state = arcade.save(Generators::Included);
        arcade.act_both(wanted.map(Control::from), Drawing::OnDemand);
        let after = *arcade.ram();
        arcade.restore(&state, Generators::Included).expect("its own state");
        arcade.act_both(wanted.map(Control::from), Drawing::OnDemand);
        assert_eq!(*arcade.ram(), after);
        found.push(after[CONTACTS]);
    }
    // The program reads a frame's controls in that frame or in the next one.
    assert!(found == expected || found[1..] == expected[..expected.len() - 1]);
}

/// Two acts with these switches, and the byte that the program reads of them.
fn switched(arcade: &mut Arcade, switches: ConsoleSwitches) -> u8 {
    arcade.set_switches(switches);
    act_twice(arcade, [Control::default(); 2])[SWITCHES]
}

#[test]
fn a_program_reads_the_switches_of_every_act() {
    use RawSwitch::{A, B};
    let mut arcade = load("joystick", 0.25);
    let none = ConsoleSwitches::default();
    for (switches, read) in [
        (none, 0x3F),
        (ConsoleSwitches { select: true, ..none }, 0x3D),
        (ConsoleSwitches { reset: true, ..none }, 0x3E),
        (
            ConsoleSwitches {
                black_and_white: true,
                ..none
            },
            0x37,
        ),
        (
            ConsoleSwitches {
                left_difficulty: Some(A),
                ..none
            },
            0x7F,
        ),
        (
            ConsoleSwitches {
                right_difficulty: Some(A),
                left_difficulty: Some(B),
                ..none
            },
            0xBF,
        ),
        (none, 0x3F),
    ] {
        assert_eq!(switched(&mut arcade, switches), read, "{switches:?}");
        assert_eq!(arcade.switches(), switches);
    }
}

#[test]
fn a_switch_goes_before_the_difficulty_and_none_leaves_it() {
    use RawSwitch::{A, B};
    let text = "rom = \"switches\"\n[modes]\ndifficulties = [0, 1, 2, 3]";
    let game = Arc::new(GameDefinition::from_toml(text, "test").expect("a definition"));
    let mut arcade = Arcade::load_as(&program(), game, &Settings::default()).expect("a game");
    let none = ConsoleSwitches::default();
    for difficulty in 0..4_u32 {
        arcade.set_difficulty(difficulty).expect("a difficulty");
        let read = 0x3F | (difficulty as u8) << 6;
        assert_eq!(switched(&mut arcade, none), read);
        for (position, bit) in [(A, 0x40), (B, 0)] {
            let left = ConsoleSwitches {
                left_difficulty: Some(position),
                ..none
            };
            assert_eq!(switched(&mut arcade, left), read & !0x40 | bit);
        }
    }
}

#[test]
fn switches_stay_where_they_are_and_touch_no_reset_and_no_state() {
    let held = ConsoleSwitches {
        select: true,
        reset: true,
        black_and_white: true,
        left_difficulty: Some(RawSwitch::A),
        right_difficulty: Some(RawSwitch::A),
    };
    for rom in [WALLOP.to_vec(), program()] {
        let text = "rom = \"switches\"\n[modes]\navailable = [0, 1]\nselect = \"act FIRE\"";
        let game = Arc::new(GameDefinition::from_toml(text, "test").expect("a definition"));
        let mut plain = Arcade::load_as(&rom, game, &Settings::default()).expect("a game");
        let mut switched = plain.clone();
        switched.set_switches(held);
        for _ in 0..2 {
            plain.reset_game();
            switched.reset_game();
            let state = plain.save(Generators::Included);
            assert!(state == switched.save(Generators::Included));
            switched.restore(&state, Generators::Included).expect("a state");
        }
        switched.reload(&Settings::default()).expect("settings");
        assert_eq!(switched.switches(), held);
        assert_eq!(switched.clone().switches(), held);
    }
}
