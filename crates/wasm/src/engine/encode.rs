//! Compile jobs as WebAssembly modules.
//!
//! A module imports this module's own memory and the runtime functions. It does not import the table of functions: engines keep every
//! instance that has imported a table as long as the table.

use gym2600_vcs::{Local, Op, RuntimeCall};
use wasm_encoder::{
    BlockType, BranchHint, BranchHints, CodeSection, EntityType, ExportKind, ExportSection, Function, FunctionSection,
    ImportSection, MemArg, MemArgTarget, MemoryType, Module, TypeSection, ValType,
};

/// The module that the memory is imported from as `memory`, and each runtime function by its number.
pub(super) const IMPORTS: &str = "machine";
/// Imported functions have the first indexes.
const IMPORTED: u32 = RuntimeCall::ALL.len() as u32;
/// The most parameters of a function that is called.
const MAX_PARAMETERS: u32 = 6;
/// The hint that a branch is not taken.
const UNLIKELY: u32 = 0;

/// Encodes a module that exports each function under its number. Branch hints mark what is unlikely, for engines that read them.
pub(super) fn module(functions: &[Vec<Op>]) -> Vec<u8> {
    let mut types = TypeSection::new();
    // The number of a type is its number of parameters.
    for parameters in 0..=MAX_PARAMETERS {
        let parameters = (0..parameters).map(|_| ValType::I32);
        types.ty().function(parameters, [ValType::I32]);
    }
    let mut declarations = FunctionSection::new();
    let mut exports = ExportSection::new();
    let mut hints = BranchHints::new();
    let mut code = CodeSection::new();
    for (number, operations) in (0..).zip(functions) {
        let (body, unlikely) = function(operations);
        declarations.function(Local::PARAMETERS);
        exports.export(&number.to_string(), ExportKind::Func, IMPORTED + number);
        hints.function_hints(IMPORTED + number, unlikely);
        code.function(&body);
    }
    let mut module = Module::new();
    module.section(&types).section(&imports()).section(&declarations);
    module.section(&exports).section(&hints).section(&code);
    module.finish()
}

fn imports() -> ImportSection {
    let memory = MemoryType {
        minimum: 0,
        maximum: None,
        memory64: false,
        shared: false,
        page_size_log2: None,
    };
    let mut imports = ImportSection::new();
    imports.import(IMPORTS, "memory", EntityType::Memory(memory));
    for call in RuntimeCall::ALL {
        // The number of a type is its number of parameters.
        imports.import(
            IMPORTS,
            &(call as u32).to_string(),
            EntityType::Function(call.parameters()),
        );
    }
    imports
}

/// Encodes a function's body. Returns the hints for its unlikely branches as well.
fn function(operations: &[Op]) -> (Function, Vec<BranchHint>) {
    let mut body = Function::new([(Local::COUNT - Local::PARAMETERS, ValType::I32)]);
    let mut hints = Vec::new();
    for &op in operations {
        if op == Op::IfUnlikely {
            hints.push(BranchHint {
                branch_func_offset: body.byte_len() as u32,
                branch_hint_value: UNLIKELY,
            });
        }
        encode(&mut body, op);
    }
    body.instructions().end();
    (body, hints)
}

fn encode(body: &mut Function, op: Op) {
    let at = |offset: u32| MemArg {
        offset: offset.into(),
        align: 0,
        target: MemArgTarget::Memory(0),
        ordering: None,
    };
    let mut out = body.instructions();
    match op {
        Op::Const(value) => out.i32_const(value),
        Op::Get(local) => out.local_get(local as u32),
        Op::Set(local) => out.local_set(local as u32),
        Op::Tee(local) => out.local_tee(local as u32),
        Op::Load8(offset) => out.i32_load8_u(at(offset)),
        Op::Load16(offset) => out.i32_load16_u(at(offset)),
        Op::Load32(offset) | Op::LoadAddress(offset) => out.i32_load(at(offset)),
        Op::Store8(offset) => out.i32_store8(at(offset)),
        Op::Store16(offset) => out.i32_store16(at(offset)),
        Op::Store32(offset) => out.i32_store(at(offset)),
        Op::Add => out.i32_add(),
        Op::Sub => out.i32_sub(),
        Op::Remainder => out.i32_rem_u(),
        Op::And => out.i32_and(),
        Op::Or => out.i32_or(),
        Op::Xor => out.i32_xor(),
        Op::ShiftLeft => out.i32_shl(),
        Op::ShiftRight => out.i32_shr_u(),
        Op::IsZero => out.i32_eqz(),
        Op::NotEqual => out.i32_ne(),
        Op::Less => out.i32_lt_u(),
        Op::NotLess => out.i32_ge_u(),
        Op::If | Op::IfUnlikely => out.if_(BlockType::Empty),
        Op::Else => out.else_(),
        Op::Block => out.block(BlockType::Empty),
        Op::Loop => out.loop_(BlockType::Empty),
        Op::End => out.end(),
        Op::Jump(depth) => out.br(depth),
        Op::JumpTable(count) => out.br_table(0..count, count - 1),
        Op::Restart { block, depth } => out
            .i32_const(block.cast_signed())
            .local_set(Local::Next as u32)
            .br(depth),
        Op::Call(call) => out.call(call as u32),
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unlikely_branch_has_a_hint_before_the_code() {
        let branch = |op| vec![Op::Const(300), op, Op::End, Op::Get(Local::Exit)];
        let module = module(&[branch(Op::If), branch(Op::IfUnlikely)]);
        let (body, hints) = function(&branch(Op::IfUnlikely));
        let [BranchHint { branch_func_offset, .. }] = hints[..] else {
            panic!("{hints:?}")
        };
        assert_eq!(body.into_raw_body()[branch_func_offset as usize], 0x04);
        // Of two functions, the first one has no hint and the second one has one, of one byte, which is 0. The code section follows.
        let section = [
            b"metadata.code.branch_hint".as_slice(),
            &[2, 8, 0, 9, 1, branch_func_offset as u8, 1, 0, 10],
        ]
        .concat();
        assert!(module.windows(section.len()).any(|bytes| bytes == section));
    }
}
