//! One JSON document: summary, definitions, rows. Rows are written as they are read.

use std::io::{self, Write};

use serde_json::json;

use super::Rows;
use crate::definitions::{CANDIDATES, COPY_ONLY, EXPLICIT, MIXED, TIERS};
use crate::interval::wilson;
use crate::row::SCHEMA_VERSION;
use crate::summary::Summary;

pub(super) fn write(summary: &Summary, rows: &mut Rows<'_>, out: &mut dyn Write) -> io::Result<()> {
    let all = || [&EXPLICIT, &COPY_ONLY].into_iter().chain(&CANDIDATES).chain(&MIXED).chain(&TIERS);
    let definitions: Vec<_> = all()
        .map(|definition| {
            let yes = summary.total.of(definition.code);
            json!({"code": definition.code, "title": definition.title, "text": definition.text, "yes": yes,
                   "of": summary.total.counted, "wilson95": wilson(yes, summary.total.counted)})
        })
        .collect();
    let head = json!({
        "schema_version": SCHEMA_VERSION,
        "tool": "echo-survey",
        "version": env!("CARGO_PKG_VERSION"),
        "complete": !summary.has_failures(),
        "summary": summary,
        "definitions": definitions,
    });
    // The document is opened by hand so that ten thousand rows never are in memory together.
    let head = serde_json::to_string(&head)?;
    let open = head.strip_suffix('}').unwrap_or(&head);
    write!(out, "{open},\n\"repositories\":[")?;
    for (position, row) in rows.enumerate() {
        out.write_all(if position == 0 { b"\n" } else { b",\n" })?;
        serde_json::to_writer(&mut *out, &row.map_err(io::Error::other)?)?;
    }
    out.write_all(b"\n]}\n")
}
