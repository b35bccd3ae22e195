//! Makes a program free of races, of reads of undefined elements and of uses of memory that is not there, by inserting
//! what is missing (R: repair, not restriction). Every kind of wait occurs, also redundant ones. What this module gets
//! wrong the emulator's detector finds: such programs are dropped.

use std::collections::BTreeSet;

use crate::program::{
    CopyCall, DeviceKind, HostKind, HostWork, Kernel, Part, Program, Reach, Side, Special,
    Statement, Wait,
};
use crate::random::Random;
use crate::uses::{defines, needs_defined, sides};

/// The repaired program; the same program and seed give the same result.
pub(crate) fn repair(program: &Program, seed: u64) -> Program {
    let mut repair = Repair { program, random: Random::new(seed) };
    let mut state = State::default();
    let mut body = Vec::new();
    for statement in &program.body {
        let mut needed: Vec<Side> = sides(statement).into_iter().map(|(side, _)| side).collect();
        if let Statement::Compare(pair) = statement {
            needed = vec![Side::Host(*pair), Side::Device(*pair)];
        }
        for side in needed {
            if !state.live.contains(&side) {
                repair.step(&Statement::Allocate(side), &mut state, true, &mut body);
            }
        }
        repair.step(statement, &mut state, true, &mut body);
    }
    repair.before_exit(&mut state, &mut body);
    Program { body, ..program.clone() }
}

/// A use of a buffer by a stream that the host has not waited for.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Pending {
    side: Side,
    write: bool,
    stream: usize,
    /// The host function of a stream made it.
    by_host_function: bool,
    /// Streams whose later work follows it.
    before: BTreeSet<usize>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct State {
    live: BTreeSet<Side>,
    defined: BTreeSet<Side>,
    pending: Vec<Pending>,
}

impl State {
    fn join(&mut self, other: &Self) {
        self.defined = self.defined.intersection(&other.defined).copied().collect();
        for pending in &other.pending {
            if !self.pending.contains(pending) {
                self.pending.push(pending.clone());
            }
        }
    }

    fn define(&mut self, side: Side) {
        self.defined.insert(side);
    }
}

struct Repair<'a> {
    program: &'a Program,
    random: Random,
}

