//! `--apply`: writes changed files, after looking whether it may.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

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
        let dirty = dirty(files.iter().map(|(path, _, _)| path.as_path()));
        if !dirty.is_empty() {
            bail!(
                "uncommitted changes in {}: commit them first, or use --allow-dirty",
                dirty.join(", ")
            );
        }
    }
    journal::replace_all(&roots.first_folder()?, &files)
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

    /// Folders in which journals are looked for.
    pub(crate) fn journal_folders(&self) -> Vec<PathBuf> {
        self.given
            .iter()
            .map(|path| if path.is_dir() { path.clone() } else { parent(path).to_owned() })
            .collect()
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

    fn first_folder(&self) -> Result<PathBuf> {
        let folder = self.journal_folders().into_iter().next().context("no path was given")?;
        fs::canonicalize(&folder).with_context(|| format!("cannot read {}", folder.display()))
    }
}

fn parent(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Which of `files` git knows and sees changes in.
fn dirty<'a>(files: impl Iterator<Item = &'a Path>) -> Vec<String> {
    let mut by_folder: BTreeMap<&Path, BTreeSet<&Path>> = BTreeMap::new();
    for file in files {
        by_folder.entry(parent(file)).or_default().insert(file);
    }
    let mut found = Vec::new();
    for (folder, files) in by_folder {
        let output = Command::new("git")
            // No program that the repository's configuration names is run.
            .args([
                "-c",
                "core.fsmonitor=false",
                "status",
                "--porcelain",
                "-z",
                "--untracked-files=no",
                "--",
            ])
            .args(files.iter().filter_map(|file| file.file_name()))
            .current_dir(folder)
            .output();
        if let Ok(output) = output
            && output.status.success()
        {
            let names = output.stdout.split(|b| *b == 0).filter_map(|entry| entry.get(3..));
            found.extend(names.map(|name| String::from_utf8_lossy(name).into_owned()));
        }
    }
    found.sort();
    found
}
