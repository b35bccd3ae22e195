//! Precompiled prefix: the built-in CUDA declarations and the common standard headers, parsed once per set of flags.
//!
//! Most of a small file's parse is spent in the headers it includes (notes/frontend.md section 9). A prefix is written by
//! clang itself, kept in a cache folder and loaded instead of `-include echo_cuda.h`. It holds more headers than a file
//! asks for, and they come before the file's own macros, so it must be shown not to change what the file means. After a
//! parse with it, the file is parsed again without it (and that parse counts) if
//!
//! * there is any error;
//! * the file or one of its own headers refers to a declaration or a macro (also in `#ifdef`) of a header that is not
//!   among those it includes, directly or through others ([`reach`]);
//! * it (not another system header) defines or undefines, before it includes a header of the prefix, a macro whose name
//!   occurs in those headers;
//! * it sets `#pragma pack`, or pushes macros.
//!
//! A folder of the user that holds a header of a name that the prefix includes rules the prefix out beforehand. What
//! remains are overloads that lose in either case. The cache is not trusted: see [`Cache::find`].

mod build;
mod cache;
mod facts;
mod flags;
mod reach;

pub use cache::{Cache, Prefix, default_folder};
pub use flags::Flags;

pub use build::BuildError;
pub(crate) use cache::Loaded;
pub(crate) use reach::differs;

/// Standard headers of a prefix: those that CUDA programs include most.
const STANDARD: &[&str] = &[
    "algorithm",
    "array",
    "atomic",
    "bitset",
    "cassert",
    "cctype",
    "cfloat",
    "chrono",
    "climits",
    "cmath",
    "complex",
    "cstdint",
    "cstdio",
    "cstdlib",
    "cstring",
    "ctime",
    "deque",
    "fstream",
    "functional",
    "iomanip",
    "iostream",
    "iterator",
    "limits",
    "list",
    "map",
    "memory",
    "mutex",
    "numeric",
    "queue",
    "random",
    "set",
    "sstream",
    "stdexcept",
    "string",
    "thread",
    "tuple",
    "type_traits",
    "unordered_map",
    "unordered_set",
    "utility",
    "vector",
];
