//! Where nets are computed.

use std::fmt;
use std::str::FromStr;

use crate::error::LearnError;

/// Where nets are to be computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Device {
    /// On the CPU, with the same bits on every machine.
    #[default]
    Cpu,
    /// On a graphics card, or on software that stands for one; an error where there is neither, and where it is lost.
    Gpu,
    /// On a graphics card if there is one, and on the CPU otherwise. A run goes on on the CPU if its card is lost.
    Auto,
}

impl Device {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cpu => "cpu",
            Self::Gpu => "gpu",
            Self::Auto => "auto",
        }
    }
}

impl fmt::Display for Device {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl FromStr for Device {
    type Err = LearnError;

    fn from_str(name: &str) -> Result<Self, LearnError> {
        [Self::Cpu, Self::Gpu, Self::Auto]
            .into_iter()
            .find(|device| device.name() == name)
            .ok_or_else(|| {
                LearnError::option(
                    "device",
                    format!("there is no device {name:?}; there are auto, cpu, gpu"),
                )
            })
    }
}

/// What computes nets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Processor {
    /// The CPU.
    Cpu {
        /// Why it is not the graphics card that [`Device::Auto`] looked for.
        reason: Option<String>,
    },
    /// A graphics card.
    Gpu {
        /// Its name.
        name: String,
    },
}

impl fmt::Display for Processor {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cpu { reason: None } => formatter.write_str("CPU"),
            Self::Cpu { reason: Some(reason) } => write!(formatter, "CPU: {reason}"),
            Self::Gpu { name } => write!(formatter, "GPU: {name}"),
        }
    }
}

/// A card, where there is one to compute on.
pub(crate) struct Opened<C> {
    pub(crate) device: Device,
    pub(crate) card: Option<C>,
    processor: Processor,
}

impl<C> Opened<C> {
    pub(crate) fn cpu() -> Self {
        Self {
            device: Device::Cpu,
            card: None,
            processor: Processor::Cpu { reason: None },
        }
    }

    /// Opens a card if `device` asks for one. `open` takes whether software will do too, and gives the card with its name.
    ///
    /// # Errors
    /// [`LearnError::Gpu`] if [`Device::Gpu`] asks for it and there is none.
    pub(crate) fn new(
        device: Device,
        open: impl FnOnce(Device) -> Result<(C, String), LearnError>,
    ) -> Result<Self, LearnError> {
        let mut opened = Self { device, ..Self::cpu() };
        if device != Device::Cpu {
            match open(device) {
                Ok((card, name)) => {
                    opened.card = Some(card);
                    opened.processor = Processor::Gpu { name };
                }
                Err(error) => opened.lose(error)?,
            }
        }
        Ok(opened)
    }

    /// A card like this one, if there is one, made of it by `share`.
    ///
    /// # Errors
    /// Those of `share`, but with [`Device::Auto`] that is the CPU.
    pub(crate) fn shared(&self, share: impl FnOnce(&C) -> Result<C, LearnError>) -> Result<Self, LearnError> {
        let mut opened = Self {
            device: self.device,
            card: None,
            processor: self.processor.clone(),
        };
        match self.card.as_ref().map(share) {
            Some(Ok(card)) => opened.card = Some(card),
            Some(Err(error)) => opened.lose(error)?,
            None => {}
        }
        Ok(opened)
    }

    /// Goes on on the CPU, if [`Device::Auto`] permits it.
    ///
    /// # Errors
    /// The error that it was given.
    pub(crate) fn lose(&mut self, error: LearnError) -> Result<(), LearnError> {
        match error {
            LearnError::Gpu { reason } if self.device == Device::Auto => {
                self.card = None;
                self.processor = Processor::Cpu { reason: Some(reason) };
                Ok(())
            }
            error => Err(error),
        }
    }

    pub(crate) fn processor(&self) -> &Processor {
        &self.processor
    }
}
