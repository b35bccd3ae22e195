//! One program against the law: whatever `judge` merges behaves as before, in every schedule.

use std::cell::RefCell;
use std::fmt::Write as _;

use echo_dataflow::event::Role;
use echo_dataflow::judge;
use echo_dataflow::target::{Options, Target};
use echo_dataflow::verdict::{ActionKind, Condition, Replacement, Verdict};

use super::build::{MIN_BYTES, build};
use super::memory::Memory;
use super::scenario::{Buffer, Scenario, Step};
use super::semantics::{Behaviour, Change, Merge, behaviour};

/// A program whose original behaviour is worth preserving.
pub(crate) struct Ground<'s> {
    scenario: &'s Scenario,
    choices: Vec<Vec<Step>>,
    runs: Vec<Vec<usize>>,
    /// Per choice and run.
    originals: Vec<Behaviour>,
    /// What was found out about merges: whether they keep what can be observed, and whether they trap.
    known: RefCell<Vec<(Merge, (bool, bool))>>,
    /// Schedules of all runs of the original.
    pub(crate) schedules: u64,
    /// Some run of the original has several outcomes: it races.
    pub(crate) races: bool,
}

/// What the analysis makes of a program.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Judgement {
    /// The accepted pairs and all that is done for them.
    pub(crate) merge: Merge,
    /// The other pairs with the headline.
    pub(crate) declined: Vec<((Buffer, Buffer), Condition)>,
}

impl<'s> Ground<'s> {
    /// `None` if the original reads what was never written or uses memory that is not there: nothing to preserve.
    pub(crate) fn new(scenario: &'s Scenario) -> Option<Self> {
        let mut ground = Self {
            scenario,
            choices: scenario.choices(),
            runs: scenario.runs(),
            originals: Vec::new(),
            known: RefCell::default(),
            schedules: 0,
            races: false,
        };
        // One order of execution is quickly looked at.
        for (steps, run) in product(&ground.choices, &ground.runs) {
            let mut memory = Memory::new(steps, scenario.setting);
            if !run.iter().all(|&number| memory.take(steps[number], scenario.setting)) {
                return None;
            }
        }
        for (steps, run) in product(&ground.choices, &ground.runs) {
            let original = behaviour(steps, run, scenario.setting, None);
            if original.outcomes.undefined {
                return None;
            }
            ground.schedules = ground.schedules.saturating_add(original.outcomes.schedules);
            ground.races |= original.outcomes.seen.len() > 1;
            ground.originals.push(original);
        }
        Some(ground)
    }

    /// Whether the merged program does only what the original may do. Where the original has one behaviour that is the same
    /// one; where it races, one of those it has.
    pub(crate) fn is_kept(&self, merge: &Merge, exclusive: bool) -> bool {
        let known =
            self.known.borrow().iter().find(|(own, _)| own == merge).map(|(_, found)| *found);
        let (keeps, traps) = known.unwrap_or_else(|| {
            let found = self.compare(merge);
            self.known.borrow_mut().push((merge.clone(), found));
            found
        });
        keeps && !(exclusive && traps)
    }

    /// Whether the merged program does only what the original may do, and whether the host touches a merged buffer while
    /// the device may be active.
    fn compare(&self, merge: &Merge) -> (bool, bool) {
        let setting = self.scenario.setting;
        let mut traps = false;
        let keeps = product(&self.choices, &self.runs).zip(&self.originals).all(
            |((steps, run), original)| {
                let merged = behaviour(steps, run, setting, Some(merge));
                let kept = merge.pairs.iter().filter(|pair| !self.frees_both(run, **pair)).count();
                traps |= merged.traps;
                !merged.outcomes.undefined
                    && merged.outcomes.seen.is_subset(&original.outcomes.seen)
                    && merged.leaked <= kept
            },
        );
        (keeps, traps)
    }

    fn frees_both(&self, run: &[usize], (host, device): (Buffer, Buffer)) -> bool {
        let frees = |b| run.iter().any(|&number| self.scenario.steps[number] == Step::Free(b));
        frees(host) && frees(device)
    }

    /// The pairs that `merge` could have besides: merged by the table with every wait in place.
    pub(crate) fn could_have(
        &self,
        merge: &Merge,
        pair: (Buffer, Buffer),
        exclusive: bool,
    ) -> bool {
        let shared = |(h, d): &(Buffer, Buffer)| *h == pair.0 || *d == pair.1;
        if merge.pairs.iter().any(shared) {
            return false;
        }
        let pairs = [&merge.pairs[..], &[pair]].concat();
        table(self.scenario, &self.runs, &pairs)
            .is_some_and(|merge| self.is_kept(&merge, exclusive))
    }

