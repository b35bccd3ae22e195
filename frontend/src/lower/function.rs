//! Function bodies.

use std::rc::Rc;

use echo_dataflow::program::{
    Block, Expr, FunctionId, FunctionKind, Place, Storage, Terminator, Variable, VariableId,
};

use super::body::Body;
use super::callee::function_body;
use super::session::{Lambda, Session, Special, Work};
use crate::clang::{Cursor, Kind, Type};

/// A body that was lowered.
struct Lowered {
    parameters: Vec<VariableId>,
    blocks: Vec<Block>,
    fatal: Option<String>,
}

impl<'tu> Session<'tu> {
    pub(crate) fn lower_function(&mut self, id: FunctionId, work: Work<'tu>) {
        let lowered = match work {
            Work::Function(definition) => self.lower_definition(id, definition),
            Work::Lambda(lambda) => self.lower_lambda(id, &lambda),
            Work::Implicit(class, special) => self.lower_implicit(id, class, special),
        };
        let function = &mut self.program.functions[id.index()];
        function.parameters = lowered.parameters;
        function.opaque = lowered.fatal;
        function.blocks = if function.opaque.is_some() { Vec::new() } else { lowered.blocks };
    }

    fn lower_definition(&mut self, id: FunctionId, definition: Cursor<'tu>) -> Lowered {
        let function = &self.program.functions[id.index()];
        let (kind, source, whole) = (function.kind, function.source, function.definition);
        let reason = match definition.is_invalid() {
            true => Some("the declaration has errors".to_owned()),
            false => self.audit.instance_reason(&whole, definition),
        };
        if reason.is_some() {
            return Lowered { parameters: Vec::new(), blocks: Vec::new(), fatal: reason };
        }
        let method = matches!(
            definition.kind(),
            Kind::CXXMethod | Kind::Constructor | Kind::Destructor | Kind::ConversionFunction
        ) && !definition.is_static_method();
        let class = definition.semantic_parent().filter(|_| method);
        let mut parameters = Vec::new();
        let this = class.map(|class| self.this_parameter(class));
        parameters.extend(this);
        let mut bound = Vec::new();
        for child in definition.children() {
            if child.kind() == Kind::ParmDecl {
                let variable = self.variable(child, Some(whole));
                bound.push((variable, child.ty()));
                parameters.push(variable);
            }
        }
        let record = class.and_then(|c| self.record(c.ty()));
        let is_main = kind == FunctionKind::Main;
        let mut body = Body::new(self, source, definition.ty().result(), whole);
        body.this = this;
        body.this_class = class.map(Cursor::ty);
        body.is_main = is_main;
        body.device_only = matches!(kind, FunctionKind::Kernel | FunctionKind::Device);
        if is_main {
            body.initialize_globals();
        }
        for (variable, ty) in bound {
            body.destroy_later(Place::variable(variable), ty, false);
        }
        if let Some(record) = &record
            && definition.kind() == Kind::Constructor
        {
            body.member_initializers(definition, record);
        }
        if let Some(record) = &record
            && definition.kind() == Kind::Destructor
        {
            body.destroy_parts_later(record);
        }
        match function_body(definition) {
            Some(inner) => body.statement(inner, false),
            None => body.fail("a function without a body"),
        }
        body.close(parameters)
    }

    fn lower_lambda(&mut self, id: FunctionId, lambda: &Rc<Lambda<'tu>>) -> Lowered {
        let cursor = lambda.cursor;
        let function = &self.program.functions[id.index()];
        let (kind, source, whole) = (function.kind, function.source, function.definition);
        let reason = self.audit.instance_reason(&whole, cursor);
        if reason.is_some() {
            return Lowered { parameters: Vec::new(), blocks: Vec::new(), fatal: reason };
        }
        let method = self.call_operator(cursor);
        let mut parameters = vec![self.closure_parameter(cursor)];
        for child in cursor.children() {
            if child.kind() == Kind::ParmDecl {
                parameters.push(self.variable(child, Some(whole)));
            }
        }
        let returns = match method.or_else(|| (cursor.kind() == Kind::CXXMethod).then_some(cursor))
        {
            Some(method) => method.ty().result(),
            None => {
                return Lowered {
                    parameters,
                    blocks: Vec::new(),
                    fatal: Some("a lambda whose type cannot be told".to_owned()),
                };
            }
        };
        let returned = self.ty(returns);
        self.program.functions[id.index()].returns = returned;
        let mut body = Body::new(self, source, returns, whole);
        body.this = lambda.this;
        body.this_class = lambda.this_class;
        body.captures.clone_from(&lambda.captures);
        body.device_only = matches!(kind, FunctionKind::Kernel | FunctionKind::Device);
        match function_body(cursor) {
            Some(inner) => body.statement(inner, false),
            None => body.fail("a lambda without a body"),
        }
        body.close(parameters)
    }

