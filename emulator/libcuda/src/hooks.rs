//! The calls that `-fsanitize=thread` puts before every access, in host and device code alike.

use std::ffi::c_void;

use crate::race::{access, copy};

macro_rules! plain {
    ($($read:ident $write:ident $bytes:literal;)*) => { $(
        /// Instrumented read.
        #[unsafe(no_mangle)]
        pub extern "C" fn $read(address: usize) {
            access(address, $bytes, false);
        }
        /// Instrumented write.
        #[unsafe(no_mangle)]
        pub extern "C" fn $write(address: usize) {
            access(address, $bytes, true);
        }
    )* };
}

plain! {
    __tsan_read1 __tsan_write1 1;
    __tsan_read2 __tsan_write2 2;
    __tsan_read4 __tsan_write4 4;
    __tsan_read8 __tsan_write8 8;
    __tsan_read16 __tsan_write16 16;
    __tsan_unaligned_read2 __tsan_unaligned_write2 2;
    __tsan_unaligned_read4 __tsan_unaligned_write4 4;
    __tsan_unaligned_read8 __tsan_unaligned_write8 8;
    __tsan_unaligned_read16 __tsan_unaligned_write16 16;
    __tsan_volatile_read1 __tsan_volatile_write1 1;
    __tsan_volatile_read2 __tsan_volatile_write2 2;
    __tsan_volatile_read4 __tsan_volatile_write4 4;
    __tsan_volatile_read8 __tsan_volatile_write8 8;
    __tsan_volatile_read16 __tsan_volatile_write16 16;
    __tsan_unaligned_volatile_read2 __tsan_unaligned_volatile_write2 2;
    __tsan_unaligned_volatile_read4 __tsan_unaligned_volatile_write4 4;
    __tsan_unaligned_volatile_read8 __tsan_unaligned_volatile_write8 8;
    __tsan_unaligned_volatile_read16 __tsan_unaligned_volatile_write16 16;
}

macro_rules! both {
    ($($name:ident $bytes:literal;)*) => { $(
        /// Instrumented read and write of one place.
        #[unsafe(no_mangle)]
        pub extern "C" fn $name(address: usize) {
            access(address, $bytes, false);
            access(address, $bytes, true);
        }
    )* };
}

both! {
    __tsan_read_write1 1;
    __tsan_read_write2 2;
    __tsan_read_write4 4;
    __tsan_read_write8 8;
    __tsan_read_write16 16;
    __tsan_unaligned_read_write2 2;
    __tsan_unaligned_read_write4 4;
    __tsan_unaligned_read_write8 8;
    __tsan_unaligned_read_write16 16;
}

macro_rules! ignored {
    ($($name:ident)*) => { $(
        /// Instrumentation that says nothing about an access.
        #[unsafe(no_mangle)]
        pub extern "C" fn $name() {}
    )* };
}

ignored! {
    __tsan_init __tsan_func_entry __tsan_func_exit __tsan_vptr_update __tsan_vptr_read
    __tsan_atomic_thread_fence __tsan_atomic_signal_fence
}

/// Instrumented read of a range in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn __tsan_read_range(address: usize, bytes: usize) {
    access(address, bytes, false);
}

/// Instrumented write of a range in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn __tsan_write_range(address: usize, bytes: usize) {
    access(address, bytes, true);
}

/// Instrumented `memcpy`.
///
/// # Safety
/// As `memcpy`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __tsan_memcpy(
    to: *mut c_void,
    from: *const c_void,
    bytes: usize,
) -> *mut c_void {
    copy(to as usize, from as usize, bytes);
    // SAFETY: the caller's promise.
    unsafe { libc::memcpy(to, from, bytes) }
}

/// Instrumented `memmove`.
///
/// # Safety
/// As `memmove`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __tsan_memmove(
    to: *mut c_void,
    from: *const c_void,
    bytes: usize,
) -> *mut c_void {
    copy(to as usize, from as usize, bytes);
    // SAFETY: the caller's promise.
    unsafe { libc::memmove(to, from, bytes) }
}

/// Instrumented `memset`.
///
/// # Safety
/// As `memset`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __tsan_memset(to: *mut c_void, value: i32, bytes: usize) -> *mut c_void {
    access(to as usize, bytes, true);
    // SAFETY: the caller's promise.
    unsafe { libc::memset(to, value, bytes) }
}

