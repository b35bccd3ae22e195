//! The plan: JSON, versioned, checked on reading (a plan may have been edited by hand).

use std::io::Write;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::calibrate::{Decision, ProfitRule};
use crate::identity::Context;
use crate::pairing::Candidate;
use crate::rejection::Rejection;
use crate::wire;

/// Version of the plan file.
pub const SCHEMA: u64 = 1;

/// Why a plan cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// The file cannot be read or written.
    #[error("cannot access plan {path}: {source}")]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// Not JSON, or not of this shape.
    #[error("{path} is not an echo-dr plan: {source}")]
    Syntax {
        /// The file.
        path: PathBuf,
        /// What is wrong and where.
        source: serde_json::Error,
    },
    /// Written by a newer echo-dr.
    #[error(
        "{path} has plan version {found}, this echo-dr reads up to {SCHEMA}: update echo-dr, or analyze again"
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u64,
    },
    /// The values contradict each other.
    #[error("{path} cannot be used: {reason}")]
    Invalid {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
}

/// Memory kind of a merged buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Backend {
    /// cudaMallocManaged.
    Managed,
    /// cudaHostAlloc mapped.
    Mapped,
    /// Own pages and cudaHostRegister.
    Registered,
    /// Own pages as they are.
    System,
}

impl Backend {
    /// All kinds, in the order in which they are tried.
    pub const ALL: [Backend; 4] =
        [Backend::Managed, Backend::Mapped, Backend::Registered, Backend::System];

    /// Number in control files.
    pub fn number(self) -> u64 {
        match self {
            Backend::Managed => wire::backend::MANAGED,
            Backend::Mapped => wire::backend::MAPPED,
            Backend::Registered => wire::backend::REGISTERED,
            Backend::System => wire::backend::SYSTEM,
        }
    }

    /// Whether a device with these attribute bits can use the kind.
    pub fn possible(self, attributes: u64) -> bool {
        use wire::attribute;
        let has = |bits: u64| attributes & bits == bits;
        match self {
            Backend::Managed => has(attribute::MANAGED),
            Backend::Mapped => has(attribute::MAP_HOST),
            Backend::Registered => has(attribute::HOST_REGISTER | attribute::HOST_POINTER),
            Backend::System => has(attribute::PAGEABLE),
        }
    }
}

impl std::fmt::Display for Backend {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.pad(match self {
            Backend::Managed => "managed",
            Backend::Mapped => "mapped",
            Backend::Registered => "registered",
            Backend::System => "system",
        })
    }
}

/// One candidate pair and what became of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pair {
    /// Name within the plan.
    pub id: String,
    /// Host allocation site, 16 hexadecimal digits.
    pub host_site: String,
    /// Device allocation site, 16 hexadecimal digits.
    pub device_site: String,
    /// Bytes of each buffer.
    pub bytes: u64,
    /// Copies host to device in the profile run.
    pub uploads: u64,
    /// Copies device to host in the profile run.
    pub downloads: u64,
    /// Uploads need no wait when nothing is unfinished.
    pub upload_clean: bool,
    /// The program waits itself before each download.
    pub download_clean: bool,
    /// The pair is merged by `run`.
    pub merge: bool,
    /// Why not.
    pub rejections: Vec<Refusal>,
}

/// A reason with its origin.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Refusal {
    /// The reason.
    pub code: Rejection,
    /// `paper` or `echo`: whose check it is.
    pub check: String,
    /// In words.
    pub message: String,
}

impl From<Rejection> for Refusal {
    fn from(code: Rejection) -> Refusal {
        let check = if code.in_paper() { "paper" } else { "echo" };
        Refusal { code, check: check.to_owned(), message: code.message().to_owned() }
    }
}

/// Trials of one memory kind.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trial {
    /// The kind.
    pub backend: Backend,
    /// What the trials showed; `None` if the kind failed.
    pub decision: Option<Decision>,
    /// Why it failed or was not tried.
    pub note: Option<String>,
}

/// Result of phase 2, input of phase 3.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// [`SCHEMA`].
    pub schema_version: u64,
    /// `echo-dr`.
    pub tool: String,
    /// Version of echo-dr.
    pub version: String,
    /// `run` merges; otherwise it runs the original.
    pub enabled: bool,
    /// Why, in words.
    pub reason: String,
    /// Memory kind of merged buffers.
    pub backend: Option<Backend>,
    /// Bytes below which buffers are not looked at.
    pub threshold: u64,
    /// What a later run must look like.
    pub context: Context,
    /// All candidate pairs.
    pub pairs: Vec<Pair>,
    /// Guard used in validation: `userfaultfd`, `protection`, or `none`.
    pub guard: String,
    /// Whether two unchanged runs gave equal results, so that merged ones could be compared.
    pub digest: String,
    /// Relative spread of two unchanged runs.
    pub aa_spread: f64,
    /// Rule that decided.
    pub rule: ProfitRule,
    /// Calibration by memory kind.
    pub trials: Vec<Trial>,
}

