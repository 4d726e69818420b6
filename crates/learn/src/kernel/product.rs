//! The loops of both matrix products. A tile of sums stays in registers while k, or the row of `a`, runs.

use super::lanes::{Lanes, WIDTH};
use super::{Finish, Outer, Product};

#[inline(always)]
pub(super) fn product_tiles<L: Lanes, const R: usize>(lanes: L, product: Product<'_>) {
    let Product {
        a,
        windows,
        b,
        finish,
        out,
    } = product;
    let columns = b.columns();
    let rows = windows.starts.len();
    for (panel, data) in b.data.chunks_exact(b.rows * WIDTH).enumerate() {
        let column = panel * WIDTH;
        let start = match finish {
            Finish::Plain => lanes.splat(0.0),
            Finish::Bias(bias) | Finish::BiasRelu(bias) => lanes.load(vector(&bias[column..])),
        };
        let mut row = 0;
        while row + R <= rows {
            let sums = tile::<L, R>(lanes, start, a, windows, row, data);
            finish_tile(lanes, &sums, finish, &mut out[row * columns + column..], columns);
            row += R;
        }
        while row < rows {
            let sums = tile::<L, 1>(lanes, start, a, windows, row, data);
            finish_tile(lanes, &sums, finish, &mut out[row * columns + column..], columns);
            row += 1;
        }
    }
}

/// The sums of `R` rows and one panel.
#[inline(always)]
fn tile<L: Lanes, const R: usize>(
    lanes: L,
    start: L::Vector,
    a: &[f32],
    windows: &super::Windows,
    row: usize,
    panel: &[f32],
) -> [L::Vector; R] {
    let starts = &windows.starts[row..][..R];
    let len = windows.len;
    let mut sums = [start; R];
    let mut rest = panel.as_chunks::<WIDTH>().0;
    for segment in 0..windows.segments {
        let (terms, after) = rest.split_at(len);
        rest = after;
        let rows: [&[f32]; R] = std::array::from_fn(|i| &a[starts[i] + segment * windows.stride..][..len]);
        for (k, term) in terms.iter().enumerate() {
            let term = lanes.load(term);
            for i in 0..R {
                sums[i] = lanes.add_product(sums[i], lanes.splat(rows[i][k]), term);
            }
        }
    }
    sums
}

#[inline(always)]
fn finish_tile<L: Lanes>(lanes: L, sums: &[L::Vector], finish: Finish<'_>, out: &mut [f32], columns: usize) {
    for (row, sum) in sums.iter().enumerate() {
        let out = vector_mut(&mut out[row * columns..]);
        lanes.store(*sum, out);
        if let Finish::BiasRelu(_) = finish {
            for value in out {
                // Unlike `max`, this passes NaN on.
                *value = if *value < 0.0 { 0.0 } else { *value };
            }
        }
    }
}

#[inline(always)]
pub(super) fn outer_tiles<L: Lanes, const R: usize>(lanes: L, outer: Outer<'_>) {
    let Outer { a, windows, b, sums } = outer;
    let columns = b.len() / windows.starts.len();
    for segment in 0..windows.segments {
        for column in (0..columns).step_by(WIDTH) {
            let mut k = 0;
            while k < windows.len {
                let sums = &mut sums[(segment * windows.len + k) * columns + column..];
                let at = segment * windows.stride + k;
                if k + R <= windows.len {
                    outer_tile::<L, R>(lanes, a, &windows.starts, at, &b[column..], sums, columns);
                    k += R;
                } else {
                    outer_tile::<L, 1>(lanes, a, &windows.starts, at, &b[column..], sums, columns);
                    k += 1;
                }
            }
        }
    }
}

/// Adds to `R` rows of `sums`, of one vector each.
#[inline(always)]
fn outer_tile<L: Lanes, const R: usize>(
    lanes: L,
    a: &[f32],
    starts: &[usize],
    at: usize,
    b: &[f32],
    sums: &mut [f32],
    columns: usize,
) {
    let mut tile: [L::Vector; R] = std::array::from_fn(|i| lanes.load(vector(&sums[i * columns..])));
    for (m, start) in starts.iter().enumerate() {
        let factors = &a[start + at..][..R];
        let terms = lanes.load(vector(&b[m * columns..]));
        for i in 0..R {
            tile[i] = lanes.add_product(tile[i], lanes.splat(factors[i]), terms);
        }
    }
    for (i, sum) in tile.into_iter().enumerate() {
        lanes.store(sum, vector_mut(&mut sums[i * columns..]));
    }
}

#[inline(always)]
fn vector(values: &[f32]) -> &[f32; WIDTH] {
    // Panels and rows are multiples of a vector, so there is always a whole one.
    values.first_chunk().unwrap_or(&[0.0; WIDTH])
}

#[inline(always)]
fn vector_mut(values: &mut [f32]) -> &mut [f32; WIDTH] {
    let Some(vector) = values.first_chunk_mut() else {
        unreachable!("rows are multiples of a vector")
    };
    vector
}
