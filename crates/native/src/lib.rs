#![doc = include_str!("../README.md")]

mod compile;

use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, default_libcall_names};
pub use gym2600_vcs::TierUpThreshold;
use gym2600_vcs::{CompileJob, CompiledCode, CompiledFunction, Compiler, Op, install_compiler};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::{mem, thread};

/// Jobs in threads of their own that have not ended.
static JOBS: Mutex<usize> = Mutex::new(0);
static JOB_ENDED: Condvar = Condvar::new();

/// In which thread programs are compiled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CompileThread {
    /// In a thread of its own, for some tenths of a second. The console runs on meanwhile.
    Background,
    /// In the thread of the console, which waits.
    Console,
}

/// Compiles the programs of all consoles that are made from now on, if Cranelift supports this machine's processor. Only the first call
/// in a process has an effect.
pub fn install(threshold: TierUpThreshold, thread: CompileThread) {
    install_compiler(Box::new(Cranelift { thread }), threshold);
}

/// Waits for the jobs in threads of their own, including those that are begun meanwhile. A child of `fork` has none of these threads,
/// so a program whose job was under way would stay interpreted there.
pub fn finish_jobs() {
    let jobs = JOB_ENDED.wait_while(jobs(), |jobs| *jobs > 0);
    drop(jobs.unwrap_or_else(PoisonError::into_inner));
}

fn jobs() -> MutexGuard<'static, usize> {
    JOBS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A job in a thread of its own. It is counted while this exists.
struct BackgroundJob;

impl BackgroundJob {
    fn begin() -> Self {
        *jobs() += 1;
        Self
    }
}

impl Drop for BackgroundJob {
    fn drop(&mut self) {
        *jobs() -= 1;
        JOB_ENDED.notify_all();
    }
}

struct Cranelift {
    thread: CompileThread,
}

impl Compiler for Cranelift {
    fn compile(&self, job: CompileJob) {
        match self.thread {
            // If no thread can be made, the job is dropped and the program stays interpreted.
            CompileThread::Background => {
                let background = BackgroundJob::begin();
                drop(thread::Builder::new().spawn(move || {
                    // One job at a time: the other processors are left to the consoles.
                    static TURN: Mutex<()> = Mutex::new(());
                    let _background = background;
                    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
                    compile(job);
                }));
            }
            CompileThread::Console => compile(job),
        }
    }
}

/// Compiles a job and finishes it, unless Cranelift refuses it.
fn compile(job: CompileJob) {
    if let Some(code) = NativeCode::new(job.functions()) {
        job.finish(Box::new(code));
    }
}

/// Functions and the memory that holds them.
struct NativeCode {
    functions: Vec<CompiledFunction>,
    /// Present until it is dropped.
    module: Mutex<Option<JITModule>>,
}

impl NativeCode {
    fn new(functions: &[Vec<Op>]) -> Option<Self> {
        // The verifier checks every function that a test compiles. A release build compiles only what the tests have covered.
        let verifier = if cfg!(debug_assertions) { "true" } else { "false" };
        let flags = [("opt_level", "speed"), ("enable_verifier", verifier)];
        let builder = JITBuilder::with_flags(&flags, default_libcall_names()).ok()?;
        let mut module = JITModule::new(builder);
        let compiled = compile::compile(&mut module, functions)?;
        module.finalize_definitions().ok()?;
        let functions = compiled.iter().map(|&function| code(&module, function)).collect();
        Some(Self {
            functions,
            module: Mutex::new(Some(module)),
        })
    }
}

impl CompiledCode for NativeCode {
    fn functions(&self) -> &[CompiledFunction] {
        &self.functions
    }
}

impl Drop for NativeCode {
    #[allow(unsafe_code, reason = "memory that holds code is freed explicitly")]
    fn drop(&mut self) {
        let module = self.module.get_mut().expect("it is never locked");
        let module = module.take().expect("it is present until here");
        // SAFETY: the code cache that owns this code is dropped, so no console calls its functions any more.
        unsafe { module.free_memory() };
    }
}

/// The address of a compiled function, as a function.
#[allow(unsafe_code, reason = "the type of machine code is known only here")]
fn code(module: &JITModule, function: FuncId) -> CompiledFunction {
    let address = module.get_finalized_function(function);
    // SAFETY: the address is that of a finished function, which was declared with these parameters, this result and the
    // calling convention of C.
    unsafe { mem::transmute::<*const u8, CompiledFunction>(address) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gym2600_vcs::Local;

    #[test]
    #[cfg_attr(not(debug_assertions), ignore = "only builds for debugging verify")]
    fn the_verifier_of_cranelift_checks_what_tests_compile() {
        assert!(NativeCode::new(&[vec![Op::Const(1)]]).is_some());
        // The sum of a word and an address.
        let wrong = vec![Op::Const(1), Op::Get(Local::Machine), Op::Add];
        assert!(NativeCode::new(&[wrong]).is_none());
    }
}
