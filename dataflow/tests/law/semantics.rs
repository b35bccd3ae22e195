//! What a program does, naively: every legal order of its device work is tried. Shares nothing with the analysis.
//!
//! The host runs one straight line; device work runs any time after its submission and after the work it is ordered
//! behind (its stream, legacy barriers, markers). Values are tokens: the result of a write is a hash of where it was made
//! and what it read. What a program *does* is the multiset of (place, token) of all its reads, in any order.

use std::collections::{BTreeSet, HashSet};

use super::scenario::{Buffer, Part, Step, StreamNumber};

/// What the merge changes; the original program has none of it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Merge {
    /// Buffers that become the first one of the pair.
    pub(crate) pairs: Vec<(Buffer, Buffer)>,
    /// Per step: what replaces, or follows, a copy.
    pub(crate) waits: Vec<Wait>,
    /// Per step: what becomes of a free.
    pub(crate) frees: Vec<Free>,
}

/// The wait in place of, or after, a copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Wait {
    #[default]
    None,
    Stream(StreamNumber),
}

/// What becomes of a free.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Free {
    #[default]
    AsWritten,
    Merged {
        wait: bool,
    },
    Deleted {
        wait: bool,
    },
}

/// All that a program may do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Behaviour {
    /// One hash per distinguishable outcome.
    pub(crate) outcomes: BTreeSet<u64>,
    /// Some order reads memory that was never written, or uses memory that is freed.
    pub(crate) undefined: bool,
    /// The host touches merged memory while the device may be active.
    pub(crate) traps: bool,
    /// How often each pair's memory is freed.
    pub(crate) frees: u32,
}

type Token = u64;
type Cell = [Token; 2];

const UNDEFINED: Token = 0;

fn mix(parts: &[u64]) -> u64 {
    let mut hash = 0x9E37_79B9_7F4A_7C15_u64;
    for &part in parts {
        hash = (hash ^ part).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        hash ^= hash >> 29;
    }
    hash | 1
}

/// Device work.
#[derive(Debug, Clone, Copy)]
enum Job {
    Write(usize, Part),
    Read(usize),
    Update(usize),
    Move(usize, usize),
    /// Copies when it runs.
    Copy {
        to: usize,
        from: usize,
        part: Part,
    },
    /// Copies what was staged when it was submitted.
    Staged {
        to: usize,
        part: Part,
    },
}

/// What the host does at one step, once nothing of `needs` is left to run.
#[derive(Debug, Clone, Copy)]
struct Action {
    needs: u32,
    does: Does,
    /// Position in the run: the same in the original and in the merged program.
    place: u64,
}

#[derive(Debug, Clone, Copy)]
enum Does {
    Nothing,
    Write(usize, Part),
    Read(usize, Part),
    Copy {
        to: usize,
        from: usize,
        part: Part,
    },
    /// Submits the job with this number; `stage`: the source is read now, or possibly now.
    Submit {
        job: usize,
        stage: Option<(usize, Part)>,
        may_read_later: Option<Job>,
    },
    Free(usize),
}

#[derive(Default)]
struct Machine {
    actions: Vec<Action>,
    jobs: Vec<(Job, u64)>,
    /// Per job: jobs that must have run before.
    behind: Vec<u32>,
    traps: bool,
    frees: u32,
}

/// What `steps`, executed in the order `run`, may do.
pub(crate) fn behaviour(
    steps: &[Step],
    run: &[usize],
    (second_is_non_blocking, small): (bool, bool),
    merge: Option<&Merge>,
) -> Behaviour {
    let mut host = HostSide { second_is_non_blocking, small, merge, ..HostSide::default() };
    for (place, &number) in run.iter().enumerate() {
        host.step(steps[number], number, place as u64);
    }
    let machine = host.machine;
    let mut result = Behaviour {
        outcomes: BTreeSet::new(),
        undefined: false,
        traps: machine.traps,
        frees: machine.frees,
    };
    explore(&machine, &mut result);
    result
}

