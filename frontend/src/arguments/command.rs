//! The words of a command line with response files read and `-Xcompiler` lists opened.

use std::path::Path;

/// Response files within response files are followed this deep; nvcc allows no cycle either.
const MAX_DEPTH: u32 = 8;

/// Expands `@file`, `-optf file`, `--options-file file` and the lists after `-Xcompiler`.
pub(super) fn expand(words: &[String], directory: &Path) -> Vec<String> {
    let mut expanded = Vec::new();
    expand_into(&mut expanded, words, directory, 0);
    expanded
}

fn expand_into(expanded: &mut Vec<String>, words: &[String], directory: &Path, depth: u32) {
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        if let Some(file) = word.strip_prefix('@').filter(|file| !file.is_empty()) {
            response_file(expanded, file, directory, depth);
        } else if matches!(word.as_str(), "-optf" | "--options-file") {
            for file in rest.next().into_iter().flat_map(|files| files.split(',')) {
                response_file(expanded, file, directory, depth);
            }
        } else if let Some(files) =
            word.strip_prefix("--options-file=").or_else(|| word.strip_prefix("-optf="))
        {
            for file in files.split(',') {
                response_file(expanded, file, directory, depth);
            }
        } else if let Some(list) = host_compiler_list(word, &mut rest) {
            expanded.extend(list.split(',').map(str::to_owned));
        } else if takes_tool_option(word) {
            // `-Xptxas -DX`, `-Xlinker -Ix`: words for another tool.
            rest.next();
        } else {
            expanded.push(word.clone());
        }
    }
}

fn host_compiler_list<'a>(
    word: &'a str,
    rest: &mut impl Iterator<Item = &'a String>,
) -> Option<&'a str> {
    for name in ["-Xcompiler", "--compiler-options"] {
        let Some(value) = word.strip_prefix(name) else { continue };
        if value.is_empty() {
            return rest.next().map(String::as_str);
        }
        return value.strip_prefix('=');
    }
    None
}

fn takes_tool_option(word: &str) -> bool {
    matches!(
        word,
        "-Xptxas"
            | "-Xlinker"
            | "-Xnvlink"
            | "-Xfatbin"
            | "-Xarchive"
            | "-Xcudafe"
            | "-Xclang"
            | "-Xassembler"
            | "-Xpreprocessor"
            | "-Xcuda-ptxas"
            | "-Xcuda-fatbinary"
            | "-mllvm"
            | "--ptxas-options"
            | "--linker-options"
            | "--archive-options"
            | "--nvlink-options"
            | "-o"
            | "--output-file"
            | "-MF"
            | "-MT"
            | "-MQ"
    )
}

/// A response file that cannot be read contributes nothing: its include folders show up as missing headers.
fn response_file(expanded: &mut Vec<String>, file: &str, directory: &Path, depth: u32) {
    if depth >= MAX_DEPTH {
        return;
    }
    let Ok(bytes) = std::fs::read(directory.join(file)) else { return };
    let text = String::from_utf8_lossy(&bytes);
    if let Some(words) = shlex::split(&text) {
        expand_into(expanded, &words, directory, depth + 1);
    }
}

#[cfg(test)]
mod tests {
    use super::expand;

    fn words(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn response_files_are_read_also_within_each_other() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.rsp"), "-Ix \"-DT=a b\"\n@b.rsp").unwrap();
        std::fs::write(folder.path().join("b.rsp"), "-Iy").unwrap();
        let got = expand(&words("--options-file a.rsp -c"), folder.path());
        assert_eq!(got, ["-Ix", "-DT=a b", "-Iy", "-c"]);
    }

    #[test]
    fn a_response_file_that_includes_itself_ends() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.rsp"), "-Ix @a.rsp").unwrap();
        assert_eq!(expand(&words("@a.rsp"), folder.path()), vec!["-Ix"; 8]);
    }

    #[test]
    fn words_for_other_tools_are_not_ours() {
        let folder = tempfile::tempdir().unwrap();
        let got = expand(&words("-Xlinker -Ix -Xcompiler -Iy,-O2 -o -Dz"), folder.path());
        assert_eq!(got, ["-Iy", "-O2"]);
    }
}
