//! Max-pooling: the element-wise maximum of two observations.
//!
//! A [`MaxPool`] owns its two buffers. Observations that come as palette indices stay indices ([`IndexPair`]): the
//! maximum of each pixel is looked up where the observation becomes bytes, for the rows that have changed only.

mod bytes;
mod indices;

use gym2600_arcade::{InvalidState, State};

use super::Shows;
use crate::builder::Builder;
use crate::view::{View, ViewKind};
use bytes::BytePair;
use indices::IndexPair;

/// Two buffers for observations.
#[derive(Clone)]
pub(crate) enum MaxPool {
    /// As palette indices.
    Indices(IndexPair),
    /// As bytes.
    Bytes(BytePair),
}

impl MaxPool {
    /// Buffers for two observations, whose maximum is shown. The layout becomes the maximum's.
    pub(crate) fn of(game: &mut Builder<'_>, shows: Shows) -> Result<Self, String> {
        game.need_bytes()?;
        // The maximum of two colours, channel by channel, may be a third one, and has no index.
        let pools_in_place = matches!(
            shows,
            Shows::MaxOfAll | Shows::MaxWithoutEndingFrame | Shows::MaxOrFirstBuffer
        );
        let needs_index = pools_in_place && game.layout.shade.is_none();
        let keeps_indices = game.layout.form == ViewKind::Indexed && !needs_index;
        let (frames, form) = if keeps_indices {
            (Self::Indices(IndexPair::new(game.layout)), ViewKind::Pair)
        } else {
            (Self::Bytes(BytePair::new(game.layout, game.colours())), ViewKind::Bytes)
        };
        game.layout.form = form;
        Ok(frames)
    }

    /// Copies an observation into a buffer.
    pub(crate) fn keep(&mut self, buffer: usize, view: View<'_>) {
        match (self, view) {
            (Self::Indices(pair), View::Indices(indices)) => pair.keep(buffer, indices.first),
            (Self::Indices(_), _) => unreachable!("a layer shows observations in the form of its layout"),
            (Self::Bytes(pair), view) => pair.keep(buffer, view),
        }
    }

    /// Blackens a buffer.
    pub(crate) fn clear(&mut self, buffer: usize) {
        match self {
            Self::Indices(pair) => pair.clear(buffer),
            Self::Bytes(pair) => pair.clear(buffer),
        }
    }

    /// Copies the first buffer over the second.
    pub(crate) fn copy_first(&mut self) {
        match self {
            Self::Indices(pair) => pair.copy_first(),
            Self::Bytes(pair) => pair.copy_first(),
        }
    }

    /// Replaces the first buffer by the maximum of both.
    pub(crate) fn pool_into_first(&mut self) {
        match self {
            Self::Indices(pair) => pair.pool_into_first(),
            Self::Bytes(pair) => pair.pool_into_first(),
        }
    }

    /// The maximum of both buffers.
    pub(crate) fn view(&mut self) -> View<'_> {
        match self {
            Self::Indices(pair) => pair.view(),
            Self::Bytes(pair) => pair.view(),
        }
    }

    /// The first buffer.
    pub(crate) fn view_first(&self) -> View<'_> {
        match self {
            Self::Indices(pair) => pair.view_first(),
            Self::Bytes(pair) => pair.view_first(),
        }
    }
}

impl State for MaxPool {
    fn save(&self, bytes: &mut Vec<u8>) {
        match self {
            Self::Indices(pair) => pair.save(bytes),
            Self::Bytes(pair) => pair.save(bytes),
        }
    }

    fn load(&mut self, bytes: &mut &[u8]) -> Result<(), InvalidState> {
        match self {
            Self::Indices(pair) => pair.load(bytes),
            Self::Bytes(pair) => pair.load(bytes),
        }
    }
}
