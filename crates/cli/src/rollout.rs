//! `gym2600 rollout`: plays an environment and prints the result of each step.
//!
//! The first line is for the reset (step 0). A line follows for each step. An environment that does not reset itself is reset
//! after an end, without a line. A rollout that begins with a saved state has no reset and no line for one.

use std::io::Write;

use clap::Args;
use gym2600_arcade::definition::RawMapper;
use gym2600_gym::spec::Seeding;
use gym2600_gym::{Game, GameOptions, Info, StepRecord, VectorEnv};

use crate::actions;
use crate::error::CliError;
use crate::files;
use crate::lines::{self, RolloutEntry};
use crate::load;

#[derive(Args)]
#[command(allow_missing_positional = true)]
pub(crate) struct RolloutArguments {
    /// The ROM file; WALLOP without one.
    rom: Option<String>,
    /// The actions: indices into the environment's action set, one per line (- reads the standard input).
    actions: String,
    /// The environment: labml, nature-dqn, gymnasium, ale-vector, envpool, baselines or gym2600 [default: none; it is needed, or --options].
    #[arg(
        long,
        value_name = "NAME",
        required_unless_present = "options",
        conflicts_with = "options"
    )]
    preset: Option<String>,
    /// Options of the environment as JSON or as a JSON file, such as a list of wrappers [default: none].
    #[arg(long, value_name = "FILE|JSON")]
    options: Option<String>,
    /// Seed of the environment; with --envs it is the first seed [default: that of the options, or 0].
    #[arg(long)]
    seed: Option<u64>,
    /// Number of environments. They take the actions in turn, and every value is an array [default: one, without arrays].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=VectorEnv::MAX_ENVS as i64))]
    envs: Option<u32>,
    /// Definition of the game (TOML) [default: that of the catalogue].
    #[arg(long, value_name = "FILE")]
    game: Option<String>,
    /// How the cartridge is banked, such as F8 [default: as the definition says, or detected].
    #[arg(long, value_name = "NAME", value_parser = load::mapper)]
    mapper: Option<RawMapper>,
    /// Start from the state in a file instead of a reset. The npm package's program writes such files too [default: none].
    #[arg(long, value_name = "FILE", conflicts_with = "envs")]
    restore: Option<String>,
    /// Save the state after the last action [default: none].
    #[arg(long, value_name = "FILE", conflicts_with = "envs")]
    save: Option<String>,
}

pub(crate) fn run(arguments: &RolloutArguments, output: &mut impl Write) -> Result<(), CliError> {
    load::placed(arguments.game.as_deref(), || rollout(arguments, output))
}

fn rollout(arguments: &RolloutArguments, output: &mut impl Write) -> Result<(), CliError> {
    let rom = load::rom_or_wallop(arguments.rom.as_deref())?;
    let mut environments = environments(arguments, &rom)?;
    let actions = actions::read(&arguments.actions, environments[0].game.action_count())?;
    if !actions.len().is_multiple_of(environments.len()) {
        return Err(CliError::UnevenDeal {
            path: arguments.actions.clone(),
            actions: actions.len(),
            environments: environments.len(),
        });
    }
    if let Some(path) = &arguments.save {
        files::check(path)?;
    }
    let mut print = |entries: &[RolloutEntry]| match arguments.envs {
        Some(_) => lines::write_rollout_vector(output, entries),
        None => lines::write_rollout(output, &entries[0]),
    };
    let mut entries = Vec::with_capacity(environments.len());
    if let Some(path) = &arguments.restore {
        environments[0].restore(path)?;
    } else {
        for environment in &mut environments {
            entries.push(environment.reset()?);
        }
        print(&entries)?;
    }
    for (index, dealt) in actions.chunks_exact(environments.len()).enumerate() {
        entries.clear();
        for (environment, &action) in environments.iter_mut().zip(dealt) {
            entries.push(environment.step(index + 1, action)?);
        }
        print(&entries)?;
    }
    if let Some(path) = &arguments.save {
        environments[0].save(path)?;
    }
    Ok(())
}

fn environments(arguments: &RolloutArguments, rom: &[u8]) -> Result<Vec<Environment>, CliError> {
    let definition = arguments.game.as_deref().map(load::definition).transpose()?;
    let given = match &arguments.options {
        Some(text) => load::options(text)?,
        None => GameOptions::default(),
    };
    let seed = arguments.seed.or(given.seed).unwrap_or(0);
    let options = GameOptions {
        preset: arguments.preset.clone().or(given.preset),
        seed: Some(seed),
        game: definition.or(given.game),
        mapper: arguments.mapper.or(given.mapper),
        ..given
    };
    let mut environments = vec![Environment::new(rom, &options)?];
    for number in 1..u64::from(arguments.envs.unwrap_or(1)) {
        let seed = match environments[0].game.spec().seeding {
            // As with `nature_dqn_env`, all environments of a batch have the same seed.
            Seeding::Gym => seed,
            _ => seed.saturating_add(number),
        };
        environments.push(Environment::new(
            rom,
            &GameOptions {
                seed: Some(seed),
                ..options.clone()
            },
        )?);
    }
    Ok(environments)
}

/// An environment with the buffer for its observations.
struct Environment {
    game: Game,
    observation: Vec<u8>,
    /// Whether the episode has ended and the environment needs a reset.
    ended: bool,
}

impl Environment {
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

    /// Writes the state. An environment that needs a reset is reset first.
    fn save(&mut self, path: &str) -> Result<(), CliError> {
        if self.ended {
            self.game.reset(None, &mut self.observation)?;
        }
        files::write(path, &self.game.save())
    }

    fn step(&mut self, number: usize, action: u32) -> Result<RolloutEntry, CliError> {
        if self.ended {
            self.game.reset(None, &mut self.observation)?;
        }
        let StepRecord {
            reward,
            terminated,
            truncated,
            info: Info { lives, .. },
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
