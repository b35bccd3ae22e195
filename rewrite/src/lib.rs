//! Proofs to edits to unified diffs. Pure: no file is read or written here.
//!
//! 1. [`plan()`] turns the actions of each proof into [`Edit`]s on byte offsets of the original files: [`allocate`],
//!    [`copies`] and [`release`] hold the texts, [`success`] decides whether a check macro may go with its call, [`rename`]
//!    finds what must be renamed, [`hidden`] what the program has names for already, [`quoted`] what shows its own text.
//! 2. Edits of all pairs are put together; overlaps are errors. [`tidy()`] lets deleted statements take their lines along.
//! 3. [`apply()`] and [`unified_diff`] produce text.

mod allocate;
mod apply;
mod copies;
mod diff;
mod edit;
mod effects;
mod hidden;
mod instances;
mod ordinary;
mod plan;
mod quoted;
mod release;
mod rename;
mod site;
mod success;
mod text;
mod tidy;
mod tokens;

pub use apply::apply;
pub use diff::unified_diff;
pub use edit::{Edit, Step};
pub use plan::{EditPlan, PairPlan, PlanError, Refusal, Style, plan};
pub use tidy::tidy;
