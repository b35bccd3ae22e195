//! All canonical programs over an alphabet of steps.
//!
//! Canonical: a copy links a pair, something is observed, the straight run reads nothing that was never written and uses
//! no memory that is not there, nothing is allocated again before it is freed, created streams that are alike are numbered
//! in order of first use. Straight programs that only repeat what another one says are left out ([`super::plain`]).

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::plain;
use super::scenario::{BUFFERS, Buffer, Scenario, Setting, Step};

/// Programs of one kind.
#[derive(Debug, Clone)]
pub(crate) struct Family {
    pub(crate) name: &'static str,
    pub(crate) setting: Setting,
    pub(crate) alphabet: Vec<Step>,
    /// Steps of the longest straight programs. Frees of buffers that the alphabet does not free are added at the end.
    pub(crate) straight: usize,
    /// Steps of the longest programs with a loop or an optional part around any of them.
    pub(crate) one_construct: usize,
    /// Steps of the longest programs with both, nested or apart.
    pub(crate) two_constructs: usize,
}

impl Family {
    /// Calls `visit` for each program, from `threads` threads, until it answers that it has seen enough.
    pub(crate) fn visit(&self, threads: usize, visit: impl Fn(&Scenario) -> bool + Sync) {
        let n = self.alphabet.len();
        let next = AtomicUsize::new(0);
        let stop = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    loop {
                        let code = next.fetch_add(1, Ordering::Relaxed);
                        if code >= n * n || stop.load(Ordering::Relaxed) != 0 {
                            break;
                        }
                        let mut walk = Walk { family: self, visit: &visit, stop: &stop };
                        walk.start(&[self.alphabet[code / n], self.alphabet[code % n]]);
                    }
                });
            }
        });
    }

    /// The programs of at most `steps` steps.
    pub(crate) fn up_to(&self, steps: usize) -> Self {
        Self {
            straight: self.straight.min(steps),
            one_construct: self.one_construct.min(steps),
            two_constructs: self.two_constructs.min(steps),
            ..self.clone()
        }
    }

    fn longest(&self) -> usize {
        self.straight.max(self.one_construct).max(self.two_constructs)
    }
}

struct Walk<'w, F> {
    family: &'w Family,
    visit: &'w F,
    stop: &'w AtomicUsize,
}

impl<F: Fn(&Scenario) -> bool> Walk<'_, F> {
    fn start(&mut self, prefix: &[Step]) {
        let mut memory = Memory::new(self.family);
        if prefix.iter().all(|step| memory.take(*step, self.family.setting)) {
            self.extend(&mut prefix.to_vec(), &memory, true);
        }
    }

    /// `was_plain`: of all but the last step.
    fn extend(&mut self, steps: &mut Vec<Step>, memory: &Memory, was_plain: bool) {
        if self.stop.load(Ordering::Relaxed) != 0 || !streams_in_order(steps, self.family) {
            return;
        }
        let is_plain = was_plain && plain::continues(steps, self.family);
        if is_canonical(steps, self.family) {
            self.shapes(steps, is_plain);
        }
        let constructs = self.family.one_construct.max(self.family.two_constructs);
        let goes_on = steps.len() < constructs || (is_plain && steps.len() < self.family.straight);
        if !goes_on || steps.len() >= self.family.longest() {
            return;
        }
        for &step in &self.family.alphabet {
            let mut memory = memory.clone();
            if memory.take(step, self.family.setting) {
                steps.push(step);
                self.extend(steps, &memory, is_plain);
                steps.pop();
            }
        }
    }

    fn shapes(&self, steps: &[Step], is_plain: bool) {
        let length = steps.len();
        if is_plain && length <= self.family.straight && plain::ends(steps) {
            self.show(steps, None, None);
        }
        let ranges = || (0..length).flat_map(move |a| (a + 1..=length).map(move |b| a..b));
        if length <= self.family.one_construct {
            for range in ranges() {
                self.show(steps, Some(range.clone()), None);
                self.show(steps, None, Some(range));
            }
        }
        if length <= self.family.two_constructs {
            for repeated in ranges() {
                for optional in ranges().filter(|optional| nest(&repeated, optional)) {
                    self.show(steps, Some(repeated.clone()), Some(optional));
                }
            }
        }
    }

    fn show(&self, steps: &[Step], repeated: Option<Range<usize>>, optional: Option<Range<usize>>) {
        let mut all = steps.to_vec();
        for buffer in BUFFERS {
            let used = steps.iter().any(|step| step.buffers().contains(&buffer));
            if used && !self.family.alphabet.contains(&Step::Free(buffer)) {
                all.push(Step::Free(buffer));
            }
        }
        let setting = self.family.setting;
        if (self.visit)(&Scenario { steps: all, repeated, optional, setting }) {
            self.stop.store(1, Ordering::Relaxed);
        }
    }
}

