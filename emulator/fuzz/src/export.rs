//! Programs for a device: sources that nvcc compiles, and the checksums that the emulator gives.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};

use crate::campaign::program;
use crate::made::Made;
use crate::program::Program;
use crate::source::Layout;
use crate::tool::Tool;
use crate::trial::{Bench, Judgement, build, judge, reference, run};

/// Targets and kinds of memory, one per source in turn. All of these kinds work on a discrete device.
const KINDS: [(&str, &str); 5] = [
    ("gh200", "managed"),
    ("thor", "managed"),
    ("any-uma", "mapped"),
    ("any-uma", "managed"),
    ("any-uma", "registered"),
];

/// Programs per source.
const BATCH: usize = 80;

/// What was written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Exported {
    /// Sources.
    pub sources: usize,
    /// Original programs.
    pub originals: usize,
    /// Transformed programs.
    pub transformed: usize,
    /// Programs left out: nothing can be said about them.
    pub rejected: usize,
    /// Transformed programs that differ on the emulator already, by seed. They are left out.
    pub different: Vec<(u64, String)>,
}

/// Writes sources `b0.cu`, ... with at least `least` transformed programs into `folder`, and `expected.txt` with a line
/// SOURCE CASE CHECKSUM for each case, where `p1` is an original program and `q1` what the tool makes of it. Programs
/// that the tool leaves alone are written if they have one of the rarer dimensions.
///
/// # Errors
/// If a file cannot be written or the tool or the compiler fails.
pub fn export(bench: &Bench, seed: u64, least: usize, folder: &Path) -> Result<Exported> {
    fs::create_dir_all(folder).context("the folder for sources")?;
    let mut done = Exported::default();
    let mut expected = String::new();
    let mut next = seed;
    while done.transformed < least {
        let (target, memory) = KINDS[done.sources % KINDS.len()];
        let tool = Tool {
            target: target.to_owned(),
            arguments: vec!["--memory".to_owned(), memory.to_owned()],
            ..bench.tool.clone()
        };
        let programs: Vec<Program> = (next..next + BATCH as u64).map(program).collect();
        next += BATCH as u64;
        let made = Made::by(&tool, &programs, Layout::One)?;
        let changed = made.changed();
        let rare = |index: &usize| !programs[*index].dimensions().is_empty();
        let tested: Vec<usize> =
            (0..programs.len()).filter(|index| changed.contains(index) || rare(index)).collect();
        let scratch = tempfile::tempdir()?;
        let shared = !programs.iter().any(Program::has_lambda);
        let binary = build(bench, &made.combined(&tested, &changed), shared, scratch.path())?;
        let mut before =
            run(bench, &binary, "eager,late,others,rand:1-2,undefined", &[], Some("p*"))?;
        let mut after = run(bench, &binary, "eager,late,others,rand:1-2,race", &[], Some("q*"))?;
        let (mut originals, mut transformed) = (Vec::new(), Vec::new());
        for &index in &tested {
            let own = before.remove(&format!("p{index}")).unwrap_or_default();
            let Ok(sum) = reference(&own) else {
                done.rejected += 1;
                continue;
            };
            originals.push(index);
            writeln!(expected, "b{} p{index} {sum}", done.sources)?;
            if changed.contains(&index) {
                let own = after.remove(&format!("q{index}")).unwrap_or_default();
                match judge(sum, &own) {
                    Judgement::Different(what) => {
                        let what = format!("--target {target} --memory {memory}: {what}");
                        done.different.push((next - BATCH as u64 + index as u64, what));
                        continue;
                    }
                    Judgement::Same | Judgement::Unchanged | Judgement::Rejected(_) => {}
                }
                transformed.push(index);
                writeln!(expected, "b{} q{index} {sum}", done.sources)?;
            }
        }
        let mut text = format!(
            "// Seeds {}..{next}, --target {target} --memory {memory}.\n",
            next - BATCH as u64
        );
        text.push_str(&made.functions(&originals, &transformed));
        text.push_str(&main_function(&made.cases(&originals, &transformed)));
        fs::write(folder.join(format!("b{}.cu", done.sources)), text)?;
        done.originals += originals.len();
        done.transformed += transformed.len();
        done.sources += 1;
    }
    fs::write(folder.join("expected.txt"), expected)?;
    Ok(done)
}

// Runs the cases from number argv[1] on, and prints name, checksum and error code of each. It stops at the first error.
fn main_function(cases: &[String]) -> String {
    format!(
        "
struct Case {{
  const char* name;
  unsigned long (*run)();
}};
static const Case cases[] = {{{}}};

int main(int argc, char** argv) {{
  const int count = sizeof cases / sizeof cases[0];
  for (int i = argc > 1 ? atoi(argv[1]) : 0; i < count; i++) {{
    printf(\"%s \", cases[i].name);
    fflush(stdout);
    unsigned long sum = cases[i].run();
    cudaError_t status = cudaDeviceSynchronize();
    if (status == cudaSuccess) status = cudaGetLastError();
    printf(\"%lu %d\\n\", sum, (int)status);
    fflush(stdout);
    if (status != cudaSuccess) return 1;
  }}
  return 0;
}}
",
        cases.join(", ")
    )
}
