//! Streams, the order that CUDA guarantees among their operations, and the choice of one order that it allows.
//!
//! Operations form a graph: each follows the last of its stream; the legacy stream follows all blocking streams and
//! they follow it; a wait for an event adds an edge. A schedule is a linear extension of that graph, interleaved with
//! the host. What ran is invisible to the rules: they use clocks, so that reports do not depend on the schedule.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

use crate::arena::{self, Attachment};
use crate::config::{Schedule, config};
use crate::global::Global;
use crate::operation::Work;
use crate::trap::{Trap, trap};
use crate::{capture, printing, race, random};

/// Index of the legacy default stream.
pub(crate) const LEGACY: usize = 0;
/// Index of the per-thread default stream.
pub(crate) const PER_THREAD: usize = 1;

/// A submitted operation, as others see it.
pub(crate) struct Submitted {
    pub(crate) id: u64,
    stream: usize,
    /// What happens before its end, itself included, by actor (0 = host, i + 1 = stream i).
    clock: Vec<u32>,
    done: Cell<bool>,
    /// Recorded for a graph and not submitted.
    captured: bool,
}

impl Submitted {
    /// Whether it ran.
    pub(crate) fn is_done(&self) -> bool {
        self.done.get()
    }
}

struct Operation {
    work: Work,
    name: String,
    needs: Vec<u64>,
    event: u32,
    submitted: Rc<Submitted>,
}

struct Stream {
    non_blocking: bool,
    live: bool,
    last: Option<Rc<Submitted>>,
    queue: VecDeque<u64>,
    clock: u32,
    /// Clock of its newest device activity.
    active: u32,
}

struct State {
    streams: Vec<Stream>,
    pending: BTreeMap<u64, Operation>,
    next_id: u64,
    host: Vec<u32>,
}

const fn stream(non_blocking: bool) -> Stream {
    Stream { non_blocking, live: true, last: None, queue: VecDeque::new(), clock: 0, active: 0 }
}

static STATE: Global<State> = Global::new(State {
    streams: Vec::new(),
    pending: BTreeMap::new(),
    next_id: 0,
    host: Vec::new(),
});

impl State {
    fn ready(&mut self) {
        if self.streams.is_empty() {
            self.streams = vec![stream(false), stream(false)];
            self.host = vec![1];
        }
    }
}

fn state() -> std::cell::RefMut<'static, State> {
    let mut state = STATE.get();
    state.ready();
    state
}

/// A new stream's index.
pub(crate) fn create_stream(non_blocking: bool) -> usize {
    let mut state = state();
    state.streams.push(stream(non_blocking));
    state.streams.len() - 1
}

/// Whether the index names a stream that exists.
pub(crate) fn is_stream(index: usize) -> bool {
    state().streams.get(index).is_some_and(|stream| stream.live)
}

/// Whether the stream was made non-blocking.
pub(crate) fn is_non_blocking(index: usize) -> bool {
    state().streams.get(index).is_some_and(|stream| stream.non_blocking)
}

/// Ends a stream's name; its work goes on.
pub(crate) fn destroy_stream(index: usize) {
    state().streams[index].live = false;
}