    /// `operator()` of the closure class of a lambda expression.
    fn call_operator(&mut self, cursor: Cursor<'tu>) -> Option<Cursor<'tu>> {
        if cursor.kind() != Kind::LambdaExpr {
            return None;
        }
        let methods = cursor.ty().methods()?;
        methods.into_iter().find(|m| m.kind() == Kind::CXXMethod && m.spelling() == "operator()")
    }

    fn lower_implicit(&mut self, id: FunctionId, class: Cursor<'tu>, special: Special) -> Lowered {
        let function = &self.program.functions[id.index()];
        let (source, whole) = (function.source, function.definition);
        let this = self.this_parameter(class);
        let mut parameters = vec![this];
        let other = match special {
            Special::DefaultConstructor | Special::Destructor => None,
            Special::CopyConstructor
            | Special::MoveConstructor
            | Special::CopyAssignment
            | Special::MoveAssignment => Some(self.this_parameter(class)),
        };
        parameters.extend(other);
        let Some(record) = self.record(class.ty()) else {
            return Lowered {
                parameters,
                blocks: Vec::new(),
                fatal: Some("a class that is not complete".to_owned()),
            };
        };
        let returns = class.ty();
        let mut body = Body::new(self, source, returns, whole);
        body.this = Some(this);
        body.this_class = Some(class.ty());
        match (special, other) {
            (Special::DefaultConstructor, _) => body.member_initializers(class, &record),
            (Special::Destructor, _) => body.destroy_parts(&record),
            (_, Some(other)) => {
                let ty = body.session.program.variables[other.index()].ty;
                body.memberwise(&record, special, Expr::variable(other, ty));
            }
            (_, None) => body.fail("a special member of unknown shape"),
        }
        body.close(parameters)
    }

    fn this_parameter(&mut self, class: Cursor<'tu>) -> VariableId {
        let class = self.ty(class.ty());
        let ty = self.pointer_to(class);
        self.implicit_parameter("this", ty)
    }

    /// The closure object, which nothing in the body names.
    fn closure_parameter(&mut self, cursor: Cursor<'tu>) -> VariableId {
        let class: Type<'tu> = match cursor.kind() {
            Kind::LambdaExpr => cursor.ty(),
            _ => cursor.semantic_parent().map_or_else(|| cursor.ty(), Cursor::ty),
        };
        let class = self.ty(class);
        let ty = self.pointer_to(class);
        self.implicit_parameter("%closure", ty)
    }

    fn implicit_parameter(&mut self, name: &str, ty: echo_dataflow::program::TypeId) -> VariableId {
        let id = VariableId::new(self.program.variables.len());
        self.program.variables.push(Variable {
            name: name.to_owned(),
            usr: String::new(),
            ty,
            storage: Storage::Parameter,
            assignable: false,
            restrict: false,
            volatile: false,
            declaration: None,
        });
        id
    }
}

impl<'tu> Body<'_, 'tu> {
    /// Falls off the end, and gives what was built.
    fn close(mut self, parameters: Vec<VariableId>) -> Lowered {
        self.check_labels();
        if self.is_open() {
            let value = self.is_main.then_some(Expr::Integer(0));
            self.leave_scopes(0);
            if self.is_main {
                self.destroy_globals();
            }
            self.terminate(Terminator::Return(value));
        }
        let fatal = self.fatal.take();
        Lowered { parameters, blocks: self.finish(), fatal }
    }

    /// The parts of the object are destroyed wherever a destructor's body returns.
    fn destroy_parts_later(&mut self, record: &super::record::Record<'tu>) {
        if record.union {
            return;
        }
        let this = self.this_place();
        for base in record.bases.clone() {
            let part = self.base_part(&this, base.ty, base.offset);
            self.destroy_later(part, base.ty, false);
        }
        for field in record.fields.clone() {
            let ty = field.cursor.ty();
            if !ty.is_reference() {
                let part = self.field(this.clone(), record.ty, field.cursor);
                self.destroy_later(part, ty, false);
            }
        }
    }
}
