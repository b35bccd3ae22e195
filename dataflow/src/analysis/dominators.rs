//! Dominance between events.

use petgraph::algo::dominators::simple_fast;
use petgraph::graph::{DiGraph, NodeIndex};

use crate::event::{EventGraph, EventId};

/// Answers whether one event lies on every path to another.
pub(crate) struct Dominance {
    /// Per block: when a walk over the dominator tree enters it and leaves it; empty if it is not reached.
    stays: Vec<std::ops::Range<usize>>,
    block_of: Vec<usize>,
}

impl Dominance {
    /// Of `graph`.
    pub(crate) fn new(graph: &EventGraph) -> Self {
        let mut flow: DiGraph<(), ()> =
            DiGraph::with_capacity(graph.blocks.len(), graph.blocks.len());
        for _ in &graph.blocks {
            flow.add_node(());
        }
        let mut block_of = vec![0; graph.events.len()];
        for (index, block) in graph.blocks.iter().enumerate() {
            for to in &block.successors {
                flow.add_edge(NodeIndex::new(index), NodeIndex::new(to.index()), ());
            }
            for event in block.first..block.first + block.count {
                block_of[event as usize] = index;
            }
        }
        Self { stays: stays(&flow), block_of }
    }

    /// The block of an event.
    pub(crate) fn block(&self, event: EventId) -> usize {
        self.block_of[event.index()]
    }

    /// Whether every path to `later` passes `earlier` first.
    pub(crate) fn dominates(&self, earlier: EventId, later: EventId) -> bool {
        let (a, b) = (self.block(earlier), self.block(later));
        if a == b {
            return earlier < later;
        }
        !self.stays[b].is_empty() && self.stays[a].contains(&self.stays[b].start)
    }
}

fn stays(flow: &DiGraph<(), ()>) -> Vec<std::ops::Range<usize>> {
    let count = flow.node_count();
    let mut stays = vec![0..0; count];
    if count == 0 {
        return stays;
    }
    let root = NodeIndex::new(0);
    let tree = simple_fast(flow, root);
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); count];
    for block in 0..count {
        if let Some(parent) = tree.immediate_dominator(NodeIndex::new(block)) {
            children[parent.index()].push(block);
        }
    }
    let mut clock = 0;
    let mut walk = vec![(root.index(), 0)];
    while let Some((block, next)) = walk.last_mut() {
        let block = *block;
        if *next == 0 {
            stays[block].start = clock;
            clock += 1;
        }
        if let Some(&child) = children[block].get(*next) {
            *next += 1;
            walk.push((child, 0));
        } else {
            stays[block].end = clock;
            walk.pop();
        }
    }
    stays
}
