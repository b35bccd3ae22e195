//! Sizes as products of factors, so that `n * sizeof(float)`, `sizeof(float)*n` and `new float[n]` are equal.

use std::collections::BTreeMap;

use tree_sitter::Node;

use super::operand::{compact, strip};

/// A size in bytes: a constant times a multiset of symbolic factors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Extent {
    constant: u128,
    /// Sorted texts.
    factors: Vec<String>,
}

/// Initialisers of names that are assigned once; each is expanded where it is used as a size.
pub(super) type Constants<'t> = BTreeMap<String, Node<'t>>;

/// Nested definitions followed before a name is kept as it is.
const DEPTH: u32 = 12;
/// Factors after which a product is not worth comparing; keeps expansion from growing without bound.
const MAX_FACTORS: usize = 32;

/// The size that an expression states.
pub(super) fn extent(node: Node<'_>, text: &[u8], constants: &Constants<'_>) -> Option<Extent> {
    let mut size = Extent { constant: 1, factors: Vec::new() };
    multiply(&mut size, node, text, constants, DEPTH)?;
    size.factors.sort();
    Some(size)
}

/// `count` objects of the type called `element`.
pub(super) fn array_extent(
    element: &str,
    count: Node<'_>,
    text: &[u8],
    constants: &Constants<'_>,
) -> Option<Extent> {
    let mut size = Extent { constant: 1, factors: Vec::new() };
    multiply(&mut size, count, text, constants, DEPTH)?;
    size_of(&mut size, element)?;
    size.factors.sort();
    Some(size)
}

/// The product of two sizes (`calloc`).
pub(super) fn product(mut left: Extent, right: Extent) -> Option<Extent> {
    left.constant = left.constant.checked_mul(right.constant)?;
    left.factors.extend(right.factors);
    left.factors.sort();
    Some(left)
}

fn multiply(
    size: &mut Extent,
    node: Node<'_>,
    text: &[u8],
    constants: &Constants<'_>,
    depth: u32,
) -> Option<()> {
    let depth = depth.checked_sub(1)?;
    if size.factors.len() > MAX_FACTORS {
        return None;
    }
    let node = strip(node, text, depth)?;
    match node.kind() {
        "binary_expression"
            if node.child_by_field_name("operator").is_some_and(|o| o.kind() == "*") =>
        {
            multiply(size, node.child_by_field_name("left")?, text, constants, depth)?;
            multiply(size, node.child_by_field_name("right")?, text, constants, depth)
        }
        "number_literal" => {
            size.constant = size.constant.checked_mul(number(&compact(node, text))?)?;
            Some(())
        }
        "sizeof_expression" => {
            let whole = compact(node, text);
            let inner = whole.strip_prefix("sizeof")?.trim_start_matches('(').trim_end_matches(')');
            size_of(size, inner)
        }
        "identifier" => {
            let name = compact(node, text);
            match constants.get(&name) {
                Some(&initialiser) if initialiser.id() != node.id() => {
                    // A definition that cannot be followed leaves the name itself, which is still comparable.
                    let mut expanded = size.clone();
                    if multiply(&mut expanded, initialiser, text, constants, depth).is_some() {
                        *size = expanded;
                    } else {
                        size.factors.push(name);
                    }
                }
                _ => size.factors.push(name),
            }
            Some(())
        }
        _ => {
            size.factors.push(compact(node, text));
            Some(())
        }
    }
}

/// Multiplies by the size of a type; the sizes of arithmetic types are those of every CUDA platform.
fn size_of(size: &mut Extent, type_name: &str) -> Option<()> {
    let bytes = match type_name {
        "char" | "bool" | "uint8_t" | "int8_t" | "unsignedchar" | "signedchar" | "uchar"
        | "std::uint8_t" => 1,
        "short" | "uint16_t" | "int16_t" | "unsignedshort" | "half" | "__half" => 2,
        "int" | "float" | "unsigned" | "unsignedint" | "int32_t" | "uint32_t" | "uint" => 4,
        "double" | "longlong" | "unsignedlonglong" | "int64_t" | "uint64_t" | "size_t"
        | "float2" => 8,
        "float4" => 16,
        other => {
            size.factors.push(format!("sizeof({other})"));
            return Some(());
        }
    };
    size.constant = size.constant.checked_mul(bytes)?;
    Some(())
}

/// Decimal and hexadecimal integer literals with separators and suffixes. Floating ones are not sizes.
fn number(literal: &str) -> Option<u128> {
    let plain: String = literal.chars().filter(|&c| c != '\'').collect();
    let plain = plain.trim_end_matches(['u', 'U', 'l', 'L', 'z', 'Z']);
    match plain.strip_prefix("0x").or_else(|| plain.strip_prefix("0X")) {
        Some(hex) => u128::from_str_radix(hex, 16).ok(),
        None => plain.parse().ok(),
    }
}
