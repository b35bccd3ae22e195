//! `--apply`: writes changed files, after looking whether it may.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, Result, anyhow, bail};
use signal_hook::consts::SIGXFSZ;

use super::journal;
use super::patch::Patch;

/// Writes each file's new text; a kill at any moment leaves each of them old or new ([`journal`]).
///
/// # Errors
/// Before anything is written, if a file has changes that git does not know (unless `allow_dirty`), is read-only, or is
/// reached through a symbolic link out of `roots`; or if writing fails.
pub(crate) fn apply(patch: &Patch, roots: &Roots, allow_dirty: bool) -> Result<()> {
    let mut files = Vec::new();
    for (path, (old, new)) in &patch.files {
        let real =
            fs::canonicalize(path).with_context(|| format!("cannot read {}", path.display()))?;
        if !roots.contain(&real) {
            bail!("{} leads out of the scanned folders; nothing was changed", path.display());
        }
        if fs::metadata(&real)?.permissions().readonly() {
            bail!("{} is read-only; nothing was changed", path.display());
        }
        files.push((real, old.as_slice(), new.as_slice()));
    }
    if !allow_dirty {
        let dirty = dirty(files.iter().map(|(path, _, _)| path.as_path()))?;
        if !dirty.is_empty() {
            bail!(
                "uncommitted changes in {}: commit them first, or use --allow-dirty",
                dirty.join(", ")
            );
        }
    }
    // Where file sizes are limited, a file that grows too large must be an error like a full disk, not the end.
    let ignored = Arc::new(AtomicBool::new(false));
    signal_hook::flag::register(SIGXFSZ, ignored).context("cannot handle signals")?;
    journal::replace_all(&files)
}

/// What may be edited: everything below the folders given, and the files given.
#[derive(Debug)]
pub(crate) struct Roots {
    given: Vec<PathBuf>,
}

impl Roots {
    /// Of the command line's paths.
    pub(crate) fn new(paths: &[PathBuf]) -> Self {
        Self { given: paths.to_vec() }
    }

    /// The folders among them: headers below them may be edited.
    pub(crate) fn folders(&self) -> Vec<PathBuf> {
        self.given.iter().filter(|path| path.is_dir()).cloned().collect()
    }

    fn contain(&self, real: &Path) -> bool {
        self.given
            .iter()
            .filter_map(|root| {
                // A file that is itself a link is not the user's way of naming another folder.
                let is_file_link =
                    fs::symlink_metadata(root).is_ok_and(|m| m.is_symlink()) && root.is_file();
                if is_file_link {
                    Some(fs::canonicalize(parent(root)).ok()?.join(root.file_name()?))
                } else {
                    fs::canonicalize(root).ok()
                }
            })
            .any(|root| real.starts_with(root))
    }
}

fn parent(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Which of `files` git knows and sees changes in.
///
/// # Errors
/// If they are in a repository of git that git says nothing about.
fn dirty<'a>(files: impl Iterator<Item = &'a Path>) -> Result<Vec<String>> {
    let mut by_folder: BTreeMap<&Path, BTreeSet<&Path>> = BTreeMap::new();
    for file in files {
        by_folder.entry(parent(file)).or_default().insert(file);
    }
    let mut found = Vec::new();
    for (folder, files) in by_folder {
        if !folder.ancestors().any(|at| at.join(".git").exists()) {
            continue;
        }
        let cannot = || format!("cannot ask git about {}: use --allow-dirty", folder.display());
        let output = Command::new("git")
            // No program that the repository's configuration names is run.
            .args([
                "--literal-pathspecs",
                "-c",
                "core.fsmonitor=false",
                "status",
                "--porcelain",
                "-z",
            ])
            .args(["--untracked-files=no", "--"])
            .args(files.iter().filter_map(|file| file.file_name()))
            .current_dir(folder)
            .output()
            .with_context(cannot)?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
            return Err(anyhow!(said).context(cannot()));
        }
        let names = output.stdout.split(|b| *b == 0).filter_map(|entry| entry.get(3..));
        found.extend(names.map(|name| String::from_utf8_lossy(name).into_owned()));
    }
    found.sort();
    Ok(found)
}
