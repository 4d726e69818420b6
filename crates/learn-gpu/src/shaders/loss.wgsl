// The losses of PPO and A2C for each sample, and their gradients with respect to the net's outputs. crates/learn/src/train/loss.rs computes the
// same in double precision and says where the losses come from.

// A step of the rollout.
struct Step {
  action: u32,
  log_probability: f32,
  value: f32,
  advantage: f32,
  // The return that the value is to predict.
  goal: f32,
}

@group(0) @binding(0) var<uniform> settings: Settings;
@group(0) @binding(1) var<storage, read> outputs: array<f32>;
@group(0) @binding(2) var<storage, read> samples: array<u32>;
@group(0) @binding(3) var<storage, read> steps: array<Step>;
@group(0) @binding(4) var<storage, read_write> slopes: array<f32>;
// For each sample the losses of policy and value, the entropy, the divergence and whether the ratio was beyond the bound.
@group(0) @binding(5) var<storage, read_write> losses: array<f32>;

// exp(x) - 1 - x. The difference of numbers near 1 would leave few digits.
fn divergence(x: f32) -> f32 {
  if (abs(x) < 0.1) {
    return x * x * (0.5 + x * (1.0 / 6.0 + x * (1.0 / 24.0 + x * (1.0 / 120.0))));
  }
  return exp(x) - 1.0 - x;
}

// The loss of a value and its slope.
fn value_loss(played: Step, value: f32) -> vec2<f32> {
  let error = value - played.goal;
  if (A2C) {
    return vec2(error * error, 2.0 * error);
  }
  if (CLIP_VALUE) {
    let change = value - played.value;
    let bounded = played.value + clamp(change, -settings.clip, settings.clip) - played.goal;
    if (bounded * bounded > error * error) {
      return vec2(0.5 * bounded * bounded, select(0.0, bounded, abs(change) <= settings.clip));
    }
  }
  return vec2(0.5 * error * error, error);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let sample = id.x;
  if (sample >= settings.size) {
    return;
  }
  let played = steps[samples[sample]];
  let advantage = (played.advantage - settings.mean) * settings.scale;
  let row = sample * OUTPUTS;
  var most = outputs[row];
  for (var action = 1u; action < ACTIONS; action++) {
    most = max(most, outputs[row + action]);
  }
  var total = 0.0;
  for (var action = 0u; action < ACTIONS; action++) {
    total += exp(outputs[row + action] - most);
  }
  let shift = most + log(total);
  var entropy = 0.0;
  for (var action = 0u; action < ACTIONS; action++) {
    let logarithm = outputs[row + action] - shift;
    entropy -= exp(logarithm) * logarithm;
  }
  let chosen = outputs[row + played.action] - shift;
  let difference = chosen - played.log_probability;
  let ratio = exp(difference);
  var policy = -advantage * chosen;
  // With respect to the logarithm of the action's probability.
  var slope = -advantage;
  var beyond = 0.0;
  if (!A2C) {
    let free = -advantage * ratio;
    let bounded = -advantage * clamp(ratio, 1.0 - settings.clip, 1.0 + settings.clip);
    policy = max(free, bounded);
    slope = select(0.0, free, free >= bounded);
    beyond = select(0.0, 1.0, abs(ratio - 1.0) > settings.clip);
  }
  let of_value = value_loss(played, outputs[row + ACTIONS]);
  let share = 1.0 / f32(settings.size);
  for (var action = 0u; action < OUTPUTS; action++) {
    var result = 0.0;
    if (action < ACTIONS) {
      let logarithm = outputs[row + action] - shift;
      let probability = exp(logarithm);
      let taken = select(0.0, 1.0, action == played.action);
      result = share * (slope * (taken - probability) + settings.entropy * probability * (logarithm + entropy));
    } else if (action == ACTIONS) {
      result = share * settings.value * of_value.y;
    }
    slopes[row + action] = result;
  }
  let at = sample * 5u;
  losses[at] = policy;
  losses[at + 1u] = of_value.x;
  losses[at + 2u] = entropy;
  losses[at + 3u] = divergence(difference);
  losses[at + 4u] = beyond;
}
