//! A futex lock without ownership, poisoning or allocation.

use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicU32, Ordering};

/// Mutual exclusion over `T`. Not re-entrant: callers hold a depth guard, so hooks cannot nest.
pub(crate) struct Lock<T> {
    /// 0 free, 1 held, 2 held and somebody waits.
    state: AtomicU32,
    value: UnsafeCell<T>,
}

// SAFETY: `value` is reached only between `acquire` and `release`.
unsafe impl<T> Sync for Lock<T> {}

impl<T> Lock<T> {
    pub(crate) const fn new(value: T) -> Self {
        Lock { state: AtomicU32::new(0), value: UnsafeCell::new(value) }
    }

    /// Runs `body` with the lock held.
    #[inline]
    pub(crate) fn with<R>(&self, body: impl FnOnce(&mut T) -> R) -> R {
        self.acquire();
        // SAFETY: the lock is held, so this is the only reference.
        let result = body(unsafe { &mut *self.value.get() });
        self.release();
        result
    }

    /// Takes the lock; used directly only around fork.
    #[inline]
    pub(crate) fn acquire(&self) {
        if self.state.compare_exchange(0, 1, Ordering::Acquire, Ordering::Relaxed).is_err() {
            self.wait();
        }
    }

    #[cold]
    fn wait(&self) {
        for _ in 0..100 {
            if self.state.compare_exchange(0, 1, Ordering::Acquire, Ordering::Relaxed).is_ok() {
                return;
            }
            std::hint::spin_loop();
        }
        while self.state.swap(2, Ordering::Acquire) != 0 {
            // SAFETY: FUTEX_WAIT on our own word; a spurious return only repeats the loop.
            unsafe {
                libc::syscall(
                    libc::SYS_futex,
                    self.state.as_ptr(),
                    libc::FUTEX_WAIT | libc::FUTEX_PRIVATE_FLAG,
                    2,
                    std::ptr::null::<libc::timespec>(),
                );
            }
        }
    }

    /// Gives the lock back; used directly only around fork.
    #[inline]
    pub(crate) fn release(&self) {
        if self.state.swap(0, Ordering::Release) == 2 {
            // SAFETY: FUTEX_WAKE on our own word.
            unsafe {
                libc::syscall(
                    libc::SYS_futex,
                    self.state.as_ptr(),
                    libc::FUTEX_WAKE | libc::FUTEX_PRIVATE_FLAG,
                    1,
                );
            }
        }
    }
}
