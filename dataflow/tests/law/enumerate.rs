//! All canonical programs over an alphabet of steps.
//!
//! Canonical: a copy links a pair, something is observed, the straight run reads nothing that was never written and uses
//! no memory that is not there, no buffer has two allocations, nothing is allocated again before it is freed. Of programs
//! that are alike up to the names of streams and pairs the first one is enough ([`super::symmetry`]), and so is one of
//! those that do the same ([`super::plain`], [`super::shape`]).

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::memory::Memory;
use super::scenario::{BUFFERS, Scenario, Setting, Step};
use super::shape::{Applies, is_plain, most_borders, splits};
use super::symmetry::{Symmetry, Twin, symmetries, twin};

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
    /// Of programs that do the same only one. Tests look at the others too.
    pub(crate) only_plain: bool,
    /// From so many events on, programs are left out of which shorter or simpler ones say all.
    pub(crate) split_from: usize,
}

impl Family {
    /// Calls `visit` for each program, from `threads` threads, until it answers that it has seen enough.
    pub(crate) fn visit(&self, threads: usize, visit: impl Fn(&Scenario) -> bool + Sync) {
        let n = self.alphabet.len();
        let next = AtomicUsize::new(0);
        let stop = AtomicUsize::new(0);
        let symmetries = symmetries(self);
        let walk = || Walk {
            family: self,
            symmetries: &symmetries,
            visit: &visit,
            stop: &stop,
            steps: Vec::new(),
            codes: Vec::new(),
            rules: Vec::new(),
        };
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    loop {
                        let code = next.fetch_add(1, Ordering::Relaxed);
                        if code >= n * n || stop.load(Ordering::Relaxed) != 0 {
                            break;
                        }
                        walk().start([code / n, code % n]);
                    }
                });
            }
        });
    }

    /// The programs of at most `events` events: a loop is one and an optional part is one.
    pub(crate) fn up_to(&self, events: usize) -> Self {
        Self {
            straight: self.straight.min(events),
            one_construct: self.one_construct.min(events.saturating_sub(1)),
            two_constructs: self.two_constructs.min(events.saturating_sub(2)),
            ..self.clone()
        }
    }

    fn longest(&self) -> usize {
        self.straight.max(self.one_construct).max(self.two_constructs)
    }
}

struct Walk<'w, F> {
    family: &'w Family,
    symmetries: &'w [Symmetry],
    visit: &'w F,
    stop: &'w AtomicUsize,
    steps: Vec<Step>,
    /// Their numbers in the alphabet.
    codes: Vec<usize>,
    /// Per step: where the rules apply.
    rules: Vec<Applies>,
}

impl<F: Fn(&Scenario) -> bool> Walk<'_, F> {
    fn start(&mut self, prefix: [usize; 2]) {
        let mut memory = Memory::new(&self.family.alphabet, self.family.setting);
        for code in prefix {
            let step = self.family.alphabet[code];
            if !memory.take(step, self.family.setting) {
                return;
            }
            self.push(code, step);
        }
        self.extend(&memory);
    }

    fn push(&mut self, code: usize, step: Step) {
        self.steps.push(step);
        self.codes.push(code);
        self.rules.push(Applies::new(&self.steps, self.family));
    }

    fn extend(&mut self, memory: &Memory) {
        if self.stop.load(Ordering::Relaxed) != 0 {
            return;
        }
        match twin(&self.codes, self.symmetries) {
            Twin::OfAllThatGoOn => return,
            Twin::OfThis => {}
            Twin::None => {
                if is_canonical(&self.steps, self.family) {
                    self.shapes();
                }
            }
        }
        let family = self.family;
        let length = self.steps.len();
        let straight = !family.only_plain || !self.rules.iter().any(Applies::at_start);
        // Only a border keeps a rule from applying, and a construct has two.
        let borders = if family.only_plain { most_borders(&self.rules) } else { 0 };
        let goes_on = length < family.straight && straight
            || length < family.one_construct && borders <= 2
            || length < family.two_constructs && borders <= 4;
        if !goes_on || length >= family.longest() {
            return;
        }
        for (code, &step) in family.alphabet.iter().enumerate() {
            // An object is what one site allocates, so two sites would be two buffers.
            if matches!(step, Step::Allocate(_)) && self.steps.contains(&step) {
                continue;
            }
            let mut memory = memory.clone();
            if memory.take(step, family.setting) {
                self.push(code, step);
                self.extend(&memory);
                self.steps.pop();
                self.codes.pop();
                self.rules.pop();
            }
        }
    }

    fn shapes(&self) {
        let length = self.steps.len();
        if length <= self.family.straight {
            self.show(None, None);
        }
        let ranges = || (0..length).flat_map(move |a| (a + 1..=length).map(move |b| a..b));
        if length <= self.family.one_construct {
            for range in ranges() {
                self.show(Some(range.clone()), None);
                self.show(None, Some(range));
            }
        }
        if length <= self.family.two_constructs {
            for repeated in ranges() {
                for optional in ranges().filter(|optional| nest(&repeated, optional)) {
                    self.show(Some(repeated.clone()), Some(optional));
                }
            }
        }
    }

    fn show(&self, repeated: Option<Range<usize>>, optional: Option<Range<usize>>) {
        let family = self.family;
        let constructs = (repeated.as_ref(), optional.as_ref());
        if family.only_plain && !is_plain(&self.steps, &self.rules, constructs, family) {
            return;
        }
        let events =
            self.steps.len() + usize::from(repeated.is_some()) + usize::from(optional.is_some());
        if events >= family.split_from && splits(&self.steps, constructs, family) {
            return;
        }
        let mut steps = self.steps.clone();
        for buffer in BUFFERS {
            let used = self.steps.iter().any(|step| step.buffers().contains(&buffer));
            if used && !family.alphabet.contains(&Step::Free(buffer)) {
                steps.push(Step::Free(buffer));
            }
        }
        if (self.visit)(&Scenario { steps, repeated, optional, setting: family.setting }) {
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
