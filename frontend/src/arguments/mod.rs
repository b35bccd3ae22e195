//! The clang arguments of a file: what every parse needs, what the user's build says, and what the folder suggests.

mod command;
mod database;
mod makefile;
mod translate;

use std::path::{Path, PathBuf};

pub use database::{Database, DatabaseError};
pub use translate::Translated;

use crate::headers;
use crate::library::Library;

/// What the user set, for all files.
#[derive(Debug, Clone, Default)]
pub struct ArgumentOptions {
    /// A real CUDA toolkit (`--cuda-path`); otherwise the built-in declarations stand for it.
    pub cuda_path: Option<PathBuf>,
    /// Further clang arguments (`--extra-arg`), last so that they win.
    pub extra: Vec<String>,
    /// `compile_commands.json` (`-p`).
    pub database: Option<Database>,
}

/// How clang reads a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the languages' own names")]
pub enum Language {
    Cuda,
    Cpp,
    C,
}

/// The complete arguments of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnitArguments {
    /// For clang, without the file itself.
    pub arguments: Vec<String>,
    /// What the file is read as.
    pub language: Language,
    /// `--default-stream per-thread`, or the macro that means the same.
    pub per_thread_default_stream: bool,
    /// The file has an entry in the compile database.
    pub from_database: bool,
}

/// The arguments to parse `path` with: the first of [`all_unit_arguments`].
#[must_use]
pub fn unit_arguments(path: &Path, options: &ArgumentOptions, library: &Library) -> UnitArguments {
    of_build(users(path, options).swap_remove(0), path, options, library)
}

/// The arguments of each way in which the build compiles `path`, as far as they change what the file means. At least one.
#[must_use]
pub fn all_unit_arguments(
    path: &Path,
    options: &ArgumentOptions,
    library: &Library,
) -> Vec<UnitArguments> {
    let users = users(path, options);
    users.into_iter().map(|user| of_build(user, path, options, library)).collect()
}

/// What the build says of `path`, or what its folder suggests. At least one.
fn users(path: &Path, options: &ArgumentOptions) -> Vec<(Translated, bool)> {
    let entries = options.database.as_ref().map_or(&[][..], |database| database.entries(path));
    let mut users: Vec<(Translated, bool)> = Vec::new();
    for entry in entries {
        let user = (translate::translate(&entry.arguments, &entry.directory), true);
        if !users.contains(&user) {
            users.push(user);
        }
    }
    if users.is_empty() {
        users.push((guessed(path), false));
    }
    users
}

fn of_build(
    (user, from_database): (Translated, bool),
    path: &Path,
    options: &ArgumentOptions,
    library: &Library,
) -> UnitArguments {
    let extra = translate::translate(&options.extra, Path::new(""));
    let language = extra.language.or(user.language).unwrap_or_else(|| language_of(path));
    let standard = extra.standard.as_ref().or(user.standard.as_ref());

    let mut arguments = base(language, standard.map(String::as_str), options, library);
    arguments.extend(user.kept.iter().filter(|_| options.cuda_path.is_some()).cloned());
    if options.cuda_path.is_none() {
        arguments.extend(without_toolkits(&user.kept));
    }
    arguments.extend(system_headers(options, library));
    arguments.extend(for_clang(&options.extra));
    UnitArguments {
        arguments,
        language,
        per_thread_default_stream: user.per_thread_default_stream
            || extra.per_thread_default_stream,
        from_database,
    }
}

/// What the user adds by hand reaches clang as it is, except for nvcc's words that were translated already.
fn for_clang(extra: &[String]) -> Vec<String> {
    let mut arguments = Vec::new();
    let mut words = extra.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "-x" | "-default-stream" | "--default-stream" => {
                words.next();
            }
            joined if joined.starts_with("-x") || joined.contains("-default-stream=") => {}
            _ => arguments.push(word.clone()),
        }
    }
    arguments
}

