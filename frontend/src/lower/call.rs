//! Calls: arguments in order, defaults, results.

use echo_dataflow::program::{
    Argument, Call, CallSyntax, Callee, Expr, Place, SourceRef, StatementKind, Terminator, TypeId,
    TypeKind,
};

use super::body::{Body, Mark};
use super::destructor::address_of;
use super::expression::Operand;
use super::record::{Member, special_of};
use super::session::Special;
use super::spans::Ownership;
use crate::clang::{Cursor, Kind, Location, Type, TypeShape};

/// A call being lowered.
pub(crate) struct Site<'tu> {
    pub(crate) cursor: Cursor<'tu>,
    pub(crate) syntax: Option<CallSyntax>,
    pub(crate) source: Option<SourceRef>,
}

impl<'tu> Body<'_, 'tu> {
    /// Lowers a call; a class it returns is built in `into` (a fresh object without).
    pub(crate) fn call(
        &mut self,
        cursor: Cursor<'tu>,
        into: Option<&Place>,
        extended: bool,
    ) -> Operand {
        if cursor.is_dependent() {
            self.fail("an expression that did not compile");
            return Operand::Value(Expr::Unknown);
        }
        let children = cursor.children();
        if let Some(configuration) = super::launch::configuration(&children) {
            self.launch(cursor, configuration);
            return Operand::Value(Expr::Computed(Vec::new()));
        }
        let declared = cursor.referenced();
        if let Some(constructor) = declared.filter(|d| d.kind() == Kind::Constructor) {
            return Operand::Place(self.constructed(cursor, constructor, into, extended));
        }
        let arguments = cursor.arguments();
        let first = children.first().copied();
        let callee_child = first.filter(|f| arguments.first().is_none_or(|a| a.key() != f.key()));
        let name_at = callee_child.map_or_else(|| cursor.location(), |c| innermost(c).location());
        let site = self.site(cursor, Some(name_at), &arguments);
        let Some(declared) = declared.filter(|d| {
            matches!(
                d.kind(),
                Kind::FunctionDecl
                    | Kind::CXXMethod
                    | Kind::ConversionFunction
                    | Kind::Destructor
                    | Kind::FunctionTemplate
            )
        }) else {
            return self.indirect_call(site, callee_child, &arguments, into, extended);
        };
        if declared.kind() == Kind::FunctionTemplate {
            self.fail("a call of a template that was not instantiated");
            return Operand::Value(Expr::Unknown);
        }
        if self.session.own_function(declared).is_none()
            && !matches!(declared.kind(), Kind::Destructor)
            && let Some(operand) = self.library_call(&site, declared, &arguments)
        {
            return operand;
        }
        self.direct_call(site, declared, callee_child, &arguments, into, extended)
    }

    /// Allocation and CUDA functions, which have statements of their own.
    fn library_call(
        &mut self,
        site: &Site<'tu>,
        declared: Cursor<'tu>,
        arguments: &[Cursor<'tu>],
    ) -> Option<Operand> {
        let in_scope = declared.semantic_parent().is_some_and(|p| {
            matches!(p.kind(), Kind::StructDecl | Kind::ClassDecl | Kind::ClassTemplate)
        });
        if in_scope {
            return None;
        }
        let name = declared.spelling();
        if let Some(operand) = self.allocation_call(site, &name, arguments) {
            return Some(operand);
        }
        self.cuda_call(site, declared, &name, arguments)
    }

    pub(crate) fn site(
        &mut self,
        cursor: Cursor<'tu>,
        callee: Option<Location<'tu>>,
        arguments: &[Cursor<'tu>],
    ) -> Site<'tu> {
        let syntax = self.call_syntax(cursor, callee, arguments);
        let source = self.session.spans.source(cursor);
        Site { cursor, syntax, source }
    }

    fn direct_call(
        &mut self,
        site: Site<'tu>,
        declared: Cursor<'tu>,
        callee_child: Option<Cursor<'tu>>,
        arguments: &[Cursor<'tu>],
        into: Option<&Place>,
        extended: bool,
    ) -> Operand {
        let method = matches!(
            declared.kind(),
            Kind::CXXMethod | Kind::ConversionFunction | Kind::Destructor
        ) && !declared.is_static_method();
        let mut lowered: Vec<(Argument, Mark)> = Vec::new();
        let mut rest = arguments;
        let member_call = callee_child.map(innermost).filter(|c| c.kind() == Kind::MemberRefExpr);
        if method {
            let object = match member_call {
                Some(member) => self.object_pointer(member, declared),
                None => {
                    let Some((&object, others)) = rest.split_first() else {
                        return Operand::Value(
                            self.opaque("a member call without an object", site.cursor),
                        );
                    };
                    rest = others;
                    self.operator_object(object, declared)
                }
            };
            if let Some(operand) = self.trivial_member(&site, declared, &object, rest) {
                return operand;
            }
            let mark = self.mark();
            lowered.push((object, mark));
        } else if let Some(base) =
            member_call.and_then(|m| m.children().iter().copied().find(|c| c.is_expression()))
        {
            // A static member called through an object.
            self.effect(base);
        }
        let function_type = declared.ty();
        let parameters = function_type.parameters();
        for (index, argument) in rest.iter().enumerate() {
            let parameter = parameters.get(index).copied();
            let argument = self.argument(declared, index, *argument, parameter);
            let mark = self.mark();
            lowered.push((argument, mark));
        }
        let arguments = self.settled(lowered);
        let mut callee = self.session.callee(declared);
        if site.cursor.is_dynamic_call() {
            callee = Callee::Indirect(Expr::Unknown);
        } else if matches!(callee, Callee::External { .. }) {
            let types: Vec<Type<'tu>> = rest.iter().map(|a| a.ty()).collect();
            callee = self.session.with_callbacks(callee, declared, &arguments, &types);
        }
        let result = function_type.result();
        self.finish_call(
            site,
            callee,
            arguments,
            result,
            into,
            extended,
            function_type.is_noexcept(),
        )
    }

    fn indirect_call(
        &mut self,
        site: Site<'tu>,
        callee_child: Option<Cursor<'tu>>,
        arguments: &[Cursor<'tu>],
        into: Option<&Place>,
        extended: bool,
    ) -> Operand {
        let Some(callee_child) = callee_child else {
            return Operand::Value(self.opaque("a call of unknown shape", site.cursor));
        };
        let callee_type = callee_child.ty().canonical();
        let function_type = match callee_type.shape() {
            TypeShape::Pointer => callee_type.pointee().unwrap_or(callee_type),
            _ => callee_type,
        };
        if function_type.shape() != TypeShape::Function {
            // Pseudo-destructors of scalars, calls through pointers to members, what did not resolve.
            for argument in arguments {
                self.effect(*argument);
            }
            return match innermost(callee_child).kind() {
                Kind::OverloadedDeclRef => {
                    self.fail("a call of an unresolved name");
                    Operand::Value(Expr::Unknown)
                }
                _ => Operand::Value(self.opaque("a call of unknown kind", site.cursor)),
            };
        }
        let callee_id = self.ty(callee_child.ty());
        let callee = self.value(callee_child);
        let callee_mark = self.mark();
        let parameters = function_type.parameters();
        let mut lowered = Vec::new();
        for (index, argument) in arguments.iter().enumerate() {
            let argument =
                self.argument(callee_child, index, *argument, parameters.get(index).copied());
            let mark = self.mark();
            lowered.push((argument, mark));
        }
        let arguments = self.settled(lowered);
        let callee = match self.settle(callee_mark, callee, callee_id) {
            Expr::Function(id) => Callee::Function(id),
            other => Callee::Indirect(other),
        };
        let noexcept = function_type.is_noexcept();
        self.finish_call(site, callee, arguments, function_type.result(), into, extended, noexcept)
    }

    #[allow(clippy::too_many_arguments, reason = "the parts of one call")]
    fn finish_call(
        &mut self,
        site: Site<'tu>,
        callee: Callee,
        arguments: Vec<Argument>,
        result_type: Type<'tu>,
        into: Option<&Place>,
        extended: bool,
        noexcept: bool,
    ) -> Operand {
        let returns = self.ty(result_type);
        let used = !self.result_unused;
        let kind = self.session.program.types[returns.index()].kind.clone();
        let (result, operand) = match kind {
            TypeKind::Void => (None, Operand::Value(Expr::Computed(Vec::new()))),
            TypeKind::Record { .. } | TypeKind::Array { .. } | TypeKind::Unknown => {
                let place = match into {
                    Some(place) => place.clone(),
                    None => {
                        let place = Place::variable(self.object(returns));
                        self.destroy_later(place.clone(), result_type, extended);
                        place
                    }
                };
                (Some(place.clone()), Operand::Place(place))
            }
            TypeKind::Integer { .. }
            | TypeKind::Float
            | TypeKind::Pointer { .. }
            | TypeKind::Function => {
                if used || result_type.is_reference() {
                    let temporary = self.temporary(returns);
                    let value = Expr::variable(temporary, returns);
                    let operand = if result_type.is_reference() {
                        Operand::Place(Place::deref(value))
                    } else {
                        Operand::Value(value)
                    };
                    (Some(Place::variable(temporary)), operand)
                } else {
                    (None, Operand::Value(Expr::Computed(Vec::new())))
                }
            }
        };
        let noreturn = matches!(callee, Callee::External { noreturn: true, .. });
        let may_throw = !noexcept && !noreturn && self.callee_may_throw(&callee);
        let call = Call { callee, arguments, result, returns };
        self.emit_call(StatementKind::Call(call), site.source, site.syntax);
        if noreturn {
            self.terminate(Terminator::Exit);
        } else {
            self.exceptional_edge(may_throw);
        }
        operand
    }

    /// Arguments as they were when each was evaluated, in order.
    pub(crate) fn settled(&mut self, lowered: Vec<(Argument, Mark)>) -> Vec<Argument> {
        let mut settled: Vec<Argument> = lowered
            .into_iter()
            .rev()
            .map(|(mut argument, mark)| {
                argument.value = self.settle(mark, argument.value, argument.ty);
                argument
            })
            .collect();
        settled.reverse();
        settled
    }

    /// One argument, converted to its parameter (`None` for `...`).
    pub(crate) fn argument(
        &mut self,
        declared: Cursor<'tu>,
        index: usize,
        argument: Cursor<'tu>,
        parameter: Option<Type<'tu>>,
    ) -> Argument {
        let argument = match is_default(argument) {
            true => match self.default_argument(declared, index, argument, parameter) {
                Ok(expression) => expression,
                Err(argument) => return argument,
            },
            false => argument,
        };
        let source = self.source_of(argument);
        let unused = std::mem::replace(&mut self.result_unused, false);
        let ty = parameter.unwrap_or(argument.ty());
        let id = self.ty(ty);
        let value = if ty.is_reference() {
            address_of(self.place(argument))
        } else if self.session.is_aggregate(id) {
            let place = self.place(argument);
            self.whole(place, id)
        } else {
            self.value(argument)
        };
        self.result_unused = unused;
        Argument { value, ty: id, source }
    }

    /// The expression that a default argument stands for, or its value.
    fn default_argument(
        &mut self,
        declared: Cursor<'tu>,
        index: usize,
        argument: Cursor<'tu>,
        parameter: Option<Type<'tu>>,
    ) -> Result<Cursor<'tu>, Argument> {
        let ty = parameter.unwrap_or(argument.ty());
        let id = self.ty(ty);
        let source = self.source;
        let number =
            matches!(self.session.program.types[id.index()].kind, TypeKind::Integer { .. });
        if number && let Some(value) = argument.evaluate_integer() {
            return Err(Argument { value: Expr::Integer(value), ty: id, source });
        }
        if let Some(expression) = default_expression(declared, index) {
            return Ok(expression);
        }
        let value = if self.session.spans.ownership(declared.location()) == Ownership::System {
            // Defaults of library functions: allocators, comparators, streams 0.
            if ty.is_reference() || self.session.is_aggregate(id) {
                let object_type = ty.canonical().pointee().filter(|_| ty.is_reference());
                let object_id = self.ty(object_type.unwrap_or(ty));
                let place = Place::variable(self.object(object_id));
                if ty.is_reference() { address_of(place) } else { self.whole(place, id) }
            } else {
                self.zero(id)
            }
        } else {
            self.emit_opaque("a default argument that is not in the tree");
            Expr::Unknown
        };
        Err(Argument { value, ty: id, source })
    }

    /// The object of `object.member(...)`, as the `this` argument.
    fn object_pointer(&mut self, member: Cursor<'tu>, declared: Cursor<'tu>) -> Argument {
        let class = declared.semantic_parent().map(Cursor::ty);
        let base = member.children().iter().copied().find(|c| c.is_expression());
        let unused = std::mem::replace(&mut self.result_unused, false);
        let value = match base {
            Some(base) if base.ty().shape() == TypeShape::Pointer => self.value(base),
            Some(base) => address_of(self.place(base)),
            None => match self.this {
                Some(this) => {
                    let ty = self.session.program.variables[this.index()].ty;
                    self.this_as(Expr::variable(this, ty), class)
                }
                None => self.opaque("a member call without an object", member),
            },
        };
        self.result_unused = unused;
        self.this_argument(value, class, member)
    }

    /// `this`, as a pointer to one of its bases.
    fn this_as(&mut self, this: Expr, class: Option<Type<'tu>>) -> Expr {
        let (Some(from), Some(to)) = (self.this_class, class) else { return this };
        match self.session.base_step(from, to) {
            super::cast::Step::Same | super::cast::Step::At(0) => this,
            super::cast::Step::At(bytes) => Expr::PointerAdd {
                pointer: Box::new(this),
                elements: Box::new(Expr::Integer(bytes)),
                element_bytes: Some(1),
            },
            super::cast::Step::Unknown => Expr::Unknown,
        }
    }

    fn operator_object(&mut self, object: Cursor<'tu>, declared: Cursor<'tu>) -> Argument {
        let class = declared.semantic_parent().map(Cursor::ty);
        let unused = std::mem::replace(&mut self.result_unused, false);
        let place = match class {
            Some(class) => self.place_as(object, class),
            None => self.place(object),
        };
        self.result_unused = unused;
        self.this_argument(address_of(place), class, object)
    }

    fn this_argument(
        &mut self,
        value: Expr,
        class: Option<Type<'tu>>,
        at: Cursor<'tu>,
    ) -> Argument {
        let class = match class {
            Some(class) => self.ty(class),
            None => self.session.void_type(),
        };
        let ty = self.session.pointer_to(class);
        let source = self.source_of(at);
        Argument { value, ty, source }
    }

    /// Special members called by name or operator that run no code, or that the compiler writes.
    fn trivial_member(
        &mut self,
        site: &Site<'tu>,
        declared: Cursor<'tu>,
        object: &Argument,
        rest: &[Cursor<'tu>],
    ) -> Option<Operand> {
        let special = special_of(declared)?;
        if !matches!(
            special,
            Special::CopyAssignment | Special::MoveAssignment | Special::Destructor
        ) {
            return None;
        }
        let class = declared.semantic_parent()?.ty();
        let record = self.session.record(class)?;
        match (record.member(special), special) {
            (Member::Trivial, Special::Destructor) => {
                Some(Operand::Value(Expr::Computed(Vec::new())))
            }
            (Member::Trivial, _) if declared.is_defaulted() => {
                let to = super::place::dereference(object.value.clone());
                let mark = self.mark();
                let from = self.place_as(*rest.first()?, class);
                let to = self.settle_place(mark, to);
                let ty = self.ty(class);
                let kind = StatementKind::CopyAggregate { to: to.clone(), from, ty };
                self.emit(kind, site.source);
                Some(Operand::Place(to))
            }
            (Member::Implicit, _) if declared.is_defaulted() => {
                let callee = self.session.implicit_callee(&record, special);
                let to = super::place::dereference(object.value.clone());
                let mark = self.mark();
                let mut arguments = Vec::new();
                if let Some(from) = rest.first() {
                    let from = self.place_as(*from, class);
                    arguments.push(self.this_argument(
                        address_of(from),
                        Some(class),
                        *rest.first()?,
                    ));
                }
                let to = self.settle_place(mark, to);
                self.call_member(callee, &to, class, arguments);
                Some(Operand::Place(to))
            }
            _ => None,
        }
    }

    /// Whether a call expression denotes an object that exists apart from it.
    pub(crate) fn call_returns_reference(&mut self, cursor: Cursor<'tu>) -> bool {
        match cursor.referenced() {
            Some(declared) if declared.kind() == Kind::Constructor => false,
            Some(declared)
                if matches!(
                    declared.kind(),
                    Kind::FunctionDecl | Kind::CXXMethod | Kind::ConversionFunction
                ) =>
            {
                declared.ty().result().is_reference()
            }
            _ => {
                let callee = cursor.children().first().map(|c| c.ty().canonical());
                callee
                    .and_then(
                        |c| if c.shape() == TypeShape::Pointer { c.pointee() } else { Some(c) },
                    )
                    .is_some_and(|f| f.shape() == TypeShape::Function && f.result().is_reference())
            }
        }
    }

    /// A place for the result of a CUDA call, if its value is used.
    pub(crate) fn result_slot(&mut self, ty: TypeId) -> (Option<Place>, Operand) {
        if self.result_unused {
            return (None, Operand::Value(Expr::Computed(Vec::new())));
        }
        let temporary = self.temporary(ty);
        (Some(Place::variable(temporary)), Operand::Value(Expr::variable(temporary, ty)))
    }
}

/// Whether an argument was not written.
pub(crate) fn is_default(argument: Cursor<'_>) -> bool {
    argument.kind() == Kind::UnexposedExpr
        && argument.location().spelling().file.is_none()
        && argument.children().is_empty()
}

/// The default argument in the declaration of a parameter.
fn default_expression<'tu>(declared: Cursor<'tu>, index: usize) -> Option<Cursor<'tu>> {
    let mut sources = vec![declared, declared.canonical()];
    sources.extend(declared.definition());
    sources.into_iter().find_map(|source| {
        let children = source.children();
        let parameter = children.iter().filter(|c| c.kind() == Kind::ParmDecl).nth(index)?;
        let initializer = parameter.children().last().copied().filter(|c| c.is_expression())?;
        (!initializer.is_dependent()).then_some(initializer)
    })
}

/// Through implicit conversions and parentheses.
pub(crate) fn innermost(cursor: Cursor<'_>) -> Cursor<'_> {
    let mut at = cursor;
    while matches!(at.kind(), Kind::UnexposedExpr | Kind::ParenExpr) {
        match *at.children() {
            [inner] => at = inner,
            _ => break,
        }
    }
    at
}
