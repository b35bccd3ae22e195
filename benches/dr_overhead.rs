//! What echo-dr costs per call, measured with the fake driver: `cargo bench --bench dr_overhead`.
#![allow(clippy::print_stdout)]

#[path = "../tests/dr_support/mod.rs"]
mod dr_support;

use std::collections::BTreeMap;
use std::process::Command;

use dr_support::{Case, folder, text};

/// Name and ns per call, as the program prints them.
fn times(output: &str) -> BTreeMap<String, f64> {
    output
        .lines()
        .filter_map(|line| {
            let (name, value) = line.split_once(' ')?;
            Some((name.to_owned(), value.parse().ok()?))
        })
        .collect()
}

fn main() {
    let program = folder().join("overhead");
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/runtime/tests/apps/overhead.cpp");
    let built = Command::new("c++").args(["-O2", source, "-ldl", "-o"]).arg(&program).status();
    assert!(built.is_ok_and(|status| status.success()), "c++ failed");
    let case = Case::of(vec![program.to_str().unwrap().to_owned()]);
    let plain = times(&text(&case.plain().stdout));
    let profiled = case.profile();
    let hooks = text(&profiled.stderr);
    let profile = times(&text(&profiled.stdout));
    let plan = case.plan(&["--backend", "registered"]);
    let (done, report) = case.run();
    let merged = times(&text(&done.stdout));
    println!("{:<14}{:>12}{:>12}{:>12}", "ns per call", "plain", "profile", "merged");
    for (name, value) in &plain {
        println!("{name:<14}{value:>12.1}{:>12.1}{:>12.1}", profile[name], merged[name]);
    }
    for name in ["malloc-64", "malloc-100k"] {
        println!(
            "{name} + free: {:+.1} ns in profile, {:+.1} ns merged (bar: +3 ns)",
            profile[name] - plain[name],
            merged[name] - plain[name]
        );
    }
    let hook: f64 = hooks
        .lines()
        .find_map(|line| line.split("hooks took ").nth(1)?.split(' ').next()?.parse().ok())
        .expect("profile tells what its hooks took");
    println!("tracked copy: {hook:.0} ns in the hook (bar: 300 ns)");
    println!(
        "profile of a 5 ms loop with two copies: {:.4} % (bar: 1 %)",
        2.0 * hook / 5e6 * 100.0
    );
    assert_eq!(plan["enabled"], true, "{}", plan["reason"]);
    println!(
        "skipped copy: {:.0} and {:.0} ns, of which an idle wait is {:.0} ns (bar: 1000 ns more); skipped {}",
        merged["upload"], merged["download"], merged["wait"], report["outcome"]["skipped_copies"]
    );
}
