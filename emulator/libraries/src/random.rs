//! cuRAND's host interface. Numbers come from a counter hashed with the seed: the same seed gives the same numbers, in
//! any schedule; they are not NVIDIA's.

use crate::driver::submit;
use crate::view::write;

const SUCCESS: i32 = 0;
const NOT_INITIALIZED: i32 = 101;
const LENGTH_NOT_MULTIPLE: i32 = 105;
const LAUNCH_FAILURE: i32 = 201;

/// What a generator points to.
pub struct Generator {
    seed: u64,
    /// Numbers drawn so far.
    position: u64,
    stream: usize,
    /// Results go to the host's memory, at once.
    on_host: bool,
}

fn hash(mut x: u64) -> u64 {
    x = x.wrapping_add(0x9E37_79B9_7F4A_7C15);
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

fn draw(seed: u64, position: u64) -> u64 {
    hash(hash(seed) ^ position.wrapping_mul(0xD134_2543_DE82_EF95))
}

// In (0, 1].
fn uniform(seed: u64, position: u64) -> f64 {
    ((draw(seed, position) >> 11) + 1) as f64 / 9_007_199_254_740_992.0
}

fn normal(seed: u64, position: u64) -> f64 {
    // Box and Muller: an even and an odd number share two uniform ones.
    let even = position & !1;
    let radius = (-2.0 * uniform(seed, even).ln()).sqrt();
    let angle = std::f64::consts::TAU * uniform(seed, even + 1);
    if position & 1 == 0 { radius * angle.cos() } else { radius * angle.sin() }
}

fn generate<T: Copy + 'static>(
    generator: *mut Generator,
    place: usize,
    count: usize,
    number: impl Fn(u64, u64) -> T + 'static,
) -> i32 {
    // SAFETY: a generator of this library, or null.
    let Some(generator) = (unsafe { generator.as_mut() }) else { return NOT_INITIALIZED };
    let (seed, start) = (generator.seed, generator.position);
    generator.position += count as u64;
    let fill = move || {
        for index in 0..count {
            write(place + index * size_of::<T>(), number(seed, start + index as u64));
        }
    };
    if generator.on_host {
        fill();
        return SUCCESS;
    }
    if submit(generator.stream, c"curand", fill) { SUCCESS } else { LAUNCH_FAILURE }
}

fn create(out: *mut *mut Generator, on_host: bool) -> i32 {
    let generator = Generator { seed: 0, position: 0, stream: 0, on_host };
    // SAFETY: the program passes a valid place.
    unsafe { *out = Box::into_raw(Box::new(generator)) };
    SUCCESS
}

/// A generator for device memory.
#[unsafe(no_mangle)]
pub extern "C" fn curandCreateGenerator(out: *mut *mut Generator, _sort: i32) -> i32 {
    create(out, false)
}

/// A generator for host memory.
#[unsafe(no_mangle)]
pub extern "C" fn curandCreateGeneratorHost(out: *mut *mut Generator, _sort: i32) -> i32 {
    create(out, true)
}

/// Ends a generator.
///
/// # Safety
/// `generator` is null or of this library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn curandDestroyGenerator(generator: *mut Generator) -> i32 {
    if generator.is_null() {
        return NOT_INITIALIZED;
    }
    // SAFETY: the caller's promise; submitted work has copies of what it needs.
    drop(unsafe { Box::from_raw(generator) });
    SUCCESS
}

fn change(generator: *mut Generator, change: impl FnOnce(&mut Generator)) -> i32 {
    // SAFETY: a generator of this library, or null.
    match unsafe { generator.as_mut() } {
        Some(generator) => {
            change(generator);
            SUCCESS
        }
        None => NOT_INITIALIZED,
    }
}

/// The stream of later calls.
#[unsafe(no_mangle)]
pub extern "C" fn curandSetStream(generator: *mut Generator, stream: usize) -> i32 {
    change(generator, |generator| generator.stream = stream)
}

/// Starts the sequence of a seed.
#[unsafe(no_mangle)]
pub extern "C" fn curandSetPseudoRandomGeneratorSeed(generator: *mut Generator, seed: u64) -> i32 {
    change(generator, |generator| {
        generator.seed = seed;
        generator.position = 0;
    })
}

/// Goes to a position of the sequence.
#[unsafe(no_mangle)]
pub extern "C" fn curandSetGeneratorOffset(generator: *mut Generator, offset: u64) -> i32 {
    change(generator, |generator| generator.position = offset)
}

/// There is one order.
#[unsafe(no_mangle)]
pub extern "C" fn curandSetGeneratorOrdering(generator: *mut Generator, _order: i32) -> i32 {
    change(generator, |_| ())
}

/// 32 random bits each.
#[unsafe(no_mangle)]
pub extern "C" fn curandGenerate(generator: *mut Generator, place: usize, count: usize) -> i32 {
    generate(generator, place, count, |seed, position| (draw(seed, position) >> 32) as u32)
}

/// 64 random bits each.
#[unsafe(no_mangle)]
pub extern "C" fn curandGenerateLongLong(
    generator: *mut Generator,
    place: usize,
    count: usize,
) -> i32 {
    generate(generator, place, count, draw)
}

/// Uniform in (0, 1].
#[unsafe(no_mangle)]
pub extern "C" fn curandGenerateUniform(
    generator: *mut Generator,
    place: usize,
    count: usize,
) -> i32 {
    // Rounded up to 24 bits, so that 0 cannot occur.
    generate(generator, place, count, |seed, position| {
        ((draw(seed, position) >> 40) + 1) as f32 / 16_777_216.0
    })
}

/// Uniform in (0, 1].
#[unsafe(no_mangle)]
pub extern "C" fn curandGenerateUniformDouble(
    generator: *mut Generator,
    place: usize,
    count: usize,
) -> i32 {
    generate(generator, place, count, uniform)
}

macro_rules! normals {
    ($($name:ident $type:ty, $shape:expr;)*) => { $(
        /// Normal numbers, or their exponentials; an even count, as cuRAND asks.
        #[unsafe(no_mangle)]
        pub extern "C" fn $name(generator: *mut Generator, place: usize, count: usize, mean: $type, deviation: $type) -> i32 {
            if count % 2 != 0 {
                return LENGTH_NOT_MULTIPLE;
            }
            let shape: fn(f64) -> f64 = $shape;
            generate(generator, place, count, move |seed, position| {
                shape(f64::from(mean) + f64::from(deviation) * normal(seed, position)) as $type
            })
        }
    )* };
}

normals! {
    curandGenerateNormal f32, |x| x;
    curandGenerateNormalDouble f64, |x| x;
    curandGenerateLogNormal f32, f64::exp;
    curandGenerateLogNormalDouble f64, f64::exp;
}
