//! Accesses to the machine, the ROM and the log, and calls of runtime functions.

use super::*;

/// The fields that code accesses, by offset and width in bytes, with their ranges.
pub(super) fn fields(rom: usize) -> HashMap<(u32, u32), Range> {
    let byte = Range::up_to(0xFF);
    let boolean = Range::up_to(1);
    let mut fields = HashMap::new();
    for (local, place) in layout::REGISTERS {
        let range = local_range(local);
        match place {
            layout::Field::Byte(at) => fields.insert((at, 1), range.both(byte)),
            layout::Field::Half(at) => fields.insert((at, 2), range.both(Range::up_to(0xFFFF))),
            layout::Field::Word(at) => fields.insert((at, 4), range),
        };
    }
    for at in [
        layout::FRAME_END,
        layout::SWITCHED,
        layout::HMOVE_PENDING,
        layout::HMOVE_BLANKS,
        layout::INTERRUPT_DISABLE,
    ] {
        fields.insert((at, 1), boolean);
    }
    fields.insert((layout::PC, 2), Range::up_to(0xFFFF));
    fields.insert((layout::DATA, 1), byte);
    fields.insert((layout::COPIED, 1), Range::of_bits(0x13));
    fields.insert((layout::LAST_REGISTER, 1), Range::up_to(0x3F));
    for at in [
        layout::LINE_BEGIN,
        layout::WINDOW_START,
        layout::LINE_LIMIT,
        layout::LOG_BASE,
        layout::LAST_CLOCK,
    ] {
        fields.insert((at, 4), Range::ANY);
    }
    let sound = (0..64).filter(|&register| tia::concern(register) == Concern::Sound);
    fields.extend(sound.map(|register| ((layout::sound(register), 1), byte)));
    fields.extend((0..64).map(|register| ((layout::SHADOW + register, 1), byte)));
    fields.extend((0..128).map(|at| ((layout::RAM + at, 1), byte)));
    fields.extend((0..127).map(|at| ((layout::RAM + at, 2), Range::up_to(0xFFFF))));
    let last = (rom as u32).saturating_sub(SLICE.into());
    fields.extend((0..8).map(|slice| ((layout::SLICES + 2 * slice, 2), Range::up_to(last))));
    fields
}

/// The range of a runtime function's result, and the writes that it logs at most. Its tests show that it keeps to both.
pub(super) fn effect(callee: RuntimeCall) -> (Range, u32) {
    match callee {
        RuntimeCall::Read => (Range::up_to(0xFF), 1),
        RuntimeCall::Chip => (Range::up_to(0xFF), 0),
        RuntimeCall::Word => (Range::up_to(0xFFFF), 1),
        RuntimeCall::Write | RuntimeCall::WriteTia => (Range::ANY, 1),
        RuntimeCall::AddDecimal | RuntimeCall::SubtractDecimal => (Range::up_to(0x3FF), 0),
        RuntimeCall::TimerWait => (Range::ANY, 0),
    }
}

impl Verifier {
    /// Loads the log's address, the only one that code may load.
    pub(super) fn load_address(&mut self, offset: u32) -> Result<(), String> {
        let address = self.pop()?;
        if !matches!(self.nodes[address].0, Node::Pointer(Base::Machine, None)) || offset != layout::LOG_ENTRIES {
            return Err("loads an address that is not the log's".to_owned());
        }
        let id = self.node(Node::Pointer(Base::Log, None), Range::ANY);
        self.push(id);
        Ok(())
    }

    pub(super) fn load(&mut self, offset: u32, width: u32) -> Result<(), String> {
        let address = self.pop()?;
        let Node::Pointer(base, index) = self.nodes[address].0 else {
            return Err("loads from a word".to_owned());
        };
        let id = match (base, index) {
            (Base::Machine, None) if (offset, width) == (layout::LOG_LENGTH, 4) => {
                let log = self.state()?.log;
                self.node(Node::LogLength(log), Range::up_to(log::CAPACITY as u32))
            }
            (Base::Machine, None) => {
                let range = self.fields.get(&(offset, width)).copied();
                let range = range.ok_or_else(|| format!("no field of {width} bytes at {offset}"))?;
                self.any(range)
            }
            (Base::Machine, Some(index)) => {
                let range = self.indexed(index, offset, width)?;
                self.any(range)
            }
            (Base::Rom, Some(index)) => {
                let high = u64::from(self.range(index).high) + u64::from(offset) + u64::from(width);
                if high > u64::from(self.rom) {
                    return Err(format!("reads the ROM up to {high} of {} bytes", self.rom));
                }
                self.any(Range::up_to(0xFF))
            }
            _ => return Err("loads from an address that is not checked".to_owned()),
        };
        self.push(id);
        Ok(())
    }

