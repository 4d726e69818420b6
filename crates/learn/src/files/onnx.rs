//! Policies as ONNX files: observations as bytes, batch x frames x height x width, to `logits` and `value`. What the weights were made for
//! is a property of the model, with the key and the JSON of a file of weights.
//!
//! The messages are the parts of the ONNX schema that a policy needs, with the schema's field numbers:
//! <https://github.com/onnx/onnx/blob/main/onnx/onnx.proto>.

use prost::Message;

use super::tensors::named;
use super::weights::{METADATA, bytes_of};
use crate::net::{Input, LayerKind, Plan};
use crate::origin::Origin;
use crate::policy::Policy;
use crate::train::Learner;

#[derive(Clone, PartialEq, Message)]
struct Model {
    #[prost(int64, tag = "1")]
    ir_version: i64,
    #[prost(string, tag = "2")]
    producer_name: String,
    #[prost(message, optional, tag = "7")]
    graph: Option<Graph>,
    #[prost(message, repeated, tag = "8")]
    opset_import: Vec<OperatorSet>,
    #[prost(message, repeated, tag = "14")]
    metadata_props: Vec<Property>,
}

#[derive(Clone, PartialEq, Message)]
struct Property {
    #[prost(string, tag = "1")]
    key: String,
    #[prost(string, tag = "2")]
    value: String,
}

/// The part of a model that says what it was made for.
#[derive(Clone, PartialEq, Message)]
struct Properties {
    #[prost(message, repeated, tag = "14")]
    metadata_props: Vec<Property>,
}

/// What the model of a file was made for, where the file says so.
pub(crate) fn origin_of(file: &[u8]) -> Option<Origin> {
    let properties = Properties::decode(file).ok()?.metadata_props;
    let ours = properties.into_iter().find(|property| property.key == METADATA)?;
    serde_json::from_str(&ours.value).ok()
}

#[derive(Clone, PartialEq, Message)]
struct OperatorSet {
    #[prost(int64, tag = "2")]
    version: i64,
}

#[derive(Clone, PartialEq, Message)]
struct Graph {
    #[prost(message, repeated, tag = "1")]
    node: Vec<Node>,
    #[prost(string, tag = "2")]
    name: String,
    #[prost(message, repeated, tag = "5")]
    initializer: Vec<Initializer>,
    #[prost(message, repeated, tag = "11")]
    input: Vec<ValueInfo>,
    #[prost(message, repeated, tag = "12")]
    output: Vec<ValueInfo>,
}

#[derive(Clone, PartialEq, Message)]
struct Node {
    #[prost(string, repeated, tag = "1")]
    input: Vec<String>,
    #[prost(string, repeated, tag = "2")]
    output: Vec<String>,
    #[prost(string, tag = "4")]
    op_type: String,
    #[prost(message, repeated, tag = "5")]
    attribute: Vec<Attribute>,
}

#[derive(Clone, PartialEq, Message)]
struct Attribute {
    #[prost(string, tag = "1")]
    name: String,
    #[prost(int64, optional, tag = "3")]
    i: Option<i64>,
    #[prost(int64, repeated, packed = "false", tag = "8")]
    ints: Vec<i64>,
    #[prost(int32, tag = "20")]
    r#type: i32,
}

#[derive(Clone, PartialEq, Message)]
struct Initializer {
    #[prost(int64, repeated, packed = "false", tag = "1")]
    dims: Vec<i64>,
    #[prost(int32, tag = "2")]
    data_type: i32,
    #[prost(string, tag = "8")]
    name: String,
    #[prost(bytes = "vec", tag = "9")]
    raw_data: Vec<u8>,
}

#[derive(Clone, PartialEq, Message)]
struct ValueInfo {
    #[prost(string, tag = "1")]
    name: String,
    #[prost(message, optional, tag = "2")]
    r#type: Option<TypeOf>,
}

#[derive(Clone, PartialEq, Message)]
struct TypeOf {
    #[prost(message, optional, tag = "1")]
    tensor_type: Option<TensorType>,
}

#[derive(Clone, PartialEq, Message)]
struct TensorType {
    #[prost(int32, tag = "1")]
    elem_type: i32,
    #[prost(message, optional, tag = "2")]
    shape: Option<Shape>,
}

#[derive(Clone, PartialEq, Message)]
struct Shape {
    #[prost(message, repeated, tag = "1")]
    dim: Vec<Dimension>,
}

#[derive(Clone, PartialEq, Message)]
struct Dimension {
    #[prost(int64, optional, tag = "1")]
    dim_value: Option<i64>,
    #[prost(string, optional, tag = "2")]
    dim_param: Option<String>,
}

/// `TensorProto.DataType`.
const FLOAT: i32 = 1;
const UINT8: i32 = 2;
/// `AttributeProto.AttributeType`.
const INT: i32 = 2;
const INTS: i32 = 7;

