//! Dot products of vectors whose elements have types of their own.

use std::ffi::c_void;

use crate::blas_calls::{Handle, INVALID_VALUE, NOT_INITIALIZED, SUCCESS, done};
use crate::driver::{submit, wait};
use crate::element::Element;

/// Sum of products, accumulated in double precision and rounded once to the result's type.
///
/// # Safety
/// Pointers are as cuBLAS asks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cublasDotEx(
    handle: *mut Handle,
    n: i32,
    x: *const c_void,
    x_type: i32,
    x_step: i32,
    y: *const c_void,
    y_type: i32,
    y_step: i32,
    result: *mut c_void,
    result_type: i32,
    _execution_type: i32,
) -> i32 {
    // SAFETY: a handle of cublasCreate, or null.
    let Some(handle) = (unsafe { handle.as_ref() }) else { return NOT_INITIALIZED };
    let (Ok(count), Some(x_type), Some(y_type), Some(result_type)) = (
        usize::try_from(n),
        Element::from_code(x_type),
        Element::from_code(y_type),
        Element::from_code(result_type),
    ) else {
        return INVALID_VALUE;
    };
    let (x, y, result) = (x as usize, y as usize, result as usize);
    // The result is in device memory or, when the host waits for it, in the host's; while a library works, it may
    // touch both.
    let submitted = submit(handle.stream, c"cublas dot", move || {
        let at = |place, step, element: Element, index| {
            element.load(strided(place, count, step, element.bytes(), index))
        };
        let product = |index| at(x, x_step, x_type, index) * at(y, y_step, y_type, index);
        result_type.store(result, (0..count).map(product).sum());
    });
    if submitted && !handle.scalars_on_device {
        wait(handle.stream);
        return SUCCESS;
    }
    done(submitted)
}

// A negative step starts at the far end, as BLAS has it.
fn strided(place: usize, count: usize, step: i32, bytes: usize, index: usize) -> usize {
    let index = if step < 0 { count - 1 - index } else { index };
    place + index * step.unsigned_abs() as usize * bytes
}
