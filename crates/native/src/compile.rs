//! Lowers the operations of a compile job to Cranelift's intermediate representation.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{
    AbiParam, Block, BlockCall, InstBuilder, JumpTableData, MemFlagsData, Signature, Type, UserFuncName, Value, types,
};
use cranelift_codegen::isa::TargetFrontendConfig;
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext, Variable};
use cranelift_jit::JITModule;
use cranelift_module::{FuncId, Linkage, Module};
use gym2600_vcs::{Local, Op, RuntimeCall};

/// The type of every value that is not an address.
const WORD: Type = types::I32;
/// Parameters that are addresses: the machine's and the ROM's.
const ADDRESSES: usize = 2;

/// Compiles the functions of a job; none if Cranelift refuses one.
pub(crate) fn compile(module: &mut JITModule, job: &[Vec<Op>]) -> Option<Vec<FuncId>> {
    let mut context = module.make_context();
    let mut frontend = FunctionBuilderContext::new();
    let pointer = module.target_config().pointer_type();
    let mut functions = Vec::with_capacity(job.len());
    for (number, code) in job.iter().enumerate() {
        let signature = &mut context.func.signature;
        signature.params.extend([pointer, pointer, WORD].map(AbiParam::new));
        signature.returns.push(AbiParam::new(WORD));
        let id = module
            .declare_function(&number.to_string(), Linkage::Local, signature)
            .ok()?;
        context.func.name = UserFuncName::user(0, id.as_u32());
        let builder = FunctionBuilder::new(&mut context.func, &mut frontend);
        Body::new(builder, module.target_config()).finish(code);
        module.define_function(id, &mut context).ok()?;
        module.clear_context(&mut context);
        functions.push(id);
    }
    Some(functions)
}

/// An open `If`, `Block` or `Loop`.
#[derive(Clone, Copy)]
struct Level {
    /// Where a jump to it goes.
    target: Block,
    /// The code after its `End`.
    after: Block,
    /// The alternative of an `If` whose `Else` has not been reached.
    otherwise: Option<Block>,
}

/// The function that is being built.
struct Body<'a> {
    builder: FunctionBuilder<'a>,
    pointer: Type,
    target: TargetFrontendConfig,
    locals: Vec<Variable>,
    stack: Vec<Value>,
    levels: Vec<Level>,
    /// The targets of the last jump table.
    table: Vec<Block>,
    /// Code that follows a jump is never reached and not built. The number counts the levels opened in it; it ends at the
    /// `Else` or `End` of the level that the jump is in.
    unreachable: Option<u32>,
}

impl<'a> Body<'a> {
    fn new(mut builder: FunctionBuilder<'a>, target: TargetFrontendConfig) -> Self {
        let pointer = target.pointer_type();
        let entry = builder.create_block();
        builder.append_block_params_for_function_params(entry);
        builder.switch_to_block(entry);
        let given = builder.block_params(entry).to_vec();
        let locals: Vec<Variable> = (0..Local::COUNT as usize)
            .map(|number| builder.declare_var(if number < ADDRESSES { pointer } else { WORD }))
            .collect();
        for (number, &local) in locals.iter().enumerate() {
            let value = match given.get(number) {
                Some(&value) => value,
                None => builder.ins().iconst(WORD, 0),
            };
            builder.def_var(local, value);
        }
        Self {
            builder,
            pointer,
            target,
            locals,
            stack: Vec::new(),
            levels: Vec::new(),
            table: Vec::new(),
            unreachable: None,
        }
    }

    fn finish(mut self, code: &[Op]) {
        for &op in code {
            self.lower(op);
        }
        let result = self.pop();
        self.builder.ins().return_(&[result]);
        self.builder.seal_all_blocks();
        self.builder.finalize(self.target);
    }

