//! Says what computes the nets, where the CPU is not all that was asked for.

use std::io::{self, Write};

use gym2600_learn::{Device, Processor};

/// What was said last.
pub(crate) struct Told {
    last: Processor,
}

impl Told {
    /// Begins with what `device` needs no word for.
    pub(crate) fn new(device: Device, processor: &Processor) -> Self {
        let mut told = Self {
            last: Processor::Cpu { reason: None },
        };
        if device != Device::Cpu {
            told.tell(processor);
        }
        told
    }

    /// Prints what computes now, if that has changed. A run goes on where the standard error has been closed.
    pub(crate) fn tell(&mut self, processor: &Processor) {
        if self.last != *processor {
            let _ = writeln!(io::stderr(), "gym2600: computing on {processor}");
            self.last = processor.clone();
        }
    }
}
