//! Runs on WALLOP: the same bits however they are computed, stopped or stored, and tasks that are learned in seconds.

#![allow(clippy::unwrap_used, reason = "a test fails where it panics")]

use gym2600_arcade::definition::RawDefinition;
use gym2600_gym::GameOptions;
use gym2600_learn::{
    Algorithm, Arithmetic, Choice, Config, Evaluation, Execution, LearnError, Net, Policy, Trainer, Update,
};

const WALLOP: &[u8] = include_bytes!("../../arcade/games/wallop.bin");

fn threads(threads: usize) -> Execution {
    Execution {
        threads,
        arithmetic: Arithmetic::Exact,
    }
}

/// Small pictures and short episodes, so that a test takes a second.
fn small_options() -> GameOptions {
    serde_json::from_str(
        r#"{"wrappers": [
            {"type": "SkipFrames", "n": 4},
            "EpisodicLife",
            {"type": "ImagePreprocessing", "width": 28, "height": 28},
            {"type": "QueueFrames", "n": 4}
        ]}"#,
    )
    .unwrap()
}

fn small(algorithm: Algorithm, seed: u64) -> Config {
    let mut config = Config {
        seed,
        envs: 8,
        options: small_options(),
        ..Config::new(algorithm)
    };
    // A number whose shortest decimal has sixteen digits.
    config.hyper_parameters.gamma = 1.0 - 1.0 / 11.0;
    if algorithm == Algorithm::Ppo {
        config.hyper_parameters.rollout = 16;
        config.hyper_parameters.minibatches = 4;
    }
    config
}

fn run(trainer: &mut Trainer, updates: usize) -> Vec<Update> {
    (0..updates).map(|_| trainer.update().unwrap()).collect()
}

