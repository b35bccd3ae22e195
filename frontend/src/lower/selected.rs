//! What conditional directives select otherwise for the compiler of the program than for clang's host pass: by
//! `__CUDA_ARCH__`, which only device passes define, and by the compiler's own name and version.

use std::collections::HashSet;

use crate::clang::Cursor;
use crate::source_text::{FileText, Files};
use crate::text_scan::is_identifier;

use super::Unit;

/// Names whose meaning depends on the pass or on the compiler.
#[derive(Debug, Default)]
pub(crate) struct Selected {
    /// Macros, functions, types and constants of which device code may see another definition.
    device: HashSet<Vec<u8>>,
    /// A file of the program's own is included in device passes only, or in host passes only.
    device_includes: bool,
    /// Macros that another compiler may define otherwise.
    compiler: HashSet<Vec<u8>>,
}

/// What a conditional is about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum By {
    Architecture,
    Compiler,
}

impl Selected {
    /// Looks at all conditionals of the program's own files.
    pub(crate) fn of(files: &Files) -> Self {
        let mut selected = Self::default();
        if files.iter().all(|(_, text)| !mentions_any(&text.source.text)) {
            return selected;
        }
        loop {
            let before = (selected.device.len(), selected.compiler.len());
            for (_, text) in files.iter() {
                selected.directives_of(text, By::Architecture);
                selected.directives_of(text, By::Compiler);
            }
            if before == (selected.device.len(), selected.compiler.len()) {
                return selected;
            }
        }
    }

    fn directives_of(&mut self, text: &FileText, by: By) {
        // Whether each open conditional, or one around it, depends on it.
        let mut open: Vec<bool> = Vec::new();
        let mut from = 0;
        for (start, end) in text.directives() {
            let inside = open.last().copied().unwrap_or(false);
            if inside && by == By::Architecture {
                self.device.extend(declared(text, from, start));
            }
            from = end;
            let (keyword, operand) = text.directive(start, end);
            match keyword {
                b"if" | b"ifdef" | b"ifndef" => open.push(inside || self.depends(operand, by)),
                b"elif" | b"elifdef" | b"elifndef" => {
                    let depends = self.depends(operand, by);
                    if let Some(last) = open.last_mut() {
                        *last |= depends;
                    }
                }
                b"endif" => {
                    open.pop();
                }
                b"define" | b"undef" => {
                    let mut words = words(operand);
                    let Some(name) = words.next() else { continue };
                    let changes = inside || words.any(|word| self.names(by).contains(word));
                    let harmless = by == By::Compiler && is_decoration(operand);
                    if changes && !harmless && !is_substitute(name) {
                        self.names_mut(by).insert(name.to_vec());
                    }
                }
                b"include" if inside && by == By::Architecture => {
                    self.device_includes |= operand.trim_ascii_start().starts_with(b"\"");
                }
                _ => {}
            }
        }
    }

    fn names(&self, by: By) -> &HashSet<Vec<u8>> {
        match by {
            By::Architecture => &self.device,
            By::Compiler => &self.compiler,
        }
    }

    fn names_mut(&mut self, by: By) -> &mut HashSet<Vec<u8>> {
        match by {
            By::Architecture => &mut self.device,
            By::Compiler => &mut self.compiler,
        }
    }

    /// Whether the outcome of a condition depends on the pass or the compiler.
    fn depends(&self, condition: &[u8], by: By) -> bool {
        let of_itself = match by {
            By::Architecture => words(condition).any(|word| word == b"__CUDA_ARCH__"),
            By::Compiler => is_of_compiler(condition),
        };
        of_itself || words(condition).any(|word| self.names(by).contains(word))
    }
}

impl Unit<'_> {
    /// Why the code of `function` may be another one in the program.
    pub(super) fn selected_otherwise(&self, function: Cursor, on_device: bool) -> Option<String> {
        let (start, end) = function.expanded_range();
        let text = self.text_of(start.file)?;
        let code = text.slice(start.offset, end.offset);
        let architecture = "its code depends on `__CUDA_ARCH__`";
        if words(code).any(|word| word == b"__CUDA_ARCH__") {
            return Some(architecture.to_owned());
        }
        let depends = |names: &HashSet<Vec<u8>>| words(code).find(|word| names.contains(*word));
        if on_device {
            if self.selected.device_includes {
                return Some(architecture.to_owned());
            }
            if let Some(name) = depends(&self.selected.device) {
                let name = String::from_utf8_lossy(name);
                return Some(format!("`{name}` depends on `__CUDA_ARCH__`"));
            }
        }
        let conditions =
            text.directives().filter(|&(at, _)| (start.offset..end.offset).contains(&at));
        let by_compiler =
            conditions.map(|(start, end)| text.directive(start, end)).any(|(keyword, operand)| {
                matches!(keyword, b"if" | b"ifdef" | b"ifndef" | b"elif")
                    && self.selected.depends(operand, By::Compiler)
            });
        if by_compiler {
            return Some("its code depends on the compiler".to_owned());
        }
        let name = String::from_utf8_lossy(depends(&self.selected.compiler)?);
        Some(format!("the macro `{name}` depends on the compiler"))
    }
}

