//! Options and descriptions as plain data, which is what JavaScript's objects are.
//!
//! Rust programs read and write JSON by serde, whose code grows with every type and every format: in the WebAssembly module it was a
//! fifth of everything. The module goes by this instead, where a type is a table of its fields or words and the code is the same for
//! all. Names and messages are serde's, which the tests compare.

mod decimal;
mod forms;
#[cfg(test)]
mod tests;
mod value;

pub use decimal::Decimal;
pub use value::Value;

/// What can be plain data.
pub trait Plain: Sized {
    /// Reads a value.
    ///
    /// # Errors
    /// The reason why it is none of this type.
    fn read(value: &Value) -> Result<Self, String>;

    /// Writes the value.
    fn write(&self) -> Value;
}

/// A place that a value is read into.
pub trait Slot {
    /// Reads `value` into the place.
    ///
    /// # Errors
    /// The reason why it does not fit.
    fn fill(&mut self, value: &Value) -> Result<(), String>;

    /// What is in the place.
    fn content(&self) -> Value;
}

impl<T: Plain> Slot for T {
    fn fill(&mut self, value: &Value) -> Result<(), String> {
        *self = T::read(value)?;
        Ok(())
    }

    fn content(&self) -> Value {
        self.write()
    }
}

/// The fields of something, by name, in the order in which they are written.
pub type Fields<'a> = Vec<(&'static str, &'a mut dyn Slot)>;

/// Something with named fields.
pub trait Record {
    /// The fields.
    fn fields(&mut self) -> Fields<'_>;

    /// All of them as an object.
    fn object(&self) -> Value
    where
        Self: Clone,
    {
        forms::object_of(Vec::new(), self.clone().fields())
    }
}

/// Reads `value` into the field of this name.
///
/// # Errors
/// The reason, if there is no such field or the value does not fit.
pub fn fill_field(fields: &mut Fields<'_>, name: &str, value: &Value) -> Result<(), String> {
    if let Some((_, slot)) = fields.iter_mut().find(|(known, _)| *known == name) {
        return slot.fill(value);
    }
    let known: Vec<&str> = fields.iter().map(|(known, _)| *known).collect();
    Err(forms::unknown("field", name, &known))
}
