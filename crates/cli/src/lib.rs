#![doc = include_str!("../README.md")]
//!
//! `lines` defines the bytes of `trace` and `rollout`. Wrong files and options are refused before anything is printed to the
//! standard output.

mod actions;
mod describe;
mod device;
mod error;
mod evaluate;
mod files;
mod frame;
mod games;
mod lines;
mod load;
mod record;
mod rollout;
mod trace;
mod train;

use std::ffi::OsString;
use std::io::{self, BufWriter, Write};

use clap::error::ErrorKind;
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
    /// Tell a game's actions, modes, difficulties and observation.
    Describe(describe::DescribeArguments),
    /// Write the picture after some frames as a PNG.
    Frame(frame::FrameArguments),
}

/// The exit code for a wrong command line, and the line that ends its message.
const WRONG_COMMAND_LINE: u8 = 2;
const HELP: &str = "gym2600 --help lists the commands, and gym2600 COMMAND --help its options";

/// Runs the program with its arguments, of which the first one is its name. Gives the exit code: 0 for success, 1 for wrong input and 2 for a
/// wrong command line.
pub fn run(arguments: impl IntoIterator<Item = impl Into<OsString> + Clone>) -> u8 {
    gym2600_native::install(TierUpThreshold::default(), CompileThread::Background);
    let command_line = match CommandLine::try_parse_from(arguments) {
        Ok(command_line) => command_line,
        Err(error) => return tell_usage(&error),
    };
    let mut output = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let result = match command_line.command {
        Command::Trace(arguments) => trace::run(&arguments, &mut output),
        Command::Rollout(arguments) => rollout::run(&arguments, &mut output),
        Command::Train(arguments) => train::run(&arguments, &mut output),
        Command::Evaluate(arguments) => evaluate::run(&arguments, &mut output),
        Command::Games(arguments) => games::run(&arguments, &mut output),
        Command::Describe(arguments) => describe::run(&arguments, &mut output),
        Command::Frame(arguments) => frame::run(&arguments),
    };
    match result.and_then(|()| Ok(output.flush()?)) {
        Ok(()) => 0,
        Err(error) if error.is_closed_output() => 0,
        Err(error) => {
            let exit_code = error.exit_code();
            // A terminal may have been closed.
            let _ = writeln!(io::stderr(), "gym2600: {error}");
            if exit_code == WRONG_COMMAND_LINE {
                let _ = writeln!(io::stderr(), "{HELP}");
            }
            exit_code
        }
    }
}

/// Prints the help that was asked for, or what is wrong with the command line and how to get help.
fn tell_usage(error: &clap::Error) -> u8 {
    if !error.use_stderr() {
        // The reader of the output may have closed it.
        let _ = error.print();
        return 0;
    }
    let text = error.to_string();
    let message = match error.kind() {
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand | ErrorKind::MissingSubcommand => "a command is needed",
        _ => text.as_str(),
    };
    // clap goes on with the usage, or with advice that the line below gives.
    let ends = ["\n\nUsage:", "\n\nFor more information"];
    let message = ends
        .iter()
        .fold(message, |message, end| message.split(end).next().unwrap_or(message));
    let message = message.strip_prefix("error: ").unwrap_or(message).trim_end();
    let _ = writeln!(io::stderr(), "gym2600: {message}\n{HELP}");
    WRONG_COMMAND_LINE
}
