//! A console with a cartridge in it, whatever its kind.

use crate::cartridge::{Banked, Cartridge, CartridgeError, Dpc, Fe, Mapper, Parker, Plain, Random};
use crate::input::{Input, Pins, Wiring};
use crate::machine::Machine;
use crate::state::WrongLength;
use crate::{FrameGeometry, HmoveBlanks, Picture, SOUND_SAMPLES};

/// What a console has to know about a game besides its ROM.
#[derive(Clone, Copy, Debug)]
pub struct Config {
    /// How the ROM is banked.
    pub mapper: Mapper,
    /// How the controllers are wired.
    pub wiring: Wiring,
    /// The lines shown.
    pub geometry: FrameGeometry,
    /// Whether HMOVE shows its blanks.
    pub hmove_blanks: HmoveBlanks,
}

/// A console. [`Console::reset`] it once before the first frame.
#[derive(Clone, Debug)]
pub struct Console {
    wiring: Wiring,
    core: Core,
}

#[derive(Clone, Debug)]
enum Core {
    Plain(Machine<Plain>),
    F8(Machine<Banked<8192, 0xFF8, 0>>),
    F8Sc(Machine<Banked<8192, 0xFF8, 128>>),
    F6(Machine<Banked<16384, 0xFF6, 0>>),
    F6Sc(Machine<Banked<16384, 0xFF6, 128>>),
    E0(Machine<Parker>),
    Fe(Machine<Fe>),
    Dpc(Machine<Dpc>),
}

/// Runs an expression on the machine inside, once for each kind.
macro_rules! with_machine {
    ($core:expr, $machine:ident => $body:expr) => {
        match $core {
            Core::Plain($machine) => $body,
            Core::F8($machine) => $body,
            Core::F8Sc($machine) => $body,
            Core::F6($machine) => $body,
            Core::F6Sc($machine) => $body,
            Core::E0($machine) => $body,
            Core::Fe($machine) => $body,
            Core::Dpc($machine) => $body,
        }
    };
}

impl Console {
    /// Puts a cartridge into a console whose RAM holds zeros.
    ///
    /// # Errors
    /// [`CartridgeError::MapperSize`] where the ROM's size is not one that the mapper takes.
    pub fn new(rom: &[u8], config: &Config) -> Result<Self, CartridgeError> {
        config.mapper.check_size(rom)?;
        let Config {
            wiring,
            geometry,
            hmove_blanks,
            ..
        } = *config;
        macro_rules! machine {
            ($cartridge:expr) => {
                Machine::new($cartridge, geometry, hmove_blanks)
            };
        }
        let core = match config.mapper {
            Mapper::Rom2K | Mapper::Rom4K => Core::Plain(machine!(Plain::new(rom))),
            Mapper::F8 => Core::F8(machine!(Banked::new(rom, 1))),
            Mapper::F8Sc => Core::F8Sc(machine!(Banked::new(rom, 1))),
            Mapper::F6 => Core::F6(machine!(Banked::new(rom, 0))),
            Mapper::F6Sc => Core::F6Sc(machine!(Banked::new(rom, 0))),
            Mapper::E0 => Core::E0(machine!(Parker::new(rom))),
            Mapper::Fe => Core::Fe(machine!(Fe::new(rom))),
            Mapper::Dpc => Core::Dpc(machine!(Dpc::new(rom))),
        };
        Ok(Self { wiring, core })
    }

    /// Switches the console off and on: chips and cartridge start anew, RAM keeps what it holds. `random` is drawn once for the
    /// timer and once for each byte of RAM on the cartridge, in this order.
    pub fn reset(&mut self, random: &mut Random<'_>) {
        with_machine!(&mut self.core, machine => machine.reset(random));
    }

    /// Runs one frame: until the program ends it with VSYNC or the television gives up on it, at most 25,000 instructions.
    pub fn run_frame(&mut self, input: &Input, picture: Picture) {
        let pins = Pins::new(input, self.wiring);
        with_machine!(&mut self.core, machine => {
            machine.bus.pins = pins;
            machine.run_frame(picture);
        });
    }

    /// The picture after the last frame: a palette index a pixel, [`crate::WIDTH`] a row, as many rows as the geometry has lines.
    pub fn screen(&mut self) -> &[u8] {
        with_machine!(&mut self.core, machine => machine.bus.tia.screen())
    }

    /// The picture after the last frame and the one in the other frame buffer, which the frame before it was drawn to.
    pub fn screens(&mut self) -> [&[u8]; 2] {
        with_machine!(&mut self.core, machine => machine.bus.tia.screens())
    }

    /// Makes the next [`SOUND_SAMPLES`] samples of sound from the registers as they are, 128 being silence. Call it after each
    /// frame that is to be heard: a sound goes on from where the last call has left it.
    pub fn play_sound(&mut self) -> &[u8; SOUND_SAMPLES] {
        with_machine!(&mut self.core, machine => machine.bus.tia.sound.play())
    }

    /// What the last [`Console::play_sound`] made; zeros before the first.
    pub fn sound(&self) -> &[u8; SOUND_SAMPLES] {
        with_machine!(&self.core, machine => machine.bus.tia.sound.samples())
    }

    /// The RIOT's RAM, addresses 0x80 to 0xFF.
    pub fn ram(&self) -> &[u8; 128] {
        with_machine!(&self.core, machine => &machine.bus.riot.ram)
    }

    /// The RIOT's RAM, to be changed.
    pub fn ram_mut(&mut self) -> &mut [u8; 128] {
        with_machine!(&mut self.core, machine => &mut machine.bus.riot.ram)
    }

    /// RAM on the cartridge: 128 bytes or none.
    pub fn cartridge_ram(&self) -> &[u8] {
        with_machine!(&self.core, machine => machine.bus.cartridge.ram())
    }

    /// Lines that the last frame has had.
    pub fn scanlines(&self) -> i32 {
        with_machine!(&self.core, machine => machine.bus.tia.scanlines(machine.bus.cycles))
    }

    /// Whether the last frame was ended by the program or the television, not by the limit of instructions.
    pub fn frame_is_whole(&self) -> bool {
        with_machine!(&self.core, machine => machine.frame_is_whole())
    }

    /// Appends the state to `bytes`: all that the frames to come depend on besides ROM and configuration.
    pub fn save(&mut self, bytes: &mut Vec<u8>) {
        with_machine!(&mut self.core, machine => machine.save(bytes));
    }

    /// Takes the state that [`Console::save`] gave a console with the same ROM and configuration from the front of `bytes`.
    ///
    /// # Errors
    /// [`WrongLength`] where there are too few bytes. The console is then half restored: restore a clone.
    pub fn load(&mut self, bytes: &mut &[u8]) -> Result<(), WrongLength> {
        with_machine!(&mut self.core, machine => machine.load(bytes))
    }

    /// The lines shown.
    pub fn geometry(&self) -> FrameGeometry {
        with_machine!(&self.core, machine => machine.bus.tia.geometry())
    }

    /// Another television: allocates its picture, and applies from the next reset.
    pub fn set_geometry(&mut self, geometry: FrameGeometry) {
        with_machine!(&mut self.core, machine => machine.bus.tia.set_geometry(geometry));
    }
}
