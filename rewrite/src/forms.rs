//! The text of each action: what a careful engineer would write at that place.

use echo_dataflow::program::{
    CallRole, CallSyntax, CudaOperation, DeviceMemory, FileId, HostAllocator, Program, Span,
    Spelling, StatementKind, StatementRef, TypeKind, VariableId,
};
use echo_dataflow::target::MemoryKind;
use echo_dataflow::verdict::{Action, ActionKind, Replacement};

use crate::edit::{Edit, Step};
use crate::plan::Refusal;

/// The edits of one action.
pub(crate) fn edits(
    program: &Program,
    memory: MemoryKind,
    action: &Action,
) -> Result<Vec<Edit>, Refusal> {
    let statement = program.statement(action.at);
    let Some(syntax) = statement.syntax.as_deref() else {
        return Err(Refusal::new("no-text", "the statement has no text of its own"));
    };
    if syntax.spelling == Spelling::MacroBody {
        return Err(Refusal::new("in-macro", "the statement comes from the body of a macro"));
    }
    if !program.file(syntax.call.file).editable {
        return Err(Refusal::new("not-editable", "the file is outside the scanned folders"));
    }
    let site = Site { program, syntax, memory, at: action.at };
    match &action.kind {
        ActionKind::AllocateHere => site.allocate(),
        ActionKind::AliasHere { first, second, first_variable, second_variable, zero_fill } => {
            site.alias(first, second, *first_variable, *second_variable, *zero_fill)
        }
        ActionKind::RemoveCopy(replacement) => site.remove_copy(replacement),
        ActionKind::RetainCopy { wait } => site.retain_copy(wait),
        ActionKind::FreeMerged { wait } => site.free_merged(*wait),
        ActionKind::DeleteFree { wait } => site.delete_free(*wait),
    }
}

/// One statement to change.
struct Site<'p> {
    program: &'p Program,
    syntax: &'p CallSyntax,
    memory: MemoryKind,
    at: StatementRef,
}

