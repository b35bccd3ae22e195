//! Phase 3.

use std::ffi::OsString;
use std::path::Path;

use anyhow::Context as _;
use echo_runtime::control::{Control, Rule, marker};
use echo_runtime::{Plan, identity, plan, wire};

use super::analyze::words;
use super::arguments::{Format, Run};
use super::report;
use super::session::{Finished, Session, Streams};
use super::status::End;

/// `echo-dr run`.
pub(crate) fn run(options: &Run) -> anyhow::Result<End> {
    let plan = plan::read(&options.plan)?;
    let session = Session::new()?;
    let (control, refusal) = control(&plan, &session, &options.program.command);
    if let Some(why) = &refusal {
        eprintln!("echo-dr: running unchanged: {why}");
    }
    let finished = session.run(&options.program.command, &control, None, Streams::Inherited)?;
    if let Some(format) = options.report {
        let text = match format {
            Format::Json => report::run_json(&plan, &finished, refusal.as_deref())?,
            Format::Text => report::run_text(&plan, &finished, refusal.as_deref()),
        };
        write(&text, options.report_to.as_deref())?;
    }
    Ok(End::Like(finished.status))
}

fn write(text: &str, target: Option<&Path>) -> anyhow::Result<()> {
    match target {
        Some(path) => std::fs::write(path, text)
            .with_context(|| format!("cannot write report {}", path.display())),
        None => {
            eprint!("{text}");
            Ok(())
        }
    }
}

/// The control file for a plan, or one that does nothing and why.
fn control(plan: &Plan, session: &Session, program: &[OsString]) -> (Control, Option<String>) {
    let refusal = if plan.enabled {
        plan.context.mismatch(session.object(), &words(program))
    } else {
        Some(plan.reason.clone())
    };
    let inode = identity::inode(Path::new(&plan.context.executable.path));
    let arguments = u64::from_str_radix(&plan.context.arguments_hash, 16);
    match (refusal, inode, arguments) {
        (None, Ok(executable), Ok(arguments)) => {
            let rules = Rule::of_plan(plan);
            let control = Control {
                mode: wire::mode::OPTIMIZE,
                threshold: plan.threshold,
                executable,
                arguments,
                flags: 0,
                driver: plan.context.driver,
                uuid: plan.context.uuid(),
                ordinal: plan.context.gpu_ordinal,
                marker: marker(&rules),
                backend: plan.backend,
                rules,
            };
            (control, None)
        }
        (Some(why), ..) => (Control::default(), Some(why)),
        (None, Err(error), _) => (Control::default(), Some(error.to_string())),
        (None, _, Err(error)) => (Control::default(), Some(error.to_string())),
    }
}

/// Runs the program with a plan just made, for `auto`.
pub(crate) fn once(
    plan: &Plan,
    session: &Session,
    program: &[OsString],
) -> anyhow::Result<Finished> {
    let (control, _) = control(plan, session, program);
    session.run(program, &control, None, Streams::Inherited)
}
