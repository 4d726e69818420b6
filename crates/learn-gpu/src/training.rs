//! Updates of a net: losses, gradients, their norm and the optimizer, all on the card.

use wgpu::{Buffer, ComputePass};

use crate::card::{Card, Reading};
use crate::error::{GpuError, equal, within};
use crate::kernel::{Constants, DEPTH, GROUP, Kernel, Tiles, line};
use crate::layer::{Layer, Shape, product};
use crate::net::{Net, PRODUCT, SETTINGS, WINDOW, input};
use crate::work::{Loss, Objective, Optimizer, SLOT, STEP_NUMBERS, SettingsBits, Shown, State, TOTALS, Work};

/// Workgroups that are enough for all multiprocessors of a card.
const ENOUGH_GROUPS: usize = 512;

/// Tiles of a long sum's section at least: a shorter one is not worth a place in memory.
const LEAST_SECTION: usize = 16;

/// The kernels of a layer's gradients.
#[derive(Debug)]
struct Backward {
    layer: Layer,
    parts: usize,
    weights: (Kernel, Tiles),
    sections: Kernel,
    /// The gradient of the input, which the first layer does not need.
    below: Option<(Kernel, Tiles)>,
}

/// A net that learns on a graphics card.
#[derive(Debug)]
pub struct Training {
    /// The net, which also plays.
    pub net: Net,
    objective: Objective,
    /// For each game the card's places of the pictures that it has shown.
    places: Vec<Vec<u32>>,
    steps: Buffer,
    /// Steps of the rollout that were taken.
    taken: usize,
    gradient: Buffer,
    totals: Buffer,
    first: Buffer,
    second: Buffer,
    loss: Kernel,
    /// From the first layer up.
    backward: Vec<Backward>,
    norm: Kernel,
    sum: Kernel,
    optimizer: Kernel,
}

impl Training {
    /// Compiles a net and its gradients for a card, with parameters and moments of 0.
    ///
    /// # Errors
    /// [`GpuError::Range`] and [`GpuError::Relu`] for layers that do not fit, [`GpuError::Limit`] and [`GpuError::Lost`]
    pub fn new(card: &Card, work: &Work) -> Result<Self, GpuError> {
        let Work { shape, room, objective } = work;
        shape.check_training()?;
        within("minibatches", objective.minibatches, 1..usize::MAX)?;
        let net = Net::new(card, shape, *room)?;
        let top = shape.layers.len();
        let parameters = shape.parameters();
        let steps = card.buffer("the steps", product([room.observations, STEP_NUMBERS]))?;
        let gradient = card.buffer("the gradient", parameters)?;
        let losses = card.buffer("the losses", product([room.batch, STEP_NUMBERS]))?;
        // A place for each gradient step of an update, and one for `gradient`.
        let totals = card.buffer("the losses' sums", product([objective.minibatches + 1, TOTALS]))?;
        let means = match objective.optimizer {
            Optimizer::Adam => parameters,
            Optimizer::Rmsprop => 1,
        };
        let first = card.buffer("the optimizer's means", means)?;
        let second = card.buffer("the optimizer's means", parameters)?;
        let mut slopes = Vec::new();
        for (number, values) in net.values.iter().enumerate() {
            // That of the pixels is never needed.
            let numbers = if number == 0 { 1 } else { values.size() / 4 };
            slopes.push(card.buffer("a layer's gradient", numbers as usize)?);
        }
        let backward = backward(&net, &slopes, &gradient)?;
        let scored = [
            &net.settings,
            &net.values[top],
            &net.samples,
            &steps,
            &slopes[top],
            &losses,
        ];
        let loss = loss(card, shape, *objective, &scored);
        let ends = [&gradient, &losses, &totals, &second, &first];
        let [norm, sum, optimizer] = last_kernels(&net, *objective, ends)?;
        card.check()?;
        Ok(Self {
            net,
            objective: *objective,
            places: Vec::new(),
            steps,
            taken: 0,
            gradient,
            totals,
            first,
            second,
            loss,
            backward,
            norm,
            sum,
            optimizer,
        })
    }

