//! R4: what becomes of the frees.

use echo_dataflow::program::{CallRole, Expr, StatementKind};
use echo_dataflow::target::MemoryKind;

use crate::edit::Edit;
use crate::ordinary;
use crate::plan::Refusal;
use crate::site::Site;

const WAIT: &str = "cudaDeviceSynchronize()";

/// This free becomes that of the merged buffer, through its own variable.
pub(crate) fn release_merged(site: &Site<'_>, wait: bool) -> Result<Vec<Edit>, Refusal> {
    if site.syntax.arguments.len() != 1 {
        return Err(Refusal::new("no-text", "the free takes more than a pointer"));
    }
    let pointer = site.argument(0)?;
    let free = match site.memory {
        MemoryKind::Managed => "cudaFree",
        MemoryKind::Mapped => "cudaFreeHost",
        MemoryKind::Registered | MemoryKind::System => {
            return ordinary::release(site, wait.then_some(WAIT), cast(site), &pointer);
        }
    };
    let call = format!("{free}({}{pointer})", cast(site));
    let unchanged = site.text(site.syntax.call)? == call;
    if !wait {
        let call = if is_host(site) && site.role == CallRole::Nested {
            format!("(void){call}")
        } else {
            call
        };
        return Ok(if unchanged { Vec::new() } else { vec![site.replace(site.syntax.call, call)] });
    }
    if let Ok(insertion) = site.before(&site.checked(WAIT)?) {
        let mut edits = vec![insertion];
        if !unchanged {
            edits.push(site.replace(site.syntax.call, call));
        }
        return Ok(edits);
    }
    if site.role == CallRole::Discarded {
        return Ok(vec![site.replace(site.syntax.statement, format!("{{ {WAIT}; {call}; }}"))]);
    }
    let call = if is_host(site) { format!("(void){call}") } else { call };
    Ok(vec![site.replace(site.syntax.call, format!("({WAIT}, {call})"))])
}

/// This free goes away: the buffer lives on, or is freed elsewhere.
pub(crate) fn delete(site: &Site<'_>, wait: bool) -> Result<Vec<Edit>, Refusal> {
    if wait {
        site.arguments_are_pure()?;
        return Ok(vec![site.replace(site.syntax.call, WAIT)]);
    }
    site.remove(if is_host(site) { "(void)0" } else { "cudaSuccess" })
}

fn is_host(site: &Site<'_>) -> bool {
    matches!(site.statement().kind, StatementKind::HostRelease(_))
}

/// `delete[]` takes a pointer to constants, CUDA's frees do not.
fn cast(site: &Site<'_>) -> &'static str {
    let StatementKind::HostRelease(release) = &site.statement().kind else { return "" };
    let constant = matches!(&release.pointer, Expr::Load { ty, .. }
        if site.program.ty(*ty).spelling.contains("const "));
    if constant { "(void *)" } else { "" }
}
