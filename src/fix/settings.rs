//! What the command line and `echo.toml` mean, as one value that workers get too.

use std::path::PathBuf;

use echo_dataflow::target::{MemoryKind, Options, Target};
use serde::{Deserialize, Serialize};

use super::arguments::{Arguments, Conditions, MemoryName, Naming, TargetName};
use super::configuration::Configuration;

/// All that a worker must know.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Settings {
    pub(crate) target: String,
    pub(crate) memory: String,
    pub(crate) min_bytes: u64,
    pub(crate) paper: bool,
    pub(crate) strict_s5: bool,
    pub(crate) compile_commands: Option<PathBuf>,
    pub(crate) cuda_path: Option<PathBuf>,
    pub(crate) libclang: Option<PathBuf>,
    pub(crate) extra_arguments: Vec<String>,
    pub(crate) allocators: Vec<String>,
    pub(crate) deallocators: Vec<String>,
    pub(crate) effect_models: Vec<PathBuf>,
    pub(crate) checks: Vec<String>,
    /// Where precompiled prefixes are kept.
    pub(crate) cache: Option<PathBuf>,
    pub(crate) disabled_checks: Vec<String>,
    pub(crate) rename: bool,
}

impl Settings {
    /// Flags win over the configuration.
    pub(crate) fn new(arguments: &Arguments, configuration: &Configuration) -> Self {
        let target = match arguments.target.or(configuration.target).unwrap_or(TargetName::AnyUma) {
            TargetName::AnyUma => Target::AnyUma,
            TargetName::Orin => Target::Orin,
            TargetName::Xavier => Target::Xavier,
            TargetName::Thor => Target::Thor,
            TargetName::Gb10 => Target::Gb10,
            TargetName::Gh200 => Target::Gh200,
            TargetName::Mi300a => Target::Mi300a,
            TargetName::Dgpu => Target::Dgpu,
        };
        let memory = match arguments.memory.or(configuration.memory).unwrap_or(MemoryName::Managed)
        {
            MemoryName::Managed => MemoryKind::Managed,
            MemoryName::Mapped => MemoryKind::Mapped,
            MemoryName::Registered => MemoryKind::Registered,
            MemoryName::System => MemoryKind::System,
        };
        Self {
            target: super::report::words::target(target).to_owned(),
            memory: super::report::words::memory(memory).to_owned(),
            min_bytes: arguments.min_size.or(configuration.min_size).unwrap_or(200_000),
            paper: arguments.conditions == Conditions::Paper,
            strict_s5: arguments.strict_s5,
            compile_commands: arguments.compile_commands.clone(),
            cuda_path: arguments.cuda_path.clone(),
            libclang: arguments.libclang.clone(),
            // Later arguments win.
            extra_arguments: configuration
                .extra_args
                .iter()
                .chain(&arguments.extra_arg)
                .cloned()
                .collect(),
            allocators: configuration.allocators.clone(),
            deallocators: configuration.deallocators.clone(),
            effect_models: configuration.effect_models.clone(),
            checks: configuration.checks.clone(),
            cache: match (&arguments.cache_dir, arguments.no_cache) {
                (_, true) => None,
                (Some(folder), false) => Some(folder.clone()),
                (None, false) => echo_frontend::prefix::default_folder(),
            },
            #[cfg(feature = "mutations")]
            disabled_checks: arguments.disable_check.clone(),
            #[cfg(not(feature = "mutations"))]
            disabled_checks: Vec::new(),
            rename: arguments.naming == Naming::Rename,
        }
    }

    /// For the analysis.
    pub(crate) fn options(&self) -> Options {
        let target = [
            Target::AnyUma,
            Target::Orin,
            Target::Xavier,
            Target::Thor,
            Target::Gb10,
            Target::Gh200,
            Target::Mi300a,
            Target::Dgpu,
        ]
        .into_iter()
        .find(|t| super::report::words::target(*t) == self.target)
        .unwrap_or_default();
        let memory =
            [MemoryKind::Managed, MemoryKind::Mapped, MemoryKind::Registered, MemoryKind::System]
                .into_iter()
                .find(|m| super::report::words::memory(*m) == self.memory)
                .unwrap_or_default();
        Options {
            target,
            memory,
            paper_conditions: self.paper,
            strict_exclusive_access: self.strict_s5,
            min_bytes: self.min_bytes,
            disabled_checks: self.disabled_checks.clone(),
            rename: self.rename,
        }
    }
}
