//! The frames of a step: what the console showed and played between two observations.

use gym2600_arcade::Arcade;

use crate::record::Info;

/// Most frames that [`crate::Game::frames`] has, the newest ones: those of ten seconds.
pub const MAX_KEPT_FRAMES: usize = 600;

/// A frame of a step or reset, whether its observation shows it or not.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Frame {
    /// The picture: [`Arcade::height`] rows of [`gym2600_arcade::WIDTH`] palette indices.
    pub screen: Vec<u8>,
    /// The sound, as [`Arcade::audio`] has it; empty without [`crate::GameOptions::sound_obs`].
    pub audio: Vec<u8>,
    /// The reward, before any wrapper has clipped it.
    pub reward: f64,
    /// Information about the state that the picture shows. `episode_frame_number` starts again with the next game.
    pub info: Info,
}

/// The frames of a call. Their buffers are used again in the next one.
#[derive(Default)]
pub(crate) struct KeptFrames {
    /// Frame `n` of the call has the place `n % MAX_KEPT_FRAMES`.
    places: Vec<Frame>,
    /// The frames of this call.
    count: usize,
}

impl KeptFrames {
    /// Forgets the frames of the last call.
    pub(crate) fn clear(&mut self) {
        self.count = 0;
    }

    /// Keeps the frame that the arcade has played last.
    pub(crate) fn keep(&mut self, arcade: &mut Arcade, reward: f64) {
        let place = self.count % MAX_KEPT_FRAMES;
        if place == self.places.len() {
            self.places.push(Frame::default());
        }
        let frame = &mut self.places[place];
        frame.screen.clear();
        frame.screen.extend_from_slice(arcade.screen());
        frame.audio.clear();
        if arcade.settings().sound_obs {
            frame.audio.extend_from_slice(arcade.audio());
        }
        (frame.reward, frame.info) = (reward, Info::of(arcade));
        self.count += 1;
    }

    /// The frames, the oldest first.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Frame> {
        let first = self.count.saturating_sub(MAX_KEPT_FRAMES);
        (first..self.count).map(|number| &self.places[number % MAX_KEPT_FRAMES])
    }
}
