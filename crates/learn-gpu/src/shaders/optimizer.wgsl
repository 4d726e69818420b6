// Adam or RMSprop, with the bound on the gradient's norm.

@group(0) @binding(0) var<uniform> settings: Settings;
@group(0) @binding(1) var<storage, read> gradient: array<f32>;
@group(0) @binding(2) var<storage, read> factor: array<f32>;
// Parameters, means of squares, and means of gradients, which RMSprop has not.
@group(0) @binding(3) var<storage, read_write> parameters: array<f32>;
@group(0) @binding(4) var<storage, read_write> second: array<f32>;
@group(0) @binding(5) var<storage, read_write> first: array<f32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
  let at = id.y * groups.x * 256u + id.x;
  if (at >= PARAMETERS) {
    return;
  }
  let slope = gradient[at] * factor[0];
  if (ADAM) {
    first[at] = 0.9 * first[at] + 0.1 * slope;
    second[at] = 0.999 * second[at] + 0.001 * (slope * slope);
    parameters[at] -= settings.rate * first[at] / (sqrt(second[at]) * settings.correction + settings.epsilon);
  } else {
    second[at] = 0.99 * second[at] + (1.0 - 0.99) * (slope * slope);
    parameters[at] -= settings.rate * slope / (sqrt(second[at]) + settings.epsilon);
  }
}
