//! The search in RAM, and the definition of a game that was found.

use gym2600_arcade::search::{Candidate, Found, RamSearch, Seen, define};
use gym2600_js::{from_gym, options, thrown, write};
use js_sys::Array;
use wasm_bindgen::prelude::*;

use crate::{engine, room};

/// The comparisons with an earlier look, as the package numbers them.
const CHANGES: [Seen; 4] = [Seen::Changed, Seen::Unchanged, Seen::Larger, Seen::Smaller];

/// Makes the definition of a ROM: the package's `GameDefinition`. `found` is its `FoundGame` without the ROM.
///
/// # Errors
/// Those of a game of this ROM; `bad-game` for an expression with a mistake.
#[wasm_bindgen(js_name = defineGame)]
pub fn define_game(rom: &[u8], found: JsValue) -> Result<JsValue, JsValue> {
    engine::install();
    room::check()?;
    let found: Found = options(found)?;
    write(&define(rom, &found).map_err(|error| from_gym(&error.into()))?)
}

/// A search for one thing that a person sees. The package has checked that a RAM has 128 bytes.
#[wasm_bindgen]
#[derive(Default)]
pub struct WasmRamSearch {
    search: RamSearch,
}

#[wasm_bindgen]
#[allow(
    clippy::missing_errors_doc,
    reason = "every error is thrown with a code; see the crate's documentation"
)]
impl WasmRamSearch {
    /// A search that knows nothing.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Result<WasmRamSearch, JsValue> {
        room::check()?;
        Ok(Self::default())
    }

    /// Marks a moment.
    pub fn mark(&mut self, ram: &[u8]) {
        self.search.mark(&bytes(ram));
    }

    /// A look at a number with so many digits.
    #[wasm_bindgen(js_name = lookAtNumber)]
    pub fn look_at_number(&mut self, ram: &[u8], value: f64, digits: u8) -> Result<(), JsValue> {
        #[allow(
            clippy::cast_possible_truncation,
            reason = "the package has checked that it is whole"
        )]
        let value = value as i64;
        self.look(ram, Seen::Number { value, digits })
    }

    /// A look that is compared with the one before, by the number of the comparison.
    #[wasm_bindgen(js_name = lookAtChange)]
    pub fn look_at_change(&mut self, ram: &[u8], change: usize) -> Result<(), JsValue> {
        self.look(ram, CHANGES[change % CHANGES.len()])
    }

    /// A look at something that is so or not.
    #[wasm_bindgen(js_name = lookAtState)]
    pub fn look_at_state(&mut self, ram: &[u8], on: bool) -> Result<(), JsValue> {
        self.look(ram, Seen::State(on))
    }

    /// Takes the last look or mark back.
    pub fn undo(&mut self) -> bool {
        self.search.undo()
    }

    /// How many looks and marks there were.
    pub fn looks(&self) -> usize {
        self.search.looks()
    }

    /// The expressions of the likeliest candidates, at most `most`, each with its value; then the number of all.
    pub fn candidates(&self, most: usize, ram: Option<Vec<u8>>) -> Array {
        let all = self.search.candidates();
        let ram = ram.map(|ram| bytes(&ram));
        let value = |one: &Candidate| ram.and_then(|ram| one.value(&ram));
        #[allow(
            clippy::cast_precision_loss,
            reason = "a number of four bytes and three zeros is below 2^53"
        )]
        let entry = |one: &Candidate| Array::of2(&one.to_string().into(), &value(one).map(|value| value as f64).into());
        let shown: Array = all.iter().take(most).map(entry).collect();
        Array::of2(&shown, &(all.len() as u32).into())
    }
}

impl WasmRamSearch {
    fn look(&mut self, ram: &[u8], seen: Seen) -> Result<(), JsValue> {
        let looked = self.search.look(&bytes(ram), seen);
        looked.map_err(|error| thrown("bad-option", &error.to_string()))
    }
}

fn bytes(ram: &[u8]) -> [u8; 128] {
    ram.try_into().expect("the package has checked the size")
}
