//! Arrays, pitched volumes and texture objects. An array is linear device memory with a description, and a texture
//! object is the address of a description that device code reads (`echo/texture.h` has the same structures).

use std::ffi::c_void;

use crate::copy::{Side, rows, slices};
use crate::driver::driver;
use crate::error::{INVALID_VALUE, NOT_SUPPORTED, noted};

/// `cudaChannelFormatDesc`: bits of each component and their sort.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Format {
    x: i32,
    y: i32,
    z: i32,
    w: i32,
    sort: i32,
}

impl Format {
    fn bytes(self) -> usize {
        usize::try_from((self.x + self.y + self.z + self.w) / 8).unwrap_or(0)
    }
}

/// What a `cudaArray_t` points to. Extents are in elements.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Array {
    data: usize,
    width: usize,
    height: usize,
    depth: usize,
    format: Format,
}

impl Array {
    fn side(&self) -> Side {
        let pitch = self.width * self.format.bytes();
        Side { place: self.data, pitch, rows: self.height.max(1) }
    }
}

/// `cudaExtent`.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Extent {
    width: usize,
    height: usize,
    depth: usize,
}

/// `cudaPitchedPtr`.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Pitched {
    place: usize,
    pitch: usize,
    width: usize,
    height: usize,
}

/// A new array.
///
/// # Safety
/// Pointers are valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cudaMalloc3DArray(
    out: *mut *mut Array,
    format: *const Format,
    extent: Extent,
    _flags: u32,
) -> i32 {
    // SAFETY: the caller's promise.
    let format = unsafe { *format };
    let (height, depth) = (extent.height.max(1), extent.depth.max(1));
    let bytes = extent.width.checked_mul(height).and_then(|area| area.checked_mul(depth));
    let Some(bytes) = bytes.and_then(|count| count.checked_mul(format.bytes())) else {
        return noted(INVALID_VALUE);
    };
    if bytes == 0 {
        return noted(INVALID_VALUE);
    }
    let mut data = 0_usize;
    let code = driver!(c"cuMemAlloc"; &raw mut data => *mut usize, bytes => usize);
    if code != 0 {
        return noted(code);
    }
    let Extent { width, height, depth } = extent;
    // SAFETY: the caller's promise.
    unsafe { *out = Box::into_raw(Box::new(Array { data, width, height, depth, format })) };
    0
}

/// A new array of one or two dimensions.
///
/// # Safety
/// Pointers are valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cudaMallocArray(
    out: *mut *mut Array,
    format: *const Format,
    width: usize,
    height: usize,
    flags: u32,
) -> i32 {
    // SAFETY: the caller's promise.
    unsafe { cudaMalloc3DArray(out, format, Extent { width, height, depth: 0 }, flags) }
}

/// Frees an array.
///
/// # Safety
/// `array` is null or an array that is not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cudaFreeArray(array: *mut Array) -> i32 {
    if array.is_null() {
        return 0;
    }
    // SAFETY: the caller's promise.
    let array = unsafe { Box::from_raw(array) };
    noted(driver!(c"cuMemFree"; array.data => usize))
}

/// Description of an array.
///
/// # Safety
/// Pointers are null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cudaArrayGetInfo(
    format: *mut Format,
    extent: *mut Extent,
    flags: *mut u32,
    array: *const Array,
) -> i32 {
    // SAFETY: the caller's promise.
    unsafe {
        let Array { width, height, depth, format: found, .. } = *array;
        if !format.is_null() {
            *format = found;
        }
        if !extent.is_null() {
            *extent = Extent { width, height, depth };
        }
        if !flags.is_null() {
            *flags = 0;
        }
    }
    0
}

/// Copies rows into an array; `x` is in bytes, `y` in rows.
///
/// # Safety
/// `array` is an array.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cudaMemcpy2DToArray(
    array: *const Array,
    x: usize,
    y: usize,
    from: usize,
    pitch: usize,
    width: usize,
    height: usize,
    kind: i32,
) -> i32 {
    // SAFETY: the caller's promise.
    let mut to = unsafe { &*array }.side();
    to.place += y * to.pitch + x;
    rows(to, Side { place: from, pitch, rows: 0 }, width, height, kind, None)
}

