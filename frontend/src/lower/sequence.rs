//! Operands whose order of evaluation C++ leaves open.
//!
//! Lowering takes them from left to right. Another order is another program where one of them uses the device and another
//! uses the same memory or relies on what the first waits for, so that is not understood. (Of two that only use the host,
//! neither lies between a copy and what the copy is compared with.)

use std::collections::HashSet;

use clang_sys as clang;

use crate::clang::{Cursor, CursorKey};

use super::body::Body;
use super::expr::is_integer;
use super::launch::is_launch_configuration;
use super::{Unit, is_function, qualified_name};

/// What code does with the device.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct DeviceUse {
    /// Something at all.
    uses: bool,
    /// It launches kernels, and so has work of its own to wait for.
    launches: bool,
    /// It waits for device work.
    waits: bool,
    /// It names variables that outlive it, or works on an object.
    shares: bool,
}

impl DeviceUse {
    /// Of code that is not known: it may wait for what others have launched.
    const ANY: Self = Self { uses: true, launches: false, waits: true, shares: true };

    fn join(&mut self, other: Self) {
        self.uses |= other.uses;
        self.launches |= other.launches;
        self.waits |= other.waits;
        self.shares |= other.shares;
    }
}

impl Body<'_, '_> {
    /// `operands` are evaluated in an order that is not given.
    pub(super) fn unsequenced(&mut self, operands: &[Cursor]) {
        let acting: Vec<Cursor> = operands
            .iter()
            .copied()
            .filter(|o| self.has_effects(*o) || self.dereferences(*o))
            .collect();
        if acting.len() < 2 {
            return;
        }
        let named: Vec<HashSet<CursorKey>> = acting.iter().map(|o| memory_named(*o)).collect();
        let uses: Vec<DeviceUse> = acting.iter().map(|o| self.unit.device_use(*o)).collect();
        for (index, operand) in acting.iter().enumerate() {
            let own = uses[index];
            let meets_another = named.iter().enumerate().any(|(other, names)| {
                other != index
                    && (!names.is_disjoint(&named[index]) || (own.shares && uses[other].shares))
            });
            if own.uses && (meets_another || !own.launches && own.waits) {
                self.opaque_statement(*operand, "operands whose order of evaluation is not given");
                return;
            }
        }
    }

    /// Whether evaluating it does more than read.
    pub(super) fn has_effects(&self, cursor: Cursor) -> bool {
        match cursor.kind() {
            clang::CXCursor_CallExpr
            | clang::CXCursor_CXXNewExpr
            | clang::CXCursor_CXXDeleteExpr
            | clang::CXCursor_CompoundAssignOperator
            | clang::CXCursor_CXXThrowExpr
            | clang::CXCursor_StmtExpr => true,
            clang::CXCursor_LambdaExpr => false,
            clang::CXCursor_UnaryExpr if cursor.evaluate_integer().is_some() => false,
            clang::CXCursor_UnexposedExpr
                if cursor.children().into_iter().filter(|c| c.is_expression()).count() > 1 =>
            {
                true
            }
            clang::CXCursor_BinaryOperator
                if cursor.binary_operator() == clang::CXBinaryOperator_Assign =>
            {
                true
            }
            clang::CXCursor_UnaryOperator
                if matches!(
                    cursor.unary_operator(),
                    clang::CXUnaryOperator_PreInc
                        | clang::CXUnaryOperator_PreDec
                        | clang::CXUnaryOperator_PostInc
                        | clang::CXUnaryOperator_PostDec
                ) =>
            {
                true
            }
            _ => cursor.children().into_iter().any(|c| self.has_effects(c)),
        }
    }

    pub(super) fn dereferences(&self, cursor: Cursor) -> bool {
        match cursor.kind() {
            clang::CXCursor_ArraySubscriptExpr => true,
            clang::CXCursor_UnaryOperator
                if cursor.unary_operator() == clang::CXUnaryOperator_Deref =>
            {
                true
            }
            _ => cursor.children().into_iter().any(|c| self.dereferences(c)),
        }
    }
}

impl Unit<'_> {
    /// What evaluating `cursor` does with the device.
    fn device_use(&mut self, cursor: Cursor) -> DeviceUse {
        let mut found = DeviceUse::default();
        if is_launch_configuration(cursor) {
            (found.uses, found.launches) = (true, true);
        }
        match cursor.kind() {
            clang::CXCursor_CallExpr => {
                let callee = cursor.children().first().map(|callee| callee.ty());
                match cursor.referenced().filter(|t| is_function(t.kind())) {
                    Some(target) if target.in_system_header() => {
                        found.join(use_of(&qualified_name(target)));
                    }
                    Some(target) if !cursor.is_dynamic_call() => {
                        found.join(self.use_in_function(target));
                    }
                    // What is not a function, and has no function's type, is made here.
                    None if callee.is_none_or(|ty| ty.returned().is_none()) => {}
                    Some(_) | None => found.join(DeviceUse::ANY),
                }
            }
            clang::CXCursor_CXXThisExpr => found.shares = true,
            clang::CXCursor_DeclRefExpr => {
                let outlives = cursor.referenced().is_some_and(|target| {
                    target.kind() == clang::CXCursor_VarDecl
                        && !target.in_system_header()
                        && !target.ty().is_const()
                        && !is_integer(target.ty())
                        && (target.storage_class() == clang::CX_SC_Static
                            || target.semantic_parent().is_none_or(|p| !is_function(p.kind())))
                });
                found.shares |= outlives;
            }
            _ => {}
        }
        for child in cursor.children() {
            let child = self.device_use(child);
            found.join(child);
        }
        found
    }

    fn use_in_function(&mut self, target: Cursor) -> DeviceUse {
        let key = target.canonical().key();
        if let Some(&known) = self.device_uses.get(&key) {
            return known;
        }
        // A function that calls itself adds nothing to what else it does.
        self.device_uses.insert(key, DeviceUse::default());
        let found = target.definition().map(|body| self.device_use(body)).unwrap_or_default();
        self.device_uses.insert(key, found);
        found
    }
}

/// What the function `name` of CUDA or its libraries does.
fn use_of(name: &str) -> DeviceUse {
    let Some(rest) = name.strip_prefix("cu") else { return DeviceUse::default() };
    let runtime = rest.starts_with("da") || rest.starts_with(|c: char| c.is_ascii_uppercase());
    let has = |parts: &[&str]| parts.iter().any(|part| name.contains(part));
    let waits = runtime && has(&["Memcpy", "Free", "Sync", "Query", "Wait", "Reset", "Destroy"]);
    let works = runtime && has(&["Memset", "Malloc", "Alloc", "Launch"]);
    // `curand_uniform` and its like run in kernels.
    let library =
        ["cublas", "cufft", "curand", "cusparse", "cusolver", "cudnn"].iter().any(|library| {
            let rest = name.strip_prefix(library);
            rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()))
        });
    DeviceUse { uses: waits || works || library, launches: false, waits, shares: false }
}

/// The variables in `cursor` through which memory is reached.
fn memory_named(cursor: Cursor) -> HashSet<CursorKey> {
    let mut found = HashSet::new();
    let mut work = vec![cursor];
    while let Some(at) = work.pop() {
        if at.kind() == clang::CXCursor_DeclRefExpr
            && let Some(target) = at.referenced()
            && matches!(target.kind(), clang::CXCursor_VarDecl | clang::CXCursor_ParmDecl)
            && !is_integer(target.ty())
        {
            found.insert(target.canonical().key());
        }
        work.extend(at.children());
    }
    found
}
