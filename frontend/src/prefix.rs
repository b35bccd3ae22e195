//! Precompiled prefix: the built-in CUDA declarations and the common standard headers, parsed once per set of flags.
//!
//! Most of a small file's parse is spent in the headers it includes. A prefix is built by clang itself, kept in the user's
//! cache folder and loaded instead of `-include echo_cuda.h`. It must not change what a file means:
//!
//! * macros of the command line do not go into it: they are handed over as a header of their own, read after it. Macros with
//!   reserved names, and `NDEBUG`, could change the headers in it: such a file has no prefix.
//! * a file that says `using namespace std` gets one without the standard headers it may not have asked for.
//! * a user's folder that holds a header of the same name as one in it: no prefix.
//! * its key holds clang's version, all flags and header texts, and the age of the system's headers; its bytes are compared
//!   with a hash before clang sees them. What does not match is built anew.

use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::ffi::CString;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::clang::TranslationUnit;
use crate::headers;
use crate::library::Library;

/// Standard headers of the full prefix, by how often CUDA programs include them.
const STANDARD: &[&str] = &[
    "algorithm",
    "array",
    "cassert",
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
    "fstream",
    "functional",
    "iomanip",
    "iostream",
    "iterator",
    "limits",
    "list",
    "map",
    "memory",
    "numeric",
    "queue",
    "random",
    "set",
    "sstream",
    "stdexcept",
    "string",
    "tuple",
    "type_traits",
    "utility",
    "vector",
];

/// Headers of the C library that both prefixes reach; a user's header of such a name must win.
const REACHED: &[&str] = &[
    "assert.h",
    "ctype.h",
    "errno.h",
    "features.h",
    "float.h",
    "limits.h",
    "locale.h",
    "math.h",
    "pthread.h",
    "sched.h",
    "stddef.h",
    "stdint.h",
    "stdio.h",
    "stdlib.h",
    "string.h",
    "sys/time.h",
    "time.h",
    "wchar.h",
    "echo_cuda.h",
];

/// Where prefixes are kept: `ECHO_CACHE_DIR`, else `echo` in the user's cache folder; `None` without a home.
#[must_use]
pub fn default_folder() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    set("ECHO_CACHE_DIR")
        .or_else(|| set("XDG_CACHE_HOME").map(|cache| cache.join("echo")))
        .or_else(|| set("HOME").map(|home| home.join(".cache/echo")))
}

/// The prefixes this process has looked at.
#[derive(Debug)]
pub(crate) struct Prefixes {
    folder: PathBuf,
    /// By key; `None` where none can be had.
    known: Mutex<HashMap<u64, Option<PathBuf>>>,
}

/// How to parse a file with its prefix.
#[derive(Debug)]
pub(crate) struct Prefixed {
    pub(crate) arguments: Vec<String>,
    /// The macros of the command line, as a file that exists only for clang.
    pub(crate) macros: Option<(CString, CString)>,
    /// The standard headers are in it.
    pub(crate) full: bool,
}

impl Prefixes {
    pub(crate) fn new(folder: PathBuf) -> Self {
        Self { folder, known: Mutex::new(HashMap::new()) }
    }

    /// The arguments that parse a file of this text with a prefix; `None` if it must be parsed without. `full` forbids the
    /// standard headers if false.
    pub(crate) fn apply(
        &self,
        text: &[u8],
        full: bool,
        arguments: &[String],
        library: &Library,
        virtual_files: &[(CString, CString)],
    ) -> Option<Prefixed> {
        let split = Split::of(arguments)?;
        let full = full && !uses_std(text);
        let standard = if full { STANDARD } else { &[] };
        let shadowed = split.folders.iter().any(|folder| {
            standard.iter().chain(REACHED).any(|name| Path::new(folder).join(name).exists())
        });
        if shadowed {
            return None;
        }
        let path = self.get(standard, &split.common, library, virtual_files)?;
        let mut with = split.common;
        with.extend(["-include-pch".to_owned(), path.display().to_string()]);
        let macros = (!split.macros.is_empty()).then(|| {
            with.extend(["-include".to_owned(), macro_file()]);
            Some((CString::new(macro_file()).ok()?, CString::new(split.macros).ok()?))
        });
        with.extend(split.user);
        Some(Prefixed { arguments: with, macros: macros.flatten(), full })
    }

    fn get(
        &self,
        standard: &[&str],
        common: &[String],
        library: &Library,
        virtual_files: &[(CString, CString)],
    ) -> Option<PathBuf> {
        let key = key(standard, common, library, virtual_files);
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(path) = known.get(&key) {
            return path.clone();
        }
        let path = match Record::read(&self.folder, key) {
            Some(record) => record.path,
            None => self.build(key, standard, common, virtual_files),
        };
        known.insert(key, path.clone());
        path
    }

    /// Builds a prefix and records it, also that it cannot be built.
    fn build(
        &self,
        key: u64,
        standard: &[&str],
        common: &[String],
        virtual_files: &[(CString, CString)],
    ) -> Option<PathBuf> {
        std::fs::create_dir_all(&self.folder).ok()?;
        let source = format!("{}/prefix.h", headers::ROOT);
        let mut text = "#include <echo_cuda.h>\n".to_owned();
        for name in standard {
            text.push_str(&format!("#include <{name}>\n"));
        }
        let mut files = virtual_files.to_vec();
        files.push((CString::new(source.as_str()).ok()?, CString::new(text).ok()?));
        let path = self.folder.join(format!("{key:016x}-{}.pch", std::process::id()));
        let built = TranslationUnit::save_prefix(&source, common, &files, &path);
        if !built {
            let _ = std::fs::remove_file(&path);
        }
        let path = built.then_some(path);
        Record::write(&self.folder, key, path.as_deref());
        path
    }
}

