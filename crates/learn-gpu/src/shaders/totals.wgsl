// The gradient's norm, the factor that bounds it, and the sums of the losses. It is one workgroup.

@group(0) @binding(0) var<uniform> settings: Settings;
@group(0) @binding(1) var<storage, read> squares: array<f32>;
@group(0) @binding(2) var<storage, read> losses: array<f32>;
// For each slot five sums of losses and the norm.
@group(0) @binding(3) var<storage, read_write> totals: array<f32>;
@group(0) @binding(4) var<storage, read_write> factor: array<f32>;

var<workgroup> shared_sums: array<array<f32, 6>, 256>;

@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) thread: u32) {
  var sums = array<f32, 6>();
  for (var sample = thread; sample < settings.size; sample += 256u) {
    for (var loss = 0u; loss < 5u; loss++) {
      sums[loss] += losses[sample * 5u + loss];
    }
  }
  if (thread < SQUARES) {
    sums[5] = squares[thread];
  }
  shared_sums[thread] = sums;
  workgroupBarrier();
  for (var half = 128u; half > 0u; half /= 2u) {
    if (thread < half) {
      for (var sum = 0u; sum < 6u; sum++) {
        shared_sums[thread][sum] += shared_sums[thread + half][sum];
      }
    }
    workgroupBarrier();
  }
  if (thread == 0u) {
    let norm = sqrt(shared_sums[0][5]);
    for (var sum = 0u; sum < 5u; sum++) {
      totals[settings.slot * 6u + sum] = shared_sums[0][sum];
    }
    totals[settings.slot * 6u + 5u] = norm;
    factor[0] = min(settings.bound / (norm + 1e-6), 1.0);
  }
}
