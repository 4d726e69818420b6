//! Batches: how they relate to single games, and what they refuse.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use gym2600_gym::{AutoresetMode, Game, GameOptions, GymError, Info, Seeds, StepRecord, VectorEnv, VectorOptions};

const WALLOP: &[u8] = gym2600_arcade::WALLOP;

fn options(json: &str) -> GameOptions {
    serde_json::from_str(json).unwrap()
}

fn vector(json: &str, num_envs: usize, seeds: Option<Seeds>) -> Result<VectorEnv, GymError> {
    VectorEnv::new(
        WALLOP,
        &VectorOptions {
            game: options(json),
            num_envs,
            seeds,
        },
    )
}

#[test]
fn a_batch_equals_its_environments_one_by_one() {
    let mut envs = vector(r#"{"preset": "envpool"}"#, 3, Some(Seeds::Number(4))).unwrap();
    let len = envs.observations_len() / 3;
    let mut observations = vec![0; len * 3];
    let mut infos = [Info::default(); 3];
    let mut steps = [StepRecord::default(); 3];
    envs.reset(None, None, &mut observations, &mut infos).unwrap();
    let mut singles: Vec<Game> = (4..7)
        .map(|seed| {
            Game::new(
                WALLOP,
                &options(&format!("{{\"preset\": \"envpool\", \"seed\": {seed}}}")),
            )
            .unwrap()
        })
        .collect();
    let mut single = vec![0; len];
    for game in &mut singles {
        game.reset(None, &mut single).unwrap();
    }
    for number in 0..400_u32 {
        let actions = [number % 3, (number / 5) % 3, 0];
        envs.step(&actions, &mut observations, &mut steps).unwrap();
        for (lane, game) in singles.iter_mut().enumerate() {
            assert_eq!(game.step(actions[lane], &mut single).unwrap(), steps[lane]);
            assert!(
                single == observations[lane * len..][..len],
                "lane {lane} differs in step {number}"
            );
        }
    }
}

#[test]
fn without_autoreset_a_mask_says_which_environments_start_again() {
    let json = r#"{"wrappers": ["SkipFrames", {"type": "TimeLimit", "steps": 2}], "autoreset": "disabled"}"#;
    let mut envs = vector(json, 2, None).unwrap();
    assert_eq!(envs.autoreset(), AutoresetMode::Disabled);
    let mut observations = vec![0; envs.observations_len()];
    let mut infos = [Info::default(); 2];
    let mut steps = [StepRecord::default(); 2];
    envs.reset(None, None, &mut observations, &mut infos).unwrap();
    envs.step(&[0, 0], &mut observations, &mut steps).unwrap();
    envs.reset(None, Some(&[true, false]), &mut observations, &mut infos)
        .unwrap();
    envs.step(&[0, 0], &mut observations, &mut steps).unwrap();
    assert_eq!(steps.map(|step| step.truncated), [false, true]);
    let before = observations.clone();
    let refused = envs.step(&[0, 0], &mut observations, &mut steps).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "environment 1: the episode has ended: reset the environment before the next step"
    );
    assert!(before == observations, "a refused batch moved");
}

#[test]
fn wrong_batches_are_refused_with_both_numbers() {
    let seeds = Some(Seeds::List(vec![1, 2, 3]));
    let refused = vector("{}", 2, seeds).unwrap_err().to_string();
    assert_eq!(
        refused,
        "option seed: seed has length 3 but must have length equal to numEnvs which is 2"
    );
    for num_envs in [0, 10_001, usize::MAX] {
        let refused = vector("{}", num_envs, None).unwrap_err().to_string();
        assert_eq!(refused, format!("option numEnvs: {num_envs} is not from 1 to 10000"));
    }
    let mut envs = vector("{}", 2, None).unwrap();
    assert_eq!(envs.autoreset(), AutoresetMode::NextStep);
    let mut observations = vec![0; envs.observations_len()];
    envs.reset(None, None, &mut observations, &mut [Info::default(); 2])
        .unwrap();
    let refused = envs
        .step(&[0], &mut observations, &mut [StepRecord::default(); 2])
        .unwrap_err();
    assert_eq!(refused.to_string(), "1 actions were given for 2 environments");
    let refused = envs
        .step(&[0, 99], &mut observations, &mut [StepRecord::default(); 2])
        .unwrap_err();
    assert!(
        refused
            .to_string()
            .starts_with("environment 1: action 99 is out of range")
    );
}

#[test]
fn buffers_of_another_length_are_refused_and_no_environment_steps() {
    let mut envs = vector("{}", 2, None).unwrap();
    let len = envs.observations_len();
    let mut observations = vec![0; len];
    let (mut infos, mut steps) = ([Info::default(); 2], [StepRecord::default(); 2]);
    for given in [len - 1, len + 1] {
        let refused = envs.reset(None, None, &mut vec![0; given], &mut infos);
        assert!(
            matches!(refused, Err(GymError::Buffer { given: found, needed }) if (found, needed) == (given, len)),
            "{refused:?}"
        );
    }
    envs.reset(None, None, &mut observations, &mut infos).unwrap();
    assert!(envs.step(&[0, 0], &mut observations[1..], &mut steps).is_err());
}

#[test]
fn a_list_of_seeds_gives_each_environment_its_own_and_old_gyms_one_number_all_the_same() {
    let first = |json: &str, seeds: Seeds| {
        let mut envs = vector(json, 2, Some(seeds)).unwrap();
        let mut observations = vec![0; envs.observations_len()];
        let mut infos = [Info::default(); 2];
        envs.reset(None, None, &mut observations, &mut infos).unwrap();
        let mut steps = [StepRecord::default(); 2];
        for number in 0..60 {
            envs.step(&[number % 3; 2], &mut observations, &mut steps).unwrap();
        }
        let (one, other) = observations.split_at(observations.len() / 2);
        [one.to_vec(), other.to_vec()]
    };
    let envpool = r#"{"preset": "envpool"}"#;
    let numbers = first(envpool, Seeds::Number(5));
    assert!(numbers[0] != numbers[1]);
    assert!(numbers == first(envpool, Seeds::List(vec![5, 6])));
    let [one, other] = first(r#"{"preset": "nature-dqn"}"#, Seeds::Number(5));
    assert!(one == other);
}
