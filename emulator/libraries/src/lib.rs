//! The emulator's cuBLAS, cuFFT and cuRAND. Every call becomes an operation of a stream, like a kernel: schedules, page
//! protection and the race detector treat it as one. Results are computed plainly, in the order of the definition, so
//! that they do not depend on the machine.
#![allow(non_snake_case, reason = "CUDA names verbatim")]

mod blas;
mod blas_calls;
mod dot_ex;
mod driver;
mod element;
mod fft;
mod gemm_ex;
mod lu;
mod random;
mod scalar;
mod view;
