//! The object that `echo-dr` preloads into an unmodified program.
//!
//! It interposes the CUDA **driver** layer (`dlsym`, `cuGetProcAddress`, exported `cu*` names) and the
//! malloc family, and does one of four things that the control file names: record a trace (paper
//! section 3.3.2, phase 1), validate candidate pairs or time the unchanged program (phase 2), or
//! merge pairs (phase 3). It fails open: on any doubt the original call is made.
//!
//! Rules that every hook keeps: no allocation through the interposed functions, no thread-local that
//! needs a constructor or destructor, no call out of this object while the state lock is held (other
//! than plain system calls), `errno` unchanged.
#![allow(clippy::missing_safety_doc)]
// Every function here is called by C code with C's contracts; the contract of each is its C prototype.
#![allow(unsafe_op_in_unsafe_fn)]
#![cfg(target_os = "linux")]

mod arena;
mod blocks;
mod compare;
mod config;
mod copies;
mod device;
mod foreign;
mod guard;
mod heap;
mod inout;
mod loader;
mod lock;
mod memory;
mod merge;
mod observe;
mod protect;
mod real;
mod signals;
mod site;
mod stack;
mod start;
mod streams;
mod table;
mod tracer;
mod uffd;
mod work;
