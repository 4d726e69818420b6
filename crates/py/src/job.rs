//! Jobs, in the caller's thread or in one of their own, and what a panic leaves behind.
//!
//! A [`Held`] value is here, away with a job, or lost to a panic. What a panic has left half changed is dropped, and its message is kept
//! for all later calls.
//!
//! This has no Python in it, so that `tests/job.rs` can run it.

use std::any::Any;
use std::mem;
use std::panic::{self, AssertUnwindSafe};
use std::process;
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::{io, thread};

/// A value that jobs change.
pub(crate) enum Held<T> {
    Here(T),
    /// In a thread, from where it comes back.
    Away,
    /// Dropped after a panic with this message.
    Lost(String),
}

/// Why a value cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Missing {
    Away,
    /// The message of the panic.
    Lost(String),
}

impl<T> Held<T> {
    pub(crate) fn get(&self) -> Result<&T, Missing> {
        match self {
            Self::Here(value) => Ok(value),
            Self::Away => Err(Missing::Away),
            Self::Lost(message) => Err(Missing::Lost(message.clone())),
        }
    }

    pub(crate) fn get_mut(&mut self) -> Result<&mut T, Missing> {
        match self {
            Self::Here(value) => Ok(value),
            Self::Away => Err(Missing::Away),
            Self::Lost(message) => Err(Missing::Lost(message.clone())),
        }
    }

    /// Takes the value, which is away from then on.
    pub(crate) fn take(&mut self) -> Result<T, Missing> {
        self.get()?;
        match mem::replace(self, Self::Away) {
            Self::Here(value) => Ok(value),
            Self::Away | Self::Lost(_) => Err(Missing::Away),
        }
    }

    /// Does a job. The value is lost if it panics.
    pub(crate) fn change<R>(&mut self, job: impl FnOnce(&mut T) -> R) -> Result<R, Missing> {
        let value = self.get_mut()?;
        caught(|| job(value)).map_err(|message| self.lose(message))
    }

    /// Drops the value because of a panic, or notes that it does not come back.
    pub(crate) fn lose(&mut self, message: String) -> Missing {
        *self = Self::Lost(message.clone());
        Missing::Lost(message)
    }
}

/// Does a job with a value and gives it back, or drops it and gives the message of the panic.
pub(crate) fn attempt<T>(mut value: T, job: impl FnOnce(&mut T)) -> Result<T, String> {
    caught(|| job(&mut value)).map(|()| value)
}

/// The result of a job, or the message of its panic. What the job has changed must not be used after a panic.
pub(crate) fn caught<R>(job: impl FnOnce() -> R) -> Result<R, String> {
    panic::catch_unwind(AssertUnwindSafe(job)).map_err(|payload| message_of(&*payload))
}

/// The message with which `panic!` was called.
fn message_of(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().copied();
    let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("a panic without a message").to_owned()
}

/// A thread that does one job at a time. It ends when this is dropped, after the job that is under way.
pub(crate) struct JobThread<T> {
    /// The job that the thread has not begun.
    waiting: Arc<Mutex<Option<T>>>,
    /// Wakes the thread.
    to: Sender<()>,
    from: Mutex<Receiver<Result<T, String>>>,
    /// The process that started the thread. A child of `fork` has its memory without the thread.
    process: u32,
}

impl<T: Send + 'static> JobThread<T> {
    /// Starts a thread in which `attempt` does the jobs, as the function [`attempt`] does.
    pub(crate) fn start(name: &str, attempt: impl Fn(T) -> Result<T, String> + Send + 'static) -> io::Result<Self> {
        let waiting = Arc::new(Mutex::new(None));
        let (to, wakes) = mpsc::channel();
        let (back, from) = mpsc::channel();
        let begun = Arc::clone(&waiting);
        thread::Builder::new().name(name.into()).spawn(move || {
            for () in wakes {
                // A job that has been taken back leaves its wake behind.
                let Some(job) = take(&begun) else { continue };
                if back.send(attempt(job)).is_err() {
                    break;
                }
            }
        })?;
        Ok(Self {
            waiting,
            to,
            from: Mutex::new(from),
            process: process::id(),
        })
    }

    /// Whether this process has the thread.
    pub(crate) fn is_here(&self) -> bool {
        self.process == process::id()
    }

    /// Starts a job. If the thread has ended, the next call of `recv` says so.
    pub(crate) fn send(&self, job: T) {
        *self.waiting.lock().unwrap_or_else(PoisonError::into_inner) = Some(job);
        if self.to.send(()).is_err() {
            drop(self.take_back());
        }
    }

    /// Takes the job back, unless the thread has begun it.
    pub(crate) fn take_back(&self) -> Option<T> {
        take(&self.waiting)
    }

    /// Waits for the job by `wait`, which gives what the thread sends. The error is the message of the job's panic.
    pub(crate) fn recv(
        &mut self,
        wait: impl FnOnce(&mut Receiver<Result<T, String>>) -> Option<Result<T, String>>,
    ) -> Result<T, String> {
        let from = self.from.get_mut().unwrap_or_else(PoisonError::into_inner);
        wait(from).unwrap_or_else(|| Err("the thread has ended".into()))
    }
}

fn take<T>(waiting: &Mutex<Option<T>>) -> Option<T> {
    waiting.lock().unwrap_or_else(PoisonError::into_inner).take()
}
