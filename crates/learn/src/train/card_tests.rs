//! The graphics card's work beside the CPU's. Without hardware a program stands for the card: scripts/setup installs one.

#![allow(clippy::unwrap_used, reason = "a test fails where it panics")]

use gym2600_arcade::WALLOP;
use gym2600_learn_gpu::{Adapters, Card, Net as CardNet, Room, Sums, Training, Work};
use pollster::block_on;

use super::loss::{LossSums, Objective, Sample};
use super::{Execution, Learner, MinibatchAt, Trainer};
use crate::card::{TrainingCard, objective, shape};
use crate::config::{Algorithm, Config, HyperParameters};
use crate::device::{Device, Opened, Processor};
use crate::distribution::log_softmax;
use crate::error::LearnError;
use crate::kernel::Arithmetic;
use crate::net::{Input, Net, Pass, Plan, initial_parameters, write_input};
use crate::policy::{Choice, Policy};
use crate::random::Stream;

pub(super) const ALGORITHMS: [Algorithm; 2] = [Algorithm::Ppo, Algorithm::A2c];

/// Pictures whose bytes fill no whole words, in a stack that fills no whole words either.
const INPUT: Input = Input {
    height: 45,
    width: 39,
    frames: 3,
};
const BATCH: usize = 21;

/// A net with random parameters, on the CPU and on a card, and what both look at.
struct Example {
    pass: Pass,
    parameters: Vec<f32>,
    observations: Vec<Vec<u8>>,
}

impl Example {
    fn new(net: Net, seed: u64, batch: usize) -> Self {
        let plan = Plan::of(net, INPUT, 5).unwrap();
        let mut stream = Stream::new(&[seed]);
        let mut parameters = initial_parameters(&plan, seed);
        let heads = plan.layers.last().unwrap();
        let (at, outputs) = (heads.at, heads.outputs);
        for (place, parameter) in parameters.iter_mut().enumerate() {
            let is_padding = place >= at && (place - at) % outputs > plan.actions;
            if !is_padding {
                *parameter += 0.02 * stream.normal() as f32;
            }
        }
        let byte = |stream: &mut Stream| stream.below(256) as u8;
        let observation = |_| (0..INPUT.pixels() * INPUT.frames).map(|_| byte(&mut stream)).collect();
        let observations = (0..batch).map(observation).collect();
        let mut pass = Pass::new(plan, Arithmetic::Exact);
        pass.set_parameters(&parameters);
        Self {
            pass,
            parameters,
            observations,
        }
    }

    /// The CPU's outputs.
    fn outputs(&mut self) -> Vec<f32> {
        let batch = self.observations.len();
        let inputs = self.pass.input(batch);
        let len = inputs.len() / batch;
        for (observation, input) in self.observations.iter().zip(inputs.chunks_exact_mut(len)) {
            let pictures: Vec<&[u8]> = observation.chunks_exact(INPUT.pixels()).collect();
            write_input(&pictures, input);
        }
        self.pass.forward().to_vec()
    }

    fn show(&self, net: &mut CardNet) -> Vec<u32> {
        net.clear();
        net.set_parameters(&self.parameters).unwrap();
        let observations = self.observations.iter();
        let numbers = observations.map(|observation| {
            let pictures = observation.chunks_exact(INPUT.pixels());
            let places: Vec<u32> = pictures.map(|picture| net.add_picture(picture).unwrap()).collect();
            net.add_observation(&places).unwrap()
        });
        numbers.collect()
    }
}

fn card() -> Card {
    block_on(Card::open(Adapters::Any)).unwrap()
}

/// The norm of a difference by the norm of what is expected.
pub(super) fn error(found: &[f32], expected: &[f32]) -> f64 {
    assert_eq!(found.len(), expected.len());
    let norm = |values: &mut dyn Iterator<Item = f64>| values.map(|value| value * value).sum::<f64>().sqrt();
    let pairs = found.iter().zip(expected);
    let difference = norm(&mut pairs.map(|(a, b)| f64::from(*a) - f64::from(*b)));
    let length = norm(&mut expected.iter().map(|value| f64::from(*value)));
    if difference == 0.0 { 0.0 } else { difference / length }
}

