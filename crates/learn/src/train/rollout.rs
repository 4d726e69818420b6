//! The steps of a shard's games, with single pictures instead of stacks.
//!
//! A stack is the places of its pictures. A picture that was in the stack before is not stored again, so an episode's start
//! needs no rule: whatever its stack is filled with is compared and stored.

use crate::environment::Layout;
use crate::net::write_input;

/// The pictures that one game showed.
#[derive(Debug, Clone)]
pub(crate) struct FrameStore {
    layout: Layout,
    bytes: Vec<u8>,
    /// For each observation the places of its pictures, the oldest first.
    stacks: Vec<u32>,
    scratch: Vec<u8>,
}

impl FrameStore {
    pub(crate) fn new(layout: Layout) -> Self {
        Self {
            layout,
            bytes: Vec::new(),
            stacks: Vec::new(),
            scratch: vec![0; layout.input.pixels()],
        }
    }

    /// Number of observations.
    pub(crate) fn len(&self) -> usize {
        self.stacks.len() / self.layout.input.frames
    }

    /// Number of pictures.
    pub(crate) fn pictures(&self) -> usize {
        self.bytes.len() / self.layout.input.pixels()
    }

    /// The places of an observation's pictures.
    pub(crate) fn stack(&self, number: usize) -> &[u32] {
        let frames = self.layout.input.frames;
        &self.stacks[number * frames..][..frames]
    }

    /// The picture in a place.
    pub(crate) fn picture(&self, place: u32) -> &[u8] {
        let pixels = self.layout.input.pixels();
        &self.bytes[place as usize * pixels..][..pixels]
    }

    /// Adds an observation.
    pub(crate) fn push(&mut self, observation: &[u8]) {
        let frames = self.layout.input.frames;
        let candidates: Vec<u32> = match self.len().checked_sub(1) {
            Some(last) => self.stack(last).to_vec(),
            None => Vec::new(),
        };
        for number in 0..frames {
            self.layout.frame(observation, number, &mut self.scratch);
            // A frame that is known already: the next newer one of the stack before, or the frame before it in this stack.
            let before = candidates.get(number + 1).copied();
            let beside = (number > 0).then(|| self.stacks.last().copied()).flatten();
            let known = [before, beside]
                .into_iter()
                .flatten()
                .find(|place| self.picture(*place) == self.scratch);
            let place = known.unwrap_or_else(|| {
                self.bytes.extend_from_slice(&self.scratch);
                self.pictures() as u32 - 1
            });
            self.stacks.push(place);
        }
    }

    /// Forgets all observations but the last.
    pub(crate) fn keep_last(&mut self) {
        let Some(last) = self.len().checked_sub(1) else { return };
        let mut places = self.stack(last).to_vec();
        let mut kept = places.clone();
        kept.dedup();
        let bytes = kept.iter().flat_map(|place| self.picture(*place)).copied().collect();
        for place in &mut places {
            *place = kept
                .iter()
                .position(|kept| kept == place)
                .expect("kept has every place") as u32;
        }
        self.bytes = bytes;
        self.stacks = places;
    }

    /// Appends an observation's bytes, the oldest picture first.
    pub(crate) fn append(&self, number: usize, bytes: &mut Vec<u8>) {
        for place in self.stack(number) {
            bytes.extend_from_slice(self.picture(*place));
        }
    }

    /// Writes an observation as a net's input: height, width, picture, from 0 to 1.
    pub(crate) fn write(&self, number: usize, out: &mut [f32]) {
        let pictures: Vec<&[u8]> = self.stack(number).iter().map(|place| self.picture(*place)).collect();
        write_input(&pictures, out);
    }
}
