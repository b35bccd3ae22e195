//! What a program does, naively; shares nothing with the analysis.
//!
//! The host runs one straight line; device work runs any time after its submission and after the work it is ordered
//! behind (its stream, legacy barriers, markers). Who is ordered behind whom, and what the host waits for, is the same in
//! every schedule, so it is worked out here, once per run; [`super::schedule`] then tries every schedule.

use super::scenario::{Buffer, Part, Setting, Step, StreamNumber};
use super::schedule::{Action, Does, Job, Machine, Outcomes, explore};

/// What a merge changes; the original program has none of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Merge {
    /// Pairs of buffers that become one.
    pub(crate) pairs: Vec<(Buffer, Buffer)>,
    /// Per step: what becomes of it.
    pub(crate) changes: Vec<Change>,
    /// Buffers allocated before the first step that are the second of their pair, and whether their zeros are written.
    pub(crate) aliases: Vec<(Buffer, bool)>,
}

/// What becomes of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Change {
    /// Nothing.
    #[default]
    AsWritten,
    /// A linking copy is removed, or a retained copy is followed by a wait.
    Copy { removed: bool, wait: Option<StreamNumber> },
    /// The free of the merged buffer.
    FreeMerged { wait: bool },
    /// A free that is deleted.
    FreeDeleted { wait: bool },
    /// The second allocation becomes an alias.
    Alias { zeros: bool },
}

/// All that a program may do in one run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Behaviour {
    /// What can be observed, in all schedules.
    pub(crate) outcomes: Outcomes,
    /// The host touches merged memory while the device may be active.
    pub(crate) traps: bool,
    /// Merged buffers that are never freed.
    pub(crate) leaked: usize,
}

/// What `steps`, executed in the order `run`, may do.
pub(crate) fn behaviour(
    steps: &[Step],
    run: &[usize],
    setting: Setting,
    merge: Option<&Merge>,
) -> Behaviour {
    let mut host = HostSide { setting, merge, ..HostSide::default() };
    host.begin(steps);
    for (place, &number) in run.iter().enumerate() {
        // The same in the original and in the merged program.
        host.place = place as u64 + 1;
        host.step(steps[number], number);
    }
    let leaked = host.live.count_ones() as usize;
    Behaviour { outcomes: explore(&host.machine), traps: host.traps, leaked }
}

#[derive(Default)]
struct HostSide<'m> {
    setting: Setting,
    merge: Option<&'m Merge>,
    machine: Machine,
    place: u64,
    traps: bool,
    /// Merged buffers that are allocated, as a set.
    live: u32,
    stream_of: Vec<StreamNumber>,
    /// Jobs that are activity for exclusive access and that the host does not know to have run.
    active: u32,
    /// Per stream: jobs its next job is behind because of markers.
    waits: [u32; 3],
    marker: u32,
}

