//! `echo-fix`: the command line.

mod apply;
mod arguments;
mod configuration;
mod explain;
mod isolate;
mod merge_units;
mod model;
mod models;
mod report;
mod run;
mod settings;
mod unit;
mod words;

pub use run::main;
