//! Prints the event graphs of a file: `graph FILE [-- ARGS]`; `ECHO_HEADERS` is a folder of headers.
#![allow(clippy::print_stdout, missing_docs)]
use echo_dataflow::effect::EffectModels;
use echo_dataflow::interpret::event_graphs;
use echo_frontend::{Frontend, FrontendOptions, UnitInput};
use std::path::PathBuf;

fn main() {
    std::thread::Builder::new()
        .stack_size(64 << 20)
        .spawn(run)
        .expect("thread")
        .join()
        .expect("run");
}

fn run() {
    let mut arguments = std::env::args().skip(1);
    let path = PathBuf::from(arguments.next().expect("a file"));
    let rest: Vec<String> = arguments.collect();
    let extra: Vec<String> = rest.iter().skip_while(|a| *a != "--").skip(1).cloned().collect();
    let quiet = rest.iter().any(|a| a == "-q");
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
    let start = std::time::Instant::now();
    let unit =
        frontend.parse(&UnitInput { path, arguments: clang, roots: Vec::new() }).expect("parse");
    let parsed = start.elapsed();
    for error in unit.errors.iter().take(3) {
        println!("error: {error}");
    }
    for function in &unit.program.functions {
        if let Some(why) = &function.opaque {
            println!("opaque {:?} {}: {why}", function.kind, function.name);
        }
    }
    let graphs = event_graphs(&unit.program, &EffectModels::default());
    println!("parse+lower {parsed:?} interpret {:?}", start.elapsed() - parsed);
    for graph in &graphs {
        println!(
            "root {} blocks {} events {} contexts {}",
            graph.root,
            graph.blocks.len(),
            graph.events.len(),
            graph.contexts.len()
        );
        for judged in echo_dataflow::judge(
            &unit.program,
            graph,
            &echo_dataflow::target::Options { min_bytes: 0, ..Default::default() },
        ) {
            let (h, d) = (graph.object(judged.pair.host), graph.object(judged.pair.device));
            match &judged.verdict {
                echo_dataflow::verdict::Verdict::Merge(proof) => println!(
                    "  MERGE {}/{} {:?}",
                    h.name,
                    d.name,
                    proof.actions().iter().map(|a| &a.kind).collect::<Vec<_>>()
                ),
                echo_dataflow::verdict::Verdict::Decline(objections) => {
                    println!("  DECLINE {}/{}", h.name, d.name);
                    for o in objections.iter().take(3) {
                        let at: Vec<u32> = o
                            .places
                            .iter()
                            .map(|p| {
                                unit.program
                                    .file(p.source.span.file)
                                    .line_column(p.source.span.start)
                                    .0
                            })
                            .collect();
                        println!("     {} {:?} lines {at:?}", o.condition.code(), o.reason);
                    }
                }
            }
        }
        if quiet {
            continue;
        }
        for (index, object) in graph.objects.iter().enumerate() {
            let bytes =
                object.bytes.as_ref().map(|b| b.display(|s| graph.symbols[s.index()].clone()));
            println!(
                "  object {index} {:?} {} bytes {bytes:?} several {}",
                object.kind, object.name, object.several
            );
        }
        for (index, block) in graph.blocks.iter().enumerate() {
            println!(
                "  b{index} -> {:?} loops {:?}",
                block.successors.iter().map(|b| b.0).collect::<Vec<_>>(),
                block.loops
            );
            for i in block.first..block.first + block.count {
                let event = &graph.events[i as usize];
                let file = unit.program.file(event.source.span.file);
                println!(
                    "    {i} line {} {:?}",
                    file.line_column(event.source.span.start).0,
                    event.kind
                );
            }
        }
    }
}
