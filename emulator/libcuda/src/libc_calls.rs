//! Calls of libc that use the program's buffers on its behalf. libc is not instrumented and the kernel answers a
//! protected page with an error instead of a fault, so the emulator looks at the buffers first.

use std::arch::naked_asm;
use std::ffi::{CStr, c_void};

use crate::{arena, program, race};

type Compare = unsafe extern "C" fn(*const c_void, *const c_void) -> i32;

// Each entry passes its caller's address on: only the program's own calls count.
macro_rules! entry {
    ($($name:ident [$register:literal] => $target:path;)*) => { $(
        /// A call of libc; see the function it jumps to.
        #[unsafe(no_mangle)]
        #[unsafe(naked)]
        pub extern "C" fn $name() {
            naked_asm!(concat!("mov ", $register, ", [rsp]"), "jmp {target}", target = sym $target)
        }
    )* };
}

entry! {
    fread["r8"] => serve_fread;
    fwrite["r8"] => serve_fwrite;
    read["rcx"] => serve_read;
    write["rcx"] => serve_write;
    qsort["r8"] => serve_qsort;
}

fn next(name: &CStr) -> *mut c_void {
    // SAFETY: a plain loader call; libc has all the functions asked for.
    unsafe { libc::dlsym(libc::RTLD_NEXT, name.as_ptr()) }
}

// Faults where the host may not touch the buffer, as an access of its own would.
fn touch_pages(place: usize, bytes: usize) {
    if bytes == 0 || !arena::contains(place) {
        return;
    }
    for page in (place..place + bytes).step_by(4096).chain([place + bytes - 1]) {
        // SAFETY: an address of the program's buffer; if it is protected, the fault is the purpose.
        unsafe { std::ptr::read_volatile(page as *const u8) };
    }
}

unsafe extern "C" fn serve_fread(
    to: *mut c_void,
    size: usize,
    count: usize,
    file: *mut libc::FILE,
    caller: usize,
) -> usize {
    let ours = program::contains(caller);
    if ours {
        touch_pages(to as usize, size.saturating_mul(count));
    }
    // SAFETY: libc's function of this name and type.
    let done = unsafe {
        let real = std::mem::transmute::<
            *mut c_void,
            unsafe extern "C" fn(*mut c_void, usize, usize, *mut libc::FILE) -> usize,
        >(next(c"fread"));
        real(to, size, count, file)
    };
    if ours {
        race::access(to as usize, size * done, true);
    }
    done
}

unsafe extern "C" fn serve_fwrite(
    from: *const c_void,
    size: usize,
    count: usize,
    file: *mut libc::FILE,
    caller: usize,
) -> usize {
    if program::contains(caller) {
        let bytes = size.saturating_mul(count);
        touch_pages(from as usize, bytes);
        race::access(from as usize, bytes, false);
    }
    // SAFETY: libc's function of this name and type.
    unsafe {
        let real = std::mem::transmute::<
            *mut c_void,
            unsafe extern "C" fn(*const c_void, usize, usize, *mut libc::FILE) -> usize,
        >(next(c"fwrite"));
        real(from, size, count, file)
    }
}

unsafe extern "C" fn serve_read(file: i32, to: *mut c_void, bytes: usize, caller: usize) -> isize {
    let ours = program::contains(caller);
    if ours {
        touch_pages(to as usize, bytes);
    }
    // SAFETY: the system call behind `read`.
    let done = unsafe { libc::syscall(libc::SYS_read, file, to, bytes) } as isize;
    if ours {
        race::access(to as usize, usize::try_from(done).unwrap_or(0), true);
    }
    done
}

unsafe extern "C" fn serve_write(
    file: i32,
    from: *const c_void,
    bytes: usize,
    caller: usize,
) -> isize {
    if program::contains(caller) {
        touch_pages(from as usize, bytes);
        race::access(from as usize, bytes, false);
    }
    // SAFETY: the system call behind `write`.
    unsafe { libc::syscall(libc::SYS_write, file, from, bytes) as isize }
}

unsafe extern "C" fn serve_qsort(
    place: *mut c_void,
    count: usize,
    size: usize,
    compare: Compare,
    caller: usize,
) {
    if program::contains(caller) {
        race::access(place as usize, count.saturating_mul(size), false);
        race::access(place as usize, count.saturating_mul(size), true);
    }
    // SAFETY: libc's function of this name and type.
    unsafe {
        let real = std::mem::transmute::<
            *mut c_void,
            unsafe extern "C" fn(*mut c_void, usize, usize, Compare),
        >(next(c"qsort"));
        real(place, count, size, compare);
    }
}
