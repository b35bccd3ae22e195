//! nvcc, gcc and clang command lines to the few arguments that change what a file *means*.
//!
//! Kept: macros, include folders, forced includes, the standard, the language. Everything else is dropped, known or
//! not: a word that is not understood never makes a file fail.

use std::path::Path;

use super::Language;
use super::command;

/// What is left of a command line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Translated {
    /// Clang arguments; options with a value are two words (`-I`, `folder`), paths are made relative to nothing but
    /// the command's own folder.
    pub kept: Vec<String>,
    /// The value of `-std=`.
    pub standard: Option<String>,
    /// The value of `-x`, where it names a language that is analysed.
    pub language: Option<Language>,
    /// `--default-stream per-thread`, or `CUDA_API_PER_THREAD_DEFAULT_STREAM` defined.
    pub per_thread_default_stream: bool,
}

/// An option that is kept.
#[derive(Debug, Clone, Copy)]
enum Kept {
    /// A folder or file, relative to the command's folder.
    Path(&'static str),
    /// A macro.
    Macro(&'static str),
}

/// Options with a value, as nvcc, gcc and clang spell them. A longer name stands before its prefix.
const OPTIONS: &[(&str, Kept)] = &[
    ("--include-path", Kept::Path("-I")),
    ("--system-include", Kept::Path("-isystem")),
    ("--pre-include", Kept::Path("-include")),
    ("--define-macro", Kept::Macro("-D")),
    ("--undefine-macro", Kept::Macro("-U")),
    ("-idirafter", Kept::Path("-idirafter")),
    ("-isystem", Kept::Path("-isystem")),
    ("-imacros", Kept::Path("-imacros")),
    ("-include", Kept::Path("-include")),
    ("-iquote", Kept::Path("-iquote")),
    ("-isysroot", Kept::Path("-isysroot")),
    ("--sysroot", Kept::Path("--sysroot")),
    ("-I", Kept::Path("-I")),
    ("-D", Kept::Macro("-D")),
    ("-U", Kept::Macro("-U")),
];

/// Translates the words of a command (the compiler's own name may be among them), run in `directory`.
#[must_use]
pub(super) fn translate(words: &[String], directory: &Path) -> Translated {
    let words = command::expand(words, directory);
    let mut translated = Translated::default();
    let mut rest = words.iter().map(String::as_str);
    while let Some(word) = rest.next() {
        if let Some(value) = option_value(word, &["-std", "--std"], &mut rest) {
            translated.standard = Some(value);
        } else if let Some(value) = option_value(word, &["-x", "--x"], &mut rest) {
            translated.language = language_named(&value).or(translated.language);
        } else if let Some(value) =
            option_value(word, &["-default-stream", "--default-stream"], &mut rest)
        {
            translated.per_thread_default_stream = value == "per-thread";
        } else if let Some((kept, value)) = kept_option(word, &mut rest) {
            keep(&mut translated, kept, &value, directory);
        }
    }
    translated
}

/// The value of an option written `--name value`, `--name=value` or `-xvalue` (one letter).
fn option_value<'a>(
    word: &str,
    names: &[&str],
    rest: &mut impl Iterator<Item = &'a str>,
) -> Option<String> {
    for name in names {
        let Some(value) = word.strip_prefix(name) else { continue };
        if value.is_empty() {
            return rest.next().map(str::to_owned);
        }
        if let Some(value) = value.strip_prefix('=') {
            return Some(value.to_owned());
        }
        // `-xcu`, but not `-xyz...`.
        if *name == "-x" && language_named(value).is_some() {
            return Some(value.to_owned());
        }
    }
    None
}

fn kept_option<'a>(word: &str, rest: &mut impl Iterator<Item = &'a str>) -> Option<(Kept, String)> {
    for &(name, kept) in OPTIONS {
        let Some(value) = word.strip_prefix(name) else { continue };
        if value.is_empty() {
            return rest.next().map(|value| (kept, value.to_owned()));
        }
        let long = name.starts_with("--");
        match value.strip_prefix('=') {
            Some(value) => return Some((kept, value.to_owned())),
            // `-Ifolder`, `-isystemfolder`; `--include-path-x` and `-includes` are other options.
            None if !long && name != "-include" => return Some((kept, value.to_owned())),
            None => {}
        }
    }
    None
}

