//! Builds the layers of a list of wrappers for a game, or says why the list does not fit the game.

use gym2600_arcade::{Action, Palette, WIDTH};

use crate::error::GymError;
use crate::image::{Colours, Grey, Resizer};
use crate::spaces::{Dtype, Observation};
use crate::spec::{Axis, FirePlays, ImagePreprocessing, QueueFrames, Shows, SkipFrames, WithoutFire, Wrapper};
use crate::view::ViewKind;
use crate::wrappers::{
    AutoResetter, FirePresser, FramePair, FrameQueue, FrameSkipper, Layer, Layout, LifeWatch, MaxPool, NoopStarter,
    Preprocessor, RandomStarter, RewardClipper, Scaler, Shader, StatisticsCounter, StepCounter,
};

/// Bytes of the console's RAM.
const RAM_SIZE: usize = 128;
/// Largest side of a resized picture.
const MAX_SIDE: usize = 4096;
/// Most bytes of the observations of all layers together. Saved states rely on it.
const MAX_BYTES: usize = 1 << 22;

/// The layout of the base environment's observations. `height` is the picture's, in pixels.
pub(crate) fn console_layout(observation: Observation, height: usize) -> Layout {
    match observation {
        Observation::Rgb => Layout {
            form: ViewKind::Indexed,
            ..Layout::bytes(vec![height, WIDTH, 3], true)
        },
        Observation::Grey => Layout::bytes(vec![height, WIDTH], true),
        Observation::Ram => Layout::bytes(vec![RAM_SIZE], false),
    }
}

/// Makes the layers of a list that [`order::check`](crate::order::check) accepted. `layout` becomes the outermost layer's.
pub(crate) fn build(
    wrappers: &[Wrapper],
    actions: &[Action],
    palette: &'static Palette,
    layout: &mut Layout,
) -> Result<Vec<Layer>, GymError> {
    let presses_fire = wrappers.iter().any(|wrapper| matches!(wrapper, Wrapper::FireReset(_)));
    let mut builder = Builder {
        actions,
        palette,
        presses_fire,
        layout,
    };
    let mut layers = Vec::with_capacity(wrappers.len() + 1);
    let mut bytes = builder.layout.space.len();
    for (index, wrapper) in wrappers.iter().enumerate() {
        layers.extend(builder.layer(index, wrapper)?);
        bytes += builder.layout.space.len();
        if bytes > MAX_BYTES {
            let reason = format!("with it the list's observations come to {bytes} bytes, more than {MAX_BYTES}");
            return Err(GymError::wrapper(index, wrapper.name(), reason));
        }
    }
    if !wrappers
        .iter()
        .any(|wrapper| matches!(wrapper, Wrapper::EpisodeStatistics))
    {
        // Outermost, but inside an automatic reset, which starts the next episode.
        let at = layers
            .iter()
            .position(|layer| matches!(layer, Layer::AutoReset(_)))
            .unwrap_or(layers.len());
        layers.insert(at, Layer::EpisodeStatistics(StatisticsCounter::default()));
    }
    Ok(layers)
}

struct Builder<'a> {
    /// The action set.
    actions: &'a [Action],
    palette: &'static Palette,
    presses_fire: bool,
    /// The layout of the layer before.
    layout: &'a mut Layout,
}