/// `<key>.current`: the name of the built file and the hash of its bytes; empty where none can be built.
struct Record {
    path: Option<PathBuf>,
}

impl Record {
    fn read(folder: &Path, key: u64) -> Option<Self> {
        let text = std::fs::read_to_string(Self::file(folder, key)).ok()?;
        if text == "none\n" {
            return Some(Self { path: None });
        }
        let (name, hash) = text.trim_end().split_once(' ')?;
        // The file must be one of ours in this folder.
        if name.contains('/') || !name.starts_with(&format!("{key:016x}-")) {
            return None;
        }
        let path = folder.join(name);
        let bytes = std::fs::read(&path).ok()?;
        (format!("{:016x}", hash_of(&bytes)) == hash).then_some(Self { path: Some(path) })
    }

    /// What cannot be written is built again next time.
    fn write(folder: &Path, key: u64, path: Option<&Path>) {
        let text = match path {
            None => "none\n".to_owned(),
            Some(path) => {
                let (Ok(bytes), Some(name)) = (std::fs::read(path), path.file_name()) else {
                    return;
                };
                format!("{} {:016x}\n", name.to_string_lossy(), hash_of(&bytes))
            }
        };
        let temporary = folder.join(format!("{key:016x}.{}", std::process::id()));
        if std::fs::write(&temporary, text).is_ok() {
            let _ = std::fs::rename(&temporary, Self::file(folder, key));
        }
    }

    fn file(folder: &Path, key: u64) -> PathBuf {
        folder.join(format!("{key:016x}.current"))
    }
}

fn hash_of(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(bytes);
    hasher.finish()
}

fn key(
    standard: &[&str],
    common: &[String],
    library: &Library,
    virtual_files: &[(CString, CString)],
) -> u64 {
    let mut hasher = DefaultHasher::new();
    (env!("CARGO_PKG_VERSION"), 2, standard, common, &library.version, virtual_files)
        .hash(&mut hasher);
    let mut stamps = vec![PathBuf::from("/usr/include/stdio.h")];
    stamps.extend(library.resource.iter().map(|folder| folder.join("include/stddef.h")));
    stamps.extend(library.standard_library.iter().map(|folder| folder.join("vector")));
    for entry in std::fs::read_dir("/usr/include/c++").into_iter().flatten().flatten() {
        stamps.push(entry.path().join("vector"));
    }
    stamps.sort();
    for path in stamps {
        let metadata = std::fs::metadata(&path).ok();
        let age = metadata.as_ref().and_then(|m| m.modified().ok());
        (path, metadata.map(|m| m.len()), age).hash(&mut hasher);
    }
    hasher.finish()
}

fn macro_file() -> String {
    format!("{}/macros.h", headers::ROOT)
}

fn uses_std(text: &[u8]) -> bool {
    text.windows(13).any(|w| w == b"namespace std") && text.windows(5).any(|w| w == b"using")
}

/// Whether any of the texts opens namespace `std`, so that what the full prefix declares could be meant by plain names.
pub(crate) fn any_uses_std<'t>(mut texts: impl Iterator<Item = &'t [u8]>) -> bool {
    texts.any(uses_std)
}

/// Arguments by what they mean for a prefix.
#[derive(Debug, Default)]
struct Split {
    /// What the prefix is built with.
    common: Vec<String>,
    /// Include folders and forced includes of the user.
    user: Vec<String>,
    folders: Vec<String>,
    /// `#define` and `#undef` lines.
    macros: String,
}

impl Split {
    /// `None` if the file does not get the built-in prelude, or a macro may change the headers of the prefix.
    fn of(arguments: &[String]) -> Option<Self> {
        let mut split = Self::default();
        let mut prelude = false;
        let mut words = arguments.iter().map(String::as_str);
        while let Some(word) = words.next() {
            let option =
                ["-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-I", "-D", "-U"]
                    .into_iter()
                    .find(|option| {
                        word.starts_with(option) && (word == *option || option.len() == 2)
                    });
            let Some(option) = option else {
                split.common.push(word.to_owned());
                continue;
            };
            let value = if word == option { words.next()? } else { &word[option.len()..] };
            match option {
                "-D" | "-U" => split.add_macro(option, value)?,
                "-include" if value == "echo_cuda.h" => prelude = true,
                _ if value.starts_with(headers::ROOT) => {
                    split.common.extend([option.to_owned(), value.to_owned()]);
                }
                "-include" | "-imacros" => {
                    split.user.extend([option.to_owned(), value.to_owned()]);
                }
                _ => {
                    split.user.extend([option.to_owned(), value.to_owned()]);
                    split.folders.push(value.to_owned());
                }
            }
        }
        prelude.then_some(split)
    }

    fn add_macro(&mut self, option: &str, value: &str) -> Option<()> {
        let (name, body) = value.split_once('=').unwrap_or((value, "1"));
        if name.starts_with('_') || name == "NDEBUG" || value.contains('\n') {
            return None;
        }
        self.macros.push_str(&match option {
            "-D" => format!("#define {name} {body}\n"),
            _ => format!("#undef {value}\n"),
        });
        Some(())
    }
}
