//! Call-site identity: FNV-1a 64 over (build-id, offset) of up to 16 unwound frames (paper section
//! 3.3.2 with d = 16; the unwinder replaces the paper's frame-pointer walk, which gives two sites
//! one identity in code built without frame pointers).

use std::ffi::{c_int, c_void};
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

use echo_runtime::wire::{FNV_START, flag, fnv_bytes, fnv_word};

use crate::{config, stack};

/// Frames in an identity.
const DEPTH: usize = 16;
/// Frames walked at most: the identity's and this object's own, of which unoptimized builds have many.
pub(crate) const WALK: usize = 40;
/// Number of the frame pointer's register in unwind information (DWARF for the machine's ABI).
const FRAME_POINTER: c_int = if cfg!(target_arch = "aarch64") { 29 } else { 6 };

/// Where this object's code lies.
static OWN: [AtomicUsize; 2] = [const { AtomicUsize::new(0) }; 2];

unsafe extern "C" {
    fn _Unwind_Backtrace(
        callback: extern "C" fn(*mut c_void, *mut c_void) -> c_int,
        state: *mut c_void,
    ) -> c_int;
    fn _Unwind_GetIP(context: *mut c_void) -> usize;
    fn _Unwind_GetCFA(context: *mut c_void) -> usize;
    fn _Unwind_GetGR(context: *mut c_void, register: c_int) -> usize;
}

/// Bumped by `dlclose`: return addresses may mean something else afterwards.
pub(crate) static GENERATION: AtomicU32 = AtomicU32::new(0);

/// Identity of the call stack of the caller.
#[inline(never)]
pub(crate) unsafe fn site() -> u64 {
    if config::flag(flag::NO_SITE_CACHE) {
        return unwound(None, 0);
    }
    let here = stack::here();
    let generation = GENERATION.load(Ordering::Relaxed);
    match stack::recall(here, generation) {
        Some(hash) => hash,
        None => unwound(Some(here), generation),
    }
}

/// Unwinds the stack and remembers it. Apart from `site`, whose frame must not hold a copy of the stack's words.
#[inline(never)]
unsafe fn unwound(here: Option<stack::Here>, generation: u32) -> u64 {
    let mut walk = Walk::new();
    walk.run();
    let hash = identity(&walk);
    if let Some(here) = here {
        stack::remember(here, generation, &walk, hash);
    }
    hash
}

/// What the unwinder told, innermost frame first.
pub(crate) struct Walk {
    /// Frames walked.
    pub(crate) frames: usize,
    /// Frames that are not this object's own.
    foreign: usize,
    /// Where each frame goes on: the return address of the one before.
    pub(crate) pc: [usize; WALK],
    /// Stack pointer of each frame at its call (libgcc reports the CFA of the callee).
    pub(crate) cfa: [usize; WALK],
    /// Frame pointer register of each frame at its call.
    pub(crate) fp: [usize; WALK],
}

impl Walk {
    fn new() -> Walk {
        Walk { frames: 0, foreign: 0, pc: [0; WALK], cfa: [0; WALK], fp: [0; WALK] }
    }

    #[inline(never)]
    unsafe fn run(&mut self) {
        _Unwind_Backtrace(visit, self as *mut Walk as *mut c_void);
    }
}

extern "C" fn visit(context: *mut c_void, state: *mut c_void) -> c_int {
    // SAFETY: `state` is the `Walk` that `run` passed; the context is the unwinder's.
    unsafe {
        let walk = &mut *(state as *mut Walk);
        // One frame more than the identity needs: the cache looks at the caller of each.
        if walk.frames == WALK || walk.foreign > DEPTH {
            return 5; // _URC_END_OF_STACK
        }
        let pc = _Unwind_GetIP(context);
        if pc < OWN[0].load(Ordering::Relaxed) || pc >= OWN[1].load(Ordering::Relaxed) {
            walk.foreign += 1;
        }
        walk.pc[walk.frames] = pc;
        walk.cfa[walk.frames] = _Unwind_GetCFA(context);
        walk.fp[walk.frames] = _Unwind_GetGR(context, FRAME_POINTER);
        walk.frames += 1;
        0 // _URC_NO_REASON
    }
}