/// Apart, or one within the other.
fn nest(a: &Range<usize>, b: &Range<usize>) -> bool {
    let within = |a: &Range<usize>, b: &Range<usize>| b.start <= a.start && a.end <= b.end;
    a.end <= b.start || b.end <= a.start || within(a, b) || within(b, a)
}

/// A linking copy and something observed.
fn is_canonical(steps: &[Step], family: &Family) -> bool {
    let whole = u8::from(family.setting.host_is_half);
    steps.iter().any(|step| step.links(whole).is_some()) && steps.iter().any(|step| step.observes())
}

/// Created streams that are alike are numbered in order of first use.
fn streams_in_order(steps: &[Step], family: &Family) -> bool {
    family.setting.second_is_non_blocking
        || family.setting.second_is_unknown
        || steps.iter().find_map(|step| step.stream().filter(|s| *s > 0)) != Some(2)
}

/// Which bytes exist and are written when all work runs at once.
#[derive(Debug, Clone)]
struct Memory {
    exists: [bool; 5],
    written: [[bool; 2]; 5],
}

impl Memory {
    fn new(family: &Family) -> Self {
        let exists = BUFFERS.map(|b| !family.alphabet.contains(&Step::Allocate(b)));
        let written = BUFFERS.map(|b| [family.setting.zeroed && b.is_pageable(); 2]);
        Self { exists, written }
    }

    /// Takes a step, if it is defined.
    fn take(&mut self, step: Step, setting: Setting) -> bool {
        let halves = |b: Buffer, part: u8| match part {
            0 if b == Buffer::Host && setting.host_is_half => 0..1,
            0 => 0..2,
            1 => 0..1,
            _ => 1..2,
        };
        let is_written = |memory: &Self, b: Buffer, part: u8| {
            halves(b, part).all(|half| memory.written[b as usize][half])
        };
        let allocates = matches!(step, Step::Allocate(_));
        if !allocates && !step.buffers().iter().all(|b| self.exists[*b as usize]) {
            return false;
        }
        match step {
            Step::HostWrite(b, part) | Step::KernelWrite(b, _, part) => {
                halves(b, part).for_each(|half| self.written[b as usize][half] = true);
            }
            Step::Fill(b, _) => self.written[b as usize] = [true; 2],
            Step::HostRead(b, part) => return is_written(self, b, part),
            Step::KernelRead(b, _) | Step::KernelUpdate(b, _) => return is_written(self, b, 0),
            Step::KernelMove(from, to, _) | Step::KernelMirror(from, to, _) => {
                self.written[to as usize] = [true; 2];
                return is_written(self, from, 0);
            }
            Step::Copy { to, from, part, .. } => {
                for half in halves(to, part) {
                    self.written[to as usize][half] = self.written[from as usize][half];
                }
            }
            Step::CopyToEither { from, .. } => {
                for half in 0..2 {
                    let copied = self.written[from as usize][half];
                    self.written[Buffer::Device as usize][half] &= copied;
                    self.written[Buffer::OtherDevice as usize][half] &= copied;
                }
            }
            Step::Shift { to, from } => {
                self.written[to as usize][1] = self.written[from as usize][0];
            }
            Step::Allocate(b) => {
                if self.exists[b as usize] {
                    return false;
                }
                self.written[b as usize] = [setting.zeroed && b.is_pageable(); 2];
                self.exists[b as usize] = true;
            }
            Step::Free(b) => self.exists[b as usize] = false,
            Step::Unrelated(_)
            | Step::WaitForDevice
            | Step::WaitForStream(_)
            | Step::Record(_)
            | Step::StreamWaits(_)
            | Step::WaitForMarker => {}
        }
        true
    }
}
