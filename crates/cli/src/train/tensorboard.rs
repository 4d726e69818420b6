//! Event files, as TensorBoard reads them: records of length, masked CRC-32C, an `Event` message and its masked CRC-32C.
//!
//! Reference: `tensorflow/core/lib/io/record_writer.h` and `tensorflow/core/util/event.proto`.

use std::collections::BTreeMap;
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
    number: Option<f32>,
    #[prost(message, optional, tag = "8")]
    tensor: Option<Tensor>,
    #[prost(message, optional, tag = "9")]
    metadata: Option<Metadata>,
}

/// `TensorProto`.
#[derive(Clone, PartialEq, Message)]
struct Tensor {
    #[prost(int32, tag = "1")]
    dtype: i32,
    #[prost(message, optional, tag = "2")]
    shape: Option<Shape>,
}

#[derive(Clone, PartialEq, Message)]
struct Shape {
    #[prost(message, repeated, tag = "2")]
    dimensions: Vec<Dimension>,
}

#[derive(Clone, PartialEq, Message)]
struct Dimension {
    #[prost(int64, tag = "1")]
    size: i64,
}

/// `SummaryMetadata`.
#[derive(Clone, PartialEq, Message)]
struct Metadata {
    #[prost(message, optional, tag = "1")]
    plugin: Option<Plugin>,
}

#[derive(Clone, PartialEq, Message)]
struct Plugin {
    #[prost(string, tag = "1")]
    name: String,
    #[prost(bytes = "vec", tag = "2")]
    content: Vec<u8>,
}

/// `HParamsPluginData`, of which a run has its start.
#[derive(Clone, PartialEq, Message)]
struct HyperParameters {
    #[prost(message, optional, tag = "3")]
    start: Option<SessionStart>,
}

#[derive(Clone, PartialEq, Message)]
struct SessionStart {
    #[prost(btree_map = "string, message", tag = "1")]
    values: BTreeMap<String, Setting>,
    #[prost(double, tag = "5")]
    seconds: f64,
}

/// `google.protobuf.Value`.
#[derive(Clone, PartialEq, Message)]
struct Setting {
    #[prost(oneof = "Content", tags = "2, 3, 4")]
    content: Option<Content>,
}

#[derive(Clone, PartialEq, prost::Oneof)]
enum Content {
    #[prost(double, tag = "2")]
    Number(f64),
    #[prost(string, tag = "3")]
    Text(String),
    #[prost(bool, tag = "4")]
    Flag(bool),
}

/// `DataType.DT_FLOAT`.
const FLOAT: i32 = 1;

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

/// Collects the settings of a table by their paths. A list is shown as JSON, and what is not set is left out.
fn flatten(path: &str, settings: &serde_json::Value, values: &mut BTreeMap<String, Setting>) {
    let content = match settings {
        serde_json::Value::Null => return,
        serde_json::Value::Object(table) => {
            for (name, value) in table {
                let path = if path.is_empty() {
                    name.clone()
                } else {
                    format!("{path}.{name}")
                };
                flatten(&path, value, values);
            }
            return;
        }
        serde_json::Value::Bool(flag) => Content::Flag(*flag),
        serde_json::Value::Number(number) => Content::Number(number.as_f64().unwrap_or_default()),
        serde_json::Value::String(text) => Content::Text(text.clone()),
        serde_json::Value::Array(_) => Content::Text(settings.to_string()),
    };
    let content = Some(content);
    values.insert(path.to_owned(), Setting { content });
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
    pub(super) fn write(&mut self, prefix: &str, steps: u64, values: &[(&str, Option<f64>)]) -> io::Result<()> {
        let values = values.iter().filter_map(|(name, value)| {
            Some(Value {
                tag: format!("{prefix}/{name}"),
                number: Some((*value)? as f32),
                ..Value::default()
            })
        });
        self.summary(steps, values.collect())
    }

    /// Adds settings for the tab HPARAMS, each under its path.
    pub(super) fn hyper_parameters(&mut self, settings: &serde_json::Value) -> io::Result<()> {
        let mut values = BTreeMap::new();
        flatten("", settings, &mut values);
        let start = SessionStart { values, seconds: now() };
        let content = HyperParameters { start: Some(start) }.encode_to_vec();
        let plugin = Plugin {
            name: "hparams".to_owned(),
            content,
        };
        let value = Value {
            tag: "_hparams_/session_start_info".to_owned(),
            // The plug-in reads the metadata alone, and TensorBoard drops a value without content.
            tensor: Some(Tensor {
                dtype: FLOAT,
                shape: Some(Shape {
                    dimensions: vec![Dimension { size: 0 }],
                }),
            }),
            metadata: Some(Metadata { plugin: Some(plugin) }),
            ..Value::default()
        };
        self.summary(0, vec![value])
    }

    fn summary(&mut self, steps: u64, value: Vec<Value>) -> io::Result<()> {
        self.record(&Event {
            wall_time: now(),
            step: steps as i64,
            summary: Some(Summary { value }),
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
