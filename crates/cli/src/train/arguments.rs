//! What the command line says of a run.

use std::num::NonZero;

use clap::Args;
use clap::builder::NonEmptyStringValueParser;
use gym2600_arcade::definition::RawMapper;
use gym2600_learn::{Algorithm, Device, Net, TRAINING_STEPS};

use super::hyper::HyperArguments;
use super::log::Kind;
use crate::load;

#[derive(Args, Clone)]
pub(crate) struct TrainArguments {
    /// The ROM file; WALLOP without one.
    pub(super) rom: Option<String>,
    /// How the policy is improved: ppo or a2c [default: ppo].
    #[arg(long, value_name = "NAME")]
    pub(super) algorithm: Option<Algorithm>,
    /// The policy's net: tiny, a3c or nature [default: tiny].
    #[arg(long, value_name = "NAME")]
    pub(super) net: Option<Net>,
    /// The environment [default: the list of OpenAI baselines with raw rewards, which the learner clips].
    #[arg(long, value_name = "NAME", conflicts_with = "options", value_parser = NonEmptyStringValueParser::new())]
    pub(super) preset: Option<String>,
    /// Options of the environment as JSON, or a file with them [default: those of the preset].
    #[arg(long, value_name = "FILE|JSON", value_parser = NonEmptyStringValueParser::new())]
    pub(super) options: Option<String>,
    /// Definition of the game (TOML) [default: that of the catalogue].
    #[arg(long, value_name = "FILE", value_parser = NonEmptyStringValueParser::new())]
    pub(super) game: Option<String>,
    /// How the cartridge is banked, such as F8 [default: as the definition says, or detected].
    #[arg(long, value_name = "NAME", value_parser = load::mapper)]
    pub(super) mapper: Option<RawMapper>,
    /// Seed of weights, actions and games [default: 0].
    #[arg(long, allow_negative_numbers = true)]
    pub(super) seed: Option<u64>,
    /// Steps of all games after which training ends.
    #[arg(long, visible_alias = "total-timesteps", default_value_t = TRAINING_STEPS)]
    pub(super) steps: u64,
    /// Number of games, a multiple of four [default: 32].
    #[arg(long, visible_alias = "num-envs", value_name = "N")]
    pub(super) envs: Option<usize>,
    /// Number of threads, of which each game takes one at most, and gradients on the CPU four; it changes no result
    /// [default: the processor's].
    #[arg(long, value_name = "N")]
    pub(super) threads: Option<NonZero<usize>>,
    /// Saves the run here at its start, every 50,000 steps or 30 seconds, and at its end, also by SIGINT, SIGTERM and SIGHUP
    /// [default: GAME-ALGORITHM-SEED.checkpoint, or that of --resume, where there is no --weights].
    #[arg(long, value_name = "FILE", value_parser = checkpoint)]
    pub(super) checkpoint: Option<String>,
    /// Goes on from a checkpoint with its settings: others are refused, but steps, threads and files may change.
    #[arg(long, value_name = "FILE", value_parser = NonEmptyStringValueParser::new())]
    pub(super) resume: Option<String>,
    /// Writes the weights at the end, as the checkpoint: safetensors, or ONNX if the name ends in .onnx [default: none].
    #[arg(long, value_name = "FILE", value_parser = weights)]
    pub(super) weights: Vec<String>,
    /// Logs every update: JSON lines (.jsonl), CSV (.csv) or TensorBoard (a folder). A resumed run goes on after its checkpoint
    /// [default: none].
    #[arg(long, value_name = "FILE", value_parser = log)]
    pub(super) log: Vec<String>,
    /// Logs every game that ends, likewise [default: none].
    #[arg(long, value_name = "FILE", value_parser = log)]
    pub(super) log_games: Vec<String>,
    /// Replaces files of other runs [default: they are refused].
    #[arg(long, overrides_with = "force")]
    pub(super) force: bool,
    /// Writes no file but those that are named.
    #[arg(long, overrides_with = "no_save")]
    pub(super) no_save: bool,
    /// Computes with fused multiply-add: faster, but not bit-exact across machines. A checkpoint does not record it.
    #[arg(long)]
    pub(super) fast: bool,
    /// Computes the nets on the CPU (cpu), on a graphics card (gpu), or on a card if there is one (auto). A card's weights are not the CPU's.
    #[arg(long, value_name = "NAME", default_value_t)]
    pub(super) device: Device,
    /// Prints a line of JSON for each update [default: the progress, on the standard error].
    #[arg(long)]
    pub(super) json: bool,
    #[command(flatten)]
    pub(super) hyper: HyperArguments,
}

/// A path whose ending, if it has one, is among those of a format.
fn with_ending(path: &str, endings: &[&str]) -> Result<String, String> {
    if path.is_empty() {
        return Err("a value is needed".to_owned());
    }
    match ending(path) {
        Some(ending) if !endings.contains(&ending) => {
            Err(format!("the ending .{ending} is none of .{}", endings.join(", .")))
        }
        _ => Ok(path.to_owned()),
    }
}

/// The ending of a file's name.
pub(super) fn ending(path: &str) -> Option<&str> {
    std::path::Path::new(path).extension()?.to_str()
}

fn weights(path: &str) -> Result<String, String> {
    with_ending(path, &["safetensors", "onnx"])
}

fn checkpoint(path: &str) -> Result<String, String> {
    with_ending(path, &["checkpoint", "safetensors"])
}

fn log(path: &str) -> Result<String, String> {
    if path.is_empty() {
        return Err("a value is needed".to_owned());
    }
    Kind::of(path).map(|_| path.to_owned())
}
