//! cuFFT: plans and their execution, on rustfft's portable code, so that results do not depend on the machine.

use std::cell::RefCell;
use std::sync::Arc;

use rustfft::num_complex::Complex;
use rustfft::{Fft, FftDirection, FftPlannerScalar};

use crate::driver::submit;
use crate::view::{read, write};

const SUCCESS: i32 = 0;
const INVALID_PLAN: i32 = 1;
const INVALID_TYPE: i32 = 3;
const INVALID_VALUE: i32 = 4;
const EXEC_FAILED: i32 = 6;
const INVALID_SIZE: i32 = 8;

/// `cufftType` without the precision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sort {
    Complex,
    RealToComplex,
    ComplexToReal,
}

fn sort_of(code: i32) -> Option<(Sort, bool)> {
    let sort = match code & 0x3f {
        0x29 => Sort::Complex,
        0x2a => Sort::RealToComplex,
        0x2c => Sort::ComplexToReal,
        _ => return None,
    };
    Some((sort, code & 0x40 != 0))
}

/// How the elements of one side lie in memory, counted in elements.
#[derive(Debug, Clone)]
struct Layout {
    /// Extent of memory in each dimension, slowest first.
    embed: Vec<usize>,
    stride: usize,
    distance: usize,
}

impl Layout {
    fn offset(&self, batch: usize, index: &[usize]) -> usize {
        let inner = index
            .iter()
            .zip(&self.embed)
            .fold(0, |offset, (&index, &extent)| offset * extent + index);
        batch * self.distance + inner * self.stride
    }
}

#[derive(Debug, Clone)]
struct Plan {
    sizes: Vec<usize>,
    batch: usize,
    sort: Sort,
    double: bool,
    /// None: packed; then in-place real transforms are padded.
    layouts: Option<(Layout, Layout)>,
    stream: usize,
}

struct Plans(RefCell<Vec<Option<Plan>>>);
// SAFETY: the emulated process has one thread.
unsafe impl Sync for Plans {}
static PLANS: Plans = Plans(RefCell::new(Vec::new()));

fn add(out: *mut i32, plan: Plan) -> i32 {
    if plan.sizes.contains(&0) || plan.batch == 0 {
        return INVALID_SIZE;
    }
    let mut plans = PLANS.0.borrow_mut();
    plans.push(Some(plan));
    // SAFETY: the program passes a valid place.
    unsafe { *out = plans.len() as i32 };
    SUCCESS
}

fn plan_of(handle: i32) -> Option<Plan> {
    let index = usize::try_from(handle).ok()?.checked_sub(1)?;
    PLANS.0.borrow().get(index)?.clone()
}

fn simple(out: *mut i32, sizes: &[i32], code: i32, batch: i32) -> i32 {
    let Some((sort, double)) = sort_of(code) else { return INVALID_TYPE };
    let sizes: Option<Vec<usize>> = sizes.iter().map(|&size| usize::try_from(size).ok()).collect();
    let (Some(sizes), Ok(batch)) = (sizes, usize::try_from(batch)) else { return INVALID_SIZE };
    add(out, Plan { sizes, batch, sort, double, layouts: None, stream: 0 })
}

/// A plan of one dimension.
#[unsafe(no_mangle)]
pub extern "C" fn cufftPlan1d(out: *mut i32, nx: i32, code: i32, batch: i32) -> i32 {
    simple(out, &[nx], code, batch)
}

/// A plan of two dimensions.
#[unsafe(no_mangle)]
pub extern "C" fn cufftPlan2d(out: *mut i32, nx: i32, ny: i32, code: i32) -> i32 {
    simple(out, &[nx, ny], code, 1)
}

/// A plan of three dimensions.
#[unsafe(no_mangle)]
pub extern "C" fn cufftPlan3d(out: *mut i32, nx: i32, ny: i32, nz: i32, code: i32) -> i32 {
    simple(out, &[nx, ny, nz], code, 1)
}

