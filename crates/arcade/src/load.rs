//! From bytes to a console that has just been switched on.

use std::sync::Arc;

use gym2600_vcs::{
    CartridgeError, Config, Console, FrameGeometry, HmoveBlanks, Input, Mapper, Mark, Picture, Switches, TvFormat,
    Wiring,
};
use md5::{Digest, Md5};

use crate::arcade::{ConsoleRam, Episode};
use crate::catalogue;
use crate::definition::{DefinitionError, GameDefinition};
use crate::random::Mt19937;
use crate::reset_cache::{CHECKPOINT_FRAMES, Checkpoint, Destination, IDLE_FRAMES};
use crate::rules::ModeError;
use crate::state::hexadecimal;

/// The lines of the last 30 idle frames decide which television a game was made for, as in ALE.
const COUNTED_FRAMES: u32 = 30;
/// A frame with more lines is a PAL frame.
const NTSC_LINES: i32 = 285;
/// The default height of a picture.
const HEIGHT: u16 = 210;
/// The default height with PAL.
const PAL_HEIGHT: u16 = 250;

/// Why a ROM cannot be loaded.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum LoadError {
    /// The bytes are not a cartridge.
    #[error(transparent)]
    Cartridge(#[from] CartridgeError),
    /// The ROM is not in the catalogue.
    #[error(
        "unknown ROM of {size} bytes with MD5 {md5}: it is none of the catalogue's games. \
         Use a dump that ALE knows, or describe the game in a definition of your own"
    )]
    UnknownRom {
        /// MD5 of the bytes, in hexadecimal.
        md5: String,
        /// Number of bytes.
        size: usize,
    },
    /// The definition names another ROM.
    #[error("the definition of \"{rom}\" is for the ROM with MD5 {expected}, and this one has {md5}")]
    OtherRom {
        /// The definition's name.
        rom: String,
        /// The MD5 it names.
        expected: String,
        /// MD5 of the bytes.
        md5: String,
    },
    /// The first reset did not reach the start of the game.
    #[error(transparent)]
    Mode(#[from] ModeError),
    /// The catalogue's entry is wrong.
    #[error(transparent)]
    Definition(#[from] DefinitionError),
}

/// The MD5 of `bytes`, 32 hexadecimal digits.
pub fn md5(bytes: &[u8]) -> String {
    hexadecimal(&digest(bytes))
}

pub(crate) fn digest(bytes: &[u8]) -> [u8; 16] {
    Md5::digest(bytes).into()
}

/// A ROM's MD5 and the catalogue's definition.
///
/// # Errors
/// [`LoadError::Cartridge`] for bytes that are not a cartridge, [`LoadError::UnknownRom`] for a cartridge that is not in the catalogue.
pub(crate) fn definition_of(rom: &[u8]) -> Result<([u8; 16], Arc<GameDefinition>), LoadError> {
    Mapper::detect(rom)?;
    let digest = digest(rom);
    let md5 = hexadecimal(&digest);
    match catalogue::find_by_md5(&md5) {
        Some(entry) => Ok((digest, Arc::new(entry.definition()?))),
        None => Err(LoadError::UnknownRom { md5, size: rom.len() }),
    }
}

/// A ROM's MD5. Refuses a definition of another ROM.
pub(crate) fn check(rom: &[u8], game: &GameDefinition) -> Result<[u8; 16], LoadError> {
    let digest = digest(rom);
    if let Some(expected) = &game.md5 {
        let md5 = hexadecimal(&digest);
        if *expected != md5 {
            return Err(LoadError::OtherRom {
                rom: game.rom.clone(),
                expected: expected.clone(),
                md5,
            });
        }
    }
    Ok(digest)
}

/// Idle frames that were played: the checkpoint at which they began and where they ended.
pub(crate) type Idle = (Checkpoint, Arc<Destination>);

/// The state of a console that has just been switched on.
#[derive(Debug)]
pub(crate) struct PoweredOn {
    tv: TvFormat,
    state: Vec<u8>,
    /// The generator, after it has drawn the noise of RAM.
    random: Mt19937,
    idle: Vec<Idle>,
}

impl PoweredOn {
    /// Switches a new console on.
    pub(crate) fn new(rom: &Arc<[u8]>, game: &GameDefinition, system_seed: u32) -> Result<Self, LoadError> {
        let mut random = Mt19937::new(system_seed);
        let mut geometry = geometry(game, game.tv.unwrap_or_default());
        let mut console = new_console(rom, game, geometry)?;
        for byte in console.ram_mut() {
            *byte = random.next_u32() as u8;
        }
        // The RIOT draws a timer value when it is created.
        random.next_u32();
        let mut idle = Vec::new();
        if game.tv.is_none() {
            console.reset(&mut || random.next_u32());
            let (tv, played) = detect_tv(&mut console, game);
            if tv == geometry.tv {
                idle = played;
            } else {
                geometry = self::geometry(game, tv);
                console.set_geometry(geometry);
            }
        }
        console.reset(&mut || random.next_u32());
        let mut state = Vec::new();
        console.save_state(&mut state);
        Ok(Self {
            tv: geometry.tv,
            state,
            random,
            idle,
        })
    }

    /// Idle frames of a reset that were played when the television was detected.
    pub(crate) fn idle(&self) -> &[Idle] {
        &self.idle
    }

    /// The console and the generator.
    pub(crate) fn console(&self, rom: &Arc<[u8]>, game: &GameDefinition) -> Result<(Console, Mt19937), LoadError> {
        let mut console = new_console(rom, game, geometry(game, self.tv))?;
        let loaded = console.load_state(&mut self.state.as_slice());
        debug_assert_eq!(loaded, Ok(()), "the state is that of a console like this one");
        Ok((console, self.random.clone()))
    }
}

/// The part of a game's frames that is shown.
fn geometry(game: &GameDefinition, tv: TvFormat) -> FrameGeometry {
    let height = match (tv, game.height) {
        (TvFormat::Pal, HEIGHT) => PAL_HEIGHT,
        (_, height) => height,
    };
    FrameGeometry {
        tv,
        ystart: game.ystart,
        height,
    }
}

fn new_console(rom: &Arc<[u8]>, game: &GameDefinition, geometry: FrameGeometry) -> Result<Console, LoadError> {
    let mapper = match game.mapper {
        Some(mapper) => mapper,
        None => Mapper::detect(rom)?,
    };
    let wiring = Wiring {
        left: game.left,
        right: game.right,
        swap_ports: game.swap_ports,
        swap_paddles: game.swap_paddles,
    };
    let hmove_blanks = if game.hmove_blanks {
        HmoveBlanks::Shown
    } else {
        HmoveBlanks::Hidden
    };
    let config = Config {
        mapper,
        wiring,
        geometry,
        hmove_blanks,
    };
    Ok(Console::new(Arc::clone(rom), &config)?)
}

/// Detects the television of a console that has just been reset. Also returns the idle frames that a reset with this television would
/// play.
fn detect_tv(console: &mut Console, game: &GameDefinition) -> (TvFormat, Vec<Idle>) {
    let switches = Switches {
        left_difficulty_a: game.left_difficulty_a,
        right_difficulty_a: game.right_difficulty_a,
        ..Switches::default()
    };
    let input = Input {
        switches,
        ..Input::default()
    };
    let mut long_frames = 0;
    let mut recorder = IdleRecorder::new(game);
    for frame in 1..=IDLE_FRAMES {
        console.run_frame(&input, Picture::OnDemand);
        recorder.note(console, frame);
        if frame > IDLE_FRAMES - COUNTED_FRAMES && console.scanlines() > NTSC_LINES {
            long_frames += 1;
        }
    }
    let mut later = console.clone();
    later.run_frame(&input, Picture::OnDemand);
    recorder.note(&mut later, IDLE_FRAMES + 1);
    let tv = if 2 * long_frames >= COUNTED_FRAMES {
        TvFormat::Pal
    } else {
        TvFormat::Ntsc
    };
    (tv, recorder.finish())
}

/// Records idle frames for the reset cache while the television is detected: from the frame of a reset's checkpoint and from the next
/// frame. Some programs need one frame less in a reset, where RAM does not hold noise.
struct IdleRecorder<'a> {
    game: &'a GameDefinition,
    episode: Episode,
    starts: Vec<(Checkpoint, Mark)>,
    ends: Vec<Arc<Destination>>,
}

