//! The intermediate representation of compile jobs: functions of a stack machine.
//!
//! The operations are a subset of WebAssembly's. Values are 32 bits wide, except for addresses.

use super::runtime::RuntimeCall;

/// One operation. It pops its operands from the stack, the last one first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Op {
    /// Pushes a constant.
    Const(i32),
    /// Pushes a local.
    Get(Local),
    /// Pops a local's new value.
    Set(Local),
    /// Copies the top of the stack to a local.
    Tee(Local),
    /// Pops an address and pushes the byte at this offset from it.
    Load8(u32),
    /// [`Op::Load8`] for 16 bits, little-endian.
    Load16(u32),
    /// [`Op::Load8`] for 32 bits.
    Load32(u32),
    /// [`Op::Load8`] for an address.
    LoadAddress(u32),
    /// Pops a value and then an address; stores the value's lowest byte at this offset from the address.
    Store8(u32),
    /// [`Op::Store8`] for 16 bits.
    Store16(u32),
    /// [`Op::Store8`] for 32 bits.
    Store32(u32),
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Remainder of unsigned values; the divisor is not 0.
    Remainder,
    /// Bitwise AND.
    And,
    /// Bitwise OR.
    Or,
    /// Bitwise exclusive OR.
    Xor,
    /// Shift to the left.
    ShiftLeft,
    /// Logical shift to the right.
    ShiftRight,
    /// 1 if the value is zero, else 0.
    IsZero,
    /// 1 if the values differ, else 0.
    NotEqual,
    /// 1 if the first value is less than the second, both unsigned, else 0.
    Less,
    /// 1 if the first value is not less than the second, both unsigned, else 0.
    NotLess,
    /// Pops a value and begins the code for a value that is not zero.
    If,
    /// [`Op::If`] for a value that is nearly always zero: compilers move the code out of the way.
    IfUnlikely,
    /// Begins the alternative of the innermost `If` or `IfUnlikely`.
    Else,
    /// Begins a block. A jump to it goes to its end.
    Block,
    /// Begins a loop. A jump to it goes to its beginning.
    Loop,
    /// Ends the innermost `If`, `IfUnlikely`, `Block` or `Loop`.
    End,
    /// Jumps to the block or loop this many levels out.
    Jump(u32),
    /// Pops an index and jumps that many levels out. There are this many targets; a greater index jumps to the last one.
    JumpTable(u32),
    /// Executes the last [`JumpTable`](Self::JumpTable) again with this block's number in [`Local::Next`]. The number is
    /// known, so a compiler may jump to the block directly.
    Restart {
        /// The block's number.
        block: u32,
        /// How many levels out the loop with the jump table is.
        depth: u32,
    },
    /// Calls a runtime function.
    Call(RuntimeCall),
}

/// A local variable of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub enum Local {
    /// First parameter: the address of the machine.
    Machine,
    /// Second parameter: the address of the ROM's first byte.
    Rom,
    /// Third parameter: the number of the block to execute next.
    Next,
    /// The accumulator.
    A,
    /// Index register X.
    X,
    /// Index register Y.
    Y,
    /// The stack pointer.
    Sp,
    /// The result that N and Z follow from.
    Result,
    /// C: 0 or 1.
    Carry,
    /// V: not 0 if it is set.
    Overflow,
    /// D: 0 or 1.
    Decimal,
    /// CPU cycles.
    Cycles,
    /// Instructions left.
    Left,
    /// The program counter at the function's end.
    Pc,
    /// The function's result: see [`CompiledFunction`](super::CompiledFunction).
    Exit,
    /// An address.
    Address,
    /// An operand.
    Operand,
    /// An intermediate value.
    Scratch,
}

impl Local {
    /// The number of parameters, which are the first locals.
    pub const PARAMETERS: u32 = 3;
    /// The number of locals.
    pub const COUNT: u32 = Self::Scratch as u32 + 1;
}

/// Reasons why a function returns.
pub(super) mod exit {
    /// The program continues at another address.
    pub(crate) const ELSEWHERE: i32 = 0;
    /// The next instruction has to be interpreted.
    pub(crate) const INTERPRET: i32 = 1;
}
