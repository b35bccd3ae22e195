//! From arguments to an exit code.

use std::collections::BTreeMap;
use std::fs;
use std::io::{IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::{CommandFactory, Parser};
use echo_dataflow::program::FileId;
use echo_frontend::arguments::{ArgumentOptions, Database, unit_arguments};
use echo_frontend::{Frontend, FrontendOptions};
use echo_rewrite::{Edit, Step};

use super::arguments::{Arguments, Format, MemoryName, Naming};
use super::isolate::{self, Request};
use super::merge_units::{Merged, edits_by_file, merge};
use super::model::{EditReport, Pair, Status, UnitReport, VerdictName};
use super::settings::Settings;
use super::{apply, report, unit};

/// Exit codes (DESIGN section 6).
const PATCH_AVAILABLE: u8 = 1;
const UNUSABLE: u8 = 2;
const NOT_ANALYSED: u8 = 3;
const DROPPED: u8 = 4;

/// Runs echo-fix; the exit code is documented in its help.
#[must_use]
pub fn main() -> ExitCode {
    if std::env::args_os().nth(1).is_some_and(|a| a == "__worker") {
        return worker();
    }
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            let _ = error.print();
            return if error.use_stderr() { ExitCode::from(UNUSABLE) } else { ExitCode::SUCCESS };
        }
    };
    match run(&arguments) {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            say(&format!("error: {error:#}\n"));
            ExitCode::from(UNUSABLE)
        }
    }
}

fn say(text: &str) {
    // Nobody is left to tell if standard error is closed.
    let _ = std::io::stderr().write_all(text.as_bytes());
}

fn print(bytes: &[u8]) -> Result<()> {
    match std::io::stdout().write_all(bytes).and_then(|()| std::io::stdout().flush()) {
        // The reader has seen enough: `echo-fix src | head`.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        result => result.context("cannot write the result"),
    }
}

fn run(arguments: &Arguments) -> Result<u8> {
    if let Some(shell) = arguments.completions {
        let mut bytes = Vec::new();
        clap_complete::generate(shell, &mut Arguments::command(), "echo-fix", &mut bytes);
        print(&bytes)?;
        return Ok(0);
    }
    if arguments.man {
        let mut bytes = Vec::new();
        clap_mangen::Man::new(Arguments::command()).render(&mut bytes)?;
        print(&bytes)?;
        return Ok(0);
    }
    if let Some(code) = &arguments.explain {
        print(super::explain::page(code)?.as_bytes())?;
        return Ok(0);
    }
    if matches!(arguments.memory, MemoryName::Registered | MemoryName::System) {
        bail!("`--memory registered` and `--memory system` cannot be written yet; use `managed` or `mapped`");
    }
    if arguments.naming == Naming::Rename {
        bail!("`--naming rename` is not finished; use `--naming alias`");
    }
    if arguments.paths.is_empty() {
        bail!("no files given: try `echo-fix src/`, or `echo-fix --help`");
    }
    let mut settings = Settings::from_arguments(arguments);
    super::configuration::read(&arguments.paths, &mut settings)?;
    let (files, skipped) = discover(&arguments.paths)?;
    // A missing library or database is one error for the run, not one for each file.
    frontend(&settings)?;
    let jobs = arguments
        .jobs
        .unwrap_or_else(|| std::thread::available_parallelism().map_or(1, std::num::NonZero::get));
    let bar = progress(files.len());
    let units = isolate::analyse_all(&files, &roots(&arguments.paths), &settings, jobs, &|path| {
        bar.set_message(path.display().to_string());
        bar.inc(1);
    });
    bar.finish_and_clear();
    finish(arguments, &settings, units, &skipped)
}

