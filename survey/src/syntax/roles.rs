//! What the walk does at each kind of node, as a table by number: comparing names at every node of every file would
//! cost as much as parsing it.

use tree_sitter::{Language, Node};

/// What a node is to the walk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// Comments and literals: nothing in them counts.
    Text,
    /// Replacement text of a macro.
    MacroBody,
    /// `#if`
    Conditional,
    /// A function with its body.
    Function,
    /// Any identifier.
    Name,
    New,
    Call,
    Parameter,
    Declaration,
    Assignment,
    /// `n++`, `&n`
    Update,
    /// Only its children matter.
    Other,
}

/// The roles of one grammar, by node kind number.
#[derive(Debug)]
pub(super) struct Roles(Vec<Role>);

impl Roles {
    /// The table of a grammar.
    pub(super) fn new(language: &Language) -> Self {
        let kinds = u16::try_from(language.node_kind_count()).unwrap_or(u16::MAX);
        Self(
            (0..kinds)
                .map(|kind| language.node_kind_for_id(kind).map_or(Role::Other, role))
                .collect(),
        )
    }

    /// The role of a node.
    pub(super) fn of(&self, node: Node<'_>) -> Role {
        self.0.get(usize::from(node.kind_id())).copied().unwrap_or(Role::Other)
    }
}

fn role(kind: &str) -> Role {
    match kind {
        "comment" | "string_literal" | "raw_string_literal" | "char_literal"
        | "system_lib_string" => Role::Text,
        "preproc_arg" => Role::MacroBody,
        "preproc_if" => Role::Conditional,
        "function_definition" => Role::Function,
        // The CUDA grammar has a keyword of its own for `__managed__`.
        "identifier"
        | "type_identifier"
        | "field_identifier"
        | "namespace_identifier"
        | "__managed__" => Role::Name,
        "new_expression" => Role::New,
        "call_expression" => Role::Call,
        "parameter_declaration" | "optional_parameter_declaration" => Role::Parameter,
        "declaration" => Role::Declaration,
        "assignment_expression" => Role::Assignment,
        "update_expression" | "pointer_expression" => Role::Update,
        _ => Role::Other,
    }
}