impl<'a> IdleRecorder<'a> {
    fn new(game: &'a GameDefinition) -> Self {
        Self {
            game,
            episode: Episode::new(game),
            starts: Vec::new(),
            ends: Vec::new(),
        }
    }

    /// Notes the console after an idle frame, the first being 1.
    fn note(&mut self, console: &mut Console, frame: u32) {
        let Self { game, episode, .. } = self;
        game.rules.step(&mut episode.variables, &ConsoleRam(console));
        if (CHECKPOINT_FRAMES..=CHECKPOINT_FRAMES + 1).contains(&frame) {
            let checkpoint = Checkpoint::of(game.default_difficulty, episode, console, Vec::new());
            self.starts.push((checkpoint, console.mark()));
        }
        if let Some(start) = frame.checked_sub(IDLE_FRAMES)
            && let Some((_, mark)) = self.starts.get(start as usize)
        {
            self.ends.push(Arc::new(Destination::of(console, *mark, episode, 0)));
        }
    }

    /// The idle frames, if the controls are the same in a reset.
    fn finish(self) -> Vec<Idle> {
        let Self { game, starts, ends, .. } = self;
        let difficulty = u32::from(game.left_difficulty_a) | u32::from(game.right_difficulty_a) << 1;
        if game.uses_paddles() || game.default_difficulty & 3 != difficulty {
            return Vec::new();
        }
        let starts = starts.into_iter().map(|(checkpoint, _)| checkpoint);
        starts.zip(ends).collect()
    }
}