impl Builder<'_> {
    fn layer(&mut self, index: usize, wrapper: &Wrapper) -> Result<Option<Layer>, GymError> {
        let refuse = |reason: String| GymError::wrapper(index, wrapper.name(), reason);
        let layer = match wrapper {
            Wrapper::StickyActions(_) | Wrapper::FrameBlending => return Ok(None),
            Wrapper::EpisodicLife(options) => Layer::EpisodicLife(LifeWatch::new(*options)),
            Wrapper::FireReset(options) => {
                let Some(fire) = self.fire() else {
                    return match options.without_fire {
                        WithoutFire::PassOn => Ok(None),
                        WithoutFire::Refuse => Err(refuse("this game has no FIRE among its actions".into())),
                    };
                };
                let actions = self.actions.len();
                if options.plays == FirePlays::FireAndSecond && (fire != 1 || actions < 3) {
                    return Err(refuse(format!(
                        "it plays actions 1 and 2 of at least 3, the first of them FIRE; this game has {actions} and FIRE is {fire}"
                    )));
                }
                Layer::FireReset(FirePresser::new(options.plays, fire, self.layout, self.colours()))
            }
            Wrapper::NoopReset(options) => {
                let fires = u32::from(self.presses_fire && self.fire().is_some());
                Layer::NoopReset(NoopStarter {
                    max: options.max,
                    draw: options.draw,
                    fires,
                })
            }
            Wrapper::StartWithRandomActions(options) => Layer::StartWithRandomActions(RandomStarter::new(options.max)),
            Wrapper::MaxBetweenFrames => {
                let frames = self.max_pool(Shows::MaxOfTwoBuffers).map_err(refuse)?;
                Layer::MaxBetweenFrames(FramePair::new(frames))
            }
            Wrapper::SkipFrames(options) => Layer::SkipFrames(self.skip_frames(*options).map_err(refuse)?),
            Wrapper::ImagePreprocessing(options) => self.image_preprocessing(index, *options)?,
            Wrapper::QueueFrames(options) => Layer::QueueFrames(self.queue_frames(*options).map_err(refuse)?),
            Wrapper::ClipReward(options) => Layer::ClipReward(RewardClipper::new(options.to)),
            Wrapper::ScaledFloat => {
                self.need_bytes().map_err(refuse)?;
                let layer = Scaler::new(self.layout.space.len(), self.layout.row_len(), self.colours());
                self.layout.form = ViewKind::Bytes;
                self.layout.space.dtype = Dtype::Float32;
                Layer::ScaledFloat(layer)
            }
            Wrapper::TimeLimit(options) => Layer::TimeLimit(StepCounter::new(*options)),
            Wrapper::EpisodeStatistics => Layer::EpisodeStatistics(StatisticsCounter::default()),
            Wrapper::AutoReset(options) => Layer::AutoReset(AutoResetter::new(options.mode)),
        };
        Ok(Some(layer))
    }

    /// The index of FIRE in the action set, if it has one.
    fn fire(&self) -> Option<u32> {
        let at = self.actions.iter().position(|action| *action == Action::Fire);
        at.map(|at| at as u32)
    }

    /// Colours for turning indices into RGB.
    fn colours(&self) -> &'static Colours {
        Colours::of(self.palette, Grey::Ale)
    }

    fn need_bytes(&self) -> Result<(), String> {
        match self.layout.space.dtype {
            Dtype::Uint8 => Ok(()),
            Dtype::Float32 => Err("the observations below it are floats already; ScaledFloat has to come later".into()),
        }
    }

    /// Buffers for two observations, whose maximum is shown. The layout becomes the maximum's.
    fn max_pool(&mut self, shows: Shows) -> Result<MaxPool, String> {
        self.need_bytes()?;
        // The maximum of two colours, channel by channel, may be a third one, and has no index.
        let pools_in_place = matches!(shows, Shows::MaxWithoutEndingFrame | Shows::MaxOrFirstBuffer);
        let needs_index = pools_in_place && self.layout.shade.is_none();
        let form = match self.layout.form {
            ViewKind::Indexed if !needs_index => ViewKind::Pair,
            _ => ViewKind::Bytes,
        };
        let frames = MaxPool::new(self.layout, form, self.colours());
        self.layout.form = frames.form();
        Ok(frames)
    }

    fn skip_frames(&mut self, options: SkipFrames) -> Result<FrameSkipper, String> {
        if options.n == 1 && options.shows == Shows::MaxOrFirstBuffer {
            return Err("n is 1, and only two frames fill the first of its buffers".into());
        }
        let keeps_frames = match options.shows {
            Shows::Last => false,
            Shows::MaxOfLastTwo => options.n > 1,
            // A step that ends an episode may show an older frame, even if `n` is 1.
            Shows::LastWithoutEndingFrame
            | Shows::MaxOfTwoBuffers
            | Shows::MaxWithoutEndingFrame
            | Shows::MaxOrFirstBuffer => true,
        };
        let frames = if keeps_frames {
            Some(self.max_pool(options.shows)?)
        } else {
            None
        };
        Ok(FrameSkipper::new(options, frames))
    }

    fn image_preprocessing(&mut self, index: usize, options: ImagePreprocessing) -> Result<Layer, GymError> {
        const NAME: &str = "ImagePreprocessing";
        let refuse = |reason: String| GymError::wrapper(index, NAME, reason);
        self.need_bytes().map_err(refuse)?;
        let shape = &self.layout.space.shape;
        let (height, width, channels) = match (self.layout.is_picture, shape.as_slice()) {
            (true, [height, width]) => (*height, *width, 1),
            (true, [height, width, channels]) => (*height, *width, *channels),
            _ => return Err(refuse(format!("observations of shape {shape:?} are not pictures"))),
        };
        if options.grey.is_some() && channels != 3 {
            return Err(refuse(
                "the pictures below it have no colours to make grey; set grey to null".into(),
            ));
        }
        let height = match options.rows {
            Some(0) => return Err(refuse("rows is 0; a picture has at least 1".into())),
            Some(rows) => rows.min(height),
            None => height,
        };
        let channels = if options.grey.is_some() { 1 } else { channels };
        let to = (options.width.unwrap_or(width), options.height.unwrap_or(height));
        if to.0.max(to.1) > MAX_SIDE {
            return Err(refuse(format!(
                "{} x {} is too large; a picture has at most {MAX_SIDE} pixels a side",
                to.0, to.1
            )));
        }
        let resizer = Resizer::new((width, height), to, channels, options.interpolation)
            .map_err(|error| GymError::resize(index, NAME, error))?;
        let colours = Colours::of(self.palette, options.grey.unwrap_or(Grey::Ale));
        if options.grey.is_some() && self.layout.form == ViewKind::Indexed && to == (width, height) {
            *self.layout = Layout {
                form: ViewKind::Indexed,
                shade: Some(colours),
                ..Layout::bytes(vec![height, width], true)
            };
            let pixels = height * width;
            return Ok(Layer::Shading(Shader { colours, pixels }));
        }
        let mut shape = vec![to.1, to.0];
        if channels != 1 {
            shape.push(channels);
        }
        let inner = std::mem::replace(self.layout, Layout::bytes(shape, true));
        let layer = Preprocessor::new(resizer, options.grey, colours, inner.form, height * width);
        Ok(Layer::ImagePreprocessing(Box::new(layer)))
    }

    fn queue_frames(&mut self, options: QueueFrames) -> Result<FrameQueue, String> {
        let shape = &self.layout.space.shape;
        if shape.len() > 3 {
            return Err(format!("observations of shape {shape:?} have been stacked already"));
        }
        let size = self.layout.space.dtype.size();
        let len = self.layout.space.len();
        if len.saturating_mul(options.n) > MAX_BYTES {
            return Err(format!(
                "{} observations of {len} bytes are more than {MAX_BYTES} bytes",
                options.n
            ));
        }
        let mut stacked = shape.clone();
        let last = stacked.len() - 1;
        let chunk = match options.axis {
            Axis::First => {
                if options.concat {
                    stacked[0] *= options.n;
                } else {
                    stacked.insert(0, options.n);
                }
                len
            }
            Axis::Last if options.concat || stacked.len() == 3 => {
                stacked[last] *= options.n;
                shape[last] * size
            }
            Axis::Last => {
                stacked.push(options.n);
                size
            }
        };
        let queue = FrameQueue::new(options, chunk, self.layout, self.colours());
        self.layout.space.shape = stacked;
        self.layout.form = ViewKind::Bytes;
        self.layout.is_picture = false;
        Ok(queue)
    }
}
