//! cuBLAS' entry points.

use std::ffi::{CStr, c_char, c_void};

use rustfft::num_complex::Complex;

use crate::blas::{self, Product, Transpose};
use crate::driver::{copy, submit, wait};
use crate::scalar::Scalar;
use crate::view::{Matrix, Vector, read, write};

/// `CUBLAS_STATUS_SUCCESS` and others.
pub(crate) const SUCCESS: i32 = 0;
pub(crate) const NOT_INITIALIZED: i32 = 1;
pub(crate) const INVALID_VALUE: i32 = 7;
const MAPPING_ERROR: i32 = 11;
pub(crate) const EXECUTION_FAILED: i32 = 13;

/// What a handle points to.
pub struct Handle {
    pub(crate) stream: usize,
    pub(crate) scalars_on_device: bool,
}

/// Where a scalar argument is read.
#[derive(Clone, Copy)]
pub(crate) enum Parameter<T> {
    /// Known at the call.
    Value(T),
    /// In device memory, read when the operation runs.
    Place(usize),
}

impl<T: Copy> Parameter<T> {
    pub(crate) fn get(self) -> T {
        match self {
            Self::Value(value) => value,
            Self::Place(place) => read(place),
        }
    }
}

impl Handle {
    pub(crate) unsafe fn parameter<T: Copy>(&self, place: *const T) -> Parameter<T> {
        if self.scalars_on_device {
            Parameter::Place(place as usize)
        } else {
            // SAFETY: the program passes a valid scalar of its own.
            Parameter::Value(unsafe { *place })
        }
    }

    /// Submits work whose result the program wants at `out`: in device memory, or in its own, for which it waits.
    fn result<T: Copy + 'static>(&self, out: *mut T, work: impl FnOnce() -> T + 'static) -> i32 {
        if self.scalars_on_device {
            let place = out as usize;
            return done(submit(self.stream, c"cublas", move || write(place, work())));
        }
        let cell = std::rc::Rc::new(std::cell::Cell::new(None));
        let answer = std::rc::Rc::clone(&cell);
        if !submit(self.stream, c"cublas", move || answer.set(Some(work()))) {
            return EXECUTION_FAILED;
        }
        wait(self.stream);
        match cell.get() {
            Some(value) => {
                // SAFETY: the program passes a valid place of its own.
                unsafe { *out = value };
                SUCCESS
            }
            None => EXECUTION_FAILED,
        }
    }
}

pub(crate) fn done(submitted: bool) -> i32 {
    if submitted { SUCCESS } else { EXECUTION_FAILED }
}

fn size(count: i32) -> Option<usize> {
    usize::try_from(count).ok()
}

pub(crate) fn product(a: i32, b: i32, m: i32, n: i32, k: i32) -> Option<Product> {
    Some(Product {
        a: Transpose::from_code(a)?,
        b: Transpose::from_code(b)?,
        m: size(m)?,
        n: size(n)?,
        k: size(k)?,
    })
}

/// Defines entry points. `handle` may be null; bodies give a status.
macro_rules! calls {
    ($( fn $name:ident($handle:ident; $($argument:ident: $type:ty),* $(,)?) $body:block )*) => { $(
        /// cuBLAS entry point.
        ///
        /// # Safety
        /// Pointers are as cuBLAS asks.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($handle: *mut Handle, $($argument: $type),*) -> i32 {
            // SAFETY: a handle of cublasCreate, or null.
            let Some($handle) = (unsafe { $handle.as_mut() }) else { return NOT_INITIALIZED };
            // SAFETY: the caller's promise about pointers.
            #[allow(unused_unsafe, reason = "some bodies need none")]
            #[allow(clippy::redundant_closure_call, reason = "the closure is where `?` returns to")]
            let status: Option<i32> = unsafe { (|| $body)() };
            status.unwrap_or(INVALID_VALUE)
        }
    )* };
}

