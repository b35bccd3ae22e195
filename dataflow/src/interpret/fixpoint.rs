//! The fixpoint over a root's graph, and one last pass that collects events.

use std::collections::BTreeSet;
use std::rc::Rc;

use imbl::ordmap::DiffItem;

use super::emit::Draft;
use super::machine::Machine;
use super::regions::RegionKind;
use super::state::{ANYWHERE, State};
use super::symbols::SymbolKey;
use super::value::{Pointer, Region, Value};

/// Visits of one block after which the analysis gives up on the root. States are of finite height, so this is never
/// reached by programs that were met; it bounds the time on hostile ones.
const MAX_VISITS: u32 = 200;

/// Blocks of inner loops that may be analysed afresh because an outer loop changed; beyond, the iteration goes on from
/// where it is, which is less precise.
const FRESH_STARTS: usize = 20_000;

/// States before and after each block, and the events of each.
pub(crate) struct Solution {
    pub(crate) before: Vec<Option<State>>,
    pub(crate) after: Vec<Option<State>>,
    pub(crate) drafts: Vec<Vec<Draft>>,
}

/// Runs to a fixpoint; `None` if it was not reached.
pub(crate) fn solve(machine: &mut Machine<'_>, entry: &State) -> Option<Solution> {
    let count = machine.graph.blocks.len();
    let mut predecessors = vec![Vec::new(); count];
    for (from, block) in machine.graph.blocks.iter().enumerate() {
        for &to in &block.successors {
            predecessors[to].push(from);
        }
    }
    let mut before: Vec<Option<State>> = vec![None; count];
    let mut after: Vec<Option<State>> = vec![None; count];
    let mut visits = vec![0u32; count];
    // Cells that once differed at a block keep their symbol there: so values only grow.
    let mut merged: Vec<BTreeSet<(Region, i64)>> = vec![BTreeSet::new(); count];
    let mut fresh_starts = FRESH_STARTS;
    let nested = machine.loops.nested();
    let mut work: BTreeSet<(usize, usize)> = BTreeSet::from([(machine.loops.order[0], 0)]);
    while let Some((_, block)) = work.pop_first() {
        if block != 0 && predecessors[block].iter().all(|&from| after[from].is_none()) {
            continue;
        }
        visits[block] += 1;
        if visits[block] > MAX_VISITS {
            return None;
        }
        let state = join_predecessors(
            machine,
            block,
            &predecessors[block],
            &after,
            before[block].as_ref(),
            &mut merged[block],
            entry,
        );
        let unchanged = before[block].as_ref().is_some_and(|old| same(old, &state));
        if unchanged && after[block].is_some() {
            continue;
        }
        let entered = machine.loops.headed_by(block).filter(|_| before[block].is_some());
        before[block] = Some(state.clone());
        machine.state = state;
        run_block(machine, block);
        let new = std::mem::take(&mut machine.state);
        let changed = after[block].as_ref().is_none_or(|old| !same(old, &new));
        // Loops inside start afresh: what their last rounds left would meet what enters them now, and numbers that
        // differ only between the two would lose their identity. The budget bounds nests of many loops.
        if let Some(id) = entered.filter(|_| fresh_starts > 0) {
            let inner = &nested[id.index()];
            for &(b, _) in inner {
                before[b] = None;
                after[b] = None;
                merged[b].clear();
                visits[b] = 0;
                work.remove(&(machine.loops.order[b], b));
            }
            // What enters them may be as it was.
            for &(_, child) in inner {
                let header = machine.loops.headers[child.index()];
                work.insert((machine.loops.order[header], header));
            }
            fresh_starts = fresh_starts.saturating_sub(inner.len());
        }
        after[block] = Some(new);
        if changed {
            for &to in &machine.graph.blocks[block].successors {
                work.insert((machine.loops.order[to], to));
            }
        }
    }
    // Every block that something leads to has been analysed.
    let left_out = (0..count).any(|block| {
        after[block].is_none() && predecessors[block].iter().any(|&from| after[from].is_some())
    });
    if left_out {
        return None;
    }
    let mut drafts = vec![Vec::new(); count];
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by_key(|&b| machine.loops.order[b]);
    for block in order {
        if let Some(state) = &before[block] {
            machine.state = state.clone();
            machine.drafts = Some(Vec::new());
            run_block(machine, block);
            drafts[block] = machine.drafts.take().unwrap_or_default();
            drafts[block].shrink_to_fit();
        }
    }
    Some(Solution { before, after, drafts })
}

