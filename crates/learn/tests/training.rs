//! Runs on WALLOP: the same bits however they are computed, stopped or resumed, and tasks that are learned in seconds.

#![allow(clippy::unwrap_used, reason = "a test fails where it panics")]

mod support;

use gym2600_arcade::definition::RawDefinition;
use gym2600_gym::GameOptions;
use gym2600_learn::{
    Algorithm, Arithmetic, Choice, Config, Doubt, Evaluation, Execution, LearnError, Policy, Trainer, doubts,
};
use support::{WALLOP, run, small, small_options, threads};

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    for algorithm in [Algorithm::Ppo, Algorithm::A2c] {
        for arithmetic in [Arithmetic::Exact, Arithmetic::Fused] {
            let config = small(algorithm, 3);
            // Eight games in four shards: shares of a thread that are a shard, several, or parts of some, and more threads than games.
            let results = [1, 2, 3, 4, 6, 8, 100].map(|count| {
                let execution = Execution {
                    arithmetic,
                    ..threads(count)
                };
                let mut trainer = Trainer::new(WALLOP, &config, execution).unwrap();
                let updates = (0..3).map(|_| (trainer.update().unwrap(), trainer.learner().finished().to_vec()));
                (updates.collect::<Vec<_>>(), trainer.checkpoint().unwrap())
            });
            assert!(results.iter().all(|result| *result == results[0]));
        }
    }
}

#[test]
fn a_resumed_run_equals_one_that_never_stopped() {
    for algorithm in [Algorithm::Ppo, Algorithm::A2c] {
        let config = small(algorithm, 5);
        let mut whole = Trainer::new(WALLOP, &config, threads(1)).unwrap();
        let expected = run(&mut whole, 6);
        let mut first = Trainer::new(WALLOP, &config, threads(1)).unwrap();
        run(&mut first, 3);
        let checkpoint = first.checkpoint().unwrap();
        let mut second = Trainer::resume(WALLOP, &checkpoint, threads(2)).unwrap();
        assert_eq!(second.learner().config(), &config);
        assert_eq!(run(&mut second, 3), expected[3..]);
        assert_eq!(second.checkpoint().unwrap(), whole.checkpoint().unwrap());
    }
}

#[test]
fn files_written_during_an_update_are_those_of_the_update_before() {
    let mut trainer = Trainer::new(WALLOP, &small(Algorithm::Ppo, 1), threads(1)).unwrap();
    run(&mut trainer, 1);
    let files = |trainer: &Trainer| {
        let learner = trainer.learner();
        let files = (learner.weights().unwrap(), learner.onnx());
        (files, learner.weights_checksum(), learner.steps())
    };
    let before = files(&trainer);
    trainer.play().unwrap();
    for at in trainer.learner().minibatches() {
        trainer.step(at).unwrap();
        assert_eq!(files(&trainer), before);
    }
    trainer.finish().unwrap();
    let after = files(&trainer);
    assert!(after.0.0 != before.0.0 && after.0.1 != before.0.1 && after.1 != before.1);
}

#[test]
fn the_checksum_of_weights_is_that_of_the_files_data() {
    let mut trainer = Trainer::new(WALLOP, &small(Algorithm::Ppo, 1), threads(1)).unwrap();
    run(&mut trainer, 1);
    let file = trainer.learner().weights().unwrap();
    let header = u64::from_le_bytes(*file.first_chunk().unwrap()) as usize;
    assert_eq!(
        crc32fast::hash(&file[8 + header..]),
        trainer.learner().weights_checksum()
    );
}

#[test]
fn the_learning_rate_rises_and_falls_by_the_steps_also_in_a_resumed_run() {
    // Updates of 128 steps.
    let mut config = small(Algorithm::Ppo, 1);
    let hyper = &mut config.hyper_parameters;
    (hyper.learning_rate, hyper.warmup_steps) = (0.5, 256);
    (hyper.anneal_steps, hyper.anneal_to) = (512, 0.25);
    let mut trainer = Trainer::new(WALLOP, &config, threads(1)).unwrap();
    let mut updates = run(&mut trainer, 3);
    trainer = Trainer::resume(WALLOP, &trainer.checkpoint().unwrap(), threads(1)).unwrap();
    updates.extend(run(&mut trainer, 3));
    let rates: Vec<f64> = updates.iter().map(|update| update.learning_rate).collect();
    assert_eq!(rates, [0.25, 0.40625, 0.3125, 0.21875, 0.125, 0.125]);
}

