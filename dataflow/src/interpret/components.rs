//! Loops of a graph as nested strongly connected components with one header each (Bourdoncle's decomposition), so
//! that every cycle, reducible or not, passes through a header.

use crate::event::LoopId;

/// The loops of a graph.
#[derive(Debug, Default)]
pub(crate) struct Components {
    /// Per block: loops it is in, outermost first.
    pub(crate) loops_of: Vec<Vec<LoopId>>,
    /// Per loop: its header block.
    pub(crate) headers: Vec<usize>,
    /// Per block: position in a topological order of the nested components: a loop is complete before what follows it,
    /// so that a fixpoint in this order finishes each loop before it goes on (Bourdoncle's weak topological order).
    pub(crate) order: Vec<usize>,
}

impl Components {
    /// Whether `block` is in loop `id`.
    pub(crate) fn contains(&self, id: LoopId, block: usize) -> bool {
        self.loops_of[block].contains(&id)
    }

    /// Per loop: its blocks, ascending.
    pub(crate) fn members(&self) -> Vec<Vec<usize>> {
        let mut members = vec![Vec::new(); self.headers.len()];
        for (block, nest) in self.loops_of.iter().enumerate() {
            nest.iter().for_each(|id| members[id.index()].push(block));
        }
        members
    }

    /// Per loop: the blocks of the loops directly or deeper inside it, each with the one directly inside.
    pub(crate) fn nested(&self) -> Vec<Vec<(usize, LoopId)>> {
        let mut nested = vec![Vec::new(); self.headers.len()];
        for (block, nest) in self.loops_of.iter().enumerate() {
            for pair in nest.windows(2) {
                nested[pair[0].index()].push((block, pair[1]));
            }
        }
        nested
    }

    /// The loop that `block` is the header of.
    pub(crate) fn headed_by(&self, block: usize) -> Option<LoopId> {
        self.loops_of[block].iter().copied().rfind(|id| self.headers[id.index()] == block)
    }
}

/// What is still to be placed in the order.
enum Pending {
    Block(usize),
    /// Blocks within these loops, to be decomposed.
    Region(Vec<usize>, Vec<LoopId>),
}

/// Decomposes the graph given by `successors`, entered at block 0.
pub(crate) fn components(successors: &[Vec<usize>]) -> Components {
    let count = successors.len();
    let depth_first = reverse_post_order(successors);
    let mut result = Components {
        loops_of: vec![Vec::new(); count],
        headers: Vec::new(),
        order: vec![0; count],
    };
    let mut placed = 0;
    let mut region = vec![u32::MAX; count];
    let mut stamp = 0;
    // The next thing to place is at the end.
    let mut work = vec![Pending::Region((0..count).collect(), Vec::new())];
    while let Some(next) = work.pop() {
        let (blocks, outer) = match next {
            Pending::Block(block) => {
                result.order[block] = placed;
                placed += 1;
                continue;
            }
            Pending::Region(blocks, outer) => (blocks, outer),
        };
        stamp += 1;
        for &b in &blocks {
            region[b] = stamp;
        }
        // Components come sinks first, which is how a stack wants them.
        for component in strong_components(&blocks, successors, &region, stamp) {
            let cyclic = component.len() > 1 || successors[component[0]].contains(&component[0]);
            if !cyclic {
                result.loops_of[component[0]].clone_from(&outer);
                work.push(Pending::Block(component[0]));
                continue;
            }
            let header =
                component.iter().copied().min_by_key(|&b| depth_first[b]).unwrap_or(component[0]);
            let id = LoopId::new(result.headers.len());
            result.headers.push(header);
            let mut nest = outer.clone();
            nest.push(id);
            result.loops_of[header].clone_from(&nest);
            let inner: Vec<usize> = component.into_iter().filter(|&b| b != header).collect();
            if !inner.is_empty() {
                work.push(Pending::Region(inner, nest));
            }
            work.push(Pending::Block(header));
        }
    }
    result
}

