//! A precompiled prefix never changes what is found: with it and without it the report is the same, and where a header
//! that the prefix holds could change the meaning of a file, the file is parsed without.

mod fix_support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use fix_support::{MERGEABLE, Run, Tree};

/// Files that make it worth while to build a prefix.
const ENOUGH: usize = 8;

/// A cache folder that holds the prefix for the standard flags.
fn cache() -> &'static Path {
    static CACHE: OnceLock<Tree> = OnceLock::new();
    let tree = CACHE.get_or_init(|| {
        let tree = Tree::new();
        fill(&tree);
        tree
    });
    tree.path()
}

fn fill(cache: &Tree) {
    let sources = Tree::new();
    for index in 0..ENOUGH {
        sources.mergeable(&format!("{index}.cu"));
    }
    let run = sources.echo_fix(&[".", "-vv", "--cache-dir", path(cache.path())]);
    run.expect(0, "; with prefix");
}

fn path(path: &Path) -> &str {
    path.to_str().expect("a name of a temporary folder")
}

/// Runs on a program with the prefix and without: the outputs must agree. The first one's report.
fn both(tree: &Tree, arguments: &[&str], cache: &Path) -> Run {
    let with = [arguments, &[".", "-vv", "--cache-dir", path(cache)]].concat();
    let with = tree.echo_fix(&with);
    let without = [arguments, &[".", "-vv", "--no-cache"]].concat();
    let without = tree.echo_fix(&without);
    without.expect(0, "; no prefix");
    assert_eq!(with.out, without.out);
    let findings = |run: &Run| -> Vec<String> {
        run.err.lines().filter(|line| !line.contains(": parsed in ")).map(str::to_owned).collect()
    };
    assert_eq!(findings(&with), findings(&without));
    with
}

/// A program with a pair that is merged unless `before` or `between` prevent it.
fn program(before: &str, between: &str) -> String {
    let text = fs::read_to_string(MERGEABLE).expect("the fixture");
    let (head, tail) = text.split_once("int main() {\n").expect("a main function");
    format!("{before}\n{head}int main() {{\n{between}\n{tail}")
}

fn check(before: &str, between: &str, arguments: &[&str], said: &str) {
    let tree = Tree::new();
    tree.write("a.cu", program(before, between));
    both(&tree, arguments, cache()).expect(0, said);
}

#[test]
fn the_corpus_is_judged_alike_with_and_without() {
    let run = |flags: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_echo-fix"))
            .args(["corpus", "--min-size", "0", "--format", "json"])
            .args(flags)
            .output()
            .expect("echo-fix starts");
        Run::new(output)
    };
    let with = run(&["--cache-dir", path(cache())]);
    let without = run(&["--no-cache"]);
    with.expect(0, "");
    assert!(with.out.contains("\"verdict\""), "{}", with.out);
    assert_eq!(with.out, without.out);
}

#[test]
fn an_ordinary_program_has_the_prefix() {
    check(
        "#include <cstdio>\n#include <vector>",
        "std::vector<int> v(3);",
        &["--extra-arg=-DN=3"],
        "; with prefix",
    );
}

#[test]
fn a_standard_header_must_be_included_to_be_used() {
    check("#include <cstdio>", "std::map<int, int> m; m[0] = 1;", &[], "without prefix: ");
}

#[test]
fn a_macro_of_a_header_must_be_included_to_be_tested() {
    let test = "#ifdef _GLIBCXX_MAP\nextern void unknown(void**); unknown(0);\n#endif";
    check("#include <cstdio>", test, &[], "/map is used and not included");
    check("#include <map>", test, &[], "; with prefix");
}

#[test]
fn names_of_headers_that_are_not_included_are_free() {
    // Ambiguous if <algorithm> were there.
    check(
        "#include <cstdio>\nusing namespace std;\nint count = 3;",
        "count++;",
        &[],
        "without prefix: ",
    );
}

