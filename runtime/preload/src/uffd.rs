//! Guard by userfaultfd minor faults (Linux 5.14): sees accesses of every thread and of the kernel.

use std::sync::atomic::{AtomicI32, Ordering};

use echo_runtime::wire::fault;

use crate::arena;
use crate::real::Pointer;

// From <linux/userfaultfd.h>; the ioctl numbers are the same on x86-64 and AArch64.
const UFFD_API: u64 = 0xaa;
const FEATURE_MINOR_SHMEM: u64 = 1 << 10;
const MODE_MINOR: u64 = 1 << 2;
const IOCTL_API: libc::c_ulong = 0xc018_aa3f;
const IOCTL_REGISTER: libc::c_ulong = 0xc020_aa00;
const IOCTL_UNREGISTER: libc::c_ulong = 0x8010_aa01;
const IOCTL_WAKE: libc::c_ulong = 0x8010_aa02;
const DEVICE_NEW: libc::c_ulong = 0xaa00;
const EVENT_PAGEFAULT: u8 = 0x12;

#[repr(C)]
struct Api {
    api: u64,
    features: u64,
    ioctls: u64,
}

#[repr(C)]
struct Range {
    start: u64,
    length: u64,
}

#[repr(C)]
struct Register {
    range: Range,
    mode: u64,
    ioctls: u64,
}

type CreateThread = unsafe extern "C" fn(
    *mut libc::pthread_t,
    *const libc::pthread_attr_t,
    extern "C" fn(Pointer) -> Pointer,
    Pointer,
) -> libc::c_int;

static DESCRIPTOR: AtomicI32 = AtomicI32::new(-1);

/// Whether the guard is in use.
pub(crate) fn active() -> bool {
    DESCRIPTOR.load(Ordering::Acquire) >= 0
}

/// Opens the descriptor and starts the thread that answers faults; false if the system refuses.
pub(crate) unsafe fn start() -> bool {
    let mut file = libc::syscall(libc::SYS_userfaultfd, libc::O_CLOEXEC) as i32;
    if file < 0 {
        let device = libc::open(c"/dev/userfaultfd".as_ptr(), libc::O_RDWR | libc::O_CLOEXEC);
        if device >= 0 {
            file = libc::ioctl(device, DEVICE_NEW, libc::O_CLOEXEC);
            libc::close(device);
        }
    }
    if file < 0 {
        return false;
    }
    let mut api = Api { api: UFFD_API, features: FEATURE_MINOR_SHMEM, ioctls: 0 };
    if libc::ioctl(file, IOCTL_API, &mut api) != 0 {
        libc::close(file);
        return false;
    }
    DESCRIPTOR.store(file, Ordering::Release);
    // The thread must not run the program's signal handlers.
    let mut all: libc::sigset_t = std::mem::zeroed();
    let mut before: libc::sigset_t = std::mem::zeroed();
    libc::sigfillset(&mut all);
    libc::pthread_sigmask(libc::SIG_SETMASK, &all, &mut before);
    let mut thread: libc::pthread_t = std::mem::zeroed();
    // Past tools that watch or refuse the program's threads.
    let made = match crate::real::system(c"pthread_create") {
        0 => -1,
        address => {
            let create: CreateThread = std::mem::transmute(address);
            create(&mut thread, std::ptr::null(), serve, std::ptr::null_mut())
        }
    };
    libc::pthread_sigmask(libc::SIG_SETMASK, &before, std::ptr::null_mut());
    if made != 0 {
        DESCRIPTOR.store(-1, Ordering::Release);
        libc::close(file);
        return false;
    }
    libc::pthread_detach(thread);
    true
}

/// Stops using the guard (in a forked child, which has no fault thread).
pub(crate) fn forget() {
    DESCRIPTOR.store(-1, Ordering::Release);
}

/// Makes the range trap.
pub(crate) unsafe fn guard(address: usize, length: usize) -> bool {
    let file = DESCRIPTOR.load(Ordering::Acquire);
    let mut request = Register {
        range: Range { start: address as u64, length: length as u64 },
        mode: MODE_MINOR,
        ioctls: 0,
    };
    if libc::ioctl(file, IOCTL_REGISTER, &mut request) != 0 {
        return false;
    }
    libc::madvise(address as Pointer, length, libc::MADV_DONTNEED) == 0
}

/// Ends trapping; also wakes threads that wait on a fault there.
pub(crate) unsafe fn unguard(address: usize, length: usize) {
    let mut range = Range { start: address as u64, length: length as u64 };
    libc::ioctl(DESCRIPTOR.load(Ordering::Acquire), IOCTL_UNREGISTER, &mut range);
}

extern "C" fn serve(_: Pointer) -> Pointer {
    let mut message = [0u64; 4];
    loop {
        let file = DESCRIPTOR.load(Ordering::Acquire);
        // SAFETY: the buffer is a uffd_msg (32 bytes); a raw call, since `read` is interposed.
        let got = unsafe { libc::syscall(libc::SYS_read, file, message.as_mut_ptr(), 32) };
        if got < 0 && std::io::Error::last_os_error().raw_os_error() == Some(libc::EINTR) {
            continue;
        }
        if got != 32 {
            return std::ptr::null_mut();
        }
        if message[0].to_le_bytes()[0] != EVENT_PAGEFAULT {
            continue;
        }
        let address = message[2] as usize;
        if let Some(entry) = arena::holding(address) {
            arena::trapped(entry, fault::HOST_ACCESS);
            let mut range = Range {
                start: entry.address.load(Ordering::Acquire) as u64,
                length: entry.bytes.load(Ordering::Acquire) as u64,
            };
            // SAFETY: plain ioctls on our descriptor; unregistering wakes the faulting thread, the
            // wake covers a fault that arrived in between.
            unsafe {
                libc::ioctl(file, IOCTL_UNREGISTER, &mut range);
                libc::ioctl(file, IOCTL_WAKE, &mut range);
            }
        }
    }
}
