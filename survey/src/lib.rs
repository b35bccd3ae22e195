//! Repositories to counts of the copy pattern.
mod api;
mod facts;
mod prefilter;
mod syntax;
