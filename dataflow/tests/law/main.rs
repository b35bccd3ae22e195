//! Law: over all small programs, whatever the analysis merges behaves as before in every legal schedule of its device work
//! (DESIGN section 8, law 1), and each check of the analysis is needed for that (law 3).
//!
//! The meaning of a program ([`semantics`], [`schedule`]) is written independently of the analysis and as naively as
//! possible. `ECHO_LAW=1` adds one step to the programs, `ECHO_LAW=2` two.

mod build;
mod check;
mod enumerate;
mod families;
mod scenario;
mod schedule;
mod semantics;
mod tally;

use std::io::Write as _;

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
    for family in families(longer()) {
        let start = std::time::Instant::now();
        let found = tally(&family, threads(), &[Target::Thor, Target::AnyUma]);
        for line in found.lines(&family) {
            say(&line);
        }
        say(&format!("    {:?}", start.elapsed()));
        if let Some(unsound) = &found.unsound {
            panic!("{}: merged, but differs:\n{unsound}", family.name);
        }
    }
}