/// A plan with a layout.
///
/// # Safety
/// Arrays have `rank` elements or are null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cufftPlanMany(
    out: *mut i32,
    rank: i32,
    sizes: *const i32,
    in_embed: *const i32,
    in_stride: i32,
    in_distance: i32,
    out_embed: *const i32,
    out_stride: i32,
    out_distance: i32,
    code: i32,
    batch: i32,
) -> i32 {
    let Ok(rank @ 1..=3) = usize::try_from(rank) else { return INVALID_VALUE };
    let list = |place: *const i32| {
        // SAFETY: the caller's promise.
        unsafe { std::slice::from_raw_parts(place, rank) }
    };
    if in_embed.is_null() || out_embed.is_null() {
        return simple(out, list(sizes), code, batch);
    }
    let layout = |embed: *const i32, stride: i32, distance: i32| {
        let embed: Option<Vec<usize>> =
            list(embed).iter().map(|&extent| usize::try_from(extent).ok()).collect();
        Some(Layout {
            embed: embed?,
            stride: usize::try_from(stride).ok()?,
            distance: usize::try_from(distance).ok()?,
        })
    };
    let layouts =
        (layout(in_embed, in_stride, in_distance), layout(out_embed, out_stride, out_distance));
    let (Some(input), Some(output)) = layouts else { return INVALID_VALUE };
    let status = simple(out, list(sizes), code, batch);
    if status == SUCCESS
        && let Some(Some(plan)) = PLANS.0.borrow_mut().last_mut()
    {
        plan.layouts = Some((input, output));
    }
    status
}

/// The stream of later executions.
#[unsafe(no_mangle)]
pub extern "C" fn cufftSetStream(handle: i32, stream: usize) -> i32 {
    let index = usize::try_from(handle).unwrap_or(0).wrapping_sub(1);
    match PLANS.0.borrow_mut().get_mut(index) {
        Some(Some(plan)) => {
            plan.stream = stream;
            SUCCESS
        }
        Some(None) | None => INVALID_PLAN,
    }
}

/// Ends a plan; executions under way have their own copy.
#[unsafe(no_mangle)]
pub extern "C" fn cufftDestroy(handle: i32) -> i32 {
    let index = usize::try_from(handle).unwrap_or(0).wrapping_sub(1);
    match PLANS.0.borrow_mut().get_mut(index).and_then(Option::take) {
        Some(_) => SUCCESS,
        None => INVALID_PLAN,
    }
}

/// Version of this library.
///
/// # Safety
/// `version` is valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cufftGetVersion(version: *mut i32) -> i32 {
    // SAFETY: the caller's promise.
    unsafe { *version = 11_300 };
    SUCCESS
}

fn execute(handle: i32, input: usize, output: usize, wanted: (Sort, bool), inverse: bool) -> i32 {
    let Some(plan) = plan_of(handle) else { return INVALID_PLAN };
    if (plan.sort, plan.double) != wanted {
        return INVALID_TYPE;
    }
    let stream = plan.stream;
    if submit(stream, c"cufft", move || run(&plan, input, output, inverse)) {
        SUCCESS
    } else {
        EXEC_FAILED
    }
}

fn run(plan: &Plan, input: usize, output: usize, inverse: bool) {
    let half: Vec<usize> = half_of(&plan.sizes);
    let (from, to) = match plan.sort {
        Sort::Complex => (plan.sizes.clone(), plan.sizes.clone()),
        Sort::RealToComplex => (plan.sizes.clone(), half.clone()),
        Sort::ComplexToReal => (half.clone(), plan.sizes.clone()),
    };
    let packed = |shape: &[usize], real: bool| {
        let mut embed = shape.to_vec();
        // In place, the rows of the real side have room for the complex one.
        if real
            && input == output
            && let (Some(last), Some(half)) = (embed.last_mut(), half.last())
        {
            *last = half * 2;
        }
        Layout { distance: embed.iter().product(), embed, stride: 1 }
    };
    let (layout_in, layout_out) = plan.layouts.clone().unwrap_or_else(|| {
        (
            packed(&from, plan.sort == Sort::RealToComplex),
            packed(&to, plan.sort == Sort::ComplexToReal),
        )
    });
    let real_in = plan.sort == Sort::RealToComplex;
    let real_out = plan.sort == Sort::ComplexToReal;
    for batch in 0..plan.batch {
        let mut grid = vec![Complex::new(0.0, 0.0); plan.sizes.iter().product()];
        for (position, index) in indices(&plan.sizes).enumerate() {
            grid[position] = if plan.sort == Sort::ComplexToReal {
                hermitian(plan, &half, &index, |index| {
                    load(input, layout_in.offset(batch, index), false, plan.double)
                })
            } else {
                load(input, layout_in.offset(batch, &index), real_in, plan.double)
            };
        }
        transform(&mut grid, &plan.sizes, inverse || real_out);
        for (position, index) in indices(&plan.sizes).enumerate() {
            let kept = index.iter().zip(&to).all(|(index, extent)| index < extent);
            if kept {
                let place = layout_out.offset(batch, &index);
                store(output, place, grid[position], real_out, plan.double);
            }
        }
    }
}

