//! Long runs of `echo-survey`: interrupted, resumed, and spread over machines.

mod survey_hub;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};

use serde_json::Value;
use survey_hub::{code, hub, text};

#[test]
fn an_interrupted_run_resumes() {
    let hub = hub();
    let list = hub.list.to_str().unwrap();
    let rows = hub.path("rows.ndjson");
    let whole = hub.survey(&["--output", rows.to_str().unwrap(), "--format", "json", list]);
    assert_eq!(code(&whole), 0);
    // As a killed run leaves it: two rows and a broken line, and no sorted file yet.
    let lines: Vec<_> = fs::read_to_string(&rows).unwrap().lines().map(str::to_owned).collect();
    fs::write(
        hub.path("rows.ndjson.part"),
        format!("{}\n{}\n{}", lines[3], lines[1], &lines[2][..40]),
    )
    .unwrap();
    fs::remove_file(&rows).unwrap();
    // Rows that are there are not scanned again: their repositories are gone.
    fs::remove_dir_all(hub.path("hub/o/r1.git")).unwrap();
    fs::remove_dir_all(hub.path("hub/o/r3.git")).unwrap();
    let resumed =
        hub.survey(&["--resume", "--output", rows.to_str().unwrap(), "--format", "json", list]);
    assert_eq!(code(&resumed), 0, "{}", text(&resumed.stdout));
    assert_eq!(resumed.stdout, whole.stdout);
    assert!(text(&resumed.stderr).starts_with("3 repositories"), "{}", text(&resumed.stderr));
    assert!(!hub.path("rows.ndjson.part").exists());

    // A skipped repository is tried again and then counted.
    fs::rename(hub.path("hub/o/r0.git"), hub.path("away")).unwrap();
    let other = hub.path("other.ndjson");
    let broken = hub.survey(&["--output", other.to_str().unwrap(), list]);
    assert_eq!(code(&broken), 3);
    fs::rename(hub.path("away"), hub.path("hub/o/r0.git")).unwrap();
    let better =
        hub.survey(&["--resume", "--output", other.to_str().unwrap(), "--format", "json", list]);
    let report: Value = serde_json::from_slice(&better.stdout).unwrap();
    assert_eq!(report["repositories"][0]["status"], "scanned");

    // Rows of other options are not mixed in.
    let mixed =
        hub.survey(&["--resume", "--output", rows.to_str().unwrap(), "--include-vendored", list]);
    assert_eq!(code(&mixed), 2);
    assert!(text(&mixed.stderr).contains("not comparable"));
}

#[test]
fn shards_merge_into_the_whole() {
    let hub = hub();
    let list = hub.list.to_str().unwrap();
    let whole = hub.survey(&["--format", "json", list]);
    let mut inputs = Vec::new();
    for part in 1..=2 {
        let rows = hub.path(&format!("rows-{part}.ndjson"));
        let shard = hub.survey(&[
            "--shard",
            &format!("{part}/2"),
            "--output",
            rows.to_str().unwrap(),
            list,
        ]);
        assert_eq!(code(&shard), 0, "{}", text(&shard.stdout));
        inputs.push(rows.to_str().unwrap().to_owned());
    }
    let all = hub.path("all.ndjson");
    let all = all.to_str().unwrap();
    let merged =
        hub.survey_plain(&["merge", &inputs[1], &inputs[0], "--output", all, "--format", "json"]);
    assert_eq!(code(&merged), 0, "{}", text(&merged.stderr));
    assert_eq!(merged.stdout, whole.stdout);
    let again = hub.survey_plain(&["report", all, "--format", "json"]);
    assert_eq!(again.stdout, whole.stdout);
    // A forgotten shard does not look green.
    let gap = hub.survey_plain(&["merge", &inputs[1], "--output", all]);
    assert_eq!(code(&gap), 3);
    assert!(text(&gap.stdout).contains("a shard is missing"));
}