/// Copies rows out of an array.
///
/// # Safety
/// `array` is an array.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cudaMemcpy2DFromArray(
    to: usize,
    pitch: usize,
    array: *const Array,
    x: usize,
    y: usize,
    width: usize,
    height: usize,
    kind: i32,
) -> i32 {
    // SAFETY: the caller's promise.
    let mut from = unsafe { &*array }.side();
    from.place += y * from.pitch + x;
    rows(Side { place: to, pitch, rows: 0 }, from, width, height, kind, None)
}

/// Copies bytes into an array.
///
/// # Safety
/// `array` is an array.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cudaMemcpyToArray(
    array: *const Array,
    x: usize,
    y: usize,
    from: usize,
    bytes: usize,
    kind: i32,
) -> i32 {
    // SAFETY: the caller's promise.
    let mut to = unsafe { &*array }.side();
    to.place += y * to.pitch + x;
    let wide = |side: Side| Side { pitch: bytes, ..side };
    rows(wide(to), Side { place: from, pitch: bytes, rows: 0 }, bytes, 1, kind, None)
}

/// `cudaMemcpy3DParms`.
#[repr(C)]
pub struct Copy3d {
    src_array: *const Array,
    src_position: Extent,
    src: Pitched,
    dst_array: *const Array,
    dst_position: Extent,
    dst: Pitched,
    extent: Extent,
    kind: i32,
}

// One end of a 3D copy; positions in arrays count elements, else bytes.
unsafe fn side(array: *const Array, pitched: Pitched, position: Extent) -> (Side, usize) {
    let (mut side, element) = if array.is_null() {
        (Side { place: pitched.place, pitch: pitched.pitch, rows: pitched.height }, 1)
    } else {
        // SAFETY: the caller's promise.
        let array = unsafe { &*array };
        (array.side(), array.format.bytes())
    };
    side.place +=
        (position.depth * side.rows + position.height) * side.pitch + position.width * element;
    (side, element)
}

unsafe fn copy_3d(request: *const Copy3d, stream: Option<usize>) -> i32 {
    // SAFETY: the caller's promise.
    let (request, (to, to_element), (from, from_element)) = unsafe {
        let request = &*request;
        let to = side(request.dst_array, request.dst, request.dst_position);
        (request, to, side(request.src_array, request.src, request.src_position))
    };
    let width = request.extent.width * to_element.max(from_element);
    let extent = (width, request.extent.height.max(1), request.extent.depth.max(1));
    slices(to, from, extent, request.kind, stream)
}

/// Copies a volume.
///
/// # Safety
/// `request` is valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cudaMemcpy3D(request: *const Copy3d) -> i32 {
    // SAFETY: the caller's promise.
    unsafe { copy_3d(request, None) }
}

/// Copies a volume, in stream order.
///
/// # Safety
/// `request` is valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cudaMemcpy3DAsync(request: *const Copy3d, stream: usize) -> i32 {
    // SAFETY: the caller's promise.
    unsafe { copy_3d(request, Some(stream)) }
}

/// A volume whose rows are padded.
///
/// # Safety
/// `out` is valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cudaMalloc3D(out: *mut Pitched, extent: Extent) -> i32 {
    let (mut place, mut pitch) = (0_usize, 0_usize);
    let rows = extent.height.max(1) * extent.depth.max(1);
    let code = driver!(c"cuMemAllocPitch";
        &raw mut place => *mut usize, &raw mut pitch => *mut usize, extent.width => usize, rows => usize, 16 => u32);
    // SAFETY: the caller's promise.
    unsafe { *out = Pitched { place, pitch, width: extent.width, height: extent.height } };
    noted(code)
}

/// `cudaResourceDesc`; the union is read by its sort.
#[repr(C)]
pub struct Resource {
    sort: i32,
    content: Content,
}

#[repr(C)]
union Content {
    array: *const Array,
    linear: Linear,
    pitched: PitchedContent,
}

