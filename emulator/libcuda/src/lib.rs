//! The emulator's `libcuda.so.1`: a CPU that behaves like a CUDA device, with every freedom CUDA leaves to a device
//! taken on purpose. Kernels are x86 code from the compile driver (crate `echo-emulator`); they run on the program's
//! only thread, inside its CUDA calls, when the chosen schedule says so.
//!
//! Reading order: `arena` (memory), `schedule` (streams and orders), `operation`, `launch`, `block`, `warp`, `fiber`
//! (kernels), `race` (detector), `heap` and `what_if` (the program's allocations), `driver` (the API).
#![allow(non_snake_case, reason = "CUDA names verbatim")]
#![cfg_attr(test, allow(unused))]

mod arena;
mod block;
mod capture;
mod clocks;
mod config;
mod driver;
mod fiber;
mod global;
mod heap;
mod hooks;
mod launch;
mod libc_calls;
mod module;
mod operation;
mod printing;
mod program;
mod race;
mod random;
mod schedule;
mod start;
mod threads;
mod trap;
mod warp;
mod what_if;
