#![doc = include_str!("../README.md")]
//!
//! [`WasmCard`] is an open card with a run's net. Outputs may be asked for while others are awaited; any other promise is awaited before the
//! next call.

use gym2600_learn_gpu::{Adapters, Card, GpuError, SETTINGS_NUMBERS, Shown, State, Training, Work};
use js_sys::{Error, Float32Array, Promise};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::future_to_promise;

/// What is thrown: an `Error` whose message is the reason.
fn thrown(error: GpuError) -> JsValue {
    Error::new(&error.to_string()).into()
}

/// A net that learns on a graphics card.
#[wasm_bindgen]
#[derive(Debug)]
pub struct WasmCard {
    training: Training,
    state: Option<State>,
}

#[wasm_bindgen]
impl WasmCard {
    /// Opens a card, or with `software` what stands for one, for the work that the learner's module has written as numbers.
    pub async fn open(work: Vec<u32>, software: bool) -> Result<WasmCard, JsValue> {
        let work = Work::from_numbers(&work).ok_or_else(|| Error::new("the work is none of this version"))?;
        let adapters = if software { Adapters::Any } else { Adapters::Hardware };
        let card = Card::open(adapters).await.map_err(thrown)?;
        let mut training = Training::new(&card, &work).map_err(thrown)?;
        // What a browser finds wrong with shaders or buffers it says later: an answer shows that all of them work.
        training.finish().await.map_err(thrown)?;
        Ok(Self { training, state: None })
    }

    /// Begins an update with these parameters and moments.
    pub fn begin(&mut self, parameters: &[f32], first: &[f32], second: &[f32]) -> Result<(), JsValue> {
        self.training.begin(parameters, first, second).map_err(thrown)
    }

    /// The outputs for what some games show before a step: those from number `first` on.
    pub fn outputs(
        &mut self,
        first: usize,
        pictures: Vec<u8>,
        counts: Vec<u32>,
        stacks: Vec<u32>,
    ) -> Result<Promise, JsValue> {
        let shown = Shown {
            pictures,
            counts,
            stacks,
        };
        let reading = self.training.begin_outputs(first, &shown).map_err(thrown)?;
        Ok(future_to_promise(async {
            let outputs = reading.numbers().await.map_err(thrown)?;
            Ok(Float32Array::from(outputs.as_slice()).into())
        }))
    }

    /// Takes the steps of a rollout, in the order of the observations.
    #[wasm_bindgen(js_name = setSteps)]
    pub fn set_steps(&mut self, steps: &[u32]) -> Result<(), JsValue> {
        self.training.set_steps(steps).map_err(thrown)
    }

    /// Makes a gradient step on these observations. It does not wait for the card.
    pub fn step(&mut self, samples: &[u32], settings: &[u32]) -> Result<(), JsValue> {
        let settings: [u32; SETTINGS_NUMBERS] = settings.try_into().map_err(|_| Error::new("no settings"))?;
        self.training.step(samples, settings).map_err(thrown)
    }

    /// Waits for the update's gradient steps; then the getters have what they made.
    pub async fn finish(&mut self) -> Result<(), JsValue> {
        self.state = Some(self.training.finish().await.map_err(thrown)?);
        Ok(())
    }

    /// The parameters after the update.
    pub fn parameters(&self) -> Vec<f32> {
        self.state().parameters.clone()
    }

    /// The first moments after the update.
    pub fn first(&self) -> Vec<f32> {
        self.state().first.clone()
    }

    /// The second moments after the update.
    pub fn second(&self) -> Vec<f32> {
        self.state().second.clone()
    }

    /// The sums that each minibatch of the update left.
    pub fn totals(&self) -> Vec<f32> {
        self.state().totals.clone()
    }

    /// Closes the device.
    pub fn destroy(&self) {
        self.training.net.card().destroy();
    }
}

impl WasmCard {
    fn state(&self) -> &State {
        self.state.as_ref().expect("the package asks after an update")
    }
}
