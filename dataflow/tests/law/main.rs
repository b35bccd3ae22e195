//! Law: over all small programs, whatever the analysis merges behaves as before in every legal schedule of its device work
//! (DESIGN section 8, law 1), and each check of the analysis is needed for that (law 3).
//!
//! The meaning of a program ([`semantics`], [`schedule`]) is written independently of the analysis and as naively as
//! possible. `ECHO_LAW=1` adds one step to the programs, `ECHO_LAW=2` two.

mod build;
mod check;
mod enumerate;
mod families;
mod mutants;
mod scenario;
mod schedule;
mod semantics;
mod tally;

use std::io::Write as _;

use echo_dataflow::mutation::{CHECKS, NoticedBy};
use echo_dataflow::target::Target;
use families::families;
use tally::tally;

/// Writes a line that also a passing test shows.
fn say(line: &str) {
    // A closed pipe is no reason to fail.
    let _ = writeln!(std::io::stderr(), "{line}");
}

fn threads() -> usize {
    std::thread::available_parallelism().map_or(2, usize::from)
}

fn longer() -> usize {
    std::env::var("ECHO_LAW").ok().and_then(|n| n.parse().ok()).unwrap_or(0)
}

#[test]
fn whatever_is_merged_behaves_as_before() {
    let start = std::time::Instant::now();
    for family in families(longer()) {
        let found = tally(&family, threads(), &[Target::Thor, Target::AnyUma]);
        for line in found.lines(&family) {
            say(&line);
        }
        if let Some(unsound) = &found.unsound {
            panic!("{}: merged, but differs:\n{unsound}", family.name);
        }
    }
    say(&format!("all families: {:.0} s", start.elapsed().as_secs_f64()));
}

#[test]
fn every_check_is_needed() {
    let families: Vec<_> = families(0);
    let mut unnoticed = Vec::new();
    let own = CHECKS.iter().filter(|check| check.noticed_by == NoticedBy::SmallPrograms);
    for check in own {
        // Short programs first: they say best what is wrong.
        let found = (3..=5).find_map(|steps| {
            families.iter().find_map(|family| {
                let family = family.up_to(steps);
                let mut targets = [Target::Thor, Target::AnyUma].into_iter();
                let noticed = |target| mutants::noticed(&family, threads(), target, check.name);
                Some((family.name, targets.find_map(noticed)?))
            })
        });
        match found {
            Some((family, program)) => {
                say(&format!(
                    "{} ({}): noticed in {family} by {program}",
                    check.name, check.without
                ));
            }
            None => {
                say(&format!("{} ({}): not noticed", check.name, check.without));
                unnoticed.push(check.name);
            }
        }
    }
    assert!(unnoticed.is_empty(), "no small program notices that these are missing: {unnoticed:?}");
}
