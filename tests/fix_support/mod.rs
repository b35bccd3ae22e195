//! A folder of sources of its own, and `echo-fix` on it.
#![allow(
    dead_code,
    unreachable_pub,
    reason = "shared between test targets, none of which uses all of it"
)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A program with one pair that can be merged.
pub const MERGEABLE: &str = "corpus/merge/in_place.cu";

/// A folder outside the repository, whose `.gitignore` and `echo.toml` must not matter.
pub struct Tree {
    folder: tempfile::TempDir,
}

impl Tree {
    /// With nothing in it.
    pub fn new() -> Self {
        let folder = tempfile::Builder::new().prefix("echo-fix-").tempdir().expect("a folder");
        // Another user must be able to look into it.
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).expect("its mode");
        Self { folder }
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// The path of a file in it.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }

    /// Writes a file, and the folders it needs.
    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.file(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
        fs::write(&path, text).expect("a written file");
        path
    }

    /// A copy of [`MERGEABLE`].
    pub fn mergeable(&self, name: &str) -> PathBuf {
        self.write(name, fs::read(MERGEABLE).expect("the fixture"))
    }

    /// What a file holds.
    pub fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.file(name)).unwrap_or_else(|why| panic!("{name}: {why}"))
    }

    /// All files and folders in it, hidden ones too, sorted.
    pub fn names(&self) -> Vec<String> {
        let mut pending = vec![self.path().to_owned()];
        let mut names = Vec::new();
        while let Some(folder) = pending.pop() {
            for entry in fs::read_dir(folder).expect("a readable folder") {
                let path = entry.expect("an entry").path();
                names.push(path.strip_prefix(self.path()).expect("inside").display().to_string());
                if path.is_dir() && !path.is_symlink() {
                    pending.push(path);
                }
            }
        }
        names.sort();
        names
    }

    /// `echo-fix --min-size 0` with this as the working directory.
    pub fn echo_fix(&self, arguments: &[&str]) -> Run {
        self.run(Command::new(env!("CARGO_BIN_EXE_echo-fix")).args(arguments))
    }

    /// The verdicts on all pairs of all files, by the file's name without its extension.
    pub fn verdicts(&self, flags: &[&str]) -> Vec<(String, String)> {
        let run = self.echo_fix(&[&[".", "--format", "json"], flags].concat());
        assert_eq!(run.code, Some(0), "{}", run.err);
        let report: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
        let text = |value: &serde_json::Value| value.as_str().expect("a text").to_owned();
        let pairs = report["pairs"].as_array().expect("pairs").iter();
        let file =
            |pair: &serde_json::Value| text(&pair["id"]).split(".cu:").next().map(str::to_owned);
        pairs.map(|pair| (file(pair).expect("a file"), text(&pair["verdict"]))).collect()
    }

    /// The files with a pair that is merged, as for [`Self::verdicts`].
    pub fn merged_files(&self, flags: &[&str]) -> Vec<String> {
        let merged = self.verdicts(flags).into_iter().filter(|(_, verdict)| verdict == "merge");
        merged.map(|(file, _)| file).collect()
    }

    /// The same as a user whom the modes of files bind: root runs it as somebody else.
    pub fn echo_fix_unprivileged(&self, arguments: &[&str]) -> Run {
        let mut command = Command::new(env!("CARGO_BIN_EXE_echo-fix"));
        let tools = tempfile::Builder::new().prefix("echo-tools-").tempdir().expect("a folder");
        if nix::unistd::geteuid().is_root() {
            // That user may not even see the folder in which this was built.
            fs::set_permissions(tools.path(), fs::Permissions::from_mode(0o755)).expect("its mode");
            let program = tools.path().join("echo-fix");
            fs::copy(env!("CARGO_BIN_EXE_echo-fix"), &program).expect("a copy");
            command = Command::new(program);
            command.uid(65_534).gid(65_534);
        }
        self.run(command.args(arguments))
    }

    fn run(&self, command: &mut Command) -> Run {
        let output = command
            .args(["--min-size", "0"])
            // The user's own cache stays out of it.
            .env("XDG_CACHE_HOME", Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache"))
            .current_dir(self.path())
            .output()
            .expect("echo-fix starts");
        Run::new(output)
    }
}

/// How a run ended.
#[derive(Debug)]
pub struct Run {
    /// Its exit code; `None` if a signal ended it.
    pub code: Option<i32>,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

impl Run {
    /// Of what a process left.
    pub fn new(output: Output) -> Self {
        let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
        Self { code: output.status.code(), out: text(&output.stdout), err: text(&output.stderr) }
    }

    /// Fails unless the exit code and a part of what was said are these; and a panic is never right.
    #[track_caller]
    pub fn expect(&self, code: i32, said: &str) -> &Self {
        assert_eq!(self.code, Some(code), "{}", self.err);
        assert!(self.err.contains(said), "`{said}` is not in:\n{}", self.err);
        assert!(!self.err.contains("panicked"), "{}", self.err);
        self
    }
}
