//! Expressions, by what they are wanted for: a value, a place, or their effects only.

use echo_dataflow::program::{Expr, Place, StatementKind};

use super::body::Body;
use super::destructor::address_of;
use crate::clang::{BinaryOperator, Cursor, Kind, UnaryOperator};

/// What an expression turned out to be.
#[derive(Debug, Clone)]
pub(crate) enum Operand {
    /// A value.
    Value(Expr),
    /// A storage location.
    Place(Place),
}

impl<'tu> Body<'_, 'tu> {
    /// The value of an expression; for a class, a load of the place that holds it.
    pub(crate) fn value(&mut self, cursor: Cursor<'tu>) -> Expr {
        self.extends = false;
        self.result_unused = false;
        let result = self.nested(|body| {
            let value = body.evaluate(cursor);
            let ty = body.ty(cursor.ty());
            body.shallow(value, ty)
        });
        result.unwrap_or(Expr::Unknown)
    }

    /// Evaluates for effects alone.
    pub(crate) fn effect(&mut self, cursor: Cursor<'tu>) {
        self.extends = false;
        self.result_unused = false;
        self.nested(|body| body.evaluate_effect(cursor));
    }

    fn evaluate_effect(&mut self, cursor: Cursor<'tu>) {
        match cursor.kind() {
            Kind::ParenExpr => match *cursor.children() {
                [child] => self.effect(child),
                _ => {
                    self.opaque("a parenthesis of unknown shape", cursor);
                }
            },
            Kind::BinaryOperator => match (cursor.binary_operator(), &cursor.children()[..]) {
                (BinaryOperator::Assign, &[target, value]) => {
                    self.assignment(cursor, target, value);
                }
                (BinaryOperator::Comma, &[left, right]) => {
                    self.effect(left);
                    self.effect(right);
                }
                _ => self.drop_value(cursor),
            },
            Kind::CompoundAssignOperator => {
                self.compound_assignment(cursor);
            }
            Kind::UnaryOperator => match cursor.unary_operator() {
                UnaryOperator::PostInc
                | UnaryOperator::PreInc
                | UnaryOperator::PostDec
                | UnaryOperator::PreDec => {
                    self.step(cursor);
                }
                _ => self.drop_value(cursor),
            },
            Kind::ConditionalOperator => self.conditional_effect(cursor),
            Kind::CallExpr => {
                self.result_unused = true;
                self.call(cursor, None, false);
                self.result_unused = false;
            }
            _ => self.drop_value(cursor),
        }
    }

    fn drop_value(&mut self, cursor: Cursor<'tu>) {
        let value = self.value(cursor);
        if self.has_reads(&value) {
            let source = self.session.spans.source(cursor);
            self.emit(StatementKind::Evaluate(value), source);
        }
    }

    /// The place an expression denotes; a value without one gets an object of its own.
    pub(crate) fn place(&mut self, cursor: Cursor<'tu>) -> Place {
        self.result_unused = false;
        let result = self.nested(|body| body.locate(cursor));
        result.unwrap_or_else(|| Place::deref(Expr::Unknown))
    }

    /// A new object that holds the value of `cursor`.
    pub(crate) fn materialize(&mut self, cursor: Cursor<'tu>, extended: bool) -> Place {
        let ty = cursor.ty();
        let id = self.ty(ty);
        let place = Place::variable(self.object(id));
        self.initialize(&place, ty, Some(cursor));
        self.destroy_later(place.clone(), ty, extended);
        place
    }

    /// The operand as a place.
    pub(crate) fn operand_place(&mut self, operand: Operand, cursor: Cursor<'tu>) -> Place {
        match operand {
            Operand::Place(place) => place,
            Operand::Value(value) => {
                let id = self.ty(cursor.ty());
                let place = Place::variable(self.object(id));
                self.assign(place.clone(), id, value, None);
                place
            }
        }
    }

    /// The operand as a value.
    pub(crate) fn operand_value(&mut self, operand: Operand, cursor: Cursor<'tu>) -> Expr {
        match operand {
            Operand::Value(value) => value,
            Operand::Place(place) => self.load(place, cursor),
        }
    }

    /// Reads a place that has the type of `cursor`; arrays decay.
    pub(crate) fn load(&mut self, place: Place, cursor: Cursor<'tu>) -> Expr {
        let ty = self.ty(cursor.ty());
        if matches!(
            self.session.program.types[ty.index()].kind,
            echo_dataflow::program::TypeKind::Array { .. }
        ) {
            return address_of(place);
        }
        Expr::Load { place: Box::new(place), ty }
    }

    /// Children of an expression without the names of types and scopes in it.
    pub(crate) fn operands(cursor: Cursor<'tu>) -> crate::clang::Children<'tu> {
        cursor
            .children()
            .into_iter()
            .filter(|c| {
                !matches!(
                    c.kind(),
                    Kind::TypeRef | Kind::TemplateRef | Kind::NamespaceRef | Kind::MemberRef
                )
            })
            .collect()
    }
}
