//! Calls of functions that the lowering knows itself.

use clang_sys as clang;
use echo_dataflow::program::{
    Arithmetic, Expr, HostAllocator, HostDeallocator, HostRelease, Place, SourceRef, StatementKind,
    Terminator, TypeKind,
};

use crate::clang::Cursor;

use super::body::Body;
use super::qualified_name;
use super::types::is_number;

impl Body<'_, '_> {
    /// Library calls that are plain values.
    pub(super) fn library_value(
        &mut self,
        cursor: Cursor,
        name: &str,
        system: bool,
        written: &[Cursor],
    ) -> Option<Expr> {
        if !system {
            return None;
        }
        match (name, written) {
            ("std::min" | "std::max" | "min" | "max", [a, b]) if is_number(a.ty()) => {
                let a = self.scalar(*a);
                let b = self.scalar(*b);
                Some(Expr::Computed(vec![a, b]))
            }
            ("std::clamp", [a, low, high]) if super::types::is_number(a.ty()) => {
                let values = [*a, *low, *high].map(|value| self.scalar(value));
                Some(Expr::Computed(values.into()))
            }
            ("std::swap", [a, b]) => {
                let ty = self.unit_type(a.ty());
                let source = self.unit.source(cursor);
                match self.unit.program.ty(ty).kind {
                    TypeKind::Integer { .. } | TypeKind::Float | TypeKind::Pointer { .. } => {}
                    TypeKind::Void
                    | TypeKind::Record { .. }
                    | TypeKind::Array { .. }
                    | TypeKind::Function
                    | TypeKind::Unknown => return None,
                }
                let left = self.place(*a);
                let left = self.stable(left, source);
                let right = self.place(*b);
                let right = self.stable(right, source);
                let load = |place: &Place| Expr::Load { place: Box::new(place.clone()), ty };
                let old = self.keep(ty, load(&left), source);
                let other = load(&right);
                self.assign(left, ty, other, source);
                self.assign(right, ty, old, source);
                Some(Expr::Computed(Vec::new()))
            }
            ("std::addressof" | "std::__addressof", [a]) => {
                Some(Expr::AddressOf(Box::new(self.place(*a))))
            }
            _ => None,
        }
    }

    /// `std::min(a, b)`, `std::max(a, b)` or `std::clamp(a, b, c)` of numbers as a place: that of one of them.
    pub(super) fn chosen_place(&mut self, cursor: Cursor) -> Option<Place> {
        let target = cursor.referenced()?;
        let arguments = cursor.arguments();
        if !target.in_system_header()
            || !is_choice(&qualified_name(target), arguments.len())
            || !arguments.iter().all(|argument| super::types::is_number(argument.ty()))
        {
            return None;
        }
        let source = self.unit.source(cursor);
        let to = self.unit_type(cursor.ty());
        let pointer = self.unit.pointer_to(to);
        let temporary = self.unit.temporary(pointer);
        let mut places = Vec::new();
        for argument in arguments {
            let place = self.place(argument);
            let place = self.stable(place, source);
            let value = Expr::Load { place: Box::new(place.clone()), ty: to };
            self.push(StatementKind::Evaluate(value), source, None);
            places.push(place);
        }
        let end = self.new_block();
        let blocks: Vec<_> = places.iter().map(|_| self.new_block()).collect();
        self.terminate(Terminator::Switch { value: Expr::Unknown, targets: blocks.clone() });
        for (block, place) in blocks.into_iter().zip(places) {
            self.switch_to(block);
            let address = Expr::AddressOf(Box::new(place));
            self.assign(Place::variable(temporary), pointer, address, source);
            self.goto(end);
        }
        self.switch_to(end);
        Some(Place::deref(Expr::variable(temporary, pointer)))
    }

    /// The value of `std::max(a, b)` of numbers, where no reference to one of them is kept.
    pub(super) fn number_of_library(&mut self, cursor: Cursor) -> Option<Expr> {
        let target = cursor.referenced().filter(|t| t.in_system_header())?;
        let name = qualified_name(target);
        let written = cursor.arguments();
        (super::library_call::is_choice(&name, written.len())
            && written.iter().all(|a| super::types::is_number(a.ty())))
        .then(|| self.library_value(cursor, &name, true, &written))
        .flatten()
    }

