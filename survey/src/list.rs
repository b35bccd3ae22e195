//! The input: one repository a line.
//!
//! ```text
//! # comment
//! NVIDIA/TensorRT@a892d22267d9cd2dedc1a0893e6892ac901f6d3d inference
//! https://example.org/some/repo.git@0123456789012345678901234567890123456789  robotics
//! ./checkouts/mine  other
//! ```

use std::io::{BufRead, Read};
use std::path::PathBuf;

use thiserror::Error;

/// Where a repository comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// `owner/name` on github.com.
    GitHub {
        /// Account or organisation.
        owner: String,
        /// Repository name.
        name: String,
    },
    /// Anything the git command can fetch from: `https://`, `http://`, `ssh://`, `git://`, `file://`, `user@host:path`.
    Url(String),
    /// A plain folder, a work tree, or a bare repository on this machine.
    Local(PathBuf),
}

/// One line of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Position in the list, from 0; rows keep it, so results of shards merge back into list order.
    pub index: u64,
    /// The repository as written, without commit and domain; the name used in every report.
    pub name: String,
    /// Where it comes from.
    pub origin: Origin,
    /// Full commit hash (40 or 64 hexadecimal digits, lower case), if pinned.
    pub commit: Option<String>,
    /// Domain (free text without white space); groups the rows of the table.
    pub domain: String,
}

/// Longest line of a list (bytes).
const LONGEST_LINE: u64 = 64 << 10;

/// A line that cannot be understood.
#[derive(Debug, Error)]
pub enum ListError {
    /// The file could not be read.
    #[error("cannot read the list")]
    Read(#[from] std::io::Error),
    /// A line is longer than any repository's name, or no text: this is not a list.
    #[error(
        "line {line} is longer than {LONGEST_LINE} bytes or is not UTF-8; is this a list of repositories?"
    )]
    NoText {
        /// 1-based line number.
        line: u64,
    },
    /// The line is none of the three forms.
    #[error(
        "line {line}: `{text}` is neither owner/name[@commit], a git URL, nor an existing path{}",
        hint(.text)
    )]
    Form {
        /// 1-based line number.
        line: u64,
        /// The offending word.
        text: String,
    },
    /// `@` is followed by something else than a full hash. Branches move, so they are no pin.
    #[error(
        "line {line}: `{text}` is not a full commit hash (40 or 64 hexadecimal digits); a branch or tag moves, so it cannot be pinned"
    )]
    Commit {
        /// 1-based line number.
        line: u64,
        /// The offending text.
        text: String,
    },
    /// More than a repository and a domain.
    #[error("line {line}: expected `repository [domain]`, found more words: `{text}`")]
    Words {
        /// 1-based line number.
        line: u64,
        /// The whole line.
        text: String,
    },
}

fn hint(text: &str) -> &'static str {
    if text.starts_with("ext::") || text.contains("::") {
        " (transports that run commands are never used)"
    } else {
        ""
    }
}

/// Reads the list as a stream; a list of any length is never held in memory.
pub fn entries(
    reader: impl BufRead,
    default_domain: &str,
) -> impl Iterator<Item = Result<Entry, ListError>> {
    let mut index = 0;
    let default_domain = default_domain.to_owned();
    lines(reader).zip(1_u64..).filter_map(move |(line, number)| {
        let line = match line {
            Ok(Some(line)) => line,
            Ok(None) => return Some(Err(ListError::NoText { line: number })),
            Err(error) => return Some(Err(error.into())),
        };
        let entry = parse_line(&line, number, index, &default_domain)?;
        if entry.is_ok() {
            index += 1;
        }
        Some(entry)
    })
}

/// Lines; `None` for one that is no text, or too long, after which nothing more is read. An error is the last item.
fn lines(mut reader: impl BufRead) -> impl Iterator<Item = std::io::Result<Option<String>>> {
    let mut over = false;
    std::iter::from_fn(move || {
        if over {
            return None;
        }
        let mut line = Vec::new();
        match (&mut reader).take(LONGEST_LINE + 1).read_until(b'\n', &mut line) {
            Ok(0) => None,
            Ok(_) => {
                over = line.len() as u64 > LONGEST_LINE;
                Some(Ok(String::from_utf8(line).ok().filter(|_| !over)))
            }
            Err(error) => {
                over = true;
                Some(Err(error))
            }
        }
    })
}

fn parse_line(
    line: &str,
    number: u64,
    index: u64,
    default_domain: &str,
) -> Option<Result<Entry, ListError>> {
    let line = line.trim_start_matches('\u{feff}');
    // A `#` inside a word belongs to it (URLs have fragments); a comment starts the line or follows white space.
    let mut words = line.split_whitespace().take_while(|word| !word.starts_with('#'));
    let repository = words.next()?;
    let domain = words.next().unwrap_or(default_domain).to_owned();
    if words.next().is_some() {
        return Some(Err(ListError::Words { line: number, text: line.to_owned() }));
    }
    Some(parse_repository(repository, number).map(|(name, origin, commit)| Entry {
        index,
        name,
        origin,
        commit,
        domain,
    }))
}

