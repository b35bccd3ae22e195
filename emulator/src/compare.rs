//! Two programs that should behave alike: the first setting under which they do not.

use std::path::Path;
use std::time::Duration;

use rayon::prelude::*;

use crate::{Ending, Error, Outcome, Program, Setting, run};

/// How two programs differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Difference {
    /// The first program itself prints different things under different settings: nothing can be concluded.
    Undetermined {
        /// Under the first setting, and under the one where it differs.
        outcomes: Box<(Outcome, Outcome)>,
    },
    /// Other output or another ending.
    Outcome {
        /// Of the first and of the second program.
        outcomes: Box<(Outcome, Outcome)>,
    },
}

/// Result of a comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comparison {
    /// Settings that were tried.
    pub settings: usize,
    /// The first that shows a difference.
    pub difference: Option<(Setting, Difference)>,
}

/// Runs both programs under all `settings`. The second must do under each what the first does under the first setting;
/// race detection and non-concurrent access are judged on the second program only where the first has no complaint
/// (the first may have races of its own, and without managed memory it cannot complain about access).
///
/// # Errors
/// If a process cannot be started.
pub fn compare(
    first: &Program,
    second: &Program,
    arguments: &[String],
    folder: &Path,
    settings: &[Setting],
    limit: Duration,
) -> Result<Comparison, Error> {
    let outcomes: Result<Vec<_>, Error> = settings
        .par_iter()
        .map(|setting| {
            let first = run(first, arguments, folder, setting, limit)?;
            let second = run(second, arguments, folder, setting, limit)?;
            Ok((first, second))
        })
        .collect();
    let outcomes = outcomes?;
    let mut difference = None;
    if let Some((reference, _)) = outcomes.first() {
        difference = settings.iter().zip(&outcomes).find_map(|(setting, (one, two))| {
            let found = if !alike(reference, one) {
                Difference::Undetermined { outcomes: Box::new((reference.clone(), one.clone())) }
            } else if !alike(one, two) {
                Difference::Outcome { outcomes: Box::new((one.clone(), two.clone())) }
            } else {
                return None;
            };
            Some((setting.clone(), found))
        });
    }
    Ok(Comparison { settings: settings.len(), difference })
}

// A race in one of them is a difference although both print the same.
fn alike(one: &Outcome, other: &Outcome) -> bool {
    let time_out = one.ending == Ending::TimeOut || other.ending == Ending::TimeOut;
    !time_out && one.ending == other.ending && one.output == other.output
}
