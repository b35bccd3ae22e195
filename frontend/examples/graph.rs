//! Prints the event graphs of a file and the verdicts on its pairs: `graph FILE [-q] [-- ARGS]`.
#![allow(clippy::print_stdout, missing_docs)]
use echo_dataflow::interpret::event_graphs;
use echo_frontend::arguments::{ArgumentOptions, unit_arguments};
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
    let mut words = std::env::args().skip(1);
    let path = PathBuf::from(words.next().expect("a file"));
    let rest: Vec<String> = words.collect();
    let extra: Vec<String> = rest.iter().skip_while(|a| *a != "--").skip(1).cloned().collect();
    let quiet = rest.iter().any(|a| a == "-q");
    let frontend = Frontend::load(FrontendOptions::default()).expect("libclang");
    let options = ArgumentOptions { extra, ..ArgumentOptions::default() };
    let arguments = unit_arguments(&path, &options, frontend.library()).arguments;
    let start = std::time::Instant::now();
    let unit = frontend
        .parse(&UnitInput { path, arguments, roots: Vec::new(), prefix: None })
        .expect("parse");
    let parsed = start.elapsed();
    for error in unit.errors.iter().take(3) {
        println!("error: {error}");
    }
    for function in &unit.program.functions {
        if let Some(why) = &function.opaque {
            println!("opaque {:?} {}: {why}", function.kind, function.name);
        }
    }
    let graphs = event_graphs(&unit.program, &echo_frontend::effects::load(&[]).expect("models"));
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
