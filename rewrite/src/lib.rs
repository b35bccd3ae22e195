//! Proofs to edits to unified diffs.
