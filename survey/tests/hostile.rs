//! Repositories that attack the scanner: none executes anything, none leads out of itself, none stops the rest.

mod support;

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::time::Duration;

use echo_survey::{Limits, Proof, ProvedFiles, Prover, ProverAnswer, Skip, Status, Tier};
use support::{CANDIDATE, Scan, Server, bare, blob, commit_tree, git, git_with_input, raw_tree};

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

/// A program that leaves `marker` behind when anything runs it.
fn trap(folder: &Path) -> (PathBuf, PathBuf) {
    let (program, marker) = (folder.join("trap.sh"), folder.join("EXECUTED"));
    fs::write(&program, format!("#!/bin/sh\necho \"$0 $@\" >> {}\n", marker.display())).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    (program, marker)
}

#[test]
fn links_lead_nowhere() {
    let top = folder();
    let outside = top.path().join("outside");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("a.cu"), CANDIDATE).unwrap();

    let plain = top.path().join("plain");
    fs::create_dir(&plain).unwrap();
    symlink(&outside, plain.join("folder")).unwrap();
    symlink(outside.join("a.cu"), plain.join("file.cu")).unwrap();
    symlink(&plain, plain.join("loop")).unwrap();

    let objects = top.path().join("objects.git");
    git(top.path(), &["init", "-q", "--bare", "objects.git"]);
    let target = blob(&objects, outside.join("a.cu").as_os_str().as_bytes());
    let tree = raw_tree(&objects, &[("120000", b"file.cu", &target)]);
    commit_tree(&objects, &tree);

    let scan = Scan::new(top.path());
    for (path, links) in [(plain, 3), (objects, 1)] {
        let row = scan.one(&path);
        assert_eq!(
            (row.status, row.tier, row.files.links),
            (Status::Scanned, Tier::None, links),
            "{row:?}"
        );
    }
}

#[test]
fn a_pipe_does_not_block() {
    let top = folder();
    let plain = top.path().join("plain");
    fs::create_dir(&plain).unwrap();
    let made = std::process::Command::new("mkfifo").arg(plain.join("a.cu")).status().unwrap();
    assert!(made.success());
    fs::write(plain.join("b.cu"), CANDIDATE).unwrap();
    let row = Scan::new(top.path()).one(&plain);
    assert_eq!((row.files.source, row.tier), (1, Tier::T3));
}

/// Looks at the exported tree instead of proving anything.
struct Looker {
    parent_must_stay_empty_of: &'static str,
}

impl Prover for Looker {
    fn prove(&self, root: &Path, _: Duration) -> ProverAnswer {
        let escaped = root.parent().unwrap().join(self.parent_must_stay_empty_of).exists();
        assert!(!escaped, "a file left the tree");
        let files = walk(root);
        ProverAnswer {
            proof: Proof::Ran { merge: 0, decline: files, files: ProvedFiles::default() },
            proved: Vec::new(),
            declined: Vec::new(),
        }
    }
}

fn walk(root: &Path) -> u64 {
    fs::read_dir(root)
        .unwrap()
        .map(|entry| {
            let entry = entry.unwrap();
            let kind = entry.file_type().unwrap();
            assert!(!kind.is_symlink());
            if kind.is_dir() { walk(&entry.path()) } else { 1 }
        })
        .sum()
}

#[test]
fn paths_that_climb_stay_labels() {
    let top = folder();
    let repository = top.path().join("r.git");
    git(top.path(), &["init", "-q", "--bare", "r.git"]);
    let file = blob(&repository, CANDIDATE.as_bytes());
    let other = blob(&repository, format!("{CANDIDATE}// 2").as_bytes());
    let inner = raw_tree(&repository, &[("100644", b"escaped-by-echo-survey-test.cu", &file)]);
    let git_folder = raw_tree(&repository, &[("100644", b"config.h", &other)]);
    let tree = raw_tree(
        &repository,
        &[
            ("40000", b"..", &inner),
            ("40000", b".git", &git_folder),
            ("100644", b"/etc/evil.cu", &other),
            ("100644", b"good.cu", &file),
        ],
    );
    commit_tree(&repository, &tree);
    let looker = Looker { parent_must_stay_empty_of: "escaped-by-echo-survey-test.cu" };
    let mut scan = Scan::new(top.path());
    scan.prover = Some(&looker);
    let row = scan.one(&repository);
    assert_eq!(row.status, Status::Scanned, "{row:?}");
    // Only the honest path was written out.
    assert_eq!(row.proof, Proof::Ran { merge: 0, decline: 1, files: ProvedFiles::default() });
}

