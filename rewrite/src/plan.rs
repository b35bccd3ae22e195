//! Edits of all accepted pairs, put together.

use std::collections::BTreeMap;

use echo_dataflow::program::{FileId, Program};
use echo_dataflow::verdict::Proof;

use crate::edit::Edit;
use crate::forms;

/// A pair to rewrite.
#[derive(Debug, Clone)]
pub struct PairPlan<'p> {
    /// Its name in reports.
    pub id: String,
    /// Why it may be.
    pub proof: &'p Proof,
}

/// All edits, non-overlapping, in order of file and offset.
#[derive(Debug, Clone, Default)]
pub struct EditPlan {
    edits: Vec<Edit>,
    by_pair: BTreeMap<String, Vec<Edit>>,
    refused: BTreeMap<String, Refusal>,
}

/// Why a pair's rewrite cannot be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// Kebab-case code.
    pub code: &'static str,
    /// For people.
    pub what: String,
}

impl Refusal {
    pub(crate) fn new(code: &'static str, what: &str) -> Self {
        Self { code, what: what.to_owned() }
    }
}

/// A defect of this program, not of the input.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// Two edits touch the same bytes in different ways.
    #[error("edits of {first} and {second} overlap at bytes {start}..{end}")]
    Overlap {
        /// A pair.
        first: String,
        /// Another, or the same.
        second: String,
        /// First shared byte.
        start: u32,
        /// One past the last.
        end: u32,
    },
}

impl EditPlan {
    /// All edits.
    #[must_use]
    pub fn edits(&self) -> &[Edit] {
        &self.edits
    }

    /// The edits of one pair, before those of several pairs were put together.
    #[must_use]
    pub fn of(&self, id: &str) -> &[Edit] {
        self.by_pair.get(id).map_or(&[], Vec::as_slice)
    }

    /// Pairs that are proved but cannot be written, with the reason.
    #[must_use]
    pub fn refused(&self) -> &BTreeMap<String, Refusal> {
        &self.refused
    }

    /// Files with edits.
    #[must_use]
    pub fn files(&self) -> Vec<FileId> {
        let mut files: Vec<FileId> = self.edits.iter().map(|e| e.file).collect();
        files.dedup();
        files
    }
}

/// Plans the rewrite of `pairs`. If any pair is refused, the caller must judge again without it (its synchronization was
/// part of what the others were proved with), so `refused` must be empty before edits are used.
///
/// # Errors
/// If edits overlap: a defect of the forms.
pub fn plan(program: &Program, pairs: &[PairPlan<'_>]) -> Result<EditPlan, PlanError> {
    let mut plan = EditPlan::default();
    let mut all: Vec<(Edit, String)> = Vec::new();
    for pair in pairs {
        let mut own = Vec::new();
        let mut refusal = None;
        for action in pair.proof.actions() {
            match forms::edits(program, pair.proof.memory(), action) {
                Ok(edits) => own.extend(edits),
                Err(why) => {
                    refusal = Some(why);
                    break;
                }
            }
        }
        if let Some(why) = refusal {
            plan.refused.insert(pair.id.clone(), why);
            continue;
        }
        own.sort();
        own.dedup();
        all.extend(own.iter().map(|e| (e.clone(), pair.id.clone())));
        plan.by_pair.insert(pair.id.clone(), own);
    }
    all.sort_by(|(a, _), (b, _)| {
        (a.file, a.start, a.end, &a.replacement).cmp(&(b.file, b.start, b.end, &b.replacement))
    });
    // One statement shared by several pairs is changed once.
    all.dedup_by(|(a, pair_a), (b, pair_b)| a == b && (a.start != a.end || pair_a != pair_b));
    for window in all.windows(2) {
        let [(a, first), (b, second)] = window else { continue };
        if a.file == b.file && b.start < a.end {
            return Err(PlanError::Overlap {
                first: first.clone(),
                second: second.clone(),
                start: b.start,
                end: a.end.min(b.end),
            });
        }
    }
    plan.edits = all.into_iter().map(|(edit, _)| edit).collect();
    Ok(plan)
}