#[derive(Clone, Copy)]
#[repr(C)]
struct Linear {
    place: usize,
    format: Format,
    bytes: usize,
}

#[derive(Clone, Copy)]
#[repr(C)]
struct PitchedContent {
    place: usize,
    format: Format,
    width: usize,
    height: usize,
    pitch: usize,
}

/// The first members of `cudaTextureDesc`.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Sampling {
    address_mode: [i32; 3],
    filter_mode: i32,
    read_mode: i32,
    srgb: i32,
    border: [f32; 4],
    normalized: i32,
}

/// What a texture object is the address of; `echo/texture.h` reads it.
#[repr(C)]
pub struct Texture {
    data: usize,
    width: usize,
    height: usize,
    depth: usize,
    pitch: usize,
    slice: usize,
    format: Format,
    sampling: Sampling,
}

const ARRAY: i32 = 0;
const LINEAR: i32 = 2;
const PITCHED: i32 = 3;

unsafe fn describe(resource: *const Resource, sampling: Sampling) -> Result<Texture, i32> {
    // SAFETY: the caller's promise; the sort says which member of the union is set.
    unsafe {
        match (*resource).sort {
            ARRAY => {
                let array = &*(*resource).content.array;
                let side = array.side();
                Ok(Texture {
                    data: array.data,
                    width: array.width,
                    height: array.height,
                    depth: array.depth,
                    pitch: side.pitch,
                    slice: side.pitch * side.rows,
                    format: array.format,
                    sampling,
                })
            }
            LINEAR => {
                let linear = (*resource).content.linear;
                let element = linear.format.bytes();
                if element == 0 {
                    return Err(INVALID_VALUE);
                }
                Ok(Texture {
                    data: linear.place,
                    width: linear.bytes / element,
                    height: 0,
                    depth: 0,
                    pitch: linear.bytes,
                    slice: linear.bytes,
                    format: linear.format,
                    sampling,
                })
            }
            PITCHED => {
                let pitched = (*resource).content.pitched;
                Ok(Texture {
                    data: pitched.place,
                    width: pitched.width,
                    height: pitched.height,
                    depth: 0,
                    pitch: pitched.pitch,
                    slice: pitched.pitch * pitched.height,
                    format: pitched.format,
                    sampling,
                })
            }
            _ => Err(NOT_SUPPORTED),
        }
    }
}

unsafe fn create(out: *mut u64, resource: *const Resource, sampling: Sampling) -> i32 {
    // SAFETY: the caller's promise.
    match unsafe { describe(resource, sampling) } {
        Ok(texture) => {
            // SAFETY: the caller's promise.
            unsafe { *out = Box::into_raw(Box::new(texture)) as u64 };
            0
        }
        Err(code) => noted(code),
    }
}

/// A texture object.
///
/// # Safety
/// Pointers are valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cudaCreateTextureObject(
    out: *mut u64,
    resource: *const Resource,
    sampling: *const Sampling,
    _view: *const c_void,
) -> i32 {
    // SAFETY: the caller's promise.
    unsafe { create(out, resource, *sampling) }
}

/// Ends a texture object.
///
/// # Safety
/// `object` is a texture or surface object, or 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cudaDestroyTextureObject(object: u64) -> i32 {
    // Pending kernels may read the description, as they may not on a device; it is small, so it stays.
    let _ = object;
    0
}

/// A surface object.
///
/// # Safety
/// Pointers are valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cudaCreateSurfaceObject(out: *mut u64, resource: *const Resource) -> i32 {
    let plain = Sampling {
        address_mode: [3; 3],
        filter_mode: 0,
        read_mode: 0,
        srgb: 0,
        border: [0.0; 4],
        normalized: 0,
    };
    // SAFETY: the caller's promise.
    unsafe { create(out, resource, plain) }
}

/// Ends a surface object.
///
/// # Safety
/// As `cudaDestroyTextureObject`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cudaDestroySurfaceObject(object: u64) -> i32 {
    // SAFETY: the caller's promise.
    unsafe { cudaDestroyTextureObject(object) }
}
