//! `gym2600 rollout`: what an agent gets from a preset, step by step.
//!
//! The first line is the reset's (step 0), and then there is one for each step. A preset whose episodes do not restart by
//! themselves is reset after an end without a line of its own: the next line is the new episode's first step.

use std::io::Write;

use clap::Args;
use gym2600_arcade::GameDefinition;
use gym2600_gym::spec::Seeding;
use gym2600_gym::{Game, GameOptions, Info, Step};

use crate::actions;
use crate::error::CliError;
use crate::lines::{self, RolloutEntry};
use crate::load;

#[derive(Args)]
pub(crate) struct RolloutArguments {
    /// The ROM file.
    rom: String,
    /// The actions: indices into the preset's action set, one a line (- reads the standard input).
    actions: String,
    /// The environment: labml, nature-dqn, gymnasium, ale-vector, envpool, baselines or gym2600.
    #[arg(long, value_name = "NAME")]
    preset: String,
    /// Seed of the environment; with --envs the others count up from it where the preset's package does so.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Number of environments: the actions are dealt to them in turn, and every value is an array.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    envs: Option<u32>,
    /// Definition of the game (TOML), for a ROM that the catalogue lacks.
    #[arg(long, value_name = "FILE")]
    game: Option<String>,
}

pub(crate) fn run(arguments: &RolloutArguments, output: &mut impl Write) -> Result<(), CliError> {
    let rom = load::rom(&arguments.rom)?;
    let mut lanes = lanes(arguments, &rom)?;
    let actions = actions::read(&arguments.actions, lanes[0].game.action_count())?;
    if !actions.len().is_multiple_of(lanes.len()) {
        return Err(CliError::UnevenDeal {
            path: arguments.actions.clone(),
            actions: actions.len(),
            environments: lanes.len(),
        });
    }
    let mut print = |entries: &[RolloutEntry]| match arguments.envs {
        Some(_) => lines::write_rollout_vector(output, entries),
        None => lines::write_rollout(output, &entries[0]),
    };
    let mut entries = Vec::with_capacity(lanes.len());
    for lane in &mut lanes {
        entries.push(lane.reset()?);
    }
    print(&entries)?;
    for (index, dealt) in actions.chunks_exact(lanes.len()).enumerate() {
        entries.clear();
        for (lane, &action) in lanes.iter_mut().zip(dealt) {
            entries.push(lane.step(index + 1, action)?);
        }
        print(&entries)?;
    }
    Ok(())
}

fn lanes(arguments: &RolloutArguments, rom: &[u8]) -> Result<Vec<Lane>, CliError> {
    let definition = match &arguments.game {
        Some(path) => {
            let text = load::definition_text(path)?;
            // Refused here, a mistake is reported with the file's name.
            GameDefinition::from_toml(&text, path)?;
            Some(text)
        }
        None => None,
    };
    let options = GameOptions {
        preset: Some(arguments.preset.clone()),
        seed: Some(arguments.seed),
        game: definition,
        ..GameOptions::default()
    };
    let mut lanes = vec![Lane::new(rom, &options)?];
    for number in 1..u64::from(arguments.envs.unwrap_or(1)) {
        let seed = match lanes[0].game.spec().seeding {
            // The notebook gives every environment of a batch the same seed.
            Seeding::Gym => arguments.seed,
            _ => arguments.seed.saturating_add(number),
        };
        lanes.push(Lane::new(
            rom,
            &GameOptions {
                seed: Some(seed),
                ..options.clone()
            },
        )?);
    }
    Ok(lanes)
}

/// An environment with the buffer for its observations.
struct Lane {
    game: Game,
    observation: Vec<u8>,
    /// The episode has ended, and the environment waits for a reset.
    ended: bool,
}

impl Lane {
    fn new(rom: &[u8], options: &GameOptions) -> Result<Self, CliError> {
        let game = Game::new(rom, options)?;
        let observation = vec![0; game.observation_len()];
        Ok(Self {
            game,
            observation,
            ended: false,
        })
    }

    fn reset(&mut self) -> Result<RolloutEntry, CliError> {
        let Info { lives, .. } = self.game.reset(None, &mut self.observation)?;
        Ok(RolloutEntry {
            step: 0,
            reward: 0.0,
            terminated: false,
            truncated: false,
            lives,
            observation: crc32fast::hash(&self.observation),
            episode: None,
        })
    }

    fn step(&mut self, number: usize, action: u32) -> Result<RolloutEntry, CliError> {
        if self.ended {
            self.game.reset(None, &mut self.observation)?;
        }
        let Step {
            reward,
            terminated,
            truncated,
            lives,
            episode,
            ..
        } = self.game.step(action, &mut self.observation)?;
        self.ended = (terminated || truncated) && !self.game.resets_itself();
        Ok(RolloutEntry {
            step: number,
            reward,
            terminated,
            truncated,
            lives,
            observation: crc32fast::hash(&self.observation),
            episode: episode.map(|episode| (episode.reward, episode.length)),
        })
    }
}
