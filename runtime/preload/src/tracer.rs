//! The trace of phase 1: a file of fixed-size records in shared mappings, so that what was recorded
//! survives a kill at any moment. Each record ends in a check word written last.

use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, AtomicUsize, Ordering};

use echo_runtime::wire::{self, kind, mode, reason, text, trace};

use crate::blocks::{BLOCKS, Block, Role};
use crate::device::Device;
use crate::lock::Lock;
use crate::{config, real};

const RECORDS_PER_CHUNK: usize = trace::CHUNK_BYTES / trace::RECORD_BYTES;
const CHUNKS: usize = trace::MAX_RECORDS / RECORDS_PER_CHUNK;

static FILE: AtomicI32 = AtomicI32::new(-1);
static HEADER: AtomicUsize = AtomicUsize::new(0);
static MAPPED: [AtomicUsize; CHUNKS] = [const { AtomicUsize::new(0) }; CHUNKS];
static NEXT: AtomicUsize = AtomicUsize::new(0);
static GROW: Lock<()> = Lock::new(());
static STARTED: AtomicBool = AtomicBool::new(false);

/// Starts the trace at the first tracked device allocation of this process, once.
pub(crate) unsafe fn start() {
    if config::current_mode() != mode::PROFILE || STARTED.swap(true, Ordering::AcqRel) {
        return;
    }
    if !config::claim() {
        return;
    }
    let path = libc::getenv(c"ECHO_DR_TRACE".as_ptr());
    let file = if path.is_null() {
        -1
    } else {
        libc::open(path, libc::O_RDWR | libc::O_CREAT | libc::O_TRUNC | libc::O_CLOEXEC, 0o644)
    };
    let header =
        if file >= 0 && libc::posix_fallocate(file, 0, trace::HEADER_BYTES as libc::off_t) == 0 {
            map(file, 0, trace::HEADER_BYTES)
        } else {
            0
        };
    if header == 0 {
        config::pass_through(reason::TRACE);
        return;
    }
    HEADER.store(header, Ordering::Release);
    let device = Device::current();
    let word = |index: usize, value: u64| (header as *mut u64).add(index).write_volatile(value);
    word(trace::VERSION, wire::VERSION);
    word(trace::THRESHOLD, config::word(wire::control::THRESHOLD));
    word(trace::PID, libc::getpid() as u64);
    let (exe_device, exe_inode) = crate::start::executable();
    word(trace::EXE_DEV, exe_device);
    word(trace::EXE_INO, exe_inode);
    word(trace::ARGV_HASH, crate::start::arguments_hash());
    word(trace::DRIVER, device.driver);
    word(trace::UUID_LOW, device.uuid[0]);
    word(trace::UUID_HIGH, device.uuid[1]);
    word(trace::ORDINAL, device.ordinal);
    word(trace::ATTRIBUTES, device.attributes);
    for (index, &part) in device.name.iter().enumerate() {
        word(trace::NAME + index, part);
    }
    word(trace::MAGIC, wire::TRACE_MAGIC);
    FILE.store(file, Ordering::Release);
    let mut path = [0u8; 512];
    let length = libc::readlink(c"/proc/self/exe".as_ptr(), path.as_mut_ptr().cast(), path.len());
    if length > 0 {
        text(text::EXECUTABLE, &path[..length as usize]);
    }
    libraries();
    // Host blocks that were allocated before the first device allocation, oldest first.
    BLOCKS.with(|blocks| {
        let mut after = 0;
        loop {
            let mut next: Option<Block> = None;
            for index in 0..blocks.length() {
                let block = *blocks.nth(index);
                if block.role == Role::Host
                    && block.order > after
                    && next.is_none_or(|found| block.order < found.order)
                {
                    next = Some(block);
                }
            }
            let Some(block) = next else { break };
            after = block.order;
            let words = [block.address as u64, 0, block.bytes as u64, block.site, 0];
            event(kind::HOST_ALLOC, block.origin, words);
        }
    });
}

unsafe fn map(file: i32, offset: usize, bytes: usize) -> usize {
    let protection = libc::PROT_READ | libc::PROT_WRITE;
    let pages = libc::mmap(
        std::ptr::null_mut(),
        bytes,
        protection,
        libc::MAP_SHARED,
        file,
        offset as libc::off_t,
    );
    if pages == libc::MAP_FAILED { 0 } else { pages as usize }
}

