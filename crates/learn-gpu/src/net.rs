//! A net on a graphics card, with the pictures that it sees.
//!
//! Pictures stay bytes, and each is sent and kept once: an observation names its pictures by their places, and the card assembles the stacks
//! of a batch.

use wgpu::{Buffer, CommandEncoder, ComputePass, ComputePassDescriptor};

use crate::card::{Card, Reading};
use crate::error::{GpuError, equal, within};
use crate::kernel::{Constants, Kernel, Tiles, line};
use crate::layer::{Shape, product};
use crate::work::{Room, SETTINGS_NUMBERS, SettingsBits};

pub(crate) const SETTINGS: &str = include_str!("shaders/settings.wgsl");
pub(crate) const WINDOW: &str = include_str!("shaders/window.wgsl");
pub(crate) const PRODUCT: &str = include_str!("shaders/product.wgsl");
const ASSEMBLE: &str = include_str!("shaders/assemble.wgsl");
const FORWARD: &str = include_str!("shaders/forward.wgsl");

/// How a layer reads its input: the element type of its buffer and the text that does it.
pub(crate) fn input(number: usize) -> (&'static str, &'static str) {
    match number {
        0 => ("u32", include_str!("shaders/input_bytes.wgsl")),
        _ => ("f32", include_str!("shaders/input_floats.wgsl")),
    }
}

/// A net on a graphics card.
#[derive(Debug)]
pub struct Net {
    pub(crate) card: Card,
    pub(crate) shape: Shape,
    pub(crate) room: Room,
    pub(crate) settings: Buffer,
    pub(crate) samples: Buffer,
    pub(crate) parameters: Buffer,
    /// The input of each layer, and the output of the last.
    pub(crate) values: Vec<Buffer>,
    pictures: Buffer,
    stacks: Buffer,
    assemble: Kernel,
    forward: Vec<(Kernel, Tiles)>,
    /// Pictures on the card.
    sent_pictures: usize,
    /// Pictures that follow them, each in whole words.
    new_pictures: Vec<u8>,
    /// Observations on the card.
    sent: usize,
    /// The places of the pictures of those that follow.
    new_stacks: Vec<u32>,
}

impl Net {
    /// Compiles a net for a card, with parameters of 0.
    ///
    /// # Errors
    /// [`GpuError::Range`] for layers that do not fit one another, [`GpuError::Limit`] and [`GpuError::Lost`]
    pub fn new(card: &Card, shape: &Shape, room: Room) -> Result<Self, GpuError> {
        shape.check()?;
        let Room { batch, observations } = room;
        within("room for a batch", batch, 1..usize::MAX)?;
        within("room for observations", observations, 1..usize::MAX)?;
        let words = shape.picture_words();
        let settings = card.uniform(SETTINGS_NUMBERS * 4);
        let pictures = card.buffer("the pictures", product([observations, words]))?;
        let stacks = card.buffer("the stacks", product([observations, shape.frames]))?;
        let samples = card.buffer("a batch", batch)?;
        let parameters = card.buffer("the parameters", shape.parameters())?;
        let pixels = product([batch, shape.pixels, shape.pixel_words()]);
        let mut values = vec![card.buffer("a batch's pixels", pixels)?];
        for layer in &shape.layers {
            values.push(card.buffer("a layer's outputs", product([batch, layer.values()]))?);
        }
        let assemble = assemble(card, shape, &[&settings, &pictures, &stacks, &samples, &values[0]]);
        let forward = forward(card, shape, &settings, &parameters, &values);
        card.check()?;
        Ok(Self {
            card: card.clone(),
            shape: shape.clone(),
            room,
            settings,
            samples,
            parameters,
            values,
            pictures,
            stacks,
            assemble,
            forward,
            sent_pictures: 0,
            new_pictures: Vec::new(),
            sent: 0,
            new_stacks: Vec::new(),
        })
    }

