//! Statements.

use clang_sys as clang;
use echo_dataflow::program::{BlockId, Expr, StatementKind, Storage, Terminator};

use crate::clang::Cursor;

use super::body::{Body, Breakable};
use super::scope::Handlers;

impl Body<'_, '_> {
    /// Lowers one statement (or an expression used as one).
    pub(super) fn statement(&mut self, cursor: Cursor) {
        self.deeper((), |body| body.statement_here(cursor));
    }

    fn statement_here(&mut self, cursor: Cursor) {
        match cursor.kind() {
            clang::CXCursor_CompoundStmt => self.compound(cursor),
            clang::CXCursor_DeclStmt => self.declarations(cursor),
            clang::CXCursor_IfStmt => self.if_statement(cursor),
            clang::CXCursor_ForStmt => self.for_statement(cursor),
            clang::CXCursor_WhileStmt => self.while_statement(cursor),
            clang::CXCursor_DoStmt => self.do_statement(cursor),
            clang::CXCursor_CXXForRangeStmt => self.range_for(cursor),
            clang::CXCursor_SwitchStmt => self.switch_statement(cursor),
            clang::CXCursor_CaseStmt | clang::CXCursor_DefaultStmt => self.case_statement(cursor),
            clang::CXCursor_BreakStmt => match self.breakables.last().copied() {
                Some(target) => {
                    self.leave_scopes(target.depth, cursor);
                    self.terminate_dead(Terminator::Goto(target.on_break));
                }
                None => self.give_up("a break outside a loop"),
            },
            clang::CXCursor_ContinueStmt => {
                match self.breakables.iter().rev().find(|b| b.on_continue.is_some()).copied() {
                    Some(Breakable { on_continue: Some(target), depth, .. }) => {
                        self.leave_scopes(depth, cursor);
                        self.terminate_dead(Terminator::Goto(target));
                    }
                    _ => self.give_up("a continue outside a loop"),
                }
            }
            clang::CXCursor_GotoStmt => self.goto_statement(cursor),
            clang::CXCursor_LabelStmt => self.label_statement(cursor),
            clang::CXCursor_ReturnStmt => self.return_statement(cursor),
            clang::CXCursor_NullStmt => {}
            clang::CXCursor_CXXTryStmt => self.try_statement(cursor),
            clang::CXCursor_AsmStmt | clang::CXCursor_MSAsmStmt => {
                self.opaque_statement(cursor, "inline assembly");
                let mut operands = cursor.children().into_iter();
                if operands.any(|operand| operand.kind() == clang::CXCursor_AddrLabelExpr) {
                    self.give_up("inline assembly that jumps");
                }
            }
            clang::CXCursor_IndirectGotoStmt => self.give_up("a computed goto"),
            clang::CXCursor_UnexposedStmt => {
                // Attributed statements (`[[likely]] x;`) wrap one statement; anything else is not exposed.
                let children = cursor.children();
                match children.as_slice() {
                    [only] if !matches!(only.kind(), clang::CXCursor_UnexposedStmt) => {
                        self.statement(*only)
                    }
                    _ => self.opaque_statement(cursor, "a statement that libclang does not expose"),
                }
            }
            _ if cursor.is_expression() => {
                self.begin_expression_statement(cursor);
                self.discard(cursor);
                self.end_site();
            }
            _ if cursor.is_declaration() => self.declaration(cursor),
            kind => {
                self.opaque_statement(cursor, &format!("an unsupported statement (kind {kind})"))
            }
        }
    }

    fn compound(&mut self, cursor: Cursor) {
        self.open_scope(Some(statement_key(cursor)));
        for child in cursor.children() {
            self.statement(child);
        }
        self.close_scope(cursor);
    }

    fn declarations(&mut self, cursor: Cursor) {
        let children = cursor.children();
        let count = children.iter().filter(|c| c.kind() == clang::CXCursor_VarDecl).count();
        self.begin_declaration(cursor, count);
        for child in children {
            self.declaration(child);
        }
        self.end_site();
    }

    fn declaration(&mut self, cursor: Cursor) {
        match cursor.kind() {
            clang::CXCursor_VarDecl => self.variable_declaration(cursor),
            clang::CXCursor_TypedefDecl | clang::CXCursor_TypeAliasDecl => {
                self.bounds(cursor, None)
            }
            clang::CXCursor_UsingDeclaration
            | clang::CXCursor_UsingDirective
            | clang::CXCursor_NamespaceAlias
            | clang::CXCursor_EnumDecl
            | clang::CXCursor_FunctionDecl
            | clang::CXCursor_StaticAssert
            | clang::CXCursor_StructDecl
            | clang::CXCursor_ClassDecl
            | clang::CXCursor_UnionDecl => {}
            _ => self.opaque_statement(cursor, "a declaration that libclang does not expose"),
        }
    }