/// Position of each block in reverse post-order; unreachable blocks come last.
fn reverse_post_order(successors: &[Vec<usize>]) -> Vec<usize> {
    let count = successors.len();
    let mut order = vec![usize::MAX; count];
    let mut seen = vec![false; count];
    let mut post = Vec::with_capacity(count);
    if count > 0 {
        let mut stack = vec![(0usize, 0usize)];
        seen[0] = true;
        while let Some(&mut (block, ref mut next)) = stack.last_mut() {
            if let Some(&to) = successors[block].get(*next) {
                *next += 1;
                if !seen[to] {
                    seen[to] = true;
                    stack.push((to, 0));
                }
            } else {
                post.push(block);
                stack.pop();
            }
        }
    }
    for (position, &block) in post.iter().rev().enumerate() {
        order[block] = position;
    }
    let reached = post.len();
    let mut next = reached;
    for place in &mut order {
        if *place == usize::MAX {
            *place = next;
            next += 1;
        }
    }
    order
}

/// Tarjan's algorithm, iterative, on the subgraph of blocks whose `region` is `stamp`.
fn strong_components(
    blocks: &[usize],
    successors: &[Vec<usize>],
    region: &[u32],
    stamp: u32,
) -> Vec<Vec<usize>> {
    use std::collections::HashMap;
    struct Visit {
        index: usize,
        low: usize,
        on_stack: bool,
    }
    let mut visits: HashMap<usize, Visit> = HashMap::with_capacity(blocks.len());
    let mut stack = Vec::new();
    let mut result = Vec::new();
    let mut counter = 0;
    for &start in blocks {
        if visits.contains_key(&start) {
            continue;
        }
        let mut calls = vec![(start, 0usize)];
        visits.insert(start, Visit { index: counter, low: counter, on_stack: true });
        counter += 1;
        stack.push(start);
        while let Some(&mut (block, ref mut next)) = calls.last_mut() {
            if let Some(&to) = successors[block].get(*next) {
                *next += 1;
                if region[to] != stamp {
                    continue;
                }
                match visits.get(&to) {
                    None => {
                        visits.insert(to, Visit { index: counter, low: counter, on_stack: true });
                        counter += 1;
                        stack.push(to);
                        calls.push((to, 0));
                    }
                    Some(seen) if seen.on_stack => {
                        let index = seen.index;
                        if let Some(own) = visits.get_mut(&block) {
                            own.low = own.low.min(index);
                        }
                    }
                    Some(_) => {}
                }
            } else {
                calls.pop();
                let (low, index) = visits.get(&block).map_or((0, 0), |v| (v.low, v.index));
                if let Some(&(parent, _)) = calls.last()
                    && let Some(up) = visits.get_mut(&parent)
                {
                    up.low = up.low.min(low);
                }
                if low == index {
                    let mut component = Vec::new();
                    while let Some(member) = stack.pop() {
                        if let Some(v) = visits.get_mut(&member) {
                            v.on_stack = false;
                        }
                        component.push(member);
                        if member == block {
                            break;
                        }
                    }
                    result.push(component);
                }
            }
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_loops_have_their_own_headers() {
        // 0 -> 1 -> 2 -> 3 -> 2, 3 -> 1, 1 -> 4
        let found = components(&[vec![1], vec![2, 4], vec![3], vec![2, 1], vec![]]);
        assert_eq!(found.loops_of[0].len(), 0);
        assert_eq!(found.loops_of[1].len(), 1);
        assert_eq!(found.loops_of[2].len(), 2);
        assert_eq!(found.loops_of[3].len(), 2);
        assert_eq!(found.loops_of[4].len(), 0);
        assert_eq!(found.headed_by(1), Some(found.loops_of[1][0]));
        assert_eq!(found.headed_by(2), Some(found.loops_of[2][1]));
        assert_eq!(found.headed_by(3), None);
    }

    #[test]
    fn a_loop_comes_before_what_follows_it() {
        // 1 is a header whose exit 4 is its first successor; so is 5, within the same chain.
        let found = components(&[
            vec![1],
            vec![4, 2],
            vec![3],
            vec![1],
            vec![5],
            vec![7, 6],
            vec![5],
            vec![],
        ]);
        let mut placed: Vec<usize> = (0..8).collect();
        placed.sort_by_key(|&b| found.order[b]);
        assert_eq!(placed, [0, 1, 2, 3, 4, 5, 6, 7]);
    }

    #[test]
    fn a_loop_with_two_entries_still_has_one_header() {
        let found = components(&[vec![1, 2], vec![2], vec![1, 3], vec![]]);
        assert_eq!(found.headers.len(), 1);
        assert!(found.loops_of[1].len() == 1 && found.loops_of[2].len() == 1);
    }
}
