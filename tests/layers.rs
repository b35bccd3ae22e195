//! Which crate may use which: DESIGN's arrows, read from `cargo metadata`.

use std::collections::BTreeMap;
use std::process::Command;

use serde_json::Value;

/// Package and the packages of this repository that it may use (build and test dependencies too).
const ARROWS: [(&str, &[&str]); 9] = [
    (
        "echo",
        &[
            "echo-preload",
            "echo-frontend",
            "echo-dataflow",
            "echo-rewrite",
            "echo-survey",
            "echo-runtime",
        ],
    ),
    ("echo-frontend", &["echo-dataflow"]),
    ("echo-rewrite", &["echo-dataflow"]),
    ("echo-survey", &["echo-frontend", "echo-dataflow"]),
    ("echo-dataflow", &[]),
    ("echo-runtime", &[]),
    ("echo-preload", &["echo-runtime"]),
    ("echo-emulator", &[]),
    ("xtask", &[]),
];

/// Parsers of C++ by the first word of their packages, and the one package that may use each: proofs rest on
/// libclang's syntax trees, the survey counts in tens of thousands of files that need not even compile.
const PARSERS: [(&str, &str); 3] =
    [("clang", "echo-frontend"), ("libclang", "echo-frontend"), ("tree", "echo-survey")];

fn metadata() -> Value {
    let cargo = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .output()
        .expect("cargo runs");
    serde_json::from_slice(&cargo.stdout).expect("JSON")
}

#[test]
fn each_parser_has_one_user() {
    let metadata = metadata();
    let mut used = Vec::new();
    for package in metadata["packages"].as_array().expect("packages") {
        for dependency in package["dependencies"].as_array().expect("dependencies") {
            let parser = dependency["name"].as_str().expect("a name").split('-').next();
            for (word, user) in PARSERS {
                if parser == Some(word) {
                    assert_eq!(package["name"], user, "{dependency}");
                    used.push(user);
                }
            }
        }
    }
    assert!(used.contains(&"echo-frontend") && used.contains(&"echo-survey"), "{used:?}");
}

#[test]
fn crates_use_only_what_they_may() {
    let metadata = metadata();
    let allowed: BTreeMap<_, _> = ARROWS.into_iter().collect();
    let packages = metadata["packages"].as_array().expect("packages");
    let ours = |name: &str| packages.iter().any(|package| package["name"] == name);
    let mut wrong = Vec::new();
    for package in packages {
        let name = package["name"].as_str().expect("a name");
        // Parts of a crate that cargo wants to be a package of their own count as the crate.
        let part_of = |whole: &str| whole != "echo" && name.starts_with(&format!("{whole}-"));
        let whole = allowed.keys().filter(|whole| name == **whole || part_of(whole));
        let Some(whole) = whole.max_by_key(|whole| whole.len()) else {
            wrong.push(format!("{name} is not in the list"));
            continue;
        };
        for dependency in package["dependencies"].as_array().expect("dependencies") {
            let used = dependency["name"].as_str().expect("a name");
            // The tests of the whole run programs on the emulator; the tool itself knows nothing of it.
            if name == "echo" && used.starts_with("echo-emulator") && dependency["kind"] == "dev" {
                continue;
            }
            let inside = used.starts_with(*whole) && *whole != "echo";
            if ours(used) && !inside && !allowed[whole].contains(&used) {
                wrong.push(format!("{name} -> {used}"));
            }
        }
    }
    assert!(wrong.is_empty(), "not in the design:\n{}", wrong.join("\n"));
}
