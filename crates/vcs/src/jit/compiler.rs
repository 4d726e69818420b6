//! The interface to compilers: WebAssembly modules in `crates/wasm`, Cranelift in `crates/native`.

use super::ir::Op;
use std::ffi::c_void;
use std::fmt;
use std::sync::OnceLock;

/// How many frames a program runs before its first compile job, over all consoles that play it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TierUpThreshold {
    /// Frames that are interpreted without a profile: many consoles never play more.
    pub interpreted: u32,
    /// Frames after these that are interpreted with a profile.
    pub profiled: u32,
}

impl Default for TierUpThreshold {
    fn default() -> Self {
        Self {
            interpreted: 400,
            profiled: 60,
        }
    }
}

/// A compiled function. It takes the machine, the ROM's first byte and the number of the block to enter, and returns
/// 0 if the program continues at another address, 1 if the next instruction has to be interpreted.
pub type CompiledFunction = extern "C" fn(*mut c_void, *const u8, u32) -> u32;

/// Compiles jobs to machine code. It has to know every [`Op`] of the version of this crate that it is built with.
pub trait Compiler: Send + Sync {
    /// Compiles a job's functions, in this call or in another thread, and finishes the job. The program is interpreted, or runs the
    /// code that it has, until then.
    fn compile(&self, job: CompileJob);
}

/// Machine code. Its functions can be called as long as it exists.
pub trait CompiledCode: Send + Sync {
    /// The functions, in the order of [`CompileJob::functions`].
    fn functions(&self) -> &[CompiledFunction];
}

/// Takes the machine code of a job, or nothing if the job has failed.
type Finish = Box<dyn FnOnce(Option<Box<dyn CompiledCode>>) + Send>;

/// Functions to compile.
///
/// A job that is dropped unfinished has failed. The program then keeps the code that it has and begins no other job.
pub struct CompileJob {
    functions: Vec<Vec<Op>>,
    /// Called once, at the end of the job. None after that.
    finish: Option<Finish>,
}

impl CompileJob {
    pub(super) fn new(functions: Vec<Vec<Op>>, finish: Finish) -> Self {
        Self {
            functions,
            finish: Some(finish),
        }
    }

    /// The operations of each function. A function's parameters are the first locals ([`Local::PARAMETERS`](super::Local::PARAMETERS)).
    /// It returns what is on the stack at its end. Blocks neither take values from the stack nor leave any.
    pub fn functions(&self) -> &[Vec<Op>] {
        &self.functions
    }

    /// Finishes the job: consoles run this code from their next frame on.
    pub fn finish(mut self, code: Box<dyn CompiledCode>) {
        if let Some(finish) = self.finish.take() {
            finish(Some(code));
        }
    }
}

impl fmt::Debug for CompileJob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CompileJob")
            .field("functions", &self.functions.len())
            .finish_non_exhaustive()
    }
}

impl Drop for CompileJob {
    fn drop(&mut self) {
        if let Some(finish) = self.finish.take() {
            finish(None);
        }
    }
}

static COMPILER: OnceLock<(Box<dyn Compiler>, TierUpThreshold)> = OnceLock::new();

/// Consoles that are made from now on compile their programs. Only the first call has an effect.
pub fn install_compiler(compiler: Box<dyn Compiler>, threshold: TierUpThreshold) {
    let _ = COMPILER.set((compiler, threshold));
}

/// The installed compiler.
pub(super) fn installed() -> Option<(&'static dyn Compiler, TierUpThreshold)> {
    COMPILER
        .get()
        .map(|(compiler, threshold)| (compiler.as_ref(), *threshold))
}
