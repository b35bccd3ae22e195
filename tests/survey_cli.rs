//! `echo-survey` as a user runs it. Repositories are made on the spot; nothing needs a network.

mod survey_hub;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use serde_json::Value;
use survey_hub::{CANDIDATE, code, hub, publish, text};

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
    let script = "#!/bin/sh\n[ -f a.cu ] || exit 2\necho '{\"schema_version\":1,\"files\":[{\"path\":\"a.cu\",\"status\":\"analysed\"}],\"pairs\":[{\"id\":\"a.cu:f:h/d\",\"verdict\":\"merge\",\"host\":{\"name\":\"h\",\"file\":\"a.cu\",\"line\":3},\"device\":{\"name\":\"d\"}}]}'\n";
    fs::write(&fake, script).unwrap();
    fs::set_permissions(&fake, fs::Permissions::from_mode(0o755)).unwrap();
    let proved =
        hub.survey(&["--prove", "--echo-fix", fake.to_str().unwrap(), "--format", "json", list]);
    assert_eq!(code(&proved), 0, "{}", text(&proved.stderr));
    let report: Value = serde_json::from_slice(&proved.stdout).unwrap();
    assert_eq!(report["summary"]["total"]["yes"]["T4"], 3);
    assert_eq!(report["repositories"][0]["evidence"]["proved"][0]["what"], "h / d");
    assert_eq!(report["repositories"][4]["proof"]["state"], "not-asked");
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
    fs::write(&list, "# nothing yet\n").unwrap();
    assert!(text(&hub.survey(&[list.to_str().unwrap()]).stderr).contains("names no repository"));
    assert_eq!(code(&hub.survey(&["/nonexistent.txt"])), 2);
    assert_eq!(code(&hub.survey(&["/dev/zero"])), 2);
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
