//! LU factorization of many small matrices.

use crate::blas_calls::{Handle, INVALID_VALUE, NOT_INITIALIZED, done};
use crate::driver::submit;
use crate::scalar::Scalar;
use crate::view::{Matrix, read, write};

/// A = P L U in place, with row exchanges by the largest element if `pivot` says which. Gives 0, or the number of the
/// first diagonal element of U that is zero, from 1.
fn factorize<T: Scalar + std::ops::Sub<Output = T> + std::ops::Div<Output = T>>(
    a: Matrix<T>,
    n: usize,
    size: impl Fn(T) -> f64,
    mut pivot: impl FnMut(usize, usize),
    exchange: bool,
) -> i32 {
    let mut singular = 0;
    for step in 0..n {
        let mut chosen = step;
        if exchange {
            for row in step + 1..n {
                if size(a.get(row, step)) > size(a.get(chosen, step)) {
                    chosen = row;
                }
            }
            for column in (0..n).filter(|_| chosen != step) {
                let (upper, lower) = (a.get(step, column), a.get(chosen, column));
                a.set(step, column, lower);
                a.set(chosen, column, upper);
            }
        }
        pivot(step, chosen);
        let diagonal = a.get(step, step);
        if diagonal == T::ZERO {
            if singular == 0 {
                singular = step as i32 + 1;
            }
            continue;
        }
        for row in step + 1..n {
            let factor = a.get(row, step) / diagonal;
            a.set(row, step, factor);
            for column in step + 1..n {
                a.set(row, column, a.get(row, column) - factor * a.get(step, column));
            }
        }
    }
    singular
}

macro_rules! factorizations {
    ($($type:ty; $name:ident;)*) => { $(
        /// LU factorization of `batch` matrices of `n` rows; `pivots` may be null: no exchanges.
        ///
        /// # Safety
        /// Pointers are as cuBLAS asks.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(
            handle: *mut Handle,
            n: i32,
            list: usize,
            lead: i32,
            pivots: usize,
            info: usize,
            batch: i32,
        ) -> i32 {
            // SAFETY: a handle of cublasCreate, or null.
            let Some(handle) = (unsafe { handle.as_ref() }) else { return NOT_INITIALIZED };
            let sizes = (usize::try_from(n), usize::try_from(lead), usize::try_from(batch));
            let (Ok(n), Ok(lead), Ok(batch)) = sizes else { return INVALID_VALUE };
            done(submit(handle.stream, c"cublas getrf", move || {
                for index in 0..batch {
                    let place = read::<usize>(list + index * size_of::<usize>());
                    let pivot = |step: usize, chosen: usize| {
                        if pivots != 0 {
                            write(pivots + (index * n + step) * 4, chosen as i32 + 1);
                        }
                    };
                    let a = Matrix::<$type>::new(place, lead);
                    let size = |value: $type| f64::from(value).abs();
                    write(info + index * 4, factorize(a, n, size, pivot, pivots != 0));
                }
            }))
        }
    )* };
}

factorizations! {
    f32; cublasSgetrfBatched;
    f64; cublasDgetrfBatched;
}
