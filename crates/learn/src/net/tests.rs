use super::shape::Filters;
use super::*;
use crate::kernel::Arithmetic;
use crate::random::Stream;

/// A net with two convolutions on pictures of 12 x 11 x 2, and its parameters and input.
fn example(batch: usize) -> (Pass, Vec<f32>, Vec<f32>) {
    let filters = [
        Filters {
            count: 8,
            size: 4,
            stride: 2,
        },
        Filters {
            count: 16,
            size: 2,
            stride: 1,
        },
    ];
    let input = Input {
        height: 12,
        width: 11,
        frames: 2,
    };
    let plan = Plan::new(&filters, 24, input, 3).unwrap();
    let mut stream = Stream::new(&[6]);
    let parameters: Vec<f32> = (0..plan.parameters()).map(|_| 0.2 * stream.normal() as f32).collect();
    let pictures = (0..batch * 12 * 11 * 2).map(|_| stream.uniform() as f32).collect();
    let mut pass = Pass::new(plan, Arithmetic::Exact);
    pass.set_parameters(&parameters);
    (pass, parameters, pictures)
}

/// The outputs in double precision, from the definitions alone, and each unit's distance from its ReLU's corner.
fn naive(plan: &Plan, parameters: &[f64], input: &[f64]) -> Vec<f64> {
    let mut values = input.to_vec();
    for layer in &plan.layers {
        let windows = match &layer.kind {
            LayerKind::Convolution { windows, .. } => windows.clone(),
            LayerKind::Linear => crate::kernel::Windows::dense(1, layer.inputs),
        };
        let mut outputs = Vec::new();
        for start in &windows.starts {
            for output in 0..layer.outputs {
                let mut sum = parameters[layer.bias() + output];
                for term in 0..layer.terms {
                    let at = start + term / windows.len * windows.stride + term % windows.len;
                    sum += values[at] * parameters[layer.at + term * layer.outputs + output];
                }
                outputs.push(if layer.relu { sum.max(0.0) } else { sum });
            }
        }
        values = outputs;
    }
    values
}

fn wide(values: &[f32]) -> Vec<f64> {
    values.iter().map(|value| f64::from(*value)).collect()
}

#[test]
fn a_forward_pass_computes_what_the_layers_are_defined_to() {
    let (mut pass, parameters, pictures) = example(3);
    pass.input(3).copy_from_slice(&pictures);
    let outputs = pass.forward().to_vec();
    for (sample, picture) in pictures.chunks_exact(12 * 11 * 2).enumerate() {
        let expected = naive(pass.plan(), &wide(&parameters), &wide(picture));
        for (output, expected) in outputs[sample * 8..].iter().zip(expected) {
            assert!((f64::from(*output) - expected).abs() < 1e-5, "{output} {expected}");
        }
    }
}

#[test]
fn the_gradient_of_every_parameter_is_that_of_finite_differences() {
    let (mut pass, parameters, pictures) = example(2);
    let weights = |output: usize| ((output % 8) as f64 - 1.7) * if output < 8 { 1.0 } else { 0.3 };
    pass.input(2).copy_from_slice(&pictures);
    pass.forward();
    for (output, gradient) in pass.output_gradient().iter_mut().enumerate() {
        *gradient = weights(output) as f32;
    }
    let mut gradient = vec![0.0; parameters.len()];
    pass.backward(&mut gradient);
    let wide_pictures = wide(&pictures);
    let loss = |parameters: &[f64]| -> f64 {
        let outputs = wide_pictures
            .chunks_exact(12 * 11 * 2)
            .flat_map(|picture| naive(pass.plan(), parameters, picture));
        outputs.enumerate().map(|(at, output)| weights(at) * output).sum()
    };
    let mut stream = Stream::new(&[7]);
    let mut worst: f64 = 0.0;
    for layer in &pass.plan().layers {
        for _ in 0..60 {
            let at = layer.at + stream.below(layer.end() - layer.at);
            let mut moved = wide(&parameters);
            moved[at] += 1e-6;
            let above = loss(&moved);
            moved[at] -= 2e-6;
            let difference = (above - loss(&moved)) / 2e-6;
            let error = (difference - f64::from(gradient[at])).abs() / (1.0 + difference.abs());
            worst = worst.max(error);
        }
    }
    assert!(worst < 1e-4, "{worst}");
}

#[test]
fn the_named_nets_have_the_sizes_of_their_papers() {
    let input = Input {
        height: 84,
        width: 84,
        frames: 4,
    };
    let sizes = Net::ALL.map(|net| Plan::of(net, input, 7).unwrap().parameters());
    // With 8 columns of heads, of which 7 + 1 are used.
    assert_eq!(
        sizes,
        [
            8 * 257 + 16 * 129 + 128 * 1297 + 8 * 129,
            676_144 + 8 * 257,
            1_684_128 + 8 * 513
        ]
    );
}