impl Repair<'_> {
    fn block(&mut self, body: &[Statement], state: &mut State) -> Vec<Statement> {
        let mut out = Vec::new();
        for statement in body {
            self.step(statement, state, false, &mut out);
        }
        out
    }

    // Appends the statement, after what it needs. Nested blocks neither allocate nor free.
    fn step(
        &mut self,
        statement: &Statement,
        state: &mut State,
        top: bool,
        out: &mut Vec<Statement>,
    ) {
        for side in needs_defined(statement) {
            if !state.defined.contains(&side) {
                let definer = self.definer(side, state);
                self.step(&definer, state, false, out);
            }
        }
        match statement {
            Statement::Allocate(side) => {
                if !top || !state.live.insert(*side) {
                    return;
                }
                state.defined.remove(side);
                if let Side::Host(pair) = side
                    && matches!(self.program.pairs[*pair].host, HostKind::Calloc | HostKind::Vector)
                {
                    state.define(*side);
                }
            }
            Statement::Free(side) => {
                if !top || !state.live.contains(side) {
                    return;
                }
                self.host_access(*side, true, state, out);
                state.live.remove(side);
                state.defined.remove(side);
                if let Side::Device(pair) = side
                    && self.program.pairs[*pair].device != DeviceKind::Async
                {
                    state.pending.clear();
                }
            }
            Statement::Host { .. } | Statement::HostCopy(..) => {
                for (side, write) in sides(statement) {
                    self.host_access(side, write, state, out);
                }
            }
            Statement::Copy { stream, to, from, .. } => {
                // Of pageable memory the call itself may read the source, as the H200 does: its place in the
                // stream does not order it behind a host function.
                self.wait_for(state, out, |p| p.by_host_function && p.side == *from);
                self.submit(statement, stream.unwrap_or(0), state, out);
                let device = |side: &Side| matches!(side, Side::Device(_));
                if stream.is_none() && !(device(to) && device(from)) {
                    // The host waited for the work ahead; the write to a device may still be under way.
                    self.waited(Wait::Stream(0), state);
                    if device(to) {
                        let write = pending(*to, true, 0);
                        state.pending.push(write);
                    }
                }
            }
            Statement::Launch(_, stream) => self.submit(statement, *stream, state, out),
            Statement::Memset(_, stream) => {
                self.submit(statement, stream.unwrap_or(0), state, out);
            }
            Statement::Wait(wait) => self.waited(*wait, state),
            Statement::StreamWait(waiter, on) => {
                if waiter == on {
                    return;
                }
                for pending in &mut state.pending {
                    if pending.stream == *on || pending.before.contains(on) {
                        pending.before.insert(*waiter);
                    }
                }
            }
            Statement::Loop(times, body) => {
                let mut body = body.clone();
                let mut entry = state.clone();
                for _ in 0..6 {
                    let mut end = entry.clone();
                    let again = self.block(&body, &mut end);
                    let mut joined = entry.clone();
                    joined.join(&end);
                    let stable = joined == entry && again == body;
                    body = again;
                    entry = joined;
                    *state = end;
                    if stable {
                        break;
                    }
                }
                out.push(Statement::Loop(*times, body));
                return;
            }
            Statement::Branch(one, other) => {
                let mut second = state.clone();
                let one = self.block(one, state);
                let other = self.block(other, &mut second);
                state.join(&second);
                out.push(Statement::Branch(one, other));
                return;
            }
            Statement::Stage(stage, body) => {
                let body = self.block(body, state);
                out.push(Statement::Stage(*stage, body));
                return;
            }
            Statement::Special(special, _, stream) => match special {
                // The variable is no side: its users are done when the statement is.
                Special::ToSymbol | Special::FromSymbol => {
                    self.submit(statement, *stream, state, out);
                    self.waited(Wait::Stream(*stream), state);
                }
                Special::HostFunction => {
                    let before = state.pending.len();
                    self.submit(statement, *stream, state, out);
                    for pending in state.pending.iter_mut().skip(before) {
                        pending.by_host_function = true;
                    }
                }
                Special::Graph => self.submit(statement, *stream, state, out),
                Special::Thread => {
                    for (side, write) in sides(statement) {
                        self.host_access(side, write, state, out);
                    }
                }
                Special::LastDevice => {}
            },
            Statement::Compare(_) => {}
            Statement::Return => self.before_exit(state, out),
        }
        if let Some(side) = defines(statement) {
            state.define(side);
        }
        out.push(statement.clone());
    }

    // Where objects or code at a label free memory, the device must be done with it.
    fn before_exit(&mut self, state: &mut State, out: &mut Vec<Statement>) {
        if self.program.frees_at_exit() && !state.pending.is_empty() {
            self.waited(Wait::Device, state);
            out.push(Statement::Wait(Wait::Device));
        }
    }

    fn definer(&mut self, side: Side, state: &State) -> Statement {
        let (Side::Host(pair) | Side::Device(pair)) = side;
        let fill =
            Statement::Host { pair, work: HostWork::Fill, part: Part::Whole, reach: Reach::Loop };
        let other = |device: bool| if device { Side::Host(pair) } else { Side::Device(pair) };
        let copied = |from: Side| Statement::Copy {
            to: side,
            from,
            part: Part::Whole,
            stream: None,
            call: CopyCall::Flat,
        };
        let from = other(matches!(side, Side::Device(_)));
        if state.defined.contains(&from) && state.live.contains(&from) && self.random.chance(60) {
            return copied(from);
        }
        match side {
            Side::Host(_) => fill,
            Side::Device(_) if self.random.chance(50) => Statement::Memset(pair, None),
            Side::Device(_) => Statement::Launch(Kernel::Ramp(pair), 0),
        }
    }

    fn host_access(
        &mut self,
        side: Side,
        write: bool,
        state: &mut State,
        out: &mut Vec<Statement>,
    ) {
        self.wait_for(state, out, |pending| pending.side == side && (pending.write || write));
    }

    /// The host waits for everything pending that is `meant`.
    fn wait_for(
        &mut self,
        state: &mut State,
        out: &mut Vec<Statement>,
        meant: impl Fn(&Pending) -> bool,
    ) {
        while let Some(stream) = state.pending.iter().find(|p| meant(p)).map(|p| p.stream) {
            let wait = self.random.pick(&[Wait::Device, Wait::Stream(stream), Wait::Event(stream)]);
            self.waited(wait, state);
            out.push(Statement::Wait(wait));
        }
    }

    fn submit(
        &mut self,
        statement: &Statement,
        stream: usize,
        state: &mut State,
        out: &mut Vec<Statement>,
    ) {
        let uses = sides(statement);
        let conflicts = |pending: &Pending, repair: &Self| {
            !repair.ordered(pending, stream)
                && uses
                    .iter()
                    .any(|(side, write)| pending.side == *side && (pending.write || *write))
        };
        while let Some(at) = state.pending.iter().position(|pending| conflicts(pending, self)) {
            let from = state.pending[at].stream;
            match self.random.below(4) {
                0 => {
                    self.waited(Wait::Device, state);
                    out.push(Statement::Wait(Wait::Device));
                }
                1 => {
                    self.waited(Wait::Stream(from), state);
                    out.push(Statement::Wait(Wait::Stream(from)));
                }
                _ => {
                    let wait = Statement::StreamWait(stream, from);
                    self.step(&wait, state, false, out);
                }
            }
        }
        let ordered: Vec<bool> =
            state.pending.iter().map(|pending| self.ordered(pending, stream)).collect();
        for (pending, ordered) in state.pending.iter_mut().zip(ordered) {
            if ordered {
                pending.before.insert(stream);
            }
        }
        state.pending.extend(uses.iter().map(|&(side, write)| pending(side, write, stream)));
    }

    // Whether work that goes into `stream` now follows the pending use.
    fn ordered(&self, pending: &Pending, stream: usize) -> bool {
        let blocking = |stream: usize| stream > 0 && !self.program.streams[stream - 1].non_blocking;
        pending.stream == stream
            || pending.before.contains(&stream)
            || (stream == 0 && blocking(pending.stream))
            || (pending.stream == 0 && blocking(stream))
    }

    fn waited(&self, wait: Wait, state: &mut State) {
        match wait {
            Wait::Device => state.pending.clear(),
            Wait::Stream(0) => {
                let left: Vec<bool> =
                    state.pending.iter().map(|pending| !self.ordered(pending, 0)).collect();
                let mut left = left.into_iter();
                state.pending.retain(|_| left.next().unwrap_or(true));
            }
            Wait::Stream(stream) | Wait::Event(stream) => {
                let follows = |pending: &Pending| {
                    pending.stream == stream || pending.before.contains(&stream)
                };
                state.pending.retain(|pending| !follows(pending));
            }
        }
    }
}

fn pending(side: Side, write: bool, stream: usize) -> Pending {
    Pending { side, write, stream, by_host_function: false, before: BTreeSet::new() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::generate;

    #[test]
    fn repairing_twice_changes_nothing_that_matters() {
        for seed in 0..300 {
            let once = repair(&generate(&mut Random::new(seed), seed % 2 == 0), seed);
            let twice = repair(&once, seed + 1);
            assert_eq!(once, twice, "seed {seed}");
        }
    }

    #[test]
    fn the_host_waits_for_a_host_function_before_it_copies_what_that_writes() {
        let mut copies = 0;
        for seed in 0..3000 {
            let program = repair(&generate(&mut Random::new(seed), seed % 2 == 0), seed);
            let mut written = BTreeSet::new();
            for statement in &program.body {
                if let Statement::Special(Special::HostFunction, pair, _) = statement {
                    written.insert(Side::Host(*pair));
                } else if let Statement::Copy { stream: Some(_), from, .. } = statement {
                    copies += 1;
                    assert!(!written.contains(from), "seed {seed}: {:#?}", program.body);
                } else {
                    // It may wait for it.
                    written.clear();
                }
            }
        }
        assert!(copies > 100, "{copies}");
    }
}