fn keep(translated: &mut Translated, kept: Kept, value: &str, directory: &Path) {
    match kept {
        Kept::Path(option) => {
            // A forced include may also be a name that is searched for, as in `-include config.h`.
            let searched = matches!(option, "-include" | "-imacros");
            let path = directory.join(value);
            let path = if searched && !path.exists() { Path::new(value) } else { path.as_path() };
            let text = if directory.as_os_str().is_empty() || value.starts_with('=') {
                value.to_owned()
            } else {
                path.display().to_string()
            };
            translated.kept.extend([option.to_owned(), text]);
        }
        Kept::Macro(option) => {
            // nvcc takes lists: `-D A=1,B=2` is two macros, but `-DF(x,y)=...` is one.
            let list = option == "-D" && !value.contains(['(', '"', '\'', '{']);
            let values: Vec<&str> = if list { value.split(',').collect() } else { vec![value] };
            for value in values {
                let name = value.split('=').next().unwrap_or(value);
                if name == "CUDA_API_PER_THREAD_DEFAULT_STREAM" {
                    translated.per_thread_default_stream = option == "-D" && !value.ends_with("=0");
                }
                translated.kept.extend([option.to_owned(), value.to_owned()]);
            }
        }
    }
}

fn language_named(name: &str) -> Option<Language> {
    match name {
        "cu" | "cuda" => Some(Language::Cuda),
        "c++" | "cpp" => Some(Language::Cpp),
        "c" => Some(Language::C),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Language, Translated, translate};
    use std::path::Path;

    fn line(text: &str) -> Translated {
        let words = shlex::split(text).unwrap();
        translate(&words, Path::new("/build"))
    }

    #[test]
    fn an_nvcc_line_keeps_macros_includes_and_the_standard() {
        let got = line(
            "nvcc -ccbin /usr/bin/g++-12 -I../inc -isystem=/opt/x --include-path third -DN=4 --define-macro M -U Q \
             -gencode arch=compute_87,code=sm_87 -gencode=arch=compute_72,code=[sm_72,compute_72] --extended-lambda \
             -Xcompiler -Wall,-fopenmp,-DX=1 -Xcompiler=-fPIC -rdc=true -dc -x cu -std=c++14 -Xptxas -v -O3 \
             --expt-relaxed-constexpr -MF a.d -o a.o a.cu",
        );
        assert_eq!(
            got.kept,
            [
                "-I",
                "/build/../inc",
                "-isystem",
                "/opt/x",
                "-I",
                "/build/third",
                "-D",
                "N=4",
                "-D",
                "M",
                "-U",
                "Q",
                "-D",
                "X=1"
            ]
        );
        assert_eq!(got.standard.as_deref(), Some("c++14"));
        assert_eq!(got.language, Some(Language::Cuda));
        assert!(!got.per_thread_default_stream);
    }

    #[test]
    fn the_default_stream_flag_is_recorded_in_all_its_spellings() {
        for text in [
            "nvcc --default-stream per-thread a.cu",
            "nvcc -default-stream=per-thread a.cu",
            "nvcc -DCUDA_API_PER_THREAD_DEFAULT_STREAM a.cu",
            "nvcc -DCUDA_API_PER_THREAD_DEFAULT_STREAM=1 a.cu",
        ] {
            assert!(line(text).per_thread_default_stream, "{text}");
        }
        assert!(!line("nvcc --default-stream legacy a.cu").per_thread_default_stream);
        assert!(
            !line("nvcc -DCUDA_API_PER_THREAD_DEFAULT_STREAM=0 a.cu").per_thread_default_stream
        );
    }

    #[test]
    fn a_line_of_nonsense_yields_nothing_and_does_not_fail() {
        let got = line("cc -I");
        assert_eq!(got, Translated::default());
        let got = line("-- --- -Zq --std -xwhatever @ @missing.rsp -= --include-path");
        assert_eq!(got.kept, Vec::<String>::new());
    }

    #[test]
    fn macro_lists_are_split_but_function_like_macros_are_not() {
        assert_eq!(line("nvcc -D A=1,B").kept, ["-D", "A=1", "-D", "B"]);
        assert_eq!(line("nvcc '-DF(x,y)=x'").kept, ["-D", "F(x,y)=x"]);
        assert_eq!(line(r#"nvcc -DS=\"a,b\""#).kept, ["-D", "S=\"a,b\""]);
    }
}
