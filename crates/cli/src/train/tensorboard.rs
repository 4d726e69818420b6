//! Event files, as TensorBoard reads them: records of length, masked CRC-32C, an `Event` message and its masked CRC-32C.
//!
//! Reference: `tensorflow/core/lib/io/record_writer.h` and `tensorflow/core/util/event.proto`.

use std::fs::{self, File};
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
}

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
    /// Starts a file in a folder, which is made if there is none.
    pub(super) fn create(folder: &str) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        let name = format!("events.out.tfevents.{:.0}.gym2600", now());
        let mut file = Self(BufWriter::new(File::create(Path::new(folder).join(name))?));
        file.record(&Event {
            wall_time: now(),
            step: 0,
            file_version: Some("brain.Event:2".to_owned()),
            summary: None,
        })?;
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
            file_version: None,
            summary: Some(Summary {
                value: values.collect(),
            }),
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
