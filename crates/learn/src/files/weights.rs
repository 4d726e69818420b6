//! Files of weights.

use safetensors::tensor::{Dtype, Metadata, SafeTensors, TensorView};
use semver::Version;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::tensors::{Tensor, named, places};
use crate::error::LearnError;
use crate::net::{Input, Net, Plan};
use crate::origin::Origin;
use crate::policy::Policy;
use crate::train::Learner;

/// The key of our metadata, one JSON object: the fields of [`Origin`], and those of a checkpoint.
pub(super) const METADATA: &str = "gym2600";

/// The bytes of a value's floats as a file has them.
pub(super) fn bytes_of(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

/// The inverse of [`bytes_of`].
pub(super) fn floats_of(bytes: &[u8]) -> Vec<f32> {
    bytes
        .as_chunks::<4>()
        .0
        .iter()
        .map(|bytes| f32::from_le_bytes(*bytes))
        .collect()
}

/// A tensor of a file to be written.
pub(super) struct Entry {
    pub(super) name: String,
    pub(super) dtype: Dtype,
    pub(super) shape: Vec<usize>,
    pub(super) bytes: Vec<u8>,
}

impl From<Tensor> for Entry {
    fn from(tensor: Tensor) -> Self {
        Self {
            bytes: bytes_of(&tensor.values),
            name: tensor.name,
            dtype: Dtype::F32,
            shape: tensor.shape,
        }
    }
}

#[allow(clippy::needless_pass_by_value, reason = "for map_err")]
fn damaged(error: impl ToString) -> LearnError {
    LearnError::File {
        what: "safetensors",
        reason: error.to_string(),
    }
}

/// Our metadata with the file's checksum behind all other fields.
#[derive(Serialize)]
struct Sealed<'a, T> {
    #[serde(flatten)]
    metadata: &'a T,
    crc32: &'a str,
}

/// The checksum of a file in its metadata. Weights may have none.
#[derive(Deserialize)]
struct Seal {
    crc32: Option<String>,
}

/// What a file has in place of its checksum while that is computed.
const UNSEALED: &str = "00000000";

/// The place of the checksum's digits in a file: behind the last key of its name in the header, where metadata is JSON in a string of JSON.
fn place_of_checksum(bytes: &[u8], digits: &str) -> Option<usize> {
    let (length, rest) = bytes.split_first_chunk()?;
    let header = rest.get(..u64::from_le_bytes(*length) as usize)?;
    let key = br#"\"crc32\":\""#;
    let field = [key, digits.as_bytes(), br#"\"}"#].concat();
    let at = header.windows(field.len()).rposition(|window| window == field)?;
    Some(length.len() + at + key.len())
}

/// The CRC-32 of a file with zeros in place of the checksum's digits.
fn checksum(bytes: &[u8], place: usize) -> String {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&bytes[..place]);
    hasher.update(UNSEALED.as_bytes());
    hasher.update(&bytes[place + UNSEALED.len()..]);
    format!("{:08x}", hasher.finalize())
}

/// A file of tensors and one JSON object.
pub(super) fn write(entries: &[Entry], metadata: &impl Serialize) -> Result<Vec<u8>, LearnError> {
    let views = entries.iter().map(|entry| {
        let view = TensorView::new(entry.dtype, entry.shape.clone(), &entry.bytes);
        view.map(|view| (entry.name.as_str(), view)).map_err(damaged)
    });
    let views = views.collect::<Result<Vec<_>, _>>()?;
    let crc32 = UNSEALED;
    let metadata = serde_json::to_string(&Sealed { metadata, crc32 }).map_err(damaged)?;
    let metadata = [(METADATA.to_owned(), metadata)].into_iter().collect();
    let mut bytes = safetensors::serialize(views, Some(metadata)).map_err(damaged)?;
    let place = place_of_checksum(&bytes, UNSEALED).expect("the metadata ends in it");
    let sum = checksum(&bytes, place);
    bytes[place..place + sum.len()].copy_from_slice(sum.as_bytes());
    Ok(bytes)
}

/// The largest header that is read, far above that of any of our files: hundreds of thousands of tensors take seconds.
const MAX_HEADER: u64 = 1 << 20;

/// A file that was read. It is whole, if it has a checksum.
pub(super) struct File<'a> {
    pub(super) tensors: SafeTensors<'a>,
    header: Metadata,
    /// Whether it has a checksum.
    pub(super) is_sealed: bool,
}

impl<'a> File<'a> {
    pub(super) fn read(bytes: &'a [u8]) -> Result<Self, LearnError> {
        let length = bytes.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
        if length > MAX_HEADER {
            return Err(damaged(format!(
                "its header has {length} bytes; the limit is {MAX_HEADER}"
            )));
        }
        let (_, header) = SafeTensors::read_metadata(bytes).map_err(damaged)?;
        let mut file = Self {
            tensors: SafeTensors::deserialize(bytes).map_err(damaged)?,
            header,
            is_sealed: false,
        };
        if let Some(Seal { crc32: Some(expected) }) = file.metadata()? {
            file.check_seal(bytes, &expected)?;
            file.is_sealed = true;
        }
        Ok(file)
    }

    /// Refuses a file whose bytes are not those that its checksum was made of. A later version may make it in another way, so that is
    /// refused first.
    fn check_seal(&self, bytes: &[u8], expected: &str) -> Result<(), LearnError> {
        self.origin()?;
        let place = place_of_checksum(bytes, expected).filter(|_| expected.len() == UNSEALED.len());
        let place =
            place.ok_or_else(|| damaged(format!("its checksum is {expected:?}, not eight digits at the end")))?;
        let found = checksum(bytes, place);
        if found == *expected {
            return Ok(());
        }
        Err(damaged(format!(
            "its checksum is {found}, not {expected}: it is damaged, or was changed and kept its metadata's crc32"
        )))
    }

