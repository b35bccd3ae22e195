//! The journal of `--apply`: lets a run that was killed be finished.
//!
//! 1. The new contents of all files are staged beside them. 2. The journal, which names them, appears in one step, in the
//!    deepest folder that holds all of them. From here on the change will happen. 3. Each staged file takes its place by a
//!    rename. 4. The journal goes away. Each step is on the disk before the next one begins.
//!
//! Killed before 2, every file is old; after 2, each is old or new, and [`finish`] does the rest.

use std::collections::BTreeSet;
use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use super::patch::content_hash;

const NAME: &str = ".echo-fix.journal";

/// Changes that are decided. Paths are relative to the journal's folder, so that the tree may be moved.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Journal {
    entries: Vec<Entry>,
}

/// One file.
#[derive(Debug, Serialize, Deserialize)]
struct Entry {
    path: PathBuf,
    staged: PathBuf,
    old_hash: u64,
    new_hash: u64,
}

/// The journal of an interrupted run that concerns what is in `folders`: in them, or above them.
pub(crate) fn find<'a>(folders: impl IntoIterator<Item = &'a PathBuf>) -> Option<PathBuf> {
    let mut seen = BTreeSet::new();
    for folder in folders {
        let Ok(folder) = fs::canonicalize(folder) else { continue };
        for at in folder.ancestors() {
            if !seen.insert(at.to_owned()) {
                break;
            }
            let journal = at.join(NAME);
            if journal.is_file() {
                return Some(journal);
            }
        }
    }
    None
}

/// Replaces files: all of them, or (on an error) none. `files` are canonical paths with old and new contents.
///
/// # Errors
/// If something cannot be written; then nothing has changed, unless it happened after the decision: then the journal
/// stays, and the next run finishes.
pub(crate) fn replace_all(files: &[(PathBuf, &[u8], &[u8])]) -> Result<()> {
    let Some(folder) = common_folder(files.iter().map(|(path, _, _)| path.as_path())) else {
        return Ok(());
    };
    let mut journal = Journal::default();
    for (path, old, new) in files {
        let staged = staged_path(path)?;
        let relative = |path: &Path| path.strip_prefix(&folder).unwrap_or(path).to_owned();
        journal.entries.push(Entry {
            path: relative(path),
            staged: relative(&staged),
            old_hash: content_hash(old),
            new_hash: content_hash(new),
        });
        if let Err(error) = stage(path, &staged, new) {
            journal.discard(&folder);
            return Err(error
                .context(format!("cannot write beside {}; nothing was changed", path.display())));
        }
    }
    let path = folder.join(NAME);
    let saved = journal.sync_folders(&folder).and_then(|()| journal.save(&folder, &path));
    if let Err(error) = saved {
        journal.discard(&folder);
        return Err(error.context(format!("cannot write {}; nothing was changed", path.display())));
    }
    finish(&path)
}

/// Does what is left of what the journal at `path` says.
///
/// # Errors
/// If a file was changed since, or cannot be replaced.
pub(crate) fn finish(path: &Path) -> Result<()> {
    let text = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let journal: Journal = serde_json::from_slice(&text)
        .with_context(|| format!("{} is not a journal of echo-fix; remove it", path.display()))?;
    let folder = path.parent().context("a journal without a folder")?;
    journal.carry_out(folder, path)?;
    journal.sync_folders(folder)?;
    before_step();
    fs::remove_file(path).with_context(|| format!("cannot remove {}", path.display()))?;
    sync(folder)
}

impl Journal {
    fn save(&self, folder: &Path, path: &Path) -> Result<()> {
        let unfinished = folder.join(format!("{NAME}.new"));
        remove_stale(&unfinished)?;
        before_step();
        let mut file = fs::File::create_new(&unfinished)?;
        let written = file.write_all(&serde_json::to_vec(self)?).and_then(|()| file.sync_all());
        before_step();
        if let Err(error) = written.and_then(|()| fs::rename(&unfinished, path)) {
            let _ = fs::remove_file(&unfinished);
            return Err(error.into());
        }
        sync(folder)
    }

