//! Dominance between events.

use petgraph::algo::dominators::{Dominators, simple_fast};
use petgraph::graph::{DiGraph, NodeIndex};

use crate::event::{EventGraph, EventId};

/// Answers whether one event lies on every path to another.
pub(crate) struct Dominance {
    tree: Option<Dominators<NodeIndex>>,
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
        let tree = (!graph.blocks.is_empty()).then(|| simple_fast(&flow, NodeIndex::new(0)));
        Self { tree, block_of }
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
        self.tree
            .as_ref()
            .and_then(|tree| tree.dominators(NodeIndex::new(b)))
            .is_some_and(|mut up| up.any(|node| node.index() == a))
    }
}
