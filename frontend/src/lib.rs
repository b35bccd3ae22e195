//! CUDA and C++ text to the program that `echo-dataflow` analyses.
//!
//! The only crate that names libclang. Parsing needs no CUDA toolkit: the declarations in `headers/` are built in.

pub mod arguments;
mod audit;
mod clang;
pub mod effects;
pub mod headers;
pub mod library;
mod lower;
mod source_text;
mod text_scan;

use std::ffi::CString;
use std::path::{Path, PathBuf};

use echo_dataflow::program::Program;

use clang::{TranslationUnit, file_name};
use source_text::Files;

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
    virtual_files: Vec<(CString, CString)>,
}

/// Why a front end could not be loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// libclang was not found, or is too old.
    #[error(transparent)]
    Library(#[from] library::LibraryError),
    /// A virtual file's name or text holds a NUL byte.
    #[error("a built-in header holds a NUL byte")]
    Nul,
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
            .map(|(name, text)| Ok((CString::new(name.as_str())?, CString::new(text.as_str())?)))
            .collect::<Result<_, std::ffi::NulError>>()
            .map_err(|_| LoadError::Nul)?;
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
        let path = input.path.to_string_lossy().into_owned();
        let unit = TranslationUnit::parse(&path, &input.arguments, &self.virtual_files)
            .map_err(|e| ParseError::Refused { path: input.path.clone(), why: e.to_string() })?;
        let mut handles = vec![unit.file(&path)];
        let mut own = Vec::new();
        for child in unit.cursor().children() {
            let handle = child.name_expansion().file;
            if handle != 0 && !handles.contains(&handle) && !child.in_system_header() {
                handles.push(handle);
            }
        }
        let mut files = Files::default();
        for (index, &handle) in handles.iter().enumerate() {
            let name = if index == 0 { path.clone() } else { file_name(handle) };
            let Ok(text) = std::fs::read(&name) else { continue };
            own.push(name.clone());
            let editable =
                index == 0 || input.roots.iter().any(|root| within(root, Path::new(&name)));
            files.insert(handle, text_scan::source_file(name, text, editable));
        }
        let errors: Vec<String> = unit
            .diagnostics()
            .into_iter()
            .filter(|d| d.is_error)
            .map(|d| format!("{}:{}: {}", file_name(d.location.file), d.location.line, d.message))
            .collect();
        let context = lower::Context {
            files: &files,
            allocators: &self.options.allocators,
            deallocators: &self.options.deallocators,
        };
        let lost = audit::lost_identifiers(&unit, &files);
        let program = lower::lower(unit.cursor(), &context, &lost);
        Ok(ParsedUnit { program, errors, files: own })
    }
}

fn within(root: &Path, path: &Path) -> bool {
    match (root.canonicalize(), path.canonicalize()) {
        (Ok(root), Ok(path)) => path.starts_with(root),
        (Ok(_) | Err(_), Ok(_) | Err(_)) => false,
    }
}
