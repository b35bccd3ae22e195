//! Law 2 on a fixed set of generated programs: what `echo-fix` makes of them does nothing that they cannot do, under any
//! order of operations (`cargo xtask fuzz` for campaigns).

use std::io::Write as _;
use std::path::Path;

use echo_emulator::{Error, Installation};
use echo_emulator_fuzz::{Bench, DIMENSIONS, Plan, Tool, campaign};

#[test]
fn generated_programs_behave_as_before() {
    let mut errors = std::io::stderr();
    let installation = match Installation::find() {
        Ok(installation) => installation,
        Err(why @ Error::NoClang) => {
            writeln!(errors, "\n**** SKIPPED, NOT TESTED: generated programs: {why}")
                .expect("stderr");
            return;
        }
        Err(why) => panic!("{why}"),
    };
    let binary = Path::new(env!("CARGO_BIN_EXE_echo-fix")).to_owned();
    let bench = Bench {
        installation,
        tool: Tool { binary, target: String::new(), arguments: Vec::new() },
        shards: 2,
        seeds: 6,
        precision: true,
        unchanged: true,
    };
    let plan = Plan {
        seed: 1,
        batch: 165,
        batches: Some(4),
        time: None,
        most_differences: 3,
        shrink: true,
    };
    let report = campaign(&bench, plan, &mut |_| {}).expect("the campaign runs");
    writeln!(errors, "\n{report}").expect("stderr");
    for finding in &report.findings {
        writeln!(
            errors,
            "seed {} for {}: {}\n{}\n---- transformed:\n{}",
            finding.seed, finding.target, finding.what, finding.original, finding.transformed
        )
        .expect("stderr");
    }
    assert!(report.findings.is_empty(), "{} differences", report.findings.len());
    // The set says something only if programs are usable and the tool merges.
    assert!(report.rejected * 50 <= report.programs, "{:?}", report.rejections);
    assert!(report.merges >= 100, "only {} pairs merged", report.merges);
    for dimension in DIMENSIONS {
        assert!(report.dimensions.contains_key(dimension), "no program with {dimension}");
    }
}