#[test]
fn one_two_and_four_threads_give_the_same_bits() {
    for algorithm in [Algorithm::Ppo, Algorithm::A2c] {
        let config = small(algorithm, 3);
        let results = [1, 2, 4].map(|count| {
            let mut trainer = Trainer::new(WALLOP, &config, threads(count)).unwrap();
            let updates = run(&mut trainer, 3);
            (updates, trainer.learner().weights().unwrap())
        });
        assert_eq!(results[0], results[1]);
        assert_eq!(results[0], results[2]);
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
    trainer.finish();
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
fn weights_and_checkpoints_load_as_the_policy_that_they_are() {
    let mut trainer = Trainer::new(WALLOP, &small(Algorithm::Ppo, 1), threads(1)).unwrap();
    run(&mut trainer, 2);
    let observation: Vec<u8> = (0..28 * 28 * 4).map(|at| (at * 7 % 256) as u8).collect();
    let decisions = [trainer.learner().weights().unwrap(), trainer.checkpoint().unwrap()].map(|file| {
        let mut policy = Policy::load(&file).unwrap();
        assert_eq!(policy.origin().unwrap().steps, 256);
        policy.act(&observation, Choice::Sampled { seed: 4 }).unwrap()
    });
    assert_eq!(decisions[0], decisions[1]);
    let total: f64 = decisions[0].probabilities.iter().sum();
    assert!((total - 1.0).abs() < 1e-12);
}

#[test]
fn weights_of_something_else_are_refused_with_both_named() {
    let config = small(Algorithm::Ppo, 1);
    let mut trainer = Trainer::new(WALLOP, &config, threads(1)).unwrap();
    let mut checkpoint = trainer.checkpoint().unwrap();
    let mut other_rom = WALLOP.to_vec();
    // A byte of the title's data: the same game under another MD5, which no catalogue has.
    other_rom[0] ^= 1;
    let error = Trainer::resume(&other_rom, &checkpoint, threads(1)).err().unwrap();
    assert!(matches!(error, LearnError::Environment(_)), "{error}");

    let weights = trainer.learner().weights().unwrap();
    let all_actions = GameOptions {
        full_action_space: Some(true),
        ..small_options()
    };
    let other = Config {
        options: all_actions,
        ..config
    };
    let ours = Trainer::new(WALLOP, &other, threads(1)).unwrap().learner().origin();
    let error = ours
        .check(Policy::load(&weights).unwrap().origin().unwrap())
        .unwrap_err();
    assert!(
        error.to_string().contains("NOOP FIRE RIGHT LEFT, not of NOOP FIRE UP"),
        "{error}"
    );
    let net = trainer.learner().origin();
    let nature = gym2600_learn::Origin {
        net: Net::Nature,
        ..net.clone()
    };
    assert_eq!(
        net.check(&nature).unwrap_err().to_string(),
        "the weights are of net nature, not of tiny"
    );
    let gymnasium = gym2600_learn::Origin {
        preset: "gymnasium".to_owned(),
        ..net.clone()
    };
    let error = net.check(&gymnasium).unwrap_err().to_string();
    assert!(
        error.starts_with("the weights are of preset gymnasium, not of [{"),
        "{error}"
    );
    checkpoint.truncate(1000);
    assert!(matches!(Policy::load(&checkpoint).err(), Some(LearnError::File { .. })));
}

#[test]
fn a_checkpoint_with_counts_that_no_run_reaches_is_refused_with_the_count() {
    let mut trainer = Trainer::new(WALLOP, &small(Algorithm::Ppo, 1), threads(1)).unwrap();
    run(&mut trainer, 1);
    let checkpoint = trainer.checkpoint().unwrap();
    // Not UTF-8 after the header.
    let replaced = |name: &str, value: u64| {
        let key = format!("\\\"{name}\\\":");
        let at = checkpoint.windows(key.len()).position(|bytes| bytes == key.as_bytes());
        let start = at.unwrap() + key.len();
        let digits = checkpoint[start..]
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        let mut file = checkpoint.clone();
        file.splice(start..start + digits, value.to_string().bytes());
        let header = u64::from_le_bytes(*file.first_chunk().unwrap()) + (file.len() - checkpoint.len()) as u64;
        file[..8].copy_from_slice(&header.to_le_bytes());
        file
    };
    for (name, value, expected) in [
        (
            "updates",
            1 << 63,
            "its updates are 9223372036854775808, above 4503599627370496",
        ),
        (
            "updates",
            1 << 50,
            "its updates x envs x rollout are 144115188075855872, above",
        ),
        ("episodes", u64::MAX, "its episodes are 18446744073709551615, above"),
        (
            "optimizer_steps",
            u64::MAX,
            "its optimizer_steps are 18446744073709551615, above",
        ),
    ] {
        let refused = Trainer::resume(WALLOP, &replaced(name, value), threads(1))
            .err()
            .unwrap();
        let message = refused.to_string();
        assert!(
            message.starts_with(&format!("this is no file of a checkpoint: {expected}")),
            "{message}"
        );
    }
}

#[test]
fn weights_are_refused_as_a_checkpoint_with_what_takes_them() {
    let trainer = Trainer::new(WALLOP, &small(Algorithm::Ppo, 1), threads(1)).unwrap();
    let weights = trainer.learner().weights().unwrap();
    let message = Trainer::resume(WALLOP, &weights, threads(1)).err().unwrap().to_string();
    assert!(
        message.contains("it has weights alone") && message.contains("evaluate --weights"),
        "{message}"
    );
}

#[test]
fn a_seed_among_the_options_of_the_games_is_refused() {
    let mut config = small(Algorithm::Ppo, 1);
    config.options.seed = Some(7);
    let refused = Trainer::new(WALLOP, &config, threads(1)).err().unwrap().to_string();
    assert!(refused.starts_with("options.seed: 7 would have no effect"), "{refused}");
}

/// A file of zeros as CleanRL names them, for WALLOP's four actions and the net `tiny`, if `hidden` is 128.
fn weights_of_cleanrl(hidden: usize) -> Vec<u8> {
    weights_with_actor(&[4, 128], hidden)
}

fn weights_with_actor(actor: &[usize], hidden: usize) -> Vec<u8> {
    use safetensors::tensor::{Dtype, TensorView};
    let tensors: [(&str, &[usize]); 10] = [
        ("network.0.weight", &[8, 4, 8, 8]),
        ("network.0.bias", &[8]),
        ("network.2.weight", &[16, 8, 4, 4]),
        ("network.2.bias", &[16]),
        ("network.5.weight", &[hidden, 1296]),
        ("network.5.bias", &[hidden]),
        ("actor.weight", actor),
        ("actor.bias", &[4]),
        ("critic.weight", &[1, 128]),
        ("critic.bias", &[1]),
    ];
    let zeros = vec![0; 4 * 256 * 1296];
    let views = tensors.map(|(name, shape)| {
        let bytes = &zeros[..4 * shape.iter().product::<usize>()];
        (name, TensorView::new(Dtype::F32, shape.to_vec(), bytes).unwrap())
    });
    safetensors::serialize(views, None).unwrap()
}

#[test]
fn weights_of_another_shape_are_refused_with_the_tensor_and_both_shapes() {
    assert!(Policy::load(&weights_of_cleanrl(128)).is_ok());
    assert_eq!(
        Policy::load(&weights_of_cleanrl(256)).err().unwrap().to_string(),
        "the weights are of tensor network.5.bias shape [256], not of shape [128]"
    );
    for actor in [[300_000_000, 0], [0, 0]] {
        let refused = Policy::load(&weights_with_actor(&actor, 128)).err().unwrap();
        assert!(matches!(refused, LearnError::File { .. }), "{refused}");
    }
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
    let error = Trainer::new(WALLOP, &config, threads(1)).err().unwrap().to_string();
    assert!(
        error.contains("silent has no rule for rewards") && error.contains("docs/games.md"),
        "{error}"
    );
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
fn weights_and_checkpoints_that_are_not_finite_are_refused_with_the_tensor() {
    let mut trainer = Trainer::new(WALLOP, &small(Algorithm::Ppo, 1), threads(1)).unwrap();
    let bias = |mut file: Vec<u8>| {
        let tensors = safetensors::SafeTensors::deserialize(&file).unwrap();
        let at = tensors.tensor("actor.bias").unwrap().data().as_ptr() as usize - file.as_ptr() as usize;
        file[at..at + 4].copy_from_slice(&f32::NEG_INFINITY.to_le_bytes());
        file
    };
    let expected = "this is no file of weights: tensor actor.bias has -inf, which is not a finite number";
    let weights = bias(trainer.learner().weights().unwrap());
    assert_eq!(Policy::load(&weights).err().unwrap().to_string(), expected);
    let checkpoint = bias(trainer.checkpoint().unwrap());
    let refused = Trainer::resume(WALLOP, &checkpoint, threads(1)).err().unwrap();
    assert_eq!(refused.to_string(), expected);
}

#[test]
fn a_policy_refuses_outputs_that_are_not_finite() {
    let trainer = Trainer::new(WALLOP, &small(Algorithm::Ppo, 1), threads(1)).unwrap();
    let mut file = trainer.learner().weights().unwrap();
    let tensors = safetensors::SafeTensors::deserialize(&file).unwrap();
    let places = ["network.5.bias", "actor.weight"].map(|name| {
        let data = tensors.tensor(name).unwrap().data();
        let at = data.as_ptr() as usize - file.as_ptr() as usize;
        at..at + data.len()
    });
    for place in places {
        for value in file[place].as_chunks_mut().0 {
            *value = f32::MAX.to_le_bytes();
        }
    }
    let mut policy = Policy::load(&file).unwrap();
    let refused = policy.act(&[0; 4 * 28 * 28], Choice::Greedy).unwrap_err();
    assert!(matches!(refused, LearnError::NotFiniteOutput), "{refused}");
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
    assert!(config.hyper_parameters.set("gamma", "much").is_err());
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
fn weights_refuse_another_preset_and_take_their_own() {
    let mut trainer = Trainer::new(WALLOP, &small(Algorithm::Ppo, 1), threads(1)).unwrap();
    run(&mut trainer, 1);
    let weights = trainer.learner().weights().unwrap();
    let evaluation = |options: &GameOptions| {
        let policy = Policy::load(&weights).unwrap();
        Evaluation::new(policy, WALLOP, options, 1, Choice::Greedy).map(drop)
    };
    evaluation(&small_options()).unwrap();
    let other = GameOptions {
        preset: Some("gymnasium".to_owned()),
        ..GameOptions::default()
    };
    let refused = evaluation(&other).unwrap_err().to_string();
    let own = trainer.learner().origin().preset;
    assert!(refused.contains("gymnasium") && refused.contains(&own), "{refused}");
    let all_actions = GameOptions {
        full_action_space: Some(true),
        ..GameOptions::default()
    };
    let refused = evaluation(&all_actions).unwrap_err().to_string();
    assert_eq!(refused, "the weights are of fullActionSpace its default, not of true");
}

#[test]
fn weights_that_name_no_environment_take_the_given_one_and_refuse_another_action_set() {
    let weights = weights_of_cleanrl(128);
    let evaluation = |preset: &str, full_action_space: Option<bool>| {
        let options = GameOptions {
            preset: Some(preset.to_owned()),
            full_action_space,
            ..GameOptions::default()
        };
        Evaluation::new(Policy::load(&weights).unwrap(), WALLOP, &options, 1, Choice::Greedy).map(drop)
    };
    evaluation("gymnasium", None).unwrap();
    let refused = evaluation("gymnasium", Some(true)).unwrap_err().to_string();
    assert!(
        refused.starts_with("the weights are of action set 4, not of 18 (NOOP FIRE UP"),
        "{refused}"
    );
}

#[test]
fn a_run_is_refused_that_would_not_fit_into_memory() {
    for (envs, rollout, named) in [
        (4096, 8, "numEnvs"),
        (1024, 1024, "rollout"),
        (8, usize::MAX, "rollout"),
    ] {
        let mut config = small(Algorithm::Ppo, 1);
        config.envs = envs;
        config.hyper_parameters.rollout = rollout;
        let error = Trainer::new(WALLOP, &config, threads(1)).err().unwrap().to_string();
        assert!(error.starts_with(&format!("{named}: ")), "{error}");
    }
}
