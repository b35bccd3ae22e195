//! Builds the test programs for the emulator's driver and for a fake one, and runs echo-dr on them.
#![allow(dead_code)] // each test file uses its part

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use echo_emulator::{Error, Installation, Options, compile_module};

/// Program variants: name, compiler arguments.
const VARIANTS: [(&str, &[&str]); 6] = [
    ("lookup", &["-DLOOKUP"]),
    ("lookup-thread", &["-DLOOKUP", "-DPER_THREAD"]),
    ("linked", &["-lcuda"]),
    ("linked-thread", &["-DPER_THREAD", "-lcuda"]),
    ("new", &["-DLOOKUP", "-DNEW"]),
    ("plain-frames", &["-DLOOKUP", "-fno-omit-frame-pointer", "-O1"]),
];

/// `echo-dr` where the fake driver is found.
pub(crate) fn echo_dr() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_echo-dr"));
    command.env("LD_LIBRARY_PATH", folder()).env_remove("LD_PRELOAD").env_remove("ECHO_DR");
    command
}

/// A folder of this test file's for files of this kind.
fn own_folder(kind: &str) -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let name = format!("{kind}-{}", test.file_name().unwrap().to_str().unwrap());
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("runtime/tests")
}

/// Builds into `folder` unless what is there is newer than all sources and belongs to `key`.
///
/// Threads of one test file meet in a OnceLock; nextest starts a process per test, so processes meet at a lock
/// file that the system releases when its holder ends.
fn once(folder: &Path, key: &str, build: impl FnOnce(&Path, &Path)) {
    let lock = std::fs::File::create(folder.join("lock")).unwrap();
    lock.lock().unwrap();
    let source = source();
    let stamp = folder.join("built");
    let files = ["fake/libcuda.c", "fake/libcuda.map", "apps/app.cpp", "apps/host.c"];
    let newest =
        files.iter().map(|file| source.join(file).metadata().unwrap().modified().unwrap()).max();
    if std::fs::read_to_string(&stamp).is_ok_and(|built| built == key)
        && stamp.metadata().unwrap().modified().unwrap() > newest.unwrap()
    {
        return;
    }
    build(&source, folder);
    std::fs::write(stamp, key).unwrap();
}

/// The folder with the fake driver and the programs, built once per test file. The fake driver does what the
/// emulator's does not: it can be captured, pretends to be several GPUs and drivers, refuses kinds of memory, makes
/// copies cost time, logs the calls it gets, and exists for other machines.
pub(crate) fn folder() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = own_folder("dr");
        once(&folder, "", |source, folder| {
            build_fake_driver(source, folder);
            build_programs(source, folder);
        });
        folder
    })
}

/// The emulator's driver with the same programs, and their kernels.
pub(crate) struct Emulated {
    /// Where driver and programs lie.
    pub(crate) folder: PathBuf,
    /// The kernels.
    pub(crate) kernels: PathBuf,
    /// The emulator.
    pub(crate) installation: echo_emulator::Installation,
}

/// The emulator; none without the compiler it needs.
pub(crate) fn emulated() -> Option<&'static Emulated> {
    static EMULATED: OnceLock<Option<Emulated>> = OnceLock::new();
    let built = EMULATED.get_or_init(|| {
        let installation = match Installation::find() {
            Ok(installation) => installation,
            Err(Error::NoClang) => return None,
            Err(why) => panic!("{why}"),
        };
        let folder = own_folder("dr-emulated");
        let libraries = installation.libraries.clone();
        once(&folder, libraries.to_str().unwrap(), |source, folder| {
            for name in ["libcuda.so.1", "libcuda.so"] {
                let target = folder.join(name);
                let _ = std::fs::remove_file(&target);
                std::fs::copy(libraries.join("libcuda.so.1"), target).unwrap();
            }
            build_programs(source, folder);
        });
        let kernels = source().join("apps/kernels.cu");
        let kernels = compile_module(&installation, &kernels, &Options::default()).unwrap();
        Some(Emulated { folder, kernels, installation })
    });
    if built.is_none() {
        let line = "\n**** SKIPPED, NOT TESTED: echo-dr with the emulator's driver: no clang\n";
        std::io::stderr().write_all(line.as_bytes()).unwrap();
    }
    built.as_ref()
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

fn at(path: &Path, name: &str) -> String {
    path.join(name).to_str().unwrap().to_owned()
}

fn build_fake_driver(source: &Path, folder: &Path) {
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
}

fn build_programs(source: &Path, folder: &Path) {
    let here = format!("-L{}", folder.display());
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
    pub(crate) environment: Vec<(String, String)>,
}

impl Case {
    /// A program with the emulator's driver, or with the fake one where there is no emulator.
    pub(crate) fn new(variant: &str, behaviour: &str) -> Case {
        let Some(emulated) = emulated() else { return Case::fake(variant, behaviour) };
        let program = emulated.folder.join(variant).to_str().unwrap().to_owned();
        Case::of(vec![program, behaviour.to_owned(), "6".to_owned()]).emulated()
    }

    /// A program with the fake driver.
    pub(crate) fn fake(variant: &str, behaviour: &str) -> Case {
        let program = folder().join(variant).to_str().unwrap().to_owned();
        Case::of(vec![program, behaviour.to_owned(), "6".to_owned()])
    }

    /// With the emulator's driver, where there is one.
    pub(crate) fn emulated(self) -> Case {
        let Some(emulated) = emulated() else { return self };
        self.with("LD_LIBRARY_PATH", emulated.folder.to_str().unwrap())
            .with("KERNELS", emulated.kernels.to_str().unwrap())
    }

    pub(crate) fn of(program: Vec<String>) -> Case {
        Case { program, files: tempfile::tempdir().unwrap(), environment: Vec::new() }
    }

    pub(crate) fn with(mut self, name: &str, value: impl Into<String>) -> Case {
        self.environment.push((name.to_owned(), value.into()));
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
