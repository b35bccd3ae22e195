//! Forward analyses over event graphs.

pub(crate) mod dominators;
pub(crate) mod fixpoint;
pub(crate) mod pending;
pub(crate) mod queues;
