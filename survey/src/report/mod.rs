//! Reports: the same numbers as text, Markdown, HTML, CSV, JSON and NDJSON.

mod csv;
mod html;
mod html_evidence;
mod html_parts;
mod json;
mod sample;
mod tables;
mod text;

use std::io::{self, Write};

use crate::journal::JournalError;
use crate::row::Row;
use crate::summary::Summary;

pub use sample::write_sample;

/// Form of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Tables for a terminal.
    Text,
    /// Tables for a README.
    Markdown,
    /// One self-contained page.
    Html,
    /// One line per repository.
    Csv,
    /// Summary, definitions and rows in one document.
    Json,
    /// The rows, one JSON object a line.
    Ndjson,
}

/// Rows in list order.
pub type Rows<'a> = dyn Iterator<Item = Result<Row, JournalError>> + 'a;

/// Writes a report. Rows are read one at a time.
///
/// # Errors
/// Writing or reading rows failed.
pub fn write(
    format: Format,
    summary: &Summary,
    rows: &mut Rows<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    match format {
        Format::Text => text::write(summary, rows, out, text::Style::Terminal),
        Format::Markdown => text::write(summary, rows, out, text::Style::Markdown),
        Format::Html => html::write(summary, rows, out),
        Format::Csv => csv::write(rows, out),
        Format::Json => json::write(summary, rows, out),
        Format::Ndjson => {
            for row in rows {
                serde_json::to_writer(&mut *out, &row.map_err(io::Error::other)?)?;
                out.write_all(b"\n")?;
            }
            Ok(())
        }
    }
}
