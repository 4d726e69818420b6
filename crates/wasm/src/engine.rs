//! The WebAssembly engine that this module runs in, which programs of games are translated for.

use gym2600_vcs::{Delivery, Function, Host, Loaded, Patience, Program, translate_with};
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};
use wasm_bindgen::prelude::*;

/// Has programs translated from now on, where the page's policy allows it.
pub(crate) fn install() {
    translate_with(Box::new(Engine::default()), Patience::default());
}

/// Places in this module's own table of functions, where Rust can call what is put there.
type Places = Range<u32>;

/// Puts translated functions in the table.
#[derive(Default)]
struct Engine {
    /// Places whose functions are not called any more.
    free: Arc<Mutex<Vec<Places>>>,
}

/// Functions in the table.
struct InTable {
    functions: Vec<Function>,
    places: Places,
    free: Arc<Mutex<Vec<Places>>>,
}

impl Host for Engine {
    fn load(&self, program: Program, delivery: Delivery) {
        let count = program.functions.len() as u32;
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let reused = free.iter().position(|places| places.len() >= program.functions.len());
        let first = reused.map_or(BEHIND_THE_END, |index| free[index].start);
        let module = program.to_wasm();
        let Ok(first) = load(
            &module,
            wasm_bindgen::memory(),
            wasm_bindgen::function_table(),
            first,
            count,
        ) else {
            return;
        };
        let places = reused.map_or(first..first + count, |index| free.swap_remove(index));
        delivery.deliver(Box::new(InTable {
            functions: (first..first + count).map(at).collect(),
            places,
            free: Arc::clone(&self.free),
        }));
    }
}

impl Loaded for InTable {
    fn functions(&self) -> &[Function] {
        &self.functions
    }
}

impl Drop for InTable {
    fn drop(&mut self) {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        free.push(self.places.clone());
    }
}

/// The place of no function.
const BEHIND_THE_END: u32 = 0;

#[wasm_bindgen(inline_js = "
export function load(module, memory, table, first, count) {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(module), { machine: { memory, table } });
  first ||= table.grow(count);
  while (count--) table.set(first + count, exports[count]);
  return first;
}
")]
extern "C" {
    /// Puts the functions of a module in a table: at these places, or behind its end. Gives the first place.
    #[wasm_bindgen(catch)]
    fn load(module: &[u8], memory: JsValue, table: JsValue, first: u32, count: u32) -> Result<u32, JsValue>;
}

/// The function at a place in the table.
#[allow(
    unsafe_code,
    reason = "only the engine can make functions of what has been translated"
)]
fn at(place: u32) -> Function {
    // SAFETY: on this target a function's address is its place in the table, and the one that has just been put there takes and
    // gives what the type says: the engine has checked the module, all of whose exported functions are of this type.
    unsafe { std::mem::transmute::<usize, Function>(place as usize) }
}
