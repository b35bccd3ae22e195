//! The only place that starts the git command.
//!
//! Repositories are hostile until proved otherwise. Therefore: no inherited environment except what reaching a
//! server needs; no configuration of the user or the system; every setting of a repository that could run a program
//! overridden on the command line; only plumbing that neither checks out, nor filters, nor follows submodules;
//! transports that run commands refused; no prompt can appear; and [`crate::guard`] ends what takes too long.

use std::ffi::OsStr;
use std::io::Read;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use crate::guard::start;
use crate::skip::Skip;

/// What a git process is allowed to reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    /// Only objects on this machine.
    Nothing,
    /// Servers (and, for `file://`, other repositories of this machine).
    Network,
}

/// Settings that could start a program or reach out, with the value that prevents it.
/// Command-line settings win over every configuration file of a repository.
const SETTINGS: [&str; 26] = [
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.untrackedCache=false",
    "core.attributesFile=/dev/null",
    "core.excludesFile=/dev/null",
    "core.pager=cat",
    "core.askPass=",
    "core.sshCommand=",
    "core.gitProxy=",
    "core.alternateRefsCommand=",
    "core.symlinks=false",
    "credential.helper=",
    "credential.interactive=never",
    "fetch.recurseSubmodules=false",
    "submodule.recurse=false",
    "fetch.writeCommitGraph=false",
    "gc.auto=0",
    "maintenance.auto=false",
    "filter.lfs.smudge=",
    "filter.lfs.process=",
    "http.followRedirects=initial",
    "http.lowSpeedLimit=1000",
    "http.lowSpeedTime=60",
    "advice.detachedHead=false",
    "uploadpack.packObjectsHook=",
    "protocol.allow=never",
];

/// Variables of the caller that a connection may need.
const PASSED_ON: [&str; 14] = [
    "PATH",
    "TMPDIR",
    "http_proxy",
    "https_proxy",
    "HTTPS_PROXY",
    "all_proxy",
    "ALL_PROXY",
    "no_proxy",
    "NO_PROXY",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "GIT_SSL_CAINFO",
    "SSH_AUTH_SOCK",
    "CURL_CA_BUNDLE",
];

/// A git command with every safety setting.
pub(crate) fn git(git_dir: Option<&Path>, reach: Reach) -> Command {
    let mut command = Command::new("git");
    command.env_clear();
    for name in PASSED_ON {
        if let Some(value) = std::env::var_os(name) {
            command.env(name, value);
        }
    }
    for (name, value) in [
        ("LC_ALL", "C"),
        ("HOME", "/nonexistent"), // no ~/.netrc, no ~/.config/git
        ("GIT_CONFIG_NOSYSTEM", "1"),
        ("GIT_CONFIG_GLOBAL", "/dev/null"),
        ("GIT_ATTR_NOSYSTEM", "1"),
        ("GIT_TERMINAL_PROMPT", "0"),
        ("GIT_ASKPASS", ""),
        ("SSH_ASKPASS", ""),
        ("GIT_SSH_COMMAND", "ssh -oBatchMode=yes -oConnectTimeout=20 -oStrictHostKeyChecking=yes"),
        ("GIT_LFS_SKIP_SMUDGE", "1"),
        ("GIT_NO_LAZY_FETCH", "1"),
        ("GIT_NO_REPLACE_OBJECTS", "1"),
        ("GIT_OPTIONAL_LOCKS", "0"),
        ("GIT_PROTOCOL_FROM_USER", "0"),
    ] {
        command.env(name, value);
    }
    for setting in SETTINGS {
        command.args(["-c", setting]);
    }
    if reach == Reach::Network {
        for scheme in ["https", "http", "ssh", "git", "file"] {
            command.args(["-c", &format!("protocol.{scheme}.allow=always")]);
        }
        // Response headers tell how long a rate limit lasts; nothing else of the trace is used.
        command
            .env("GIT_TRACE_CURL", "1")
            .env("GIT_TRACE_CURL_NO_DATA", "1")
            .env("GIT_TRACE_REDACT", "1");
    }
    command.arg("--no-pager");
    if let Some(git_dir) = git_dir {
        command.env("GIT_DIR", git_dir).current_dir("/");
    }
    command
}

/// Runs a short command to its end and returns what it printed (at most 64 kB).
///
/// # Errors
/// The guard's, [`Skip::NoGit`], or the command's own message through `failed`.
pub(crate) fn output(
    git_dir: Option<&Path>,
    arguments: &[&OsStr],
    deadline: Instant,
    failed: impl FnOnce(String) -> Skip,
) -> Result<String, Skip> {
    let mut command = git(git_dir, Reach::Nothing);
    command.args(arguments);
    let mut running = start(command, deadline.into())?;
    let mut text = String::new();
    if let Some(stdout) = running.stdout() {
        let mut bytes = Vec::new();
        stdout
            .take(64 << 10)
            .read_to_end(&mut bytes)
            .map_err(|error| Skip::Corrupt(error.to_string()))?;
        text = String::from_utf8_lossy(&bytes).trim().to_owned();
    }
    let ended = running.finish()?;
    if ended.success { Ok(text) } else { Err(failed(last_line(&ended.stderr))) }
}

/// The last `fatal:` or `error:` line, else the last line, for messages.
pub(crate) fn last_line(stderr: &str) -> String {
    let lines = || stderr.lines().map(str::trim).filter(|line| !line.is_empty());
    let line = lines()
        .rfind(|line| {
            line.starts_with("fatal:") || line.starts_with("error:") || line.starts_with("remote:")
        })
        .or_else(|| lines().next_back())
        .unwrap_or("git failed without a message");
    line.chars().take(300).collect()
}
