// A matrix product by tiles. A workgroup computes TILE_ROWS x TILE_COLUMNS elements, of which each invocation computes LANE_ROWS x
// LANE_COLUMNS. Every element is one sum in ascending order, so the same device gives the same bits.
//
// What precedes this text defines the matrices: COLUMN_COUNT, row_count, first_term, end_term, left_at, right_at and store. A product has
// parts, such as sections of a long sum.

var<workgroup> left: array<f32, DEPTH * TILE_ROWS>;
var<workgroup> right: array<f32, DEPTH * TILE_COLUMNS>;

const THREADS = (TILE_ROWS / LANE_ROWS) * (TILE_COLUMNS / LANE_COLUMNS);
const LANES_ACROSS = TILE_COLUMNS / LANE_COLUMNS;
const COLUMN_TILES = (COLUMN_COUNT + TILE_COLUMNS - 1u) / TILE_COLUMNS;

@compute @workgroup_size(THREADS)
fn main(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) thread: u32,
) {
  let top = (group.y * groups.x + group.x) * TILE_ROWS;
  let side = group.z % COLUMN_TILES * TILE_COLUMNS;
  let part = group.z / COLUMN_TILES;
  let rows = row_count(part);
  let end = end_term(part);
  let lane_row = thread / LANES_ACROSS * LANE_ROWS;
  let lane_column = thread % LANES_ACROSS * LANE_COLUMNS;
  var sums: array<array<f32, LANE_COLUMNS>, LANE_ROWS>;
  for (var start = first_term(part); start < end; start += DEPTH) {
    for (var i = thread; i < DEPTH * TILE_ROWS; i += THREADS) {
      let row = top + i % TILE_ROWS;
      let term = start + i / TILE_ROWS;
      var value = 0.0;
      if (row < rows && term < end) {
        value = left_at(part, row, term);
      }
      left[i] = value;
    }
    for (var i = thread; i < DEPTH * TILE_COLUMNS; i += THREADS) {
      let column = side + i % TILE_COLUMNS;
      let term = start + i / TILE_COLUMNS;
      var value = 0.0;
      if (column < COLUMN_COUNT && term < end) {
        value = right_at(part, term, column);
      }
      right[i] = value;
    }
    workgroupBarrier();
    for (var term = 0u; term < DEPTH; term++) {
      var a: array<f32, LANE_ROWS>;
      var b: array<f32, LANE_COLUMNS>;
      for (var i = 0u; i < LANE_ROWS; i++) {
        a[i] = left[term * TILE_ROWS + lane_row + i];
      }
      for (var j = 0u; j < LANE_COLUMNS; j++) {
        b[j] = right[term * TILE_COLUMNS + lane_column + j];
      }
      for (var i = 0u; i < LANE_ROWS; i++) {
        for (var j = 0u; j < LANE_COLUMNS; j++) {
          sums[i][j] = fma(a[i], b[j], sums[i][j]);
        }
      }
    }
    workgroupBarrier();
  }
  for (var i = 0u; i < LANE_ROWS; i++) {
    for (var j = 0u; j < LANE_COLUMNS; j++) {
      let row = top + lane_row + i;
      let column = side + lane_column + j;
      if (row < rows && column < COLUMN_COUNT) {
        store(part, row, column, sums[i][j]);
      }
    }
  }
}
