//! Resets that were played, and what came of them.
//!
//! Outcomes that depend on the same sources, whatever they hold, make a [`Group`]. It has one outcome in full; the others are told
//! by the bytes in which they differ from it, which often are a handful: a random seed, a clock.
//!
//! To note what a reset depends on takes longer than to play it, so it is done on credit: where it does not pay, it becomes rare.

mod group;
mod shared;

use std::sync::Arc;

use gym2600_vcs::{Console, Selection, Sources, State, Trace, WrongLength};

use super::Arcade;
use super::recording::Recording;
use crate::action::Action;
use crate::idle::Idle;
use crate::load::PoweredOn;
use crate::rules::{Origins, Variables};
use group::Group;
pub(super) use shared::SharedMemory;

/// Bytes that the outcomes of a game may take.
const BUDGET: usize = 24 * 1024;
/// Waypoints that are kept of a game. Each takes some two kilobytes, and the ways of those that meet at all are few.
const MOST_WAYPOINTS: usize = 4;
/// Credit, in frames that are followed: each takes about as long as five that are only played.
const CREDIT: u32 = 200;
/// What the end of a recording takes besides.
const STORING: u32 = 2;
/// What a reset that is not played gives back.
const RECALLED: u32 = 10;
/// Without credit, one in so many resets is recorded.
const RARELY: u32 = 64;

/// All that the outcome of a reset can depend on, as it is after power-on.
#[derive(Clone, Debug)]
pub(super) struct Start {
    pub(super) mode: u32,
    pub(super) difficulty: u32,
    pub(super) sources: Sources,
    pub(super) variables: Variables,
}

/// What of a [`Start`] counts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Shape {
    pub(super) mode: u32,
    pub(super) difficulty: u32,
    /// Variables that the outcome depends on, one bit each.
    pub(super) variables: u32,
    /// Sources that it depends on.
    pub(super) inputs: Selection,
    /// Sources that it may depend on: nobody has looked for long enough to know.
    pub(super) unproven: Selection,
    /// Sources that it leaves as they are.
    pub(super) passing: Selection,
}

/// What a reset has come to after a while, but for pictures: all that the rest of its way depends on, and all that is noted of it.
/// Resets that come by the same place end the same.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Waypoint {
    pub(super) mode: u32,
    pub(super) difficulty: u32,
    pub(super) machine: Vec<u8>,
    pub(super) variables: Variables,
    pub(super) origins: Origins,
    pub(super) inputs: Selection,
    pub(super) unproven: Selection,
}

/// What is remembered of a game's resets.
#[derive(Debug, Default)]
pub(super) struct ResetMemory {
    /// The console when the game was loaded first.
    powered_on: Option<PoweredOn>,
    groups: Vec<Group>,
    /// Where the last outcomes that were kept came by, and when they were kept, the newest first.
    waypoints: Vec<(u64, Arc<Waypoint>)>,
    /// Buffers to work in.
    key: Vec<u8>,
    state: Vec<u8>,
    /// Counts what is asked, to tell what was last used when.
    clock: u64,
    debt: u32,
    /// Resets since one was recorded without credit.
    waited: u32,
    /// A reset was like an earlier one but for what nobody has looked at for long enough.
    deep: bool,
}

impl ResetMemory {
    /// [`SharedMemory::wants`].
    fn wants(&mut self) -> Option<bool> {
        if self.debt >= CREDIT {
            self.waited += 1;
            if self.waited < RARELY {
                return None;
            }
            self.waited = 0;
        }
        Some(self.deep)
    }

    /// The known way of a console that idles as this one does, which was left alone after a reset, and by how many frames it is ahead.
    pub(super) fn idles_as(&mut self, console: &mut Console) -> Option<(Arc<Idle>, usize)> {
        let Self { powered_on, state, .. } = self;
        let idle = powered_on.as_ref()?.idle()?;
        state.clear();
        console.save_state(state);
        let ahead = idle.ahead_of(state)?;
        Some((idle, ahead))
    }

    fn charge(&mut self, followed: u32) {
        self.debt = (self.debt + followed + STORING).min(CREDIT);
    }

    /// The group and the outcome in it that a reset comes to.
    fn find(&mut self, start: &Start) -> Option<(usize, usize)> {
        self.clock += 1;
        for (number, group) in self.groups.iter_mut().enumerate() {
            if let Some(certain) = group.shape.key(start, &mut self.key) {
                if let Some(outcome) = group.find(&self.key, self.clock) {
                    return Some((number, outcome));
                }
                self.deep |= certain < self.key.len() && group.resembles(&self.key[..certain]);
            }
        }
        None
    }

    /// The group and the outcome in it that a reset comes to that came by there.
    fn find_by(&mut self, waypoint: &Waypoint) -> Option<(usize, usize)> {
        let &(kept, _) = self.waypoints.iter().find(|(_, known)| **known == *waypoint)?;
        let now = self.clock;
        let mut groups = self.groups.iter_mut().enumerate();
        groups.find_map(|(number, group)| Some((number, group.find_kept(kept, now)?)))
    }

