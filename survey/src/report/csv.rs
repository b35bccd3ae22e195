//! One line per repository, for spreadsheets.

use std::io::{self, Write};

use super::Rows;
use crate::api::Signal;
use crate::definitions::{CANDIDATES, COPY_ONLY, EXPLICIT, MIXED};
use crate::row::{Proof, Row, Status};

pub(super) fn write(rows: &mut Rows<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    let definitions =
        || [&EXPLICIT].into_iter().chain(&CANDIDATES).chain([&COPY_ONLY]).chain(&MIXED);
    let mut head: Vec<String> =
        ["index", "repository", "domain", "commit", "status", "reason", "tier"]
            .map(str::to_owned)
            .into();
    head.extend(definitions().map(|definition| definition.code.replace('-', "_")));
    for name in [
        "managed",
        "mapped",
        "pinned",
        "shared_buffer",
        "wrapper",
        "links",
        "links_whole",
        "links_whole_from_host",
        "proved",
    ] {
        head.push(name.to_owned());
    }
    head.extend(Signal::ALL.map(|signal| format!("n_{}", signal.code().replace('-', "_"))));
    for name in [
        "files",
        "source_files",
        "source_bytes",
        "parsed_files",
        "vendored",
        "generated",
        "too_large",
        "failed",
        "evidence",
    ] {
        head.push(name.to_owned());
    }
    writer.write_record(&head)?;
    for row in rows {
        writer.write_record(record(&row.map_err(io::Error::other)?, definitions()))?;
    }
    writer.flush()
}

fn record<'d>(
    row: &Row,
    definitions: impl Iterator<Item = &'d crate::definitions::Definition>,
) -> Vec<String> {
    let status = match row.status {
        Status::Scanned => "scanned",
        Status::Partial => "partial",
        Status::Skipped => "skipped",
    };
    // An unknown is an empty cell, not a no.
    let bit = |yes: bool| if !row.is_counted() { String::new() } else { u8::from(yes).to_string() };
    let mut cells = vec![
        row.index.to_string(),
        row.repository.clone(),
        row.domain.clone(),
        row.commit.clone().unwrap_or_default(),
        status.to_owned(),
        row.reason.as_ref().map(ToString::to_string).unwrap_or_default(),
        if row.is_counted() { row.tier.code().to_owned() } else { String::new() },
    ];
    cells.extend(definitions.map(|definition| bit((definition.holds)(row))));
    let columns = &row.columns;
    for yes in
        [columns.managed, columns.mapped, columns.pinned, columns.shared_buffer, columns.wrapper]
    {
        cells.push(bit(yes));
    }
    cells.extend(
        [row.links.linked, row.links.whole, row.links.whole_from_host]
            .map(|count| count.to_string()),
    );
    cells.push(match row.proof {
        Proof::NotAsked | Proof::NotRun { .. } => String::new(),
        Proof::Ran { merge, .. } => merge.to_string(),
    });
    cells.extend(
        Signal::ALL.map(|signal| row.counts.get(&signal).copied().unwrap_or_default().to_string()),
    );
    let files = &row.files;
    for count in [
        files.total,
        files.source,
        files.source_bytes,
        files.parsed,
        files.vendored,
        files.generated,
        files.too_large,
        files.failed,
    ] {
        cells.push(count.to_string());
    }
    let places = row.evidence.iter().flat_map(|(column, places)| {
        places.iter().map(move |place| format!("{column}={}:{}", place.path, place.line))
    });
    cells.push(places.collect::<Vec<_>>().join("; "));
    cells
}
