//! `malloc` and its kin, `new`, `delete`.

use echo_dataflow::program::{
    Argument, Arithmetic, Callee, Expr, HostAllocation, HostAllocator, HostDeallocator,
    HostRelease, Place, StatementKind, TypeId, TypeKind,
};

use super::body::Body;
use super::call::Site;
use super::destructor::address_of;
use super::expression::Operand;
use super::fold;
use super::lexer;
use super::place::dereference;
use super::record::{Member, innermost_element};
use super::session::Special;
use crate::clang::{Cursor, Kind, Type, TypeShape};

impl<'tu> Body<'_, 'tu> {
    /// Calls of allocation functions by name.
    pub(super) fn allocation_call(
        &mut self,
        site: &Site<'tu>,
        name: &str,
        arguments: &[Cursor<'tu>],
    ) -> Option<Operand> {
        let options = &self.session.options;
        let custom_allocator = options.allocators.iter().any(|a| a == name);
        let custom_free = options.frees.iter().any(|f| f == name);
        let name = match (custom_allocator, custom_free) {
            (true, _) => "malloc",
            (_, true) => "free",
            _ => name,
        };
        let (allocator, count) = match name {
            "malloc" if arguments.len() == 1 => (HostAllocator::Malloc, 1),
            "calloc" if arguments.len() == 2 => (HostAllocator::Calloc, 2),
            "aligned_alloc" | "memalign" if arguments.len() == 2 => (HostAllocator::Other, 2),
            "valloc" | "pvalloc" if arguments.len() == 1 => (HostAllocator::Other, 1),
            "strdup" if arguments.len() == 1 => (HostAllocator::Other, 1),
            "mmap" if arguments.len() == 6 => (HostAllocator::Other, 6),
            "realloc" if arguments.len() == 2 => (HostAllocator::Other, 2),
            "posix_memalign" if arguments.len() == 3 => (HostAllocator::Other, 3),
            "free" if arguments.len() == 1 => {
                let pointer = self.value(arguments[0]);
                self.release(site, HostDeallocator::Free, pointer);
                return Some(Operand::Value(Expr::Computed(Vec::new())));
            }
            _ => return None,
        };
        let values = self.values(&arguments[..count.min(arguments.len())]);
        let ty = self.ty(site.cursor.ty());
        match name {
            "realloc" => {
                let [old, bytes] = &values[..] else { return None };
                let result = self.allocate(site, allocator, bytes.clone(), ty, None);
                self.release(site, HostDeallocator::Realloc, old.clone());
                return Some(Operand::Value(result));
            }
            "posix_memalign" => {
                let [target, _, bytes] = &values[..] else { return None };
                let result = dereference(strip_casts(target.clone()));
                let allocation =
                    HostAllocation { allocator, bytes: bytes.clone(), result, element: None };
                self.emit_site(StatementKind::HostAllocate(allocation), site);
                return Some(Operand::Value(Expr::Computed(Vec::new())));
            }
            "strdup" => {
                // The text is read and copied; its length is not known.
                let read = Expr::Load {
                    place: Box::new(dereference(values[0].clone())),
                    ty: self.session.int_type(),
                };
                self.emit(StatementKind::Evaluate(read), site.source);
                let result = self.allocate(site, allocator, Expr::Unknown, ty, None);
                return Some(Operand::Value(result));
            }
            _ => {}
        }
        let bytes = match (name, &values[..]) {
            ("calloc", [count, size]) => {
                fold::arithmetic(Arithmetic::Multiply, count.clone(), size.clone())
            }
            ("aligned_alloc" | "memalign" | "mmap", [_, bytes, ..]) => bytes.clone(),
            (_, [bytes, ..]) => bytes.clone(),
            (_, []) => Expr::Unknown,
        };
        Some(Operand::Value(self.allocate(site, allocator, bytes, ty, None)))
    }

    /// Values of several expressions, each as it was when it was evaluated.
    pub(crate) fn values(&mut self, cursors: &[Cursor<'tu>]) -> Vec<Expr> {
        let mut lowered = Vec::new();
        for cursor in cursors {
            let ty = self.ty(cursor.ty());
            let value = self.value(*cursor);
            let source = self.source_of(*cursor);
            let mark = self.mark();
            lowered.push((Argument { value, ty, source }, mark));
        }
        self.settled(lowered).into_iter().map(|a| a.value).collect()
    }

    pub(crate) fn emit_site(&mut self, kind: StatementKind, site: &Site<'tu>) {
        self.emit_call(kind, site.source, site.syntax.clone());
    }

    fn allocate(
        &mut self,
        site: &Site<'tu>,
        allocator: HostAllocator,
        bytes: Expr,
        ty: TypeId,
        element: Option<TypeId>,
    ) -> Expr {
        let temporary = self.temporary(ty);
        let result = Place::variable(temporary);
        let allocation = HostAllocation { allocator, bytes, result, element };
        self.emit_site(StatementKind::HostAllocate(allocation), site);
        Expr::variable(temporary, ty)
    }

    fn release(&mut self, site: &Site<'tu>, deallocator: HostDeallocator, pointer: Expr) {
        let release = HostRelease { deallocator, pointer };
        self.emit_site(StatementKind::HostRelease(release), site);
    }

    /// `new T`, `new T[n]`, placement `new`. libclang does not tell them apart: the text does.
    pub(super) fn new_expression(&mut self, cursor: Cursor<'tu>) -> Expr {
        let Some(form) = self.new_form(cursor) else {
            return self.opaque("a `new` of unknown shape", cursor);
        };
        let Some(element) = cursor.ty().canonical().pointee() else {
            return self.opaque("a `new` of unknown type", cursor);
        };
        let operands: Vec<Cursor<'tu>> =
            Self::operands(cursor).into_iter().filter(|c| c.is_expression()).collect();
        let pointer_type = self.ty(cursor.ty());
        let element_id = self.ty(element);
        let site = self.site(cursor, Some(cursor.extent().0), &operands);
        if form.placement {
            return self.placement_new(cursor, &form, &operands, element);
        }
        if self.class_allocates(element) {
            return self.opaque("`operator new` of a class", cursor);
        }
        if !form.array {
            let bytes = element.size().map_or(Expr::Unknown, |b| Expr::Integer(b.into()));
            let allocator = HostAllocator::NewObject;
            let result = self.allocate(&site, allocator, bytes, pointer_type, Some(element_id));
            if let Some(&value) = operands.last() {
                let place = Place::deref(result.clone());
                self.initialize(&place, element, Some(value));
            }
            return result;
        }
        let Some((&count, rest)) = operands.split_first() else {
            return self.opaque("a `new` of unknown shape", cursor);
        };
        let count = self.value(count);
        let initializer = rest.last().copied();
        let allocator = self.array_allocator(element, initializer, form.zeroed);
        let bytes = match element.size() {
            Some(size) => fold::arithmetic(Arithmetic::Multiply, count, Expr::Integer(size.into())),
            None => Expr::Unknown,
        };
        let result = self.allocate(&site, allocator, bytes, pointer_type, Some(element_id));
        if allocator == HostAllocator::NewArrayConstructed {
            self.construct_elements(&result, element, initializer);
        }
        result
    }

    fn array_allocator(
        &mut self,
        element: Type<'tu>,
        initializer: Option<Cursor<'tu>>,
        zeroed: bool,
    ) -> HostAllocator {
        let scalar = innermost_element(element);
        let record = self.session.record(scalar);
        let trivial = match (&record, scalar.shape()) {
            (Some(record), _) => record.is_trivial(),
            (None, TypeShape::Record) => false,
            (None, _) => true,
        };
        let braces =
            initializer.is_some_and(|i| i.kind() == Kind::InitListExpr && !i.children().is_empty());
        if !trivial || braces {
            HostAllocator::NewArrayConstructed
        } else if zeroed {
            HostAllocator::NewArrayZeroed
        } else {
            HostAllocator::NewArray
        }
    }

    fn construct_elements(
        &mut self,
        array: &Expr,
        element: Type<'tu>,
        initializer: Option<Cursor<'tu>>,
    ) {
        let place = Place::deref(Expr::PointerAdd {
            pointer: Box::new(array.clone()),
            elements: Box::new(Expr::Unknown),
            element_bytes: element.size(),
        });
        match initializer {
            Some(list) if list.kind() == Kind::InitListExpr => {
                for (index, value) in list.children().iter().enumerate() {
                    let place = Place::deref(Expr::PointerAdd {
                        pointer: Box::new(array.clone()),
                        elements: Box::new(Expr::Integer(index as i128)),
                        element_bytes: element.size(),
                    });
                    self.initialize(&place, element, Some(*value));
                }
            }
            Some(value) => {
                let element = innermost_element(element);
                self.repeat_any(|body| body.construct_element(&place, element, value));
            }
            None => self.emit_opaque("constructors of an array"),
        }
    }

    /// `new (p) T`.
    fn placement_new(
        &mut self,
        cursor: Cursor<'tu>,
        form: &NewForm,
        operands: &[Cursor<'tu>],
        element: Type<'tu>,
    ) -> Expr {
        let Some((&at, rest)) = operands.split_first() else {
            return self.opaque("a `new` of unknown shape", cursor);
        };
        if form.array || at.ty().shape() != TypeShape::Pointer {
            return self.opaque("a placement `new`", cursor);
        }
        let pointer = self.value(at);
        let void = self.ty(at.ty());
        let pointer = self.spill(pointer, void);
        if let Some(&value) = rest.last() {
            self.initialize(&Place::deref(pointer.clone()), element, Some(value));
        }
        pointer
    }

    /// Whether a class of the program has an `operator new` of its own.
    fn class_allocates(&mut self, ty: Type<'tu>) -> bool {
        let Some(record) = self.session.record(innermost_element(ty)) else { return false };
        if record.system {
            return false;
        }
        let members = record
            .ty
            .methods()
            .unwrap_or_else(|| record.declaration.children().iter().copied().collect());
        members
            .iter()
            .any(|m| m.kind() == Kind::CXXMethod && m.spelling().starts_with("operator new"))
    }

    /// `delete p`, `delete[] p`.
    pub(super) fn delete_expression(&mut self, cursor: Cursor<'tu>) -> Expr {
        let Some(&operand) = Self::operands(cursor).last() else {
            return self.opaque("a `delete` of unknown shape", cursor);
        };
        let Some(array) = self.delete_is_array(cursor) else {
            return self.opaque("a `delete` of unknown shape", cursor);
        };
        let site = self.site(cursor, Some(cursor.extent().0), &[operand]);
        let ty = self.ty(operand.ty());
        let mut pointer = self.value(operand);
        let element = operand.ty().canonical().pointee();
        if let Some(element) = element.filter(|e| self.needs_destruction(*e)) {
            if self.class_allocates(element) {
                return self.opaque("`operator delete` of a class", cursor);
            }
            pointer = self.spill(pointer, ty);
            self.destroy_pointee(&pointer, element, array);
        }
        let deallocator =
            if array { HostDeallocator::DeleteArray } else { HostDeallocator::Delete };
        self.release(&site, deallocator, pointer);
        Expr::Computed(Vec::new())
    }

    /// Runs the destructors before `delete`, unless the pointer is null.
    fn destroy_pointee(&mut self, pointer: &Expr, element: Type<'tu>, array: bool) {
        let (run, after) = (self.new_block(), self.new_block());
        let condition = Expr::Compare {
            op: echo_dataflow::program::Comparison::NotEqual,
            left: Box::new(pointer.clone()),
            right: Box::new(Expr::Null),
        };
        self.terminate(echo_dataflow::program::Terminator::Branch {
            condition,
            then: run,
            otherwise: after,
        });
        self.switch_to(run);
        let record = self.session.record(element);
        let is_virtual = record.is_some_and(|r| match r.member(Special::Destructor) {
            Member::User(cursor) => cursor.is_virtual(),
            Member::Implicit => r.is_polymorphic(),
            Member::Trivial | Member::System | Member::Unknown => false,
        });
        if is_virtual {
            let void = self.session.void_type();
            let ty = self.session.pointer_to(void);
            let this = Argument { value: pointer.clone(), ty, source: self.source };
            let call = echo_dataflow::program::Call {
                callee: Callee::Indirect(Expr::Unknown),
                arguments: vec![this],
                result: None,
                returns: void,
            };
            self.emit(StatementKind::Call(call), None);
        } else if array {
            let place = Place::deref(Expr::PointerAdd {
                pointer: Box::new(pointer.clone()),
                elements: Box::new(Expr::Unknown),
                element_bytes: element.size(),
            });
            self.repeat_any(|body| body.destroy(&place, element));
        } else {
            self.destroy(&Place::deref(pointer.clone()), element);
        }
        self.fall_into(after);
    }

    fn delete_is_array(&mut self, cursor: Cursor<'tu>) -> Option<bool> {
        let at = cursor.extent().0.spelling();
        let text = at.file?.contents(self.session.unit);
        let mut pieces = lexer::pieces(text, at.offset as usize);
        let mut piece = pieces.next()?;
        while text[piece.start] == b':' {
            piece = pieces.next()?;
        }
        if &text[piece.start..piece.end] != b"delete" {
            return None;
        }
        Some(text[pieces.next()?.start] == b'[')
    }

    /// Reads the form of a `new` expression from its text.
    fn new_form(&mut self, cursor: Cursor<'tu>) -> Option<NewForm> {
        let (start, end) = cursor.extent();
        let (at, end) = (start.spelling(), end.spelling());
        let text = at.file?.contents(self.session.unit);
        let end = match end.key()?.0 == at.key()?.0 && end.offset > at.offset {
            true => end.offset as usize,
            false => text.len(),
        };
        let mut piece = lexer::next(text, at.offset as usize)?;
        while text[piece.start] == b':' {
            piece = lexer::next(text, piece.end)?;
        }
        if &text[piece.start..piece.end] != b"new" {
            return None;
        }
        let mut form = NewForm::default();
        let mut position = piece.end;
        let first = lexer::next(text, position)?;
        if text[first.start] == b'(' {
            let closes = lexer::closing(text, first.start)?;
            // `new (T)` has nothing after it but an initialiser; `new (p) T` has a type.
            let next = lexer::next(text, closes);
            form.placement = next.is_some_and(|n| {
                n.start < end
                    && (text[n.start].is_ascii_alphabetic()
                        || matches!(text[n.start], b'_' | b':' | b'('))
            });
            if form.placement {
                position = closes;
            } else {
                let inside = &text[first.start..closes];
                form.array = inside.contains(&b'[');
                return Some(form);
            }
        }
        // The type, its bounds, and an initialiser. Template arguments may hold brackets.
        let mut angle = 0_u32;
        while let Some(piece) = lexer::next(text, position) {
            if piece.start >= end {
                break;
            }
            match text[piece.start] {
                b'<' => angle += 1,
                b'>' => angle = angle.saturating_sub(1),
                b'[' if angle == 0 => {
                    form.array = true;
                    position = lexer::closing(text, piece.start)?;
                    continue;
                }
                b'(' | b'{' if angle == 0 => {
                    form.zeroed = true;
                    break;
                }
                _ => {}
            }
            position = piece.end;
        }
        // `using A = T[3]; new A` gives a pointer to the element: an array without brackets.
        Some(form)
    }

    /// Whether a type holds no code and no pointers.
    pub(crate) fn is_plain(&self, ty: TypeId) -> bool {
        matches!(
            self.session.program.types[ty.index()].kind,
            TypeKind::Integer { .. } | TypeKind::Float | TypeKind::Pointer { .. }
        )
    }
}

#[derive(Debug, Clone, Copy, Default)]
struct NewForm {
    placement: bool,
    array: bool,
    /// `()` or `{}` follows the type.
    zeroed: bool,
}

/// A pointer without the casts around it.
pub(crate) fn strip_casts(value: Expr) -> Expr {
    match value {
        Expr::Cast { value, .. } => strip_casts(*value),
        other => other,
    }
}

/// `&place` for the place a pointer argument names.
pub(crate) fn target_of(value: Expr) -> Place {
    dereference(strip_casts(value))
}
