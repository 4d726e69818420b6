// The input of a layer above the first: the outputs of the layer below.
fn load(pixel: u32, channel: u32) -> f32 {
  return values[pixel * CHANNELS + channel];
}
