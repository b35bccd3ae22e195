//! Where the program's own code lies: its heap calls are emulated, those of libraries are not.

use std::sync::atomic::{AtomicUsize, Ordering};

static START: AtomicUsize = AtomicUsize::new(0);
static END: AtomicUsize = AtomicUsize::new(0);

/// Finds the main executable's segments.
pub(crate) fn locate() {
    // SAFETY: the callback only reads what the loader passes.
    unsafe { libc::dl_iterate_phdr(Some(first_object), std::ptr::null_mut()) };
}

unsafe extern "C" fn first_object(
    info: *mut libc::dl_phdr_info,
    _size: usize,
    _data: *mut libc::c_void,
) -> i32 {
    // SAFETY: the loader's description of the main program, which comes first.
    unsafe {
        let info = &*info;
        let headers = std::slice::from_raw_parts(info.dlpi_phdr, usize::from(info.dlpi_phnum));
        let loads = headers.iter().filter(|header| header.p_type == libc::PT_LOAD);
        let base = info.dlpi_addr as usize;
        let start = loads.clone().map(|header| base + header.p_vaddr as usize).min();
        let end = loads.map(|header| base + (header.p_vaddr + header.p_memsz) as usize).max();
        START.store(start.unwrap_or(0), Ordering::Relaxed);
        END.store(end.unwrap_or(0), Ordering::Relaxed);
    }
    1
}

/// Whether the address is in the main executable.
pub(crate) fn contains(address: usize) -> bool {
    address >= START.load(Ordering::Relaxed) && address < END.load(Ordering::Relaxed)
}

/// Offset of a code address in the main executable, as `addr2line` wants it.
pub(crate) fn offset(address: usize) -> Option<usize> {
    contains(address).then(|| address - START.load(Ordering::Relaxed))
}

/// Up to five return addresses inside the program, innermost first, as offsets; `frame` is a frame pointer of the caller.
/// Stops where the chain of frame pointers leaves the stack.
pub(crate) fn call_site(return_address: usize, mut frame: usize) -> Vec<usize> {
    let mut site = Vec::new();
    site.extend(offset(return_address));
    for _ in 0..16 {
        if site.len() >= 5 || frame == 0 || !frame.is_multiple_of(8) || !on_stack(frame) {
            break;
        }
        // SAFETY: `frame` lies on the stack of this thread, checked above.
        let (next, back) = unsafe { *(frame as *const (usize, usize)) };
        site.extend(offset(back).filter(|offset| site.last() != Some(offset)));
        if next <= frame {
            break;
        }
        frame = next;
    }
    site
}

fn on_stack(frame: usize) -> bool {
    let here = (&raw const frame) as usize;
    frame > here && frame - here < 8 << 20
}
