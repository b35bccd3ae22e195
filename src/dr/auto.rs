//! The three phases in one go.

use echo_runtime::plan;

use super::analyze::{make, writable};
use super::arguments::Auto;
use super::profile::{caveats, record, recorded};
use super::report;
use super::run;
use super::session::Session;
use super::status::{End, describe};

/// `echo-dr auto`.
pub(crate) fn auto(options: &Auto) -> anyhow::Result<End> {
    let session = Session::new()?;
    writable(&options.output)?;
    let program = &options.program.command;
    let trace_path = session.file("trace");
    eprintln!("echo-dr: 1. profile");
    let finished = record(&session, program, options.min_size, &trace_path)?;
    let trace = match recorded(&finished, &trace_path) {
        Ok(trace) => trace,
        Err(error) => {
            eprintln!("echo-dr: this program cannot be helped: {error:#}");
            return Ok(End::Code(1));
        }
    };
    if !finished.status.success() {
        eprintln!(
            "echo-dr: the program {}; no plan is made from a failed run",
            describe(finished.status)
        );
        return Ok(End::Code(1));
    }
    eprintln!("echo-dr: {} events{}", trace.events.len(), caveats(&trace));
    eprintln!("echo-dr: 2. analyze (runs the program several times without input and output)");
    let plan = make(&session, &trace, program, &options.checks)?;
    plan::write(&plan, &options.output)?;
    eprint!("{}", report::plan(&plan));
    if plan.enabled {
        eprintln!("echo-dr: 3. run");
        let finished = run::once(&plan, &session, program)?;
        eprint!("{}", report::run_text(&plan, &finished, None));
        eprintln!(
            "echo-dr: from now on: echo-dr run --plan {} -- {}",
            options.output.display(),
            super::analyze::words(program).join(" ")
        );
    }
    Ok(End::Code(u8::from(!plan.enabled)))
}
