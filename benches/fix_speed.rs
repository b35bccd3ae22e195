//! What echo-fix costs, as ratios in one run: `cargo bench --bench fix_speed -- [--cuda-path DIR] [--growth] [FILE]...`.
//!
//! The whole run on each file is compared with `clang++-22 -fsyntax-only -x cuda --cuda-host-only` with real CUDA headers
//! (`--cuda-path`) and with `clang-tidy-22` with one check, where they are installed. Files are the merge fixtures by
//! default. Then the growth with the length of a program and with the number of pairs in one function. Times are those of
//! processors, which other work on the machine disturbs least.
#![allow(clippy::print_stdout)]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use nix::sys::resource::{UsageWho, getrusage};

const ECHO_FIX: &str = env!("CARGO_BIN_EXE_echo-fix");
/// Rounds of each measurement, of which the fastest counts.
const ROUNDS: usize = 3;

fn main() {
    let (mut files, mut cuda, mut growth_only) = (Vec::new(), None, false);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--cuda-path" => cuda = arguments.next().map(PathBuf::from),
            "--growth" => growth_only = true,
            "--bench" => {}
            file => files.push(PathBuf::from(file)),
        }
    }
    if files.is_empty() {
        let fixtures = std::fs::read_dir("corpus/merge").expect("the corpus");
        files = fixtures.map(|entry| entry.expect("an entry").path()).collect();
        files.sort();
    }
    if !growth_only {
        compare(&files, cuda.as_deref());
    }
    growth();
}

/// What a run of echo-fix took.
struct Cost {
    /// Seconds of processor time of all its processes.
    cpu: f64,
    /// Per file: milliseconds of parsing, milliseconds of analysis and rewriting, MiB.
    files: Vec<(f64, f64, f64)>,
}

fn echo_fix(files: &[PathBuf]) -> Cost {
    let before = children();
    let output = Command::new(ECHO_FIX)
        .args(files)
        .args(["-j", "1", "-vv", "--min-size", "0"])
        .output()
        .expect("echo-fix starts");
    let cpu = children() - before;
    let report = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{report}");
    let number = |text: &str| text.trim().parse::<f64>().ok();
    let costs = report.lines().filter_map(|line| {
        let (_, rest) = line.split_once(": parsed in ")?;
        let (parse, rest) = rest.split_once(" ms, analysed in ")?;
        let (analysis, rest) = rest.split_once(" ms, ")?;
        Some((number(parse)?, number(analysis)?, number(rest.split_once(" MiB")?.0)?))
    });
    Cost { cpu, files: costs.collect() }
}

/// Processor time of all children so far, in seconds.
fn children() -> f64 {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).expect("usage");
    let seconds =
        |time: nix::sys::time::TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6;
    seconds(usage.user_time()) + seconds(usage.system_time())
}

fn compare(files: &[PathBuf], cuda: Option<&Path>) {
    let ours = (0..ROUNDS).map(|_| echo_fix(files)).min_by(|a, b| a.cpu.total_cmp(&b.cpu));
    let ours = ours.expect("a round");
    let each = |which: fn(&(f64, f64, f64)) -> f64| {
        let mut values: Vec<f64> = ours.files.iter().map(which).collect();
        values.sort_by(f64::total_cmp);
        values
    };
    let (parse, analysis, memory) = (each(|c| c.0), each(|c| c.1), each(|c| c.2));
    let share = analysis.iter().sum::<f64>() / 1e3 / ours.cpu * 100.0;
    println!(
        "{} files, {:.3} s of processor time each",
        files.len(),
        ours.cpu / files.len() as f64
    );
    println!(
        "parsing and lowering: median {:.1} ms, largest {:.1} ms",
        median(&parse),
        last(&parse)
    );
    println!(
        "analysis and rewriting: median {:.1} ms (bar: 30), largest {:.1} ms; {share:.1} % of the run (bar: 20 %)",
        median(&analysis),
        last(&analysis)
    );
    println!("memory of a worker: largest {:.0} MiB (bar: 250 MB)", last(&memory));
    let cuda = cuda.map(|path| format!("--cuda-path={}", path.display()));
    let mut flags = vec!["-x", "cuda", "--cuda-host-only", "-Wno-unknown-cuda-version", "-w"];
    flags.extend(cuda.as_deref());
    if cuda.is_none() {
        println!("no --cuda-path: clang is not compared");
        return;
    }
    others(files, "clang++-22 -fsyntax-only", ours.cpu, |file| {
        let mut clang = Command::new("clang++-22");
        clang.arg("-fsyntax-only").args(&flags).arg(file);
        clang
    });
    others(files, "clang-tidy-22 with one check", ours.cpu, |file| {
        let mut tidy = Command::new("clang-tidy-22");
        tidy.args(["--checks=-*,bugprone-use-after-move", "--quiet"])
            .arg(file)
            .arg("--")
            .args(&flags);
        tidy
    });
}

fn others(files: &[PathBuf], name: &str, ours: f64, command: impl Fn(&Path) -> Command) {
    let mut best = f64::INFINITY;
    let mut failed = 0;
    for _ in 0..ROUNDS {
        let before = children();
        failed = 0;
        for file in files {
            let status = command(file).stdout(Stdio::null()).stderr(Stdio::null()).status();
            match status {
                Ok(status) => failed += usize::from(!status.success()),
                Err(why) => {
                    println!("{name}: not compared: {why}");
                    return;
                }
            }
        }
        best = best.min(children() - before);
    }
    println!(
        "{name}: {:.3} s each ({failed} files with errors); echo-fix costs {:.2} of it (bar: 0.35)",
        best / files.len() as f64,
        ours / best
    );
}

