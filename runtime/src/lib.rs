//! The merge on unmodified binaries: trace and plan formats, analysis of traces.

pub mod wire;