/// Random steps near what a net gives now, with some ratios beyond PPO's bound.
fn samples(outputs: &[f32], width: usize, actions: usize) -> Vec<Sample> {
    let mut stream = Stream::new(&[11]);
    let rows = outputs.chunks_exact(width);
    let sample = |outputs: &[f32]| {
        let action = stream.below(actions);
        let value = outputs[actions] + 0.3 * stream.normal() as f32;
        let advantage = f64::from(stream.normal() as f32);
        Sample {
            action: action as u32,
            log_probability: (log_softmax(&outputs[..actions])[action] + 0.3 * stream.normal()) as f32,
            value,
            advantage,
            target: f64::from(advantage as f32 + value),
        }
    };
    rows.map(sample).collect()
}

fn card_settings(hyper: &HyperParameters) -> gym2600_learn_gpu::Settings {
    gym2600_learn_gpu::Settings {
        slot: 0,
        mean: 0.0,
        scale: 1.0,
        clip: hyper.clip as f32,
        entropy: hyper.entropy as f32,
        value: hyper.value as f32,
        bound: hyper.gradient_norm as f32,
        rate: 0.0,
        correction: 1.0,
        epsilon: 1.0,
    }
}

/// The CPU's gradient and losses for samples.
fn expected(example: &mut Example, objective: Objective<'_>, samples: &[Sample]) -> (Vec<f32>, LossSums) {
    let outputs = example.outputs();
    let width = example.pass.plan().outputs();
    let mut sums = LossSums::default();
    let rows = outputs.chunks_exact(width).zip(samples);
    let gradients = example.pass.output_gradient().chunks_exact_mut(width);
    for ((outputs, sample), gradient) in rows.zip(gradients) {
        objective.sample(sample, outputs, &mut sums, gradient);
    }
    let mut gradient = vec![0.0; example.parameters.len()];
    example.pass.backward(&mut gradient);
    (gradient, sums)
}

/// Compares a net's outputs, losses and the gradient of every tensor for a batch with the CPU's.
fn compare(card: &Card, net: Net, batch: usize, hyper: &HyperParameters, algorithm: Algorithm) {
    let mut example = Example::new(net, 3, batch);
    let room = Room {
        batch,
        observations: batch,
    };
    let plan = example.pass.plan().clone();
    let work = Work {
        shape: shape(&plan),
        room,
        objective: objective(algorithm, hyper),
    };
    let mut training = Training::new(card, &work).unwrap();
    let numbers = example.show(&mut training.net);
    let outputs = block_on(training.net.forward(&numbers)).unwrap();
    let on_cpu = example.outputs();
    let difference = error(&outputs, &on_cpu);
    assert!(difference < 1e-5, "{net}: outputs differ by {difference}");

    let samples = samples(&on_cpu, plan.outputs(), plan.actions);
    let steps = samples.iter().flat_map(|sample| {
        let step = gym2600_learn_gpu::Step {
            action: sample.action,
            log_probability: sample.log_probability,
            value: sample.value,
            advantage: sample.advantage as f32,
            target: sample.target as f32,
        };
        step.bits()
    });
    training.set_steps(&steps.collect::<Vec<_>>()).unwrap();
    let settings = card_settings(hyper).bits(batch);
    let (gradient, totals) = block_on(training.gradient(&numbers, settings)).unwrap();
    let sums = Sums::of(&totals)[0];
    let of_cpu = Objective {
        algorithm,
        hyper,
        actions: plan.actions,
        count: batch,
    };
    let (expected, losses) = expected(&mut example, of_cpu, &samples);
    for (number, layer) in plan.layers.iter().enumerate() {
        for tensor in [layer.at..layer.bias(), layer.bias()..layer.end()] {
            let difference = error(&gradient[tensor.clone()], &expected[tensor]);
            assert!(difference < 1e-4, "{net}, {algorithm}, layer {number}: {difference}");
        }
    }
    for (found, expected) in sums.losses.into_iter().zip(losses.to_array()) {
        assert!(
            (f64::from(found) - expected).abs() < 1e-4 * expected.abs().max(1.0),
            "{found} {expected}"
        );
    }
    assert!(error(&[sums.norm], &[super::optimizer::norm(&expected) as f32]) < 1e-4);
}

