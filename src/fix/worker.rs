//! `echo-fix __worker`: one request on standard input, one report on standard output.

use std::io::Read;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use echo_frontend::arguments::{ArgumentOptions, Database, unit_arguments};
use echo_frontend::prefix::{Cache, Flags};
use echo_frontend::{Frontend, FrontendOptions};

use super::isolate::{Request, Task};
use super::output::{print, say};
use super::settings::Settings;
use super::unit::{self, Job};

/// Deeply nested expressions recurse in clang and in lowering.
const STACK: usize = 256 << 20;

/// Serves one request.
pub(crate) fn main() -> ExitCode {
    let answer = std::thread::Builder::new()
        .stack_size(STACK)
        .spawn(work)
        .map(std::thread::JoinHandle::join);
    let failed = ExitCode::from(2);
    match answer {
        Ok(Ok(Ok(bytes))) if print(&bytes).is_ok() => ExitCode::SUCCESS,
        Ok(Ok(Err(error))) => {
            say(&format!("error: {error:#}\n"));
            failed
        }
        Ok(Ok(Ok(_)) | Err(_)) | Err(_) => failed,
    }
}

fn work() -> Result<Vec<u8>> {
    let mut text = Vec::new();
    std::io::stdin().read_to_end(&mut text)?;
    match serde_json::from_slice(&text)? {
        Task::Analyse(request) => analyse(&request),
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

fn analyse(request: &Request) -> Result<Vec<u8>> {
    let (frontend, options) = frontend(&request.settings)?;
    let arguments = unit_arguments(&request.path, &options, frontend.library());
    let mut models = super::models::load(&request.settings)?;
    models.add_host_only(request.host_only.clone());
    let report = unit::analyse(&Job {
        frontend: &frontend,
        models: &models,
        settings: &request.settings,
        path: &request.path,
        arguments: &arguments,
        roots: &request.roots,
        refused: &request.refused,
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
