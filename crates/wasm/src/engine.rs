//! Compiles programs with the WebAssembly engine that this module runs in.
//!
//! A compile job becomes a module whose functions are put in this module's own table of functions. The address of a function
//! is its index there, so Rust calls them like its own.

mod encode;

use gym2600_vcs::{
    CompileJob, CompiledCode, CompiledFunction, Compiler, RuntimeCall, TierUpThreshold, install_compiler,
};
use js_sys::WebAssembly::{Instance, Module, Table};
use js_sys::{Function, Object, Reflect, Uint8Array};
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};
use wasm_bindgen::prelude::*;

/// Compiles the programs of all consoles that are made from now on, if the page's policy allows it.
pub(crate) fn install() {
    install_compiler(Box::new(Engine::default()), TierUpThreshold::default());
}

/// Indexes of the table of functions.
type Indexes = Range<u32>;

/// Indexes that hold no function, in order. No two ranges touch.
type FreeIndexes = Arc<Mutex<Vec<Indexes>>>;

/// Puts compiled functions in the table.
#[derive(Default)]
struct Engine {
    free: FreeIndexes,
}

/// Functions in the table.
struct InTable {
    functions: Vec<CompiledFunction>,
    indexes: Indexes,
    free: FreeIndexes,
}

impl Compiler for Engine {
    fn compile(&self, job: CompileJob) {
        // If the engine refuses the module, the job is dropped and the program stays interpreted.
        if let Ok(code) = self.load(&encode::module(job.functions()), job.functions().len()) {
            job.finish(Box::new(code));
        }
    }
}

impl Engine {
    /// Instantiates a module and puts its functions in the table.
    fn load(&self, module: &[u8], count: usize) -> Result<InTable, JsValue> {
        let table = table();
        let imports = Object::new();
        Reflect::set(&imports, &"memory".into(), &wasm_bindgen::memory())?;
        for call in RuntimeCall::ALL {
            let function = table.get(call.address() as u32)?;
            Reflect::set(&imports, &(call as u32).to_string().into(), &function)?;
        }
        let modules = Object::new();
        Reflect::set(&modules, &encode::IMPORTS.into(), &imports)?;
        let module = Module::new(&Uint8Array::from(module))?;
        let exports = Instance::new(&module, &modules)?.exports();

        let indexes = self.reserve(&table, count)?;
        let code = InTable {
            functions: indexes.clone().map(at).collect(),
            indexes: indexes.clone(),
            free: Arc::clone(&self.free),
        };
        for (number, index) in indexes.enumerate() {
            let function: Function = Reflect::get(&exports, &number.to_string().into())?.unchecked_into();
            table.set(index, &function)?;
        }
        Ok(code)
    }

    /// Indexes for so many functions: free ones, or new ones at the end of the table.
    fn reserve(&self, table: &Table, count: usize) -> Result<Indexes, JsValue> {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let count = count as u32;
        if let Some(longer) = free.iter_mut().find(|indexes| indexes.len() >= count as usize) {
            let first = longer.start;
            longer.start += count;
            free.retain(|indexes| !indexes.is_empty());
            return Ok(first..first + count);
        }
        let first = table.grow(count)?;
        Ok(first..first + count)
    }
}

impl CompiledCode for InTable {
    fn functions(&self) -> &[CompiledFunction] {
        &self.functions
    }
}

impl Drop for InTable {
    fn drop(&mut self) {
        let table = table();
        for index in self.indexes.clone() {
            // A function in the table keeps its module's code alive. Every index is below the table's length.
            let _ = table.set_raw(index, &JsValue::NULL);
        }
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        release(&mut free, self.indexes.clone());
    }
}

/// Adds free indexes, and joins them with those that they touch.
fn release(free: &mut Vec<Indexes>, mut indexes: Indexes) {
    let at = free.partition_point(|before| before.end < indexes.start);
    while let Some(touching) = free.get(at).filter(|next| next.start <= indexes.end) {
        indexes = indexes.start.min(touching.start)..indexes.end.max(touching.end);
        free.remove(at);
    }
    free.insert(at, indexes);
}

/// This module's table of functions.
fn table() -> Table {
    wasm_bindgen::function_table().unchecked_into()
}

/// The function at an index of the table.
#[allow(unsafe_code, reason = "only the engine can make functions of compiled code")]
fn at(index: u32) -> CompiledFunction {
    // SAFETY: on this target a function's address is its index in the table. `Engine::load` puts a function there before it hands out the
    // code: an export of a module that the engine has checked, whose functions all have the parameters and the result of this type.
    unsafe { std::mem::transmute::<usize, CompiledFunction>(index as usize) }
}
