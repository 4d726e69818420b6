// Assembles stacks: of each sample's pictures one byte beside the other, so that a layer reads all channels of a pixel from one word or
// its neighbours. An invocation takes four pixels, which lie in one word of each picture.

@group(0) @binding(0) var<uniform> settings: Settings;
@group(0) @binding(1) var<storage, read> pictures: array<u32>;
@group(0) @binding(2) var<storage, read> stacks: array<u32>;
@group(0) @binding(3) var<storage, read> samples: array<u32>;
@group(0) @binding(4) var<storage, read_write> pixels: array<u32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
  let number = id.y * groups.x * 256u + id.x;
  let sample = number / PICTURE_WORDS;
  let word = number % PICTURE_WORDS;
  if (sample >= settings.size) {
    return;
  }
  let stack = samples[sample] * FRAMES;
  for (var part = 0u; part < PIXEL_WORDS; part++) {
    var four = array<u32, 4>();
    for (var frame = part * 4u; frame < min(FRAMES, part * 4u + 4u); frame++) {
      let bytes = pictures[stacks[stack + frame] * PICTURE_WORDS + word];
      for (var pixel = 0u; pixel < 4u; pixel++) {
        four[pixel] |= ((bytes >> (pixel * 8u)) & 255u) << ((frame & 3u) * 8u);
      }
    }
    for (var pixel = 0u; pixel < 4u; pixel++) {
      let at = word * 4u + pixel;
      if (at < PICTURE_PIXELS) {
        pixels[(sample * PICTURE_PIXELS + at) * PIXEL_WORDS + part] = four[pixel];
      }
    }
  }
}
