//! Rows on disk: an append-only file while the survey runs, sorted into list order at its end.
//!
//! `rows.ndjson.part` receives one line per repository as it finishes. Killed at any moment, it holds every finished
//! row and at most one broken line; `--resume` continues from it. At the end the rows are written in list order to a
//! new file that replaces `rows.ndjson` in one step.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, Permissions};
use std::io::{self, BufRead, BufReader, BufWriter, Seek, SeekFrom, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::list::Entry;
use crate::row::Row;

/// Trouble with row files.
#[derive(Debug, Error)]
pub enum JournalError {
    /// Reading or writing failed.
    #[error("cannot read or write {path}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What happened.
        source: io::Error,
    },
    /// A line is no row.
    #[error("{path}, line {line}: not a row of echo-survey: {message}")]
    Row {
        /// The file.
        path: PathBuf,
        /// 1-based line.
        line: u64,
        /// What the parser said.
        message: String,
    },
    /// Rows made with other options do not belong into one table.
    #[error(
        "{path}: rows were made with other options ({found} instead of {expected}); they are not comparable"
    )]
    Options {
        /// The file.
        path: PathBuf,
        /// Digest found.
        found: String,
        /// Digest expected.
        expected: String,
    },
}

/// Rows of a run in progress.
#[derive(Debug)]
pub struct Journal {
    final_path: PathBuf,
    part_path: PathBuf,
    part: BufWriter<File>,
    /// Rows that need no second scan: position in the list and identity.
    done: BTreeMap<u64, String>,
}

fn io_error(path: &Path) -> impl FnOnce(io::Error) -> JournalError + '_ {
    move |source| JournalError::Io { path: path.to_owned(), source }
}

impl Journal {
    /// Starts a journal for the rows that will end up in `path`. With `resume`, rows of an earlier run with the same
    /// options are kept; skipped repositories are tried again.
    ///
    /// # Errors
    /// [`JournalError`]
    pub fn open(path: &Path, resume: bool, digest: &str) -> Result<Self, JournalError> {
        let mut part_path = path.as_os_str().to_owned();
        part_path.push(".part");
        let part_path = PathBuf::from(part_path);
        let mut done = BTreeMap::new();
        if resume {
            gather(path, &part_path)?;
            load(&part_path, digest, &mut done)?;
        } else if part_path.exists() {
            std::fs::remove_file(&part_path).map_err(io_error(&part_path))?;
        }
        let part = OpenOptions::new()
            .append(true)
            .create(true)
            .open(&part_path)
            .map_err(io_error(&part_path))?;
        Ok(Self { final_path: path.to_owned(), part_path, part: BufWriter::new(part), done })
    }

    /// The entry has a usable row already.
    pub fn has(&self, entry: &Entry) -> bool {
        self.done.get(&entry.index).is_some_and(|identity| *identity == identity_of_entry(entry))
    }

    /// What [`Journal::has`] needs, detached so that another thread can filter while rows are appended.
    pub fn done(&self) -> BTreeMap<u64, String> {
        self.done.clone()
    }

    /// Appends a row and gives it to the operating system at once.
    ///
    /// # Errors
    /// [`JournalError::Io`]
    pub fn append(&mut self, row: &Row) -> Result<(), JournalError> {
        let write = |part: &mut BufWriter<File>| -> io::Result<()> {
            serde_json::to_writer(&mut *part, row)?;
            part.write_all(b"\n")?;
            part.flush()
        };
        write(&mut self.part).map_err(io_error(&self.part_path))
    }

    /// Sorts the rows whose positions are below `listed` and selected by `wanted` into the final file.
    ///
    /// # Errors
    /// [`JournalError`]
    pub fn finish(self, wanted: impl Fn(u64) -> bool) -> Result<PathBuf, JournalError> {
        drop(self.part);
        sort(std::slice::from_ref(&self.part_path), &self.final_path, wanted)?;
        std::fs::remove_file(&self.part_path).map_err(io_error(&self.part_path))?;
        Ok(self.final_path)
    }
}

/// What makes two list entries the same work.
pub fn identity_of_entry(entry: &Entry) -> String {
    match &entry.commit {
        Some(commit) => format!("{}@{commit} {}", entry.name, entry.domain),
        None => format!("{} {}", entry.name, entry.domain),
    }
}

fn identity_of_row(row: &Row) -> String {
    match (&row.commit, row.pinned) {
        (Some(commit), true) => format!("{}@{commit} {}", row.repository, row.domain),
        (Some(_) | None, _) => format!("{} {}", row.repository, row.domain),
    }
}

/// Puts the rows of a finished run under those of an unfinished one.
fn gather(path: &Path, part_path: &Path) -> Result<(), JournalError> {
    if !path.exists() {
        return Ok(());
    }
    if !part_path.exists() {
        return std::fs::copy(path, part_path).map(|_| ()).map_err(io_error(part_path));
    }
    Ok(())
}

