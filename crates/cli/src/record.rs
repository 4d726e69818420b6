//! Recordings of a game that a policy has played: a GIF, a replay, or its pictures.
//!
//! A recording is made by playing the game's actions again in an environment with the same options.

use std::fs;
use std::io;
use std::path::Path;

use gif::{Encoder, Repeat};
use gym2600_arcade::WIDTH;
use gym2600_gym::{Game, GameDescription, GameOptions, StepRecord};
use gym2600_learn::Evaluation;
use serde_json::{Map, Value, json};

use crate::error::CliError;
use crate::files;
use crate::frame;

/// What plays a game again.
pub(crate) struct Recording {
    options: GameOptions,
    actions: Vec<u32>,
}

impl Recording {
    pub(crate) fn of(evaluation: &Evaluation) -> Self {
        Self {
            options: evaluation.options().clone(),
            actions: evaluation.actions().to_vec(),
        }
    }
}

/// The format of a recording, which the ending of its name tells.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    Gif,
    Replay,
    Pictures,
}

impl Format {
    pub(crate) fn of(path: &str) -> Result<Self, String> {
        if path.is_empty() {
            return Err("a value is needed".to_owned());
        }
        match Path::new(path).extension().and_then(|ending| ending.to_str()) {
            Some("gif") => Ok(Self::Gif),
            Some("json") => Ok(Self::Replay),
            Some(ending) if !path.ends_with('/') && !Path::new(path).is_dir() => Err(format!(
                "the ending .{ending} is none of .gif, .json; a folder of pictures has none, or a / behind it"
            )),
            _ => Ok(Self::Pictures),
        }
    }
}

/// Refuses a place for a recording before the game is played.
pub(crate) fn check(path: &str, force: bool) -> Result<(), CliError> {
    let is_there = match fs::metadata(path) {
        Ok(found) if found.is_dir() => fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_some()),
        Ok(found) => found.is_file() && found.len() > 0,
        Err(_) => false,
    };
    if is_there && !force {
        return Err(CliError::OtherRun {
            option: "--record",
            path: path.to_owned(),
            resumable: false,
        });
    }
    match Format::of(path) {
        Ok(Format::Pictures) => fs::create_dir_all(path).map_err(|source| CliError::Write {
            path: path.to_owned(),
            source,
        }),
        _ => files::check(path),
    }
}

/// Plays the game again and writes it.
pub(crate) fn write(path: &str, rom: &[u8], recording: &Recording) -> Result<(), CliError> {
    let mut game = Game::new(rom, &recording.options)?;
    match Format::of(path) {
        Ok(Format::Gif) => files::write(path, &gif_of(&mut game, recording)?),
        Ok(Format::Replay) => files::write(path, replay_of(&mut game, recording)?.to_string().as_bytes()),
        _ => write_pictures(path, &mut game, recording),
    }
}

/// Hundredths of a second that a picture of a GIF is shown at least: browsers make 10 of less.
const LEAST_DELAY: f64 = 2.0;

/// A picture for each step. The step that ends the game shows the next one already.
fn gif_of(game: &mut Game, recording: &Recording) -> Result<Vec<u8>, CliError> {
    let palette: Vec<u8> = game.arcade().palette().rgb.iter().flatten().copied().collect();
    let height = game.arcade().height();
    let tv = GameDescription::of(game).arcade.tv;
    let rate = if tv == gym2600_arcade::definition::RawTv::Pal {
        50.0
    } else {
        60.0
    };
    let hundredths = (100.0 * game.spec().frames_per_step() / rate).max(LEAST_DELAY);
    let mut bytes = Vec::new();
    let failed = |error: gif::EncodingError| CliError::Output(std::io::Error::other(error));
    let mut encoder = Encoder::new(&mut bytes, 2 * WIDTH as u16, height as u16, &palette).map_err(failed)?;
    encoder.set_repeat(Repeat::Infinite).map_err(failed)?;
    let mut pictures: u32 = 0;
    let mut error = None;
    each_picture(game, recording, |game, _| {
        // Pixels are doubled in width, as on a television.
        let doubled: Vec<u8> = game
            .arcade_mut()
            .screen()
            .iter()
            .flat_map(|&index| [index, index])
            .collect();
        let at = |picture: u32| (hundredths * f64::from(picture)).round();
        let mut frame = gif::Frame::from_indexed_pixels(2 * WIDTH as u16, height as u16, doubled, None);
        frame.delay = (at(pictures + 1) - at(pictures)) as u16;
        pictures += 1;
        error = error.take().or(encoder.write_frame(&frame).err());
    })?;
    drop(encoder);
    error.map_or(Ok(bytes), |error| Err(failed(error)))
}

