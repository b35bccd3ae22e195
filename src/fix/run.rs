//! From arguments to an exit code.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::{CommandFactory, Parser};

use super::apply::{Roots, apply};
use super::arguments::{Arguments, Format};
use super::isolate::{self, Common};
use super::merge_units::Merged;
use super::model::Status;
use super::output::{colored, print, progress, say};
use super::patch::Patch;
use super::settings::Settings;
use super::{configuration, discover, journal, models, patch, prefixes, report, rounds, worker};

/// Exit codes (DESIGN section 6).
const PATCH_AVAILABLE: u8 = 1;
const UNUSABLE: u8 = 2;
const NOT_ANALYSED: u8 = 3;
const DROPPED: u8 = 4;

/// Runs echo-fix; the exit code is documented in its help.
#[must_use]
pub fn main() -> ExitCode {
    if std::env::args_os().nth(1).is_some_and(|argument| argument == "__worker") {
        return worker::main();
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
            say(&format!("error: {}\n", causes(&error)));
            ExitCode::from(UNUSABLE)
        }
    }
}

/// What went wrong and why, without the causes that an error has worded itself.
fn causes(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if text.is_empty() {
            text = cause;
        } else if !text.ends_with(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}

fn run(arguments: &Arguments) -> Result<u8> {
    if let Some(text) = text_asked_for(arguments)? {
        print(&text)?;
        return Ok(0);
    }
    if arguments.paths.is_empty() {
        bail!("no files given: try `echo-fix src/`, or `echo-fix --help`");
    }
    let configuration = configuration::read(&arguments.paths)?;
    let settings = Settings::new(arguments, &configuration);
    let roots = Roots::new(&arguments.paths);
    let found = discover::discover(&arguments.paths, &configuration.exclude)?;
    finish_interrupted(arguments, &found)?;
    // A missing library, database or model is one error for the run, not one for each file.
    let (frontend, options) = worker::frontend(&settings)?;
    models::load(&settings)?;
    let jobs = arguments
        .jobs
        .or_else(|| std::thread::available_parallelism().ok())
        .map_or(1, std::num::NonZero::get);
    let units = isolate::units(&found.units, &frontend, &options);
    let bar = progress(units.len());
    let prefixes = prefixes::prepare(&found.units, &settings, &frontend, &options);
    let folders = roots.folders();
    let common = Common {
        settings: &settings,
        roots: &folders,
        bystanders: &found.without_cuda,
        prefixes: &prefixes,
        jobs,
    };
    let merged = rounds::analyse(&units, &common, &arguments.only, &|path| {
        bar.set_message(path.display().to_string());
        bar.inc(1);
    });
    bar.finish_and_clear();
    if let Some(unknown) =
        arguments.only.iter().find(|id| !merged.pairs.iter().any(|pair| pair.id == **id))
    {
        bail!("there is no pair `{unknown}`: the ids are in `--format json`");
    }
    finish(arguments, &settings, merged, &roots, &found)
}

/// What `--explain`, `--completions` and `--man` print.
fn text_asked_for(arguments: &Arguments) -> Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    #[cfg(feature = "mutations")]
    if arguments.list_checks {
        let names = echo_dataflow::mutation::CHECKS.iter().map(|check| check.name);
        return Ok(Some(names.flat_map(|name| [name, "\n"]).collect::<String>().into_bytes()));
    }
    if let Some(shell) = arguments.completions {
        clap_complete::generate(shell, &mut Arguments::command(), "echo-fix", &mut bytes);
    } else if arguments.man {
        clap_mangen::Man::new(Arguments::command()).render(&mut bytes)?;
    } else if let Some(code) = &arguments.explain {
        bytes.extend_from_slice(report::explain::page(code)?.as_bytes());
    } else {
        return Ok(None);
    }
    Ok(Some(bytes))
}

/// An earlier `--apply` that was killed is finished first: a half-changed program must not be judged.
fn finish_interrupted(arguments: &Arguments, found: &discover::Discovered) -> Result<()> {
    while let Some(journal) = journal::find(&found.folders) {
        finish_one(arguments, &journal)?;
    }
    Ok(())
}

fn finish_one(arguments: &Arguments, journal: &Path) -> Result<()> {
    if !arguments.apply {
        bail!(
            "an earlier `echo-fix --apply` was interrupted: run it again to finish ({})",
            journal.display()
        );
    }
    journal::finish(journal)?;
    say("finished an earlier --apply that was interrupted\n");
    Ok(())
}

fn finish(
    arguments: &Arguments,
    settings: &Settings,
    mut merged: Merged,
    roots: &Roots,
    found: &discover::Discovered,
) -> Result<u8> {
    let patch = patch::build(&mut merged.pairs, &merged.hashes)?;
    merged.dropped.extend(patch.dropped.iter().cloned());
    output(arguments, settings, &merged, &patch, found)?;
    for dropped in &merged.dropped {
        say(&format!("error: an edit was dropped: {dropped}; this is a bug of echo-fix\n"));
    }
    if !merged.dropped.is_empty() {
        return Ok(DROPPED);
    }
    if arguments.apply && !patch.files.is_empty() {
        apply(&patch, roots, arguments.allow_dirty)?;
        say(&format!("changed {}\n", report::summary::count(patch.files.len(), "file")));
    }
    if arguments.strict && merged.files.iter().any(|file| file.status == Status::Failed) {
        return Ok(NOT_ANALYSED);
    }
    if arguments.check && !patch.files.is_empty() {
        return Ok(PATCH_AVAILABLE);
    }
    Ok(0)
}

fn output(
    arguments: &Arguments,
    settings: &Settings,
    merged: &Merged,
    patch: &Patch,
    found: &discover::Discovered,
) -> Result<()> {
    match arguments.format {
        Format::Text => {
            let verbose = arguments.verbose > 0;
            let mut text = report::text::findings(&merged.pairs, colored());
            text.push_str(&report::summary::files(merged, &found.skipped, verbose));
            if arguments.verbose > 1 {
                text.push_str(&report::summary::costs(merged));
            }
            text.push_str(&report::summary::pairs(
                merged,
                found.without_cuda.len(),
                arguments.apply,
            ));
            say(&text);
            if arguments.apply { Ok(()) } else { print(&patch.diff) }
        }
        Format::Json => print(&report::json::document(&settings.target, merged, &patch.diff)?),
        Format::Sarif => print(&report::sarif::log(merged)?),
    }
}
