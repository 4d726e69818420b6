//! Nets, optimizer and environments learn WALLOP from a teacher, without the noise of rewards: DAgger, S. Ross et al.,
//! <https://arxiv.org/abs/1011.0686>. The policy plays, and the teacher names the action that it would have taken.

use std::collections::VecDeque;

use gym2600_arcade::WALLOP;
use gym2600_gym::{Game, GameOptions};

use super::lane::Lane;
use super::optimizer::{Moments, clip_norm, norm};
use crate::config::{Algorithm, HyperParameters};
use crate::distribution::{choose, log_softmax};
use crate::environment::{Layout, training_options};
use crate::game::Play;
use crate::kernel::Arithmetic;
use crate::net::{Net, Pass, Plan, initial_parameters};
use crate::random::Stream;

const LANES: usize = 32;
const RATE: f64 = 1e-3;

const NOOP: u32 = 0;
const RIGHT: u32 = 2;
const LEFT: u32 = 3;

/// The action that brings the bat below the ball, from their places in WALLOP's RAM.
fn teacher(game: &Game) -> u32 {
    let ram = game.arcade().ram();
    let [ball, bat, width] = [0x08, 0x0A, 0x0B].map(|place| i32::from(ram[place]));
    match ball + 1 - (bat + width / 2) {
        distance if distance > 3 => RIGHT,
        distance if distance < -3 => LEFT,
        _ => NOOP,
    }
}

fn lane(number: usize) -> Lane<Game> {
    let options = GameOptions {
        seed: Some(number as u64),
        ..training_options(WALLOP, &GameOptions::default()).unwrap()
    };
    let game = Game::new(WALLOP, &options).unwrap();
    let layout = Layout::of(&game.traits()).unwrap();
    let observation_len = game.observation_len();
    Lane::start(game, layout, observation_len).unwrap()
}

/// The gradient of the mean cross-entropy between the policy and the teacher's actions, for the last forward pass.
fn gradient(pass: &mut Pass, outputs: &[f32], labels: &[u32], sums: &mut [f32]) {
    let (actions, width) = (pass.plan().actions, pass.plan().outputs());
    let rows = outputs.chunks_exact(width).zip(labels);
    for ((outputs, label), gradient) in rows.zip(pass.output_gradient().chunks_exact_mut(width)) {
        for (action, log) in log_softmax(&outputs[..actions]).iter().enumerate() {
            let chosen = f64::from(u8::from(action == *label as usize));
            gradient[action] = ((libm::exp(*log) - chosen) / labels.len() as f64) as f32;
        }
    }
    sums.fill(0.0);
    pass.backward(sums);
}

#[test]
fn imitating_a_ball_follower_scores_a_mean_of_100_within_150_000_steps() {
    let mut lanes: Vec<Lane<Game>> = (0..LANES).map(lane).collect();
    let layout = Layout::of(&lanes[0].game.traits()).unwrap();
    let plan = Plan::of(Net::Tiny, layout.input, lanes[0].game.action_count()).unwrap();
    let (actions, width) = (plan.actions, plan.outputs());
    let mut parameters = initial_parameters(&plan, 1);
    let hyper = HyperParameters::of(Algorithm::Ppo);
    let mut moments = Moments::new(hyper.optimizer, parameters.len());
    let mut sums = vec![0.0; parameters.len()];
    let mut pass = Pass::new(plan, Arithmetic::Exact);
    let mut stream = Stream::new(&[1]);
    let mut scores = VecDeque::new();
    let mut steps = 0;
    loop {
        pass.set_parameters(&parameters);
        for lane in &mut lanes {
            lane.pictures.keep_last();
        }
        let inputs = pass.input(LANES);
        let len = inputs.len() / LANES;
        for (lane, input) in lanes.iter().zip(inputs.chunks_exact_mut(len)) {
            lane.pictures.write(lane.pictures.len() - 1, input);
        }
        let outputs = pass.forward().to_vec();
        let labels: Vec<u32> = lanes.iter().map(|lane| teacher(&lane.game)).collect();
        gradient(&mut pass, &outputs, &labels, &mut sums);
        let length = norm(&sums);
        clip_norm(&mut sums, length, hyper.gradient_norm);
        moments.step(&hyper, RATE, &sums, &mut parameters);
        for (lane, outputs) in lanes.iter_mut().zip(outputs.chunks_exact(width)) {
            let action = choose(&log_softmax(&outputs[..actions]), stream.uniform());
            let result = lane.game.step(action, &mut lane.observation).unwrap();
            lane.pictures.push(&lane.observation);
            scores.extend(result.episode.map(|episode| episode.reward));
        }
        steps += LANES;
        while scores.len() > LANES {
            scores.pop_front();
        }
        let mean = scores.iter().sum::<f64>() / scores.len().max(1) as f64;
        if scores.len() == LANES && mean >= 100.0 {
            break;
        }
        assert!(steps < 150_000, "a mean of {mean} after {steps} steps");
    }
}
