//! The hooked driver functions: wrappers, the table by which look-ups hand them out, and the exports
//! for programs that link the driver directly.
//!
//! Every wrapper exists per variant `Q`, since each has its own original: 0 legacy default stream,
//! 1 per-thread default stream (both through look-ups), 2 and 3 the same as direct exports.

use std::ffi::{CStr, c_int};
use std::sync::atomic::{AtomicUsize, Ordering};

use echo_runtime::wire::{foreign as foreign_kind, kind, mode};

use crate::copies::{self, Copy};
use crate::streams::{self, LEGACY, normal};
use crate::work::{self, Wait};
use crate::{config, foreign, memory, real, tracer};

const NOT_FOUND: c_int = 500; // CUDA_ERROR_NOT_FOUND

/// One hooked function.
pub(crate) struct Hook {
    /// Name as passed to cuGetProcAddress.
    pub(crate) name: &'static CStr,
    /// Exported name of the same interface.
    pub(crate) export: &'static CStr,
    /// Exported name of its per-thread form.
    pub(crate) thread_export: &'static CStr,
    wrappers: [*const (); 2],
    originals: [AtomicUsize; 4],
}

// SAFETY: the pointers are functions.
unsafe impl Sync for Hook {}

/// Finds the hook for a name as a look-up asks for it, and whether it means the per-thread form.
pub(crate) fn find(name: &[u8]) -> Option<(&'static Hook, bool)> {
    HOOKS.iter().find_map(|hook| {
        if name == hook.name.to_bytes() || name == hook.export.to_bytes() {
            Some((hook, false))
        } else if name == hook.thread_export.to_bytes() {
            Some((hook, true))
        } else {
            None
        }
    })
}

impl Hook {
    /// Remembers the original that a look-up returned and gives the wrapper out.
    pub(crate) fn wrap(&self, per_thread: bool, original: usize) -> usize {
        self.originals[usize::from(per_thread)].store(original, Ordering::Release);
        self.wrappers[usize::from(per_thread)] as usize
    }

    #[inline]
    unsafe fn original(&self, variant: usize) -> usize {
        let known = self.originals[variant].load(Ordering::Acquire);
        if known != 0 {
            return known;
        }
        let found = real::driver(if variant & 1 == 1 { self.thread_export } else { self.export });
        self.originals[variant].store(found, Ordering::Release);
        found
    }
}

/// Exports the per-thread form, where there is one.
macro_rules! thread_export {
    ($function:ident $arguments:tt) => {};
    ($function:ident ($($argument:ident: $kind:ty),*) $thread:ident) => {
        #[doc = concat!("Driver entry point `", stringify!($thread), "`.")]
        #[unsafe(no_mangle)]
        #[allow(non_snake_case)]
        pub unsafe extern "C" fn $thread($($argument: $kind),*) -> c_int {
            $function::<3>($($argument),*)
        }
    };
}

/// Defines the wrappers, the table, and the exports.
macro_rules! hooks {
    ($($index:ident $function:ident $name:literal $export:ident $(thread $thread:ident)?
        ($($argument:ident: $kind:ty),*) |$original:ident, $per_thread:ident| $body:expr;)*) => {
        #[derive(Clone, Copy)]
        enum Index { $($index),* }

        $(unsafe extern "C" fn $function<const Q: usize>($($argument: $kind),*) -> c_int {
            #[allow(unused_variables)]
            let $per_thread = Q & 1 == 1;
            let address = HOOKS[Index::$index as usize].original(Q);
            if address == 0 {
                return NOT_FOUND;
            }
            let $original: unsafe extern "C" fn($($kind),*) -> c_int = std::mem::transmute(address);
            $body
        })*

        /// All hooked functions.
        pub(crate) static HOOKS: [Hook; [$(Index::$index),*].len()] = [$(Hook {
            name: $name,
            export: c_name(concat!(stringify!($export), "\0")),
            thread_export: c_name(concat!(stringify!($($thread)?), "\0")),
            wrappers: [$function::<0> as *const (), $function::<1> as *const ()],
            originals: [const { AtomicUsize::new(0) }; 4],
        }),*];

        $(
            #[doc = concat!("Driver entry point `", stringify!($export), "`.")]
            #[unsafe(no_mangle)]
            #[allow(non_snake_case)]
            pub unsafe extern "C" fn $export($($argument: $kind),*) -> c_int {
                $function::<2>($($argument),*)
            }
            thread_export! { $function ($($argument: $kind),*) $($thread)? }
        )*
    };
}

