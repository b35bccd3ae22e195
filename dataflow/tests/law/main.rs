//! Law: over all small programs, whatever the analysis merges behaves as before in every legal schedule of its device work
//! (DESIGN section 8, law 1), and each check of the analysis is needed for that (law 3).
//!
//! The meaning of a program ([`semantics`], [`schedule`]) is written independently of the analysis and as naively as
//! possible.
//!
//! Events are counted as DESIGN counts them: each step is one, a loop around some steps is one, an optional part is one;
//! the frees at the end of programs over an alphabet without frees are none. A loop runs up to three times, up to twice
//! next to an optional part. What is covered, of programs that differ ([`symmetry`], [`plain`], [`shape`]):
//!
//! * one pair, all steps of `everything`: up to 6 events straight and with a loop and an optional part, up to 5 with one
//!   of them; with one of them up to 6 over all but six of the steps. Programs of 6 events of which simpler ones say all
//!   are left out ([`shape::splits`]);
//! * two pairs and a pinned third buffer, the steps of `wide`: up to 5 events;
//! * smaller alphabets for single subjects ([`families`]), mostly up to 5 events.
//!
//! `ECHO_LAW=1` goes up to 6 events with all steps for one pair, leaves out nothing for its length, and adds one step to the
//! smaller families and to the tests of the rules; `ECHO_LAW=2` adds one more to all.

mod build;
mod check;
mod enumerate;
mod families;
mod memory;
mod mutants;
mod plain;
mod reductions;
mod scenario;
mod schedule;
mod semantics;
mod shape;
mod symmetry;
mod tally;

use std::io::Write as _;

use echo_dataflow::mutation::{CHECKS, NoticedBy};
use echo_dataflow::target::Target;
use families::families;
use tally::tally;

// A fifth of the time less.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

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
        let found = tally(&family, threads());
        for line in found.lines(&family) {
            say(&line);
        }
        if let Some(unsound) = &found.unsound {
            panic!("{}: merged, but differs:\n{unsound}", family.name);
        }
    }
    say(&format!("all families: {:.0} s", start.elapsed().as_secs_f64()));
}

/// Conditions and rules that DESIGN section 8, law 3, wants noticed by more than a fixture.
const BY_MORE_THAN_A_FIXTURE: [&str; 6] = ["S1", "S2", "S4", "S5", "R3", "R4"];

#[test]
fn every_condition_is_noticed_by_small_programs() {
    for condition in BY_MORE_THAN_A_FIXTURE {
        let mut own = CHECKS.iter().filter(|check| check.noticed_by == NoticedBy::SmallPrograms);
        let is_of = |check: &echo_dataflow::mutation::Check| {
            check.without.split([':', ',']).any(|part| part.trim() == condition)
        };
        assert!(own.any(is_of), "no check of {condition} is noticed by small programs");
    }
}

#[test]
fn every_check_is_needed() {
    let families: Vec<_> = families(0);
    let own = CHECKS.iter().filter(|check| check.noticed_by == NoticedBy::SmallPrograms);
    let mut missing: Vec<&'static str> = own.map(|check| check.name).collect();
    // Short programs first: they say best what is wrong.
    for events in 2..=6 {
        for family in &families {
            let family = family.up_to(events);
            for target in [Target::Thor, Target::AnyUma] {
                let found = mutants::noticed(&family, threads(), target, &missing);
                for (name, program) in &found {
                    let check = CHECKS.iter().find(|check| check.name == *name);
                    let without = check.map_or("", |check| check.without);
                    say(&format!("{name} ({without}): noticed in {} by {program}", family.name));
                }
                missing.retain(|name| !found.contains_key(name));
                if missing.is_empty() {
                    return;
                }
            }
        }
    }
    panic!("no small program notices that these are missing: {missing:?}");
}
