//! A policy that plays.

use std::fmt;

use gym2600_gym::{EpisodeSummary, Game, GameOptions};

use crate::card::PolicyCard;
use crate::device::{Device, Opened, Processor};
use crate::distribution::{choose, log_softmax};
use crate::environment::{Layout, training_options};
use crate::error::{Difference, LearnError};
use crate::game::{GameTraits, Play, Rom};
use crate::kernel::Arithmetic;
use crate::net::{Input, Pass, Plan, write_input};
use crate::origin::Origin;
use crate::random::Stream;

/// Names the streams of a policy's sampled actions.
const STREAM: u64 = 4;

/// Steps after which an episode of an evaluation is given up: as many as ALE's limit of frames.
const MAX_EPISODE_STEPS: u64 = 108_000;

/// How actions are taken from probabilities.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Choice {
    /// The most probable action, the first of equals.
    Greedy,
    /// Drawn with the probabilities, from the stream of a seed.
    Sampled {
        /// The seed.
        seed: u64,
    },
}

/// A policy's output for an observation.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    /// The action.
    pub action: u32,
    /// The probability of each action.
    pub probabilities: Vec<f64>,
    /// The sum of discounted clipped rewards that the critic expects.
    pub value: f32,
    /// The actor's outputs.
    pub logits: Vec<f32>,
}

/// Trained weights at play.
///
/// # Examples
/// ```
/// use gym2600_gym::Game;
/// use gym2600_learn::{Choice, Policy};
/// # use gym2600_learn::{Algorithm, Config, Learner};
/// # let rom = gym2600_arcade::WALLOP;
/// # let weights = Learner::new(rom, &Config::new(Algorithm::Ppo))?.weights()?;
///
/// let mut policy = Policy::load(&weights)?; // the bytes of a file of weights
/// let options = policy.environment(rom, &Default::default())?; // those that it was trained with
/// let mut game = Game::new(rom, &options)?;
/// let mut observation = vec![0; game.observation_len()];
/// game.reset(Some(1), &mut observation)?;
/// for _ in 0..10 {
///     let shape = &game.observation_space().shape;
///     let decision = policy.act(&observation, shape, Choice::Sampled { seed: 1 })?;
///     game.step(decision.action, &mut observation)?;
/// }
/// # Ok::<(), gym2600_learn::LearnError>(())
/// ```
pub struct Policy {
    pub(crate) pass: Pass,
    pub(crate) opened: Opened<PolicyCard>,
    pub(crate) parameters: Vec<f32>,
    origin: Option<Origin>,
    /// Decisions made: the place in the stream of a seed.
    decisions: u64,
}

impl fmt::Debug for Policy {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Policy")
            .field("origin", &self.origin)
            .field("decisions", &self.decisions)
            .finish_non_exhaustive()
    }
}

impl Policy {
    pub(crate) fn new(plan: Plan, parameters: &[f32], origin: Option<Origin>) -> Self {
        let mut pass = Pass::new(plan, Arithmetic::Exact);
        pass.set_parameters(parameters);
        Self {
            pass,
            opened: Opened::cpu(),
            parameters: parameters.to_vec(),
            origin,
            decisions: 0,
        }
    }

    /// Decides on a device from now on. A graphics card's outputs differ from the CPU's in their last digits.
    ///
    /// # Errors
    /// [`LearnError::Gpu`] if [`Device::Gpu`] asks for a card and there is none.
    pub fn set_device(&mut self, device: Device) -> Result<(), LearnError> {
        let (plan, parameters) = (self.pass.plan(), &self.parameters);
        self.opened = Opened::new(device, |device| PolicyCard::open(device, plan, parameters))?;
        Ok(())
    }

    /// Decides where another policy does from now on: on the card that it has opened, if it has one.
    ///
    /// # Errors
    /// [`LearnError::Gpu`] if [`Device::Gpu`] asked for the card and it has no room for another net.
    pub fn share_device(&mut self, other: &Self) -> Result<(), LearnError> {
        let (plan, parameters) = (self.pass.plan(), &self.parameters);
        self.opened = other.opened.shared(|card| card.share(plan, parameters))?;
        Ok(())
    }