calls! {
    fn cublasSetStream_v2(handle; stream: usize) { handle.stream = stream; Some(SUCCESS) }
    fn cublasGetStream_v2(handle; stream: *mut usize) { *stream = handle.stream; Some(SUCCESS) }
    fn cublasSetPointerMode_v2(handle; mode: i32) { handle.scalars_on_device = mode == 1; Some(SUCCESS) }
    fn cublasGetPointerMode_v2(handle; mode: *mut i32) { *mode = i32::from(handle.scalars_on_device); Some(SUCCESS) }
    fn cublasSetMathMode(handle; _mode: i32) { let _ = handle; Some(SUCCESS) }
    fn cublasSetAtomicsMode(handle; _mode: i32) { let _ = handle; Some(SUCCESS) }
    fn cublasSetWorkspace(handle; _place: usize, _bytes: usize) { let _ = handle; Some(SUCCESS) }
    fn cublasGetVersion_v2(handle; version: *mut i32) { let _ = handle; *version = 120_600; Some(SUCCESS) }
}

/// A new handle.
///
/// # Safety
/// `handle` is valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cublasCreate_v2(handle: *mut *mut Handle) -> i32 {
    // SAFETY: the caller's promise.
    unsafe { *handle = Box::into_raw(Box::new(Handle { stream: 0, scalars_on_device: false })) };
    SUCCESS
}

/// Ends a handle, after waiting for its work.
///
/// # Safety
/// `handle` is null or of `cublasCreate`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cublasDestroy_v2(handle: *mut Handle) -> i32 {
    if handle.is_null() {
        return NOT_INITIALIZED;
    }
    // SAFETY: the caller's promise.
    let handle = unsafe { Box::from_raw(handle) };
    wait(handle.stream);
    SUCCESS
}

const STATUSES: [(i32, &CStr); 8] = [
    (SUCCESS, c"CUBLAS_STATUS_SUCCESS"),
    (NOT_INITIALIZED, c"CUBLAS_STATUS_NOT_INITIALIZED"),
    (3, c"CUBLAS_STATUS_ALLOC_FAILED"),
    (INVALID_VALUE, c"CUBLAS_STATUS_INVALID_VALUE"),
    (MAPPING_ERROR, c"CUBLAS_STATUS_MAPPING_ERROR"),
    (EXECUTION_FAILED, c"CUBLAS_STATUS_EXECUTION_FAILED"),
    (14, c"CUBLAS_STATUS_INTERNAL_ERROR"),
    (15, c"CUBLAS_STATUS_NOT_SUPPORTED"),
];

/// Name of a status.
#[unsafe(no_mangle)]
pub extern "C" fn cublasGetStatusName(status: i32) -> *const c_char {
    let known = STATUSES.iter().find(|(code, _)| *code == status);
    known.map_or(c"unknown", |(_, name)| *name).as_ptr()
}

/// As `cublasGetStatusName`.
#[unsafe(no_mangle)]
pub extern "C" fn cublasGetStatusString(status: i32) -> *const c_char {
    cublasGetStatusName(status)
}

fn transfer(name: &CStr, (count, bytes): (i32, i32), from: (usize, i32), to: (usize, i32)) -> i32 {
    let (Some(count), Some(bytes)) = (size(count), size(bytes)) else { return INVALID_VALUE };
    let (Some(from_step), Some(to_step)) = (size(from.1), size(to.1)) else { return INVALID_VALUE };
    if from_step == 1 && to_step == 1 {
        let worked = count == 0 || copy(name, to.0, from.0, count * bytes);
        return if worked { SUCCESS } else { MAPPING_ERROR };
    }
    let worked = (0..count).all(|index| {
        copy(name, to.0 + index * to_step * bytes, from.0 + index * from_step * bytes, bytes)
    });
    if worked { SUCCESS } else { MAPPING_ERROR }
}

fn transfer_matrix(
    name: &CStr,
    (rows, columns, bytes): (i32, i32, i32),
    (from, from_lead): (*const c_void, i32),
    (to, to_lead): (*mut c_void, i32),
) -> i32 {
    let sizes = [rows, columns, bytes, from_lead, to_lead].map(size);
    let [Some(rows), Some(columns), Some(bytes), Some(from_lead), Some(to_lead)] = sizes else {
        return INVALID_VALUE;
    };
    let worked = (0..columns).all(|column| {
        let from = from as usize + column * from_lead * bytes;
        copy(name, to as usize + column * to_lead * bytes, from, rows * bytes)
    });
    if worked { SUCCESS } else { MAPPING_ERROR }
}

