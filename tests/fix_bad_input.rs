//! Input that nobody would call a program: a clear message, the documented exit code, and no file but the bad one is lost.

mod fix_support;

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use fix_support::{Run, Tree};

/// One bad file beside a good one: the bad one is named with the reason, the good one gets its patch, and `--strict` fails.
#[track_caller]
fn lost_alone(tree: &Tree, run: impl Fn(&[&str]) -> Run, said: &str) {
    tree.mergeable("good.cu");
    let lenient = run(&["."]);
    lenient.expect(0, "bad.cu was not analysed").expect(0, said);
    assert!(lenient.out.contains("+++ b/good.cu"), "{}", lenient.out);
    run(&[".", "--strict"]).expect(3, said);
}

#[test]
fn an_unreadable_file() {
    let tree = Tree::new();
    let bad = tree.write("bad.cu", "int main() {}\n");
    fs::set_permissions(&bad, fs::Permissions::from_mode(0o000)).unwrap();
    lost_alone(&tree, |arguments| tree.echo_fix_unprivileged(arguments), "Permission denied");
}

#[test]
fn an_unreadable_folder() {
    let tree = Tree::new();
    tree.mergeable("shut/a.cu");
    tree.mergeable("good.cu");
    fs::set_permissions(tree.file("shut"), fs::Permissions::from_mode(0o000)).unwrap();
    let run = tree.echo_fix_unprivileged(&[".", "-v"]);
    fs::set_permissions(tree.file("shut"), fs::Permissions::from_mode(0o755)).unwrap();
    run.expect(0, "passed over").expect(0, "Permission denied").expect(0, "can merge 1 pair");
}

#[test]
fn a_huge_file() {
    let tree = Tree::new();
    // It takes no room on the disk.
    fs::File::create(tree.file("bad.cu")).unwrap().set_len(100 << 20).unwrap();
    lost_alone(&tree, |arguments| tree.echo_fix(arguments), "it is larger than 64 MiB");
}

#[test]
fn a_binary_file() {
    let tree = Tree::new();
    tree.write("bad.cu", b"\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00");
    lost_alone(&tree, |arguments| tree.echo_fix(arguments), "it is a binary file");
}

#[test]
fn a_folder_and_a_pipe_named_as_sources() {
    let tree = Tree::new();
    fs::create_dir(tree.file("folder.cu")).unwrap();
    nix::unistd::mkfifo(&tree.file("bad.cu"), nix::sys::stat::Mode::S_IRWXU).unwrap();
    tree.mergeable("good.cu");
    tree.echo_fix(&["."]).expect(0, "can merge 1 pair");
    tree.echo_fix(&["bad.cu"]).expect(0, "it is not a regular file");
}

#[test]
fn an_empty_file() {
    let tree = Tree::new();
    tree.write("empty.cu", "");
    tree.echo_fix(&["."]).expect(0, "no candidate pairs: 1 file parsed");
    tree.echo_fix(&[".", "--strict", "--check"]).expect(0, "no candidate pairs");
}

#[test]
fn a_folder_without_sources() {
    let tree = Tree::new();
    tree.write("notes.txt", "cuda");
    tree.echo_fix(&["."]).expect(0, "no candidate pairs: 0 files parsed");
}

#[test]
fn bytes_that_are_not_utf8() {
    let tree = Tree::new();
    let mut text = b"// caf\xe9 \xff\xfe\nconst char* s = \"\xc3\x28\";\n".to_vec();
    text.extend(fs::read(fix_support::MERGEABLE).unwrap());
    tree.write("a.cu", &text);
    tree.echo_fix(&[".", "--strict"]).expect(0, "can merge 1 pair");
    tree.echo_fix(&[".", "--apply"]).expect(0, "merged 1 pair");
    let new = tree.read("a.cu");
    assert!(new.starts_with(b"// caf\xe9 \xff\xfe\nconst char* s = \"\xc3\x28\";\n"));
    assert_ne!(new, text);
}

