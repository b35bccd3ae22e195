//! Safe wrappers over libclang: the only module that calls it.

#![allow(unsafe_code, reason = "libclang is a C library; every call is wrapped here")]

mod cursor;
mod decay;
mod ty;
mod unit;

pub(crate) use cursor::{Cursor, CursorKey};
pub(crate) use ty::{Ty, TyKey};
pub(crate) use unit::{Location, TranslationUnit, file_name, load, version};

use std::ffi::CStr;

/// Takes over a libclang string.
fn text(string: clang_sys::CXString) -> String {
    // SAFETY: `string` was just returned by libclang and is disposed of exactly once; the C string lives until then.
    unsafe {
        let pointer = clang_sys::clang_getCString(string);
        let owned = if pointer.is_null() {
            String::new()
        } else {
            CStr::from_ptr(pointer).to_string_lossy().into_owned()
        };
        clang_sys::clang_disposeString(string);
        owned
    }
}
