//! `echo-fix __worker`: requests on standard input, reports on standard output.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use echo_dataflow::effect::EffectModels;
use echo_frontend::arguments::{ArgumentOptions, Database, all_unit_arguments};
use echo_frontend::prefix::{Cache, Flags};
use echo_frontend::{Frontend, FrontendOptions};

use super::isolate::{Request, Task};
use super::message::{read_message, write_message};
use super::output::say;
use super::settings::Settings;
use super::unit::{self, Job};

/// Deeply nested expressions recurse in clang and in lowering.
const STACK: usize = 256 << 20;

/// Serves requests until there are no more.
pub(crate) fn main() -> ExitCode {
    // One thread for all: a loaded libclang belongs to its thread. A panic ends the worker: its parent loses one file, and
    // starts another.
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(serve);
    match thread.map(std::thread::JoinHandle::join) {
        Ok(Ok(Ok(()))) => ExitCode::SUCCESS,
        Ok(Ok(Err(error))) => {
            say(&format!("error: {error:#}\n"));
            ExitCode::from(2)
        }
        Ok(Err(_)) | Err(_) => ExitCode::from(2),
    }
}

fn serve() -> Result<()> {
    let (mut input, mut output) = (std::io::stdin().lock(), std::io::stdout().lock());
    let mut loaded = None;
    while let Some(request) = read_message(&mut input)? {
        forget_peak();
        write_message(&mut output, &work(&request, &mut loaded)?)?;
    }
    Ok(())
}

/// From here on the peak of this process's memory is that of the next file, where the system can do that.
fn forget_peak() {
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}

/// What all files of a run need.
struct Loaded {
    settings: Settings,
    frontend: Frontend,
    options: ArgumentOptions,
    models: EffectModels,
}

impl Loaded {
    fn new(settings: &Settings) -> Result<Self> {
        let (frontend, options) = frontend(settings)?;
        let models = super::models::load(settings)?;
        Ok(Self { settings: settings.clone(), frontend, options, models })
    }
}

fn work(request: &[u8], loaded: &mut Option<Loaded>) -> Result<Vec<u8>> {
    match serde_json::from_slice(request)? {
        Task::Analyse(request) => {
            let loaded = match loaded.take() {
                Some(fitting) if fitting.settings == request.settings => loaded.insert(fitting),
                Some(_) | None => loaded.insert(Loaded::new(&request.settings)?),
            };
            analyse(&request, loaded)
        }
        Task::BuildPrefix { settings, arguments } => {
            let built = build_prefix(&settings, &arguments).map_err(|e| format!("{e:#}"));
            Ok(serde_json::to_vec(&built)?)
        }
    }
}

fn build_prefix(settings: &Settings, arguments: &[String]) -> Result<PathBuf> {
    let (frontend, _) = frontend(settings)?;
    let folder = settings.cache.clone().context("there is no cache folder")?;
    let flags = Flags::of(arguments).context("these flags have no prefix")?;
    Ok(Cache::at(folder).build(&frontend, &flags)?.facts)
}

fn analyse(request: &Request, loaded: &Loaded) -> Result<Vec<u8>> {
    let Loaded { frontend, options, .. } = loaded;
    let ways = all_unit_arguments(&request.unit.path, options, frontend.library());
    let arguments = ways
        .get(request.unit.way)
        .context("the compile commands of the file changed while it was analysed")?;
    let mut models = loaded.models.clone();
    models.add_host_only(request.others.host_only.clone());
    let report = unit::analyse(&Job {
        frontend,
        models: &models,
        settings: &request.settings,
        path: &request.unit.path,
        arguments,
        roots: &request.roots,
        refused: &request.refused,
        otherwise: &request.others.otherwise,
        prefix: request.prefix.as_deref(),
    });
    Ok(serde_json::to_vec(&report)?)
}

/// Loads libclang and what refines its arguments.
///
/// # Errors
/// If there is no usable libclang, or a compilation database that was asked for cannot be read.
pub(crate) fn frontend(settings: &Settings) -> Result<(Frontend, ArgumentOptions)> {
    let database = match &settings.compile_commands {
        Some(path) => {
            let file =
                if path.is_dir() { path.join("compile_commands.json") } else { path.clone() };
            Some(Database::read(&file)?)
        }
        None => None,
    };
    let frontend = Frontend::load(FrontendOptions {
        libclang: settings.libclang.clone(),
        allocators: settings.allocators.clone(),
        deallocators: settings.deallocators.clone(),
        virtual_files: Vec::new(),
    })?;
    let options = ArgumentOptions {
        cuda_path: settings.cuda_path.clone(),
        extra: settings.extra_arguments.clone(),
        database,
    };
    Ok((frontend, options))
}
