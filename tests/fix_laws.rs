//! Laws of whole runs (DESIGN section 8, laws 4 and 5), on generated programs: the patch applies, touches nothing but its
//! sites, leaves nothing to do, and can be taken back; the same input gives the same bytes, whatever `-j` and the order
//! of names say.

mod fix_support;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::process::Command;

use fix_support::Tree;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{RngSeed, TestRunner};
use serde_json::Value;

/// What happens to a pair.
#[derive(Debug, Clone, Copy)]
enum Event {
    Fill,
    Print,
    Upload,
    Download,
    Launch,
    Clear,
    Wait,
}

/// How a program is written down.
#[derive(Debug, Clone)]
struct Layout {
    line_end: &'static str,
    indent: &'static str,
    checked: bool,
    one_line: bool,
    comment: &'static str,
    final_newline: bool,
}

/// A program: its pairs, and what happens to which of them.
#[derive(Debug, Clone)]
struct Generated {
    pairs: usize,
    events: Vec<(usize, Event)>,
    layout: Layout,
}

impl Generated {
    fn text(&self) -> String {
        let layout = &self.layout;
        let checked = |call: String| match layout.checked {
            true => format!("CHECK({call});"),
            false => format!("{call};"),
        };
        let mut body = vec![
            "const int n = 1 << 16;".to_owned(),
            "size_t bytes = n * sizeof(float);".to_owned(),
        ];
        let all = |statement: &dyn Fn(usize) -> String| {
            (0..self.pairs).map(statement).collect::<Vec<_>>()
        };
        if layout.one_line {
            let names: Vec<String> = (0..self.pairs).map(|i| format!("*d{i}")).collect();
            body.push(format!("float {};", names.join(", ")));
        } else {
            body.extend(all(&|i| format!("float* d{i};")));
        }
        body.extend(all(&|i| format!("float* h{i} = (float*)malloc(bytes);{}", layout.comment)));
        body.extend(all(&|i| {
            checked(format!("cudaMalloc((void**)&d{i}, bytes)")) + layout.comment
        }));
        for (pair, event) in &self.events {
            let i = pair % self.pairs;
            body.push(match event {
                Event::Fill => format!("for (int i = 0; i < n; i++) h{i}[i] = i;"),
                Event::Print => format!("printf(\"%f\\n\", h{i}[7]);"),
                Event::Upload => {
                    checked(format!("cudaMemcpy(d{i}, h{i}, bytes, cudaMemcpyHostToDevice)"))
                }
                Event::Download => {
                    checked(format!("cudaMemcpy(h{i}, d{i}, bytes, cudaMemcpyDeviceToHost)"))
                }
                Event::Launch => format!("scale<<<256, 256>>>(d{i}, n);{}", layout.comment),
                Event::Clear => checked(format!("cudaMemset(d{i}, 0, bytes)")),
                Event::Wait => checked("cudaDeviceSynchronize()".to_owned()),
            });
        }
        body.extend(all(&|i| checked(format!("cudaFree(d{i})"))));
        body.extend(all(&|i| format!("free(h{i});{}", layout.comment)));
        body.push("return 0;".to_owned());
        let mut text = String::from(HEAD);
        for statement in body {
            let _ = writeln!(text, "{}{statement}", layout.indent);
        }
        text.push('}');
        if layout.final_newline {
            text.push('\n');
        }
        text.replace('\n', layout.line_end)
    }
}

