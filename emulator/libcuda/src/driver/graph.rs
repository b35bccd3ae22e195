//! Stream capture and graphs.

use super::entry_points;
use super::result::{CAPTURE_UNSUPPORTED, INVALID_HANDLE, INVALID_VALUE, SUCCESS};
use super::stream::index_of;
use crate::{capture, schedule};

const FIRST_HANDLE: usize = 0xA000_0000;

fn number_of(handle: usize) -> Option<usize> {
    let offset = handle.checked_sub(FIRST_HANDLE)?;
    offset.is_multiple_of(16).then_some(offset / 16)
}

entry_points! { lookup;
    /// Begins to record what a stream is given. All modes are alike.
    fn cuStreamBeginCapture_v2(handle: usize, _mode: i32) {
        let Some(index) = index_of(handle) else { return INVALID_HANDLE };
        schedule::call_point();
        if index == schedule::LEGACY || !capture::begin(index) {
            return CAPTURE_UNSUPPORTED;
        }
        SUCCESS
    }
    /// Makes a graph of what was recorded.
    fn cuStreamEndCapture(handle: usize, graph: *mut usize) {
        let Some(index) = index_of(handle) else { return INVALID_HANDLE };
        let Some(made) = capture::end(index) else { return INVALID_VALUE };
        *graph = FIRST_HANDLE + made * 16;
        SUCCESS
    }
    /// Whether a stream is being recorded: 0 no, 1 yes.
    fn cuStreamIsCapturing(handle: usize, status: *mut i32) {
        let Some(index) = index_of(handle) else { return INVALID_HANDLE };
        *status = i32::from(capture::is_open(index));
        SUCCESS
    }
    /// Makes a graph ready to launch.
    fn cuGraphInstantiateWithFlags(out: *mut usize, graph: usize, _flags: u64) {
        let Some(made) = number_of(graph).and_then(capture::instantiate) else { return INVALID_VALUE };
        *out = FIRST_HANDLE + made * 16;
        SUCCESS
    }
    /// Number of nodes. Nodes have no handles here.
    fn cuGraphGetNodes(graph: usize, nodes: *mut usize, count: *mut usize) {
        let Some(number) = number_of(graph).and_then(capture::nodes) else { return INVALID_VALUE };
        if !nodes.is_null() {
            return INVALID_VALUE;
        }
        *count = number;
        SUCCESS
    }
    /// Launches all of it in a stream.
    fn cuGraphLaunch(graph: usize, stream: usize) {
        let Some(index) = index_of(stream) else { return INVALID_HANDLE };
        schedule::call_point();
        if number_of(graph).is_some_and(|graph| capture::launch(graph, index)) {
            SUCCESS
        } else {
            INVALID_VALUE
        }
    }
    /// Nothing to do.
    fn cuGraphUpload(_graph: usize, _stream: usize) {
        SUCCESS
    }
    /// Ends the handle; work goes on.
    fn cuGraphExecDestroy(graph: usize) {
        if number_of(graph).is_some_and(capture::destroy) { SUCCESS } else { INVALID_VALUE }
    }
    /// Ends the handle; what was made of the graph stays.
    fn cuGraphDestroy(graph: usize) {
        if number_of(graph).is_some_and(capture::destroy) { SUCCESS } else { INVALID_VALUE }
    }
}
