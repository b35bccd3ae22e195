//! Analyses units until what they say of the headers they share agrees.
//!
//! A pair that cannot be merged after all takes its waits with it, and others may have been proved with those: so the
//! units that had it are analysed again without it. Each round declines at least one more pair, so this ends.

use std::collections::BTreeMap;
use std::path::Path;

use super::callers;
use super::isolate::{self, Common, Unit};
use super::linkage::{self, Others};
use super::merge_units::{Merged, conflicts, merge};
use super::model::{PlaceKey, UnitReport, VerdictName};
use super::witnesses;

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
    /// Another file names a variable that holds one of the buffers.
    HeldElsewhere,
    /// Another file defines a function of a library.
    LibraryReplaced,
    /// `--only` names other pairs.
    NotSelected,
}

/// Analyses `files`; only the pairs in `only` are merged, unless it is empty.
pub(crate) fn analyse(
    files: &[Unit],
    common: &Common<'_>,
    only: &[String],
    done: &(dyn Fn(&Path) + Sync),
) -> Merged {
    let mut refused = Refused::new();
    // A pair that is refused is no longer merged by any unit, so it is not found here again.
    let mut units = isolate::analyse_all(files, common, &refused, &Others::default(), done);
    let mut others = linkage::others(&units);
    let mut affected: Vec<usize> =
        (0..units.len()).filter(|&index| linkage::matters(&units[index], &others)).collect();
    again(&affected, files, &mut units, |files| {
        isolate::analyse_all(files, common, &refused, &others, &|_| {})
    });
    let witnesses = witnesses::witnesses(&units, common.bystanders);
    if !witnesses.is_empty() {
        let witnesses =
            isolate::analyse_all(&witnesses, common, &refused, &Others::default(), &|_| {});
        others.otherwise.extend(linkage::defined_otherwise(&units, &witnesses));
        affected =
            (0..units.len()).filter(|&index| linkage::matters(&units[index], &others)).collect();
        again(&affected, files, &mut units, |files| {
            isolate::analyse_all(files, common, &refused, &others, &|_| {})
        });
    }
    loop {
        let mut new: Refused = conflicts(&units);
        new.extend(callers::called_elsewhere(&units, common.bystanders));
        new.extend(linkage::library_replaced(&units, common.bystanders));
        if new.is_empty() {
            let merged = merge(units.clone());
            new = not_selected(&merged, only);
            if new.is_empty() {
                return merged;
            }
        }
        let affected: Vec<usize> = (0..units.len())
            .filter(|&index| units[index].pairs.iter().any(|pair| new.contains_key(&pair.key)))
            .collect();
        refused.extend(new);
        again(&affected, files, &mut units, |files| {
            isolate::analyse_all(files, common, &refused, &others, &|_| {})
        });
    }
}

/// Replaces the reports of `affected` by what `analyse` says of their files.
fn again(
    affected: &[usize],
    files: &[Unit],
    units: &mut [UnitReport],
    analyse: impl FnOnce(&[Unit]) -> Vec<UnitReport>,
) {
    let files: Vec<Unit> = affected.iter().map(|&index| files[index].clone()).collect();
    for (&index, report) in affected.iter().zip(analyse(&files)) {
        units[index] = report;
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
