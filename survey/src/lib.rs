//! Repositories to counts of the copy pattern.
