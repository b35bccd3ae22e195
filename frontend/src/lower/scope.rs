//! Open scopes: the objects that are destroyed when control leaves them, by falling out, jumping or throwing.

use std::collections::HashMap;

use clang_sys as clang;
use echo_dataflow::program::{
    BlockId, Expr, FunctionKind, Place, SourceRef, Span, Terminator, VariableId,
};

use crate::clang::{Cursor, CursorKey, Ty};

use super::body::Body;
use super::statement::statement_key;

/// A scope that is open where the lowering stands.
pub(super) struct Scope {
    /// The compound statement it is of; none where a jump cannot be told to stay inside.
    statement: Option<CursorKey>,
    /// Local objects whose destructors run when it is left, in order of construction.
    objects: Vec<(VariableId, Ty)>,
}

/// Where an exception goes that is thrown in the `try` block being lowered.
#[derive(Clone)]
pub(super) struct Handlers {
    /// One block per `catch`.
    pub(super) blocks: Vec<BlockId>,
    /// Number of scopes outside the `try`.
    pub(super) depth: usize,
    /// One of them is `catch (...)`.
    pub(super) all: bool,
}

/// The scopes that a label stands in, and how many objects lived in each when it was passed.
#[derive(Default)]
pub(super) struct LabelScopes {
    around: HashMap<CursorKey, Vec<CursorKey>>,
    passed: HashMap<CursorKey, HashMap<CursorKey, usize>>,
}

impl Body<'_, '_> {
    /// Opens a scope.
    pub(super) fn open_scope(&mut self, statement: Option<CursorKey>) {
        self.scopes.push(Scope { statement, objects: Vec::new() });
    }

    /// Closes the innermost scope, whose end is that of `cursor`.
    pub(super) fn close_scope(&mut self, cursor: Cursor) {
        self.leave_scopes(self.scopes.len().saturating_sub(1), cursor);
        self.scopes.pop();
    }

