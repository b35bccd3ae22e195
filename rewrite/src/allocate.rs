//! R1 and R2: where the merged buffer is allocated, and how the other name comes to mean it.

use echo_dataflow::program::{
    CallRole, CudaOperation, DeviceMemory, FunctionKind, HostAllocation, HostAllocator, Program,
    Span, StatementKind, TypeId, VariableId,
};
use echo_dataflow::target::MemoryKind;
use echo_dataflow::verdict::ActionKind;

use crate::edit::Edit;
use crate::ordinary;
use crate::plan::Refusal;
use crate::site::Site;
use crate::text::{
    enclosing_parenthesis, factor, is_plain_lvalue, pointed_at, previous_code, words,
};

/// R1 at the first allocation.
pub(crate) fn allocate(site: &Site<'_>) -> Result<Vec<Edit>, Refusal> {
    match &site.statement().kind {
        StatementKind::Cuda { operation, .. }
            if matches!(
                **operation,
                CudaOperation::Allocate { memory: DeviceMemory::Device, .. }
            ) =>
        {
            allocate_in_place(site)
        }
        StatementKind::HostAllocate(allocation) => allocate_for_host(site, allocation),
        StatementKind::Cuda { .. }
        | StatementKind::Declare(_)
        | StatementKind::Assign { .. }
        | StatementKind::CopyAggregate { .. }
        | StatementKind::Evaluate(_)
        | StatementKind::HostRelease(_)
        | StatementKind::Launch(_)
        | StatementKind::Call(_)
        | StatementKind::Opaque { .. } => Err(not_an_allocation()),
    }
}

fn not_an_allocation() -> Refusal {
    Refusal::new("no-text", "the statement is not a plain allocation")
}

/// `cudaMalloc(&d, n)` becomes the merged buffer's allocation, whatever is around it.
fn allocate_in_place(site: &Site<'_>) -> Result<Vec<Edit>, Refusal> {
    let callee = site.syntax.callee;
    let written = site.text(callee)?;
    if site.runtime_call()? != "cudaMalloc" || written.trim_start_matches("::") != "cudaMalloc" {
        return Err(Refusal::new("no-text", "the call is not written as `cudaMalloc`"));
    }
    let (name, flags) = match site.memory {
        MemoryKind::Managed if site.is_c() => ("cudaMallocManaged", Some("cudaMemAttachGlobal")),
        MemoryKind::Managed => ("cudaMallocManaged", None),
        MemoryKind::Mapped => ("cudaHostAlloc", Some("cudaHostAllocMapped")),
        MemoryKind::Registered | MemoryKind::System => return ordinary::allocate_in_place(site),
    };
    let mut edits = vec![site.replace(callee, name)];
    if let Some(flags) = flags {
        let last = site.syntax.arguments.get(1).ok_or_else(|| {
            Refusal::new("no-text", "the size of the allocation has no text of its own")
        })?;
        edits.push(site.insert(last.file, last.end, format!(", {flags}")));
    }
    Ok(edits)
}

