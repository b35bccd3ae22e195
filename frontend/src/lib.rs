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
pub mod prefix;
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
    /// A precompiled prefix for the arguments ([`prefix::Prefix::facts`]), used if it does not change what the file means.
    pub prefix: Option<PathBuf>,
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
    /// What became of the prefix.
    pub prefix: PrefixUse,
}

/// Whether a file was parsed with a precompiled prefix.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PrefixUse {
    /// There was none.
    NotGiven,
    /// It was.
    Used,
    /// It was not, since it might have changed what the file means.
    Refused(String),
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

    pub(crate) fn virtual_files(&self) -> &[(CString, CString)] {
        &self.virtual_files
    }

    /// Parses and lowers one file.
    ///
    /// # Errors
    /// If it cannot be read or clang refuses it; errors *in* it are in [`ParsedUnit::errors`].
    pub fn parse(&self, input: &UnitInput) -> Result<ParsedUnit, ParseError> {
        let mut prefix = PrefixUse::NotGiven;
        if let Some(facts) = &input.prefix {
            match self.parse_prefixed(input, facts) {
                Ok(parsed) => return Ok(parsed),
                Err(why) => prefix = PrefixUse::Refused(why),
            }
        }
        let path = input.path.to_string_lossy();
        let unit = TranslationUnit::parse(&path, &input.arguments, &self.virtual_files)
            .map_err(|e| ParseError::Refused { path: input.path.clone(), why: e.to_string() })?;
        let files = own_files(&unit, input);
        let found = audit::audit(&unit, &files.texts);
        Ok(self.lowered(&unit, files, found, prefix, &input.arguments))
    }

    /// Parses with a prefix; the error says why the file must be parsed without.
    fn parse_prefixed(&self, input: &UnitInput, facts: &Path) -> Result<ParsedUnit, String> {
        let flags = prefix::Flags::of(&input.arguments).ok_or("its flags")?;
        let loaded = prefix::Loaded::read(facts).ok_or("it cannot be read")?;
        if flags.shadow(&loaded.facts.names) {
            return Err("a header of the program has a system header's name".to_owned());
        }
        let mut virtual_files = self.virtual_files.clone();
        if let Some(macros) = flags.macro_file() {
            virtual_files.push(macros);
        }
        let path = input.path.to_string_lossy();
        let unit = TranslationUnit::parse(&path, &flags.with(&loaded.path), &virtual_files)
            .map_err(|why| why.to_string())?;
        if unit.has_errors() {
            return Err("there are errors".to_owned());
        }
        let files = own_files(&unit, input);
        let found = audit::audit(&unit, &files.texts);
        if let Some(why) = prefix::differs(unit.cursor(), &files.texts, &found.mentioned, &loaded) {
            return Err(why.to_string());
        }
        Ok(self.lowered(&unit, files, found, PrefixUse::Used, &input.arguments))
    }

    fn lowered(
        &self,
        unit: &TranslationUnit,
        files: OwnFiles,
        found: audit::Audit,
        prefix: PrefixUse,
        arguments: &[String],
    ) -> ParsedUnit {
        let errors = unit
            .diagnostics()
            .into_iter()
            .filter(|d| d.is_error)
            .map(|d| format!("{}:{}: {}", file_name(d.location.file), d.location.line, d.message))
            .collect();
        let context = lower::Context {
            files: &files.texts,
            in_c: is_language(arguments, "c"),
            allocators: &self.options.allocators,
            deallocators: &self.options.deallocators,
        };
        let mut program = lower::lower(unit.cursor(), &context, &found.lost);
        program.taken_names = found.taken_names;
        // Where nvcc compiles, it has included CUDA's headers before the file can define anything.
        program.per_thread_default_stream =
            !is_language(arguments, "cuda") && defines_per_thread_streams(&files.texts);
        ParsedUnit { program, errors, files: files.names, prefix }
    }
}

/// Whether the file is taken for one in `language`, as `-x` has it.
fn is_language(arguments: &[String], language: &str) -> bool {
    arguments.windows(2).rfind(|pair| pair[0] == "-x").is_some_and(|pair| pair[1] == language)
}

/// Whether the text defines the macro that makes the default stream a thread's own.
fn defines_per_thread_streams(files: &Files) -> bool {
    files.iter().flat_map(|(_, text)| text.directives_named("define")).any(|definition| {
        let definition = definition.trim_ascii_start();
        let value = definition.strip_prefix(b"CUDA_API_PER_THREAD_DEFAULT_STREAM");
        value.is_some_and(|value| !value.first().is_some_and(|b| text_scan::is_identifier(*b)))
    })
}

/// The files of a unit that are not the system's.
struct OwnFiles {
    texts: Files,
    /// Main file first.
    names: Vec<String>,
}

fn own_files(unit: &TranslationUnit, input: &UnitInput) -> OwnFiles {
    let path = input.path.to_string_lossy().into_owned();
    let mut handles = vec![unit.file(&path)];
    for child in unit.cursor().children() {
        let handle = child.name_expansion().file;
        if handle != 0 && !handles.contains(&handle) && !child.in_system_header() {
            handles.push(handle);
        }
    }
    let mut own = OwnFiles { texts: Files::default(), names: Vec::new() };
    for (index, &handle) in handles.iter().enumerate() {
        let name = if index == 0 { path.clone() } else { file_name(handle) };
        let Ok(text) = std::fs::read(&name) else { continue };
        let editable = index == 0 || input.roots.iter().any(|root| within(root, Path::new(&name)));
        own.names.push(name.clone());
        own.texts.insert(handle, text_scan::source_file(name, text, editable));
    }
    own
}

fn within(root: &Path, path: &Path) -> bool {
    match (root.canonicalize(), path.canonicalize()) {
        (Ok(root), Ok(path)) => path.starts_with(root),
        (Ok(_) | Err(_), Ok(_) | Err(_)) => false,
    }
}
