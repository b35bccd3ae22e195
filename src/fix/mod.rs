//! `echo-fix`: the command line.
//!
//! 1. [`arguments`] and [`configuration`] become [`settings`]. 2. [`discover`] finds the units. 3. [`rounds`] has each
//!    analysed by another process ([`isolate`], [`worker_process`], [`worker`], [`unit`]) and puts the reports together
//!    ([`merge_units`]), again until all agree. 4. [`patch`] makes the changes. 5. [`report`] words them, [`apply`] writes them.

mod apply;
mod arguments;
mod callers;
mod configuration;
mod discover;
mod form;
mod isolate;
mod journal;
mod linkage;
mod merge_units;
mod message;
mod model;
mod models;
mod output;
mod patch;
mod places;
mod prefixes;
mod report;
mod rounds;
mod run;
mod settings;
mod unit;
mod witnesses;
mod worker;
mod worker_process;

pub use run::main;
