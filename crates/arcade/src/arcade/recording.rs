//! A reset that is being played to be remembered: what it depends on is noted on the way.

use std::sync::Arc;

use gym2600_vcs::{Console, Input, Picture, Selection, Trace};

use super::memory::{Shape, Start, Waypoint};
use crate::idle::COMPARED_AFTER;
use crate::rules::{Memory, Noting, Origin, Origins, Rules, Variables};

/// Frames that are followed one instruction at a time. Nearly every program has touched all of RAM by then. No more than there are
/// before ways are compared.
const FOLLOWED_FRAMES: u32 = COMPARED_AFTER;

/// A recording.
#[derive(Clone, Debug)]
pub(super) struct Recording {
    start: Start,
    trace: Trace,
    /// How many frames are followed at most.
    frames: u32,
    /// How many have been.
    followed: u32,
    following: bool,
    /// What the program had not touched when it was no longer followed, and so may depend on.
    unproven: Selection,
    /// Where the rules' variables come from, and what else the way the reset goes depends on.
    origins: Origins,
    looked_at: Origin,
    /// Numbers that were drawn from the generator of sticky actions, whatever they were.
    draws: u32,
    lost: bool,
    /// Where it has come by.
    waypoint: Option<Arc<Waypoint>>,
}

impl Recording {
    /// Of a reset that begins with `start`; `deep` if the program is followed to the end, should it take so long.
    pub(super) fn new(start: Start, trace: Trace, deep: bool) -> Self {
        Self {
            origins: Origins::new(&start.variables),
            start,
            trace,
            frames: if deep { u32::MAX } else { FOLLOWED_FRAMES },
            followed: 0,
            following: true,
            unproven: Selection::default(),
            looked_at: Origin::default(),
            draws: 0,
            lost: false,
            waypoint: None,
        }
    }

    /// Runs a frame of the console, and notes what it touches.
    pub(super) fn run_frame(&mut self, console: &mut Console, input: &Input) {
        if !self.following {
            console.run_frame(input, Picture::OnDemand);
            return;
        }
        console.run_frame_traced(input, Picture::OnDemand, &mut self.trace);
        self.followed += 1;
        if self.followed >= self.frames {
            self.unproven = self.trace.untouched();
            self.trace.depend_on(&self.unproven);
        }
        self.following = !self.trace.untouched().is_empty();
    }

    /// Runs the rules after a frame.
    pub(super) fn step(&mut self, rules: &Rules, variables: &mut Variables, memory: &dyn Memory) {
        let counting = self.untouched();
        rules.step_followed(variables, &mut self.origins, memory, counting);
    }

    /// Starts the rules' episode.
    pub(super) fn reset(&mut self, rules: &Rules, variables: &mut Variables) {
        rules.reset_followed(variables, &mut self.origins);
    }

    /// Memory for one who decides by it how the reset goes on: [`Recording::look`] takes what it has noted.
    pub(super) fn noting<'a, M: Memory>(&self, memory: &'a M) -> Noting<'a, M> {
        Noting::new(memory, self.untouched())
    }

    /// Bytes that were looked at, besides all variables, decide how the reset goes on.
    pub(super) fn look(&mut self, bytes: Origin) {
        self.looked_at = self.looked_at.or(bytes).or(self.origins.all());
    }

    /// Numbers were drawn that made no difference.
    pub(super) fn draw(&mut self, count: u32) {
        self.draws += count;
    }

    /// The reset depends on more than can be told.
    pub(super) fn lose(&mut self) {
        self.lost = true;
    }

    /// How many numbers were drawn.
    pub(super) fn draws(&self) -> u32 {
        self.draws
    }

    /// Notes what the reset has come to, while nothing has been pressed yet, and gives it. None while the program is still followed:
    /// what the rest depends on is not known then.
    pub(super) fn pass(&mut self, console: &mut Console, variables: &Variables) -> Option<&Waypoint> {
        if self.following || self.lost || self.trace.is_lost() {
            return None;
        }
        let mut machine = Vec::new();
        console.save_outcome(&self.trace, &Selection::default(), &mut machine);
        self.waypoint = Some(Arc::new(Waypoint {
            mode: self.start.mode,
            difficulty: self.start.difficulty,
            machine,
            variables: variables.clone(),
            origins: self.origins.clone(),
            inputs: self.trace.inputs(),
            unproven: self.unproven,
        }));
        self.waypoint.as_deref()
    }

    /// Whether the program is still followed, so that each frame has to be played.
    pub(super) fn is_following(&self) -> bool {
        self.following
    }

    /// What the reset has touched.
    pub(super) fn trace(&self) -> &Trace {
        &self.trace
    }

    /// What the reset began with.
    pub(super) fn start(&self) -> &Start {
        &self.start
    }

    /// How many frames have been followed.
    pub(super) fn followed(&self) -> u32 {
        self.followed
    }

    /// The bytes of RAM whose values the program has not touched.
    fn untouched(&self) -> Origin {
        let [ram, cart_ram] = self.trace.untouched().ram();
        Origin {
            variables: 0,
            ram,
            cart_ram,
        }
    }

    /// What the reset began with, what of this it depends on, its trace, and where it has come by if whoever comes by there ends as it
    /// did. None where that is not known.
    pub(super) fn finish(mut self, console: &Console) -> Option<(Start, Shape, Trace, Option<Arc<Waypoint>>)> {
        if self.lost || self.trace.is_lost() {
            return None;
        }
        let origin = self.origins.all().or(self.looked_at);
        self.trace.depend_on(&Selection::of_ram([origin.ram, origin.cart_ram]));
        let passing = console.passing(&self.trace);
        self.trace.depend_on(&self.trace.untouched().without(&passing));
        let shape = Shape {
            mode: self.start.mode,
            difficulty: self.start.difficulty,
            variables: origin.variables,
            inputs: self.trace.inputs().without(&self.unproven),
            unproven: self.unproven,
            passing,
        };
        // Of pictures a waypoint says nothing.
        let waypoint = self.waypoint.filter(|_| console.shows_two_frames());
        Some((self.start, shape, self.trace, waypoint))
    }
}