    /// The range of an indexed access to the machine: to RAM or the table of slices.
    pub(super) fn indexed(&self, index: Id, offset: u32, width: u32) -> Result<Range, String> {
        let Range { high, bits, .. } = self.range(index);
        let fits = |bytes: u32| high.checked_add(width).is_some_and(|end| end <= bytes);
        match offset {
            layout::RAM if width <= 2 && fits(128) => Ok(Range::up_to(if width == 1 { 0xFF } else { 0xFFFF })),
            layout::SLICES if width == 2 && bits & 1 == 0 && fits(16) => Ok(self.fields[&(layout::SLICES, 2)]),
            _ => Err(format!("accesses {width} bytes at {offset} plus up to {high}")),
        }
    }

    pub(super) fn store(&mut self, offset: u32, width: u32) -> Result<(), String> {
        let (value, address) = (self.pop()?, self.pop()?);
        let Node::Pointer(base, index) = self.nodes[address].0 else {
            return Err("stores to a word".to_owned());
        };
        let stored = self.range(value);
        let (log, room) = (self.state()?.log, self.state()?.room);
        match (base, index) {
            (Base::Machine, None) if (offset, width) == (layout::LOG_LENGTH, 4) => {
                let Node::Binary(Op::Add, length, one) = self.nodes[value].0 else {
                    return Err("sets the log's length".to_owned());
                };
                let is_next = matches!(self.nodes[length].0, Node::LogLength(known) if known == log);
                if !is_next || self.range(one) != Range::exactly(1) || room == 0 {
                    return Err("sets the log's length".to_owned());
                }
                self.change_log(1)
            }
            (Base::Machine, None) => {
                let field = self.fields.get(&(offset, width)).copied();
                let field = field.ok_or_else(|| format!("no field of {width} bytes at {offset}"))?;
                if stored.both(field) != stored {
                    return Err(format!("stores {stored:?} to a field of {field:?}"));
                }
                Ok(())
            }
            (Base::Machine, Some(index)) => {
                if offset != layout::RAM || width != 1 || stored.high > 0xFF {
                    return Err("stores to an index that is not RAM's".to_owned());
                }
                self.indexed(index, offset, width).map(drop)
            }
            (Base::Log, Some(index)) => {
                let Node::Binary(Op::ShiftLeft, length, _) = self.nodes[index].0 else {
                    return Err("writes to the log elsewhere than at its end".to_owned());
                };
                let is_end = matches!(self.nodes[length].0, Node::LogLength(known) if known == log);
                if !is_end || (offset, width) != (0, 4) || room == 0 {
                    return Err(format!("writes to the log with room for {room} writes"));
                }
                Ok(())
            }
            _ => Err("stores to an address that is not checked".to_owned()),
        }
    }

    /// The log's length changes by at most `writes`.
    pub(super) fn change_log(&mut self, writes: u32) -> Result<(), String> {
        self.changes += 1;
        let changes = self.changes;
        let state = self.state()?;
        state.log = changes;
        state.room = state.room.saturating_sub(writes);
        Ok(())
    }

    pub(super) fn call(&mut self, callee: RuntimeCall) -> Result<(), String> {
        let mut arguments = Vec::new();
        for _ in 0..callee.parameters() {
            arguments.push(self.pop()?);
        }
        arguments.reverse();
        let is_machine = |&id: &Id| matches!(self.nodes[id].0, Node::Pointer(Base::Machine, None));
        let is_decimal = matches!(callee, RuntimeCall::AddDecimal | RuntimeCall::SubtractDecimal);
        let others = if is_decimal { &arguments[..] } else { &arguments[1..] };
        if !is_decimal && !is_machine(&arguments[0])
            || others.iter().any(|&id| matches!(self.nodes[id].0, Node::Pointer(..)))
        {
            return Err("passes other arguments".to_owned());
        }
        let (result, writes) = effect(callee);
        if writes > 0 {
            self.change_log(writes)?;
        }
        let id = self.any(result);
        self.push(id);
        Ok(())
    }
}