#[test]
fn an_interrupt_leaves_nothing_behind() {
    let hub = hub();
    let temporary = hub.path("temporary");
    fs::create_dir(&temporary).unwrap();
    // A prover that makes a temporary file, says so, and never ends.
    let (started, fake) = (hub.path("started"), hub.path("slow-echo-fix"));
    let script = format!(
        "#!/bin/sh\ntouch \"$TMPDIR/half\"\necho $$ > {}\nexec sleep 1000\n",
        started.display()
    );
    fs::write(&fake, script).unwrap();
    fs::set_permissions(&fake, fs::Permissions::from_mode(0o755)).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_echo-survey"))
        .current_dir(hub.top.path())
        .env("TMPDIR", &temporary)
        .args(["--github-url", &format!("file://{}", hub.path("hub").display())])
        .args(["--jobs", "1", "--output", "rows.ndjson", "--prove", "--echo-fix"])
        .arg(&fake)
        .arg(&hub.list)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let prover = loop {
        match fs::read_to_string(&started) {
            Ok(process) if process.ends_with('\n') => break process.trim().to_owned(),
            Ok(_) | Err(_) => {
                assert_eq!(child.try_wait().unwrap(), None, "it ended by itself");
                std::thread::sleep(std::time::Duration::from_millis(20));
            }
        }
    };
    assert!(fs::read_dir(&temporary).unwrap().next().is_some());
    let interrupt = format!("kill -INT {}", child.id());
    assert!(Command::new("sh").args(["-c", &interrupt]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let left: Vec<_> =
        fs::read_dir(&temporary).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(left.is_empty(), "{left:?}");
    // It was killed; until somebody has reaped it, it may still be listed.
    let state = fs::read_to_string(format!("/proc/{prover}/stat")).unwrap_or_default();
    assert!(state.is_empty() || state.contains(") Z "), "{state}");
}

/// The shell part of the Kubernetes example: the block after the last `- |`.
fn kubernetes_script() -> String {
    let text = include_str!("../survey/cluster/kubernetes.yaml");
    let (before, block) = text.rsplit_once("- |\n").expect("a block");
    assert!(before.contains("completions: 16"), "as many as the script says");
    let indent = block.len() - block.trim_start().len();
    block
        .lines()
        .take_while(|line| line.len() > indent && line[..indent].trim().is_empty())
        .map(|line| format!("{}\n", &line[indent..]))
        .collect()
}

#[test]
fn the_examples_for_clusters_make_the_whole_survey() {
    let hub = hub();
    let list = fs::read_to_string(&hub.list).unwrap()
        + "o/gone@0123456789012345678901234567890123456789 odd\n";
    fs::write(&hub.list, list).unwrap();
    let whole = hub.survey(&["--format", "json", "list.txt"]);
    assert_eq!(code(&whole), 3, "one repository does not exist");
    // Where the examples have `echo-survey`, with the place of these repositories added.
    let programs = hub.path("programs");
    fs::create_dir(&programs).unwrap();
    let program = programs.join("echo-survey");
    let url = format!("file://{}", hub.path("hub").display());
    let real = env!("CARGO_BIN_EXE_echo-survey");
    let script = format!("#!/bin/sh\nexec {real} --github-url {url} --attempts 1 \"$@\"\n");
    fs::write(&program, script).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap());
    let slurm = concat!(env!("CARGO_MANIFEST_DIR"), "/survey/cluster/slurm.sh");
    for (name, first, variable) in
        [("slurm", 1, "SLURM_ARRAY_TASK_ID"), ("kubernetes", 0, "JOB_COMPLETION_INDEX")]
    {
        let folder = hub.path(name);
        fs::create_dir(&folder).unwrap();
        fs::copy(&hub.list, folder.join("list.txt")).unwrap();
        for index in first..first + 16 {
            let mut task = match name {
                "slurm" => Command::new(slurm),
                _ => {
                    let mut shell = Command::new("sh");
                    shell.args(["-c", &kubernetes_script()]);
                    shell
                }
            };
            let done = task
                .current_dir(&folder)
                .env("PATH", &path)
                .env(variable, index.to_string())
                .output()
                .unwrap();
            assert!(done.status.success(), "{name} {index}: {}", text(&done.stderr));
        }
        let rows: Vec<_> = (1..=16).map(|part| format!("{name}/rows-{part}.ndjson")).collect();
        let rows: Vec<_> = rows.iter().map(String::as_str).collect();
        let all =
            [&["merge"], rows.as_slice(), &["--output", "all.ndjson", "--format", "json"]].concat();
        let merged = hub.survey_plain(&all);
        assert_eq!(code(&merged), 3, "{}", text(&merged.stderr));
        assert_eq!(merged.stdout, whole.stdout, "{name}");
    }
}