    /// The card.
    pub fn card(&self) -> &Card {
        &self.card
    }

    /// Outputs for each sample: a logit for each action, the value, and some without meaning.
    pub fn outputs(&self) -> usize {
        self.shape.outputs()
    }

    /// Takes parameters, layer after layer.
    ///
    /// # Errors
    /// [`GpuError::Range`] for more or fewer than the net has
    pub fn set_parameters(&mut self, parameters: &[f32]) -> Result<(), GpuError> {
        equal("parameters", parameters.len(), self.shape.parameters())?;
        self.write(&self.parameters, bytemuck::cast_slice(parameters));
        Ok(())
    }

    /// Forgets all pictures and observations.
    pub fn clear(&mut self) {
        self.sent_pictures = 0;
        self.sent = 0;
        self.new_pictures.clear();
        self.new_stacks.clear();
    }

    /// Adds a picture and gives its place.
    ///
    /// # Errors
    /// [`GpuError::Range`] for a picture of another size
    pub fn add_picture(&mut self, bytes: &[u8]) -> Result<u32, GpuError> {
        equal("bytes of a picture", bytes.len(), self.shape.pixels)?;
        let size = self.shape.picture_words() * 4;
        let place = self.pictures();
        self.new_pictures.extend_from_slice(bytes);
        let end = (place + 1 - self.sent_pictures) * size;
        self.new_pictures.resize(end, 0);
        Ok(place as u32)
    }

    /// Adds an observation of these pictures, the oldest first, and gives its number.
    ///
    /// # Errors
    /// [`GpuError::Range`] for more or fewer pictures than a stack has, for a picture that is not there, and where the room is full
    pub fn add_observation(&mut self, places: &[u32]) -> Result<u32, GpuError> {
        equal("pictures of an observation", places.len(), self.shape.frames)?;
        for place in places {
            within("picture", *place as usize, 0..self.pictures())?;
        }
        let number = self.observations();
        within("observation", number, 0..self.room.observations)?;
        self.new_stacks.extend_from_slice(places);
        Ok(number as u32)
    }

    /// Pictures that were added.
    fn pictures(&self) -> usize {
        self.sent_pictures + self.new_pictures.len() / (self.shape.picture_words() * 4)
    }

    /// Observations that were added.
    pub(crate) fn observations(&self) -> usize {
        self.sent + self.new_stacks.len() / self.shape.frames
    }

    /// The outputs for these observations, row after row.
    ///
    /// # Errors
    /// [`GpuError::Range`] for an observation that is not there, for none and for more than a batch, [`GpuError::Limit`] and
    /// [`GpuError::Lost`]
    pub async fn forward(&mut self, samples: &[u32]) -> Result<Vec<f32>, GpuError> {
        self.begin_forward(samples)?.numbers().await
    }

    /// Has the outputs computed for these observations. It does not wait for the card.
    ///
    /// # Errors
    /// Those of [`Net::forward`]
    pub(crate) fn begin_forward(&mut self, samples: &[u32]) -> Result<Reading, GpuError> {
        self.check_samples(samples, self.observations())?;
        let mut settings = [0; SETTINGS_NUMBERS];
        settings[0] = samples.len() as u32;
        self.prepare(samples, settings)?;
        let work = self.work(|pass| self.run(pass, samples.len()));
        let last = &self.values[self.shape.layers.len()];
        Ok(self.card.read(work, &[(last, samples.len() * self.outputs())]))
    }

    /// Checks a batch of the first `count` observations.
    pub(crate) fn check_samples(&self, samples: &[u32], count: usize) -> Result<(), GpuError> {
        within("samples of a batch", samples.len(), 1..self.room.batch + 1)?;
        let mut samples = samples.iter();
        samples.try_for_each(|sample| within("observation", *sample as usize, 0..count))
    }

