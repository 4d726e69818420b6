//! Room in the instance's memory.
//!
//! An allocation that fails in mid-call traps, and ends every game of the instance. So what makes a game asks for room first, and leaves
//! as much for what the older games allocate later, such as compiled programs and states.

use gym2600_js::thrown;
use std::hint::black_box;
use wasm_bindgen::prelude::JsValue;

/// Bytes that have to be free in one piece. WALLOP takes a two-hundredth when it is made. Pages that are never written cost a system nothing.
const ROOM: usize = 32 << 20;

/// Checks that there is room for another game.
///
/// # Errors
/// `out-of-memory`
pub(crate) fn check() -> Result<(), JsValue> {
    let mut room = Vec::<u8>::new();
    let had = room.try_reserve_exact(ROOM);
    // Without it the compiler may leave the allocation out.
    black_box(&mut room);
    had.map_err(|_| {
        thrown(
            "out-of-memory",
            "the memory of this thread's WebAssembly instance has no room for another game; the others play on",
        )
    })
}
