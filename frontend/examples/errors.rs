//! Parses files and prints, per file, seconds, number of errors and the first: `errors FILE...`.
#![allow(clippy::print_stdout, missing_docs)]
use echo_frontend::arguments::{ArgumentOptions, unit_arguments};
use echo_frontend::{Frontend, FrontendOptions, UnitInput};
use std::path::PathBuf;
use std::time::Instant;

fn main() {
    let frontend = Frontend::load(FrontendOptions::default()).expect("libclang");
    for path in std::env::args().skip(1).map(PathBuf::from) {
        let unit = unit_arguments(&path, &ArgumentOptions::default(), frontend.library());
        let start = Instant::now();
        let input = UnitInput {
            path: path.clone(),
            arguments: unit.arguments,
            roots: Vec::new(),
            prefix: None,
        };
        let Ok(parsed) = frontend.parse(&input) else {
            println!("{}\tfailed", path.display());
            continue;
        };
        let first = parsed.errors.first().map_or("", String::as_str);
        let main = parsed.program.functions.iter().find(|f| f.name == "main");
        let main = match main.map(|f| f.opaque.as_deref()) {
            None => "no main".to_owned(),
            Some(None) => "main understood".to_owned(),
            Some(Some(why)) => format!("main opaque: {why}"),
        };
        let seconds = start.elapsed().as_secs_f64();
        println!("{}\t{seconds:.2}\t{}\t{first}\t{main}", path.display(), parsed.errors.len());
    }
}
