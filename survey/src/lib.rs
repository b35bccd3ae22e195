//! Repositories to counts of the copy pattern (paper section 2.4), reproducibly and at scale.
//!
//! A list ([`entries`]) is turned into rows ([`Row`]), one per repository, by [`run`]; rows are summed up by
//! [`Summary`] and written by the functions of [`report`]. Nothing in a scanned repository is executed, and everything
//! that goes wrong with one repository is a row with a reason ([`Skip`]), never the end of the run.
//!
//! The only crate that names tree-sitter: what is counted here need not compile, and no count is a proof.

mod api;
mod compare;
pub mod definitions;
mod facts;
mod fetch;
mod folder;
mod git;
mod guard;
mod interval;
mod journal;
mod limits;
mod list;
mod objects;
mod path_rules;
mod prefilter;
mod prove;
pub mod report;
mod retry;
mod row;
mod sample;
mod scan;
mod skip;
mod summary;
mod survey;
mod syntax;
mod tally;
mod visit;

pub use api::{Direction, Signal};
pub use compare::{compare, load};
pub use facts::{Link, Shape};
pub use fetch::Cache;
pub use guard::{kill_children, run_limited};
pub use interval::wilson;
pub use journal::{Journal, JournalError, identity_of_entry, merge, read_rows};
pub use limits::Limits;
pub use list::{Entry, ListError, Origin, entries};
pub use prove::{Prover, ProverAnswer};
pub use row::{
    Columns, FileCounts, LinkCounts, Place, Proof, ProvedFiles, Row, SCHEMA_VERSION, SampleItem,
    Status, Tier,
};
pub use sample::Sampler;
pub use skip::Skip;
pub use summary::{Counts, Domain, ProofCounts, SharedFiles, Summary};
pub use survey::{Effort, Options, run};