    /// Sends what was added, a checked batch and its settings.
    pub(crate) fn prepare(&mut self, samples: &[u32], settings: SettingsBits) -> Result<(), GpuError> {
        self.send()?;
        self.write(&self.settings, bytemuck::cast_slice(&settings));
        self.write(&self.samples, bytemuck::cast_slice(samples));
        self.card.check()
    }

    fn send(&mut self) -> Result<(), GpuError> {
        let words = self.shape.picture_words();
        let count = self.new_pictures.len() / (words * 4);
        if (self.sent_pictures + count) * words * 4 > self.pictures.size() as usize {
            self.grow((self.sent_pictures + count) * words)?;
        }
        let at = (self.sent_pictures * words * 4) as u64;
        self.card.queue.write_buffer(&self.pictures, at, &self.new_pictures);
        self.sent_pictures += count;
        self.new_pictures.clear();
        let at = (self.sent * self.shape.frames * 4) as u64;
        let stacks = bytemuck::cast_slice(&self.new_stacks);
        self.card.queue.write_buffer(&self.stacks, at, stacks);
        self.sent += self.new_stacks.len() / self.shape.frames;
        self.new_stacks.clear();
        Ok(())
    }

    /// Makes room for pictures of so many words and more. Most observations bring one new picture, but any may bring a whole stack.
    fn grow(&mut self, words: usize) -> Result<(), GpuError> {
        let larger = self.card.buffer("the pictures", words + words / 2)?;
        let mut work = self.card.encoder();
        work.copy_buffer_to_buffer(&self.pictures, 0, &larger, 0, self.pictures.size());
        self.card.queue.submit([work.finish()]);
        self.pictures = larger;
        self.assemble.rebind(&self.card, 1, &self.pictures);
        Ok(())
    }

    pub(crate) fn write(&self, buffer: &Buffer, bytes: &[u8]) {
        self.card.queue.write_buffer(buffer, 0, bytes);
    }

    /// Records compute work.
    pub(crate) fn work(&self, record: impl FnOnce(&mut ComputePass<'_>)) -> CommandEncoder {
        let mut encoder = self.card.encoder();
        record(&mut encoder.begin_compute_pass(&ComputePassDescriptor::default()));
        encoder
    }

    /// Adds a forward pass.
    pub(crate) fn run(&self, pass: &mut ComputePass<'_>, batch: usize) {
        self.assemble.run(pass, line(batch * self.shape.picture_words()));
        for (layer, (kernel, tiles)) in self.shape.layers.iter().zip(&self.forward) {
            kernel.run(pass, tiles.groups(batch * layer.places(), layer.outputs, 1));
        }
    }
}

fn assemble(card: &Card, shape: &Shape, buffers: &[&Buffer]) -> Kernel {
    let constants = Constants::default().numbers([
        ("PICTURE_WORDS", shape.picture_words()),
        ("PICTURE_PIXELS", shape.pixels),
        ("PIXEL_WORDS", shape.pixel_words()),
        ("FRAMES", shape.frames),
    ]);
    Kernel::new(card, &constants, &[SETTINGS, ASSEMBLE], buffers)
}

fn forward(
    card: &Card,
    shape: &Shape,
    settings: &Buffer,
    parameters: &Buffer,
    values: &[Buffer],
) -> Vec<(Kernel, Tiles)> {
    let mut at = 0;
    let layers = shape.layers.iter().enumerate();
    let kernels = layers.map(|(number, layer)| {
        let tiles = Tiles::of(layer.outputs);
        let (element, load) = input(number);
        let constants = Constants::default()
            .layer(*layer, at)
            .tiles(tiles)
            .choices([("RELU", layer.relu)])
            .alias("INPUT", element);
        at += layer.parameters();
        let texts = [SETTINGS, load, WINDOW, FORWARD, PRODUCT];
        let buffers = [settings, &values[number], parameters, &values[number + 1]];
        (Kernel::new(card, &constants, &texts, &buffers), tiles)
    });
    kernels.collect()
}
