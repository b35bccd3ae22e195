//! A program as text, for people who debug the front end and for golden tests.

use std::fmt::{self, Display, Formatter, Write};

use super::{
    Argument, Arithmetic, Callee, Comparison, Expr, Function, Place, PlaceBase, Program,
    Projection, SourceRef, Statement, StatementKind, Terminator, TypeId, VariableId,
};

impl Display for Program {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        for function in &self.functions {
            write_function(self, function, out)?;
        }
        Ok(())
    }
}

fn write_function(program: &Program, function: &Function, out: &mut Formatter<'_>) -> fmt::Result {
    let text = Text { program };
    let parameters: Vec<String> = function
        .parameters
        .iter()
        .map(|&v| format!("{}: {}", text.variable(v), text.ty(program.variable(v).ty)))
        .collect();
    write!(
        out,
        "{:?} {}({}) -> {}",
        function.kind,
        function.name,
        parameters.join(", "),
        text.ty(function.returns)
    )?;
    if let Some(why) = &function.opaque {
        return writeln!(out, "\n  opaque: {why}");
    }
    out.write_char('\n')?;
    for (index, block) in function.blocks.iter().enumerate() {
        writeln!(out, "  b{index}:")?;
        for statement in &block.statements {
            writeln!(out, "    {}{}", text.statement(statement), text.position(statement.source))?;
        }
        writeln!(out, "    {}", text.terminator(&block.terminator))?;
    }
    Ok(())
}

pub(super) struct Text<'a> {
    program: &'a Program,
}