/// Copies a vector to the device.
#[unsafe(no_mangle)]
pub extern "C" fn cublasSetVector(
    count: i32,
    bytes: i32,
    from: usize,
    from_step: i32,
    to: usize,
    to_step: i32,
) -> i32 {
    transfer(c"cuMemcpyHtoD", (count, bytes), (from, from_step), (to, to_step))
}

/// Copies a vector to the host.
#[unsafe(no_mangle)]
pub extern "C" fn cublasGetVector(
    count: i32,
    bytes: i32,
    from: usize,
    from_step: i32,
    to: usize,
    to_step: i32,
) -> i32 {
    transfer(c"cuMemcpyDtoH", (count, bytes), (from, from_step), (to, to_step))
}

/// Copies a matrix to the device.
#[unsafe(no_mangle)]
pub extern "C" fn cublasSetMatrix(
    rows: i32,
    columns: i32,
    bytes: i32,
    from: *const c_void,
    from_lead: i32,
    to: *mut c_void,
    to_lead: i32,
) -> i32 {
    transfer_matrix(c"cuMemcpyHtoD", (rows, columns, bytes), (from, from_lead), (to, to_lead))
}

/// Copies a matrix to the host.
#[unsafe(no_mangle)]
pub extern "C" fn cublasGetMatrix(
    rows: i32,
    columns: i32,
    bytes: i32,
    from: *const c_void,
    from_lead: i32,
    to: *mut c_void,
    to_lead: i32,
) -> i32 {
    transfer_matrix(c"cuMemcpyDtoH", (rows, columns, bytes), (from, from_lead), (to, to_lead))
}

fn place_at<T>(base: usize, index: usize, stride: i64) -> usize {
    base.wrapping_add_signed(index as isize * stride as isize * size_of::<T>() as isize)
}

