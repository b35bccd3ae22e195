//! `--apply` when something goes wrong: each file is old or new, nothing else is left, and a later run finishes the job.

mod fix_support;

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::process::Command;

use fix_support::{MERGEABLE, Run, Tree};

/// The text of [`MERGEABLE`] once merged.
fn merged() -> Vec<u8> {
    let tree = Tree::new();
    tree.mergeable("a.cu");
    tree.echo_fix(&["a.cu", "--apply"]).expect(0, "changed 1 file");
    let new = tree.read("a.cu");
    assert_ne!(new, fs::read(MERGEABLE).unwrap());
    new
}

/// Three programs in two folders.
fn three() -> Tree {
    let tree = Tree::new();
    for name in NAMES {
        tree.mergeable(name);
    }
    tree
}

const NAMES: [&str; 3] = ["one/a.cu", "one/b.cu", "two/c.cu"];

/// Whether `--apply` was killed before this step of writing; false if it ended first.
fn killed_before(tree: &Tree, step: usize) -> bool {
    let output = Command::new(env!("CARGO_BIN_EXE_echo-fix"))
        .args([".", "--apply", "--min-size", "0"])
        .env("ECHO_FIX_KILL_BEFORE_STEP", step.to_string())
        .current_dir(tree.path())
        .output()
        .unwrap();
    !output.status.success()
}

#[test]
fn killed_before_each_step() {
    let (old, new) = (fs::read(MERGEABLE).unwrap(), merged());
    let names = ["one/a.cu", "two/b.cu"];
    let mut half_done = 0;
    for step in 1.. {
        let tree = Tree::new();
        for name in names {
            tree.mergeable(name);
        }
        if !killed_before(&tree, step) {
            assert!(step > 8, "only {step} steps");
            break;
        }
        let count_new = names
            .iter()
            .filter(|name| {
                let now = tree.read(name);
                assert!(now == old || now == new, "{name} is neither old nor new at step {step}");
                now == new
            })
            .count();
        let decided = tree.file(".echo-fix.journal").exists();
        assert!(decided || matches!(count_new, 0 | 2), "half done without a journal at {step}");
        if decided {
            half_done += 1;
            // Whichever part of the tree the next run is about.
            let part = ["one", "two", ".", "one/a.cu"][step % 4];
            tree.echo_fix(&[part]).expect(2, "was interrupted: run it again to finish");
            tree.echo_fix(&[part, "--apply"]).expect(0, "finished an earlier --apply");
        } else {
            tree.echo_fix(&[".", "--apply"]).expect(0, "");
        }
        for name in names {
            assert_eq!(tree.read(name), new, "{name} at step {step}");
        }
        assert_eq!(tree.names(), ["one", "one/a.cu", "two", "two/b.cu"], "step {step}");
    }
    assert!(half_done >= 3, "killed only {half_done} times after the decision");
}

/// A tree in which `--apply` was killed after the decision, with one file new.
fn interrupted() -> Tree {
    // Staging three files and writing the journal take eight steps.
    for step in 9.. {
        let tree = three();
        assert!(killed_before(&tree, step), "no such step");
        if tree.read(NAMES[0]) != fs::read(MERGEABLE).unwrap() {
            return tree;
        }
    }
    unreachable!("the steps do not end")
}

#[test]
fn an_interrupted_run_is_found_from_above_and_after_a_move() {
    let tree = interrupted();
    let outer = Tree::new();
    fs::rename(tree.path(), outer.file("moved")).unwrap();
    outer.echo_fix(&["moved", "--apply"]).expect(0, "finished an earlier --apply");
    assert_eq!(outer.read("moved/two/c.cu"), merged());
    assert!(!outer.names().iter().any(|name| name.contains(".echo-fix")), "{:?}", outer.names());
}

#[test]
fn files_that_changed_after_an_interruption_are_left_alone() {
    let tree = interrupted();
    tree.write(NAMES[2], "// edited since\n");
    tree.echo_fix(&[".", "--apply"]).expect(2, "c.cu").expect(2, "was changed after");
    assert_eq!(tree.read(NAMES[2]), b"// edited since\n");
    assert_eq!(tree.read(NAMES[1]), fs::read(MERGEABLE).unwrap(), "nothing else moves either");
}

