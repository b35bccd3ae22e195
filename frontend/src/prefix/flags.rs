//! The arguments of a file, as far as a prefix depends on them.

use std::ffi::CString;
use std::path::Path;

use crate::headers;

/// The arguments of a file, taken apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flags {
    /// What the prefix is built with: everything but the user's macros and include folders.
    pub(crate) common: Vec<String>,
    /// The file's own arguments without its macros, up to where the prefix goes.
    before: Vec<String>,
    /// The rest of them.
    after: Vec<String>,
    /// Folders of the user's, in which headers are looked for before the system's.
    folders: Vec<String>,
    /// `#define` and `#undef` lines for the macros of the command line.
    macros: String,
}

/// Options with a value of their own or joined to them.
const VALUED: &[&str] =
    &["-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-I", "-D", "-U"];

/// Options that hand the next word to another part of clang.
const PASSED_ON: &[&str] = &["-Xclang", "-Xpreprocessor"];

impl Flags {
    /// Takes clang arguments apart; `None` if the file does not begin with the built-in declarations, or if an argument
    /// is of a kind that a prefix cannot stand for.
    #[must_use]
    pub fn of(arguments: &[String]) -> Option<Self> {
        let mut flags = Self {
            common: Vec::new(),
            before: Vec::new(),
            after: Vec::new(),
            folders: Vec::new(),
            macros: String::new(),
        };
        let mut prelude = false;
        let mut words = arguments.iter().map(String::as_str);
        while let Some(word) = words.next() {
            if PASSED_ON.contains(&word) {
                let value = words.next()?;
                // Macros and folders that are hidden from the driver.
                if VALUED.iter().any(|option| value.starts_with(option)) {
                    return None;
                }
                flags.push(prelude, &[word, value]);
                flags.common.extend([word.to_owned(), value.to_owned()]);
                continue;
            }
            let option = VALUED
                .iter()
                .find(|&&option| word.starts_with(option) && (word == option || option.len() == 2));
            let Some(&option) = option else {
                flags.push(prelude, &[word]);
                flags.common.push(word.to_owned());
                continue;
            };
            let value = if word == option { words.next()? } else { &word[option.len()..] };
            match option {
                "-D" => {
                    let (name, body) = value.split_once('=').unwrap_or((value, "1"));
                    flags.define(value, &format!("#define {name} {body}\n"))?;
                }
                "-U" => flags.define(value, &format!("#undef {value}\n"))?,
                "-include" if value == "echo_cuda.h" => prelude = true,
                // What it holds comes before the built-in declarations, or may define anything.
                "-include" | "-imacros" => return None,
                _ => {
                    flags.push(prelude, &[option, value]);
                    if value.starts_with(headers::ROOT) {
                        flags.common.extend([option.to_owned(), value.to_owned()]);
                    } else {
                        flags.folders.push(value.to_owned());
                    }
                }
            }
        }
        prelude.then_some(flags)
    }

    /// What files that share a prefix have in common.
    #[must_use]
    pub fn shared(&self) -> &[String] {
        &self.common
    }

    /// The arguments that load the prefix at `path`; the macros of the command line come after it, from [`macro_file`].
    pub(crate) fn with(&self, path: &Path) -> Vec<String> {
        let mut arguments = self.before.clone();
        arguments.extend(["-include-pch".to_owned(), path.display().to_string()]);
        if !self.macros.is_empty() {
            arguments.extend(["-include".to_owned(), macro_file()]);
        }
        arguments.extend(self.after.iter().cloned());
        arguments
    }

    /// The macros of the command line as a file that exists only for clang, if there are any.
    pub(crate) fn macro_file(&self) -> Option<(CString, CString)> {
        if self.macros.is_empty() {
            return None;
        }
        Some((CString::new(macro_file()).ok()?, CString::new(self.macros.as_str()).ok()?))
    }

    /// Whether a folder of the user's holds a header of one of these names, which would then be meant.
    pub(crate) fn shadow(&self, names: &[String]) -> bool {
        self.folders.iter().map(Path::new).any(|folder| {
            let mut first = "";
            let mut there = false;
            // Most names share their first folder with the name before them.
            names.iter().any(|name| {
                let top = name.split('/').next().unwrap_or(name);
                if top != first {
                    (first, there) = (top, folder.join(top).exists());
                }
                there && folder.join(name).exists()
            })
        })
    }

    fn push(&mut self, after: bool, words: &[&str]) {
        let list = if after { &mut self.after } else { &mut self.before };
        list.extend(words.iter().map(|&word| word.to_owned()));
    }

    fn define(&mut self, value: &str, line: &str) -> Option<()> {
        if value.contains(['\n', '\\', '\0']) {
            return None;
        }
        self.macros.push_str(line);
        Some(())
    }
}

/// The header that stands for the macros of the command line; it exists only in clang's eyes.
pub(crate) fn macro_file() -> String {
    format!("{}/macros.h", headers::ROOT)
}

#[cfg(test)]
mod tests {
    use super::Flags;
    use std::path::Path;

    fn words(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn macros_and_folders_are_not_part_of_the_prefix() {
        let flags = Flags::of(&words(
            "-x cuda -include echo_cuda.h -std=c++17 -DN=3 -D A -I src -isystem /echo-headers/cuda",
        ))
        .unwrap();
        assert_eq!(flags.common, words("-x cuda -std=c++17 -isystem /echo-headers/cuda"));
        assert_eq!(flags.macros, "#define N 3\n#define A 1\n");
        assert_eq!(
            flags.with(Path::new("p")),
            words(
                "-x cuda -include-pch p -include /echo-headers/macros.h -std=c++17 -I src -isystem /echo-headers/cuda"
            )
        );
    }

    #[test]
    fn other_forced_includes_and_other_preludes_have_no_prefix() {
        assert_eq!(Flags::of(&words("-x cuda -std=c++17")), None);
        assert_eq!(Flags::of(&words("-x cuda -include echo_cuda.h -include config.h")), None);
        assert_eq!(Flags::of(&words("-include echo_cuda.h -D")), None);
        assert_eq!(Flags::of(&words("-include echo_cuda.h -Xclang -DN=3")), None);
        assert!(Flags::of(&words("-include echo_cuda.h -Xclang -fcuda-x")).is_some());
    }

    #[test]
    fn a_header_of_the_user_wins_over_the_prefix() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("bits")).unwrap();
        std::fs::write(folder.path().join("bits/types.h"), "").unwrap();
        let text = format!("-include echo_cuda.h -I {}", folder.path().display());
        let flags = Flags::of(&words(&text)).unwrap();
        assert!(flags.shadow(&words("bits/alloc.h bits/types.h string.h")));
        assert!(!flags.shadow(&words("bits/alloc.h string.h types.h")));
    }
}