impl HostSide<'_> {
    /// The buffer that holds `buffer`'s bytes.
    fn storage(&self, buffer: Buffer) -> usize {
        let mut least = buffer;
        for _ in 0..3 {
            for (host, device) in self.merge.iter().flat_map(|merge| &merge.pairs) {
                if least == *device {
                    least = *host;
                }
            }
            for (host, device) in self.merge.iter().flat_map(|merge| &merge.pairs) {
                if least == *host && host > device {
                    least = *device;
                }
            }
        }
        least as usize
    }

    fn is_merged(&self, buffer: Buffer) -> bool {
        self.merge.is_some_and(|m| m.pairs.iter().any(|(h, d)| *h == buffer || *d == buffer))
    }

    fn change(&self, number: usize) -> Change {
        self.merge.map_or(Change::AsWritten, |merge| merge.changes[number])
    }

    /// Halves that `buffer` has.
    fn extent(&self, buffer: Buffer) -> Part {
        if buffer == Buffer::Host && self.setting.host_is_half { 1 } else { 0 }
    }

    fn blocking(&self, stream: StreamNumber) -> bool {
        stream != 2 || !self.setting.second_is_non_blocking
    }

    /// Jobs that a wait for `stream` waits for: its own, and for the legacy stream those of all blocking ones.
    fn scope(&self, stream: StreamNumber) -> u32 {
        let mut set = 0;
        for s in (0..3).filter(|&s| s == stream || (stream == 0 && self.blocking(s))) {
            set |= self.waits[usize::from(s)] | self.jobs_in(s);
        }
        set
    }

    /// Jobs in `stream` and those they are behind.
    fn jobs_in(&self, stream: StreamNumber) -> u32 {
        let own = self.stream_of.iter().enumerate().filter(|(_, of)| **of == stream);
        own.fold(0, |set, (job, _)| set | 1 << job | self.machine.behind[job])
    }

    fn submit(&mut self, stream: StreamNumber, job: Job, is_activity: bool) -> usize {
        let mut behind = self.scope(stream);
        if self.blocking(stream) {
            behind |= self.jobs_in(0);
        }
        let number = self.machine.jobs.len();
        assert!(number < 32, "too many jobs");
        self.machine.jobs.push((job, self.place));
        self.machine.behind.push(behind);
        self.stream_of.push(stream);
        self.active |= u32::from(is_activity) << number;
        number
    }

    fn act(&mut self, does: Does) {
        self.machine.actions.push(Action { needs: 0, does, place: self.place });
    }

    fn wait(&mut self, needs: u32) {
        self.machine.actions.push(Action { needs, does: Does::Nothing, place: self.place });
        self.active &= !needs;
    }

    fn launch(&mut self, stream: StreamNumber, job: Job) {
        let job = self.submit(stream, job, true);
        self.act(Does::Submit { job, stage: false, may_be_late: false });
    }

    fn touch(&mut self, buffer: Buffer) {
        self.traps |= self.is_merged(buffer) && self.active != 0;
    }

    /// Allocates the buffers that no step allocates.
    fn begin(&mut self, steps: &[Step]) {
        for buffer in super::scenario::BUFFERS {
            let used = steps.iter().any(|step| step.buffers().contains(&buffer));
            if used && !steps.contains(&Step::Allocate(buffer)) {
                let alias = self.merge.into_iter().flat_map(|merge| &merge.aliases);
                let alias = alias.clone().find(|(own, _)| *own == buffer).map(|(_, zeros)| *zeros);
                self.allocate(buffer, alias);
            }
        }
    }

    /// `alias`: the buffer is the second of a merged pair; whether its zeros are written.
    fn allocate(&mut self, buffer: Buffer, alias: Option<bool>) {
        let (storage, extent) = (self.storage(buffer), self.extent(buffer));
        let zeroed = self.setting.zeroed && buffer.is_pageable();
        match alias {
            None => {
                if self.is_merged(buffer) {
                    self.live |= 1 << storage;
                }
                self.act(Does::Allocate { buffer: storage, extent });
                if zeroed {
                    self.touch(buffer);
                    self.act(Does::Zero(storage, extent));
                }
            }
            Some(true) => {
                self.touch(buffer);
                self.act(Does::Zero(storage, extent));
            }
            Some(false) => {}
        }
    }

    fn step(&mut self, step: Step, number: usize) {
        match step {
            Step::HostWrite(b, part) => {
                self.touch(b);
                self.act(Does::Write(self.storage(b), part.max(self.extent(b))));
            }
            Step::HostRead(b, part) => {
                self.touch(b);
                self.act(Does::Read(self.storage(b), part.max(self.extent(b))));
            }
            Step::KernelWrite(b, s, part) => self.launch(s, Job::Write(self.storage(b), part)),
            Step::KernelRead(b, s) => self.launch(s, Job::Read(self.storage(b))),
            Step::KernelUpdate(b, s) => {
                self.launch(s, Job::Update { from: self.storage(b), to: self.storage(b) });
            }
            Step::KernelMove(a, b, s) => {
                self.launch(s, Job::Update { from: self.storage(a), to: self.storage(b) });
            }
            Step::KernelMirror(a, b, s) => {
                self.launch(s, Job::Mirror { from: self.storage(a), to: self.storage(b) });
            }
            Step::Unrelated(s) => self.launch(s, Job::Nothing),
            Step::Fill(b, s) => self.launch(s, Job::Write(self.storage(b), 0)),
            Step::Copy { to, from, part, stream } => {
                self.copy((to, part), (from, part), stream, number);
            }
            Step::CopyToEither { .. } | Step::FreeEither => unreachable!("the steps of a choice"),
            Step::Shift { to, from } => self.copy((to, 2), (from, 1), None, number),
            Step::WaitForDevice => self.wait(u32::MAX),
            Step::WaitForStream(s) => self.wait(self.scope(s)),
            // Whether a record in the legacy stream covers the blocking streams is not documented: not so.
            Step::Record(s) => self.marker = self.waits[usize::from(s)] | self.jobs_in(s),
            Step::StreamWaits(s) => self.waits[usize::from(s)] |= self.marker,
            Step::WaitForMarker => self.wait(self.marker),
            Step::Allocate(b) => {
                let alias = match self.change(number) {
                    Change::Alias { zeros } => Some(zeros),
                    Change::AsWritten
                    | Change::Copy { .. }
                    | Change::FreeMerged { .. }
                    | Change::FreeDeleted { .. } => None,
                };
                self.allocate(b, alias);
            }
            Step::Free(b) => self.free(b, number),
            Step::Reset => self.reset(),
        }
    }

    fn copy(
        &mut self,
        (to, into): (Buffer, Part),
        (from, of): (Buffer, Part),
        stream: Option<StreamNumber>,
        number: usize,
    ) {
        let (removed, wait) = match self.change(number) {
            Change::Copy { removed, wait } => (removed, wait),
            Change::AsWritten
            | Change::FreeMerged { .. }
            | Change::FreeDeleted { .. }
            | Change::Alias { .. } => (false, None),
        };
        if !removed {
            self.kept_copy((to, into), (from, of), stream);
        }
        if let Some(stream) = wait {
            self.wait(self.scope(stream));
        }
    }

    fn kept_copy(
        &mut self,
        (to, into): (Buffer, Part),
        (from, of): (Buffer, Part),
        stream: Option<StreamNumber>,
    ) {
        let touches_merged = self.is_merged(to) || self.is_merged(from);
        let upload = from.is_pageable() && to.is_device();
        let completes = from.is_device() && !to.is_device() || from == Buffer::Pinned;
        let job = Job::Copy { to: self.storage(to), into, from: self.storage(from), of };
        match stream {
            // Managed memory has no documented edges.
            _ if touches_merged => self.launch(stream.unwrap_or(0), job),
            // Between host buffers the host copies.
            _ if !to.is_device() && !from.is_device() => {
                self.act(Does::Copy { to: self.storage(to), into, from: self.storage(from), of });
            }
            None if upload => {
                // The source is staged; the tail runs later. Large uploads wait first.
                if !self.setting.small {
                    self.wait(self.scope(0));
                }
                let job = self.submit(0, job, false);
                self.act(Does::Submit { job, stage: true, may_be_late: false });
            }
            None if completes => {
                self.wait(self.scope(0));
                self.act(Does::Copy { to: self.storage(to), into, from: self.storage(from), of });
            }
            // The source of an asynchronous upload may be staged, or read when the copy runs.
            Some(s) if upload => {
                let job = self.submit(s, job, true);
                self.act(Does::Submit { job, stage: true, may_be_late: true });
            }
            None | Some(_) => self.launch(stream.unwrap_or(0), job),
        }
    }

    fn free(&mut self, b: Buffer, number: usize) {
        let change = self.change(number);
        let waits = match change {
            // Hardware waits in cudaFree, and programs lean on it.
            Change::AsWritten | Change::Copy { .. } | Change::Alias { .. } => !b.is_pageable(),
            Change::FreeMerged { wait } | Change::FreeDeleted { wait } => wait,
        };
        if waits {
            self.wait(u32::MAX);
        }
        if !matches!(change, Change::FreeDeleted { .. }) {
            let storage = self.storage(b);
            self.live &= !(1 << storage);
            self.act(Does::Free(storage));
            if matches!(change, Change::FreeMerged { .. }) && !self.is_merged(b) {
                // The call for merged memory is given other memory: as wrong as a second free.
                self.act(Does::Free(storage));
            }
        }
    }

    /// Waits for all work. What was allocated on the device is gone, and so is what is merged with it.
    fn reset(&mut self) {
        self.wait(u32::MAX);
        for buffer in super::scenario::BUFFERS.into_iter().filter(|b| b.is_device()) {
            let storage = self.storage(buffer);
            self.live &= !(1 << storage);
            self.act(Does::Lose(storage));
        }
    }
}
