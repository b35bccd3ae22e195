//! Constants, and arithmetic on them.

use echo_dataflow::program::{Arithmetic, Comparison, Expr, TypeId, TypeKind};

use super::session::Session;
use crate::clang::{BinaryOperator, Cursor, Kind, TypeShape, UnaryOperator};

impl<'tu> Session<'tu> {
    /// The value of a reference to a constant: an enumerator, or a `const` integer with a constant initialiser.
    pub(crate) fn constant(
        &mut self,
        reference: Cursor<'tu>,
        declared: Cursor<'tu>,
    ) -> Option<i128> {
        let ty = declared.ty();
        if declared.kind() == Kind::EnumConstantDecl {
            return Some(i128::from(declared.enumerator()));
        }
        let integral = matches!(
            ty.shape(),
            TypeShape::Bool | TypeShape::Signed | TypeShape::Unsigned | TypeShape::Enum
        );
        if declared.kind() != Kind::VarDecl || !integral || !ty.canonical().is_const() {
            return None;
        }
        let key = declared.canonical().key();
        if let Some(known) = self.constants.get(&key) {
            return *known;
        }
        // Of the reference, not of the declaration: the latter gives the initialiser also of variables that change.
        let value = reference.evaluate_integer();
        self.constants.insert(key, value);
        value
    }

    /// `value` converted to the integer type `to`, if both are constants.
    pub(crate) fn convert_constant(&self, value: i128, to: TypeId) -> Option<i128> {
        let ty = &self.program.types[to.index()];
        let TypeKind::Integer { signed } = ty.kind else { return None };
        let bits = ty.bytes.and_then(|b| u32::try_from(b * 8).ok()).filter(|b| *b < 128)?;
        let mask = (1_i128 << bits) - 1;
        let low = value & mask;
        Some(if signed && low >> (bits - 1) != 0 { low - (1_i128 << bits) } else { low })
    }
}

/// `left op right`, folded where both are constants and the result is defined.
pub(crate) fn arithmetic(op: Arithmetic, left: Expr, right: Expr) -> Expr {
    if let (Expr::Integer(a), Expr::Integer(b)) = (&left, &right) {
        let (a, b) = (*a, *b);
        let shift = u32::try_from(b).ok().filter(|s| *s < 64);
        let folded = match op {
            Arithmetic::Add => a.checked_add(b),
            Arithmetic::Subtract => a.checked_sub(b),
            Arithmetic::Multiply => a.checked_mul(b),
            Arithmetic::Divide => a.checked_div(b),
            Arithmetic::Remainder => a.checked_rem(b),
            Arithmetic::ShiftLeft => shift.and_then(|s| a.checked_mul(1_i128 << s)),
            Arithmetic::ShiftRight => shift.map(|s| a >> s),
            Arithmetic::And => Some(a & b),
            Arithmetic::Or => Some(a | b),
            Arithmetic::Xor => Some(a ^ b),
        };
        // Within 64 bits: wrapping is then a matter of the casts that follow.
        if let Some(value) = folded.filter(|v| v.unsigned_abs() <= u128::from(u64::MAX)) {
            return Expr::Integer(value);
        }
    }
    Expr::Arithmetic { op, left: Box::new(left), right: Box::new(right) }
}

/// The integer operator of a binary or compound assignment operator.
pub(crate) fn integer_operator(op: BinaryOperator) -> Option<Arithmetic> {
    Some(match op {
        BinaryOperator::Add | BinaryOperator::AddAssign => Arithmetic::Add,
        BinaryOperator::Sub | BinaryOperator::SubAssign => Arithmetic::Subtract,
        BinaryOperator::Mul | BinaryOperator::MulAssign => Arithmetic::Multiply,
        BinaryOperator::Div | BinaryOperator::DivAssign => Arithmetic::Divide,
        BinaryOperator::Rem | BinaryOperator::RemAssign => Arithmetic::Remainder,
        BinaryOperator::Shl | BinaryOperator::ShlAssign => Arithmetic::ShiftLeft,
        BinaryOperator::Shr | BinaryOperator::ShrAssign => Arithmetic::ShiftRight,
        BinaryOperator::And | BinaryOperator::AndAssign => Arithmetic::And,
        BinaryOperator::Or | BinaryOperator::OrAssign => Arithmetic::Or,
        BinaryOperator::Xor | BinaryOperator::XorAssign => Arithmetic::Xor,
        _ => return None,
    })
}

/// The comparison that a binary operator is.
pub(crate) fn comparison(op: BinaryOperator) -> Option<Comparison> {
    Some(match op {
        BinaryOperator::Equal => Comparison::Equal,
        BinaryOperator::NotEqual => Comparison::NotEqual,
        BinaryOperator::Less => Comparison::Less,
        BinaryOperator::LessEqual => Comparison::LessEqual,
        BinaryOperator::Greater => Comparison::Greater,
        BinaryOperator::GreaterEqual => Comparison::GreaterEqual,
        _ => return None,
    })
}

/// Whether evaluating `cursor` has no effect and reads only variables that are named in it: it may then be
/// evaluated even where the source would not.
pub(crate) fn is_pure(cursor: Cursor<'_>) -> bool {
    match cursor.kind() {
        Kind::IntegerLiteral
        | Kind::FloatingLiteral
        | Kind::CharacterLiteral
        | Kind::CXXBoolLiteralExpr
        | Kind::CXXNullPtrLiteralExpr
        | Kind::GNUNullExpr
        | Kind::UnaryExpr
        | Kind::StringLiteral => true,
        Kind::DeclRefExpr => !cursor.referenced().is_some_and(|d| d.ty().is_reference()),
        Kind::ParenExpr
        | Kind::UnexposedExpr
        | Kind::CStyleCastExpr
        | Kind::CXXStaticCastExpr
        | Kind::CXXFunctionalCastExpr => cursor
            .children()
            .iter()
            .all(|c| matches!(c.kind(), Kind::TypeRef | Kind::NamespaceRef) || is_pure(*c)),
        Kind::UnaryOperator => match cursor.unary_operator() {
            UnaryOperator::Plus
            | UnaryOperator::Minus
            | UnaryOperator::Not
            | UnaryOperator::LogicalNot => cursor.children().iter().all(|c| is_pure(*c)),
            _ => false,
        },
        Kind::BinaryOperator => {
            let op = cursor.binary_operator();
            let pure = match integer_operator(op) {
                // Division may trap.
                Some(Arithmetic::Divide | Arithmetic::Remainder) => false,
                Some(_) => true,
                None => {
                    comparison(op).is_some()
                        || matches!(op, BinaryOperator::LogicalAnd | BinaryOperator::LogicalOr)
                }
            };
            pure && cursor.children().iter().all(|c| is_pure(*c))
        }
        _ => false,
    }
}
