//! The command line as people see it: `tests/cmd/` holds sessions with what they print (`TRYCMD=overwrite` writes them
//! anew), and the commands in the README and the guide do what is said there.

mod fix_support;

use std::fs;

use fix_support::Tree;

#[test]
fn sessions() {
    trycmd::TestCases::new().case("tests/cmd/*.trycmd");
}

/// Lines of code blocks that start with `echo-fix `, without comments and what a shell would do with the output.
fn commands(document: &str) -> Vec<Vec<String>> {
    let text = fs::read_to_string(document).expect("the document");
    let blocks = text.split("```").skip(1).step_by(2);
    let lines = blocks.flat_map(|block| block.lines()).filter_map(|line| {
        let command = line.strip_prefix("echo-fix ")?;
        let command = command.split(['#', '>']).next().expect("a first part");
        Some(command.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    });
    lines.collect()
}

#[test]
fn commands_of_the_documents_work() {
    for (document, least) in [("README.md", 4), ("docs/guide.md", 3)] {
        let commands = commands(document);
        assert!(commands.len() >= least, "{document} has only {} commands", commands.len());
        for command in commands {
            let tree = Tree::new();
            tree.mergeable("src/a.cu");
            tree.mergeable("path/to/src/a.cu");
            let arguments: Vec<&str> = command.iter().map(String::as_str).collect();
            let run = tree.echo_fix(&arguments);
            assert_eq!(run.code, Some(0), "{document}: {command:?}: {}", run.err);
            let expected = if command.contains(&"--explain".to_owned()) { "# S" } else { "1 pair" };
            let said = format!("{}{}", run.out, run.err);
            assert!(said.contains(expected), "{document}: {command:?}: {said}");
        }
    }
}

/// The README shows parts of what the demo prints.
#[test]
fn the_readme_quotes_the_demo() {
    let readme = fs::read_to_string("README.md").expect("the README");
    let patch = fs::read_to_string("tests/golden/demo/motion.patch").expect("the golden patch");
    let report = fs::read_to_string("tests/golden/demo/motion.stderr").expect("the golden report");
    let block = |start: &str| {
        let from = readme.find(start).unwrap_or_else(|| panic!("no block {start}")) + start.len();
        readme[from..].split("```").next().expect("a block").lines().filter(|line| {
            let line = line.trim();
            !line.is_empty() && line != "..."
        })
    };
    for line in block("```diff\n") {
        assert!(
            patch.lines().any(|printed| printed.starts_with(line)),
            "the patch has no line {line}"
        );
    }
    // What the block's marker takes of its first line is in the pattern.
    for line in block("```\nwarning[S1]") {
        assert!(report.contains(line), "the report has no line {line}");
    }
}

#[test]
fn comments_suppress_pairs_and_unused_ones_are_reported() {
    let tree = Tree::new();
    let program = fs::read_to_string(fix_support::MERGEABLE).expect("the fixture");
    let at = program.find("malloc(").expect("an allocation");
    let end = at + program[at..].find('\n').expect("a line end");
    let suppressed = format!("{}  // echo: ignore{}", &program[..end], &program[end..]);
    tree.write("a.cu", suppressed.replace("return 0;", "return 0;  // echo: ignore"));
    let run = tree.echo_fix(&["a.cu"]);
    run.expect(0, "a comment asks to leave this pair alone")
        .expect(0, "this `echo: ignore` suppresses nothing");
    assert_eq!(run.err.matches("suppresses nothing").count(), 1, "{}", run.err);
    assert_eq!(run.out, "");
    tree.echo_fix(&["a.cu", "--check"]).expect(0, "can merge 0 pairs");
    let report = tree.echo_fix(&["a.cu", "--format", "json"]);
    assert!(report.out.contains("\"suppressed\": true"), "{}", report.out);
    assert!(!report.err.contains('\r'), "no progress where nobody looks: {}", report.err);
}

/// Where a statement hides the buffers of a copy, the report names it.
#[test]
fn statements_that_hide_buffers_are_named() {
    let tree = Tree::new();
    let text = "#include <cstdlib>
#include <cuda_runtime.h>
__global__ void scale(float* v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] *= 2;
}
int main() {
  const int n = 1 << 20;
  size_t bytes = n * sizeof(float);
  float* h = (float*)malloc(bytes);
  float* d;
  cudaMalloc(&d, bytes);
  asm volatile(\"nop\" ::: \"memory\");
  scale<<<n / 256, 256>>>(d, n);
  cudaMemcpy(h, d, bytes, cudaMemcpyDeviceToHost);
  cudaFree(d);
  free(h);
}
";
    tree.write("a.cu", text);
    let said = "a.cu:13: a statement of `main` was not understood: inline assembly";
    tree.echo_fix(&["a.cu"]).expect(0, said);
    let run = tree.echo_fix(&["a.cu", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
    let statement = &report["files"][0]["opaque_statements"][0];
    assert_eq!(statement["line"], 13);
    assert_eq!(statement["function"], "main");
}

#[test]
fn completions_and_the_manual_name_every_flag() {
    let tree = Tree::new();
    let help = tree.echo_fix(&["--help"]).out;
    let flags = |text: &str| {
        let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-'));
        words
            .filter(|word| word.starts_with("--") && word.len() > 3)
            .map(str::to_owned)
            .collect::<std::collections::BTreeSet<_>>()
    };
    let known = flags(&help);
    assert!(known.len() > 20, "{known:?}");
    // Hyphens are escaped there, and fonts change around flags.
    let mut manual = tree.echo_fix(&["--man"]).out.replace("\\-", "-");
    for font in ["\\fB", "\\fI", "\\fR"] {
        manual = manual.replace(font, " ");
    }
    assert!(manual.contains(".TH echo-fix"));
    assert!(known.is_subset(&flags(&manual)), "{:?}", known.difference(&flags(&manual)));
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = tree.echo_fix(&["--completions", shell]).out;
        for name in known.iter().map(|flag| flag.trim_start_matches('-')) {
            assert!(script.contains(name), "{shell} does not complete {name}");
        }
    }
}
