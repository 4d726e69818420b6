use super::*;
use crate::random::Stream;

fn values(stream: &mut Stream, count: usize) -> Vec<f32> {
    (0..count).map(|_| stream.normal() as f32).collect()
}

/// Windows of a picture of 9 x 9 x 4 with kernel 3 and stride 2, but for the last: no number is a multiple of a tile's rows.
fn windows() -> Windows {
    Windows {
        starts: (0..15).map(|m| ((m / 4) * 2 * 9 + (m % 4) * 2) * 4).collect(),
        segments: 3,
        stride: 9 * 4,
        len: 3 * 4,
    }
}

/// The elements of a row in the order of k.
fn row<'a>(a: &'a [f32], windows: &'a Windows, m: usize) -> impl Iterator<Item = f32> + 'a {
    (0..windows.segments).flat_map(move |segment| {
        a[windows.starts[m] + segment * windows.stride..][..windows.len]
            .iter()
            .copied()
    })
}

#[test]
fn a_product_is_the_sum_over_k_in_order_bit_for_bit() {
    let mut stream = Stream::new(&[1]);
    let a = values(&mut stream, 9 * 9 * 4);
    let windows = windows();
    let (k, n) = (windows.columns(), 24);
    let b = values(&mut stream, k * n);
    let bias = values(&mut stream, n);
    let mut panels = Panels::default();
    panels.pack(&b, k);
    let mut out = vec![0.0; 15 * n];
    product(
        Arithmetic::Exact,
        &a,
        &windows,
        &panels,
        Finish::BiasRelu(&bias),
        &mut out,
    );
    let mut portable = vec![0.0; 15 * n];
    Product {
        a: &a,
        windows: &windows,
        b: &panels,
        finish: Finish::BiasRelu(&bias),
        out: &mut portable,
    }
    .run(Portable);
    for m in 0..15 {
        for j in 0..n {
            let sum = row(&a, &windows, m)
                .enumerate()
                .fold(bias[j], |sum, (i, value)| sum + value * b[i * n + j]);
            assert_eq!(out[m * n + j].to_bits(), sum.max(0.0).to_bits());
        }
    }
    assert_eq!(out, portable);
}

#[test]
fn an_outer_product_adds_the_rows_in_order_bit_for_bit() {
    let mut stream = Stream::new(&[2]);
    let a = values(&mut stream, 9 * 9 * 4);
    let windows = windows();
    let (k, n) = (windows.columns(), 24);
    let b = values(&mut stream, 15 * n);
    let start = values(&mut stream, k * n);
    let mut sums = start.clone();
    outer(Arithmetic::Exact, &a, &windows, &b, &mut sums);
    let rows: Vec<Vec<f32>> = (0..15).map(|m| row(&a, &windows, m).collect()).collect();
    for i in 0..k {
        for j in 0..n {
            let sum = (0..15).fold(start[i * n + j], |sum, m| sum + rows[m][i] * b[m * n + j]);
            assert_eq!(sums[i * n + j].to_bits(), sum.to_bits());
        }
    }
    let mut portable = start;
    Outer {
        a: &a,
        windows: &windows,
        b: &b,
        sums: &mut portable,
    }
    .run(Portable);
    assert_eq!(sums, portable);
}

#[test]
fn a_transposed_matrix_gives_the_panels_of_its_transpose() {
    let values: Vec<f32> = (0..16 * 24).map(|value| value as f32).collect();
    let transposed: Vec<f32> = (0..16 * 24).map(|at| values[at % 16 * 24 + at / 16]).collect();
    let (mut direct, mut packed) = (Panels::default(), Panels::default());
    direct.pack(&transposed, 24);
    packed.pack_transposed(&values, 24);
    assert_eq!(direct.data, packed.data);
}
