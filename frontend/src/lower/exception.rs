//! `throw`, `try`, and the edges by which exceptions leave calls.

use echo_dataflow::program::{BlockId, Callee, Expr, Terminator};

use super::body::Body;
use crate::clang::{Cursor, Kind};

/// An active `try` block.
#[derive(Debug, Clone)]
pub(crate) struct Handler {
    /// Where its catch clauses start.
    block: BlockId,
    /// Scopes that stay open in the clauses.
    keep: usize,
}

impl<'tu> Body<'_, 'tu> {
    pub(crate) fn throw_expression(&mut self, cursor: Cursor<'tu>) -> Expr {
        for operand in cursor.children() {
            if operand.is_expression() {
                self.effect(operand);
            }
        }
        self.unwind();
        Expr::Unknown
    }

    /// Control leaves by an exception.
    fn unwind(&mut self) {
        match self.handlers.last().cloned() {
            Some(handler) => {
                self.leave_scopes(handler.keep);
                self.goto(handler.block);
            }
            None => {
                self.leave_scopes(0);
                self.leave_by_exception();
            }
        }
    }

    /// The end of a function by an exception that it does not catch. Where somebody may catch it, that is a
    /// return: callers have an edge from each call that may throw to their own handlers.
    fn leave_by_exception(&mut self) {
        let end = if self.is_main || (!self.session.catches && self.session.has_main) {
            Terminator::Exit
        } else {
            Terminator::Return(None)
        };
        self.terminate(end);
    }

    /// After a call that may throw: control may go on or leave.
    pub(crate) fn exceptional_edge(&mut self, may_throw: bool) {
        if !may_throw || !self.session.catches || !self.is_open() {
            return;
        }
        let next = self.new_block();
        let leaves = self.new_block();
        self.terminate(Terminator::Switch {
            value: Expr::Computed(Vec::new()),
            targets: vec![next, leaves],
        });
        self.switch_to(leaves);
        // Destructors do not throw (they are implicitly noexcept).
        let catches = std::mem::replace(&mut self.session.catches, false);
        let handler = self.handlers.last().cloned();
        self.leave_scopes(handler.as_ref().map_or(0, |h| h.keep));
        self.session.catches = catches;
        match handler {
            Some(handler) => self.goto(handler.block),
            None => self.leave_by_exception(),
        }
        self.switch_to(next);
    }

    /// Whether a call of `callee` may end by an exception.
    pub(crate) fn callee_may_throw(&self, callee: &Callee) -> bool {
        match callee {
            Callee::Function(id) => !self.session.never_throws.contains(id),
            // C functions do not throw; mangled or not is told by the USR's shape (`c:@F@name`).
            Callee::External { usr, .. } => {
                usr.strip_prefix("c:@F@").is_none_or(|name| name.contains('#'))
            }
            Callee::Indirect(_) => true,
        }
    }

    pub(crate) fn try_statement(&mut self, cursor: Cursor<'tu>) {
        let clauses = self.new_block();
        let after = self.new_block();
        self.handlers.push(Handler { block: clauses, keep: self.scopes.len() });
        let children = cursor.children();
        for body in children.iter().filter(|c| c.kind() != Kind::CXXCatchStmt) {
            self.statement(*body, false);
        }
        self.handlers.pop();
        self.goto(after);
        let catches: Vec<_> =
            children.iter().copied().filter(|c| c.kind() == Kind::CXXCatchStmt).collect();
        let entries: Vec<BlockId> = catches.iter().map(|_| self.new_block()).collect();
        let catches_all =
            catches.iter().any(|c| c.children().iter().all(|child| child.kind() != Kind::VarDecl));
        self.switch_to(clauses);
        let mut targets = entries.clone();
        let onward = self.new_block();
        if !catches_all {
            targets.push(onward);
        }
        self.terminate(Terminator::Switch { value: Expr::Computed(Vec::new()), targets });
        if !catches_all {
            self.switch_to(onward);
            self.unwind();
        }
        for (clause, entry) in catches.iter().zip(entries) {
            self.switch_to(entry);
            let span = self.source_of(*clause).span;
            self.push_scope(span);
            for part in clause.children() {
                if part.kind() == Kind::VarDecl {
                    self.declare_unknown(part);
                } else if part.is_statement() {
                    self.statement(part, false);
                }
            }
            self.pop_scope();
            self.goto(after);
        }
        self.switch_to(after);
    }

    /// A variable whose value comes from outside: a caught exception.
    fn declare_unknown(&mut self, declared: Cursor<'tu>) {
        let span = self.scope_span();
        let variable = self.session.variable(declared, Some(span));
        self.emit(echo_dataflow::program::StatementKind::Declare(variable), None);
        let ty = self.ty(declared.ty());
        if !self.session.is_aggregate(ty) {
            let place = echo_dataflow::program::Place::variable(variable);
            self.assign(place, ty, Expr::Unknown, None);
        }
    }
}
