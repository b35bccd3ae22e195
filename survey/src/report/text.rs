//! Text for terminals and Markdown.

use std::io::{self, Write};

use super::Rows;
use super::tables::{
    Table, coverage, definitions, failures, prevalence, repository_cells, repository_head, tiers,
};
use crate::definitions::{CANDIDATES, COPY_ONLY, EXPLICIT, MIXED, TIERS};
use crate::summary::Summary;

/// How tables look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    Terminal,
    Markdown,
}

/// With more repositories a terminal shows the sums only; Markdown, CSV and HTML always have every line.
const TERMINAL_LINES: u64 = 60;

pub(super) fn write(
    summary: &Summary,
    rows: &mut Rows<'_>,
    out: &mut dyn Write,
    style: Style,
) -> io::Result<()> {
    let failures = failures(summary);
    if style == Style::Markdown {
        writeln!(out, "# Prevalence of the host and device copy pattern\n")?;
    }
    if !failures.is_empty() {
        heading(out, style, "INCOMPLETE")?;
        for line in &failures {
            item(out, style, line)?;
        }
        writeln!(out)?;
    }
    if summary.total.listed == 0 {
        writeln!(out, "The list names no repository.")?;
    }
    for part in [prevalence(summary), tiers(summary), definitions(summary)] {
        table(out, style, &part)?;
    }
    let mut body = Vec::new();
    let mut skipped = Vec::new();
    for row in rows {
        let row = row.map_err(io::Error::other)?;
        if let (false, Some(reason)) = (row.is_counted(), &row.reason) {
            skipped.push(format!("{}: {reason}", row.repository));
        }
        if style == Style::Markdown || summary.total.listed <= TERMINAL_LINES {
            body.push(repository_cells(&row));
        }
    }
    if !body.is_empty() {
        let notes =
            vec!["Evidence (file and line of every yes): --format html, json or csv.".to_owned()];
        table(
            out,
            style,
            &Table { title: "Repositories".to_owned(), head: repository_head(), body, notes },
        )?;
    }
    if !skipped.is_empty() {
        heading(out, style, "Skipped")?;
        for line in &skipped {
            item(out, style, line)?;
        }
        writeln!(out)?;
    }
    heading(out, style, "Coverage")?;
    for line in coverage(summary) {
        item(out, style, &line)?;
    }
    writeln!(out)?;
    heading(out, style, "Words")?;
    let all = [EXPLICIT, COPY_ONLY].into_iter().chain(CANDIDATES).chain(MIXED).chain(TIERS);
    for definition in all {
        item(
            out,
            style,
            &format!("{} ({}): {}", definition.code, definition.title, definition.text),
        )?;
    }
    Ok(())
}

fn heading(out: &mut dyn Write, style: Style, title: &str) -> io::Result<()> {
    match style {
        Style::Terminal => writeln!(out, "{title}"),
        Style::Markdown => writeln!(out, "## {title}\n"),
    }
}

fn item(out: &mut dyn Write, style: Style, line: &str) -> io::Result<()> {
    match style {
        Style::Terminal => writeln!(out, "  {line}"),
        Style::Markdown => writeln!(out, "- {}", markdown(line)),
    }
}

/// Names of repositories and files are text, never markup.
fn markdown(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        if matches!(character, '|' | '*' | '_' | '`' | '<' | '>' | '[' | ']' | '\\' | '#' | '~') {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}

fn table(out: &mut dyn Write, style: Style, table: &Table) -> io::Result<()> {
    heading(out, style, &table.title)?;
    let cells = |row: &[String]| -> Vec<String> {
        match style {
            Style::Terminal => row.to_vec(),
            Style::Markdown => row.iter().map(|cell| markdown(cell)).collect(),
        }
    };
    let head = cells(&table.head);
    let body: Vec<_> = table.body.iter().map(|row| cells(row)).collect();
    let widths: Vec<usize> = (0..head.len())
        .map(|column| {
            body.iter()
                .chain([&head])
                .filter_map(|row| Some(row.get(column)?.chars().count()))
                .max()
                .unwrap_or(0)
        })
        .collect();
    let line = |row: &[String]| -> String {
        let padded: Vec<_> =
            row.iter()
                .zip(&widths)
                .enumerate()
                .map(|(column, (cell, &width))| {
                    if column == 0 { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
                })
                .collect();
        match style {
            Style::Terminal => format!("  {}", padded.join("  ")).trim_end().to_owned(),
            Style::Markdown => format!("| {} |", padded.join(" | ")),
        }
    };
    writeln!(out, "{}", line(&head))?;
    let rule: Vec<_> = widths
        .iter()
        .enumerate()
        .map(|(column, &width)| match style {
            Style::Terminal => "-".repeat(width),
            Style::Markdown if column == 0 => "-".repeat(width.max(3)),
            Style::Markdown => format!("{}:", "-".repeat(width.max(3) - 1)),
        })
        .collect();
    writeln!(out, "{}", line(&rule))?;
    for row in &body {
        writeln!(out, "{}", line(row))?;
    }
    writeln!(out)?;
    for note in &table.notes {
        item(out, style, note)?;
    }
    writeln!(out)
}
