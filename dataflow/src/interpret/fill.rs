//! Loops that overwrite a buffer completely.
//!
//! `for (i = 0; i < n; i++) h[i] = ...` writes one element at a time, at an offset that differs each time, so no single
//! store is a certain write of a known range. But when the loop is left through its header, every element has been
//! written. Such a loop gets one more event on its exit edge: a certain write of all those bytes. Loops nest: the inner
//! loop's range is one iteration's range of the outer.

use std::collections::HashMap;

use crate::event::{LoopId, Mode};
use crate::program::{Comparison, Terminator};
use crate::size::{Size, Symbol};

use super::emit::{Draft, DraftKind};
use super::expand::Step;
use super::machine::{Machine, Position};
use super::symbols::Width;
use super::value::{Region, Value};

/// A certain host write of bytes `offset .. offset + bytes` of `region`.
#[derive(Debug, Clone)]
pub(crate) struct Fill {
    pub(crate) region: Region,
    pub(crate) offset: Size,
    pub(crate) bytes: Size,
    pub(crate) position: Position,
    /// The block that has written it when it is left.
    block: usize,
}

/// A counted loop: its counter starts at 0 and is below `bound` in each iteration.
struct Counted {
    counter: Symbol,
    bound: Size,
    exit: usize,
    latches: Vec<usize>,
}

/// Per exit edge (from, to): what has certainly been written when control passes there.
pub(crate) fn fills(
    machine: &mut Machine<'_>,
    drafts: &[Vec<Draft>],
    before: &[Option<super::state::State>],
    after: &[Option<super::state::State>],
) -> Vec<(usize, usize, Vec<Fill>)> {
    let mut by_loop: HashMap<LoopId, Vec<Fill>> = HashMap::new();
    for (block, drafts) in drafts.iter().enumerate() {
        let Some(&innermost) = machine.loops.loops_of[block].last() else { continue };
        for draft in drafts {
            let DraftKind::Host(access) = &draft.kind else { continue };
            let ([(region, Some(offset))], false, Some(bytes), true) = (
                access.pointer.regions.as_slice(),
                access.pointer.unknown,
                &access.bytes,
                access.must,
            ) else {
                continue;
            };
            let Some(position) = draft.position else { continue };
            if access.mode != Mode::Read && !machine.regions.info(*region).several {
                by_loop.entry(innermost).or_default().push(Fill {
                    region: *region,
                    offset: offset.clone(),
                    bytes: bytes.clone(),
                    position,
                    block,
                });
            }
        }
    }
    if by_loop.is_empty() {
        return Vec::new();
    }
    let mut result = Vec::new();
    let predecessors = predecessors(machine);
    let members = machine.loops.members();
    // Inner loops have larger ids than the loops around them.
    for index in (0..machine.loops.headers.len()).rev() {
        let id = LoopId::new(index);
        let Some(candidates) = by_loop.remove(&id) else { continue };
        let Some(counted) = counted(machine, id, &members[index], &predecessors, before, after)
        else {
            continue;
        };
        let mut done = Vec::new();
        for fill in candidates {
            let Some((stride, base)) = fill.offset.split_linear(counted.counter) else { continue };
            let inside = |block: usize| machine.loops.contains(id, block);
            if machine.symbols.redefined(&base, inside)
                || machine.symbols.redefined(&fill.bytes, inside)
                || stride != fill.bytes
            {
                continue;
            }
            let on_every_iteration = counted
                .latches
                .iter()
                .all(|&latch| dominates_within(machine, &predecessors, id, fill.block, latch));
            if !on_every_iteration {
                continue;
            }
            let Some(bytes) = counted.bound.multiply(&stride) else { continue };
            done.push(Fill { offset: base, bytes, block: machine.loops.headers[index], ..fill });
        }
        if done.is_empty() {
            continue;
        }
        if let Some(&outer) = machine.loops.loops_of[counted.exit]
            .last()
            .filter(|&&outer| machine.loops.contains(outer, machine.loops.headers[index]))
        {
            by_loop.entry(outer).or_default().extend(done.iter().cloned());
        }
        result.push((machine.loops.headers[index], counted.exit, done));
    }
    result.sort_by_key(|(from, to, _)| (machine.loops.order[*from], machine.loops.order[*to]));
    result
}

