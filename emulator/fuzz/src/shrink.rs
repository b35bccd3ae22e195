//! The smallest program, reached by single steps, that still shows a difference.

use anyhow::Result;

use crate::program::{CopyCall, Pair, Part, Program, Reach, Statement, Style};
use crate::repair::repair;
use crate::source::Layout;
use crate::trial::{Bench, Judgement, try_programs};

/// Most candidates of one batch.
const MOST: usize = 60;

/// Shrinks a program whose transformed version differs.
///
/// # Errors
/// If a batch cannot be tried.
pub(crate) fn shrink(bench: &Bench, program: &Program, layout: Layout) -> Result<Program> {
    let mut best = program.clone();
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
            let tried = try_programs(bench, batch, layout)?;
            found = batch
                .iter()
                .zip(tried)
                .find(|(_, tried)| matches!(tried.judgement, Judgement::Different(_)))
                .map(|(program, _)| program.clone());
            if found.is_some() {
                break;
            }
        }
        match found {
            Some(program) => best = program,
            None => return Ok(best),
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
    for at in 0..program.pairs.len() {
        if program.pairs[at] != Pair::PLAIN {
            let mut pairs = program.pairs.clone();
            pairs[at] = Pair::PLAIN;
            all.push(Program { pairs, ..program.clone() });
        }
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
            Statement::Stage(stage, inner) => {
                all.push(replaced(at, inner));
                for smaller in reduced(inner) {
                    all.push(replaced(at, &[Statement::Stage(*stage, smaller)]));
                }
            }
            Statement::Copy { to, from, part, stream, call } => {
                let (to, from, part, call) = (*to, *from, *part, *call);
                let whole = |part, stream, call| Statement::Copy { to, from, part, stream, call };
                if stream.is_some() {
                    all.push(replaced(at, &[whole(part, None, call)]));
                }
                if part != Part::Whole || call != CopyCall::Flat {
                    all.push(replaced(at, &[whole(Part::Whole, *stream, CopyCall::Flat)]));
                }
            }
            Statement::Host { pair, work, part, reach } => {
                let (pair, work) = (*pair, *work);
                if *part != Part::Whole || *reach != Reach::Loop {
                    let (part, reach) = (Part::Whole, Reach::Loop);
                    all.push(replaced(at, &[Statement::Host { pair, work, part, reach }]));
                }
            }
            Statement::Allocate(_)
            | Statement::Free(_)
            | Statement::HostCopy(..)
            | Statement::Launch(..)
            | Statement::Memset(..)
            | Statement::Wait(_)
            | Statement::StreamWait(..)
            | Statement::Compare(_)
            | Statement::Return
            | Statement::Special(..) => {}
        }
    }
    all
}
