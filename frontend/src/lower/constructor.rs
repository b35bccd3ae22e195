//! Constructors: calls of them, and the member initialisation that their bodies start with.

use echo_dataflow::program::{Argument, Call, Callee, Expr, Place, SourceRef, StatementKind};

use super::body::Body;
use super::destructor::address_of;
use super::record::{FieldDefault, Member, Record, special_of};
use super::session::Special;
use super::spans::Ownership;
use crate::clang::{Cursor, CursorKey, Kind, Type, TypeShape};

impl<'tu> Body<'_, 'tu> {
    /// The object that a constructor call makes, in `into` if given.
    pub(super) fn constructed(
        &mut self,
        cursor: Cursor<'tu>,
        constructor: Cursor<'tu>,
        into: Option<&Place>,
        extended: bool,
    ) -> Place {
        let ty = cursor.ty();
        if let Some(place) = into {
            self.construct(place, ty, constructor, cursor);
            return place.clone();
        }
        // A trivial copy of an object that is only looked at.
        let id = self.ty(ty);
        let place = Place::variable(self.object(id));
        self.construct(&place, ty, constructor, cursor);
        self.destroy_later(place.clone(), ty, extended);
        place
    }

    /// Runs `constructor` on the object in `place`, with the arguments of `call`.
    pub(crate) fn construct(
        &mut self,
        place: &Place,
        ty: Type<'tu>,
        constructor: Cursor<'tu>,
        call: Cursor<'tu>,
    ) {
        let id = self.ty(ty);
        if matches!(ty.shape(), TypeShape::ConstantArray | TypeShape::OtherArray) {
            let element = super::record::innermost_element(ty);
            let some = self.some_element(place, element);
            self.repeat_any(|body| body.construct(&some, element, constructor, call));
            return;
        }
        let Some(record) = self.session.record(ty) else {
            self.opaque("a constructor of an incomplete class", call);
            return;
        };
        let source = self.session.spans.source(call);
        let arguments = call.arguments();
        if let Some(special) = special_of(constructor)
            && (constructor.is_defaulted() || record.system)
        {
            match record.member(special) {
                Member::Trivial if special == Special::DefaultConstructor => return,
                Member::Trivial => {
                    if let Some(&from) = arguments.first() {
                        let from = self.place_as(from, ty);
                        let to = place.clone();
                        self.emit(StatementKind::CopyAggregate { to, from, ty: id }, source);
                    }
                    return;
                }
                Member::Implicit => {
                    let callee = self.session.implicit_callee(&record, special);
                    self.call_constructor(callee, place, constructor, &arguments, call);
                    return;
                }
                Member::Unknown => {
                    self.opaque("a constructor that cannot be seen", call);
                    return;
                }
                Member::System | Member::User(_) => {}
            }
        }
        if record.system && self.dimensions(place, &record, call, &arguments) {
            return;
        }
        let callee = self.session.callee(constructor);
        self.call_constructor(callee, place, constructor, &arguments, call);
    }

    fn call_constructor(
        &mut self,
        callee: Callee,
        place: &Place,
        constructor: Cursor<'tu>,
        arguments: &[Cursor<'tu>],
        call: Cursor<'tu>,
    ) {
        let site = self.site(call, None, arguments);
        let parameters = constructor.ty().parameters();
        let class = constructor.semantic_parent().map_or(call.ty(), Cursor::ty);
        let class_id = self.ty(class);
        let this = Argument {
            value: address_of(place.clone()),
            ty: self.session.pointer_to(class_id),
            source: self.source_of(call),
        };
        let mark = self.mark();
        let mut lowered = vec![(this, mark)];
        for (index, argument) in arguments.iter().enumerate() {
            let parameter = parameters.get(index).copied();
            let argument = self.argument(constructor, index, *argument, parameter);
            let mark = self.mark();
            lowered.push((argument, mark));
        }
        let lowered = self.settled(lowered);
        let callee = if matches!(callee, Callee::External { .. }) {
            let types: Vec<Type<'tu>> = arguments.iter().map(|a| a.ty()).collect();
            self.session.with_callbacks(callee, constructor, &lowered, &types)
        } else {
            callee
        };
        let may_throw = !constructor.ty().is_noexcept() && self.callee_may_throw(&callee);
        let returns = self.session.void_type();
        let call = Call { callee, arguments: lowered, result: None, returns };
        self.emit_call(StatementKind::Call(call), site.source, site.syntax);
        self.exceptional_edge(may_throw);
    }

    /// `dim3(x, y, z)` of the built-in headers: three numbers.
    fn dimensions(
        &mut self,
        place: &Place,
        record: &Record<'tu>,
        call: Cursor<'tu>,
        arguments: &[Cursor<'tu>],
    ) -> bool {
        if record.declaration.spelling() != "dim3" || arguments.len() != 3 {
            return false;
        }
        let values = self.values(arguments);
        for (field, value) in record.fields.clone().into_iter().zip(values) {
            let part = self.field(place.clone(), record.ty, field.cursor);
            let id = self.ty(field.cursor.ty());
            let source = self.session.spans.source(call);
            self.assign(part, id, value, source);
        }
        true
    }

    /// `T()` for a class, where no call of the constructor is in the tree.
    pub(crate) fn default_construct(&mut self, place: &Place, ty: Type<'tu>) {
        let Some(record) = self.session.record(ty) else {
            self.emit_opaque("a constructor of an incomplete class");
            return;
        };
        match record.member(Special::DefaultConstructor) {
            Member::Trivial => {}
            Member::System => {
                let name = super::callee::plain_name(record.declaration);
                let callee = self.session.system_member(&record, &name);
                self.call_member(callee, place, record.ty, Vec::new());
            }
            Member::User(constructor) => self.default_construct_by(place, ty, constructor),
            Member::Implicit => {
                let callee = self.session.implicit_callee(&record, Special::DefaultConstructor);
                self.call_member(callee, place, record.ty, Vec::new());
            }
            Member::Unknown => {
                self.emit_opaque(format!("the constructor of `{}`", record.ty.spelling()));
            }
        }
    }

    fn default_construct_by(&mut self, place: &Place, ty: Type<'tu>, constructor: Cursor<'tu>) {
        let parameters =
            constructor.children().iter().filter(|c| c.kind() == Kind::ParmDecl).count();
        if parameters > 0 {
            // All of them have defaults, but no call shows them.
            self.emit_opaque("a constructor with default arguments");
            return;
        }
        let callee = self.session.callee(constructor);
        self.call_member(callee, place, ty, Vec::new());
    }

    /// The part of a constructor before its body: bases and members in order of declaration.
    pub(crate) fn member_initializers(&mut self, definition: Cursor<'tu>, record: &Record<'tu>) {
        let mut written: Vec<(Option<CursorKey>, Cursor<'tu>)> = Vec::new();
        let mut base_names: Vec<Type<'tu>> = Vec::new();
        let mut member: Option<Cursor<'tu>> = None;
        for child in definition.children() {
            match child.kind() {
                Kind::ParmDecl | Kind::CompoundStmt | Kind::CXXTryStmt => member = None,
                Kind::MemberRef => member = child.referenced(),
                Kind::TypeRef | Kind::TemplateRef | Kind::NamespaceRef => {
                    member = None;
                    base_names.push(child.ty());
                }
                _ if child.is_expression() => {
                    written.push((member.take().map(|m| m.canonical().key()), child));
                }
                _ => {}
            }
        }
        let this = self.this_place();
        // A constructor that delegates to another one of its class does nothing else.
        if let [(None, only)] = written[..]
            && self.same_type(only.ty(), record.ty)
        {
            let ty = record.ty;
            self.full_expression(|body| body.initialize(&this, ty, Some(only)));
            return;
        }
        for base in &record.bases {
            let part = self.base_part(&this, base.ty, base.offset);
            let value = written
                .iter()
                .find(|(member, value)| member.is_none() && self.same_type(value.ty(), base.ty))
                .map(|(_, value)| *value);
            match value {
                Some(value) => {
                    self.full_expression(|body| body.initialize(&part, base.ty, Some(value)));
                }
                None => self.default_construct(&part, base.ty),
            }
        }
        let known = written.iter().filter(|(member, value)| {
            member.is_some()
                || record.bases.iter().any(|b| b.ty.key() == value.ty().canonical().key())
        });
        if known.count() != written.len() && record.bases.is_empty() {
            self.fail("a member initialiser of unknown shape");
        }
        for field in record.fields.clone() {
            let declared = field.cursor;
            let key = declared.canonical().key();
            let value = written.iter().find(|(m, _)| *m == Some(key)).map(|(_, v)| *v);
            self.initialize_member(&this, record, declared, value, field.default);
        }
    }

    fn initialize_member(
        &mut self,
        this: &Place,
        record: &Record<'tu>,
        declared: Cursor<'tu>,
        value: Option<Cursor<'tu>>,
        default: FieldDefault<'tu>,
    ) {
        let ty = declared.ty();
        let value = match (value, default) {
            (Some(value), _) => Some(value),
            (None, FieldDefault::Expression(value)) => Some(value),
            (None, FieldDefault::Unseen) => {
                self.emit_opaque("a default member initialiser that is not in the tree");
                return;
            }
            (None, FieldDefault::Absent) => None,
        };
        if ty.is_reference() {
            let Some(value) = value else { return };
            self.bind_member(this, record, declared, value);
            return;
        }
        let part = self.field(this.clone(), record.ty, declared);
        match value {
            Some(value) => {
                self.full_expression(|body| body.initialize(&part, ty, Some(value)));
            }
            None => {
                let element = super::record::innermost_element(ty);
                if element.shape() == TypeShape::Record {
                    if matches!(ty.shape(), TypeShape::ConstantArray) {
                        let some = self.some_element(&part, element);
                        let trivial = self.session.record(element).is_some_and(|r| r.is_trivial());
                        if !trivial {
                            self.repeat_any(|body| body.default_construct(&some, element));
                        }
                    } else {
                        self.default_construct(&part, ty);
                    }
                }
            }
        }
    }

    /// A reference member holds an address.
    fn bind_member(
        &mut self,
        this: &Place,
        record: &Record<'tu>,
        declared: Cursor<'tu>,
        value: Cursor<'tu>,
    ) {
        let name = declared.spelling();
        let offset = self.session.field_offset(record.ty, declared, &name);
        let mut slot = this.clone();
        slot.path.push(echo_dataflow::program::Projection::Field { name, offset });
        let id = self.ty(declared.ty());
        let bound = self.full_expression(|body| address_of(body.place(value)));
        self.assign(slot, id, bound, None);
    }

    /// `*this`.
    pub(crate) fn this_place(&mut self) -> Place {
        match self.this {
            Some(this) => {
                let ty = self.session.program.variables[this.index()].ty;
                Place::deref(Expr::variable(this, ty))
            }
            None => {
                self.fail("a member without an object");
                Place::deref(Expr::Unknown)
            }
        }
    }

    /// The end of a destructor: members and bases in reverse order.
    pub(crate) fn destroy_parts(&mut self, record: &Record<'tu>) {
        let this = self.this_place();
        if record.union {
            return;
        }
        for field in record.fields.clone().into_iter().rev() {
            let ty = field.cursor.ty();
            if !ty.is_reference() && self.needs_destruction(ty) {
                let part = self.field(this.clone(), record.ty, field.cursor);
                self.destroy(&part, ty);
            }
        }
        for base in record.bases.clone().into_iter().rev() {
            if self.needs_destruction(base.ty) {
                let part = self.base_part(&this, base.ty, base.offset);
                self.destroy(&part, base.ty);
            }
        }
    }

    /// The body of a copy, move or assignment that the compiler writes: member by member.
    pub(crate) fn memberwise(&mut self, record: &Record<'tu>, special: Special, other: Expr) {
        let this = self.this_place();
        let from = Place::deref(other);
        for base in record.bases.clone() {
            let to = self.base_part(&this, base.ty, base.offset);
            let from = self.base_part(&from, base.ty, base.offset);
            self.copy_part(&to, from, base.ty, special);
        }
        for field in record.fields.clone() {
            let ty = field.cursor.ty();
            if ty.is_reference() {
                let name = field.cursor.spelling();
                let offset = self.session.field_offset(record.ty, field.cursor, &name);
                let step = echo_dataflow::program::Projection::Field { name, offset };
                let (mut to, mut source) = (this.clone(), from.clone());
                to.path.push(step.clone());
                source.path.push(step);
                let id = self.ty(ty);
                let value = Expr::Load { place: Box::new(source), ty: id };
                self.assign(to, id, value, None);
                continue;
            }
            let to = self.field(this.clone(), record.ty, field.cursor);
            let source = self.field(from.clone(), record.ty, field.cursor);
            self.copy_part(&to, source, ty, special);
        }
    }

    fn copy_part(&mut self, to: &Place, from: Place, ty: Type<'tu>, special: Special) {
        let id = self.ty(ty);
        if self.is_plain(id) {
            let value = Expr::Load { place: Box::new(from), ty: id };
            self.assign(to.clone(), id, value, None);
            return;
        }
        let element = super::record::innermost_element(ty);
        let record = self.session.record(element);
        let Some(record) = record else {
            let to = to.clone();
            self.emit(StatementKind::CopyAggregate { to, from, ty: id }, None);
            return;
        };
        let member = record.member(special);
        if matches!(member, Member::Trivial) {
            let to = to.clone();
            self.emit(StatementKind::CopyAggregate { to, from, ty: id }, None);
            return;
        }
        if matches!(ty.shape(), TypeShape::ConstantArray | TypeShape::OtherArray) {
            self.emit_opaque("copies of the elements of an array of objects");
            return;
        }
        let callee = match member {
            Member::Trivial => return,
            Member::System => {
                let name = match special {
                    Special::CopyAssignment | Special::MoveAssignment => "operator=".to_owned(),
                    Special::CopyConstructor
                    | Special::MoveConstructor
                    | Special::DefaultConstructor
                    | Special::Destructor => super::callee::plain_name(record.declaration),
                };
                self.session.system_member(&record, &name)
            }
            Member::User(cursor) => self.session.callee(cursor),
            Member::Implicit => self.session.implicit_callee(&record, special),
            Member::Unknown => {
                self.emit_opaque("a copy that cannot be seen");
                return;
            }
        };
        let pointer = self.session.pointer_to(id);
        let source: SourceRef = self.source;
        let other = Argument { value: address_of(from), ty: pointer, source };
        self.call_member(callee, to, record.ty, vec![other]);
    }

    /// Whether a declaration is in a system header.
    pub(crate) fn in_system(&mut self, declared: Cursor<'tu>) -> bool {
        self.session.spans.ownership(declared.location()) == Ownership::System
    }
}
