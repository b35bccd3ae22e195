//! The merge on unmodified binaries: preload library, traces and plans.
