//! Compiles the texts of a game's rules: assigns variables to slots and checks what each text may use.

use super::error::{Located, Part, RuleError, RuleProblem, located};
use super::expression::{Expr, Node};
use super::lowering::{Scope, Work, lower};
use super::mode::{ModeOp, ModeProgram};
use super::parser::{Dialect, expression, statements};
use super::syntax::{Ast, Function, Statement, StatementKind};
use super::variables::{Slot, Variables};
use super::{Assignment, Rules};
use crate::action::Action;

/// The texts of a game's rules.
#[derive(Clone, Copy, Default, Debug)]
pub struct Sources<'a> {
    /// Assignments of constants, made once when the game is loaded.
    pub load: &'a str,
    /// Assignments of constants, made when an episode starts.
    pub start: &'a str,
    /// Assignments made after every frame.
    pub frame: &'a str,
    /// The reward of the last frame; by default the variable `reward`, or 0 if there is none.
    pub reward: Option<&'a str>,
    /// Whether the episode is over; by default the variable `terminal`, or false if there is none.
    pub terminal: Option<&'a str>,
    /// The lives left; by default the variable `lives`, or 0 if there is none.
    pub lives: Option<&'a str>,
    /// The program that selects a mode.
    pub select: Option<&'a str>,
}

/// The most steps that the rules may take after a frame. The longest of the catalogue take 418. A reset evaluates them in up to
/// 20,000 frames, which is less than 60 million steps.
const STEPS_OF_FRAME_LIMIT: u32 = 3_000;

impl Rules {
    /// Compiles rules, and with them the program that selects modes, which shares their variables.
    ///
    /// # Errors
    ///
    /// [`RuleError`] with the text and the place of the first mistake.
    pub fn compile(sources: &Sources<'_>) -> Result<(Self, Option<ModeProgram>), RuleError> {
        let mut names = Names::new();
        let load = names.constants(sources.load).map_err(at(Part::Load))?;
        let start = names.constants(sources.start).map_err(at(Part::Start))?;
        let frame = names.frame(sources.frame).map_err(at(Part::Frame))?;
        let reward = names.readout(sources.reward, "reward").map_err(at(Part::Reward))?;
        let terminal = names
            .readout(sources.terminal, "terminal")
            .map_err(at(Part::Terminal))?;
        let lives = names.readout(sources.lives, "lives").map_err(at(Part::Lives))?;
        let program = sources
            .select
            .map(|text| names.program(text))
            .transpose()
            .map_err(at(Part::Select))?;
        let names = names.variables.iter().map(|&(name, _)| name.to_owned()).collect();
        let rules = Self {
            names,
            load,
            start,
            frame,
            reward,
            terminal,
            lives,
        };
        if rules.steps_of_frame() > STEPS_OF_FRAME_LIMIT {
            let problem = RuleProblem::TooMany {
                what: "steps after one frame",
                limit: STEPS_OF_FRAME_LIMIT as usize,
            };
            return Err(at(Part::Frame)(located(0, problem)));
        }
        Ok((rules, program))
    }
}

fn at(part: Part) -> impl Fn(Located) -> RuleError {
    move |mistake| {
        let (offset, problem) = *mistake;
        RuleError { part, offset, problem }
    }
}

/// The variables that the texts compiled so far assign, and the work that is left for the other texts.
struct Names<'a> {
    variables: Vec<(&'a str, Slot)>,
    work: Work,
}

impl<'a> Names<'a> {
    fn new() -> Self {
        Self {
            variables: Vec::new(),
            work: Work::new(),
        }
    }

    /// The slot of a variable. A new name gets a new slot.
    fn slot(&mut self, offset: usize, name: &'a str) -> Result<Slot, Located> {
        if let Some(&(_, slot)) = self.variables.iter().find(|(known, _)| *known == name) {
            return Ok(slot);
        }
        if self.variables.len() == Variables::LIMIT {
            return Err(located(
                offset,
                RuleProblem::TooMany {
                    what: "variables",
                    limit: Variables::LIMIT,
                },
            ));
        }
        let slot = Slot(self.variables.len() as u8);
        self.variables.push((name, slot));
        Ok(slot)
    }

    fn constants(&mut self, text: &'a str) -> Result<Box<[(Slot, i64)]>, Located> {
        let scope = Scope {
            variables: &[],
            functions: &[],
            memory: false,
            mode: false,
        };
        let mut assignments = Vec::new();
        for Statement { offset, kind } in statements(text, Dialect::Rules)? {
            let StatementKind::Assign { name, value } = kind else {
                return Err(located(offset, RuleProblem::NotConstant));
            };
            let constant = lower(&value, &scope, &mut self.work)?
                .constant()
                .ok_or_else(|| located(value.offset, RuleProblem::NotConstant))?;
            assignments.push((self.slot(offset, name)?, constant));
        }
        Ok(assignments.into())
    }

