//! What a program does under all orders of operations.

use std::path::{Path, PathBuf};
use std::time::Duration;

use echo_emulator::{
    Ending, Installation, Options, Order, Outcome, Program, Setting, all_settings,
    compile as build, run,
};
use libtest_mimic::Failed;

use crate::allowed::What;

const LIMIT: Duration = Duration::from_secs(60);
const SEEDS: u64 = 3;

/// What the new program is meant for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Concern {
    /// Devices on which host and device may use managed memory at once.
    Concurrent,
    /// Also devices on which they may not.
    Exclusive,
}

/// Compiles for the emulator, with calls for the race detector and with line numbers.
pub fn compile(installation: &Installation, sources: &[PathBuf]) -> Result<Program, String> {
    let arguments = vec!["-g".into()];
    let options = Options { race: true, optimize: Some(1), arguments, ..Options::default() };
    build(installation, sources, &options).map_err(|why| why.to_string())
}

/// All outcomes of a program.
pub struct Behaviour {
    /// Under each order of operations.
    orders: Vec<(Setting, Outcome)>,
    /// Under the race detector.
    race: Outcome,
    /// On a device with `concurrentManagedAccess` = 0.
    exclusive: Outcome,
}

impl Behaviour {
    /// Runs the program, with `unify` merged while it runs.
    pub fn observe(program: &Program, unify: &[(u32, u32)]) -> Result<Self, Failed> {
        Self::observe_on(program, unify, false)
    }

    /// The same; `pageable`: on a device that reaches all memory of the host.
    pub fn observe_on(
        program: &Program,
        unify: &[(u32, u32)],
        pageable: bool,
    ) -> Result<Self, Failed> {
        let outcome = |mut setting: Setting| -> Result<(Setting, Outcome), Failed> {
            setting.unify = unify.to_vec();
            if pageable {
                setting.other.push(("ECHO_PAGEABLE".to_owned(), "1".to_owned()));
            }
            let outcome = run(program, &[], Path::new("."), &setting, LIMIT)?;
            Ok((setting, outcome))
        };
        let orders = all_settings(SEEDS).into_iter().map(outcome).collect::<Result<_, _>>()?;
        let mut race = Setting::new(Order::Eager);
        race.race = 1;
        let mut exclusive = Setting::new(Order::Eager);
        exclusive.concurrent_access = false;
        Ok(Self { orders, race: outcome(race)?.1, exclusive: outcome(exclusive)?.1 })
    }

    /// What is wrong with an original program.
    pub fn own_faults(&self) -> Vec<(What, String)> {
        let mut wrong = Vec::new();
        let (_, first) = &self.orders[0];
        for (setting, outcome) in &self.orders {
            if outcome.ending != Ending::Exit(0) {
                wrong.push((What::Run, format!("under {setting}: {}", text(outcome))));
            } else if outcome.output != first.output {
                wrong.push((What::Orders, format!("under {setting}: {}", text(outcome))));
            }
        }
        if self.race.ending == Ending::Race {
            wrong.push((What::Race, text(&self.race)));
        }
        if first.output.is_empty() && first.ending == Ending::Exit(0) {
            wrong.push((What::Silent, "no output".to_owned()));
        }
        wrong.dedup_by(|one, other| one.0 == other.0);
        wrong
    }

    /// The first thing that `other` does and this program cannot do, if any.
    pub fn shows(&self, other: &Self, concern: Concern) -> Option<String> {
        let can = |outcome: &Outcome| {
            let same = |(_, own): &(Setting, Outcome)| {
                own.ending == outcome.ending
                    && own.output == outcome.output
                    && own.errors == outcome.errors
            };
            self.orders.iter().any(same)
        };
        for (setting, outcome) in &other.orders {
            if !can(outcome) {
                let wanted = text(&self.orders[0].1);
                return Some(format!("under {setting}: {}wanted {wanted}", text(outcome)));
            }
        }
        if other.race.ending == Ending::Race && self.race.ending != Ending::Race {
            return Some(text(&other.race));
        }
        if concern == Concern::Exclusive
            && !can(&other.exclusive)
            && self.exclusive.ending == Ending::Exit(0)
        {
            return Some(format!("concurrentManagedAccess=0: {}", text(&other.exclusive)));
        }
        None
    }
}

fn text(outcome: &Outcome) -> String {
    let output = String::from_utf8_lossy(&outcome.output);
    let findings: Vec<&str> = outcome.findings.iter().take(3).map(String::as_str).collect();
    format!("{}\n{output}{}\n", outcome.ending, findings.join("\n"))
}