/// Reads what is done, and cuts off a line that was being written when the run was killed.
fn load(
    part_path: &Path,
    digest: &str,
    done: &mut BTreeMap<u64, String>,
) -> Result<(), JournalError> {
    let file = match OpenOptions::new().read(true).write(true).open(part_path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(io_error(part_path)(error)),
    };
    let mut reader = BufReader::new(&file);
    let mut line = String::new();
    let mut good = 0;
    loop {
        line.clear();
        let length = reader.read_line(&mut line).map_err(io_error(part_path))?;
        if length == 0 || !line.ends_with('\n') {
            break;
        }
        let Ok(row) = serde_json::from_str::<Row>(&line) else { break };
        if row.options != digest {
            return Err(JournalError::Options {
                path: part_path.to_owned(),
                found: row.options,
                expected: digest.to_owned(),
            });
        }
        good += length as u64;
        if row.is_counted() {
            done.insert(row.index, identity_of_row(&row));
        }
    }
    file.set_len(good).map_err(io_error(part_path))
}

/// A reader of rows in file order.
///
/// # Errors
/// [`JournalError::Io`] when the file cannot be opened.
pub fn read_rows(
    path: &Path,
) -> Result<impl Iterator<Item = Result<Row, JournalError>> + use<>, JournalError> {
    let path = path.to_owned();
    let file = File::open(&path).map_err(io_error(&path))?;
    Ok(BufReader::new(file).lines().zip(1_u64..).filter_map(move |(line, number)| match line {
        Ok(line) if line.trim().is_empty() => None,
        Ok(line) => Some(serde_json::from_str(&line).map_err(|error| JournalError::Row {
            path: path.clone(),
            line: number,
            message: error.to_string(),
        })),
        Err(error) => Some(Err(io_error(&path)(error))),
    }))
}

/// Merges row files (of shards) into one file in list order. Of two rows for one position the later one with numbers
/// wins.
///
/// # Errors
/// [`JournalError`], also when the files were made with different options.
pub fn merge(inputs: &[PathBuf], output: &Path) -> Result<(), JournalError> {
    let mut expected: Option<String> = None;
    for path in inputs {
        for row in read_rows(path)? {
            let found = row?.options;
            match &expected {
                None => expected = Some(found),
                Some(expected) if *expected == found => {}
                Some(expected) => {
                    return Err(JournalError::Options {
                        path: path.clone(),
                        found,
                        expected: expected.clone(),
                    });
                }
            }
        }
    }
    sort(inputs, output, |_| true)
}

/// Where a row lies.
#[derive(Clone, Copy)]
struct Found {
    file: usize,
    offset: u64,
    length: u64,
    counted: bool,
}

/// Writes rows in list order. Only positions are held in memory, some 60 bytes per repository.
fn sort(
    inputs: &[PathBuf],
    output: &Path,
    wanted: impl Fn(u64) -> bool,
) -> Result<(), JournalError> {
    let mut places: BTreeMap<u64, Found> = BTreeMap::new();
    let mut files = Vec::new();
    for (file, path) in inputs.iter().enumerate() {
        let mut reader = BufReader::new(File::open(path).map_err(io_error(path))?);
        let (mut line, mut offset, mut number) = (String::new(), 0, 0);
        loop {
            line.clear();
            let length = reader.read_line(&mut line).map_err(io_error(path))? as u64;
            number += 1;
            if length == 0 {
                break;
            }
            if !line.trim().is_empty() {
                let row: Row = serde_json::from_str(&line).map_err(|error| JournalError::Row {
                    path: path.clone(),
                    line: number,
                    message: error.to_string(),
                })?;
                let found = Found { file, offset, length, counted: row.is_counted() };
                let better = places.get(&row.index).is_none_or(|old| found.counted || !old.counted);
                if better && wanted(row.index) {
                    places.insert(row.index, found);
                }
            }
            offset += length;
        }
        files.push(File::open(path).map_err(io_error(path))?);
    }
    let folder = match output.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        Some(_) | None => Path::new("."),
    };
    let mut sorted = tempfile::Builder::new()
        // As any other file is made: what others may do with it is the user's mask to say.
        .permissions(Permissions::from_mode(0o666))
        .tempfile_in(folder)
        .map_err(io_error(output))?;
    let mut writer = BufWriter::new(&mut sorted);
    for found in places.values() {
        let mut copy = || -> io::Result<()> {
            let source = &mut files[found.file];
            source.seek(SeekFrom::Start(found.offset))?;
            let copied = io::copy(&mut io::Read::take(source, found.length), &mut writer)?;
            if copied == found.length { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
        };
        copy().map_err(io_error(output))?;
    }
    writer.flush().map_err(io_error(output))?;
    drop(writer);
    sorted.persist(output).map_err(|error| io_error(output)(error.error))?;
    Ok(())
}
