//! Integers of given widths: what a conversion keeps, and where unsigned arithmetic wraps.
//!
//! A size stands for its value as the program's 64-bit arithmetic sees it, so that operations of 64 bits need no care
//! (equal modulo 2^64 is equal). Signed arithmetic does not overflow, or the program has no meaning. What is left are
//! unsigned arithmetic of fewer bits and conversions to fewer bits or another sign: unless the value is known to fit,
//! it becomes a value of its own, equal only to the same value cut off in the same way.

use crate::event::Observation;
use crate::program::{Arithmetic, Expr, TypeId, TypeKind};

use super::machine::Machine;
use super::symbols::Width;
use super::value::Value;

impl Machine<'_> {
    /// `value` converted to type `to`.
    pub(crate) fn cast(&mut self, to: TypeId, value: &Expr) -> Value {
        let from_pointer = self.is_pointer(value);
        let result = self.eval(value);
        match &self.program.ty(to).kind {
            TypeKind::Integer { signed } => {
                let signed = *signed;
                if from_pointer {
                    if self.program.ty(to).bytes != Some(1) {
                        let pointer = result.pointer();
                        self.observe(&pointer, Observation::Converted);
                    }
                    return match self.program.ty(to).bytes {
                        Some(1) => Value::Any,
                        Some(_) | None => result,
                    };
                }
                let result = self.settled(value, result);
                let Some(size) = result.integer() else { return Value::Any };
                let bits = self.program.ty(to).bytes.unwrap_or(8) * 8;
                let target = Width { bits, signed };
                if let Some(constant) = size.as_constant() {
                    let (low, high) = (-(1i128 << (bits.min(64) - 1)), 1i128 << bits.min(64));
                    return if (low..high).contains(&constant) {
                        Value::Integer(size)
                    } else {
                        Value::Integer(self.symbols.cut_off(target, size))
                    };
                }
                // Of an operand of unknown type only what is narrower than `int` is cut off: nothing else was stored.
                let kept = match self.width_of(value) {
                    Some(from) => target.holds(from.range()),
                    None => bits >= 32,
                };
                match result {
                    result if kept || bits >= 64 => result,
                    Value::Integer(_)
                    | Value::Unknown(_)
                    | Value::Nothing
                    | Value::Pointer(_)
                    | Value::Function(_)
                    | Value::Any => {
                        let cut = self.symbols.cut_off(target, size);
                        // A lone symbol stays one: handles are told by it.
                        match (&result, result.integer()) {
                            (Value::Unknown(_), Some(same)) if same == cut => result,
                            _ => Value::Integer(cut),
                        }
                    }
                }
            }
            TypeKind::Pointer { .. } | TypeKind::Function | TypeKind::Unknown => result,
            TypeKind::Record { .. } | TypeKind::Array { .. } => result,
            TypeKind::Void | TypeKind::Float => Value::Any,
        }
    }

    /// `result`, the value of `expr`, cut off where `expr` is unsigned arithmetic of fewer than 64 bits.
    pub(crate) fn settled(&mut self, expr: &Expr, result: Value) -> Value {
        let Some(bits) = self.unsigned_arithmetic_bits(expr).filter(|&bits| bits < 64) else {
            return result;
        };
        match result.integer() {
            Some(size) if size.as_constant().is_none() => {
                Value::Integer(self.symbols.cut_off(Width { bits, signed: false }, size))
            }
            Some(_) | None => result,
        }
    }

    /// A number read as type `ty` has a value of that type.
    pub(crate) fn note_width(&mut self, ty: TypeId, value: &Value) {
        if let (TypeKind::Integer { signed }, Some(bytes @ 1..=4)) =
            (&self.program.ty(ty).kind, self.program.ty(ty).bytes)
            && let Value::Unknown(symbol) = value
        {
            self.symbols.note_width(*symbol, Width { bits: bytes * 8, signed: *signed });
        }
    }

    /// Whether `expr` is of an unsigned type of 64 bits.
    pub(crate) fn is_unsigned(&self, expr: &Expr) -> bool {
        self.width_of(expr).is_some_and(|width| !width.signed && width.bits >= 64)
    }

    fn width_of(&self, expr: &Expr) -> Option<Width> {
        let ty = self.program.ty(self.type_of(expr)?);
        let promoted = matches!(expr, Expr::Arithmetic { .. });
        match ty.kind {
            TypeKind::Integer { .. } if promoted && ty.bytes.is_some_and(|b| b < 4) => {
                Some(Width { bits: 32, signed: true })
            }
            TypeKind::Integer { signed } => ty.bytes.map(|b| Width { bits: b * 8, signed }),
            TypeKind::Void
            | TypeKind::Float
            | TypeKind::Pointer { .. }
            | TypeKind::Record { .. }
            | TypeKind::Array { .. }
            | TypeKind::Function
            | TypeKind::Unknown => None,
        }
    }

    /// The width of `expr` if it is unsigned arithmetic that may wrap.
    fn unsigned_arithmetic_bits(&self, expr: &Expr) -> Option<u64> {
        let Expr::Arithmetic { op, left, right } = expr else { return None };
        match op {
            Arithmetic::Add
            | Arithmetic::Subtract
            | Arithmetic::Multiply
            | Arithmetic::ShiftLeft => {}
            Arithmetic::Divide
            | Arithmetic::Remainder
            | Arithmetic::ShiftRight
            | Arithmetic::And
            | Arithmetic::Or
            | Arithmetic::Xor => return None,
        }
        // What is narrower than `int` is computed as `int`.
        let of = |e: &Expr| {
            self.width_of(e)
                .filter(|width| !width.signed && width.bits >= 32)
                .map(|width| width.bits)
        };
        of(left).or_else(|| of(right)).or_else(|| self.unsigned_arithmetic_bits(left))
    }
}
