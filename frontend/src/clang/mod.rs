//! Safe wrappers over the parts of libclang that the front end uses. The only place with `unsafe`.
//!
//! Everything borrowed from a translation unit carries its lifetime, so nothing outlives the unit it came from.
#![allow(unsafe_code)]
#![allow(non_upper_case_globals, reason = "libclang's own constants")]

mod cursor;
mod kind;
mod location;
mod token;
mod ty;
mod unit;

pub(crate) use cursor::Children;
pub(crate) use cursor::{Cursor, CursorKey};
pub(crate) use kind::{BinaryOperator, Kind, TypeShape, UnaryOperator};
pub(crate) use location::{File, FileKey, Location, Position};
pub(crate) use token::{Token, TokenKind};
pub(crate) use ty::{Type, TypeKey};
pub(crate) use unit::{Severity, TranslationUnit, UnsavedFile, load, version};

use std::ffi::CStr;

/// Takes over a string that libclang returned.
fn string(raw: clang_sys::CXString) -> String {
    // SAFETY: `raw` was just returned by libclang and is disposed of exactly once, here; the C string is only
    // read before that.
    unsafe {
        let text = clang_sys::clang_getCString(raw);
        let owned = if text.is_null() {
            String::new()
        } else {
            CStr::from_ptr(text).to_string_lossy().into_owned()
        };
        clang_sys::clang_disposeString(raw);
        owned
    }
}