    /// Begins an update with these parameters and moments, of which RMSprop has no first one. Nothing has been shown.
    ///
    /// # Errors
    /// [`GpuError::Range`] for more or fewer numbers than the net has
    pub fn begin(&mut self, parameters: &[f32], first: &[f32], second: &[f32]) -> Result<(), GpuError> {
        let count = self.net.shape.parameters();
        equal("first moments", first.len(), self.first_moments())?;
        equal("second moments", second.len(), count)?;
        self.net.set_parameters(parameters)?;
        self.net.clear();
        self.places.clear();
        self.taken = 0;
        self.net.write(&self.first, bytemuck::cast_slice(first));
        self.net.write(&self.second, bytemuck::cast_slice(second));
        Ok(())
    }

    /// Adam's means of gradients.
    fn first_moments(&self) -> usize {
        match self.objective.optimizer {
            Optimizer::Adam => self.net.shape.parameters(),
            Optimizer::Rmsprop => 0,
        }
    }

    /// The outputs for what all games show before a step, game after game. The observations of an update are numbered in their order.
    ///
    /// # Errors
    /// [`GpuError::Range`] for what does not fit the net, its room or the games before, [`GpuError::Limit`] and [`GpuError::Lost`]
    pub async fn outputs(&mut self, shown: &Shown) -> Result<Vec<f32>, GpuError> {
        self.begin_outputs(0, shown)?.numbers().await
    }

    /// Has the outputs computed for what some games show before a step: those from the game `first` on. It does not wait for the card. Each
    /// step is asked for all games in their order before the next one of any.
    ///
    /// # Errors
    /// Those of [`Training::outputs`], and [`GpuError::Range`] for games whose turn it is not
    pub fn begin_outputs(&mut self, first: usize, shown: &Shown) -> Result<Reading, GpuError> {
        self.check_shown(first, shown)?;
        let mut pictures = shown.pictures.chunks_exact(self.net.shape.pixels);
        let stacks = shown.stacks.chunks_exact(self.net.shape.frames);
        let games = first..first + shown.counts.len();
        if self.places.len() < games.end {
            self.places.resize(games.end, Vec::new());
        }
        let mut samples = Vec::with_capacity(shown.counts.len());
        for ((places, count), stack) in self.places[games].iter_mut().zip(&shown.counts).zip(stacks) {
            for picture in pictures.by_ref().take(*count as usize) {
                places.push(self.net.add_picture(picture)?);
            }
            let stack = stack.iter().map(|number| places[*number as usize]);
            samples.push(self.net.add_observation(&stack.collect::<Vec<_>>())?);
        }
        self.net.begin_forward(&samples)
    }

    fn check_shown(&self, first: usize, shown: &Shown) -> Result<(), GpuError> {
        let Shown {
            pictures,
            counts,
            stacks,
        } = shown;
        let Shape { pixels, frames, .. } = self.net.shape;
        let games = counts.len();
        within("games", games, 1..self.net.room.batch + 1)?;
        let (asked, known) = (self.net.observations(), self.places.len());
        // Until each game has been asked once, the next ones are new.
        if first != known || asked != known {
            equal("first game", first, asked.checked_rem(known).unwrap_or(0))?;
            within("games of an update", first + games, 0..known + 1)?;
        }
        let room = self.net.room.observations - asked;
        within("observations that are left", games, 1..room + 1)?;
        let count = counts
            .iter()
            .fold(0, |sum: usize, count| sum.saturating_add(*count as usize));
        equal("bytes of pictures", pictures.len(), product([count, pixels]))?;
        equal("pictures of stacks", stacks.len(), product([games, frames]))?;
        for (game, stack) in stacks.chunks_exact(frames).enumerate() {
            let known = self.places.get(first + game).map_or(0, Vec::len) + counts[game] as usize;
            for number in stack {
                within("picture of a game", *number as usize, 0..known)?;
            }
        }
        Ok(())
    }

    /// Takes the steps of a rollout as [`Step::bits`](crate::Step::bits), one for each observation from the first on.
    ///
    /// # Errors
    /// [`GpuError::Range`] for parts of steps, for more steps than observations and for an action that the net does not have
    pub fn set_steps(&mut self, steps: &[u32]) -> Result<(), GpuError> {
        let (whole, rest) = steps.as_chunks::<STEP_NUMBERS>();
        equal("numbers after the last step", rest.len(), 0)?;
        within("steps", whole.len(), 0..self.net.observations() + 1)?;
        for [action, ..] in whole {
            within("action", *action as usize, 0..self.net.shape.actions)?;
        }
        self.net.write(&self.steps, bytemuck::cast_slice(steps));
        self.taken = whole.len();
        Ok(())
    }

