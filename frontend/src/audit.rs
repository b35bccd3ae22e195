//! The completeness check (condition C, notes/frontend.md section 5).
//!
//! libclang drops statements that name something unknown without a trace in the tree. So every identifier token of
//! the files that are lowered must be accounted for by a node that refers to something or declares something, keyed
//! by file and offset; a function with a token that is not, or with an error inside, is opaque.

use std::collections::HashMap;

use echo_dataflow::program::{FileId, Span};

use crate::clang::{Cursor, FileKey, Kind, Severity, TokenKind, TranslationUnit};
use crate::lower::{Ownership, Spans, lexer};

/// What of the files' text the syntax tree does not account for.
#[derive(Debug, Default)]
pub(crate) struct Audit {
    files: HashMap<FileId, FileAudit>,
}

#[derive(Debug, Default)]
struct FileAudit {
    /// Offsets of errors, with the message.
    errors: Vec<(u32, String)>,
    /// Identifiers nothing accounts for, outside templates.
    lost: Vec<(u32, String)>,
    /// Identifiers inside templates that only an instantiation can account for.
    in_templates: Vec<(u32, String)>,
    /// Function definitions (and all else that is audited as a unit).
    functions: Vec<(u32, u32)>,
}

/// How a name at an offset is accounted for.
#[derive(Debug, Clone, Copy, Default)]
struct Cover {
    /// By a reference that resolves, or a declaration.
    resolved: bool,
    /// By the name of a type or scope.
    names_type: bool,
}

type Covers = HashMap<(FileKey, u32), Cover>;

impl Audit {
    /// Audits the files of `spans` that are not system headers.
    pub(crate) fn of<'tu>(
        unit: &'tu TranslationUnit,
        spans: &Spans<'tu>,
        declarations: &[Cursor<'tu>],
        expansions: &[Cursor<'tu>],
    ) -> Self {
        let mut covers = Covers::new();
        let mut templates: HashMap<FileKey, Vec<(u32, u32)>> = HashMap::new();
        let mut functions: HashMap<FileKey, Vec<(u32, u32)>> = HashMap::new();
        for declaration in declarations {
            note(*declaration, &mut covers, &mut templates, &mut functions);
            declaration.walk(&mut |node: Cursor<'tu>| {
                note(node, &mut covers, &mut templates, &mut functions);
                true
            });
        }
        let mut macros = Macros::new(unit, expansions);
        let mut files = HashMap::new();
        let errors: Vec<_> =
            unit.diagnostics().into_iter().filter(|d| d.severity >= Severity::Error).collect();
        for (id, file, ownership) in spans.kept() {
            if ownership == Ownership::System {
                continue;
            }
            let key = file.key();
            let mut audit = FileAudit {
                functions: functions.remove(&key).unwrap_or_default(),
                ..FileAudit::default()
            };
            for error in &errors {
                for at in error.at.iter().flatten() {
                    if at.0 == key {
                        audit.errors.push((at.1, error.text.clone()));
                    }
                }
            }
            let text = spans.text(id);
            let skipped = unit.skipped_ranges(file);
            let unchecked = unchecked_ranges(text);
            let patterns = templates.get(&key).map_or(&[][..], Vec::as_slice);
            for token in unit.tokens(file) {
                let at = token.offset;
                if token.kind != TokenKind::Identifier
                    || within(&skipped, at)
                    || within(&unchecked, at)
                    || matches!(token.text.as_str(), "override" | "final" | "_Pragma")
                    || macros.is_use(key, at)
                {
                    continue;
                }
                let cover = covers.get(&(key, at)).copied().unwrap_or_default();
                let in_template = within(patterns, at);
                if cover.names_type || (cover.resolved && !in_template) {
                    continue;
                }
                if macros.drops(key, text, at) {
                    continue;
                }
                if in_template {
                    audit.in_templates.push((at, token.text));
                } else {
                    audit.lost.push((at, token.text));
                }
            }
            files.insert(id, audit);
        }
        Self { files }
    }

    /// Why the text of `span` must not be trusted, if so.
    pub(crate) fn reason(&self, span: &Span) -> Option<String> {
        let file = self.files.get(&span.file)?;
        let inside = |at: u32| (span.start..span.end).contains(&at);
        if let Some((_, text)) = file.errors.iter().find(|(at, _)| inside(*at)) {
            return Some(format!("did not compile: {text}"));
        }
        let (_, name) = file.lost.iter().find(|(at, _)| inside(*at))?;
        Some(format!("`{name}` is not in the syntax tree"))
    }

