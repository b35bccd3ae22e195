//! Loading libclang and parsing a file.

use std::ffi::CString;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use clang_sys::{
    CXDiagnostic_Error, CXIndex, CXSourceLocation, CXToken_Identifier, CXToken_Keyword,
    CXTranslationUnit, CXTranslationUnit_DetailedPreprocessingRecord,
    CXTranslationUnit_ForSerialization, CXTranslationUnit_Incomplete, CXTranslationUnit_KeepGoing,
    CXUnsavedFile, SharedLibrary,
};

use super::cursor::Cursor;
use super::text;

static LIBRARY: OnceLock<Arc<SharedLibrary>> = OnceLock::new();

/// Why libclang could not be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LoadFailure {
    /// The dynamic loader refused it.
    #[error("{0}")]
    NotLoaded(String),
    /// It lacks a function that is needed: older than LLVM 18.
    #[error("libclang {version} is too old: 18 or later is needed")]
    TooOld {
        /// What it calls itself.
        version: String,
    },
}

/// Loads libclang from `path` (a library file) or from where clang-sys finds one, and makes it current in this thread.
/// Once one is loaded in the process, it stays: later calls only make it current.
pub(crate) fn load(path: Option<&Path>) -> Result<(), LoadFailure> {
    static LOADING: Mutex<()> = Mutex::new(());
    let _one_at_a_time = LOADING.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(library) = LIBRARY.get() {
        clang_sys::set_library(Some(Arc::clone(library)));
        return Ok(());
    }
    if let Some(path) = path {
        // SAFETY: the only writer of the environment in this process, serialised by the lock above and by std's own
        // with all readers in Rust; the C code that reads the environment is libclang, which is not loaded yet.
        unsafe { std::env::set_var("LIBCLANG_PATH", path) };
    }
    let library = Arc::new(clang_sys::load_manually().map_err(LoadFailure::NotLoaded)?);
    clang_sys::set_library(Some(Arc::clone(&library)));
    // The operator functions came with LLVM 17 and 18; `library::load` judges the version number itself.
    if !clang_sys::clang_getCursorBinaryOperatorKind::is_loaded() {
        let version = version();
        clang_sys::set_library(None);
        return Err(LoadFailure::TooOld { version });
    }
    let _ = LIBRARY.set(library);
    Ok(())
}

/// What libclang calls itself.
pub(crate) fn version() -> String {
    // SAFETY: the library is loaded in this thread; the string is owned by us.
    text(unsafe { clang_sys::clang_getClangVersion() })
}

/// Why a file could not be parsed at all.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ParseFailure {
    /// An argument or path holds a NUL byte.
    #[error("a path or argument holds a NUL byte")]
    Nul,
    /// libclang returned no translation unit.
    #[error("libclang returned error {0}")]
    Refused(i32),
}

/// One parsed file.
pub(crate) struct TranslationUnit {
    index: CXIndex,
    raw: CXTranslationUnit,
}

/// A diagnostic of clang.
#[derive(Debug, Clone)]
pub(crate) struct Diagnostic {
    pub(crate) is_error: bool,
    pub(crate) message: String,
    pub(crate) location: Location,
}

/// A byte of a file.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub(crate) struct Location {
    /// Address of clang's file entry: equal iff the same file; 0 for none.
    pub(crate) file: usize,
    /// Byte offset.
    pub(crate) offset: u32,
    /// 1-based line.
    pub(crate) line: u32,
}

impl TranslationUnit {
    /// Parses `path` with `arguments`; `virtual_files` exist only for this parse.
    pub(crate) fn parse(
        path: &str,
        arguments: &[String],
        virtual_files: &[(CString, CString)],
    ) -> Result<Self, ParseFailure> {
        let options = CXTranslationUnit_KeepGoing | CXTranslationUnit_DetailedPreprocessingRecord;
        Self::parse_with(path, arguments, virtual_files, options)
    }

    /// Parses `path` as a prefix of other files, to be [saved](Self::save).
    pub(crate) fn parse_prefix(
        path: &str,
        arguments: &[String],
        virtual_files: &[(CString, CString)],
    ) -> Result<Self, ParseFailure> {
        // Without the record of macros, their uses in the files would be missing from the tree.
        let options = CXTranslationUnit_Incomplete
            | CXTranslationUnit_ForSerialization
            | CXTranslationUnit_DetailedPreprocessingRecord;
        Self::parse_with(path, arguments, virtual_files, options)
    }

