//! Environments of our own game: what they refuse, what they repeat, and how lists and batches relate to single games.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use gym2600_arcade::definition::RawDefinition;
use gym2600_gym::{Dtype, EpisodeSummary, Game, GameOptions, GymError, Observation, PRESETS, StepRecord};

const WALLOP: &[u8] = gym2600_arcade::WALLOP;

fn options(json: &str) -> GameOptions {
    serde_json::from_str(json).unwrap()
}

fn game(json: &str) -> Game {
    Game::new(WALLOP, &options(json)).unwrap()
}

/// A run of made-up actions: checksums of the observations, and the steps.
fn play(game: &mut Game, seed: Option<u64>, steps: u32) -> Vec<(u32, StepRecord)> {
    let mut observation = vec![0; game.observation_len()];
    game.reset(seed, &mut observation).unwrap();
    let mut run = vec![(crc32fast::hash(&observation), StepRecord::default())];
    let count = game.action_count() as u32;
    for number in 0..steps {
        let step = game.step((number * 7 + number / 11) % count, &mut observation).unwrap();
        run.push((crc32fast::hash(&observation), step));
        if (step.terminated || step.truncated) && !game.resets_itself() {
            game.reset(None, &mut observation).unwrap();
        }
    }
    run
}

#[test]
fn every_preset_plays_and_says_what_it_resolved_to() {
    for preset in PRESETS {
        let mut game = game(&format!("{{\"preset\": \"{}\"}}", preset.name));
        assert_eq!(game.spec().preset.as_deref(), Some(preset.name));
        assert_eq!(game.spec().wrappers, preset.wrappers());
        assert_eq!(game.spec().game, "wallop");
        let run = play(&mut game, None, 100);
        assert!(
            run.windows(2).any(|pair| pair[0].0 != pair[1].0),
            "{}: nothing moves",
            preset.name
        );
    }
}

#[test]
fn a_preset_equals_the_same_list_composed_by_a_user() {
    for preset in PRESETS {
        let fused = play(
            &mut game(&format!("{{\"preset\": \"{}\", \"seed\": 5}}", preset.name)),
            None,
            300,
        );
        let composed = GameOptions {
            wrappers: Some(preset.wrappers()),
            seeding: Some(preset.seeding),
            max_frames_per_episode: Some(preset.max_frames_per_episode),
            seed: Some(5),
            ..GameOptions::default()
        };
        let composed = play(&mut Game::new(WALLOP, &composed).unwrap(), None, 300);
        assert_eq!(fused, composed, "{}", preset.name);
    }
}

#[test]
fn a_reset_with_a_seed_is_as_good_as_a_new_environment() {
    for preset in PRESETS {
        let json = |seed: u32| format!("{{\"preset\": \"{}\", \"seed\": {seed}}}", preset.name);
        let mut used = game(&json(1));
        play(&mut used, None, 150);
        let again = play(&mut used, Some(9), 150);
        assert_eq!(again, play(&mut game(&json(9)), None, 150), "{}", preset.name);
    }
}

#[test]
fn the_labml_preset_restarts_by_itself_and_counts_one_life() {
    let mut game = game(r#"{"preset": "labml"}"#);
    assert_eq!(game.observation_space().shape, [4, 84, 84]);
    let mut observation = vec![0; game.observation_len()];
    let start = game.reset(None, &mut observation).unwrap();
    let (mut reward, mut length) = (0.0, 0);
    loop {
        let step = game.step(1, &mut observation).unwrap();
        reward += step.reward;
        length += 1;
        assert!(length < 20_000, "the ball is never lost");
        if step.terminated {
            let episode = step.episode.unwrap();
            assert_eq!((episode.reward, episode.length), (reward, length));
            assert_eq!(step.info.lives, start.lives);
            break;
        }
        assert_eq!(step.episode, None);
    }
    let (first, others) = observation.split_at(84 * 84);
    assert!(
        others.chunks(84 * 84).all(|frame| frame == first),
        "a new stack shows one frame four times"
    );
}

/// Plays a game at random: its last step, the agent's steps, and the ends after which it continued.
fn whole_game(game: &mut Game, random: &mut impl FnMut(u32) -> u32) -> (StepRecord, u32, u32) {
    let (mut steps, mut lives) = (0, 0);
    loop {
        let record = game.advance(random(game.action_count() as u32)).unwrap();
        steps += 1;
        assert!(steps < 20_000, "the game does not end");
        assert_eq!(record.episode.is_some(), record.real_done);
        if record.real_done {
            return (record, steps, lives);
        }
        if record.terminated || record.truncated {
            lives += 1;
            game.restart(None).unwrap();
        }
    }
}

/// Numbers below a bound from a linear congruential generator.
fn numbers() -> impl FnMut(u32) -> u32 {
    let mut state = 1_u32;
    move |bound| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 16) % bound
    }
}

