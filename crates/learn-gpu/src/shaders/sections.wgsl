// Adds the sections of a layer's gradient.

@group(0) @binding(0) var<storage, read> sections: array<f32>;
@group(0) @binding(1) var<storage, read_write> gradient: array<f32>;

const LENGTH = (TERMS + 1u) * OUTPUTS;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
  let number = id.y * groups.x * 256u + id.x;
  if (number >= LENGTH) {
    return;
  }
  var sum = 0.0;
  for (var part = 0u; part < PARTS; part++) {
    sum += sections[part * LENGTH + number];
  }
  gradient[AT + number] = sum;
}
