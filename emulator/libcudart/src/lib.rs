//! The emulator's CUDA runtime: names, structures and start-up hooks of CUDA 12, carried out by the driver that
//! `dlopen("libcuda.so.1")` finds. It holds no device of its own.
#![allow(non_snake_case, reason = "CUDA names verbatim")]

mod array;
mod copy;
mod device;
mod driver;
mod error;
mod event;
mod launch;
mod memory;
mod registration;
mod start;
mod stream;