    /// `variable` has been constructed and is destroyed when the innermost scope is left.
    pub(super) fn destroy_at_end(&mut self, variable: VariableId, ty: Ty) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.objects.push((variable, ty));
        }
    }

    /// Whether leaving the function here destroys nothing.
    pub(super) fn leaves_nothing(&self) -> bool {
        self.scopes.iter().all(|scope| scope.objects.is_empty())
    }

    /// Destroys the objects of all scopes above `depth`, innermost first. The scopes stay open for what follows.
    pub(super) fn leave_scopes(&mut self, depth: usize, cursor: Cursor) {
        let leaving: Vec<(VariableId, Ty)> = self
            .scopes
            .iter()
            .skip(depth)
            .rev()
            .flat_map(|scope| scope.objects.iter().rev().copied())
            .collect();
        let source = self.unit.source(cursor);
        self.destroy_objects(&leaving, source);
    }

    fn destroy_objects(&mut self, leaving: &[(VariableId, Ty)], source: SourceRef) {
        let end = Span { start: source.span.end.saturating_sub(1), ..source.span };
        let source = SourceRef { span: end, ..source };
        for &(variable, ty) in leaving {
            self.destroy(&Place::variable(variable), ty, source, 0);
        }
    }

    /// Before a jump to `label`: destroys the objects whose scope it leaves, and those of the label's own scopes that are
    /// constructed after it. False if that cannot be told.
    pub(super) fn leave_for_label(&mut self, label: Cursor, cursor: Cursor) -> bool {
        if self.leaves_nothing() {
            return true;
        }
        let label = statement_key(label);
        if self.label_scopes.around.is_empty()
            && let Some(root) = self.root
        {
            collect_labels(root, &mut Vec::new(), &mut self.label_scopes.around);
        }
        let Some(around) = self.label_scopes.around.get(&label) else { return false };
        let passed = self.label_scopes.passed.get(&label);
        let mut leaving = Vec::new();
        for scope in self.scopes.iter().rev() {
            match scope.statement {
                None if scope.objects.is_empty() => {}
                None => return false,
                Some(statement) => {
                    let kept = match (around.contains(&statement), passed) {
                        (false, _) => 0,
                        (true, None) => scope.objects.len(),
                        (true, Some(lived)) => lived.get(&statement).copied().unwrap_or(0),
                    };
                    leaving.extend(scope.objects.iter().skip(kept).rev().copied());
                }
            }
        }
        let source = self.unit.source(cursor);
        self.destroy_objects(&leaving, source);
        true
    }

    /// `label` stands here.
    pub(super) fn pass_label(&mut self, label: Cursor) {
        let lived = self
            .scopes
            .iter()
            .filter_map(|scope| Some((scope.statement?, scope.objects.len())))
            .collect();
        self.label_scopes.passed.insert(statement_key(label), lived);
    }

    /// The block that an exception thrown here goes to: it destroys what the `try` around holds and enters one of its
    /// handlers, or those of the next one outwards. None outside any `try`. What no handler takes leaves the function only
    /// where the function itself throws (`thrown`): calls are taken to throw what is caught.
    fn unwinding(&mut self, source: SourceRef, thrown: bool) -> Option<BlockId> {
        let handlers = self.handlers.clone();
        let here = self.current();
        let mut outward: Option<BlockId> = None;
        for (level, handler) in handlers.iter().enumerate() {
            // The scopes between this `try` and the next one inwards, or the place of the throw.
            let inner = handlers.get(level + 1).map_or(self.scopes.len(), |next| next.depth);
            let mut targets = handler.blocks.clone();
            if !handler.all {
                if let Some(block) = outward {
                    targets.push(block);
                } else if thrown {
                    let block = self.new_block();
                    self.switch_to(block);
                    self.uncaught();
                    targets.push(block);
                }
            }
            let block = self.new_block();
            self.switch_to(block);
            let leaving: Vec<(VariableId, Ty)> = self
                .scopes
                .iter()
                .take(inner)
                .skip(handler.depth)
                .rev()
                .flat_map(|scope| scope.objects.iter().rev().copied())
                .collect();
            self.destroy_objects(&leaving, source);
            self.terminate(Terminator::Switch { value: Expr::Unknown, targets });
            outward = Some(block);
        }
        self.switch_to(here);
        outward
    }

    /// A call may throw: the handlers around may be next.
    pub(super) fn may_throw(&mut self, source: SourceRef) {
        if let Some(unwinding) = self.unwinding(source, false) {
            let next = self.new_block();
            self.terminate(Terminator::Switch {
                value: Expr::Unknown,
                targets: vec![next, unwinding],
            });
            self.switch_to(next);
        }
    }

    /// `throw`.
    pub(super) fn throw(&mut self, cursor: Cursor) {
        let source = self.unit.source(cursor);
        match self.unwinding(source, true) {
            Some(unwinding) => self.terminate_dead(Terminator::Goto(unwinding)),
            None => {
                self.uncaught();
                let dead = self.new_block();
                self.switch_to(dead);
            }
        }
    }

    /// An exception leaves the function: the program ends, unless some caller may catch it.
    fn uncaught(&mut self) {
        let kind = self.unit.program.function(self.function).kind;
        if self.unit.catches && kind != FunctionKind::Main {
            self.give_up("it throws an exception that a caller may catch");
        }
        self.terminate(Terminator::Exit);
    }
}

/// Labels below `at`, each with the compound statements around it.
fn collect_labels(
    at: Cursor,
    around: &mut Vec<CursorKey>,
    found: &mut HashMap<CursorKey, Vec<CursorKey>>,
) {
    let opens = at.kind() == clang::CXCursor_CompoundStmt;
    if opens {
        around.push(statement_key(at));
    }
    if at.kind() == clang::CXCursor_LabelStmt {
        found.insert(statement_key(at), around.clone());
    }
    if !at.is_expression() {
        for child in at.children() {
            collect_labels(child, around, found);
        }
    }
    if opens {
        around.pop();
    }
}
