// The gradient of a layer's input, behind the ReLU of the layer below.
//
// A pixel gets from the taps of a filter only those that a stride brings there: its row and column modulo the stride say which. So each such
// class of pixels is a part of its own, and no term of the products is 0 but at the margins.

@group(0) @binding(0) var<uniform> settings: Settings;
@group(0) @binding(1) var<storage, read> values: array<f32>;
@group(0) @binding(2) var<storage, read> parameters: array<f32>;
@group(0) @binding(3) var<storage, read> slopes: array<f32>;
@group(0) @binding(4) var<storage, read_write> below: array<f32>;

const COLUMN_COUNT = CHANNELS;
// Taps along a side of a filter, in one class.
const TAPS = (SIZE + STRIDE - 1u) / STRIDE;
// Pixels of a class.
const CLASS_ROWS = (ROWS + STRIDE - 1u) / STRIDE;
const CLASS_COLUMNS = (COLUMNS + STRIDE - 1u) / STRIDE;

fn row_count(part: u32) -> u32 {
  return settings.size * CLASS_ROWS * CLASS_COLUMNS;
}

fn first_term(part: u32) -> u32 {
  return 0u;
}

fn end_term(part: u32) -> u32 {
  return TAPS * TAPS * OUTPUTS;
}

// The outputs' gradient at the place that has this pixel under this tap.
fn left_at(part: u32, row: u32, term: u32) -> f32 {
  let tap = term / OUTPUTS;
  let sample = row / (CLASS_ROWS * CLASS_COLUMNS);
  let pixel = row % (CLASS_ROWS * CLASS_COLUMNS);
  // Below 0 these are huge numbers, which are no places either.
  let y = pixel / CLASS_COLUMNS - tap / TAPS;
  let x = pixel % CLASS_COLUMNS - tap % TAPS;
  if (y >= OUT_ROWS || x >= OUT_COLUMNS) {
    return 0.0;
  }
  return slopes[((sample * OUT_ROWS + y) * OUT_COLUMNS + x) * OUTPUTS + term % OUTPUTS];
}

fn right_at(part: u32, term: u32, column: u32) -> f32 {
  let tap = term / OUTPUTS;
  let y = part / STRIDE + tap / TAPS * STRIDE;
  let x = part % STRIDE + tap % TAPS * STRIDE;
  if (y >= SIZE || x >= SIZE) {
    return 0.0;
  }
  return parameters[AT + ((y * SIZE + x) * CHANNELS + column) * OUTPUTS + term % OUTPUTS];
}

fn store(part: u32, row: u32, column: u32, sum: f32) {
  let sample = row / (CLASS_ROWS * CLASS_COLUMNS);
  let pixel = row % (CLASS_ROWS * CLASS_COLUMNS);
  let y = pixel / CLASS_COLUMNS * STRIDE + part / STRIDE;
  let x = pixel % CLASS_COLUMNS * STRIDE + part % STRIDE;
  if (y < ROWS && x < COLUMNS) {
    let at = ((sample * ROWS + y) * COLUMNS + x) * CHANNELS + column;
    below[at] = select(0.0, sum, values[at] > 0.0);
  }
}
