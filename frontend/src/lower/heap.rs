//! Host memory: `new`, `delete` and the functions that allocate and free.

use clang_sys as clang;
use echo_dataflow::program::{
    Arithmetic, Expr, HostAllocation, HostAllocator, HostDeallocator, HostRelease, Place,
    SourceRef, StatementKind, TypeId,
};

use crate::clang::{Cursor, Ty};

use super::body::Body;
use super::expr::{last_expression, strip, strip_casts};
use super::new_shape::{NewInitializer, NewShape};
use super::types::is_trivial;

impl Body<'_, '_> {
    #[allow(clippy::too_many_arguments, reason = "the parts of one statement")]
    pub(super) fn allocate(
        &mut self,
        cursor: Cursor,
        written: &[Cursor],
        allocator: HostAllocator,
        bytes: Expr,
        result: Option<&Place>,
        element: Option<TypeId>,
        source: SourceRef,
    ) {
        let result = match result {
            Some(result) => result.clone(),
            None => {
                let void = self.unit.void_type();
                let ty = self.unit.pointer_to(void);
                Place::variable(self.unit.temporary(ty))
            }
        };
        let syntax = self.call_syntax(cursor, written, None);
        self.push(
            StatementKind::HostAllocate(Box::new(HostAllocation {
                allocator,
                bytes,
                result,
                element,
            })),
            source,
            Some(syntax),
        );
    }

    /// The place that a pointer argument points to: `(void **)&d` is `d`.
    pub(super) fn pointee_place(&mut self, argument: Cursor) -> Place {
        match self.rvalue(argument) {
            Expr::AddressOf(place) => *place,
            Expr::Cast { value, .. } => pointee(*value),
            value => Place::deref(value),
        }
    }

    /// The type of that place as it is written, if it is a pointer.
    pub(super) fn pointee_type(&mut self, argument: Cursor) -> Option<TypeId> {
        let pointee = strip_casts(argument).ty().pointee();
        let is_pointer = pointee.canonical().kind() == clang::CXType_Pointer;
        is_pointer.then(|| self.unit_type(pointee))
    }

    pub(super) fn new_expression(&mut self, cursor: Cursor) -> Expr {
        let pointer = self.unit_type(cursor.ty());
        let source = self.unit.source(cursor);
        let result = self.unit.temporary(pointer);
        let place = Place::variable(result);
        let pointee = cursor.ty().canonical().pointee();
        let element = self.unit_type(pointee);
        let element_bytes = self.unit.program.ty(element).bytes;
        let children: Vec<Cursor> =
            cursor.children().into_iter().filter(|c| c.is_expression()).collect();
        if self.allocates_by_program(pointee) {
            for child in &children {
                self.discard(*child);
            }
            self.opaque_statement(cursor, "a `new` that calls an `operator new` of the program");
            self.assign(place, pointer, Expr::Unknown, source);
            return Expr::variable(result, pointer);
        }
        let shape = self.unit.new_shape(cursor);
        match shape {
            Some(NewShape::Array { bracket, close, initializer, .. }) => {
                let count = children.iter().copied().find(|c| {
                    let (at, _) = c.expanded_range();
                    at.offset > bracket && at.offset < close
                });
                let count = match count {
                    Some(count) => self.rvalue(count),
                    None => Expr::Unknown,
                };
                let values: Vec<Cursor> = children
                    .iter()
                    .map(|child| strip(*child))
                    .filter(|child| {
                        child.expanded_range().0.offset >= close
                            && child.kind() == clang::CXCursor_InitListExpr
                    })
                    .flat_map(Cursor::children)
                    .filter(|value| value.is_expression())
                    .collect();
                let bytes = match element_bytes {
                    Some(bytes) => Expr::Arithmetic {
                        op: Arithmetic::Multiply,
                        left: Box::new(count),
                        right: Box::new(Expr::Integer(i128::from(bytes))),
                    },
                    None => Expr::Unknown,
                };
                let allocator = match (is_trivial(self.unit, pointee), initializer) {
                    (true, NewInitializer::None) => HostAllocator::NewArray,
                    (true, NewInitializer::Empty) => HostAllocator::NewArrayZeroed,
                    (true | false, _) => HostAllocator::NewArrayConstructed,
                };
                self.allocate(cursor, &[], allocator, bytes, Some(&place), Some(element), source);
                let some_element = Place::deref(Expr::PointerAdd {
                    pointer: Box::new(Expr::variable(result, pointer)),
                    elements: Box::new(Expr::Unknown),
                    element_bytes,
                });
                for value in values {
                    if super::types::is_number(value.ty()) && super::types::is_number(pointee) {
                        self.discard(value);
                    } else {
                        self.initialize_some_element(&some_element, pointee, value, source);
                    }
                }
                if !is_trivial(self.unit, pointee) {
                    self.default_construct_elements(&some_element, pointee, source);
                }
            }
            Some(NewShape::Object) => {
                let bytes = element_bytes.map_or(Expr::Unknown, |b| Expr::Integer(i128::from(b)));
                self.allocate(
                    cursor,
                    &[],
                    HostAllocator::NewObject,
                    bytes,
                    Some(&place),
                    Some(element),
                    source,
                );
                let object = Place::deref(Expr::variable(result, pointer));
                match children.last() {
                    Some(initializer) => self.initialize(&object, pointee, *initializer, source),
                    None if !is_trivial(self.unit, pointee) => {
                        self.default_construct(&object, pointee, source)
                    }
                    None => {}
                }
            }
            None => {
                // Placement, or written by a macro: where the memory comes from is not known.
                for child in &children {
                    self.discard(*child);
                }
                self.opaque_statement(cursor, "a placement `new`, or a `new` from a macro");
                self.assign(place, pointer, Expr::Unknown, source);
            }
        }
        Expr::variable(result, pointer)
    }

