//! Pragmas that make code run elsewhere or at another time than it is written. clang is never told to follow them
//! (`-fopenmp` hides loop bodies), so the tree shows the code as if they were not there.

use std::collections::HashSet;

use clang_sys as clang;

use crate::clang::{Cursor, CursorKey};
use crate::text_scan::is_identifier;

use super::launch::is_launch_configuration;
use super::{Unit, qualified_name};

/// Words of OpenMP for code that runs on a device, or later than where it stands.
const ELSEWHERE: &[&[u8]] = &[
    b"target",
    b"task",
    b"taskloop",
    b"depend",
    b"interop",
    b"dispatch",
    b"declare",
    b"threadprivate",
];

impl Unit<'_> {
    /// What a pragma in `function` says that the tree does not, if that matters.
    ///
    /// A team of threads that only computes is left out: it ends where its statement ends, and its program has no data
    /// race. One that uses CUDA has host code and device work at the same time that the tree shows one after the other.
    pub(super) fn unfollowed_pragma(&self, function: Cursor) -> Option<&'static str> {
        let (start, end) = function.expanded_range();
        let text = self.text_of(start.file)?;
        for (offset, operand) in text.pragmas(start.offset, end.offset) {
            let after = || statement_after(function, start.file, offset);
            if let Some(why) = unfollowed(operand, after) {
                return Some(why);
            }
        }
        let code = text.slice(start.offset, end.offset);
        let written_out = code.windows(7).any(|at| at == b"_Pragma").then_some(code);
        let used = |name: &[u8]| words(code).any(|word| word == name);
        let macros = self.pragma_macros.iter().filter(|(name, _)| used(name));
        let operators = macros.map(|(_, body)| body.as_slice()).chain(written_out);
        operators.into_iter().find_map(|operator| {
            let at =
                ["omp", "acc"].iter().filter_map(|word| find(operator, word.as_bytes())).min()?;
            unfollowed(&operator[at..], || Some(function))
        })
    }

    /// Notes the macros that hold `_Pragma`.
    pub(super) fn pragma_macros(&mut self) {
        for (_, text) in self.context.files.iter() {
            for body in text.directives_named("define") {
                if find(body, b"_Pragma").is_some()
                    && let Some(name) = words(body).next()
                {
                    self.pragma_macros.push((name.to_vec(), body.to_vec()));
                }
            }
        }
    }
}

/// Why a pragma would have to be followed; `after` is the statement that it is for.
fn unfollowed(pragma: &[u8], after: impl FnOnce() -> Option<Cursor>) -> Option<&'static str> {
    let pragma: Vec<&[u8]> = words(pragma).collect();
    match pragma.first() {
        Some(&b"acc") => return Some("OpenACC is not followed"),
        Some(&b"omp") => {}
        Some(_) | None => return None,
    }
    if pragma.iter().any(|word| ELSEWHERE.contains(word)) {
        return Some("an OpenMP directive is not followed");
    }
    let concurrent = after().is_none_or(|statement| uses_cuda(statement, &mut HashSet::new()));
    concurrent.then_some("OpenMP threads use CUDA")
}

fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|byte| !is_identifier(*byte)).filter(|word| !word.is_empty())
}

fn find(text: &[u8], word: &[u8]) -> Option<usize> {
    text.windows(word.len()).position(|at| at == word)
}

/// The outermost statement that starts after `offset`, which is inside `at`.
fn statement_after(at: Cursor, file: usize, offset: u32) -> Option<Cursor> {
    for child in at.children() {
        let (start, end) = child.expanded_range();
        if start.file != file || end.offset <= offset {
            continue;
        }
        if start.offset >= offset {
            return Some(child);
        }
        if let Some(found) = statement_after(child, file, offset) {
            return Some(found);
        }
    }
    None
}

/// Whether the code of `at` or of a function that it calls may use CUDA.
fn uses_cuda(at: Cursor, seen: &mut HashSet<CursorKey>) -> bool {
    let children = at.children();
    if at.kind() == clang::CXCursor_CallExpr {
        if children.get(1).is_some_and(|child| is_launch_configuration(*child)) {
            return true;
        }
        let Some(target) = at.referenced() else { return true };
        if target.in_system_header() {
            let name = qualified_name(target);
            if ["cu", "thrust::", "cub::", "nv", "nccl"].iter().any(|own| name.starts_with(own)) {
                return true;
            }
        } else {
            match target.definition() {
                Some(body) if seen.insert(body.key()) => {
                    if uses_cuda(body, seen) {
                        return true;
                    }
                }
                Some(_) => {}
                // Assigning or comparing plain classes calls functions that nobody wrote.
                None if target.name().starts_with("operator") => {}
                None => return true,
            }
        }
    }
    children.into_iter().any(|child| uses_cuda(child, seen))
}