    /// Checks a batch and its settings, whose slot is one of `slots`.
    fn check_batch(&self, samples: &[u32], settings: SettingsBits, slots: usize) -> Result<(), GpuError> {
        self.net.check_samples(samples, self.taken)?;
        equal("samples of the settings", settings[0] as usize, samples.len())?;
        within("slot", settings[SLOT] as usize, 0..slots)
    }

    /// Makes a gradient step on these observations. It does not wait for the card.
    ///
    /// # Errors
    /// [`GpuError::Range`] for observations without a step and settings of another batch, [`GpuError::Limit`] and [`GpuError::Lost`]
    pub fn step(&mut self, samples: &[u32], settings: SettingsBits) -> Result<(), GpuError> {
        self.check_batch(samples, settings, self.objective.minibatches)?;
        self.net.prepare(samples, settings)?;
        let work = self.net.work(|pass| {
            self.differentiate(pass, samples.len());
            self.optimizer.run(pass, line(self.net.shape.parameters()));
        });
        self.net.card.queue.submit([work.finish()]);
        self.net.card.check()
    }

    /// The gradient of the losses' mean over these observations, and what it leaves, as [`Sums::of`](crate::Sums::of) reads it. It changes no
    /// parameter and nothing that [`Training::finish`] gives.
    ///
    /// # Errors
    /// Those of [`Training::step`]
    pub async fn gradient(
        &mut self,
        samples: &[u32],
        mut settings: SettingsBits,
    ) -> Result<(Vec<f32>, Vec<f32>), GpuError> {
        let slot = self.objective.minibatches;
        settings[SLOT] = slot as u32;
        self.check_batch(samples, settings, slot + 1)?;
        self.net.prepare(samples, settings)?;
        let work = self.net.work(|pass| self.differentiate(pass, samples.len()));
        let parameters = self.net.shape.parameters();
        let buffers = [(&self.gradient, parameters), (&self.totals, (slot + 1) * TOTALS)];
        let mut gradient = self.net.card.read(work, &buffers).numbers().await?;
        let totals = gradient.split_off(parameters + slot * TOTALS);
        gradient.truncate(parameters);
        Ok((gradient, totals))
    }

    /// Waits for an update's gradient steps and gives what they made.
    ///
    /// # Errors
    /// [`GpuError::Lost`]
    pub async fn finish(&mut self) -> Result<State, GpuError> {
        let parameters = self.net.shape.parameters();
        let first = self.first_moments();
        let totals = self.objective.minibatches * TOTALS;
        let mut buffers = vec![(&self.net.parameters, parameters), (&self.second, parameters)];
        buffers.push((&self.totals, totals));
        if first > 0 {
            buffers.push((&self.first, first));
        }
        let numbers = self.net.card.read(self.net.card.encoder(), &buffers).numbers().await?;
        let (state, rest) = numbers.split_at(parameters);
        let (second, rest) = rest.split_at(parameters);
        let (totals, first) = rest.split_at(totals);
        Ok(State {
            parameters: state.to_vec(),
            first: first.to_vec(),
            second: second.to_vec(),
            totals: totals.to_vec(),
        })
    }

    /// Adds a forward and a backward pass with the gradient's norm.
    fn differentiate(&self, pass: &mut ComputePass<'_>, batch: usize) {
        self.net.run(pass, batch);
        self.loss.run(pass, [batch.div_ceil(64) as u32, 1, 1]);
        for backward in self.backward.iter().rev() {
            let Backward { layer, parts, .. } = *backward;
            let (kernel, tiles) = &backward.weights;
            kernel.run(pass, tiles.groups(layer.terms() + 1, layer.outputs, parts));
            backward.sections.run(pass, line(layer.parameters()));
            if let Some((kernel, tiles)) = &backward.below {
                let rows = batch * layer.rows.div_ceil(layer.stride) * layer.columns.div_ceil(layer.stride);
                kernel.run(pass, tiles.groups(rows, layer.channels, layer.stride * layer.stride));
            }
        }
        let groups = square_groups(self.net.shape.parameters());
        self.norm.run(pass, [groups as u32, 1, 1]);
        self.sum.run(pass, [1, 1, 1]);
    }
}

