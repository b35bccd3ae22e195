//! Ends the process with a code that says what went wrong, and turns page faults into such ends.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::arena::{self, Kind};

/// Exit codes of the emulated process. `echo-emu` documents them for its users. 91, a kernel that is in no image, is
/// the runtime library's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i32)]
pub(crate) enum Trap {
    /// The embedded device image cannot be loaded.
    Image = 90,
    /// A copy or fill outside an allocation.
    BadCopy = 92,
    /// A kernel touched pageable host memory.
    KernelTouchesHost = 93,
    /// Use after free, double free, or freeing what was not allocated.
    Freed = 94,
    /// The host touched managed memory while the device worked (`concurrentManagedAccess` = 0).
    ManagedBusy = 95,
    /// The race detector reported (the process ran to its end).
    Race = 96,
    /// The host touched device memory.
    HostTouchesDevice = 97,
    /// Any other bad address.
    Fault = 98,
    /// Something this emulator does not do: host threads, device-side launches.
    Unsupported = 99,
}

/// Prints `message` and ends the process with the trap's code.
pub(crate) fn trap(trap: Trap, message: &str) -> ! {
    let mut line = Line::new();
    let _ = writeln!(line, "ECHO-TRAP {message}");
    line.print();
    end(trap as i32)
}

/// Flushes C's streams and ends the process without running destructors.
pub(crate) fn end(code: i32) -> ! {
    // SAFETY: plain libc calls; a null argument flushes every stream.
    unsafe {
        libc::fflush(std::ptr::null_mut());
        libc::_exit(code)
    }
}

/// Text of bounded size that needs no heap, for signal handlers. What does not fit is cut.
pub(crate) struct Line {
    bytes: [u8; 400],
    used: usize,
}

impl Line {
    pub(crate) const fn new() -> Self {
        Self { bytes: [0; 400], used: 0 }
    }

    pub(crate) fn print(&self) {
        // SAFETY: the buffer is valid for `used` bytes.
        unsafe { libc::syscall(libc::SYS_write, 2, self.bytes.as_ptr(), self.used) };
    }
}

impl std::fmt::Write for Line {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        let room = self.bytes.len() - 1 - self.used;
        let taken = text.len().min(room);
        self.bytes[self.used..self.used + taken].copy_from_slice(&text.as_bytes()[..taken]);
        self.used += taken;
        if taken < text.len() {
            self.bytes[self.used] = b'\n';
        }
        Ok(())
    }
}

static HANDLING: AtomicBool = AtomicBool::new(false);

/// Installs the handler of page faults, on a stack of its own.
pub(crate) fn install() {
    // SAFETY: the alternate stack is leaked on purpose; the handler has the three-argument form that SA_SIGINFO asks for.
    unsafe {
        let stack = Box::leak(vec![0_u8; 128 << 10].into_boxed_slice());
        let alternate =
            libc::stack_t { ss_sp: stack.as_mut_ptr().cast(), ss_flags: 0, ss_size: stack.len() };
        libc::sigaltstack(&raw const alternate, std::ptr::null_mut());
        let mut action: libc::sigaction = std::mem::zeroed();
        let handler: extern "C" fn(i32, *mut libc::siginfo_t, *mut libc::c_void) = fault;
        action.sa_sigaction = handler as usize;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
        libc::sigaction(libc::SIGSEGV, &raw const action, std::ptr::null_mut());
        libc::sigaction(libc::SIGBUS, &raw const action, std::ptr::null_mut());
    }
}

extern "C" fn fault(_signal: i32, info: *mut libc::siginfo_t, context: *mut libc::c_void) {
    if HANDLING.swap(true, Ordering::Relaxed) {
        end(Trap::Fault as i32);
    }
    // SAFETY: the kernel passes a valid siginfo_t and ucontext_t.
    let (address, pc) = unsafe {
        let context = &*context.cast::<libc::ucontext_t>();
        ((*info).si_addr() as usize, context.uc_mcontext.gregs[libc::REG_RIP as usize] as usize)
    };
    let mut line = Line::new();
    let trap = describe(address, &mut line);
    if let Some(offset) = crate::program::offset(pc) {
        let _ = write!(line, " pc {offset:#x}");
    }
    let _ = writeln!(line);
    line.print();
    crate::race::print_summary();
    end(trap as i32)
}

fn describe(address: usize, line: &mut Line) -> Trap {
    let kernel = crate::launch::running_kernel();
    let found = arena::find(address);
    let _ = match kernel {
        Some(name) => write!(line, "ECHO-TRAP kernel {name}: "),
        None => write!(line, "ECHO-TRAP host: "),
    };
    let Some(block) = found else {
        let _ = write!(line, "bad address {address:#x}");
        return Trap::Fault;
    };
    let place = format_args_of(&block, address);
    let (what, trap) = match (kernel.is_some(), block.live, block.kind) {
        (_, false, _) => ("use after free of", Trap::Freed),
        (true, true, Kind::Host) => ("access to pageable host memory", Trap::KernelTouchesHost),
        (true, true, Kind::Device | Kind::Managed | Kind::Pinned) => {
            ("out of bounds near", Trap::Fault)
        }
        (false, true, Kind::Device) => ("access to device memory", Trap::HostTouchesDevice),
        (false, true, Kind::Managed)
            if (block.base..block.base + block.bytes as usize).contains(&address) =>
        {
            ("access, while the device works, to managed", Trap::ManagedBusy)
        }
        (false, true, Kind::Managed | Kind::Host | Kind::Pinned) => {
            ("out of bounds near", Trap::Fault)
        }
    };
    let _ = write!(line, "{what} {place}");
    trap
}

fn format_args_of(block: &arena::Block, address: usize) -> String {
    let offset = address as i64 - block.base as i64;
    format!(
        "{} allocation #{} of {} bytes, offset {offset}",
        block.kind.name(),
        block.id,
        block.bytes
    )
}
