//! Records play that tests the rules of a game: see `scripts/record-game`.

#[path = "../tests/support/recording.rs"]
mod recording;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fs::{self, File};
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::Parser;
use gym2600_arcade::rules::{ReadRam, Rules};
use gym2600_arcade::{Action, Arcade, Drawing, GameDefinition, Mt19937, Settings, WIDTH};
use recording::{Line, Shown, compare, unseen};

/// A random action is held for at most so many frames.
const LONGEST_PRESS: u32 = 20;
/// Games that are played, if the frames suffice.
const GAMES: usize = 2;
/// Most pictures of changes of the score alone: that of some games changes in every frame.
const MOST_SCORES: usize = 100;

/// Plays two games, and writes what the rules read from memory with the score, lives and ends that they find there. Pictures show whether
/// they are right.
#[derive(Parser)]
#[command(bin_name = "scripts/record-game")]
struct Arguments {
    /// The definition: crates/arcade/games/NAME.toml.
    definition: PathBuf,
    /// The ROM.
    rom: PathBuf,
    /// Seed of the console and of the random actions.
    #[arg(long, default_value_t = 0)]
    seed: u32,
    /// Frames to play at most.
    #[arg(long, default_value_t = 20_000)]
    frames: usize,
    /// Actions to play in place of random ones: ALE's numbers 0 to 17, one per line.
    #[arg(long, value_name = "FILE")]
    actions: Option<PathBuf>,
}

/// Memory and rules after a frame.
struct Frame {
    number: u32,
    reset: bool,
    ram: [u8; 128],
    cart_ram: Vec<u8>,
    shows: Shown,
}

/// A byte that rules can read: whether it is the cartridge's, and its address.
type Address = (bool, u8);

/// The memory of a frame, which notes what is read of it.
struct Reads<'a> {
    frame: &'a Frame,
    addresses: &'a RefCell<BTreeSet<Address>>,
}

impl ReadRam for Reads<'_> {
    fn ram(&self, address: u8) -> u8 {
        self.addresses.borrow_mut().insert((false, address | 0x80));
        self.frame.byte((false, address))
    }

    fn cart_ram(&self, index: u8) -> u8 {
        self.addresses.borrow_mut().insert((true, index));
        self.frame.byte((true, index))
    }
}

impl Frame {
    fn byte(&self, (in_cartridge, address): Address) -> u8 {
        let bytes = if in_cartridge { &self.cart_ram } else { &self.ram[..] };
        bytes.get(usize::from(address & 0x7F)).copied().unwrap_or(0)
    }
}

