//! What ends an episode, what a load again keeps, and settings that change a picture.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use gym2600_arcade::{Action, Arcade, Drawing, Settings, WALLOP, WIDTH};

fn load(settings: Settings) -> Arcade {
    Arcade::load(WALLOP, &settings).unwrap()
}

#[test]
fn a_limit_of_frames_ends_an_episode_within_an_act() {
    let mut arcade = load(Settings {
        max_num_frames_per_episode: 10,
        frame_skip: 4,
        ..Settings::default()
    });
    for frames in [4, 8, 10, 10] {
        assert!(!arcade.game_truncated() || frames == 10);
        arcade.act(Action::Noop, Drawing::OnDemand);
        assert_eq!(arcade.episode_frame_number(), frames);
    }
    assert!(arcade.game_truncated());
    assert!(!arcade.game_over());
    arcade.reset_game();
    assert!(!arcade.game_truncated());
}

#[test]
fn a_game_that_is_over_plays_no_more_frames() {
    let mut arcade = load(Settings::default());
    // The bat stays where it is, so the game loses its five lives.
    let played = (0..20_000).find(|_| {
        arcade.act(Action::Fire, Drawing::OnDemand);
        arcade.game_over()
    });
    assert!(played.is_some());
    assert_eq!(arcade.lives(), 0);
    let frames = arcade.episode_frame_number();
    arcade.act(Action::Fire, Drawing::OnDemand);
    assert_eq!(arcade.episode_frame_number(), frames);
    assert!(!arcade.game_truncated());
}

#[test]
fn a_load_again_counts_the_consoles_frames_on() {
    let settings = Settings::default();
    let mut arcade = load(settings);
    let first = arcade.console_frames();
    assert!(first > 1);
    arcade.act(Action::Noop, Drawing::OnDemand);
    arcade.reload(&settings).unwrap();
    assert_eq!(arcade.console_frames(), 2 * first + 1);
}

#[test]
fn averaged_colours_fill_the_whole_picture() {
    let averaged = load(Settings {
        color_averaging: true,
        ..Settings::default()
    });
    let [mut averaged, mut plain] = [averaged, load(Settings::default())];
    for _ in 0..3 {
        averaged.act(Action::Noop, Drawing::OnDemand);
        plain.act(Action::Noop, Drawing::OnDemand);
    }
    assert_eq!(averaged.screen().len(), plain.screen().len());
    let last = |arcade: &mut Arcade| {
        arcade
            .screen()
            .rchunks(WIDTH)
            .position(|row| row.iter().any(|colour| *colour != 0))
    };
    assert_eq!(last(&mut averaged), last(&mut plain));
}