/// The name a pair has in reports.
pub fn pair_id(index: usize) -> String {
    format!("pair-{}", index + 1)
}

impl Pair {
    /// A pair as the analysis of a trace leaves it.
    pub fn of(index: usize, candidate: &Candidate) -> Pair {
        Pair {
            id: pair_id(index),
            host_site: format!("{:016x}", candidate.host_site),
            device_site: format!("{:016x}", candidate.device_site),
            bytes: candidate.bytes,
            uploads: candidate.uploads,
            downloads: candidate.downloads,
            upload_clean: candidate.upload_clean,
            download_clean: candidate.download_clean,
            merge: candidate.rejections.is_empty(),
            rejections: candidate.rejections.iter().map(|&code| code.into()).collect(),
        }
    }

    /// Rejects the pair, once per reason.
    pub fn reject(&mut self, code: Rejection) {
        self.merge = false;
        if !self.rejections.iter().any(|refusal| refusal.code == code) {
            self.rejections.push(code.into());
        }
    }

    /// The two sites as numbers; `None` if the digits are not hexadecimal.
    pub fn sites(&self) -> Option<(u64, u64)> {
        let number = |text: &str| u64::from_str_radix(text, 16).ok();
        Some((number(&self.host_site)?, number(&self.device_site)?))
    }
}

impl Plan {
    /// Pairs that `run` merges.
    pub fn merged(&self) -> impl Iterator<Item = &Pair> {
        self.pairs.iter().filter(|pair| pair.merge)
    }

    fn check(&self) -> Result<(), String> {
        if self.tool != "echo-dr" {
            return Err(format!("it was written by `{}`", self.tool));
        }
        if self.merged().count() > wire::MAX_RULES {
            return Err(format!("it merges more than {} pairs", wire::MAX_RULES));
        }
        if self.enabled && self.backend.is_none() {
            return Err("it is enabled but names no memory kind".to_owned());
        }
        if self.threshold == 0 {
            return Err("its threshold is 0".to_owned());
        }
        let mut seen = std::collections::BTreeSet::new();
        for pair in &self.pairs {
            let sites = pair
                .sites()
                .ok_or_else(|| format!("{}: a site is not a hexadecimal number", pair.id))?;
            if pair.merge && !pair.rejections.is_empty() {
                return Err(format!("{} is merged although it was rejected", pair.id));
            }
            if pair.merge && (pair.bytes < self.threshold || pair.bytes > isize::MAX as u64) {
                return Err(format!("{}: {} bytes is no size of a candidate", pair.id, pair.bytes));
            }
            if pair.merge
                && !(seen.insert((sites.0, pair.bytes, 0)) && seen.insert((sites.1, pair.bytes, 1)))
            {
                return Err(format!(
                    "{} shares an allocation site with another merged pair",
                    pair.id
                ));
            }
        }
        Ok(())
    }
}

/// Reads and checks a plan.
///
/// # Errors
/// If it cannot be read, is no plan, is newer than this program, or contradicts itself.
pub fn read(path: &Path) -> Result<Plan, PlanError> {
    #[derive(Deserialize)]
    struct Version {
        schema_version: u64,
    }
    let file = |source| PlanError::File { path: path.to_owned(), source };
    let syntax = |source| PlanError::Syntax { path: path.to_owned(), source };
    let text = std::fs::read(path).map_err(file)?;
    let version: Version = serde_json::from_slice(&text).map_err(syntax)?;
    if version.schema_version > SCHEMA {
        return Err(PlanError::Newer { path: path.to_owned(), found: version.schema_version });
    }
    let plan: Plan = serde_json::from_slice(&text).map_err(syntax)?;
    plan.check().map_err(|reason| PlanError::Invalid { path: path.to_owned(), reason })?;
    Ok(plan)
}

/// Writes a plan: to a temporary file in the same folder, then renamed over the old one.
///
/// # Errors
/// If the folder or file cannot be written; the old plan is then untouched.
pub fn write(plan: &Plan, path: &Path) -> Result<(), PlanError> {
    let file = |source| PlanError::File { path: path.to_owned(), source };
    let text = serde_json::to_string_pretty(plan)
        .map_err(|source| PlanError::Syntax { path: path.to_owned(), source })?;
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.tmp", std::process::id()));
    let temporary = path.with_file_name(name);
    let written = std::fs::File::create(&temporary).and_then(|mut out| {
        out.write_all(text.as_bytes())?;
        out.write_all(b"\n")?;
        out.sync_all()
    });
    let done = written.and_then(|()| std::fs::rename(&temporary, path));
    if done.is_err() {
        let _ = std::fs::remove_file(&temporary);
    }
    done.map_err(file)
}