fn predecessors(machine: &Machine<'_>) -> Vec<Vec<usize>> {
    let mut predecessors = vec![Vec::new(); machine.graph.blocks.len()];
    for (from, block) in machine.graph.blocks.iter().enumerate() {
        for &to in &block.successors {
            predecessors[to].push(from);
        }
    }
    predecessors
}

/// Whether each path from the header of loop `id` to `latch` passes through `block`: removing `block` cuts them.
fn dominates_within(
    machine: &Machine<'_>,
    predecessors: &[Vec<usize>],
    id: LoopId,
    block: usize,
    latch: usize,
) -> bool {
    let header = machine.loops.headers[id.index()];
    if block == header || block == latch {
        return true;
    }
    let mut seen = std::collections::HashSet::from([latch]);
    let mut work = vec![latch];
    while let Some(at) = work.pop() {
        if at == header {
            return false;
        }
        for &from in &predecessors[at] {
            if from != block && machine.loops.contains(id, from) && seen.insert(from) {
                work.push(from);
            }
        }
    }
    true
}

/// Recognises a loop left only through its header's test `i < n`, with `i` from 0 in steps of 1 and `n` constant.
fn counted(
    machine: &mut Machine<'_>,
    id: LoopId,
    members: &[usize],
    predecessors: &[Vec<usize>],
    before: &[Option<super::state::State>],
    after: &[Option<super::state::State>],
) -> Option<Counted> {
    let header = machine.loops.headers[id.index()];
    let graph = machine.graph;
    let inside = |machine: &Machine<'_>, block: usize| machine.loops.contains(id, block);
    let mut exit = None;
    for &from in members {
        for &to in &graph.blocks[from].successors {
            if !inside(machine, to) && (from != header || exit.replace(to).is_some()) {
                return None;
            }
        }
    }
    let exit = exit?;
    let Some(&Step::Test { context, block: test }) = graph.blocks[header].steps.last() else {
        return None;
    };
    let function = machine.program.function(graph.contexts[context.index()].function);
    let Terminator::Branch { condition, .. } = &function.blocks[test.index()].terminator else {
        return None;
    };
    // The loop goes on where the condition holds: the successor inside is the first one.
    if graph.blocks[header].successors.first() == Some(&exit) {
        return None;
    }
    machine.state = after[header].clone()?;
    machine.position.context = context;
    let (op, left, right) = machine.comparison(condition)?;
    let (left, right) = (left.clone(), right.clone());
    let (left, right) = (machine.eval(&left), machine.eval(&right));
    let (counter, bound) = match op {
        Comparison::Less | Comparison::NotEqual => (left, right.integer()?),
        Comparison::Greater => (right, left.integer()?),
        Comparison::LessEqual => (left, right.integer()?.add(&Size::constant(1))?),
        Comparison::GreaterEqual => (right, left.integer()?.add(&Size::constant(1))?),
        Comparison::Equal => return None,
    };
    let size = counter.integer()?;
    // The counter counts up from 0: until the loop ends nothing of it is cut off.
    let size = machine.symbols.uncut(&size).unwrap_or(size);
    let mut symbols = size.symbols();
    let counter = symbols.next()?;
    drop(symbols);
    if size != Size::symbol(counter) {
        return None;
    }
    if machine.symbols.redefined(&bound, |block| machine.loops.contains(id, block)) {
        return None;
    }
    // Which cell is the counter? The one merged at this header.
    let (_, region, offset) =
        machine.symbols.merged_cell(counter).filter(|(block, _, _)| *block == header)?;
    let cell = (region, offset);
    before[header].as_ref()?.get(&cell)?;
    let mut latches = Vec::new();
    let next = Size::symbol(counter).add(&Size::constant(1))?;
    // An unsigned counter does not wrap before it has passed the bound; if it never passes, the loop has no end.
    let unsigned = machine.symbols.cut_off(Width { bits: 32, signed: false }, next.clone());
    for &from in &predecessors[header] {
        let Some(state) = &after[from] else { continue };
        let value = state.get(&cell)?;
        if machine.loops.contains(id, from) {
            let value = value.integer()?;
            if value != next && value != unsigned {
                return None;
            }
            latches.push(from);
        } else if !matches!(value, Value::Integer(start) if start.as_constant() == Some(0)) {
            return None;
        }
    }
    (!latches.is_empty()).then_some(Counted { counter, bound, exit, latches })
}
