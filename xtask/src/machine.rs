//! What this machine has: the facts that `setup` decides by.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Facts about the machine, gathered without changing it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Machine {
    /// The user may install packages.
    pub(crate) root: bool,
    /// `apt-get` is there.
    pub(crate) apt: bool,
    /// Major versions of libclang that can be loaded together with their built-in headers.
    pub(crate) libclang: BTreeSet<u32>,
    /// `LIBCLANG_PATH` names a library of the user's own choice.
    pub(crate) libclang_chosen: bool,
    /// libclang from the Python wheel, in `target/`.
    pub(crate) wheel: bool,
    /// Headers of a C++ standard library, in `/usr/include/c++`.
    pub(crate) cpp_headers: bool,
    /// C and C++ libraries to link AArch64 programs with.
    pub(crate) aarch64_libraries: bool,
    /// Programs found on the path, of those that [`PROGRAMS`] names.
    pub(crate) programs: BTreeSet<&'static str>,
    /// `python3 -m pip` works.
    pub(crate) pip: bool,
}

impl Machine {
    /// Whether programs for AArch64 can be linked and run.
    pub(crate) fn links_aarch64(&self) -> bool {
        let programs = ["clang++-22", "aarch64-linux-gnu-ld", "qemu-aarch64-static"];
        self.aarch64_libraries && programs.iter().all(|program| self.programs.contains(program))
    }
}

/// Programs that a decision depends on.
pub(crate) const PROGRAMS: [&str; 10] = [
    "clang++-22",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "git",
    "g++",
    "python3",
    "dpkg-deb",
    "aarch64-linux-gnu-ld",
    "qemu-aarch64-static",
];

/// Gathers the facts.
pub(crate) fn look() -> Machine {
    let programs = PROGRAMS.into_iter().filter(|program| on_path(program)).collect();
    Machine {
        root: Command::new("id").arg("-u").output().is_ok_and(|id| id.stdout.trim_ascii() == b"0"),
        apt: on_path("apt-get"),
        libclang: installed_libclang(Path::new("/usr/lib")),
        libclang_chosen: std::env::var_os("LIBCLANG_PATH").is_some(),
        wheel: wheel_library().exists(),
        cpp_headers: fs::read_dir("/usr/include/c++").is_ok_and(|mut found| found.next().is_some()),
        aarch64_libraries: Path::new("/usr/aarch64-linux-gnu/lib/libc.so").exists()
            && fs::read_dir("/usr/lib/gcc-cross/aarch64-linux-gnu").is_ok_and(|versions| {
                versions.flatten().any(|version| version.path().join("libstdc++.so").exists())
            }),
        programs,
        pip: Command::new("python3")
            .args(["-m", "pip", "--version"])
            .output()
            .is_ok_and(|p| p.status.success()),
    }
}

/// Where the Python wheel is unpacked.
pub(crate) fn wheel_folder() -> PathBuf {
    Path::new("target").join("libclang")
}

/// The library inside the unpacked wheel.
pub(crate) fn wheel_library() -> PathBuf {
    wheel_folder().join("clang/native/libclang.so")
}

/// Versions of packages called `PREFIX<version>SUFFIX` that apt can install.
pub(crate) fn available_versions(prefix: &str, suffix: &str) -> BTreeSet<u32> {
    let Ok(names) = Command::new("apt-cache").arg("pkgnames").arg(prefix).output() else {
        return BTreeSet::new();
    };
    versions(&String::from_utf8_lossy(&names.stdout), prefix, suffix)
}

/// The versions in a list of package names, one a line.
fn versions(names: &str, prefix: &str, suffix: &str) -> BTreeSet<u32> {
    let version = |name: &str| name.strip_prefix(prefix)?.strip_suffix(suffix)?.parse().ok();
    names.lines().filter_map(version).collect()
}

// Debian's libclang1-N puts `libclang-N.so.*` in /usr/lib/<triple>; libclang-common-N-dev puts the headers in /usr/lib/llvm-N.
fn installed_libclang(lib: &Path) -> BTreeSet<u32> {
    let names = |folder: &Path| -> Vec<String> {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
    };
    let mut found = BTreeSet::new();
    for triple in names(lib).iter().filter(|name| name.contains("-linux-")) {
        for name in names(&lib.join(triple)) {
            let Some(version) =
                name.strip_prefix("libclang-").and_then(|rest| rest.split_once(".so"))
            else {
                continue;
            };
            let Ok(version) = version.0.parse() else { continue };
            let headers = lib.join(format!("llvm-{version}/lib/clang/{version}/include/stddef.h"));
            if headers.exists() {
                found.insert(version);
            }
        }
    }
    found
}

fn on_path(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_from_package_names() {
        let names = "libclang1-14\nlibclang1-22\nlibclang1\nlibclang1-22-dbg\nlibclang1-x\n";
        assert_eq!(versions(names, "libclang1-", ""), BTreeSet::from([14, 22]));
        let names = "libstdc++-12-dev\nlibstdc++-12-pic\nlibstdc++6\n";
        assert_eq!(versions(names, "libstdc++-", "-dev"), BTreeSet::from([12]));
    }

    #[test]
    fn a_library_without_its_headers_does_not_count() {
        let root = std::env::temp_dir().join(format!("xtask-machine-{}", std::process::id()));
        let triple = root.join("x86_64-linux-gnu");
        fs::create_dir_all(&triple).expect("folder");
        fs::create_dir_all(root.join("llvm-22/lib/clang/22/include")).expect("folder");
        for library in ["libclang-22.so.22", "libclang-19.so.19", "libclang-cpp.so.22"] {
            fs::write(triple.join(library), "").expect("file");
        }
        assert_eq!(installed_libclang(&root), BTreeSet::new());
        fs::write(root.join("llvm-22/lib/clang/22/include/stddef.h"), "").expect("file");
        assert_eq!(installed_libclang(&root), BTreeSet::from([22]));
        fs::remove_dir_all(&root).expect("removed");
    }
}
