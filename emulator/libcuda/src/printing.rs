//! `printf` of device code. Output of an operation appears when the host has synchronized with it, in order of
//! submission: so it does not depend on the schedule where the program does not.

use std::arch::naked_asm;
use std::collections::BTreeMap;
use std::ffi::{c_char, c_void};

use crate::global::Global;

struct Output {
    actor: usize,
    clock: u32,
    bytes: Vec<u8>,
}

struct Outputs {
    current: Option<(u64, usize, u32)>,
    waiting: BTreeMap<u64, Output>,
}

static OUTPUTS: Global<Outputs> = Global::new(Outputs { current: None, waiting: BTreeMap::new() });

unsafe extern "C" {
    fn vsnprintf(
        to: *mut c_char,
        room: usize,
        format: *const c_char,
        arguments: *mut c_void,
    ) -> i32;
    fn fwrite(from: *const c_void, size: usize, count: usize, file: *mut libc::FILE) -> usize;
    static stdout: *mut libc::FILE;
}

/// Output from here on belongs to an operation of an actor at `clock`.
pub(crate) fn begin(id: u64, actor: usize, clock: &[u32]) {
    OUTPUTS.get().current = Some((id, actor, clock[actor]));
}

/// The operation ends or pauses.
pub(crate) fn end() {
    OUTPUTS.get().current = None;
}

/// Writes what the host, at `clock`, has synchronized with.
pub(crate) fn flush(clock: &[u32]) {
    let mut outputs = OUTPUTS.get();
    if outputs.waiting.is_empty() {
        return;
    }
    let seen =
        |output: &Output| clock.get(output.actor).is_some_and(|&reached| output.clock <= reached);
    let (ready, waiting): (BTreeMap<_, _>, BTreeMap<_, _>) =
        std::mem::take(&mut outputs.waiting).into_iter().partition(|(_, output)| seen(output));
    outputs.waiting = waiting;
    for output in ready.into_values() {
        // SAFETY: the buffer is valid for its length; stdout is libc's.
        unsafe { fwrite(output.bytes.as_ptr().cast(), 1, output.bytes.len(), stdout) };
    }
}

/// `printf` of device code: gathers the variable arguments into a `va_list` as the System V ABI lays it out.
#[unsafe(no_mangle)]
#[unsafe(naked)]
pub extern "C" fn echo_device_printf() {
    naked_asm!(
        "sub rsp, 216",
        "mov [rsp + 40], rsi",
        "mov [rsp + 48], rdx",
        "mov [rsp + 56], rcx",
        "mov [rsp + 64], r8",
        "mov [rsp + 72], r9",
        "movaps [rsp + 80], xmm0",
        "movaps [rsp + 96], xmm1",
        "movaps [rsp + 112], xmm2",
        "movaps [rsp + 128], xmm3",
        "movaps [rsp + 144], xmm4",
        "movaps [rsp + 160], xmm5",
        "movaps [rsp + 176], xmm6",
        "movaps [rsp + 192], xmm7",
        "mov dword ptr [rsp], 8",
        "mov dword ptr [rsp + 4], 48",
        "lea rax, [rsp + 224]",
        "mov [rsp + 8], rax",
        "lea rax, [rsp + 32]",
        "mov [rsp + 16], rax",
        "mov rsi, rsp",
        "call {print}",
        "add rsp, 216",
        "ret",
        print = sym echo_device_vprintf,
    )
}

/// `vprintf` of device code.
///
/// # Safety
/// `format` is a C string and `arguments` a `va_list` that fits it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn echo_device_vprintf(format: *const c_char, arguments: *mut c_void) -> i32 {
    const ROOM: usize = 4096;
    let mut text = vec![0_u8; ROOM];
    // SAFETY: the caller's promise; the buffer is as large as said.
    let length = unsafe { vsnprintf(text.as_mut_ptr().cast(), ROOM, format, arguments) };
    text.truncate(usize::try_from(length).unwrap_or(0).min(ROOM - 1));
    let mut outputs = OUTPUTS.get();
    if let Some((id, actor, clock)) = outputs.current {
        let output =
            outputs.waiting.entry(id).or_insert(Output { actor, clock, bytes: Vec::new() });
        output.bytes.extend_from_slice(&text);
    }
    length
}
