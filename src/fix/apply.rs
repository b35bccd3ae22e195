//! `--apply`: writes changed files so that a kill at any moment leaves each of them old or new.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

/// Writes each file's new text: to a temporary file in the same folder, then by rename.
///
/// # Errors
/// Before anything is written, if a file has changes that git does not know (unless `allow_dirty`), or is a symbolic link
/// out of `roots`. Later, if writing fails: files written so far stay, and running again finishes the job.
pub(crate) fn apply(
    files: &BTreeMap<PathBuf, (Vec<u8>, Vec<u8>)>,
    roots: &[PathBuf],
    allow_dirty: bool,
) -> Result<()> {
    for (path, (old, _)) in files {
        check_place(path, roots)?;
        if !allow_dirty && is_dirty(path) {
            bail!(
                "{} has uncommitted changes: commit them first, or use --allow-dirty",
                path.display()
            );
        }
        let now = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        if now != *old {
            bail!("{} has changed since it was read; run again", path.display());
        }
    }
    for (path, (_, new)) in files {
        replace(path, new)
            .with_context(|| format!("cannot write {}; it was left as it was", path.display()))?;
    }
    Ok(())
}

fn replace(path: &Path, new: &[u8]) -> Result<()> {
    let target = fs::canonicalize(path)?;
    let folder = target.parent().context("a file without a folder")?;
    let mut file = tempfile::Builder::new().prefix(".echo-fix-").tempfile_in(folder)?;
    file.write_all(new)?;
    file.as_file().sync_all()?;
    fs::set_permissions(file.path(), fs::metadata(&target)?.permissions())?;
    file.persist(&target).map_err(|e| e.error)?;
    Ok(())
}

fn check_place(path: &Path, roots: &[PathBuf]) -> Result<()> {
    let real = fs::canonicalize(path).with_context(|| format!("cannot read {}", path.display()))?;
    let inside = roots
        .iter()
        .filter_map(|root| fs::canonicalize(root).ok())
        .any(|root| real.starts_with(root));
    if !inside {
        bail!("{} leads out of the scanned folders; it is not changed", path.display());
    }
    if fs::metadata(&real)?.permissions().readonly() {
        bail!("{} is read-only; nothing was written", path.display());
    }
    Ok(())
}

/// Whether git knows the file and sees changes in it.
fn is_dirty(path: &Path) -> bool {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let Some(name) = path.file_name() else { return false };
    let output = Command::new("git")
        .args(["-c", "core.fsmonitor=false", "status", "--porcelain", "--untracked-files=no", "--"])
        .arg(name)
        .current_dir(folder)
        .output();
    output.is_ok_and(|o| o.status.success() && !o.stdout.is_empty())
}
