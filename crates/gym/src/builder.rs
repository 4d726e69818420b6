//! Builds the layers of a list of wrappers for a game, or says why the list does not fit the game.

use gym2600_arcade::{Action, GameDefinition, Palette, WIDTH};

use crate::error::GymError;
use crate::image::{Colours, Grey};
use crate::spaces::{Dtype, Observation, Space, SpaceBounds, nearest};
use crate::spec::Wrapper;
use crate::view::ViewKind;
use crate::wrappers::{GameStatisticsLayer, Layer, Layout};

/// Bytes of the console's RAM.
pub(crate) const RAM_SIZE: usize = 128;
/// Most bytes of the observations of all layers together. Saved states rely on it.
pub(crate) const MAX_BYTES: usize = 1 << 22;

/// The layout of the base environment's observations of a game. `height` is the picture's, in pixels.
pub(crate) fn console_layout(
    observation: Observation,
    height: usize,
    game: &GameDefinition,
) -> Result<Layout, GymError> {
    Ok(match observation {
        Observation::Rgb => Layout {
            form: ViewKind::Indexed,
            ..Layout::bytes(vec![height, WIDTH, 3], true)
        },
        Observation::Grey => Layout::bytes(vec![height, WIDTH], true),
        Observation::Ram => Layout::bytes(vec![RAM_SIZE], false),
        Observation::Labels => {
            let bounds = label_bounds(game);
            if bounds.low.is_empty() {
                let reason = format!("the rules of {} have no variables that could be labels", game.rom);
                return Err(GymError::Option {
                    option: "observation",
                    reason,
                });
            }
            let space = Space {
                shape: vec![bounds.low.len()],
                dtype: Dtype::Int32,
                bounds: Some(bounds),
            };
            Layout {
                space,
                ..Layout::bytes(Vec::new(), false)
            }
        }
    })
}

/// The bounds of the variables of a game's rules as whole numbers of 32 bits.
fn label_bounds(game: &GameDefinition) -> SpaceBounds {
    let bounds = game.variable_bounds().into_iter();
    let (low, high) = bounds
        .map(|bounds| (nearest(bounds.least), nearest(bounds.greatest)))
        .unzip();
    SpaceBounds { low, high }
}

/// Makes the layers of a list that [`order::check`](crate::order::check) accepted. `layout` becomes the outermost layer's.
pub(crate) fn build(
    wrappers: &[Wrapper],
    actions: &[Action],
    palette: &'static Palette,
    layout: &mut Layout,
) -> Result<Vec<Box<dyn Layer>>, GymError> {
    let mut builder = Builder {
        actions,
        palette,
        presses_fire: wrappers.iter().any(|wrapper| matches!(wrapper, Wrapper::FireReset(_))),
        layout,
    };
    let mut layers: Vec<Box<dyn Layer>> = Vec::with_capacity(wrappers.len() + 1);
    let mut bytes = builder.layout.space.len();
    for (index, wrapper) in wrappers.iter().enumerate() {
        let refuse = |reason: String| GymError::wrapper(index, wrapper.name(), reason);
        layers.extend(wrapper.kind().layer(&mut builder).map_err(refuse)?);
        bytes += builder.layout.space.len();
        if bytes > MAX_BYTES {
            return Err(refuse(format!(
                "with it the list's observations come to {bytes} bytes, more than {MAX_BYTES}"
            )));
        }
    }
    if !wrappers.contains(&Wrapper::EpisodeStatistics) {
        // Outermost, but inside an automatic reset, which starts the next episode.
        let resets_itself = matches!(wrappers.last(), Some(Wrapper::AutoReset(_)));
        let at = layers.len() - usize::from(resets_itself);
        layers.insert(at, Box::new(GameStatisticsLayer));
    }
    Ok(layers)
}

/// A game, and the layers around it so far.
pub(crate) struct Builder<'a> {
    /// The action set.
    pub(crate) actions: &'a [Action],
    pub(crate) palette: &'static Palette,
    /// Whether a wrapper of the list presses FIRE.
    pub(crate) presses_fire: bool,
    /// The layout of the outermost layer's observations.
    pub(crate) layout: &'a mut Layout,
}

impl Builder<'_> {
    /// The index of FIRE in the action set, if it has one.
    pub(crate) fn fire(&self) -> Option<u32> {
        let at = self.actions.iter().position(|action| *action == Action::Fire);
        at.map(|at| at as u32)
    }

    /// Colours for turning indices into RGB.
    pub(crate) fn colours(&self) -> &'static Colours {
        Colours::of(self.palette, Grey::Ale)
    }

    /// Refuses observations that are no bytes.
    pub(crate) fn need_bytes(&self) -> Result<(), String> {
        match self.layout.space.dtype {
            Dtype::Uint8 => Ok(()),
            Dtype::Float32 => Err("the observations below it are floats already; ScaledFloat has to come later".into()),
            Dtype::Int32 => Err("the observations below it are whole numbers of 32 bits, and it is for bytes".into()),
        }
    }
}