    /// `std::move(x)`, `std::forward<T>(x)`: the place of `x`.
    pub(super) fn identity_call(&mut self, cursor: Cursor) -> Option<Place> {
        let target = cursor.referenced()?;
        let arguments = cursor.arguments();
        let [argument] = arguments.as_slice() else { return None };
        (target.in_system_header()
            && matches!(
                qualified_name(target).as_str(),
                "std::move" | "std::forward" | "std::as_const"
            ))
        .then(|| self.place(*argument))
    }

    /// `a = b` of a class whose implicit assignment copies its bytes: the place of `a`.
    pub(super) fn bitwise_assignment(&mut self, cursor: Cursor) -> Option<Place> {
        let target = cursor.referenced()?;
        let implicit = target.kind() == clang::CXCursor_CXXMethod
            && target.name() == "operator="
            && target.is_defaulted();
        let arguments = cursor.arguments();
        let [to, from] = arguments.as_slice() else { return None };
        if !implicit || !super::types::assigns_bytes(target.semantic_parent()?.ty(), 0) {
            return None;
        }
        Some(self.assignment(cursor, *to, *from))
    }

    /// The value of an argument that is passed by reference to a function that only reads it.
    pub(super) fn scalar(&mut self, cursor: Cursor) -> Expr {
        let place = self.place(cursor);
        self.load_place(place, cursor.ty())
    }

    /// Allocators, deallocators and CUDA calls.
    pub(super) fn builtin(
        &mut self,
        cursor: Cursor,
        target: Cursor,
        name: &str,
        written: &[Cursor],
        result: Option<&Place>,
        source: SourceRef,
    ) -> bool {
        let system = target.in_system_header();
        let own_allocator = self.unit.context.allocators.iter().any(|a| a == name);
        let own_free = self.unit.context.deallocators.iter().any(|d| d == name);
        let plain = name.strip_prefix("std::").unwrap_or(name);
        if own_allocator
            || (system
                && matches!(plain, "malloc" | "calloc" | "aligned_alloc" | "memalign" | "valloc"))
        {
            let allocator = match plain {
                "calloc" if !own_allocator => HostAllocator::Calloc,
                "aligned_alloc" | "memalign" | "valloc" if !own_allocator => HostAllocator::Other,
                _ => HostAllocator::Malloc,
            };
            let values: Vec<Expr> = written.iter().map(|a| self.rvalue(*a)).collect();
            let bytes = match (allocator, values.as_slice()) {
                (HostAllocator::Calloc, [a, b]) => Expr::Arithmetic {
                    op: Arithmetic::Multiply,
                    left: Box::new(a.clone()),
                    right: Box::new(b.clone()),
                },
                (_, [.., last]) => last.clone(),
                (_, []) => Expr::Unknown,
            };
            self.allocate(cursor, written, allocator, bytes, result, None, source);
            return true;
        }
        if system && plain == "realloc" && written.len() == 2 {
            let pointer = self.rvalue(written[0]);
            let bytes = self.rvalue(written[1]);
            let syntax = self.call_syntax(cursor, written, None);
            self.push(
                StatementKind::HostRelease(HostRelease {
                    deallocator: HostDeallocator::Realloc,
                    pointer,
                }),
                source,
                Some(syntax),
            );
            self.allocate(cursor, written, HostAllocator::Other, bytes, result, None, source);
            return true;
        }
        if system && plain == "posix_memalign" && written.len() == 3 {
            let bytes = self.rvalue(written[2]);
            let place = self.pointee_place(written[0]);
            self.allocate(cursor, written, HostAllocator::Other, bytes, Some(&place), None, source);
            if let Some(result) = result {
                let int = self.unit.int_type();
                self.assign(result.clone(), int, Expr::Unknown, source);
            }
            return true;
        }
        if own_free || (system && plain == "free") {
            let Some(pointer) = written.first() else { return false };
            let pointer = self.rvalue(*pointer);
            let syntax = self.call_syntax(cursor, written, None);
            self.push(
                StatementKind::HostRelease(HostRelease {
                    deallocator: HostDeallocator::Free,
                    pointer,
                }),
                source,
                Some(syntax),
            );
            return true;
        }
        self.cuda_call(cursor, target, name, written, result, source)
    }
}

/// A function of the library that returns a reference to one of its arguments.
pub(super) fn is_choice(name: &str, arguments: usize) -> bool {
    matches!((name, arguments), ("std::min" | "std::max", 2) | ("std::clamp", 3))
}
