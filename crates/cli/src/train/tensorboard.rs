//! Event files, as TensorBoard reads them: records of length, masked CRC-32C, an `Event` message and its masked CRC-32C.
//!
//! Reference: `tensorflow/core/lib/io/record_writer.h` and `tensorflow/core/util/event.proto`.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use prost::Message;

#[derive(Clone, PartialEq, Message)]
struct Event {
    #[prost(double, tag = "1")]
    wall_time: f64,
    #[prost(int64, tag = "2")]
    step: i64,
    #[prost(string, optional, tag = "3")]
    file_version: Option<String>,
    #[prost(message, optional, tag = "5")]
    summary: Option<Summary>,
    #[prost(message, optional, tag = "7")]
    session_log: Option<SessionLog>,
}

#[derive(Clone, PartialEq, Message)]
struct SessionLog {
    #[prost(int32, tag = "1")]
    status: i32,
}

/// `SessionLog.SessionStatus`: TensorBoard drops the values of this step and later ones that it has read before.
const START: i32 = 1;

#[derive(Clone, PartialEq, Message)]
struct Summary {
    #[prost(message, repeated, tag = "1")]
    value: Vec<Value>,
}

#[derive(Clone, PartialEq, Message)]
struct Value {
    #[prost(string, tag = "1")]
    tag: String,
    // Optional, because TensorBoard drops a value whose 0 is left out.
    #[prost(float, optional, tag = "2")]
    simple_value: Option<f32>,
}

/// An event file being written.
pub(super) struct EventFile(BufWriter<File>);

fn now() -> f64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0.0, |time| time.as_secs_f64())
}

fn masked(bytes: &[u8]) -> u32 {
    crc32c::crc32c(bytes).rotate_right(15).wrapping_add(0xA282_EAD8)
}

impl EventFile {
    /// Starts a file in a folder. From the step `again` on it stands for the folder's earlier files.
    pub(super) fn create(folder: &str, again: Option<u64>) -> io::Result<Self> {
        // TensorBoard reads files in the order of their names.
        let name = format!("events.out.tfevents.{:017.6}.gym2600", now());
        let mut file = Self(BufWriter::new(File::create_new(Path::new(folder).join(name))?));
        file.record(&Event {
            wall_time: now(),
            step: 0,
            file_version: Some("brain.Event:2".to_owned()),
            ..Event::default()
        })?;
        if let Some(step) = again {
            file.record(&Event {
                wall_time: now(),
                step: step as i64,
                session_log: Some(SessionLog { status: START }),
                ..Event::default()
            })?;
        }
        Ok(file)
    }

    /// Adds the values that there are.
    pub(super) fn write(&mut self, steps: u64, values: &[(&str, Option<f64>)]) -> io::Result<()> {
        let values = values.iter().filter_map(|(name, value)| {
            Some(Value {
                tag: format!("train/{name}"),
                simple_value: Some((*value)? as f32),
            })
        });
        self.record(&Event {
            wall_time: now(),
            step: steps as i64,
            summary: Some(Summary {
                value: values.collect(),
            }),
            ..Event::default()
        })
    }

    fn record(&mut self, event: &Event) -> io::Result<()> {
        let event = event.encode_to_vec();
        let length = (event.len() as u64).to_le_bytes();
        for part in [
            &length[..],
            &masked(&length).to_le_bytes(),
            &event,
            &masked(&event).to_le_bytes(),
        ] {
            self.0.write_all(part)?;
        }
        self.0.flush()
    }
}