/// Submits work to a stream, after everything that CUDA orders before it and after `also`.
pub(crate) fn submit(
    stream: usize,
    work: Work,
    name: &str,
    also: Option<&Rc<Submitted>>,
) -> Rc<Submitted> {
    if capture::is_open(stream) {
        capture::add(stream, work, name);
        let clock = state().host.clone();
        return Rc::new(Submitted {
            id: u64::MAX,
            stream,
            clock,
            done: Cell::new(true),
            captured: true,
        });
    }
    if also.is_some_and(|also| also.captured) {
        trap(Trap::Unsupported, "not supported: a graph recorded from several streams");
    }
    if stream == LEGACY && capture::is_any_blocking() {
        trap(Trap::Unsupported, "work in the legacy stream while a stream is captured");
    }
    not_in_host_function();
    let submitted = {
        let mut state = state();
        let state = &mut *state;
        let mut clock = state.host.clone();
        let mut needs = Vec::new();
        let mut follow = |before: &Rc<Submitted>| {
            join(&mut clock, &before.clock);
            if !before.is_done() {
                needs.push(before.id);
            }
        };
        let blocking = !state.streams[stream].non_blocking;
        for (index, other) in state.streams.iter().enumerate() {
            let ordered = index == stream
                || (stream == LEGACY && !other.non_blocking)
                || (index == LEGACY && blocking);
            if ordered && let Some(last) = &other.last {
                follow(last);
            }
        }
        if let Some(also) = also {
            follow(also);
        }
        let own = &mut state.streams[stream];
        own.clock += 1;
        let (actor, now) = (stream + 1, own.clock);
        if work.is_device_activity() {
            own.active = now;
        }
        if clock.len() <= actor {
            clock.resize(actor + 1, 0);
        }
        clock[actor] = now;
        let id = state.next_id;
        state.next_id += 1;
        let event = race::event(actor, now, &format!("{name}#{id}"));
        let submitted =
            Rc::new(Submitted { id, stream, clock, done: Cell::new(false), captured: false });
        own.last = Some(Rc::clone(&submitted));
        own.queue.push_back(id);
        state.host[0] += 1;
        let operation = Operation {
            work,
            name: name.to_owned(),
            needs,
            event,
            submitted: Rc::clone(&submitted),
        };
        state.pending.insert(id, operation);
        submitted
    };
    trace("submit", &submitted, name);
    host_goes_on();
    match config_schedule() {
        Schedule::Eager => finish(&submitted),
        Schedule::Late | Schedule::OthersFirst => {}
        Schedule::Random => take_chances(),
    }
    back_to_host();
    submitted
}

/// Makes the host wait for an operation.
pub(crate) fn wait_for(submitted: &Rc<Submitted>) {
    if submitted.captured {
        trap(Trap::Unsupported, "the host waits for work that is only recorded");
    }
    not_in_host_function();
    match config_schedule() {
        Schedule::Eager | Schedule::Late => {}
        Schedule::OthersFirst => {
            let others: Vec<_> = {
                let state = state();
                let others = state.pending.values().map(|operation| &operation.submitted);
                others.filter(|other| other.stream != submitted.stream).cloned().collect()
            };
            others.iter().for_each(finish);
        }
        Schedule::Random => take_chances(),
    }
    finish(submitted);
    join(&mut state().host, &submitted.clock);
    host_goes_on();
    back_to_host();
    printing::flush(&state().host.clone());
}

/// Makes the host wait for everything.
pub(crate) fn wait_for_all() {
    if config_schedule() == Schedule::Random {
        while random_step() {}
    }
    let last: Vec<_> = state().streams.iter().filter_map(|stream| stream.last.clone()).collect();
    last.iter().for_each(wait_for);
    back_to_host();
}

/// Makes the host wait for what a stream holds now. For the legacy stream that includes all blocking streams, as on
/// hardware.
pub(crate) fn wait_for_stream(stream: usize) {
    let last = if stream == LEGACY {
        Some(submit(LEGACY, Work::Marker, "synchronize", None))
    } else {
        state().streams[stream].last.clone()
    };
    if let Some(last) = last {
        wait_for(&last);
    }
}

/// The newest operation of a stream.
pub(crate) fn last_of(stream: usize) -> Option<Rc<Submitted>> {
    state().streams[stream].last.clone()
}

/// The program asks whether an operation is complete. Deferred schedules say no a few times and then do it, so that
/// polling loops end; a yes orders the host after it.
pub(crate) fn query(submitted: &Rc<Submitted>) -> bool {
    thread_local! {
        static ASKED: Cell<u32> = const { Cell::new(0) };
    }
    take_chances();
    let asked = ASKED.get() + 1;
    ASKED.set(asked);
    if !submitted.is_done() && !asked.is_multiple_of(4) {
        back_to_host();
        return false;
    }
    wait_for(submitted);
    true
}

/// A point where a random schedule may run something: the program made a call.
pub(crate) fn call_point() {
    take_chances();
    back_to_host();
}

fn take_chances() {
    if config_schedule() == Schedule::Random {
        while random::below(3) == 0 && random_step() {}
    }
}

fn config_schedule() -> Schedule {
    config().schedule
}

