//! Plays a step of a batch, in the caller's thread or in one of its own.
//!
//! A [`Play`] owns everything that a step needs, so it can move to a [`PlayThread`] and back. While it is away the batch has no
//! environments, and what needs them is an error. After a panic they are lost, which is the same error.

use std::sync::atomic::{AtomicBool, Ordering};

use gym2600_gym::{GymError, StepRecord, VectorEnv};
use pyo3::PyErr;
use pyo3::prelude::*;

use crate::error::{lost, value_error};
use crate::gate;
use crate::interrupt;
use crate::job::{JobThread, Missing, attempt};

pyo3::import_exception!(gymnasium.error, AlreadyPendingCallError);
pyo3::import_exception!(gymnasium.error, NoAsyncCallError);

/// A batch, the arguments of a step and its records.
pub(crate) struct Play {
    pub(crate) envs: VectorEnv,
    pub(crate) actions: Vec<u32>,
    pub(crate) strengths: Option<Vec<f32>>,
    pub(crate) lanes: Option<Vec<usize>>,
    pub(crate) records: Vec<StepRecord>,
}

impl Play {
    pub(crate) fn new(envs: VectorEnv) -> Self {
        Self {
            envs,
            actions: Vec::new(),
            strengths: None,
            lanes: None,
            records: Vec::new(),
        }
    }

    /// Sets the arguments of the next step.
    pub(crate) fn set(
        &mut self,
        actions: &[i64],
        strengths: Option<Vec<f32>>,
        lanes: Option<Vec<usize>>,
    ) -> PyResult<()> {
        let wrong = actions.iter().position(|action| u32::try_from(*action).is_err());
        if let Some(place) = wrong {
            let lane = lanes
                .as_ref()
                .and_then(|lanes| lanes.get(place).copied())
                .unwrap_or(place);
            let action = actions[place];
            return Err(value_error(format!(
                "environment {lane}: action {action} is out of range"
            )));
        }
        self.actions.clear();
        self.actions.extend(actions.iter().map(|action| *action as u32));
        self.strengths = strengths;
        self.lanes = lanes;
        self.records.resize(self.actions.len(), StepRecord::default());
        Ok(())
    }

    /// Plays the step and writes the observations.
    pub(crate) fn step(&mut self, observations: &mut [u8]) -> Result<(), GymError> {
        let (lanes, strengths) = (self.lanes.as_deref(), self.strengths.as_deref());
        self.envs
            .play(lanes, &self.actions, strengths, observations, &mut self.records)
    }

    /// Plays the step. The environments have the observations.
    pub(crate) fn advance(&mut self) -> Result<(), GymError> {
        let (lanes, strengths) = (self.lanes.as_deref(), self.strengths.as_deref());
        self.envs.advance(lanes, &self.actions, strengths, &mut self.records)
    }
}

/// A step on its way to the thread and back.
pub(crate) struct InFlight {
    pub(crate) play: Box<Play>,
    pub(crate) result: Result<(), GymError>,
}

/// A thread that plays one step at a time.
pub(crate) struct PlayThread(JobThread<InFlight>);

impl PlayThread {
    pub(crate) fn start() -> PyResult<Self> {
        let thread = JobThread::start("gym2600-send", |step: InFlight| {
            let _open = gate::open();
            attempt(step, |step| step.result = step.play.advance())
        })?;
        Ok(Self(thread))
    }

    /// Whether this process has the thread.
    pub(crate) fn is_here(&self) -> bool {
        self.0.is_here()
    }

    /// Starts the step whose arguments are set.
    pub(crate) fn send(&mut self, play: Box<Play>) {
        self.0.send(InFlight { play, result: Ok(()) });
    }

    /// Takes the step back, unless the thread has begun it.
    pub(crate) fn take_back(&self) -> Option<Box<Play>> {
        Some(self.0.take_back()?.play)
    }

    /// Waits for the step. Its batch comes back unless the step panicked; then the error is the panic's message. A signal handler that
    /// raises sets `interrupt`, which ends the step; its error is the second result.
    pub(crate) fn recv(&mut self, py: Python<'_>, interrupt: &AtomicBool) -> (Result<InFlight, String>, PyResult<()>) {
        let mut signal = Ok(());
        let step = self.0.recv(|from| {
            let (step, raised) = interrupt::wait(py, from, interrupt);
            signal = raised;
            step
        });
        interrupt.store(false, Ordering::Relaxed);
        (step, signal)
    }
}

/// The error of the call `name` while there is no batch.
pub(crate) fn missing(why: Missing, thread: Option<&PlayThread>, name: &'static str) -> PyErr {
    match why {
        Missing::Lost(message) => lost(&format!("{name}: the batch"), &message),
        Missing::Away if thread.is_some_and(PlayThread::is_here) => {
            AlreadyPendingCallError::new_err((format!("{name} while a step is under way: call recv first"), name))
        }
        Missing::Away => {
            let reason = "the batch was playing a step when this process was forked, and stays with the process that called send";
            NoAsyncCallError::new_err((format!("{name}: {reason}; make another"), name))
        }
    }
}

/// The error of `recv` without a step under way.
pub(crate) fn not_sent() -> PyErr {
    NoAsyncCallError::new_err(("recv without a step under way: call send first", "recv"))
}