    /// Per pair that the program links: whether it can be merged by the table with every wait in place, without
    /// and with exclusive access.
    pub(crate) fn truth(&self) -> Vec<((Buffer, Buffer), [bool; 2])> {
        let whole = u8::from(self.scenario.setting.host_is_half);
        let mut pairs: Vec<_> = self.scenario.steps.iter().filter_map(|s| s.links(whole)).collect();
        pairs.sort();
        pairs.dedup();
        let none = Merge { pairs: Vec::new(), changes: Vec::new(), aliases: Vec::new() };
        let safe = |pair| [false, true].map(|exclusive| self.could_have(&none, pair, exclusive));
        pairs.into_iter().map(|pair| (pair, safe(pair))).collect()
    }

    /// What goes wrong with `merge`, for people.
    pub(crate) fn explain(&self, merge: &Merge) -> String {
        let mut text = String::new();
        let Scenario { steps, setting, repeated, optional } = self.scenario;
        let _ = writeln!(text, "{setting:?} repeated {repeated:?} optional {optional:?}");
        let _ = writeln!(text, "merged {:?}, aliases {:?}", merge.pairs, merge.aliases);
        for (number, step) in steps.iter().enumerate() {
            let _ = writeln!(text, "{number}: {step:?} {:?}", merge.changes[number]);
        }
        for ((steps, run), original) in product(&self.choices, &self.runs).zip(&self.originals) {
            let merged = behaviour(steps, run, *setting, Some(merge));
            let _ = writeln!(text, "{run:?}\n  original {original:?}\n  merged {merged:?}");
        }
        text
    }
}

/// Each run of each choice.
fn product<'a>(
    choices: &'a [Vec<Step>],
    runs: &'a [Vec<usize>],
) -> impl Iterator<Item = (&'a [Step], &'a [usize])> {
    choices.iter().flat_map(move |steps| runs.iter().map(move |run| (&steps[..], &run[..])))
}

/// What `judge` does with `scenario`, with some checks of the analysis switched off.
pub(crate) fn judgement(scenario: &Scenario, target: Target, disabled: &[&str]) -> Judgement {
    let built = build(scenario);
    let options = Options {
        target,
        min_bytes: MIN_BYTES,
        disabled_checks: disabled.iter().map(|&name| name.to_owned()).collect(),
        ..Options::default()
    };
    let mut result = Judgement {
        merge: Merge {
            pairs: Vec::new(),
            changes: vec![Change::AsWritten; scenario.steps.len()],
            aliases: Vec::new(),
        },
        declined: Vec::new(),
    };
    for judged in judge(&built.program, &built.graph, &options) {
        let buffer = |object| {
            let found = built.objects.iter().find(|(_, own)| *own == object);
            found.expect("every object is a buffer").0
        };
        let pair = (buffer(judged.pair.host), buffer(judged.pair.device));
        let proof = match &judged.verdict {
            Verdict::Merge(proof) => proof,
            Verdict::Decline(objections) => {
                result.declined.push((pair, objections[0].condition));
                continue;
            }
        };
        result.merge.pairs.push(pair);
        for action in proof.actions() {
            let event = action.at.index as usize;
            let number = built.step_of[event];
            let change = match &action.kind {
                ActionKind::RemoveCopy(wait) => Change::Copy {
                    removed: true,
                    wait: number.and_then(|n| stream_of(wait, scenario.steps[n])),
                },
                ActionKind::RetainCopy { wait } => Change::Copy {
                    removed: false,
                    wait: number.and_then(|n| stream_of(wait, scenario.steps[n])),
                },
                ActionKind::FreeMerged { wait } => Change::FreeMerged { wait: *wait },
                ActionKind::DeleteFree { wait } => Change::FreeDeleted { wait: *wait },
                ActionKind::AliasHere { zero_fill, .. } => Change::Alias { zeros: *zero_fill },
                ActionKind::AllocateHere => Change::AsWritten,
            };
            match (number, change) {
                (Some(number), change) => result.merge.changes[number] = change,
                (None, Change::Alias { zeros }) => {
                    let kind = &built.graph.events[event].kind;
                    let Role::Birth(object) = kind.role() else { panic!("an alias at {kind:?}") };
                    result.merge.aliases.push((buffer(object), zeros));
                }
                (None, _) => {}
            }
        }
    }
    result
}

fn stream_of(wait: &Replacement, step: Step) -> Option<u8> {
    match wait {
        Replacement::Nothing => None,
        Replacement::DefaultStream => Some(0),
        Replacement::SameStream => Some(step.stream().expect("the copy names a stream")),
    }
}

