//! The machine's state as bytes: every field that a frame can change, little-endian, in the order of declaration.
//!
//! Values that follow from the ROM, from its definition or from other fields are not saved. The bytes have no version
//! and no checksum; callers that store them add these.
//!
//! Loading accepts only values that the machine can have, so that no state, however it was made, leads to a panic later.

use std::fmt;

/// The bytes are not a state of this machine: they are too few or too many, or hold a value that it cannot have. A snapshot is not if it is
/// one of another cartridge or configuration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InvalidState;

impl fmt::Display for InvalidState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("this is no state of a console with this cartridge and configuration")
    }
}

impl std::error::Error for InvalidState {}

/// A part of the machine that can be written to bytes and read back.
pub trait State {
    /// Appends the state to `bytes`.
    fn save(&self, bytes: &mut Vec<u8>);

    /// Takes the state from the front of `bytes`.
    ///
    /// # Errors
    /// [`InvalidState`] if there are too few, or if a value is not valid. Some fields have been loaded then, so load into a copy.
    fn load(&mut self, bytes: &mut &[u8]) -> Result<(), InvalidState>;

    /// [`State::save`] for each of `items`.
    fn save_all(items: &[Self], bytes: &mut Vec<u8>)
    where
        Self: Sized,
    {
        for item in items {
            item.save(bytes);
        }
    }

    /// [`State::load`] for each of `items`.
    ///
    /// # Errors
    /// As [`State::load`].
    fn load_all(items: &mut [Self], bytes: &mut &[u8]) -> Result<(), InvalidState>
    where
        Self: Sized,
    {
        items.iter_mut().try_for_each(|item| item.load(bytes))
    }
}

macro_rules! integers {
    ($($integer:ty $({ $($all:item)* })?),*) => {$(
        impl State for $integer {
            fn save(&self, bytes: &mut Vec<u8>) {
                bytes.extend_from_slice(&self.to_le_bytes());
            }

            fn load(&mut self, bytes: &mut &[u8]) -> Result<(), InvalidState> {
                let (first, rest) = bytes.split_first_chunk().ok_or(InvalidState)?;
                *self = Self::from_le_bytes(*first);
                *bytes = rest;
                Ok(())
            }

            $($($all)*)?
        }
    )*};
}

integers!(
    u8 {
        fn save_all(items: &[Self], bytes: &mut Vec<u8>) {
            bytes.extend_from_slice(items);
        }

        fn load_all(items: &mut [Self], bytes: &mut &[u8]) -> Result<(), InvalidState> {
            let (first, rest) = bytes.split_at_checked(items.len()).ok_or(InvalidState)?;
            items.copy_from_slice(first);
            *bytes = rest;
            Ok(())
        }
    },
    u16,
    u32,
    u64,
    u128,
    i32,
    i64,
    f32,
    f64
);

impl State for bool {
    fn save(&self, bytes: &mut Vec<u8>) {
        u8::from(*self).save(bytes);
    }

    fn load(&mut self, bytes: &mut &[u8]) -> Result<(), InvalidState> {
        let mut byte = 0_u8;
        byte.load(bytes)?;
        *self = match byte {
            0 => false,
            1 => true,
            _ => return Err(InvalidState),
        };
        Ok(())
    }
}

impl State for usize {
    fn save(&self, bytes: &mut Vec<u8>) {
        (*self as u32).save(bytes);
    }

    fn load(&mut self, bytes: &mut &[u8]) -> Result<(), InvalidState> {
        let mut word = 0_u32;
        word.load(bytes)?;
        *self = word as Self;
        Ok(())
    }
}

impl<T: State> State for [T] {
    fn save(&self, bytes: &mut Vec<u8>) {
        T::save_all(self, bytes);
    }

    fn load(&mut self, bytes: &mut &[u8]) -> Result<(), InvalidState> {
        T::load_all(self, bytes)
    }
}

impl<T: State, const N: usize> State for [T; N] {
    fn save(&self, bytes: &mut Vec<u8>) {
        self.as_slice().save(bytes);
    }

    fn load(&mut self, bytes: &mut &[u8]) -> Result<(), InvalidState> {
        self.as_mut_slice().load(bytes)
    }
}

impl<T: State + ?Sized> State for Box<T> {
    fn save(&self, bytes: &mut Vec<u8>) {
        self.as_ref().save(bytes);
    }

    fn load(&mut self, bytes: &mut &[u8]) -> Result<(), InvalidState> {
        self.as_mut().load(bytes)
    }
}

impl<A: State, B: State> State for (A, B) {
    fn save(&self, bytes: &mut Vec<u8>) {
        self.0.save(bytes);
        self.1.save(bytes);
    }

    fn load(&mut self, bytes: &mut &[u8]) -> Result<(), InvalidState> {
        self.0.load(bytes)?;
        self.1.load(bytes)
    }
}

impl<T: State + Default> State for Option<T> {
    fn save(&self, bytes: &mut Vec<u8>) {
        self.is_some().save(bytes);
        if let Some(value) = self {
            value.save(bytes);
        }
    }

    fn load(&mut self, bytes: &mut &[u8]) -> Result<(), InvalidState> {
        let mut present = false;
        present.load(bytes)?;
        *self = None;
        if present {
            self.insert(T::default()).load(bytes)?;
        }
        Ok(())
    }
}

impl<T: State> State for Vec<T> {
    fn save(&self, bytes: &mut Vec<u8>) {
        self.as_slice().save(bytes);
    }

    /// Loads as many items as there are.
    fn load(&mut self, bytes: &mut &[u8]) -> Result<(), InvalidState> {
        self.as_mut_slice().load(bytes)
    }
}

/// Implements [`State`] field by field. With `where is_valid`, a method of this name tells whether the loaded fields are valid
/// together.
#[macro_export]
macro_rules! fields {
    ($name:ty { $($field:ident),* $(,)? } $(where $is_valid:ident)?) => {
        impl $crate::State for $name {
            fn save(&self, bytes: &mut Vec<u8>) {
                $( $crate::State::save(&self.$field, bytes); )*
                let _ = bytes;
            }

            fn load(&mut self, bytes: &mut &[u8]) -> Result<(), $crate::InvalidState> {
                $( $crate::State::load(&mut self.$field, bytes)?; )*
                let _ = bytes;
                $( if !self.$is_valid() { return Err($crate::InvalidState); } )?
                Ok(())
            }
        }
    };
}

pub(crate) use fields;
