//! Why a repository has no numbers. A closed list, so that reports can count by reason.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The reason, with what was seen.
#[derive(Debug, Clone, PartialEq, Eq, Error, Serialize, Deserialize)]
#[serde(tag = "code", content = "detail", rename_all = "kebab-case")]
pub enum Skip {
    /// The server says there is no such repository (or it is private: servers do not tell the difference).
    #[error("not found, or private: {0}")]
    NotFound(String),
    /// The pinned commit is not there (any more).
    #[error("commit not available: {0}")]
    CommitMissing(String),
    /// The server limits the rate, and kept doing so for all attempts.
    #[error("rate limited: {0}")]
    RateLimited(String),
    /// The network or the server failed in another way, in all attempts.
    #[error("could not fetch: {0}")]
    Network(String),
    /// Nothing in the cache, and the run is offline.
    #[error("not in the cache (offline)")]
    NotCached,
    /// A time limit was reached.
    #[error("timed out: {0}")]
    TimedOut(String),
    /// The download exceeded the size limit.
    #[error("too big: {0}")]
    TooBig(String),
    /// Git could not read the objects.
    #[error("cannot be read: {0}")]
    Corrupt(String),
    /// Reading it would lead outside of it (alternates, links in the git directory).
    #[error("leads outside of itself: {0}")]
    Escapes(String),
    /// The local path does not exist or is no folder.
    #[error("no such folder: {0}")]
    NoFolder(String),
    /// The repository has no commit.
    #[error("empty repository")]
    Empty,
    /// The git command could not be started.
    #[error("cannot run git: {0}")]
    NoGit(String),
    /// The scanner failed: a bug to report.
    #[error("internal failure: {0}")]
    Internal(String),
}

impl Skip {
    /// Short code, as in rows.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotFound(_) => "not-found",
            Self::CommitMissing(_) => "commit-missing",
            Self::RateLimited(_) => "rate-limited",
            Self::Network(_) => "network",
            Self::NotCached => "not-cached",
            Self::TimedOut(_) => "timed-out",
            Self::TooBig(_) => "too-big",
            Self::Corrupt(_) => "corrupt",
            Self::Escapes(_) => "escapes",
            Self::NoFolder(_) => "no-folder",
            Self::Empty => "empty",
            Self::NoGit(_) => "no-git",
            Self::Internal(_) => "internal",
        }
    }
}