    /// What computes the decisions. With [`Device::Auto`] it changes when a card is lost.
    pub fn processor(&self) -> &Processor {
        self.opened.processor()
    }

    /// What the weights were made for, where their file says so.
    pub fn origin(&self) -> Option<&Origin> {
        self.origin.as_ref()
    }

    /// The options of the games that the policy was trained in, defaults resolved. `options` stand for those of weights that name none.
    ///
    /// In a game with other options a policy of 100 points may play like chance, also where its observations have the same shape.
    ///
    /// # Errors
    /// [`LearnError::Misfit`] where the weights are of another ROM, action set or input; those of [`Rom::open`].
    pub fn environment<R: Rom + ?Sized>(&self, rom: &R, options: &GameOptions) -> Result<GameOptions, R::Error> {
        let options = training_options(rom, self.origin.as_ref().map_or(options, |origin| &origin.options))?;
        let traits = rom.traits(&options)?;
        self.check(&traits, Layout::of(&traits)?.input)?;
        Ok(options)
    }

    /// Decides on an observation of frames x height x width bytes, the oldest frame first. `shape` is the observation's: that of the
    /// game's observation space. A net of single pictures takes height x width too.
    ///
    /// # Errors
    /// [`LearnError::Observation`] for another shape, such as that of frames along the last axis, or another number of bytes;
    /// [`LearnError::NotFiniteOutput`]; [`LearnError::Gpu`].
    pub fn act(&mut self, observation: &[u8], shape: &[usize], choice: Choice) -> Result<Decision, LearnError> {
        let expected = self.shape();
        let fits = shape == expected || (expected[0] == 1 && shape == &expected[1..]);
        if !fits {
            return Err(self.unseen(&sizes(shape)));
        }
        self.decide(observation, choice)
    }

    /// The shape of the observations: frames, height and width.
    pub fn shape(&self) -> [usize; 3] {
        let Input { height, width, frames } = self.pass.plan().input;
        [frames, height, width]
    }

    /// The refusal of an observation.
    fn unseen(&self, what: &str) -> LearnError {
        let expected = sizes(&self.shape());
        LearnError::Observation {
            reason: format!(
                "{expected} bytes, the oldest picture first, not {what}: policy.environment(rom) gives the options of a game that fits"
            ),
        }
    }

    /// [`Policy::act`] on an observation of the right shape.
    fn decide(&mut self, observation: &[u8], choice: Choice) -> Result<Decision, LearnError> {
        let input = self.pass.plan().input;
        if observation.len() != input.pixels() * input.frames {
            return Err(self.unseen(&observation.len().to_string()));
        }
        let pictures: Vec<&[u8]> = observation.chunks_exact(input.pixels()).collect();
        let actions = self.pass.plan().actions;
        let outputs = self.outputs(&pictures)?;
        if !outputs.iter().all(|output| output.is_finite()) {
            return Err(LearnError::NotFiniteOutput);
        }
        let (logits, value) = (outputs[..actions].to_vec(), outputs[actions]);
        let logs = log_softmax(&logits);
        let action = match choice {
            Choice::Greedy => (0..actions).fold(
                0,
                |best, action| if logits[action] > logits[best] { action } else { best },
            ) as u32,
            Choice::Sampled { seed } => choose(&logs, Stream::new(&[seed, STREAM, self.decisions]).uniform()),
        };
        self.decisions += 1;
        Ok(Decision {
            action,
            probabilities: logs.iter().map(|log| libm::exp(*log)).collect(),
            value,
            logits,
        })
    }

    fn outputs(&mut self, pictures: &[&[u8]]) -> Result<Vec<f32>, LearnError> {
        if let Some(card) = &mut self.opened.card {
            match card.outputs(pictures) {
                Ok(outputs) => return Ok(outputs),
                Err(error) => self.opened.lose(error)?,
            }
        }
        write_input(pictures, self.pass.input(1));
        Ok(self.pass.forward().to_vec())
    }

