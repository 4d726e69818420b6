//! The measured consoles and environments.

use gym2600_arcade::{Action, Arcade, Drawing, Settings};
use gym2600_gym::{Game, GameOptions, Info, StepRecord, VectorEnv, VectorOptions};
use gym2600_learn::{Execution, Trainer, TrainingOptions};

use super::{Measure, Refusal, Target, rom};

/// The measured preset. Its reference is ALE's vector environment.
pub(super) const PRESET: &str = "ale-vector";

/// Random numbers before they repeat.
const DRAWS: usize = 1 << 16;

/// Random numbers, the same for every competitor, drawn before the measurement.
pub(super) struct Draws {
    numbers: Vec<u32>,
    next: usize,
}

impl Draws {
    pub(super) fn new() -> Self {
        let mut state = 1_u32;
        let numbers = (0..DRAWS)
            .map(|_| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                state >> 16
            })
            .collect();
        Self { numbers, next: 0 }
    }

    /// A number below `count`.
    pub(super) fn below(&mut self, count: usize) -> usize {
        let number = self.numbers[self.next % DRAWS] as usize;
        self.next += 1;
        number % count
    }
}

/// The totals of a measurement.
#[derive(Debug, Default)]
pub(super) struct Played {
    pub(super) done: u64,
    pub(super) reward: f64,
    pub(super) episodes: u64,
}

/// A console or environments, and their actions.
pub(super) struct Subject {
    draws: Draws,
    kind: Kind,
}

enum Kind {
    Console {
        arcade: Box<Arcade>,
        actions: Vec<Action>,
        /// The buffer for the screen. Without one frames are not drawn.
        screen: Option<Vec<u8>>,
    },
    Game {
        game: Box<Game>,
        observation: Vec<u8>,
    },
    Vector {
        envs: VectorEnv,
        actions: Vec<u32>,
        observations: Vec<u8>,
        steps: Vec<StepRecord>,
    },
    Run(Box<Trainer>),
}

impl Subject {
    pub(super) fn new(target: &Target) -> Result<Self, Refusal> {
        let kind = match target.measure {
            Measure::Frames | Measure::Hidden => console(target)?,
            Measure::Vector => vector(target)?,
            Measure::Train => run(target)?,
            _ => {
                let (game, observation) = fresh_game(&rom(&target.rom)?, PRESET)?;
                Kind::Game {
                    game: Box::new(game),
                    observation,
                }
            }
        };
        let draws = Draws::new();
        Ok(Self { draws, kind })
    }

    /// Plays a frame or a step of each environment, or makes an update of a run.
    pub(super) fn play(&mut self, played: &mut Played) -> Result<(), Refusal> {
        let Self { draws, kind } = self;
        match kind {
            Kind::Console {
                arcade,
                actions,
                screen,
            } => {
                let action = actions[draws.below(actions.len())];
                let drawing = match screen {
                    Some(_) => Drawing::Immediate,
                    None => Drawing::OnDemand,
                };
                played.reward += f64::from(arcade.act(action, drawing));
                played.done += 1;
                if let Some(screen) = screen {
                    screen.copy_from_slice(arcade.screen());
                }
                if arcade.game_over() {
                    played.episodes += 1;
                    arcade.reset_game();
                }
            }
            Kind::Game { game, observation } => {
                let action = draws.below(game.action_count()) as u32;
                played.count(&game.step(action, observation)?);
            }
            Kind::Vector {
                envs,
                actions,
                observations,
                steps,
            } => {
                let count = envs.action_count();
                for action in actions.iter_mut() {
                    *action = draws.below(count) as u32;
                }
                envs.step(actions, observations, steps)?;
                for step in steps.iter() {
                    played.count(step);
                }
            }
            Kind::Run(trainer) => {
                let before = trainer.learner().steps();
                let update = trainer.update()?;
                played.done += update.steps - before;
                played.reward = update.reward.unwrap_or(0.0);
                played.episodes = update.episodes;
            }
        }
        Ok(())
    }
}

impl Played {
    fn count(&mut self, step: &StepRecord) {
        self.done += 1;
        self.reward += step.reward;
        self.episodes += u64::from(step.terminated || step.truncated);
    }
}

fn console(target: &Target) -> Result<Kind, Refusal> {
    let settings = Settings {
        repeat_action_probability: 0.0,
        ..Settings::default()
    };
    let mut arcade = Arcade::load(&rom(&target.rom)?, &settings)?;
    arcade.reset_game();
    let known = |&number: &u32| Action::ALL.get(number as usize).copied();
    let actions: Vec<Action> = target.actions.iter().filter_map(known).collect();
    if actions.is_empty() || actions.len() < target.actions.len() {
        return Err(format!(
            "a console is played with actions from 0 to 17, not with {:?}",
            target.actions
        )
        .into());
    }
    let screen = (target.measure == Measure::Frames).then(|| arcade.screen().to_vec());
    Ok(Kind::Console {
        arcade: Box::new(arcade),
        actions,
        screen,
    })
}

fn vector(target: &Target) -> Result<Kind, Refusal> {
    let options = VectorOptions {
        game: options(PRESET),
        num_envs: target.envs,
        seeds: None,
    };
    let mut envs = VectorEnv::new(&rom(&target.rom)?, &options)?;
    let mut observations = vec![0; envs.observations_len()];
    let mut infos = vec![Info::default(); target.envs];
    envs.reset(None, None, &mut observations, &mut infos)?;
    Ok(Kind::Vector {
        envs,
        actions: vec![0; target.envs],
        observations,
        steps: vec![StepRecord::default(); target.envs],
    })
}

/// A run that learns.
fn run(target: &Target) -> Result<Kind, Refusal> {
    let options = TrainingOptions {
        algorithm: Some(target.algorithm),
        net: Some(target.net),
        num_envs: (target.envs > 0).then_some(target.envs),
        hyper_parameters: target.settings.clone(),
        ..TrainingOptions::default()
    };
    let execution = Execution {
        threads: target.threads,
        ..Execution::default()
    };
    let trainer = Trainer::new(&rom(&target.rom)?, &options.config()?, execution)?;
    Ok(Kind::Run(Box::new(trainer)))
}

/// A game of a preset after its first reset, and its observation.
pub(super) fn fresh_game(rom: &[u8], preset: &str) -> Result<(Game, Vec<u8>), Refusal> {
    let mut game = Game::new(rom, &options(preset))?;
    let mut observation = vec![0; game.observation_len()];
    game.reset(None, &mut observation)?;
    Ok((game, observation))
}

fn options(preset: &str) -> GameOptions {
    GameOptions {
        preset: Some(preset.to_owned()),
        seed: Some(0),
        ..GameOptions::default()
    }
}
