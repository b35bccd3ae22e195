//! Reports of all units, put together.
//!
//! A pair in a header is seen by every unit that includes it: it is merged only if all of them say so, with the same
//! edits.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::model::{
    Cost, Counts, FileReport, Pair, PlaceKey, Status, SuppressionReport, UnitReport, VerdictName,
};
use super::rounds::{Refused, RefusedWhy};

/// What the run found.
#[derive(Debug, Default)]
pub(crate) struct Merged {
    pub(crate) files: Vec<FileReport>,
    pub(crate) pairs: Vec<Pair>,
    pub(crate) unused_suppressions: Vec<SuppressionReport>,
    pub(crate) dropped: Vec<String>,
    pub(crate) counts: Vec<Counts>,
    /// Of each of `files`.
    pub(crate) costs: Vec<Cost>,
    /// Content hashes of the files that may be edited, as they were analysed.
    pub(crate) hashes: BTreeMap<String, u64>,
}

/// Merged pairs on which `units` do not agree.
pub(crate) fn conflicts(units: &[UnitReport]) -> Refused {
    let mut including: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
    let mut seen: BTreeMap<&PlaceKey, Vec<(usize, &Pair)>> = BTreeMap::new();
    let mut missing: BTreeSet<String> = BTreeSet::new();
    for (index, unit) in units.iter().enumerate() {
        for file in &unit.includes {
            including.entry(file).or_default().insert(index);
        }
        if unit.file.status == Status::Failed {
            missing.extend(names_included(Path::new(&unit.file.path)));
        }
        for pair in &unit.pairs {
            seen.entry(&pair.key).or_default().push((index, pair));
        }
    }
    let mut found = Refused::new();
    for (key, reports) in seen {
        let merges = |pair: &Pair| pair.verdict == VerdictName::Merge;
        let Some((_, first)) = reports.iter().find(|(_, pair)| merges(pair)) else { continue };
        let units_of_pair: BTreeSet<usize> = reports.iter().map(|(index, _)| *index).collect();
        let alike = reports.iter().all(|(_, pair)| merges(pair) && pair.edits == first.edits);
        let all_see_it = first.edits.iter().all(|edit| {
            including.get(edit.file.as_str()).is_none_or(|units| units.is_subset(&units_of_pair))
        });
        let may_be_missing = first.edits.iter().any(|edit| {
            let path = Path::new(&edit.file);
            path.file_name().is_some_and(|name| missing.contains(&*name.to_string_lossy()))
        });
        if !alike || !all_see_it {
            found.insert(key.clone(), RefusedWhy::UnitsDisagree);
        } else if may_be_missing {
            found.insert(key.clone(), RefusedWhy::UnitMissing);
        }
    }
    found
}

/// Names of the headers that a file, or a header it includes, includes; found in the text.
fn names_included(path: &Path) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut pending: Vec<PathBuf> = vec![path.to_owned()];
    let mut seen = BTreeSet::new();
    while let Some(path) = pending.pop() {
        let Ok(text) = super::discover::text(&path) else { continue };
        if !seen.insert(path.clone()) {
            continue;
        }
        for name in super::discover::quoted_includes(&text) {
            let beside = path.parent().unwrap_or(Path::new("")).join(name);
            if let Some(file) = beside.file_name() {
                names.insert(file.to_string_lossy().into_owned());
            }
            pending.push(beside);
        }
    }
    names
}

/// Combines `units`, on which there are no conflicts.
pub(crate) fn merge(units: Vec<UnitReport>) -> Merged {
    let mut merged = Merged::default();
    let mut suppressions: BTreeMap<(String, u32), SuppressionReport> = BTreeMap::new();
    let mut position: BTreeMap<PlaceKey, usize> = BTreeMap::new();
    for unit in units {
        merged.hashes.extend(unit.hashes);
        if let Some(why) = unit.dropped {
            merged.dropped.push(format!("{}: {why}", unit.file.path));
        }
        match merged.files.iter().position(|file| file.path == unit.file.path) {
            // A file that the build compiles in several ways is shown in the worst of them.
            Some(index) if unit.file.status > merged.files[index].status => {
                merged.files[index] = unit.file;
            }
            Some(_) => {}
            None => {
                merged.counts.push(unit.counts);
                merged.costs.push(unit.cost);
                merged.files.push(unit.file);
            }
        }
        for suppression in unit.suppressions {
            suppressions
                .entry((suppression.file.clone(), suppression.line))
                .and_modify(|s| s.used |= suppression.used)
                .or_insert(suppression);
        }
        for pair in unit.pairs {
            match position.get(&pair.key) {
                None => {
                    position.insert(pair.key.clone(), merged.pairs.len());
                    merged.pairs.push(pair);
                }
                // What one unit declines nobody merges: its reason is the one to show.
                Some(&index) if pair.verdict == VerdictName::Decline => {
                    if merged.pairs[index].verdict == VerdictName::Merge {
                        merged.pairs[index] = pair;
                    }
                }
                Some(_) => {}
            }
        }
    }
    number(&mut merged.pairs);
    merged.unused_suppressions = suppressions.into_values().filter(|s| !s.used).collect();
    merged
}

/// Equal ids get `#2`, `#3`, ... in order.
fn number(pairs: &mut [Pair]) {
    let mut seen: BTreeMap<String, u32> = BTreeMap::new();
    for pair in pairs {
        let count = seen.entry(pair.id.clone()).or_insert(0);
        *count += 1;
        if *count > 1 {
            pair.id = format!("{}#{count}", pair.id);
        }
    }
}
