//! Analyses units until what they say of the headers they share agrees.
//!
//! A pair that cannot be merged after all takes its waits with it, and others may have been proved with those: so the
//! units that had it are analysed again without it. Each round declines at least one more pair, so this ends.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::callers;
use super::isolate::{self, Common};
use super::linkage;
use super::merge_units::{Merged, conflicts, merge};
use super::model::{PlaceKey, UnitReport, VerdictName};

/// Pairs declined because of something that a single unit cannot see.
pub(crate) type Refused = BTreeMap<PlaceKey, RefusedWhy>;

/// What a single unit cannot see.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum RefusedWhy {
    /// Another unit includes the header and judges or edits otherwise.
    UnitsDisagree,
    /// A unit that may include the header was not analysed.
    UnitMissing,
    /// Another file calls a function that would be edited.
    CalledElsewhere,
    /// `--only` names other pairs.
    NotSelected,
}

/// Analyses `files`; only the pairs in `only` are merged, unless it is empty.
pub(crate) fn analyse(
    files: &[PathBuf],
    common: &Common<'_>,
    only: &[String],
    done: &(dyn Fn(&Path) + Sync),
) -> Merged {
    let mut refused = Refused::new();
    // A pair that is refused is no longer merged by any unit, so it is not found here again.
    let none = BTreeSet::new();
    let mut units: Vec<UnitReport> = isolate::analyse_all(files, common, &refused, &none, done);
    let host_only = linkage::host_only(&units);
    let gaining: Vec<usize> =
        (0..units.len()).filter(|&index| linkage::may_gain(&units[index], &host_only)).collect();
    let paths: Vec<PathBuf> = gaining.iter().map(|&index| files[index].clone()).collect();
    let reports = isolate::analyse_all(&paths, common, &refused, &host_only, &|_| {});
    for (index, report) in gaining.into_iter().zip(reports) {
        units[index] = report;
    }
    loop {
        let mut new: Refused = conflicts(&units);
        new.extend(callers::called_elsewhere(&units, common.bystanders));
        if new.is_empty() {
            let merged = merge(units.clone());
            new = not_selected(&merged, only);
            if new.is_empty() {
                return merged;
            }
        }
        let again: BTreeSet<usize> = units
            .iter()
            .enumerate()
            .filter(|(_, unit)| unit.pairs.iter().any(|pair| new.contains_key(&pair.key)))
            .map(|(index, _)| index)
            .collect();
        refused.extend(new);
        let paths: Vec<PathBuf> = again.iter().map(|&index| files[index].clone()).collect();
        let reports = isolate::analyse_all(&paths, common, &refused, &host_only, &|_| {});
        for (index, report) in again.into_iter().zip(reports) {
            units[index] = report;
        }
    }
}

fn not_selected(merged: &Merged, only: &[String]) -> Refused {
    merged
        .pairs
        .iter()
        .filter(|pair| {
            pair.verdict == VerdictName::Merge && !only.is_empty() && !only.contains(&pair.id)
        })
        .map(|pair| (pair.key.clone(), RefusedWhy::NotSelected))
        .collect()
}