#[test]
fn a_journal_of_somebody_else_moves_no_file() {
    let tree = Tree::new();
    let outside = tree.write("outside.txt", "mine");
    tree.mergeable("src/a.cu");
    tree.write("src/evil", "theirs");
    symlink("..", tree.file("src/link")).unwrap();
    for (path, staged) in [
        ("../outside.txt", "evil"),
        ("../outside.txt", "../.outside.txt.echo-fix-new"),
        ("link/outside.txt", "link/.outside.txt.echo-fix-new"),
        (outside.to_str().unwrap(), "evil"),
    ] {
        let entry = serde_json::json!({
            "path": path, "staged": staged, "old_hash": 0, "new_hash": 0,
        });
        let journal = serde_json::json!({ "entries": [entry] }).to_string();
        tree.write("src/.echo-fix.journal", journal);
        tree.echo_fix(&["src", "--apply"]).expect(2, "is not a journal of echo-fix");
        assert_eq!(tree.read("outside.txt"), b"mine");
    }
    tree.write("src/.echo-fix.journal", "not even JSON");
    tree.echo_fix(&["src", "--apply"]).expect(2, "is not a journal of echo-fix");
}

#[test]
fn no_room_for_the_new_files() {
    let tree = three();
    let before = tree.names();
    let script = "ulimit -f 1; exec \"$0\" . --apply --min-size 0";
    let output = Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_echo-fix")])
        .current_dir(tree.path())
        .output()
        .unwrap();
    Run::new(output).expect(2, "nothing was changed").expect(2, "File too large");
    assert_eq!(tree.names(), before, "nothing is left behind");
    for name in NAMES {
        assert_eq!(tree.read(name), fs::read(MERGEABLE).unwrap());
    }
    tree.echo_fix(&[".", "--apply"]).expect(0, "changed 3 files");
}

/// On a file system that is really full, where this user may make one.
#[test]
fn a_full_disk() {
    let tree = Tree::new();
    let script = "mount -t tmpfs -o size=24k tmpfs . && cd \"$PWD\" && cp \"$1\" a.cu && cp \"$1\" b.cu || exit 77
        head -c 100000 /dev/zero > filler 2>/dev/null
        \"$0\" . --apply --min-size 0 || code=$?
        cmp \"$1\" a.cu && cmp \"$1\" b.cu && ls -A && exit \"${code:-0}\"";
    let fixture = fs::canonicalize(MERGEABLE).unwrap();
    let output = Command::new("unshare")
        .args(["--mount", "sh", "-c", script, env!("CARGO_BIN_EXE_echo-fix")])
        .arg(&fixture)
        .current_dir(tree.path())
        .output();
    match output.map(Run::new) {
        Ok(run) if run.code == Some(2) => {
            run.expect(2, "No space left on device").expect(2, "nothing was changed");
            assert_eq!(run.out, "a.cu\nb.cu\nfiller\n", "nothing is left behind");
        }
        // The limit on file sizes in the test above stands for it elsewhere.
        Ok(run) => assert!(
            run.err.contains("unshare") || run.code == Some(77),
            "{:?} {}{}",
            run.code,
            run.out,
            run.err
        ),
        Err(why) => assert_eq!(why.kind(), std::io::ErrorKind::NotFound),
    }
}

#[test]
fn a_read_only_tree() {
    let tree = three();
    let mode = |name: &str, mode| {
        fs::set_permissions(tree.file(name), fs::Permissions::from_mode(mode)).unwrap();
    };
    mode("one/b.cu", 0o444);
    tree.echo_fix(&[".", "--apply"]).expect(2, "b.cu is read-only; nothing was changed");
    mode("one/b.cu", 0o666);
    mode("two", 0o555);
    let run = tree.echo_fix_unprivileged(&[".", "--apply"]);
    run.expect(2, "nothing was changed").expect(2, "Permission denied");
    mode("two", 0o755);
    for name in NAMES {
        assert_eq!(tree.read(name), fs::read(MERGEABLE).unwrap());
    }
    assert_eq!(tree.names(), ["one", "one/a.cu", "one/b.cu", "two", "two/c.cu"]);
    // Looking needs no rights to write.
    mode("two", 0o555);
    tree.echo_fix_unprivileged(&["."]).expect(0, "can merge 3 pairs");
    mode("two", 0o755);
}