fn main() -> ExitCode {
    match record(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn record(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let name = arguments.definition.display().to_string();
    let game = Arc::new(GameDefinition::from_toml(&text(&arguments.definition)?, &name)?);
    let settings = Settings {
        random_seed: arguments.seed,
        repeat_action_probability: 0.0,
        ..Settings::default()
    };
    let mut arcade = Arcade::load_as(&bytes(&arguments.rom)?, Arc::clone(&game), &settings)?;
    let actions = match &arguments.actions {
        Some(file) => read_actions(file)?,
        None => random_actions(&game, arguments),
    };

    let pictures = Path::new("target/record-game").join(&game.rom);
    if pictures.exists() {
        fs::remove_dir_all(&pictures)?;
    }
    fs::create_dir_all(&pictures)?;
    let frames = play(&mut arcade, actions, &pictures)?;
    if frames.iter().all(|frame| frame.shows.over || frame.reset) {
        return Err(format!("{name}: the rules say that the game is over when it starts").into());
    }
    let text = lines_of(&frames, &game.rules)?;
    compare(&game.rules, &text)
        .map_err(|difference| format!("the rules find other values without the frames of the reset: {difference}"))?;
    check_modes(&mut arcade)?;
    let file = format!("crates/arcade/tests/recordings/{}.jsonl", game.rom);
    fs::write(&file, &text)?;

    println!("{} frames, {} bytes: {}", frames.len(), text.len(), file);
    println!(
        "Compare the numbers in the names of the pictures with what they show: {}",
        pictures.display()
    );
    let shown: Vec<_> = frames.iter().map(|frame| frame.shows).collect();
    if let Some(unseen) = unseen(&shown) {
        println!("The play has {unseen}: try another --seed, more --frames, or --actions.");
    }
    Ok(())
}

/// The bytes of a file.
fn bytes(file: &Path) -> Result<Vec<u8>, String> {
    fs::read(file).map_err(|error| format!("{}: {error}", file.display()))
}

/// The text of a file.
fn text(file: &Path) -> Result<String, String> {
    String::from_utf8(bytes(file)?).map_err(|error| format!("{}: {error}", file.display()))
}

/// The actions of a file.
fn read_actions(file: &Path) -> Result<Vec<Action>, Box<dyn Error>> {
    text(file)?
        .split_whitespace()
        .map(|number| {
            let known = number.parse().ok().and_then(|number: usize| Action::ALL.get(number));
            known
                .copied()
                .ok_or_else(|| format!("{}: {number:?} is no action", file.display()).into())
        })
        .collect()
}

/// Random actions of those that have an effect, each held for a while.
fn random_actions(game: &GameDefinition, arguments: &Arguments) -> Vec<Action> {
    let mut random = Mt19937::new(arguments.seed);
    let mut actions = Vec::new();
    while actions.len() < arguments.frames {
        let action = game.minimal_actions[random.next_u32() as usize % game.minimal_actions.len()];
        let frames = 1 + random.next_u32() % LONGEST_PRESS;
        actions.extend((0..frames).map(|_| action));
    }
    actions.truncate(arguments.frames);
    actions
}

/// Plays the actions until the games are over. Writes a picture of the last frame before score, lives or end change, because a screen may
/// show a change some frames late.
fn play(arcade: &mut Arcade, actions: Vec<Action>, folder: &Path) -> Result<Vec<Frame>, Box<dyn Error>> {
    let mut frames: Vec<Frame> = Vec::new();
    let mut actions = actions.into_iter();
    let (mut number, mut score, mut picture) = (0, 0, Vec::new());
    let (mut ends, mut scores) = (0, 0);
    loop {
        let reset = frames.last().is_none_or(|last| last.shows.over);
        if reset {
            arcade.reset_game();
            score = 0;
        } else {
            let Some(action) = actions.next() else { break };
            score += i64::from(arcade.act(action, Drawing::OnDemand));
            number += 1;
        }
        let frame = Frame {
            number,
            reset,
            ram: *arcade.ram(),
            cart_ram: arcade.cartridge_ram().to_vec(),
            shows: Shown {
                score,
                lives: arcade.lives(),
                over: arcade.game_over(),
            },
        };
        if let Some(before) = frames.last().filter(|before| before.shows != frame.shows) {
            let score_alone = (before.shows.lives, before.shows.over) == (frame.shows.lives, frame.shows.over);
            scores += usize::from(score_alone);
            if !score_alone || scores <= MOST_SCORES {
                write_picture(folder, before, &picture)?;
            }
        }
        picture = colours(arcade);
        ends += usize::from(frame.shows.over);
        frames.push(frame);
        if ends == GAMES {
            break;
        }
    }
    if let Some(last) = frames.last() {
        write_picture(folder, last, &picture)?;
    }
    Ok(frames)
}

/// The lines of a recording with the bytes that the rules read.
fn lines_of(frames: &[Frame], rules: &Rules) -> Result<String, serde_json::Error> {
    let addresses = RefCell::default();
    let mut variables = rules.initial();
    for frame in frames {
        if frame.reset {
            rules.reset(&mut variables);
        }
        rules.update(
            &mut variables,
            &Reads {
                frame,
                addresses: &addresses,
            },
        );
    }

    let mut text = String::new();
    let mut before: Option<&Frame> = None;
    for (number, frame) in frames.iter().enumerate() {
        let changed = |in_cartridge: bool| -> BTreeMap<String, u8> {
            let addresses = addresses.borrow();
            let read = addresses.iter().filter(|address| address.0 == in_cartridge);
            read.filter(|&&address| before.is_none_or(|before| before.byte(address) != frame.byte(address)))
                .map(|&address| (format!("{:#04X}", address.1), frame.byte(address)))
                .collect()
        };
        let line = Line {
            frame: frame.number,
            reset: frame.reset,
            ram: changed(false),
            cart_ram: changed(true),
            shows: Some(frame.shows).filter(|&shows| before.is_none_or(|before| before.shows != shows)),
        };
        let last = number + 1 == frames.len();
        if last || line.reset || !line.ram.is_empty() || !line.cart_ram.is_empty() || line.shows.is_some() {
            text += &serde_json::to_string(&line)?;
            text.push('\n');
        }
        before = Some(frame);
    }
    Ok(text)
}

/// Selects every mode.
fn check_modes(arcade: &mut Arcade) -> Result<(), Box<dyn Error>> {
    for mode in arcade.game().modes.clone() {
        arcade.set_mode(mode)?;
        arcade.reset_game();
        if let Some(error) = arcade.mode_error() {
            return Err(format!("mode {mode}: {error}").into());
        }
    }
    Ok(())
}

/// The picture as red, green and blue.
fn colours(arcade: &mut Arcade) -> Vec<u8> {
    let palette = arcade.palette();
    arcade
        .screen()
        .iter()
        .flat_map(|&index| palette.rgb[usize::from(index)])
        .collect()
}

/// Writes a picture whose name says what it should show.
fn write_picture(folder: &Path, frame: &Frame, pixels: &[u8]) -> Result<(), Box<dyn Error>> {
    let Shown { score, lives, over } = frame.shows;
    let over = if over { "-over" } else { "" };
    let name = format!("{:05}-score-{score}-lives-{lives}{over}.png", frame.number);
    let file = BufWriter::new(File::create(folder.join(name))?);
    let mut encoder = png::Encoder::new(file, WIDTH as u32, (pixels.len() / (3 * WIDTH)) as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(pixels)?;
    Ok(writer.finish()?)
}