#[test]
fn deep_nesting() {
    let tree = Tree::new();
    let expression = format!("{}1{}", "(".repeat(3000), ")".repeat(3000));
    tree.write("parentheses.cu", format!("int main() {{ return {expression}; }}\n"));
    let blocks = format!("{}{}", "{".repeat(3000), "}".repeat(3000));
    tree.write("blocks.cu", format!("int main() {{ {blocks} return 0; }}\n"));
    let sum = vec!["1"; 20_000].join("+");
    tree.write("sum.cu", format!("int main() {{ return {sum}; }}\n"));
    tree.mergeable("good.cu");
    let run = tree.echo_fix(&[".", "-v"]);
    run.expect(0, "can merge 1 pair");
    // Whether a parser can do this is its affair; that it could not must be said.
    for name in ["parentheses.cu", "blocks.cu"] {
        assert!(run.err.contains(name), "{}", run.err);
    }
}

#[test]
fn unterminated_things() {
    for (what, text) in [
        ("comment", "int main() { return 0; }\n/* never closed\n"),
        ("text", "const char* s = \"never closed\n"),
        ("raw text", "const char* s = R\"x(never closed\n"),
        ("function", "#include <cuda_runtime.h>\nint main() { int* d; cudaMalloc(&d, 4);\n"),
        ("condition", "#if 1\nint main() {}\n"),
        ("include", "#include \"a.cu\"\n"),
        ("macro", "#define A A\\"),
    ] {
        let tree = Tree::new();
        tree.write("a.cu", text);
        tree.mergeable("good.cu");
        let run = tree.echo_fix(&[".", "-v"]);
        assert_eq!(run.code, Some(0), "{what}: {}", run.err);
        assert!(run.err.contains("can merge 1 pair"), "{what}: {}", run.err);
        assert!(what == "macro" || run.err.contains("a.cu: "), "{what}: {}", run.err);
    }
}

#[test]
fn loops_of_links() {
    let tree = Tree::new();
    tree.mergeable("src/good.cu");
    symlink("..", tree.file("src/up")).unwrap();
    symlink(".", tree.file("src/here")).unwrap();
    symlink("self.cu", tree.file("src/self.cu")).unwrap();
    symlink("good.cu", tree.file("src/again.cu")).unwrap();
    symlink("nowhere.cu", tree.file("src/dangling.cu")).unwrap();
    let run = tree.echo_fix(&["src"]);
    run.expect(0, "can merge 1 pair");
    tree.echo_fix(&["src", "src/up/src", "src/here"]).expect(0, "can merge 1 pair");
    tree.echo_fix(&["src/self.cu"]).expect(2, "cannot read src/self.cu");
    tree.echo_fix(&["src/dangling.cu"]).expect(2, "cannot read src/dangling.cu");
}

#[test]
fn what_does_not_exist() {
    let tree = Tree::new();
    tree.mergeable("good.cu");
    tree.echo_fix(&["good.cu", "missing.cu"]).expect(2, "cannot read missing.cu");
    tree.echo_fix(&[]).expect(2, "no files given");
    tree.echo_fix(&[".", "--only", "nothing"]).expect(2, "there is no pair `nothing`");
}

#[test]
fn no_libclang() {
    let tree = Tree::new();
    tree.mergeable("good.cu");
    let run = tree.echo_fix(&[".", "--libclang", "nowhere"]);
    run.expect(2, "there is no libclang at nowhere").expect(2, "install");
    assert_eq!(run.out, "");
    tree.write("libclang.so", "not a library");
    tree.echo_fix(&[".", "--libclang", "libclang.so"]).expect(2, "no usable libclang");
}