    fn lower(&mut self, op: Op) {
        if let Some(depth) = self.unreachable {
            match op {
                Op::If | Op::IfUnlikely | Op::Block | Op::Loop => self.unreachable = Some(depth + 1),
                Op::End if depth > 0 => self.unreachable = Some(depth - 1),
                Op::Else | Op::End if depth == 0 => {
                    self.unreachable = None;
                    self.end_part(op, false);
                }
                _ => {}
            }
            return;
        }
        match op {
            Op::Const(value) => {
                let value = self.builder.ins().iconst(WORD, i64::from(value.cast_unsigned()));
                self.stack.push(value);
            }
            Op::Get(local) => {
                let value = self.builder.use_var(self.locals[local as usize]);
                self.stack.push(value);
            }
            Op::Set(local) => {
                let value = self.pop();
                self.builder.def_var(self.locals[local as usize], value);
            }
            Op::Tee(local) => {
                let value = self.pop();
                self.builder.def_var(self.locals[local as usize], value);
                self.stack.push(value);
            }
            Op::Load8(_) | Op::Load16(_) | Op::Load32(_) | Op::LoadAddress(_) => self.load(op),
            Op::Store8(_) | Op::Store16(_) | Op::Store32(_) => self.store(op),
            Op::If | Op::IfUnlikely | Op::Block | Op::Loop => self.begin(op),
            Op::Else | Op::End => self.end_part(op, true),
            Op::Jump(depth) => {
                let target = self.target(depth);
                self.builder.ins().jump(target, &[]);
                self.unreachable = Some(0);
            }
            Op::JumpTable(count) => self.jump_table(count),
            Op::Restart { block, .. } => {
                self.builder.ins().jump(self.table[block as usize], &[]);
                self.unreachable = Some(0);
            }
            Op::Call(callee) => self.call(callee),
            _ => self.compute(op),
        }
    }

    /// Operations that make one value of one or two.
    fn compute(&mut self, op: Op) {
        let right = self.pop();
        if op == Op::IsZero {
            let condition = self.builder.ins().icmp_imm_s(IntCC::Equal, right, 0);
            self.push_condition(condition);
            return;
        }
        let left = self.pop();
        if op == Op::Add && self.is_address(left) {
            let wide = self.builder.ins().uextend(self.pointer, right);
            let sum = self.builder.ins().iadd(left, wide);
            self.stack.push(sum);
            return;
        }
        let ins = self.builder.ins();
        let value = match op {
            Op::Add => ins.iadd(left, right),
            Op::Sub => ins.isub(left, right),
            Op::Remainder => ins.urem(left, right),
            Op::And => ins.band(left, right),
            Op::Or => ins.bor(left, right),
            Op::Xor => ins.bxor(left, right),
            Op::ShiftLeft => ins.ishl(left, right),
            Op::ShiftRight => ins.ushr(left, right),
            Op::NotEqual => return self.compare(IntCC::NotEqual, left, right),
            Op::Less => return self.compare(IntCC::UnsignedLessThan, left, right),
            Op::NotLess => return self.compare(IntCC::UnsignedGreaterThanOrEqual, left, right),
            _ => unreachable!("{op:?} is lowered elsewhere"),
        };
        self.stack.push(value);
    }

    fn compare(&mut self, condition: IntCC, left: Value, right: Value) {
        let condition = self.builder.ins().icmp(condition, left, right);
        self.push_condition(condition);
    }

    fn push_condition(&mut self, condition: Value) {
        let value = self.builder.ins().uextend(WORD, condition);
        self.stack.push(value);
    }

    fn is_address(&self, value: Value) -> bool {
        self.builder.func.dfg.value_type(value) == self.pointer && self.pointer != WORD
    }

    fn load(&mut self, op: Op) {
        let address = self.pop();
        let flags = MemFlagsData::new().with_notrap();
        let ins = self.builder.ins();
        let value = match op {
            Op::Load8(offset) => ins.uload8(WORD, flags, address, offset.cast_signed()),
            Op::Load16(offset) => ins.uload16(WORD, flags, address, offset.cast_signed()),
            Op::Load32(offset) => ins.load(WORD, flags, address, offset.cast_signed()),
            Op::LoadAddress(offset) => ins.load(self.pointer, flags, address, offset.cast_signed()),
            _ => unreachable!("{op:?} is no load"),
        };
        self.stack.push(value);
    }