#[test]
fn a_games_summary_is_its_whole_raw_score_with_every_preset() {
    let digits = |byte: u8| f64::from(byte >> 4) * 10.0 + f64::from(byte & 15);
    for preset in PRESETS {
        let mut game = game(&format!(r#"{{"preset": "{}", "autoreset": "disabled"}}"#, preset.name));
        let mut random = numbers();
        let (mut total, mut lives_lost) = (0.0, 0);
        for _ in 0..3 {
            game.restart(None).unwrap();
            let (record, steps, lives) = whole_game(&mut game, &mut random);
            let ram = game.arcade().ram();
            let score = digits(ram[3]) * 10_000.0 + digits(ram[4]) * 100.0 + digits(ram[5]);
            let expected = EpisodeSummary {
                reward: score,
                length: steps,
                frames: record.info.episode_frame_number,
            };
            assert_eq!(record.episode, Some(expected), "{}", preset.name);
            total += score;
            lives_lost += lives;
        }
        assert!(total > 0.0, "{}: nothing was scored", preset.name);
        let divides = ["nature-dqn", "baselines"].contains(&preset.name);
        assert_eq!(lives_lost > 0, divides, "{}: {lives_lost} lives", preset.name);
    }
}

#[test]
fn points_of_the_steps_that_a_reset_plays_belong_to_the_score() {
    // A point for each frame, and a lost life for every hundred.
    let rules = r#""start": "n = 0", "frame": "n = n + 1", "reward": "1", "lives": "5 - (n > 100) - (n > 200) - (n > 300) - (n > 400)", "terminal": "n > 450""#;
    for preset in PRESETS {
        let definition =
            format!(r#"{{"rom": "a", "actions": {{"minimal": ["NOOP", "FIRE", "RIGHT"]}}, "rules": {{{rules}}}}}"#);
        let mut game = game(&format!(
            r#"{{"preset": "{}", "autoreset": "disabled", "game": {definition}}}"#,
            preset.name
        ));
        game.restart(None).unwrap();
        let (record, steps, _) = whole_game(&mut game, &mut numbers());
        let frames = record.info.episode_frame_number;
        let expected = EpisodeSummary {
            reward: f64::from(frames),
            length: steps,
            frames,
        };
        assert_eq!(record.episode, Some(expected), "{}", preset.name);
    }
}

#[test]
fn a_list_with_statistics_of_its_own_counts_at_their_place() {
    let mut game = game(
        r#"{"wrappers": ["EpisodicLife", "EpisodeStatistics", {"type": "FireReset", "plays": "fire"}, "SkipFrames"]}"#,
    );
    game.restart(None).unwrap();
    let record = loop {
        let record = game.advance(2).unwrap();
        if record.terminated {
            break record;
        }
    };
    let episode = record.episode.unwrap();
    assert!(!record.real_done);
    assert_eq!(episode.length, episode.frames);
    assert_eq!(episode.frames, record.info.episode_frame_number);
}

#[test]
fn what_cannot_be_done_is_refused_and_changes_nothing() {
    let mut game = game(r#"{"preset": "baselines"}"#);
    let mut observation = vec![0; game.observation_len()];
    assert!(matches!(game.step(0, &mut observation), Err(GymError::ResetNeeded)));
    assert!(matches!(
        game.reset(None, &mut []),
        Err(GymError::Buffer {
            given: 0,
            needed: 28_224
        })
    ));
    game.reset(None, &mut observation).unwrap();
    let count = game.action_count();
    let refused = game.step(count as u32, &mut observation).unwrap_err();
    assert_eq!(
        refused.to_string(),
        format!(
            "action {count} is out of range: this environment has {count} actions, 0 to {}",
            count - 1
        )
    );
    while !game.step(0, &mut observation).unwrap().terminated {}
    assert!(matches!(game.step(0, &mut observation), Err(GymError::EpisodeEnded)));
    game.reset(None, &mut observation).unwrap();
    assert!(game.step(0, &mut observation).is_ok());
}

#[test]
fn lists_that_need_other_observations_are_refused() {
    let cases = [
        (
            r#"{"observation": "ram", "wrappers": ["ImagePreprocessing"]}"#,
            "observations of shape [128] are not pictures",
        ),
        (
            r#"{"observation": "grey", "wrappers": ["ImagePreprocessing"]}"#,
            "have no colours to make grey",
        ),
        (
            r#"{"wrappers": ["QueueFrames", "ImagePreprocessing"]}"#,
            "are not pictures",
        ),
        (r#"{"wrappers": ["ScaledFloat", "ScaledFloat"]}"#, "are floats already"),
        (
            r#"{"wrappers": ["ScaledFloat", "MaxBetweenFrames"]}"#,
            "are floats already",
        ),
    ];
    for (json, reason) in cases {
        let refused = Game::new(WALLOP, &options(json)).unwrap_err().to_string();
        assert!(refused.contains(reason), "{json}: {refused}");
    }
}

#[test]
fn observations_have_the_shape_that_their_list_says() {
    let shape = |json: &str| {
        let mut game = game(json);
        play(&mut game, None, 3);
        (game.observation_space().shape.clone(), game.observation_space().dtype)
    };
    assert_eq!(shape(r#"{"wrappers": []}"#), (vec![210, 160, 3], Dtype::Uint8));
    assert_eq!(
        shape(r#"{"observation": "grey", "wrappers": []}"#),
        (vec![210, 160], Dtype::Uint8)
    );
    let ram = r#"{"observation": "ram", "wrappers": [{"type": "SkipFrames", "shows": "maxOfLastTwo"}, "QueueFrames"]}"#;
    assert_eq!(shape(ram), (vec![4, 128], Dtype::Uint8));
    let colour = r#"{"wrappers": ["MaxBetweenFrames", {"type": "ImagePreprocessing", "grey": null}, "QueueFrames"]}"#;
    assert_eq!(shape(colour), (vec![4, 84, 84, 3], Dtype::Uint8));
    let last = r#"{"wrappers": ["MaxBetweenFrames", "MaxBetweenFrames", {"type": "QueueFrames", "axis": "last"}]}"#;
    assert_eq!(shape(last), (vec![210, 160, 12], Dtype::Uint8));
    let float =
        r#"{"wrappers": ["ImagePreprocessing", "ScaledFloat", {"type": "QueueFrames", "axis": "last", "n": 2}]}"#;
    assert_eq!(shape(float), (vec![84, 84, 2], Dtype::Float32));
}

#[test]
fn scaled_floats_are_the_bytes_divided_by_255() {
    let list = |last: &str| format!("{{\"wrappers\": [\"SkipFrames\", \"ImagePreprocessing\"{last}]}}");
    let [mut bytes, mut floats] = ["", ", \"ScaledFloat\""].map(|last| game(&list(last)));
    let mut byte_buffer = vec![0; bytes.observation_len()];
    let mut float_buffer = vec![0; floats.observation_len()];
    bytes.reset(None, &mut byte_buffer).unwrap();
    floats.reset(None, &mut float_buffer).unwrap();
    for (byte, float) in byte_buffer.iter().zip(float_buffer.chunks_exact(4)) {
        assert_eq!(float, (f32::from(*byte) / 255.0).to_le_bytes());
    }
}

#[test]
fn ram_observations_are_the_consoles_memory() {
    let mut game = game(r#"{"observation": "ram", "wrappers": ["SkipFrames"]}"#);
    assert_eq!(game.spec().observation, Observation::Ram);
    let mut observation = [0; 128];
    game.reset(None, &mut observation).unwrap();
    game.step(1, &mut observation).unwrap();
    assert_eq!(&observation, game.arcade().ram());
}

#[test]
fn an_observation_beside_a_preset_leaves_out_its_wrappers_of_pictures() {
    let (height, width) = (210, 160);
    for preset in PRESETS {
        let name = preset.name;
        let plain = game(&format!(r#"{{"preset": "{name}"}}"#));
        assert!(plain.spec().left_out.is_empty());
        let last = plain.observation_space().shape == [84, 84, 4];
        for (kind, frame) in [
            ("ram", vec![128]),
            ("grey", vec![height, width]),
            ("rgb", vec![height, width, 3]),
        ] {
            let mut game = game(&format!(r#"{{"preset": "{name}", "observation": "{kind}"}}"#));
            let left_out = &game.spec().left_out;
            assert!(left_out.contains(&"ImagePreprocessing"), "{name}, {kind}: {left_out:?}");
            let is_pooled = left_out.contains(&"MaxBetweenFrames");
            assert_eq!(is_pooled, kind == "ram" && name == "nature-dqn");
            // A stack along the last axis joins the channels of colours.
            let shape = match (last, kind) {
                (false, _) => [vec![4], frame].concat(),
                (true, "rgb") => vec![height, width, 12],
                (true, _) => [frame, vec![4]].concat(),
            };
            assert_eq!(game.observation_space().shape, shape, "{name}, {kind}");
            game.restart(None).unwrap();
            game.advance(1).unwrap();
            if kind != "ram" {
                continue;
            }
            let mut room = Vec::new();
            let ram = *game.arcade().ram();
            let (bytes, start) = game.observation(&mut room);
            let stack = [&bytes[start..], &bytes[..start]].concat();
            let newest: Vec<u8> = if last {
                stack.chunks_exact(4).map(|values| values[3]).collect()
            } else {
                stack[3 * 128..].to_vec()
            };
            assert_eq!(newest, ram, "{name}");
        }
    }
}

#[test]
fn frames_that_are_skipped_show_the_maximum_of_the_last_two_unless_a_list_says_otherwise() {
    let shown = |list: &str| {
        let game = game(&format!(r#"{{"wrappers": {list}, "observation": "grey"}}"#));
        game.spec().wrappers.clone()
    };
    for (short, long) in [
        (
            r#"["SkipFrames"]"#,
            r#"[{"type": "SkipFrames", "shows": "maxOfLastTwo"}]"#,
        ),
        (
            r#"[{"type": "SkipFrames", "n": 2, "below": 5}]"#,
            r#"[{"type": "SkipFrames", "n": 2, "below": 5, "shows": "last"}]"#,
        ),
        (
            r#"["ScaledFloat", "SkipFrames"]"#,
            r#"["ScaledFloat", {"type": "SkipFrames", "shows": "last"}]"#,
        ),
    ] {
        assert_eq!(shown(short), shown(long));
    }
    // The ball of WALLOP moves, so the two differ.
    let run = |shows: &str| {
        let list = format!(r#"{{"wrappers": [{{"type": "SkipFrames"{shows}}}]}}"#);
        play(&mut game(&list), Some(1), 60)
    };
    let default = run("");
    assert_eq!(default, run(r#", "shows": "maxOfLastTwo""#));
    assert_ne!(default, run(r#", "shows": "last""#));
}

#[test]
fn the_maximum_of_all_frames_holds_every_frame_of_a_step() {
    for observation in ["grey", "rgb", "ram"] {
        let kind = format!(r#""observation": "{observation}", "maxFramesPerEpisode": 90"#);
        let mut frames = game(&format!(r#"{{"wrappers": [], {kind}}}"#));
        for n in [1, 2, 4, 7] {
            let list = format!(r#"[{{"type": "SkipFrames", "n": {n}, "shows": "maxOfAll"}}]"#);
            let mut steps = game(&format!(r#"{{"wrappers": {list}, {kind}}}"#));
            let (mut shown, mut frame) = (vec![0; steps.observation_len()], vec![0; frames.observation_len()]);
            steps.reset(Some(3), &mut shown).unwrap();
            frames.reset(Some(3), &mut frame).unwrap();
            assert!(shown == frame, "{observation}, {n} frames: reset");
            for action in [1, 2, 3].into_iter().cycle() {
                let mut expected = vec![0; frame.len()];
                let mut ended = false;
                // The limit of 90 frames cuts the last step of seven short.
                for _ in 0..n {
                    ended = frames.step(action, &mut frame).unwrap().truncated;
                    expected.iter_mut().zip(&frame).for_each(|(a, b)| *a = (*a).max(*b));
                    if ended {
                        break;
                    }
                }
                assert_eq!(steps.step(action, &mut shown).unwrap().truncated, ended);
                assert!(shown == expected, "{observation}, {n} frames");
                if ended {
                    break;
                }
            }
        }
    }
}

#[test]
fn a_time_limit_truncates() {
    let mut game = game(r#"{"wrappers": ["SkipFrames", {"type": "TimeLimit", "steps": 3}]}"#);
    let run = play(&mut game, None, 7);
    let truncated: Vec<bool> = run[1..].iter().map(|(_, step)| step.truncated).collect();
    assert_eq!(truncated, [false, false, true, false, false, true, false]);
    assert_eq!(run[3].1.episode.unwrap().length, 3);
}

#[test]
fn a_reset_has_a_bounded_number_of_frames() {
    // A loop in RAM that ends no frame: LDA #$4C, STA $90, LDA #$90, STA $91, LDA #0, STA $92, JMP $0090.
    let mut endless = vec![
        0xA9, 0x4C, 0x85, 0x90, 0xA9, 0x90, 0x85, 0x91, 0xA9, 0x00, 0x85, 0x92, 0x4C, 0x90, 0x00,
    ];
    endless.resize(4096, 0xEA);
    endless[0xFFC..0xFFE].copy_from_slice(&[0x00, 0xF0]);
    let ends = r#"{"rom": "a", "rules": {"terminal": "true"}}"#;
    let goes_on = r#"{"rom": "a"}"#;
    // Each reset takes two million steps of rules, and as it draws a number, it is not cached.
    let selects = r#"{"rom": "a", "modes": {"select": "draw x 9; n = 0; until n == 500 + (sum(ram[n] for i in range(0, 1300)) < 0) { n = n + 1 }"},
        "rules": {"start": "x = 0; n = 0", "terminal": "true"}}"#;
    let jammed = [&[0x02; 0xFFC][..], &[0x00, 0xF0, 0x00, 0xF0]].concat();
    let noops = r#"{"type": "NoopReset", "max": 1500}"#;
    let long_noop = r#"{"type": "SkipFrames", "n": 1500}, {"type": "NoopReset", "max": 1}"#;
    let fires = r#"{"type": "SkipFrames", "n": 10000}, {"type": "FireReset", "plays": "fireAndSecond"}"#;
    let random = r#"{"type": "StartWithRandomActions", "max": 1500}"#;
    // A reset of the game has 68 frames, and one with a seed loads the game first, with 68 more. The last one may begin near the limit.
    let (short, full) = (136..=136 + 1500, 3000..=3000 + 136);
    for (what, rom, definition, wrapper, expected) in [
        ("a game that always ends", WALLOP, ends, noops, &full),
        ("frames that do not end", &endless, goes_on, noops, &short),
        ("both", &endless, ends, noops, &full),
        ("random actions", &endless, goes_on, random, &short),
        ("frames without a cycle", &jammed, ends, noops, &full),
        ("a selection with many steps of rules", &jammed, selects, noops, &full),
        ("one long step", &endless, goes_on, long_noop, &short),
        ("presses of FIRE", &endless, goes_on, fires, &full),
    ] {
        let options = options(&format!(r#"{{"game": {definition}, "wrappers": [{wrapper}]}}"#));
        let mut game = Game::new(rom, &options).unwrap();
        let before = game.arcade().console_frames();
        game.restart(Some(1)).unwrap();
        let frames = game.arcade().console_frames() - before;
        assert!(expected.contains(&frames), "{what}: {frames}");
    }
}

#[test]
fn the_sound_of_a_call_has_a_limit() {
    let mut game = game(
        r#"{"soundObs": true, "game": {"rom": "a"}, "wrappers": [
            {"type": "SkipFrames", "n": 1500}, {"type": "NoopReset", "max": 1}, {"type": "SkipFrames", "n": 6},
            {"type": "TimeLimit", "steps": 1}, {"type": "AutoReset", "mode": "same-step"}
        ]}"#,
    );
    play(&mut game, None, 1);
    assert_eq!(game.audio().len(), 10_000 * gym2600_arcade::SOUND_SAMPLES);
}

#[test]
fn the_observation_that_ended_an_episode_is_kept_where_the_next_one_starts_in_the_same_step() {
    for preset in ["labml", "gym2600", "baselines"] {
        let json =
            |autoreset: &str| format!("{{\"preset\": \"{preset}\", \"seed\": 4, \"autoreset\": \"{autoreset}\"}}");
        let (mut itself, mut by_hand) = (game(&json("same-step")), game(&json("disabled")));
        itself.keep_final_observations();
        let mut next = vec![0; itself.observation_len()];
        let mut last = next.clone();
        itself.reset(None, &mut next).unwrap();
        by_hand.reset(None, &mut last).unwrap();
        assert_eq!(itself.final_observation(), None);
        let mut ends = 0;
        for number in 0..400 {
            let action = number / 3 % 4;
            let step = itself.step(action, &mut next).unwrap();
            assert_eq!(by_hand.step(action, &mut last).unwrap().episode, step.episode);
            if !step.terminated && !step.truncated {
                assert_eq!((itself.final_observation(), step.final_info), (None, None));
                continue;
            }
            ends += 1;
            assert!(
                itself.final_observation() == Some(&last),
                "{preset}: not what the episode ended with"
            );
            assert_eq!(step.final_info, Some(by_hand.info()));
            by_hand.reset(None, &mut last).unwrap();
            assert!(next == last, "{preset}: not what the next episode starts with");
        }
        assert!(ends > 1, "{preset}: {ends} episodes ended");
    }
}

#[test]
fn final_observations_are_not_kept_unasked() {
    let mut game =
        game(r#"{"wrappers": ["TimeLimit", {"type": "AutoReset", "mode": "same-step"}], "observation": "ram"}"#);
    let mut observation = vec![0; 128];
    game.reset(None, &mut observation).unwrap();
    let last = loop {
        let step = game.step(1, &mut observation).unwrap();
        if step.terminated {
            break step;
        }
    };
    assert!(last.final_info.is_some());
    assert_eq!(game.final_observation(), None);
}

#[test]
fn a_reset_that_does_not_reach_its_mode_says_so_and_needs_another() {
    let definition = include_str!("../../arcade/games/wallop.toml")
        .replace("available = [0, 1, 2]", "available = [0, 1, 2, 9]")
        .replace(
            "until ram[0x81] == mode { select }",
            "until mode < 9 { }\nuntil ram[0x81] == mode { select }",
        );
    let options = GameOptions {
        game: Some(RawDefinition::from_toml(&definition, "wallop").unwrap()),
        mode: Some(9),
        ..GameOptions::default()
    };
    let mut game = Game::new(WALLOP, &options).unwrap();
    let mut observation = vec![0; game.observation_len()];
    let refused = game.reset(None, &mut observation).unwrap_err();
    assert!(matches!(refused, GymError::ModeNotReached(_)), "{refused}");
    assert!(
        refused.to_string().starts_with("modes.select: mode 9 was not reached"),
        "{refused}"
    );
    assert!(matches!(game.step(0, &mut observation), Err(GymError::ResetNeeded)));
}

#[test]
fn an_episode_that_goes_on_after_a_lost_life_keeps_what_the_list_says() {
    let lists = |restart: &str, padding: &str| {
        game(&format!(
            r#"{{"wrappers": ["SkipFrames", "ImagePreprocessing",
                {{"type": "EpisodicLife", "restart": "{restart}"}}, {{"type": "QueueFrames", "padding": "{padding}"}}]}}"#
        ))
    };
    let mut seen = Vec::new();
    for (restart, padding) in [
        ("continue", "gameReset"),
        ("continue", "reset"),
        ("fullReset", "gameReset"),
    ] {
        let mut game = lists(restart, padding);
        let mut observation = vec![0; game.observation_len()];
        let full = game.reset(None, &mut observation).unwrap().lives;
        while !game.step(1, &mut observation).unwrap().terminated {}
        let before = observation.clone();
        let lives = game.reset(None, &mut observation).unwrap().lives;
        let frame = 84 * 84;
        let repeats = observation.chunks(frame).all(|other| other == &observation[..frame]);
        let keeps = observation[..3 * frame] == before[frame..];
        seen.push((lives == full, repeats, keeps));
    }
    assert_eq!(seen, [(false, false, true), (false, true, false), (true, true, false)]);
}

#[test]
fn a_reset_by_the_caller_starts_the_game_only_where_ends_are_followed_by_resets() {
    for (autoreset, starts) in [("next-step", true), ("disabled", false)] {
        let mut game = game(&format!(
            r#"{{"autoreset": "{autoreset}", "wrappers": ["SkipFrames", {{"type": "EpisodicLife", "restart": "continue"}}]}}"#
        ));
        let mut observation = vec![0; game.observation_len()];
        let full = game.reset(None, &mut observation).unwrap().lives;
        for _ in 0..2 {
            while !game.step(1, &mut observation).unwrap().terminated {}
            let lives = game.reset(None, &mut observation).unwrap().lives;
            assert_eq!(lives == full, starts, "{autoreset}: {lives} of {full} lives");
        }
    }
}