fn finish(arguments: &Arguments, settings: &Settings, units: Vec<UnitReport>, skipped: &[String]) -> Result<u8> {
    let counted: Vec<_> = units.iter().map(|u| u.counts).collect();
    let merged = merge(units, &arguments.only);
    let (changes, overlap) = match edits_by_file(&merged.pairs) {
        Ok(by_file) => (changes(by_file)?, None),
        Err(overlap) => (BTreeMap::new(), Some(overlap)),
    };
    let mut patch = Vec::new();
    for (path, (old, new)) in &changes {
        patch.extend(echo_rewrite::unified_diff(&path.display().to_string(), old, new));
    }
    match arguments.format {
        Format::Text => {
            say(&human(&merged, arguments, &counted, skipped));
            if !arguments.apply {
                print(&patch)?;
            }
        }
        Format::Json => {
            let document = report::json::document(&settings.target, &merged.files, &merged.pairs, &patch);
            let mut bytes = serde_json::to_vec_pretty(&document)?;
            bytes.push(b'\n');
            print(&bytes)?;
        }
        Format::Sarif => {
            let mut bytes = serde_json::to_vec_pretty(&report::sarif::log(&merged.files, &merged.pairs))?;
            bytes.push(b'\n');
            print(&bytes)?;
        }
    }
    for dropped in merged.dropped.iter().chain(&overlap) {
        say(&format!("error: an edit was dropped: {dropped}; this is a bug of echo-fix\n"));
    }
    if !merged.dropped.is_empty() || overlap.is_some() {
        return Ok(DROPPED);
    }
    if arguments.apply && !changes.is_empty() {
        apply::apply(&changes, &roots(&arguments.paths), arguments.allow_dirty)?;
        say(&format!("changed {} file(s)\n", changes.len()));
    }
    if arguments.strict && merged.files.iter().any(|f| f.status == Status::Failed) {
        return Ok(NOT_ANALYSED);
    }
    if arguments.check && !changes.is_empty() {
        return Ok(PATCH_AVAILABLE);
    }
    Ok(0)
}

/// Old and new text of each file with edits.
fn changes(by_file: BTreeMap<String, Vec<EditReport>>) -> Result<BTreeMap<PathBuf, (Vec<u8>, Vec<u8>)>> {
    let mut changes = BTreeMap::new();
    for (file, edits) in by_file {
        let path = PathBuf::from(&file);
        let old = fs::read(&path).with_context(|| format!("cannot read {file}"))?;
        let mut edits: Vec<Edit> = edits
            .into_iter()
            .map(|edit| Edit {
                file: FileId(0),
                start: edit.start,
                end: edit.end,
                replacement: edit.replacement,
                step: Step::Allocation,
            })
            .collect();
        echo_rewrite::tidy(&old, &mut edits);
        let new = echo_rewrite::apply(&old, &edits);
        changes.insert(path, (old, new));
    }
    Ok(changes)
}

fn human(merged: &Merged, arguments: &Arguments, counts: &[super::model::Counts], skipped: &[String]) -> String {
    let mut texts: BTreeMap<String, String> = BTreeMap::new();
    for pair in &merged.pairs {
        for location in pair.objections.iter().flat_map(|o| &o.locations) {
            if !texts.contains_key(&location.file)
                && let Ok(bytes) = fs::read(&location.file)
                && let Ok(text) = String::from_utf8(bytes)
            {
                texts.insert(location.file.clone(), text);
            }
        }
    }
    let mut out = report::text::findings(&merged.pairs, &texts, std::io::stderr().is_terminal());
    for file in &merged.files {
        if file.status == Status::Failed {
            let why = file.message.as_deref().unwrap_or("unknown");
            out.push_str(&format!("warning: {} was not analysed: {why}\n", file.path));
        } else if arguments.verbose > 0 {
            for function in &file.opaque_functions {
                out.push_str(&format!(
                    "note: {}:{}: `{}` was not understood: {}\n",
                    file.path, function.line, function.name, function.reason
                ));
            }
        }
    }
    if arguments.verbose > 0 {
        for file in skipped {
            out.push_str(&format!("note: {file}\n"));
        }
    }
    for suppression in &merged.unused_suppressions {
        out.push_str(&format!(
            "warning: {}:{}: this `echo: ignore` suppresses nothing\n",
            suppression.file, suppression.line
        ));
    }
    out.push_str(&summary(&merged.pairs, counts));
    out
}

fn summary(pairs: &[Pair], counts: &[super::model::Counts]) -> String {
    if pairs.is_empty() {
        return format!(
            "no candidate pairs: {} files parsed, {} allocate device memory, {} copy; try -v\n",
            counts.len(),
            counts.iter().filter(|c| c.allocates_device_memory).count(),
            counts.iter().filter(|c| c.copies).count()
        );
    }
    let merge = pairs.iter().filter(|p| p.verdict == VerdictName::Merge).count();
    let mut by: BTreeMap<&str, usize> = BTreeMap::new();
    for pair in pairs {
        if let Some(first) = pair.objections.first() {
            *by.entry(first.condition.as_str()).or_insert(0) += 1;
        }
    }
    let reasons: Vec<String> = by.iter().map(|(condition, count)| format!("{condition}: {count}")).collect();
    let declined = pairs.len() - merge;
    let why = if reasons.is_empty() { String::new() } else { format!(" ({})", reasons.join(", ")) };
    format!("merged {merge} pair(s), declined {declined}{why}\n")
}