fn half_of(sizes: &[usize]) -> Vec<usize> {
    let mut half = sizes.to_vec();
    if let Some(last) = half.last_mut() {
        *last = *last / 2 + 1;
    }
    half
}

// The element of a Hermitian grid of which only the first half of the last dimension is stored.
fn hermitian(
    plan: &Plan,
    half: &[usize],
    index: &[usize],
    load: impl Fn(&[usize]) -> Complex<f64>,
) -> Complex<f64> {
    let stored = index.last() < half.last();
    if stored {
        return load(index);
    }
    let mirrored: Vec<usize> =
        index.iter().zip(&plan.sizes).map(|(&index, &size)| (size - index) % size).collect();
    load(&mirrored).conj()
}

fn indices(sizes: &[usize]) -> impl Iterator<Item = Vec<usize>> {
    let sizes = sizes.to_vec();
    (0..sizes.iter().product()).map(move |mut position: usize| {
        let mut index = vec![0; sizes.len()];
        for (place, &size) in index.iter_mut().zip(&sizes).rev() {
            *place = position % size;
            position /= size;
        }
        index
    })
}

fn load(place: usize, offset: usize, real: bool, double: bool) -> Complex<f64> {
    match (real, double) {
        (true, true) => Complex::new(read::<f64>(place + offset * 8), 0.0),
        (true, false) => Complex::new(f64::from(read::<f32>(place + offset * 4)), 0.0),
        (false, true) => read::<Complex<f64>>(place + offset * 16),
        (false, false) => {
            let value = read::<Complex<f32>>(place + offset * 8);
            Complex::new(f64::from(value.re), f64::from(value.im))
        }
    }
}

fn store(place: usize, offset: usize, value: Complex<f64>, real: bool, double: bool) {
    match (real, double) {
        (true, true) => write(place + offset * 8, value.re),
        (true, false) => write(place + offset * 4, value.re as f32),
        (false, true) => write(place + offset * 16, value),
        (false, false) => {
            write(place + offset * 8, Complex::new(value.re as f32, value.im as f32));
        }
    }
}

// One dimension after the other; like cuFFT, without a factor.
fn transform(grid: &mut [Complex<f64>], sizes: &[usize], inverse: bool) {
    let direction = if inverse { FftDirection::Inverse } else { FftDirection::Forward };
    let mut planner = FftPlannerScalar::new();
    let mut step = 1;
    for &size in sizes.iter().rev() {
        let fft: Arc<dyn Fft<f64>> = planner.plan_fft(size, direction);
        let mut line = vec![Complex::new(0.0, 0.0); size];
        for start in 0..grid.len() {
            // Lines begin where the coordinate of this dimension is 0.
            if start / step % size != 0 {
                continue;
            }
            for (index, value) in line.iter_mut().enumerate() {
                *value = grid[start + index * step];
            }
            fft.process(&mut line);
            for (index, value) in line.iter().enumerate() {
                grid[start + index * step] = *value;
            }
        }
        step *= size;
    }
}

macro_rules! executions {
    ($($name:ident $sort:ident $double:literal;)*) => { $(
        /// Executes a plan.
        #[unsafe(no_mangle)]
        pub extern "C" fn $name(handle: i32, input: usize, output: usize) -> i32 {
            execute(handle, input, output, (Sort::$sort, $double), false)
        }
    )* };
}

executions! {
    cufftExecR2C RealToComplex false;
    cufftExecD2Z RealToComplex true;
    cufftExecC2R ComplexToReal false;
    cufftExecZ2D ComplexToReal true;
}

/// Executes a plan; direction -1 forward, 1 inverse.
#[unsafe(no_mangle)]
pub extern "C" fn cufftExecC2C(handle: i32, input: usize, output: usize, direction: i32) -> i32 {
    execute(handle, input, output, (Sort::Complex, false), direction > 0)
}

/// Executes a plan; direction -1 forward, 1 inverse.
#[unsafe(no_mangle)]
pub extern "C" fn cufftExecZ2Z(handle: i32, input: usize, output: usize, direction: i32) -> i32 {
    execute(handle, input, output, (Sort::Complex, true), direction > 0)
}