fn run_block(machine: &mut Machine<'_>, block: usize) {
    let graph = machine.graph;
    for (index, &step) in graph.blocks[block].steps.iter().enumerate() {
        machine.step(block, index, step);
    }
}

fn same(left: &State, right: &State) -> bool {
    (left.cells.ptr_eq(&right.cells) || left.cells == right.cells)
        && left.escaped == right.escaped
        && left.watched == right.watched
        && left.released == right.released
}

fn join_predecessors(
    machine: &mut Machine<'_>,
    block: usize,
    predecessors: &[usize],
    after: &[Option<State>],
    old: Option<&State>,
    merged: &mut BTreeSet<(Region, i64)>,
    entry: &State,
) -> State {
    let headed = machine.loops.headed_by(block);
    let mut joined: Option<State> = (block == 0).then(|| entry.clone());
    for &from in predecessors {
        let Some(state) = &after[from] else { continue };
        joined = Some(match joined {
            None => state.clone(),
            Some(so_far) => join(machine, block, &so_far, state, merged),
        });
    }
    let mut joined = joined.unwrap_or_else(|| entry.clone());
    if let Some(id) = headed {
        // Numbers that a previous iteration made must not be taken for this iteration's.
        let loops = machine.loops;
        let stale: Vec<((Region, i64), Value)> =
            changed_cells(entry_of_loop(id, block, predecessors, after, loops), &joined)
                .into_iter()
                .filter_map(|(key, value)| {
                    let inside = |b: usize| loops.contains(id, b);
                    let own = machine.symbols.lookup(&SymbolKey::Merged {
                        block,
                        region: key.0,
                        offset: key.1,
                    });
                    match value.as_ref() {
                        Value::Integer(size) if machine.symbols.redefined(size, inside) => {
                            Some((key, Value::Nothing))
                        }
                        Value::Unknown(symbol)
                            if Some(*symbol) != own
                                && machine
                                    .symbols
                                    .redefined(&crate::size::Size::symbol(*symbol), inside) =>
                        {
                            Some((key, Value::Nothing))
                        }
                        Value::Pointer(pointer) => {
                            let stale = pointer.regions.iter().any(|(_, offset)| {
                                offset
                                    .as_ref()
                                    .is_some_and(|o| machine.symbols.redefined(o, inside))
                            });
                            stale.then(|| {
                                let regions = pointer
                                    .regions
                                    .iter()
                                    .map(|(r, offset)| {
                                        let keep = offset
                                            .as_ref()
                                            .is_some_and(|o| !machine.symbols.redefined(o, inside));
                                        (*r, offset.clone().filter(|_| keep))
                                    })
                                    .collect();
                                (key, Value::Pointer(Pointer { regions, ..*pointer }))
                            })
                        }
                        Value::Integer(_)
                        | Value::Unknown(_)
                        | Value::Nothing
                        | Value::Function(_)
                        | Value::Any => None,
                    }
                })
                .collect();
        for (key, value) in stale {
            let value = if let Value::Nothing = value {
                merged.insert(key);
                merged_value(machine, block, key)
            } else {
                value
            };
            joined.set(key, value);
        }
        // Sets of pointers only grow at a header, so that the iteration ends.
        if let Some(old) = old {
            let grown: Vec<((Region, i64), Value)> = changed_cells(Some(old), &joined)
                .into_iter()
                .filter_map(|(key, value)| match (old.get(&key), value.as_ref()) {
                    (Some(before @ Value::Pointer(_)), Value::Pointer(_)) => {
                        Some((key, before.join(&value, || None)))
                    }
                    (
                        Some(_) | None,
                        Value::Nothing
                        | Value::Integer(_)
                        | Value::Pointer(_)
                        | Value::Function(_)
                        | Value::Unknown(_)
                        | Value::Any,
                    ) => None,
                })
                .collect();
            for (key, value) in grown {
                joined.set(key, value);
            }
        }
    }
    let sticky: Vec<(Region, i64)> = merged.iter().copied().collect();
    for key in sticky {
        let current = joined.get(&key);
        let number =
            matches!(current, Some(Value::Integer(_) | Value::Unknown(_) | Value::Function(_)));
        if number {
            let value = merged_value(machine, block, key);
            joined.set(key, value);
        }
    }
    joined
}

/// The state in which a loop is entered, to tell which cells its iterations changed.
fn entry_of_loop<'s>(
    id: crate::event::LoopId,
    _header: usize,
    predecessors: &[usize],
    after: &'s [Option<State>],
    loops: &super::components::Components,
) -> Option<&'s State> {
    predecessors.iter().filter(|&&p| !loops.contains(id, p)).find_map(|&p| after[p].as_ref())
}