/// The language a file's name tells.
#[must_use]
pub fn language_of(path: &Path) -> Language {
    match path.extension().and_then(|e| e.to_str()) {
        Some("c") => Language::C,
        Some("cpp" | "cxx" | "cc" | "cp" | "C" | "c++" | "CPP") => Language::Cpp,
        // Headers are mostly read through the files that include them; alone they may hold anything CUDA has.
        Some(_) | None => Language::Cuda,
    }
}

/// What every parse has (notes: an error limit would hide later errors, `-fgpu-rdc` allows launches in kernels,
/// 256 brackets keep clang from overflowing its stack; never `-fopenmp`, which hides loop bodies).
fn base(
    language: Language,
    standard: Option<&str>,
    options: &ArgumentOptions,
    library: &Library,
) -> Vec<String> {
    // Found by its name in the system folder below, so that its declarations count as the system's.
    let own = "-nocudainc -include echo_cuda.h";
    let words = match language {
        Language::Cuda => [
            "-x cuda --cuda-host-only -nocudalib -fgpu-rdc -Xclang -fcuda-allow-variadic-functions",
            if options.cuda_path.is_some() { "-Wno-unknown-cuda-version" } else { own },
        ]
        .join(" "),
        Language::Cpp => "-x c++".to_owned(),
        Language::C => "-x c".to_owned(),
    };
    let mut arguments: Vec<String> = words.split(' ').map(str::to_owned).collect();
    arguments.extend(
        ["-ferror-limit=0", "-fbracket-depth=256", "-w", "-Wno-register"].map(str::to_owned),
    );
    arguments.push(format!("-std={}", standard_for(language, standard)));
    match &options.cuda_path {
        Some(toolkit) if language == Language::Cuda => {
            arguments.push(format!("--cuda-path={}", toolkit.display()));
        }
        Some(toolkit) => arguments.push(format!("-isystem{}/include", toolkit.display())),
        None => {}
    }
    if let Some(resource) = &library.resource {
        arguments.extend(["-resource-dir".to_owned(), resource.display().to_string()]);
    }
    arguments
}

/// The standard to read the file with: the user's, raised where the built-in declarations need more.
fn standard_for(language: Language, standard: Option<&str>) -> String {
    let default = if language == Language::C { "gnu17" } else { "c++17" };
    let Some(standard) = standard else { return default.to_owned() };
    let is_cpp = standard.contains("++");
    if is_cpp != (language != Language::C) {
        return default.to_owned();
    }
    let old = ["98", "03", "0x", "11"].iter().any(|year| standard.ends_with(year));
    if language == Language::Cuda && old { "c++14".to_owned() } else { standard.to_owned() }
}

/// The folders that come after the user's own.
fn system_headers(options: &ArgumentOptions, library: &Library) -> Vec<String> {
    let mut arguments = Vec::new();
    let mut isystem = |folder: String| arguments.extend(["-isystem".to_owned(), folder]);
    if options.cuda_path.is_none() {
        isystem(headers::folder("cuda"));
    }
    if library.resource.is_none() {
        isystem(headers::folder("builtin"));
    }
    let own_standard_library = library.standard_library.as_ref().filter(|_| !has_libstdcpp());
    if let Some(folder) = own_standard_library {
        isystem(folder.display().to_string());
        arguments.push("-nostdinc++".to_owned());
    }
    if library.resource.is_none() {
        arguments.push("-nobuiltininc".to_owned());
    }
    arguments.extend(["-idirafter".to_owned(), headers::folder("fallback")]);
    arguments
}

fn has_libstdcpp() -> bool {
    std::fs::read_dir("/usr/include/c++")
        .is_ok_and(|entries| entries.flatten().any(|entry| entry.path().join("vector").is_file()))
}