fn int(name: &str, value: i64) -> Attribute {
    Attribute {
        name: name.to_owned(),
        i: Some(value),
        ints: Vec::new(),
        r#type: INT,
    }
}

fn ints(name: &str, values: &[usize]) -> Attribute {
    Attribute {
        name: name.to_owned(),
        i: None,
        ints: values.iter().map(|value| *value as i64).collect(),
        r#type: INTS,
    }
}

fn value(name: &str, elem_type: i32, sizes: &[usize]) -> ValueInfo {
    let batch = Dimension {
        dim_value: None,
        dim_param: Some("batch".to_owned()),
    };
    let sizes = sizes.iter().map(|size| Dimension {
        dim_value: Some(*size as i64),
        dim_param: None,
    });
    ValueInfo {
        name: name.to_owned(),
        r#type: Some(TypeOf {
            tensor_type: Some(TensorType {
                elem_type,
                shape: Some(Shape {
                    dim: std::iter::once(batch).chain(sizes).collect(),
                }),
            }),
        }),
    }
}

/// The nodes of a graph, each of which takes the result of the one before.
struct Chain {
    nodes: Vec<Node>,
    last: String,
}

impl Chain {
    fn add(&mut self, op_type: &str, parameters: &[String], attribute: Vec<Attribute>) {
        let output = format!("{}{}", op_type.to_lowercase(), self.nodes.len());
        self.nodes.push(Node {
            input: [std::slice::from_ref(&self.last), parameters].concat(),
            output: vec![output.clone()],
            op_type: op_type.to_owned(),
            attribute,
        });
        self.last = output;
    }
}

fn layer_parameters(layer: &str) -> [String; 2] {
    [format!("{layer}.weight"), format!("{layer}.bias")]
}

fn graph(plan: &Plan, parameters: &[f32]) -> Graph {
    let mut chain = Chain {
        nodes: Vec::new(),
        last: "observation".to_owned(),
    };
    chain.add("Cast", &[], vec![int("to", i64::from(FLOAT))]);
    chain.add("Div", &["scale".to_owned()], Vec::new());
    let convolutions = plan.layers.len() - 2;
    for (number, layer) in plan.layers[..convolutions].iter().enumerate() {
        if let LayerKind::Convolution { size, stride, .. } = layer.kind {
            let attributes = vec![ints("kernel_shape", &[size; 2]), ints("strides", &[stride; 2])];
            chain.add(
                "Conv",
                &layer_parameters(&format!("network.{}", 2 * number)),
                attributes,
            );
            chain.add("Relu", &[], Vec::new());
        }
    }
    chain.add("Flatten", &[], Vec::new());
    let linear = layer_parameters(&format!("network.{}", 2 * convolutions + 1));
    chain.add("Gemm", &linear, vec![int("transB", 1)]);
    chain.add("Relu", &[], Vec::new());
    for (layer, output) in [("actor", "logits"), ("critic", "value")] {
        chain.nodes.push(Node {
            input: [std::slice::from_ref(&chain.last), &layer_parameters(layer)].concat(),
            output: vec![output.to_owned()],
            op_type: "Gemm".to_owned(),
            attribute: vec![int("transB", 1)],
        });
    }
    let mut initializer: Vec<Initializer> = named(plan, parameters)
        .into_iter()
        .map(|tensor| Initializer {
            dims: tensor.shape.iter().map(|size| *size as i64).collect(),
            data_type: FLOAT,
            name: tensor.name,
            raw_data: bytes_of(&tensor.values),
        })
        .collect();
    initializer.push(Initializer {
        dims: Vec::new(),
        data_type: FLOAT,
        name: "scale".to_owned(),
        raw_data: bytes_of(&[255.0]),
    });
    let Input { height, width, frames } = plan.input;
    Graph {
        node: chain.nodes,
        name: "policy".to_owned(),
        initializer,
        input: vec![value("observation", UINT8, &[frames, height, width])],
        output: vec![value("logits", FLOAT, &[plan.actions]), value("value", FLOAT, &[1])],
    }
}

impl Learner {
    /// The policy after the last whole update as an ONNX file.
    pub fn onnx(&self) -> Vec<u8> {
        to_onnx(&self.plan, &self.weights, Some(&self.origin()))
    }
}

impl Policy {
    /// The policy as an ONNX file.
    pub fn onnx(&self) -> Vec<u8> {
        to_onnx(self.pass.plan(), &self.parameters, self.origin())
    }
}

fn to_onnx(plan: &Plan, parameters: &[f32], origin: Option<&Origin>) -> Vec<u8> {
    let property = |origin: &Origin| Property {
        key: METADATA.to_owned(),
        value: serde_json::to_string(origin).expect("an origin is plain data"),
    };
    let model = Model {
        ir_version: 8,
        producer_name: "gym2600".to_owned(),
        graph: Some(graph(plan, parameters)),
        opset_import: vec![OperatorSet { version: 13 }],
        metadata_props: origin.map(property).into_iter().collect(),
    };
    model.encode_to_vec()
}