/// Whether events are recorded.
#[inline]
pub(crate) fn recording() -> bool {
    FILE.load(Ordering::Relaxed) >= 0
}

/// Appends a record; `words` are a, b, n, site, stream.
#[inline]
pub(crate) fn event(kind: u8, flags: u8, words: [u64; 5]) {
    if recording() {
        append(kind, flags, [real::now(), words[0], words[1], words[2], words[3], words[4]]);
    }
}

fn append(kind: u8, flags: u8, rest: [u64; 6]) {
    let index = NEXT.fetch_add(1, Ordering::Relaxed);
    let chunk = index / RECORDS_PER_CHUNK;
    if chunk >= CHUNKS {
        overflow();
        return;
    }
    let mut base = MAPPED[chunk].load(Ordering::Acquire);
    if base == 0 {
        base = GROW.with(|()| grow(chunk));
        if base == 0 {
            overflow();
            return;
        }
    }
    let first = u64::from(kind) | u64::from(flags) << 8 | u64::from(real::thread_id()) << 32;
    let body = [first, rest[0], rest[1], rest[2], rest[3], rest[4], rest[5]];
    let record = (base + index % RECORDS_PER_CHUNK * trace::RECORD_BYTES) as *mut u64;
    // SAFETY: the record lies inside a mapped chunk and belongs to this call alone.
    unsafe {
        for (at, &word) in body.iter().enumerate() {
            record.add(at).write_volatile(word);
        }
        (*(record.add(7) as *const AtomicU64)).store(wire::record_check(&body), Ordering::Release);
    }
}

fn grow(chunk: usize) -> usize {
    let known = MAPPED[chunk].load(Ordering::Acquire);
    if known != 0 {
        return known;
    }
    let file = FILE.load(Ordering::Acquire);
    let offset = trace::HEADER_BYTES + chunk * trace::CHUNK_BYTES;
    // SAFETY: plain calls on our file; the space is reserved first, so a full disk cannot raise SIGBUS.
    let base = unsafe {
        if libc::posix_fallocate(file, offset as libc::off_t, trace::CHUNK_BYTES as libc::off_t)
            != 0
        {
            0
        } else {
            map(file, offset, trace::CHUNK_BYTES)
        }
    };
    MAPPED[chunk].store(base, Ordering::Release);
    base
}

#[cold]
fn overflow() {
    let header = HEADER.load(Ordering::Acquire);
    if header != 0 {
        // SAFETY: the header page is mapped.
        unsafe { (header as *mut u64).add(trace::OVERFLOW).write_volatile(1) };
    }
    FILE.store(-1, Ordering::Release);
}

fn text(which: u8, bytes: &[u8]) {
    for (index, part) in bytes.chunks(48).enumerate() {
        let mut words = [0u64; 6];
        for (at, &byte) in part.iter().enumerate() {
            words[at / 8] |= u64::from(byte) << (at % 8 * 8);
        }
        append(kind::TEXT, if index == 0 { which } else { which | text::MORE }, words);
    }
}

unsafe extern "C" fn visit(
    info: *mut libc::dl_phdr_info,
    _size: usize,
    _state: real::Pointer,
) -> libc::c_int {
    let name = std::ffi::CStr::from_ptr((*info).dlpi_name).to_bytes();
    if name.first() == Some(&b'/') {
        text(text::LIBRARY, name);
    }
    0
}

unsafe fn libraries() {
    libc::dl_iterate_phdr(Some(visit), std::ptr::null_mut());
}

/// Ends the trace in order: the objects loaded by now, the exact length, the mark of a clean end.
pub(crate) unsafe fn finish() {
    let file = FILE.load(Ordering::Acquire);
    if file < 0 {
        return;
    }
    libraries();
    let used = NEXT.load(Ordering::Acquire).min(trace::MAX_RECORDS);
    let header = HEADER.load(Ordering::Acquire) as *mut u64;
    header.add(trace::CLEAN).write_volatile(1);
    // Other threads may still append: the mapping beyond the end must not be cut away under them,
    // so only whole unused chunks go.
    let chunks = used.div_ceil(RECORDS_PER_CHUNK);
    libc::ftruncate(file, (trace::HEADER_BYTES + chunks * trace::CHUNK_BYTES) as libc::off_t);
}

/// Stops recording without touching the file (in a forked child).
pub(crate) fn forget() {
    FILE.store(-1, Ordering::Release);
}
