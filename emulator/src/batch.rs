//! Many small programs in one source (`include/echo/batch.h`): compiled once, each run in a child process of its own.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use crate::{Ending, Error, Order, Program, Setting, run};

/// What one case gave under one setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CaseOutcome {
    /// The checksum; None if the run ended before it had one.
    pub checksum: Option<u64>,
    /// How the run ended.
    pub ending: Ending,
}

/// How to run a batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Batch {
    /// Settings in the header's words: `eager`, `late`, `others`, `exclusive`, `race`, `undefined`, `rand:FIRST-LAST`.
    pub settings: Vec<String>,
    /// Processes that share the cases.
    pub shards: usize,
    /// Wall time for each of them.
    pub limit: Duration,
    /// Pairs (host allocation, cudaMalloc call) to merge while running.
    pub unify: Vec<(u32, u32)>,
    /// Run only the case of this name, or those that begin with what stands before a final `*`.
    pub only: Option<String>,
}

/// Runs all cases of a batch program: outcome by case name and setting.
///
/// # Errors
/// If a process cannot be started. A shard that ends early leaves its later cases out of the result.
pub fn run_batch(
    program: &Program,
    batch: &Batch,
) -> Result<BTreeMap<(String, String), CaseOutcome>, Error> {
    use rayon::prelude::*;
    let shards = batch.shards.max(1);
    let outputs: Result<Vec<_>, Error> = (0..shards)
        .into_par_iter()
        .map(|shard| {
            let mut arguments = vec![batch.settings.join(","), format!("{shard}/{shards}")];
            arguments.extend(batch.only.clone());
            // The children configure themselves; the parent only forks.
            let mut setting = Setting::new(Order::Eager);
            setting.unify.clone_from(&batch.unify);
            run(program, &arguments, Path::new("."), &setting, batch.limit)
        })
        .collect();
    let mut outcomes = BTreeMap::new();
    for output in outputs? {
        for line in String::from_utf8_lossy(&output.output).lines() {
            if let Some((key, outcome)) = parse(line) {
                outcomes.insert(key, outcome);
            }
        }
    }
    Ok(outcomes)
}

fn parse(line: &str) -> Option<((String, String), CaseOutcome)> {
    let words: Vec<&str> = line.split(' ').collect();
    let [name, setting, checksum, code] = words.as_slice() else { return None };
    let code: i32 = code.parse().ok()?;
    let ending = match code {
        1000.. if code - 1000 == PROFILE_TIMER => Ending::TimeOut,
        1000.. => Ending::Signal(code - 1000),
        _ => Ending::from_code(code),
    };
    let checksum = if *checksum == "-" { None } else { Some(checksum.parse().ok()?) };
    Some((((*name).to_owned(), (*setting).to_owned()), CaseOutcome { checksum, ending }))
}

// SIGPROF, which ends a child that runs too long.
const PROFILE_TIMER: i32 = 27;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_and_others_are_not() {
        let key = |name: &str, setting: &str| (name.to_owned(), setting.to_owned());
        let done = CaseOutcome { checksum: Some(7), ending: Ending::Exit(0) };
        assert_eq!(parse("a rand:3 7 0"), Some((key("a", "rand:3"), done)));
        let freed = CaseOutcome { checksum: None, ending: Ending::Freed };
        assert_eq!(parse("b eager - 94"), Some((key("b", "eager"), freed)));
        let stuck = CaseOutcome { checksum: None, ending: Ending::TimeOut };
        assert_eq!(parse("c late - 1027"), Some((key("c", "late"), stuck)));
        assert_eq!(parse("something the program printed"), None);
    }
}