/// A host allocation becomes the merged buffer's. On failure the pointer is NULL, as after `malloc`, and the original
/// test decides.
fn allocate_for_host(site: &Site<'_>, allocation: &HostAllocation) -> Result<Vec<Edit>, Refusal> {
    site.arguments_are_pure()?;
    let bytes = host_bytes(site, allocation.allocator)?;
    let zeroed = is_zeroed(allocation.allocator);
    if matches!(site.memory, MemoryKind::Registered | MemoryKind::System)
        && let Some(edits) = ordinary::keep(site, allocation, &bytes, zeroed)?
    {
        return Ok(edits);
    }
    let ty = pointer_type(site, allocation)?;
    match &site.role {
        CallRole::Initializes { declarator, declarators } => {
            let name = site.text(*declarator)?;
            let syntax = site.syntax;
            let head = site.text(Span { end: declarator.start, ..syntax.statement })?;
            let gap = Span { start: declarator.end, end: syntax.with_casts.start, ..*declarator };
            let assignment = site.text(gap)?;
            if words(&head).any(|word| matches!(word, "static" | "thread_local")) {
                return Err(Refusal::new("static-variable", "the variable is static"));
            }
            let declared = site.program.variables.iter().find(|variable| {
                variable.declaration.as_ref().is_some_and(|d| d.name == *declarator)
            });
            if declared.is_some_and(|variable| !variable.assignable) {
                let what = "the variable is constant and cannot be allocated into";
                return Err(Refusal::new("constant-pointer", what));
            }
            if assignment.trim() != "=" {
                return Err(Refusal::new("no-text", "the variable is not initialised with `=`"));
            }
            let rest = site.text(Span { start: syntax.with_casts.end, ..syntax.statement })?;
            if *declarators > 1 && words(&rest).any(|word| word == name) {
                let what = "the declaration goes on to use the pointer";
                return Err(Refusal::new("used-in-declaration", what));
            }
            let allocation_after = site.after(&fallible(site, &name, &ty, &bytes, zeroed)?)?;
            let initializer = if words(&head).any(|word| word == "auto") {
                site.replace(syntax.with_casts, format!("({ty}){}", site.null()))
            } else {
                site.replace(Span { end: syntax.with_casts.end, ..gap }, "")
            };
            Ok(vec![initializer, allocation_after])
        }
        CallRole::Assigned { target } => {
            let name = site.text(*target)?;
            if site.syntax.in_block {
                let statement = fallible(site, &name, &ty, &bytes, zeroed)?;
                return Ok(vec![site.replace(site.syntax.statement, statement)]);
            }
            let value = conditional(site, &name, &ty, &bytes, zeroed)?;
            Ok(vec![site.replace(site.syntax.with_casts, value)])
        }
        CallRole::Discarded => Err(not_an_allocation()),
        CallRole::Nested => {
            let (name, from) = match initialized_member(site) {
                Some(found) => found,
                None => assigned_inside(site)?,
            };
            let value = conditional(site, &name, &ty, &bytes, zeroed)?;
            let call = site.syntax.call;
            Ok(vec![site.replace(Span { start: from, ..call }, value)])
        }
    }
}

/// `if (... != cudaSuccess) h = NULL;`
fn fallible(
    site: &Site<'_>,
    name: &str,
    ty: &str,
    bytes: &str,
    zeroed: bool,
) -> Result<String, Refusal> {
    let call = allocation_call(site, name, ty, bytes)?;
    let null = site.null();
    if zeroed {
        let fill = fill(site, name, bytes)?;
        let line = site.separator(site.syntax.statement);
        let otherwise = site.body(&format!("{name} = {null};"));
        return Ok(format!("if ({call} == cudaSuccess) {fill}{line}else {otherwise}"));
    }
    Ok(format!("if ({call} != cudaSuccess) {}", site.body(&format!("{name} = {null};"))))
}

/// Zeroes, where the allocator did. nvcc declares `memset` in `.cu` files; elsewhere the file must.
pub(crate) fn fill(site: &Site<'_>, name: &str, bytes: &str) -> Result<String, Refusal> {
    let path = &site.program.file(site.syntax.call.file).path;
    let declared = path.ends_with(".cu")
        || path.ends_with(".cuh")
        || site.effects.vocabulary(site.syntax.call.file).says_memset;
    if !declared {
        let what = "the buffer must be zeroed, and `memset` may not be declared here";
        return Err(Refusal::new("no-memset", what));
    }
    Ok(format!("memset({name}, 0, {bytes});"))
}

/// The same as an expression.
fn conditional(
    site: &Site<'_>,
    name: &str,
    ty: &str,
    bytes: &str,
    zeroed: bool,
) -> Result<String, Refusal> {
    if zeroed {
        let what = "a zero-filled allocation is part of a larger expression";
        return Err(Refusal::new("nested-allocation", what));
    }
    let call = allocation_call(site, name, ty, bytes)?;
    Ok(format!("{call} == cudaSuccess ? {name} : {}", site.null()))
}

/// The status of an allocation into `name`, a pointer of type `ty`.
fn allocation_call(site: &Site<'_>, name: &str, ty: &str, bytes: &str) -> Result<String, Refusal> {
    // `*out` is where `out` points.
    let pointer_target = name.strip_prefix('*').filter(|pointer| is_plain_lvalue(pointer));
    if pointer_target.is_none() && !is_plain_lvalue(name) {
        let what = "the pointer is kept in a place that cannot be named twice";
        return Err(Refusal::new("complex-target", what));
    }
    let place = pointer_target.map_or_else(|| format!("&{name}"), str::to_owned);
    let address = if site.plain_addresses { place } else { format!("(void **){place}") };
    match site.memory {
        MemoryKind::Managed if site.is_c() => {
            Ok(format!("cudaMallocManaged({address}, {bytes}, cudaMemAttachGlobal)"))
        }
        MemoryKind::Managed => Ok(format!("cudaMallocManaged({address}, {bytes})")),
        MemoryKind::Mapped => Ok(format!("cudaHostAlloc({address}, {bytes}, cudaHostAllocMapped)")),
        MemoryKind::Registered | MemoryKind::System => ordinary::status(site, name, ty, bytes),
    }
}

