//! `echo.toml`: found in the first path's folder or above.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::ValueEnum;
use serde::{Deserialize, Deserializer};

use super::arguments::{MemoryName, TargetName};

/// What a project says about itself, so that the command line need not.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub(crate) struct Configuration {
    /// As `--target`.
    #[serde(deserialize_with = "name")]
    pub(crate) target: Option<TargetName>,
    /// As `--memory`.
    #[serde(deserialize_with = "name")]
    pub(crate) memory: Option<MemoryName>,
    /// As `--min-size`, in bytes.
    pub(crate) min_size: Option<u64>,
    /// Functions that allocate like `malloc`.
    pub(crate) allocators: Vec<String>,
    /// Functions that free what they allocate.
    pub(crate) deallocators: Vec<String>,
    /// Macros and functions that do nothing with the status they are given but look whether it is an error.
    pub(crate) checks: Vec<String>,
    /// Files with further effect models, relative to this file.
    pub(crate) effect_models: Vec<PathBuf>,
    /// Folders and files that are not analysed, relative to this file.
    pub(crate) exclude: Vec<PathBuf>,
    /// Further arguments for clang.
    pub(crate) extra_args: Vec<String>,
}

/// Reads the configuration for `paths`; all defaults if there is none.
///
/// # Errors
/// If there is one that cannot be read or understood, or that excludes something that does not exist.
pub(crate) fn read(paths: &[PathBuf]) -> Result<Configuration> {
    let Some(path) = find(paths) else { return Ok(Configuration::default()) };
    let text =
        fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut configuration: Configuration =
        toml::from_str(&text).with_context(|| format!("{} is not understood", path.display()))?;
    let folder = path.parent().unwrap_or(Path::new("."));
    for model in &mut configuration.effect_models {
        *model = folder.join(&model);
    }
    for excluded in &mut configuration.exclude {
        *excluded = fs::canonicalize(folder.join(&excluded)).with_context(|| {
            format!("{}: cannot exclude {}", path.display(), excluded.display())
        })?;
    }
    Ok(configuration)
}

fn find(paths: &[PathBuf]) -> Option<PathBuf> {
    let start = fs::canonicalize(paths.first()?).ok()?;
    start.ancestors().map(|at| at.join("echo.toml")).find(|candidate| candidate.is_file())
}

/// A name as the command line takes it.
fn name<'de, D: Deserializer<'de>, T: ValueEnum>(deserializer: D) -> Result<Option<T>, D::Error> {
    let text = String::deserialize(deserializer)?;
    T::from_str(&text, false).map(Some).map_err(|_| {
        let known: Vec<String> = T::value_variants()
            .iter()
            .filter_map(|value| Some(value.to_possible_value()?.get_name().to_owned()))
            .collect();
        serde::de::Error::custom(format!("`{text}` is not one of {}", known.join(", ")))
    })
}