    /// Declares a local and runs its initialiser.
    pub(super) fn variable_declaration(&mut self, cursor: Cursor) {
        if cursor.is_invalid_declaration() {
            self.give_up(&format!("the declaration of `{}` is in error", cursor.name()));
            return;
        }
        let variable = self.unit.variable(cursor);
        let source = self.unit.name_source(cursor);
        match self.unit.program.variable(variable).storage {
            Storage::Local => {
                self.push(StatementKind::Declare(variable), source, None);
                self.bounds(cursor, cursor.initializer());
                if let Some(initializer) = cursor.initializer() {
                    let made = super::expr::strip(initializer);
                    // Where it is not kept but passed on, a lambda of the device copies now.
                    if made.kind() == clang::CXCursor_LambdaExpr
                        && super::lambda::is_device_lambda(made)
                    {
                        self.check_copies(made);
                    }
                    self.initialize_variable(cursor, variable, initializer, source);
                }
                let ty = cursor.ty();
                let has_destructor =
                    !super::is_reference(ty) && !super::types::is_trivial(self.unit, ty);
                if has_destructor {
                    self.destroy_at_end(variable, ty);
                }
            }
            // A static is initialised once, on the first call, or before: its value is unknown each time.
            Storage::StaticLocal => {
                if self.destruction_runs_code(cursor.ty(), 0) {
                    self.give_up(&format!(
                        "its static object `{}` runs code when the program ends",
                        cursor.name()
                    ));
                }
                if let Some(initializer) = cursor.initializer()
                    && !is_constant(initializer)
                {
                    let skip = self.new_block();
                    let run = self.new_block();
                    self.terminate(Terminator::Switch {
                        value: Expr::Unknown,
                        targets: vec![run, skip],
                    });
                    self.switch_to(run);
                    if super::expr::strip(initializer).kind() == clang::CXCursor_LambdaExpr {
                        // Its copies are of the first call.
                        self.opaque_statement(cursor, "a lambda that later calls use");
                    }
                    self.initialize_variable(cursor, variable, initializer, source);
                    self.goto(skip);
                    self.switch_to(skip);
                }
            }
            Storage::Parameter
            | Storage::Temporary
            | Storage::Global
            | Storage::InternalGlobal
            | Storage::Device
            | Storage::Managed => {}
        }
    }

    /// Lowers a condition and branches; sub-conditions joined by `&&`, `||`, `!` branch by themselves.
    pub(super) fn branch(&mut self, cursor: Cursor, then: BlockId, otherwise: BlockId) {
        let inner = super::expr::strip(cursor);
        match inner.kind() {
            clang::CXCursor_BinaryOperator
                if inner.binary_operator() == clang::CXBinaryOperator_LAnd =>
            {
                if let [left, right] = inner.children().as_slice() {
                    let next = self.new_block();
                    self.branch(*left, next, otherwise);
                    self.switch_to(next);
                    self.branch(*right, then, otherwise);
                    return;
                }
            }
            clang::CXCursor_BinaryOperator
                if inner.binary_operator() == clang::CXBinaryOperator_LOr =>
            {
                if let [left, right] = inner.children().as_slice() {
                    let next = self.new_block();
                    self.branch(*left, then, next);
                    self.switch_to(next);
                    self.branch(*right, then, otherwise);
                    return;
                }
            }
            clang::CXCursor_UnaryOperator
                if inner.unary_operator() == clang::CXUnaryOperator_LNot =>
            {
                if let [operand] = inner.children().as_slice() {
                    self.branch(*operand, otherwise, then);
                    return;
                }
            }
            _ => {}
        }
        let condition = self.rvalue(cursor);
        match condition {
            Expr::Integer(0) => self.goto(otherwise),
            Expr::Integer(_) => self.goto(then),
            condition => {
                let source = self.unit.source(cursor);
                self.ends_at(source);
                self.terminate(Terminator::Branch { condition, then, otherwise });
            }
        }
    }

