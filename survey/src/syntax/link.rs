//! Joining host and device allocations through the copies between them.

use std::collections::{BTreeMap, BTreeSet};

use tree_sitter::Node;

use super::extent::{Constants, Extent, array_extent, extent, product};
use super::operand::Operand;
use super::scope::{ScopeId, Scopes, Variable};
use crate::api::Direction;
use crate::facts::{Link, Shape};

/// An allocation whose result is stored under a readable name.
#[derive(Debug)]
pub(super) struct Allocation<'t> {
    pub(super) scope: ScopeId,
    pub(super) target: Operand,
    pub(super) size: SizeSource<'t>,
    pub(super) line: u32,
}

/// Where the size of an allocation is written; evaluated when all definitions are known.
#[derive(Debug, Clone)]
pub(super) enum SizeSource<'t> {
    /// One expression in bytes.
    Bytes(Node<'t>),
    /// `calloc(count, size)`
    Product(Node<'t>, Node<'t>),
    /// `new T[count]`
    Array { element: String, count: Node<'t> },
    /// Not readable.
    Unknown,
}

/// A directed copy with readable ends.
#[derive(Debug)]
pub(super) struct Copy<'t> {
    pub(super) scope: ScopeId,
    pub(super) host: Operand,
    pub(super) device: Operand,
    pub(super) bytes: Option<Node<'t>>,
    pub(super) direction: Direction,
    pub(super) line: u32,
}

/// Everything links are made of.
#[derive(Debug, Default)]
pub(super) struct Buffers<'t> {
    pub(super) host: Vec<Allocation<'t>>,
    pub(super) device: Vec<Allocation<'t>>,
    pub(super) copies: Vec<Copy<'t>>,
}

/// The links of a file, sorted by the line of their first copy.
pub(super) fn links(buffers: &Buffers<'_>, scopes: &Scopes<'_>, text: &[u8]) -> Vec<Link> {
    let host = by_variable(&buffers.host, scopes);
    let device = by_variable(&buffers.device, scopes);
    let mut partners_of_host: BTreeMap<Variable, BTreeSet<Variable>> = BTreeMap::new();
    let mut partners_of_device: BTreeMap<Variable, BTreeSet<Variable>> = BTreeMap::new();
    let mut joined: BTreeMap<(Variable, Variable), Vec<&Copy<'_>>> = BTreeMap::new();
    for copy in &buffers.copies {
        let from = scopes.variable(copy.scope, &copy.host);
        let to = scopes.variable(copy.scope, &copy.device);
        partners_of_host.entry(from.clone()).or_default().insert(to.clone());
        partners_of_device.entry(to.clone()).or_default().insert(from.clone());
        joined.entry((from, to)).or_default().push(copy);
    }
    let mut memo = BTreeMap::new();
    let mut found = Vec::new();
    for ((from, to), copies) in joined {
        let (Some(host_sites), Some(device_sites)) = (host.get(&from), device.get(&to)) else {
            continue;
        };
        let one_to_one = host_sites.len() == 1
            && device_sites.len() == 1
            && !scopes.is_reassigned(&from)
            && partners_of_host[&from].len() == 1
            && partners_of_device[&to].len() == 1;
        let shape = if one_to_one {
            whole_buffer(host_sites[0], device_sites[0], &copies, scopes, text, &mut memo)
        } else {
            Shape::Linked
        };
        let directions: BTreeSet<_> = copies.iter().map(|copy| copy.direction).collect();
        found.push(Link {
            host: from.1,
            device: to.1,
            host_line: host_sites[0].line,
            device_line: device_sites[0].line,
            copy_line: copies.iter().map(|copy| copy.line).min().unwrap_or_default(),
            directions: directions.into_iter().collect(),
            shape,
        });
    }
    found.sort_by(|a, b| (a.copy_line, a).cmp(&(b.copy_line, b)));
    found
}

fn by_variable<'a, 't>(
    allocations: &'a [Allocation<'t>],
    scopes: &Scopes<'t>,
) -> BTreeMap<Variable, Vec<&'a Allocation<'t>>> {
    let mut map: BTreeMap<Variable, Vec<&Allocation<'_>>> = BTreeMap::new();
    for allocation in allocations {
        map.entry(scopes.variable(allocation.scope, &allocation.target))
            .or_default()
            .push(allocation);
    }
    map
}

/// Equal sizes on both sides and of at least one copy, no displacement, and no index that may vary.
fn whole_buffer<'t>(
    host: &Allocation<'t>,
    device: &Allocation<'t>,
    copies: &[&Copy<'t>],
    scopes: &Scopes<'t>,
    text: &[u8],
    memo: &mut BTreeMap<ScopeId, Constants<'t>>,
) -> Shape {
    let mut size = |scope: ScopeId, source: &SizeSource<'t>| {
        let constants = memo.entry(scope).or_insert_with(|| scopes.constants(scope));
        evaluate(source, text, constants)
    };
    let varying = host.target.varying_index || device.target.varying_index;
    let displaced = copies.iter().any(|copy| copy.host.displaced || copy.device.displaced);
    let (Some(host_size), Some(device_size)) =
        (size(host.scope, &host.size), size(device.scope, &device.size))
    else {
        return Shape::Linked;
    };
    if varying || displaced || host_size != device_size {
        return Shape::Linked;
    }
    let full = |direction: Option<Direction>,
                size: &mut dyn FnMut(ScopeId, &SizeSource<'t>) -> Option<Extent>| {
        copies.iter().any(|copy| {
            direction.is_none_or(|wanted| wanted == copy.direction)
                && copy
                    .bytes
                    .and_then(|bytes| size(copy.scope, &SizeSource::Bytes(bytes)))
                    .is_some_and(|bytes| bytes == device_size)
        })
    };
    if full(None, &mut size) {
        Shape::WholeBuffer { from_host: full(Some(Direction::H2d), &mut size) }
    } else {
        Shape::Linked
    }
}

fn evaluate(source: &SizeSource<'_>, text: &[u8], constants: &Constants<'_>) -> Option<Extent> {
    match source {
        SizeSource::Bytes(node) => extent(*node, text, constants),
        SizeSource::Product(count, size) => {
            product(extent(*count, text, constants)?, extent(*size, text, constants)?)
        }
        SizeSource::Array { element, count } => array_extent(element, *count, text, constants),
        SizeSource::Unknown => None,
    }
}