type Parsed = (String, Origin, Option<String>);

fn parse_repository(text: &str, line: u64) -> Result<Parsed, ListError> {
    let form = || ListError::Form { line, text: text.to_owned() };
    let local = |path: &str| {
        let expected_path = path.starts_with(['/', '.', '~']);
        (expected_path || PathBuf::from(path).is_dir()).then(|| Origin::Local(PathBuf::from(path)))
    };
    // A path may itself contain `@`, so the whole word is tried first.
    let (name, commit) = match text.rsplit_once('@') {
        Some((name, commit)) if is_hash(commit) => (name, Some(commit.to_ascii_lowercase())),
        Some((name, commit)) if !is_scp(text) && is_github(name) => {
            return Err(ListError::Commit { line, text: commit.to_owned() });
        }
        Some(_) | None => (text, None),
    };
    let origin = if is_url(name) || is_scp(name) {
        Origin::Url(name.to_owned())
    } else if name.starts_with('-') || name.contains("::") {
        return Err(form());
    } else if name.starts_with(['/', '.', '~']) {
        local(name).ok_or_else(form)?
    } else if is_github(name) {
        let (owner, name) = name.split_once('/').ok_or_else(form)?;
        let name = name.strip_suffix(".git").unwrap_or(name);
        Origin::GitHub { owner: owner.to_owned(), name: name.to_owned() }
    } else {
        local(name).ok_or_else(form)?
    };
    Ok((name.to_owned(), origin, commit))
}

fn is_hash(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn is_url(text: &str) -> bool {
    ["https://", "http://", "ssh://", "git://", "file://"].iter().any(|scheme| {
        text.strip_prefix(scheme).is_some_and(|rest| !rest.is_empty() && !rest.starts_with('-'))
    })
}

/// `user@host:path`, git's short form for ssh. A host or user that starts with `-` would be an option to ssh.
fn is_scp(text: &str) -> bool {
    let Some((host, path)) = text.split_once(':') else { return false };
    let Some((user, host)) = host.split_once('@') else { return false };
    !path.is_empty()
        && [user, host].iter().all(|part| {
            !part.is_empty()
                && !part.starts_with('-')
                && part.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-".contains(&b))
        })
}

/// `owner/name` in the characters GitHub allows; `.` and `..` are no names.
fn is_github(text: &str) -> bool {
    let Some((owner, name)) = text.split_once('/') else { return false };
    [owner, name].iter().all(|part| {
        !part.is_empty()
            && !part.starts_with(['-', '.'])
            && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<Result<Entry, ListError>> {
        entries(text.as_bytes(), "unknown").collect()
    }

    #[test]
    fn all_forms() {
        let hash = "0123456789abcdef0123456789abcdef01234567";
        let text = format!(
            "# title\n\nNVIDIA/TensorRT@{hash} inference # note\na/b\nhttps://h.example/x.git@{hash} cv\ngit@h.example:a/b.git\n./x y\n/tmp/a@b\n"
        );
        let entries: Vec<_> = read(&text).into_iter().map(Result::unwrap).collect();
        assert_eq!(entries.len(), 6);
        assert_eq!(entries[0].commit.as_deref(), Some(hash));
        assert_eq!(
            (entries[0].domain.as_str(), entries[1].domain.as_str()),
            ("inference", "unknown")
        );
        assert_eq!(entries[2].origin, Origin::Url("https://h.example/x.git".into()));
        assert_eq!(entries[3].origin, Origin::Url("git@h.example:a/b.git".into()));
        assert_eq!(entries[4].origin, Origin::Local("./x".into()));
        assert_eq!(entries[5].origin, Origin::Local("/tmp/a@b".into()));
        assert_eq!(entries.iter().map(|entry| entry.index).collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5]);
    }

    #[test]
    fn commands_options_and_moving_pins_are_refused() {
        for text in [
            "ext::sh -c x",
            "--upload-pack=x",
            "ssh://-oProxyCommand=x/y",
            "a/b@main",
            "nonsense",
            "a/b c d",
            "-x@h:p",
            "a/../b",
        ] {
            assert!(read(text)[0].is_err(), "{text}");
        }
    }

    #[test]
    fn what_is_no_text_ends_in_an_error_not_in_memory() {
        let endless = std::io::BufReader::new(std::io::repeat(b'x'));
        let read: Vec<_> = entries(endless, "d").collect();
        assert!(matches!(read.as_slice(), [Err(ListError::NoText { line: 1 })]), "{read:?}");
        let read: Vec<_> = entries(&b"o/a\n\xff\xfe\no/b\n"[..], "d").collect();
        assert!(
            matches!(read.as_slice(), [Ok(_), Err(ListError::NoText { line: 2 }), Ok(_)]),
            "{read:?}"
        );
    }
}
