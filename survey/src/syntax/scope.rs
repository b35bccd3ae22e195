//! Which variable a name means: enough scoping to keep equal names of different functions apart.

use std::collections::{BTreeMap, BTreeSet};

use tree_sitter::Node;

use super::extent::Constants;
use super::operand::{Operand, declared_name};

/// One function, or the file itself (index 0).
#[derive(Debug, Default)]
pub(super) struct Scope<'t> {
    /// Variables and parameters declared in it. Block scopes inside one function are not told apart.
    locals: BTreeSet<String>,
    /// How often each name is given a value, and the first value.
    values: BTreeMap<String, (u32, Option<Node<'t>>)>,
    /// How often each name is given a value that is not a null pointer.
    pointers: BTreeMap<String, u32>,
}

/// Index into the scopes of a file.
pub(super) type ScopeId = usize;

/// A variable: a path within the function that declares its root, or within the file for members and globals.
pub(super) type Variable = (ScopeId, String);

/// All scopes of one file.
#[derive(Debug)]
pub(super) struct Scopes<'t> {
    all: Vec<Scope<'t>>,
}

impl<'t> Scopes<'t> {
    /// Only the file scope.
    pub(super) fn new() -> Self {
        Self { all: vec![Scope::default()] }
    }

    /// Opens a function.
    pub(super) fn open(&mut self) -> ScopeId {
        self.all.push(Scope::default());
        self.all.len() - 1
    }

    /// Records the name that `declarator` introduces, with its initialiser if it has one.
    pub(super) fn declare(
        &mut self,
        scope: ScopeId,
        declarator: Node<'t>,
        value: Option<Node<'t>>,
        text: &[u8],
    ) {
        let Some(name) = declared_name(declarator) else { return };
        let name = String::from_utf8_lossy(&text[name.byte_range()]).into_owned();
        self.all[scope].locals.insert(name.clone());
        if value.is_some() {
            self.assign(scope, name, value, text);
        }
    }

    /// Records that `name` gets a value; a second one makes it no constant.
    pub(super) fn assign(
        &mut self,
        scope: ScopeId,
        name: String,
        value: Option<Node<'t>>,
        text: &[u8],
    ) {
        let owner = self.owner(scope, &name);
        let is_null = value
            .is_some_and(|value| matches!(&text[value.byte_range()], b"NULL" | b"nullptr" | b"0"));
        if !is_null {
            *self.all[owner].pointers.entry(name.clone()).or_default() += 1;
        }
        let entry = self.all[owner].values.entry(name).or_insert((0, None));
        entry.0 += 1;
        if entry.0 == 1 {
            entry.1 = value;
        }
    }

    /// The variable that an operand means when used in `scope`.
    pub(super) fn variable(&self, scope: ScopeId, operand: &Operand) -> Variable {
        (self.owner(scope, &operand.root), operand.path.clone())
    }

    /// The variable also gets pointers from elsewhere, so it is not always the buffer allocated in this file.
    pub(super) fn is_reassigned(&self, (scope, name): &Variable) -> bool {
        self.all[*scope].pointers.get(name).is_some_and(|&count| count > 1)
    }

    /// Names with exactly one value, as seen from `scope`.
    pub(super) fn constants(&self, scope: ScopeId) -> Constants<'t> {
        let mut visible = Constants::new();
        for level in [0, scope] {
            for local in &self.all[level].locals {
                visible.remove(local);
            }
            for (name, &(count, value)) in &self.all[level].values {
                if let (1, Some(node)) = (count, value) {
                    visible.insert(name.clone(), node);
                }
            }
        }
        visible
    }

    fn owner(&self, scope: ScopeId, root: &str) -> ScopeId {
        if self.all[scope].locals.contains(root) { scope } else { 0 }
    }
}