#[test]
fn nothing_in_a_repository_is_executed() {
    let top = folder();
    let (program, marker) = trap(top.path());
    let program = program.to_str().unwrap();
    let work = top.path().join("work");
    fs::create_dir(&work).unwrap();
    git(&work, &["init", "-q"]);
    fs::write(work.join("a.cu"), CANDIDATE).unwrap();
    git(&work, &["add", "."]);
    git(&work, &["commit", "-q", "-m", "x"]);
    let commit = git(&work, &["rev-parse", "HEAD"]);
    fs::write(work.join(".gitattributes"), "* filter=evil diff=evil merge=evil\n").unwrap();
    for (key, value) in [
        ("core.fsmonitor", program),
        ("core.sshCommand", program),
        ("core.gitProxy", program),
        ("core.pager", program),
        ("core.editor", program),
        ("core.askPass", program),
        ("core.alternateRefsCommand", program),
        ("core.hooksPath", top.path().to_str().unwrap()),
        ("credential.helper", program),
        ("filter.evil.smudge", program),
        ("filter.evil.clean", program),
        ("filter.evil.process", program),
        ("filter.evil.required", "true"),
        ("diff.evil.textconv", program),
        ("diff.external", program),
        ("uploadpack.packObjectsHook", program),
        ("alias.ls-tree", &format!("!{program}")),
        ("alias.cat-file", &format!("!{program}")),
        ("pager.ls-tree", program),
    ] {
        git(&work, &["config", key, value]);
    }
    for hook in [
        "post-checkout",
        "pre-auto-gc",
        "reference-transaction",
        "post-index-change",
        "fsmonitor-watchman",
        "post-merge",
        "pre-commit",
    ] {
        for folder in [work.join(".git/hooks"), top.path().to_owned()] {
            fs::create_dir_all(&folder).unwrap();
            fs::copy(program, folder.join(hook)).unwrap();
        }
    }
    git(&work, &["config", "uploadpack.allowFilter", "true"]);
    // The traps are live: an ordinary git command falls into one.
    let _ = std::process::Command::new("git").current_dir(&work).arg("status").output();
    assert!(marker.exists());
    fs::remove_file(&marker).unwrap();
    let scan = Scan::new(top.path());
    let path = work.display();
    let rows = scan.list(&format!(
        "{path}\n{path}@{commit}\nfile://{path}\nfile://{path}@{commit}\n{path}/.git\n"
    ));
    assert!(!marker.exists(), "{}", fs::read_to_string(&marker).unwrap_or_default());
    for row in rows {
        assert_eq!((row.status, row.tier), (Status::Scanned, Tier::T3), "{row:?}");
    }
}

#[test]
fn a_missing_object_is_not_fetched_through_a_command() {
    let top = folder();
    let (program, marker) = trap(top.path());
    let repository = bare(&top.path().join("r.git"), &[("a.cu", CANDIDATE.as_bytes())]);
    let gone = "0123456789012345678901234567890123456789";
    let tree = raw_tree(&repository, &[("100644", b"lost.cu", gone)]);
    commit_tree(&repository, &tree);
    for (key, value) in [
        ("remote.evil.url", format!("ext::{}", program.display()).as_str()),
        ("remote.evil.promisor", "true"),
        ("remote.evil.partialclonefilter", "blob:none"),
        ("extensions.partialClone", "evil"),
        ("protocol.ext.allow", "always"),
        ("core.repositoryFormatVersion", "1"),
    ] {
        git(&repository, &["config", key, value]);
    }
    let row = Scan::new(top.path()).one(&repository);
    assert!(!marker.exists());
    assert_eq!((row.status, row.files.failed), (Status::Partial, 1), "{row:?}");
}

#[test]
fn borrowed_objects_are_refused() {
    let top = folder();
    let secret = bare(&top.path().join("secret.git"), &[("a.cu", CANDIDATE.as_bytes())]);
    let scan = Scan::new(top.path());

    let borrower = bare(&top.path().join("borrower.git"), &[("b.c", b"int x;")]);
    fs::create_dir_all(borrower.join("objects/info")).unwrap();
    fs::write(borrower.join("objects/info/alternates"), format!("{}/objects\n", secret.display()))
        .unwrap();

    let linked = bare(&top.path().join("linked.git"), &[("b.c", b"int x;")]);
    fs::remove_dir_all(linked.join("refs")).unwrap();
    symlink(secret.join("refs"), linked.join("refs")).unwrap();

    let common = bare(&top.path().join("common.git"), &[("b.c", b"int x;")]);
    fs::write(common.join("commondir"), secret.to_str().unwrap()).unwrap();

    for repository in [borrower, linked, common] {
        let row = scan.one(&repository);
        assert!(matches!(row.reason, Some(Skip::Escapes(_))), "{row:?}");
    }
}

