//! What can go wrong outside the emulated programs.

use std::path::PathBuf;

/// Why a program could not be compiled or started.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The compiler is not installed.
    #[error(
        "no clang++-22; as root: apt-get install clang-22 (Debian's security suite and apt.llvm.org have it)"
    )]
    NoClang,
    /// The libraries that programs load are not where cargo puts them.
    #[error("{0} was not built: build the package echo-emulator with cargo")]
    NoLibrary(String),
    /// clang rejects the program.
    #[error("{file}: {messages}")]
    Rejected {
        /// The source, or what clang was working on.
        file: String,
        /// The first of clang's messages.
        messages: String,
    },
    /// A file cannot be read or written.
    #[error("{path}: {source}")]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A process cannot be started.
    #[error("cannot start {program}: {source}")]
    Start {
        /// Which.
        program: String,
        /// Why.
        source: std::io::Error,
    },
}

impl Error {
    /// For `map_err` on file operations.
    pub(crate) fn file(path: &std::path::Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::File { path, source }
    }
}
