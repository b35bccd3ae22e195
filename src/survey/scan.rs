//! `echo-survey LIST`

use std::fs::File;
use std::io::{self, BufReader, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context;
use echo_survey::{
    Cache, Journal, Limits, Options, Prover, Sampler, entries, identity_of_entry, kill_children,
    run,
};

use super::arguments::ScanArguments;
use super::progress::bar;
use super::prover::EchoFix;
use super::results::{write_report, write_sample};

/// Times that removing the temporary folder is tried at an interrupt, ten milliseconds apart.
const CLEANING_ATTEMPTS: u32 = 100;

/// Scans the list, reports, and returns the exit code.
pub(super) fn scan(arguments: &ScanArguments) -> anyhow::Result<u8> {
    let path = arguments.list.as_deref().context("LIST is missing")?;
    let mut list = open_list(path)?;
    let total = check_list(&list, arguments)?;
    anyhow::ensure!(total > 0, "the list {} names no repository", path.display());
    list.rewind()?;

    let scratch = tempfile::Builder::new()
        .prefix("echo-survey-")
        .tempdir()
        .context("cannot create a temporary folder")?;
    let prover = arguments.prove.then(|| EchoFix::find(arguments.echo_fix.as_deref()));
    let options = Options {
        limits: limits(arguments),
        cache: cache(arguments, scratch.path())?,
        include_vendored: arguments.include_vendored,
        include_generated: arguments.include_generated,
        jobs: arguments
            .jobs
            .unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from)),
        sampler: arguments.sample.map(|size| Sampler::new(size, arguments.seed)),
        prover: prover.as_ref().map(|prover| prover as &dyn Prover),
        scratch: scratch.path(),
        pause: &std::thread::sleep,
    };
    let interrupted = clean_up_on_interrupt(scratch.path().to_owned(), arguments.output.is_some())?;

    let rows_path = arguments.output.clone().unwrap_or_else(|| scratch.path().join("rows.ndjson"));
    let mut journal = Journal::open(&rows_path, arguments.resume, &options.digest())?;
    let shard = arguments.shard;
    let in_shard = move |position: u64| shard.is_none_or(|shard| shard.has(position));
    let done = journal.done();
    let listed = entries(BufReader::new(list), &arguments.domain_default).filter_map(Result::ok);
    let wanted = listed.filter(move |entry| {
        in_shard(entry.index)
            && done.get(&entry.index).is_none_or(|known| *known != identity_of_entry(entry))
    });

    let bar =
        bar((0..total).filter(|&position| in_shard(position)).count() as u64, arguments.quiet);
    let start = Instant::now();
    let (mut scanned, mut bytes, mut parsed_bytes) = (0_u64, 0_u64, 0_u64);
    let mut failure = None;
    let effort = run(wanted, &options, |row| {
        if interrupted.load(Ordering::SeqCst) {
            // Its processes were killed: no result.
            return false;
        }
        scanned += 1;
        bytes += row.files.source_bytes;
        parsed_bytes += row.files.parsed_bytes;
        bar.set_message(row.repository.clone());
        bar.inc(1);
        match journal.append(&row) {
            Ok(()) => true,
            Err(error) => {
                failure = Some(error);
                false
            }
        }
    });
    while interrupted.load(Ordering::SeqCst) {
        // The handler ends the program when it has cleaned up.
        std::thread::park();
    }
    bar.finish_and_clear();
    if let Some(error) = failure {
        return Err(error.into());
    }
    let rows = journal.finish(|position| position < total && in_shard(position))?;
    if !arguments.quiet {
        say_speed(scanned, bytes, parsed_bytes, start.elapsed(), effort.parsing)?;
    }
    if let (Some(size), Some(to)) = (arguments.sample, &arguments.sample_to) {
        write_sample(&rows, size, to)?;
    }
    write_report(&rows, arguments.format, shard.is_some())
}