fn is_zeroed(allocator: HostAllocator) -> bool {
    matches!(allocator, HostAllocator::Calloc | HostAllocator::NewArrayZeroed)
}

/// The byte count of a host allocation, as an expression.
fn host_bytes(site: &Site<'_>, allocator: HostAllocator) -> Result<String, Refusal> {
    match allocator {
        HostAllocator::Malloc if site.syntax.arguments.len() == 1 => site.argument(0),
        HostAllocator::Malloc => {
            Err(Refusal::new("unclear-size", "the allocator takes more than a size"))
        }
        HostAllocator::Calloc => {
            let (count, size) = (site.argument(0)?, site.argument(1)?);
            let widened =
                words(&count).chain(words(&size)).any(|w| matches!(w, "sizeof" | "size_t"));
            let product = format!("{} * {}", factor(&count), factor(&size));
            Ok(if widened { product } else { format!("(size_t){product}") })
        }
        HostAllocator::NewArray | HostAllocator::NewArrayZeroed => {
            let text = site.text(site.syntax.call)?;
            let rest = text.trim_start_matches("::").strip_prefix("new").unwrap_or(&text);
            let rest = rest.trim_start();
            let rest = ["(std::nothrow)", "(nothrow)", "(::std::nothrow)"]
                .iter()
                .find_map(|form| rest.strip_prefix(form))
                .unwrap_or(rest);
            let (ty, count) = split_new(rest).ok_or_else(|| {
                Refusal::new("unclear-new", "the `new` expression has an unusual form")
            })?;
            Ok(format!("{} * sizeof({ty})", factor(&count)))
        }
        HostAllocator::NewArrayConstructed | HostAllocator::NewObject | HostAllocator::Other => {
            Err(not_an_allocation())
        }
    }
}

/// Type and count of ` float[n]` or ` float[n]()`.
fn split_new(rest: &str) -> Option<(String, String)> {
    let open = rest.find('[')?;
    let ty = rest[..open].trim();
    if ty.is_empty() || ty.contains('(') {
        return None;
    }
    let mut depth = 0;
    for (offset, c) in rest[open..].char_indices() {
        match c {
            '[' | '(' => depth += 1,
            ']' | ')' => {
                depth -= 1;
                if depth == 0 {
                    let count = rest[open + 1..open + offset].trim().to_owned();
                    let tail = rest[open + offset + 1..].trim();
                    return matches!(tail, "" | "()" | "{}").then(|| (ty.to_owned(), count));
                }
            }
            _ => {}
        }
    }
    None
}

/// For `host((T *)malloc(n))` in the initializer list of a constructor: `this->host`, and where its value starts.
fn initialized_member(site: &Site<'_>) -> Option<(String, u32)> {
    let bytes = site.bytes();
    let call = site.syntax.call;
    let function = site.program.function(site.at.function);
    let start = function.definition.start as usize;
    let (from, head) = before_casts(bytes.get(..call.start as usize)?)?;
    let head = head.strip_suffix(b"(")?.get(start..)?.trim_ascii_end();
    let closed = bytes.get(call.end as usize..)?.trim_ascii_start().first() == Some(&b')');
    let length = head.iter().rev().take_while(|&&b| crate::text::is_word(b)).count();
    let name_at = start + head.len() - length;
    let before = previous_code(bytes, name_at).map(|at| bytes[at]);
    // Before the body, outside the parameters, after `:` or `,`.
    let in_list = function.kind == FunctionKind::Constructor
        && function.definition.file == call.file
        && !head.contains(&b'{')
        && enclosing_parenthesis(bytes, name_at).is_none()
        && matches!(before, Some(b':' | b','))
        && site.syntax.spelling == echo_dataflow::program::Spelling::Text;
    let name = std::str::from_utf8(&head[head.len() - length..]).ok()?;
    (in_list && closed && is_plain_lvalue(name)).then(|| (format!("this->{name}"), from))
}

