//! Writes to the TIA. Those that are logged and those to the sound are made in place; the bus does what is unusual.

use super::*;

/// CPU cycles of a line.
const LINE_CYCLES: i32 = tia::LINE / 3;
/// CPU cycles of a whole number of lines, at least 2^31. Added to a difference of clocks, it makes it positive.
const WHOLE_LINES: i32 = (1_u32 << 31).next_multiple_of(LINE_CYCLES as u32) as i32;

impl Body<'_> {
    /// Writes the operand to a register. It is the last access of the present instruction.
    pub(super) fn write_register(&mut self, register: u8) {
        self.constant(i32::from(register));
        self.set(Address);
        match tia::concern(register) {
            Concern::Wait => self.wait_for_line(),
            Concern::Sound => self.write_sound(register),
            Concern::Write => self.write_tia(),
            logged => self.write_logged(register, logged),
        }
    }

    /// Writes to a sound register.
    fn write_sound(&mut self, register: u8) {
        self.if_too_late_or_pending();
        self.choose_unlikely(Self::write_tia_last, |body| {
            body.note_access(register);
            body.get(Machine);
            body.ops(&[Op::Get(Operand), Op::Store8(layout::sound(register))]);
        });
    }

    /// Calls the TIA for a write.
    pub(super) fn write_tia(&mut self) {
        self.get(Machine);
        self.get(Address);
        self.get(Operand);
        self.get(Cycles);
        self.call(RuntimeCall::WriteTia);
        self.set(Cycles);
        self.accesses.chips = true;
    }

    /// Writes to a register whose writes are logged.
    fn write_logged(&mut self, register: u8, concern: Concern) {
        self.if_too_late();
        self.choose_unlikely(Self::write_tia_last, |body| {
            body.note_access(register);
            if let Concern::Change { copied, copy } = concern {
                body.if_changed(register, copied);
                body.load_machine(Op::Load8(layout::HMOVE_PENDING));
                body.op(Op::Or);
                body.when(|body| {
                    body.log(register);
                    if copied | copy != 0 {
                        body.copy_graphics(register, copied, copy);
                    }
                    body.remember(register);
                    body.end_pending();
                });
                return;
            }
            body.log(register);
            if concern == Concern::Strobe {
                body.remember(register);
                body.end_pending();
            } else {
                body.get(Machine);
                body.load_machine(Op::Load8(layout::HMOVE_BLANKS));
                body.constant(HmoveBlanks::Shown as i32);
                body.ops(&[Op::NotEqual, Op::IsZero, Op::Store8(layout::HMOVE_PENDING)]);
            }
        });
    }

    /// Calls the TIA for a write that is the last access of the present instruction.
    fn write_tia_last(&mut self) {
        let before = self.accesses;
        self.write_tia();
        self.accesses = before;
        self.load_machine(Op::Load8(layout::FRAME_END));
        self.when_unlikely(|body| body.leave(body.at, None));
    }

    /// Pushes 0 if a register holds the operand already and these bits of [`layout::COPIED`] are set.
    fn if_changed(&mut self, register: u8, copied: u8) {
        self.load_machine(Op::Load8(layout::SHADOW + u32::from(register)));
        self.get(Operand);
        self.op(Op::Xor);
        if copied != 0 {
            self.load_machine(Op::Load8(layout::COPIED));
            self.and(i32::from(copied));
            self.ops(&[Op::Const(copied.into()), Op::Xor, Op::Or]);
        }
    }

    /// Appends the operand to the log, which has room, at the clock in [`Scratch`].
    fn log(&mut self, register: u8) {
        self.load_machine(Op::LoadAddress(layout::LOG_ENTRIES));
        self.load_machine(Op::Load32(layout::LOG_LENGTH));
        self.shift_left(2);
        self.op(Op::Add);
        self.get(Scratch);
        self.load_machine(Op::Load32(layout::LOG_BASE));
        self.op(Op::Sub);
        self.shift_left(log::CLOCK_SHIFT as i32);
        self.constant(i32::from(register) << log::REGISTER_SHIFT);
        self.ops(&[Op::Or, Op::Get(Operand), Op::Or, Op::Store32(0)]);
        self.get(Machine);
        self.load_machine(Op::Load32(layout::LOG_LENGTH));
        self.ops(&[Op::Const(1), Op::Add, Op::Store32(layout::LOG_LENGTH)]);
    }

    /// Sets the bits of the graphics that a write copies, and clears the register's own bit if its value changes.
    fn copy_graphics(&mut self, register: u8, copied: u8, copy: u8) {
        self.get(Machine);
        self.load_machine(Op::Load8(layout::SHADOW + u32::from(register)));
        self.ops(&[Op::Get(Operand), Op::NotEqual]);
        self.shift_left(copy.trailing_zeros() as i32);
        self.ops(&[Op::Const(0xFF), Op::Xor]);
        self.load_machine(Op::Load8(layout::COPIED));
        self.ops(&[Op::And, Op::Const(copied.into()), Op::Or, Op::Store8(layout::COPIED)]);
    }

    /// Stores the register's value.
    fn remember(&mut self, register: u8) {
        self.get(Machine);
        self.ops(&[Op::Get(Operand), Op::Store8(layout::SHADOW + u32::from(register))]);
    }

    /// After a logged write within the lines shown, HMOVE's blank is not pending.
    fn end_pending(&mut self) {
        self.load_machine(Op::Load8(layout::HMOVE_PENDING));
        self.when(|body| {
            body.get(Machine);
            body.get(Scratch);
            body.load_machine(Op::Load32(layout::WINDOW_START));
            body.op(Op::Sub);
            body.shift_right(31);
            body.op(Op::Store8(layout::HMOVE_PENDING));
        });
    }

    /// Writes to WSYNC.
    fn wait_for_line(&mut self) {
        self.if_too_late_or_pending();
        self.choose_unlikely(Self::write_tia_last, |body| {
            body.note_access(tia::TOUCH);
            body.get(Cycles);
            body.load_machine(Op::Load32(layout::LINE_BEGIN));
            body.ops(&[Op::Sub, Op::Tee(Scratch), Op::Const(LINE_CYCLES), Op::NotLess]);
            // The last WSYNC was in another line.
            body.when(|body| {
                // The clock can be before that line in a state that was made by hand: whole lines are added to a negative difference.
                body.get(Scratch);
                body.ops(&[Op::Const(0), Op::Get(Scratch)]);
                body.shift_right(31);
                body.op(Op::Sub);
                body.and(WHOLE_LINES);
                body.ops(&[Op::Add, Op::Const(LINE_CYCLES), Op::Remainder, Op::Set(Scratch)]);
            });
            body.get(Scratch);
            body.when(|body| {
                body.get(Cycles);
                body.ops(&[Op::Const(LINE_CYCLES), Op::Get(Scratch), Op::Sub]);
                body.ops(&[Op::Add, Op::Set(Cycles)]);
            });
            body.get(Machine);
            body.ops(&[Op::Get(Cycles), Op::Store32(layout::LINE_BEGIN)]);
        });
    }

    /// Pushes 0 if the frame does not have too many lines, and leaves the colour clock in [`Scratch`].
    fn if_too_late(&mut self) {
        self.get(Cycles);
        self.get(Cycles);
        self.shift_left(1);
        self.ops(&[Op::Add, Op::Tee(Scratch)]);
        self.load_machine(Op::Load32(layout::LINE_LIMIT));
        self.op(Op::NotLess);
    }

    /// [`Body::if_too_late`], but pushes 0 only if no HMOVE blank is pending either.
    fn if_too_late_or_pending(&mut self) {
        self.if_too_late();
        self.load_machine(Op::Load8(layout::HMOVE_PENDING));
        self.op(Op::Or);
    }

    /// Stores the last access: this register, at the clock in [`Scratch`].
    fn note_access(&mut self, register: u8) {
        self.get(Machine);
        self.ops(&[Op::Get(Scratch), Op::Store32(layout::LAST_CLOCK)]);
        self.get(Machine);
        self.constant(i32::from(register));
        self.op(Op::Store8(layout::LAST_REGISTER));
    }
}
