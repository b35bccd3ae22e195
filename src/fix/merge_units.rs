//! Reports of all units, put together.
//!
//! A pair in a header is seen by every unit that includes it: it is merged only if all of them say so, with the same
//! edits.

use std::collections::{BTreeMap, BTreeSet};

use super::model::{
    EditReport, FileReport, Objection, Pair, SuppressionReport, UnitReport, VerdictName,
};

/// What the run found.
pub(crate) struct Merged {
    pub(crate) files: Vec<FileReport>,
    pub(crate) pairs: Vec<Pair>,
    pub(crate) unused_suppressions: Vec<SuppressionReport>,
    pub(crate) dropped: Vec<String>,
}

/// Combines `units`; only pairs in `only` are merged, unless it is empty.
pub(crate) fn merge(units: Vec<UnitReport>, only: &[String]) -> Merged {
    let mut files = Vec::new();
    let mut dropped = Vec::new();
    let mut including: BTreeMap<String, usize> = BTreeMap::new();
    let mut suppressions: BTreeMap<(String, u32), SuppressionReport> = BTreeMap::new();
    let mut pairs: BTreeMap<String, (Pair, usize)> = BTreeMap::new();
    let mut order: Vec<String> = Vec::new();
    for unit in units {
        for file in &unit.includes {
            *including.entry(file.clone()).or_insert(0) += 1;
        }
        if let Some(why) = unit.dropped {
            dropped.push(format!("{}: {why}", unit.file.path));
        }
        files.push(unit.file);
        for suppression in unit.suppressions {
            suppressions
                .entry((suppression.file.clone(), suppression.line))
                .and_modify(|s| s.used |= suppression.used)
                .or_insert(suppression);
        }
        for pair in unit.pairs {
            match pairs.get_mut(&pair.id) {
                None => {
                    order.push(pair.id.clone());
                    pairs.insert(pair.id.clone(), (pair, 1));
                }
                Some((first, seen)) => {
                    *seen += 1;
                    if first.verdict == VerdictName::Merge
                        && (pair.verdict == VerdictName::Decline || pair.edits != first.edits)
                    {
                        if pair.verdict == VerdictName::Decline {
                            *first = pair;
                        } else {
                            disagree(
                                first,
                                "the files that include this header do not agree on the change",
                            );
                        }
                    }
                }
            }
        }
    }
    for (pair, seen) in pairs.values_mut() {
        let elsewhere = pair
            .edits
            .iter()
            .map(|e| &e.file)
            .collect::<BTreeSet<_>>()
            .into_iter()
            .any(|file| including.get(file).copied().unwrap_or(0) > *seen);
        if pair.verdict == VerdictName::Merge && elsewhere {
            disagree(pair, "another file includes this header and does not see the pair");
        }
        if pair.verdict == VerdictName::Merge && !only.is_empty() && !only.contains(&pair.id) {
            disagree(pair, "not selected by --only");
        }
    }
    let pairs =
        order.into_iter().filter_map(|id| pairs.remove(&id).map(|(pair, _)| pair)).collect();
    Merged {
        files,
        pairs,
        unused_suppressions: suppressions.into_values().filter(|s| !s.used).collect(),
        dropped,
    }
}

fn disagree(pair: &mut Pair, why: &str) {
    pair.verdict = VerdictName::Decline;
    pair.memory_chosen = None;
    pair.edits.clear();
    for copy in &mut pair.copies {
        copy.action = "kept".to_owned();
        copy.replacement = None;
    }
    pair.objections = vec![Objection {
        condition: "edit".to_owned(),
        code: "units-disagree".to_owned(),
        message: why.to_owned(),
        repair: None,
        locations: Vec::new(),
    }];
}

/// The edits of all merged pairs, by file, sorted and without repetitions; an overlap is an error.
pub(crate) fn edits_by_file(pairs: &[Pair]) -> Result<BTreeMap<String, Vec<EditReport>>, String> {
    let mut by_file: BTreeMap<String, Vec<EditReport>> = BTreeMap::new();
    for pair in pairs.iter().filter(|p| p.verdict == VerdictName::Merge) {
        let mut own = pair.edits.clone();
        own.sort();
        own.dedup();
        for edit in own {
            by_file.entry(edit.file.clone()).or_default().push(edit);
        }
    }
    for (file, edits) in &mut by_file {
        edits.sort();
        // The same replacement of the same bytes by two pairs is one edit; two insertions at one place are two.
        edits.dedup_by(|a, b| a == b && a.start != a.end);
        for pair in edits.windows(2) {
            if pair[1].start < pair[0].end {
                return Err(format!("{file}: edits overlap at byte {}", pair[1].start));
            }
        }
    }
    Ok(by_file)
}
