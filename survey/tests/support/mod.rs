//! Repositories made on the spot, and scans of them. No test needs a network.
#![allow(dead_code, unreachable_pub, missing_docs, reason = "each test file uses its own part")]

pub mod hub;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use echo_survey::{Cache, Limits, Options, Prover, Row, Sampler, entries, run};

/// A file with every ingredient: one whole, linked pair.
pub const CANDIDATE: &str = "#include <cuda_runtime.h>\nvoid f(int n) {\n  float *h = (float*)malloc(n * sizeof(float)), *d;\n  cudaMalloc(&d, n * sizeof(float));\n  cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice);\n}\n";

/// Runs git in `folder` for making repositories (never for scanning them) and returns its output.
pub fn git(folder: &Path, arguments: &[&str]) -> String {
    git_with_input(folder, arguments, b"")
}

pub fn git_with_input(folder: &Path, arguments: &[&str], input: &[u8]) -> String {
    let mut command = Command::new("git");
    command
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
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().expect("git is installed");
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().ok();
    assert!(
        output.status.success(),
        "git {arguments:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

/// A bare repository with one commit of the given files (path as git's fast-import spells it).
pub fn bare(folder: &Path, files: &[(&str, &[u8])]) -> PathBuf {
    git(folder.parent().unwrap(), &["init", "-q", "--bare", folder.to_str().unwrap()]);
    let mut stream =
        b"commit refs/heads/main\ncommitter t <t@example.org> 1 +0000\ndata 1\nx\n".to_vec();
    for (path, bytes) in files {
        stream.extend(format!("M 100644 inline {path}\ndata {}\n", bytes.len()).into_bytes());
        stream.extend_from_slice(bytes);
        stream.push(b'\n');
    }
    git_with_input(folder, &["fast-import", "--quiet"], &stream);
    folder.to_owned()
}

/// Points `main` at a commit of the tree object.
pub fn commit_tree(repository: &Path, tree: &str) -> String {
    let commit = git(repository, &["commit-tree", "-m", "x", tree]);
    git(repository, &["update-ref", "refs/heads/main", &commit]);
    commit
}

/// Writes a tree object as it is, without git's checks.
pub fn raw_tree(repository: &Path, entries: &[(&str, &[u8], &str)]) -> String {
    let mut tree = Vec::new();
    for (mode, name, hash) in entries {
        tree.extend_from_slice(mode.as_bytes());
        tree.push(b' ');
        tree.extend_from_slice(name);
        tree.push(0);
        tree.extend(
            (0..20).map(|byte| u8::from_str_radix(&hash[2 * byte..2 * byte + 2], 16).unwrap()),
        );
    }
    git_with_input(
        repository,
        &["hash-object", "-t", "tree", "-w", "--literally", "--stdin"],
        &tree,
    )
}

pub fn blob(repository: &Path, bytes: &[u8]) -> String {
    git_with_input(repository, &["hash-object", "-w", "--stdin"], bytes)
}

/// What a test changes about a scan.
pub struct Scan<'a> {
    pub limits: Limits,
    pub prover: Option<&'a dyn Prover>,
    pub sampler: Option<Sampler>,
    pub jobs: usize,
    pub cache: PathBuf,
    pub offline: bool,
    pub github: String,
    pub scratch: tempfile::TempDir,
    pub waits: Mutex<Vec<Duration>>,
}

impl Scan<'_> {
    pub fn new(folder: &Path) -> Self {
        Self {
            limits: Limits { attempts: 1, ..Limits::default() },
            prover: None,
            sampler: None,
            jobs: 2,
            cache: folder.join("cache"),
            offline: false,
            github: "file:///nonexistent".to_owned(),
            scratch: tempfile::tempdir().unwrap(),
            waits: Mutex::new(Vec::new()),
        }
    }

    /// Rows in list order. Waiting is only recorded.
    pub fn list(&self, list: &str) -> Vec<Row> {
        let pause = |wait| self.waits.lock().unwrap().push(wait);
        let options = Options {
            limits: self.limits.clone(),
            cache: Cache {
                folder: self.cache.clone(),
                offline: self.offline,
                discard: false,
                github: self.github.clone(),
            },
            include_vendored: false,
            include_generated: false,
            jobs: self.jobs,
            sampler: self.sampler.clone(),
            prover: self.prover,
            scratch: self.scratch.path(),
            pause: &pause,
        };
        let listed: Vec<_> = entries(list.as_bytes(), "unknown").map(Result::unwrap).collect();
        let mut rows = Vec::new();
        run(listed.into_iter(), &options, |row| {
            rows.push(row);
            true
        });
        rows.sort_by_key(|row| row.index);
        rows
    }

    pub fn one(&self, path: &Path) -> Row {
        self.list(path.to_str().unwrap()).remove(0)
    }
}

/// A server on this machine that answers every connection with the same bytes, or, with none, never.
pub struct Server {
    pub url: String,
    pub requests: Arc<AtomicUsize>,
}

impl Server {
    pub fn answering(answer: Option<&'static str>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/repository.git", listener.local_addr().unwrap());
        let requests = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&requests);
        std::thread::spawn(move || {
            let mut open = Vec::new();
            for stream in listener.incoming().map_while(Result::ok) {
                count.fetch_add(1, Ordering::SeqCst);
                match answer {
                    Some(answer) => respond(stream, answer),
                    None => open.push(stream), // kept open, never answered
                }
            }
        });
        Self { url, requests }
    }
}

fn respond(mut stream: TcpStream, answer: &str) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut line = String::new();
    while reader.read_line(&mut line).is_ok_and(|length| length > 2) {
        line.clear();
    }
    stream.write_all(answer.as_bytes()).ok();
    stream.flush().ok();
    stream.shutdown(std::net::Shutdown::Write).ok();
    stream.read_to_end(&mut Vec::new()).ok();
}
