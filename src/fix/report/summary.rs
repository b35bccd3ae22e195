//! What is said of files, and of the run as a whole.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::fix::merge_units::Merged;
use crate::fix::model::{FileReport, Status, VerdictName};

/// `1 file`, `2 files`.
pub(crate) fn count(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

/// So many functions and statements that were not understood are listed without being asked for.
const FEW: usize = 3;

/// Files that were not analysed; with `verbose` also what was not understood, and what was passed over.
pub(crate) fn files(merged: &Merged, skipped: &[String], verbose: bool) -> String {
    let mut out = String::new();
    // Units that share a header say the same of it: once is enough.
    let mut functions = BTreeSet::new();
    let mut statements = BTreeSet::new();
    for file in &merged.files {
        functions.extend(&file.opaque_functions);
        statements.extend(&file.opaque_statements);
    }
    let (functions, statements) = (functions.len(), statements.len());
    let not_understood = functions + statements;
    let mut said = BTreeSet::new();
    // They may be why nothing was found.
    let listed = verbose || (merged.pairs.is_empty() && not_understood <= FEW);
    for file in &merged.files {
        if file.status == Status::Failed {
            let why = file.message.as_deref().unwrap_or("for an unknown reason");
            let _ = writeln!(out, "warning: {} was not analysed: {why}", file.path);
        } else {
            if let Some(message) = file.message.as_ref().filter(|_| verbose) {
                let _ = writeln!(
                    out,
                    "note: {}: {}, the first: {message}",
                    file.path,
                    count(file.errors, "error")
                );
            }
            if !listed {
                continue;
            }
            let functions = file.opaque_functions.iter().map(|function| {
                let what = format!("`{}`", function.name);
                (&function.file, function.line, what, &function.reason)
            });
            let statements = file.opaque_statements.iter().map(|statement| {
                let what = format!("a statement of `{}`", statement.function);
                (&statement.file, statement.line, what, &statement.reason)
            });
            for (path, line, what, why) in functions.chain(statements) {
                let note = format!("note: {path}:{line}: {what} was not understood: {why}\n");
                if !said.contains(&note) {
                    out.push_str(&note);
                    said.insert(note);
                }
            }
        }
    }
    if verbose {
        for file in skipped {
            let _ = writeln!(out, "note: passed over: {file}");
        }
    } else if not_understood > 0 && !listed {
        let kinds = [(functions, "function"), (statements, "statement")];
        let some = kinds.into_iter().filter(|(number, _)| *number > 0);
        let what: Vec<String> = some.map(|(number, noun)| count(number, noun)).collect();
        let _ = writeln!(out, "note: {} not understood; -v lists them", what.join(" and "));
    }
    for suppression in &merged.unused_suppressions {
        let _ = writeln!(
            out,
            "warning: {}:{}: this `echo: ignore` suppresses nothing",
            suppression.file, suppression.line
        );
    }
    out
}

/// What each file took.
pub(crate) fn costs(merged: &Merged) -> String {
    let mut out = String::new();
    for (file, cost) in merged.files.iter().zip(&merged.costs) {
        let ms = |us: u64| format!("{}.{} ms", us / 1000, us / 100 % 10);
        let _ = writeln!(
            out,
            "note: {}: parsed in {}, analysed in {}, {} MiB; {}",
            file.path,
            ms(cost.parse),
            ms(cost.analysis),
            cost.memory >> 10,
            cost.prefix
        );
    }
    out
}

/// The last line; a run without pairs explains itself.
pub(crate) fn pairs(merged: &Merged, without_cuda: usize, applied: bool) -> String {
    let pairs = &merged.pairs;
    if pairs.is_empty() {
        let of = |test: fn(&crate::fix::model::Counts) -> bool| {
            merged.counts.iter().filter(|c| test(c)).count()
        };
        let parsed = merged.files.iter().filter(|file| file.status != Status::Failed).count();
        let unclear: usize = merged.files.iter().map(FileReport::not_understood).sum();
        let more = unclear > FEW || merged.files.iter().any(|file| file.message.is_some());
        let within = if unclear > 0 { " in what was understood" } else { "" };
        let mut text = format!(
            "no candidate pairs{within}: {} parsed, {} allocate device memory, {} copy, {} link a host and a device buffer by a whole copy",
            count(parsed, "file"),
            of(|c| c.allocates_device_memory),
            of(|c| c.copies),
            of(|c| c.links),
        );
        if without_cuda > 0 {
            let _ = write!(text, "; {} without CUDA", count(without_cuda, "file"));
        }
        return text + if more { "; try -v\n" } else { "\n" };
    }
    let merge = pairs.iter().filter(|pair| pair.verdict == VerdictName::Merge).count();
    let mut by: BTreeMap<&str, usize> = BTreeMap::new();
    for objection in pairs.iter().filter_map(|pair| pair.objections.first()) {
        *by.entry(&objection.condition).or_insert(0) += 1;
    }
    let reasons: Vec<String> =
        by.iter().map(|(condition, number)| format!("{condition}: {number}")).collect();
    let why = if reasons.is_empty() { String::new() } else { format!(" ({})", reasons.join(", ")) };
    let verb = if applied { "merged" } else { "can merge" };
    format!("{verb} {}, declined {}{why}\n", count(merge, "pair"), pairs.len() - merge)
}