    /// Writes the unit to `out`, for `-include-pch`; whether that went well.
    pub(crate) fn save(&self, out: &Path) -> bool {
        let Ok(out) = CString::new(out.as_os_str().as_encoded_bytes()) else { return false };
        // SAFETY: the unit and the path are live.
        unsafe { clang_sys::clang_saveTranslationUnit(self.raw, out.as_ptr(), 0) == 0 }
    }

    fn parse_with(
        path: &str,
        arguments: &[String],
        virtual_files: &[(CString, CString)],
        options: i32,
    ) -> Result<Self, ParseFailure> {
        let file = CString::new(path).map_err(|_| ParseFailure::Nul)?;
        let owned: Vec<CString> = arguments
            .iter()
            .map(|a| CString::new(a.as_str()).map_err(|_| ParseFailure::Nul))
            .collect::<Result<_, _>>()?;
        let pointers: Vec<_> = owned.iter().map(|a| a.as_ptr()).collect();
        let mut unsaved: Vec<CXUnsavedFile> = virtual_files
            .iter()
            .map(|(name, contents)| CXUnsavedFile {
                Filename: name.as_ptr(),
                Contents: contents.as_ptr(),
                Length: u64::try_from(contents.as_bytes().len()).unwrap_or(0),
            })
            .collect();
        // SAFETY: all pointers outlive the call; the counts match; the results are owned by `Self` and freed in `drop`.
        unsafe {
            // What comes from a prefix is not listed among the unit's own.
            let index = clang_sys::clang_createIndex(1, 0);
            let mut raw = std::ptr::null_mut();
            let code = clang_sys::clang_parseTranslationUnit2(
                index,
                file.as_ptr(),
                pointers.as_ptr(),
                i32::try_from(pointers.len()).unwrap_or(0),
                unsaved.as_mut_ptr(),
                u32::try_from(unsaved.len()).unwrap_or(0),
                options,
                &mut raw,
            );
            let unit = Self { index, raw };
            if raw.is_null() { Err(ParseFailure::Refused(code)) } else { Ok(unit) }
        }
    }

    /// The root cursor.
    pub(crate) fn cursor(&self) -> Cursor {
        // SAFETY: `raw` is a live translation unit.
        Cursor::from_raw(unsafe { clang_sys::clang_getTranslationUnitCursor(self.raw) })
    }

    /// All diagnostics.
    pub(crate) fn diagnostics(&self) -> Vec<Diagnostic> {
        // SAFETY: indices are below the count; each diagnostic is disposed of after its last use.
        unsafe {
            let count = clang_sys::clang_getNumDiagnostics(self.raw);
            (0..count)
                .map(|index| {
                    let raw = clang_sys::clang_getDiagnostic(self.raw, index);
                    let diagnostic = Diagnostic {
                        is_error: clang_sys::clang_getDiagnosticSeverity(raw) >= CXDiagnostic_Error,
                        message: text(clang_sys::clang_getDiagnosticSpelling(raw)),
                        location: file_location(clang_sys::clang_getDiagnosticLocation(raw)),
                    };
                    clang_sys::clang_disposeDiagnostic(raw);
                    diagnostic
                })
                .collect()
        }
    }

    /// Identity of the file at `path` in this unit; 0 if it is not part of it.
    pub(crate) fn file(&self, path: &str) -> usize {
        CString::new(path).map_or(0, |path| {
            // SAFETY: `raw` and `path` are live.
            unsafe { clang_sys::clang_getFile(self.raw, path.as_ptr()) as usize }
        })
    }

    /// Whether there is an error.
    pub(crate) fn has_errors(&self) -> bool {
        self.diagnostics().iter().any(|diagnostic| diagnostic.is_error)
    }

    /// Identifier tokens of a file of `length` bytes: offset, line and spelling, in order.
    pub(crate) fn identifiers(&self, file: usize, length: u32) -> Vec<(u32, u32, String)> {
        self.tokens(file, length, |kind| kind == CXToken_Identifier)
    }