/// The host's bookkeeping is the same in every order, so it is done once: who is ordered behind whom.
#[derive(Default)]
struct HostSide<'m> {
    second_is_non_blocking: bool,
    small: bool,
    merge: Option<&'m Merge>,
    machine: Machine,
    stream_of: Vec<StreamNumber>,
    /// Jobs that are activity for exclusive access and that the host does not know to have run.
    active: u32,
    /// Per stream: jobs its next job is behind because of markers.
    waits: [u32; 3],
    marker: u32,
}

impl HostSide<'_> {
    fn storage(&self, buffer: Buffer) -> usize {
        let pair =
            self.merge.and_then(|m| m.pairs.iter().find(|(h, d)| *h == buffer || *d == buffer));
        pair.map_or(buffer as usize, |(h, _)| *h as usize)
    }

    fn is_merged(&self, buffer: Buffer) -> bool {
        self.merge.is_some_and(|m| m.pairs.iter().any(|(h, d)| *h == buffer || *d == buffer))
    }

    fn blocking(&self, stream: StreamNumber) -> bool {
        stream != 2 || !self.second_is_non_blocking
    }

    /// Streams whose work a job, or a wait, in `stream` comes after.
    fn before(&self, stream: StreamNumber) -> impl Iterator<Item = StreamNumber> + '_ {
        (0..3).filter(move |&s| s == stream || (stream == 0 && self.blocking(s)))
    }

    /// Jobs that a wait for `stream` waits for.
    fn scope(&self, stream: StreamNumber) -> u32 {
        let mut set = 0;
        for s in self.before(stream) {
            set |= self.waits[usize::from(s)];
            for (job, _) in self.stream_of.iter().enumerate().filter(|(_, of)| **of == s) {
                set |= 1 << job | self.machine.behind[job];
            }
        }
        set
    }

    fn submit(&mut self, stream: StreamNumber, job: Job, place: u64, activity: bool) -> usize {
        let mut behind = self.scope(stream);
        if self.blocking(stream) {
            for (earlier, _) in self.stream_of.iter().enumerate().filter(|(_, of)| **of == 0) {
                behind |= 1 << earlier | self.machine.behind[earlier];
            }
        }
        let number = self.machine.jobs.len();
        assert!(number < 32, "too many jobs");
        self.machine.jobs.push((job, place));
        self.machine.behind.push(behind);
        self.stream_of.push(stream);
        self.active |= u32::from(activity) << number;
        number
    }

    fn act(&mut self, does: Does, place: u64) {
        self.machine.actions.push(Action { needs: 0, does, place });
    }

    fn wait(&mut self, needs: u32) {
        self.machine.actions.push(Action { needs, does: Does::Nothing, place: 0 });
        self.active &= !needs;
    }

    fn launch(&mut self, stream: StreamNumber, job: Job, place: u64) {
        let job = self.submit(stream, job, place, true);
        self.act(Does::Submit { job, stage: None, may_read_later: None }, place);
    }

    fn touch(&mut self, buffer: Buffer) {
        self.machine.traps |= self.is_merged(buffer) && self.active != 0;
    }

    fn step(&mut self, step: Step, number: usize, place: u64) {
        match step {
            Step::HostWrite(b, part) => {
                self.touch(b);
                self.act(Does::Write(self.storage(b), part), place);
            }
            Step::HostRead(b, part) => {
                self.touch(b);
                self.act(Does::Read(self.storage(b), part), place);
            }
            Step::KernelWrite(b, s, part) => {
                self.launch(s, Job::Write(self.storage(b), part), place)
            }
            Step::KernelRead(b, s) => self.launch(s, Job::Read(self.storage(b)), place),
            Step::KernelUpdate(b, s) => self.launch(s, Job::Update(self.storage(b)), place),
            Step::KernelMove(a, b, s) => {
                self.launch(s, Job::Move(self.storage(a), self.storage(b)), place);
            }
            Step::Fill(b) => self.launch(0, Job::Write(self.storage(b), 0), place),
            Step::Copy { to, from, part, stream } => {
                if self.merge.is_none() || self.storage(to) != self.storage(from) {
                    self.copy(to, from, part, stream, place);
                }
                if let Some(Wait::Stream(s)) = self.merge.map(|m| m.waits[number]) {
                    self.wait(self.scope(s));
                }
            }
            Step::WaitForDevice => self.wait(u32::MAX),
            Step::WaitForStream(s) => self.wait(self.scope(s)),
            // Whether a record in the legacy stream covers the blocking streams is not documented: not so.
            Step::Record(s) => {
                self.marker = self.waits[usize::from(s)];
                for (job, _) in self.stream_of.iter().enumerate().filter(|(_, of)| **of == s) {
                    self.marker |= 1 << job | self.machine.behind[job];
                }
            }
            Step::StreamWaits(s) => self.waits[usize::from(s)] |= self.marker,
            Step::WaitForMarker => self.wait(self.marker),
            Step::Free(b) => self.free(b, number, place),
        }
    }

    fn copy(&mut self, to: Buffer, from: Buffer, part: Part, stream: Option<u8>, place: u64) {
        let pageable = |b| matches!(b, Buffer::Host | Buffer::OtherHost);
        let on_device = |b| matches!(b, Buffer::Device | Buffer::OtherDevice);
        let retained = self.is_merged(to) || self.is_merged(from);
        let upload = pageable(from) && on_device(to) && !self.is_merged(from);
        let completes =
            on_device(from) && !on_device(to) || from == Buffer::Pinned && on_device(to);
        let (to, from) = (self.storage(to), self.storage(from));
        let later = Job::Copy { to, from, part };
        match stream {
            None if upload => {
                // The source is staged; the tail runs later. Large uploads wait first.
                if !self.small {
                    self.wait(self.scope(0));
                }
                let job = self.submit(0, Job::Staged { to, part }, place, retained);
                let stage = Some((from, part));
                self.act(Does::Submit { job, stage, may_read_later: None }, place);
            }
            None if completes && !retained => {
                self.wait(self.scope(0));
                self.act(Does::Copy { to, from, part }, place);
            }
            Some(s) if upload => {
                let job = self.submit(s, Job::Staged { to, part }, place, true);
                let stage = Some((from, part));
                self.act(Does::Submit { job, stage, may_read_later: Some(later) }, place);
            }
            None | Some(_) => self.launch(stream.unwrap_or(0), later, place),
        }
    }

    fn free(&mut self, b: Buffer, number: usize, place: u64) {
        let how = self.merge.map_or(Free::AsWritten, |m| m.frees[number]);
        let waits = match how {
            // Hardware waits in cudaFree, and programs lean on it.
            Free::AsWritten => !matches!(b, Buffer::Host | Buffer::OtherHost),
            Free::Merged { wait } | Free::Deleted { wait } => wait,
        };
        if waits {
            self.wait(u32::MAX);
        }
        if !matches!(how, Free::Deleted { .. }) {
            self.machine.frees += u32::from(self.is_merged(b));
            self.act(Does::Free(self.storage(b)), place);
        }
    }
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    at: usize,
    submitted: u32,
    run: u32,
    /// Jobs that read their source when they run although it might have been staged.
    late: u32,
    memory: [Cell; 5],
    staged: Vec<Cell>,
    freed: u8,
    outcome: u64,
}

