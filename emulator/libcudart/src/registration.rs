//! What clang's start-up code registers for each translation unit: the image, its kernels, its variables.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ffi::{CStr, c_char, c_void};

use crate::driver::{driver, fail};

struct Variable {
    module: usize,
    name: &'static CStr,
    bytes: usize,
    place: Option<usize>,
    managed: bool,
}

struct Kernel {
    module: usize,
    name: &'static CStr,
    function: Option<usize>,
}

#[derive(Default)]
struct Registered {
    kernels: BTreeMap<usize, Kernel>,
    variables: BTreeMap<usize, Variable>,
}

struct Shared(RefCell<Registered>);
// SAFETY: the emulated process has one thread.
unsafe impl Sync for Shared {}
static REGISTERED: Shared =
    Shared(RefCell::new(Registered { kernels: BTreeMap::new(), variables: BTreeMap::new() }));

#[repr(C)]
struct Wrapper {
    magic: i32,
    version: i32,
    image: *const u8,
}

/// The driver's handle of a host stub's kernel; None if no image has it.
pub(crate) fn function_of(stub: *const c_void) -> Option<usize> {
    let mut registered = REGISTERED.0.borrow_mut();
    let kernel = registered.kernels.get_mut(&(stub as usize))?;
    if kernel.function.is_none() {
        let mut function = 0_usize;
        let code = driver!(c"cuModuleGetFunction";
            &raw mut function => *mut usize, kernel.module => usize, kernel.name.as_ptr() => *const c_char);
        if code != 0 {
            return None;
        }
        kernel.function = Some(function);
    }
    kernel.function
}

/// Device address and size in bytes of the variable whose host shadow is at `symbol`.
pub(crate) fn variable_of(symbol: *const c_void) -> Option<(usize, usize)> {
    let mut registered = REGISTERED.0.borrow_mut();
    let variable = registered.variables.get_mut(&(symbol as usize))?;
    if variable.managed {
        return Some((symbol as usize, variable.bytes));
    }
    if variable.place.is_none() {
        let mut place = 0_u64;
        let code = driver!(c"cuModuleGetGlobal";
            &raw mut place => *mut u64, std::ptr::null_mut() => *mut usize, variable.module => usize,
            variable.name.as_ptr() => *const c_char);
        if code != 0 {
            return None;
        }
        variable.place = Some(place as usize);
    }
    variable.place.map(|place| (place, variable.bytes))
}

/// Loads the image of a translation unit.
///
/// # Safety
/// Called by clang's start-up code.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __cudaRegisterFatBinary(wrapper: *const c_void) -> *mut *mut c_void {
    let mut module = 0_usize;
    // SAFETY: clang passes its wrapper of the embedded image.
    let image = unsafe { (*wrapper.cast::<Wrapper>()).image };
    let code = driver!(c"cuModuleLoadData"; &raw mut module => *mut usize, image => *const u8);
    if code != 0 {
        fail(&format!("the embedded device image does not load (error {code})"));
    }
    module as *mut *mut c_void
}

/// Nothing is left to do.
#[unsafe(no_mangle)]
pub extern "C" fn __cudaRegisterFatBinaryEnd(_module: *mut *mut c_void) {}

/// Images stay: destructors of static objects may still use them.
#[unsafe(no_mangle)]
pub extern "C" fn __cudaUnregisterFatBinary(_module: *mut *mut c_void) {}

/// Notes a kernel.
///
/// # Safety
/// Called by clang's start-up code.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __cudaRegisterFunction(
    module: *mut *mut c_void,
    stub: *const c_void,
    _device_stub: *mut c_char,
    name: *const c_char,
    _threads: i32,
    _tid: *mut c_void,
    _bid: *mut c_void,
    _bdim: *mut c_void,
    _gdim: *mut c_void,
    _warp: *mut i32,
) -> i32 {
    // SAFETY: the name is a constant of the program.
    let name = unsafe { CStr::from_ptr(name) };
    let kernel = Kernel { module: module as usize, name, function: None };
    REGISTERED.0.borrow_mut().kernels.insert(stub as usize, kernel);
    0
}

/// Notes a variable, and joins it with the host's if it is managed.
///
/// # Safety
/// Called by clang's start-up code.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __cudaRegisterVar(
    module: *mut *mut c_void,
    symbol: *mut c_char,
    _device_address: *mut c_char,
    name: *const c_char,
    _external: i32,
    bytes: usize,
    _constant: i32,
    _global: i32,
) {
    // SAFETY: the name is a constant of the program.
    let name = unsafe { CStr::from_ptr(name) };
    let module = module as usize;
    let joined = driver!(c"echo_join_managed";
        module => usize, name.as_ptr() => *const c_char, symbol as usize => usize);
    let managed = joined == 1;
    let variable = Variable { module, name, bytes, place: None, managed };
    REGISTERED.0.borrow_mut().variables.insert(symbol as usize, variable);
}
