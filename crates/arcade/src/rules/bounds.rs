//! The values that variables can have, found without a game: intervals of all expressions that set them.
//!
//! An interval may have values that no game reaches. It never lacks one that a game reaches: what is not known counts as every value.

use super::Rules;
use super::expression::{Binary, Expr, List, Node, Unary, binary};
use super::mode::{ModeOp, ModeProgram};
use super::variables::Slot;

/// The least and the greatest value of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// The least value.
    pub least: i64,
    /// The greatest value.
    pub greatest: i64,
}

/// Rounds through the assignments in which bounds may grow by steps. A variable that grows on, such as a counter, can have every value.
const ROUNDS: usize = 8;

impl Bounds {
    const ANY: Self = Self::new(i64::MIN, i64::MAX);
    const FLAG: Self = Self::new(0, 1);
    const BYTE: Self = Self::new(0, 0xFF);
    /// The two digits of a byte, where a half byte above 9 counts as its value.
    const DIGITS: Self = Self::new(0, 165);

    const fn new(least: i64, greatest: i64) -> Self {
        Self { least, greatest }
    }

    const fn of(value: i64) -> Self {
        Self::new(value, value)
    }

    /// The bounds of what is within either.
    fn or(self, other: Self) -> Self {
        Self::new(self.least.min(other.least), self.greatest.max(other.greatest))
    }

    /// The bounds of an operation that is monotonous in each operand. Where it overflows, it can have every value.
    fn corners(self, other: Self, operation: impl Fn(i64, i64) -> Option<i64>) -> Self {
        let ends = |bounds: Self| [bounds.least, bounds.greatest];
        let pairs = ends(self)
            .into_iter()
            .flat_map(|left| ends(other).map(|right| (left, right)));
        let values: Option<Vec<Self>> = pairs
            .map(|(left, right)| operation(left, right).map(Self::of))
            .collect();
        values
            .and_then(|values| values.into_iter().reduce(Self::or))
            .unwrap_or(Self::ANY)
    }
}

impl Rules {
    /// The bounds of the variables, in the order of [`Rules::variable_names`]. `program` selects the game's modes and sets variables too.
    pub fn variable_bounds(&self, program: Option<&ModeProgram>) -> Vec<Bounds> {
        let mut all = vec![Bounds::of(0); self.names.len()];
        for &(Slot(slot), value) in self.load.iter().chain(&self.start) {
            all[slot as usize] = all[slot as usize].or(Bounds::of(value));
        }
        for op in program.map_or([].as_slice(), |program| &program.ops) {
            if let ModeOp::Set { variable, .. } | ModeOp::Draw { variable, .. } = op {
                all[variable.0 as usize] = Bounds::ANY;
            }
        }
        let mut rounds = 0;
        loop {
            let before = all.clone();
            for assignment in &self.frame {
                let slot = assignment.slot.0 as usize;
                let found = all[slot].or(expression(&assignment.value, &all));
                if found != all[slot] {
                    all[slot] = if rounds < ROUNDS { found } else { Bounds::ANY };
                }
            }
            if all == before {
                return all;
            }
            rounds += 1;
        }
    }
}

/// The bounds of an expression of variables with these bounds.
fn expression(expression: &Expr, variables: &[Bounds]) -> Bounds {
    let mut all: Vec<Bounds> = Vec::with_capacity(expression.nodes.len());
    for node in &expression.nodes {
        let at = |index: u16| all[index as usize];
        let entries = |list: List| {
            let entries = &expression.lists[list.first as usize..][..list.count as usize];
            entries.iter().map(|&entry| at(entry))
        };
        let bounds = match *node {
            Node::Constant(value) => Bounds::of(value),
            Node::Variable(Slot(slot)) => variables[slot as usize],
            Node::Mode => Bounds::ANY,
            Node::Ram(_) | Node::RamAt(_) | Node::CartRam(_) | Node::CartRamAt(_) => Bounds::BYTE,
            Node::RamDigits { count, .. } => (1..count).fold(Bounds::DIGITS, |sum, _| {
                Bounds::new(0, sum.greatest * 100 + Bounds::DIGITS.greatest)
            }),
            Node::Unary(operation, operand) => unary(operation, at(operand)),
            Node::Binary(operation, left, right) => pair(operation, at(left), at(right)),
            Node::Both(_, right) => Bounds::of(0).or(at(right)),
            Node::Either(left, right) => at(left).or(at(right)),
            Node::If { then, otherwise, .. } => at(then).or(at(otherwise)),
            Node::Pick { list, .. } => entries(list).fold(Bounds::of(0), Bounds::or),
            Node::Within { .. } | Node::All(_) | Node::Any(_) => Bounds::FLAG,
            Node::Sum(list) => entries(list).fold(Bounds::of(0), |sum, entry| sum.corners(entry, i64::checked_add)),
        };
        all.push(bounds);
    }
    all.last().copied().unwrap_or(Bounds::ANY)
}

fn unary(operation: Unary, of: Bounds) -> Bounds {
    match operation {
        Unary::Negate => Bounds::of(0).corners(of, i64::checked_sub),
        Unary::Invert => Bounds::new(!of.greatest, !of.least),
        Unary::Not => Bounds::FLAG,
        Unary::Signed => Bounds::new(-128, 127),
        Unary::Absolute if of.least >= 0 => of,
        Unary::Absolute => match of.least.checked_neg() {
            Some(most) => Bounds::new(0, most.max(of.greatest)),
            None => Bounds::ANY,
        },
        Unary::Digits => Bounds::DIGITS,
    }
}

fn pair(operation: Binary, left: Bounds, right: Bounds) -> Bounds {
    let is_distance = right.least == right.greatest && (0..63).contains(&right.least);
    let evaluated = |left, right| Some(binary(operation, left, right));
    match operation {
        Binary::Add => left.corners(right, i64::checked_add),
        Binary::Subtract => left.corners(right, i64::checked_sub),
        Binary::Multiply => left.corners(right, i64::checked_mul),
        Binary::Modulo if right.least > 0 => Bounds::new(0, right.greatest - 1),
        Binary::And if left.least >= 0 && right.least >= 0 => Bounds::new(0, left.greatest.min(right.greatest)),
        Binary::And if left.least >= 0 => Bounds::new(0, left.greatest),
        Binary::And if right.least >= 0 => Bounds::new(0, right.greatest),
        // No more bits than the larger operand has.
        Binary::Or | Binary::ExclusiveOr if left.least >= 0 && right.least >= 0 => {
            let unused = left.greatest.max(right.greatest).leading_zeros();
            Bounds::new(0, i64::MAX >> (unused - 1))
        }
        Binary::ShiftLeft if is_distance => left.corners(Bounds::of(1 << right.least), i64::checked_mul),
        Binary::Equal
        | Binary::NotEqual
        | Binary::Less
        | Binary::LessOrEqual
        | Binary::Greater
        | Binary::GreaterOrEqual => Bounds::FLAG,
        Binary::Minimum | Binary::Maximum | Binary::ShiftRight => left.corners(right, evaluated),
        Binary::Divide if right.least > 0 => left.corners(right, evaluated),
        _ => Bounds::ANY,
    }
}
