//! `compile_commands.json`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;

/// A compile database, by file.
#[derive(Debug, Clone, Default)]
pub struct Database {
    /// Canonical path where the file exists. A build may compile a file more than once.
    entries: BTreeMap<PathBuf, Vec<Entry>>,
}

/// How one file is compiled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The command's words.
    pub arguments: Vec<String>,
    /// Where it is run.
    pub directory: PathBuf,
}

/// Why a database cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum DatabaseError {
    /// It cannot be read.
    #[error("cannot read {path}: {source}")]
    Unreadable {
        /// The database; where a folder was given, `compile_commands.json` in it.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// It is not a compile database.
    #[error("{path} is not a compile database: {source}")]
    Malformed {
        /// The database.
        path: PathBuf,
        /// What is wrong, with line and column.
        source: serde_json::Error,
    },
}

/// One entry as written. Unknown keys (`output`) are none of our business.
#[derive(Debug, Deserialize)]
struct Written {
    directory: PathBuf,
    file: PathBuf,
    #[serde(default)]
    arguments: Option<Vec<String>>,
    #[serde(default)]
    command: Option<String>,
}

impl Database {
    /// Reads a database; `path` is the file or the folder it is in.
    ///
    /// # Errors
    /// If it cannot be read or is not a compile database.
    pub fn read(path: &Path) -> Result<Self, DatabaseError> {
        let file = if path.is_dir() { path.join("compile_commands.json") } else { path.to_owned() };
        let bytes = std::fs::read(&file)
            .map_err(|source| DatabaseError::Unreadable { path: file.clone(), source })?;
        let written: Vec<Written> = serde_json::from_slice(&bytes)
            .map_err(|source| DatabaseError::Malformed { path: file.clone(), source })?;
        let base = file.parent().unwrap_or(Path::new("")).to_owned();
        let mut entries = BTreeMap::new();
        for one in written {
            let directory = base.join(&one.directory);
            let path = directory.join(&one.file);
            let key = path.canonicalize().unwrap_or(path);
            let words = match (one.arguments, one.command) {
                (Some(arguments), _) => arguments,
                // A command whose quotes do not match is taken by its spaces: half of it is better than none.
                (None, Some(command)) => shlex::split(&command)
                    .unwrap_or_else(|| command.split_whitespace().map(str::to_owned).collect()),
                (None, None) => Vec::new(),
            };
            // The first word is the compiler.
            let arguments = words.into_iter().skip(1).collect();
            let entry = Entry { arguments, directory };
            let of_file: &mut Vec<Entry> = entries.entry(key).or_default();
            if !of_file.contains(&entry) {
                of_file.push(entry);
            }
        }
        Ok(Self { entries })
    }

    /// The ways in which `path` is compiled, as far as the database says, in its order.
    #[must_use]
    pub fn entries(&self, path: &Path) -> &[Entry] {
        let canonical = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        self.entries.get(&canonical).map_or(&[], Vec::as_slice)
    }

    /// All files it names, sorted.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        self.entries.keys().map(PathBuf::as_path)
    }
}

#[cfg(test)]
mod tests {
    use super::{Database, DatabaseError};

    #[test]
    fn both_spellings_of_a_command_are_understood() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.cu"), "").unwrap();
        std::fs::write(folder.path().join("b.cu"), "").unwrap();
        let text = r#"[{"directory": ".", "file": "a.cu", "command": "nvcc -DX='1 2' -c a.cu", "output": "a.o"},
                       {"directory": ".", "file": "./b.cu", "arguments": ["nvcc", "-DY", "b.cu"]}]"#;
        std::fs::write(folder.path().join("compile_commands.json"), text).unwrap();
        let database = Database::read(folder.path()).unwrap();
        let a = database.entries(&folder.path().join("a.cu"));
        assert_eq!(a[0].arguments, ["-DX=1 2", "-c", "a.cu"]);
        let b = database.entries(&folder.path().join("b.cu"));
        assert_eq!(b[0].arguments, ["-DY", "b.cu"]);
        assert!(database.entries(&folder.path().join("c.cu")).is_empty());
    }

    #[test]
    fn a_wrong_database_is_an_error_that_names_it() {
        let folder = tempfile::tempdir().unwrap();
        let missing = Database::read(folder.path()).unwrap_err();
        assert!(matches!(missing, DatabaseError::Unreadable { .. }));
        std::fs::write(folder.path().join("compile_commands.json"), "{\"a\": 1}").unwrap();
        let wrong = Database::read(folder.path()).unwrap_err().to_string();
        assert!(wrong.contains("compile_commands.json") && wrong.contains("line 1"), "{wrong}");
    }
}