fn changed_cells(old: Option<&State>, new: &State) -> Vec<((Region, i64), Rc<Value>)> {
    match old {
        None => new.cells.iter().map(|(key, value)| (*key, Rc::clone(value))).collect(),
        Some(old) => old
            .cells
            .diff(&new.cells)
            .filter_map(|item| match item {
                DiffItem::Add(key, value) => Some((*key, Rc::clone(value))),
                DiffItem::Update { new: (key, value), .. } => Some((*key, Rc::clone(value))),
                DiffItem::Remove(..) => None,
            })
            .collect(),
    }
}

fn merged_value(machine: &mut Machine<'_>, block: usize, (region, offset): (Region, i64)) -> Value {
    if offset == ANYWHERE {
        return Value::Any;
    }
    let symbol = machine.symbols.intern(SymbolKey::Merged { block, region, offset });
    let name = machine.regions.info(region).name.clone();
    machine.symbols.name(symbol, &name);
    Value::Unknown(symbol)
}

/// A cell whose entries differ on two paths.
type Difference = ((Region, i64), Option<Rc<Value>>, Option<Rc<Value>>);

/// The state where two paths meet at `block`.
fn join(
    machine: &mut Machine<'_>,
    block: usize,
    left: &State,
    right: &State,
    merged: &mut BTreeSet<(Region, i64)>,
) -> State {
    let mut joined = left.clone();
    let differing: Vec<Difference> = left
        .cells
        .diff(&right.cells)
        .map(|item| match item {
            DiffItem::Add(key, value) => (*key, None, Some(Rc::clone(value))),
            DiffItem::Update { old: (key, old), new: (_, new) } => {
                (*key, Some(Rc::clone(old)), Some(Rc::clone(new)))
            }
            DiffItem::Remove(key, value) => (*key, Some(Rc::clone(value)), None),
        })
        .collect();
    for (key, old, new) in differing {
        let value = match (old, new) {
            (Some(old), Some(new)) => meet(machine, block, key, &old, &new, merged),
            (Some(one), None) => {
                let other = elsewhere(machine, right, key);
                meet(machine, block, key, &one, &other, merged)
            }
            (None, Some(one)) => {
                let other = elsewhere(machine, left, key);
                meet(machine, block, key, &one, &other, merged)
            }
            (None, None) => continue,
        };
        joined.set(key, value);
    }
    if !left.escaped.ptr_eq(&right.escaped) && left.escaped != right.escaped {
        joined.escaped = left.escaped.clone().union(right.escaped.clone());
    }
    if left.watched != right.watched {
        joined.watched = left.watched.clone().union(right.watched.clone());
    }
    if left.released != right.released {
        // Released on both paths, or never brought into being on one of them.
        joined.released = left.released.clone().intersection(right.released.clone());
    }
    joined
}

/// What a cell that `state` has no entry for holds there.
fn elsewhere(machine: &mut Machine<'_>, state: &State, (region, offset): (Region, i64)) -> Value {
    let initial = machine.absent(region, offset);
    if offset == ANYWHERE {
        // No store at an unknown offset on that path: it adds nothing, unless the beginnings do.
        return match machine.regions.info(region).kind {
            RegionKind::External(_) | RegionKind::Variable { context: None, .. } => Value::Any,
            RegionKind::Variable { context: Some(_), .. }
            | RegionKind::Host { .. }
            | RegionKind::Cuda { .. }
            | RegionKind::Stream(_)
            | RegionKind::Marker(_)
            | RegionKind::Handle(_)
            | RegionKind::Constant => Value::Nothing,
        };
    }
    match state.get(&(region, ANYWHERE)) {
        Some(value) => value.clone().join(&initial, || None),
        None => initial,
    }
}

fn meet(
    machine: &mut Machine<'_>,
    block: usize,
    key: (Region, i64),
    left: &Value,
    right: &Value,
    merged: &mut BTreeSet<(Region, i64)>,
) -> Value {
    let value = left.join(right, || None);
    // Two numbers that differ: one number of this place.
    let numbers = !matches!(left, Value::Any | Value::Pointer(_))
        && !matches!(right, Value::Any | Value::Pointer(_));
    if matches!(value, Value::Any) && numbers {
        merged.insert(key);
        return merged_value(machine, block, key);
    }
    value
}