#[test]
fn macros_before_a_header_may_change_it() {
    check("#define private public\n#include <vector>", "", &[], "without prefix: private");
    check("#define NDEBUG\n#include <cassert>", "assert(false);", &[], "without prefix: NDEBUG");
    check("#include <cstdio>\n#define TWICE 2\n#include <vector>", "", &[], "; with prefix");
    check("#include <vector>", "#define private public", &[], "; with prefix");
    check(
        "#include <vector>",
        "",
        &["--extra-arg=-Dprotected=public"],
        "without prefix: protected",
    );
    check("#include <vector>\n#undef _GLIBCXX_VECTOR", "", &[], "without prefix: _GLIBCXX_VECTOR");
}

#[test]
fn pragmas_before_a_header_may_change_it() {
    check("#pragma pack(1)\n#include <ctime>", "", &[], "without prefix: a pragma");
}

#[test]
fn a_header_of_the_program_wins_over_one_of_the_system() {
    let tree = Tree::new();
    tree.write("a.cu", program("#include <queue>", "queue_of_mine(3);"));
    tree.write("queue", "inline void queue_of_mine(int) {}\n");
    tree.write("Makefile", "CXXFLAGS = -I.\n");
    both(&tree, &[], cache()).expect(0, "without prefix: a header of the program");
}

#[test]
fn errors_are_those_of_a_parse_without() {
    check("", "missing_function(3);", &[], "without prefix: there are errors");
}

#[test]
fn a_damaged_cache_is_not_used_and_is_built_anew() {
    let damages: [fn(&mut Vec<u8>); 3] =
        [|bytes| bytes.truncate(1000), |bytes| bytes.clear(), |bytes| bytes[5_000_000] ^= 1];
    for extension in ["pch", "json", "words"] {
        for damage in damages {
            let copy = Tree::new();
            for entry in fs::read_dir(cache()).expect("the cache") {
                let from = entry.expect("an entry").path();
                let name = from.file_name().expect("a name").to_owned();
                let mut bytes = fs::read(&from).expect("its bytes");
                if from.extension().is_some_and(|e| e == extension) {
                    // Small files have no such byte.
                    bytes.resize(bytes.len().max(5_000_001), b' ');
                    damage(&mut bytes);
                }
                fs::write(copy.path().join(name), bytes).expect("a copy");
            }
            let tree = Tree::new();
            tree.write("a.cu", program("#define TWICE 2\n#include <vector>", ""));
            let run = both(&tree, &[], copy.path());
            // White space after the description, and a byte of a word, are no damage.
            if extension == "pch" {
                run.expect(0, "; no prefix");
                fill(&copy);
                both(&tree, &[], copy.path()).expect(0, "; with prefix");
            }
        }
    }
}

#[test]
fn a_cache_for_other_headers_is_not_used() {
    let copy = Tree::new();
    for entry in fs::read_dir(cache()).expect("the cache") {
        let from = entry.expect("an entry").path();
        let to = copy.path().join(from.file_name().expect("a name"));
        fs::copy(&from, &to).expect("a copy");
        if to.extension().is_some_and(|e| e == "json") {
            let text = fs::read_to_string(&to).expect("its text");
            let mut facts: serde_json::Value = serde_json::from_str(&text).expect("JSON");
            let headers = facts["headers"].as_array_mut().expect("a list");
            let header = headers.iter_mut().find(|header| !header["stamp"].is_null());
            header.expect("a header of the system")["stamp"][1] = 0.into();
            fs::write(&to, facts.to_string()).expect("written");
        }
    }
    let tree = Tree::new();
    tree.mergeable("a.cu");
    both(&tree, &[], copy.path()).expect(0, "; no prefix");
}

#[test]
fn a_folder_that_cannot_be_written_costs_only_time() {
    let tree = Tree::new();
    for index in 0..ENOUGH {
        tree.mergeable(&format!("{index}.cu"));
    }
    let file: PathBuf = Tree::new().file("nothing");
    both(&tree, &[], Path::new("/dev/null/cache")).expect(0, "; no prefix");
    both(&tree, &[], &file).expect(0, "; with prefix");
    assert!(fs::remove_dir_all(file).is_ok());
}
