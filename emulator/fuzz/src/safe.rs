//! Whether merging a declined pair would have shown anything.

use anyhow::Result;
use echo_emulator::Program as Binary;

use crate::program::{Program, Side, Statement};
use crate::tool::Verdict;
use crate::trial::{Bench, Judgement, judge, run};

/// True if no run with the pair merged differs from the reference. False also where this cannot be told: blocks that are
/// allocated more than once.
///
/// # Errors
/// If a run cannot be started.
pub(crate) fn is_safe(
    bench: &Bench,
    binary: &Binary,
    program: &Program,
    case: &str,
    verdict: &Verdict,
    reference: u64,
) -> Result<bool> {
    let Some(unify) = numbers(program, verdict) else { return Ok(false) };
    let exclusive = if bench.tool.exclusive() { ",exclusive" } else { "" };
    let settings = format!("eager,late,others,race{exclusive},rand:1-{}", bench.seeds.max(1));
    let outcomes = run(bench, binary, &settings, &[unify], Some(case))?;
    let own = outcomes.get(case).cloned().unwrap_or_default();
    Ok(judge(reference, &own) == Judgement::Same)
}

/// Numbers of the pair's allocations, in the order of the run.
fn numbers(program: &Program, verdict: &Verdict) -> Option<(u32, u32)> {
    if program.style.rounds {
        return None;
    }
    let index = |name: &str| -> Option<usize> {
        // The last number: a global has that of its program first.
        name.chars().rfind(char::is_ascii_digit)?.to_digit(10).map(|digit| digit as usize)
    };
    let wanted = (Side::Host(index(&verdict.host)?), Side::Device(index(&verdict.device)?));
    let (mut hosts, mut devices) = (0, 0);
    let (mut host, mut device) = (Vec::new(), Vec::new());
    for statement in &program.body {
        match statement {
            Statement::Allocate(side @ Side::Host(_)) => {
                if *side == wanted.0 {
                    host.push(hosts);
                }
                hosts += 1;
            }
            Statement::Allocate(side @ Side::Device(_)) => {
                if *side == wanted.1 {
                    device.push(devices);
                }
                devices += 1;
            }
            Statement::Free(_)
            | Statement::Host { .. }
            | Statement::HostCopy(..)
            | Statement::Copy { .. }
            | Statement::Launch(..)
            | Statement::Memset(..)
            | Statement::Wait(_)
            | Statement::StreamWait(..)
            | Statement::Loop(..)
            | Statement::Branch(..)
            | Statement::Stage(..)
            | Statement::Compare(_)
            | Statement::Return
            | Statement::Special(..) => {}
        }
    }
    match (host.as_slice(), device.as_slice()) {
        ([host], [device]) => Some((*host, *device)),
        _ => None,
    }
}
