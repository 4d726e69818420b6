//! Compiles parsed expressions: resolves names, inlines functions, unrolls loops and folds constants.

use super::error::{Located, RuleProblem, located};
use super::expression::{Binary, Expr, List, Node, NodeIndex, Unary, binary, unary};
use super::syntax::{Ast, AstKind, Function, LoopKind, MemoryKind, Range};
use super::variables::Slot;

/// The deepest nesting after functions are inlined.
const DEPTH_LIMIT: usize = 200;

/// The maximum number of nodes in an expression, and of nodes that one evaluation visits.
const VISIT_LIMIT: usize = 10_000;

/// What compiling the texts of one definition may still cost.
///
/// A visit of a parsed node, a compiled node and an entry of a list cost 1 each, so that a function whose calls leave no node behind
/// is counted as well, and a definition is refused before it takes much time or memory.
pub(super) struct Work {
    left: usize,
}

impl Work {
    /// The limit. The catalogue's games take less than a hundredth of it.
    const LIMIT: usize = 200_000;

    pub(super) fn new() -> Self {
        Self { left: Self::LIMIT }
    }

    fn spend(&mut self, offset: usize, count: usize) -> Result<(), Located> {
        self.left = self.left.checked_sub(count).ok_or_else(|| {
            located(
                offset,
                RuleProblem::TooMany {
                    what: "operations in all texts, with functions and loops expanded",
                    limit: Self::LIMIT,
                },
            )
        })?;
        Ok(())
    }
}

/// The names and the memory that an expression may read.
pub(super) struct Scope<'s, 'a> {
    /// The variables that are assigned.
    pub(super) variables: &'s [(&'a str, Slot)],
    /// The functions that are defined further up.
    pub(super) functions: &'s [(&'a str, Function<'a>)],
    /// Whether memory may be read.
    pub(super) memory: bool,
    /// Whether `mode` may be read.
    pub(super) mode: bool,
}

/// Compiles one expression.
pub(super) fn lower<'a>(ast: &Ast<'a>, scope: &Scope<'_, 'a>, work: &mut Work) -> Result<Expr, Located> {
    let mut lowering = Lowering {
        scope,
        work,
        nodes: Vec::new(),
        efforts: Vec::new(),
        lists: Vec::new(),
        bindings: Vec::new(),
        depth: 0,
    };
    let root = lowering.expression(ast)?;
    // The value of an expression is that of its last node. The root is an earlier node where a function returns an argument.
    let last = lowering.nodes[root as usize];
    if root as usize + 1 != lowering.nodes.len() {
        lowering.push(ast.offset, last, &[root])?;
    }
    let steps = lowering.efforts.last().map_or(1, |effort| effort.visits as u32);
    Ok(Expr {
        steps,
        nodes: lowering.nodes.into(),
        lists: lowering.lists.into(),
    })
}

/// Upper bounds of the evaluation of a node.
#[derive(Clone, Copy)]
struct Effort {
    /// Nodes visited.
    visits: usize,
    /// Nodes on the longest path to a leaf.
    depth: usize,
}

struct Lowering<'s, 'a> {
    scope: &'s Scope<'s, 'a>,
    work: &'s mut Work,
    nodes: Vec<Node>,
    efforts: Vec<Effort>,
    lists: Vec<NodeIndex>,
    /// Parameters and loop variables, the innermost last.
    bindings: Vec<(&'a str, NodeIndex)>,
    depth: usize,
}

impl<'a> Lowering<'_, 'a> {
    /// Adds a node that evaluates `operands`.
    fn push(&mut self, offset: usize, node: Node, operands: &[NodeIndex]) -> Result<NodeIndex, Located> {
        self.work.spend(offset, 1)?;
        let start = Effort { visits: 1, depth: 1 };
        let effort = operands
            .iter()
            .map(|&operand| self.efforts[operand as usize])
            .fold(start, |sum, operand| Effort {
                visits: sum.visits.saturating_add(operand.visits),
                depth: sum.depth.max(operand.depth + 1),
            });
        if effort.visits > VISIT_LIMIT || self.nodes.len() >= VISIT_LIMIT {
            return Err(located(
                offset,
                RuleProblem::TooMany {
                    what: "steps in one expression",
                    limit: VISIT_LIMIT,
                },
            ));
        }
        if effort.depth > DEPTH_LIMIT {
            return Err(located(
                offset,
                RuleProblem::TooMany {
                    what: "levels of nesting",
                    limit: DEPTH_LIMIT,
                },
            ));
        }
        self.nodes.push(node);
        self.efforts.push(effort);
        Ok(self.nodes.len() as NodeIndex - 1)
    }

