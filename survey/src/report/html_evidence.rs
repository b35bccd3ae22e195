//! The evidence of one repository: a file and line for every yes.

use std::io::{self, Write};

use super::html_parts::Escaped;
use crate::api::Signal;
use crate::definitions::CANDIDATES;
use crate::row::{Place, Row};

/// Writes a block for each column, the most telling first.
pub(super) fn evidence(out: &mut dyn Write, row: &Row) -> io::Result<()> {
    let mut blocks: Vec<_> = row.evidence.iter().collect();
    blocks.sort_by_key(|(column, _)| rank(column));
    writeln!(out, "<div class=\"evidence\">")?;
    for (column, places) in blocks {
        writeln!(
            out,
            "<div class=\"block\"><h3>{}</h3><ul class=\"places\">",
            Escaped(&heading(column))
        )?;
        for place in places {
            one(out, row, place)?;
        }
        writeln!(out, "</ul></div>")?;
    }
    writeln!(out, "</div>")
}

/// Columns in the order of what they prove; the names found come last.
const ORDER: [&str; 8] = [
    "proved",
    "declined",
    "whole-buffer",
    "linked",
    "candidate-file",
    "candidate-file-strict",
    "candidate-file-raw",
    "cuda",
];

fn rank(column: &str) -> usize {
    let signal = || Signal::ALL.iter().position(|signal| signal.code() == column);
    ORDER
        .iter()
        .position(|&known| known == column)
        .unwrap_or_else(|| ORDER.len() + signal().unwrap_or(Signal::ALL.len()))
}

fn heading(column: &str) -> String {
    match column {
        "proved" => "proved mergeable".to_owned(),
        "declined" => "looked at and declined by echo-fix".to_owned(),
        "whole-buffer" => "whole buffers, one to one".to_owned(),
        "linked" => "linked by a copy".to_owned(),
        "cuda" => "CUDA".to_owned(),
        _ => match CANDIDATES.iter().find(|definition| definition.code == column) {
            Some(definition) => format!("candidate: {}", definition.title),
            None => column.replace('-', " "),
        },
    }
}

fn one(out: &mut dyn Write, row: &Row, place: &Place) -> io::Result<()> {
    let label =
        if place.line == 0 { place.path.clone() } else { format!("{}:{}", place.path, place.line) };
    match link(row, place) {
        Some(link) => {
            write!(out, "<li><a href=\"{}\"><code>{}</code></a>", Escaped(&link), Escaped(&label))?
        }
        None => write!(out, "<li><code>{}</code>", Escaped(&label))?,
    }
    writeln!(out, " {}</li>", Escaped(&place.what))
}

/// The line on github.com, for repositories that the list names as `owner/name`.
fn link(row: &Row, place: &Place) -> Option<String> {
    let plain = |text: &str| {
        !text.is_empty()
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-/+".contains(&byte))
    };
    let (owner, name) = row.repository.split_once('/')?;
    let is_name = |part: &str| plain(part) && !part.contains('/') && !part.starts_with('.');
    if !is_name(owner) || !is_name(name) || !plain(&place.path) {
        return None;
    }
    let line = if place.line == 0 { String::new() } else { format!("#L{}", place.line) };
    Some(format!(
        "https://github.com/{owner}/{name}/blob/{}/{}{line}",
        row.commit.as_deref()?,
        place.path
    ))
}
