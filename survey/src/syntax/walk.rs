//! One pass over the syntax tree: counts every name, and collects allocations, copies and scopes.

use tree_sitter::{Node, Tree};

use super::link::{Allocation, Buffers, Copy, SizeSource, links};
use super::operand::{compact, out_operand, pointer_operand, target_operand};
use super::roles::{Role, Roles};
use super::scope::{ScopeId, Scopes};
use crate::api::{CopyShape, Direction, Name, Signal, lookup};
use crate::facts::FileFacts;

/// How far above an allocation call its assignment is looked for (casts, parentheses, a conversion call).
const CLIMB: usize = 8;

/// Facts of one parsed file.
pub(super) fn walk(tree: &Tree, roles: &'static Roles, text: &[u8]) -> FileFacts {
    let mut walker = Walker {
        text,
        roles,
        dead: None,
        facts: FileFacts::default(),
        scopes: Scopes::new(),
        buffers: Buffers::default(),
        ancestors: Vec::new(),
        functions: vec![(0, 0)],
        kind_mentioned: false,
        undirected: Vec::new(),
    };
    walker.run(tree);
    walker.finish()
}

/// The state of the pass.
pub(super) struct Walker<'t> {
    pub(super) text: &'t [u8],
    roles: &'static Roles,
    /// Depth of the children of the innermost `#if 0` that is open.
    dead: Option<usize>,
    pub(super) facts: FileFacts,
    scopes: Scopes<'t>,
    buffers: Buffers<'t>,
    /// Nodes from the root to the parent of the current one. Kept here because asking a node for its parent
    /// costs time in proportion to its depth, which a hostile file makes as large as it likes.
    ancestors: Vec<Node<'t>>,
    /// Open functions: scope and the depth at which it was opened.
    functions: Vec<(ScopeId, usize)>,
    /// A direction is named somewhere in code.
    pub(super) kind_mentioned: bool,
    /// Lines of copy calls without a literal direction.
    pub(super) undirected: Vec<u32>,
}

