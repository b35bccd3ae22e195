//! Prints the lowered functions of a file: `lower FILE [--functions] [-- ARGS]`; `ECHO_HEADERS` is a folder of headers.
#![allow(clippy::print_stdout, missing_docs)]
use echo_frontend::{Frontend, FrontendOptions, UnitInput};
use std::path::PathBuf;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let path = PathBuf::from(arguments.next().expect("a file"));
    let rest: Vec<String> = arguments.collect();
    let verbose = rest.iter().any(|a| a == "--functions");
    let extra: Vec<String> = rest.iter().skip_while(|a| *a != "--").skip(1).cloned().collect();
    let headers = std::env::var("ECHO_HEADERS").unwrap_or_default();
    let virtual_files = std::fs::read_dir(&headers)
        .map(|entries| {
            entries
                .flatten()
                .filter_map(|e| {
                    let text = std::fs::read_to_string(e.path()).ok()?;
                    Some((format!("/__cs/{}", e.file_name().to_string_lossy()), text))
                })
                .collect()
        })
        .unwrap_or_default();
    let frontend = Frontend::load(FrontendOptions { virtual_files, ..FrontendOptions::default() })
        .expect("libclang");
    let folder = path.parent().map(|p| p.display().to_string()).unwrap_or_default();
    let mut clang: Vec<String> = "-x cuda --cuda-host-only -nocudainc -nocudalib -fgpu-rdc -std=c++17 -isystem /__cs -include __cuda_stub.h -ferror-limit=0 -fbracket-depth=256 -Xclang -fcuda-allow-variadic-functions"
        .split(' ')
        .map(str::to_owned)
        .collect();
    clang.push(format!("-I{folder}"));
    clang.extend(extra);
    let unit =
        frontend.parse(&UnitInput { path, arguments: clang, roots: Vec::new() }).expect("parse");
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
