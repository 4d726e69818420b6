//! Makes consoles that have just been switched on.

use std::sync::Arc;

use gym2600_vcs::{Console, ConsoleConfig, FrameGeometry, HmoveBlanks, Mapper, TvFormat, Wiring};

use crate::checkpoint::Idle;
use crate::definition::GameDefinition;
use crate::load::LoadError;
use crate::random::Mt19937;
use crate::tv_detection::detect_tv;
use crate::whole_picture::whole_picture;

/// The default height of a picture.
const HEIGHT: u16 = 210;
/// The default height with PAL.
const PAL_HEIGHT: u16 = 250;

/// The state of a console that has just been switched on.
#[derive(Debug)]
pub(crate) struct PoweredOn {
    geometry: FrameGeometry,
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
        if game.whole_picture {
            geometry = whole_picture(&console, geometry, random.clone());
            console.set_geometry(geometry);
            // They were played with other lines.
            idle.clear();
        }
        console.reset(&mut || random.next_u32());
        let mut state = Vec::new();
        console.save_without_pictures(&mut state);
        Ok(Self {
            geometry,
            state,
            random,
            idle,
        })
    }

    /// The part of the game's frames that is shown.
    pub(crate) fn geometry(&self) -> FrameGeometry {
        self.geometry
    }

    /// Idle frames of a reset that were played when the television was detected.
    pub(crate) fn idle(&self) -> &[Idle] {
        &self.idle
    }

    /// The console and the generator.
    pub(crate) fn console(&self, rom: &Arc<[u8]>, game: &GameDefinition) -> Result<(Console, Mt19937), LoadError> {
        let mut console = new_console(rom, game, self.geometry)?;
        console
            .load_without_pictures(&mut self.state.as_slice())
            .expect("the state is that of a console like this one");
        Ok((console, self.random.clone()))
    }
}

/// The geometry of a game whose definition names its television and its lines, without a console.
pub(crate) fn named_geometry(rom: &[u8], game: &GameDefinition) -> Result<Option<FrameGeometry>, LoadError> {
    let Some(tv) = game.tv.filter(|_| !game.whole_picture) else {
        return Ok(None);
    };
    mapper(rom, game)?.check_size(rom)?;
    Ok(Some(geometry(game, tv)))
}

/// The part of a game's frames that is shown.
fn geometry(game: &GameDefinition, tv: TvFormat) -> FrameGeometry {
    let height = match (tv, game.height) {
        (TvFormat::Pal, HEIGHT) => PAL_HEIGHT,
        (_, height) => height,
    };
    FrameGeometry {
        tv,
        first_line: game.first_line,
        height,
    }
}

fn mapper(rom: &[u8], game: &GameDefinition) -> Result<Mapper, LoadError> {
    match game.mapper {
        Some(mapper) => Ok(mapper),
        None => Ok(Mapper::detect(rom)?),
    }
}

fn new_console(rom: &Arc<[u8]>, game: &GameDefinition, geometry: FrameGeometry) -> Result<Console, LoadError> {
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
    let config = ConsoleConfig {
        mapper: mapper(rom, game)?,
        wiring,
        geometry,
        hmove_blanks,
    };
    Ok(Console::new(Arc::clone(rom), &config)?)
}
