//! Loops.

use clang_sys as clang;
use echo_dataflow::program::{Expr, StatementKind, Terminator};

use crate::clang::Cursor;

use super::body::{Body, Breakable};

impl Body<'_, '_> {
    /// The parts of a `for` header by their places between the semicolons.
    pub(super) fn for_parts(&self, cursor: Cursor) -> Option<[Option<Cursor>; 4]> {
        let (start, _) = cursor.spelled_range();
        let (from, _) = cursor.expanded_range();
        if start != from {
            return whole_for(cursor);
        }
        let (semicolons, close) = self.unit.text_of(start.file)?.header(start.offset)?;
        let [first, second] = semicolons.as_slice() else { return None };
        let mut parts = [None; 4];
        for child in cursor.children() {
            let (at, _) = child.expanded_range();
            let slot = if at.file != start.file || at.offset > close {
                3
            } else if at.offset < *first {
                0
            } else if at.offset <= *second {
                1
            } else {
                2
            };
            if slot == 1 && child.kind() == clang::CXCursor_VarDecl {
                return None;
            }
            if parts[slot].replace(child).is_some() {
                return None;
            }
        }
        parts[3].is_some().then_some(parts)
    }

    pub(super) fn for_statement(&mut self, cursor: Cursor) {
        let Some([init, test, step, Some(inner)]) = self.for_parts(cursor) else {
            self.opaque_statement(cursor, "a `for` whose header comes from a macro");
            return;
        };
        self.open_scope(None);
        if let Some(init) = init {
            self.statement(init);
        }
        let head = self.new_block();
        let run = self.new_block();
        let next = self.new_block();
        let end = self.new_block();
        self.goto(head);
        self.switch_to(head);
        match test {
            Some(test) => self.branch(test, run, end),
            None => self.goto(run),
        }
        self.switch_to(run);
        self.breakables.push(Breakable {
            on_break: end,
            on_continue: Some(next),
            depth: self.scopes.len(),
        });
        self.scoped(inner);
        self.breakables.pop();
        self.goto(next);
        self.switch_to(next);
        if let Some(step) = step {
            self.discard(step);
        }
        self.goto(head);
        self.switch_to(end);
        self.close_scope(cursor);
    }

    pub(super) fn while_statement(&mut self, cursor: Cursor) {
        let mut parts = cursor.children();
        let head = self.new_block();
        let run = self.new_block();
        let end = self.new_block();
        self.goto(head);
        self.switch_to(head);
        self.open_scope(None);
        self.condition_declarations(&mut parts);
        let [test, inner] = parts.as_slice() else {
            self.scopes.pop();
            self.opaque_statement(cursor, "a `while` of unknown form");
            return;
        };
        self.branch(*test, run, end);
        self.switch_to(run);
        self.breakables.push(Breakable {
            on_break: end,
            on_continue: Some(head),
            depth: self.scopes.len(),
        });
        self.scoped(*inner);
        self.breakables.pop();
        self.goto(head);
        self.switch_to(end);
        self.close_scope(cursor);
    }

    pub(super) fn do_statement(&mut self, cursor: Cursor) {
        let parts = cursor.children();
        let [inner, test] = parts.as_slice() else {
            self.opaque_statement(cursor, "a `do` of unknown form");
            return;
        };
        let run = self.new_block();
        let check = self.new_block();
        let end = self.new_block();
        self.goto(run);
        self.switch_to(run);
        self.breakables.push(Breakable {
            on_break: end,
            on_continue: Some(check),
            depth: self.scopes.len(),
        });
        self.scoped(*inner);
        self.breakables.pop();
        self.goto(check);
        self.switch_to(check);
        self.branch(*test, run, end);
        self.switch_to(end);
    }

    /// `for (T x : range)`: any number of iterations; `x` is a place in the range, or a copy of one.
    pub(super) fn range_for(&mut self, cursor: Cursor) {
        let parts = cursor.children();
        let variable = parts.iter().copied().find(|c| c.kind() == clang::CXCursor_VarDecl);
        let inner = parts.last().copied();
        let range = parts.iter().copied().find(|c| c.is_expression());
        let (Some(variable), Some(inner), Some(range)) = (variable, inner, range) else {
            self.opaque_statement(cursor, "a range `for` of unknown form");
            return;
        };
        if range.key() == inner.key() && parts.len() < 3 {
            self.opaque_statement(cursor, "a range `for` of unknown form");
            return;
        }
        self.open_scope(None);
        let source = self.unit.source(cursor);
        let runs = self.code_of_range(cursor, variable, is_array(range));
        let place = self.place(range);
        if let Some(why) = runs {
            self.opaque_statement(cursor, why);
        }
        // A container's elements are what its memory leads to; a built-in array's are in it.
        let head = self.new_block();
        let run = self.new_block();
        let end = self.new_block();
        self.goto(head);
        self.switch_to(head);
        self.terminate(Terminator::Switch { value: Expr::Unknown, targets: vec![run, end] });
        self.switch_to(run);
        if let Some(why) = runs {
            self.opaque_statement(cursor, why);
        }
        let id = self.unit.variable(variable);
        self.push(StatementKind::Declare(id), source, None);
        let is_array = is_array(range);
        let element = Expr::PointerAdd {
            pointer: Box::new(Expr::AddressOf(Box::new(place))),
            elements: Box::new(Expr::Unknown),
            element_bytes: None,
        };
        let ty = self.unit.program.variable(id).ty;
        let value = if !is_array {
            Expr::Unknown
        } else if super::is_reference(variable.ty()) {
            element
        } else {
            Expr::Load { place: Box::new(echo_dataflow::program::Place::deref(element)), ty }
        };
        self.assign(echo_dataflow::program::Place::variable(id), ty, value, source);
        self.breakables.push(Breakable {
            on_break: end,
            on_continue: Some(head),
            depth: self.scopes.len(),
        });
        self.scoped(inner);
        self.breakables.pop();
        self.goto(head);
        self.switch_to(end);
        self.close_scope(cursor);
    }
}

fn is_array(range: Cursor) -> bool {
    matches!(
        range.ty().canonical().kind(),
        clang::CXType_ConstantArray | clang::CXType_IncompleteArray | clang::CXType_VariableArray
    )
}

/// The parts of a `for` whose text comes from a macro: told apart only when all four are there.
pub(super) fn whole_for(cursor: Cursor) -> Option<[Option<Cursor>; 4]> {
    match cursor.children().as_slice() {
        &[init, test, step, inner]
            if test.is_expression()
                && step.is_expression()
                && test.kind() != clang::CXCursor_VarDecl =>
        {
            Some([Some(init), Some(test), Some(step), Some(inner)])
        }
        _ => None,
    }
}
