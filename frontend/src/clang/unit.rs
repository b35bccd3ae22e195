//! The library, and translation units.

use std::ffi::CString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clang_sys::*;

use super::{Cursor, File, FileKey, Location, Token, token};

/// `clang_visitCXXMethods` (LLVM 21), which clang-sys does not declare yet.
type VisitMethods = unsafe extern "C" fn(CXType, CXFieldVisitor, CXClientData) -> std::ffi::c_uint;

thread_local! {
    static VISIT_METHODS: std::cell::Cell<Option<VisitMethods>> = const { std::cell::Cell::new(None) };
}

/// Calls `clang_visitCXXMethods`; `false` if the library does not have it.
pub(super) fn visit_methods(ty: CXType, visitor: CXFieldVisitor, data: CXClientData) -> bool {
    let Some(visit) = VISIT_METHODS.get() else { return false };
    // SAFETY: the symbol comes from the library that is current on this thread; the caller vouches for `data`.
    unsafe { visit(ty, visitor, data) };
    true
}

/// Loads libclang (the one at `path`, else the one clang-sys finds) and makes it current on this thread. One that an
/// earlier call loaded into the process is used again.
///
/// # Errors
/// What clang-sys says, or that a function is missing.
pub(crate) fn load(path: Option<&Path>) -> Result<(), String> {
    let mut slot = LOADED.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let loaded = match slot.as_ref() {
        Some(loaded) => loaded.clone(),
        None => {
            let loaded = open(path)?;
            if loaded.shared.functions.clang_getCursorBinaryOperatorKind.is_none() {
                return Err("it is older than LLVM 18".to_owned());
            }
            *slot = Some(loaded.clone());
            loaded
        }
    };
    drop(slot);
    set_library(Some(Arc::clone(&loaded.shared)));
    VISIT_METHODS.set(loaded.visit_methods);
    Ok(())
}

/// `clang version 22.1.8 ...` of the library that is current on this thread.
pub(crate) fn version() -> String {
    // SAFETY: callers have loaded the library.
    super::string(unsafe { clang_getClangVersion() })
}

#[derive(Debug, Clone)]
struct Loaded {
    shared: Arc<SharedLibrary>,
    visit_methods: Option<VisitMethods>,
}

static LOADED: std::sync::Mutex<Option<Loaded>> = std::sync::Mutex::new(None);

fn open(path: Option<&Path>) -> Result<Loaded, String> {
    if let Some(path) = path {
        // clang-sys takes a path only from the environment.
        // SAFETY: the only writer of the environment in this process, serialised by the caller's lock and by std's own
        // with all readers in Rust; the C code that reads the environment is libclang, which is not loaded yet.
        unsafe { std::env::set_var("LIBCLANG_PATH", path) };
    }
    let shared = Arc::new(load_manually()?);
    // SAFETY: opening the library a second time runs no initialisers; the handle is leaked, so that the symbol stays
    // valid for as long as the process runs.
    let visit_methods = unsafe {
        libloading::Library::new(shared.path()).ok().and_then(|library| {
            let library: &'static libloading::Library = Box::leak(Box::new(library));
            library.get::<VisitMethods>(b"clang_visitCXXMethods").ok().map(|symbol| *symbol)
        })
    };
    Ok(Loaded { shared, visit_methods })
}

/// How bad a diagnostic is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs, reason = "clang's own levels")]
pub enum Severity {
    Note,
    Warning,
    Error,
    Fatal,
}

/// A message of the compiler.
#[derive(Debug, Clone)]
pub struct Diagnostic {
    /// How bad.
    pub severity: Severity,
    /// The message.
    pub text: String,
    /// File name, if it has a place.
    pub file: Option<String>,
    /// 1-based line, 0 without a place.
    pub line: u32,
    /// Places, as (file, offset): the expansion's and the spelling's.
    pub at: [Option<(FileKey, u32)>; 2],
}

/// A header whose text is not on disk.
#[derive(Debug, Clone)]
pub struct UnsavedFile {
    /// Path it is found under.
    pub path: String,
    /// Its text.
    pub text: Vec<u8>,
}

/// A parsed file with all it includes.
#[derive(Debug)]
pub struct TranslationUnit {
    index: CXIndex,
    raw: CXTranslationUnit,
    path: PathBuf,
}

impl Drop for TranslationUnit {
    fn drop(&mut self) {
        // SAFETY: both were created by `parse`, are not null, and are disposed of once.
        unsafe {
            clang_disposeTranslationUnit(self.raw);
            clang_disposeIndex(self.index);
        }
    }
}

