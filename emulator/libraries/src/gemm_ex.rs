//! Products of matrices whose elements have different types.

use std::ffi::c_void;

use crate::blas::{Product, Transpose};
use crate::blas_calls::{Handle, INVALID_VALUE, NOT_INITIALIZED, done, product};
use crate::driver::submit;
use crate::element::Element;
use crate::view::read;

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

/// Where the matrices of the products after the first are.
#[derive(Clone, Copy)]
enum Batch {
    /// So many elements from one A, B and C to the next.
    Strided { steps: [i64; 3], count: usize },
    /// The places of A, B and C are those of lists of places, in device memory.
    Pointers { count: usize },
}

impl Batch {
    const ONE: Self = Self::Strided { steps: [0; 3], count: 1 };

    const fn count(self) -> usize {
        match self {
            Self::Strided { count, .. } | Self::Pointers { count } => count,
        }
    }

    // The operand of one product; `which` is 0 for A, 1 for B, 2 for C.
    fn operand(self, which: usize, operand: Operand, index: usize) -> Operand {
        let place = match self {
            Self::Strided { steps, .. } => {
                let bytes =
                    steps[which] as isize * index as isize * operand.element.bytes() as isize;
                operand.place.wrapping_add_signed(bytes)
            }
            Self::Pointers { .. } => read(operand.place + index * size_of::<usize>()),
        };
        Operand { place, ..operand }
    }
}

struct Request {
    shape: Product,
    a: Operand,
    b: Operand,
    c: Operand,
    batch: Batch,
}

fn run(request: &Request, alpha: f64, beta: f64) {
    let batch = request.batch;
    for index in 0..batch.count() {
        let a = batch.operand(0, request.a, index);
        let b = batch.operand(1, request.b, index);
        let c = batch.operand(2, request.c, index);
        run_one(request.shape, (alpha, beta), a, b, c);
    }
}

// Accumulates in double precision, so the result is the exact product rounded once per element. Each sum is taken in
// ascending order of the index; those of a column of C go along together.
fn run_one(shape: Product, (alpha, beta): (f64, f64), a: Operand, b: Operand, c: Operand) {
    let left: Vec<f64> = (0..shape.k)
        .flat_map(|index| (0..shape.m).map(move |row| a.get(shape.a, row, index)))
        .collect();
    let mut sums = vec![0.0; shape.m];
    for column in 0..shape.n {
        sums.fill(0.0);
        for index in 0..shape.k {
            let factor = b.get(shape.b, index, column);
            let rows = &left[index * shape.m..][..shape.m];
            for (sum, element) in sums.iter_mut().zip(rows) {
                *sum += element * factor;
            }
        }
        for (row, sum) in sums.iter().enumerate() {
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

/// Half precision, and the compute type of that name.
const HALF: i32 = 2;
const COMPUTE_HALF: i32 = 64;

/// Sizes as the program passes them.
type Sizes = (i32, i32, i32, i32, i32);
/// Place, element type and columns' distance of a matrix as the program passes them.
type Given = (*const c_void, i32, i32);

unsafe fn multiply(
    handle: *mut Handle,
    (ta, tb, m, n, k): Sizes,
    (alpha, beta): (*const c_void, *const c_void),
    [a, b, c]: [Given; 3],
    batch: Option<Batch>,
    compute: i32,
) -> i32 {
    // SAFETY: a handle of cublasCreate, or null.
    let Some(handle) = (unsafe { handle.as_ref() }) else { return NOT_INITIALIZED };
    let operand = |(place, element, lead): Given| Operand::new(place, lead, element);
    let request = || {
        Some(Request {
            shape: product(ta, tb, m, n, k)?,
            a: operand(a)?,
            b: operand(b)?,
            c: operand(c)?,
            batch: batch?,
        })
    };
    let (Some(request), Some(scalar)) = (request(), scalar_of(compute)) else {
        return INVALID_VALUE;
    };
    submit_product(handle, request, scalar, alpha, beta)
}

fn strided(steps: [i64; 3], count: i32) -> Option<Batch> {
    Some(Batch::Strided { steps, count: usize::try_from(count).ok()? })
}

fn pointers(count: i32) -> Option<Batch> {
    Some(Batch::Pointers { count: usize::try_from(count).ok()? })
}

/// Defines products: the arguments after the sizes, and what they mean.
macro_rules! products {
    ($( fn $name:ident($($argument:ident: $type:ty),* $(,)?) { $matrices:expr, $batch:expr, $compute:expr } )*) => { $(
        /// C = alpha op(A) op(B) + beta C, for one or more C.
        ///
        /// # Safety
        /// Pointers are as cuBLAS asks.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(handle: *mut Handle, ta: i32, tb: i32, m: i32, n: i32, k: i32,
            alpha: *const c_void, $($argument: $type),*) -> i32 {
            let (beta, matrices) = $matrices;
            // SAFETY: the caller's promise.
            unsafe { multiply(handle, (ta, tb, m, n, k), (alpha, beta), matrices, $batch, $compute) }
        }
    )* };
}

products! {
    fn cublasGemmEx(a: *const c_void, at: i32, lda: i32, b: *const c_void, bt: i32, ldb: i32, beta: *const c_void,
        c: *const c_void, ct: i32, ldc: i32, compute: i32, _algorithm: i32) {
        (beta, [(a, at, lda), (b, bt, ldb), (c, ct, ldc)]), Some(Batch::ONE), compute
    }
    fn cublasGemmStridedBatchedEx(a: *const c_void, at: i32, lda: i32, sa: i64, b: *const c_void, bt: i32, ldb: i32,
        sb: i64, beta: *const c_void, c: *const c_void, ct: i32, ldc: i32, sc: i64, batch: i32, compute: i32,
        _algorithm: i32) {
        (beta, [(a, at, lda), (b, bt, ldb), (c, ct, ldc)]), strided([sa, sb, sc], batch), compute
    }
    fn cublasGemmBatchedEx(a: *const c_void, at: i32, lda: i32, b: *const c_void, bt: i32, ldb: i32,
        beta: *const c_void, c: *const c_void, ct: i32, ldc: i32, batch: i32, compute: i32, _algorithm: i32) {
        (beta, [(a, at, lda), (b, bt, ldb), (c, ct, ldc)]), pointers(batch), compute
    }
    fn cublasHgemm(a: *const c_void, lda: i32, b: *const c_void, ldb: i32, beta: *const c_void, c: *const c_void,
        ldc: i32) {
        (beta, [(a, HALF, lda), (b, HALF, ldb), (c, HALF, ldc)]), Some(Batch::ONE), COMPUTE_HALF
    }
    fn cublasHgemmStridedBatched(a: *const c_void, lda: i32, sa: i64, b: *const c_void, ldb: i32, sb: i64,
        beta: *const c_void, c: *const c_void, ldc: i32, sc: i64, batch: i32) {
        (beta, [(a, HALF, lda), (b, HALF, ldb), (c, HALF, ldc)]), strided([sa, sb, sc], batch), COMPUTE_HALF
    }
    fn cublasHgemmBatched(a: *const c_void, lda: i32, b: *const c_void, ldb: i32, beta: *const c_void,
        c: *const c_void, ldc: i32, batch: i32) {
        (beta, [(a, HALF, lda), (b, HALF, ldb), (c, HALF, ldc)]), pointers(batch), COMPUTE_HALF
    }
}
