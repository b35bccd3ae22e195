//! Every legal schedule of a run. Values are tokens: the result of a write is a hash of where it was made and what it read.
//!
//! What can be observed is the set of (place, token) of all reads, in any order.

use std::collections::{BTreeSet, HashMap};
use std::hash::{BuildHasherDefault, Hasher};

use super::scenario::Part;

/// Device work. Buffers are numbers.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Job {
    Nothing,
    Write(usize, Part),
    Read(usize),
    /// Overwrites each byte of `to` by a function of that byte of `from`.
    Update {
        from: usize,
        to: usize,
    },
    /// Overwrites each half of `to` by a function of the other half of `from`, one after the other.
    Mirror {
        from: usize,
        to: usize,
    },
    Copy {
        to: usize,
        into: Part,
        from: usize,
        of: Part,
    },
}

/// What the host does at one step.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Does {
    Nothing,
    Write(usize, Part),
    Read(usize, Part),
    Copy {
        to: usize,
        into: Part,
        from: usize,
        of: Part,
    },
    /// Submits the job with this number; `stage`: its source is read now, or, if it `may_be_late`, perhaps.
    Submit {
        job: usize,
        stage: bool,
        may_be_late: bool,
    },
    /// Afterwards `extent` (a part) of the buffer exists.
    Allocate {
        buffer: usize,
        extent: Part,
    },
    Zero(usize, Part),
    Free(usize),
    /// The buffer is no longer there, if it was.
    Lose(usize),
}

/// A step of the host, taken once none of the jobs `needs` is left to run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Action {
    pub(crate) needs: u32,
    pub(crate) does: Does,
    pub(crate) place: u64,
}

/// A run without its schedule.
#[derive(Debug, Default)]
pub(crate) struct Machine {
    pub(crate) actions: Vec<Action>,
    /// Each with the place of its submission.
    pub(crate) jobs: Vec<(Job, u64)>,
    /// Per job: jobs that must have run before.
    pub(crate) behind: Vec<u32>,
}

/// What can be observed in all schedules.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Outcomes {
    /// One hash per distinguishable outcome.
    pub(crate) seen: BTreeSet<u64>,
    /// Some schedule uses memory that does not exist (any more), or what was never written.
    pub(crate) undefined: bool,
    /// Number of schedules.
    pub(crate) schedules: u64,
}

/// All schedules of a run.
pub(crate) fn explore(machine: &Machine) -> Outcomes {
    let state = State {
        at: 0,
        submitted: 0,
        run: 0,
        memory: [[MISSING; 2]; 5],
        staged: Vec::new(),
        outcome: 0,
    };
    let mut search = Search { machine, known: HashMap::default(), outcomes: Outcomes::default() };
    search.outcomes.schedules = search.from(state);
    search.outcomes
}

type Token = u64;

/// There is no such byte.
const MISSING: Token = 0;
/// The byte was never written.
const UNDEFINED: Token = 2;
const ZERO: Token = 4;

/// Never one of the tokens above, which are even.
fn mix(parts: &[u64]) -> u64 {
    let mut hash = 0x9E37_79B9_7F4A_7C15_u64;
    for &part in parts {
        hash = (hash ^ part).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        hash ^= hash >> 29;
    }
    hash | 1
}

/// A hasher for states, quicker than the standard one.
#[derive(Default)]
struct Mixer(u64);

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u64(&mut self, part: u64) {
        self.0 = (self.0.rotate_left(23) ^ part).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        self.0 ^= self.0 >> 31;
    }

    fn write_usize(&mut self, part: usize) {
        self.write_u64(part as u64);
    }
}

#[derive(Clone, PartialEq, Eq)]
struct State {
    at: usize,
    submitted: u32,
    run: u32,
    memory: [[Token; 2]; 5],
    /// What was read for jobs that have not run yet.
    staged: Vec<(usize, [Token; 2])>,
    outcome: u64,
}

impl std::hash::Hash for State {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hasher.write_u64(self.outcome);
        hasher.write_u64(u64::from(self.run) << 32 | self.at as u64);
        for token in self.memory.iter().flatten() {
            hasher.write_u64(*token);
        }
        hasher.write_usize(self.staged.len());
    }
}

struct Search<'m> {
    machine: &'m Machine,
    /// Number of schedules from a state.
    known: HashMap<State, u64, BuildHasherDefault<Mixer>>,
    outcomes: Outcomes,
}

