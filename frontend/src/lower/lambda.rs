//! Lambdas.

use std::collections::HashMap;
use std::rc::Rc;

use echo_dataflow::program::{
    Expr, Function, FunctionId, FunctionKind, Place, StatementKind, Storage, Variable, VariableId,
};

use super::body::Body;
use super::callee::function_body;
use super::lexer;
use super::session::{Lambda, Session, Work};
use crate::clang::{Cursor, CursorKey, Kind};

impl<'tu> Body<'_, 'tu> {
    /// A lambda expression: its body becomes a function; the value is a closure that may run it.
    pub(super) fn lambda(&mut self, cursor: Cursor<'tu>) -> Expr {
        let Some(body) = function_body(cursor) else {
            return self.opaque("a lambda without a body", cursor);
        };
        let captures = self.captures_of(cursor, body);
        let lambda =
            Rc::new(Lambda { cursor, this: self.this, this_class: self.this_class, captures });
        let class = cursor.ty().canonical().declaration();
        let id = self.session.new_lambda(cursor, body, lambda);
        if let Some(class) = class {
            let class = class.definition().unwrap_or(class);
            self.session.closures.insert(class.canonical().key(), id);
        }
        Expr::Closure(vec![id])
    }

    /// Variables captured by value that may change later are copied, and the body sees the copies; all others
    /// are seen themselves.
    fn captures_of(
        &mut self,
        cursor: Cursor<'tu>,
        body: Cursor<'tu>,
    ) -> HashMap<CursorKey, VariableId> {
        let mut captures = self.captures.clone();
        let (by_value, named_by_reference) = self.capture_mode(cursor);
        let children = cursor.children();
        let mut declared: Vec<Cursor<'tu>> = Vec::new();
        for child in children.iter().take_while(|c| c.key() != body.key()) {
            match child.kind() {
                // `[x = expression]`
                Kind::VarDecl => {
                    self.declare(*child, 1);
                }
                Kind::DeclRefExpr | Kind::VariableRef => declared.extend(child.referenced()),
                _ => {}
            }
        }
        body.walk(&mut |node: Cursor<'tu>| {
            if node.kind() == Kind::DeclRefExpr {
                declared.extend(node.referenced());
            }
            true
        });
        for variable in declared {
            let local = matches!(variable.kind(), Kind::VarDecl | Kind::ParmDecl)
                && !variable.has_global_storage();
            let key = variable.canonical().key();
            if !local || captures.contains_key(&key) {
                continue;
            }
            let name = variable.spelling();
            let copied = match by_value {
                CaptureMode::Value => !named_by_reference.contains(&name),
                CaptureMode::Named(ref names) => names.contains(&name),
            };
            // What the lambda itself declares is not captured.
            let Some(&original) = self.session.variables.get(&key) else { continue };
            if copied && !variable.ty().is_reference() && !self.settled_variable(variable) {
                let copy = self.copy_variable(original);
                captures.insert(key, copy);
            }
        }
        captures
    }

    /// Whether a variable keeps its value from its initialisation on: `const`.
    fn settled_variable(&self, variable: Cursor<'tu>) -> bool {
        variable.ty().canonical().is_const()
    }

    fn copy_variable(&mut self, original: VariableId) -> VariableId {
        let variable = self.session.program.variables[original.index()].clone();
        let ty = variable.ty;
        let copy = VariableId::new(self.session.program.variables.len());
        self.session.program.variables.push(Variable {
            storage: Storage::Local,
            assignable: false,
            ..variable
        });
        self.emit(StatementKind::Declare(copy), None);
        let from = Place::variable(original);
        let to = Place::variable(copy);
        if self.session.is_aggregate(ty) {
            self.emit(StatementKind::CopyAggregate { to, from, ty }, None);
        } else {
            self.assign(to, ty, Expr::Load { place: Box::new(from), ty }, None);
        }
        copy
    }

    /// Reads the capture list from the text.
    fn capture_mode(&mut self, cursor: Cursor<'tu>) -> (CaptureMode, Vec<String>) {
        let at = cursor.extent().0.spelling();
        let mut by_reference = Vec::new();
        let mut names = Vec::new();
        let mut all_by_value = false;
        if let Some(file) = at.file {
            let text = file.contents(self.session.unit);
            let start = at.offset as usize;
            let end = lexer::closing(text, start).unwrap_or(start);
            let mut reference = false;
            let mut depth = 0_u32;
            for piece in lexer::pieces(text, start).take_while(|p| p.end < end) {
                let bytes = &text[piece.start..piece.end];
                match bytes[0] {
                    b'[' | b'(' | b'{' => depth += 1,
                    b']' | b')' | b'}' => depth = depth.saturating_sub(1),
                    b',' => reference = false,
                    b'&' => reference = true,
                    b'=' if depth == 1 && names.is_empty() && by_reference.is_empty() => {
                        all_by_value = true;
                    }
                    b if (b.is_ascii_alphabetic() || b == b'_') && depth == 1 => {
                        let name = String::from_utf8_lossy(bytes).into_owned();
                        if reference { by_reference.push(name) } else { names.push(name) }
                    }
                    _ => {}
                }
            }
        } else {
            all_by_value = true;
        }
        if all_by_value {
            (CaptureMode::Value, by_reference)
        } else {
            (CaptureMode::Named(names), by_reference)
        }
    }
}