impl<'t> Walker<'t> {
    fn run(&mut self, tree: &'t Tree) {
        let mut cursor = tree.walk();
        loop {
            let node = cursor.node();
            let depth = self.ancestors.len();
            self.dead = self.dead.filter(|&children| depth >= children);
            // Text under `#if 0` is not part of the program; its `#else` is.
            let is_dead = self.dead == Some(depth) && cursor.field_name() != Some("alternative");
            let descend = !is_dead && self.enter(node);
            if descend && cursor.goto_first_child() {
                self.ancestors.push(node);
                continue;
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return;
                }
                self.ancestors.pop();
                while self.functions.last().is_some_and(|&(_, depth)| depth > self.ancestors.len())
                {
                    self.functions.pop();
                }
            }
            while self.functions.last().is_some_and(|&(_, depth)| depth > self.ancestors.len()) {
                self.functions.pop();
            }
        }
    }

    /// Handles one node; false where its children need no visit.
    fn enter(&mut self, node: Node<'t>) -> bool {
        match self.roles.of(node) {
            Role::Text => return false,
            Role::MacroBody => {
                self.macro_body(node);
                return false;
            }
            Role::Function => {
                let scope = self.scopes.open();
                self.functions.push((scope, self.ancestors.len() + 1));
            }
            Role::Name => self.name(node),
            Role::New => self.new_expression(node),
            Role::Call => self.call(node),
            Role::Parameter => {
                if let Some(declarator) = node.child_by_field_name("declarator") {
                    self.scopes.declare(self.scope(), declarator, None, self.text);
                }
            }
            Role::Declaration => {
                let mut cursor = node.walk();
                for declarator in node.children_by_field_name("declarator", &mut cursor) {
                    if declarator.kind() == "init_declarator" {
                        if let Some(name) = declarator.child_by_field_name("declarator") {
                            let value = declarator.child_by_field_name("value");
                            self.scopes.declare(self.scope(), name, value, self.text);
                        }
                    } else {
                        self.scopes.declare(self.scope(), declarator, None, self.text);
                    }
                }
            }
            Role::Assignment => {
                if let Some(left) = node.child_by_field_name("left")
                    && left.kind() == "identifier"
                {
                    let plain =
                        node.child_by_field_name("operator").is_none_or(|o| o.kind() == "=");
                    let value = node.child_by_field_name("right").filter(|_| plain);
                    self.scopes.assign(self.scope(), compact(left, self.text), value, self.text);
                    if !plain {
                        self.scopes.assign(self.scope(), compact(left, self.text), None, self.text);
                    }
                }
            }
            Role::Update => {
                // `n++`, and `&n` handed to something that may store into it: no longer a constant.
                if let Some(argument) = node.child_by_field_name("argument")
                    && argument.kind() == "identifier"
                {
                    self.scopes.assign(self.scope(), compact(argument, self.text), None, self.text);
                    self.scopes.assign(self.scope(), compact(argument, self.text), None, self.text);
                }
            }
            Role::Conditional => {
                let condition = node.child_by_field_name("condition");
                if condition.is_some_and(|condition| &self.text[condition.byte_range()] == b"0") {
                    self.dead = Some(self.ancestors.len() + 1);
                }
            }
            Role::Other => {}
        }
        true
    }

    fn scope(&self) -> ScopeId {
        self.functions.last().map_or(0, |&(scope, _)| scope)
    }

    fn name(&mut self, node: Node<'t>) {
        let Ok(word) = std::str::from_utf8(&self.text[node.byte_range()]) else { return };
        let Some(meaning) = lookup(word) else { return };
        let line = line_of(node);
        match meaning {
            Name::Kind(_) => self.kind_mentioned = true,
            Name::Mention(signal) => self.facts.see(signal, line),
            Name::Copy(_) | Name::Call(_) | Name::Malloc | Name::Calloc => {
                if !self.is_called(node) {
                    return;
                }
                match meaning {
                    Name::Copy(_) => self.facts.has_copy_call = true,
                    Name::Call(signal) => self.facts.see(signal, line),
                    Name::Malloc | Name::Calloc => self.facts.see(Signal::HostArray, line),
                    Name::Kind(_) | Name::Mention(_) => {}
                }
            }
        }
    }

    /// A call, not a declaration of the name, not a member of an object, not in a foreign namespace.
    /// Read off the text after the name, so that it also holds where the grammar lost its way.
    fn is_called(&self, node: Node<'t>) -> bool {
        if node.kind() == "field_identifier" {
            return false;
        }
        let rest = &self.text[node.end_byte()..];
        let next = rest.iter().find(|byte| !byte.is_ascii_whitespace());
        let template = rest.starts_with(b"<") && !rest.starts_with(b"<<");
        if next != Some(&b'(') && !template {
            return false;
        }
        let Some(parent) = self.ancestors.last() else { return true };
        match parent.kind() {
            "function_declarator" => false,
            "qualified_identifier" => parent
                .child_by_field_name("scope")
                .is_none_or(|scope| &self.text[scope.byte_range()] == b"std"),
            _ => true,
        }
    }

    fn new_expression(&mut self, node: Node<'t>) {
        if let Some(placement) = node.child_by_field_name("placement")
            && !compact(placement, self.text).contains("nothrow")
        {
            return; // constructs in memory that exists already
        }
        let Some(declarator) = node.child_by_field_name("declarator") else {
            self.facts.see(Signal::HostObject, line_of(node));
            return;
        };
        self.facts.see(Signal::HostArray, line_of(node));
        let size = match (
            node.child_by_field_name("type"),
            declarator.child_by_field_name("length"),
            declarator.child_by_field_name("declarator"),
        ) {
            (Some(element), Some(count), None) => {
                SizeSource::Array { element: compact(element, self.text), count }
            }
            _ => SizeSource::Unknown,
        };
        self.host_allocation(node, size);
    }

    fn call(&mut self, node: Node<'t>) {
        let Some(function) = node.child_by_field_name("function") else { return };
        let name = match function.kind() {
            "identifier" => function,
            "qualified_identifier" | "template_function" => {
                let Some(name) = function.child_by_field_name("name") else { return };
                name
            }
            _ => return,
        };
        let Ok(word) = std::str::from_utf8(&self.text[name.byte_range()]) else { return };
        let Some(meaning) = lookup(word) else { return };
        let Some(list) = node.child_by_field_name("arguments") else { return };
        let mut cursor = list.walk();
        // Only the first few arguments matter; a hostile call may have a million.
        let arguments: Vec<_> = list
            .named_children(&mut cursor)
            .filter(|child| child.kind() != "comment")
            .take(8)
            .collect();
        match meaning {
            Name::Malloc => {
                let size = arguments.first().map_or(SizeSource::Unknown, |&n| SizeSource::Bytes(n));
                self.host_allocation(node, size);
            }
            Name::Calloc => {
                let size = match arguments.as_slice() {
                    &[count, size] => SizeSource::Product(count, size),
                    _ => SizeSource::Unknown,
                };
                self.host_allocation(node, size);
            }
            Name::Call(Signal::DeviceAllocation) => {
                if let &[target, bytes, ..] = arguments.as_slice()
                    && let Some(target) = out_operand(target, self.text)
                {
                    let size = SizeSource::Bytes(bytes);
                    let allocation =
                        Allocation { scope: self.scope(), target, size, line: line_of(node) };
                    self.buffers.device.push(allocation);
                }
            }
            Name::Copy(shape) => self.copy(node, shape, &arguments),
            Name::Kind(_) | Name::Call(_) | Name::Mention(_) => {}
        }
    }

    fn copy(&mut self, node: Node<'t>, shape: CopyShape, arguments: &[Node<'t>]) {
        let line = line_of(node);
        let mut directions = Vec::new();
        for &argument in arguments {
            directions_in(argument, self.text, 4, &mut directions);
        }
        if directions.is_empty() {
            self.undirected.push(line);
            return;
        }
        self.facts.literal_direction = true;
        self.facts.see(Signal::ExplicitCopy, line);
        let (CopyShape::Linear { .. }, &[destination, source, bytes, ..], &[direction]) =
            (shape, arguments, directions.as_slice())
        else {
            return;
        };
        let (host, device) = match direction {
            Direction::H2d => (source, destination),
            Direction::D2h => (destination, source),
        };
        if let (Some(host), Some(device)) =
            (pointer_operand(host, self.text), pointer_operand(device, self.text))
        {
            let bytes = Some(bytes);
            self.buffers.copies.push(Copy {
                scope: self.scope(),
                host,
                device,
                bytes,
                direction,
                line,
            });
        }
    }

    /// Finds the name that receives the allocated pointer, through casts and parentheses.
    fn host_allocation(&mut self, node: Node<'t>, size: SizeSource<'t>) {
        let mut inner = node;
        for &above in self.ancestors.iter().rev().take(CLIMB) {
            let target = match above.kind() {
                "cast_expression"
                | "parenthesized_expression"
                | "argument_list"
                | "call_expression" => {
                    let conversion = above.kind() != "call_expression"
                        || above.child_by_field_name("function").is_some_and(|function| {
                            function.kind() == "template_function"
                                && compact(function, self.text).contains("_cast<")
                        });
                    if !conversion {
                        return;
                    }
                    inner = above;
                    continue;
                }
                "init_declarator" => above
                    .child_by_field_name("declarator")
                    .filter(|_| above.child_by_field_name("value") == Some(inner))
                    .and_then(super::operand::declared_name),
                "assignment_expression" => above
                    .child_by_field_name("left")
                    .filter(|_| above.child_by_field_name("right") == Some(inner)),
                "field_initializer" => above.named_child(0),
                _ => return,
            };
            if let Some(target) = target.and_then(|target| target_operand(target, self.text)) {
                let line = line_of(node);
                self.buffers.host.push(Allocation { scope: self.scope(), target, size, line });
            }
            return;
        }
    }

    fn finish(mut self) -> FileFacts {
        self.facts.close(self.kind_mentioned, &self.undirected);
        self.facts.links = links(&self.buffers, &self.scopes, self.text);
        self.facts
    }
}

/// Directions written in an argument, also both ends of `cond ? a : b`.
fn directions_in(node: Node<'_>, text: &[u8], depth: u32, found: &mut Vec<Direction>) {
    let Some(depth) = depth.checked_sub(1) else { return };
    match node.kind() {
        "identifier" => {
            if let Ok(word) = std::str::from_utf8(&text[node.byte_range()])
                && let Some(Name::Kind(direction)) = lookup(word)
            {
                found.push(direction);
            }
        }
        "conditional_expression" | "parenthesized_expression" | "cast_expression" => {
            let mut cursor = node.walk();
            for child in node.named_children(&mut cursor) {
                directions_in(child, text, depth, found);
            }
        }
        _ => {}
    }
}

/// 1-based line of a node's start.
pub(super) fn line_of(node: Node<'_>) -> u32 {
    u32::try_from(node.start_position().row).unwrap_or(u32::MAX).saturating_add(1)
}
