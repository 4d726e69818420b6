//! The crate as a program of a user sees it: errors, clones, threads, refusals.

#![allow(clippy::unwrap_used, reason = "a test fails where it panics")]

use std::error::Error;
use std::sync::Arc;
use std::thread;

use gym2600_arcade::definition::RawDefinition;
use gym2600_arcade::{Action, Arcade, Drawing, GameDefinition, GameFacts, Generators, LoadError, Settings, WALLOP};

#[test]
fn errors_pass_through_a_question_mark_and_say_what_is_wrong() {
    fn play(rom: &[u8], action: &str, mode: u32, state: &[u8]) -> Result<Arcade, Box<dyn Error>> {
        let mut arcade = Arcade::load(rom, &Settings::default())?;
        arcade.act(action.parse()?, Drawing::OnDemand);
        arcade.set_mode(mode)?;
        arcade.restore(state, Generators::Included)?;
        Ok(arcade)
    }
    let refusal = |rom, action, mode, state: &[u8]| play(rom, action, mode, state).unwrap_err().to_string();
    assert!(refusal(&[0; 3], "", 0, &[]).contains("3 bytes"));
    assert!(refusal(&[0; 4096], "", 0, &[]).contains("unknown ROM"));
    assert!(refusal(WALLOP, "JUMP", 0, &[]).contains("JUMP"));
    assert!(refusal(WALLOP, "FIRE", 9, &[]).contains('9'));
    assert!(refusal(WALLOP, "FIRE", 0, &[1, 2]).contains("no saved state"));
    let definition = RawDefinition {
        rom: "homebrew".into(),
        md5: Some("0d1a".into()),
        ..RawDefinition::default()
    };
    let refusal: Box<dyn Error + Send + Sync> = GameDefinition::new(&definition).unwrap_err().into();
    assert!(refusal.to_string().contains("md5"));
}

#[test]
fn a_clone_in_another_thread_plays_as_its_original() {
    let mut arcade = Arcade::load(WALLOP, &Settings::default()).unwrap();
    let mut clone = arcade.clone();
    let play = |arcade: &mut Arcade| {
        (0..200).for_each(|_| {
            arcade.act(Action::Fire, Drawing::OnDemand);
        });
        arcade.save(Generators::Included)
    };
    let theirs = thread::spawn(move || play(&mut clone));
    assert!(play(&mut arcade) == theirs.join().unwrap());
}

#[test]
fn a_probability_is_from_0_to_1() {
    let with = |repeat_action_probability| Settings {
        repeat_action_probability,
        ..Settings::default()
    };
    for refused in [-0.1, 1.5, f32::NAN, f32::INFINITY] {
        let error = Arcade::load(WALLOP, &with(refused)).unwrap_err();
        assert!(matches!(error, LoadError::Probability { .. }));
        assert!(error.to_string().contains("is not from 0 to 1"), "{error}");
    }
    for accepted in [0.0, 1e-40, 0.25, 1.0] {
        let mut arcade = Arcade::load(WALLOP, &with(accepted)).unwrap();
        assert!(arcade.reload(&with(2.0)).is_err());
        assert_eq!(arcade.settings(), &with(accepted));
        arcade.act(Action::Fire, Drawing::OnDemand);
    }
}

#[test]
fn public_types_can_be_shown_and_sent() {
    fn shown_and_sent<T: std::fmt::Debug + Clone + Send>() {}
    shown_and_sent::<Arcade>();
    shown_and_sent::<GameFacts>();
    shown_and_sent::<Arc<GameDefinition>>();
    shown_and_sent::<LoadError>();
}
