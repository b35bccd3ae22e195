//! What a prefix holds: written beside it when it is built, read before it is used.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::time::UNIX_EPOCH;

use serde::{Deserialize, Serialize};

/// What is known about the headers of a prefix.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Facts {
    /// Name of the precompiled file, in the folder of this one.
    pub(crate) file: String,
    /// Hash of its bytes.
    pub(crate) hash: String,
    /// The headers, as clang names them.
    pub(crate) headers: Vec<Header>,
    /// Which header includes which, by index, whether or not it was read again there.
    pub(crate) includes: Vec<(usize, usize)>,
    /// Headers that every file has: what the built-in declarations consist of and include.
    pub(crate) prelude: Vec<usize>,
    /// The names by which headers are included, sorted.
    pub(crate) names: Vec<String>,
}

/// A header, as it was when the prefix was built.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Header {
    pub(crate) path: String,
    /// Bytes and time of change (nanoseconds since 1970); `None` for a header that exists only in clang's eyes.
    pub(crate) stamp: Option<(u64, u128)>,
}

impl Header {
    pub(crate) fn at(path: String, is_virtual: bool) -> Self {
        let stamp = if is_virtual { None } else { stamp(Path::new(&path)) };
        Self { path, stamp }
    }
}

impl Facts {
    /// Whether all headers are as they were.
    pub(crate) fn are_current(&self) -> bool {
        self.headers.iter().all(|header| match header.stamp {
            None => header.path.starts_with(crate::headers::ROOT),
            Some(then) => stamp(Path::new(&header.path)) == Some(then),
        })
    }

    /// The index of each header by its name.
    pub(crate) fn by_path(&self) -> HashMap<&str, usize> {
        self.headers.iter().enumerate().map(|(index, h)| (h.path.as_str(), index)).collect()
    }
}

fn stamp(path: &Path) -> Option<(u64, u128)> {
    let metadata = std::fs::metadata(path).ok()?;
    let changed = metadata.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    Some((metadata.len(), changed.as_nanos()))
}

/// The words of the headers of a prefix: a macro of such a name, defined before they are read, could change them.
#[derive(Debug, Default)]
pub(crate) struct Words {
    /// Of the standard headers.
    pub(crate) standard: HashSet<String>,
    /// Of the built-in declarations, which only macros of the command line precede.
    pub(crate) built_in: HashSet<String>,
}

impl Words {
    /// One word a line; built-in ones after an empty line.
    pub(crate) fn to_text(&self) -> String {
        let sorted = |words: &HashSet<String>| {
            let mut words: Vec<&str> = words.iter().map(String::as_str).collect();
            words.sort_unstable();
            words.join("\n")
        };
        format!("{}\n\n{}\n", sorted(&self.standard), sorted(&self.built_in))
    }

    /// The opposite of [`Words::to_text`].
    pub(crate) fn of_text(text: &str) -> Option<Self> {
        let (standard, built_in) = text.split_once("\n\n")?;
        let set = |text: &str| text.lines().map(str::to_owned).collect();
        Some(Self { standard: set(standard), built_in: set(built_in) })
    }
}