const HEAD: &str = "#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CHECK(call) do { if ((call) != cudaSuccess) exit(1); } while (0)
__global__ void scale(float* v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] = 2 * v[i] + 1;
}
int main() {
";

fn program() -> impl Strategy<Value = Generated> {
    use Event::{Clear, Download, Fill, Launch, Print, Upload, Wait};
    let event = prop_oneof![
        Just(Fill),
        Just(Print),
        Just(Upload),
        Just(Download),
        Just(Launch),
        Just(Clear),
        Just(Wait)
    ];
    let layout = (
        prop_oneof![Just("\n"), Just("\r\n")],
        prop_oneof![Just("  "), Just("\t"), Just("")],
        any::<bool>(),
        any::<bool>(),
        prop_oneof![Just(""), Just("  // why"), Just(" /* caf\u{e9} */")],
        any::<bool>(),
    );
    let layout =
        layout.prop_map(|(line_end, indent, checked, one_line, comment, final_newline)| Layout {
            line_end,
            indent,
            checked,
            one_line,
            comment,
            final_newline,
        });
    // Most programs fill, upload, compute, download and print, with something in between.
    let middle = (vec((0..3_usize, event), 0..6), any::<proptest::sample::Index>());
    (1..4_usize, middle, layout).prop_map(|(pairs, (extra, at), layout)| {
        let mut events: Vec<(usize, Event)> = [Fill, Upload, Launch, Download, Print]
            .into_iter()
            .flat_map(|event| (0..pairs).map(move |pair| (pair, event)))
            .collect();
        let at = at.index(events.len());
        events.splice(at..at, extra);
        Generated { pairs, events, layout }
    })
}

/// Files per generated tree; one run of the tool takes them all.
const FILES: usize = 8;

#[test]
fn patches_keep_their_laws() {
    let mut runner = TestRunner::new(ProptestConfig {
        cases: 3,
        max_shrink_iters: 40,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(4),
        ..ProptestConfig::default()
    });
    let merged = std::cell::Cell::new(0);
    runner
        .run(&vec(program(), FILES), |programs| {
            let (tree, old) = written(&programs);
            merged.set(merged.get() + laws(&tree, &old, &[])?);
            Ok(())
        })
        .unwrap_or_else(|why| panic!("{why}"));
    assert!(merged.get() > 10, "only {} pairs were merged: nothing was tested", merged.get());
}

/// The other ways of writing a merge keep them too.
#[test]
fn patches_of_other_forms_keep_their_laws() {
    let forms: [&[&str]; 3] = [
        &["--naming", "rename"],
        &["--memory", "system", "--target", "gh200", "--naming", "rename"],
        &["--memory", "registered", "--target", "thor"],
    ];
    for (seed, flags) in (11..).zip(forms) {
        let mut runner = TestRunner::new(ProptestConfig {
            cases: 1,
            max_shrink_iters: 20,
            failure_persistence: None,
            rng_seed: RngSeed::Fixed(seed),
            ..ProptestConfig::default()
        });
        let merged = std::cell::Cell::new(0);
        runner
            .run(&vec(program(), FILES), |programs| {
                let (tree, old) = written(&programs);
                merged.set(merged.get() + laws(&tree, &old, flags)?);
                Ok(())
            })
            .unwrap_or_else(|why| panic!("{flags:?}: {why}"));
        assert!(merged.get() > 2, "{flags:?}: only {} pairs were merged", merged.get());
    }
}

/// A tree of the programs, and its files.
fn written(programs: &[Generated]) -> (Tree, BTreeMap<String, Vec<u8>>) {
    let tree = Tree::new();
    let mut old = BTreeMap::new();
    for (index, program) in programs.iter().enumerate() {
        let name = format!("p{index}.cu");
        tree.write(&name, program.text());
        old.insert(name, program.text().into_bytes());
    }
    (tree, old)
}

/// Checks a tree, with `flags` for every run; how many pairs were merged.
fn laws(
    tree: &Tree,
    old: &BTreeMap<String, Vec<u8>>,
    flags: &[&str],
) -> Result<u64, TestCaseError> {
    let echo_fix = |own: &[&str]| tree.echo_fix(&[own, flags].concat());
    // Law 5: the same bytes for any number of workers.
    let first = echo_fix(&[".", "--format", "json", "-j", "1"]);
    let second = echo_fix(&[".", "--format", "json", "-j", "5"]);
    prop_assert_eq!(first.code, Some(0), "{}", first.err);
    prop_assert_eq!(&first.out, &second.out);
    let report: Value = serde_json::from_str(&first.out).expect("JSON");
    for (name, bytes) in old {
        prop_assert_eq!(&tree.read(name), bytes, "a dry run writes nothing");
    }
    let Some(patch) = report["patch"].as_str().filter(|patch| !patch.is_empty()) else {
        return Ok(0);
    };
    let edited = edited(&report, old);
    tree.write("p.patch", patch);
    git(tree, &["apply", "--check", "p.patch"])?;

    // Law 4: exactly the edits, and nothing more to do.
    let applied = echo_fix(&[".", "--apply", "-j", "3"]);
    prop_assert_eq!(applied.code, Some(0), "{}", applied.err);
    for (name, bytes) in &edited {
        prop_assert_eq!(&tree.read(name), bytes, "{} is not what the edits say", name);
    }
    let again = echo_fix(&[".", "--format", "json", "--check"]);
    prop_assert_eq!(again.code, Some(0), "a second run finds something: {}", again.out);
    let after: Value = serde_json::from_str(&again.out).expect("JSON");
    prop_assert_eq!(errors(&after), errors(&report), "new errors");

    git(tree, &["apply", "--reverse", "p.patch"])?;
    for (name, bytes) in old {
        prop_assert_eq!(&tree.read(name), bytes, "the patch cannot be taken back");
    }
    Ok(report["summary"]["merge"].as_u64().expect("a count"))
}

fn errors(report: &Value) -> Vec<Value> {
    report["files"].as_array().expect("files").iter().map(|file| file["errors"].clone()).collect()
}

/// The files after the report's edits.
fn edited(report: &Value, old: &BTreeMap<String, Vec<u8>>) -> BTreeMap<String, Vec<u8>> {
    let mut edits: Vec<(&str, usize, usize, &str)> = Vec::new();
    for edit in report["pairs"]
        .as_array()
        .expect("pairs")
        .iter()
        .flat_map(|p| p["edits"].as_array())
        .flatten()
    {
        let offset =
            |key: &str| usize::try_from(edit[key].as_u64().expect("an offset")).expect("small");
        let text = edit["replacement"].as_str().expect("a text");
        edits.push((edit["file"].as_str().expect("a file"), offset("start"), offset("end"), text));
    }
    edits.sort_unstable();
    edits.dedup();
    let mut new = old.clone();
    for (file, start, end, text) in edits.into_iter().rev() {
        new.get_mut(file).expect("a file of the tree").splice(start..end, text.bytes());
    }
    new
}

fn git(tree: &Tree, arguments: &[&str]) -> Result<(), TestCaseError> {
    let output = Command::new("git")
        .args(["-c", "core.autocrlf=false", "-c", "apply.whitespace=nowarn"])
        .args(arguments)
        .env("GIT_CEILING_DIRECTORIES", tree.path())
        .current_dir(tree.path())
        .output()
        .expect("git runs");
    prop_assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Ok(())
}

/// Law 4: in which order pairs are named, and files are given, is irrelevant.
#[test]
fn order_is_irrelevant() {
    let tree = Tree::new();
    tree.write("a.cu", fs::read("corpus/demo/motion.cu").expect("the demo"));
    tree.mergeable("b.cu");
    let (mask, background) = ("a.cu:main:h_mask/d_mask", "a.cu:main:h_background/d_background");
    let both = tree.echo_fix(&["a.cu", "--only", mask, "--only", background]);
    both.expect(0, "can merge 2 pairs");
    assert_eq!(both.out, tree.echo_fix(&["a.cu", "--only", background, "--only", mask]).out);
    assert_eq!(both.out, tree.echo_fix(&["a.cu"]).out, "the two are all that can be merged");
    let files = tree.echo_fix(&["a.cu", "b.cu"]);
    assert_eq!(files.out, tree.echo_fix(&["."]).out);
    let patch_of = |paths: &[&str]| {
        let mut parts: Vec<String> =
            tree.echo_fix(paths).out.split("--- a/").skip(1).map(str::to_owned).collect();
        parts.sort();
        parts
    };
    assert_eq!(patch_of(&["a.cu", "b.cu"]), patch_of(&["b.cu", "a.cu"]));
}
