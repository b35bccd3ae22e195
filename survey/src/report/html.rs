//! One self-contained page: no script, no request, readable on a phone, usable with the keyboard alone.

use std::io::{self, Write};

use super::Rows;
use super::html_evidence::evidence;
use super::html_parts::{Escaped, prevalence_picture, tier_picture};
use super::tables::{Table, coverage, definitions, failures, prevalence, tiers, unified_paths};
use crate::definitions::{CANDIDATES, COPY_ONLY, Definition, EXPLICIT, MIXED, TIERS};
use crate::row::{Proof, Row};
use crate::summary::Summary;

/// The style sheet.
const STYLE: &str = include_str!("style.css");

pub(super) fn write(summary: &Summary, rows: &mut Rows<'_>, out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:\">\n<title>Echo survey: {} of {} repositories have the candidate pattern</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>\n{STYLE}</style>\n</head>\n<body>",
        summary.total.of("candidate-file"),
        summary.total.counted
    )?;
    writeln!(
        out,
        "<a class=\"skip\" href=\"#repositories\">Skip to the repositories</a>\n<header><h1>How common is the copy between host and device?</h1>"
    )?;
    writeln!(
        out,
        "<p class=\"lead\"><b>{}</b> of <b>{}</b> repositories copy explicitly between host and device buffers, <b>{}</b> have the candidate pattern in one file, and in <b>{}</b> a heap buffer and a device buffer really are the two ends of a copy.</p>",
        summary.total.of("explicit-copy"),
        summary.total.counted,
        summary.total.of("candidate-file"),
        summary.total.of("T2")
    )?;
    let failures = failures(summary);
    if failures.is_empty() {
        writeln!(
            out,
            "<p class=\"state good\">Complete: every repository of the list was scanned.</p>"
        )?;
    } else {
        writeln!(out, "<div class=\"state bad\" role=\"alert\"><b>Incomplete.</b><ul>")?;
        for line in &failures {
            writeln!(out, "<li>{}</li>", Escaped(line))?;
        }
        writeln!(out, "</ul></div>")?;
    }
    writeln!(
        out,
        "<nav aria-label=\"Contents\"><a href=\"#prevalence\">Prevalence</a> <a href=\"#tiers\">Tiers</a> <a href=\"#definitions\">By definition</a> <a href=\"#repositories\">Repositories</a> <a href=\"#coverage\">Coverage</a> <a href=\"#words\">Words</a></nav></header>\n<main>"
    )?;
    writeln!(out, "<section id=\"prevalence\"><h2>Prevalence</h2>")?;
    prevalence_picture(summary, out)?;
    table(out, &prevalence(summary))?;
    writeln!(out, "</section>\n<section id=\"tiers\"><h2>Tiers</h2>")?;
    tier_picture(summary, out)?;
    table(out, &tiers(summary))?;
    writeln!(out, "</section>\n<section id=\"definitions\"><h2>By definition</h2>")?;
    table(out, &definitions(summary))?;
    writeln!(
        out,
        "</section>\n<section id=\"repositories\"><h2>Repositories</h2>\n<p>Each line unfolds (click, or Tab and Enter) to the evidence.</p>"
    )?;
    for row in rows {
        repository(out, &row.map_err(io::Error::other)?)?;
    }
    writeln!(out, "</section>\n<section id=\"coverage\"><h2>Coverage</h2>\n<ul>")?;
    for line in coverage(summary) {
        writeln!(out, "<li>{}</li>", Escaped(&line))?;
    }
    writeln!(out, "</ul></section>\n<section id=\"words\"><h2>Words</h2>\n<dl>")?;
    for Definition { code, title, text, .. } in
        [EXPLICIT, COPY_ONLY].into_iter().chain(CANDIDATES).chain(MIXED).chain(TIERS)
    {
        writeln!(out, "<dt><code>{code}</code> {title}</dt><dd>{text}</dd>")?;
    }
    writeln!(
        out,
        "</dl></section>\n</main>\n<footer>echo-survey {}</footer>\n</body>\n</html>",
        env!("CARGO_PKG_VERSION")
    )
}

fn table(out: &mut dyn Write, table: &Table) -> io::Result<()> {
    writeln!(
        out,
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{}\"><table><thead><tr>",
        Escaped(&table.title)
    )?;
    for cell in &table.head {
        write!(out, "<th scope=\"col\">{}</th>", Escaped(cell))?;
    }
    writeln!(out, "</tr></thead><tbody>")?;
    for row in &table.body {
        let total = row.first().is_some_and(|name| name == "total");
        write!(out, "{}", if total { "<tr class=\"total\">" } else { "<tr>" })?;
        for (column, cell) in row.iter().enumerate() {
            if column == 0 {
                write!(out, "<th scope=\"row\">{}</th>", Escaped(cell))?;
            } else {
                write!(out, "<td>{}</td>", Escaped(cell))?;
            }
        }
        writeln!(out, "</tr>")?;
    }
    writeln!(out, "</tbody></table></div>")?;
    for note in &table.notes {
        writeln!(out, "<p class=\"note\">{}</p>", Escaped(note))?;
    }
    Ok(())
}

fn repository(out: &mut dyn Write, row: &Row) -> io::Result<()> {
    let (class, tier) =
        if row.is_counted() { (row.tier.code(), row.tier.code()) } else { ("skipped", "skipped") };
    write!(
        out,
        "<details class=\"repository\"><summary><span class=\"tier {class}\">{tier}</span> <span class=\"title\"><span class=\"repo\">{}</span> <span class=\"domain\">{}</span></span><span class=\"tags\">",
        Escaped(&row.repository),
        Escaped(&row.domain)
    )?;
    for (yes, name) in [
        (row.columns.explicit, "explicit"),
        (row.columns.candidate_file, "candidate"),
        (row.columns.mixed, "mixed"),
        (row.columns.copy_only, "copy only"),
    ] {
        if yes {
            write!(out, " <span class=\"tag\">{name}</span>")?;
        }
    }
    writeln!(out, "</span></summary><div class=\"inside\">")?;
    if let Some(reason) = &row.reason {
        writeln!(
            out,
            "<p class=\"bad\">{}: {}</p>",
            if row.is_counted() { "Partial" } else { "Skipped" },
            Escaped(&reason.to_string())
        )?;
    }
    if row.is_counted() {
        let files = &row.files;
        let commit = row
            .commit
            .as_deref()
            .map_or_else(|| "files as they are now".to_owned(), |hash| format!("commit {hash}"));
        writeln!(
            out,
            "<p>{}; {} source files read, {} of them by the grammar; unified paths: {}; {} linked pairs, {} whole.</p>",
            Escaped(&commit),
            files.source,
            files.parsed,
            Escaped(&unified_paths(row)),
            row.links.linked,
            row.links.whole
        )?;
        match &row.proof {
            Proof::NotAsked => {}
            Proof::NotRun { why } => {
                writeln!(out, "<p class=\"bad\">echo-fix not run: {}</p>", Escaped(why))?;
            }
            Proof::Ran { merge, decline, files } => writeln!(
                out,
                "<p>echo-fix: {merge} pairs proved mergeable, {decline} declined; {} files read whole, {} in part, {} not at all.</p>",
                files.whole, files.partial, files.failed
            )?,
        }
        evidence(out, row)?;
    }
    writeln!(out, "</div></details>")
}