macro_rules! for_every_type {
    ($type:ty; $axpy:ident $scal:ident $copy:ident $swap:ident $gemv:ident $gemm:ident $strided:ident $batched:ident $geam:ident) => {
        calls! {
            fn $axpy(handle; n: i32, alpha: *const $type, x: usize, x_step: i32, y: usize, y_step: i32) {
                let (n, alpha) = (size(n)?, handle.parameter(alpha));
                Some(done(submit(handle.stream, c"cublas axpy", move || {
                    blas::axpy(alpha.get(), Vector::new(x, n, x_step), Vector::new(y, n, y_step));
                })))
            }
            fn $scal(handle; n: i32, alpha: *const $type, x: usize, x_step: i32) {
                let (n, alpha) = (size(n)?, handle.parameter(alpha));
                Some(done(submit(handle.stream, c"cublas scal", move || {
                    blas::scal(alpha.get(), Vector::new(x, n, x_step));
                })))
            }
            fn $copy(handle; n: i32, x: usize, x_step: i32, y: usize, y_step: i32) {
                let n = size(n)?;
                Some(done(submit(handle.stream, c"cublas copy", move || {
                    blas::copy::<$type>(Vector::new(x, n, x_step), Vector::new(y, n, y_step));
                })))
            }
            fn $swap(handle; n: i32, x: usize, x_step: i32, y: usize, y_step: i32) {
                let n = size(n)?;
                Some(done(submit(handle.stream, c"cublas swap", move || {
                    blas::swap::<$type>(Vector::new(x, n, x_step), Vector::new(y, n, y_step));
                })))
            }
            fn $gemv(handle; transpose: i32, m: i32, n: i32, alpha: *const $type, a: usize, lda: i32, x: usize,
                x_step: i32, beta: *const $type, y: usize, y_step: i32) {
                let shape = (Transpose::from_code(transpose)?, size(m)?, size(n)?);
                let (alpha, beta, lda) = (handle.parameter(alpha), handle.parameter(beta), size(lda)?);
                Some(done(submit(handle.stream, c"cublas gemv", move || {
                    let factors = (alpha.get(), beta.get());
                    blas::gemv::<$type>(shape, factors, Matrix::new(a, lda), (x, x_step), (y, y_step));
                })))
            }
            fn $gemm(handle; ta: i32, tb: i32, m: i32, n: i32, k: i32, alpha: *const $type, a: usize, lda: i32, b: usize,
                ldb: i32, beta: *const $type, c: usize, ldc: i32) {
                let shape = product(ta, tb, m, n, k)?;
                let (lda, ldb, ldc) = (size(lda)?, size(ldb)?, size(ldc)?);
                let (alpha, beta) = (handle.parameter(alpha), handle.parameter(beta));
                Some(done(submit(handle.stream, c"cublas gemm", move || {
                    let factors = (alpha.get(), beta.get());
                    blas::gemm::<$type>(shape, factors, Matrix::new(a, lda), Matrix::new(b, ldb), Matrix::new(c, ldc));
                })))
            }
            fn $strided(handle; ta: i32, tb: i32, m: i32, n: i32, k: i32, alpha: *const $type, a: usize, lda: i32,
                sa: i64, b: usize, ldb: i32, sb: i64, beta: *const $type, c: usize, ldc: i32, sc: i64, batch: i32) {
                let (shape, batch) = (product(ta, tb, m, n, k)?, size(batch)?);
                let (lda, ldb, ldc) = (size(lda)?, size(ldb)?, size(ldc)?);
                let (alpha, beta) = (handle.parameter(alpha), handle.parameter(beta));
                Some(done(submit(handle.stream, c"cublas gemm", move || {
                    let factors = (alpha.get(), beta.get());
                    for index in 0..batch {
                        let a = Matrix::new(place_at::<$type>(a, index, sa), lda);
                        let b = Matrix::new(place_at::<$type>(b, index, sb), ldb);
                        blas::gemm::<$type>(shape, factors, a, b, Matrix::new(place_at::<$type>(c, index, sc), ldc));
                    }
                })))
            }
            fn $batched(handle; ta: i32, tb: i32, m: i32, n: i32, k: i32, alpha: *const $type, a: usize, lda: i32,
                b: usize, ldb: i32, beta: *const $type, c: usize, ldc: i32, batch: i32) {
                let (shape, batch) = (product(ta, tb, m, n, k)?, size(batch)?);
                let (lda, ldb, ldc) = (size(lda)?, size(ldb)?, size(ldc)?);
                let (alpha, beta) = (handle.parameter(alpha), handle.parameter(beta));
                Some(done(submit(handle.stream, c"cublas gemm", move || {
                    let factors = (alpha.get(), beta.get());
                    for index in 0..batch {
                        let entry = |list: usize| read::<usize>(list + index * size_of::<usize>());
                        let a = Matrix::new(entry(a), lda);
                        let b = Matrix::new(entry(b), ldb);
                        blas::gemm::<$type>(shape, factors, a, b, Matrix::new(entry(c), ldc));
                    }
                })))
            }
            fn $geam(handle; ta: i32, tb: i32, m: i32, n: i32, alpha: *const $type, a: usize, lda: i32,
                beta: *const $type, b: usize, ldb: i32, c: usize, ldc: i32) {
                let shape = product(ta, tb, m, n, 0)?;
                let (lda, ldb, ldc) = (size(lda)?, size(ldb)?, size(ldc)?);
                let (alpha, beta) = (handle.parameter(alpha), handle.parameter(beta));
                Some(done(submit(handle.stream, c"cublas geam", move || {
                    let factors = (alpha.get(), beta.get());
                    blas::geam::<$type>(shape, factors, Matrix::new(a, lda), Matrix::new(b, ldb), Matrix::new(c, ldc));
                })))
            }
        }
    };
}

