//! Branches that are never taken because a pointer is, or is not, null.
//!
//! Every allocation is taken to succeed (an assumption that is reported), so a pointer to the start of a heap or CUDA
//! block is not null. What such a branch leads to is left out only if nothing there would have to be edited: where the
//! assumption fails, the program must still find what it had.

use std::collections::BTreeMap;

use crate::program::{Comparison, Expr};
use crate::size::Size;

use super::emit::{Draft, DraftKind};
use super::expand::Supergraph;
use super::machine::Machine;
use super::value::{Pointer, Region, Value};

/// A decided null test: how it ends, and the memory that is not null.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Decided {
    pub(crate) truth: bool,
    pub(crate) memory: Option<Region>,
}

enum Nullness {
    Null,
    NotNull(Region),
}

impl Machine<'_> {
    /// How a branch condition ends, if it is a null test of which that is known.
    pub(crate) fn decided(&mut self, condition: &Expr) -> Option<Decided> {
        if let Expr::Cast { value, .. } = condition
            && !self.is_pointer(condition)
        {
            return self.decided(value);
        }
        if let Expr::Compare { op, left, right } = condition {
            let equal_means = match op {
                Comparison::Equal => true,
                Comparison::NotEqual => false,
                Comparison::Less
                | Comparison::LessEqual
                | Comparison::Greater
                | Comparison::GreaterEqual => return None,
            };
            if !self.is_pointer(left) && !self.is_pointer(right) {
                return None;
            }
            return match (self.nullness(left)?, self.nullness(right)?) {
                (Nullness::Null, Nullness::Null) => {
                    Some(Decided { truth: equal_means, memory: None })
                }
                (Nullness::Null, Nullness::NotNull(memory))
                | (Nullness::NotNull(memory), Nullness::Null) => {
                    Some(Decided { truth: !equal_means, memory: Some(memory) })
                }
                (Nullness::NotNull(_), Nullness::NotNull(_)) => None,
            };
        }
        if !self.is_pointer(condition) {
            return None;
        }
        Some(match self.nullness(condition)? {
            Nullness::Null => Decided { truth: false, memory: None },
            Nullness::NotNull(memory) => Decided { truth: true, memory: Some(memory) },
        })
    }

    fn nullness(&mut self, expr: &Expr) -> Option<Nullness> {
        // Its reads have been reported.
        let drafts = self.drafts.take();
        let value = self.eval(expr);
        self.drafts = drafts;
        match value {
            Value::Integer(size) if size.as_constant() == Some(0) => Some(Nullness::Null),
            Value::Pointer(pointer) => match pointer.regions.as_slice() {
                [] if pointer.null && !pointer.unknown => Some(Nullness::Null),
                [(region, offset)] if !pointer.null && !pointer.unknown => {
                    let starts = offset.as_ref().and_then(Size::as_constant) == Some(0);
                    (starts && self.regions.is_memory(*region))
                        .then_some(Nullness::NotNull(*region))
                }
                [] | [_] | [_, ..] => None,
            },
            Value::Integer(_)
            | Value::Unknown(_)
            | Value::Function(_)
            | Value::Nothing
            | Value::Any => None,
        }
    }
}

/// The successors of each block of `graph` without those that are never taken. `decided`: per block that ends in a
/// branch, how that ends.
pub(crate) fn successors(
    graph: &Supergraph,
    drafts: &[Vec<Draft>],
    decided: &BTreeMap<usize, Decided>,
) -> Vec<Vec<usize>> {
    let all: Vec<Vec<usize>> = graph.blocks.iter().map(|block| block.successors.clone()).collect();
    let mut successors = all.clone();
    let mut looked_at = vec![false; successors.len()];
    let mut entries = vec![0usize; successors.len()];
    for &to in successors.iter().flatten() {
        entries[to] += 1;
    }
    for (&block, decision) in decided {
        let &[then, otherwise] = successors[block].as_slice() else { continue };
        let (kept, dropped) = if decision.truth { (then, otherwise) } else { (otherwise, then) };
        let gone = only_behind(&successors, &entries, dropped);
        let is_edited = gone
            .iter()
            .flat_map(|&block| &drafts[block])
            .any(|draft| would_be_edited(draft, decision.memory));
        if is_edited || gone.contains(&block) {
            continue;
        }
        successors[block] = vec![kept];
        entries[dropped] -= 1;
        for &block in &gone {
            looked_at[block] = true;
            for to in std::mem::take(&mut successors[block]) {
                entries[to] -= 1;
            }
        }
    }
    // Loops in what was left out are not seen by counting entries.
    let (before, after) = (reachable(&all), reachable(&successors));
    let is_lost = |&block: &usize| before[block] && !after[block] && !looked_at[block];
    let mut lost = (0..all.len()).filter(is_lost).flat_map(|block| &drafts[block]);
    if lost.any(|draft| would_be_edited(draft, None)) { all } else { successors }
}

/// Which blocks control may reach from the first one.
pub(crate) fn reachable(successors: &[Vec<usize>]) -> Vec<bool> {
    let mut seen = vec![false; successors.len()];
    let mut work = Vec::new();
    if !seen.is_empty() {
        seen[0] = true;
        work.push(0);
    }
    while let Some(block) = work.pop() {
        for &to in &successors[block] {
            if !std::mem::replace(&mut seen[to], true) {
                work.push(to);
            }
        }
    }
    seen
}

/// The blocks that are reached only through one edge to `from`.
fn only_behind(successors: &[Vec<usize>], entries: &[usize], from: usize) -> Vec<usize> {
    let mut left: BTreeMap<usize, usize> = BTreeMap::new();
    let mut gone = Vec::new();
    let mut work = vec![from];
    while let Some(block) = work.pop() {
        let left = left.entry(block).or_insert(entries[block]);
        *left = left.saturating_sub(1);
        if *left == 0 && !gone.contains(&block) {
            gone.push(block);
            work.extend(&successors[block]);
        }
    }
    gone
}

/// Whether a merge could change the statement, or where it is: it allocates, copies or frees memory other than `null`,
/// which is null there.
fn would_be_edited(draft: &Draft, null: Option<Region>) -> bool {
    let frees = |pointer: &Pointer| {
        pointer.unknown || pointer.regions.iter().any(|(region, _)| Some(*region) != null)
    };
    match &draft.kind {
        DraftKind::Allocate(_) | DraftKind::Copy(_) => true,
        DraftKind::HostRelease { pointer, .. } | DraftKind::DeviceRelease { pointer, .. } => {
            frees(pointer)
        }
        DraftKind::Event(_)
        | DraftKind::Host(_)
        | DraftKind::Work(_)
        | DraftKind::Store { .. }
        | DraftKind::Observe { .. }
        | DraftKind::Escape { .. }
        | DraftKind::HostCallback { .. }
        | DraftKind::ThreadStart { .. }
        | DraftKind::Return { .. } => false,
    }
}