#[test]
fn modes_links_and_line_ends_are_kept() {
    let tree = Tree::new();
    let text = String::from_utf8(fs::read(MERGEABLE).unwrap()).unwrap();
    let windows = format!("\u{feff}{}", text.trim_end().replace('\n', "\r\n"));
    tree.write("real/a.cu", &windows);
    fs::set_permissions(tree.file("real/a.cu"), fs::Permissions::from_mode(0o640)).unwrap();
    symlink("real/a.cu", tree.file("a.cu")).unwrap();
    tree.echo_fix(&[".", "--apply"]).expect(0, "changed 1 file");
    let new = String::from_utf8(tree.read("a.cu")).unwrap();
    assert!(new.starts_with('\u{feff}') && !new.ends_with('\n'), "byte order mark and last line");
    assert_eq!(new.matches('\n').count(), new.matches("\r\n").count(), "line ends");
    assert_eq!(
        new.replace("\r\n", "\n").trim_start_matches('\u{feff}').as_bytes(),
        merged().trim_ascii_end()
    );
    assert!(tree.file("a.cu").is_symlink());
    let metadata = fs::metadata(tree.file("real/a.cu")).unwrap();
    assert_eq!(metadata.mode() & 0o7777, 0o640);
}

#[test]
fn nothing_outside_the_given_folders_is_changed() {
    let tree = Tree::new();
    tree.mergeable("outside/a.cu");
    fs::create_dir(tree.file("src")).unwrap();
    symlink("../outside/a.cu", tree.file("src/a.cu")).unwrap();
    tree.echo_fix(&["src", "--apply"]).expect(2, "leads out of the scanned folders");
    tree.echo_fix(&["src/a.cu", "--apply"]).expect(2, "leads out of the scanned folders");
    assert_eq!(tree.read("outside/a.cu"), fs::read(MERGEABLE).unwrap());
}

#[test]
fn files_with_uncommitted_changes_are_refused() {
    let tree = three();
    let git = |arguments: &[&str]| {
        let output = Command::new("git")
            .args(["-c", "user.name=n", "-c", "user.email=e", "-c", "commit.gpgsign=false"])
            .args(arguments)
            .current_dir(tree.path())
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        output
    };
    git(&["init", "-q"]);
    git(&["add", "."]);
    git(&["commit", "-q", "-m", "first"]);
    let changed = [b"// mine\n".as_slice(), &fs::read(MERGEABLE).unwrap()].concat();
    tree.write(NAMES[1], &changed);
    let run = tree.echo_fix(&[".", "--apply"]);
    run.expect(2, "uncommitted changes in one/b.cu").expect(2, "--allow-dirty");
    assert_eq!(tree.read(NAMES[0]), fs::read(MERGEABLE).unwrap(), "all or none");
    tree.echo_fix(&["two", "--apply"]).expect(0, "changed 1 file");
    tree.echo_fix(&[".", "--apply", "--allow-dirty"]).expect(0, "changed 2 files");
    assert!(tree.read(NAMES[1]).starts_with(b"// mine\n"));
}

/// Also where a header is reached by several ways.
#[test]
fn the_patch_is_what_git_applies() {
    let tree = three();
    let program = String::from_utf8(fs::read(MERGEABLE).unwrap()).unwrap();
    let shared = program.replace("int main(", "static int shared(");
    assert_ne!(shared, program);
    tree.write("include/shared.h", shared);
    for (name, header) in [("four/d.cu", "../include/shared.h"), ("e.cu", "include/shared.h")] {
        tree.write(name, format!("#include \"{header}\"\nint main() {{ return shared(); }}\n"));
    }
    let dry = tree.echo_fix(&["."]);
    dry.expect(0, "can merge 4 pairs");
    assert_eq!(dry.out.matches("+++ b/include/shared.h\n").count(), 1, "{}", dry.out);
    tree.write("merge.patch", &dry.out);
    for arguments in [["apply", "--check"], ["apply", "--verbose"]] {
        let output = Command::new("git")
            .args(arguments)
            .arg("merge.patch")
            .current_dir(tree.path())
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    for name in NAMES {
        assert_eq!(tree.read(name), merged());
    }
    tree.echo_fix(&[".", "--check"]).expect(0, "");
}