// One thread: an atomic access is a plain one, and it is checked like one, since the host's atomics do not make an
// unordered access of the device defined.
macro_rules! atomic {
    ($($type:ident $bytes:literal $load:ident $store:ident $exchange:ident $add:ident $sub:ident $and:ident $or:ident
        $xor:ident $nand:ident $strong:ident $weak:ident $value:ident;)*) => { $(
        /// Atomic load.
        ///
        /// # Safety
        /// The place is valid.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $load(place: *mut $type, _order: i32) -> $type {
            access(place as usize, $bytes, false);
            // SAFETY: the caller's promise.
            unsafe { place.read() }
        }
        /// Atomic store.
        ///
        /// # Safety
        /// The place is valid.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $store(place: *mut $type, value: $type, _order: i32) {
            access(place as usize, $bytes, true);
            // SAFETY: the caller's promise.
            unsafe { place.write(value) }
        }
        atomic!(@update $type $bytes $exchange |_old, value| value);
        atomic!(@update $type $bytes $add |old, value| old.wrapping_add(value));
        atomic!(@update $type $bytes $sub |old, value| old.wrapping_sub(value));
        atomic!(@update $type $bytes $and |old, value| old & value);
        atomic!(@update $type $bytes $or |old, value| old | value);
        atomic!(@update $type $bytes $xor |old, value| old ^ value);
        atomic!(@update $type $bytes $nand |old, value| !(old & value));
        /// Atomic compare and exchange; what was expected is replaced by what was found.
        ///
        /// # Safety
        /// The places are valid.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $strong(place: *mut $type, expected: *mut $type, value: $type, _s: i32, _f: i32) -> i32 {
            // SAFETY: the caller's promise.
            unsafe {
                let wanted = *expected;
                let found = $value(place, wanted, value, 0, 0);
                *expected = found;
                i32::from(found == wanted)
            }
        }
        /// As the strong form: it never fails spuriously.
        ///
        /// # Safety
        /// The places are valid.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $weak(place: *mut $type, expected: *mut $type, value: $type, s: i32, f: i32) -> i32 {
            // SAFETY: the caller's promise.
            unsafe { $strong(place, expected, value, s, f) }
        }
        /// Atomic compare and exchange that gives what was found.
        ///
        /// # Safety
        /// The place is valid.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $value(place: *mut $type, expected: $type, value: $type, _s: i32, _f: i32) -> $type {
            access(place as usize, $bytes, false);
            // SAFETY: the caller's promise.
            unsafe {
                let found = place.read();
                if found == expected {
                    access(place as usize, $bytes, true);
                    place.write(value);
                }
                found
            }
        }
    )* };
    (@update $type:ident $bytes:literal $name:ident |$old:ident, $value:ident| $fresh:expr) => {
        /// Atomic update that gives the old value.
        ///
        /// # Safety
        /// The place is valid.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(place: *mut $type, $value: $type, _order: i32) -> $type {
            access(place as usize, $bytes, false);
            access(place as usize, $bytes, true);
            // SAFETY: the caller's promise.
            unsafe {
                let $old = place.read();
                place.write($fresh);
                $old
            }
        }
    };
}

atomic! {
    u8 1 __tsan_atomic8_load __tsan_atomic8_store __tsan_atomic8_exchange __tsan_atomic8_fetch_add
        __tsan_atomic8_fetch_sub __tsan_atomic8_fetch_and __tsan_atomic8_fetch_or __tsan_atomic8_fetch_xor
        __tsan_atomic8_fetch_nand __tsan_atomic8_compare_exchange_strong __tsan_atomic8_compare_exchange_weak
        __tsan_atomic8_compare_exchange_val;
    u16 2 __tsan_atomic16_load __tsan_atomic16_store __tsan_atomic16_exchange __tsan_atomic16_fetch_add
        __tsan_atomic16_fetch_sub __tsan_atomic16_fetch_and __tsan_atomic16_fetch_or __tsan_atomic16_fetch_xor
        __tsan_atomic16_fetch_nand __tsan_atomic16_compare_exchange_strong __tsan_atomic16_compare_exchange_weak
        __tsan_atomic16_compare_exchange_val;
    u32 4 __tsan_atomic32_load __tsan_atomic32_store __tsan_atomic32_exchange __tsan_atomic32_fetch_add
        __tsan_atomic32_fetch_sub __tsan_atomic32_fetch_and __tsan_atomic32_fetch_or __tsan_atomic32_fetch_xor
        __tsan_atomic32_fetch_nand __tsan_atomic32_compare_exchange_strong __tsan_atomic32_compare_exchange_weak
        __tsan_atomic32_compare_exchange_val;
    u64 8 __tsan_atomic64_load __tsan_atomic64_store __tsan_atomic64_exchange __tsan_atomic64_fetch_add
        __tsan_atomic64_fetch_sub __tsan_atomic64_fetch_and __tsan_atomic64_fetch_or __tsan_atomic64_fetch_xor
        __tsan_atomic64_fetch_nand __tsan_atomic64_compare_exchange_strong __tsan_atomic64_compare_exchange_weak
        __tsan_atomic64_compare_exchange_val;
}
