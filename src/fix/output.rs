//! Standard output and error.

use std::io::{IsTerminal, Write};

use anyhow::{Context, Result};

/// Writes a message to standard error.
pub(crate) fn say(text: &str) {
    // Nobody is left to tell if standard error is closed.
    let _ = std::io::stderr().write_all(text.as_bytes());
}

/// Writes results to standard output.
///
/// # Errors
/// If they cannot be written, except when the reader has gone (`echo-fix src | head`).
pub(crate) fn print(bytes: &[u8]) -> Result<()> {
    match std::io::stdout().write_all(bytes).and_then(|()| std::io::stdout().flush()) {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        result => result.context("cannot write the result"),
    }
}

/// Whether standard error may be coloured: it is a terminal, and `NO_COLOR` is not set.
pub(crate) fn colored() -> bool {
    std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty())
}

/// A bar on a terminal; nothing elsewhere.
pub(crate) fn progress(count: usize) -> indicatif::ProgressBar {
    if !std::io::stderr().is_terminal() {
        return indicatif::ProgressBar::hidden();
    }
    let bar = indicatif::ProgressBar::new(count as u64);
    if let Ok(style) = indicatif::ProgressStyle::with_template("{bar:30} {pos}/{len} {wide_msg}") {
        bar.set_style(style);
    }
    bar
}
