//! `break`, `continue`, `return`, `goto` and labels.

use echo_dataflow::program::{BlockId, Expr, Place, Terminator};

use super::body::Body;
use super::destructor::Scope;
use crate::clang::{Cursor, Kind};

/// A label, and the jumps to it that wait for its scope to be known.
#[derive(Debug, Clone)]
pub(crate) struct Label<'tu> {
    block: BlockId,
    /// The scopes at the label, once it has been passed.
    scopes: Option<Vec<Scope<'tu>>>,
    waiting: Vec<(BlockId, Vec<Scope<'tu>>)>,
}

impl<'tu> Body<'_, 'tu> {
    pub(crate) fn break_statement(&mut self) {
        match self.targets.last().copied() {
            Some(target) => {
                self.leave_scopes(target.keep);
                self.goto(target.break_to);
            }
            None => self.fail("`break` outside a loop"),
        }
    }

    pub(crate) fn continue_statement(&mut self) {
        let target = self.targets.iter().rev().find(|t| t.continue_to.is_some()).copied();
        match target {
            Some(target) => {
                self.leave_scopes(target.keep);
                if let Some(block) = target.continue_to {
                    self.goto(block);
                }
            }
            None => self.fail("`continue` outside a loop"),
        }
    }

    pub(crate) fn return_statement(&mut self, cursor: Cursor<'tu>) {
        let value = cursor.children().iter().copied().find(|c| c.is_expression());
        let Some(value) = value else {
            self.leave_function(None);
            return;
        };
        let ty = self.returns;
        let id = self.ty(ty);
        if ty.is_reference() {
            let pointer = self.full_expression(|body| {
                let place = body.place(value);
                let pointer = super::destructor::address_of(place);
                body.kept_through_cleanup(pointer, id)
            });
            self.leave_function(Some(pointer));
        } else if self.is_record_type(id) {
            self.return_object(value);
        } else if id == self.session.void_type() {
            self.full_expression(|body| body.effect(value));
            self.leave_function(None);
        } else {
            let result = self.full_expression(|body| {
                let value = body.value(value);
                body.kept_through_cleanup(value, id)
            });
            self.leave_function(Some(result));
        }
    }

    /// `return object;`: a local variable is the result itself, everything else is built in a fresh object.
    fn return_object(&mut self, value: Cursor<'tu>) {
        let ty = self.returns;
        let id = self.ty(ty);
        if let Some(declared) = returned_local(value)
            && declared.kind() == Kind::VarDecl
            && !declared.has_global_storage()
            && declared.ty().canonical().unqualified().key() == ty.canonical().unqualified().key()
            && !self.captures.contains_key(&declared.canonical().key())
        {
            let span = self.scope_span();
            let variable = self.session.variable(declared, Some(span));
            let place = Place::variable(variable);
            // Not destroyed on this path; it is on the others.
            let scopes = self.scopes.clone();
            for scope in &mut self.scopes {
                scope.cleanups.retain(|c| c.place != place);
            }
            self.leave_function(Some(Expr::Load { place: Box::new(place), ty: id }));
            self.scopes = scopes;
            return;
        }
        let object = self.object(id);
        let place = Place::variable(object);
        self.full_expression(|body| body.initialize(&place, ty, Some(value)));
        self.leave_function(Some(Expr::Load { place: Box::new(place), ty: id }));
    }

    /// Destroys all that is alive and returns.
    pub(crate) fn leave_function(&mut self, value: Option<Expr>) {
        let value = match value {
            Some(value) if self.scopes.iter().any(|s| !s.cleanups.is_empty()) => {
                let ty = self.returns;
                let id = self.ty(ty);
                Some(if self.session.is_aggregate(id) { value } else { self.spill(value, id) })
            }
            value => value,
        };
        self.leave_scopes(0);
        if self.is_main {
            self.destroy_globals();
        }
        self.terminate(Terminator::Return(value));
    }

    /// `value`, in a temporary if the end of the full expression runs destructors.
    pub(crate) fn kept_through_cleanup(
        &mut self,
        value: Expr,
        ty: echo_dataflow::program::TypeId,
    ) -> Expr {
        let cleans = self.scopes.last().is_some_and(|s| s.expression && !s.cleanups.is_empty());
        if cleans && !self.session.is_aggregate(ty) { self.spill(value, ty) } else { value }
    }

    pub(crate) fn goto_statement(&mut self, cursor: Cursor<'tu>) {
        let label = cursor
            .children()
            .iter()
            .find(|c| c.kind() == Kind::LabelRef)
            .and_then(|c| c.referenced());
        let Some(label) = label else {
            self.fail("a computed `goto`");
            return;
        };
        let from = self.current();
        if !self.is_open() {
            return;
        }
        let known = self.label(label);
        match known.scopes.clone() {
            Some(scopes) => {
                let block = known.block;
                let left = self.scopes.clone();
                self.destroy_left(&left, &scopes);
                self.goto(block);
            }
            None => {
                let scopes = self.scopes.clone();
                self.label(label).waiting.push((from, scopes));
                // The block stays open until the label is met; what follows is not reached from it.
                let dead = self.new_block();
                self.switch_to(dead);
            }
        }
    }

    pub(crate) fn label_statement(&mut self, cursor: Cursor<'tu>, in_block: bool) {
        let scopes = self.scopes.clone();
        let label = self.label(cursor);
        let block = label.block;
        label.scopes = Some(scopes.clone());
        let waiting = std::mem::take(&mut label.waiting);
        self.goto(block);
        for (from, left) in waiting {
            self.switch_to(from);
            self.destroy_left(&left, &scopes);
            self.goto(block);
        }
        self.switch_to(block);
        for child in cursor.children() {
            self.statement(child, in_block);
        }
    }

    /// Destroys what a jump from a place with scopes `from` to one with scopes `to` leaves.
    fn destroy_left(&mut self, from: &[Scope<'tu>], to: &[Scope<'tu>]) {
        let keep = common(from, to);
        for scope in from[keep..].iter().rev() {
            self.destroy_all(&scope.cleanups);
        }
        for (here, there) in from[..keep].iter().zip(to).rev() {
            let made_since = here.cleanups.get(there.cleanups.len()..).unwrap_or_default();
            self.destroy_all(made_since);
        }
    }

    fn label(&mut self, statement: Cursor<'tu>) -> &mut Label<'tu> {
        let key = statement.key();
        if !self.labels.contains_key(&key) {
            let block = self.new_block();
            self.labels.insert(key, Label { block, scopes: None, waiting: Vec::new() });
        }
        self.labels.entry(key).or_insert(Label {
            block: BlockId(0),
            scopes: None,
            waiting: Vec::new(),
        })
    }

    /// Labels that were jumped to but never met: the function is not understood.
    pub(crate) fn check_labels(&mut self) {
        if self.labels.values().any(|l| l.scopes.is_none()) {
            self.fail("a `goto` whose label was not found");
        }
    }
}

/// How many of the outermost scopes two places share.
fn common(left: &[Scope<'_>], right: &[Scope<'_>]) -> usize {
    left.iter().zip(right).take_while(|(a, b)| a.identity == b.identity).count()
}

/// The variable that `return` names, through conversions that construct the result from it.
fn returned_local(value: Cursor<'_>) -> Option<Cursor<'_>> {
    let mut at = value;
    loop {
        match at.kind() {
            Kind::DeclRefExpr => return at.referenced(),
            Kind::ParenExpr | Kind::UnexposedExpr => match *at.children() {
                [child] => at = child,
                _ => return None,
            },
            Kind::CallExpr
                if at.referenced().is_some_and(|r| {
                    r.kind() == Kind::Constructor
                        && (r.is_copy_constructor() || r.is_move_constructor())
                }) =>
            {
                match *at.children() {
                    [child] => at = child,
                    _ => return None,
                }
            }
            _ => return None,
        }
    }
}