impl Site<'_> {
    fn text(&self, span: Span) -> Result<String, Refusal> {
        let bytes = &self.program.file(span.file).text;
        bytes
            .get(span.start as usize..span.end as usize)
            .and_then(|b| std::str::from_utf8(b).ok())
            .map(str::to_owned)
            .ok_or_else(|| Refusal::new("not-utf8", "the text that must be repeated is not UTF-8"))
    }

    fn argument(&self, index: usize) -> Result<String, Refusal> {
        match self.syntax.arguments.get(index) {
            Some(span) => self.text(*span),
            None => Err(Refusal::new("no-text", "an argument has no text of its own")),
        }
    }

    fn edit(&self, span: Span, replacement: impl Into<String>, step: Step) -> Edit {
        Edit {
            file: span.file,
            start: span.start,
            end: span.end,
            replacement: replacement.into(),
            step,
        }
    }

    fn insert(&self, file: FileId, at: u32, text: impl Into<String>, step: Step) -> Edit {
        Edit { file, start: at, end: at, replacement: text.into(), step }
    }

    /// White space at the start of the statement's line, and the file's line ending.
    fn line_start(&self) -> (String, &'static str) {
        let text = &self.program.file(self.syntax.statement.file).text;
        let start = self.syntax.statement.start as usize;
        let line =
            text[..start.min(text.len())].iter().rposition(|&b| b == b'\n').map_or(0, |p| p + 1);
        let indent: String = text[line..start.min(text.len())]
            .iter()
            .take_while(|b| b.is_ascii_whitespace())
            .map(|&b| char::from(b))
            .collect();
        let crlf = text.windows(2).any(|w| w == b"\r\n");
        (indent, if crlf { "\r\n" } else { "\n" })
    }

    /// A statement after this one.
    fn after(&self, statement: &str, step: Step) -> Result<Edit, Refusal> {
        if !self.syntax.in_block {
            return Err(Refusal::new("no-place", "no statement can be inserted at this place"));
        }
        let (indent, newline) = self.line_start();
        let at = self.syntax.statement;
        Ok(self.insert(at.file, at.end, format!("{newline}{indent}{statement}"), step))
    }

    /// The CUDA call that allocates into `&name`.
    fn allocation_call(&self, name: &str, bytes: &str) -> String {
        match self.memory {
            MemoryKind::Managed => format!("cudaMallocManaged((void **)&{name}, {bytes})"),
            MemoryKind::Mapped => {
                format!("cudaHostAlloc((void **)&{name}, {bytes}, cudaHostAllocMapped)")
            }
            MemoryKind::Registered | MemoryKind::System => String::new(),
        }
    }

    fn free_name(&self) -> &'static str {
        match self.memory {
            MemoryKind::Managed => "cudaFree",
            MemoryKind::Mapped => "cudaFreeHost",
            MemoryKind::Registered | MemoryKind::System => "free",
        }
    }

    fn allocate(&self) -> Result<Vec<Edit>, Refusal> {
        if matches!(self.memory, MemoryKind::Registered | MemoryKind::System) {
            return Err(Refusal::new(
                "unfinished-kind",
                "this kind of memory cannot be written yet",
            ));
        }
        match &self.program.statement(self.at).kind {
            StatementKind::Cuda {
                operation: CudaOperation::Allocate { memory: DeviceMemory::Device, .. },
                name,
                ..
            } => self.allocate_device(name),
            StatementKind::HostAllocate(allocation) => self.allocate_host(allocation.allocator),
            StatementKind::Cuda { .. }
            | StatementKind::Declare(_)
            | StatementKind::Assign { .. }
            | StatementKind::CopyAggregate { .. }
            | StatementKind::Evaluate(_)
            | StatementKind::HostRelease(_)
            | StatementKind::Launch(_)
            | StatementKind::Call(_)
            | StatementKind::Opaque { .. } => Err(Refusal::new("no-text", "not an allocation")),
        }
    }

    /// `cudaMalloc(&d, n)` in place, whatever is around it.
    fn allocate_device(&self, name: &str) -> Result<Vec<Edit>, Refusal> {
        if name != "cudaMalloc" {
            return Err(Refusal::new("driver-call", "driver calls are not rewritten"));
        }
        let callee = self.syntax.callee;
        if self.text(callee)?.trim_start_matches("::") != "cudaMalloc" {
            return Err(Refusal::new("no-text", "the call is not written as `cudaMalloc`"));
        }
        match self.memory {
            MemoryKind::Managed => {
                Ok(vec![self.edit(callee, "cudaMallocManaged", Step::Allocation)])
            }
            MemoryKind::Mapped => {
                let close = Span { start: self.syntax.call.end - 1, ..self.syntax.call };
                Ok(vec![
                    self.edit(callee, "cudaHostAlloc", Step::Allocation),
                    self.insert(close.file, close.start, ", cudaHostAllocMapped", Step::Allocation),
                ])
            }
            MemoryKind::Registered | MemoryKind::System => {
                Err(Refusal::new("unfinished-kind", "this kind of memory cannot be written yet"))
            }
        }
    }

    /// The byte count of a host allocation, as an expression.
    fn host_bytes(&self, allocator: HostAllocator) -> Result<String, Refusal> {
        match allocator {
            HostAllocator::Malloc => self.argument(0),
            HostAllocator::Calloc => {
                Ok(format!("(size_t)({}) * ({})", self.argument(0)?, self.argument(1)?))
            }
            HostAllocator::NewArray | HostAllocator::NewArrayZeroed => {
                let text = self.text(self.syntax.call)?;
                let rest = text.trim_start_matches("::").strip_prefix("new").unwrap_or(&text);
                let (ty, count) = split_new(rest).ok_or_else(|| {
                    Refusal::new("unclear-new", "the `new` expression has an unusual form")
                })?;
                Ok(format!("{} * sizeof({})", parenthesized(&count), ty))
            }
            HostAllocator::NewArrayConstructed
            | HostAllocator::NewObject
            | HostAllocator::Other => Err(Refusal::new("no-text", "not a plain allocation")),
        }
    }

    fn allocate_host(&self, allocator: HostAllocator) -> Result<Vec<Edit>, Refusal> {
        let bytes = self.host_bytes(allocator)?;
        let fill = matches!(allocator, HostAllocator::Calloc | HostAllocator::NewArrayZeroed);
        let checked = |name: &str| {
            let call = self.allocation_call(name, &bytes);
            let mut text = format!("if ({call} != cudaSuccess) {name} = NULL;");
            if fill {
                text.push_str(&format!(" else memset({name}, 0, {bytes});"));
            }
            text
        };
        match &self.syntax.role {
            CallRole::Initializes { declarator, declarators } => {
                let name = self.text(*declarator)?;
                let statement = self.text(self.syntax.statement)?;
                if statement.starts_with("static ") {
                    return Err(Refusal::new("static-variable", "the variable is static"));
                }
                if *declarators > 1 && self.used_later(&name)? {
                    return Err(Refusal::new(
                        "used-in-declaration",
                        "the declaration goes on to use the pointer",
                    ));
                }
                let null = if statement.starts_with("auto") || statement.contains("const auto") {
                    let ty = self.pointer_type()?;
                    format!("({ty})NULL")
                } else {
                    "NULL".to_owned()
                };
                Ok(vec![
                    self.edit(self.syntax.with_casts, null, Step::Allocation),
                    self.after(&checked(&name), Step::Allocation)?,
                ])
            }
            CallRole::Assigned { target } => {
                let name = self.text(*target)?;
                let mut text = checked(&name);
                if !self.syntax.in_block {
                    text = format!("{{ {text} }}");
                }
                Ok(vec![self.edit(self.syntax.statement, text, Step::Allocation)])
            }
            CallRole::Discarded | CallRole::Nested => Err(Refusal::new(
                "nested-allocation",
                "the allocation is part of a larger expression",
            )),
        }
    }

    /// Whether the rest of the declaration, after this initialiser, names `name`.
    fn used_later(&self, name: &str) -> Result<bool, Refusal> {
        let rest =
            self.text(Span { start: self.syntax.with_casts.end, ..self.syntax.statement })?;
        Ok(words(&rest).any(|word| word == name))
    }

    /// The type that a host allocation's pointer has, from its cast or its `new`.
    fn pointer_type(&self) -> Result<String, Refusal> {
        match &self.program.statement(self.at).kind {
            StatementKind::HostAllocate(allocation) => match allocation.element {
                Some(element) => Ok(format!("{} *", self.program.ty(element).spelling)),
                None => {
                    let whole = self.text(self.syntax.with_casts)?;
                    let call = self.text(self.syntax.call)?;
                    let cast = whole.strip_suffix(&call).unwrap_or("").trim();
                    let inner = cast.strip_prefix('(').and_then(|c| c.strip_suffix(')'));
                    Ok(inner.unwrap_or("void *").to_owned())
                }
            },
            _ => Err(Refusal::new("no-text", "not an allocation")),
        }
    }

    /// `first` converted to the type of the second pointer.
    fn converted(
        &self,
        first: &str,
        second: &str,
        first_variable: VariableId,
        second_variable: VariableId,
    ) -> String {
        let ty = |variable: VariableId| self.program.ty(self.program.variable(variable).ty);
        let (from, to) = (ty(first_variable), ty(second_variable));
        let plain = |t: &echo_dataflow::program::Type| matches!(t.kind, TypeKind::Pointer { .. });
        let simple = !first.contains('.') && !second.contains('.') && plain(from) && plain(to);
        if simple && from.spelling == to.spelling {
            first.to_owned()
        } else if simple {
            format!("({}){first}", to.spelling)
        } else {
            format!("(decltype({second})){first}")
        }
    }

    fn alias(
        &self,
        first: &str,
        second: &str,
        first_variable: VariableId,
        second_variable: VariableId,
        zero_fill: bool,
    ) -> Result<Vec<Edit>, Refusal> {
        let value = self.converted(first, second, first_variable, second_variable);
        match &self.program.statement(self.at).kind {
            StatementKind::Cuda { .. } => {
                let text = match self.syntax.role {
                    CallRole::Discarded => format!("{second} = {value}"),
                    CallRole::Initializes { .. } | CallRole::Assigned { .. } | CallRole::Nested => {
                        format!("({second} = {value}, cudaSuccess)")
                    }
                };
                Ok(vec![self.edit(self.syntax.call, text, Step::Renaming)])
            }
            StatementKind::HostAllocate(allocation) => {
                let mut edits = vec![self.edit(self.syntax.with_casts, value, Step::Renaming)];
                if zero_fill {
                    let bytes = self.host_bytes(allocation.allocator)?;
                    edits.push(
                        self.after(&format!("memset({second}, 0, {bytes});"), Step::Allocation)?,
                    );
                }
                Ok(edits)
            }
            StatementKind::Declare(_)
            | StatementKind::Assign { .. }
            | StatementKind::CopyAggregate { .. }
            | StatementKind::Evaluate(_)
            | StatementKind::HostRelease(_)
            | StatementKind::Launch(_)
            | StatementKind::Call(_)
            | StatementKind::Opaque { .. } => Err(Refusal::new("no-text", "not an allocation")),
        }
    }

    fn is_runtime_call(&self) -> Result<(), Refusal> {
        match &self.program.statement(self.at).kind {
            StatementKind::Cuda { name, .. } if name.starts_with("cuda") => Ok(()),
            _ => Err(Refusal::new("driver-call", "driver calls are not rewritten")),
        }
    }

    /// The wait that stands for a copy.
    fn wait_call(&self, replacement: &Replacement) -> Result<Option<String>, Refusal> {
        Ok(match replacement {
            Replacement::Nothing => None,
            Replacement::DefaultStream => Some("cudaStreamSynchronize(0)".to_owned()),
            Replacement::SameStream => {
                let index = match &self.program.statement(self.at).kind {
                    StatementKind::Cuda { name, .. } if name.contains("2D") => 7,
                    _ => 4,
                };
                let stream = match self.syntax.arguments.get(index) {
                    Some(span) => self.text(*span)?,
                    None => "0".to_owned(),
                };
                Some(format!("cudaStreamSynchronize({stream})"))
            }
        })
    }

    fn remove_copy(&self, replacement: &Replacement) -> Result<Vec<Edit>, Refusal> {
        self.is_runtime_call()?;
        match (self.wait_call(replacement)?, &self.syntax.role) {
            (Some(wait), _) => Ok(vec![self.edit(self.syntax.call, wait, Step::Copy)]),
            (None, CallRole::Discarded) => Ok(vec![self.delete_statement(Step::Copy)]),
            (None, CallRole::Initializes { .. } | CallRole::Assigned { .. } | CallRole::Nested) => {
                Ok(vec![self.edit(self.syntax.call, "cudaSuccess", Step::Copy)])
            }
        }
    }

    fn retain_copy(&self, wait: &Replacement) -> Result<Vec<Edit>, Refusal> {
        self.is_runtime_call()?;
        let two_dimensional = matches!(
            &self.program.statement(self.at).kind,
            StatementKind::Cuda { name, .. } if name.contains("2D")
        );
        let Some(kind) = self.syntax.arguments.get(if two_dimensional { 6 } else { 3 }) else {
            return Err(Refusal::new("no-text", "the copy's kind is not written"));
        };
        let mut edits = Vec::new();
        if self.text(*kind)? != "cudaMemcpyDefault" {
            edits.push(self.edit(*kind, "cudaMemcpyDefault", Step::Copy));
        }
        if let Some(wait) = self.wait_call(wait)? {
            match self.syntax.role {
                CallRole::Discarded => edits.push(self.after(&format!("{wait};"), Step::Copy)?),
                CallRole::Initializes { .. } | CallRole::Assigned { .. } | CallRole::Nested => {
                    return Err(Refusal::new(
                        "nested-copy",
                        "a copy that stays needs a wait after it, and it is part of a larger expression",
                    ));
                }
            }
        }
        Ok(edits)
    }

    /// The statement goes away; a lone body leaves `;`.
    fn delete_statement(&self, step: Step) -> Edit {
        self.edit(self.syntax.statement, if self.syntax.in_block { "" } else { ";" }, step)
    }

    fn is_host_release(&self) -> bool {
        matches!(self.program.statement(self.at).kind, StatementKind::HostRelease(_))
    }

    fn free_merged(&self, wait: bool) -> Result<Vec<Edit>, Refusal> {
        let pointer = self.argument(0)?;
        let free = format!("{}({pointer})", self.free_name());
        match (wait, &self.syntax.role) {
            (true, CallRole::Discarded) if self.syntax.in_block => {
                let (indent, newline) = self.line_start();
                let at = self.syntax.statement;
                let mut edits = vec![self.insert(
                    at.file,
                    at.start,
                    format!("cudaDeviceSynchronize();{newline}{indent}"),
                    Step::Deallocation,
                )];
                if self.text(self.syntax.call)? != free {
                    edits.push(self.edit(self.syntax.call, free, Step::Deallocation));
                }
                Ok(edits)
            }
            (true, _) => Ok(vec![self.edit(
                self.syntax.call,
                format!("(cudaDeviceSynchronize(), {free})"),
                Step::Deallocation,
            )]),
            (false, _) => {
                if self.text(self.syntax.call)? == free {
                    return Ok(Vec::new());
                }
                Ok(vec![self.edit(self.syntax.call, free, Step::Deallocation)])
            }
        }
    }

    fn delete_free(&self, wait: bool) -> Result<Vec<Edit>, Refusal> {
        match (wait, &self.syntax.role) {
            (true, _) => {
                Ok(vec![self.edit(self.syntax.call, "cudaDeviceSynchronize()", Step::Deallocation)])
            }
            (false, CallRole::Discarded) => Ok(vec![self.delete_statement(Step::Deallocation)]),
            (
                false,
                CallRole::Initializes { .. } | CallRole::Assigned { .. } | CallRole::Nested,
            ) => {
                let text = if self.is_host_release() { "(void)0" } else { "cudaSuccess" };
                Ok(vec![self.edit(self.syntax.call, text, Step::Deallocation)])
            }
        }
    }
}

/// Identifiers of `text`.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|w| !w.is_empty())
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
                    let plain = tail.is_empty() || tail == "()" || tail == "{}";
                    return plain.then(|| (ty.to_owned(), count));
                }
            }
            _ => {}
        }
    }
    None
}

/// `count` as a factor.
fn parenthesized(count: &str) -> String {
    if count.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '.') {
        count.to_owned()
    } else {
        format!("({count})")
    }
}
