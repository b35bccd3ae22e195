//! What a pointer argument names.

use tree_sitter::Node;

/// A buffer expression reduced to the object it names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Operand {
    /// Normalised path: `buf`, `ctx.input`, `bindings[0]`. `this->x` is `x`; `.` stands for `->` too.
    pub(super) path: String,
    /// First identifier of the path; decides the scope.
    pub(super) root: String,
    /// The pointer is displaced (`p + k`, `&p[k]`), so the copy is not of the whole buffer.
    pub(super) displaced: bool,
    /// The path contains an index that is not a literal, so it may name several objects.
    pub(super) varying_index: bool,
}

/// How deep an expression is followed before it counts as unreadable.
const DEPTH: u32 = 24;

/// The object that `node`, a pointer value, points to. `None` when no name can be read off.
pub(super) fn pointer_operand(node: Node<'_>, text: &[u8]) -> Option<Operand> {
    value(node, text, DEPTH)
}

/// The pointer variable that an out-parameter such as `(void**)&d` fills.
pub(super) fn out_operand(node: Node<'_>, text: &[u8]) -> Option<Operand> {
    let inner = strip(node, text, DEPTH)?;
    if inner.kind() == "pointer_expression" && operator(inner) == Some("&") {
        return path(strip(inner.child_by_field_name("argument")?, text, DEPTH)?, text, DEPTH);
    }
    let mut through = path(inner, text, DEPTH)?;
    through.path.insert(0, '*');
    Some(through)
}

/// The variable on the left of an assignment or the name of a declarator.
pub(super) fn target_operand(node: Node<'_>, text: &[u8]) -> Option<Operand> {
    path(strip(node, text, DEPTH)?, text, DEPTH)
}

/// The innermost declared name of a declarator.
pub(super) fn declared_name(node: Node<'_>) -> Option<Node<'_>> {
    let mut node = node;
    for _ in 0..DEPTH {
        match node.kind() {
            "identifier" | "field_identifier" => return Some(node),
            "reference_declarator" | "parenthesized_declarator" | "attributed_declarator" => {
                node = node.named_child(0)?;
            }
            _ => node = node.child_by_field_name("declarator")?,
        }
    }
    None
}

/// Source text of a node without white space, as UTF-8 with replacement characters.
pub(super) fn compact(node: Node<'_>, text: &[u8]) -> String {
    String::from_utf8_lossy(&text[node.byte_range()])
        .chars()
        .filter(|c| !c.is_whitespace())
        .collect()
}

/// First and only unnamed operator of a pointer expression.
fn operator<'t>(node: Node<'t>) -> Option<&'t str> {
    Some(node.child_by_field_name("operator")?.kind())
}

/// Takes off parentheses and casts, C and C++ style.
pub(super) fn strip<'t>(node: Node<'t>, text: &[u8], depth: u32) -> Option<Node<'t>> {
    let depth = depth.checked_sub(1)?;
    match node.kind() {
        "parenthesized_expression" => strip(node.named_child(0)?, text, depth),
        "cast_expression" => strip(node.child_by_field_name("value")?, text, depth),
        "call_expression" => match named_cast_argument(node, text) {
            Some(argument) => strip(argument, text, depth),
            None => Some(node),
        },
        _ => Some(node),
    }
}

/// The argument of `static_cast<T>(x)` and its relatives.
fn named_cast_argument<'t>(node: Node<'t>, text: &[u8]) -> Option<Node<'t>> {
    let function = node.child_by_field_name("function")?;
    let name = match function.kind() {
        "template_function" => function.child_by_field_name("name")?,
        _ => return None,
    };
    matches!(&text[name.byte_range()], b"static_cast" | b"reinterpret_cast" | b"const_cast")
        .then(|| node.child_by_field_name("arguments")?.named_child(0))?
}

fn value(node: Node<'_>, text: &[u8], depth: u32) -> Option<Operand> {
    let depth = depth.checked_sub(1)?;
    let node = strip(node, text, depth)?;
    match node.kind() {
        "binary_expression" => {
            let left = node.child_by_field_name("left")?;
            let mut operand = value(left, text, depth)?;
            operand.displaced = true;
            Some(operand)
        }
        "pointer_expression" if operator(node) == Some("&") => {
            let inner = strip(node.child_by_field_name("argument")?, text, depth)?;
            if inner.kind() == "subscript_expression" {
                let mut operand = path(inner.child_by_field_name("argument")?, text, depth)?;
                operand.displaced |= index_text(inner, text)? != "0";
                return Some(operand);
            }
            // The address of a scalar or a struct: an object of its own, never the buffer of that name.
            let mut operand = path(inner, text, depth)?;
            operand.path.insert(0, '&');
            Some(operand)
        }
        _ => path(node, text, depth),
    }
}

fn path(node: Node<'_>, text: &[u8], depth: u32) -> Option<Operand> {
    let depth = depth.checked_sub(1)?;
    match node.kind() {
        "identifier" | "field_identifier" | "qualified_identifier" => {
            let name = compact(node, text);
            Some(Operand { path: name.clone(), root: name, displaced: false, varying_index: false })
        }
        "field_expression" => {
            let field = compact(node.child_by_field_name("field")?, text);
            let object = node.child_by_field_name("argument")?;
            if object.kind() == "this" {
                return Some(Operand {
                    path: field.clone(),
                    root: field,
                    displaced: false,
                    varying_index: false,
                });
            }
            let mut operand = path(object, text, depth)?;
            operand.path.push('.');
            operand.path.push_str(&field);
            Some(operand)
        }
        "subscript_expression" => {
            let index = index_text(node, text)?;
            let mut operand = path(node.child_by_field_name("argument")?, text, depth)?;
            operand.varying_index |= !index.bytes().all(|b| b.is_ascii_digit());
            operand.path.push('[');
            operand.path.push_str(&index);
            operand.path.push(']');
            Some(operand)
        }
        "pointer_expression" => {
            let mut operand = path(node.child_by_field_name("argument")?, text, depth)?;
            operand.path.insert(0, if operator(node) == Some("&") { '&' } else { '*' });
            Some(operand)
        }
        "parenthesized_expression" => path(node.named_child(0)?, text, depth),
        _ => None,
    }
}

/// The text between the brackets.
fn index_text(node: Node<'_>, text: &[u8]) -> Option<String> {
    let indices = node.child_by_field_name("indices")?;
    let whole = compact(indices, text);
    Some(whole.trim_start_matches('[').trim_end_matches(']').to_owned())
}
