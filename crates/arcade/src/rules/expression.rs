//! Compiled expressions and their evaluation.

use super::variables::{ReadRam, Slot, Variables};

/// An operation on one value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Unary {
    Negate,
    Invert,
    Not,
    /// A byte as a signed number.
    Signed,
    Absolute,
    /// The two decimal digits of a byte.
    Digits,
}

/// An operation on two values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Binary {
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
    Power,
    And,
    Or,
    ExclusiveOr,
    ShiftLeft,
    ShiftRight,
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Minimum,
    Maximum,
}

/// The index of a node in [`Expr::nodes`].
pub(super) type NodeIndex = u16;

/// A run of entries in [`Expr::lists`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct List {
    pub(super) first: u16,
    pub(super) count: u16,
}

/// A step of an expression. A node comes after its operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Node {
    Constant(i64),
    Variable(Slot),
    /// The selected game mode.
    Mode,
    Ram(u8),
    RamAt(NodeIndex),
    CartRam(u8),
    CartRamAt(NodeIndex),
    /// Decimal digits of up to three bytes of RAM, the lowest byte first.
    RamDigits {
        addresses: [u8; 3],
        count: u8,
    },
    Unary(Unary, NodeIndex),
    Binary(Binary, NodeIndex, NodeIndex),
    /// `and`: the first value if it is 0, else the second.
    Both(NodeIndex, NodeIndex),
    /// `or`: the first value unless it is 0, else the second.
    Either(NodeIndex, NodeIndex),
    If {
        condition: NodeIndex,
        then: NodeIndex,
        otherwise: NodeIndex,
    },
    /// The entry of a list at an index, 0 outside the list.
    Pick {
        list: List,
        index: NodeIndex,
    },
    /// Whether a list has a value.
    Within {
        item: NodeIndex,
        list: List,
    },
    Sum(List),
    All(List),
    Any(List),
}

/// A compiled expression: its value is that of its last node.
///
/// Evaluation does not allocate and has a bounded number of steps: the compiler unrolls loops and inlines functions, and limits the
/// nodes that one evaluation visits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expr {
    pub(super) nodes: Box<[Node]>,
    /// The entries of all [`List`]s.
    pub(super) lists: Box<[NodeIndex]>,
    /// Nodes that an evaluation visits at most.
    pub(super) steps: u32,
}

impl Expr {
    /// A constant expression.
    pub(super) fn constant_of(value: i64) -> Self {
        Self {
            nodes: [Node::Constant(value)].into(),
            lists: [].into(),
            steps: 1,
        }
    }

    /// The value of the expression. `mode` is the selected game mode; only mode selection reads it.
    ///
    /// True is 1 and false 0. Arithmetic wraps at 64 bits; division by 0 gives 0.
    pub fn evaluate<M: ReadRam + ?Sized>(&self, variables: &Variables, memory: &M, mode: i64) -> i64 {
        let evaluation = Evaluation {
            expression: self,
            variables,
            memory,
            mode,
        };
        evaluation.value(self.nodes.len() as NodeIndex - 1)
    }

    /// The value of an expression that the compiler folded to a constant.
    pub(super) fn constant(&self) -> Option<i64> {
        match self.nodes.last() {
            Some(Node::Constant(value)) => Some(*value),
            _ => None,
        }
    }
}

struct Evaluation<'a, M: ?Sized> {
    expression: &'a Expr,
    variables: &'a Variables,
    memory: &'a M,
    mode: i64,
}

