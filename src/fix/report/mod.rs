//! The forms of the result, and all words of objections.

pub(crate) mod explain;
pub(crate) mod json;
pub(crate) mod sarif;
mod sources;
pub(crate) mod summary;
pub(crate) mod text;
pub(crate) mod words;