#[test]
fn paths_need_not_be_utf8() {
    let top = folder();
    let objects =
        bare(&top.path().join("r.git"), &[("\"caf\\351/\\001.cu\"", CANDIDATE.as_bytes())]);
    let plain = top.path().join("plain");
    fs::create_dir(&plain).unwrap();
    fs::write(plain.join(std::ffi::OsStr::from_bytes(b"caf\xe9.cu")), CANDIDATE).unwrap();
    let scan = Scan::new(top.path());
    for (path, shown) in [(objects, "caf\\xe9/\\u{1}.cu"), (plain, "caf\\xe9.cu")] {
        let row = scan.one(&path);
        assert_eq!(row.tier, Tier::T3, "{row:?}");
        assert_eq!(row.evidence["linked"][0].path, shown);
        assert!(serde_json::to_string(&row).is_ok());
    }
}

#[test]
fn a_million_files_are_listed_and_equal_ones_read_once() {
    let top = folder();
    let repository = top.path().join("r.git");
    git(top.path(), &["init", "-q", "--bare", "r.git"]);
    let file = blob(&repository, CANDIDATE.as_bytes());
    let names: Vec<String> = (0..1000).map(|number| format!("f{number:03}.cu")).collect();
    let files: Vec<_> =
        names.iter().map(|name| ("100644", name.as_bytes(), file.as_str())).collect();
    let inner = raw_tree(&repository, &files);
    let folders: Vec<_> =
        names.iter().map(|name| ("40000", name.as_bytes(), inner.as_str())).collect();
    let outer = raw_tree(&repository, &folders);
    commit_tree(&repository, &outer);
    let row = Scan::new(top.path()).one(&repository);
    assert_eq!(row.files.total, 1_000_000, "{row:?}");
    assert_eq!((row.files.source, row.files.duplicate), (1, 999_999));
    assert_eq!(row.tier, Tier::T3);
}

#[test]
fn too_many_different_files_end_in_a_reason() {
    let top = folder();
    let contents: Vec<(String, String)> =
        (0..30).map(|n| (format!("f{n}.c"), format!("int x{n};"))).collect();
    let files: Vec<_> =
        contents.iter().map(|(path, text)| (path.as_str(), text.as_bytes())).collect();
    let repository = bare(&top.path().join("r.git"), &files);
    let plain = top.path().join("plain");
    fs::create_dir(&plain).unwrap();
    for (path, text) in &contents {
        fs::write(plain.join(path), text).unwrap();
    }
    let mut scan = Scan::new(top.path());
    scan.limits = Limits { files: 10, ..Limits::default() };
    for path in [repository, plain] {
        assert!(matches!(scan.one(&path).reason, Some(Skip::TooBig(_))));
    }
}

#[test]
fn a_huge_file_is_not_read() {
    // A gigabyte takes git itself most of a minute to store; the limit is the same for a twentieth of it.
    let long = std::env::var_os("ECHO_LONG_TESTS").is_some();
    let size: usize = if long { 1 << 30 } else { 1 << 25 };
    let top = folder();
    let repository = top.path().join("r.git");
    git(top.path(), &["init", "-q", "--bare", "r.git"]);
    let mut stream = format!("blob\nmark :1\ndata {size}\n").into_bytes();
    stream.resize(stream.len() + size, b' ');
    stream.extend(b"\ncommit refs/heads/main\ncommitter t <t@example.org> 1 +0000\ndata 1\nx\nM 100644 :1 huge.cu\n");
    stream.extend(
        format!("M 100644 inline a.cu\ndata {}\n{CANDIDATE}\n", CANDIDATE.len()).into_bytes(),
    );
    git_with_input(
        &repository,
        &["-c", "core.bigFileThreshold=1m", "-c", "core.compression=1", "fast-import", "--quiet"],
        &stream,
    );
    drop(stream);
    let row = Scan::new(top.path()).one(&repository);
    assert_eq!((row.files.too_large, row.files.source, row.tier), (1, 1, Tier::T3), "{row:?}");
}

#[test]
fn a_pack_that_asks_for_much_memory_does_not_get_it() {
    let top = folder();
    let repository = top.path().join("r.git");
    git(top.path(), &["init", "-q", "--bare", "r.git"]);
    // git stores the second as a difference to the first: reading some bytes takes 128 MiB.
    let base = [CANDIDATE.as_bytes(), &vec![b' '; 1 << 27]].concat();
    let mut stream = format!("blob\nmark :1\ndata {}\n", base.len()).into_bytes();
    stream.extend_from_slice(&base);
    stream.extend(format!("\nblob\nmark :2\ndata {}\n{CANDIDATE}\n", CANDIDATE.len()).into_bytes());
    stream.extend(b"commit refs/heads/main\ncommitter t <t@example.org> 1 +0000\ndata 1\nx\n");
    stream.extend(b"M 100644 :1 huge.c\nM 100644 :2 a.cu\n");
    git_with_input(
        &repository,
        &["-c", "fastimport.unpackLimit=0", "fast-import", "--quiet"],
        &stream,
    );
    drop((base, stream));
    let mut scan = Scan::new(top.path());
    assert_eq!(scan.one(&repository).tier, Tier::T3);
    scan.limits.git_memory = 64 << 20;
    let row = scan.one(&repository);
    assert!(matches!(row.reason, Some(Skip::Corrupt(_))), "{row:?}");
}