const fn c_name(text: &'static str) -> &'static CStr {
    match CStr::from_bytes_with_nul(text.as_bytes()) {
        Ok(name) => name,
        Err(_) => panic!("a hook's name ends in its only zero"),
    }
}

fn transfer(
    destination: usize,
    source: usize,
    bytes: usize,
    upload: bool,
    stream: u64,
    asynchronous: bool,
) -> Copy {
    Copy { destination, source, bytes, upload, stream, asynchronous }
}

/// Host and device ends of a CUDA_MEMCPY2D or CUDA_MEMCPY3D, by word index of type, host, device.
unsafe fn ends(
    description: *const usize,
    source: [usize; 3],
    destination: [usize; 3],
) -> [usize; 2] {
    if description.is_null() {
        return [0, 0];
    }
    let end = |at: [usize; 3]| match *(description.add(at[0]) as *const u32) {
        1 => *description.add(at[1]),
        2 | 4 => *description.add(at[2]),
        _ => 0,
    };
    [end(source), end(destination)]
}

unsafe fn ends_2d(description: *const usize) -> [usize; 2] {
    ends(description, [2, 3, 4], [9, 10, 11])
}

unsafe fn ends_3d(description: *const usize) -> [usize; 2] {
    ends(description, [4, 5, 6], [15, 16, 17])
}

unsafe fn reset() {
    if config::current_mode() == mode::PROFILE {
        tracer::event(kind::RESET, 0, [0; 5]);
    }
}

const COPY: u8 = foreign_kind::COPY;
const FILL: u8 = foreign_kind::FILL;

hooks! {
    Alloc alloc c"cuMemAlloc" cuMemAlloc_v2 (out: *mut usize, bytes: usize) |original, thread|
        memory::allocate(out, bytes, |out, bytes| original(out, bytes));
    Free free c"cuMemFree" cuMemFree_v2 (address: usize) |original, thread|
        memory::free(address, |address| original(address));

    Upload upload c"cuMemcpyHtoD" cuMemcpyHtoD_v2 thread cuMemcpyHtoD_v2_ptds
        (to: usize, from: usize, bytes: usize) |original, thread|
        copies::perform(transfer(to, from, bytes, true, normal(0, thread), false), || original(to, from, bytes));
    Download download c"cuMemcpyDtoH" cuMemcpyDtoH_v2 thread cuMemcpyDtoH_v2_ptds
        (to: usize, from: usize, bytes: usize) |original, thread|
        copies::perform(transfer(to, from, bytes, false, normal(0, thread), false), || original(to, from, bytes));
    UploadAsync upload_async c"cuMemcpyHtoDAsync" cuMemcpyHtoDAsync_v2 thread cuMemcpyHtoDAsync_v2_ptsz
        (to: usize, from: usize, bytes: usize, stream: usize) |original, thread|
        copies::perform(transfer(to, from, bytes, true, normal(stream, thread), true),
            || original(to, from, bytes, stream));
    DownloadAsync download_async c"cuMemcpyDtoHAsync" cuMemcpyDtoHAsync_v2 thread cuMemcpyDtoHAsync_v2_ptsz
        (to: usize, from: usize, bytes: usize, stream: usize) |original, thread|
        copies::perform(transfer(to, from, bytes, false, normal(stream, thread), true),
            || original(to, from, bytes, stream));
    CopyAny copy_any c"cuMemcpy" cuMemcpy thread cuMemcpy_ptds (to: usize, from: usize, bytes: usize)
        |original, thread|
        copies::perform_unified(transfer(to, from, bytes, false, normal(0, thread), false),
            || original(to, from, bytes));
    CopyAnyAsync copy_any_async c"cuMemcpyAsync" cuMemcpyAsync thread cuMemcpyAsync_ptsz
        (to: usize, from: usize, bytes: usize, stream: usize) |original, thread|
        copies::perform_unified(transfer(to, from, bytes, false, normal(stream, thread), true),
            || original(to, from, bytes, stream));

    CopyDd copy_dd c"cuMemcpyDtoD" cuMemcpyDtoD_v2 thread cuMemcpyDtoD_v2_ptds
        (to: usize, from: usize, bytes: usize) |original, thread|
        foreign::around(&[to, from], COPY, Some(normal(0, thread)), false, || original(to, from, bytes));
    CopyDdAsync copy_dd_async c"cuMemcpyDtoDAsync" cuMemcpyDtoDAsync_v2 thread cuMemcpyDtoDAsync_v2_ptsz
        (to: usize, from: usize, bytes: usize, stream: usize) |original, thread|
        foreign::around(&[to, from], COPY, Some(normal(stream, thread)), false,
            || original(to, from, bytes, stream));
    Copy2d copy_2d c"cuMemcpy2D" cuMemcpy2D_v2 thread cuMemcpy2D_v2_ptds (what: *const usize) |original, thread|
        foreign::around(&ends_2d(what), COPY, Some(normal(0, thread)), false, || original(what));
    Copy2dAny copy_2d_any c"cuMemcpy2DUnaligned" cuMemcpy2DUnaligned_v2 thread cuMemcpy2DUnaligned_v2_ptds
        (what: *const usize) |original, thread|
        foreign::around(&ends_2d(what), COPY, Some(normal(0, thread)), false, || original(what));
    Copy2dAsync copy_2d_async c"cuMemcpy2DAsync" cuMemcpy2DAsync_v2 thread cuMemcpy2DAsync_v2_ptsz
        (what: *const usize, stream: usize) |original, thread|
        foreign::around(&ends_2d(what), COPY, Some(normal(stream, thread)), false, || original(what, stream));
    Copy3d copy_3d c"cuMemcpy3D" cuMemcpy3D_v2 thread cuMemcpy3D_v2_ptds (what: *const usize) |original, thread|
        foreign::around(&ends_3d(what), COPY, Some(normal(0, thread)), false, || original(what));
    Copy3dAsync copy_3d_async c"cuMemcpy3DAsync" cuMemcpy3DAsync_v2 thread cuMemcpy3DAsync_v2_ptsz
        (what: *const usize, stream: usize) |original, thread|
        foreign::around(&ends_3d(what), COPY, Some(normal(stream, thread)), false, || original(what, stream));
    CopyPeer copy_peer c"cuMemcpyPeer" cuMemcpyPeer thread cuMemcpyPeer_ptds
        (to: usize, to_context: usize, from: usize, from_context: usize, bytes: usize) |original, thread|
        foreign::around(&[to, from], COPY, Some(normal(0, thread)), false,
            || original(to, to_context, from, from_context, bytes));
    CopyPeerAsync copy_peer_async c"cuMemcpyPeerAsync" cuMemcpyPeerAsync thread cuMemcpyPeerAsync_ptsz
        (to: usize, to_context: usize, from: usize, from_context: usize, bytes: usize, stream: usize)
        |original, thread|
        foreign::around(&[to, from], COPY, Some(normal(stream, thread)), false,
            || original(to, to_context, from, from_context, bytes, stream));

    Fill8 fill_8 c"cuMemsetD8" cuMemsetD8_v2 thread cuMemsetD8_v2_ptds (at: usize, value: u8, count: usize)
        |original, thread|
        foreign::around(&[at], FILL, Some(normal(0, thread)), false, || original(at, value, count));
    Fill16 fill_16 c"cuMemsetD16" cuMemsetD16_v2 thread cuMemsetD16_v2_ptds (at: usize, value: u16, count: usize)
        |original, thread|
        foreign::around(&[at], FILL, Some(normal(0, thread)), false, || original(at, value, count));
    Fill32 fill_32 c"cuMemsetD32" cuMemsetD32_v2 thread cuMemsetD32_v2_ptds (at: usize, value: u32, count: usize)
        |original, thread|
        foreign::around(&[at], FILL, Some(normal(0, thread)), false, || original(at, value, count));
    Fill8Async fill_8_async c"cuMemsetD8Async" cuMemsetD8Async thread cuMemsetD8Async_ptsz
        (at: usize, value: u8, count: usize, stream: usize) |original, thread|
        foreign::around(&[at], FILL, Some(normal(stream, thread)), false, || original(at, value, count, stream));
    Fill16Async fill_16_async c"cuMemsetD16Async" cuMemsetD16Async thread cuMemsetD16Async_ptsz
        (at: usize, value: u16, count: usize, stream: usize) |original, thread|
        foreign::around(&[at], FILL, Some(normal(stream, thread)), false, || original(at, value, count, stream));
    Fill32Async fill_32_async c"cuMemsetD32Async" cuMemsetD32Async thread cuMemsetD32Async_ptsz
        (at: usize, value: u32, count: usize, stream: usize) |original, thread|
        foreign::around(&[at], FILL, Some(normal(stream, thread)), false, || original(at, value, count, stream));
    Fill2d8 fill_2d_8 c"cuMemsetD2D8" cuMemsetD2D8_v2 thread cuMemsetD2D8_v2_ptds
        (at: usize, pitch: usize, value: u8, width: usize, height: usize) |original, thread|
        foreign::around(&[at], FILL, Some(normal(0, thread)), false, || original(at, pitch, value, width, height));
    Fill2d8Async fill_2d_8_async c"cuMemsetD2D8Async" cuMemsetD2D8Async thread cuMemsetD2D8Async_ptsz
        (at: usize, pitch: usize, value: u8, width: usize, height: usize, stream: usize) |original, thread|
        foreign::around(&[at], FILL, Some(normal(stream, thread)), false,
            || original(at, pitch, value, width, height, stream));
    Fill2d32 fill_2d_32 c"cuMemsetD2D32" cuMemsetD2D32_v2 thread cuMemsetD2D32_v2_ptds
        (at: usize, pitch: usize, value: u32, width: usize, height: usize) |original, thread|
        foreign::around(&[at], FILL, Some(normal(0, thread)), false, || original(at, pitch, value, width, height));
    Fill2d32Async fill_2d_32_async c"cuMemsetD2D32Async" cuMemsetD2D32Async thread cuMemsetD2D32Async_ptsz
        (at: usize, pitch: usize, value: u32, width: usize, height: usize, stream: usize) |original, thread|
        foreign::around(&[at], FILL, Some(normal(stream, thread)), false,
            || original(at, pitch, value, width, height, stream));

    Launch launch c"cuLaunchKernel" cuLaunchKernel thread cuLaunchKernel_ptsz
        (f: usize, gx: u32, gy: u32, gz: u32, bx: u32, by: u32, bz: u32, shared: u32, stream: usize,
            parameters: usize, extra: usize) |original, thread|
        work::submit(normal(stream, thread),
            || original(f, gx, gy, gz, bx, by, bz, shared, stream, parameters, extra));
    LaunchEx launch_ex c"cuLaunchKernelEx" cuLaunchKernelEx thread cuLaunchKernelEx_ptsz
        (configuration: *const u8, f: usize, parameters: usize, extra: usize) |original, thread| {
            // CUlaunchConfig: seven 32-bit words, padding, then the stream.
            let stream = if configuration.is_null() { 0 } else { *(configuration.add(32) as *const usize) };
            work::submit(normal(stream, thread), || original(configuration, f, parameters, extra))
        };
    LaunchCooperative launch_cooperative c"cuLaunchCooperativeKernel" cuLaunchCooperativeKernel
        thread cuLaunchCooperativeKernel_ptsz
        (f: usize, gx: u32, gy: u32, gz: u32, bx: u32, by: u32, bz: u32, shared: u32, stream: usize,
            parameters: usize) |original, thread|
        work::submit(normal(stream, thread), || original(f, gx, gy, gz, bx, by, bz, shared, stream, parameters));
    LaunchGraph launch_graph c"cuGraphLaunch" cuGraphLaunch thread cuGraphLaunch_ptsz
        (graph: usize, stream: usize) |original, thread|
        work::submit(normal(stream, thread), || original(graph, stream));
    LaunchHost launch_host c"cuLaunchHostFunc" cuLaunchHostFunc thread cuLaunchHostFunc_ptsz
        (stream: usize, function: usize, data: usize) |original, thread|
        work::submit(normal(stream, thread), || original(stream, function, data));
    CopyBatch copy_batch c"cuMemcpyBatchAsync" cuMemcpyBatchAsync thread cuMemcpyBatchAsync_ptsz
        (to: *const usize, from: *const usize, bytes: usize, count: usize, a: usize, b: usize, c: usize,
            d: usize, e: usize) |original, thread| {
            for at in 0..if to.is_null() || from.is_null() { 0 } else { count } {
                foreign::around(&[*to.add(at), *from.add(at)], COPY, None, false, || 0);
            }
            let status = work::submit(LEGACY, || original(to, from, bytes, count, a, b, c, d, e));
            streams::submitted_anywhere();
            status
        };

    WaitStream wait_stream c"cuStreamSynchronize" cuStreamSynchronize thread cuStreamSynchronize_ptsz
        (stream: usize) |original, thread|
        work::wait(Wait::Stream(normal(stream, thread)), || original(stream));
    // A spare argument, so that a later interface with a context argument passes through.
    WaitAll wait_all c"cuCtxSynchronize" cuCtxSynchronize (context: usize) |original, thread|
        work::wait(Wait::Everything, || original(context));
    WaitEvent wait_event c"cuEventSynchronize" cuEventSynchronize (event: usize) |original, thread|
        work::wait(Wait::Event(event as u64), || original(event));
    AskStream ask_stream c"cuStreamQuery" cuStreamQuery thread cuStreamQuery_ptsz (stream: usize)
        |original, thread|
        work::wait(Wait::Stream(normal(stream, thread)), || original(stream));
    AskEvent ask_event c"cuEventQuery" cuEventQuery (event: usize) |original, thread|
        work::wait(Wait::Event(event as u64), || original(event));
    Record record c"cuEventRecord" cuEventRecord thread cuEventRecord_ptsz (event: usize, stream: usize)
        |original, thread| {
            let status = original(event, stream);
            if config::current_mode() != mode::OFF {
                streams::recorded(event as u64, normal(stream, thread));
            }
            status
        };
    RecordFlags record_flags c"cuEventRecordWithFlags" cuEventRecordWithFlags thread cuEventRecordWithFlags_ptsz
        (event: usize, stream: usize, flags: u32) |original, thread| {
            let status = original(event, stream, flags);
            if config::current_mode() != mode::OFF {
                streams::recorded(event as u64, normal(stream, thread));
            }
            status
        };
    StreamWaits stream_waits c"cuStreamWaitEvent" cuStreamWaitEvent thread cuStreamWaitEvent_ptsz
        (stream: usize, event: usize, flags: u32) |original, thread|
        {
            if config::current_mode() != mode::OFF {
                streams::joined(normal(stream, thread), event as u64);
            }
            work::submit(normal(stream, thread), || original(stream, event, flags))
        };
    Create create c"cuStreamCreate" cuStreamCreate (out: *mut usize, flags: u32) |original, thread| {
        let status = original(out, flags);
        if status == 0 && config::current_mode() != mode::OFF {
            streams::created(*out as u64, flags);
        }
        status
    };
    CreatePriority create_priority c"cuStreamCreateWithPriority" cuStreamCreateWithPriority
        (out: *mut usize, flags: u32, priority: c_int) |original, thread| {
            let status = original(out, flags, priority);
            if status == 0 && config::current_mode() != mode::OFF {
                streams::created(*out as u64, flags);
            }
            status
        };
    CaptureBegin capture_begin c"cuStreamBeginCapture" cuStreamBeginCapture_v2 thread cuStreamBeginCapture_v2_ptsz
        (stream: usize, how: usize) |original, thread| {
            let status = original(stream, how);
            work::capture_began(status);
            status
        };
    CaptureEnd capture_end c"cuStreamEndCapture" cuStreamEndCapture thread cuStreamEndCapture_ptsz
        (stream: usize, out: usize) |original, thread| {
            work::capture_ended();
            original(stream, out)
        };

    Register register c"cuMemHostRegister" cuMemHostRegister_v2 (address: usize, bytes: usize, flags: u32)
        |original, thread|
        foreign::around(&[address, address.wrapping_add(bytes / 2)], foreign_kind::REGISTER, None, false,
            || original(address, bytes, flags));
    Export export c"cuIpcGetMemHandle" cuIpcGetMemHandle (handle: usize, address: usize) |original, thread|
        foreign::around(&[address], foreign_kind::EXPORT, None, false, || original(handle, address));
    Query query c"cuPointerGetAttribute" cuPointerGetAttribute (data: usize, attribute: c_int, address: usize)
        |original, thread|
        foreign::around(&[address], foreign_kind::QUERY, None, false, || original(data, attribute, address));
    QueryMany query_many c"cuPointerGetAttributes" cuPointerGetAttributes
        (count: u32, attributes: usize, data: usize, address: usize) |original, thread|
        foreign::around(&[address], foreign_kind::QUERY, None, false,
            || original(count, attributes, data, address));
    Reset reset_device c"cuDevicePrimaryCtxReset" cuDevicePrimaryCtxReset_v2 (ordinal: c_int) |original, thread| {
        reset();
        original(ordinal)
    };
    Destroy destroy c"cuCtxDestroy" cuCtxDestroy_v2 (context: usize) |original, thread| {
        reset();
        original(context)
    };
}
