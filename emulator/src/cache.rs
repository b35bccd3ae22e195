//! What is made once and kept under `target/`: the libraries under the names programs ask for, precompiled headers, and
//! programs whose text decides everything. Keys are hashes of content, so nothing stale is ever used.

use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

use crate::{Error, clang};

/// The emulator as built: compiler, headers, libraries.
#[derive(Debug, Clone)]
pub struct Installation {
    /// The compiler.
    pub clang: PathBuf,
    /// Folder of the CUDA headers.
    pub include: PathBuf,
    /// Folder of `libcuda.so.1` and its siblings, for the program's run path.
    pub libraries: PathBuf,
    /// The argument for the compiler that says what this machine can do, if it is more than any x86-64 can: half
    /// precision is slow without.
    pub machine: Option<&'static str>,
    folder: PathBuf,
    key: String,
}

/// Library of cargo's making, and the name that programs load it by.
const LIBRARIES: [(&str, &str); 3] = [
    ("libecho_emulator_libcuda.so", "libcuda.so.1"),
    ("libecho_emulator_libcudart.so", "libcudart.so.12"),
    ("libecho_emulator_libraries.so", "libecholibraries.so"),
];

/// The code of this crate that decides what is made: part of every key.
const MAKERS: [&str; 8] = [
    include_str!("compile.rs"),
    include_str!("image.rs"),
    include_str!("image/assembly.rs"),
    include_str!("image/calls.rs"),
    include_str!("image/debug.rs"),
    include_str!("image/text.rs"),
    include_str!("image/thunk.rs"),
    include_str!("image/variables.rs"),
];

// Levels of the x86-64 ABI; results do not depend on them, since nothing is contracted.
fn machine() -> Option<&'static str> {
    let third = is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("f16c")
        && is_x86_feature_detected!("fma")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("movbe");
    third.then_some("-march=x86-64-v3")
}

impl Installation {
    /// Finds compiler and libraries, and puts the libraries in place.
    ///
    /// # Errors
    /// If clang or a library is missing, or `target/` cannot be written.
    pub fn find() -> Result<Self, Error> {
        let clang = clang::find_clang()?;
        let program = std::env::current_exe().map_err(Error::file(Path::new("/proc/self/exe")))?;
        // A copy of the programs may have headers of its own, so that a long campaign does not see edits of these.
        let own = program.with_file_name("include");
        let include = if own.join("cuda_runtime.h").is_file() {
            own
        } else {
            Path::new(env!("CARGO_MANIFEST_DIR")).join("include")
        };
        let target = program
            .ancestors()
            .find(|folder| folder.join("CACHEDIR.TAG").is_file())
            .unwrap_or_else(|| Path::new("target"))
            .join("emulator");
        let mut hash = Sha256::new();
        let mut found = Vec::new();
        for (library, name) in LIBRARIES {
            let near = program.ancestors().skip(1).take(2);
            let mut places = near.flat_map(|folder| [folder.join("deps"), folder.to_owned()]);
            let file = places
                .find_map(|folder| Some(folder.join(library)).filter(|file| file.is_file()))
                .ok_or_else(|| Error::NoLibrary(library.to_owned()))?;
            let bytes = fs::read(&file).map_err(Error::file(&file))?;
            hash.update(&bytes);
            found.push((name, bytes));
        }
        let libraries = target.join(format!("lib-{}", short(hash.clone())));
        for (name, bytes) in found {
            write_once(&libraries.join(name), |file| {
                fs::write(file, &bytes).map_err(Error::file(file))
            })?;
        }
        for maker in MAKERS {
            hash.update(maker);
        }
        hash_folder(&include, &mut hash)?;
        let text = fs::metadata(&clang).map_err(Error::file(&clang))?;
        let machine = machine();
        hash.update(format!("{} {:?} {machine:?}", clang.display(), text.modified().ok()));
        Ok(Self { clang, include, libraries, machine, folder: target, key: short(hash) })
    }

    /// A file of the cache that depends on this installation and on `parts`; `make` writes it at a temporary place.
    pub(crate) fn cached(
        &self,
        sort: &str,
        parts: &[&[u8]],
        make: impl FnOnce(&Path) -> Result<(), Error>,
    ) -> Result<PathBuf, Error> {
        let mut hash = Sha256::new();
        hash.update(&self.key);
        for part in parts {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
        let file = self.folder.join(sort).join(short(hash));
        write_once(&file, make)?;
        Ok(file)
    }
}

fn write_once(file: &Path, make: impl FnOnce(&Path) -> Result<(), Error>) -> Result<(), Error> {
    if file.exists() {
        return Ok(());
    }
    let folder = file.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(Error::file(folder))?;
    let scratch = tempfile::Builder::new().tempdir_in(folder).map_err(Error::file(folder))?;
    let fresh = scratch.path().join("fresh");
    make(&fresh)?;
    // Two processes may make the same file: the content is the same, and a rename is atomic.
    fs::rename(&fresh, file).map_err(Error::file(file))
}

fn short(hash: Sha256) -> String {
    hash.finalize().iter().take(12).map(|byte| format!("{byte:02x}")).collect()
}

fn hash_folder(folder: &Path, hash: &mut Sha256) -> Result<(), Error> {
    let entries = fs::read_dir(folder).map_err(Error::file(folder))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            hash_folder(&path, hash)?;
        } else {
            hash.update(path.as_os_str().as_encoded_bytes());
            hash.update(fs::read(&path).map_err(Error::file(&path))?);
        }
    }
    Ok(())
}
