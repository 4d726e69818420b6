//! `FrameBlending`: ALE's colour averaging, a setting of the arcade.

use super::{Layer, Wrapper, WrapperKind};
use crate::builder::Builder;
use crate::order::Place;

/// The wrapper, which has no options.
pub(crate) struct FrameBlending;

impl WrapperKind for FrameBlending {
    fn check(&self, place: &mut Place<'_>) -> Result<(), String> {
        let is_sticky = |wrapper: &Wrapper| matches!(wrapper, Wrapper::StickyActions(_));
        if !place.before().iter().all(is_sticky) {
            return Err("it is a setting of the console and has to come before all wrappers but StickyActions".into());
        }
        Ok(())
    }

    fn layer(&self, _game: &mut Builder<'_>) -> Result<Option<Box<dyn Layer>>, String> {
        Ok(None)
    }
}
