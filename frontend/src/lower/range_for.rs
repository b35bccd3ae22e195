//! `for (T x : range)`.

use echo_dataflow::program::{
    Argument, Call, Comparison, Expr, Place, StatementKind, Terminator, TypeKind,
};

use super::body::Body;
use super::destructor::address_of;
use super::loops::Target;
use crate::clang::{Cursor, Kind, TypeShape};

impl<'tu> Body<'_, 'tu> {
    /// The iterator variables are implicit: libclang shows only the loop variable, the range and the body. They
    /// are found through what the loop variable is initialised from.
    pub(crate) fn range_for_statement(&mut self, cursor: Cursor<'tu>) {
        let span = self.source.span;
        self.push_scope(span);
        let children = cursor.children();
        let mut parts = &children[..];
        if let [init, _, _, _] = *parts {
            self.statement(init, false);
            parts = &parts[1..];
        }
        let [declared, range, inner] = *parts else {
            self.fail("a range `for` of unknown shape");
            return;
        };
        let iterator = find_variable(declared, "__begin");
        let Some(iterator) = iterator else {
            self.fail("a range `for` whose iterator cannot be told");
            return;
        };
        let source = iterator.initializer().and_then(|i| find_variable(i, "__range"));
        let Some(source) = source else {
            self.fail("a range `for` whose range cannot be told");
            return;
        };
        self.in_header(|body| {
            body.declare_from(source, Some(range), 1, true);
            body.declare(iterator, 1);
        });
        let begin = self.session.variable(iterator, Some(span));
        let begin_type = self.ty(iterator.ty());
        let pointer_iterator = self.session.is_pointer(begin);
        let (head, next, step, after) =
            (self.new_block(), self.new_block(), self.new_block(), self.new_block());
        let element = iterator.ty().canonical().pointee();
        let end = self.array_end(source, begin_type, element.and_then(|e| e.size()));
        self.fall_into(head);
        match end {
            Some(end) => {
                let condition = Expr::Compare {
                    op: Comparison::NotEqual,
                    left: Box::new(Expr::variable(begin, begin_type)),
                    right: Box::new(end),
                };
                self.terminate(Terminator::Branch { condition, then: next, otherwise: after });
            }
            None => {
                let value = Expr::Computed(Vec::new());
                self.terminate(Terminator::Switch { value, targets: vec![next, after] });
            }
        }
        let keep = self.scopes.len();
        self.switch_to(next);
        self.targets.push(Target { break_to: after, continue_to: Some(step), keep });
        self.push_scope(span);
        self.in_header(|body| body.declare(declared, 1));
        self.statement(inner, false);
        self.pop_scope();
        self.targets.pop();
        self.fall_into(step);
        if pointer_iterator {
            let value = Expr::PointerAdd {
                pointer: Box::new(Expr::variable(begin, begin_type)),
                elements: Box::new(Expr::Integer(1)),
                element_bytes: element.and_then(|e| e.size()),
            };
            self.assign(Place::variable(begin), begin_type, value, None);
        } else {
            self.advance(iterator, &Place::variable(begin));
        }
        self.goto(head);
        self.switch_to(after);
        self.pop_scope();
    }

    /// One past the last element, where the range is an array of known length.
    fn array_end(
        &mut self,
        range: Cursor<'tu>,
        begin_type: echo_dataflow::program::TypeId,
        element_bytes: Option<u64>,
    ) -> Option<Expr> {
        let array = range.ty().canonical().pointee()?.canonical();
        if array.shape() != TypeShape::ConstantArray {
            return None;
        }
        let count = i128::from(array.count()?);
        let span = self.scope_span();
        let variable = self.session.variable(range, Some(span));
        let ty = self.ty(range.ty());
        let whole = Place::deref(Expr::variable(variable, ty));
        let start = Expr::Cast { to: begin_type, value: Box::new(address_of(whole)) };
        Some(Expr::PointerAdd {
            pointer: Box::new(start),
            elements: Box::new(Expr::Integer(count)),
            element_bytes,
        })
    }

    /// `++iterator` of a class type.
    fn advance(&mut self, iterator: Cursor<'tu>, place: &Place) {
        let Some(record) = self.session.record(iterator.ty()) else {
            self.emit_opaque("an iterator of unknown type");
            return;
        };
        if !record.system {
            self.emit_opaque("an iterator of a class of the program");
            return;
        }
        let callee = self.session.system_member(&record, "operator++");
        let ty = self.ty(iterator.ty());
        let pointer = self.session.pointer_to(ty);
        let source = self.source;
        let returns = pointer;
        let this = Argument { value: address_of(place.clone()), ty: pointer, source };
        let call = Call { callee, arguments: vec![this], result: None, returns };
        self.emit(StatementKind::Call(call), None);
    }

    /// Whether values of `ty` are numbers or pointers.
    pub(crate) fn is_scalar(&self, ty: echo_dataflow::program::TypeId) -> bool {
        matches!(
            self.session.program.types[ty.index()].kind,
            TypeKind::Integer { .. }
                | TypeKind::Float
                | TypeKind::Pointer { .. }
                | TypeKind::Function
        )
    }
}

/// The variable with a name that starts with `prefix` that an initialiser mentions.
fn find_variable<'tu>(within: Cursor<'tu>, prefix: &str) -> Option<Cursor<'tu>> {
    let mut found = None;
    within.walk(&mut |node: Cursor<'tu>| {
        if found.is_none()
            && node.kind() == Kind::DeclRefExpr
            && node.spelling().starts_with(prefix)
        {
            found = node.referenced();
        }
        found.is_none()
    });
    if found.is_none()
        && within.kind() == Kind::DeclRefExpr
        && within.spelling().starts_with(prefix)
    {
        found = within.referenced();
    }
    found
}