// Runs one ready operation, or part of a kernel; false if nothing is pending.
fn random_step() -> bool {
    let chosen = {
        let state = state();
        let heads = state.streams.iter().filter_map(|stream| stream.queue.front());
        let ready: Vec<u64> = heads
            .copied()
            .filter(|id| {
                let needs = &state.pending[id].needs;
                needs.iter().all(|need| !state.pending.contains_key(need))
            })
            .collect();
        if ready.is_empty() {
            return false;
        }
        let id = ready[random::below(ready.len() as u64) as usize];
        let blocks = match &state.pending[&id].work {
            Work::Kernel(launch) if !launch.cooperative => launch.blocks(),
            _ => 1,
        };
        (id, blocks)
    };
    let (id, blocks) = chosen;
    let most =
        if blocks > 1 && random::below(2) == 0 { 1 + random::below(blocks) } else { u64::MAX };
    execute(id, most);
    true
}

// Runs an operation and what it needs, in order of submission.
fn finish(submitted: &Rc<Submitted>) {
    if submitted.is_done() {
        return;
    }
    let needed = {
        let state = state();
        let mut needed = BTreeSet::new();
        let mut left = vec![submitted.id];
        while let Some(id) = left.pop() {
            if let Some(operation) = state.pending.get(&id)
                && needed.insert(id)
            {
                left.extend(&operation.needs);
            }
        }
        needed
    };
    for id in needed {
        execute(id, u64::MAX);
    }
}

thread_local! {
    static IN_HOST_FUNCTION: Cell<bool> = const { Cell::new(false) };
}

// CUDA's answer may be an error or a deadlock, and what the program does then is nothing to compare with.
fn not_in_host_function() {
    if IN_HOST_FUNCTION.get() {
        trap(Trap::Unsupported, "not supported: a host function in a stream calls CUDA");
    }
}

fn execute(id: u64, most: u64) {
    let Some(mut operation) = state().pending.remove(&id) else { return };
    trace("run", &operation.submitted, &operation.name);
    let on_host = operation.work.is_host_function();
    if on_host {
        // The function begins as if the host had just synchronized with what precedes it, and its stream is idle
        // meanwhile.
        let mut known = state().host.clone();
        join(&mut known, &operation.submitted.clock);
        leave_device(&known, Some(operation.submitted.stream));
    } else {
        arena::enter_device(matches!(operation.work, Work::Kernel(_)));
    }
    let clock = operation.submitted.clock.clone();
    let kernel = matches!(operation.work, Work::Kernel(_));
    let before = race::act(operation.event, clock, kernel);
    printing::begin(id, operation.submitted.stream + 1, &operation.submitted.clock);
    IN_HOST_FUNCTION.set(on_host);
    let done = operation.work.run(most);
    IN_HOST_FUNCTION.set(false);
    printing::end();
    race::act(before.0, before.1, before.2);
    let mut state = state();
    if done {
        operation.submitted.done.set(true);
        state.streams[operation.submitted.stream].queue.pop_front();
    } else {
        state.pending.insert(id, operation);
    }
}

/// Device memory closes, and on a device without concurrent access the managed memory it may still use.
pub(crate) fn back_to_host() {
    let known = state().host.clone();
    leave_device(&known, None);
}

// As `back_to_host`, to code that knows of everything in the clock `known`; the stream `idle` does nothing now.
fn leave_device(known: &[u32], idle: Option<usize>) {
    let concurrent = config().concurrent_managed_access;
    let busy: Vec<bool> = state()
        .streams
        .iter()
        .enumerate()
        .map(|(index, stream)| {
            let seen = known.get(index + 1).copied().unwrap_or_default();
            idle != Some(index) && stream.active > seen
        })
        .collect();
    let any = busy.contains(&true);
    arena::leave_device(|attachment| {
        !concurrent
            && match attachment {
                Attachment::Global => any,
                Attachment::Host => false,
                Attachment::Single(stream) => busy.get(stream).copied().unwrap_or(any),
            }
    });
}

// Host accesses from here on belong to a new stretch.
fn host_goes_on() {
    if race::on() {
        let host = state().host.clone();
        let event = race::event(0, host[0], "");
        race::act(event, host, false);
    }
}

fn join(clock: &mut Vec<u32>, other: &[u32]) {
    if clock.len() < other.len() {
        clock.resize(other.len(), 0);
    }
    for (mine, theirs) in clock.iter_mut().zip(other) {
        *mine = (*mine).max(*theirs);
    }
}

fn trace(what: &str, submitted: &Submitted, name: &str) {
    if config().trace {
        let stream = submitted.stream;
        race::print(&format!("ECHO-TRACE {what} {name}#{} in stream {stream}", submitted.id));
    }
}
