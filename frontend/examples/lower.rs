//! Prints the lowered functions of a file: `lower FILE [--functions] [-- ARGS]`.
#![allow(clippy::print_stdout, missing_docs)]
use echo_frontend::arguments::{ArgumentOptions, unit_arguments};
use echo_frontend::{Frontend, FrontendOptions, UnitInput};
use std::path::PathBuf;

fn main() {
    let mut words = std::env::args().skip(1);
    let path = PathBuf::from(words.next().expect("a file"));
    let rest: Vec<String> = words.collect();
    let verbose = rest.iter().any(|a| a == "--functions");
    let extra: Vec<String> = rest.iter().skip_while(|a| *a != "--").skip(1).cloned().collect();
    let frontend = Frontend::load(FrontendOptions::default()).expect("libclang");
    let options = ArgumentOptions { extra, ..ArgumentOptions::default() };
    let arguments = unit_arguments(&path, &options, frontend.library()).arguments;
    let unit = frontend
        .parse(&UnitInput { path, arguments, roots: Vec::new(), prefix: None })
        .expect("parse");
    for error in &unit.errors {
        println!("error: {error}");
    }
    for function in &unit.program.functions {
        println!(
            "{:?} {} blocks={} opaque={:?}",
            function.kind,
            function.name,
            function.blocks.len(),
            function.opaque
        );
        if verbose {
            for (index, block) in function.blocks.iter().enumerate() {
                println!("  b{index}:");
                for statement in &block.statements {
                    println!("    {:?}", statement.kind);
                }
                println!("    -> {:?}", block.terminator);
            }
        }
    }
}
