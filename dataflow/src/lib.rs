//! A CUDA program to verdicts on its candidate pairs.
//!
//! Pure: no I/O, no clang. The front end fills in a [`program::Program`].

mod analysis;
mod candidate;
mod condition;
pub mod effect;
pub mod event;
pub mod host_use;
mod index;
pub mod interpret;
mod judge;
pub mod mutation;
pub mod program;
pub mod report;
pub mod size;
pub mod summary;
pub mod target;
pub mod verdict;

pub use candidate::candidates;
pub use judge::judge;