impl TranslationUnit {
    /// Parses `path`. The library must be current on this thread ([`LoadedLibrary::enter`]).
    ///
    /// # Errors
    /// libclang's error code if it gives no unit at all.
    pub fn parse(path: &Path, arguments: &[String], unsaved: &[UnsavedFile]) -> Result<Self, i32> {
        let invalid = CXError_InvalidArguments;
        let file = CString::new(path.as_os_str().as_encoded_bytes()).map_err(|_| invalid)?;
        let arguments: Vec<CString> = arguments
            .iter()
            .map(|a| CString::new(a.as_str()))
            .collect::<Result<_, _>>()
            .map_err(|_| invalid)?;
        let pointers: Vec<_> = arguments.iter().map(|a| a.as_ptr()).collect();
        let names: Vec<CString> = unsaved
            .iter()
            .map(|u| CString::new(u.path.as_str()))
            .collect::<Result<_, _>>()
            .map_err(|_| invalid)?;
        let mut files: Vec<CXUnsavedFile> = unsaved
            .iter()
            .zip(&names)
            .map(|(u, name)| CXUnsavedFile {
                Filename: name.as_ptr(),
                Contents: u.text.as_ptr().cast(),
                Length: u.text.len() as _,
            })
            .collect();
        let options = CXTranslationUnit_KeepGoing | CXTranslationUnit_DetailedPreprocessingRecord;
        let mut raw = std::ptr::null_mut();
        // SAFETY: all pointers are valid for the call and their counts are right; libclang copies what it keeps.
        unsafe {
            let index = clang_createIndex(1, 0);
            let code = clang_parseTranslationUnit2(
                index,
                file.as_ptr(),
                pointers.as_ptr(),
                i32::try_from(pointers.len()).map_err(|_| invalid)?,
                files.as_mut_ptr(),
                u32::try_from(files.len()).map_err(|_| invalid)?,
                options,
                &mut raw,
            );
            if code != CXError_Success || raw.is_null() {
                if !raw.is_null() {
                    clang_disposeTranslationUnit(raw);
                }
                clang_disposeIndex(index);
                return Err(if code == CXError_Success { CXError_Failure } else { code });
            }
            Ok(Self { index, raw, path: path.to_path_buf() })
        }
    }

    pub(super) fn raw(&self) -> CXTranslationUnit {
        self.raw
    }

    /// The file given to [`Self::parse`].
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The root of the syntax tree (null only for a broken unit).
    #[must_use]
    pub fn root(&self) -> Option<Cursor<'_>> {
        // SAFETY: accessor on a live unit.
        Cursor::wrap(unsafe { clang_getTranslationUnitCursor(self.raw) })
    }

    /// The main file.
    #[must_use]
    pub fn main_file(&self) -> Option<File<'_>> {
        let name = CString::new(self.path.as_os_str().as_encoded_bytes()).ok()?;
        // SAFETY: accessor on a live unit with a valid C string.
        File::wrap(unsafe { clang_getFile(self.raw, name.as_ptr()) })
    }

    /// All tokens of a file, unexpanded.
    #[must_use]
    pub fn tokens<'tu>(&'tu self, file: File<'tu>) -> Vec<Token> {
        let length = u32::try_from(file.contents(self).len()).unwrap_or(u32::MAX);
        // SAFETY: accessors on a live unit and its file.
        let range = unsafe {
            clang_getRange(
                clang_getLocationForOffset(self.raw, file.raw, 0),
                clang_getLocationForOffset(self.raw, file.raw, length),
            )
        };
        token::tokens(self, range)
    }

    /// Ranges of `file` that conditional compilation left out, as byte offsets.
    #[must_use]
    pub fn skipped_ranges<'tu>(&'tu self, file: File<'tu>) -> Vec<(u32, u32)> {
        // SAFETY: the list is read within its count and disposed of once.
        unsafe {
            let list = clang_getSkippedRanges(self.raw, file.raw);
            if list.is_null() {
                return Vec::new();
            }
            let ranges = (0..(*list).count as usize)
                .map(|i| {
                    let (start, end) = Location::ends(*(*list).ranges.add(i));
                    (start.spelling().offset, end.spelling().offset)
                })
                .collect();
            clang_disposeSourceRangeList(list);
            ranges
        }
    }

    /// Everything the compiler said.
    #[must_use]
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        // SAFETY: each diagnostic is read and disposed of once; the index is in range.
        unsafe {
            (0..clang_getNumDiagnostics(self.raw))
                .map(|i| {
                    let raw = clang_getDiagnostic(self.raw, i);
                    let location = Location::wrap(clang_getDiagnosticLocation(raw));
                    let expansion = location.expansion();
                    let severity = match clang_getDiagnosticSeverity(raw) {
                        CXDiagnostic_Fatal => Severity::Fatal,
                        CXDiagnostic_Error => Severity::Error,
                        CXDiagnostic_Warning => Severity::Warning,
                        _ => Severity::Note,
                    };
                    let text = super::string(clang_getDiagnosticSpelling(raw));
                    clang_disposeDiagnostic(raw);
                    Diagnostic {
                        severity,
                        text,
                        file: expansion.file.map(File::name),
                        line: expansion.line,
                        at: [expansion.key(), location.spelling().key()],
                    }
                })
                .collect()
        }
    }
}