fn mentions_any(text: &[u8]) -> bool {
    [&b"__CUDA_ARCH__"[..], b"__clang", b"__GNUC"]
        .iter()
        .any(|word| text.windows(word.len()).any(|at| at == *word))
}

/// Whether a condition tells compilers apart: by clang's name, or by a version of GCC's that clang does not claim.
fn is_of_compiler(condition: &[u8]) -> bool {
    let compares = condition.iter().any(|byte| matches!(byte, b'<' | b'>' | b'='));
    words(condition)
        .any(|word| word.starts_with(b"__clang") || (compares && word.starts_with(b"__GNUC_")))
}

/// CUDA's own names: what older architectures lack is substituted by something that does the same.
fn is_substitute(name: &[u8]) -> bool {
    const OWN: &[&[u8]] = &[
        b"atomic",
        b"__shfl",
        b"__ldg",
        b"__ballot",
        b"__any",
        b"__all",
        b"__activemask",
        b"__sync",
        b"__half",
        b"__h",
        b"__reduce",
        b"__match",
        b"__dp",
        b"__nanosleep",
        b"__launch_bounds__",
        b"__global__",
        b"__device__",
        b"__forceinline__",
        b"__align__",
        b"__attribute__",
        b"__popc",
        b"__restrict__",
        b"__ld",
        b"__st",
        b"__float",
        b"__bfloat",
        b"__double",
        b"__int",
        b"__f",
    ];
    OWN.iter().any(|own| name.starts_with(own)) && crate::headers::is_declared(name)
}

/// Whether a macro only says how something is declared.
fn is_decoration(definition: &[u8]) -> bool {
    const DECORATIONS: &[&[u8]] = &[
        b"__attribute__",
        b"always_inline",
        b"__always_inline__",
        b"noinline",
        b"__noinline__",
        b"unused",
        b"__unused__",
        b"packed",
        b"aligned",
        b"deprecated",
        b"visibility",
        b"__declspec",
        b"align",
        b"inline",
        b"__inline",
        b"__inline__",
        b"__forceinline",
        b"__forceinline__",
        b"static",
        b"const",
        b"constexpr",
        b"restrict",
        b"__restrict",
        b"__restrict__",
        b"noexcept",
        b"alignas",
        b"nodiscard",
        b"maybe_unused",
        b"__host__",
        b"__device__",
        b"_Pragma",
    ];
    let mut words = words(definition);
    words.next();
    words.all(|word| DECORATIONS.contains(&word) || word[0].is_ascii_digit())
}

/// Names that the code from `from` to `to` declares outside braces: what stands before `(`, `=`, `;` or `[`, and what
/// follows the word for a type.
fn declared(text: &FileText, from: u32, to: u32) -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    if !holds_declarations(text, text.enclosing_braces(from).0) {
        return found;
    }
    let (mut braces, mut parentheses) = (0i32, 0i32);
    let (mut word, mut before): (Vec<u8>, Vec<u8>) = (Vec::new(), Vec::new());
    for (_, byte) in text.code(from).take_while(|&(offset, _)| offset < to).chain([(to, b';')]) {
        if is_identifier(byte) {
            word.push(byte);
            continue;
        }
        if !word.is_empty() {
            before = std::mem::take(&mut word);
        }
        let outside = braces == 0 && parentheses == 0;
        let of_type = matches!(byte, b'{' | b':' | b'<');
        if outside && (matches!(byte, b'(' | b'=' | b';' | b'[') || of_type) && !before.is_empty() {
            let name = std::mem::take(&mut before);
            if !is_substitute(&name) && !name[0].is_ascii_digit() {
                found.push(name);
            }
        }
        match byte {
            b'{' => braces += 1,
            b'}' => braces -= 1,
            b'(' => parentheses += 1,
            b')' => parentheses -= 1,
            _ => {}
        }
    }
    found
}

/// Whether the brace at `open` is a namespace's or a class's; there is none at the start of a file.
fn holds_declarations(text: &FileText, open: u32) -> bool {
    if text.byte(open) != b'{' {
        return true;
    }
    let before = text.slice(0, open);
    let head = before.rsplit(|byte| matches!(byte, b';' | b'{' | b'}')).next().unwrap_or(before);
    let of_code = head.trim_ascii_end().ends_with(b")");
    let scopes = [&b"namespace"[..], b"class", b"struct", b"union", b"extern"];
    !of_code && words(head).any(|word| scopes.contains(&word))
}

fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|byte| !is_identifier(*byte)).filter(|word| !word.is_empty())
}
