//! One worklist loop over any join semilattice.

use std::collections::BTreeSet;

use crate::event::{EventBlockId, EventGraph};

/// A state of a forward analysis; bottom is "not reached", kept outside as `None`.
pub(crate) trait State: Clone {
    /// Makes `self` the join of both; whether it grew.
    fn join(&mut self, other: &Self) -> bool;
}

/// States at the entry of each block, `None` where control never comes.
pub(crate) fn forward<S: State>(
    graph: &EventGraph,
    entry: S,
    mut transfer: impl FnMut(EventBlockId, &mut S),
) -> Vec<Option<S>> {
    let order = order(graph);
    let mut states: Vec<Option<S>> = vec![None; graph.blocks.len()];
    if states.is_empty() {
        return states;
    }
    states[0] = Some(entry);
    let mut work: BTreeSet<(usize, usize)> = BTreeSet::from([(0, 0)]);
    while let Some((_, block)) = work.pop_first() {
        let Some(mut state) = states[block].clone() else { continue };
        transfer(EventBlockId::new(block), &mut state);
        for &to in &graph.blocks[block].successors {
            let slot = &mut states[to.index()];
            let grew = match slot {
                None => {
                    *slot = Some(state.clone());
                    true
                }
                Some(old) => old.join(&state),
            };
            if grew {
                work.insert((order[to.index()], to.index()));
            }
        }
    }
    states
}

/// Position of each block in reverse post-order.
pub(crate) fn order(graph: &EventGraph) -> Vec<usize> {
    let count = graph.blocks.len();
    let mut order = vec![usize::MAX; count];
    let mut seen = vec![false; count];
    let mut post = Vec::with_capacity(count);
    let mut stack: Vec<(usize, usize)> = Vec::new();
    if count > 0 {
        seen[0] = true;
        stack.push((0, 0));
    }
    while let Some(&mut (block, ref mut next)) = stack.last_mut() {
        if let Some(to) = graph.blocks[block].successors.get(*next) {
            *next += 1;
            if !std::mem::replace(&mut seen[to.index()], true) {
                stack.push((to.index(), 0));
            }
        } else {
            post.push(block);
            stack.pop();
        }
    }
    for (position, &block) in post.iter().rev().enumerate() {
        order[block] = position;
    }
    order
}
