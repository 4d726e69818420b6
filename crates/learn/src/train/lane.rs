//! One game of a run: what it has shown, and its steps of a rollout.
//!
//! A lane needs nothing of the others, so any thread may play it, and no result depends on which one does.

use gym2600_gym::EpisodeSummary;

use super::STREAM_ACTIONS;
use super::advantage::Steps;
use super::rollout::FrameStore;
use crate::distribution::{choose, log_softmax};
use crate::environment::Layout;
use crate::game::Play;
use crate::net::Pass;
use crate::random::Stream;

/// One game with what it has shown.
pub(crate) struct Lane<G> {
    pub(super) game: G,
    pub(crate) pictures: FrameStore,
    pub(super) observation: Vec<u8>,
    /// None where no rollout has begun, or the game has failed in it.
    rollout: Option<Rollout>,
}

/// One step, without its observation.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Played {
    pub(crate) action: u32,
    pub(crate) log_probability: f32,
}

/// By what the actions of a game's rollout are drawn.
#[derive(Debug, Clone, Copy)]
pub(super) struct Draws {
    pub(super) seed: u64,
    pub(super) update: u64,
    /// The game's number among all games of the run.
    pub(super) game: usize,
}

/// The steps of a game in a rollout.
pub(super) struct Rollout {
    draws: Draws,
    /// Steps of the whole rollout.
    length: usize,
    pub(super) played: Vec<Played>,
    rewards: Vec<f32>,
    ended: Vec<bool>,
    /// What the critic said before each step and after the last one.
    values: Vec<f32>,
    /// The games that ended, with the steps that ended them.
    pub(super) episodes: Vec<(usize, EpisodeSummary)>,
}

impl Rollout {
    /// What advantages are made of.
    pub(super) fn steps(&self) -> Steps<'_> {
        Steps {
            rewards: &self.rewards,
            ended: &self.ended,
            values: &self.values,
        }
    }
}

impl<G> Lane<G> {
    /// Begins a rollout of so many steps.
    pub(super) fn begin(&mut self, draws: Draws, length: usize) {
        self.pictures.keep_last();
        self.rollout = Some(Rollout {
            draws,
            length,
            played: Vec::with_capacity(length),
            rewards: Vec::with_capacity(length),
            ended: Vec::with_capacity(length),
            values: Vec::with_capacity(length + 1),
            episodes: Vec::new(),
        });
    }

    /// The step of the rollout that comes next, or that after the last one; none where no rollout has begun.
    pub(super) fn next(&self) -> Option<usize> {
        self.rollout.as_ref().map(|rollout| rollout.values.len())
    }

    /// The rollout, if all of it is played.
    pub(super) fn played(&self) -> Option<&Rollout> {
        self.rollout
            .as_ref()
            .filter(|rollout| rollout.values.len() > rollout.length)
    }
}

impl<G: Play> Lane<G> {
    /// Starts a game whose observations lie so.
    pub(super) fn start(mut game: G, layout: Layout, observation_len: usize) -> Result<Self, G::Error> {
        let mut observation = vec![0; observation_len];
        game.reset(&mut observation)?;
        let mut pictures = FrameStore::new(layout);
        pictures.push(&observation);
        Ok(Self {
            game,
            pictures,
            observation,
            rollout: None,
        })
    }

    /// Restores the state of a game, outside of a rollout.
    pub(super) fn restore(&mut self, state: &[u8], layout: Layout) -> Result<(), G::Error> {
        self.game.restore(state)?;
        self.game.observe(&mut self.observation)?;
        self.pictures = FrameStore::new(layout);
        self.pictures.push(&self.observation);
        self.rollout = None;
        Ok(())
    }

    /// Plays the next step with what a net gave for the observation. After the last step there is a value alone.
    pub(super) fn advance(&mut self, logits: &[f32], value: f32) -> Result<(), G::Error> {
        // Where the game fails, the rollout cannot go on.
        let mut rollout = self.rollout.take().expect("a rollout has begun");
        let step = rollout.values.len();
        rollout.values.push(value);
        if step < rollout.length {
            let Draws { seed, update, game } = rollout.draws;
            let name = [seed, STREAM_ACTIONS, update, step as u64, game as u64];
            let logs = log_softmax(logits);
            let action = choose(&logs, Stream::new(&name).uniform());
            let result = self.game.step(action, &mut self.observation)?;
            self.pictures.push(&self.observation);
            rollout.played.push(Played {
                action,
                log_probability: logs[action as usize] as f32,
            });
            rollout.rewards.push(sign(result.reward));
            rollout.ended.push(result.ended);
            rollout.episodes.extend(result.episode.map(|episode| (step, episode)));
        }
        self.rollout = Some(rollout);
        Ok(())
    }
}

/// Plays the rest of a rollout with the weights of a pass. Games that are behind the others play first.
pub(super) fn play<G: Play>(pass: &mut Pass, lanes: &mut [&mut Lane<G>]) -> Result<(), G::Error> {
    let actions = pass.plan().actions;
    let width = pass.plan().outputs();
    loop {
        let left = lanes.iter_mut().filter(|lane| lane.played().is_none());
        let mut left: Vec<_> = left.collect();
        let Some(step) = left.iter().filter_map(|lane| lane.next()).min() else {
            return Ok(());
        };
        left.retain(|lane| lane.next() == Some(step));
        let inputs = pass.input(left.len());
        let len = inputs.len() / left.len();
        for (lane, input) in left.iter().zip(inputs.chunks_exact_mut(len)) {
            lane.pictures.write(step, input);
        }
        for (lane, outputs) in left.into_iter().zip(pass.forward().chunks_exact(width)) {
            lane.advance(&outputs[..actions], outputs[actions])?;
        }
    }
}

/// A reward as the learner sees it.
fn sign(reward: f64) -> f32 {
    match reward {
        reward if reward > 0.0 => 1.0,
        reward if reward < 0.0 => -1.0,
        _ => 0.0,
    }
}
