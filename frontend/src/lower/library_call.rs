//! Calls of functions that the lowering knows itself.

use echo_dataflow::program::{
    Arithmetic, Expr, HostAllocator, HostDeallocator, HostRelease, Place, SourceRef, StatementKind,
    TypeKind,
};

use crate::clang::Cursor;

use super::body::Body;
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
