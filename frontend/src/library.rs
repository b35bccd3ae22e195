//! Finding libclang at run time, so that building needs no clang (notes on versions: `docs/`).
//!
//! Order: the path the user gives, `LIBCLANG_PATH`, libraries of the system and of `LD_LIBRARY_PATH` newest first, the
//! Python wheel `libclang-ng` unpacked into `target/libclang`, the same wheel as Python finds it.

use std::cmp::Reverse;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::clang;

/// Oldest major version whose C interface has all that the front end calls.
pub const OLDEST: u32 = 18;

/// A libclang that is loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Library {
    /// Where it was loaded from, if that is known.
    pub path: Option<PathBuf>,
    /// Major version.
    pub major: u32,
    /// What it calls itself.
    pub version: String,
    /// Folder whose `include` holds clang's own headers; `None` if there is none, then ours are used.
    pub resource: Option<PathBuf>,
    /// A C++ standard library that comes with it, for machines that have none.
    pub standard_library: Option<PathBuf>,
}

/// Why no libclang can be used.
#[derive(Debug, thiserror::Error)]
pub enum LibraryError {
    /// There is none.
    #[error("no libclang {OLDEST} or later was found: run `{}`", install_command())]
    NotFound,
    /// The path that was given holds none.
    #[error(
        "there is no libclang at {path}: name the library file itself, or run `{}`",
        install_command()
    )]
    NotThere {
        /// What was given.
        path: PathBuf,
    },
    /// Every one that was found was refused.
    #[error("no usable libclang ({}): run `{}`", .refused.join("; "), install_command())]
    Refused {
        /// Each library with the reason.
        refused: Vec<String>,
    },
}

/// The one command that gives this machine a libclang.
#[must_use]
pub fn install_command() -> &'static str {
    if Path::new("/usr/bin/apt-get").exists() {
        "apt-get install -y libclang1-22 libclang-common-22-dev libstdc++-12-dev"
    } else {
        "pip install libclang-ng==22.1.4.2"
    }
}

/// Finds and loads libclang into this thread (and, the first time, into this process).
///
/// # Errors
/// If there is none, or none that is new enough.
pub fn load(explicit: Option<&Path>) -> Result<Library, LibraryError> {
    let candidates = match explicit {
        Some(path) => {
            let found = libraries_at(path);
            if found.is_empty() {
                return Err(LibraryError::NotThere { path: path.to_owned() });
            }
            found
        }
        None => candidates(),
    };
    if candidates.is_empty() {
        return Err(LibraryError::NotFound);
    }
    let mut refused = Vec::new();
    for path in candidates {
        match clang::load(Some(&path)) {
            Ok(()) => return Ok(describe(path)),
            Err(failure) => refused.push(format!("{}: {failure}", path.display())),
        }
    }
    Err(LibraryError::Refused { refused })
}

fn describe(path: PathBuf) -> Library {
    let version = clang::version();
    let major = major_version(&version).unwrap_or(0);
    let resource = resource_folder(&path, major);
    let standard_library = path
        .parent()
        .map(|folder| folder.join("libcxx"))
        .filter(|folder| folder.join("vector").is_file());
    Library { path: Some(path), major, version, resource, standard_library }
}

/// `clang version 22.1.8 (...)`, `Debian clang version 19.1.7 (...)`: the number before the first dot.
pub(crate) fn major_version(version: &str) -> Option<u32> {
    let rest = version.split("version ").nth(1)?;
    rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

/// clang's own headers for the library at `path`: beside it, or where Debian's packages put them.
fn resource_folder(path: &Path, major: u32) -> Option<PathBuf> {
    let canonical = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let beside = [path, &canonical]
        .into_iter()
        .filter_map(Path::parent)
        .flat_map(|folder| [folder.join("resource"), folder.join(format!("clang/{major}"))]);
    let installed = [
        format!("/usr/lib/llvm-{major}/lib/clang/{major}"),
        format!("/usr/lib/clang/{major}"),
        format!("/usr/lib64/clang/{major}"),
        format!("/usr/local/lib/clang/{major}"),
    ];
    beside
        .chain(installed.into_iter().map(PathBuf::from))
        .find(|folder| folder.join("include/stddef.h").is_file())
}

/// Library files that may be used, best first.
fn candidates() -> Vec<PathBuf> {
    if let Some(path) = std::env::var_os("LIBCLANG_PATH").filter(|p| !p.is_empty()) {
        return libraries_at(Path::new(&path));
    }
    let mut folders: Vec<PathBuf> = Vec::new();
    if let Some(paths) = std::env::var_os("LD_LIBRARY_PATH") {
        folders.extend(std::env::split_paths(&paths));
    }
    for root in ["/usr/lib", "/usr/local/lib", "/usr/lib64", "/lib"] {
        folders.push(PathBuf::from(root));
        for entry in std::fs::read_dir(root).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if name.ends_with("-linux-gnu") {
                folders.push(entry.path());
            } else if name.starts_with("llvm") {
                folders.push(entry.path().join("lib"));
            }
        }
    }
    let mut found: Vec<PathBuf> = folders.iter().flat_map(|f| libraries_in(f)).collect();
    // Newest first; the order of folders decides between equal ones.
    found.sort_by_key(|path| Reverse(file_version(path)));
    found.retain(|path| file_version(path).is_none_or(|major| major >= OLDEST));
    found.extend(unpacked_wheel());
    if found.is_empty() {
        found.extend(python_wheel());
    }
    found
}