    /// What the weights were made for, if the file says so. Refuses a file of a later version.
    pub(super) fn origin(&self) -> Result<Option<Origin>, LearnError> {
        let origin: Option<Origin> = self.metadata()?;
        if let Some(Origin { version, .. }) = &origin {
            let ours = env!("CARGO_PKG_VERSION");
            let version_of =
                |text: &str| Version::parse(text).map_err(|error| damaged(format!("its version {text:?}: {error}")));
            if version_of(version)? > version_of(ours)? {
                return Err(damaged(format!("it is of version {version}, and this is {ours}")));
            }
        }
        Ok(origin)
    }

    /// Fields of our metadata, if the file has any.
    pub(super) fn metadata<T: DeserializeOwned>(&self) -> Result<Option<T>, LearnError> {
        let ours = self
            .header
            .metadata()
            .as_ref()
            .and_then(|metadata| metadata.get(METADATA));
        let read = ours.map(|json| serde_json::from_str(json)).transpose();
        read.map_err(|error| LearnError::File {
            what: "weights",
            reason: format!("its metadata: {error}"),
        })
    }
}

/// The parameters of a plan from a file's tensors.
///
/// # Errors
/// [`LearnError::Misfit`] naming the tensor and both shapes, [`LearnError::File`] for a value that is not finite.
pub(super) fn parameters(plan: &Plan, file: &SafeTensors<'_>) -> Result<Vec<f32>, LearnError> {
    let mut parameters = vec![0.0; plan.parameters()];
    for (name, shape, places) in places(plan) {
        let misfit = |theirs: String| LearnError::Misfit {
            what: format!("tensor {name}"),
            theirs,
            ours: format!("shape {shape:?}"),
        };
        let tensor = file.tensor(&name).map_err(|_| misfit("nothing".to_owned()))?;
        if tensor.shape() != shape {
            return Err(misfit(format!("shape {:?}", tensor.shape())));
        }
        if tensor.dtype() != Dtype::F32 {
            return Err(LearnError::Misfit {
                what: format!("tensor {name}"),
                theirs: format!("type {:?}", tensor.dtype()),
                ours: "type F32".to_owned(),
            });
        }
        for (place, value) in places.iter().zip(floats_of(tensor.data())) {
            if !value.is_finite() {
                return Err(LearnError::File {
                    what: "weights",
                    reason: format!("tensor {name} has {value}, which is not a finite number"),
                });
            }
            parameters[*place] = value;
        }
    }
    Ok(parameters)
}

impl Learner {
    /// The weights after the last whole update as a file of safetensors.
    ///
    /// # Errors
    /// [`LearnError::File`], which does not happen.
    pub fn weights(&self) -> Result<Vec<u8>, LearnError> {
        self.tensors(&self.weights)
    }

    /// Values for each parameter as a file.
    pub(crate) fn tensors(&self, values: &[f32]) -> Result<Vec<u8>, LearnError> {
        let entries: Vec<Entry> = named(&self.plan, values).into_iter().map(Entry::from).collect();
        write(&entries, &self.origin())
    }

    /// CRC-32 of all parameters in the order of [`Learner::weights`].
    pub fn weights_checksum(&self) -> u32 {
        let mut hasher = crc32fast::Hasher::new();
        for tensor in named(&self.plan, &self.weights) {
            hasher.update(&bytes_of(&tensor.values));
        }
        hasher.finalize()
    }
}

impl Policy {
    /// A policy from a file of weights or a checkpoint. One without our metadata, from CleanRL for one, sees four pictures of
    /// 84 x 84, the oldest first, and the net is the one that its shapes are of.
    ///
    /// # Errors
    /// [`LearnError::File`] or [`LearnError::Misfit`]
    pub fn load(bytes: &[u8]) -> Result<Self, LearnError> {
        let file = File::read(bytes)?;
        let origin = file.origin()?;
        let plan = match &origin {
            Some(origin) => origin.plan(),
            None => plan_of(&file.tensors),
        };
        let plan = plan.map_err(|error| match error {
            LearnError::Observation { reason } => LearnError::File {
                what: "weights",
                reason,
            },
            other => other,
        })?;
        let parameters = parameters(&plan, &file.tensors)?;
        Ok(Self::new(plan, &parameters, origin))
    }
}

/// The plan that a file's shapes are of.
fn plan_of(file: &SafeTensors<'_>) -> Result<Plan, LearnError> {
    let shape = |name: &str| {
        file.tensor(name)
            .map(|tensor| tensor.shape().to_vec())
            .unwrap_or_default()
    };
    let actions = shape("actor.weight").first().copied().unwrap_or(1);
    let input = Input {
        height: 84,
        width: 84,
        frames: 4,
    };
    let first = shape("network.0.weight");
    let net = Net::ALL
        .into_iter()
        .find(|net| first.first() == Some(&net.filters()[0].count));
    let Some(net) = net else {
        return Err(LearnError::Misfit {
            what: "tensor network.0.weight".to_owned(),
            theirs: format!("shape {first:?}"),
            ours: "shape [8, 4, 8, 8], [16, 4, 8, 8] or [32, 4, 8, 8]".to_owned(),
        });
    };
    Plan::of(net, input, actions)
}