#[test]
fn a_seed_among_the_options_of_the_games_is_refused() {
    let mut config = small(Algorithm::Ppo, 1);
    config.options.seed = Some(7);
    let refused = Trainer::new(WALLOP, &config, threads(1)).unwrap_err().to_string();
    assert!(refused.starts_with("options.seed: 7 would have no effect"), "{refused}");
}

#[test]
fn a_game_without_rewards_is_refused_with_the_way_to_define_them() {
    let definition = "rom = \"silent\"\n[rules]\nframe = \"lives = ram[0x82]\"\n";
    let config = Config {
        options: GameOptions {
            game: Some(RawDefinition::from_toml(definition, "game").unwrap()),
            ..small_options()
        },
        ..small(Algorithm::Ppo, 1)
    };
    let error = Trainer::new(WALLOP, &config, threads(1)).unwrap_err().to_string();
    assert!(
        error.contains("silent has no rule for rewards") && error.contains("docs/games.md"),
        "{error}"
    );
}

#[test]
fn random_play_finds_games_that_end_at_once_or_give_no_rewards() {
    let of = |definition: &str| {
        let options = GameOptions {
            game: Some(RawDefinition::from_toml(definition, "game").unwrap()),
            ..small_options()
        };
        let config = Config {
            options,
            ..small(Algorithm::Ppo, 1)
        };
        doubts(WALLOP, &config).unwrap()
    };
    assert_eq!(
        of("rom = \"over\"\n[rules]\nterminal = \"true\"\nreward = \"1\"\n"),
        Some(Doubt::OverAtReset)
    );
    assert_eq!(
        of("rom = \"poor\"\n[rules]\nframe = \"points = ram[0x82] * 0\"\nreward = \"points\"\n"),
        Some(Doubt::NoReward)
    );
    assert_eq!(doubts(WALLOP, &small(Algorithm::Ppo, 1)).unwrap(), None);
}

#[test]
fn a_loss_that_is_no_number_stops_a_run_with_the_updates_number() {
    let mut config = small(Algorithm::Ppo, 1);
    config.hyper_parameters.learning_rate = 1e38;
    config.hyper_parameters.epsilon = 1e-30;
    let mut trainer = Trainer::new(WALLOP, &config, threads(1)).unwrap();
    let error = (0..5).find_map(|_| trainer.update().err()).unwrap();
    assert!(matches!(error, LearnError::NotFinite { update: 1..=3, .. }), "{error}");
}

#[test]
fn a_step_that_leaves_weights_that_are_not_finite_stops_a_run_with_the_updates_number() {
    for algorithm in [Algorithm::Ppo, Algorithm::A2c] {
        let mut config = small(algorithm, 1);
        // The last gradient step of an update: no forward pass of this update sees its weights.
        config.hyper_parameters.minibatches = 1;
        config.hyper_parameters.epochs = 1;
        config.hyper_parameters.learning_rate = 3e38;
        let mut trainer = Trainer::new(WALLOP, &config, threads(1)).unwrap();
        let error = trainer.update().unwrap_err();
        assert!(
            matches!(
                error,
                LearnError::NotFinite {
                    what: "a weight",
                    update: 1
                }
            ),
            "{error}"
        );
    }
}

#[test]
fn a_hyper_parameter_beyond_32_bits_is_refused_by_name() {
    for name in "learning_rate gamma lambda clip entropy value gradient_norm epsilon".split(' ') {
        for value in ["1e39", "-1e39"] {
            let mut config = small(Algorithm::Ppo, 1);
            config.hyper_parameters.set(name, value).unwrap();
            let refused = config.check().unwrap_err().to_string();
            assert_eq!(refused, format!("{name}: {value} is not a finite number of 32 bits"));
        }
    }
    let mut config = small(Algorithm::Ppo, 1);
    config.hyper_parameters.entropy = f64::NAN;
    assert!(config.check().unwrap_err().to_string().starts_with("entropy: NaN"));
}

