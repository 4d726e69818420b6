//! The loops of both matrix products. A tile of sums stays in registers while k, or the row of `a`, runs. A tile is some rows of
//! one panel, or half as many of two panels, which reads less for each product.

use super::simd::{Simd, WIDTH};
use super::{Finish, Outer, Product, Windows};

#[inline(always)]
pub(super) fn product_tiles<S: Simd, const R: usize, const HALF: usize>(simd: S, product: Product<'_>) {
    let panels: Vec<&[[f32; WIDTH]]> = product.b.panels().collect();
    let (pairs, rest) = panels.as_chunks();
    let mut strip = Strip { product, column: 0 };
    for pair in pairs {
        strip.rows::<S, HALF, 2>(simd, *pair);
    }
    for panel in rest {
        strip.rows::<S, R, 1>(simd, [panel]);
    }
}

/// The product of all rows and some panels.
struct Strip<'a> {
    product: Product<'a>,
    /// The first column.
    column: usize,
}

impl Strip<'_> {
    #[inline(always)]
    fn rows<S: Simd, const R: usize, const P: usize>(&mut self, simd: S, panels: [&[[f32; WIDTH]]; P]) {
        let rows = self.product.windows.starts.len();
        let whole = rows - rows % R;
        for row in (0..whole).step_by(R) {
            self.tile::<S, R, P>(simd, row, panels);
        }
        for row in whole..rows {
            self.tile::<S, 1, P>(simd, row, panels);
        }
        self.column += P * WIDTH;
    }

    #[inline(always)]
    fn tile<S: Simd, const R: usize, const P: usize>(&mut self, simd: S, row: usize, panels: [&[[f32; WIDTH]]; P]) {
        let Product {
            a,
            windows,
            b,
            finish,
            ref mut out,
        } = self.product;
        let start: [S::Vector; P] = std::array::from_fn(|panel| match finish {
            Finish::Plain => simd.splat(0.0),
            Finish::Bias(bias) | Finish::BiasRelu(bias) => simd.load(vector(&bias[self.column + panel * WIDTH..])),
        });
        let starts = &windows.starts[row..][..R];
        let len = windows.len;
        let mut sums = [start; R];
        for segment in 0..windows.segments {
            let panels: [&[[f32; WIDTH]]; P] = std::array::from_fn(|panel| &panels[panel][segment * len..][..len]);
            let rows: [&[f32]; R] = std::array::from_fn(|i| &a[starts[i] + segment * windows.stride..][..len]);
            for k in 0..len {
                let terms: [S::Vector; P] = std::array::from_fn(|panel| simd.load(&panels[panel][k]));
                for i in 0..R {
                    let factor = simd.splat(rows[i][k]);
                    for panel in 0..P {
                        sums[i][panel] = simd.add_product(sums[i][panel], factor, terms[panel]);
                    }
                }
            }
        }
        let columns = b.columns();
        for i in 0..R {
            for panel in 0..P {
                let out = vector_mut(&mut out[(row + i) * columns + self.column + panel * WIDTH..]);
                simd.store(sums[i][panel], out);
                if let Finish::BiasRelu(_) = finish {
                    for value in out {
                        // Unlike `max`, this passes NaN on.
                        *value = if *value < 0.0 { 0.0 } else { *value };
                    }
                }
            }
        }
    }
}

#[inline(always)]
pub(super) fn outer_tiles<S: Simd, const R: usize, const HALF: usize>(simd: S, outer: Outer<'_>) {
    let columns = outer.b.len() / outer.windows.starts.len();
    let pairs = columns - columns % (2 * WIDTH);
    let mut block = Block { outer, columns };
    for column in (0..pairs).step_by(2 * WIDTH) {
        block.column::<S, HALF, 2>(simd, column);
    }
    for column in (pairs..columns).step_by(WIDTH) {
        block.column::<S, R, 1>(simd, column);
    }
}

/// An outer product with the number of columns of `b`.
struct Block<'a> {
    outer: Outer<'a>,
    columns: usize,
}

impl Block<'_> {
    /// Adds to `P` vectors of all rows of the sums.
    #[inline(always)]
    fn column<S: Simd, const R: usize, const P: usize>(&mut self, simd: S, column: usize) {
        let Windows { segments, len, .. } = *self.outer.windows;
        let whole = len - len % R;
        for segment in 0..segments {
            for k in (0..whole).step_by(R) {
                self.tile::<S, R, P>(simd, segment, k, column);
            }
            for k in whole..len {
                self.tile::<S, 1, P>(simd, segment, k, column);
            }
        }
    }

    #[inline(always)]
    fn tile<S: Simd, const R: usize, const P: usize>(&mut self, simd: S, segment: usize, k: usize, column: usize) {
        let Outer {
            a,
            windows,
            b,
            ref mut sums,
        } = self.outer;
        let columns = self.columns;
        let first = (segment * windows.len + k) * columns + column;
        let mut tile: [[S::Vector; P]; R] = std::array::from_fn(|i| {
            std::array::from_fn(|panel| simd.load(vector(&sums[first + i * columns + panel * WIDTH..])))
        });
        let a = &a[segment * windows.stride + k..];
        for (start, row) in windows.starts.iter().zip(b.chunks_exact(columns)) {
            let factors: &[f32; R] = chunk(&a[*start..]);
            let row = &row[column..][..P * WIDTH];
            let terms: [S::Vector; P] = std::array::from_fn(|panel| simd.load(vector(&row[panel * WIDTH..])));
            for i in 0..R {
                let factor = simd.splat(factors[i]);
                for panel in 0..P {
                    tile[i][panel] = simd.add_product(tile[i][panel], factor, terms[panel]);
                }
            }
        }
        for i in 0..R {
            for panel in 0..P {
                simd.store(
                    tile[i][panel],
                    vector_mut(&mut sums[first + i * columns + panel * WIDTH..]),
                );
            }
        }
    }
}

#[inline(always)]
fn vector(values: &[f32]) -> &[f32; WIDTH] {
    chunk(values)
}

#[inline(always)]
fn chunk<const N: usize>(values: &[f32]) -> &[f32; N] {
    values.first_chunk().expect("panels and rows are whole vectors")
}

#[inline(always)]
fn vector_mut(values: &mut [f32]) -> &mut [f32; WIDTH] {
    values.first_chunk_mut().expect("rows are whole vectors")
}
