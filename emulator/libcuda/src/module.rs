//! Device images: shared objects of x86 code that the compile driver embeds where nvcc embeds a fat binary.
//!
//! Format: `ECHODEV\0`, the length in bytes (u64, little endian), the ELF file.

use std::collections::BTreeMap;
use std::ffi::{CStr, CString, c_void};
use std::io::Write as _;
use std::os::fd::{FromRawFd as _, IntoRawFd as _};

use crate::global::Global;
use crate::launch::Kernel;
use crate::trap::{Trap, trap};

const MAGIC: &[u8; 8] = b"ECHODEV\0";

/// A loaded image. Never unloaded: pending launches may use it.
pub(crate) struct Image {
    handle: *mut c_void,
    managed: Global<Vec<Managed>>,
}

// A `__managed__` variable has a host and a device copy here. Kernels and host code never run at the same time, so
// copying in before and out after each stretch of kernel is as good as one variable.
struct Managed {
    host: usize,
    device: usize,
    bytes: usize,
}

static KERNELS: Global<BTreeMap<(usize, String), &'static Kernel>> = Global::new(BTreeMap::new());

impl Image {
    /// Loads an image from memory; None if it is not one.
    ///
    /// # Safety
    /// `data` points to an image, or to at least 16 readable bytes.
    pub(crate) unsafe fn load(data: *const u8) -> Option<&'static Self> {
        // SAFETY: the caller's promise; the length field is the compile driver's.
        let elf = unsafe {
            if std::slice::from_raw_parts(data, 8) != MAGIC {
                return None;
            }
            let mut length = [0; 8];
            length.copy_from_slice(std::slice::from_raw_parts(data.add(8), 8));
            std::slice::from_raw_parts(data.add(16), u64::from_le_bytes(length) as usize)
        };
        // The descriptor stays open: the loader takes two images with the same path for one.
        // SAFETY: plain system and loader calls.
        let handle = unsafe {
            let descriptor = libc::memfd_create(c"device-image".as_ptr(), 0);
            if descriptor < 0 {
                return None;
            }
            let mut file = std::fs::File::from_raw_fd(descriptor);
            file.write_all(elf).ok()?;
            let path = CString::new(format!("/proc/self/fd/{}", file.into_raw_fd())).ok()?;
            libc::dlopen(path.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL)
        };
        if handle.is_null() {
            // SAFETY: dlerror gives a C string after a failure.
            let why = unsafe { CStr::from_ptr(libc::dlerror()) }.to_string_lossy().into_owned();
            trap(Trap::Image, &format!("device image: {why}"));
        }
        Some(Box::leak(Box::new(Self { handle, managed: Global::new(Vec::new()) })))
    }

    fn symbol(&self, name: &str) -> *mut c_void {
        let Ok(name) = CString::new(name) else { return std::ptr::null_mut() };
        // SAFETY: the handle is open for ever.
        unsafe { libc::dlsym(self.handle, name.as_ptr()) }
    }

    /// The kernel of that mangled name.
    pub(crate) fn kernel(&'static self, name: &str) -> Option<&'static Kernel> {
        let key = (self.handle as usize, name.to_owned());
        if let Some(known) = KERNELS.get().get(&key) {
            return Some(known);
        }
        let thunk = self.symbol(&format!("__echo_thunk_{name}"));
        let sizes = self.symbol(&format!("__echo_argsz_{name}")).cast::<u32>();
        if thunk.is_null() || sizes.is_null() {
            return None;
        }
        // SAFETY: the compile driver writes a thunk of this type, and a count followed by that many sizes.
        let (thunk, sizes) = unsafe {
            let thunk =
                std::mem::transmute::<*mut c_void, unsafe extern "C" fn(*const *const u8)>(thunk);
            (thunk, std::slice::from_raw_parts(sizes.add(1), *sizes as usize).to_vec())
        };
        let block = self.symbol(&format!("__echo_block_{name}"));
        // SAFETY: the compile driver writes a function of this type.
        let block = (!block.is_null()).then(|| unsafe {
            std::mem::transmute::<*mut c_void, crate::block::PlainBlock>(block)
        });
        let kernel = Kernel { name: name.to_owned(), thunk, block, sizes, image: self };
        let kernel: &'static Kernel = Box::leak(Box::new(kernel));
        KERNELS.get().insert(key, kernel);
        Some(kernel)
    }

    /// Address and size in bytes of a `__device__` or `__constant__` variable.
    pub(crate) fn variable(&self, name: &str) -> Option<(usize, u64)> {
        let place = self.symbol(name);
        let size = self.symbol(&format!("__echo_size_{name}")).cast::<u64>();
        if place.is_null() || size.is_null() {
            return None;
        }
        // SAFETY: the compile driver writes the size as a 64-bit constant.
        Some((place as usize, unsafe { *size }))
    }

    /// Joins a `__managed__` variable with the host's variable at `host`; false if it is not managed.
    pub(crate) fn join_managed(&self, name: &str, host: usize) -> bool {
        let marked = !self.symbol(&format!("__echo_managed_{name}")).is_null();
        let Some((device, bytes)) = self.variable(name).filter(|_| marked) else { return false };
        let bytes = bytes as usize;
        // SAFETY: both are variables of that size; the initial value is the image's.
        unsafe { std::ptr::copy_nonoverlapping(device as *const u8, host as *mut u8, bytes) };
        self.managed.get().push(Managed { host, device, bytes });
        true
    }

    pub(crate) fn managed_to_device(&self) {
        for variable in self.managed.get().iter() {
            copy(variable.host, variable.device, variable.bytes);
        }
    }

    pub(crate) fn managed_to_host(&self) {
        for variable in self.managed.get().iter() {
            copy(variable.device, variable.host, variable.bytes);
        }
    }

    fn shared(&self) -> Vec<(usize, usize)> {
        let table = self.symbol("__echo_shared").cast::<(usize, usize)>();
        if table.is_null() {
            return Vec::new();
        }
        let mut found = Vec::new();
        // SAFETY: the compile driver ends the table with a null address.
        unsafe {
            let mut entry = table;
            while (*entry).0 != 0 {
                found.push(*entry);
                entry = entry.add(1);
            }
        }
        found
    }

    /// A copy of all `__shared__` variables.
    pub(crate) fn save_shared(&self) -> Vec<Vec<u8>> {
        let shared = self.shared();
        // SAFETY: the table names variables of the image.
        let bytes =
            |(place, bytes)| unsafe { std::slice::from_raw_parts(place as *const u8, bytes) };
        shared.into_iter().map(|entry| bytes(entry).to_vec()).collect()
    }

    /// Puts a copy back.
    pub(crate) fn restore_shared(&self, saved: &[Vec<u8>]) {
        for ((place, _), bytes) in self.shared().into_iter().zip(saved) {
            copy(bytes.as_ptr() as usize, place, bytes.len());
        }
    }
}

fn copy(from: usize, to: usize, bytes: usize) {
    // SAFETY: both are variables of at least that size, and distinct.
    unsafe { std::ptr::copy_nonoverlapping(from as *const u8, to as *mut u8, bytes) };
}