    fn frame(&mut self, text: &'a str) -> Result<Box<[Assignment]>, Located> {
        let mut functions = Vec::new();
        let mut assignments = Vec::new();
        for Statement { offset, kind } in statements(text, Dialect::Rules)? {
            match kind {
                StatementKind::Define { name, function } => define(&mut functions, offset, name, function)?,
                StatementKind::Assign { name, value } => {
                    let scope = Scope {
                        variables: &self.variables,
                        functions: &functions,
                        memory: true,
                        mode: false,
                    };
                    let value = lower(&value, &scope, &mut self.work)?;
                    assignments.push(Assignment {
                        slot: self.slot(offset, name)?,
                        value,
                    });
                }
                // The parser returns no other statements in this dialect.
                _ => {}
            }
        }
        Ok(assignments.into())
    }

    /// An expression about the last frame: the text if there is one, else the variable `name`, else 0.
    fn readout(&mut self, text: Option<&'a str>, name: &str) -> Result<Expr, Located> {
        let scope = Scope {
            variables: &self.variables,
            functions: &[],
            memory: false,
            mode: false,
        };
        if let Some(text) = text {
            return lower(&expression(text)?, &scope, &mut self.work);
        }
        let node = match self.variables.iter().find(|(known, _)| *known == name) {
            Some(&(_, slot)) => Node::Variable(slot),
            None => Node::Constant(0),
        };
        Ok(Expr {
            steps: 1,
            nodes: [node].into(),
            lists: [].into(),
        })
    }

    fn program(&mut self, text: &'a str) -> Result<ModeProgram, Located> {
        let statements = statements(text, Dialect::ModeSelection)?;
        let mut builder = ProgramBuilder {
            names: self,
            functions: Vec::new(),
            ops: Vec::new(),
        };
        builder.block(&statements)?;
        Ok(ModeProgram { ops: builder.ops })
    }
}

fn define<'a>(
    functions: &mut Vec<(&'a str, Function<'a>)>,
    offset: usize,
    name: &'a str,
    function: Function<'a>,
) -> Result<(), Located> {
    if functions.iter().any(|(known, _)| *known == name) {
        return Err(located(offset, RuleProblem::DefinedTwice(name.to_owned())));
    }
    functions.push((name, function));
    Ok(())
}

/// Compiles blocks to jumps.
struct ProgramBuilder<'n, 'a> {
    names: &'n mut Names<'a>,
    functions: Vec<(&'a str, Function<'a>)>,
    ops: Vec<ModeOp>,
}

impl<'a> ProgramBuilder<'_, 'a> {
    fn lower(&mut self, ast: &Ast<'a>) -> Result<Expr, Located> {
        let Names { variables, work } = &mut *self.names;
        let scope = Scope {
            variables,
            functions: &self.functions,
            memory: true,
            mode: true,
        };
        lower(ast, &scope, work)
    }

    fn block(&mut self, statements: &[Statement<'a>]) -> Result<(), Located> {
        statements.iter().try_for_each(|statement| self.statement(statement))
    }

    /// Adds a jump without a target; [`land`](Self::land) sets it.
    fn jump_if(&mut self, condition: Expr) -> usize {
        self.ops.push(ModeOp::JumpIf { condition, target: 0 });
        self.ops.len() - 1
    }

    /// Sets the target of an earlier jump to the next operation.
    fn land(&mut self, jump: usize) {
        let here = self.ops.len();
        if let ModeOp::JumpIf { target, .. } | ModeOp::Jump { target } = &mut self.ops[jump] {
            *target = here;
        }
    }

    fn statement(&mut self, statement: &Statement<'a>) -> Result<(), Located> {
        let offset = statement.offset;
        match &statement.kind {
            StatementKind::Define { name, function } => define(&mut self.functions, offset, name, function.clone())?,
            StatementKind::Assign { name, value } => {
                let value = self.lower(value)?;
                let variable = self.names.slot(offset, name)?;
                self.ops.push(ModeOp::Set { variable, value });
            }
            StatementKind::Draw { name, below } => {
                let below = self.lower(below)?;
                let variable = self.names.slot(offset, name)?;
                self.ops.push(ModeOp::Draw { variable, below });
            }
            StatementKind::Select { frames } => {
                let frames = self.lower(frames)?;
                self.ops.push(ModeOp::Select { frames });
            }
            StatementKind::Reset => self.ops.push(ModeOp::SoftReset),
            StatementKind::Act {
                action: (offset, name),
                times,
            } => {
                let action: Action = name
                    .parse()
                    .map_err(|_| located(*offset, RuleProblem::UnknownAction((*name).to_owned())))?;
                let times = self.lower(times)?;
                self.ops.push(ModeOp::Act { action, times });
            }
            StatementKind::Until { condition, body } => {
                let top = self.ops.len();
                let condition = self.lower(condition)?;
                let exit = self.jump_if(condition);
                self.block(body)?;
                self.ops.push(ModeOp::Jump { target: top });
                self.land(exit);
            }
            StatementKind::If {
                condition,
                then,
                otherwise,
            } => {
                let condition = self.lower(condition)?;
                let to_then = self.jump_if(condition);
                self.block(otherwise)?;
                self.ops.push(ModeOp::Jump { target: 0 });
                let to_end = self.ops.len() - 1;
                self.land(to_then);
                self.block(then)?;
                self.land(to_end);
            }
        }
        Ok(())
    }
}