    pub(super) fn discard_list(&mut self, list: Cursor) {
        for child in strip(list).children() {
            if child.is_expression() {
                self.discard(child);
            }
        }
    }

    /// Whether objects of this type are allocated by an operator that the program defines, for them or for all.
    fn allocates_by_program(&self, ty: Ty) -> bool {
        self.unit.replaces_new
            || (ty.canonical().kind() == clang::CXType_Record
                && super::class::class(ty).is_some_and(|class| class.allocates_itself()))
    }

    pub(super) fn delete_expression(&mut self, cursor: Cursor) {
        let source = self.unit.source(cursor);
        let Some(operand) = last_expression(cursor) else {
            self.opaque_statement(cursor, "a `delete` of unknown form");
            return;
        };
        let pointer = self.rvalue(operand);
        let (start, _) = cursor.spelled_range();
        let array = self.unit.text_of(start.file).and_then(|text| {
            let mut at = start.offset;
            if text.slice(at, at + 2) == b"::" {
                at += 2;
            }
            text.next_code(at + 6).map(|(_, byte)| byte == b'[')
        });
        let pointee = operand.ty().canonical().pointee();
        if self.allocates_by_program(pointee) {
            let why = "a `delete` that calls an `operator delete` of the program";
            self.opaque_statement(cursor, why);
            return;
        }
        let deallocator = match array {
            Some(true) => HostDeallocator::DeleteArray,
            Some(false) => HostDeallocator::Delete,
            None => {
                self.opaque_statement(cursor, "a `delete` from a macro");
                return;
            }
        };
        if !is_trivial(self.unit, pointee) {
            let ty = self.unit_type(operand.ty());
            let kept = self.keep(ty, pointer.clone(), source);
            self.destroy_through(kept, pointee, source);
        }
        let syntax = self.call_syntax(cursor, &[operand], None);
        self.push(
            StatementKind::HostRelease(HostRelease { deallocator, pointer }),
            source,
            Some(syntax),
        );
    }

    pub(super) fn destroy_through(&mut self, pointer: Expr, pointee: Ty, source: SourceRef) {
        self.destroy(&Place::deref(pointer), pointee, source, 0);
    }
}

pub(super) fn pointee(value: Expr) -> Place {
    match value {
        Expr::AddressOf(place) => *place,
        Expr::Cast { value, .. } => pointee(*value),
        value => Place::deref(value),
    }
}
