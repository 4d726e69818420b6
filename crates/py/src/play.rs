//! Plays a step of a batch, in the caller's thread or in one of its own.
//!
//! A [`Play`] owns everything that a step needs, so it can move to a [`PlayThread`] and back. While it is away the batch has no
//! environments, and what needs them is an error.

use std::mem;
use std::panic::{self, AssertUnwindSafe};
use std::process;
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Mutex, PoisonError};
use std::thread;

use gym2600_gym::{GymError, StepRecord, VectorEnv};
use pyo3::PyErr;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::error::value_error;
use crate::gate;

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
    pub(crate) fn set(&mut self, actions: &[i64], strengths: Option<Vec<f32>>, lanes: Option<Vec<usize>>) {
        self.actions.clear();
        // A number beyond 32 bits is refused like one that is too large.
        let numbers = actions.iter().map(|action| u32::try_from(*action).unwrap_or(u32::MAX));
        self.actions.extend(numbers);
        self.strengths = strengths;
        self.lanes = lanes;
        self.records.resize(self.actions.len(), StepRecord::default());
    }

    /// Plays the step and writes the observations.
    pub(crate) fn step(&mut self, observations: &mut [u8]) -> Result<(), GymError> {
        let (lanes, strengths) = (self.lanes.as_deref(), self.strengths.as_deref());
        self.envs
            .play(lanes, &self.actions, strengths, observations, &mut self.records)
    }
}

/// How a step ended: in a panic, with an error, or well.
type PlayResult = thread::Result<Result<(), GymError>>;

/// A step on its way to the thread and back.
pub(crate) struct InFlight {
    pub(crate) play: Box<Play>,
    pub(crate) observations: Vec<u8>,
    pub(crate) result: PlayResult,
}

/// A thread that plays one step at a time. It ends when this is dropped, after the step that is under way.
pub(crate) struct PlayThread {
    to: Sender<InFlight>,
    from: Mutex<Receiver<InFlight>>,
    /// The buffer of the observations, while no step is under way.
    observations: Vec<u8>,
    /// The process that started the thread. A child of `fork` has its memory without the thread.
    process: u32,
}

impl PlayThread {
    pub(crate) fn start() -> PyResult<Self> {
        let (to, steps) = mpsc::channel::<InFlight>();
        let (back, from) = mpsc::channel();
        thread::Builder::new().name("gym2600-send".into()).spawn(move || {
            for mut step in steps {
                let InFlight { play, observations, .. } = &mut step;
                let _open = gate::open();
                step.result = panic::catch_unwind(AssertUnwindSafe(|| play.step(observations)));
                if back.send(step).is_err() {
                    break;
                }
            }
        })?;
        Ok(Self {
            to,
            from: Mutex::new(from),
            observations: Vec::new(),
            process: process::id(),
        })
    }

    /// Whether this process has the thread.
    pub(crate) fn is_here(&self) -> bool {
        self.process == process::id()
    }

    /// Starts the step whose arguments are set.
    pub(crate) fn send(&mut self, play: Box<Play>) -> PyResult<()> {
        let mut observations = mem::take(&mut self.observations);
        let len = play.envs.observations_len() / play.envs.num_envs();
        observations.resize(play.actions.len() * len, 0);
        let step = InFlight {
            play,
            observations,
            result: Ok(Ok(())),
        };
        self.to.send(step).map_err(|_| ended())
    }

    /// Waits for the step. Its batch comes back even if it failed.
    pub(crate) fn recv(&mut self, py: Python<'_>) -> PyResult<InFlight> {
        let from = self.from.get_mut().unwrap_or_else(PoisonError::into_inner);
        py.detach(move || from.recv()).map_err(|_| ended())
    }

    /// Copies the observations of a step and keeps their buffer. A panic of the thread goes on here.
    pub(crate) fn finish(&mut self, observations: Vec<u8>, result: PlayResult, out: &mut [u8]) -> PyResult<()> {
        self.observations = observations;
        match result {
            Ok(Ok(())) if self.observations.len() == out.len() => out.copy_from_slice(&self.observations),
            Ok(Ok(())) => return Err(value_error("the array has another size than the observations")),
            Ok(Err(error)) => return Err(value_error(error)),
            Err(payload) => panic::resume_unwind(payload),
        }
        Ok(())
    }
}

fn ended() -> PyErr {
    PyRuntimeError::new_err("the thread that plays the batch has ended")
}

/// The error of the call `name` while the batch is away.
pub(crate) fn away(thread: Option<&PlayThread>, name: &'static str) -> PyErr {
    if thread.is_some_and(PlayThread::is_here) {
        AlreadyPendingCallError::new_err((format!("{name} while a step is under way: call recv first"), name))
    } else {
        let reason =
            "the batch was playing a step when this process was forked, and stays with the process that called send";
        NoAsyncCallError::new_err((format!("{name}: {reason}; make another"), name))
    }
}

/// The error of `recv` without a step under way.
pub(crate) fn not_sent() -> PyErr {
    NoAsyncCallError::new_err(("recv without a step under way: call send first", "recv"))
}