/// Folders whose files may be changed: those given, and those of the files given.
fn roots(paths: &[PathBuf]) -> Vec<PathBuf> {
    paths
        .iter()
        .map(|path| {
            if path.is_dir() {
                path.clone()
            } else {
                match path.parent() {
                    Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
                    Some(_) | None => PathBuf::from("."),
                }
            }
        })
        .collect()
}

/// Source files of `paths`, each once, in order; what was passed over, with reasons.
fn discover(paths: &[PathBuf]) -> Result<(Vec<PathBuf>, Vec<String>)> {
    let mut found = Vec::new();
    let mut skipped = Vec::new();
    let mut seen = std::collections::BTreeSet::new();
    for path in paths {
        let metadata = fs::metadata(path).with_context(|| format!("cannot read {}", path.display()))?;
        if metadata.is_file() {
            if seen.insert(fs::canonicalize(path)?) {
                found.push(path.clone());
            }
            continue;
        }
        for entry in ignore::WalkBuilder::new(path).sort_by_file_path(Ord::cmp).build() {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    skipped.push(error.to_string());
                    continue;
                }
            };
            if entry.file_type().is_some_and(|t| t.is_file())
                && is_unit(entry.path())
                && fs::canonicalize(entry.path()).is_ok_and(|real| seen.insert(real))
            {
                found.push(entry.into_path());
            }
        }
    }
    Ok((found, skipped))
}

/// Headers are analysed through the files that include them.
fn is_unit(path: &Path) -> bool {
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("");
    matches!(extension, "cu" | "c" | "cc" | "cpp" | "cxx") && mentions_cuda(path)
}

/// A file that never says "cuda" has no pair to offer.
fn mentions_cuda(path: &Path) -> bool {
    fs::read(path).is_ok_and(|text| text.windows(4).any(|w| w.eq_ignore_ascii_case(b"cuda")) || text.windows(3).any(|w| w == b"<<<"))
        || path.extension().is_some_and(|e| e == "cu")
}

fn progress(count: usize) -> indicatif::ProgressBar {
    if !std::io::stderr().is_terminal() {
        return indicatif::ProgressBar::hidden();
    }
    let bar = indicatif::ProgressBar::new(count as u64);
    if let Ok(style) = indicatif::ProgressStyle::with_template("{bar:30} {pos}/{len} {wide_msg}") {
        bar.set_style(style);
    }
    bar
}

fn frontend(settings: &Settings) -> Result<(Frontend, ArgumentOptions)> {
    let database = match &settings.compile_commands {
        Some(path) => {
            let file = if path.is_dir() { path.join("compile_commands.json") } else { path.clone() };
            Some(Database::read(&file)?)
        }
        None => None,
    };
    let frontend = Frontend::load(FrontendOptions {
        libclang: settings.libclang.clone(),
        allocators: settings.allocators.clone(),
        deallocators: settings.deallocators.clone(),
        virtual_files: Vec::new(),
        prefix_folder: echo_frontend::prefix::default_folder(),
    })?;
    let options =
        ArgumentOptions { cuda_path: settings.cuda_path.clone(), extra: settings.extra_arguments.clone(), database };
    Ok((frontend, options))
}

/// `echo-fix __worker`: one request on standard input, one report on standard output.
fn worker() -> ExitCode {
    let answer = std::thread::Builder::new().stack_size(256 << 20).spawn(work).map(std::thread::JoinHandle::join);
    match answer {
        Ok(Ok(Ok(bytes))) => {
            if print(&bytes).is_err() {
                return ExitCode::from(UNUSABLE);
            }
            ExitCode::SUCCESS
        }
        Ok(Ok(Err(error))) => {
            say(&format!("error: {error:#}\n"));
            ExitCode::from(UNUSABLE)
        }
        Ok(Err(_)) | Err(_) => ExitCode::from(UNUSABLE),
    }
}

fn work() -> Result<Vec<u8>> {
    let mut text = Vec::new();
    std::io::stdin().read_to_end(&mut text)?;
    let request: Request = serde_json::from_slice(&text)?;
    let (frontend, options) = frontend(&request.settings)?;
    let unit_arguments = unit_arguments(&request.path, &options, frontend.library());
    let models = super::models::load(&request.settings)?;
    let report = unit::analyse(
        &frontend,
        &models,
        &request.settings.options(),
        &request.path,
        unit_arguments.arguments,
        unit_arguments.per_thread_default_stream,
        &request.roots,
    );
    Ok(serde_json::to_vec(&report)?)
}
