//! Memory of the kinds `system` and `registered`: ordinary host memory, aligned as CUDA's is.
//!
//! Two registered buffers must not share a page, and pages are of 64 KiB at most.

use echo_dataflow::program::{
    CallRole, CudaOperation, HostAllocation, PlaceBase, StatementKind, TypeKind,
};
use echo_dataflow::target::MemoryKind;

use crate::allocate::{fill, pointer_type, stored_type, unqualified};
use crate::edit::Edit;
use crate::plan::Refusal;
use crate::site::Site;
use crate::text::{factor, is_plain_lvalue, pointed_at};

/// Bytes.
const PAGE: u32 = 65_536;
/// Bytes: the alignment of `cudaMalloc`.
const LINE: u32 = 256;

/// `malloc(n)` becomes an aligned allocation where it stands; what else there is to do follows, on the variable `name`.
/// `None` where nothing can follow and something must.
pub(crate) fn keep(
    site: &Site<'_>,
    allocation: &HostAllocation,
    bytes: &str,
    zeroed: bool,
) -> Result<Option<Vec<Edit>>, Refusal> {
    let registered = site.memory == MemoryKind::Registered;
    let name = match &site.role {
        CallRole::Initializes { declarator: name, .. } | CallRole::Assigned { target: name } => {
            Some(site.text(*name)?).filter(|name| is_plain_lvalue(name) && site.syntax.in_block)
        }
        CallRole::Discarded | CallRole::Nested => None,
    };
    let alignment = if registered { PAGE } else { LINE };
    let call = aligned(site, alignment, bytes)?;
    let call = match allocation.element {
        Some(_) => format!("({}){call}", pointer_type(site, allocation)?),
        None => call,
    };
    let mut edits = vec![site.replace(site.syntax.call, call)];
    let Some(name) = name else { return Ok((!registered && !zeroed).then_some(edits)) };
    let mut follow = Vec::new();
    if registered {
        let register = format!("cudaHostRegister({name}, {bytes}, cudaHostRegisterMapped)");
        follow.push(format!(
            "if ({name} && {register} != cudaSuccess) {{ free({name}); {name} = {}; }}",
            site.null()
        ));
    }
    if zeroed {
        follow.push(format!("if ({name}) {}", fill(site, &name, bytes)?));
    }
    if !follow.is_empty() {
        let text = follow.join(&site.separator(site.syntax.statement));
        edits.push(site.after(&text)?);
    }
    Ok(Some(edits))
}

/// `cudaMalloc(&d, n)` becomes the merged buffer's allocation, whatever is around it.
pub(crate) fn allocate_in_place(site: &Site<'_>) -> Result<Vec<Edit>, Refusal> {
    site.arguments_are_pure()?;
    let written = site.argument(0)?;
    let unclear = || Refusal::new("complex-target", "the pointer has no simple name");
    let name = pointed_at(&written).ok_or_else(unclear)?;
    let ty = target_type(site).ok_or_else(unclear)?;
    let status = status(site, name, &ty, &site.argument(1)?)?;
    Ok(vec![site.replace(site.syntax.call, status)])
}

/// The type of the pointer that a device allocation stores.
fn target_type(site: &Site<'_>) -> Option<String> {
    let program = site.program;
    let CudaOperation::Allocate { target, .. } = site.statement().kind.cuda_operation()? else {
        return None;
    };
    let variable = match &target.base {
        PlaceBase::Variable(variable) if target.path.is_empty() => {
            Some(program.variable(*variable).ty)
        }
        PlaceBase::Variable(_) | PlaceBase::Deref(_) => None,
    };
    let ty = program.ty(variable.or_else(|| stored_type(site))?);
    matches!(ty.kind, TypeKind::Pointer { .. }).then(|| unqualified(&ty.spelling))
}

/// An allocation into `name`, a pointer of type `ty`, as a `cudaError_t`.
pub(crate) fn status(
    site: &Site<'_>,
    name: &str,
    ty: &str,
    bytes: &str,
) -> Result<String, Refusal> {
    if !is_plain_lvalue(name) {
        let what = "the pointer is kept in a place that cannot be named twice";
        return Err(Refusal::new("complex-target", what));
    }
    let (alignment, success) = match site.memory {
        MemoryKind::Registered => {
            (PAGE, format!("cudaHostRegister({name}, {bytes}, cudaHostRegisterMapped)"))
        }
        MemoryKind::System | MemoryKind::Managed | MemoryKind::Mapped => {
            (LINE, "cudaSuccess".to_owned())
        }
    };
    let call = aligned(site, alignment, bytes)?;
    Ok(format!("(({name} = ({ty}){call}) ? {success} : cudaErrorMemoryAllocation)"))
}

/// The call of `aligned_alloc`, whose size is a multiple of the alignment.
fn aligned(site: &Site<'_>, alignment: u32, bytes: &str) -> Result<String, Refusal> {
    is_declared(site)?;
    let bytes = factor(bytes);
    let rest = alignment - 1;
    Ok(format!("aligned_alloc({alignment}, ({bytes} + {rest}ul) / {alignment} * {alignment})"))
}

/// nvcc includes `stdlib.h` in `.cu` files; elsewhere the file must.
fn is_declared(site: &Site<'_>) -> Result<(), Refusal> {
    let file = site.syntax.call.file;
    let path = &site.program.file(file).path;
    let compiled_by_nvcc = path.ends_with(".cu") || path.ends_with(".cuh");
    if compiled_by_nvcc || site.effects.vocabulary(file).says_stdlib {
        return Ok(());
    }
    let what = "`aligned_alloc` and `free` may not be declared here";
    Err(Refusal::new("no-stdlib", what))
}

/// The call at `site` becomes the free of the merged buffer `pointer`, cast as written in `cast`.
pub(crate) fn release(
    site: &Site<'_>,
    wait: Option<&str>,
    cast: &str,
    pointer: &str,
) -> Result<Vec<Edit>, Refusal> {
    is_declared(site)?;
    site.arguments_are_pure()?;
    let is_host = matches!(site.statement().kind, StatementKind::HostRelease(_));
    let free = format!("free({cast}{pointer})");
    let registered = site.memory == MemoryKind::Registered;
    let mut statements = Vec::new();
    if let Some(wait) = wait {
        statements.push(site.checked(wait)?);
    }
    if registered {
        statements.push(format!("if ({pointer}) cudaHostUnregister({cast}{pointer});"));
    }
    // A statement of its own.
    if let Some((statement, in_block)) = site.whole_statement() {
        statements.push(format!("{free};"));
        let text = if in_block || statements.len() == 1 {
            statements.join(&site.separator(statement))
        } else {
            format!("{{ {} }}", statements.join(" "))
        };
        let unchanged = site.text(statement)? == text;
        return Ok(if unchanged { Vec::new() } else { vec![site.replace(statement, text)] });
    }
    // Part of something larger.
    let mut parts = Vec::new();
    parts.extend(wait.map(str::to_owned));
    if registered {
        parts.push(format!("{pointer} ? cudaHostUnregister({cast}{pointer}) : cudaSuccess"));
    }
    parts.push(free);
    if !is_host {
        parts.push("cudaSuccess".to_owned());
    }
    let whole = match parts.as_slice() {
        [one] => one.clone(),
        _ => format!("({})", parts.join(", ")),
    };
    if site.text(site.syntax.call)? != whole {
        return Ok(vec![site.replace(site.syntax.call, whole)]);
    }
    Ok(Vec::new())
}