    fn store(&mut self, op: Op) {
        let value = self.pop();
        let address = self.pop();
        let flags = MemFlagsData::new().with_notrap();
        let ins = self.builder.ins();
        match op {
            Op::Store8(offset) => ins.istore8(flags, value, address, offset.cast_signed()),
            Op::Store16(offset) => ins.istore16(flags, value, address, offset.cast_signed()),
            Op::Store32(offset) => ins.store(flags, value, address, offset.cast_signed()),
            _ => unreachable!("{op:?} is no store"),
        };
    }

    fn begin(&mut self, op: Op) {
        let after = self.builder.create_block();
        let level = match op {
            Op::Loop => {
                let head = self.builder.create_block();
                self.builder.ins().jump(head, &[]);
                self.builder.switch_to_block(head);
                Level {
                    target: head,
                    after,
                    otherwise: None,
                }
            }
            Op::If | Op::IfUnlikely => {
                let (then, otherwise) = (self.builder.create_block(), self.builder.create_block());
                let condition = self.pop();
                self.builder.ins().brif(condition, then, &[], otherwise, &[]);
                self.builder.switch_to_block(then);
                if op == Op::IfUnlikely {
                    self.builder.set_cold_block(then);
                }
                Level {
                    target: after,
                    after,
                    otherwise: Some(otherwise),
                }
            }
            _ => Level {
                target: after,
                after,
                otherwise: None,
            },
        };
        self.levels.push(level);
    }

    /// An `Else` or `End`; `falls_through` tells whether the code before it reaches it.
    fn end_part(&mut self, op: Op, falls_through: bool) {
        let level = self.levels.last_mut().expect("an Else or End has its beginning");
        let after = level.after;
        let otherwise = level.otherwise.take();
        if falls_through {
            self.builder.ins().jump(after, &[]);
        }
        match (op, otherwise) {
            (Op::Else, Some(otherwise)) => {
                self.builder.switch_to_block(otherwise);
                return;
            }
            (_, Some(otherwise)) => {
                self.builder.switch_to_block(otherwise);
                self.builder.ins().jump(after, &[]);
            }
            _ => {}
        }
        self.levels.pop();
        self.builder.switch_to_block(after);
    }

    fn target(&self, depth: u32) -> Block {
        self.levels[self.levels.len() - 1 - depth as usize].target
    }

    fn jump_table(&mut self, count: u32) {
        let index = self.pop();
        let targets: Vec<Block> = (0..count).map(|depth| self.target(depth)).collect();
        let pool = &mut self.builder.func.dfg.value_lists;
        let mut calls = targets.iter().map(|&target| BlockCall::new(target, [], pool));
        let last = calls.next_back().expect("a jump table has a target");
        let table: Vec<BlockCall> = calls.collect();
        let data = JumpTableData::new(last, &table);
        let table = self.builder.create_jump_table(data);
        self.builder.ins().br_table(index, table);
        self.table = targets;
        self.unreachable = Some(0);
    }

    fn call(&mut self, callee: RuntimeCall) {
        let arguments = self.stack.split_off(self.stack.len() - callee.parameters() as usize);
        let mut signature = Signature::new(self.target.default_call_conv);
        let types = arguments.iter().map(|&value| self.builder.func.dfg.value_type(value));
        signature.params.extend(types.map(AbiParam::new));
        signature.returns.push(AbiParam::new(WORD));
        let signature = self.builder.import_signature(signature);
        let address = self
            .builder
            .ins()
            .iconst(self.pointer, callee.address().cast_signed() as i64);
        let call = self.builder.ins().call_indirect(signature, address, &arguments);
        let result = self.builder.inst_results(call)[0];
        self.stack.push(result);
    }

    fn pop(&mut self) -> Value {
        self.stack
            .pop()
            .expect("a compile job takes nothing from an empty stack")
    }
}