fn libraries_at(path: &Path) -> Vec<PathBuf> {
    if path.is_dir() {
        let mut found = libraries_in(path);
        found.sort_by_key(|path| Reverse(file_version(path)));
        found
    } else if path.is_file() {
        vec![path.to_owned()]
    } else {
        Vec::new()
    }
}

/// `libclang.so`, `libclang.so.N`, `libclang-N.so`, `libclang-N.so.N` of a folder, sorted by name.
fn libraries_in(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .filter(|entry| {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            let Some(rest) = name.strip_prefix("libclang") else { return false };
            let rest =
                rest.trim_start_matches(|c: char| c == '-' || c == '.' || c.is_ascii_digit());
            rest == "so" || rest.starts_with("so.")
        })
        .map(|entry| entry.path())
        .collect();
    found.sort();
    found
}

/// The major version a file's name tells; `None` for a plain `libclang.so`.
fn file_version(path: &Path) -> Option<u32> {
    let name = path.file_name()?.to_str()?;
    let digits = name.strip_prefix("libclang-").or_else(|| name.strip_prefix("libclang.so."))?;
    digits.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

/// The wheel that the project's set-up unpacks beside the built program: `target/libclang`.
fn unpacked_wheel() -> Option<PathBuf> {
    let program = std::env::current_exe().ok()?;
    program
        .ancestors()
        .map(|folder| folder.join("libclang/clang/native/libclang.so"))
        .find(|library| library.is_file())
}

/// The wheel as Python finds it.
fn python_wheel() -> Option<PathBuf> {
    let script = "import clang.native, os; print(os.path.dirname(clang.native.__file__))";
    let output = Command::new("python3").args(["-c", script]).output().ok()?;
    let folder = String::from_utf8(output.stdout).ok()?;
    let library = Path::new(folder.trim()).join("libclang.so");
    library.is_file().then_some(library)
}

#[cfg(test)]
mod tests {
    use super::{candidates, file_version, libraries_in, load, major_version};
    use std::path::Path;

    #[test]
    fn versions_are_read_from_what_libclang_calls_itself() {
        assert_eq!(major_version("Debian clang version 22.1.8 (++2026)"), Some(22));
        assert_eq!(major_version("clang version 18.1.1"), Some(18));
        assert_eq!(major_version("gcc"), None);
    }

    #[test]
    fn file_names_tell_their_version() {
        assert_eq!(file_version(Path::new("/l/libclang-22.so.22")), Some(22));
        assert_eq!(file_version(Path::new("/l/libclang.so.19.1")), Some(19));
        assert_eq!(file_version(Path::new("/l/libclang.so")), None);
    }

    #[test]
    fn only_the_c_library_is_a_candidate() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["libclang-cpp.so.22", "libclang-22.so.22", "libclang.so", "libclangAST.a"] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        let names: Vec<_> = libraries_in(folder.path())
            .iter()
            .map(|p| p.file_name().unwrap().to_str().unwrap().to_owned())
            .collect();
        assert_eq!(names, ["libclang-22.so.22", "libclang.so"]);
    }

    #[test]
    fn a_missing_path_says_what_to_run() {
        let message = load(Some(Path::new("/nowhere/libclang.so"))).unwrap_err().to_string();
        assert!(
            message.contains("/nowhere/libclang.so") && message.contains("install"),
            "{message}"
        );
    }

    #[test]
    fn the_library_found_on_this_machine_is_new_enough() {
        assert!(!candidates().is_empty(), "tests need a libclang");
        let library = load(None).unwrap();
        assert!(library.major >= super::OLDEST, "{library:?}");
    }
}
