//! CUDA and C++ text to the program that `echo-dataflow` analyses.
//!
//! The only crate that names libclang or tree-sitter. Parsing needs no CUDA toolkit: the declarations in `headers/` are
//! built in.

pub mod arguments;
mod audit;
mod clang;
pub mod headers;
pub mod library;
mod lower;

use std::path::PathBuf;

use echo_dataflow::program::Program;

use clang::{Severity, TranslationUnit, UnsavedFile};
use lower::{LowerOptions, Session};

/// Settings of a front end, for one process.
#[derive(Debug, Clone, Default)]
pub struct FrontendOptions {
    /// The library to load; found as [`library`] says otherwise.
    pub libclang: Option<PathBuf>,
    /// Names of functions that allocate host memory like `malloc`.
    pub allocators: Vec<String>,
    /// Names of functions that free it.
    pub deallocators: Vec<String>,
    /// Files that exist only for clang, beside [`headers`]: (path, contents).
    pub virtual_files: Vec<(String, String)>,
}

/// A loaded libclang.
#[derive(Debug)]
pub struct Frontend {
    options: FrontendOptions,
    library: library::Library,
    virtual_files: Vec<UnsavedFile>,
}

/// Why a front end could not be loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// libclang was not found, or is too old.
    #[error(transparent)]
    Library(#[from] library::LibraryError),
}

/// One file to parse.
#[derive(Debug, Clone)]
pub struct UnitInput {
    /// The file.
    pub path: PathBuf,
    /// Clang arguments, complete.
    pub arguments: Vec<String>,
    /// Directories whose files may be edited; the main file always may.
    pub roots: Vec<PathBuf>,
}

/// What one file yields.
#[derive(Debug)]
pub struct ParsedUnit {
    /// The lowered program.
    pub program: Program,
    /// Diagnostics of severity error or worse.
    pub errors: Vec<String>,
    /// Files of the unit's own, main file first.
    pub files: Vec<String>,
}

/// Why a file could not be parsed.
#[derive(Debug, thiserror::Error)]
pub enum ParseError {
    /// It cannot be read.
    #[error("cannot read {path}: {source}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// clang gave no tree for it.
    #[error("clang gave up on {path}: {why}")]
    Refused {
        /// The file.
        path: PathBuf,
        /// Why.
        why: String,
    },
}

impl Frontend {
    /// Loads libclang.
    ///
    /// # Errors
    /// If there is none, or it is older than LLVM 18.
    pub fn load(options: FrontendOptions) -> Result<Self, LoadError> {
        let library = library::load(options.libclang.as_deref())?;
        let virtual_files = headers::virtual_files()
            .iter()
            .chain(&options.virtual_files)
            .map(|(path, text)| UnsavedFile { path: path.clone(), text: text.clone().into_bytes() })
            .collect();
        Ok(Self { options, library, virtual_files })
    }

    /// The library in use.
    #[must_use]
    pub fn library(&self) -> &library::Library {
        &self.library
    }

    /// Parses and lowers one file.
    ///
    /// # Errors
    /// If it cannot be read or clang refuses it; errors *in* it are in [`ParsedUnit::errors`].
    pub fn parse(&self, input: &UnitInput) -> Result<ParsedUnit, ParseError> {
        if let Err(source) = std::fs::File::open(&input.path) {
            return Err(ParseError::Unreadable { path: input.path.clone(), source });
        }
        let unit = TranslationUnit::parse(&input.path, &input.arguments, &self.virtual_files)
            .map_err(|code| ParseError::Refused {
                path: input.path.clone(),
                why: format!("libclang error {code}"),
            })?;
        let errors: Vec<String> = unit
            .diagnostics()
            .into_iter()
            .filter(|d| d.severity >= Severity::Error)
            .map(|d| format!("{}:{}: {}", d.file.unwrap_or_default(), d.line, d.text))
            .collect();
        let roots = input.roots.iter().filter_map(|r| r.canonicalize().ok()).collect();
        let options = LowerOptions {
            roots,
            allocators: self.options.allocators.clone(),
            frees: self.options.deallocators.clone(),
        };
        let program = Session::new(&unit, options).run();
        let files = program.files.iter().map(|f| f.path.clone()).collect();
        Ok(ParsedUnit { program, errors, files })
    }
}
