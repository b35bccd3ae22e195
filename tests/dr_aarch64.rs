//! The AArch64 object at work: all three phases on AArch64 programs with the fake driver, in an emulator of that machine.
//! `cargo xtask test` builds the object and says where it is.
#![allow(clippy::print_stderr)] // says what a machine lacks

mod dr_support;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use dr_support::{Case, codes, compile, merged, text};
use echo_runtime::trace;

/// Names and compiler arguments of the programs: every way to the driver, and every way frames are laid out.
const VARIANTS: [(&str, &[&str]); 4] = [
    ("lookup", &["-O2", "-DLOOKUP"]),
    ("linked-thread", &["-O1", "-DPER_THREAD", "-lcuda"]),
    ("no-frame-pointer", &["-O2", "-DLOOKUP", "-fomit-frame-pointer"]),
    // Return addresses on the stack are signed.
    ("signed", &["-O2", "-DLOOKUP", "-mbranch-protection=standard"]),
];

/// The folder with the driver and the programs, built once; none where nothing can be tested.
fn folder() -> Option<&'static Path> {
    static FOLDER: OnceLock<Option<PathBuf>> = OnceLock::new();
    let built = FOLDER.get_or_init(|| {
        std::env::var_os("ECHO_AARCH64_OBJECT")?;
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("dr-aarch64");
        std::fs::create_dir_all(&folder).unwrap();
        // Test runners that start a process per test meet at this lock.
        let lock = std::fs::File::create(folder.join("lock")).unwrap();
        lock.lock().unwrap();
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("runtime/tests");
        let at = |path: &Path, name: &str| path.join(name).to_str().unwrap().to_owned();
        let target = "--target=aarch64-linux-gnu";
        let map = format!("-Wl,--version-script={}", at(&source, "fake/libcuda.map"));
        let driver = at(&folder, "libcuda.so.1");
        let input = at(&source, "fake/libcuda.c");
        let name = "-Wl,-soname,libcuda.so.1";
        compile(
            "clang-22",
            &[target, "-O1", "-shared", "-fPIC", "-o", &driver, &input, name, &map, "-lpthread"],
        );
        std::fs::copy(&driver, folder.join("libcuda.so")).unwrap();
        let app = at(&source, "apps/app.cpp");
        let here = format!("-L{}", folder.display());
        for (name, arguments) in VARIANTS {
            let output = at(&folder, name);
            let mut all = vec![target, &app, "-o", &output, &here];
            all.extend(arguments);
            all.extend(["-lpthread", "-ldl"]);
            compile("clang++-22", &all);
        }
        Some(folder)
    });
    if built.is_none() {
        eprintln!("no AArch64 object (run `cargo xtask test`): SKIPPED");
    }
    built.as_deref()
}

fn case(folder: &Path, variant: &str, behaviour: &str, rounds: u32) -> Case {
    let program = folder.join(variant).to_str().unwrap().to_owned();
    let emulator = ["qemu-aarch64-static", "-L", "/usr/aarch64-linux-gnu"].map(str::to_owned);
    let words = [program, behaviour.to_owned(), rounds.to_string()];
    Case::of(emulator.into_iter().chain(words).collect())
        .with("LD_LIBRARY_PATH", folder.to_str().unwrap())
        .with("ECHO_DR_PRELOAD", std::env::var("ECHO_AARCH64_OBJECT").unwrap())
}

#[test]
fn merges() {
    let Some(folder) = folder() else { return };
    for (variant, _) in VARIANTS {
        let case = case(folder, variant, "good", 6);
        let plain = case.plain();
        assert!(plain.status.success(), "{}", text(&plain.stderr));
        let plan = case.plan(&["--backend", "mapped"]);
        assert_eq!(merged(&plan), 2, "{variant}: {:?}", codes(&plan));
        assert_eq!(plan["digest"], "compared");
        let (done, report) = case.run();
        assert_eq!(text(&done.stdout), text(&plain.stdout), "{variant}");
        assert_eq!(report["outcome"]["skipped_copies"], 12, "{report}");
        assert_eq!(report["outcome"]["fallbacks"], 0);
    }
}

#[test]
fn rejects() {
    let Some(folder) = folder() else { return };
    for (behaviour, code) in [
        ("write", "host-access"),
        ("thread-write", "host-access"),
        ("fread", "host-io"),
        ("inplace", "device-changed-input"),
        ("realloc", "reallocated"),
        ("fork", "forked"),
    ] {
        let case = case(folder, "lookup", behaviour, 6);
        let plan = case.plan(&["--backend", "mapped"]);
        assert!(codes(&plan).contains(&code.to_owned()), "{behaviour}: {:?}", codes(&plan));
        let (done, _) = case.run();
        assert_eq!(text(&done.stdout), text(&case.plain().stdout), "{behaviour}");
    }
}

#[test]
fn remembered_stacks_give_the_same_sites() {
    let Some(folder) = folder() else { return };
    for (variant, _) in VARIANTS {
        let sites = |case: &Case| -> BTreeSet<(u64, u64)> {
            let done = case.profile();
            assert!(done.status.success(), "{}", text(&done.stderr));
            let trace = trace::read(Path::new(&case.file("trace"))).unwrap();
            let pairs = echo_runtime::candidates(&trace, 2);
            pairs.iter().map(|pair| (pair.host_site, pair.device_site)).collect()
        };
        let remembered = sites(&case(folder, variant, "good", 40));
        let unwound = sites(&case(folder, variant, "good", 40).with("ECHO_DR_STACK_CACHE", "off"));
        assert_eq!(remembered.len(), 2);
        assert_eq!(remembered, unwound, "{variant}");
    }
}
