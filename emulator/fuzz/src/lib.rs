//! A fuzzer of `echo-fix`: generates whole CUDA functions over pairs of buffers and streams, makes them race-free, has
//! the tool transform them, and runs originals and transformed versions on the emulator under adversarial schedules,
//! with its race detector and as a device without concurrent access to managed memory.
//!
//! A transformed program that does what its original cannot do is a wrong merge, whatever the reason. Declined pairs
//! whose merging shows nothing are counted: they cost precision, not soundness.

mod campaign;
mod dimensions;
mod export;
mod form;
mod forms;
mod generate;
mod made;
mod mutants;
mod prelude;
mod print;
mod program;
mod random;
mod repair;
mod safe;
mod shrink;
mod source;
mod tool;
mod trial;
mod uses;

pub use campaign::{Finding, Plan, Report, TARGETS, campaign, program};
pub use dimensions::DIMENSIONS;
pub use export::{Exported, export};
pub use form::{Form, KernelForm};
pub use mutants::{Mutant, mutants};
pub use program::{Program, Side};
pub use source::{File, Layout, Part, Source};
pub use tool::{Answer, Tool, Verdict};
pub use trial::{Bench, Judgement, Tried, try_programs};