    fn constant(&self, node: NodeIndex) -> Option<i64> {
        match self.nodes[node as usize] {
            Node::Constant(value) => Some(value),
            _ => None,
        }
    }

    fn number(&mut self, offset: usize, value: i64) -> Result<NodeIndex, Located> {
        self.push(offset, Node::Constant(value), &[])
    }

    fn unary(&mut self, offset: usize, operation: Unary, operand: NodeIndex) -> Result<NodeIndex, Located> {
        match self.constant(operand) {
            Some(value) => self.number(offset, unary(operation, value)),
            None => self.push(offset, Node::Unary(operation, operand), &[operand]),
        }
    }

    fn binary(
        &mut self,
        offset: usize,
        operation: Binary,
        left: NodeIndex,
        right: NodeIndex,
    ) -> Result<NodeIndex, Located> {
        match (operation, self.constant(left), self.constant(right)) {
            (Binary::Divide | Binary::Modulo, _, Some(0)) => Err(located(offset, RuleProblem::DivisionByZero)),
            (_, Some(left), Some(right)) => self.number(offset, binary(operation, left, right)),
            _ => self.push(offset, Node::Binary(operation, left, right), &[left, right]),
        }
    }

    fn list(&mut self, offset: usize, entries: &[NodeIndex]) -> Result<List, Located> {
        self.work.spend(offset, entries.len())?;
        let first = self.lists.len();
        self.lists.extend_from_slice(entries);
        if self.lists.len() > VISIT_LIMIT {
            return Err(located(
                offset,
                RuleProblem::TooMany {
                    what: "steps in one expression",
                    limit: VISIT_LIMIT,
                },
            ));
        }
        Ok(List {
            first: first as u16,
            count: entries.len() as u16,
        })
    }