fn explore(machine: &Machine, result: &mut Behaviour) {
    let start = State {
        at: 0,
        submitted: 0,
        run: 0,
        late: 0,
        memory: [[UNDEFINED; 2]; 5],
        staged: vec![[UNDEFINED; 2]; machine.jobs.len()],
        freed: 0,
        outcome: 0,
    };
    let mut seen: HashSet<State> = HashSet::new();
    let mut work = vec![start];
    while let Some(state) = work.pop() {
        if !seen.insert(state.clone()) {
            continue;
        }
        for job in 0..machine.jobs.len() {
            let bit = 1 << job;
            let ready = state.submitted & bit != 0
                && state.run & bit == 0
                && machine.behind[job] & !state.run == 0;
            if ready {
                let mut next = state.clone();
                next.run |= bit;
                run_job(machine, job, &mut next, result);
                work.push(next);
            }
        }
        let Some(&action) = machine.actions.get(state.at) else {
            if state.run == state.submitted {
                result.outcomes.insert(state.outcome);
            }
            continue;
        };
        if action.needs & state.submitted & !state.run != 0 {
            continue;
        }
        let place = action.place;
        let mut next = state.clone();
        next.at += 1;
        match action.does {
            Does::Nothing => {}
            Does::Write(b, part) => write(&mut next, b, part, mix(&[place]), result),
            Does::Read(b, part) => observe(&mut next, b, part, place, result),
            Does::Copy { to, from, part } => copy(&mut next, to, from, part, result),
            Does::Free(b) => next.freed |= 1 << b,
            Does::Submit { job, stage, may_read_later } => {
                next.submitted |= 1 << job;
                if let Some((from, part)) = stage {
                    if may_read_later.is_some() {
                        let mut later = next.clone();
                        later.late |= 1 << job;
                        later.staged[job] = [from as u64, 0];
                        work.push(later);
                    }
                    use_memory(&next, from, result);
                    for half in halves(part) {
                        next.staged[job][half] = next.memory[from][half];
                    }
                }
            }
        }
        work.push(next);
    }
}

