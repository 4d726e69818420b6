#![doc = include_str!("../README.md")]
//!
//! [`lines`] defines the bytes of `trace` and `rollout`. A command that fails has printed nothing to the standard output.

mod actions;
mod device;
mod error;
mod evaluate;
mod files;
mod frame;
mod games;
mod lines;
mod load;
mod rollout;
mod trace;
mod train;

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use gym2600_native::{CompileThread, TierUpThreshold};

/// Atari 2600 environments, byte for byte as the Arcade Learning Environment plays them.
#[derive(Parser)]
#[command(name = "gym2600", version)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Play console actions frame by frame; print reward, lives and the checksums of RAM and screen.
    Trace(trace::TraceArguments),
    /// Play a preset's actions step by step; print reward, flags and the checksum of the observation.
    Rollout(rollout::RolloutArguments),
    /// Learn to play a game from its pixels.
    Train(train::TrainArguments),
    /// Play games with trained weights; print the score of each, and of all.
    Evaluate(evaluate::EvaluateArguments),
    /// List the games of the catalogue.
    Games(games::GamesArguments),
    /// Write the picture after some frames as a PNG.
    Frame(frame::FrameArguments),
}

fn main() -> ExitCode {
    gym2600_native::install(TierUpThreshold::default(), CompileThread::Background);
    let command_line = CommandLine::parse();
    let mut output = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let result = match command_line.command {
        Command::Trace(arguments) => trace::run(&arguments, &mut output),
        Command::Rollout(arguments) => rollout::run(&arguments, &mut output),
        Command::Train(arguments) => train::run(&arguments, &mut output),
        Command::Evaluate(arguments) => evaluate::run(&arguments, &mut output),
        Command::Games(arguments) => games::run(&arguments, &mut output),
        Command::Frame(arguments) => frame::run(&arguments),
    };
    match result.and_then(|()| Ok(output.flush()?)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if error.is_closed_output() => ExitCode::SUCCESS,
        Err(error) => {
            // A terminal may have been closed.
            let _ = writeln!(io::stderr(), "gym2600: {error}");
            error.exit_code().into()
        }
    }
}