#[test]
fn outputs_losses_and_the_gradient_of_every_tensor_are_those_of_the_cpu() {
    let card = card();
    for net in Net::ALL {
        for (algorithm, clip_value) in [(Algorithm::Ppo, false), (Algorithm::Ppo, true), (Algorithm::A2c, false)] {
            let hyper = HyperParameters {
                clip_value,
                ..HyperParameters::of(algorithm)
            };
            compare(&card, net, BATCH, &hyper, algorithm);
        }
    }
}

#[test]
fn a_large_batch_whose_sums_have_sections_has_the_gradient_of_the_cpu() {
    compare(
        &card(),
        Net::Tiny,
        600,
        &HyperParameters::of(Algorithm::Ppo),
        Algorithm::Ppo,
    );
}

/// A run on pictures of 44 x 44, the least that all nets can look at and some more.
pub(super) fn small(net: Net, algorithm: Algorithm) -> Config {
    let options = r#"{"wrappers": [
        {"type": "SkipFrames", "n": 4},
        "EpisodicLife",
        {"type": "ImagePreprocessing", "width": 44, "height": 44},
        {"type": "QueueFrames", "n": 4}
    ]}"#;
    let mut config = Config {
        net,
        seed: 3,
        envs: 8,
        options: serde_json::from_str(options).unwrap(),
        ..Config::new(algorithm)
    };
    if algorithm == Algorithm::Ppo {
        config.hyper_parameters.rollout = 8;
        config.hyper_parameters.minibatches = 2;
        config.hyper_parameters.epochs = 2;
    }
    config
}

pub(super) fn on(device: Device) -> Execution {
    Execution {
        device,
        ..Execution::default()
    }
}

pub(super) fn trainer(config: &Config, device: Device) -> Trainer {
    Trainer::new(WALLOP, config, on(device)).unwrap()
}

#[test]
fn a_whole_update_changes_the_parameters_as_on_the_cpu() {
    for net in Net::ALL {
        for algorithm in ALGORITHMS {
            let mut config = small(net, algorithm);
            // Twice the steps of PPO's update.
            config.hyper_parameters.warmup_steps = 128;
            let [mut cpu, mut gpu] = [Device::Cpu, Device::Gpu].map(|device| trainer(&config, device));
            let before = cpu.learner().parameters().to_vec();
            let [expected, found] = [cpu.update().unwrap(), gpu.update().unwrap()];
            let change = |trainer: &Trainer| -> Vec<f32> {
                let after = trainer.learner().parameters().iter();
                after.zip(&before).map(|(after, before)| after - before).collect()
            };
            let difference = error(&change(&gpu), &change(&cpu));
            assert!(difference < 1e-2, "{net}, {algorithm}: {difference}");
            assert_eq!(
                (found.steps, found.episodes, found.reward),
                (expected.steps, expected.episodes, expected.reward)
            );
            for (found, expected) in [
                (found.entropy, expected.entropy),
                (found.policy_loss, expected.policy_loss),
                (found.value_loss, expected.value_loss),
                (found.gradient_norm, expected.gradient_norm),
            ] {
                assert!(
                    (found - expected).abs() < 1e-3 * expected.abs().max(1.0),
                    "{found} {expected}"
                );
            }
        }
    }
}

