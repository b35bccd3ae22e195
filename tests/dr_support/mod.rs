//! Builds the fake driver and the test programs, and runs echo-dr on them.
#![allow(dead_code)] // each test file uses its part

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

/// Program variants: name, compiler arguments.
const VARIANTS: [(&str, &[&str]); 6] = [
    ("lookup", &["-DLOOKUP"]),
    ("lookup-thread", &["-DLOOKUP", "-DPER_THREAD"]),
    ("linked", &["-lcuda"]),
    ("linked-thread", &["-DPER_THREAD", "-lcuda"]),
    ("new", &["-DLOOKUP", "-DNEW"]),
    ("plain-frames", &["-DLOOKUP", "-fno-omit-frame-pointer", "-O1"]),
];

pub(crate) fn echo_dr() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_echo-dr"));
    command.env("LD_LIBRARY_PATH", folder()).env_remove("LD_PRELOAD").env_remove("ECHO_DR");
    command
}

/// The folder with the fake driver and the programs, built once per test file.
pub(crate) fn folder() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let name = format!(
            "dr-{}",
            std::env::current_exe().unwrap().file_name().unwrap().to_str().unwrap()
        );
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        std::fs::create_dir_all(&folder).unwrap();
        // Threads of one test file meet in the OnceLock; nextest starts a process per test, so
        // processes meet at a lock file that the system releases when its holder ends.
        let lock = std::fs::File::create(folder.join("lock")).unwrap();
        lock.lock().unwrap();
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("runtime/tests");
        let stamp = folder.join("built");
        let newest = ["fake/libcuda.c", "fake/libcuda.map", "apps/app.cpp", "apps/host.c"]
            .iter()
            .map(|file| source.join(file).metadata().unwrap().modified().unwrap())
            .max()
            .unwrap();
        if stamp.metadata().is_ok_and(|built| built.modified().unwrap() > newest) {
            return folder;
        }
        build(&source, &folder);
        std::fs::write(stamp, "").unwrap();
        folder
    })
}

pub(crate) fn compile(compiler: &str, arguments: &[&str]) {
    let done = Command::new(compiler)
        .args(arguments)
        .output()
        .unwrap_or_else(|error| panic!("{compiler}: {error}"));
    assert!(
        done.status.success(),
        "{compiler} {arguments:?}: {}",
        String::from_utf8_lossy(&done.stderr)
    );
}

fn build(source: &Path, folder: &Path) {
    let at = |path: &Path, name: &str| path.join(name).to_str().unwrap().to_owned();
    let here = format!("-L{}", folder.display());
    let map = format!("-Wl,--version-script={}", at(source, "fake/libcuda.map"));
    let driver = at(folder, "libcuda.so.1");
    compile(
        "cc",
        &[
            "-O1",
            "-shared",
            "-fPIC",
            "-o",
            &driver,
            &at(source, "fake/libcuda.c"),
            "-Wl,-soname,libcuda.so.1",
            &map,
            "-lpthread",
            "-ldl",
        ],
    );
    std::fs::copy(&driver, folder.join("libcuda.so")).unwrap();
    let app = at(source, "apps/app.cpp");
    for (name, arguments) in VARIANTS {
        let mut all = vec!["-O2", &app, "-o"];
        let target = at(folder, name);
        all.push(&target);
        all.push(&here);
        all.extend(arguments);
        all.extend(["-lpthread", "-ldl"]);
        compile("c++", &all);
    }
    let library = at(folder, "libwork.so");
    compile(
        "c++",
        &[
            "-O2",
            "-DLOOKUP",
            "-DLIBRARY",
            "-shared",
            "-fPIC",
            &app,
            "-o",
            &library,
            "-lpthread",
            "-ldl",
        ],
    );
    compile(
        "cc",
        &["-O2", &at(source, "apps/host.c"), "-o", &at(folder, "library"), &here, "-lwork"],
    );
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// One program with its arguments, and a folder for its files.
pub(crate) struct Case {
    pub(crate) program: Vec<String>,
    pub(crate) files: tempfile::TempDir,
    pub(crate) environment: Vec<(&'static str, String)>,
}

impl Case {
    pub(crate) fn new(variant: &str, behaviour: &str) -> Case {
        let program = folder().join(variant).to_str().unwrap().to_owned();
        Case::of(vec![program, behaviour.to_owned(), "6".to_owned()])
    }

    pub(crate) fn of(program: Vec<String>) -> Case {
        Case { program, files: tempfile::tempdir().unwrap(), environment: Vec::new() }
    }

    pub(crate) fn with(mut self, name: &'static str, value: impl Into<String>) -> Case {
        self.environment.push((name, value.into()));
        self
    }

    pub(crate) fn file(&self, name: &str) -> String {
        self.files.path().join(name).to_str().unwrap().to_owned()
    }

    pub(crate) fn plain(&self) -> Output {
        Command::new(&self.program[0])
            .args(&self.program[1..])
            .env("LD_LIBRARY_PATH", folder())
            .envs(self.environment.clone())
            .output()
            .unwrap()
    }

    pub(crate) fn echo(&self, arguments: &[&str]) -> Output {
        echo_dr()
            .args(arguments)
            .arg("--")
            .args(&self.program)
            .envs(self.environment.clone())
            .output()
            .unwrap()
    }

    pub(crate) fn profile(&self) -> Output {
        self.echo(&["profile", "-o", &self.file("trace")])
    }

    /// Profiles and analyzes without measuring; returns the plan.
    pub(crate) fn plan(&self, extra: &[&str]) -> serde_json::Value {
        let profiled = self.profile();
        assert!(Path::new(&self.file("trace")).exists(), "{}", text(&profiled.stderr));
        let (trace, plan) = (self.file("trace"), self.file("plan"));
        let mut arguments = vec!["analyze", &trace, "-o", &plan, "--no-calibration"];
        arguments.extend(extra);
        let done = self.echo(&arguments);
        assert!(done.status.code().is_some_and(|code| code < 2), "{}", text(&done.stderr));
        serde_json::from_slice(&std::fs::read(&plan).unwrap()).unwrap()
    }

    /// Runs with the plan; returns the output and the report.
    pub(crate) fn run(&self) -> (Output, serde_json::Value) {
        let (plan, report) = (self.file("plan"), self.file("report"));
        let done = self.echo(&["run", "--plan", &plan, "--report", "json", "--report-to", &report]);
        let report =
            std::fs::read(&report).ok().and_then(|text| serde_json::from_slice(&text).ok());
        (done, report.unwrap_or(serde_json::Value::Null))
    }
}

/// Number of merged pairs of a plan.
pub(crate) fn merged(plan: &serde_json::Value) -> usize {
    plan["pairs"].as_array().unwrap().iter().filter(|pair| pair["merge"] == true).count()
}

/// All reasons for which pairs of a plan are not merged.
pub(crate) fn codes(plan: &serde_json::Value) -> Vec<String> {
    let mut codes: Vec<String> = plan["pairs"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|pair| pair["rejections"].as_array().unwrap().clone())
        .map(|refusal| refusal["code"].as_str().unwrap().to_owned())
        .collect();
    codes.sort();
    codes.dedup();
    codes
}
