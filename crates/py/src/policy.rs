//! The class `Policy`: trained weights at play, behind `gym2600.Policy`.

use std::sync::MutexGuard;

use gym2600_gym::GameOptions;
use gym2600_learn::{Choice, Policy};
use numpy::PyArray1;
use pyo3::prelude::*;

use crate::error::{Alone, lost, refused_by_policy, value_error};
use crate::gate::detached;
use crate::job::{Held, Missing};
use crate::memory;

/// Copies of its weights that a policy makes while it is read.
const COPIES: usize = 4;

/// Action, logits, probabilities and value.
type Decision<'py> = (u32, Bound<'py, PyArray1<f32>>, Bound<'py, PyArray1<f64>>, f32);

/// A policy. Calls of several threads at the same time are errors.
#[pyclass(module = "gym2600._gym2600", name = "Policy", frozen)]
pub(crate) struct PyPolicy {
    policy: Alone<Held<Policy>>,
}

fn missing(why: Missing) -> PyErr {
    match why {
        Missing::Lost(message) => lost("a policy", &message),
        Missing::Away => unreachable!("a policy stays where it is"),
    }
}

impl PyPolicy {
    fn held(&self) -> PyResult<MutexGuard<'_, Held<Policy>>> {
        self.policy.get("a policy")
    }
}

#[pymethods]
impl PyPolicy {
    /// Reads a file of weights or a checkpoint.
    #[new]
    fn new(py: Python<'_>, file: &[u8]) -> PyResult<Self> {
        memory::check(COPIES * file.len(), "a policy")?;
        let policy = detached(py, || Policy::load(file)).map_err(refused_by_policy)?;
        Ok(Self {
            policy: Alone::new(Held::Here(policy)),
        })
    }

    /// What the weights were made for, as JSON; None where the file does not say.
    fn origin(&self) -> PyResult<Option<String>> {
        let held = self.held()?;
        let origin = held.get().map_err(missing)?.origin();
        origin.map(serde_json::to_string).transpose().map_err(value_error)
    }

    /// Frames, height and width of the observations.
    fn shape(&self) -> PyResult<[usize; 3]> {
        Ok(self.held()?.get().map_err(missing)?.shape())
    }

    /// The options of the policy's games, defaults resolved, as JSON.
    fn environment(&self, py: Python<'_>, rom: &[u8]) -> PyResult<String> {
        let held = self.held()?;
        let policy = held.get().map_err(missing)?;
        let options = detached(py, || policy.environment(rom, &GameOptions::default())).map_err(refused_by_policy)?;
        serde_json::to_string(&options).map_err(value_error)
    }

    /// Decides on the bytes of an observation of a shape: greedily without a seed, else by its stream.
    #[pyo3(signature = (observation, shape, seed = None))]
    fn act<'py>(
        &self,
        py: Python<'py>,
        observation: &[u8],
        shape: Vec<usize>,
        seed: Option<u64>,
    ) -> PyResult<Decision<'py>> {
        let choice = seed.map_or(Choice::Greedy, |seed| Choice::Sampled { seed });
        let mut held = self.held()?;
        let held = &mut *held;
        let decided = detached(py, || held.change(|policy| policy.act(observation, &shape, choice)));
        let decision = decided.map_err(missing)?.map_err(refused_by_policy)?;
        Ok((
            decision.action,
            PyArray1::from_vec(py, decision.logits),
            PyArray1::from_vec(py, decision.probabilities),
            decision.value,
        ))
    }
}
