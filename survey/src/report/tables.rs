//! The tables that text, Markdown and HTML share.

use crate::definitions::{CANDIDATES, MIXED, PAPER, TIERS};
use crate::interval::wilson;
use crate::row::Row;
use crate::summary::{Counts, Summary};

/// A titled table; the first column is left-aligned, the others right-aligned.
pub(super) struct Table {
    pub(super) title: String,
    pub(super) head: Vec<String>,
    pub(super) body: Vec<Vec<String>>,
    /// Sentences below it.
    pub(super) notes: Vec<String>,
}

fn strings<const N: usize>(cells: [&str; N]) -> Vec<String> {
    cells.map(str::to_owned).into()
}

/// The paper's Table 2 over our list.
pub(super) fn prevalence(summary: &Summary) -> Table {
    let paper = summary.has_paper_mix();
    let mut head = strings([
        "domain",
        "listed",
        "counted",
        "explicit copy",
        "candidate",
        "copy only",
        "mixed",
    ]);
    if paper {
        head.push("paper: explicit/cand./only/mixed".to_owned());
    }
    let line = |name: &str, counts: &Counts| {
        let mut cells =
            vec![name.to_owned(), counts.listed.to_string(), counts.counted.to_string()];
        for code in ["explicit-copy", "candidate-file", "copy-only", "mixed"] {
            cells.push(counts.of(code).to_string());
        }
        if paper {
            let rows = || PAPER.iter().filter(|row| name == "total" || row.domain == name);
            let sums = rows().fold([0; 4], |sum, row| {
                [
                    sum[0] + row.explicit,
                    sum[1] + row.candidate,
                    sum[2] + row.copy_only,
                    sum[3] + row.mixed,
                ]
            });
            cells.push(sums.map(|sum| sum.to_string()).join(" / "));
        }
        cells
    };
    let mut body: Vec<_> =
        summary.domains.iter().map(|domain| line(&domain.name, &domain.counts)).collect();
    body.push(line("total", &summary.total));
    let mut notes = vec![
        share(summary, "candidate-file", "candidate pattern"),
        share(summary, "explicit-copy", "explicit copy"),
    ];
    if paper {
        notes.push(
            "The paper does not publish its list; this one only has the same mix of domains."
                .to_owned(),
        );
    }
    Table { title: "Prevalence".to_owned(), head, body, notes }
}

/// A sentence with share and interval.
fn share(summary: &Summary, code: &str, name: &str) -> String {
    let (hits, trials) = (summary.total.of(code), summary.total.counted);
    match wilson(hits, trials) {
        None => format!("{name}: no repository was counted"),
        Some((low, high)) => {
            format!(
                "{name}: {hits} of {trials} = {} (95 % interval {} to {})",
                percent(hits, trials),
                show(low),
                show(high)
            )
        }
    }
}

fn show(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}

/// A share for people.
pub(super) fn percent(hits: u64, trials: u64) -> String {
    #[expect(clippy::cast_precision_loss, reason = "counts of repositories are far below 2^52")]
    if trials == 0 { "-".to_owned() } else { show(hits as f64 / trials as f64) }
}

/// The interval in a cell.
fn interval(hits: u64, trials: u64) -> String {
    wilson(hits, trials)
        .map_or("-".to_owned(), |(low, high)| format!("{} to {}", show(low), show(high)))
}

