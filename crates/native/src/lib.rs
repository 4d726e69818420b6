//! Translated programs as native code, made by Cranelift.
//!
//! [`install`] once, and every console made after that has its program translated after a few hundred frames. Without it
//! everything is interpreted: the same bytes, more slowly.

mod compile;

use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, default_libcall_names};
pub use gym2600_vcs::Patience;
use gym2600_vcs::{Delivery, Function, Host, Loaded, Program, translate_with};
use std::sync::{Mutex, PoisonError};
use std::{mem, thread};

/// When programs are compiled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Compiling {
    /// In a thread beside the console, which goes on as before meanwhile. It takes some tenths of a second.
    Aside,
    /// At once: the console waits.
    AtOnce,
}

/// Consoles that are made from now on have their programs translated, where this machine's processor is one that Cranelift
/// knows.
pub fn install(patience: Patience, compiling: Compiling) {
    translate_with(Box::new(Compiler { compiling }), patience);
}

struct Compiler {
    compiling: Compiling,
}

impl Host for Compiler {
    fn load(&self, program: Program, delivery: Delivery) {
        match self.compiling {
            // Without a thread the program stays interpreted.
            Compiling::Aside => drop(thread::Builder::new().spawn(move || {
                // Programs that come together are compiled one after the other, to leave processors to those who play.
                static TURN: Mutex<()> = Mutex::new(());
                let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
                compile(&program, delivery);
            })),
            Compiling::AtOnce => compile(&program, delivery),
        }
    }
}

/// Delivers a program's functions, if Cranelift can make them.
fn compile(program: &Program, delivery: Delivery) {
    if let Some(native) = Native::new(program) {
        delivery.deliver(Box::new(native));
    }
}

/// Functions and the memory that holds them.
struct Native {
    functions: Vec<Function>,
    /// Always there, but while it is dropped.
    module: Mutex<Option<JITModule>>,
}

impl Native {
    fn new(program: &Program) -> Option<Self> {
        // What is compiled was made by this program, whose tests have it verified.
        let flags = [
            ("opt_level", "speed"),
            ("enable_verifier", if cfg!(debug_assertions) { "true" } else { "false" }),
        ];
        let builder = JITBuilder::with_flags(&flags, default_libcall_names()).ok()?;
        let mut module = JITModule::new(builder);
        let functions = compile::program(&mut module, program)?;
        module.finalize_definitions().ok()?;
        let functions = functions.iter().map(|&function| code(&module, function)).collect();
        Some(Self {
            functions,
            module: Mutex::new(Some(module)),
        })
    }
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
