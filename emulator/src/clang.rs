//! The compiler.

use std::path::PathBuf;
use std::process::Command;

use crate::Error;

/// The compiler's name. The version is pinned: the thunks depend on the text of its IR.
pub const CLANG: &str = "clang++-22";

/// Where the compiler is.
///
/// # Errors
/// [`Error::NoClang`], whose text says what to install.
pub fn find_clang() -> Result<PathBuf, Error> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .map(|folder| folder.join(CLANG))
        .find(|file| file.is_file())
        .ok_or(Error::NoClang)
}

/// Runs clang; its first messages become the error.
pub(crate) fn run(mut command: Command, file: &str) -> Result<(), Error> {
    let output =
        command.output().map_err(|source| Error::Start { program: CLANG.to_owned(), source })?;
    if output.status.success() {
        return Ok(());
    }
    let messages = String::from_utf8_lossy(&output.stderr);
    let messages: String = messages.chars().take(4000).collect();
    Err(Error::Rejected { file: file.to_owned(), messages })
}
