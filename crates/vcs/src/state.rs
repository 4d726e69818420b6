//! The machine's state as bytes: every field that a frame can change, little-endian, in the order of declaration.
//!
//! What follows from the ROM and its definition is not in it, and neither is what can be computed anew. The bytes carry no version
//! and no check of their own; whoever stores them adds these.

/// The bytes end before the state does, or go on after it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WrongLength;

/// A part of the machine that can be written to bytes and read back.
pub trait State {
    /// Appends the state to `bytes`.
    fn save(&self, bytes: &mut Vec<u8>);

    /// Takes the state from the front of `bytes`.
    ///
    /// # Errors
    /// [`WrongLength`] where there are too few; the part is then half restored, so restore into a copy.
    fn load(&mut self, bytes: &mut &[u8]) -> Result<(), WrongLength>;

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
    /// As for one.
    fn load_all(items: &mut [Self], bytes: &mut &[u8]) -> Result<(), WrongLength>
    where
        Self: Sized,
    {
        items.iter_mut().try_for_each(|item| item.load(bytes))
    }
}

macro_rules! integers {
    ($($integer:ty $({ $($all:item)* })?),*) => {$(
        // Called, not written out for each of the many fields that there are.
        impl State for $integer {
            #[inline(never)]
            fn save(&self, bytes: &mut Vec<u8>) {
                bytes.extend_from_slice(&self.to_le_bytes());
            }

            #[inline(never)]
            fn load(&mut self, bytes: &mut &[u8]) -> Result<(), WrongLength> {
                let (first, rest) = bytes.split_first_chunk().ok_or(WrongLength)?;
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

        fn load_all(items: &mut [Self], bytes: &mut &[u8]) -> Result<(), WrongLength> {
            let (first, rest) = bytes.split_at_checked(items.len()).ok_or(WrongLength)?;
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
    #[inline(never)]
    fn save(&self, bytes: &mut Vec<u8>) {
        u8::from(*self).save(bytes);
    }

    #[inline(never)]
    fn load(&mut self, bytes: &mut &[u8]) -> Result<(), WrongLength> {
        let mut byte = 0_u8;
        byte.load(bytes)?;
        *self = byte != 0;
        Ok(())
    }
}

impl State for usize {
    fn save(&self, bytes: &mut Vec<u8>) {
        (*self as u32).save(bytes);
    }

    fn load(&mut self, bytes: &mut &[u8]) -> Result<(), WrongLength> {
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

    fn load(&mut self, bytes: &mut &[u8]) -> Result<(), WrongLength> {
        T::load_all(self, bytes)
    }
}

impl<T: State, const N: usize> State for [T; N] {
    fn save(&self, bytes: &mut Vec<u8>) {
        self.as_slice().save(bytes);
    }

    fn load(&mut self, bytes: &mut &[u8]) -> Result<(), WrongLength> {
        self.as_mut_slice().load(bytes)
    }
}

impl<T: State + ?Sized> State for Box<T> {
    fn save(&self, bytes: &mut Vec<u8>) {
        self.as_ref().save(bytes);
    }

    fn load(&mut self, bytes: &mut &[u8]) -> Result<(), WrongLength> {
        self.as_mut().load(bytes)
    }
}

impl<A: State, B: State> State for (A, B) {
    fn save(&self, bytes: &mut Vec<u8>) {
        self.0.save(bytes);
        self.1.save(bytes);
    }

    fn load(&mut self, bytes: &mut &[u8]) -> Result<(), WrongLength> {
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

    fn load(&mut self, bytes: &mut &[u8]) -> Result<(), WrongLength> {
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
    fn load(&mut self, bytes: &mut &[u8]) -> Result<(), WrongLength> {
        self.as_mut_slice().load(bytes)
    }
}

/// Implements [`State`] field by field.
#[macro_export]
macro_rules! fields {
    ($name:ty { $($field:ident),* $(,)? }) => {
        impl $crate::State for $name {
            fn save(&self, bytes: &mut Vec<u8>) {
                $( $crate::State::save(&self.$field, bytes); )*
                let _ = bytes;
            }

            fn load(&mut self, bytes: &mut &[u8]) -> Result<(), $crate::WrongLength> {
                $( $crate::State::load(&mut self.$field, bytes)?; )*
                let _ = bytes;
                Ok(())
            }
        }
    };
}

pub(crate) use fields;