    /// As [`Self::reason`], for an instantiation: the tokens of the template's text must be in the instantiated tree.
    pub(crate) fn instance_reason(&self, span: &Span, definition: Cursor<'_>) -> Option<String> {
        if let Some(reason) = self.reason(span) {
            return Some(reason);
        }
        let file = self.files.get(&span.file)?;
        let start = file.in_templates.partition_point(|(at, _)| *at < span.start);
        let wanted = file.in_templates[start..].iter().take_while(|(at, _)| *at < span.end);
        let wanted: Vec<_> = wanted.collect();
        if wanted.is_empty() {
            return None;
        }
        let mut covers = Covers::new();
        let (mut templates, mut functions) = (HashMap::new(), HashMap::new());
        note(definition, &mut covers, &mut templates, &mut functions);
        definition.walk(&mut |node: Cursor<'_>| {
            note(node, &mut covers, &mut templates, &mut functions);
            true
        });
        let offsets: std::collections::HashSet<u32> =
            covers.iter().filter(|(_, c)| c.resolved || c.names_type).map(|(k, _)| k.1).collect();
        let lost = wanted.into_iter().find(|(at, _)| !offsets.contains(at))?;
        Some(format!("`{}` is not in the instantiated syntax tree", lost.1))
    }

    /// Whether something outside all functions is not accounted for.
    pub(crate) fn lost_outside_functions(&self) -> bool {
        self.files.values().any(|file| {
            let outside = |at: &u32| !within(&file.functions, *at);
            file.errors.iter().any(|(at, text)| outside(at) && !text.contains("file not found"))
                || file.lost.iter().any(|(at, _)| outside(at))
        })
    }
}

fn note<'tu>(
    node: Cursor<'tu>,
    covers: &mut Covers,
    templates: &mut HashMap<FileKey, Vec<(u32, u32)>>,
    functions: &mut HashMap<FileKey, Vec<(u32, u32)>>,
) {
    let kind = node.kind();
    let at = node.location().spelling();
    let Some(key) = at.key() else { return };
    let declares = node.is_declaration();
    match kind {
        Kind::FunctionTemplate | Kind::ClassTemplate | Kind::ClassTemplatePartialSpecialization => {
            add_range(node, templates)
        }
        Kind::FunctionDecl
        | Kind::CXXMethod
        | Kind::Constructor
        | Kind::Destructor
        | Kind::ConversionFunction => {
            add_range(node, functions);
            let in_template = node.semantic_parent().is_some_and(|p| {
                matches!(p.kind(), Kind::ClassTemplate | Kind::ClassTemplatePartialSpecialization)
            });
            if in_template {
                add_range(node, templates);
            }
        }
        Kind::LambdaExpr => {
            let generic = node
                .children()
                .iter()
                .any(|c| c.kind() == Kind::ParmDecl && c.ty().spelling().contains("auto"));
            if generic {
                add_range(node, templates);
            }
        }
        _ => {}
    }
    let names_type = matches!(
        kind,
        Kind::TypeRef
            | Kind::TemplateRef
            | Kind::NamespaceRef
            | Kind::TemplateTypeParameter
            | Kind::NonTypeTemplateParameter
            | Kind::TemplateTemplateParameter
            | Kind::LabelStmt
            | Kind::LabelRef
    );
    let resolved = declares || names_type || node.referenced().is_some();
    if !resolved {
        return;
    }
    let cover = covers.entry(key).or_default();
    cover.resolved = true;
    cover.names_type |= names_type;
    if kind == Kind::Destructor {
        // The name after the tilde.
        covers.entry((key.0, key.1 + 1)).or_default().resolved = true;
    }
}

fn add_range(node: Cursor<'_>, ranges: &mut HashMap<FileKey, Vec<(u32, u32)>>) {
    let (start, end) = node.extent();
    let (start, end) = (start.expansion(), end.expansion());
    if let (Some(from), Some(to)) = (start.key(), end.key())
        && from.0 == to.0
    {
        ranges.entry(from.0).or_default().push((from.1, to.1));
    }
}

fn within(ranges: &[(u32, u32)], at: u32) -> bool {
    ranges.iter().any(|(start, end)| (*start..=*end).contains(&at))
}

/// Preprocessor directives and attributes: their names are not program text.
fn unchecked_ranges(text: &[u8]) -> Vec<(u32, u32)> {
    let mut ranges = Vec::new();
    let mut push = |start: usize, end: usize| {
        if let (Ok(start), Ok(end)) = (u32::try_from(start), u32::try_from(end)) {
            ranges.push((start, end.saturating_sub(1)));
        }
    };
    let mut line_start = 0;
    while line_start < text.len() {
        let mut end = line_end(text, line_start);
        let first = text[line_start..end].iter().position(|b| !b.is_ascii_whitespace());
        if first.is_some_and(|p| text[line_start + p] == b'#') {
            while end < text.len() && continues(&text[line_start..end]) {
                end = line_end(text, end + 1);
            }
            push(line_start, end);
        }
        line_start = end + 1;
    }
    let mut at = 0;
    while let Some(piece) = lexer::next(text, at) {
        at = piece.end;
        let word = &text[piece.start..piece.end];
        if word == b"__attribute__" || word == b"__declspec" || word == b"alignas" {
            if let Some(open) = lexer::next(text, piece.end).filter(|p| text[p.start] == b'(') {
                let end = lexer::closing(text, open.start).unwrap_or(text.len());
                push(piece.start, end);
                at = end;
            }
        } else if word == b"[" && text.get(piece.end) == Some(&b'[') {
            let end = lexer::closing(text, piece.start).unwrap_or(text.len());
            push(piece.start, end);
            at = end;
        }
    }
    ranges
}

