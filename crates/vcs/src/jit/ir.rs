//! What a translated program consists of: functions of a small stack machine, a part of WebAssembly's, all of whose values but
//! addresses are 32 bits wide.

use super::runtime::RuntimeCall;

/// One operation. Operands are taken from the stack, the last one from its top.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Op {
    /// Pushes a constant.
    Const(i32),
    /// Pushes a local.
    Get(Local),
    /// Pops a local's new value.
    Set(Local),
    /// The value on the top becomes a local's and stays.
    Tee(Local),
    /// Pops an address and pushes the byte at so many bytes from there.
    Load8(u32),
    /// The same for 16 bits, lowest first.
    Load16(u32),
    /// The same for 32 bits.
    Load32(u32),
    /// The same for an address.
    LoadAddress(u32),
    /// Pops a value and, below it, an address; stores the lowest byte at so many bytes from there.
    Store8(u32),
    /// The same for 16 bits.
    Store16(u32),
    /// The same for 32 bits.
    Store32(u32),
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Remainder, both without sign; the divisor is not 0.
    Remainder,
    /// Bit by bit.
    And,
    /// Bit by bit.
    Or,
    /// Bit by bit.
    Xor,
    /// Shift to the left.
    ShiftLeft,
    /// Shift to the right, zeros coming in.
    ShiftRight,
    /// Whether it is zero: 1 or 0.
    IsZero,
    /// Whether both differ.
    NotEqual,
    /// Whether the first is less, both without sign.
    Less,
    /// Whether the first is not less, both without sign.
    NotLess,
    /// Begins what is done if the popped value is not zero.
    If,
    /// The same for what hardly ever is so.
    IfUnlikely,
    /// Begins what is done otherwise.
    Else,
    /// Begins a block: a jump to it goes to its end.
    Block,
    /// Begins a loop: a jump to it goes to its beginning.
    Loop,
    /// Ends the innermost `If`, `Rarely`, `Block` or `Loop`.
    End,
    /// Jumps to the block or loop that is so many levels out.
    Jump(u32),
    /// Pops an index: jumps so many levels out, or to the last of so many levels where there are not so many.
    JumpTable(u32),
    /// Goes where the last [`JumpTable`](Self::JumpTable) goes with [`Local::Next`], which is this constant: jumps so many levels out,
    /// to the loop in which that is.
    Restart {
        /// Which of the blocks.
        block: u32,
        /// How many levels out the loop is.
        depth: u32,
    },
    /// Calls a function of the machine.
    Call(RuntimeCall),
}

/// A local variable of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub enum Local {
    /// First parameter: the machine's address.
    Machine,
    /// Second parameter: the address of the ROM's first byte.
    Rom,
    /// Third parameter: which block comes next.
    Next,
    /// A register.
    A,
    /// A register.
    X,
    /// A register.
    Y,
    /// The stack pointer.
    Sp,
    /// What N and Z come from.
    Result,
    /// C: 0 or 1.
    Carry,
    /// V: not 0 where it is set.
    Overflow,
    /// D: 0 or 1.
    Decimal,
    /// CPU cycles.
    Cycles,
    /// Instructions left.
    Left,
    /// The program counter, where the function ends.
    Pc,
    /// Why the function ends.
    Exit,
    /// An address.
    Address,
    /// An operand.
    Operand,
    /// Something.
    Scratch,
}

impl Local {
    /// Those that a function is given.
    pub const PARAMETERS: u32 = 3;
    /// All of them.
    pub const COUNT: u32 = Self::Scratch as u32 + 1;
}

/// Reasons for which a function ends.
pub(super) mod exit {
    /// The program goes on elsewhere.
    pub(crate) const ELSEWHERE: i32 = 0;
    /// The next instruction has to be interpreted.
    pub(crate) const INTERPRET: i32 = 1;
}