#[test]
fn the_same_card_and_seed_give_the_same_bits() {
    for algorithm in ALGORITHMS {
        let weights = [1, 8].map(|threads| {
            let execution = Execution {
                threads,
                ..on(Device::Gpu)
            };
            let mut trainer = Trainer::new(WALLOP, &small(Net::Tiny, algorithm), execution).unwrap();
            let updates = [trainer.update().unwrap(), trainer.update().unwrap()];
            (updates, trainer.learner().weights().unwrap())
        });
        assert_eq!(weights[0], weights[1]);
    }
}

/// A run that takes a lost card as `auto` does. Without hardware `auto` would not have opened one.
fn automatic(config: &Config) -> Trainer {
    let mut trainer = trainer(config, Device::Gpu);
    trainer.opened.device = Device::Auto;
    trainer
}

fn lose_card(trainer: &Trainer) {
    trainer.opened.card.as_ref().unwrap().training.net.card().destroy();
}

pub(super) fn is_lost(processor: &Processor) -> bool {
    matches!(processor, Processor::Cpu { reason: Some(reason) } if reason.starts_with("the graphics card was lost: "))
}

#[test]
fn a_run_whose_card_is_lost_while_it_plays_goes_on_on_the_cpu_from_the_last_update() {
    for algorithm in ALGORITHMS {
        let mut run = automatic(&small(Net::Tiny, algorithm));
        run.update().unwrap();
        let mut expected = Trainer::resume(WALLOP, &run.checkpoint().unwrap(), on(Device::Cpu)).unwrap();
        lose_card(&run);
        assert_eq!(run.update().unwrap(), expected.update().unwrap());
        assert!(is_lost(run.processor()), "{}", run.processor());
        assert_eq!(run.update().unwrap(), expected.update().unwrap());
        assert_eq!(run.checkpoint().unwrap(), expected.checkpoint().unwrap());
    }
}

#[test]
fn a_run_whose_card_is_lost_while_it_learns_learns_the_whole_update_on_the_cpu() {
    let config = small(Net::Tiny, Algorithm::Ppo);
    for steps in 0..4 {
        let mut run = automatic(&config);
        run.play().unwrap();
        let all = run.learner().minibatches();
        for at in &all[..steps] {
            run.step(*at).unwrap();
        }
        lose_card(&run);
        for at in &all[steps..] {
            run.step(*at).unwrap();
        }
        let update = run.finish().unwrap();
        assert!(is_lost(run.processor()), "{}", run.processor());
        let mut whole = trainer(&config, Device::Cpu);
        let expected = whole.update().unwrap();
        assert!((update.gradient_norm - expected.gradient_norm).abs() < 1e-3 * expected.gradient_norm);
        let (found, expected) = (run.learner().parameters(), whole.learner().parameters());
        assert!(error(found, expected) < 1e-3);
    }
}

#[test]
fn a_card_that_was_named_and_is_lost_is_an_error_with_the_reason() {
    let mut run = trainer(&small(Net::Tiny, Algorithm::Ppo), Device::Gpu);
    run.play().unwrap();
    lose_card(&run);
    let at = MinibatchAt { epoch: 0, minibatch: 0 };
    for refused in [run.step(at).unwrap_err(), run.play().unwrap_err()] {
        assert!(matches!(&refused, LearnError::Gpu { reason } if reason.starts_with("the graphics card was lost: ")));
    }
}

#[test]
fn auto_computes_on_the_cpu_and_says_why_where_there_is_no_hardware() {
    let config = small(Net::Tiny, Algorithm::Ppo);
    let opened = trainer(&config, Device::Auto);
    match block_on(Card::open(Adapters::Hardware)) {
        Ok(card) => assert_eq!(opened.processor().to_string(), format!("GPU: {}", card.name())),
        Err(error) => {
            assert_eq!(opened.processor().to_string(), format!("CPU: {error}"));
            let mut runs = [opened, trainer(&config, Device::Cpu)];
            let updates = runs.each_mut().map(|run| run.update().unwrap());
            assert_eq!(updates[0], updates[1]);
        }
    }
}