    fn if_statement(&mut self, cursor: Cursor) {
        let mut parts = cursor.children();
        self.open_scope(None);
        match self.starts_with_expression(cursor, &parts) {
            Some(true) => {
                let first = parts.remove(0);
                self.statement(first);
            }
            Some(false) => {}
            None => {
                self.opaque_statement(cursor, "an `if` whose header comes from a macro");
                self.scopes.pop();
                return;
            }
        }
        self.condition_declarations(&mut parts);
        if parts.is_empty() || parts.len() > 3 {
            self.opaque_statement(cursor, "an `if` of unknown form");
            self.scopes.pop();
            return;
        }
        let then = self.new_block();
        let end = self.new_block();
        let otherwise = if parts.len() == 3 { self.new_block() } else { end };
        self.branch(parts[0], then, otherwise);
        self.switch_to(then);
        if let Some(&part) = parts.get(1) {
            self.scoped(part);
        }
        self.goto(end);
        if let Some(&part) = parts.get(2) {
            self.switch_to(otherwise);
            self.scoped(part);
            self.goto(end);
        }
        self.switch_to(end);
        self.close_scope(cursor);
    }

    /// A statement in a scope of its own.
    pub(super) fn scoped(&mut self, cursor: Cursor) {
        self.open_scope(None);
        self.statement(cursor);
        self.close_scope(cursor);
    }

    /// `if (init; ...)` and `if (T x = ...)`: lowers the leading declarations.
    pub(super) fn condition_declarations(&mut self, parts: &mut Vec<Cursor>) {
        while let Some(&first) = parts.first() {
            match first.kind() {
                clang::CXCursor_DeclStmt => self.declarations(first),
                clang::CXCursor_VarDecl => {
                    self.variable_declaration(first);
                    // The variable itself is tested; libclang may or may not list that test.
                    let next_is_test = parts.get(1).is_some_and(|c| c.is_expression());
                    if !next_is_test {
                        return;
                    }
                }
                _ => return,
            }
            parts.remove(0);
        }
    }

    fn switch_statement(&mut self, cursor: Cursor) {
        let mut parts = cursor.children();
        self.open_scope(None);
        self.condition_declarations(&mut parts);
        let [selector, inner] = parts.as_slice() else {
            self.scopes.pop();
            self.opaque_statement(cursor, "a `switch` of unknown form");
            return;
        };
        let value = self.rvalue(*selector);
        let end = self.new_block();
        let mut cases = Vec::new();
        let has_default = collect_cases(*inner, &mut cases);
        let mut targets = Vec::new();
        for case in cases {
            let block = self.new_block();
            self.labels.insert(case, block);
            targets.push(block);
        }
        if !has_default || targets.is_empty() {
            targets.push(end);
        }
        let source = self.unit.source(*selector);
        self.ends_at(source);
        self.terminate_dead(Terminator::Switch { value, targets });
        self.breakables.push(Breakable {
            on_break: end,
            on_continue: None,
            depth: self.scopes.len(),
        });
        self.scoped(*inner);
        self.breakables.pop();
        self.goto(end);
        self.switch_to(end);
        self.close_scope(cursor);
    }

    fn case_statement(&mut self, cursor: Cursor) {
        match self.labels.get(&statement_key(cursor)).copied() {
            Some(block) => {
                self.placed.insert(statement_key(cursor));
                self.goto(block);
                self.switch_to(block);
            }
            None => self.give_up("a `case` outside its `switch`"),
        }
        // The last child is the labelled statement; the others are the values.
        if let Some(inner) = cursor.children().last() {
            self.statement(*inner);
        }
    }

    fn goto_statement(&mut self, cursor: Cursor) {
        let label = cursor.children().into_iter().find_map(|c| c.referenced());
        let Some(label) = label else {
            self.give_up("a computed goto");
            return;
        };
        if !self.leave_for_label(label, cursor) {
            self.give_up("a goto past the scope of an object with a destructor");
            return;
        }
        let block = self.label_block(label);
        self.terminate_dead(Terminator::Goto(block));
    }

    fn label_statement(&mut self, cursor: Cursor) {
        let block = self.label_block(cursor);
        self.placed.insert(statement_key(cursor));
        self.pass_label(cursor);
        self.goto(block);
        self.switch_to(block);
        for child in cursor.children() {
            self.statement(child);
        }
    }

    fn label_block(&mut self, label: Cursor) -> BlockId {
        let key = statement_key(label);
        if let Some(&block) = self.labels.get(&key) {
            return block;
        }
        let block = self.new_block();
        self.labels.insert(key, block);
        block
    }