impl Search<'_> {
    fn from(&mut self, mut state: State) -> u64 {
        loop {
            let (jobs, action) = self.next(&state);
            let is_late = |action: &Action| matches!(action.does, Does::Submit { may_be_late, .. } if may_be_late);
            match (jobs.count_ones(), action) {
                (0, None) => {
                    // Every job runs sometime, so none is left.
                    self.outcomes.seen.insert(state.outcome);
                    return 1;
                }
                (1, None) => self.run(jobs.trailing_zeros() as usize, &mut state),
                (0, Some(action)) if !is_late(&action) => self.take(action, &mut state),
                // Only where something else could happen too does it branch.
                (_, _) => return self.branch(state, jobs, action),
            }
        }
    }

    /// The jobs that can run next, as a set, and the step that the host can take next.
    fn next(&self, state: &State) -> (u32, Option<Action>) {
        let mut jobs = state.submitted & !state.run;
        for job in 0..self.machine.jobs.len() {
            if self.machine.behind[job] & !state.run != 0 {
                jobs &= !(1 << job);
            }
        }
        let action = self.machine.actions.get(state.at).copied();
        (jobs, action.filter(|action| action.needs & state.submitted & !state.run == 0))
    }

    fn branch(&mut self, state: State, jobs: u32, action: Option<Action>) -> u64 {
        if let Some(&known) = self.known.get(&state) {
            return known;
        }
        let mut schedules = 0u64;
        for job in (0..self.machine.jobs.len()).filter(|job| jobs & 1 << job != 0) {
            let mut next = state.clone();
            self.run(job, &mut next);
            schedules = schedules.saturating_add(self.from(next));
        }
        if let Some(action) = action {
            let mut next = state.clone();
            if let Does::Submit { job, may_be_late: true, .. } = action.does {
                next.at += 1;
                next.submitted |= 1 << job;
                schedules = schedules.saturating_add(self.from(next));
                next = state.clone();
            }
            self.take(action, &mut next);
            schedules = schedules.saturating_add(self.from(next));
        }
        self.known.insert(state, schedules);
        schedules
    }

    /// The host takes its next step; the source of a copy that may be read late is read now.
    fn take(&mut self, action: Action, state: &mut State) {
        state.at += 1;
        if let Does::Submit { job, stage, .. } = action.does {
            state.submitted |= 1 << job;
            if stage {
                self.stage(job, state);
            }
        } else {
            self.act(action, state);
        }
    }

    /// A job runs.
    fn run(&mut self, job: usize, state: &mut State) {
        state.run |= 1 << job;
        self.job(job, state);
    }

    fn act(&mut self, action: Action, state: &mut State) {
        match action.does {
            Does::Nothing | Does::Submit { .. } => {}
            Does::Write(b, part) => self.write(state, b, part, mix(&[action.place])),
            Does::Read(b, part) => self.observe(state, b, part, action.place),
            Does::Copy { to, into, from, of } => {
                let tokens = self.load(state, from, of);
                self.store(state, to, into, tokens);
            }
            Does::Allocate { buffer, extent } => {
                state.memory[buffer] = [MISSING; 2];
                for half in halves(extent) {
                    state.memory[buffer][half] = UNDEFINED;
                }
            }
            Does::Zero(b, part) => self.store(state, b, part, [ZERO; 2]),
            Does::Lose(b) => state.memory[b] = [MISSING; 2],
            Does::Free(b) => {
                self.outcomes.undefined |= state.memory[b] == [MISSING; 2];
                state.memory[b] = [MISSING; 2];
            }
        }
    }

    fn stage(&mut self, job: usize, state: &mut State) {
        if let Job::Copy { from, of, .. } = self.machine.jobs[job].0 {
            let tokens = self.load(state, from, of);
            state.staged.push((job, tokens));
        }
    }

    fn job(&mut self, job: usize, state: &mut State) {
        let (kind, place) = self.machine.jobs[job];
        match kind {
            Job::Nothing => {}
            Job::Write(b, part) => self.write(state, b, part, mix(&[place])),
            Job::Read(b) => self.observe(state, b, 0, place),
            Job::Update { from, to } => {
                // What it reads is looked at: who would count on nobody looking later?
                self.observe(state, from, 0, place);
                let old = self.load(state, from, 0);
                let new = |half: usize| mix(&[place, half as u64, old[half]]);
                self.store(state, to, 0, [new(0), new(1)]);
            }
            Job::Mirror { from, to } => {
                for (into, of) in [(1, 2), (2, 1)] {
                    self.observe(state, from, of, place);
                    let [old, _] = self.load(state, from, of);
                    self.store(state, to, into, [mix(&[place, u64::from(into), old]); 2]);
                }
            }
            Job::Copy { to, into, from, of } => {
                // The ends of a copy may not overlap.
                self.outcomes.undefined |= to == from && into == of;
                let staged = state.staged.iter().position(|(own, _)| *own == job);
                let tokens = match staged {
                    Some(at) => state.staged.remove(at).1,
                    None => self.load(state, from, of),
                };
                self.store(state, to, into, tokens);
            }
        }
    }

    /// The bytes of a part: those of half `i` of the part are at index `i`.
    fn load(&mut self, state: &State, b: usize, part: Part) -> [Token; 2] {
        let mut tokens = [MISSING; 2];
        for (index, half) in halves(part).enumerate() {
            tokens[index] = state.memory[b][half];
            self.outcomes.undefined |= tokens[index] == MISSING;
        }
        tokens
    }

    fn store(&mut self, state: &mut State, b: usize, part: Part, tokens: [Token; 2]) {
        for (index, half) in halves(part).enumerate() {
            self.outcomes.undefined |= state.memory[b][half] == MISSING;
            if state.memory[b][half] != MISSING {
                state.memory[b][half] = tokens[index];
            }
        }
    }

    fn write(&mut self, state: &mut State, b: usize, part: Part, token: Token) {
        let offset = u64::from(part == 2);
        self.store(state, b, part, [mix(&[token, offset]), mix(&[token, 1])]);
    }

    fn observe(&mut self, state: &mut State, b: usize, part: Part, place: u64) {
        let first = halves(part).start;
        let tokens = self.load(state, b, part);
        for (index, _) in halves(part).enumerate() {
            let token = tokens[index];
            self.outcomes.undefined |= token == UNDEFINED;
            let seen = mix(&[place, (first + index) as u64, token]);
            state.outcome = state.outcome.wrapping_add(seen);
        }
    }
}

/// The halves a part has: 0 is all, 1 the first, 2 the second.
fn halves(part: Part) -> std::ops::Range<usize> {
    match part {
        0 => 0..2,
        1 => 0..1,
        _ => 1..2,
    }
}
