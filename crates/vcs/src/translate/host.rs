//! Who makes functions of translated programs.

use super::Program;
use std::ffi::c_void;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// How long a program is interpreted before it is translated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Patience {
    /// Frames that are only interpreted: many consoles never play more.
    pub idle: u32,
    /// Frames after these in which it is noted what runs.
    pub watching: u32,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            idle: 400,
            watching: 60,
        }
    }
}

/// A translated function: takes the machine, the ROM's first byte and the number of a block.
pub type Function = extern "C" fn(*mut c_void, *const u8, u32) -> u32;

/// Whoever can make functions of programs.
pub trait Host: Send + Sync {
    /// Makes functions of a program, at once or later, and delivers them. Until then the program runs as before.
    fn load(&self, program: Program, delivery: Delivery);
}

/// Where a host leaves what it has made of a program. Dropped with nothing in it, it says that it can make nothing.
pub struct Delivery {
    slot: Arc<Mutex<Slot>>,
}

/// What has come of a program so far.
pub(super) enum Slot {
    /// The host is at it.
    Awaited,
    /// These functions, or none.
    Come(Option<Box<dyn Loaded>>),
}

impl Delivery {
    /// For a host, and the slot that it fills.
    pub(super) fn new() -> (Self, Arc<Mutex<Slot>>) {
        let slot = Arc::new(Mutex::new(Slot::Awaited));
        (Self { slot: slot.clone() }, slot)
    }

    /// Delivers functions.
    pub fn deliver(self, loaded: Box<dyn Loaded>) {
        self.fill(Some(loaded));
    }

    fn fill(&self, loaded: Option<Box<dyn Loaded>>) {
        let mut slot = self.slot.lock().unwrap_or_else(PoisonError::into_inner);
        if let Slot::Awaited = *slot {
            *slot = Slot::Come(loaded);
        }
    }
}

impl Drop for Delivery {
    fn drop(&mut self) {
        self.fill(None);
    }
}

/// A program's functions, as long as they may be called.
pub trait Loaded: Send + Sync {
    /// The functions, in their order.
    fn functions(&self) -> &[Function];
}

static HOST: OnceLock<(Box<dyn Host>, Patience)> = OnceLock::new();

/// Consoles that are made from now on have their programs translated. Only the first host counts.
pub fn translate_with(host: Box<dyn Host>, patience: Patience) {
    let _ = HOST.set((host, patience));
}

/// The host, if there is one.
pub(super) fn host() -> Option<(&'static dyn Host, Patience)> {
    HOST.get().map(|(host, patience)| (host.as_ref(), *patience))
}