/// The merge of `pairs` with every replacement of the table and every wait in place, if the places of its allocations and
/// frees are the same in all runs.
fn table(scenario: &Scenario, runs: &[Vec<usize>], pairs: &[(Buffer, Buffer)]) -> Option<Merge> {
    let steps = &scenario.steps;
    let mut merge = Merge {
        pairs: pairs.to_vec(),
        changes: vec![Change::AsWritten; steps.len()],
        aliases: Vec::new(),
    };
    let is_merged = |b: Buffer| pairs.iter().any(|(h, d)| *h == b || *d == b);
    for (number, step) in steps.iter().enumerate() {
        let (to, from, stream) = match *step {
            Step::Copy { to, from, stream, .. } => (to, from, stream),
            Step::Shift { to, from } => (to, from, None),
            Step::CopyToEither { from, stream } => {
                let ends = [Buffer::Device, Buffer::OtherDevice, from];
                let wait = if stream.is_none() { Some(0) } else { stream };
                if ends.into_iter().any(is_merged) {
                    merge.changes[number] = Change::Copy { removed: false, wait };
                }
                continue;
            }
            Step::HostWrite(..)
            | Step::HostRead(..)
            | Step::KernelWrite(..)
            | Step::KernelRead(..)
            | Step::KernelUpdate(..)
            | Step::KernelMove(..)
            | Step::KernelMirror(..)
            | Step::Unrelated(_)
            | Step::Fill(..)
            | Step::WaitForDevice
            | Step::WaitForStream(_)
            | Step::Record(_)
            | Step::StreamWaits(_)
            | Step::WaitForMarker
            | Step::Allocate(_)
            | Step::Free(_)
            | Step::FreeEither
            | Step::Reset => continue,
        };
        if is_merged(to) || is_merged(from) {
            let joins = pairs.iter().any(|&(h, d)| (h, d) == (to, from) || (h, d) == (from, to));
            let wait = match stream {
                None => Some(0),
                Some(s) => (to.is_pageable() || from.is_pageable()).then_some(s),
            };
            // Bytes that move to other offsets have no replacement.
            let removed = joins && matches!(step, Step::Copy { .. });
            merge.changes[number] = Change::Copy { removed, wait };
        }
    }
    for &(host, device) in pairs {
        allocations(scenario, runs, (host, device), &mut merge)?;
        frees(steps, runs, (host, device), &mut merge)?;
    }
    Some(merge)
}

/// The first of the two allocations stays, the second becomes an alias.
fn allocations(
    scenario: &Scenario,
    runs: &[Vec<usize>],
    (host, device): (Buffer, Buffer),
    merge: &mut Merge,
) -> Option<()> {
    let place = |b: Buffer| scenario.steps.iter().position(|step| *step == Step::Allocate(b));
    let second = match (place(host), place(device)) {
        (None, None) => host.max(device),
        (Some(_), None) => host,
        (None, Some(_)) => device,
        (Some(h), Some(d)) => {
            // In every run one of them comes first, each time.
            let order = |run: &Vec<usize>| {
                run.iter().copied().filter(|n| *n == h || *n == d).collect::<Vec<_>>()
            };
            let first = h.min(d);
            let alternates = runs.iter().all(|run| {
                order(run).iter().enumerate().all(|(i, n)| (i % 2 == 0) == (*n == first))
            });
            if !alternates {
                return None;
            }
            if first == h { device } else { host }
        }
    };
    let zeros = scenario.setting.zeroed && second.is_pageable();
    match place(second) {
        Some(number) => merge.changes[number] = Change::Alias { zeros },
        None => merge.aliases.push((second, zeros)),
    }
    Some(())
}

/// The last of the two frees is the free of the merged buffer, if each free is the last or the first in all runs.
fn frees(
    steps: &[Step],
    runs: &[Vec<usize>],
    (host, device): (Buffer, Buffer),
    merge: &mut Merge,
) -> Option<()> {
    for run in runs {
        let mut live: Vec<Buffer> =
            [host, device].into_iter().filter(|b| !steps.contains(&Step::Allocate(*b))).collect();
        for &number in run {
            match steps[number] {
                Step::Allocate(b) if b == host || b == device => live.push(b),
                Step::Free(b) if b == host || b == device => {
                    live.retain(|own| *own != b);
                    let change = if live.is_empty() {
                        Change::FreeMerged { wait: true }
                    } else {
                        Change::FreeDeleted { wait: b == device }
                    };
                    if merge.changes[number] != Change::AsWritten && merge.changes[number] != change
                    {
                        return None;
                    }
                    merge.changes[number] = change;
                }
                // It is not the free of the merged buffer, nor can it be deleted.
                Step::FreeEither => return None,
                Step::Allocate(_)
                | Step::Free(_)
                | Step::Reset
                | Step::HostWrite(..)
                | Step::HostRead(..)
                | Step::KernelWrite(..)
                | Step::KernelRead(..)
                | Step::KernelUpdate(..)
                | Step::KernelMove(..)
                | Step::KernelMirror(..)
                | Step::CopyToEither { .. }
                | Step::Unrelated(_)
                | Step::Fill(..)
                | Step::Copy { .. }
                | Step::Shift { .. }
                | Step::WaitForDevice
                | Step::WaitForStream(_)
                | Step::Record(_)
                | Step::StreamWaits(_)
                | Step::WaitForMarker => {}
            }
        }
    }
    Some(())
}
