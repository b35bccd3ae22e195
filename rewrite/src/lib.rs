//! Proofs to edits to unified diffs. Pure: no file is read or written here.
//!
//! 1. [`plan()`] turns the actions of each proof into [`Edit`]s on byte offsets of the original files ([`forms`] holds
//!    the texts). 2. Edits of all pairs are merged; overlaps are errors. 3. [`apply()`] and [`unified_diff`] produce text.

mod apply;
mod diff;
mod edit;
mod forms;
mod plan;
mod tidy;

pub use apply::apply;
pub use diff::unified_diff;
pub use edit::{Edit, Step};
pub use tidy::tidy;
pub use plan::{EditPlan, PairPlan, PlanError, Refusal, plan};