/// Tiers by domain.
pub(super) fn tiers(summary: &Summary) -> Table {
    let mut head = strings(["tier"]);
    head.extend(summary.domains.iter().map(|domain| domain.name.clone()));
    head.extend(strings(["total", "share", "95 % interval"]));
    let asked = summary.proofs.ran > 0;
    let mut body = Vec::new();
    for tier in TIERS {
        let known = tier.code != "T4" || asked;
        let cell =
            |counts: &Counts| if known { counts.of(tier.code).to_string() } else { "-".to_owned() };
        let mut cells = vec![format!("{} {}", tier.code, tier.title)];
        cells.extend(summary.domains.iter().map(|domain| cell(&domain.counts)));
        cells.push(cell(&summary.total));
        let (hits, trials) = (summary.total.of(tier.code), summary.total.counted);
        cells.extend(if known {
            [percent(hits, trials), interval(hits, trials)]
        } else {
            ["-".to_owned(), "-".to_owned()]
        });
        body.push(cells);
    }
    let links = summary.links;
    let mut notes = vec![format!(
        "{} linked buffer pairs, {} of them whole and one to one, {} of these with a full host-to-device copy (the paper's candidate pair; in {} repositories).",
        links.linked,
        links.whole,
        links.whole_from_host,
        summary.total.of("whole-from-host")
    )];
    let proofs = &summary.proofs;
    notes.push(match (proofs.ran, proofs.not_run) {
        (0, 0) => "T4 was not asked; --prove runs echo-fix on every repository with the three ingredients.".to_owned(),
        (ran, not_run) => format!(
            "T4: echo-fix ran on {ran} repositories ({} pairs proved, {} declined) and could not be run on {not_run}. Of the files with CUDA there it could read {} whole, {} in part (headers of other projects are missing, or they hold what it does not model), and {} not at all.",
            proofs.merge, proofs.decline, proofs.files.whole, proofs.files.partial, proofs.files.failed
        ),
    });
    Table { title: "Tiers (each includes those below it)".to_owned(), head, body, notes }
}

/// The totals by each definition.
pub(super) fn definitions(summary: &Summary) -> Table {
    let paper = summary.has_paper_mix();
    let mut head = strings(["definition"]);
    head.extend(summary.domains.iter().map(|domain| domain.name.clone()));
    head.extend(strings(["total", "of explicit"]));
    if paper {
        head.push("distance to paper".to_owned());
    }
    let explicit = summary.total.of("explicit-copy");
    let mut body = Vec::new();
    for (kind, list) in [("candidate", &CANDIDATES), ("mixed", &MIXED)] {
        for definition in list {
            let mut cells = vec![format!("{kind}: {}", definition.title)];
            cells.extend(
                summary.domains.iter().map(|domain| domain.counts.of(definition.code).to_string()),
            );
            let total = summary.total.of(definition.code);
            cells.extend([total.to_string(), percent(total, explicit)]);
            if paper {
                let of: fn(&crate::definitions::PaperRow) -> u64 =
                    if kind == "candidate" { |row| row.candidate } else { |row| row.mixed };
                cells.push(summary.distance(definition.code, of).to_string());
            }
            body.push(cells);
        }
    }
    let mut notes = Vec::new();
    if paper {
        notes.push("Paper: candidate 10/5/2/1/1 = 19 (83 % of explicit), mixed 8/3/2/1/1 = 15 (65 %). Distance: summed over the domains.".to_owned());
        for (kind, list) in [("candidate", &CANDIDATES), ("mixed", &MIXED)] {
            notes.push(closest(summary, kind, list));
        }
    }
    Table { title: "By definition".to_owned(), head, body, notes }
}

fn closest(summary: &Summary, kind: &str, list: &[crate::definitions::Definition]) -> String {
    let of: fn(&crate::definitions::PaperRow) -> u64 =
        if kind == "candidate" { |row| row.candidate } else { |row| row.mixed };
    let best = list
        .iter()
        .map(|definition| summary.distance(definition.code, of))
        .min()
        .unwrap_or_default();
    let names: Vec<_> = list
        .iter()
        .filter(|definition| summary.distance(definition.code, of) == best)
        .map(|definition| format!("\"{}\"", definition.title))
        .collect();
    format!("Closest to the paper for {kind}: {} (distance {best}).", names.join(" and "))
}

/// One line per repository.
pub(super) fn repository_head() -> Vec<String> {
    strings([
        "repository",
        "domain",
        "tier",
        "explicit",
        "candidate",
        "only",
        "mixed",
        "unified paths",
        "linked",
        "whole",
        "files",
    ])
}

