// Sums of the gradient's squares, one for each workgroup.

@group(0) @binding(0) var<storage, read> gradient: array<f32>;
@group(0) @binding(1) var<storage, read_write> squares: array<f32>;

var<workgroup> shared_sums: array<f32, 256>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  var sum = 0.0;
  for (var at = group.x * 256u + thread; at < PARAMETERS; at += SQUARES * 256u) {
    sum += gradient[at] * gradient[at];
  }
  shared_sums[thread] = sum;
  workgroupBarrier();
  for (var half = 128u; half > 0u; half /= 2u) {
    if (thread < half) {
      shared_sums[thread] += shared_sums[thread + half];
    }
    workgroupBarrier();
  }
  if (thread == 0u) {
    squares[group.x] = shared_sums[0];
  }
}
