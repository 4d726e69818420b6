//! Matrix products with the same bits on every machine.
//!
//! Each element of a result is one sum over k in ascending order, with a multiplication and an addition per term and no
//! fused operation. Tiles, vector widths and threads only choose which elements are computed together.
//!
//! Convolutions need no unfolded copy of their input: [`Windows`] names, for each output place, where its window starts, and
//! the products read the window's rows from there.

mod product;
mod simd;

use product::{outer_tiles, product_tiles};

pub(crate) use simd::WIDTH;
use simd::{Portable, Simd};

/// How products are computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Arithmetic {
    /// The same bits everywhere.
    #[default]
    Exact,
    /// With fused multiply-add where the processor has it: faster, and with other bits.
    Fused,
}

/// The rows of a matrix that lie in a larger array, each in `segments` runs of `len` values, `stride` apart.
#[derive(Debug, Clone)]
pub(crate) struct Windows {
    /// Where each row starts.
    pub(crate) starts: Vec<usize>,
    pub(crate) segments: usize,
    pub(crate) stride: usize,
    pub(crate) len: usize,
}

impl Windows {
    /// The rows of a dense matrix.
    pub(crate) fn dense(rows: usize, columns: usize) -> Self {
        Self {
            starts: (0..rows).map(|row| row * columns).collect(),
            segments: 1,
            stride: 0,
            len: columns,
        }
    }

    /// Values in a row.
    pub(crate) fn columns(&self) -> usize {
        self.segments * self.len
    }
}

/// A right-hand matrix of k x n, in panels of [`WIDTH`] columns; n is a multiple of [`WIDTH`].
#[derive(Debug, Clone, Default)]
pub(crate) struct Panels {
    data: Vec<f32>,
    rows: usize,
}

impl Panels {
    /// Arranges the row-major matrix `values` of `rows` rows.
    pub(crate) fn pack(&mut self, values: &[f32], rows: usize) {
        let columns = values.len() / rows;
        self.resize(rows, columns);
        for (panel, out) in self.data.chunks_exact_mut(rows * WIDTH).enumerate() {
            for (row, out) in values.chunks_exact(columns).zip(out.chunks_exact_mut(WIDTH)) {
                out.copy_from_slice(&row[panel * WIDTH..][..WIDTH]);
            }
        }
    }

    /// Arranges the transpose of the row-major matrix `values` of `columns` columns.
    pub(crate) fn pack_transposed(&mut self, values: &[f32], columns: usize) {
        self.resize(columns, values.len() / columns);
        for (block, out) in values
            .chunks_exact(columns * WIDTH)
            .zip(self.data.chunks_exact_mut(columns * WIDTH))
        {
            for (column, out) in out.chunks_exact_mut(WIDTH).enumerate() {
                for (place, value) in out.iter_mut().enumerate() {
                    *value = block[place * columns + column];
                }
            }
        }
    }

    fn resize(&mut self, rows: usize, columns: usize) {
        debug_assert!(columns.is_multiple_of(WIDTH));
        self.rows = rows;
        self.data.resize(rows * columns, 0.0);
    }

    fn columns(&self) -> usize {
        self.data.len() / self.rows
    }

    /// The rows of each panel.
    fn panels(&self) -> impl Iterator<Item = &[[f32; WIDTH]]> {
        self.data
            .chunks_exact(self.rows * WIDTH)
            .map(|panel| panel.as_chunks().0)
    }
}

/// The start values of the sums of [`product()`], and what is done with the sums.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Finish<'a> {
    /// Starts with 0.
    Plain,
    /// Starts with a bias for each column.
    Bias(&'a [f32]),
    /// Starts with a bias, and negative results become 0.
    BiasRelu(&'a [f32]),
}

/// `out = a * b`, row-major.
pub(crate) fn product(
    arithmetic: Arithmetic,
    a: &[f32],
    windows: &Windows,
    b: &Panels,
    finish: Finish<'_>,
    out: &mut [f32],
) {
    let product = Product {
        a,
        windows,
        b,
        finish,
        out,
    };
    dispatch(arithmetic, product);
}

/// `sums += transpose(a) * b` for the row-major `b` and `sums`: the gradient of a layer's weights.
pub(crate) fn outer(arithmetic: Arithmetic, a: &[f32], windows: &Windows, b: &[f32], sums: &mut [f32]) {
    dispatch(arithmetic, Outer { a, windows, b, sums });
}

struct Product<'a> {
    a: &'a [f32],
    windows: &'a Windows,
    b: &'a Panels,
    finish: Finish<'a>,
    out: &'a mut [f32],
}

struct Outer<'a> {
    a: &'a [f32],
    windows: &'a Windows,
    b: &'a [f32],
    sums: &'a mut [f32],
}

/// Work that runs on any vectors.
trait Kernel {
    fn run<S: Simd>(self, simd: S);
}

impl Kernel for Product<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        match S::ROWS {
            8 => product_tiles::<S, 8, 4>(simd, self),
            _ => product_tiles::<S, 4, 2>(simd, self),
        }
    }
}

impl Kernel for Outer<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        match S::ROWS {
            8 => outer_tiles::<S, 8, 4>(simd, self),
            _ => outer_tiles::<S, 4, 2>(simd, self),
        }
    }
}

/// Runs a kernel on the widest vectors of this processor.
fn dispatch(arithmetic: Arithmetic, kernel: impl Kernel) {
    #[cfg(target_arch = "x86_64")]
    {
        use pulp::{NullaryFnOnce, x86::V3};

        struct Task<S, K>(S, K);

        impl<S: Simd, K: Kernel> NullaryFnOnce for Task<S, K> {
            type Output = ();

            #[inline(always)]
            fn call(self) {
                self.1.run(self.0);
            }
        }

        if let Some(v3) = V3::try_new() {
            match arithmetic {
                Arithmetic::Exact => v3.vectorize(Task(v3, kernel)),
                Arithmetic::Fused => v3.vectorize(Task(simd::Fused(v3), kernel)),
            }
            return;
        }
    }
    let _ = arithmetic;
    kernel.run(Portable);
}

#[cfg(test)]
mod tests;
