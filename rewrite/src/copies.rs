//! R3: what becomes of the copies.

use echo_dataflow::program::CallRole;
use echo_dataflow::verdict::Replacement;

use crate::edit::Edit;
use crate::plan::Refusal;
use crate::site::Site;

/// A linking copy goes away; a wait may take its place.
pub(crate) fn remove(site: &Site<'_>, replacement: &Replacement) -> Result<Vec<Edit>, Refusal> {
    site.runtime_call()?;
    match wait(site, replacement)? {
        Some(wait) => {
            site.arguments_are_pure()?;
            Ok(vec![site.replace(site.syntax.call, wait)])
        }
        None => site.remove("cudaSuccess"),
    }
}

/// A copy stays, with an end that is now the merged buffer: the kind is left to the driver, and a wait may follow.
pub(crate) fn retain(site: &Site<'_>, replacement: &Replacement) -> Result<Vec<Edit>, Refusal> {
    let index = if site.runtime_call()?.contains("2D") { 6 } else { 3 };
    let Some(kind) = site.syntax.arguments.get(index) else {
        return Err(Refusal::new("no-text", "the copy's kind is not written"));
    };
    let mut edits = Vec::new();
    if site.text(*kind)? != "cudaMemcpyDefault" {
        edits.push(site.replace(*kind, "cudaMemcpyDefault"));
    }
    let Some(wait) = wait(site, replacement)? else { return Ok(edits) };
    let nested = || {
        let what = "a copy that stays needs a wait after it, and it is part of a larger expression";
        Refusal::new("nested-copy", what)
    };
    match &site.role {
        CallRole::Discarded if site.syntax.in_block => {
            edits.push(site.after(&format!("{wait};"))?);
        }
        CallRole::Discarded => {
            let statement = site.syntax.statement;
            edits.push(site.insert(statement.file, statement.start, "{ "));
            edits.push(site.insert(statement.file, statement.end, format!(" {wait}; }}")));
        }
        CallRole::Initializes { declarator: status, .. }
        | CallRole::Assigned { target: status } => {
            let status = site.text(*status)?;
            if !crate::text::is_plain_lvalue(&status) {
                return Err(nested());
            }
            let next = site.body(&format!("{status} = {wait};"));
            edits.push(site.after(&format!("if ({status} == cudaSuccess) {next}"))?);
        }
        CallRole::Nested if site.check.is_some() => {
            edits.push(site.after(&site.checked(&wait)?)?);
        }
        CallRole::Nested => return Err(nested()),
    }
    Ok(edits)
}

/// The wait as an expression.
fn wait(site: &Site<'_>, replacement: &Replacement) -> Result<Option<String>, Refusal> {
    Ok(match replacement {
        Replacement::Nothing => None,
        Replacement::DefaultStream => Some("cudaStreamSynchronize(0)".to_owned()),
        Replacement::SameStream => {
            let index = if site.runtime_call()?.contains("2D") { 7 } else { 4 };
            let stream = match site.syntax.arguments.get(index) {
                Some(span) => site.text(*span)?,
                None => "0".to_owned(),
            };
            Some(format!("cudaStreamSynchronize({stream})"))
        }
    })
}