fn loss(card: &Card, shape: &Shape, objective: Objective, buffers: &[&Buffer]) -> Kernel {
    let clip_value = objective.loss == Loss::Ppo { clip_value: true };
    let constants = Constants::default()
        .numbers([("ACTIONS", shape.actions), ("OUTPUTS", shape.outputs())])
        .choices([("A2C", objective.loss == Loss::A2c), ("CLIP_VALUE", clip_value)]);
    let texts = [SETTINGS, include_str!("shaders/loss.wgsl")];
    Kernel::new(card, &constants, &texts, buffers)
}

/// The kernels after the gradient: sums of its squares, its norm with the losses' sums, and the optimizer.
fn last_kernels(
    net: &Net,
    objective: Objective,
    [gradient, losses, totals, second, first]: [&Buffer; 5],
) -> Result<[Kernel; 3], GpuError> {
    let parameters = net.shape.parameters();
    let groups = square_groups(parameters);
    let factor = net.card.buffer("a factor", 1)?;
    let squares = net.card.buffer("sums of squares", groups)?;
    let constants = Constants::default()
        .numbers([("PARAMETERS", parameters), ("SQUARES", groups)])
        .choices([("ADAM", objective.optimizer == Optimizer::Adam)]);
    let compile = |texts: &[&str], buffers: &[&Buffer]| Kernel::new(&net.card, &constants, texts, buffers);
    let norm = compile(&[include_str!("shaders/norm.wgsl")], &[gradient, &squares]);
    let sum = [SETTINGS, include_str!("shaders/totals.wgsl")];
    let sum = compile(&sum, &[&net.settings, &squares, losses, totals, &factor]);
    let optimizer = [SETTINGS, include_str!("shaders/optimizer.wgsl")];
    let moved = [&net.settings, gradient, &factor, &net.parameters, second, first];
    Ok([norm, sum, compile(&optimizer, &moved)])
}

/// Workgroups that sum a gradient's squares. One more workgroup adds what each of them has.
fn square_groups(parameters: usize) -> usize {
    parameters.div_ceil(GROUP).min(GROUP)
}

/// Sections of the long sum of a layer's weights.
fn parts(layer: Layer, tiles: Tiles, batch: usize) -> usize {
    let wanted = ENOUGH_GROUPS / tiles.count(layer.terms() + 1, layer.outputs);
    wanted.min(batch * layer.places() / (DEPTH * LEAST_SECTION)).max(1)
}

fn backward(net: &Net, slopes: &[Buffer], gradient: &Buffer) -> Result<Vec<Backward>, GpuError> {
    let layers = net.shape.layers.iter();
    let sizes = layers.clone().map(|layer| {
        let tiles = Tiles::of(layer.outputs);
        (tiles, parts(*layer, tiles, net.room.batch))
    });
    let sizes: Vec<(Tiles, usize)> = sizes.collect();
    let room = layers.clone().zip(&sizes);
    let room = room
        .map(|(layer, (_, parts))| product([*parts, layer.parameters()]))
        .max();
    let sections = net.card.buffer("sections of a gradient", room.unwrap_or(0))?;
    let mut at = 0;
    let backward = layers.zip(sizes).enumerate().map(|(number, (layer, (tiles, parts)))| {
        let constants = Constants::default().layer(*layer, at);
        let counted = constants.clone().numbers([("PARTS", parts)]);
        at += layer.parameters();
        let (values, slope) = (&net.values[number], &slopes[number + 1]);
        let (element, load) = input(number);
        let weights = counted.clone().tiles(tiles).alias("INPUT", element);
        let texts = [SETTINGS, load, WINDOW, include_str!("shaders/weights.wgsl"), PRODUCT];
        let buffers = [&net.settings, values, slope, &sections];
        let below = (number > 0).then(|| {
            let tiles = Tiles::of(layer.channels);
            let texts = [SETTINGS, include_str!("shaders/below.wgsl"), PRODUCT];
            let buffers = [&net.settings, values, &net.parameters, slope, &slopes[number]];
            (Kernel::new(&net.card, &constants.tiles(tiles), &texts, &buffers), tiles)
        });
        Backward {
            layer: *layer,
            parts,
            weights: (Kernel::new(&net.card, &weights, &texts, &buffers), tiles),
            sections: Kernel::new(
                &net.card,
                &counted,
                &[include_str!("shaders/sections.wgsl")],
                &[&sections, gradient],
            ),
            below,
        }
    });
    Ok(backward.collect())
}
