//! The edits of all merged pairs, as changes of files.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use echo_dataflow::program::FileId;
use echo_rewrite::{Edit, Step};

use super::model::{EditReport, Pair, VerdictName};

/// What would be written.
#[derive(Debug, Default)]
pub(crate) struct Patch {
    /// Old and new contents of each file that changes.
    pub(crate) files: BTreeMap<PathBuf, (Vec<u8>, Vec<u8>)>,
    /// The unified diff of all of them.
    pub(crate) diff: Vec<u8>,
    /// Edits that could not be made together: a defect of this program.
    pub(crate) dropped: Vec<String>,
}

/// Makes the edits of `pairs`. Edits that remove statements are widened to their lines, in `pairs` too, so that the
/// edits reported are exactly those of the patch. `hashes` are of the texts that were analysed.
///
/// # Errors
/// If a file cannot be read any more, or has changed since it was analysed.
pub(crate) fn build(pairs: &mut [Pair], hashes: &BTreeMap<String, u64>) -> Result<Patch> {
    let mut by_file: BTreeMap<String, Vec<EditReport>> = BTreeMap::new();
    for pair in pairs.iter().filter(|pair| pair.verdict == VerdictName::Merge) {
        for edit in &pair.edits {
            by_file.entry(edit.file.clone()).or_default().push(edit.clone());
        }
    }
    let mut patch = Patch::default();
    let mut widened: BTreeMap<EditReport, EditReport> = BTreeMap::new();
    for (file, mut reports) in by_file {
        reports.sort();
        // A statement that several pairs share is changed once.
        reports.dedup();
        if let Some(at) = reports.windows(2).find(|pair| pair[1].start < pair[0].end) {
            patch.dropped.push(format!("{file}: edits overlap at byte {}", at[1].start));
            continue;
        }
        let old = fs::read(&file).with_context(|| format!("cannot read {file}"))?;
        if hashes.get(&file).is_some_and(|hash| *hash != content_hash(&old)) {
            bail!("{file} has changed while it was analysed; run again");
        }
        let mut edits: Vec<Edit> = reports.iter().map(edit).collect();
        echo_rewrite::tidy(&old, &mut edits);
        for (before, after) in reports.into_iter().zip(&edits) {
            let after = EditReport { start: after.start, end: after.end, ..before.clone() };
            widened.insert(before, after);
        }
        let new = echo_rewrite::apply(&old, &edits);
        patch.diff.extend(echo_rewrite::unified_diff(&file, &old, &new));
        patch.files.insert(PathBuf::from(file), (old, new));
    }
    for edit in pairs.iter_mut().flat_map(|pair| &mut pair.edits) {
        if let Some(after) = widened.get(edit) {
            *edit = after.clone();
        }
    }
    Ok(patch)
}

fn edit(report: &EditReport) -> Edit {
    Edit {
        file: FileId(0),
        start: report.start,
        end: report.end,
        replacement: report.replacement.clone(),
        step: Step::from_code(&report.step).unwrap_or(Step::Allocation),
    }
}

/// FNV-1a, 64 bits: tells whether a file is still what it was; no protection against malice.
pub(crate) fn content_hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