/// Cells of one repository.
pub(super) fn repository_cells(row: &Row) -> Vec<String> {
    if !row.is_counted() {
        let reason = row.reason.as_ref().map_or("skipped", crate::skip::Skip::code);
        let mut cells =
            vec![row.repository.clone(), row.domain.clone(), format!("skipped: {reason}")];
        cells.resize(11, String::new());
        return cells;
    }
    let columns = &row.columns;
    let mark = |yes: bool| if yes { "yes" } else { "·" }.to_owned();
    vec![
        row.repository.clone(),
        row.domain.clone(),
        row.tier.code().to_owned(),
        mark(columns.explicit),
        mark(columns.candidate_file),
        mark(columns.copy_only),
        mark(columns.mixed),
        unified_paths(row),
        row.links.linked.to_string(),
        row.links.whole.to_string(),
        format!("{}{}", row.files.source, if row.files.failed > 0 { "!" } else { "" }),
    ]
}

/// Which unified-memory paths a repository has.
pub(super) fn unified_paths(row: &Row) -> String {
    let columns = &row.columns;
    let names: Vec<_> = [
        (columns.managed, "managed"),
        (columns.mapped, "mapped"),
        (columns.pinned, "pinned"),
        (columns.shared_buffer, "NvBuf/EGL"),
        (columns.wrapper, "wrapper"),
    ]
    .into_iter()
    .filter_map(|(yes, name)| yes.then_some(name))
    .collect();
    if names.is_empty() { "·".to_owned() } else { names.join(" ") }
}

/// What was left out, in sentences.
pub(super) fn coverage(summary: &Summary) -> Vec<String> {
    let files = &summary.files;
    let mut lines = vec![
        format!(
            "{} of {} listed repositories have numbers; every share is of those {}.",
            summary.total.counted, summary.total.listed, summary.total.counted
        ),
        format!(
            "{} source files ({:.1} MB) of {} files were read; {} of them ({:.1} % of the bytes) name a CUDA memory call, {} ({:.1} %) needed the grammar.",
            files.source,
            megabytes(files.source_bytes),
            files.total,
            files.named,
            part(files.named_bytes, files.source_bytes),
            files.parsed,
            part(files.parsed_bytes, files.source_bytes)
        ),
        format!(
            "Left out: {} vendored, {} generated, {} above the size limit, {} repeated within their repository, {} symbolic links, {} submodules, {} LFS pointers.",
            files.vendored,
            files.generated,
            files.too_large,
            files.duplicate,
            files.links,
            files.submodules,
            files.lfs
        ),
    ];
    if files.python_copies > 0 {
        lines.push(format!(
            "{} Python files copy through PyCUDA or cuda-python; no column counts them.",
            files.python_copies
        ));
    }
    if summary.shared_files > 0 {
        lines.push(format!(
            "{} CUDA files occur in an earlier repository of the list as well.",
            summary.shared_files
        ));
    }
    for copy in summary.copies.iter().take(10) {
        lines.push(format!(
            "{} shares {} of its {} CUDA files with earlier repositories, most with {}.",
            copy.repository, copy.shared, copy.files, copy.earlier
        ));
    }
    lines
}

/// Why the run is not complete; empty when it is.
pub(super) fn failures(summary: &Summary) -> Vec<String> {
    let mut lines = Vec::new();
    let skipped = summary.total.listed - summary.total.counted;
    if skipped > 0 {
        let reasons: Vec<_> = summary
            .skipped_by_reason
            .iter()
            .map(|(code, count)| format!("{code} {count}"))
            .collect();
        lines.push(format!("{skipped} repositories were skipped ({}).", reasons.join(", ")));
    }
    if summary.total.partial > 0 {
        lines.push(format!(
            "{} repositories are partial: some files could not be read or parsed.",
            summary.total.partial
        ));
    }
    if summary.missing_rows > 0 {
        lines.push(format!(
            "{} positions of the list have no row: a shard is missing.",
            summary.missing_rows
        ));
    }
    if summary.proofs.not_run > 0 {
        lines
            .push(format!("echo-fix could not be run on {} repositories.", summary.proofs.not_run));
    }
    lines
}

/// A part in percent.
fn part(bytes: u64, of: u64) -> f64 {
    if of == 0 { 0.0 } else { megabytes(bytes) / megabytes(of) * 100.0 }
}

/// Bytes as megabytes.
#[expect(clippy::cast_precision_loss, reason = "shown with one decimal")]
fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}
