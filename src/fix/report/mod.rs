//! The forms of the result.

pub(crate) mod json;
pub(crate) mod sarif;
pub(crate) mod text;
