//! The element types.

use rustfft::num_complex::Complex;

/// A number that BLAS computes with.
pub(crate) trait Scalar:
    Copy + 'static + std::ops::Add<Output = Self> + std::ops::Mul<Output = Self> + PartialEq
{
    /// 0.
    const ZERO: Self;
    /// The conjugate; itself if real.
    fn conjugate(self) -> Self;
}

impl Scalar for f32 {
    const ZERO: Self = 0.0;
    fn conjugate(self) -> Self {
        self
    }
}

impl Scalar for f64 {
    const ZERO: Self = 0.0;
    fn conjugate(self) -> Self {
        self
    }
}

impl Scalar for Complex<f32> {
    const ZERO: Self = Self { re: 0.0, im: 0.0 };
    fn conjugate(self) -> Self {
        self.conj()
    }
}

impl Scalar for Complex<f64> {
    const ZERO: Self = Self { re: 0.0, im: 0.0 };
    fn conjugate(self) -> Self {
        self.conj()
    }
}
