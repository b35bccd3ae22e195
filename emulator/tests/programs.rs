//! Programs that use one feature each: they print what their `//=` lines say, under every order of operations, and the
//! race detector has nothing to report.

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use echo_emulator::{
    Ending, Installation, Options, Order, Program, Setting, all_settings, compile, run,
};
use rayon::prelude::*;

const LIMIT: Duration = Duration::from_secs(60);

fn sources() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let entries = fs::read_dir(&folder).expect("the folder is there");
    let mut sources: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    sources.sort();
    sources
}

fn expected(source: &Path) -> String {
    let text = fs::read_to_string(source).expect("it can be read");
    let lines = text.lines().filter_map(|line| line.strip_prefix("//= "));
    lines.map(|line| format!("{line}\n")).collect()
}

fn check(installation: &Installation, source: &Path) -> Vec<String> {
    let name = source.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let made = |race| {
        let options = Options { race, ..Options::default() };
        compile(installation, &[source.to_owned()], &options)
    };
    let (plain, detecting) = match (made(false), made(true)) {
        (Ok(plain), Ok(detecting)) => (plain, detecting),
        (Err(why), _) | (_, Err(why)) => return vec![format!("{name}: {why}")],
    };
    let mut settings: Vec<(&Program, Setting)> =
        all_settings(3).into_iter().map(|setting| (&plain, setting)).collect();
    let mut reversed = Setting::new(Order::Eager);
    reversed.other.push(("ECHO_THREADORDER".to_owned(), "1".to_owned()));
    settings.push((&plain, reversed));
    let mut detector = Setting::new(Order::Late);
    detector.race = 1;
    settings.push((&detecting, detector));
    let wanted = expected(source);
    let mut wrong = Vec::new();
    for (program, setting) in settings {
        let outcome = run(program, &[], Path::new("."), &setting, LIMIT).expect("it starts");
        let output = String::from_utf8_lossy(&outcome.output);
        if outcome.ending != Ending::Exit(0) || output != wanted {
            wrong.push(format!(
                "{name} under {setting}: {}\nwanted {wanted}found  {output}{}",
                outcome.ending,
                outcome.findings.join("\n")
            ));
        }
    }
    wrong
}

#[test]
fn programs_print_what_they_say() {
    let Some(installation) = support::installation("programs_print_what_they_say") else { return };
    let sources = sources();
    assert!(sources.len() >= 14, "the programs are there");
    let wrong: Vec<String> =
        sources.par_iter().flat_map(|source| check(&installation, source)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