fn halves(part: Part) -> std::ops::Range<usize> {
    match part {
        0 => 0..2,
        1 => 0..1,
        _ => 1..2,
    }
}

fn use_memory(state: &State, buffer: usize, result: &mut Behaviour) {
    result.undefined |= state.freed & (1 << buffer) != 0;
}

fn write(state: &mut State, b: usize, part: Part, token: Token, result: &mut Behaviour) {
    use_memory(state, b, result);
    for half in halves(part) {
        state.memory[b][half] = mix(&[token, half as u64]);
    }
}

fn observe(state: &mut State, b: usize, part: Part, place: u64, result: &mut Behaviour) {
    use_memory(state, b, result);
    for half in halves(part) {
        let token = state.memory[b][half];
        result.undefined |= token == UNDEFINED;
        state.outcome = state.outcome.wrapping_add(mix(&[place, half as u64, token]));
    }
}

fn copy(state: &mut State, to: usize, from: usize, part: Part, result: &mut Behaviour) {
    use_memory(state, to, result);
    use_memory(state, from, result);
    for half in halves(part) {
        state.memory[to][half] = state.memory[from][half];
    }
}

fn run_job(machine: &Machine, job: usize, state: &mut State, result: &mut Behaviour) {
    let (job_kind, place) = machine.jobs[job];
    match job_kind {
        Job::Write(b, part) => write(state, b, part, mix(&[place]), result),
        Job::Read(b) => observe(state, b, 0, place, result),
        Job::Update(b) => update(state, b, b, place, result),
        Job::Move(a, b) => update(state, a, b, place, result),
        Job::Copy { to, from, part } => copy(state, to, from, part, result),
        Job::Staged { to, part } => {
            if state.late & (1 << job) != 0 {
                let from = usize::try_from(state.staged[job][0]).unwrap();
                copy(state, to, from, part, result);
                return;
            }
            use_memory(state, to, result);
            for half in halves(part) {
                state.memory[to][half] = state.staged[job][half];
            }
        }
    }
}

/// Overwrites each byte of `to` by a function of that byte of `from`; the result is not looked at until it is read.
fn update(state: &mut State, from: usize, to: usize, place: u64, result: &mut Behaviour) {
    use_memory(state, from, result);
    use_memory(state, to, result);
    for half in 0..2 {
        let old = state.memory[from][half];
        result.undefined |= old == UNDEFINED;
        state.memory[to][half] = mix(&[place, half as u64, old]);
    }
}
