//! Graphs: what a stream is given while it is captured, kept to be submitted again. One stream per capture; what joins
//! another stream to it ends the process. A graph replays in the order in which it was recorded.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::global::Global;
use crate::operation::Work;
use crate::schedule;
use crate::trap::{Trap, trap};

struct Node {
    work: Work,
    name: String,
}

struct State {
    open: BTreeMap<usize, Vec<Node>>,
    graphs: Vec<Option<Rc<Vec<Node>>>>,
}

static STATE: Global<State> = Global::new(State { open: BTreeMap::new(), graphs: Vec::new() });

/// Whether the stream is being captured.
pub(crate) fn is_open(stream: usize) -> bool {
    STATE.get().open.contains_key(&stream)
}

/// Whether any stream is being captured that the legacy stream would have to wait for.
pub(crate) fn is_any_blocking() -> bool {
    let open: Vec<usize> = STATE.get().open.keys().copied().collect();
    open.into_iter().any(|stream| !schedule::is_non_blocking(stream))
}

/// Begins to capture a stream; false if it is captured already.
pub(crate) fn begin(stream: usize) -> bool {
    STATE.get().open.insert(stream, Vec::new()).is_none()
}

/// Keeps the work of a captured stream.
pub(crate) fn add(stream: usize, work: Work, name: &str) {
    if work.again().is_none() {
        trap(Trap::Unsupported, &format!("not supported: {name} in a graph"));
    }
    if let Some(nodes) = STATE.get().open.get_mut(&stream) {
        nodes.push(Node { work, name: name.to_owned() });
    }
}

/// Ends the capture of a stream: the new graph's number; None if the stream is not captured.
pub(crate) fn end(stream: usize) -> Option<usize> {
    let mut state = STATE.get();
    let nodes = state.open.remove(&stream)?;
    state.graphs.push(Some(Rc::new(nodes)));
    Some(state.graphs.len() - 1)
}

/// A copy of a graph, for launches; None if there is no such graph.
pub(crate) fn instantiate(graph: usize) -> Option<usize> {
    let mut state = STATE.get();
    let nodes = Rc::clone(state.graphs.get(graph)?.as_ref()?);
    state.graphs.push(Some(nodes));
    Some(state.graphs.len() - 1)
}

/// Number of nodes; None if there is no such graph.
pub(crate) fn nodes(graph: usize) -> Option<usize> {
    Some(STATE.get().graphs.get(graph)?.as_ref()?.len())
}

/// Forgets a graph; work that was submitted goes on. False if there is no such graph.
pub(crate) fn destroy(graph: usize) -> bool {
    STATE.get().graphs.get_mut(graph).and_then(Option::take).is_some()
}

/// Submits everything in a graph to a stream; false if there is no such graph.
pub(crate) fn launch(graph: usize, stream: usize) -> bool {
    let nodes = match STATE.get().graphs.get(graph) {
        Some(Some(nodes)) => Rc::clone(nodes),
        Some(None) | None => return false,
    };
    for node in nodes.iter() {
        if let Some(work) = node.work.again() {
            schedule::submit(stream, work, &node.name, None);
        }
    }
    true
}