for_every_type! { f32; cublasSaxpy_v2 cublasSscal_v2 cublasScopy_v2 cublasSswap_v2 cublasSgemv_v2 cublasSgemm_v2
cublasSgemmStridedBatched cublasSgemmBatched cublasSgeam }
for_every_type! { f64; cublasDaxpy_v2 cublasDscal_v2 cublasDcopy_v2 cublasDswap_v2 cublasDgemv_v2 cublasDgemm_v2
cublasDgemmStridedBatched cublasDgemmBatched cublasDgeam }
for_every_type! { Complex<f32>; cublasCaxpy_v2 cublasCscal_v2 cublasCcopy_v2 cublasCswap_v2 cublasCgemv_v2
cublasCgemm_v2 cublasCgemmStridedBatched cublasCgemmBatched cublasCgeam }
for_every_type! { Complex<f64>; cublasZaxpy_v2 cublasZscal_v2 cublasZcopy_v2 cublasZswap_v2 cublasZgemv_v2
cublasZgemm_v2 cublasZgemmStridedBatched cublasZgemmBatched cublasZgeam }

// The first index, from 1, whose magnitude is extreme; 0 for an empty vector.
fn extreme<T: Scalar>(x: Vector<T>, magnitude: impl Fn(T) -> f64, larger: bool) -> i32 {
    let mut best: Option<(f64, usize)> = None;
    for index in 0..x.count {
        let value = magnitude(x.get(index));
        let better = best.is_none_or(|(old, _)| if larger { value > old } else { value < old });
        if better {
            best = Some((value, index));
        }
    }
    best.map_or(0, |(_, index)| index as i32 + 1)
}

macro_rules! for_real_types {
    ($type:ty; $dot:ident $nrm2:ident $asum:ident $amax:ident $amin:ident $ger:ident) => {
        calls! {
            fn $dot(handle; n: i32, x: usize, x_step: i32, y: usize, y_step: i32, out: *mut $type) {
                let n = size(n)?;
                Some(handle.result(out, move || {
                    blas::dot::<$type>(Vector::new(x, n, x_step), Vector::new(y, n, y_step))
                }))
            }
            fn $nrm2(handle; n: i32, x: usize, x_step: i32, out: *mut $type) {
                let n = size(n)?;
                Some(handle.result(out, move || {
                    let x = Vector::<$type>::new(x, n, x_step);
                    let square = |index| { let value = f64::from(x.get(index)); value * value };
                    (0..n).map(square).sum::<f64>().sqrt() as $type
                }))
            }
            fn $asum(handle; n: i32, x: usize, x_step: i32, out: *mut $type) {
                let n = size(n)?;
                Some(handle.result(out, move || {
                    let x = Vector::<$type>::new(x, n, x_step);
                    (0..n).map(|index| x.get(index).abs()).sum::<$type>()
                }))
            }
            fn $amax(handle; n: i32, x: usize, x_step: i32, out: *mut i32) {
                let n = size(n)?;
                Some(handle.result(out, move || {
                    extreme(Vector::<$type>::new(x, n, x_step), |value| f64::from(value).abs(), true)
                }))
            }
            fn $amin(handle; n: i32, x: usize, x_step: i32, out: *mut i32) {
                let n = size(n)?;
                Some(handle.result(out, move || {
                    extreme(Vector::<$type>::new(x, n, x_step), |value| f64::from(value).abs(), false)
                }))
            }
            fn $ger(handle; m: i32, n: i32, alpha: *const $type, x: usize, x_step: i32, y: usize, y_step: i32,
                a: usize, lda: i32) {
                let (m, n, lda, alpha) = (size(m)?, size(n)?, size(lda)?, handle.parameter(alpha));
                Some(done(submit(handle.stream, c"cublas ger", move || {
                    blas::ger::<$type>(alpha.get(), Vector::new(x, m, x_step), Vector::new(y, n, y_step), Matrix::new(a, lda));
                })))
            }
        }
    };
}

for_real_types! { f32; cublasSdot_v2 cublasSnrm2_v2 cublasSasum_v2 cublasISamax_v2 cublasISamin_v2 cublasSger_v2 }
for_real_types! { f64; cublasDdot_v2 cublasDnrm2_v2 cublasDasum_v2 cublasIDamax_v2 cublasIDamin_v2 cublasDger_v2 }
