// A layer's outputs: windows times weights, with biases and, in most layers, a ReLU.

@group(0) @binding(0) var<uniform> settings: Settings;
@group(0) @binding(1) var<storage, read> values: array<INPUT>;
@group(0) @binding(2) var<storage, read> parameters: array<f32>;
@group(0) @binding(3) var<storage, read_write> outputs: array<f32>;

const COLUMN_COUNT = OUTPUTS;

fn row_count(part: u32) -> u32 {
  return settings.size * PLACES;
}

fn first_term(part: u32) -> u32 {
  return 0u;
}

fn end_term(part: u32) -> u32 {
  return TERMS;
}

fn left_at(part: u32, row: u32, term: u32) -> f32 {
  return window(row, term);
}

fn right_at(part: u32, term: u32, column: u32) -> f32 {
  return parameters[AT + term * OUTPUTS + column];
}

fn store(part: u32, row: u32, column: u32, sum: f32) {
  let value = sum + parameters[AT + TERMS * OUTPUTS + column];
  outputs[row * OUTPUTS + column] = select(value, max(value, 0.0), RELU);
}
