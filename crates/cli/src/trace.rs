//! `gym2600 trace`: plays ALE's actions frame by frame, as ale-py's `ALEInterface` does with the same ROM and settings.

use std::io::Write;

use clap::Args;
use gym2600_arcade::definition::RawMapper;
use gym2600_arcade::{Action, Arcade, Drawing, Settings};

use crate::actions;
use crate::error::CliError;
use crate::files;
use crate::lines::{After, TraceLine};
use crate::load;

#[derive(Args)]
#[command(allow_missing_positional = true)]
pub(crate) struct TraceArguments {
    /// The ROM file; WALLOP without one.
    rom: Option<String>,
    /// The actions: ALE's numbers 0 to 17, one per line (- reads the standard input).
    actions: String,
    /// Seed of the sticky actions.
    #[arg(long, default_value_t = 0, allow_negative_numbers = true,
          value_parser = clap::value_parser!(i64).range(i64::from(i32::MIN)..=i64::from(u32::MAX)))]
    seed: i64,
    /// Probability that a frame repeats the previous action.
    #[arg(long, value_name = "P", default_value_t = 0.0, value_parser = load::probability)]
    sticky: f32,
    /// Game mode [default: the game's first].
    #[arg(long)]
    mode: Option<u32>,
    /// Difficulty [default: 0].
    #[arg(long)]
    difficulty: Option<u32>,
    /// Definition of the game (TOML) [default: that of the catalogue].
    #[arg(long, value_name = "FILE")]
    game: Option<String>,
    /// How the cartridge is banked, such as F8 [default: as the definition says, or detected].
    #[arg(long, value_name = "NAME", value_parser = load::mapper)]
    mapper: Option<RawMapper>,
    /// Also print the checksum of the 512 sound samples of each action.
    #[arg(long)]
    sound: bool,
    /// Stop after this line of output (the first is 1) and write its 128 bytes of RAM and its screen to --dump-to [default: none].
    #[arg(long, value_name = "LINE", requires = "dump_to", value_parser = clap::value_parser!(u64).range(1..))]
    dump_line: Option<u64>,
    /// The file for --dump-line [default: none].
    #[arg(long, value_name = "FILE", requires = "dump_line")]
    dump_to: Option<String>,
}

pub(crate) fn run(arguments: &TraceArguments, output: &mut impl Write) -> Result<(), CliError> {
    let settings = Settings {
        random_seed: load::seed(arguments.seed)?,
        repeat_action_probability: arguments.sticky,
        sound_obs: arguments.sound,
        mapper: arguments.mapper.map(Into::into),
        ..Settings::default()
    };
    let actions = actions::read(&arguments.actions, Action::ALL.len())?;
    let mut arcade = load::arcade(arguments.rom.as_deref(), arguments.game.as_deref(), &settings)?;
    if let Some(mode) = arguments.mode {
        arcade.set_mode(mode)?;
    }
    if let Some(difficulty) = arguments.difficulty {
        arcade.set_difficulty(difficulty)?;
    }
    if let Some(path) = &arguments.dump_to {
        files::check(path)?;
    }
    let mut printer = Printer {
        output,
        lines: 0,
        last: arguments.dump_line.map(|line| line as usize),
    };
    play(&mut arcade, &actions, &mut printer)?;
    match (&arguments.dump_to, printer.last) {
        (Some(path), Some(last)) if printer.lines == last => dump(&mut arcade, path),
        (_, Some(line)) => Err(CliError::NoSuchLine {
            line,
            lines: printer.lines,
        }),
        _ => Ok(()),
    }
}

fn play<W: Write>(arcade: &mut Arcade, actions: &[u32], printer: &mut Printer<'_, W>) -> Result<(), CliError> {
    arcade.reset_game();
    printer.print(arcade, 0, 0, After::Reset)?;
    for (index, &number) in actions.iter().enumerate() {
        if printer.is_done() {
            break;
        }
        let reward = arcade.act(Action::ALL[number as usize], Drawing::Immediate);
        printer.print(arcade, index + 1, reward, After::Action)?;
        if arcade.game_over() && !printer.is_done() {
            arcade.reset_game();
            printer.print(arcade, index + 1, 0, After::Reset)?;
        }
    }
    Ok(())
}

struct Printer<'a, W> {
    output: &'a mut W,
    /// Lines printed.
    lines: usize,
    /// The line after which to stop.
    last: Option<usize>,
}

impl<W: Write> Printer<'_, W> {
    fn print(&mut self, arcade: &mut Arcade, frame: usize, reward: i32, after: After) -> Result<(), CliError> {
        let (lives, over) = (arcade.lives(), arcade.game_over());
        let ram = *arcade.ram();
        let audio = *arcade.audio();
        let sound = arcade.settings().sound_obs.then_some(audio.as_slice());
        TraceLine {
            frame,
            reward,
            lives,
            over,
            ram: &ram,
            screen: arcade.screen(),
            sound,
            after,
        }
        .write(self.output)?;
        self.lines += 1;
        Ok(())
    }

    fn is_done(&self) -> bool {
        Some(self.lines) == self.last
    }
}

fn dump(arcade: &mut Arcade, path: &str) -> Result<(), CliError> {
    let mut bytes = arcade.ram().to_vec();
    bytes.extend_from_slice(arcade.screen());
    files::write(path, &bytes)
}
