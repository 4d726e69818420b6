//! Translated programs as native code, made by Cranelift.
//!
//! [`install`] once, and every console made after that has its program translated after a few hundred frames. Without it
//! everything is interpreted: the same bytes, more slowly.

mod compile;

use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, default_libcall_names};
pub use gym2600_vcs::Patience;
use gym2600_vcs::{Function, Host, Loaded, Program, translate_with};
use std::mem;
use std::sync::Mutex;

/// Consoles that are made from now on have their programs translated, where this machine's processor is one that Cranelift
/// knows.
pub fn install(patience: Patience) {
    translate_with(Box::new(Compiler), patience);
}

struct Compiler;

impl Host for Compiler {
    fn load(&self, program: &Program) -> Option<Box<dyn Loaded>> {
        let builder = JITBuilder::with_flags(&[("opt_level", "speed")], default_libcall_names()).ok()?;
        let mut module = JITModule::new(builder);
        let functions = compile::program(&mut module, program)?;
        module.finalize_definitions().ok()?;
        let functions = functions.iter().map(|&function| code(&module, function)).collect();
        Some(Box::new(Native {
            functions,
            module: Mutex::new(Some(module)),
        }))
    }
}

/// Functions and the memory that holds them.
struct Native {
    functions: Vec<Function>,
    /// Always there, but while it is dropped.
    module: Mutex<Option<JITModule>>,
}

impl Loaded for Native {
    fn functions(&self) -> &[Function] {
        &self.functions
    }
}

impl Drop for Native {
    #[allow(unsafe_code, reason = "memory that holds code is freed by hand")]
    fn drop(&mut self) {
        let module = self.module.get_mut().ok().and_then(Option::take);
        if let Some(module) = module {
            // SAFETY: whoever drops what was loaded says that none of its functions is called any more.
            unsafe { module.free_memory() };
        }
    }
}

/// The function that has been compiled.
#[allow(
    unsafe_code,
    reason = "only here is known what the bytes are that the compiler has written"
)]
fn code(module: &JITModule, function: FuncId) -> Function {
    let address = module.get_finalized_function(function);
    // SAFETY: the address is that of a finished function, which was declared with just these parameters, this result and the
    // calling convention of C.
    unsafe { mem::transmute::<*const u8, Function>(address) }
}
