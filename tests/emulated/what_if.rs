//! Whether merging a declined pair while the program runs shows what the decline is about.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use echo_emulator::{Order, Program, Setting, run};
use libtest_mimic::Failed;

use crate::behaviour::{Behaviour, Concern};
use crate::transformed::Decline;

/// Conditions whose violation a run can show. The others are about what is not known, or cannot be written down.
const SHOWN: [&str; 5] = ["S1", "S2", "S2b", "S4", "S5"];

/// Why the decline remains unexplained; None if it is explained or is not of the sort that a run explains.
pub fn unexplained(
    program: &Program,
    original: &Behaviour,
    decline: &Decline,
) -> Result<Option<String>, Failed> {
    let Some(headline) = decline.conditions.first() else {
        return Ok(Some("declined without an objection".to_owned()));
    };
    if !SHOWN.contains(&headline.as_str()) {
        return Ok(None);
    }
    let unify = merged(program, decline)?;
    if unify.is_empty() {
        return Ok(Some(format!("declined by {headline}; no copy joins its blocks in this run")));
    }
    let merged = Behaviour::observe(program, &unify)?;
    // Exclusive access is a reason only where the tool gave it.
    let exclusive = decline.conditions.iter().any(|condition| condition == "S5");
    let concern = if exclusive { Concern::Exclusive } else { Concern::Concurrent };
    Ok(match original.shows(&merged, concern) {
        Some(_) => None,
        None => Some(format!("declined by {headline}, but merging {unify:?} changes nothing")),
    })
}

/// The pairs of blocks that the pair's sites allocated and copies joined, by number for the emulator.
fn merged(program: &Program, decline: &Decline) -> Result<Vec<(u32, u32)>, Failed> {
    let mut listing = Setting::new(Order::Eager);
    listing.list_pairs = true;
    let outcome = run(program, &[], Path::new("."), &listing, Duration::from_secs(60))?;
    let mut unify: Vec<(u32, u32)> = Vec::new();
    for line in outcome.findings.iter().filter(|line| line.starts_with("ECHO-LINK ")) {
        let value = |key: &str| line.split(' ').find_map(|word| word.strip_prefix(key));
        let number = |key: &str| value(key).and_then(|value| value.parse::<u32>().ok());
        let (Some(host), Some(device)) = (number("h="), number("d=")) else { continue };
        let here = |key: &str, line: u64| -> Result<bool, Failed> {
            Ok(lines(&program.file, value(key).unwrap_or_default())?.contains(&line))
        };
        let free = unify.iter().all(|&(h, d)| h != host && d != device);
        if free && here("hpc=", decline.lines.0)? && here("dpc=", decline.lines.1)? {
            unify.push((host, device));
        }
    }
    Ok(unify)
}

/// Source lines of code addresses, with those they were inlined into.
fn lines(program: &Path, addresses: &str) -> Result<Vec<u64>, Failed> {
    let output = Command::new("addr2line")
        .args(["-i", "-e"])
        .arg(program)
        .args(addresses.split(',').filter(|address| !address.is_empty()))
        .stdin(std::process::Stdio::null())
        .output()
        .map_err(|why| format!("addr2line (package binutils): {why}"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let line = |place: &str| place.rsplit(':').next()?.split(' ').next()?.parse().ok();
    Ok(text.lines().filter_map(line).collect())
}
