//! Blocks, branches and jumps.

use super::*;

impl Verifier {
    pub(super) fn open(&mut self, is_loop: bool, otherwise: Option<AbstractState>) {
        let room = self.state.as_ref().map_or(0, |state| state.room);
        self.labels.push(Label {
            is_loop,
            joined: None,
            otherwise,
            height: self.stack.len(),
            room,
        });
    }

    pub(super) fn begin_loop(&mut self) -> Result<(), String> {
        self.check_locals()?;
        self.open(true, None);
        // The facts at every jump to the loop.
        for index in 0..Local::COUNT as usize {
            let id = self.state()?.locals[index];
            let is_parameter = matches!(self.nodes[id].0, Node::Pointer(..));
            if !is_parameter {
                let known = LOCALS.into_iter().find(|&local| local as usize == index);
                let any = self.any(known.map_or(Range::ANY, local_range));
                self.state()?.locals[index] = any;
            }
        }
        self.change_log(0)?;
        self.state()?.facts.clear();
        Ok(())
    }

    pub(super) fn check_locals(&self) -> Result<(), String> {
        let state = self.state.as_ref().ok_or("not reached")?;
        for local in LOCALS {
            let range = self.range(state.locals[local as usize]);
            if range.high > local_range(local).high {
                return Err(format!("{local:?} may be {range:?}"));
            }
        }
        for (local, expected) in [(Local::Machine, Base::Machine), (Local::Rom, Base::Rom)] {
            let (node, _) = self.nodes[state.locals[local as usize]];
            if !matches!(node, Node::Pointer(base, None) if base == expected) {
                return Err(format!("{local:?} has changed"));
            }
        }
        Ok(())
    }

    pub(super) fn restart(&mut self, block: u32, depth: u32) -> Result<(), String> {
        self.check_locals()?;
        let room = self.state()?.room;
        let label = self.label(depth)?;
        if !label.is_loop || room < label.room {
            return Err(format!("jumps back with room for {room} of {} writes", label.room));
        }
        if block >= self.table {
            return Err("jumps to a block that the table lacks".to_owned());
        }
        self.state = None;
        Ok(())
    }

    pub(super) fn label(&mut self, depth: u32) -> Result<&mut Label, String> {
        let index = self
            .labels
            .len()
            .checked_sub(depth as usize + 1)
            .ok_or("jumps out of the function")?;
        Ok(&mut self.labels[index])
    }

    pub(super) fn jump(&mut self, depth: u32) -> Result<(), String> {
        let here = self.state.take();
        let label = self.label(depth)?;
        if label.is_loop {
            return Err("jumps back without the table".to_owned());
        }
        let joined = label.joined.take();
        let joined = self.join(joined, here);
        self.label(depth)?.joined = joined;
        Ok(())
    }

    /// An `Else`.
    pub(super) fn change_part(&mut self) -> Result<(), String> {
        let label = self.labels.last_mut().ok_or("no block is open")?;
        if self.state.is_some() && self.stack.len() != label.height {
            return Err("leaves a value on the stack".to_owned());
        }
        self.stack.truncate(label.height);
        let (joined, otherwise) = (label.joined.take(), label.otherwise.take());
        let here = self.state.take();
        let joined = self.join(joined, here);
        self.label(0)?.joined = joined;
        self.state = otherwise;
        Ok(())
    }

    pub(super) fn close(&mut self) -> Result<(), String> {
        let mut label = self.labels.pop().ok_or("no block is open")?;
        if self.state.is_some() && self.stack.len() != label.height {
            return Err("leaves a value on the stack".to_owned());
        }
        self.stack.truncate(label.height);
        let here = self.state.take();
        let joined = self.join(label.joined.take(), label.otherwise.take());
        self.state = self.join(joined, here);
        Ok(())
    }

    pub(super) fn begin_if(&mut self) -> Result<(), String> {
        let condition = self.pop()?;
        let mut otherwise = self.state.clone();
        std::mem::swap(&mut self.state, &mut otherwise);
        self.learn(condition, false);
        std::mem::swap(&mut self.state, &mut otherwise);
        self.learn(condition, true);
        self.open(false, otherwise);
        Ok(())
    }

    pub(super) fn jump_table(&mut self, count: u32) -> Result<(), String> {
        self.pop()?;
        let here = self.state.clone();
        for depth in 0..count {
            self.state.clone_from(&here);
            self.jump(depth)?;
        }
        self.table = count;
        self.state = None;
        Ok(())
    }

    /// The facts that both have in common.
    pub(super) fn join(&mut self, one: Option<AbstractState>, other: Option<AbstractState>) -> Option<AbstractState> {
        let (Some(one), Some(other)) = (&one, &other) else {
            return one.or(other);
        };
        let mut locals = one.locals.clone();
        for (index, id) in locals.iter_mut().enumerate() {
            if *id != other.locals[index] {
                let ranges = [one, other].map(|state| {
                    let known = state.facts.get(&state.locals[index]);
                    known.map_or(self.nodes[state.locals[index]].1, |fact| {
                        fact.both(self.nodes[state.locals[index]].1)
                    })
                });
                *id = self.any(ranges[0].either(ranges[1]));
            }
        }
        let facts = one
            .facts
            .iter()
            .filter_map(|(id, fact)| Some((*id, fact.either(*other.facts.get(id)?))))
            .collect();
        let log = if one.log == other.log {
            one.log
        } else {
            self.changes += 1;
            self.changes
        };
        Some(AbstractState {
            locals,
            facts,
            room: one.room.min(other.room),
            log,
        })
    }

    pub(super) fn finish(&mut self) -> Result<(), String> {
        if !self.labels.is_empty() || self.stack.len() != 1 {
            return Err("the function is not complete".to_owned());
        }
        let exit = self.pop()?;
        if self.range(exit).high > 1 {
            return Err("returns another value than an exit".to_owned());
        }
        Ok(())
    }
}
