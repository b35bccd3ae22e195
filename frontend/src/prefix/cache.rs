//! Where prefixes are kept between runs.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use super::build::{BuildError, INSTANTIATE, build};
use super::facts::{Facts, Words};
use super::{Flags, STANDARD};
use crate::Frontend;

/// Most prefixes that are kept; each has some 15 MB.
const KEPT: usize = 24;

/// A folder of prefixes.
///
/// `<key>.json` says which file is the prefix for a set of flags and what it holds; `<key>-<hash>.pch` is that file and
/// `<key>-<hash>.words` the words of its headers. The key stands for the flags, the versions of clang, of this crate and of
/// the standard libraries that are installed, and the text of the built-in headers. Files are written under other names
/// first, so that readers see whole ones.
#[derive(Debug, Clone)]
pub struct Cache {
    folder: PathBuf,
}

/// A prefix that was found to be whole and current.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prefix {
    /// Its description, for [`crate::UnitInput::prefix`].
    pub facts: PathBuf,
}

/// Where prefixes are kept unless the user says otherwise: `echo` in the user's cache folder; `None` without a home.
#[must_use]
pub fn default_folder() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    set("XDG_CACHE_HOME")
        .filter(|cache| cache.is_absolute())
        .map(|cache| cache.join("echo"))
        .or_else(|| set("HOME").map(|home| home.join(".cache/echo")))
}

impl Cache {
    /// The prefixes in `folder`, which need not exist.
    #[must_use]
    pub fn at(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// The prefix for these flags, if there is one whose bytes are those that were written and whose headers are as they
    /// were then.
    #[must_use]
    pub fn find(&self, frontend: &Frontend, flags: &Flags) -> Option<Prefix> {
        let facts = self.facts_path(key(frontend, flags));
        let known = Loaded::read(&facts)?;
        let bytes = std::fs::read(&known.path).ok()?;
        (hash_of(&bytes) == known.facts.hash && known.facts.are_current())
            .then_some(Prefix { facts })
    }

    /// Builds and keeps the prefix for these flags, and removes the oldest beyond a fixed number.
    ///
    /// # Errors
    /// If clang finds errors in the standard headers, or the folder cannot be written.
    pub fn build(&self, frontend: &Frontend, flags: &Flags) -> Result<Prefix, BuildError> {
        let key = key(frontend, flags);
        let file = |path: &Path| {
            let path = path.to_owned();
            move |source| BuildError::File { path, source }
        };
        std::fs::create_dir_all(&self.folder).map_err(file(&self.folder))?;
        let unfinished = self.folder.join(format!("{key:016x}.{}.unfinished", std::process::id()));
        let built = build(&flags.common, frontend.virtual_files(), &unfinished).and_then(
            |(mut facts, words)| {
                let bytes = std::fs::read(&unfinished).map_err(file(&unfinished))?;
                facts.hash = hash_of(&bytes);
                facts.file = format!("{key:016x}-{}.pch", facts.hash);
                let place = self.folder.join(&facts.file);
                write_whole(&words_path(&place), words.to_text().as_bytes())?;
                std::fs::rename(&unfinished, &place).map_err(file(&place))?;
                let path = self.facts_path(key);
                let text =
                    serde_json::to_vec(&facts).map_err(|e| BuildError::Parse(e.to_string()))?;
                write_whole(&path, &text)?;
                Ok(Prefix { facts: path })
            },
        );
        if built.is_err() {
            // It may not even have been begun.
            let _ = std::fs::remove_file(&unfinished);
        }
        self.remove_oldest();
        built
    }

    fn facts_path(&self, key: u64) -> PathBuf {
        self.folder.join(format!("{key:016x}.json"))
    }

    /// Removes what is beyond [`KEPT`] prefixes; files of others in the folder are left alone.
    fn remove_oldest(&self) {
        let Ok(entries) = std::fs::read_dir(&self.folder) else { return };
        let mut prefixes: Vec<_> = entries
            .flatten()
            .filter(|entry| Path::new(&entry.file_name()).extension().is_some_and(|e| e == "pch"))
            .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
            .collect();
        prefixes.sort();
        let beyond = prefixes.len().saturating_sub(KEPT);
        for (_, path) in prefixes.into_iter().take(beyond) {
            // Another run may remove it at the same time.
            let _ = std::fs::remove_file(words_path(&path));
            let _ = std::fs::remove_file(path);
        }
    }
}

/// A prefix as a file is parsed with it.
pub(crate) struct Loaded {
    /// The precompiled file.
    pub(crate) path: PathBuf,
    pub(crate) facts: Facts,
}

impl Loaded {
    /// Reads a description. The prefix must be one of ours, in the same folder.
    pub(crate) fn read(facts: &Path) -> Option<Self> {
        let folder = facts.parent()?;
        let key = facts.file_stem()?.to_str()?;
        let facts: Facts = serde_json::from_slice(&std::fs::read(facts).ok()?).ok()?;
        let ours = facts.file == format!("{key}-{}.pch", facts.hash) && !facts.hash.contains('/');
        ours.then(|| Self { path: folder.join(&facts.file), facts })
    }

    /// The words of its headers.
    pub(crate) fn words(&self) -> Option<Words> {
        Words::of_text(&std::fs::read_to_string(words_path(&self.path)).ok()?)
    }
}

fn words_path(prefix: &Path) -> PathBuf {
    prefix.with_extension("words")
}

fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), BuildError> {
    let unfinished = path.with_extension(format!("{}.unfinished", std::process::id()));
    std::fs::write(&unfinished, bytes)
        .and_then(|()| std::fs::rename(&unfinished, path))
        .map_err(|source| BuildError::File { path: path.to_owned(), source })
}

fn hash_of(bytes: &[u8]) -> String {
    let mut hasher = DefaultHasher::new();
    hasher.write(bytes);
    format!("{:016x}", hasher.finish())
}

fn key(frontend: &Frontend, flags: &Flags) -> u64 {
    let mut hasher = DefaultHasher::new();
    (env!("CARGO_PKG_VERSION"), STANDARD, INSTANTIATE, &flags.common).hash(&mut hasher);
    (&frontend.library().version, &frontend.library().path).hash(&mut hasher);
    frontend.virtual_files().hash(&mut hasher);
    compilers().hash(&mut hasher);
    hasher.finish()
}

/// The installed versions of the standard library: clang takes the headers of the newest.
fn compilers() -> Vec<PathBuf> {
    let entries = |folder: &Path| -> Vec<PathBuf> {
        let found = std::fs::read_dir(folder).into_iter().flatten().flatten();
        found.map(|entry| entry.path()).collect()
    };
    let mut found = entries(Path::new("/usr/include/c++"));
    found.extend(entries(Path::new("/usr/lib/gcc")).iter().flat_map(|target| entries(target)));
    found.sort();
    found
}
