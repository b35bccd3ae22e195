//! Linear algebra by its definition.

use crate::scalar::Scalar;
use crate::view::{Matrix, Vector};

/// `CUBLAS_OP_N`, `_T`, `_C`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Transpose {
    No,
    Yes,
    Conjugate,
}

impl Transpose {
    pub(crate) fn from_code(code: i32) -> Option<Self> {
        match code {
            0 => Some(Self::No),
            1 => Some(Self::Yes),
            2 => Some(Self::Conjugate),
            _ => None,
        }
    }

    pub(crate) fn element<T: Scalar>(self, matrix: &Matrix<T>, row: usize, column: usize) -> T {
        match self {
            Self::No => matrix.get(row, column),
            Self::Yes => matrix.get(column, row),
            Self::Conjugate => matrix.get(column, row).conjugate(),
        }
    }
}

/// `beta * old`, without reading what BLAS says is not read.
fn scaled<T: Scalar>(beta: T, old: impl FnOnce() -> T) -> T {
    if beta == T::ZERO { T::ZERO } else { beta * old() }
}

/// y = alpha x + y
pub(crate) fn axpy<T: Scalar>(alpha: T, x: Vector<T>, y: Vector<T>) {
    for index in 0..x.count {
        y.set(index, alpha * x.get(index) + y.get(index));
    }
}

/// x = alpha x
pub(crate) fn scal<T: Scalar>(alpha: T, x: Vector<T>) {
    for index in 0..x.count {
        x.set(index, alpha * x.get(index));
    }
}

/// y = x
pub(crate) fn copy<T: Scalar>(x: Vector<T>, y: Vector<T>) {
    for index in 0..x.count {
        y.set(index, x.get(index));
    }
}

/// Exchanges x and y.
pub(crate) fn swap<T: Scalar>(x: Vector<T>, y: Vector<T>) {
    for index in 0..x.count {
        let (old_x, old_y) = (x.get(index), y.get(index));
        x.set(index, old_y);
        y.set(index, old_x);
    }
}

/// Sum of products.
pub(crate) fn dot<T: Scalar>(x: Vector<T>, y: Vector<T>) -> T {
    (0..x.count).fold(T::ZERO, |sum, index| sum + x.get(index) * y.get(index))
}

/// y = alpha op(A) x + beta y; A has `rows` rows and `columns` columns.
pub(crate) fn gemv<T: Scalar>(
    (transpose, rows, columns): (Transpose, usize, usize),
    (alpha, beta): (T, T),
    a: Matrix<T>,
    (x_place, x_step): (usize, i32),
    (y_place, y_step): (usize, i32),
) {
    let (long, short) = if transpose == Transpose::No { (rows, columns) } else { (columns, rows) };
    let x = Vector::new(x_place, short, x_step);
    let y = Vector::new(y_place, long, y_step);
    for row in 0..long {
        let product = (0..short)
            .fold(T::ZERO, |sum, index| sum + transpose.element(&a, row, index) * x.get(index));
        y.set(row, alpha * product + scaled(beta, || y.get(row)));
    }
}

/// Sizes and shapes of a matrix product.
#[derive(Clone, Copy)]
pub(crate) struct Product {
    pub(crate) a: Transpose,
    pub(crate) b: Transpose,
    pub(crate) m: usize,
    pub(crate) n: usize,
    pub(crate) k: usize,
}

/// C = alpha op(A) op(B) + beta C
pub(crate) fn gemm<T: Scalar>(
    shape: Product,
    (alpha, beta): (T, T),
    a: Matrix<T>,
    b: Matrix<T>,
    c: Matrix<T>,
) {
    // Each sum is taken in ascending order of the index; that many are taken at a time because columns of A lie together.
    let mut sums = vec![T::ZERO; shape.m];
    for column in 0..shape.n {
        sums.fill(T::ZERO);
        for index in 0..shape.k {
            let factor = shape.b.element(&b, index, column);
            for (row, sum) in sums.iter_mut().enumerate() {
                *sum = *sum + shape.a.element(&a, row, index) * factor;
            }
        }
        for (row, &sum) in sums.iter().enumerate() {
            c.set(row, column, alpha * sum + scaled(beta, || c.get(row, column)));
        }
    }
}

/// C = alpha op(A) + beta op(B)
pub(crate) fn geam<T: Scalar>(
    shape: Product,
    (alpha, beta): (T, T),
    a: Matrix<T>,
    b: Matrix<T>,
    c: Matrix<T>,
) {
    for column in 0..shape.n {
        for row in 0..shape.m {
            let first = scaled(alpha, || shape.a.element(&a, row, column));
            let second = scaled(beta, || shape.b.element(&b, row, column));
            c.set(row, column, first + second);
        }
    }
}

/// A = alpha x y' + A
pub(crate) fn ger<T: Scalar>(alpha: T, x: Vector<T>, y: Vector<T>, a: Matrix<T>) {
    for column in 0..y.count {
        for row in 0..x.count {
            a.set(row, column, alpha * x.get(row) * y.get(column) + a.get(row, column));
        }
    }
}
