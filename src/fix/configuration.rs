//! `echo.toml`: found in the first path's folder or above.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::Deserialize;

use super::settings::Settings;

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct File {
    /// Functions that allocate like `malloc`.
    #[serde(default)]
    allocators: Vec<String>,
    /// Functions that free what they allocate.
    #[serde(default)]
    deallocators: Vec<String>,
    /// Files with further effect models, relative to this file.
    #[serde(default)]
    effect_models: Vec<PathBuf>,
    /// Further clang arguments.
    #[serde(default)]
    extra_args: Vec<String>,
}

/// Adds what `echo.toml` says to the settings; flags win.
pub(crate) fn read(paths: &[PathBuf], settings: &mut Settings) -> Result<()> {
    let Some(path) = find(paths) else { return Ok(()) };
    let text =
        fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let file: File =
        toml::from_str(&text).with_context(|| format!("{} is not understood", path.display()))?;
    settings.allocators.extend(file.allocators);
    settings.deallocators.extend(file.deallocators);
    let folder = path.parent().unwrap_or(Path::new("."));
    settings.effect_models.extend(file.effect_models.into_iter().map(|p| folder.join(p)));
    let mut extra = file.extra_args;
    extra.append(&mut settings.extra_arguments);
    settings.extra_arguments = extra;
    Ok(())
}

fn find(paths: &[PathBuf]) -> Option<PathBuf> {
    let start = fs::canonicalize(paths.first()?).ok()?;
    let mut folder = if start.is_dir() { Some(start.as_path()) } else { start.parent() };
    while let Some(at) = folder {
        let candidate = at.join("echo.toml");
        if candidate.is_file() {
            return Some(candidate);
        }
        folder = at.parent();
    }
    None
}
