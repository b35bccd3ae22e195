//! The literal words of a Makefile that change what a file means (`-I`, `-D`, `-std`, forced includes, the default stream),
//! and the literal include folders of a CMakeLists.txt, and whether it asks for per-thread default streams.
//!
//! Nothing is evaluated: a word with a `$` in it says nothing, and neither does a macro inside a conditional, which
//! may not be set in the build the user has in mind.

use std::path::Path;

use super::translate::{Translated, translate};

/// Files larger than this are not hand-written build descriptions.
const MAX_BYTES: u64 = 1 << 20;

/// What the build files of `folder` say literally.
pub(super) fn literal_flags(folder: &Path) -> Translated {
    let mut words = Vec::new();
    for name in ["GNUmakefile", "makefile", "Makefile"] {
        if let Some(text) = read(&folder.join(name)) {
            words.extend(makefile_words(&text));
            break;
        }
    }
    if let Some(text) = read(&folder.join("CMakeLists.txt")) {
        words.extend(cmake_words(&text));
    }
    translate(&words, folder)
}

fn read(path: &Path) -> Option<String> {
    let metadata = std::fs::metadata(path).ok()?;
    if !metadata.is_file() || metadata.len() > MAX_BYTES {
        return None;
    }
    Some(String::from_utf8_lossy(&std::fs::read(path).ok()?).into_owned())
}

fn makefile_words(text: &str) -> Vec<String> {
    let joined = text.replace("\\\r\n", " ").replace("\\\n", " ");
    let mut found = Vec::new();
    let mut depth = 0u32;
    for line in joined.lines() {
        let line = line.trim();
        let first = line.split(|c: char| c.is_whitespace() || c == '(').next().unwrap_or("");
        match first {
            "ifeq" | "ifneq" | "ifdef" | "ifndef" => depth += 1,
            "endif" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if line.starts_with('#') {
            continue;
        }
        let Some(words) = shlex::split(line) else { continue };
        let mut words = words.into_iter().peekable();
        while let Some(word) = words.next() {
            let conditional = depth > 0;
            let include = word.starts_with("-I") || word == "-isystem";
            let macros = !conditional && (word.starts_with("-D") || word.starts_with("-U"));
            let standard =
                !conditional && (word.starts_with("-std=") || word.starts_with("--std="));
            // A line that starts so includes another Makefile.
            let forced = !conditional && first != "-include" && word == "-include";
            let stream = !conditional && word.trim_start_matches('-').starts_with("default-stream");
            if !(include || macros || standard || forced || stream) {
                continue;
            }
            let with_value = matches!(
                word.as_str(),
                "-I" | "-D"
                    | "-U"
                    | "-isystem"
                    | "-include"
                    | "-default-stream"
                    | "--default-stream"
            );
            let value = if with_value { words.next() } else { None };
            let literal = |word: &String| !word.contains('$') && !word.contains('`');
            if literal(&word) && value.as_ref().is_none_or(literal) {
                found.push(word);
                found.extend(value);
            }
        }
    }
    found
}

fn cmake_words(text: &str) -> Vec<String> {
    let uncommented: String =
        text.lines().map(|line| line.split('#').next().unwrap_or("")).collect::<Vec<_>>().join(" ");
    let mut found = Vec::new();
    let quiet = uncommented.replace(['=', '"', '\'', ';', '>'], " ");
    let words: Vec<&str> = quiet.split_whitespace().collect();
    let stream = |word: &str| word.trim_start_matches('-') == "default-stream";
    if words.windows(2).any(|pair| stream(pair[0]) && pair[1].starts_with("per-thread")) {
        found.extend(["--default-stream".to_owned(), "per-thread".to_owned()]);
    }
    for command in ["include_directories"] {
        for (at, _) in uncommented.match_indices(command) {
            let rest = uncommented[at + command.len()..].trim_start();
            let Some(rest) = rest.strip_prefix('(') else { continue };
            let inside = rest.split(')').next().unwrap_or("");
            for word in inside.split_whitespace() {
                let word = word.trim_matches('"');
                let folder = word.strip_prefix("${CMAKE_CURRENT_SOURCE_DIR}/").unwrap_or(word);
                let keyword =
                    !folder.contains(['/', '.']) && folder.chars().all(|c| c.is_uppercase());
                if !folder.contains('$') && !keyword && !folder.is_empty() {
                    found.extend(["-I".to_owned(), folder.to_owned()]);
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{cmake_words, makefile_words};

    #[test]
    fn only_literal_unconditional_words_count() {
        let text = "CFLAGS := -I../common -I$(INC) -DN=8 \\\n  -D M\n# -DCOMMENT\nifeq ($(DEBUG),yes)\nCFLAGS += -DDEBUG -Idbg\nendif\n\
                    LAST = -std=c++14 -DQ=\\\"s\\\"\n";
        let words = makefile_words(text);
        assert_eq!(words, ["-I../common", "-DN=8", "-D", "M", "-Idbg", "-std=c++14", "-DQ=\"s\""]);
    }

    #[test]
    fn forced_includes_and_the_default_stream_count() {
        let text =
            "-include deps.mk\na: a.cu\n\tnvcc -include pre.h --default-stream per-thread a.cu\n";
        assert_eq!(makefile_words(text), ["-include", "pre.h", "--default-stream", "per-thread"]);
        let text = "set(CMAKE_CUDA_FLAGS \"${CMAKE_CUDA_FLAGS} --default-stream=per-thread\")";
        assert_eq!(cmake_words(text), ["--default-stream", "per-thread"]);
    }

    #[test]
    fn cmake_include_folders_are_found() {
        let text = "include_directories(../../Common ${CUDA_INC})\ntarget_include_directories(x PRIVATE\n  \"${CMAKE_CURRENT_SOURCE_DIR}/inc\")";
        assert_eq!(cmake_words(text), ["-I", "../../Common", "-I", "x", "-I", "inc"]);
    }
}
