//! A CPU implementation of CUDA, to run original and transformed programs without a device and to compare them under
//! every order of operations that CUDA allows.
//!
//! ```text
//! prog.cu -- clang, device pass, x86 --> IR --> image::wrap (entry thunks) --> device image (.so)
//!    |                                                                            | embedded as the fat binary
//!    +------ clang, host pass ---------------------------------------------------+--> program + libcudart + libcuda
//! ```
//!
//! Neither pass needs a CUDA toolkit or changes the source. [`compile`] makes a program, [`run`] runs it under a
//! [`Setting`], [`compare`] looks for a difference between two programs. The libraries the program loads are the
//! packages `libcuda` and `libcudart` beside this one; their state is steered through `ECHO_*` variables
//! ([`Setting::environment`]).

mod batch;
mod cache;
mod clang;
mod compare;
mod compile;
mod error;
mod image;
mod outcome;
mod run;
mod setting;

pub use batch::{Batch, CaseOutcome, run_batch};
pub use cache::Installation;
pub use clang::{CLANG, find_clang};
pub use compare::{Comparison, Difference, compare};
pub use compile::{Options, Program, compile, compile_module, compile_to};
pub use error::Error;
pub use outcome::{Ending, Outcome};
pub use run::run;
pub use setting::{Order, Setting, all_settings};
