//! Where the preloaded object is.

use std::path::PathBuf;

use anyhow::{Context, bail};

/// File name of the object as cargo builds it.
const NAME: &str = "libecho_preload.so";

/// Finds the object: `ECHO_DR_PRELOAD`, beside this program, in `../lib`, or in cargo's folders.
pub(crate) fn object() -> anyhow::Result<PathBuf> {
    if let Some(path) = std::env::var_os("ECHO_DR_PRELOAD") {
        let path = PathBuf::from(path);
        return path.canonicalize().with_context(|| format!("ECHO_DR_PRELOAD={}", path.display()));
    }
    let own = std::env::current_exe().context("cannot find this program's own file")?;
    let folder = own.parent().context("this program has no folder")?;
    let places = [
        folder.join("deps").join(NAME), // first: cargo's own folder may hold an older one beside it
        folder.join(NAME),
        folder.join("../lib").join(NAME),
        folder.join("../lib/echo").join(NAME),
        folder.join("..").join(NAME),
    ];
    match places.iter().find(|place| place.is_file()) {
        Some(place) => Ok(place.canonicalize()?),
        None => bail!(
            "{NAME} is not installed beside echo-dr (looked in {}); set ECHO_DR_PRELOAD to its path",
            folder.display()
        ),
    }
}
