//! Golden patches and reports: `tests/golden/<condition>/<fixture>.patch` and `.stderr`; no file means no output.

use std::fs;
use std::path::{Path, PathBuf};

use libtest_mimic::Failed;
use similar::TextDiff;

use crate::markers::Configuration;
use crate::tool::Text;

/// Fails if patch or report differ from the golden ones; writes them if `ECHO_BLESS` is set.
pub fn compare(fixture: &Path, found: &Text) -> Result<(), Failed> {
    compare_files(fixture, &[("patch", &found.patch), ("stderr", &found.report)])
}

/// The same for the patch in a configuration of its own: `<fixture>.<configuration>.patch`.
pub fn compare_patch(
    fixture: &Path,
    configuration: &Configuration,
    patch: &[u8],
) -> Result<(), Failed> {
    compare_files(fixture, &[(&format!("{configuration}.patch"), patch)])
}

fn compare_files(fixture: &Path, files: &[(&str, &[u8])]) -> Result<(), Failed> {
    let bless =
        std::env::var_os("ECHO_BLESS").is_some_and(|value| !value.is_empty() && value != "0");
    let mut wrong = String::new();
    for &(extension, found) in files {
        let path = path_of(fixture, extension);
        let golden = if path.exists() { fs::read(&path)? } else { Vec::new() };
        if golden == found {
            continue;
        }
        if bless {
            write(&path, found)?;
            continue;
        }
        let (old, new) = (String::from_utf8_lossy(&golden), String::from_utf8_lossy(found));
        let diff = TextDiff::from_lines(&old, &new);
        let shown = path.display().to_string();
        wrong += &diff.unified_diff().header(&shown, "this run").to_string();
    }
    if wrong.is_empty() {
        Ok(())
    } else {
        Err(format!("{wrong}\nif this is right, read it and run again with ECHO_BLESS=1").into())
    }
}

fn path_of(fixture: &Path, extension: &str) -> PathBuf {
    let name = fixture.strip_prefix("corpus").expect("below corpus").with_extension(extension);
    Path::new("tests/golden").join(name)
}

fn write(path: &Path, contents: &[u8]) -> std::io::Result<()> {
    if contents.is_empty() {
        return fs::remove_file(path);
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, contents)
}
