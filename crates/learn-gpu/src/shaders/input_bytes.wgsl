// The first layer's input: the bytes of assembled stacks, from 0 to 1.
const PIXEL_WORDS = (CHANNELS + 3u) / 4u;

fn load(pixel: u32, channel: u32) -> f32 {
  let word = values[pixel * PIXEL_WORDS + channel / 4u];
  return f32((word >> (channel % 4u * 8u)) & 255u) * (1.0 / 255.0);
}