enum CaptureMode {
    /// `[=]`
    Value,
    /// `[a, b]` and `[&]`: these by value.
    Named(Vec<String>),
}

impl<'tu> Session<'tu> {
    fn new_lambda(
        &mut self,
        cursor: Cursor<'tu>,
        body: Cursor<'tu>,
        lambda: Rc<Lambda<'tu>>,
    ) -> FunctionId {
        let key = body.key();
        if let Some(&id) = self.functions.get(&key) {
            return id;
        }
        let source = self.source_or_main(cursor);
        let id = FunctionId::new(self.program.functions.len());
        let returns = self.void_type();
        let kind = lambda_kind(cursor);
        let generic = cursor
            .children()
            .iter()
            .any(|c| c.kind() == Kind::ParmDecl && c.ty().spelling().contains("auto"));
        self.program.functions.push(Function {
            usr: format!("lambda@{}:{}", source.span.file.0, source.span.start),
            name: "lambda".to_owned(),
            kind,
            parameters: Vec::new(),
            returns,
            internal_linkage: true,
            address_taken: true,
            variadic: false,
            blocks: Vec::new(),
            opaque: Some("a generic lambda".to_owned()),
            source,
            definition: source.span,
        });
        self.functions.insert(key, id);
        if generic {
            if let Some(class) = cursor.ty().canonical().declaration() {
                self.generic_lambdas.insert(class.canonical().key(), lambda);
            }
        } else {
            self.queue.push_back((id, Work::Lambda(lambda)));
        }
        id
    }

    /// The function for an instantiation of a generic lambda's `operator()`.
    pub(crate) fn generic_lambda(&mut self, definition: Cursor<'tu>) -> Option<FunctionId> {
        let class = definition.semantic_parent()?;
        let lambda = Rc::clone(self.generic_lambdas.get(&class.canonical().key())?);
        let id = self.new_function(definition);
        let instance = Lambda {
            cursor: definition,
            this: lambda.this,
            this_class: lambda.this_class,
            captures: lambda.captures.clone(),
        };
        self.queue.push_back((id, Work::Lambda(Rc::new(instance))));
        Some(id)
    }
}

fn lambda_kind(cursor: Cursor<'_>) -> FunctionKind {
    let (mut host, mut device) = (false, false);
    for child in cursor.children() {
        match child.kind() {
            Kind::CUDADeviceAttr => device = true,
            Kind::CUDAHostAttr => host = true,
            _ => {}
        }
    }
    if device && !host { FunctionKind::Device } else { FunctionKind::Host }
}