fn line_end(text: &[u8], from: usize) -> usize {
    text.get(from..)
        .and_then(|rest| rest.iter().position(|&b| b == b'\n'))
        .map_or(text.len(), |p| from + p)
}

fn continues(line: &[u8]) -> bool {
    line.ends_with(b"\\") || line.ends_with(b"\\\r")
}

/// The macro uses of the files, and what they do with their arguments.
struct Macros<'tu> {
    unit: &'tu TranslationUnit,
    /// By file: start, end, definition.
    uses: HashMap<FileKey, Vec<(u32, u32, Cursor<'tu>)>>,
}

impl<'tu> Macros<'tu> {
    fn new(unit: &'tu TranslationUnit, expansions: &[Cursor<'tu>]) -> Self {
        let mut uses: HashMap<FileKey, Vec<_>> = HashMap::new();
        for expansion in expansions {
            let (start, end) = expansion.extent();
            if let (Some(from), Some(to)) = (start.spelling().key(), end.spelling().key()) {
                uses.entry(from.0).or_default().push((from.1, to.1, *expansion));
            }
        }
        for list in uses.values_mut() {
            list.sort_by_key(|(start, ..)| *start);
        }
        Self { unit, uses }
    }

    /// Whether a macro is used at this offset.
    fn is_use(&self, file: FileKey, at: u32) -> bool {
        self.uses
            .get(&file)
            .is_some_and(|list| list.binary_search_by_key(&at, |(start, ..)| *start).is_ok())
    }

    /// Whether the innermost macro use around `at` leaves the argument that stands there out of its expansion.
    fn drops(&mut self, file: FileKey, text: &[u8], at: u32) -> bool {
        let Some(list) = self.uses.get(&file) else { return false };
        let around: Vec<_> =
            list.iter().filter(|(start, end, _)| *start < at && at < *end).collect();
        around.iter().any(|(start, _, expansion)| {
            let name = expansion.spelling();
            if matches!(
                name.as_str(),
                "__launch_bounds__" | "__align__" | "__maxnreg__" | "__cluster_dims__"
            ) {
                return true;
            }
            let Some(index) = argument_index(text, *start as usize, at as usize) else {
                return false;
            };
            self.definition_drops(*expansion, index).unwrap_or(false)
        })
    }

    /// Whether the parameter at `index` does not occur in the macro's body except as `#parameter`.
    fn definition_drops(&self, expansion: Cursor<'tu>, index: usize) -> Option<bool> {
        let definition = expansion.referenced()?;
        let at = definition.location().spelling();
        let text = at.file?.contents(self.unit);
        let name = lexer::next(text, at.offset as usize)?;
        let open = name.end;
        if text.get(open) != Some(&b'(') {
            return None;
        }
        let close = lexer::closing(text, open)?;
        let mut parameters: Vec<Vec<u8>> = vec![Vec::new()];
        for piece in lexer::pieces(text, open + 1).take_while(|p| p.end < close) {
            match text[piece.start] {
                b',' => parameters.push(Vec::new()),
                _ => parameters.last_mut()?.extend_from_slice(&text[piece.start..piece.end]),
            }
        }
        let parameter = match parameters.get(index) {
            Some(parameter) => parameter.clone(),
            None => parameters.last()?.clone(),
        };
        let parameter = match parameter.as_slice() {
            b"..." => b"__VA_ARGS__".to_vec(),
            name => name.strip_suffix(b"...").unwrap_or(name).to_vec(),
        };
        let end = definition.extent().1.spelling().offset as usize;
        let mut hash = 0_u32;
        for piece in lexer::pieces(text, close).take_while(|p| p.end <= end) {
            let word = &text[piece.start..piece.end];
            if word == b"#" {
                hash += 1;
                continue;
            }
            if word == parameter && hash != 1 {
                return Some(false);
            }
            hash = 0;
        }
        Some(true)
    }
}

/// Which argument of the macro use at `start` holds offset `at`.
fn argument_index(text: &[u8], start: usize, at: usize) -> Option<usize> {
    let name = lexer::next(text, start)?;
    let open = lexer::next(text, name.end)?;
    if text[open.start] != b'(' {
        return None;
    }
    let (mut depth, mut index) = (0_usize, 0);
    for piece in lexer::pieces(text, open.start) {
        if piece.start >= at {
            return Some(index);
        }
        match text[piece.start] {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.checked_sub(1)?,
            b',' if depth == 1 => index += 1,
            _ => {}
        }
    }
    None
}