/// For `h = (T *)malloc(n)` inside a larger expression: `h`, and where its value starts.
fn assigned_inside(site: &Site<'_>) -> Result<(String, u32), Refusal> {
    let refuse =
        || Refusal::new("nested-allocation", "the allocation is part of a larger expression");
    let bytes = site.bytes();
    let call = site.syntax.call;
    let after = bytes[call.end as usize..].trim_ascii_start();
    if after.first() != Some(&b')') {
        return Err(refuse());
    }
    let (from, head) = before_casts(&bytes[..call.start as usize]).ok_or_else(refuse)?;
    let head = head.strip_suffix(b"=").ok_or_else(refuse)?.trim_ascii_end();
    let length = head
        .iter()
        .rev()
        .take_while(|&&b| crate::text::is_word(b) || matches!(b, b'.' | b'[' | b']' | b'>' | b'-'))
        .count();
    let name = std::str::from_utf8(&head[head.len() - length..]).map_err(|_| refuse())?;
    let before = head[..head.len() - length].trim_ascii_end().last();
    if !is_plain_lvalue(name)
        || before != Some(&b'(')
        || site.syntax.spelling != echo_dataflow::program::Spelling::Text
    {
        return Err(refuse());
    }
    Ok((name.to_owned(), from))
}

/// What stands before the casts to pointers at the end of `head`, and where those start.
fn before_casts(head: &[u8]) -> Option<(u32, &[u8])> {
    let mut from = head.len();
    let mut head = head.trim_ascii_end();
    while head.last() == Some(&b')') {
        let open = head.iter().rposition(|&b| b == b'(')?;
        if !head[open + 1..head.len() - 1].contains(&b'*') {
            return None;
        }
        from = open;
        head = head[..open].trim_ascii_end();
    }
    Some((u32::try_from(from).ok()?, head))
}

/// The type that a host allocation's pointer has, from its `new` or its cast.
pub(crate) fn pointer_type(
    site: &Site<'_>,
    allocation: &HostAllocation,
) -> Result<String, Refusal> {
    if let Some(element) = allocation.element {
        return Ok(format!("{} *", site.program.ty(element).spelling));
    }
    let whole = site.text(site.syntax.with_casts)?;
    let call = site.text(site.syntax.call)?;
    let cast = whole.strip_suffix(&call).unwrap_or("").trim();
    let inner = cast.strip_prefix('(').and_then(|c| c.strip_suffix(')'));
    Ok(inner.unwrap_or("void *").to_owned())
}

/// What R2 says of the second allocation.
pub(crate) struct Alias<'a> {
    pub(crate) first: &'a str,
    pub(crate) second: &'a str,
    pub(crate) first_variable: VariableId,
    pub(crate) second_variable: VariableId,
    pub(crate) first_type: Option<TypeId>,
    pub(crate) second_type: Option<TypeId>,
    pub(crate) zero_fill: bool,
}

impl<'a> Alias<'a> {
    /// Of an action that is one.
    pub(crate) fn of(action: &'a ActionKind) -> Option<Self> {
        match action {
            ActionKind::AliasHere {
                first,
                second,
                first_variable,
                second_variable,
                first_type,
                second_type,
                zero_fill,
            } => Some(Self {
                first,
                second,
                first_variable: *first_variable,
                second_variable: *second_variable,
                first_type: *first_type,
                second_type: *second_type,
                zero_fill: *zero_fill,
            }),
            ActionKind::AllocateHere
            | ActionKind::RemoveCopy(_)
            | ActionKind::RetainCopy { .. }
            | ActionKind::FreeMerged { .. }
            | ActionKind::DeleteFree { .. } => None,
        }
    }
}

/// R2 at the second allocation: `second = first`.
pub(crate) fn alias(site: &Site<'_>, alias: &Alias<'_>) -> Result<Vec<Edit>, Refusal> {
    match &site.statement().kind {
        StatementKind::HostAllocate(allocation) if site.renames() => {
            leave_out(site, allocation, alias)
        }
        StatementKind::HostAllocate(allocation) => {
            if !alias.zero_fill {
                site.arguments_are_pure()?;
            }
            let value = converted(site, alias, alias.second);
            let mut edits = vec![site.replace(site.syntax.with_casts, value)];
            if alias.zero_fill {
                let bytes = host_bytes(site, allocation.allocator)?;
                edits.push(site.after(&fill(site, alias.second, &bytes)?)?);
            }
            Ok(edits)
        }
        StatementKind::Cuda { .. } if site.is_device_allocation() => {
            site.runtime_call()?;
            if site.renames() {
                return site.remove("cudaSuccess");
            }
            site.arguments_are_pure()?;
            let written = site.argument(0)?;
            let second = pointed_at(&written).unwrap_or(alias.second);
            let value = converted(site, alias, second);
            alias_for_device(site, &format!("{second} = {value}"))
        }
        StatementKind::Cuda { .. }
        | StatementKind::Declare(_)
        | StatementKind::Assign { .. }
        | StatementKind::CopyAggregate { .. }
        | StatementKind::Evaluate(_)
        | StatementKind::HostRelease(_)
        | StatementKind::Launch(_)
        | StatementKind::Call(_)
        | StatementKind::Opaque { .. } => Err(not_an_allocation()),
    }
}

