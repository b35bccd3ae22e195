//! `kernel<<<grid, block, shared, stream>>>(arguments)`.

use echo_dataflow::program::{Callee, Expr, Launch, StatementKind};

use super::body::Body;
use super::call::is_default;
use super::cuda_api::stream_of;
use crate::clang::{Children, Cursor, Kind, TypeShape};

/// The launch configuration: the second child of a call that is a launch.
pub(crate) fn configuration<'tu>(children: &Children<'tu>) -> Option<Cursor<'tu>> {
    children.get(1).copied().filter(|c| {
        c.kind() == Kind::CallExpr
            && matches!(c.spelling().as_str(), "cudaConfigureCall" | "__cudaPushCallConfiguration")
    })
}

impl<'tu> Body<'_, 'tu> {
    pub(super) fn launch(&mut self, cursor: Cursor<'tu>, configuration: Cursor<'tu>) {
        self.result_unused = false;
        let arguments = cursor.arguments();
        let children = cursor.children();
        let name_at = children.first().map(|c| super::call::innermost(*c).location());
        let site = self.site(cursor, name_at, &arguments);
        // Configuration first: the push call is made before the stub's arguments are passed.
        let parts = configuration.arguments();
        let mut operands = Vec::new();
        for (index, part) in parts.iter().enumerate() {
            if is_default(*part) {
                continue;
            }
            if part.ty().shape() == TypeShape::Record {
                self.dimension_operand(*part, &mut operands);
            } else if index == 3 {
                continue;
            } else {
                let value = self.value(*part);
                operands.push(value);
            }
        }
        let stream = match parts.get(3).filter(|p| !is_default(**p)) {
            Some(stream) => {
                let value = self.value(*stream);
                let ty = self.ty(stream.ty());
                let mark = self.mark();
                Some((value, ty, mark))
            }
            None => None,
        };
        let declared = cursor.referenced();
        let parameters = declared.map(|d| d.ty().parameters()).unwrap_or_default();
        let mut lowered = Vec::new();
        for (index, argument) in arguments.iter().enumerate() {
            let declared = declared.unwrap_or(cursor);
            let parameter = parameters.get(index).copied();
            let argument = self.argument(declared, index, *argument, parameter);
            let mark = self.mark();
            lowered.push((argument, mark));
        }
        let arguments = self.settled(lowered);
        let stream = stream.and_then(|(value, ty, mark)| {
            let value = self.settle(mark, value, ty);
            stream_of(Some(value))
        });
        let kernel = match declared
            .filter(|d| d.kind() == Kind::FunctionDecl || d.kind() == Kind::CXXMethod)
        {
            Some(declared) => self.session.callee(declared),
            None => match children.first() {
                Some(callee) => match self.value(*callee) {
                    Expr::Function(id) => Callee::Function(id),
                    other => Callee::Indirect(other),
                },
                None => Callee::Indirect(Expr::Unknown),
            },
        };
        let launch = Launch { kernel, arguments, stream, configuration: operands, extended: false };
        self.emit_site(StatementKind::Launch(launch), &site);
    }

    /// A grid or block dimension: the numbers a `dim3` is made from, or the `dim3` variable itself.
    fn dimension_operand(&mut self, part: Cursor<'tu>, operands: &mut Vec<Expr>) {
        let inner = super::call::innermost(part);
        if inner.kind() == Kind::CallExpr
            && let Some(constructor) = inner.referenced()
            && constructor.kind() == Kind::Constructor
            && !constructor.is_copy_constructor()
            && !constructor.is_move_constructor()
        {
            let written: Vec<Cursor<'tu>> =
                inner.arguments().into_iter().filter(|a| !is_default(*a)).collect();
            if written.iter().all(|w| w.ty().shape() != TypeShape::Record) {
                let values = self.values(&written);
                operands.extend(values);
                return;
            }
        }
        let place = self.place(part);
        let ty = self.ty(part.ty());
        let whole = self.whole(place, ty);
        operands.push(whole);
    }
}
