//! What the debug information says of functions' parameters.

use std::collections::HashMap;

use super::text::field;

/// Parameters by function, and types.
pub(crate) struct Debug<'a> {
    parameters: HashMap<&'a str, Vec<Parameter<'a>>>,
    types: HashMap<&'a str, Type<'a>>,
}

/// A parameter of the source.
#[derive(Clone, Copy)]
pub(crate) struct Parameter<'a> {
    /// Position, from 1.
    pub(crate) position: usize,
    /// Empty if it has none.
    pub(crate) name: &'a str,
    ty: &'a str,
}

#[derive(Clone, Copy)]
enum Type<'a> {
    /// A class or union of that many bytes.
    Class(u64),
    /// Another name for a type.
    Alias(&'a str),
}

impl<'a> Debug<'a> {
    /// Reads the metadata of a module.
    pub(crate) fn read(ir: &'a str) -> Self {
        let mut debug = Self { parameters: HashMap::new(), types: HashMap::new() };
        for line in ir.lines() {
            let Some((id, node)) = line.strip_prefix('!').and_then(|line| line.split_once(" = "))
            else {
                continue;
            };
            let node = node.strip_prefix("distinct ").unwrap_or(node);
            if let Some(variable) = node.strip_prefix("!DILocalVariable(") {
                let position = field(variable, "arg").and_then(|text| text.parse().ok());
                if let (Some(position), Some(scope)) = (position, field(variable, "scope")) {
                    let name = field(variable, "name").unwrap_or("");
                    let ty = field(variable, "type").unwrap_or("");
                    let parameter = Parameter { position, name, ty };
                    debug.parameters.entry(scope).or_default().push(parameter);
                }
            } else if let Some(class) = node.strip_prefix("!DICompositeType(") {
                let bits = field(class, "size").and_then(|text| text.parse::<u64>().ok());
                let tag = field(class, "tag").unwrap_or("");
                let is_class = ["structure_type", "class_type", "union_type"]
                    .iter()
                    .any(|sort| tag.ends_with(sort));
                if let (Some(bits), true) = (bits, is_class) {
                    debug.types.insert(id, Type::Class(bits / 8));
                }
            } else if let Some(derived) = node.strip_prefix("!DIDerivedType(") {
                let tag = field(derived, "tag").unwrap_or("");
                let alias = ["typedef", "const_type", "volatile_type", "template_alias"]
                    .iter()
                    .any(|sort| tag.ends_with(sort));
                if let (Some(base), true) = (field(derived, "baseType"), alias) {
                    debug.types.insert(id, Type::Alias(base));
                }
            }
        }
        for parameters in debug.parameters.values_mut() {
            parameters.sort_by_key(|parameter| parameter.position);
            parameters.dedup_by_key(|parameter| parameter.position);
        }
        debug
    }

    /// The parameters of the function whose subprogram is `scope` (`!123`), in order.
    pub(crate) fn parameters(&self, scope: &str) -> Option<&[Parameter<'a>]> {
        self.parameters.get(scope).map(Vec::as_slice)
    }

    /// Bytes of a parameter if its type is a class or union.
    pub(crate) fn class_bytes(&self, parameter: &Parameter<'_>) -> Option<u64> {
        let mut ty = parameter.ty;
        // Chains of aliases are short; the bound guards against a cycle in broken metadata.
        for _ in 0..64 {
            match self.types.get(ty.strip_prefix('!')?)? {
                Type::Class(bytes) => return Some(*bytes),
                Type::Alias(base) => ty = base,
            }
        }
        None
    }
}