/// The list as a file that can be read twice; standard input is kept in an unnamed temporary file.
fn open_list(path: &Path) -> anyhow::Result<File> {
    if path == Path::new("-") {
        let mut spool = tempfile::tempfile().context("cannot create a temporary file")?;
        io::copy(&mut io::stdin().lock(), &mut spool)
            .context("cannot read the list from standard input")?;
        spool.rewind()?;
        return Ok(spool);
    }
    File::open(path).with_context(|| format!("cannot read the list {}", path.display()))
}

/// Reads the whole list before anything is fetched: a typing error in the last line should not cost a night.
fn check_list(list: &File, arguments: &ScanArguments) -> anyhow::Result<u64> {
    let mut total = 0;
    for entry in entries(BufReader::new(list), &arguments.domain_default) {
        entry?;
        total += 1;
    }
    Ok(total)
}

fn limits(arguments: &ScanArguments) -> Limits {
    Limits {
        file_bytes: arguments.max_file_size,
        files: arguments.max_files,
        fetch_bytes: arguments.max_fetch_size,
        fetch_time: Duration::from_secs(arguments.fetch_timeout),
        scan_time: Duration::from_secs(arguments.scan_timeout),
        attempts: arguments.attempts.max(1),
        evidence: arguments.evidence,
        ..Limits::default()
    }
}

fn cache(arguments: &ScanArguments, scratch: &Path) -> anyhow::Result<Cache> {
    let folder = match &arguments.cache {
        Some(folder) => {
            std::fs::create_dir_all(folder)
                .with_context(|| format!("cannot create {}", folder.display()))?;
            folder.canonicalize()?
        }
        None => scratch.join("repositories"),
    };
    Ok(Cache {
        folder: PathBuf::from(&folder),
        offline: arguments.offline,
        discard: arguments.cache.is_none(),
        github: arguments.github_url.clone(),
    })
}

/// Git processes run in groups of their own and would not see the interrupt; the rows so far are on disk already.
/// The flag says that it has happened.
fn clean_up_on_interrupt(scratch: PathBuf, kept: bool) -> anyhow::Result<Arc<AtomicBool>> {
    let interrupted = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&interrupted);
    ctrlc::set_handler(move || {
        flag.store(true, Ordering::SeqCst);
        kill_children();
        // The other threads have not ended: they may write a last file while the folder is being removed, or make it
        // again. So it has to stay away for a while.
        let mut absent = 0;
        for _ in 0..CLEANING_ATTEMPTS {
            let gone = scratch.symlink_metadata().is_err();
            absent = if gone { absent + 1 } else { 0 };
            if absent == 3 {
                break;
            }
            let _ = std::fs::remove_dir_all(&scratch);
            std::thread::sleep(Duration::from_millis(10));
        }
        let advice = if kept { "; the same command with --resume goes on" } else { "" };
        let _ = writeln!(io::stderr().lock(), "\necho-survey: interrupted{advice}");
        std::process::exit(130);
    })
    .context("cannot handle interrupts")?;
    Ok(interrupted)
}

#[expect(clippy::cast_precision_loss, reason = "shown with one decimal")]
fn say_speed(
    scanned: u64,
    bytes: u64,
    parsed: u64,
    took: Duration,
    parsing: Duration,
) -> io::Result<()> {
    let (megabytes, seconds) = (bytes as f64 / 1e6, took.as_secs_f64());
    let share = if bytes == 0 { 0.0 } else { parsed as f64 / bytes as f64 * 100.0 };
    writeln!(
        io::stderr().lock(),
        "{scanned} repositories, {megabytes:.1} MB of source in {seconds:.1} s ({:.1} MB/s); {share:.1} % of the bytes were parsed, in {:.1} s of thread time ({:.1} MB/s per thread)",
        megabytes / seconds.max(1e-9),
        parsing.as_secs_f64(),
        parsed as f64 / 1e6 / parsing.as_secs_f64().max(1e-9)
    )
}
