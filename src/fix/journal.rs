//! The journal of `--apply`: lets a run that was killed be finished.
//!
//! 1. The new contents of all files are staged beside them. 2. The journal, which names them, appears in one step. From
//!    here on the change will happen. 3. Each staged file takes its place by a rename. 4. The journal goes away.
//!
//! Killed before 2, every file is old; after 2, each is old or new, and [`finish`] does the rest.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use super::patch::content_hash;

const NAME: &str = ".echo-fix.journal";

/// Changes that are decided.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Journal {
    entries: Vec<Entry>,
}

/// One file.
#[derive(Debug, Serialize, Deserialize)]
struct Entry {
    path: PathBuf,
    staged: PathBuf,
    old_hash: u64,
}

/// The journal of an interrupted run in `folders` or above them.
pub(crate) fn find(folders: &[PathBuf]) -> Option<PathBuf> {
    folders.iter().filter_map(|folder| fs::canonicalize(folder).ok()).find_map(|folder| {
        folder.ancestors().map(|at| at.join(NAME)).find(|journal| journal.is_file())
    })
}

/// Replaces files: all of them, or (on an error) none. `files` are canonical paths with old and new contents; `folder`
/// is where a later run will look for the journal.
///
/// # Errors
/// If something cannot be written; then nothing has changed, unless it happened after the decision: then the journal
/// stays, and the next run finishes.
pub(crate) fn replace_all(folder: &Path, files: &[(PathBuf, &[u8], &[u8])]) -> Result<()> {
    let mut journal = Journal { entries: Vec::new() };
    for (path, old, new) in files {
        let staged = staged_path(path)?;
        let entry = Entry { path: path.clone(), staged, old_hash: content_hash(old) };
        let written = stage(path, &entry.staged, new);
        journal.entries.push(entry);
        if let Err(error) = written {
            journal.discard();
            return Err(error
                .context(format!("cannot write beside {}; nothing was changed", path.display())));
        }
    }
    let path = folder.join(NAME);
    if let Err(error) = journal.save(folder, &path) {
        journal.discard();
        return Err(error.context(format!("cannot write {}; nothing was changed", path.display())));
    }
    journal.carry_out()?;
    fs::remove_file(&path).with_context(|| format!("cannot remove {}", path.display()))
}

/// Finishes what the journal at `path` says.
///
/// # Errors
/// If a file was changed since, or cannot be replaced.
pub(crate) fn finish(path: &Path) -> Result<()> {
    let text = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let journal: Journal = serde_json::from_slice(&text)
        .with_context(|| format!("{} is not a journal of echo-fix; remove it", path.display()))?;
    journal.carry_out()?;
    fs::remove_file(path).with_context(|| format!("cannot remove {}", path.display()))
}

impl Journal {
    fn save(&self, folder: &Path, path: &Path) -> Result<()> {
        let mut file = tempfile::Builder::new().prefix(".echo-fix-").tempfile_in(folder)?;
        file.write_all(&serde_json::to_vec(self)?)?;
        file.as_file().sync_all()?;
        file.persist(path).map_err(|error| error.error)?;
        Ok(())
    }

    fn carry_out(&self) -> Result<()> {
        for entry in &self.entries {
            if !entry.staged.exists() {
                // Its rename was done before the run was interrupted.
                continue;
            }
            let now = fs::read(&entry.path)
                .with_context(|| format!("cannot read {}", entry.path.display()))?;
            if content_hash(&now) != entry.old_hash {
                bail!(
                    "{} was changed after an interrupted --apply; its new contents are in {}",
                    entry.path.display(),
                    entry.staged.display()
                );
            }
            fs::rename(&entry.staged, &entry.path).with_context(|| {
                format!("cannot replace {}; run again to finish", entry.path.display())
            })?;
        }
        Ok(())
    }

    fn discard(&self) {
        for entry in &self.entries {
            // What cannot be removed now is overwritten by the next run.
            let _ = fs::remove_file(&entry.staged);
        }
    }
}

/// In the same folder, so that the rename stays within one file system; always the same, so that nothing piles up.
fn staged_path(path: &Path) -> Result<PathBuf> {
    let name = path.file_name().context("a file without a name")?;
    let mut staged = std::ffi::OsString::from(".");
    staged.push(name);
    staged.push(".echo-fix-new");
    Ok(path.with_file_name(staged))
}

fn stage(path: &Path, staged: &Path, new: &[u8]) -> Result<()> {
    let metadata = fs::metadata(path)?;
    // A stale one may be read-only, and must not be followed if it is a link.
    match fs::remove_file(staged) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error.into()),
        Ok(()) | Err(_) => {}
    }
    let mut file = fs::File::create_new(staged)?;
    file.write_all(new)?;
    file.set_permissions(metadata.permissions())?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, fchown};
        // Only root may give files away; everybody else owns what he may replace.
        let _ = fchown(&file, Some(metadata.uid()), Some(metadata.gid()));
    }
    file.sync_all()?;
    Ok(())
}