fn growth() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = |name: String, text: String| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("written");
        path
    };
    let empty = fastest(&program("empty.cu".to_owned(), long(0))).cpu;
    let mut points = Vec::new();
    for count in [1_000, 10_000, 100_000] {
        points.push(grown(empty, count, &program(format!("long{count}.cu"), long(count))));
    }
    report("statements in a program", &points);
    let mut points = Vec::new();
    for count in [10, 100, 1_000] {
        points.push(grown(empty, count, &program(format!("wide{count}.cu"), wide(count))));
    }
    report("pairs in a function", &points);
}

/// Count, seconds beyond an empty program, milliseconds of analysis, MiB.
type Point = (usize, f64, f64, f64);

fn grown(empty: f64, count: usize, path: &Path) -> Point {
    let cost = fastest(path);
    let (_, analysis, memory) = cost.files.first().copied().unwrap_or((0.0, 0.0, 0.0));
    if analysis == 0.0 {
        println!("{}: was not analysed", path.file_name().expect("a name").display());
    }
    (count, (cost.cpu - empty).max(1e-3), analysis, memory)
}

/// The fastest of several rounds on one file, and the shortest of their analyses.
fn fastest(path: &Path) -> Cost {
    let rounds: Vec<Cost> = (0..ROUNDS).map(|_| echo_fix(&[path.to_owned()])).collect();
    let analyses = rounds.iter().filter_map(|cost| cost.files.first());
    let least = analyses.copied().min_by(|a, b| a.1.total_cmp(&b.1));
    let mut best = rounds.into_iter().min_by(|a, b| a.cpu.total_cmp(&b.cpu)).expect("a round");
    best.files = least.into_iter().collect();
    best
}

fn report(what: &str, points: &[Point]) {
    for (count, cpu, analysis, memory) in points {
        println!(
            "{count:>7} {what}: {cpu:.3} s, of which analysis {:.3} s; {memory:.0} MiB",
            analysis / 1e3
        );
    }
    for (first, second) in points.iter().zip(points.iter().skip(1)) {
        let exponent = |a: f64, b: f64| (b / a).ln() / (second.0 as f64 / first.0 as f64).ln();
        println!(
            "  exponent from {} to {}: {:.2} of the run, {:.2} of the analysis (bar: 1.1)",
            first.0,
            second.0,
            exponent(first.1, second.1),
            exponent(first.2, second.2)
        );
    }
}

const HEAD: &str = "#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
__global__ void scale(float* v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] = 2 * v[i];
}
";

/// `count` statements in functions of a hundred, called one after the other, on one pair.
fn long(count: usize) -> String {
    let mut text = HEAD.to_owned();
    let functions = count.div_ceil(100);
    for function in 0..functions {
        let _ = writeln!(
            text,
            "static void work{function}(float* h, float* d, int n, size_t bytes) {{\n  float sum = 0;"
        );
        let size = (count - function * 100).min(100);
        for statement in 0..size {
            text.push_str(match statement % 10 {
                0 => "  cudaMemcpy(d, h, bytes, cudaMemcpyHostToDevice);\n",
                1 => "  scale<<<n / 256, 256>>>(d, n);\n",
                2 => "  cudaMemcpy(h, d, bytes, cudaMemcpyDeviceToHost);\n",
                3 => "  for (int i = 0; i < n; i++) sum += h[i];\n",
                4 => "  if (sum > 10) sum = 1;\n",
                5 => "  h[7] = sum;\n",
                6 => "  sum *= 3;\n",
                7 => "  printf(\"%f\\n\", sum);\n",
                8 => "  h[9] += 1;\n",
                _ => "  sum += n;\n",
            });
        }
        text.push_str("}\n");
    }
    text.push_str("int main() {\n  const int n = 1 << 16;\n  size_t bytes = n * sizeof(float);\n");
    text.push_str("  float* h = (float*)malloc(bytes);\n  float* d;\n  cudaMalloc(&d, bytes);\n");
    text.push_str("  for (int i = 0; i < n; i++) h[i] = i;\n");
    for function in 0..functions {
        let _ = writeln!(text, "  work{function}(h, d, n, bytes);");
    }
    text + "  cudaFree(d);\n  free(h);\n}\n"
}

/// `count` pairs in one function.
fn wide(count: usize) -> String {
    let mut text = HEAD.to_owned()
        + "int main() {\n  const int n = 1 << 16;\n  size_t bytes = n * sizeof(float);\n";
    let statements: [fn(usize) -> String; 9] = [
        |i| format!("  float* h{i} = (float*)malloc(bytes);\n  float* d{i};\n"),
        |i| format!("  cudaMalloc(&d{i}, bytes);\n"),
        |i| format!("  for (int i = 0; i < n; i++) h{i}[i] = i;\n"),
        |i| format!("  cudaMemcpy(d{i}, h{i}, bytes, cudaMemcpyHostToDevice);\n"),
        |i| format!("  scale<<<n / 256, 256>>>(d{i}, n);\n"),
        |i| format!("  cudaMemcpy(h{i}, d{i}, bytes, cudaMemcpyDeviceToHost);\n"),
        |i| format!("  printf(\"%f\\n\", h{i}[7]);\n"),
        |i| format!("  cudaFree(d{i});\n"),
        |i| format!("  free(h{i});\n"),
    ];
    for statement in statements {
        text.extend((0..count).map(statement));
    }
    text + "}\n"
}

fn median(sorted: &[f64]) -> f64 {
    sorted.get(sorted.len() / 2).copied().unwrap_or(0.0)
}

fn last(sorted: &[f64]) -> f64 {
    sorted.last().copied().unwrap_or(0.0)
}
