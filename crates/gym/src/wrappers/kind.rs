//! What a wrapper is outside an environment, and the list of all wrappers.

use super::Layer;
use crate::builder::Builder;
use crate::order::Place;

/// The options of one kind of wrapper.
pub(crate) trait WrapperKind {
    /// Checks the options and the wrapper's place in a list, and counts the frames that it plays.
    fn check(&self, place: &mut Place<'_>) -> Result<(), String> {
        let _ = place;
        Ok(())
    }

    /// Makes the layer for a game and changes the layout of observations to the layer's; none if it has nothing to do there.
    fn layer(&self, game: &mut Builder<'_>) -> Result<Option<Box<dyn Layer>>, String>;
}

/// Makes the enum of all wrappers. Each entry has the wrapper's module and its variant. Without options, the variant's
/// [`WrapperKind`] has its name.
macro_rules! wrappers {
    ($($(#[$attribute:meta])* $module:ident: $kind:ident $(($options:ident))?,)*) => {
        $(
            #[allow(unused_imports, reason = "a wrapper without options has nothing public")]
            pub use $module::*;
        )*

        /// One wrapper of a list, with its options.
        #[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
        #[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
        #[cfg_attr(test, ts(rename = "WrapperOptions"))]
        #[serde(tag = "type", remote = "Self")]
        #[non_exhaustive]
        pub enum Wrapper {
            $($(#[$attribute])* $kind $(($options))?,)*
        }

        impl Wrapper {
            /// The wrapper's name, as the key `type` has it.
            pub fn name(&self) -> &'static str {
                match self {
                    $(Self::$kind { .. } => stringify!($kind),)*
                }
            }

            pub(crate) fn kind(&self) -> &dyn WrapperKind {
                match self {
                    $(Self::$kind $((options @ $options { .. }))? => kind::wrappers!(@kind options $kind $($options)?),)*
                }
            }
        }
    };
    (@kind $value:ident $kind:ident $options:ident) => { $value };
    (@kind $value:ident $kind:ident) => { &$kind };
}

pub(super) use wrappers;
