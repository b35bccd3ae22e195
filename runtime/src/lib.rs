//! The merge on unmodified binaries: trace and plan formats, analysis of traces.
//!
//! The preloaded object (`echo-preload`) records a trace and obeys a control file; this crate reads
//! the one, decides, and describes the other. It starts no process.

pub mod calibrate;
pub mod control;
pub mod elf;
pub mod identity;
pub mod outcome;
pub mod pairing;
pub mod plan;
pub mod rejection;
pub mod trace;
pub mod wire;

pub use calibrate::{Decision, ProfitRule};
pub use outcome::Outcome;
pub use pairing::{Candidate, candidates};
pub use plan::{Backend, Plan};
pub use rejection::Rejection;
pub use trace::Trace;
