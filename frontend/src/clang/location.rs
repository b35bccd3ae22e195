//! Source locations and ranges.

use std::ffi::CStr;
use std::marker::PhantomData;

use clang_sys::{
    CXFile, CXSourceLocation, CXSourceRange, clang_File_isEqual, clang_Location_isInSystemHeader,
    clang_getExpansionLocation, clang_getFileLocation, clang_getFileName, clang_getRangeEnd,
    clang_getRangeStart, clang_getSpellingLocation,
};

use super::TranslationUnit;

/// A file of a translation unit.
#[derive(Debug, Clone, Copy)]
pub struct File<'tu> {
    pub(super) raw: CXFile,
    pub(super) unit: PhantomData<&'tu TranslationUnit>,
}

/// Identity of a [`File`] within its unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FileKey(usize);

impl<'tu> File<'tu> {
    pub(super) fn wrap(raw: CXFile) -> Option<Self> {
        (!raw.is_null()).then_some(Self { raw, unit: PhantomData })
    }

    /// Identity, cheap to compare.
    #[must_use]
    pub fn key(self) -> FileKey {
        FileKey(self.raw as usize)
    }

    /// Whether both are the same file, also if opened under two names.
    #[must_use]
    pub fn same(self, other: File<'tu>) -> bool {
        // SAFETY: both handles belong to live units (lifetime).
        unsafe { clang_File_isEqual(self.raw, other.raw) != 0 }
    }

    /// Name as it was opened.
    #[must_use]
    pub fn name(self) -> String {
        // SAFETY: the handle belongs to a live unit (lifetime).
        super::string(unsafe { clang_getFileName(self.raw) })
    }

    /// The bytes libclang read.
    #[must_use]
    pub fn contents(self, unit: &'tu TranslationUnit) -> &'tu [u8] {
        let mut size = 0;
        // SAFETY: the buffer lives as long as the unit, and libclang reports its length.
        unsafe {
            let text = clang_sys::clang_getFileContents(unit.raw(), self.raw, &mut size);
            if text.is_null() {
                &[]
            } else {
                std::slice::from_raw_parts(CStr::from_ptr(text).as_ptr().cast(), size)
            }
        }
    }
}

/// A location, possibly inside a macro expansion.
#[derive(Debug, Clone, Copy)]
pub struct Location<'tu> {
    pub(super) raw: CXSourceLocation,
    pub(super) unit: PhantomData<&'tu TranslationUnit>,
}

/// A byte of a file.
#[derive(Debug, Clone, Copy)]
pub struct Position<'tu> {
    /// The file; `None` for built-in text and scratch space (`##`).
    pub file: Option<File<'tu>>,
    /// Byte offset from the file's start.
    pub offset: u32,
    /// 1-based line.
    pub line: u32,
}

impl Position<'_> {
    /// File identity and offset; `None` for built-in text.
    #[must_use]
    pub fn key(&self) -> Option<(FileKey, u32)> {
        self.file.map(|f| (f.key(), self.offset))
    }
}

type Resolver = unsafe fn(
    CXSourceLocation,
    *mut CXFile,
    *mut std::ffi::c_uint,
    *mut std::ffi::c_uint,
    *mut std::ffi::c_uint,
);

impl<'tu> Location<'tu> {
    pub(super) fn wrap(raw: CXSourceLocation) -> Self {
        Self { raw, unit: PhantomData }
    }

    pub(super) fn ends(range: CXSourceRange) -> (Self, Self) {
        // SAFETY: plain accessors on a value.
        unsafe { (Self::wrap(clang_getRangeStart(range)), Self::wrap(clang_getRangeEnd(range))) }
    }

    /// Where the text stands that the token was written with: the argument's own place for a macro argument, the
    /// `#define` for a macro body.
    #[must_use]
    pub fn spelling(self) -> Position<'tu> {
        self.resolve(clang_getSpellingLocation)
    }

    /// Where the outermost macro expansion starts (or the location itself outside macros).
    #[must_use]
    pub fn expansion(self) -> Position<'tu> {
        self.resolve(clang_getExpansionLocation)
    }

    /// The macro argument's own place, or the outermost expansion for a macro body.
    #[must_use]
    pub fn file_position(self) -> Position<'tu> {
        self.resolve(clang_getFileLocation)
    }

    /// Whether the location is in a system header.
    #[must_use]
    pub fn in_system_header(self) -> bool {
        // SAFETY: accessor on a location of a live unit (lifetime).
        unsafe { clang_Location_isInSystemHeader(self.raw) != 0 }
    }

    fn resolve(self, resolver: Resolver) -> Position<'tu> {
        let mut file = std::ptr::null_mut();
        let (mut line, mut column, mut offset) = (0, 0, 0);
        // SAFETY: all out-pointers are valid for the call; the location belongs to a live unit (lifetime).
        unsafe { resolver(self.raw, &mut file, &mut line, &mut column, &mut offset) };
        Position { file: File::wrap(file), offset, line }
    }
}
