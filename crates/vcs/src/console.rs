//! A console: a machine with a cartridge, and the executor that runs its CPU.

use crate::cartridge::{Cartridge, CartridgeError, Mapper, Random};
use crate::executor::Executor;
use crate::input::{Input, Pins, Wiring};
use crate::jit::JitStatistics;
use crate::machine::Machine;
use crate::snapshot::Snapshot;
use crate::state::InvalidState;
use crate::tia::Mark;
use crate::{Drawing, FrameGeometry, HmoveBlanks, SOUND_SAMPLES, TvFormat};
use std::sync::Arc;

/// Instructions after which a frame that has not ended is left for the next call to continue.
const FRAME_INSTRUCTIONS: u32 = 25_000;

/// The facts about a game that a console needs besides its ROM.
#[derive(Clone, Copy, Debug)]
pub struct ConsoleConfig {
    /// How the ROM is banked.
    pub mapper: Mapper,
    /// How the controllers are wired.
    pub wiring: Wiring,
    /// The lines shown.
    pub geometry: FrameGeometry,
    /// Whether HMOVE shows its blanks.
    pub hmove_blanks: HmoveBlanks,
}

impl ConsoleConfig {
    /// Joysticks, and ALE's default picture: NTSC, 210 lines from line 34 on, with HMOVE blanks.
    pub fn new(mapper: Mapper) -> Self {
        Self {
            mapper,
            wiring: Wiring::default(),
            geometry: FrameGeometry {
                tv: TvFormat::Ntsc,
                first_line: 34,
                height: 210,
            },
            hmove_blanks: HmoveBlanks::Shown,
        }
    }
}

/// A console. [`Console::reset`] it once before the first frame.
///
/// A clone plays on as its original and shares its ROM. A console can be sent to another thread.
///
/// # Examples
/// ```
/// use gym2600_vcs::{Console, ConsoleConfig, Drawing, Input, Joystick, Mapper};
///
/// # let rom: Vec<u8> = [0xEA].into_iter().cycle().take(4096).collect(); // NOP
/// let mapper = Mapper::detect(&rom)?; // `rom` has the bytes of a cartridge
/// let mut console = Console::new(rom, &ConsoleConfig::new(mapper))?;
/// console.reset(&mut || 0);
///
/// let fire = Joystick { fire: true, ..Joystick::default() };
/// let input = Input { joysticks: [fire, Joystick::default()], ..Input::default() };
/// console.run_frame(&input, Drawing::OnDemand);
///
/// let mut state = Vec::new();
/// console.save(&mut state);
/// let mut other = console.clone();
/// console.run_frame(&input, Drawing::OnDemand);
/// other.load(&mut state.as_slice())?;
/// other.run_frame(&input, Drawing::OnDemand);
/// assert_eq!(console.screen(), other.screen());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Console {
    wiring: Wiring,
    machine: Machine,
    executor: Executor,
}

impl Console {
    /// Makes a console with a cartridge. Its RAM holds zeros. Consoles with the same `Arc` share the ROM.
    ///
    /// # Errors
    /// [`CartridgeError::MapperSize`] if the mapper does not take a ROM of this size.
    pub fn new(rom: impl Into<Arc<[u8]>>, config: &ConsoleConfig) -> Result<Self, CartridgeError> {
        let rom = rom.into();
        config.mapper.check_size(&rom)?;
        let ConsoleConfig {
            wiring,
            geometry,
            hmove_blanks,
            ..
        } = *config;
        let cartridge = Cartridge::new(rom, config.mapper);
        let executor = Executor::new(&cartridge, config.mapper);
        let machine = Machine::new(cartridge, geometry, hmove_blanks);
        Ok(Self {
            wiring,
            machine,
            executor,
        })
    }

    /// Switches the console off and on: chips and cartridge are reset, RAM keeps its bytes. `random` is drawn once for the
    /// timer and once for each byte of RAM on the cartridge, in this order.
    pub fn reset(&mut self, random: &mut Random<'_>) {
        self.machine.reset(random);
    }

    /// Runs one frame: until the program ends it with VSYNC or it has too many lines, at most 25,000 instructions.
    pub fn run_frame(&mut self, input: &Input, drawing: Drawing) {
        self.machine.bus.pins = Pins::new(input, self.wiring);
        let greying = self.machine.begin_frame(drawing);
        self.executor.run(&mut self.machine, FRAME_INSTRUCTIONS);
        self.machine.end_frame(greying);
    }

    /// Appends the state on which later frames depend, without pictures and sound counters: consoles with the same bytes behave alike.
    pub fn save_without_pictures(&mut self, bytes: &mut Vec<u8>) {
        self.machine.save_without_pictures(bytes);
    }