    fn expressions(&mut self, list: &[Ast<'a>]) -> Result<Vec<NodeIndex>, Located> {
        list.iter().map(|ast| self.expression(ast)).collect()
    }

    fn expression(&mut self, ast: &Ast<'a>) -> Result<NodeIndex, Located> {
        self.work.spend(ast.offset, 1)?;
        if self.depth == DEPTH_LIMIT {
            return Err(located(
                ast.offset,
                RuleProblem::TooMany {
                    what: "levels of nesting",
                    limit: DEPTH_LIMIT,
                },
            ));
        }
        self.depth += 1;
        let node = self.kind(ast);
        self.depth -= 1;
        node
    }

    fn kind(&mut self, ast: &Ast<'a>) -> Result<NodeIndex, Located> {
        let offset = ast.offset;
        match &ast.kind {
            AstKind::Number(value) => self.number(offset, *value),
            AstKind::Name(name) => self.name(offset, name),
            AstKind::Memory(kind, address) => self.memory(offset, *kind, address),
            AstKind::Pick(entries, index) => {
                let entries = self.expressions(entries)?;
                let index = self.expression(index)?;
                let list = self.list(offset, &entries)?;
                let operands = [entries, vec![index]].concat();
                self.push(offset, Node::Pick { list, index }, &operands)
            }
            AstKind::Call(name, arguments) => self.call(offset, name, arguments),
            AstKind::Unary(operation, operand) => {
                let operand = self.expression(operand)?;
                self.unary(offset, *operation, operand)
            }
            AstKind::Binary(operation, left, right) => {
                let (left, right) = (self.expression(left)?, self.expression(right)?);
                self.binary(offset, *operation, left, right)
            }
            AstKind::Both(left, right) => {
                let (left, right) = (self.expression(left)?, self.expression(right)?);
                self.push(offset, Node::Both(left, right), &[left, right])
            }
            AstKind::Either(left, right) => {
                let (left, right) = (self.expression(left)?, self.expression(right)?);
                self.push(offset, Node::Either(left, right), &[left, right])
            }
            AstKind::If {
                condition,
                then,
                otherwise,
            } => self.choice(offset, condition, then, otherwise),
            AstKind::In { item, list } => {
                let item = self.expression(item)?;
                let entries = self.expressions(list)?;
                let list = self.list(offset, &entries)?;
                let operands = [entries, vec![item]].concat();
                self.push(offset, Node::Within { item, list }, &operands)
            }
            AstKind::Loop {
                kind,
                body,
                variable,
                ranges,
            } => self.unroll(offset, *kind, body, variable, ranges),
        }
    }

    fn choice(
        &mut self,
        offset: usize,
        condition: &Ast<'a>,
        then: &Ast<'a>,
        otherwise: &Ast<'a>,
    ) -> Result<NodeIndex, Located> {
        let (condition, then) = (self.expression(condition)?, self.expression(then)?);
        let otherwise = self.expression(otherwise)?;
        let node = Node::If {
            condition,
            then,
            otherwise,
        };
        self.push(offset, node, &[condition, then, otherwise])
    }

    fn name(&mut self, offset: usize, name: &str) -> Result<NodeIndex, Located> {
        if let Some(&(_, node)) = self.bindings.iter().rev().find(|(bound, _)| *bound == name) {
            return Ok(node);
        }
        if name == "mode" && self.scope.mode {
            return self.push(offset, Node::Mode, &[]);
        }
        match self.scope.variables.iter().find(|(known, _)| *known == name) {
            Some(&(_, slot)) => self.push(offset, Node::Variable(slot), &[]),
            None => Err(located(offset, RuleProblem::UnknownVariable(name.to_owned()))),
        }
    }

    fn memory(&mut self, offset: usize, kind: MemoryKind, address: &Ast<'a>) -> Result<NodeIndex, Located> {
        let address_offset = address.offset;
        let address = self.expression(address)?;
        self.byte(offset, kind, address, address_offset)
    }

    /// The byte at an address.
    fn byte(
        &mut self,
        offset: usize,
        kind: MemoryKind,
        address: NodeIndex,
        address_offset: usize,
    ) -> Result<NodeIndex, Located> {
        if !self.scope.memory {
            return Err(located(offset, RuleProblem::NoMemory));
        }
        let Some(constant) = self.constant(address) else {
            let node = match kind {
                MemoryKind::Ram => Node::RamAt(address),
                MemoryKind::CartRam => Node::CartRamAt(address),
            };
            return self.push(offset, node, &[address]);
        };
        let last = match kind {
            MemoryKind::Ram => 0xFF,
            MemoryKind::CartRam => 0x7F,
        };
        if !(0..=last).contains(&constant) {
            return Err(located(address_offset, RuleProblem::AddressOutOfRange(constant)));
        }
        let node = match kind {
            MemoryKind::Ram => Node::Ram(constant as u8),
            MemoryKind::CartRam => Node::CartRam(constant as u8),
        };
        self.push(offset, node, &[])
    }

    fn call(&mut self, offset: usize, name: &str, arguments: &[Ast<'a>]) -> Result<NodeIndex, Located> {
        let wrong = |takes: String| RuleProblem::WrongArguments {
            function: name.to_owned(),
            takes,
            given: arguments.len(),
        };
        if let Some((_, function)) = self.scope.functions.iter().find(|(known, _)| *known == name) {
            let count = function.parameters.len();
            if arguments.len() != count {
                return Err(located(offset, wrong(format!("{count}"))));
            }
            let values = self.expressions(arguments)?;
            // A function sees its parameters, not the loop variables of its caller.
            let parameters = function.parameters.iter().copied().zip(values).collect();
            let callers = std::mem::replace(&mut self.bindings, parameters);
            let result = self.expression(&function.body);
            self.bindings = callers;
            return result;
        }
        match (name, arguments) {
            ("bcd" | "cart_bcd", []) => Err(located(offset, wrong("one or more".to_owned()))),
            ("bcd", _) => self.decimal(offset, MemoryKind::Ram, arguments),
            ("cart_bcd", _) => self.decimal(offset, MemoryKind::CartRam, arguments),
            ("min" | "max", [first, rest @ ..]) if !rest.is_empty() => {
                let operation = if name == "min" {
                    Binary::Minimum
                } else {
                    Binary::Maximum
                };
                let mut result = self.expression(first)?;
                for argument in rest {
                    let argument = self.expression(argument)?;
                    result = self.binary(offset, operation, result, argument)?;
                }
                Ok(result)
            }
            ("min" | "max", _) => Err(located(offset, wrong("two or more".to_owned()))),
            ("signed" | "abs", [argument]) => {
                let argument = self.expression(argument)?;
                self.unary(
                    offset,
                    if name == "signed" {
                        Unary::Signed
                    } else {
                        Unary::Absolute
                    },
                    argument,
                )
            }
            ("signed" | "abs", _) => Err(located(offset, wrong("1".to_owned()))),
            _ => Err(located(offset, RuleProblem::UnknownFunction(name.to_owned()))),
        }
    }

    /// The decimal number in the bytes at `addresses`, lowest digits first.
    fn decimal(&mut self, offset: usize, kind: MemoryKind, addresses: &[Ast<'a>]) -> Result<NodeIndex, Located> {
        let nodes = self.expressions(addresses)?;
        let mut bytes = Vec::new();
        for (&address, ast) in nodes.iter().zip(addresses) {
            bytes.push(self.byte(offset, kind, address, ast.offset)?);
        }
        let constants: Vec<u8> = bytes
            .iter()
            .filter_map(|&byte| match self.nodes[byte as usize] {
                Node::Ram(address) => Some(address),
                _ => None,
            })
            .collect();
        if constants.len() == bytes.len() && bytes.len() <= 3 {
            let mut addresses = [0; 3];
            addresses[..constants.len()].copy_from_slice(&constants);
            return self.push(
                offset,
                Node::RamDigits {
                    addresses,
                    count: constants.len() as u8,
                },
                &[],
            );
        }
        let mut result = self.number(offset, 0)?;
        for &byte in bytes.iter().rev() {
            let hundred = self.number(offset, 100)?;
            let shifted = self.binary(offset, Binary::Multiply, result, hundred)?;
            let digits = self.unary(offset, Unary::Digits, byte)?;
            result = self.binary(offset, Binary::Add, shifted, digits)?;
        }
        Ok(result)
    }

    /// Unrolls a loop to the list of its iterations.
    fn unroll(
        &mut self,
        offset: usize,
        kind: LoopKind,
        body: &Ast<'a>,
        variable: &'a str,
        ranges: &[Range<'a>],
    ) -> Result<NodeIndex, Located> {
        let mut rounds = Vec::new();
        for range in ranges {
            for number in self.bound(&range.from)?..self.bound(&range.to)? {
                let value = self.number(offset, number)?;
                self.bindings.push((variable, value));
                let round = self.expression(body);
                self.bindings.pop();
                let round = round?;
                rounds.push(match kind {
                    LoopKind::Count => {
                        let zero = self.number(offset, 0)?;
                        self.binary(offset, Binary::NotEqual, round, zero)?
                    }
                    _ => round,
                });
            }
        }
        let list = self.list(offset, &rounds)?;
        let node = match kind {
            LoopKind::Sum | LoopKind::Count => Node::Sum(list),
            LoopKind::All => Node::All(list),
            LoopKind::Any => Node::Any(list),
        };
        self.push(offset, node, &rounds)
    }

    /// An end of a range, which must be a constant.
    fn bound(&mut self, ast: &Ast<'a>) -> Result<i64, Located> {
        let node = self.expression(ast)?;
        self.constant(node)
            .ok_or_else(|| located(ast.offset, RuleProblem::NotConstant))
    }
}