impl<M: ReadRam + ?Sized> Evaluation<'_, M> {
    fn value(&self, index: NodeIndex) -> i64 {
        match self.expression.nodes[index as usize] {
            Node::Constant(value) => value,
            Node::Variable(slot) => self.variables.get(slot),
            Node::Mode => self.mode,
            Node::Ram(address) => self.memory.ram(address) as i64,
            Node::RamAt(address) => self.memory.ram(self.value(address) as u8) as i64,
            Node::CartRam(address) => self.memory.cart_ram(address) as i64,
            Node::CartRamAt(address) => self.memory.cart_ram(self.value(address) as u8 & 0x7F) as i64,
            Node::RamDigits { addresses, count } => {
                addresses[..count as usize].iter().rev().fold(0, |value, &address| {
                    value * 100 + digits(self.memory.ram(address) as i64)
                })
            }
            Node::Unary(operation, operand) => unary(operation, self.value(operand)),
            Node::Binary(operation, left, right) => binary(operation, self.value(left), self.value(right)),
            Node::Both(left, right) => match self.value(left) {
                0 => 0,
                _ => self.value(right),
            },
            Node::Either(left, right) => match self.value(left) {
                0 => self.value(right),
                value => value,
            },
            Node::If {
                condition,
                then,
                otherwise,
            } => self.value(if self.value(condition) != 0 { then } else { otherwise }),
            Node::Pick { list, index } => {
                let entry = usize::try_from(self.value(index))
                    .ok()
                    .and_then(|index| self.entries(list).get(index));
                entry.map_or(0, |&entry| self.value(entry))
            }
            Node::Within { item, list } => {
                let item = self.value(item);
                self.entries(list).iter().any(|&entry| self.value(entry) == item) as i64
            }
            Node::Sum(list) => self
                .entries(list)
                .iter()
                .fold(0, |sum, &entry| sum.wrapping_add(self.value(entry))),
            Node::All(list) => self.entries(list).iter().all(|&entry| self.value(entry) != 0) as i64,
            Node::Any(list) => self.entries(list).iter().any(|&entry| self.value(entry) != 0) as i64,
        }
    }

    fn entries(&self, list: List) -> &[NodeIndex] {
        &self.expression.lists[list.first as usize..][..list.count as usize]
    }
}

/// The number of two decimal digits; a half byte above 9 counts as its value.
fn digits(byte: i64) -> i64 {
    10 * (byte >> 4) + (byte & 0x0F)
}

/// The result of an operation on one value.
pub(super) fn unary(operation: Unary, value: i64) -> i64 {
    match operation {
        Unary::Negate => value.wrapping_neg(),
        Unary::Invert => !value,
        Unary::Not => (value == 0) as i64,
        Unary::Signed => value as i8 as i64,
        Unary::Absolute => value.wrapping_abs(),
        Unary::Digits => digits(value & 0xFF),
    }
}

/// The result of an operation on two values.
pub(super) fn binary(operation: Binary, left: i64, right: i64) -> i64 {
    match operation {
        Binary::Add => left.wrapping_add(right),
        Binary::Subtract => left.wrapping_sub(right),
        Binary::Multiply => left.wrapping_mul(right),
        Binary::Divide => floor_divide(left, right),
        Binary::Modulo => left.wrapping_sub(floor_divide(left, right).wrapping_mul(right)),
        Binary::Power => u32::try_from(right).map_or(0, |exponent| left.wrapping_pow(exponent)),
        Binary::And => left & right,
        Binary::Or => left | right,
        Binary::ExclusiveOr => left ^ right,
        Binary::ShiftLeft => shift_left(left, right),
        Binary::ShiftRight => left >> right.clamp(0, 63),
        Binary::Equal => (left == right) as i64,
        Binary::NotEqual => (left != right) as i64,
        Binary::Less => (left < right) as i64,
        Binary::LessOrEqual => (left <= right) as i64,
        Binary::Greater => (left > right) as i64,
        Binary::GreaterOrEqual => (left >= right) as i64,
        Binary::Minimum => left.min(right),
        Binary::Maximum => left.max(right),
    }
}

/// Rounds down, as Python does.
fn floor_divide(left: i64, right: i64) -> i64 {
    if right == 0 {
        return 0;
    }
    let quotient = left.wrapping_div(right);
    let inexact = left.wrapping_rem(right) != 0;
    if inexact && (left < 0) != (right < 0) {
        quotient - 1
    } else {
        quotient
    }
}

fn shift_left(left: i64, right: i64) -> i64 {
    u32::try_from(right)
        .ok()
        .and_then(|distance| left.checked_shl(distance))
        .unwrap_or(0)
}