#[test]
fn hyper_parameters_are_set_by_name_and_refused_by_value() {
    let mut config = Config::new(Algorithm::Ppo);
    config.hyper_parameters.set("optimizer", "rmsprop").unwrap();
    config.hyper_parameters.set("gamma", "0.5").unwrap();
    assert!((config.hyper_parameters.gamma - 0.5).abs() < 1e-9);
    assert!(
        config
            .hyper_parameters
            .set("gama", "0.5")
            .unwrap_err()
            .to_string()
            .contains("learning_rate")
    );
    for (name, value, reason) in [
        ("gamma", "much", "gamma: \"much\" is not a number"),
        ("epochs", "1.5", "epochs: 1.5 is not a whole number, 0 or more"),
        ("clip_value", "2", "clip_value: 2 is not true or false"),
    ] {
        let error = config.hyper_parameters.set(name, value).unwrap_err().to_string();
        assert_eq!(error, reason);
    }
    config.hyper_parameters.minibatches = 7;
    let error = config.check().unwrap_err().to_string();
    assert!(error.contains("7 do not divide 512"), "{error}");
}

/// A corridor: the bat on its line, one point for each step at its right end; an episode has 24 steps.
fn corridor(algorithm: Algorithm) -> Config {
    let definition = r#"
rom = "corridor"
title = "Corridor"
md5 = "0d1ae6f25e0bc0ff058688d563a2ee2e"
[actions]
minimal = ["NOOP", "RIGHT", "LEFT"]
[rules]
frame = "reward = ram[0x8A] > 120"
"#;
    let wrappers = r#"[
        {"type": "SkipFrames", "n": 4},
        {"type": "ImagePreprocessing", "width": 28, "height": 28},
        {"type": "TimeLimit", "steps": 24},
        {"type": "QueueFrames", "n": 1}
    ]"#;
    Config {
        options: GameOptions {
            game: Some(RawDefinition::from_toml(definition, "game").unwrap()),
            wrappers: Some(serde_json::from_str(wrappers).unwrap()),
            ..GameOptions::default()
        },
        ..small(algorithm, 1)
    }
}

#[test]
fn both_algorithms_learn_to_walk_a_corridor() {
    for (algorithm, updates) in [(Algorithm::Ppo, 60), (Algorithm::A2c, 200)] {
        let mut trainer = Trainer::new(WALLOP, &corridor(algorithm), threads(2)).unwrap();
        let updates = run(&mut trainer, updates);
        let random = updates[5].reward.unwrap();
        let learned = updates.last().unwrap().reward.unwrap();
        assert!(
            learned > 70.0 && learned > 1.5 * random,
            "{algorithm}: {random} to {learned}"
        );
        let policy = Policy::load(&trainer.learner().weights().unwrap()).unwrap();
        let mut evaluation = Evaluation::new(policy, WALLOP, &GameOptions::default(), 9, Choice::Greedy).unwrap();
        assert!(evaluation.episode().unwrap().reward > 70.0);
    }
}

#[test]
fn an_evaluation_gives_a_game_up_that_does_not_end() {
    let definition = "rom = \"endless\"\n[rules]\nframe = \"reward = ram[0x80]\"\n";
    let config = Config {
        options: GameOptions {
            game: Some(RawDefinition::from_toml(definition, "game").unwrap()),
            max_frames_per_episode: Some(0),
            ..small_options()
        },
        ..small(Algorithm::Ppo, 1)
    };
    let trainer = Trainer::new(WALLOP, &config, threads(1)).unwrap();
    let policy = Policy::load(&trainer.learner().weights().unwrap()).unwrap();
    let mut evaluation = Evaluation::new(policy, WALLOP, &GameOptions::default(), 1, Choice::Greedy).unwrap();
    let refused = evaluation.episode().unwrap_err().to_string();
    assert!(
        refused.starts_with("a game has not ended after 108000 steps"),
        "{refused}"
    );
}

#[test]
fn a_run_is_refused_that_would_not_fit_into_memory() {
    for (envs, rollout, named) in [
        (4096, 8, "num_envs"),
        (1024, 1024, "rollout"),
        (8, usize::MAX, "rollout"),
    ] {
        let mut config = small(Algorithm::Ppo, 1);
        config.envs = envs;
        config.hyper_parameters.rollout = rollout;
        let error = Trainer::new(WALLOP, &config, threads(1)).unwrap_err().to_string();
        assert!(error.starts_with(&format!("{named}: ")), "{error}");
    }
}