    fn return_statement(&mut self, cursor: Cursor) {
        let value = cursor.children().first().copied();
        let reference = self.returns_reference;
        if let Some(value) = value {
            self.check_returned(value);
        }
        let value = value.map(|value| {
            if reference {
                Expr::AddressOf(Box::new(self.place(value)))
            } else {
                let source = self.unit.source(cursor);
                let value = self.rvalue(value);
                if self.leaves_nothing() {
                    value
                } else {
                    let ty = self.unit.program.function(self.function).returns;
                    self.keep(ty, value, source)
                }
            }
        });
        self.leave_scopes(0, cursor);
        let source = self.unit.source(cursor);
        self.ends_at(source);
        self.terminate_dead(Terminator::Return(value));
    }

    fn try_statement(&mut self, cursor: Cursor) {
        let children = cursor.children();
        let end = self.new_block();
        let catches: Vec<Cursor> =
            children.iter().copied().filter(|c| c.kind() == clang::CXCursor_CXXCatchStmt).collect();
        let blocks: Vec<BlockId> = catches.iter().map(|_| self.new_block()).collect();
        self.handlers.push(Handlers {
            blocks: blocks.clone(),
            depth: self.scopes.len(),
            all: catches
                .iter()
                .any(|catch| catch.children().iter().all(|c| c.kind() != clang::CXCursor_VarDecl)),
        });
        if let Some(inner) = children.iter().find(|c| c.kind() == clang::CXCursor_CompoundStmt) {
            let source = self.unit.source(*inner);
            self.may_throw(source);
            self.statement(*inner);
        }
        self.handlers.pop();
        self.goto(end);
        for (catch, block) in catches.into_iter().zip(blocks) {
            self.switch_to(block);
            for child in catch.children() {
                match child.kind() {
                    clang::CXCursor_VarDecl => {
                        let variable = self.unit.variable(child);
                        let source = self.unit.name_source(child);
                        self.push(StatementKind::Declare(variable), source, None);
                        let ty = self.unit.program.variable(variable).ty;
                        let place = echo_dataflow::program::Place::variable(variable);
                        self.assign(place, ty, Expr::Unknown, source);
                    }
                    _ => self.statement(child),
                }
            }
            self.goto(end);
        }
        self.switch_to(end);
    }
}

/// Identity of a statement: `CursorKey` is that of declarations, so statements go by their place.
pub(super) fn statement_key(cursor: Cursor) -> crate::clang::CursorKey {
    cursor.statement_key()
}

/// The `case` and `default` labels of a switch body, in order; whether there is a default.
fn collect_cases(at: Cursor, found: &mut Vec<crate::clang::CursorKey>) -> bool {
    let mut default = false;
    match at.kind() {
        clang::CXCursor_CaseStmt => found.push(statement_key(at)),
        clang::CXCursor_DefaultStmt => {
            found.push(statement_key(at));
            default = true;
        }
        clang::CXCursor_SwitchStmt => return false,
        _ => {}
    }
    if !at.is_expression() {
        for child in at.children() {
            default |= collect_cases(child, found);
        }
    }
    default
}

/// The value is the same each time, and computing it does nothing: it names no variable and calls nothing.
fn is_constant(cursor: Cursor) -> bool {
    match cursor.kind() {
        clang::CXCursor_DeclRefExpr => cursor.referenced().is_some_and(|named| {
            matches!(
                named.kind(),
                clang::CXCursor_EnumConstantDecl
                    | clang::CXCursor_FunctionDecl
                    | clang::CXCursor_NonTypeTemplateParameter
            )
        }),
        clang::CXCursor_IntegerLiteral
        | clang::CXCursor_FloatingLiteral
        | clang::CXCursor_CharacterLiteral
        | clang::CXCursor_StringLiteral
        | clang::CXCursor_CXXBoolLiteralExpr
        | clang::CXCursor_CXXNullPtrLiteralExpr
        | clang::CXCursor_GNUNullExpr
        | clang::CXCursor_UnaryExpr => true,
        clang::CXCursor_ParenExpr
        | clang::CXCursor_UnexposedExpr
        | clang::CXCursor_CStyleCastExpr
        | clang::CXCursor_CXXStaticCastExpr
        | clang::CXCursor_InitListExpr
        | clang::CXCursor_BinaryOperator => {
            let children = cursor.children();
            !children.is_empty()
                && children.into_iter().filter(|c| c.is_expression()).all(is_constant)
                && cursor.binary_operator() != clang::CXBinaryOperator_Assign
        }
        _ => false,
    }
}
