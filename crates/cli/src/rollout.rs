//! `gym2600 rollout`: what an agent gets from a preset, or from a list of wrappers, step by step.
//!
//! The first line is the reset's (step 0), and then there is one for each step. A preset whose episodes do not restart by
//! themselves is reset after an end without a line of its own: the next line is the new episode's first step. From a saved state
//! there is no reset, and no line for one.

use std::fs;
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
    #[arg(long, value_name = "NAME", required_unless_present = "options")]
    preset: Option<String>,
    /// Options of the environment as JSON, or a file with them: a list of wrappers instead of a preset, for one.
    #[arg(long, value_name = "FILE|JSON")]
    options: Option<String>,
    /// Seed of the environment (0, if the options say none); with --envs the others count up from it where the preset's package does so.
    #[arg(long)]
    seed: Option<u64>,
    /// Number of environments: the actions are dealt to them in turn, and every value is an array.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    envs: Option<u32>,
    /// Definition of the game (TOML), for a ROM that the catalogue lacks.
    #[arg(long, value_name = "FILE")]
    game: Option<String>,
    /// Goes on from the state in a file instead of a reset: one that this program, or the npm package's, saved.
    #[arg(long, value_name = "FILE", conflicts_with = "envs")]
    restore: Option<String>,
    /// Saves the state after the last action.
    #[arg(long, value_name = "FILE", conflicts_with = "envs")]
    save: Option<String>,
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
    if let Some(path) = &arguments.restore {
        lanes[0].restore(path)?;
    } else {
        for lane in &mut lanes {
            entries.push(lane.reset()?);
        }
        print(&entries)?;
    }
    for (index, dealt) in actions.chunks_exact(lanes.len()).enumerate() {
        entries.clear();
        for (lane, &action) in lanes.iter_mut().zip(dealt) {
            entries.push(lane.step(index + 1, action)?);
        }
        print(&entries)?;
    }
    if let Some(path) = &arguments.save {
        lanes[0].save(path)?;
    }
    Ok(())
}

fn lanes(arguments: &RolloutArguments, rom: &[u8]) -> Result<Vec<Lane>, CliError> {
    let definition = match &arguments.game {
        Some(path) => {
            let text = load::text(path)?;
            // Refused here, a mistake is reported with the file's name.
            GameDefinition::from_toml(&text, path)?;
            Some(text)
        }
        None => None,
    };
    let given = match &arguments.options {
        Some(text) => load::options(text)?,
        None => GameOptions::default(),
    };
    let seed = arguments.seed.or(given.seed).unwrap_or(0);
    let options = GameOptions {
        preset: arguments.preset.clone().or(given.preset),
        seed: Some(seed),
        game: definition.or(given.game),
        ..given
    };
    let mut lanes = vec![Lane::new(rom, &options)?];
    for number in 1..u64::from(arguments.envs.unwrap_or(1)) {
        let seed = match lanes[0].game.spec().seeding {
            // The notebook gives every environment of a batch the same seed.
            Seeding::Gym => seed,
            _ => seed.saturating_add(number),
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

    fn restore(&mut self, path: &str) -> Result<(), CliError> {
        let state = load::bytes(path)?;
        self.game.restore(&state).map_err(|source| CliError::State {
            path: path.to_owned(),
            source,
        })
    }

    /// Writes the state, in which no reset is due.
    fn save(&mut self, path: &str) -> Result<(), CliError> {
        if self.ended {
            self.game.reset(None, &mut self.observation)?;
        }
        fs::write(path, self.game.save()).map_err(|source| CliError::Write {
            path: path.to_owned(),
            source,
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
