//! Eight floats at a time, on the vectors that the processor has.
//!
//! Every implementation of [`Simd`] but [`Fused`] rounds after the multiplication and after the addition, so results do not
//! depend on the choice.

use wide::f32x8;

/// Values in a vector.
pub(crate) const WIDTH: usize = 8;

/// The operations that the matrix products need.
pub(crate) trait Simd: Copy {
    /// A vector of [`WIDTH`] floats.
    type Vector: Copy;
    /// Rows of a tile of one panel, so that its sums stay in registers. A tile of two panels has half as many.
    const ROWS: usize;

    /// Reads a vector.
    fn load(self, values: &[f32; WIDTH]) -> Self::Vector;
    /// Writes a vector.
    fn store(self, vector: Self::Vector, values: &mut [f32; WIDTH]);
    /// The same value in all places.
    fn splat(self, value: f32) -> Self::Vector;
    /// `sum + a * b`.
    fn add_product(self, sum: Self::Vector, a: Self::Vector, b: Self::Vector) -> Self::Vector;
}

/// Two vectors of four floats, which WebAssembly and every 64-bit processor have.
#[derive(Clone, Copy)]
pub(crate) struct Portable;

impl Simd for Portable {
    type Vector = f32x8;
    const ROWS: usize = 4;

    #[inline(always)]
    fn load(self, values: &[f32; WIDTH]) -> f32x8 {
        f32x8::new(*values)
    }

    #[inline(always)]
    fn store(self, vector: f32x8, values: &mut [f32; WIDTH]) {
        *values = vector.to_array();
    }

    #[inline(always)]
    fn splat(self, value: f32) -> f32x8 {
        f32x8::splat(value)
    }

    #[inline(always)]
    fn add_product(self, sum: f32x8, a: f32x8, b: f32x8) -> f32x8 {
        sum + a * b
    }
}

#[cfg(target_arch = "x86_64")]
pub(crate) use x86::Fused;

#[cfg(target_arch = "x86_64")]
mod x86 {
    use pulp::f32x8;
    use pulp::x86::V3;

    use super::{Simd, WIDTH};

    impl Simd for V3 {
        type Vector = f32x8;
        const ROWS: usize = 8;

        #[inline(always)]
        fn load(self, values: &[f32; WIDTH]) -> f32x8 {
            pulp::cast(*values)
        }

        #[inline(always)]
        fn store(self, vector: f32x8, values: &mut [f32; WIDTH]) {
            *values = pulp::cast(vector);
        }

        #[inline(always)]
        fn splat(self, value: f32) -> f32x8 {
            self.splat_f32x8(value)
        }

        #[inline(always)]
        fn add_product(self, sum: f32x8, a: f32x8, b: f32x8) -> f32x8 {
            self.add_f32x8(sum, self.mul_f32x8(a, b))
        }
    }

    /// AVX2 with fused multiply-add: one rounding instead of two, hence other bits.
    #[derive(Clone, Copy)]
    pub(crate) struct Fused(pub(crate) V3);

    impl Simd for Fused {
        type Vector = f32x8;
        const ROWS: usize = 8;

        #[inline(always)]
        fn load(self, values: &[f32; WIDTH]) -> f32x8 {
            self.0.load(values)
        }

        #[inline(always)]
        fn store(self, vector: f32x8, values: &mut [f32; WIDTH]) {
            self.0.store(vector, values);
        }

        #[inline(always)]
        fn splat(self, value: f32) -> f32x8 {
            self.0.splat(value)
        }

        #[inline(always)]
        fn add_product(self, sum: f32x8, a: f32x8, b: f32x8) -> f32x8 {
            self.0.mul_add_f32x8(a, b, sum)
        }
    }
}
