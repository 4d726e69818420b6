// The windows of a convolution: a row for each sample and output place, with the terms of its sums, channel after channel, then column after
// column. A dense layer is a convolution of one place with filters of 1 x 1.
fn window(row: u32, term: u32) -> f32 {
  let place = row % PLACES;
  let tap = term / CHANNELS;
  let y = place / OUT_COLUMNS * STRIDE + tap / SIZE;
  let x = place % OUT_COLUMNS * STRIDE + tap % SIZE;
  return load((row / PLACES * ROWS + y) * COLUMNS + x, term % CHANNELS);
}
