//! Repositories made on the spot, served from a folder as GitHub would serve them, and runs of `echo-survey` over them.
#![allow(dead_code, unreachable_pub, missing_docs, reason = "each test file uses its own part")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

pub const CANDIDATE: &str = "#include <cuda_runtime.h>\nvoid f(int n) {\n  float *h = new float[n], *d;\n  cudaMalloc(&d, n * sizeof(float));\n  cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice);\n}\n";
pub const MANAGED: &str =
    "void g() { int *m; cudaMallocManaged(&m, 4); cudaMemcpy(m, q, 4, cudaMemcpyDeviceToHost); }\n";

pub fn git(folder: &Path, arguments: &[&str]) -> String {
    let output = Command::new("git")
        .current_dir(folder)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .args([
            "-c",
            "user.name=t",
            "-c",
            "user.email=t@example.org",
            "-c",
            "init.defaultBranch=main",
        ])
        .args(arguments)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

/// `hub/owner/name.git` with one commit per version of `a.cu`; returns the commits.
pub fn publish(hub: &Path, name: &str, versions: &[&str]) -> Vec<String> {
    let folder = hub.join(format!("{name}.git"));
    fs::create_dir_all(&folder).unwrap();
    git(&folder, &["init", "-q"]);
    git(&folder, &["config", "uploadpack.allowFilter", "true"]);
    git(&folder, &["config", "uploadpack.allowAnySHA1InWant", "true"]);
    versions
        .iter()
        .map(|text| {
            fs::write(folder.join("a.cu"), text).unwrap();
            fs::write(folder.join("model.bin"), [7; 3000]).unwrap();
            git(&folder, &["add", "."]);
            git(&folder, &["commit", "-q", "-m", "x"]);
            git(&folder, &["rev-parse", "HEAD"])
        })
        .collect()
}

/// A hub of six repositories, one of which does not exist, and its list.
pub struct Hub {
    pub top: tempfile::TempDir,
    pub list: PathBuf,
}

pub fn hub() -> Hub {
    let top = tempfile::tempdir().unwrap();
    let hub = top.path().join("hub");
    let mut list = String::from("# a list\n");
    for number in 0..5 {
        let domain = if number % 2 == 0 { "even" } else { "odd" };
        let text = if number < 3 {
            format!("{CANDIDATE}// {number}")
        } else {
            format!("{MANAGED}// {number}")
        };
        let commits = publish(&hub, &format!("o/r{number}"), &[&text]);
        list.push_str(&format!("o/r{number}@{} {domain}\n", commits[0]));
    }
    let path = top.path().join("list.txt");
    fs::write(&path, list).unwrap();
    Hub { top, list: path }
}

impl Hub {
    pub fn path(&self, name: &str) -> PathBuf {
        self.top.path().join(name)
    }

    pub fn survey(&self, arguments: &[&str]) -> Output {
        let url = format!("file://{}", self.path("hub").display());
        self.survey_plain(&[&["--github-url", &url, "--attempts", "1"], arguments].concat())
    }

    /// Without naming a place for `owner/name`.
    pub fn survey_plain(&self, arguments: &[&str]) -> Output {
        survey(self.top.path(), arguments)
    }
}

pub fn survey(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_echo-survey"))
        .current_dir(folder)
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

pub fn code(output: &Output) -> i32 {
    output.status.code().unwrap_or_else(|| panic!("{}", text(&output.stderr)))
}
