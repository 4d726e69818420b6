//! `gym2600`: the environments on the command line.
//!
//! `trace` and `rollout` print one JSON object a line, for comparison with another implementation; [`lines`] says how
//! each byte of them is made, and the npm package prints the same bytes. `games` lists the catalogue, `frame` makes
//! a picture to look at, and `bench` measures.
//!
//! Results go to the standard output, everything else to the standard error. The exit code is 0 when all went well, 1
//! when the input was wrong (nothing has been printed then) and 2 when the command line was.

mod actions;
mod bench;
mod error;
mod frame;
mod games;
mod lines;
mod load;
mod rollout;
mod trace;

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use gym2600_native::{CompileThread, TierUpThreshold};

use error::CliError;

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
    /// List the games of the catalogue.
    Games(games::GamesArguments),
    /// Write the picture after some frames as a PNG.
    Frame(frame::FrameArguments),
    /// Measure what the lines of the standard input ask for; scripts/bench is who asks.
    Bench,
}

fn main() -> ExitCode {
    gym2600_native::install(TierUpThreshold::default(), CompileThread::Background);
    let command_line = CommandLine::parse();
    let mut output = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let result = match command_line.command {
        Command::Trace(arguments) => trace::run(&arguments, &mut output),
        Command::Rollout(arguments) => rollout::run(&arguments, &mut output),
        Command::Games(arguments) => games::run(&arguments, &mut output),
        Command::Frame(arguments) => frame::run(&arguments),
        Command::Bench => bench::run(io::stdin().lock(), &mut output),
    };
    match result.and_then(|()| Ok(output.flush()?)) {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever reads the output (`head`, say) had enough: not a failure.
        Err(CliError::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("gym2600: {error}");
            ExitCode::FAILURE
        }
    }
}