/// Hash over the frames that are neither this object's own nor outside every module.
unsafe fn identity(walk: &Walk) -> u64 {
    let mut modules = Modules {
        pc: &walk.pc[..walk.frames],
        module: [0; WALK],
        offset: [0; WALK],
        own: site as *const () as usize,
        own_module: 0,
    };
    libc::dl_iterate_phdr(Some(visit_module), &mut modules as *mut Modules as *mut c_void);
    let mut hash = FNV_START;
    let mut taken = 0;
    for frame in 0..walk.frames {
        let module = modules.module[frame];
        if module == 0 || module == modules.own_module {
            continue; // generated code has no stable offset; our frames are not the program's
        }
        hash = fnv_word(fnv_word(hash, module), modules.offset[frame] as u64);
        taken += 1;
        if taken == DEPTH {
            break;
        }
    }
    hash
}

struct Modules<'a> {
    pc: &'a [usize],
    module: [u64; WALK],
    offset: [usize; WALK],
    own: usize,
    own_module: u64,
}

unsafe extern "C" fn visit_module(
    info: *mut libc::dl_phdr_info,
    _size: usize,
    state: *mut c_void,
) -> c_int {
    let modules = &mut *(state as *mut Modules);
    let info = &*info;
    let base = info.dlpi_addr as usize;
    let headers = std::slice::from_raw_parts(info.dlpi_phdr, info.dlpi_phnum as usize);
    let (mut low, mut high) = (usize::MAX, 0);
    for header in headers.iter().filter(|header| header.p_type == libc::PT_LOAD) {
        low = low.min(base + header.p_vaddr as usize);
        high = high.max(base + (header.p_vaddr + header.p_memsz) as usize);
    }
    let mut name = 0;
    for (frame, &pc) in modules.pc.iter().enumerate() {
        if pc >= low && pc < high {
            if name == 0 {
                name = module_name(info, headers);
            }
            modules.module[frame] = name;
            modules.offset[frame] = pc - base;
        }
    }
    if modules.own >= low && modules.own < high {
        modules.own_module = if name == 0 { module_name(info, headers) } else { name };
        OWN[0].store(low, Ordering::Relaxed);
        OWN[1].store(high, Ordering::Relaxed);
    }
    0
}

/// FNV of the module's build-id, else of its file name without folders.
unsafe fn module_name(info: &libc::dl_phdr_info, headers: &[libc::Elf64_Phdr]) -> u64 {
    for header in headers.iter().filter(|header| header.p_type == libc::PT_NOTE) {
        let notes = std::slice::from_raw_parts(
            (info.dlpi_addr as usize + header.p_vaddr as usize) as *const u8,
            header.p_memsz as usize,
        );
        if let Some(id) = build_id(notes) {
            return fnv_bytes(FNV_START, id) | 1;
        }
    }
    let name = std::ffi::CStr::from_ptr(info.dlpi_name).to_bytes();
    let name = name.rsplit(|&byte| byte == b'/').next().unwrap_or(name);
    fnv_bytes(FNV_START, name) | 1
}

/// Descriptor of the GNU build-id note in a PT_NOTE segment.
fn build_id(mut notes: &[u8]) -> Option<&[u8]> {
    while notes.len() >= 12 {
        let word = |at: usize| {
            notes.get(at..at + 4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]) as usize)
        };
        let (name, descriptor, kind) = (word(0)?, word(4)?, word(8)?);
        let start = 12usize.checked_add(name.checked_add(3)? & !3)?;
        let end = start.checked_add(descriptor)?;
        if kind == 3 && notes.get(12..16) == Some(b"GNU\0") {
            return notes.get(start..end);
        }
        notes = notes.get(end.checked_add(3)? & !3..)?;
    }
    None
}
