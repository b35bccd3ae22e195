//! Which files are analysed.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;

/// Files above this size are not read: no source is that large, and a parser would need gigabytes.
const LARGEST: u64 = 64 << 20;

/// What a run works on.
#[derive(Debug, Default)]
pub(crate) struct Discovered {
    /// Units, each once, in order of path. Headers are analysed through the files that include them.
    pub(crate) units: Vec<PathBuf>,
    /// What was passed over, with reasons, for `-v`.
    pub(crate) skipped: Vec<String>,
    /// Sources without anything of CUDA.
    pub(crate) without_cuda: Vec<PathBuf>,
    /// All folders that were looked into.
    pub(crate) folders: BTreeSet<PathBuf>,
}

/// Finds the units below `paths`. `.gitignore` is respected; files named themselves are taken as they are.
///
/// # Errors
/// If one of `paths` does not exist or cannot be read.
pub(crate) fn discover(paths: &[PathBuf], excluded: &[PathBuf]) -> anyhow::Result<Discovered> {
    let mut found = Discovered::default();
    let mut seen = BTreeSet::new();
    let mut cuda = Cuda::default();
    for path in paths {
        let metadata =
            fs::metadata(path).with_context(|| format!("cannot read {}", path.display()))?;
        if !metadata.is_dir() {
            let real = fs::canonicalize(path)
                .with_context(|| format!("cannot read {}", path.display()))?;
            found.folders.extend(real.parent().map(Path::to_owned));
            if seen.insert(real) {
                found.units.push(path.clone());
            }
            continue;
        }
        for entry in ignore::WalkBuilder::new(path).sort_by_file_path(Ord::cmp).build() {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    found.skipped.push(error.to_string());
                    continue;
                }
            };
            let file = entry.path();
            if entry.file_type().is_some_and(|kind| kind.is_dir()) {
                found.folders.insert(file.to_owned());
            }
            // A link to a file counts as that file; links to folders are not followed.
            if !is_source(file) || !file.is_file() {
                continue;
            }
            let Ok(real) = fs::canonicalize(file) else { continue };
            if excluded.iter().any(|folder| real.starts_with(folder)) || !seen.insert(real.clone())
            {
                continue;
            }
            if cuda.concerns(&real) {
                found.units.push(file.to_owned());
            } else {
                found.without_cuda.push(file.to_owned());
            }
        }
    }
    Ok(found)
}

fn is_source(path: &Path) -> bool {
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("");
    matches!(extension, "cu" | "c" | "cc" | "cpp" | "cxx" | "C" | "c++" | "cp" | "CPP" | "CU")
}

/// How a file is named in all output, whatever way leads to it: without links, `.` and `..`, and relative to the working
/// directory, for that is what `git apply` and `patch` take.
pub(crate) fn shown(path: &Path) -> String {
    let Ok(real) = fs::canonicalize(path) else { return path.display().to_string() };
    let here = std::env::current_dir().and_then(fs::canonicalize).unwrap_or_default();
    relative(&real, &here).unwrap_or(real).display().to_string()
}

/// `path` as seen from `folder`, both canonical; `None` if they have nothing in common but the root.
fn relative(path: &Path, folder: &Path) -> Option<PathBuf> {
    let common = folder.ancestors().find(|at| path.starts_with(at))?;
    let up = folder.strip_prefix(common).ok()?.components().count();
    if common.parent().is_none() && up > 0 {
        return None;
    }
    let down = path.strip_prefix(common).ok()?;
    Some(std::iter::repeat_n(Path::new(".."), up).collect::<PathBuf>().join(down))
}

/// Why `path` is not given to a parser, if it is not.
pub(crate) fn unsuitable(path: &Path) -> Option<String> {
    if path.to_str().is_none() {
        return Some("its name is not UTF-8".to_owned());
    }
    match text(path) {
        Err(why) => Some(why),
        Ok(bytes) if bytes.contains(&0) => Some("it is a binary file".to_owned()),
        Ok(_) => None,
    }
}

/// The bytes of a file that may be a source, or why it is none. Never waits, as a pipe would make it.
pub(crate) fn text(path: &Path) -> Result<Vec<u8>, String> {
    let unreadable = |error: std::io::Error| format!("it cannot be read: {error}");
    let metadata = fs::metadata(path).map_err(unreadable)?;
    if !metadata.is_file() {
        return Err("it is not a regular file".to_owned());
    }
    if metadata.len() > LARGEST {
        return Err(format!("it is larger than {} MiB", LARGEST >> 20));
    }
    fs::read(path).map_err(unreadable)
}

/// Which files have to do with CUDA, themselves or through headers beside them.
#[derive(Default)]
struct Cuda {
    known: BTreeMap<PathBuf, bool>,
}

impl Cuda {
    /// `path` must be canonical.
    fn concerns(&mut self, path: &Path) -> bool {
        if let Some(&known) = self.known.get(path) {
            return known;
        }
        // A cycle of headers concerns CUDA if something outside the cycle does.
        self.known.insert(path.to_owned(), false);
        let concerned = path.extension().is_some_and(|e| e == "cu" || e == "CU" || e == "cuh")
            || text(path).is_ok_and(|text| {
                mentions_cuda(&text)
                    || quoted_includes(&text).any(|name| {
                        let beside = path.parent().unwrap_or(Path::new("")).join(name);
                        fs::canonicalize(beside).is_ok_and(|header| self.concerns(&header))
                    })
            });
        self.known.insert(path.to_owned(), concerned);
        concerned
    }
}

fn mentions_cuda(text: &[u8]) -> bool {
    text.windows(4).any(|w| w.eq_ignore_ascii_case(b"cuda")) || text.windows(3).any(|w| w == b"<<<")
}

/// The names in `#include "..."` lines.
pub(crate) fn quoted_includes(text: &[u8]) -> impl Iterator<Item = &str> {
    operands_of_include(text).filter_map(|operand| name_between(operand, b'"', b'"'))
}

/// The names in `#include` lines of both forms.
pub(crate) fn includes(text: &[u8]) -> impl Iterator<Item = &str> {
    operands_of_include(text).filter_map(|operand| {
        name_between(operand, b'"', b'"').or_else(|| name_between(operand, b'<', b'>'))
    })
}

fn operands_of_include(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|b| *b == b'\n').filter_map(|line| {
        let rest = line.trim_ascii_start().strip_prefix(b"#")?.trim_ascii_start();
        Some(rest.strip_prefix(b"include")?.trim_ascii_start())
    })
}

fn name_between(operand: &[u8], opens: u8, closes: u8) -> Option<&str> {
    let rest = operand.strip_prefix(&[opens])?;
    std::str::from_utf8(rest.split(|b| *b == closes).next()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_named_from_the_working_directory() {
        let seen = |path: &str, folder: &str| {
            relative(Path::new(path), Path::new(folder)).map(|path| path.display().to_string())
        };
        assert_eq!(seen("/a/b/c.cu", "/a/b").as_deref(), Some("c.cu"));
        assert_eq!(seen("/a/b/c.cu", "/a/d/e").as_deref(), Some("../../b/c.cu"));
        assert_eq!(seen("/a/c.cu", "/").as_deref(), Some("a/c.cu"));
        assert_eq!(seen("/a/c.cu", "/b"), None);
    }
}