    /// Looks at everything before it changes anything.
    fn carry_out(&self, folder: &Path, journal: &Path) -> Result<()> {
        let mut left = Vec::new();
        for entry in &self.entries {
            let (path, staged) = (folder.join(&entry.path), folder.join(&entry.staged));
            // A repository may bring a journal that this program did not write.
            let inside = fs::canonicalize(path.parent().unwrap_or(folder))
                .is_ok_and(|real| path.parent() == Some(&real) && real.starts_with(folder));
            if !inside || staged_path(&path)? != staged {
                bail!("{} is not a journal of echo-fix; remove it", journal.display());
            }
            let now = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
            let now = content_hash(&now);
            match fs::read(&staged) {
                Ok(new) if now == entry.old_hash && content_hash(&new) == entry.new_hash => {
                    left.push((staged, path));
                }
                // Its rename was done before the run was interrupted.
                Err(error) if error.kind() == ErrorKind::NotFound && now == entry.new_hash => {}
                Ok(_) | Err(_) => bail!(
                    "{} or {} was changed after `--apply` was interrupted: put the files in order, then remove {}",
                    path.display(),
                    staged.display(),
                    journal.display()
                ),
            }
        }
        for (staged, path) in left {
            before_step();
            fs::rename(&staged, &path).with_context(|| {
                format!("cannot replace {}; run again to finish", path.display())
            })?;
        }
        Ok(())
    }

    fn discard(&self, folder: &Path) {
        for entry in &self.entries {
            // What cannot be removed now is overwritten by the next run.
            let _ = fs::remove_file(folder.join(&entry.staged));
        }
    }

    fn sync_folders(&self, folder: &Path) -> Result<()> {
        let folders: BTreeSet<PathBuf> = self
            .entries
            .iter()
            .filter_map(|entry| folder.join(&entry.path).parent().map(Path::to_owned))
            .collect();
        folders.iter().try_for_each(|folder| sync(folder))
    }
}

/// The deepest folder that holds all of `files`.
fn common_folder<'a>(mut files: impl Iterator<Item = &'a Path>) -> Option<PathBuf> {
    let mut common = files.next()?.parent()?.to_owned();
    for file in files {
        while !file.starts_with(&common) {
            common = common.parent()?.to_owned();
        }
    }
    Some(common)
}

/// A rename survives a loss of power once its folder is written.
fn sync(folder: &Path) -> Result<()> {
    match fs::File::open(folder).and_then(|folder| folder.sync_all()) {
        // Some file systems cannot do this for folders.
        Err(error) if matches!(error.kind(), ErrorKind::InvalidInput | ErrorKind::Unsupported) => {
            Ok(())
        }
        result => result.with_context(|| format!("cannot write {}", folder.display())),
    }
}

/// A stale file of an earlier run may be read-only, and must not be followed if it is a link.
fn remove_stale(path: &Path) -> Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error.into()),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// In test builds, kills this process before its n-th step of writing, where `ECHO_FIX_KILL_BEFORE_STEP` is n: so a test
/// can see what is left at each moment.
fn before_step() {
    #[cfg(debug_assertions)]
    {
        use std::sync::atomic::{AtomicUsize, Ordering};
        static STEPS: AtomicUsize = AtomicUsize::new(0);
        let step = STEPS.fetch_add(1, Ordering::Relaxed) + 1;
        let fatal = std::env::var("ECHO_FIX_KILL_BEFORE_STEP").ok();
        if fatal.and_then(|n| n.parse().ok()) == Some(step) {
            let _ = nix::sys::signal::kill(nix::unistd::getpid(), nix::sys::signal::SIGKILL);
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
    remove_stale(staged)?;
    before_step();
    let mut file = fs::File::create_new(staged)?;
    before_step();
    file.write_all(new)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, fchown};
        // Only root may give files away; everybody else owns what he may replace.
        let _ = fchown(&file, Some(metadata.uid()), Some(metadata.gid()));
    }
    file.set_permissions(metadata.permissions())?;
    file.sync_all()?;
    Ok(())
}