/// A second allocation on the host side that goes away with the name of its pointer. Only its zeroes stay.
fn leave_out(
    site: &Site<'_>,
    allocation: &HostAllocation,
    alias: &Alias<'_>,
) -> Result<Vec<Edit>, Refusal> {
    let alone = match &site.role {
        CallRole::Initializes { declarators, .. } => *declarators == 1,
        CallRole::Assigned { .. } => true,
        CallRole::Discarded | CallRole::Nested => false,
    };
    if !alone || !site.syntax.in_block {
        let what = "the second allocation is part of something larger";
        return Err(Refusal::new("rename-not-expressible", what));
    }
    if !alias.zero_fill {
        site.arguments_are_pure()?;
        return Ok(vec![site.replace(site.syntax.statement, "")]);
    }
    let bytes = host_bytes(site, allocation.allocator)?;
    let fill = fill(site, alias.first, &bytes)?;
    Ok(vec![site.replace(site.syntax.statement, fill)])
}

fn alias_for_device(site: &Site<'_>, assignment: &str) -> Result<Vec<Edit>, Refusal> {
    if let Some((statement, _)) = site.whole_statement() {
        return Ok(vec![site.replace(statement, format!("{assignment};"))]);
    }
    match site.role {
        CallRole::Assigned { .. } | CallRole::Initializes { .. } if site.syntax.in_block => {
            Ok(vec![
                site.before(&format!("{assignment};"))?,
                site.replace(site.syntax.call, "cudaSuccess"),
            ])
        }
        CallRole::Discarded
        | CallRole::Assigned { .. }
        | CallRole::Initializes { .. }
        | CallRole::Nested => {
            Ok(vec![site.replace(site.syntax.call, format!("({assignment}, cudaSuccess)"))])
        }
    }
}

/// The first pointer converted to the type of the second, which is written `second`.
fn converted(site: &Site<'_>, alias: &Alias<'_>, second: &str) -> String {
    let program = site.program;
    let first = name_here(site, alias.first);
    let to = alias.second_type.or_else(|| stored_type(site));
    match (alias.first_type, to) {
        (Some(from), Some(to)) if converts(program, from, to) => first.to_owned(),
        (_, Some(to)) => format!("({}){first}", unqualified(&program.ty(to).spelling)),
        (_, None) => format!("(decltype({second})){first}"),
    }
}

/// A field is written without `this->` where the program does so for its partner and no variable has its name.
fn name_here<'a>(site: &Site<'_>, name: &'a str) -> &'a str {
    let Some(field) = name.strip_prefix("this->") else { return name };
    let partner = site.text(site.syntax.statement).unwrap_or_default();
    let word = words(field).next().unwrap_or(field);
    let taken = site.program.variables.iter().any(|variable| variable.name == word);
    if taken || partner.contains("this") || field.contains(':') { name } else { field }
}

/// The type of what a device allocation stores its pointer in.
pub(crate) fn stored_type(site: &Site<'_>) -> Option<TypeId> {
    let CudaOperation::Allocate { ty, .. } = site.statement().kind.cuda_operation()? else {
        return None;
    };
    *ty
}

/// Whether a pointer of type `from` may be assigned to one of type `to` without a cast: same type, added `const`, or
/// to `void *`.
fn converts(program: &Program, from: TypeId, to: TypeId) -> bool {
    let plain = |ty: TypeId| {
        let spelling = unqualified(&program.ty(ty).spelling);
        let pointee = spelling.strip_suffix('*').map(str::trim).unwrap_or(&spelling).to_owned();
        match pointee.strip_prefix("const ") {
            Some(rest) => (rest.trim().to_owned(), true),
            None => (pointee, false),
        }
    };
    let ((from, from_const), (to, to_const)) = (plain(from), plain(to));
    (from == to || to == "void") && (to_const || !from_const)
}

/// Without qualifiers of the pointer itself.
pub(crate) fn unqualified(spelling: &str) -> String {
    let mut rest = spelling.trim();
    loop {
        let shorter = ["const", "__restrict__", "__restrict", "restrict", "volatile"]
            .iter()
            .find_map(|word| rest.strip_suffix(word))
            .map(str::trim_end);
        match shorter {
            Some(shorter) if shorter.ends_with('*') => rest = shorter,
            Some(_) | None => return rest.to_owned(),
        }
    }
}