#[test]
fn deep_nesting_ends() {
    let top = folder();
    let deep = format!("{}x.cu", "a/".repeat(1_000));
    let deeper = format!("{}x.cu", "a/".repeat(5_000));
    let scan = Scan::new(top.path());
    let row = scan.one(&bare(&top.path().join("deep.git"), &[(&deep, CANDIDATE.as_bytes())]));
    assert_eq!(row.tier, Tier::T3, "{row:?}");
    let row = scan.one(&bare(&top.path().join("deeper.git"), &[(&deeper, CANDIDATE.as_bytes())]));
    // git refuses to descend that far by default; whatever it does, there is an answer.
    assert!(row.tier == Tier::T3 || matches!(row.reason, Some(Skip::Corrupt(_))), "{row:?}");
}

#[test]
fn a_corrupt_pack_is_a_reason() {
    let top = folder();
    let text: Vec<u8> = (0..200_000_u32)
        .flat_map(|n| format!("int x{};\n", n.wrapping_mul(2_654_435_761)).into_bytes())
        .take(300_000)
        .collect();
    let repository =
        bare(&top.path().join("r.git"), &[("a.cu", CANDIDATE.as_bytes()), ("b.c", &text)]);
    git(&repository, &["repack", "-adq"]);
    let packs = repository.join("objects/pack");
    let pack = fs::read_dir(&packs)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .find(|path| path.extension().is_some_and(|e| e == "pack"))
        .unwrap();
    let mut bytes = fs::read(&pack).unwrap();
    let middle = bytes.len() / 2;
    for byte in &mut bytes[middle..middle + 64] {
        *byte ^= 0x5a;
    }
    fs::set_permissions(&pack, fs::Permissions::from_mode(0o644)).unwrap();
    fs::write(&pack, &bytes).unwrap();
    let damaged = Scan::new(top.path()).one(&repository);
    assert!(damaged.status != Status::Scanned, "{damaged:?}");
    fs::write(&pack, &bytes[..middle]).unwrap();
    let cut = Scan::new(top.path()).one(&repository);
    assert!(cut.status != Status::Scanned, "{cut:?}");
    fs::write(&pack, b"").unwrap();
    let empty = Scan::new(top.path()).one(&repository);
    assert!(matches!(empty.reason, Some(Skip::Corrupt(_))), "{empty:?}");
}

#[test]
fn none_stops_the_rest() {
    let top = folder();
    let good = bare(&top.path().join("good.git"), &[("a.cu", CANDIDATE.as_bytes())]);
    let empty = top.path().join("empty.git");
    git(top.path(), &["init", "-q", "--bare", "empty.git"]);
    let hanging = Server::answering(None);
    let gone = Server::answering(Some(
        "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
    ));
    let nonsense = Server::answering(Some("SSH-2.0-nonsense\r\n\r\n"));
    let mut scan = Scan::new(top.path());
    scan.jobs = 2;
    scan.limits.fetch_time = Duration::from_secs(1);
    let list = [
        hanging.url.as_str(),
        good.to_str().unwrap(),
        &gone.url,
        &nonsense.url,
        "/nonexistent/folder",
        empty.to_str().unwrap(),
        "file:///nonexistent/repository",
        "owner/name@0123456789012345678901234567890123456789",
        good.to_str().unwrap(),
    ]
    .join("\n");
    let rows = scan.list(&list);
    let codes: Vec<_> =
        rows.iter().map(|row| row.reason.as_ref().map_or("ok", Skip::code)).collect();
    assert_eq!(
        codes,
        [
            "timed-out",
            "ok",
            "not-found",
            "network",
            "no-folder",
            "empty",
            "not-found",
            "not-found",
            "ok"
        ]
    );
}

#[test]
fn a_rate_limit_is_waited_for_and_then_reported() {
    let top = folder();
    let server = Server::answering(Some(
        "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 50\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
    ));
    let mut scan = Scan::new(top.path());
    scan.limits.attempts = 3;
    let row = scan.list(&server.url).remove(0);
    assert!(matches!(row.reason, Some(Skip::RateLimited(_))), "{row:?}");
    assert_eq!(server.requests.load(std::sync::atomic::Ordering::SeqCst), 3);
    let waits = scan.waits.lock().unwrap();
    assert_eq!(waits.len(), 2);
    assert!(waits.iter().all(|wait| wait.as_secs() <= 50 && wait.as_secs() > 20), "{waits:?}");
}