#[test]
fn wrong_compile_databases() {
    let tree = Tree::new();
    let good = tree.mergeable("src/good.cu");
    let entry = |extra: serde_json::Value| {
        let mut entry = serde_json::json!({"directory": tree.path(), "file": good});
        entry.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        serde_json::json!([entry]).to_string()
    };
    let database = |text: &str| {
        tree.write("db/compile_commands.json", text);
        tree.echo_fix(&["src", "-p", "db"])
    };
    tree.echo_fix(&["src", "-p", "nowhere"]).expect(2, "cannot read nowhere");
    tree.echo_fix(&["src", "-p", "src"]).expect(2, "cannot read src/compile_commands.json");
    for wrong in ["", "{", "{}", "[1]", "[{}]", "[{\"file\": \"a.cu\"}]", "\u{0}", "[[[[[["] {
        database(wrong).expect(2, "is not a compile database");
    }
    // Entries that are of no use leave the file to the defaults.
    for (useless, said) in [
        ("[]".to_owned(), "can merge 1 pair"),
        (entry(serde_json::json!({"command": ""})), "can merge 1 pair"),
        (entry(serde_json::json!({"arguments": []})), "can merge 1 pair"),
        (entry(serde_json::json!({"command": "nvcc 'never closed"})), "can merge 1 pair"),
        (
            entry(serde_json::json!({"command": "nvcc @missing.rsp -c src/good.cu"})),
            "can merge 1 pair",
        ),
        (
            entry(
                serde_json::json!({"command": "nvcc --no-such-flag -Xfoo -gencode -c src/good.cu"}),
            ),
            "can merge 1 pair",
        ),
        (
            entry(
                serde_json::json!({"directory": "/nowhere", "command": "nvcc -Iinclude -c src/good.cu"}),
            ),
            "can merge 1 pair",
        ),
    ] {
        let run = database(&useless);
        assert!(run.code == Some(0) && run.err.contains(said), "{useless}: {}", run.err);
    }
}

#[test]
fn wrong_configurations() {
    let tree = Tree::new();
    tree.mergeable("good.cu");
    for (text, said) in [
        ("target = \"orin\"\nmemroy = \"mapped\"\n", "unknown field `memroy`"),
        ("target = \"jetson\"\n", "`jetson` is not one of any-uma, orin"),
        ("min-size = \"big\"\n", "invalid type"),
        ("target = ", "is not understood"),
        ("exclude = [\"nowhere\"]\n", "cannot exclude"),
        ("\u{0}", "is not understood"),
    ] {
        tree.write("echo.toml", text);
        tree.echo_fix(&["."]).expect(2, said).expect(2, "echo.toml");
    }
    tree.write("echo.toml", "effect-models = [\"models.toml\"]\n");
    tree.echo_fix(&["."]).expect(2, "cannot read ").expect(2, "models.toml");
    tree.write("models.toml", "[[fn]]\nname = \"f\"\nargs.0 = { access = \"perhaps\" }\n");
    tree.echo_fix(&["."]).expect(2, "models.toml");
    tree.write("echo.toml", b"target = \"\xff\"");
    tree.echo_fix(&["."]).expect(2, "echo.toml");
}

#[test]
fn a_worker_that_serves_many_files_answers_as_if_each_were_its_first() {
    let tree = Tree::new();
    let good = fs::read_to_string(fix_support::MERGEABLE).unwrap();
    for number in 0..30 {
        let name = format!("{number:02}.cu");
        match number % 5 {
            0 => tree.mergeable(&name),
            1 => tree.write(&name, format!("{good}\n/* never closed")),
            2 => tree.write(&name, ""),
            3 => {
                let (open, close) = ("(".repeat(3_000), ")".repeat(3_000));
                tree.write(&name, format!("int f() {{ return {open}1{close}; }}\n"))
            }
            _ => tree.write(&name, b"int f\xff() { return \xfe; }\n"),
        };
    }
    let one = tree.echo_fix(&[".", "--format", "json", "-j", "1"]);
    let three = tree.echo_fix(&[".", "--format", "json", "-j", "3"]);
    assert_eq!((one.code, &one.out), (three.code, &three.out));
    tree.echo_fix(&["."]).expect(0, "can merge 12 pairs");
}