    /// Keeps an outcome.
    fn keep(&mut self, start: &Start, shape: Shape, screens: [&[u8]; 2], waypoint: Option<Arc<Waypoint>>) {
        if shape.key(start, &mut self.key).is_none() {
            return;
        }
        let Self {
            groups,
            key,
            state,
            clock,
            waypoints,
            ..
        } = self;
        let added = groups
            .iter_mut()
            .any(|group| group.shape == shape && group.add(key, state, screens, *clock));
        if !added {
            groups.extend(Group::new(shape, key, state, screens, *clock));
        }
        if let Some(waypoint) = waypoint {
            waypoints.truncate(MOST_WAYPOINTS - 1);
            waypoints.insert(0, (*clock, waypoint));
        }
        self.forget();
    }

    /// Keeps that a reset that begins so ends as another one.
    fn keep_same(&mut self, start: &Start, (group, outcome): (usize, usize)) {
        let Self { groups, key, clock, .. } = self;
        let group = &mut groups[group];
        if group.shape.key(start, key).is_some() {
            group.add_same(key, outcome, *clock);
        }
        self.forget();
    }

    /// Forgets those outcomes that were not used for longest where there is no room for all.
    fn forget(&mut self) {
        let groups = &mut self.groups;
        while groups.iter().map(Group::bytes).sum::<usize>() > BUDGET {
            let oldest = groups.iter().map(Group::oldest).min().unwrap_or_default();
            groups.retain_mut(|group| group.forget(oldest));
        }
    }
}

impl Shape {
    /// Puts those bytes of `start` that count into `key`, last those that may. Gives how many there are of the others, or none
    /// where the resets are different ones.
    fn key(&self, start: &Start, key: &mut Vec<u8>) -> Option<usize> {
        if (self.mode, self.difficulty) != (start.mode, start.difficulty) {
            return None;
        }
        key.clear();
        start.sources.for_each(&self.inputs, |byte| key.push(byte));
        for (slot, value) in start.variables.as_slice().iter().enumerate() {
            if self.variables >> slot & 1 != 0 {
                value.save(key);
            }
        }
        let certain = key.len();
        start.sources.for_each(&self.unproven, |byte| key.push(byte));
        Some(certain)
    }
}

impl Arcade {
    /// Has the outcome of a reset that begins with `start`, if it is known.
    pub(super) fn recall(&mut self, start: &Start) -> bool {
        let memory = self.memory.clone();
        let mut memory = memory.lock();
        let Some(found) = memory.find(start) else {
            return false;
        };
        let trace = self.console.trace();
        self.take(&mut memory, found, &trace);
        self.remembered += 1;
        true
    }

    /// Has the outcome of the reset that is being recorded, if it has come by where another one did.
    pub(super) fn meet(&mut self) -> bool {
        let Self {
            recording,
            console,
            variables,
            memory,
            ..
        } = self;
        let Some(waypoint) = recording
            .as_mut()
            .and_then(|recording| recording.pass(console, variables))
        else {
            return false;
        };
        let memory = memory.clone();
        let mut memory = memory.lock();
        let Some(found) = memory.find_by(waypoint) else {
            return false;
        };
        if let Some(recording) = self.recording.take() {
            memory.charge(recording.followed());
            self.take(&mut memory, found, recording.trace());
            // Outcomes may be forgotten now, and others be found elsewhere.
            memory.keep_same(recording.start(), found);
        }
        self.recorded += 1;
        self.met += 1;
        true
    }

    /// Takes an outcome, in the middle of a reset whose trace this is.
    fn take(&mut self, memory: &mut ResetMemory, (group, outcome): (usize, usize), trace: &Trace) {
        let ResetMemory {
            groups, state, debt, ..
        } = memory;
        let group = &groups[group];
        group.state(outcome, state);
        let loaded = self.load_outcome(trace, &group.shape.passing, &mut state.as_slice());
        debug_assert_eq!(loaded, Ok(()), "an outcome fits the game that it was saved from");
        group.draw(outcome, self.console.screens_mut());
        *debt = debt.saturating_sub(RECALLED);
    }

    /// Keeps the outcome of the reset that has just been played.
    pub(super) fn remember(&mut self, recording: Recording) {
        self.recorded += 1;
        let memory = self.memory.clone();
        let mut memory = memory.lock();
        memory.charge(recording.followed());
        let draws = recording.draws();
        let Some((start, shape, trace, waypoint)) = recording.finish(&self.console) else {
            return;
        };
        if self.mode_error.is_some() {
            return;
        }
        memory.state.clear();
        self.save_outcome(&trace, &shape.passing, draws, &mut memory.state);
        memory.keep(&start, shape, self.console.screens(), waypoint);
    }

    fn save_outcome(&mut self, trace: &Trace, passing: &Selection, draws: u32, bytes: &mut Vec<u8>) {
        self.console.save_outcome(trace, passing, bytes);
        self.variables.as_slice().save(bytes);
        self.paddles.save(bytes);
        // All that a reset counts it counts for the new episode.
        self.episode_frame.save(bytes);
        draws.save(bytes);
    }

    fn load_outcome(&mut self, trace: &Trace, passing: &Selection, bytes: &mut &[u8]) -> Result<(), WrongLength> {
        self.console.load_outcome(trace, passing, bytes)?;
        self.variables.as_mut_slice().load(bytes)?;
        self.paddles.load(bytes)?;
        self.episode_frame.load(bytes)?;
        self.frame += self.episode_frame;
        let mut draws = 0_u32;
        draws.load(bytes)?;
        for _ in 0..draws {
            self.random.next_u32();
        }
        self.last_action = Action::Noop;
        self.last_strength = 1.0;
        self.mode_error = None;
        Ok(())
    }
}
