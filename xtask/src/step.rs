//! Steps: a command with a time limit whose duration is printed.

use std::fs;
use std::process::{Child, Command, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};

/// Runs `command`, with its output shown, and prints how long it took.
///
/// # Errors
/// If it cannot be started, fails, or has not ended after `limit` (then all its processes are killed).
pub(crate) fn run(name: &str, limit: Duration, command: &mut Command) -> Result<()> {
    eprintln!("==> {name}");
    let start = Instant::now();
    let mut child = command.spawn().with_context(|| format!("{name}: {command:?}"))?;
    let status = wait(&mut child, limit)?;
    let seconds = start.elapsed().as_secs_f64();
    match status {
        Some(status) if status.success() => {
            eprintln!("==> {name}: {seconds:.1} s");
            Ok(())
        }
        Some(status) => bail!("{name}: {status} after {seconds:.1} s"),
        None => bail!("{name}: stopped after {} s, its time limit", limit.as_secs()),
    }
}

fn wait(child: &mut Child, limit: Duration) -> Result<Option<ExitStatus>> {
    let start = Instant::now();
    let mut pause = Duration::from_millis(5);
    while start.elapsed() < limit {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(200));
    }
    // The compilers and tests it started end with it. (Not by process group: Ctrl-C must reach them all.)
    let processes = descendants(child.id()).into_iter().chain([child.id()]);
    let processes: Vec<String> = processes.map(|id| id.to_string()).collect();
    Command::new("kill").arg("-KILL").args(processes).status().context("kill")?;
    child.wait()?;
    Ok(None)
}

/// Ids of all processes below `root`, from the process table (`/proc`).
fn descendants(root: u32) -> Vec<u32> {
    let mut parents: Vec<(u32, u32)> = Vec::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Ok(id) = entry.file_name().to_string_lossy().parse::<u32>() else { continue };
        let Ok(stat) = fs::read_to_string(entry.path().join("stat")) else { continue };
        // `id (name) state parent ...`; the name may contain anything, also parentheses.
        let after_name = stat.rsplit(')').next().unwrap_or_default();
        if let Some(parent) =
            after_name.split_whitespace().nth(1).and_then(|parent| parent.parse().ok())
        {
            parents.push((id, parent));
        }
    }
    let mut found = vec![root];
    let mut next = 0;
    while let Some(&parent) = found.get(next) {
        found.extend(parents.iter().filter(|&&(_, of)| of == parent).map(|&(id, _)| id));
        next += 1;
    }
    found.split_off(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_that_succeeds_or_fails_says_so() {
        let limit = Duration::from_secs(60);
        run("true", limit, &mut Command::new("true")).expect("succeeds");
        let failed = run("false", limit, &mut Command::new("false")).expect_err("fails");
        assert!(failed.to_string().contains("exit status: 1"), "{failed}");
    }

    #[test]
    fn a_step_that_takes_too_long_is_stopped_with_its_children() {
        let file = std::env::temp_dir().join(format!("xtask-step-{}", std::process::id()));
        let mut shell = Command::new("sh");
        shell
            .arg("-c")
            .arg(format!("sleep 600 & echo $! > {0}.new; mv {0}.new {0}; wait", file.display()));
        let stopped = run("sleep", Duration::from_secs(5), &mut shell).expect_err("is stopped");
        assert!(stopped.to_string().contains("time limit"), "{stopped}");
        let sleep = fs::read_to_string(&file).expect("the child's id");
        fs::remove_file(&file).expect("removed");
        // Killed, though perhaps not yet collected by its new parent.
        let stat = fs::read_to_string(format!("/proc/{}/stat", sleep.trim())).unwrap_or_default();
        assert!(stat.is_empty() || stat.contains(") Z "), "{stat}");
    }
}