impl Text<'_> {
    fn position(&self, source: SourceRef) -> String {
        match self.program.files.get(source.span.file.index()) {
            Some(file) => format!("  @{}", file.line_column(source.span.start).0),
            None => String::new(),
        }
    }

    fn variable(&self, variable: VariableId) -> String {
        let name = &self.program.variable(variable).name;
        if name.starts_with('%') { name.clone() } else { format!("{name}.{}", variable.0) }
    }

    fn ty(&self, ty: TypeId) -> &str {
        &self.program.ty(ty).spelling
    }

    pub(super) fn place(&self, place: &Place) -> String {
        let mut text = match &place.base {
            PlaceBase::Variable(variable) => self.variable(*variable),
            PlaceBase::Deref(pointer) => format!("*({})", self.expr(pointer)),
        };
        for step in &place.path {
            match step {
                Projection::Field { name, offset } => {
                    let offset = offset.map_or("?".to_owned(), |o| o.to_string());
                    let _ = write!(text, ".{name}@{offset}");
                }
                Projection::Index { index, .. } => {
                    let _ = write!(text, "[{}]", self.expr(index));
                }
            }
        }
        text
    }

    pub(super) fn expr(&self, expr: &Expr) -> String {
        match expr {
            Expr::Integer(value) => value.to_string(),
            Expr::Null => "null".to_owned(),
            Expr::Literal => "literal".to_owned(),
            Expr::Load { place, .. } => self.place(place),
            Expr::AddressOf(place) => format!("&{}", self.place(place)),
            Expr::Arithmetic { op, left, right } => {
                format!("({} {} {})", self.expr(left), arithmetic(*op), self.expr(right))
            }
            Expr::PointerAdd { pointer, elements, element_bytes } => {
                let bytes = element_bytes.map_or("?".to_owned(), |b| b.to_string());
                format!("({} + {} x {bytes})", self.expr(pointer), self.expr(elements))
            }
            Expr::PointerDifference { left, right } => {
                format!("({} -ptr {})", self.expr(left), self.expr(right))
            }
            Expr::Compare { op, left, right } => {
                format!("({} {} {})", self.expr(left), comparison(*op), self.expr(right))
            }
            Expr::Cast { to, value } => format!("({})({})", self.ty(*to), self.expr(value)),
            Expr::Function(id) => self.program.function(*id).name.clone(),
            Expr::Closure(ids) => {
                let names: Vec<&str> =
                    ids.iter().map(|id| self.program.function(*id).name.as_str()).collect();
                format!("closure[{}]", names.join(", "))
            }
            Expr::Computed(operands) => format!("computed({})", self.exprs(operands)),
            Expr::Unknown => "unknown".to_owned(),
        }
    }

    pub(super) fn exprs(&self, exprs: &[Expr]) -> String {
        exprs.iter().map(|e| self.expr(e)).collect::<Vec<_>>().join(", ")
    }

    fn arguments(&self, arguments: &[Argument]) -> String {
        arguments.iter().map(|a| self.expr(&a.value)).collect::<Vec<_>>().join(", ")
    }

    fn callee(&self, callee: &Callee) -> String {
        match callee {
            Callee::Function(id) => self.program.function(*id).name.clone(),
            Callee::External { name, system, callbacks, .. } => {
                let mut text = format!("{}{name}", if *system { "system " } else { "extern " });
                for id in callbacks {
                    let _ = write!(text, " back:{}", self.program.function(*id).name);
                }
                text
            }
            Callee::Indirect(value) => format!("indirect {}", self.expr(value)),
        }
    }

    fn result(&self, result: Option<&Place>) -> String {
        result.map_or_else(String::new, |place| format!("{} = ", self.place(place)))
    }

    fn statement(&self, statement: &Statement) -> String {
        match &statement.kind {
            StatementKind::Declare(variable) => format!(
                "declare {}: {}",
                self.variable(*variable),
                self.ty(self.program.variable(*variable).ty)
            ),
            StatementKind::Assign { place, value, .. } => {
                format!("{} = {}", self.place(place), self.expr(value))
            }
            StatementKind::CopyAggregate { to, from, ty } => {
                format!("{} = copy {} of {}", self.place(to), self.place(from), self.ty(*ty))
            }
            StatementKind::Evaluate(value) => format!("evaluate {}", self.expr(value)),
            StatementKind::HostAllocate(allocation) => format!(
                "{} = {:?} {}",
                self.place(&allocation.result),
                allocation.allocator,
                self.expr(&allocation.bytes)
            ),
            StatementKind::HostRelease(release) => {
                format!("{:?} {}", release.deallocator, self.expr(&release.pointer))
            }
            StatementKind::Cuda { name, result, operation } => {
                format!("{}{name} {}", self.result(result.as_ref()), self.operation(operation))
            }
            StatementKind::Launch(launch) => format!(
                "launch {}({}) stream {} configuration [{}]",
                self.callee(&launch.kernel),
                self.arguments(&launch.arguments),
                launch.stream.as_ref().map_or("default".to_owned(), |s| self.expr(s)),
                self.exprs(&launch.configuration)
            ),
            StatementKind::Call(call) => format!(
                "{}call {}({})",
                self.result(call.result.as_ref()),
                self.callee(&call.callee),
                self.arguments(&call.arguments)
            ),
            StatementKind::Opaque { why } => format!("opaque: {why}"),
        }
    }

    fn terminator(&self, terminator: &Terminator) -> String {
        match terminator {
            Terminator::Goto(block) => format!("goto b{}", block.0),
            Terminator::Branch { condition, then, otherwise } => {
                format!("if {} b{} else b{}", self.expr(condition), then.0, otherwise.0)
            }
            Terminator::Switch { value, targets } => {
                let targets: Vec<String> = targets.iter().map(|b| format!("b{}", b.0)).collect();
                format!("switch {} [{}]", self.expr(value), targets.join(", "))
            }
            Terminator::Return(Some(value)) => format!("return {}", self.expr(value)),
            Terminator::Return(None) => "return".to_owned(),
            Terminator::Exit => "exit".to_owned(),
            Terminator::Unreachable => "unreachable".to_owned(),
        }
    }
}

fn arithmetic(op: Arithmetic) -> &'static str {
    match op {
        Arithmetic::Add => "+",
        Arithmetic::Subtract => "-",
        Arithmetic::Multiply => "*",
        Arithmetic::Divide => "/",
        Arithmetic::Remainder => "%",
        Arithmetic::ShiftLeft => "<<",
        Arithmetic::ShiftRight => ">>",
        Arithmetic::And => "&",
        Arithmetic::Or => "|",
        Arithmetic::Xor => "^",
    }
}

fn comparison(op: Comparison) -> &'static str {
    match op {
        Comparison::Equal => "==",
        Comparison::NotEqual => "!=",
        Comparison::Less => "<",
        Comparison::LessEqual => "<=",
        Comparison::Greater => ">",
        Comparison::GreaterEqual => ">=",
    }
}