/// Shows the picture after the reset and after each step but the last, which begins the next game.
fn each_picture(
    game: &mut Game,
    recording: &Recording,
    mut show: impl FnMut(&mut Game, usize),
) -> Result<(), CliError> {
    game.restart(None)?;
    show(game, 0);
    let (_, actions) = recording.actions.split_last().unwrap_or((&0, &[]));
    for (step, action) in actions.iter().enumerate() {
        game.advance(*action)?;
        show(game, step + 1);
    }
    Ok(())
}

fn write_pictures(path: &str, game: &mut Game, recording: &Recording) -> Result<(), CliError> {
    let file = |number: usize| Path::new(path).join(format!("{number:06}.png"));
    let mut result = Ok(());
    let mut end = 0;
    each_picture(game, recording, |game, number| {
        if result.is_ok() {
            let file = file(number);
            let file = file.to_string_lossy();
            result = frame::picture(game.arcade_mut(), &file).and_then(|picture| files::write(&file, &picture));
        }
        end = number + 1;
    })?;
    result?;
    // Those of a longer game that was recorded here before.
    for number in end.. {
        match fs::remove_file(file(number)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => break,
            removed => removed.map_err(|source| CliError::Write {
                path: path.to_owned(),
                source,
            })?,
        }
    }
    Ok(())
}

/// A file that `npx gym2600 replay` verifies.
fn replay_of(game: &mut Game, recording: &Recording) -> Result<Value, CliError> {
    let mut observation = vec![0; game.observation_len()];
    game.reset(None, &mut observation)?;
    let mut checksums = vec![checksum(&observation, None)];
    for action in &recording.actions {
        let record = game.step(*action, &mut observation)?;
        checksums.push(checksum(&observation, Some(&record)));
    }
    let description = GameDescription::of(game);
    let spec = serde_json::to_value(&description.spec).map_err(std::io::Error::from)?;
    let Value::Object(spec) = spec else {
        return Ok(Value::Null);
    };
    let is_kept = |(name, value): &(String, Value)| !["preset", "game"].contains(&name.as_str()) && !value.is_null();
    let mut options: Map<String, Value> = spec.into_iter().filter(is_kept).collect();
    if let Some(definition) = &recording.options.game {
        let definition = serde_json::to_value(definition).map_err(std::io::Error::from)?;
        options.insert("game".to_owned(), definition);
    }
    Ok(json!({
        "format": "gym2600-replay",
        "version": 1,
        "md5": description.arcade.md5,
        "options": options,
        "runs": [{
            "seed": recording.options.seed.unwrap_or(0),
            "actions": recording.actions,
            "checksums": checksums,
        }],
    }))
}

/// That of a step or of a reset: observation, reward and ends, as the format of replays has it.
fn checksum(observation: &[u8], record: Option<&StepRecord>) -> String {
    let (reward, ends) = record.map_or((0.0, 0), |record| {
        let ends = u8::from(record.terminated) + 2 * u8::from(record.truncated);
        (record.reward, ends)
    });
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(observation);
    hasher.update(&reward.to_le_bytes());
    hasher.update(&[ends]);
    format!("{:08x}", hasher.finalize())
}