/// A toolkit among the user's include folders would declare everything a second time: it is left out unless
/// `--cuda-path` names one.
fn without_toolkits(kept: &[String]) -> Vec<String> {
    let mut arguments = Vec::new();
    let mut words = kept.iter();
    while let Some(word) = words.next() {
        if matches!(word.as_str(), "-I" | "-isystem" | "-iquote" | "-idirafter") {
            let Some(folder) = words.next() else { break };
            if !is_toolkit(Path::new(folder)) {
                arguments.extend([word.clone(), folder.clone()]);
            }
        } else {
            arguments.push(word.clone());
        }
    }
    arguments
}

fn is_toolkit(folder: &Path) -> bool {
    folder.join("cuda_runtime_api.h").is_file() && folder.join("crt").is_dir()
}

/// Without a database: the file's folder, the one above, an `include` beside either, and what a Makefile or
/// CMakeLists.txt of the folder says literally.
fn guessed(path: &Path) -> Translated {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        Some(_) | None => Path::new("."),
    };
    let mut translated = makefile::literal_flags(folder);
    let near = [folder.join("include"), folder.join(".."), folder.join("../include")];
    let folders = std::iter::once(folder.to_owned()).chain(near);
    for include in folders.filter(|include| include.is_dir()) {
        translated.kept.extend(["-I".to_owned(), include.display().to_string()]);
    }
    translated
}

#[cfg(test)]
mod tests {
    use super::{ArgumentOptions, Language, language_of, standard_for, unit_arguments};
    use crate::library::Library;
    use std::path::Path;

    fn library() -> Library {
        Library {
            path: None,
            major: 22,
            version: String::new(),
            resource: None,
            standard_library: None,
        }
    }

    #[test]
    fn openmp_is_never_passed_and_the_error_limit_is_off() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("Makefile"), "CFLAGS = -fopenmp -DN=3 -std=c++20\n")
            .unwrap();
        let file = folder.path().join("main.cu");
        let unit = unit_arguments(&file, &ArgumentOptions::default(), &library());
        assert!(unit.arguments.iter().any(|a| a == "-ferror-limit=0"));
        assert!(unit.arguments.iter().any(|a| a == "-std=c++20"));
        assert!(unit.arguments.windows(2).any(|w| w == ["-D", "N=3"]), "{:?}", unit.arguments);
        assert!(!unit.arguments.iter().any(|a| a.contains("openmp")));
    }

    #[test]
    fn a_toolkit_of_the_user_gives_way_to_the_built_in_declarations() {
        let folder = tempfile::tempdir().unwrap();
        let toolkit = folder.path().join("include");
        std::fs::create_dir_all(toolkit.join("crt")).unwrap();
        std::fs::write(toolkit.join("cuda_runtime_api.h"), "").unwrap();
        let file = folder.path().join("main.cu");
        let has = |options: &ArgumentOptions| {
            let unit = unit_arguments(&file, options, &library());
            unit.arguments.iter().any(|a| Path::new(a) == toolkit)
        };
        assert!(!has(&ArgumentOptions::default()));
        let named = ArgumentOptions {
            cuda_path: Some(folder.path().to_owned()),
            ..ArgumentOptions::default()
        };
        assert!(has(&named));
    }

    #[test]
    fn languages_follow_the_extension() {
        assert_eq!(language_of(Path::new("a.cu")), Language::Cuda);
        assert_eq!(language_of(Path::new("a.cuh")), Language::Cuda);
        assert_eq!(language_of(Path::new("a.cc")), Language::Cpp);
        assert_eq!(language_of(Path::new("a.c")), Language::C);
    }

    #[test]
    fn a_standard_of_the_other_language_is_not_used() {
        assert_eq!(standard_for(Language::C, Some("c++17")), "gnu17");
        assert_eq!(standard_for(Language::Cuda, Some("c99")), "c++17");
        assert_eq!(standard_for(Language::Cuda, Some("c++11")), "c++14");
        assert_eq!(standard_for(Language::Cpp, Some("gnu++20")), "gnu++20");
    }
}
