//! The smallest program, reached by single steps, that still shows a difference.

use anyhow::Result;

use crate::program::{Part, Program, Statement, Style};
use crate::repair::repair;
use crate::trial::{Bench, Judgement, Tried, try_programs};

/// Most candidates of one batch.
const MOST: usize = 60;

/// Shrinks a program whose transformed version differs; gives it with its last trial.
///
/// # Errors
/// If a batch cannot be tried.
pub(crate) fn shrink(bench: &Bench, program: &Program, tried: Tried) -> Result<(Program, Tried)> {
    let (mut best, mut last) = (program.clone(), tried);
    loop {
        let mut candidates: Vec<Program> = reductions(&best)
            .into_iter()
            .map(|candidate| repair(&candidate, 1))
            .filter(|candidate| candidate.size() < best.size())
            .collect();
        candidates.sort_by_key(Program::size);
        candidates.dedup();
        let mut found = None;
        for batch in candidates.chunks(MOST) {
            let tried = try_programs(bench, batch)?;
            found = batch
                .iter()
                .zip(tried)
                .find(|(_, tried)| matches!(tried.judgement, Judgement::Different(_)))
                .map(|(program, tried)| (program.clone(), tried));
            if found.is_some() {
                break;
            }
        }
        match found {
            Some((program, tried)) => (best, last) = (program, tried),
            None => return Ok((best, last)),
        }
    }
}

fn reductions(program: &Program) -> Vec<Program> {
    let with = |body: Vec<Statement>| Program { body, ..program.clone() };
    let mut all: Vec<Program> = reduced(&program.body).into_iter().map(with).collect();
    let plain = Style { int: program.style.int, ..Style::default() };
    if plain != program.style {
        all.push(Program { style: plain, ..program.clone() });
    }
    all
}

// All blocks that are one step smaller.
fn reduced(body: &[Statement]) -> Vec<Vec<Statement>> {
    let mut all = Vec::new();
    let replaced = |at: usize, by: &[Statement]| {
        let mut copy = body.to_vec();
        copy.splice(at..=at, by.iter().cloned());
        copy
    };
    for (at, statement) in body.iter().enumerate() {
        all.push(replaced(at, &[]));
        match statement {
            Statement::Loop(times, inner) => {
                all.push(replaced(at, inner));
                if *times > 2 {
                    all.push(replaced(at, &[Statement::Loop(2, inner.clone())]));
                }
                for smaller in reduced(inner) {
                    all.push(replaced(at, &[Statement::Loop(*times, smaller)]));
                }
            }
            Statement::Branch(one, other) => {
                all.push(replaced(at, one));
                all.push(replaced(at, other));
                for smaller in reduced(one) {
                    all.push(replaced(at, &[Statement::Branch(smaller, other.clone())]));
                }
                for smaller in reduced(other) {
                    all.push(replaced(at, &[Statement::Branch(one.clone(), smaller)]));
                }
            }
            Statement::Copy { to, from, part, stream: Some(_), default } => {
                let (to, from, part, default) = (*to, *from, *part, *default);
                all.push(replaced(
                    at,
                    &[Statement::Copy { to, from, part, stream: None, default }],
                ));
            }
            Statement::Host { pair, work, part: Part::Lower | Part::Upper, reach } => {
                let (pair, work, reach) = (*pair, *work, *reach);
                let whole = Statement::Host { pair, work, part: Part::Whole, reach };
                all.push(replaced(at, &[whole]));
            }
            Statement::Allocate(_)
            | Statement::Free(_)
            | Statement::Host { .. }
            | Statement::HostCopy(..)
            | Statement::Copy { .. }
            | Statement::Launch(..)
            | Statement::Memset(..)
            | Statement::Wait(_)
            | Statement::StreamWait(..)
            | Statement::Compare(_)
            | Statement::Return => {}
        }
    }
    all
}