    /// Refuses a game that the weights do not fit.
    fn check(&self, traits: &GameTraits, input: Input) -> Result<(), LearnError> {
        let plan = self.pass.plan();
        let actions = traits.actions.join(" ");
        if let Some(origin) = &self.origin {
            let theirs = format!("{} ({})", origin.game, origin.rom_md5);
            LearnError::misfit("game", theirs, format!("{} ({})", traits.rom, traits.md5))?;
            LearnError::misfit("action set", origin.actions.join(" "), actions)?;
        } else if plan.actions != traits.actions.len() {
            let ours = format!("{} ({actions})", traits.actions.len());
            LearnError::misfit("action set", plan.actions.to_string(), ours)?;
        }
        let [theirs, ours] =
            [plan.input, input].map(|input| format!("{:?}", [input.height, input.width, input.frames]));
        LearnError::misfit("input", theirs, ours)
    }
}

/// The lengths of axes as text.
fn sizes(shape: &[usize]) -> String {
    let lengths: Vec<String> = shape.iter().map(ToString::to_string).collect();
    lengths.join(" x ")
}

/// A policy in a game.
pub struct Evaluation<G = Game> {
    policy: Policy,
    game: G,
    layout: Layout,
    observation: Vec<u8>,
    stack: Vec<u8>,
    choice: Choice,
    options: GameOptions,
    differences: Vec<Difference>,
    /// Those of the last episode.
    actions: Vec<u32>,
}

impl<G> fmt::Debug for Evaluation<G> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Evaluation")
            .field("policy", &self.policy)
            .field("choice", &self.choice)
            .finish_non_exhaustive()
    }
}

impl<G: Play> Evaluation<G> {
    /// Makes a game as the policy was trained on, with its own seed. Each of `options` that is given takes the place of training's:
    /// [`Evaluation::differences`] has those that differ. All of them are for weights that name none.
    ///
    /// # Errors
    /// [`LearnError::Misfit`] where the weights are of another ROM, action set or input than the game's.
    pub fn new<R: Rom<Game = G, Error = G::Error> + ?Sized>(
        mut policy: Policy,
        rom: &R,
        options: &GameOptions,
        seed: u64,
        choice: Choice,
    ) -> Result<Self, G::Error> {
        let (options, differences) = match &policy.origin {
            Some(origin) => origin.options_with(options),
            None => (options.clone(), Vec::new()),
        };
        let options = GameOptions {
            seed: Some(seed),
            ..training_options(rom, &options)?
        };
        let mut game = rom.open(&options)?;
        let traits = game.traits();
        let layout = Layout::of(&traits)?;
        policy.check(&traits, layout.input)?;
        let mut observation = vec![0; traits.observation.len()];
        game.reset(&mut observation)?;
        policy.decisions = 0;
        Ok(Self {
            policy,
            stack: vec![0; observation.len()],
            game,
            layout,
            observation,
            choice,
            options,
            differences,
            actions: Vec::new(),
        })
    }

    /// What decides.
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// What computes the decisions.
    pub fn processor(&self) -> &Processor {
        self.policy.processor()
    }

    /// The options of the game, defaults resolved.
    pub fn options(&self) -> &GameOptions {
        &self.options
    }

    /// The options that differ from training's, with both values.
    pub fn differences(&self) -> &[Difference] {
        &self.differences
    }

    /// The actions of the last episode. Those of the first one play it again in a game with [`Evaluation::options`].
    pub fn actions(&self) -> &[u32] {
        &self.actions
    }

    /// Plays to the end of the game.
    ///
    /// # Errors
    /// Those of [`Play::step`] and [`Policy::act`]; [`LearnError::Endless`].
    pub fn episode(&mut self) -> Result<EpisodeSummary, G::Error> {
        self.actions.clear();
        for _ in 0..MAX_EPISODE_STEPS {
            let pixels = self.layout.input.pixels();
            for (number, frame) in self.stack.chunks_exact_mut(pixels).enumerate() {
                self.layout.frame(&self.observation, number, frame);
            }
            let action = self.policy.decide(&self.stack, self.choice)?.action;
            self.actions.push(action);
            if let Some(episode) = self.game.step(action, &mut self.observation)?.episode {
                return Ok(episode);
            }
        }
        let steps = MAX_EPISODE_STEPS;
        Err(LearnError::Endless { steps }.into())
    }
}
