//! Options as JSON. An error has the path of the value at fault.

use gym2600_gym::data::{Data, Scalar};
use pyo3::prelude::*;
use serde::de::DeserializeOwned;
use serde_json::{Number, Value};

use crate::error::{refused, value_error};

/// Reads options of which each may be absent.
pub(crate) fn read<T: DeserializeOwned>(json: &str) -> PyResult<T> {
    let options: Value = serde_json::from_str(json).map_err(value_error)?;
    data(options).options().map_err(refused)
}

fn data(value: Value) -> Data {
    match value {
        Value::Null => Data::Null,
        Value::Bool(value) => Data::Scalar(Scalar::Bool(value)),
        Value::Number(number) => Data::Scalar(scalar(&number)),
        Value::String(text) => Data::Scalar(Scalar::Text(text)),
        Value::Array(entries) => Data::List(entries.into_iter().map(data).collect()),
        Value::Object(entries) => Data::Table(entries.into_iter().map(|(key, value)| (key, data(value))).collect()),
    }
}

fn scalar(number: &Number) -> Scalar {
    match number.as_i64() {
        Some(number) => Scalar::Integer(number),
        None => Scalar::Float(number.as_f64().expect("JSON's numbers are read as 64 bits")),
    }
}
