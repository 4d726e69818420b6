// The gradient of a layer's weights and, as one more row, of its biases: transposed windows times the outputs' gradient. The sum over all
// places of the batch is long and the product small, so PARTS sections of the sum are computed side by side.

@group(0) @binding(0) var<uniform> settings: Settings;
@group(0) @binding(1) var<storage, read> values: array<INPUT>;
@group(0) @binding(2) var<storage, read> slopes: array<f32>;
@group(0) @binding(3) var<storage, read_write> sections: array<f32>;

const COLUMN_COUNT = OUTPUTS;

fn row_count(part: u32) -> u32 {
  return TERMS + 1u;
}

// Places of a section: whole tiles.
fn section() -> u32 {
  let tiles = (settings.size * PLACES + DEPTH - 1u) / DEPTH;
  return (tiles + PARTS - 1u) / PARTS * DEPTH;
}

fn first_term(part: u32) -> u32 {
  return part * section();
}

fn end_term(part: u32) -> u32 {
  return min((part + 1u) * section(), settings.size * PLACES);
}

fn left_at(part: u32, row: u32, term: u32) -> f32 {
  if (row == TERMS) {
    return 1.0;
  }
  return window(term, row);
}

fn right_at(part: u32, term: u32, column: u32) -> f32 {
  return slopes[term * OUTPUTS + column];
}

fn store(part: u32, row: u32, column: u32, sum: f32) {
  sections[(part * (TERMS + 1u) + row) * OUTPUTS + column] = sum;
}
