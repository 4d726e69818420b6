//! Orthogonal initialisation, with CleanRL's gains: the square root of 2, 0.01 for the actor and 1 for the critic.

use super::Plan;
use crate::random::Stream;

/// Names the streams of initial weights.
const STREAM: u64 = 1;

/// The parameters that a seed starts with; biases are 0.
pub(crate) fn initial_parameters(plan: &Plan, seed: u64) -> Vec<f32> {
    let mut parameters = vec![0.0; plan.parameters()];
    let (heads, body) = plan.layers.split_last().expect("a plan ends with its heads");
    let mut fill = |number: usize, at: usize, stride: usize, terms: usize, outputs: usize, gain: f64| {
        let mut stream = Stream::new(&[seed, STREAM, number as u64]);
        let matrix = orthogonal(&mut stream, terms, outputs);
        for term in 0..terms {
            for output in 0..outputs {
                parameters[at + term * stride + output] = (gain * matrix(term, output)) as f32;
            }
        }
    };
    for (number, layer) in body.iter().enumerate() {
        let gain = std::f64::consts::SQRT_2;
        fill(number, layer.at, layer.outputs, layer.terms, layer.outputs, gain);
    }
    fill(body.len(), heads.at, heads.outputs, heads.terms, plan.actions, 0.01);
    fill(
        body.len() + 1,
        heads.at + plan.actions,
        heads.outputs,
        heads.terms,
        1,
        1.0,
    );
    parameters
}

/// A random matrix whose rows or columns, whichever are fewer, are orthonormal: element (term, output).
fn orthogonal(stream: &mut Stream, terms: usize, outputs: usize) -> impl Fn(usize, usize) -> f64 + use<> {
    let (count, len) = (terms.min(outputs), terms.max(outputs));
    let mut vectors: Vec<Vec<f64>> = Vec::with_capacity(count);
    for _ in 0..count {
        let mut vector: Vec<f64> = (0..len).map(|_| stream.normal()).collect();
        // Twice: one Gram-Schmidt step leaves errors that grow with the number of vectors.
        for _ in 0..2 {
            for other in &vectors {
                let overlap = dot(&vector, other);
                for (value, other) in vector.iter_mut().zip(other) {
                    *value -= overlap * other;
                }
            }
        }
        let norm = dot(&vector, &vector).sqrt();
        for value in &mut vector {
            *value /= norm;
        }
        vectors.push(vector);
    }
    move |term, output| match terms < outputs {
        true => vectors[term][output],
        false => vectors[output][term],
    }
}

/// In eight partial sums, which the compiler makes vectors of.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (a, a_rest) = a.as_chunks::<8>();
    let (b, b_rest) = b.as_chunks::<8>();
    let mut sums = [0.0; 8];
    for (a, b) in a.iter().zip(b) {
        for i in 0..8 {
            sums[i] += a[i] * b[i];
        }
    }
    let rest: f64 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    sums.iter().sum::<f64>() + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shorter_side_of_a_matrix_is_orthonormal() {
        for (terms, outputs) in [(32, 8), (8, 32)] {
            let matrix = orthogonal(&mut Stream::new(&[5]), terms, outputs);
            let count = terms.min(outputs);
            let element = |vector: usize, place: usize| match terms < outputs {
                true => matrix(vector, place),
                false => matrix(place, vector),
            };
            for i in 0..count {
                for j in 0..count {
                    let product: f64 = (0..32).map(|place| element(i, place) * element(j, place)).sum();
                    let expected = f64::from(u8::from(i == j));
                    assert!((product - expected).abs() < 1e-12, "{i} {j} {product}");
                }
            }
        }
    }
}
