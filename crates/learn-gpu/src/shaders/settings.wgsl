// What changes from one batch to the next.
struct Settings {
  // Samples of the batch.
  size: u32,
  // The place of its sums among those of the update.
  slot: u32,
  // Normalise the advantages.
  mean: f32,
  scale: f32,
  // Weights and bounds of the losses.
  clip: f32,
  entropy: f32,
  value: f32,
  // Bound on the gradient's norm.
  bound: f32,
  // The optimizer's: the rate with Adam's first correction, its second one, and epsilon.
  rate: f32,
  correction: f32,
  epsilon: f32,
  unused: f32,
}
