//! Values of expressions, by kind.

use echo_dataflow::program::{Expr, Place, TypeKind};

use super::body::Body;
use super::expression::Operand;
use crate::clang::{BinaryOperator, Cursor, Kind, TypeShape, UnaryOperator};

impl<'tu> Body<'_, 'tu> {
    pub(super) fn evaluate(&mut self, cursor: Cursor<'tu>) -> Expr {
        match cursor.kind() {
            Kind::IntegerLiteral | Kind::CharacterLiteral | Kind::CXXBoolLiteralExpr => {
                cursor.evaluate_integer().map_or(Expr::Computed(Vec::new()), Expr::Integer)
            }
            Kind::FloatingLiteral | Kind::ImaginaryLiteral => Expr::Computed(Vec::new()),
            Kind::StringLiteral => Expr::Literal,
            Kind::GNUNullExpr | Kind::CXXNullPtrLiteralExpr => Expr::Null,
            Kind::ParenExpr => match *cursor.children() {
                [child] => {
                    self.note_wrapper(cursor);
                    self.evaluate(child)
                }
                _ => self.opaque("a parenthesis of unknown shape", cursor),
            },
            Kind::UnexposedExpr => self.unexposed(cursor),
            Kind::DeclRefExpr => self.reference(cursor),
            Kind::MemberRefExpr => self.member(cursor),
            Kind::ArraySubscriptExpr => {
                let place = self.place(cursor);
                self.load(place, cursor)
            }
            Kind::CStyleCastExpr
            | Kind::CXXStaticCastExpr
            | Kind::CXXReinterpretCastExpr
            | Kind::CXXConstCastExpr
            | Kind::CXXFunctionalCastExpr
            | Kind::CXXAddrspaceCastExpr => self.explicit_cast(cursor),
            Kind::CXXDynamicCastExpr => {
                if let Some(operand) = Self::operands(cursor).first() {
                    let value = self.value(*operand);
                    let ty = self.ty(operand.ty());
                    self.spill(value, ty);
                }
                Expr::Unknown
            }
            // `sizeof`, `alignof`: not evaluated, but for variable-length arrays.
            Kind::UnaryExpr | Kind::SizeOfPackExpr => {
                cursor.evaluate_integer().map_or(Expr::Computed(Vec::new()), Expr::Integer)
            }
            Kind::UnaryOperator => self.unary(cursor),
            Kind::BinaryOperator => self.binary(cursor),
            Kind::CompoundAssignOperator => {
                let place = self.compound_assignment(cursor);
                self.load(place, cursor)
            }
            Kind::ConditionalOperator => {
                let operand = self.conditional_operator(cursor);
                self.operand_value(operand, cursor)
            }
            Kind::CallExpr => {
                let operand = self.call(cursor, None, false);
                self.operand_value(operand, cursor)
            }
            Kind::CXXNewExpr => self.new_expression(cursor),
            Kind::CXXDeleteExpr => self.delete_expression(cursor),
            Kind::CXXThisExpr => self.this_pointer(cursor),
            Kind::CXXThrowExpr => self.throw_expression(cursor),
            Kind::LambdaExpr => self.lambda(cursor),
            Kind::StmtExpr => self.statement_expression(cursor),
            Kind::InitListExpr | Kind::CXXParenListInitExpr => self.braced_value(cursor),
            Kind::CompoundLiteralExpr => {
                let place = self.place(cursor);
                self.load(place, cursor)
            }
            Kind::CXXTypeidExpr => Expr::Literal,
            Kind::BuiltinBitCastExpr => match *Self::operands(cursor) {
                [operand] => {
                    let value = self.value(operand);
                    Expr::Computed(vec![value])
                }
                _ => self.opaque("a bit cast of unknown shape", cursor),
            },
            Kind::OverloadedDeclRef => {
                self.fail("an unresolved overloaded name");
                Expr::Unknown
            }
            kind => {
                if cursor.is_dependent() {
                    self.fail("an expression that did not compile");
                }
                self.opaque(format!("an expression of unknown kind ({kind:?})"), cursor)
            }
        }
    }

    /// Implicit conversions, and expressions that libclang has no kind for.
    fn unexposed(&mut self, cursor: Cursor<'tu>) -> Expr {
        if cursor.is_dependent() {
            self.fail("an expression that did not compile");
            return Expr::Unknown;
        }
        let children = cursor.children();
        match *children {
            [child] if child.is_expression() => {
                self.note_wrapper(cursor);
                let value = self.converted(child, cursor.ty());
                if child.ty().shape() != cursor.ty().shape() && self.is_variadic_read(cursor, child)
                {
                    return Expr::Unknown;
                }
                value
            }
            _ => self.unexposed_leaf(cursor),
        }
    }

    /// `va_arg(list, T)`: the child is the list.
    fn is_variadic_read(&mut self, cursor: Cursor<'tu>, child: Cursor<'tu>) -> bool {
        child.ty().spelling().contains("va_list") && !cursor.ty().spelling().contains("va_list")
    }

    fn unexposed_leaf(&mut self, cursor: Cursor<'tu>) -> Expr {
        let id = self.ty(cursor.ty());
        if let Some(value) = cursor.evaluate_integer()
            && matches!(self.session.program.types[id.index()].kind, TypeKind::Integer { .. })
        {
            return Expr::Integer(value);
        }
        let operands = Self::operands(cursor);
        if operands.is_empty() {
            // `T()` of a scalar, or an omitted initialiser.
            return match self.session.program.types[id.index()].kind {
                TypeKind::Integer { .. } => Expr::Integer(0),
                TypeKind::Float => Expr::Computed(Vec::new()),
                TypeKind::Pointer { .. } => Expr::Null,
                TypeKind::Function => Expr::Null,
                TypeKind::Void
                | TypeKind::Record { .. }
                | TypeKind::Array { .. }
                | TypeKind::Unknown => self.opaque("an expression of unknown kind", cursor),
            };
        }
        self.opaque("an expression of unknown kind", cursor)
    }

    fn reference(&mut self, cursor: Cursor<'tu>) -> Expr {
        let Some(declared) = cursor.referenced() else {
            return self.substituted(cursor);
        };
        match declared.kind() {
            Kind::EnumConstantDecl => Expr::Integer(i128::from(declared.enumerator())),
            Kind::FunctionDecl | Kind::CXXMethod | Kind::ConversionFunction => {
                self.session.function_value(declared)
            }
            Kind::NonTypeTemplateParameter => self.substituted(cursor),
            _ => {
                if let Some(value) = self.session.constant(cursor, declared) {
                    return Expr::Integer(value);
                }
                if self.session.is_built_in_index(declared) {
                    return Expr::Computed(Vec::new());
                }
                let place = self.place(cursor);
                self.load(place, cursor)
            }
        }
    }

    /// The argument that stands for a template parameter.
    fn substituted(&mut self, cursor: Cursor<'tu>) -> Expr {
        match cursor.children().iter().find(|c| c.is_expression()) {
            Some(child) => self.value(*child),
            None if cursor.is_dependent() => {
                self.fail("an expression that did not compile");
                Expr::Unknown
            }
            None => match cursor.evaluate_integer() {
                Some(value) => Expr::Integer(value),
                None => self.opaque("a name that did not resolve", cursor),
            },
        }
    }

    fn member(&mut self, cursor: Cursor<'tu>) -> Expr {
        let Some(declared) = cursor.referenced() else {
            self.fail("a member that did not resolve");
            return Expr::Unknown;
        };
        match declared.kind() {
            Kind::EnumConstantDecl => Expr::Integer(i128::from(declared.enumerator())),
            Kind::CXXMethod | Kind::FunctionDecl | Kind::ConversionFunction => {
                self.session.function_value(declared)
            }
            Kind::VarDecl if self.session.constant(cursor, declared).is_some() => {
                self.session.constant(cursor, declared).map_or(Expr::Unknown, Expr::Integer)
            }
            _ => {
                let place = self.place(cursor);
                if self.session.is_built_in_place(&place) {
                    return Expr::Computed(Vec::new());
                }
                self.load(place, cursor)
            }
        }
    }

    fn this_pointer(&mut self, cursor: Cursor<'tu>) -> Expr {
        match self.this {
            Some(this) => {
                let ty = self.session.program.variables[this.index()].ty;
                Expr::variable(this, ty)
            }
            None => self.opaque("`this` outside a member function", cursor),
        }
    }

    fn unary(&mut self, cursor: Cursor<'tu>) -> Expr {
        let Some(operand) = cursor.children().iter().copied().find(|c| c.is_expression()) else {
            return self.opaque("an operator of unknown shape", cursor);
        };
        match cursor.unary_operator() {
            UnaryOperator::AddrOf => {
                if let Some(function) = self.designated_function(operand) {
                    return function;
                }
                let place = self.place(operand);
                super::destructor::address_of(place)
            }
            UnaryOperator::Deref => {
                if operand.ty().canonical().pointee().map(|p| p.shape())
                    == Some(TypeShape::Function)
                {
                    return self.value(operand);
                }
                let place = self.place(cursor);
                self.load(place, cursor)
            }
            UnaryOperator::Plus | UnaryOperator::Extension => self.value(operand),
            UnaryOperator::Minus => {
                let value = self.value(operand);
                let id = self.ty(cursor.ty());
                if matches!(self.session.program.types[id.index()].kind, TypeKind::Integer { .. }) {
                    super::fold::arithmetic(
                        echo_dataflow::program::Arithmetic::Subtract,
                        Expr::Integer(0),
                        value,
                    )
                } else {
                    Expr::Computed(vec![value])
                }
            }
            UnaryOperator::Not
            | UnaryOperator::LogicalNot
            | UnaryOperator::Real
            | UnaryOperator::Imag => {
                let value = self.value(operand);
                Expr::Computed(vec![value])
            }
            UnaryOperator::PostInc
            | UnaryOperator::PostDec
            | UnaryOperator::PreInc
            | UnaryOperator::PreDec => self.stepped_value(cursor),
            UnaryOperator::Coawait | UnaryOperator::Other(_) => {
                self.fail("an unknown operator");
                Expr::Unknown
            }
        }
    }

    /// A function named directly: `&f`.
    fn designated_function(&mut self, operand: Cursor<'tu>) -> Option<Expr> {
        if !matches!(operand.kind(), Kind::DeclRefExpr | Kind::ParenExpr) {
            return None;
        }
        if operand.kind() == Kind::ParenExpr {
            return self.designated_function(*operand.children().first()?);
        }
        let declared = operand.referenced()?;
        match declared.kind() {
            Kind::FunctionDecl => Some(self.session.function_value(declared)),
            Kind::CXXMethod => {
                // A pointer to member: whoever calls through it is an unknown call.
                self.session.function_value(declared);
                Some(Expr::Unknown)
            }
            Kind::FieldDecl => Some(Expr::Computed(Vec::new())),
            _ => None,
        }
    }

    /// `({ ...; value; })`
    fn statement_expression(&mut self, cursor: Cursor<'tu>) -> Expr {
        let Some(block) = cursor.children().first().copied() else {
            return self.opaque("a statement expression of unknown shape", cursor);
        };
        let id = self.ty(cursor.ty());
        let statements = block.children();
        let span = self.source_of(block).span;
        self.push_scope(span);
        let mut result = Expr::Computed(Vec::new());
        for (index, statement) in statements.iter().enumerate() {
            let last = index + 1 == statements.len();
            if last && statement.is_expression() && self.is_scalar(id) {
                let value = self.value(*statement);
                result = self.spill(value, id);
            } else {
                self.statement(*statement, false);
            }
        }
        self.pop_scope();
        if self.session.is_aggregate(id) {
            return self.opaque("a statement expression of class type", cursor);
        }
        result
    }

    /// `T{}` and `{x}` of a scalar; a class is built in an object.
    fn braced_value(&mut self, cursor: Cursor<'tu>) -> Expr {
        let id = self.ty(cursor.ty());
        if self.session.is_aggregate(id) {
            let place = self.place(cursor);
            return self.load(place, cursor);
        }
        match *Self::operands(cursor) {
            [] => self.zero(id),
            [value] => self.converted(value, cursor.ty()),
            _ => self.opaque("a braced initialiser of unknown shape", cursor),
        }
    }

    /// The zero of a scalar type.
    pub(crate) fn zero(&mut self, ty: echo_dataflow::program::TypeId) -> Expr {
        match self.session.program.types[ty.index()].kind {
            TypeKind::Integer { .. } => Expr::Integer(0),
            TypeKind::Pointer { .. } | TypeKind::Function => Expr::Null,
            TypeKind::Float => Expr::Computed(Vec::new()),
            TypeKind::Void
            | TypeKind::Record { .. }
            | TypeKind::Array { .. }
            | TypeKind::Unknown => Expr::Unknown,
        }
    }

    fn binary(&mut self, cursor: Cursor<'tu>) -> Expr {
        let [left, right] = *cursor.children() else {
            return self.opaque("an operator of unknown shape", cursor);
        };
        match cursor.binary_operator() {
            BinaryOperator::Assign => self.assigned_value(cursor, left, right),
            BinaryOperator::Comma => {
                self.effect(left);
                self.value(right)
            }
            BinaryOperator::LogicalAnd | BinaryOperator::LogicalOr => {
                self.logical(cursor, left, right)
            }
            BinaryOperator::PtrMemD | BinaryOperator::PtrMemI => {
                self.effect(left);
                self.effect(right);
                Expr::Unknown
            }
            op => self.arithmetic(cursor, op, left, right),
        }
    }

    /// An operand that turned out to be a value or a place, for callers that take either.
    pub(crate) fn operand(&mut self, cursor: Cursor<'tu>) -> Operand {
        let id = self.ty(cursor.ty());
        if self.session.is_aggregate(id) {
            Operand::Place(self.place(cursor))
        } else {
            Operand::Value(self.value(cursor))
        }
    }

    /// The whole object in `place`, as an argument or result by value.
    pub(crate) fn whole(&mut self, place: Place, ty: echo_dataflow::program::TypeId) -> Expr {
        Expr::Load { place: Box::new(place), ty }
    }
}
