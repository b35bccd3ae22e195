//! `echo-survey` as a user runs it. Repositories are made on the spot; nothing needs a network.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

const CANDIDATE: &str = "#include <cuda_runtime.h>\nvoid f(int n) {\n  float *h = new float[n], *d;\n  cudaMalloc(&d, n * sizeof(float));\n  cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice);\n}\n";
const MANAGED: &str =
    "void g() { int *m; cudaMallocManaged(&m, 4); cudaMemcpy(m, q, 4, cudaMemcpyDeviceToHost); }\n";

fn git(folder: &Path, arguments: &[&str]) -> String {
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
fn publish(hub: &Path, name: &str, versions: &[&str]) -> Vec<String> {
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
struct Hub {
    top: tempfile::TempDir,
    list: PathBuf,
}

fn hub() -> Hub {
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
    fn path(&self, name: &str) -> PathBuf {
        self.top.path().join(name)
    }

    fn survey(&self, arguments: &[&str]) -> Output {
        let url = format!("file://{}", self.path("hub").display());
        survey(self.top.path(), &[&["--github-url", &url, "--attempts", "1"], arguments].concat())
    }
}

fn survey(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_echo-survey"))
        .current_dir(folder)
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap_or_else(|| panic!("{}", text(&output.stderr)))
}

#[test]
fn every_format_says_the_same() {
    let hub = hub();
    let list = hub.list.to_str().unwrap();
    let json = hub.survey(&["--format", "json", list]);
    assert_eq!(code(&json), 0, "{}", text(&json.stderr));
    let report: Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(report["complete"], true);
    assert_eq!(report["repositories"].as_array().unwrap().len(), 5);
    assert_eq!(report["summary"]["total"]["yes"]["candidate-file"], 3);
    assert_eq!(report["summary"]["total"]["yes"]["mixed"], 2);
    assert_eq!(report["repositories"][0]["evidence"]["linked"][0]["line"], 5);
    assert_eq!(report["repositories"][0]["tier"], "T3");

    let plain = text(&hub.survey(&[list]).stdout);
    assert!(plain.contains("candidate pattern: 3 of 5 = 60 %"), "{plain}");
    assert!(!plain.contains("INCOMPLETE"));
    let markdown = text(&hub.survey(&["--format", "markdown", list]).stdout);
    assert!(markdown.contains("| total"), "{markdown}");
    let html = text(&hub.survey(&["--format", "html", list]).stdout);
    assert!(html.contains("<b>3</b> have the candidate pattern") && html.ends_with("</html>\n"));
    let csv = text(&hub.survey(&["--format", "csv", list]).stdout);
    assert_eq!(csv.lines().count(), 6);
    let rows = text(&hub.survey(&["--format", "ndjson", list]).stdout);
    assert_eq!(rows.lines().filter(|line| serde_json::from_str::<Value>(line).is_ok()).count(), 5);
}

#[test]
fn output_does_not_depend_on_jobs() {
    let hub = hub();
    let list = hub.list.to_str().unwrap();
    let run = |jobs: &str| hub.survey(&["-j", jobs, "--format", "json", list]).stdout;
    let one = run("1");
    assert!(!one.is_empty());
    assert_eq!(one, run("4"));
    assert_eq!(one, run("4"));
}

#[test]
fn a_failure_does_not_look_green() {
    let hub = hub();
    let mut list = fs::read_to_string(&hub.list).unwrap();
    list.push_str("o/gone@0123456789012345678901234567890123456789 odd\n");
    fs::write(&hub.list, list).unwrap();
    let output = hub.survey(&[hub.list.to_str().unwrap()]);
    assert_eq!(code(&output), 3);
    let plain = text(&output.stdout);
    assert!(
        plain.starts_with("INCOMPLETE\n  1 repositories were skipped (not-found 1)."),
        "{plain}"
    );
    assert!(plain.contains("o/gone: not found, or private"), "{plain}");
    assert!(plain.contains("3 of 5"), "the denominator is what was counted: {plain}");
    let html = text(&hub.survey(&["--format", "html", hub.list.to_str().unwrap()]).stdout);
    assert!(html.contains("Incomplete.") && !html.contains("Complete: every"));
}

#[test]
fn the_pinned_commit_counts_not_the_newest() {
    let hub = hub();
    let commits = publish(&hub.path("hub"), "o/old", &[CANDIDATE, "int x;\n"]);
    let list = hub.path("two.txt");
    fs::write(&list, format!("o/old@{}\no/old\n", commits[0])).unwrap();
    let list = list.to_str().unwrap();
    let cache = hub.path("cache");
    let cache = cache.to_str().unwrap();
    let output = hub.survey(&["--cache", cache, "--format", "json", list]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["repositories"][0]["commit"], commits[0].as_str());
    assert_eq!(report["repositories"][0]["tier"], "T3");
    assert_eq!(report["repositories"][1]["commit"], commits[1].as_str());
    assert_eq!(report["repositories"][1]["tier"], "T0");

    // The cache alone is enough, and an empty one is a reason.
    fs::rename(hub.path("hub"), hub.path("moved")).unwrap();
    let offline = hub.survey(&["--cache", cache, "--offline", "--format", "json", list]);
    assert_eq!(code(&offline), 0);
    assert_eq!(offline.stdout, output.stdout);
    let empty = hub.survey(&["--cache", hub.path("empty").to_str().unwrap(), "--offline", list]);
    assert_eq!(code(&empty), 3);
    assert!(text(&empty.stdout).contains("not-cached 2"));
}

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

impl Hub {
    fn survey_plain(&self, arguments: &[&str]) -> Output {
        survey(self.top.path(), arguments)
    }
}

#[test]
fn compare_names_what_changed() {
    let hub = hub();
    let list = hub.list.to_str().unwrap();
    let (before, after) = (hub.path("a.json"), hub.path("b.json"));
    fs::write(&before, hub.survey(&["--format", "json", list]).stdout).unwrap();
    let commits = publish(&hub.path("hub"), "o/r2", &["int nothing;\n"]);
    let old = fs::read_to_string(&hub.list).unwrap();
    let lines: Vec<_> = old
        .lines()
        .map(|line| {
            if line.starts_with("o/r2@") {
                format!("o/r2@{} even", commits[0])
            } else {
                line.to_owned()
            }
        })
        .collect();
    fs::write(&hub.list, lines.join("\n")).unwrap();
    fs::write(&after, hub.survey(&["--format", "ndjson", list]).stdout).unwrap();
    let (before, after) = (before.to_str().unwrap(), after.to_str().unwrap());
    let same = hub.survey_plain(&["compare", before, before]);
    assert_eq!(code(&same), 0);
    let different = hub.survey_plain(&["compare", before, after]);
    assert_eq!(code(&different), 1);
    let said = text(&different.stdout);
    for line in [
        "~ o/r2: tier T3 -> T0 (down)",
        "~ o/r2: explicit-copy yes -> no",
        "total candidate-file: 3 -> 2",
    ] {
        assert!(said.contains(line), "{line}\n{said}");
    }
}

#[test]
fn a_sample_depends_on_the_seed_and_nothing_else() {
    let hub = hub();
    let list = hub.list.to_str().unwrap();
    let draw = |seed: &str, size: &str, jobs: &str| {
        let to = hub.path("sample.csv");
        let output = hub.survey(&[
            "--sample",
            size,
            "--seed",
            seed,
            "--sample-to",
            to.to_str().unwrap(),
            "-j",
            jobs,
            list,
        ]);
        assert_eq!(code(&output), 0, "{}", text(&output.stderr));
        fs::read_to_string(to).unwrap().lines().skip(1).map(str::to_owned).collect::<Vec<_>>()
    };
    let four = draw("1", "4", "1");
    assert_eq!(four.len(), 4);
    assert_eq!(four, draw("1", "4", "3"));
    assert_ne!(four, draw("2", "4", "1"));
    assert_eq!(four[..2], draw("1", "2", "1"));
    assert!(
        four[0].starts_with("o/r") && four[0].contains("https://github.com/o/r"),
        "{}",
        four[0]
    );
}

#[test]
fn proving_runs_echo_fix_or_says_that_it_did_not() {
    let hub = hub();
    let list = hub.list.to_str().unwrap();
    let absent = hub.survey(&["--prove", "--echo-fix", "/nonexistent/echo-fix", list]);
    assert_eq!(code(&absent), 3);
    assert!(text(&absent.stdout).contains("echo-fix could not be run on 3 repositories"));

    let fake = hub.path("fake-echo-fix");
    let script = "#!/bin/sh\n[ -f a.cu ] || exit 2\necho '{\"schema_version\":1,\"files\":[{\"path\":\"a.cu\",\"status\":\"analysed\"}],\"pairs\":[{\"id\":\"a.cu:f:h/d\",\"verdict\":\"merge\",\"host\":{\"file\":\"a.cu\",\"line\":3}}]}'\n";
    fs::write(&fake, script).unwrap();
    fs::set_permissions(&fake, fs::Permissions::from_mode(0o755)).unwrap();
    let proved =
        hub.survey(&["--prove", "--echo-fix", fake.to_str().unwrap(), "--format", "json", list]);
    assert_eq!(code(&proved), 0, "{}", text(&proved.stderr));
    let report: Value = serde_json::from_slice(&proved.stdout).unwrap();
    assert_eq!(report["summary"]["total"]["yes"]["T4"], 3);
    assert_eq!(report["repositories"][0]["evidence"]["proved"][0]["what"], "a.cu:f:h/d");
    assert_eq!(report["repositories"][4]["proof"]["state"], "not-asked");
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

#[test]
fn usage_errors_name_the_line_and_the_cure() {
    let hub = hub();
    let list = hub.path("bad.txt");
    fs::write(&list, "o/r0\n\no/r1@main\n").unwrap();
    let output = hub.survey(&[list.to_str().unwrap()]);
    assert_eq!(code(&output), 2);
    let said = text(&output.stderr);
    assert!(said.contains("line 3") && said.contains("full commit hash"), "{said}");
    assert_eq!(code(&hub.survey(&["/nonexistent.txt"])), 2);
    assert_eq!(code(&hub.survey_plain(&[])), 2);
    let help = text(&hub.survey_plain(&["--help"]).stdout);
    assert!(help.contains("Exit codes: 0 complete"), "{help}");
}

#[test]
fn the_shipped_list_is_the_papers_mix_of_pinned_repositories() {
    let list = Path::new(env!("CARGO_MANIFEST_DIR")).join("survey/jetson-34.txt");
    let lines: Vec<_> = fs::read_to_string(list)
        .unwrap()
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
        .map(str::to_owned)
        .collect();
    let of =
        |domain: &str| lines.iter().filter(|line| line.ends_with(&format!(" {domain}"))).count();
    let mix = ["inference", "robotics", "cv", "signal", "other"].map(of);
    assert_eq!(mix, [11, 13, 8, 1, 1]);
    assert!(
        lines.iter().all(|line| line.split(['@', ' ']).nth(1).is_some_and(|hash| hash.len() == 40))
    );
}