    /// Takes what [`Console::save_without_pictures`] gave a console with the same ROM and configuration. The pictures stay as they are.
    ///
    /// # Errors
    /// [`InvalidState`] if there are too few bytes or a value is not valid. The console is then half restored.
    pub fn load_without_pictures(&mut self, bytes: &mut &[u8]) -> Result<(), InvalidState> {
        self.machine.load_without_pictures(bytes)
    }

    /// Marks the beginning of a run that [`Console::snapshot`] ends.
    pub fn mark(&mut self) -> Mark {
        self.machine.bus.tia.mark()
    }

    /// A snapshot of the console, after a run that began in the state that was marked.
    pub fn snapshot(&mut self, mark: Mark) -> Snapshot {
        self.machine.snapshot(mark)
    }

    /// Whether continuing from `snapshot` gives the same pictures as playing on from here. The run that ended at `snapshot` has to have
    /// begun with a [`Console::mark`] and the same [`Console::save_without_pictures`]. The pictures differ if those of `snapshot` show
    /// pixels of frames before the mark.
    pub fn is_covered_by(&self, snapshot: &Snapshot) -> bool {
        snapshot.pictures.cover(&self.machine.bus.tia)
    }

    /// Continues from a snapshot of a console with the same ROM and configuration, where [`Console::is_covered_by`] it.
    ///
    /// # Errors
    /// [`InvalidState`] if the snapshot is one of another ROM, mapper or geometry. Nothing has changed then.
    pub fn continue_from(&mut self, snapshot: &Snapshot) -> Result<(), InvalidState> {
        self.machine.continue_from(snapshot)
    }

    /// The picture after the last frame: a palette index a pixel, [`crate::WIDTH`] a row, as many rows as the geometry has lines.
    pub fn screen(&mut self) -> &[u8] {
        self.machine.bus.tia.pixels()
    }

    /// The picture after the last frame and the one in the other frame buffer, which the frame before it was drawn to.
    pub fn screens(&mut self) -> [&[u8]; 2] {
        self.machine.bus.tia.screens()
    }

    /// Makes the next [`SOUND_SAMPLES`] samples of sound from the present registers; 128 is silence. Call it after each
    /// frame that is heard: a sound continues where the last call ended.
    pub fn play_sound(&mut self) -> &[u8; SOUND_SAMPLES] {
        self.machine.bus.tia.sound.play()
    }

    /// The samples of the last [`Console::play_sound`], zeros before the first.
    pub fn sound(&self) -> &[u8; SOUND_SAMPLES] {
        self.machine.bus.tia.sound.samples()
    }

    /// The RIOT's RAM, addresses 0x80 to 0xFF.
    pub fn ram(&self) -> &[u8; 128] {
        &self.machine.bus.riot.ram
    }

    /// The RIOT's RAM, mutable.
    pub fn ram_mut(&mut self) -> &mut [u8; 128] {
        &mut self.machine.bus.riot.ram
    }

    /// RAM on the cartridge; empty where there is none.
    pub fn cartridge_ram(&self) -> &[u8] {
        self.machine.bus.cartridge.ram()
    }

    /// The lines of the last frame.
    pub fn scanlines(&self) -> i32 {
        self.machine.bus.tia.scanlines(self.machine.bus.cycles)
    }

    /// Whether the last frame ended by VSYNC or by too many lines, not by the limit of instructions.
    pub fn frame_has_ended(&self) -> bool {
        self.machine.frame_has_ended()
    }

    /// Whether the program runs compiled code: see [`crate::install_compiler`]. It makes no other difference than speed.
    pub fn is_compiled(&self) -> bool {
        self.jit_statistics().is_some_and(|statistics| statistics.is_compiled)
    }

    /// Figures of the program's compile jobs; none if no compiler was installed when the console was made.
    pub fn jit_statistics(&self) -> Option<JitStatistics> {
        self.executor.statistics()
    }

    /// Appends the state to `bytes`: everything that later frames depend on besides ROM and configuration. It is a function of
    /// ROM, configuration, inputs and noise; which frames were compiled or drawn does not change it.
    pub fn save(&mut self, bytes: &mut Vec<u8>) {
        self.machine.save(bytes);
    }

    /// Takes the state that [`Console::save`] gave a console with the same ROM and configuration from the front of `bytes`.
    ///
    /// # Errors
    /// [`InvalidState`] if there are too few bytes or a value is not valid. Some fields have been loaded then: load into a clone.
    pub fn load(&mut self, bytes: &mut &[u8]) -> Result<(), InvalidState> {
        self.machine.load(bytes)
    }

    /// The lines shown.
    pub fn geometry(&self) -> FrameGeometry {
        self.machine.bus.tia.geometry()
    }

    /// Changes the television and the lines shown. It allocates the picture, and applies from the next reset. States that are saved
    /// before that cannot be loaded.
    pub fn set_geometry(&mut self, geometry: FrameGeometry) {
        self.machine.bus.tia.set_geometry(geometry);
    }
}
