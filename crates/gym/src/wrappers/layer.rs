//! Wrappers in an environment.
//!
//! An [`Env`] is the base environment and the layers around it up to one of them. Stepping or resetting it calls its outermost
//! layer, which calls the Env inside it as often as it needs. Observations are pulled: after a step or a reset [`Env::view`] makes
//! the observation. Without that call it is not made.

use gym2600_arcade::{Drawing, State};

use super::layout::Layout;
use crate::base_env::BaseEnv;
use crate::image::Colours;
use crate::record::Info;
use crate::transition::{ResetScope, Transition};
use crate::view::View;

/// Copies a layer with its state. Every layer that is `Clone` has it.
pub(crate) trait CloneLayer {
    fn clone_layer(&self) -> Box<dyn Layer>;
}

impl<L: Layer + Clone + 'static> CloneLayer for L {
    fn clone_layer(&self) -> Box<dyn Layer> {
        Box::new(self.clone())
    }
}

impl Clone for Box<dyn Layer> {
    fn clone(&self) -> Self {
        self.as_ref().clone_layer()
    }
}

/// A wrapper with its state. What it does not define it passes on to the environment inside it.
pub(crate) trait Layer: State + CloneLayer + Send + Sync {
    /// Plays a step. `drawing` tells when the pixels of its last frame are drawn.
    fn step(&mut self, inner: &mut Env<'_>, action: u32, drawing: Drawing) -> Transition {
        inner.step(action, drawing)
    }

    /// Starts an episode.
    fn reset(&mut self, inner: &mut Env<'_>, reset: ResetScope) {
        inner.reset(reset);
    }

    /// The observation after the last step or reset.
    fn view<'a>(&'a mut self, inner: Env<'a>) -> View<'a> {
        inner.into_view()
    }

    /// Resets the layer to its initial state.
    fn renew(&mut self) {}

    /// Drops what was computed of the state before. Called after a state is loaded or copied.
    fn restored(&mut self) {}

    /// Tells the layer that the caller resets an environment that resets itself.
    fn leave_game(&mut self) {}

    /// Keeps the final observations of episodes, which have this layout, if the layer starts the next episode in the same step.
    fn keep_final_observations(&mut self, layout: &Layout, colours: &'static Colours) {
        let _ = (layout, colours);
    }

    /// The info at the end of the episode that the last step ended, if the layer has started the next one in that step.
    fn final_info(&self) -> Option<Info> {
        None
    }

    /// The variables of the rules at that end.
    fn final_variables(&self) -> Option<&[i64]> {
        None
    }

    /// The observation with that info, if final observations are kept.
    fn final_observation(&self) -> Option<&[u8]> {
        None
    }
}

/// The base environment and the layers around it, innermost first.
pub(crate) struct Env<'a> {
    pub(crate) base: &'a mut BaseEnv,
    pub(crate) layers: &'a mut [Box<dyn Layer>],
}

impl<'a> Env<'a> {
    /// Steps the outermost layer. `drawing` tells when the pixels of its last frame are drawn.
    pub(crate) fn step(&mut self, action: u32, drawing: Drawing) -> Transition {
        match self.layers.split_last_mut() {
            None => self.base.step(action, drawing),
            Some((outer, layers)) => outer.step(
                &mut Env {
                    base: self.base,
                    layers,
                },
                action,
                drawing,
            ),
        }
    }

    /// Resets the outermost layer.
    pub(crate) fn reset(&mut self, reset: ResetScope) {
        match self.layers.split_last_mut() {
            None => self.base.reset(reset),
            Some((outer, layers)) => outer.reset(
                &mut Env {
                    base: self.base,
                    layers,
                },
                reset,
            ),
        }
    }

    /// [`Env::reset`] from outside of all layers that play steps in it. The number of its frames is limited.
    pub(crate) fn start_episode(&mut self, reset: ResetScope) {
        self.base.begin_reset();
        self.reset(reset);
        self.base.end_reset();
    }

    /// The observation of the outermost layer after its last step or reset.
    pub(crate) fn into_view(self) -> View<'a> {
        match self.layers.split_last_mut() {
            None => self.base.view(),
            Some((outer, layers)) => outer.view(Env {
                base: self.base,
                layers,
            }),
        }
    }

    /// [`Env::into_view`] of a borrowed environment.
    pub(crate) fn view(&mut self) -> View<'_> {
        Env {
            base: self.base,
            layers: self.layers,
        }
        .into_view()
    }

    pub(crate) fn lives(&self) -> i32 {
        self.base.lives()
    }
}
