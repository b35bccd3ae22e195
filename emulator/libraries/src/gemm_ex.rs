//! Products of matrices whose elements have different types.

use std::ffi::c_void;

use half::{bf16, f16};

use crate::blas::{Product, Transpose};
use crate::blas_calls::{Handle, INVALID_VALUE, NOT_INITIALIZED, done, product};
use crate::driver::submit;
use crate::view::{read, write};

/// Element types (`cudaDataType`) that can be mixed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Element {
    Float,
    Double,
    Half,
    Bfloat,
    Int8,
    Int32,
}

impl Element {
    fn from_code(code: i32) -> Option<Self> {
        match code {
            0 => Some(Self::Float),
            1 => Some(Self::Double),
            2 => Some(Self::Half),
            3 => Some(Self::Int8),
            10 => Some(Self::Int32),
            14 => Some(Self::Bfloat),
            _ => None,
        }
    }

    const fn bytes(self) -> usize {
        match self {
            Self::Float | Self::Int32 => 4,
            Self::Double => 8,
            Self::Half | Self::Bfloat => 2,
            Self::Int8 => 1,
        }
    }

    fn load(self, place: usize) -> f64 {
        match self {
            Self::Float => f64::from(read::<f32>(place)),
            Self::Double => read::<f64>(place),
            Self::Half => f16::from_bits(read::<u16>(place)).to_f64(),
            Self::Bfloat => bf16::from_bits(read::<u16>(place)).to_f64(),
            Self::Int8 => f64::from(read::<i8>(place)),
            Self::Int32 => f64::from(read::<i32>(place)),
        }
    }

    fn store(self, place: usize, value: f64) {
        match self {
            Self::Float => write(place, value as f32),
            Self::Double => write(place, value),
            Self::Half => write(place, f16::from_f64(value).to_bits()),
            Self::Bfloat => write(place, bf16::from_f64(value).to_bits()),
            Self::Int8 => write(place, value as i8),
            Self::Int32 => write(place, value as i32),
        }
    }
}

#[derive(Clone, Copy)]
struct Operand {
    place: usize,
    lead: usize,
    element: Element,
}

impl Operand {
    fn new(place: *const c_void, lead: i32, element: i32) -> Option<Self> {
        let lead = usize::try_from(lead).ok()?;
        Some(Self { place: place as usize, lead, element: Element::from_code(element)? })
    }

    fn at(&self, row: usize, column: usize) -> usize {
        self.place + (column * self.lead + row) * self.element.bytes()
    }

    fn get(&self, transpose: Transpose, row: usize, column: usize) -> f64 {
        match transpose {
            Transpose::No => self.element.load(self.at(row, column)),
            Transpose::Yes | Transpose::Conjugate => self.element.load(self.at(column, row)),
        }
    }
}

struct Request {
    shape: Product,
    a: Operand,
    b: Operand,
    c: Operand,
}

// Accumulates in double precision, so the result is the exact product rounded once per element.
fn run(request: &Request, alpha: f64, beta: f64) {
    let Request { shape, a, b, c } = request;
    for column in 0..shape.n {
        for row in 0..shape.m {
            let sum: f64 = (0..shape.k)
                .map(|index| a.get(shape.a, row, index) * b.get(shape.b, index, column))
                .sum();
            let place = c.at(row, column);
            let old = if beta == 0.0 { 0.0 } else { beta * c.element.load(place) };
            c.element.store(place, alpha * sum + old);
        }
    }
}

fn submit_product(
    handle: &Handle,
    request: Request,
    scalar: Element,
    alpha: *const c_void,
    beta: *const c_void,
) -> i32 {
    if handle.scalars_on_device {
        let (alpha, beta) = (alpha as usize, beta as usize);
        return done(submit(handle.stream, c"cublas gemm", move || {
            run(&request, scalar.load(alpha), scalar.load(beta));
        }));
    }
    let (alpha, beta) = (scalar.load(alpha as usize), scalar.load(beta as usize));
    done(submit(handle.stream, c"cublas gemm", move || run(&request, alpha, beta)))
}

/// The type of alpha and beta for a compute type (`cublasComputeType_t`).
fn scalar_of(compute: i32) -> Option<Element> {
    match compute {
        64 | 65 => Some(Element::Half),
        68 | 69 | 74 | 75 | 77 => Some(Element::Float),
        70 | 71 => Some(Element::Double),
        72 | 73 => Some(Element::Int32),
        _ => None,
    }
}

/// C = alpha op(A) op(B) + beta C with element types of its own for each matrix.
///
/// # Safety
/// Pointers are as cuBLAS asks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cublasGemmEx(
    handle: *mut Handle,
    ta: i32,
    tb: i32,
    m: i32,
    n: i32,
    k: i32,
    alpha: *const c_void,
    a: *const c_void,
    a_type: i32,
    lda: i32,
    b: *const c_void,
    b_type: i32,
    ldb: i32,
    beta: *const c_void,
    c: *mut c_void,
    c_type: i32,
    ldc: i32,
    compute: i32,
    _algorithm: i32,
) -> i32 {
    // SAFETY: a handle of cublasCreate, or null.
    let Some(handle) = (unsafe { handle.as_ref() }) else { return NOT_INITIALIZED };
    let request = || {
        Some(Request {
            shape: product(ta, tb, m, n, k)?,
            a: Operand::new(a, lda, a_type)?,
            b: Operand::new(b, ldb, b_type)?,
            c: Operand::new(c, ldc, c_type)?,
        })
    };
    let (Some(request), Some(scalar)) = (request(), scalar_of(compute)) else {
        return INVALID_VALUE;
    };
    submit_product(handle, request, scalar, alpha, beta)
}

/// C = alpha op(A) op(B) + beta C in half precision.
///
/// # Safety
/// Pointers are as cuBLAS asks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cublasHgemm(
    handle: *mut Handle,
    ta: i32,
    tb: i32,
    m: i32,
    n: i32,
    k: i32,
    alpha: *const c_void,
    a: *const c_void,
    lda: i32,
    b: *const c_void,
    ldb: i32,
    beta: *const c_void,
    c: *mut c_void,
    ldc: i32,
) -> i32 {
    const HALF: i32 = 2;
    const COMPUTE_HALF: i32 = 64;
    // SAFETY: the caller's promise.
    unsafe {
        cublasGemmEx(
            handle,
            ta,
            tb,
            m,
            n,
            k,
            alpha,
            a,
            HALF,
            lda,
            b,
            HALF,
            ldb,
            beta,
            c,
            HALF,
            ldc,
            COMPUTE_HALF,
            -1,
        )
    }
}