    /// Identifiers and keywords of a file of `length` bytes: offset, line and spelling, in order.
    pub(crate) fn words(&self, file: usize, length: u32) -> Vec<(u32, u32, String)> {
        self.tokens(file, length, |kind| kind == CXToken_Identifier || kind == CXToken_Keyword)
    }

    fn tokens(
        &self,
        file: usize,
        length: u32,
        wanted: fn(clang_sys::CXTokenKind) -> bool,
    ) -> Vec<(u32, u32, String)> {
        // SAFETY: `file` was returned by libclang for this unit; the tokens are disposed of after their last use.
        unsafe {
            let handle = file as clang_sys::CXFile;
            let range = clang_sys::clang_getRange(
                clang_sys::clang_getLocationForOffset(self.raw, handle, 0),
                clang_sys::clang_getLocationForOffset(self.raw, handle, length),
            );
            let (mut tokens, mut count) = (std::ptr::null_mut(), 0);
            clang_sys::clang_tokenize(self.raw, range, &mut tokens, &mut count);
            let mut found = Vec::new();
            for index in 0..count {
                let token = *tokens.add(index as usize);
                if wanted(clang_sys::clang_getTokenKind(token)) {
                    let at = spelling_location(clang_sys::clang_getTokenLocation(self.raw, token));
                    found.push((
                        at.offset,
                        at.line,
                        text(clang_sys::clang_getTokenSpelling(self.raw, token)),
                    ));
                }
            }
            clang_sys::clang_disposeTokens(self.raw, tokens, count);
            found
        }
    }

    /// Ranges of a file that the preprocessor skipped.
    pub(crate) fn skipped(&self, file: usize) -> Vec<(u32, u32)> {
        // SAFETY: `file` was returned by libclang for this unit; the list is disposed of after its last use.
        unsafe {
            let list = clang_sys::clang_getSkippedRanges(self.raw, file as clang_sys::CXFile);
            if list.is_null() {
                return Vec::new();
            }
            let ranges = (0..(*list).count)
                .map(|index| {
                    let range = *(*list).ranges.add(index as usize);
                    (
                        spelling_location(clang_sys::clang_getRangeStart(range)).offset,
                        spelling_location(clang_sys::clang_getRangeEnd(range)).offset,
                    )
                })
                .collect();
            clang_sys::clang_disposeSourceRangeList(list);
            ranges
        }
    }
}

impl Drop for TranslationUnit {
    fn drop(&mut self) {
        // SAFETY: both were created by `parse` and are disposed of exactly once, the unit before its index.
        unsafe {
            if !self.raw.is_null() {
                clang_sys::clang_disposeTranslationUnit(self.raw);
            }
            clang_sys::clang_disposeIndex(self.index);
        }
    }
}

/// Where the text of a location was written (for a token of a macro body: in the `#define`).
pub(super) fn spelling_location(location: CXSourceLocation) -> Location {
    let (mut file, mut line, mut column, mut offset) = (std::ptr::null_mut(), 0, 0, 0);
    // SAFETY: the out-pointers are valid.
    unsafe {
        clang_sys::clang_getSpellingLocation(
            location,
            &mut file,
            &mut line,
            &mut column,
            &mut offset,
        );
    }
    Location { file: file as usize, offset, line }
}

/// Where a location was expanded: for anything in a macro, the macro's name.
pub(super) fn expansion_location(location: CXSourceLocation) -> Location {
    let (mut file, mut line, mut column, mut offset) = (std::ptr::null_mut(), 0, 0, 0);
    // SAFETY: the out-pointers are valid.
    unsafe {
        clang_sys::clang_getExpansionLocation(
            location,
            &mut file,
            &mut line,
            &mut column,
            &mut offset,
        );
    }
    Location { file: file as usize, offset, line }
}

fn file_location(location: CXSourceLocation) -> Location {
    expansion_location(location)
}

/// The name of a file by its identity.
pub(crate) fn file_name(file: usize) -> String {
    if file == 0 {
        return String::new();
    }
    // SAFETY: `file` is a file handle of a live unit.
    text(unsafe { clang_sys::clang_getFileName(file as clang_sys::CXFile) })
}