#[test]
fn a_run_that_does_not_fit_a_card_is_refused_by_what_does_not_fit() {
    let input = Input {
        height: 256,
        width: 256,
        frames: 16,
    };
    let plan = Plan::of(Net::Nature, input, 18).unwrap();
    let room = Room {
        batch: 4096,
        observations: 1 << 17,
    };
    let refused = CardNet::new(&card(), &shape(&plan), room).unwrap_err().to_string();
    assert!(
        refused.starts_with("the pictures would take 8589934592 bytes"),
        "{refused}"
    );
}

#[test]
fn auto_computes_a_run_that_does_not_fit_the_card_on_the_cpu_and_says_why() {
    let options = r#"{"wrappers": [
        {"type": "ImagePreprocessing", "width": 256, "height": 256},
        {"type": "QueueFrames", "n": 4}
    ]}"#;
    let mut config = small(Net::Tiny, Algorithm::Ppo);
    config.options = serde_json::from_str(options).unwrap();
    config.hyper_parameters.rollout = 1 << 14;
    config.hyper_parameters.minibatches = 32;
    let learner = Learner::new(WALLOP, &config).unwrap();
    // Without hardware `auto` would have opened none.
    let opened = Opened::new(Device::Auto, |_| TrainingCard::open(Device::Gpu, &learner)).unwrap();
    assert!(opened.card.is_none());
    let processor = opened.processor().to_string();
    assert!(processor.starts_with("CPU: the pictures would take 8"), "{processor}");
}

#[test]
fn a_policy_decides_on_a_card_as_on_the_cpu() {
    let trainer = trainer(&small(Net::Tiny, Algorithm::Ppo), Device::Cpu);
    let weights = trainer.learner().weights().unwrap();
    let mut stream = Stream::new(&[5]);
    let observation: Vec<u8> = (0..44 * 44 * 4).map(|_| stream.below(256) as u8).collect();
    let [cpu, gpu] = [Device::Cpu, Device::Gpu].map(|device| {
        let mut policy = Policy::load(&weights).unwrap();
        policy.set_device(device).unwrap();
        assert_eq!(
            matches!(policy.processor(), Processor::Gpu { .. }),
            device == Device::Gpu
        );
        policy.act(&observation, &[4, 44, 44], Choice::Greedy).unwrap()
    });
    assert_eq!(cpu.action, gpu.action);
    assert!(error(&gpu.logits, &cpu.logits) < 1e-4 && error(&[gpu.value], &[cpu.value]) < 1e-4);
}

#[test]
fn policies_share_a_card() {
    let weights = trainer(&small(Net::Tiny, Algorithm::Ppo), Device::Cpu)
        .learner()
        .weights()
        .unwrap();
    let [mut first, mut second] = [(); 2].map(|()| Policy::load(&weights).unwrap());
    first.set_device(Device::Gpu).unwrap();
    second.share_device(&first).unwrap();
    assert_eq!(second.processor(), first.processor());
    let observation = vec![7; 44 * 44 * 4];
    let decisions =
        [&mut first, &mut second].map(|policy| policy.act(&observation, &[4, 44, 44], Choice::Greedy).unwrap());
    assert_eq!(decisions[0].logits, decisions[1].logits);
    // What ends the one card ends both.
    first.opened.card.as_ref().unwrap().net.card().destroy();
    assert!(matches!(
        second.act(&observation, &[4, 44, 44], Choice::Greedy),
        Err(LearnError::Gpu { .. })
    ));
}

#[test]
fn a_gradient_between_the_steps_of_an_update_changes_none_of_its_results() {
    let config = small(Net::Tiny, Algorithm::Ppo);
    let [mut run, mut expected] = [(); 2].map(|()| trainer(&config, Device::Gpu));
    run.play().unwrap();
    let steps = run.learner().minibatches();
    for at in &steps {
        run.step(*at).unwrap();
        run.gradient(steps[0]).unwrap();
    }
    assert_eq!(run.finish().unwrap(), expected.update().unwrap());
}
