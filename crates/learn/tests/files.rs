//! Files of weights and checkpoints: what they hold, and what is refused.

#![allow(clippy::unwrap_used, reason = "a test fails where it panics")]

mod support;

use std::ops::Range;

use gym2600_gym::{Game, GameOptions};
use gym2600_learn::{Algorithm, Choice, Config, Evaluation, LearnError, Net, Policy, Trainer};
use support::{WALLOP, run, small, small_options, threads};

#[test]
fn weights_and_checkpoints_load_as_the_policy_that_they_are() {
    let mut trainer = Trainer::new(WALLOP, &small(Algorithm::Ppo, 1), threads(1)).unwrap();
    run(&mut trainer, 2);
    let observation: Vec<u8> = (0..28 * 28 * 4).map(|at| (at * 7 % 256) as u8).collect();
    let decisions = [trainer.learner().weights().unwrap(), trainer.checkpoint().unwrap()].map(|file| {
        let mut policy = Policy::load(&file).unwrap();
        assert_eq!(policy.origin().unwrap().steps, 256);
        policy
            .act(&observation, &[4, 28, 28], Choice::Sampled { seed: 4 })
            .unwrap()
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
    let error = Trainer::resume(&other_rom, &checkpoint, threads(1)).unwrap_err();
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

/// A changed file with the checksum of its bytes.
fn resealed(mut file: Vec<u8>) -> Vec<u8> {
    let key = br#"\"crc32\":\""#;
    let at = file.windows(key.len()).rposition(|bytes| bytes == key).unwrap() + key.len();
    file[at..at + 8].copy_from_slice(b"00000000");
    let checksum = format!("{:08x}", crc32fast::hash(&file));
    file[at..at + 8].copy_from_slice(checksum.as_bytes());
    file
}

/// A file whose metadata has another text in place of one, of any length.
fn with_metadata(file: &[u8], from: &str, to: &str) -> Vec<u8> {
    let at = file.windows(from.len()).position(|bytes| bytes == from.as_bytes());
    let at = at.unwrap();
    let mut changed = file.to_vec();
    changed.splice(at..at + from.len(), to.bytes());
    let header = u64::from_le_bytes(*file.first_chunk().unwrap()) + (to.len() as u64) - (from.len() as u64);
    changed[..8].copy_from_slice(&header.to_le_bytes());
    changed
}

#[test]
fn a_file_with_any_flipped_bit_is_refused() {
    let mut trainer = Trainer::new(WALLOP, &small(Algorithm::Ppo, 1), threads(1)).unwrap();
    run(&mut trainer, 1);
    let (weights, checkpoint) = (trainer.learner().weights().unwrap(), trainer.checkpoint().unwrap());
    assert!(resealed(weights.clone()) == weights && resealed(checkpoint.clone()) == checkpoint);
    for (number, file) in [&weights, &checkpoint].into_iter().enumerate() {
        // Every region of the file, tensors and states of games among them, and the whole of its header's end.
        let header = 8 + u64::from_le_bytes(*file.first_chunk().unwrap()) as usize;
        for place in (0..200)
            .map(|part| part * file.len() / 200)
            .chain(header - 40..header + 40)
        {
            let mut damaged = file.clone();
            damaged[place] ^= 1 << (place % 8);
            let refused = match number {
                0 => Policy::load(&damaged).err(),
                _ => Trainer::resume(WALLOP, &damaged, threads(1)).err(),
            };
            assert!(matches!(refused, Some(LearnError::File { .. })), "{place}: {refused:?}");
        }
        let mut damaged = file.clone();
        *damaged.last_mut().unwrap() ^= 1;
        let refused = Policy::load(&damaged).unwrap_err().to_string();
        assert!(
            refused.starts_with("this is no file of safetensors: its checksum is ")
                && refused.contains("it is damaged"),
            "{refused}"
        );
    }
}

#[test]
fn weights_may_have_no_checksum_and_checkpoints_need_one() {
    let mut trainer = Trainer::new(WALLOP, &small(Algorithm::Ppo, 1), threads(1)).unwrap();
    let unsealed = |file: &[u8]| {
        let text = String::from_utf8_lossy(file);
        let (_, rest) = text.rsplit_once(r#"\"crc32\":\""#).unwrap();
        with_metadata(file, &format!(r#",\"crc32\":\"{}\""#, &rest[..8]), "")
    };
    let weights = unsealed(&trainer.learner().weights().unwrap());
    assert_eq!(Policy::load(&weights).unwrap().origin().unwrap().seed, 1);
    let checkpoint = unsealed(&trainer.checkpoint().unwrap());
    let refused = Trainer::resume(WALLOP, &checkpoint, threads(1)).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "this is no file of a checkpoint: it has no checksum"
    );
}

#[test]
fn a_file_of_a_later_version_is_refused_with_both_versions() {
    let mut trainer = Trainer::new(WALLOP, &small(Algorithm::Ppo, 1), threads(1)).unwrap();
    let ours = env!("CARGO_PKG_VERSION");
    let version = |number: &str| format!(r#"\"version\":\"{number}\""#);
    let of_version = |file: &[u8], number: &str| resealed(with_metadata(file, &version(ours), &version(number)));
    let (weights, checkpoint) = (trainer.learner().weights().unwrap(), trainer.checkpoint().unwrap());
    for (number, reason) in [
        ("9.9.9", format!("it is of version 9.9.9, and this is {ours}")),
        ("latest", "its version \"latest\": ".to_owned()),
    ] {
        let refusals = [
            Policy::load(&of_version(&weights, number)).err(),
            Trainer::resume(WALLOP, &of_version(&checkpoint, number), threads(1)).err(),
        ];
        for refused in refusals {
            let message = refused.unwrap().to_string();
            assert!(
                message.starts_with(&format!("this is no file of safetensors: {reason}")),
                "{message}"
            );
        }
    }
    assert!(Policy::load(&of_version(&weights, "0.0.1")).is_ok());
    assert!(Trainer::resume(WALLOP, &of_version(&checkpoint, "0.0.1"), threads(1)).is_ok());
}

#[test]
fn a_checkpoint_with_counts_that_no_run_reaches_is_refused_with_the_count() {
    let mut trainer = Trainer::new(WALLOP, &small(Algorithm::Ppo, 1), threads(1)).unwrap();
    run(&mut trainer, 1);
    let checkpoint = trainer.checkpoint().unwrap();
    let replaced = |name: &str, value: u64| {
        let text = String::from_utf8_lossy(&checkpoint);
        let key = format!("\\\"{name}\\\":");
        let (_, rest) = text.split_once(&key).unwrap();
        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
        resealed(with_metadata(
            &checkpoint,
            &format!("{key}{digits}"),
            &format!("{key}{value}"),
        ))
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
        let refused = Trainer::resume(WALLOP, &replaced(name, value), threads(1)).unwrap_err();
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
    let message = Trainer::resume(WALLOP, &weights, threads(1)).unwrap_err().to_string();
    assert!(
        message.contains("it has weights alone") && message.contains("evaluate --weights"),
        "{message}"
    );
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
        Policy::load(&weights_of_cleanrl(256)).unwrap_err().to_string(),
        "the weights are of tensor network.5.bias shape [256], not of shape [128]"
    );
    for actor in [[300_000_000, 0], [0, 0]] {
        let refused = Policy::load(&weights_with_actor(&actor, 128)).unwrap_err();
        assert!(matches!(refused, LearnError::File { .. }), "{refused}");
    }
}

/// Where the file has a tensor.
fn place_of(name: &str, file: &[u8]) -> Range<usize> {
    let tensors = safetensors::SafeTensors::deserialize(file).unwrap();
    let data = tensors.tensor(name).unwrap().data();
    let start = data.as_ptr() as usize - file.as_ptr() as usize;
    start..start + data.len()
}

#[test]
fn weights_and_checkpoints_that_are_not_finite_are_refused_with_the_tensor() {
    let mut trainer = Trainer::new(WALLOP, &small(Algorithm::Ppo, 1), threads(1)).unwrap();
    let bias = |mut file: Vec<u8>| {
        let Range { start, .. } = place_of("actor.bias", &file);
        file[start..start + 4].copy_from_slice(&f32::NEG_INFINITY.to_le_bytes());
        resealed(file)
    };
    let expected = "this is no file of weights: tensor actor.bias has -inf, which is not a finite number";
    let weights = bias(trainer.learner().weights().unwrap());
    assert_eq!(Policy::load(&weights).unwrap_err().to_string(), expected);
    let checkpoint = bias(trainer.checkpoint().unwrap());
    let refused = Trainer::resume(WALLOP, &checkpoint, threads(1)).unwrap_err();
    assert_eq!(refused.to_string(), expected);
}

#[test]
fn a_policy_refuses_outputs_that_are_not_finite() {
    let trainer = Trainer::new(WALLOP, &small(Algorithm::Ppo, 1), threads(1)).unwrap();
    let mut file = trainer.learner().weights().unwrap();
    for name in ["network.5.bias", "actor.weight"] {
        let place = place_of(name, &file);
        for value in file[place].as_chunks_mut().0 {
            *value = f32::MAX.to_le_bytes();
        }
    }
    let mut policy = Policy::load(&resealed(file)).unwrap();
    let refused = policy.act(&[0; 4 * 28 * 28], &[4, 28, 28], Choice::Greedy).unwrap_err();
    assert!(matches!(refused, LearnError::NotFiniteOutput), "{refused}");
}

#[test]
fn a_policy_refuses_an_observation_of_another_shape_and_names_the_game_that_fits() {
    let trainer = Trainer::new(WALLOP, &small(Algorithm::Ppo, 1), threads(1)).unwrap();
    let mut policy = Policy::load(&trainer.learner().weights().unwrap()).unwrap();
    assert_eq!(policy.shape(), [4, 28, 28]);
    let observation = [0; 4 * 28 * 28];
    for shape in [
        vec![28, 28, 4],
        vec![28, 4, 28],
        vec![1, 4, 28, 28],
        vec![4 * 28 * 28],
        vec![4, 28],
        vec![],
    ] {
        let refused = policy.act(&observation, &shape, Choice::Greedy).unwrap_err();
        assert!(matches!(refused, LearnError::Observation { .. }), "{refused}");
        assert!(refused.to_string().contains("policy.environment(rom)"), "{refused}");
    }
    let refused = policy.act(&observation[1..], &[4, 28, 28], Choice::Greedy).unwrap_err();
    assert!(
        refused
            .to_string()
            .contains("4 x 28 x 28 bytes, the oldest picture first, not 3135"),
        "{refused}"
    );
    policy.act(&observation, &[4, 28, 28], Choice::Greedy).unwrap();
}

#[test]
fn an_onnx_file_says_what_it_was_made_for_as_weights_do() {
    let trainer = Trainer::new(WALLOP, &small(Algorithm::Ppo, 1), threads(1)).unwrap();
    let (learner, weights) = (trainer.learner(), trainer.learner().weights().unwrap());
    let policy = Policy::load(&weights).unwrap();
    let origin = serde_json::to_string(&learner.origin()).unwrap();
    for onnx in [learner.onnx(), policy.onnx()] {
        // The key and the value of a property, each after its tag and length.
        let property = [
            b"\x0a\x07gym2600\x12".as_slice(),
            &varint(origin.len()),
            origin.as_bytes(),
        ]
        .concat();
        assert!(onnx.windows(property.len()).any(|window| window == property));
    }
}

/// A length as protocol buffers write it.
fn varint(mut number: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number >= 128 {
        bytes.push((number % 128) as u8 | 128);
        number /= 128;
    }
    bytes.push(number as u8);
    bytes
}

#[test]
fn an_evaluation_takes_other_options_than_trainings_and_names_them() {
    let mut trainer = Trainer::new(WALLOP, &small(Algorithm::Ppo, 1), threads(1)).unwrap();
    run(&mut trainer, 1);
    let weights = trainer.learner().weights().unwrap();
    let evaluation = |options: &GameOptions| {
        let policy = Policy::load(&weights).unwrap();
        Evaluation::new(policy, WALLOP, options, 1, Choice::Greedy)
    };
    assert!(evaluation(&small_options()).unwrap().differences().is_empty());
    let sticky = GameOptions {
        repeat_action_probability: Some(0.1),
        mode: Some(1),
        ..GameOptions::default()
    };
    let evaluated = evaluation(&sticky).unwrap();
    assert_eq!(
        serde_json::to_string(evaluated.differences()).unwrap(),
        r#"[{"option":"mode","theirs":null,"ours":1},{"option":"repeatActionProbability","theirs":null,"ours":0.1}]"#
    );
    // Sticky actions are a wrapper before those of the training.
    let [evaluated, trained] = [&sticky, &small_options()]
        .map(|options| serde_json::to_value(&evaluation(options).unwrap().options().wrappers).unwrap());
    let evaluated = evaluated.as_array().unwrap();
    assert_eq!(
        evaluated[0],
        serde_json::json!({"type": "StickyActions", "probability": 0.1_f32})
    );
    assert_eq!(&evaluated[1..], trained.as_array().unwrap());
    // Pictures of another size, and other actions.
    let other = GameOptions {
        preset: Some("gymnasium".to_owned()),
        ..GameOptions::default()
    };
    let refused = evaluation(&other).map(drop).unwrap_err().to_string();
    assert!(refused.starts_with("the weights are of input ["), "{refused}");
    let all_actions = GameOptions {
        full_action_space: Some(true),
        ..GameOptions::default()
    };
    let refused = evaluation(&all_actions).map(drop).unwrap_err().to_string();
    assert!(refused.starts_with("the weights are of action set NOOP"), "{refused}");
}

#[test]
fn a_run_knows_the_files_of_its_own_earlier_states() {
    const ENVS: usize = 8;
    let mut trainer = Trainer::new(WALLOP, &small(Algorithm::Ppo, 1), threads(1)).unwrap();
    run(&mut trainer, 1);
    let early = [
        trainer.checkpoint().unwrap(),
        trainer.learner().weights().unwrap(),
        trainer.learner().onnx(),
    ];
    let before = trainer.learner().origin();
    run(&mut trainer, 1);
    let now = trainer.learner().origin();
    let others = Trainer::new(WALLOP, &small(Algorithm::Ppo, 2), threads(1)).unwrap();
    for file in &early {
        assert!(now.is_earlier(ENVS, file) && before.is_earlier(ENVS, file));
        assert!(!others.learner().origin().is_earlier(ENVS, file));
    }
    assert!(!before.is_earlier(ENVS, &trainer.learner().onnx()));
    assert!(!now.is_earlier(ENVS, b"no weights"));
    let [checkpoint, ..] = &early;
    assert!(!now.is_earlier(2 * ENVS, checkpoint));
}

#[test]
fn the_actions_of_an_evaluation_play_its_game_again() {
    let mut trainer = Trainer::new(WALLOP, &small(Algorithm::Ppo, 1), threads(1)).unwrap();
    run(&mut trainer, 1);
    let policy = Policy::load(&trainer.learner().weights().unwrap()).unwrap();
    let options = GameOptions::default();
    let mut evaluation = Evaluation::new(policy, WALLOP, &options, 3, Choice::Sampled { seed: 3 }).unwrap();
    let played = evaluation.episode().unwrap();
    let mut game = Game::new(WALLOP, evaluation.options()).unwrap();
    game.restart(None).unwrap();
    let ends = evaluation
        .actions()
        .iter()
        .map(|action| game.advance(*action).unwrap().episode);
    assert_eq!(ends.last().unwrap(), Some(played));
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
