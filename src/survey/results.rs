//! Reports on rows, and what needs no scan.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use anyhow::Context;
use echo_survey::{Summary, compare as compare_rows, load, merge as merge_rows, read_rows, report};

use super::arguments::{CompareArguments, Format, MergeArguments, ReportArguments};
use super::{DIFFERENT, DONE, INCOMPLETE};

/// `echo-survey compare`
pub(super) fn compare(arguments: &CompareArguments) -> anyhow::Result<u8> {
    let read = |path: &Path| load(path).with_context(|| format!("cannot read {}", path.display()));
    let (before, after) = (read(&arguments.before)?, read(&arguments.after)?);
    let mut out = BufWriter::new(io::stdout().lock());
    let same = compare_rows(&before, &after, &mut out)?;
    out.flush()?;
    Ok(if same { DONE } else { DIFFERENT })
}

/// `echo-survey merge`
pub(super) fn merge(arguments: &MergeArguments) -> anyhow::Result<u8> {
    merge_rows(&arguments.inputs, &arguments.output)?;
    write_report(&arguments.output, arguments.format, false)
}

/// `echo-survey report`
pub(super) fn report(arguments: &ReportArguments) -> anyhow::Result<u8> {
    write_report(&arguments.rows, arguments.format, false)
}

/// Reports on a row file on standard output and returns the exit code. A shard's gaps are no failure of the shard.
pub(super) fn write_report(rows: &Path, format: Format, is_shard: bool) -> anyhow::Result<u8> {
    let mut summary = Summary::default();
    for row in read_rows(rows)? {
        summary.add(&row?);
    }
    if is_shard {
        summary.missing_rows = 0;
    }
    let mut out = BufWriter::new(io::stdout().lock());
    let written = report::write(format.into(), &summary, &mut read_rows(rows)?, &mut out)
        .and_then(|()| out.flush());
    match written {
        // The reader has seen enough (`| head`).
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
        other => other?,
    }
    Ok(if summary.has_failures() { INCOMPLETE } else { DONE })
}

/// Writes the sample for labelling.
pub(super) fn write_sample(rows: &Path, size: usize, to: &Path) -> anyhow::Result<()> {
    let file = File::create(to).with_context(|| format!("cannot write {}", to.display()))?;
    report::write_sample(size, &mut read_rows(rows)?, &mut BufWriter::new(file))?;
    Ok(())
}
