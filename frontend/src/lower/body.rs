//! One function body being built: blocks, temporaries, and order of evaluation.

use std::collections::HashMap;

use echo_dataflow::program::{
    Block, BlockId, CallSyntax, Expr, Place, PlaceBase, Projection, SourceRef, Span, Statement,
    StatementKind, Storage, Terminator, TypeId, TypeKind, Variable, VariableId,
};

use super::destructor::Scope;
use super::jump::Label;
use super::loops::Target;
use super::session::Session;
use super::syntax::StatementContext;
use crate::clang::{Cursor, CursorKey, Type};

/// Deepest nesting of syntax that is lowered; deeper functions are opaque.
pub(crate) const MAX_DEPTH: u32 = 1_000;
/// Every so many levels of an expression, its value goes through a temporary: expressions stay shallow.
const SPILL_DEPTH: u32 = 48;

/// A function body under construction.
pub(crate) struct Body<'s, 'tu> {
    pub(crate) session: &'s mut Session<'tu>,
    blocks: Vec<(Vec<Statement>, Option<Terminator>)>,
    current: usize,
    /// Why the whole function is opaque, if so.
    pub(crate) fatal: Option<String>,
    pub(crate) this: Option<VariableId>,
    /// The class `this` points to.
    pub(crate) this_class: Option<Type<'tu>>,
    pub(crate) returns: Type<'tu>,
    pub(crate) is_main: bool,
    pub(crate) scopes: Vec<Scope<'tu>>,
    pub(crate) scopes_made: u32,
    pub(crate) targets: Vec<Target>,
    pub(crate) switches: Vec<super::switch::Cases>,
    /// A kernel or `__device__` function: assembly is PTX.
    pub(crate) device_only: bool,
    pub(crate) handlers: Vec<super::exception::Handler>,
    pub(crate) labels: HashMap<CursorKey, Label<'tu>>,
    pub(crate) context: StatementContext,
    /// The outermost cast or parenthesis around a call, by the call.
    pub(crate) wrapper: Option<(CursorKey, Cursor<'tu>)>,
    /// The source of statements that have none of their own.
    pub(crate) source: SourceRef,
    /// By-value captures of the lambda being lowered.
    pub(crate) captures: HashMap<CursorKey, VariableId>,
    /// Depth of conditional evaluation inside the current full expression.
    pub(crate) conditional: u32,
    /// The value of the call being lowered is dropped.
    pub(crate) result_unused: bool,
    /// A temporary made now is bound to a reference and lives as long as that.
    pub(crate) extends: bool,
    /// Structured bindings: what they name is not known.
    pub(crate) unknown_names: std::collections::HashSet<CursorKey>,
    depth: u32,
    temporaries: u32,
}

/// A point in the statement list, to insert at later.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Mark {
    block: usize,
    index: usize,
}

impl<'s, 'tu> Body<'s, 'tu> {
    pub(crate) fn new(
        session: &'s mut Session<'tu>,
        source: SourceRef,
        returns: Type<'tu>,
        whole: Span,
    ) -> Self {
        Self {
            session,
            blocks: vec![(Vec::new(), None)],
            current: 0,
            fatal: None,
            this: None,
            this_class: None,
            returns,
            is_main: false,
            scopes: vec![Scope {
                cleanups: Vec::new(),
                span: whole,
                expression: false,
                identity: 0,
            }],
            scopes_made: 0,
            targets: Vec::new(),
            switches: Vec::new(),
            device_only: false,
            handlers: Vec::new(),
            labels: HashMap::new(),
            context: StatementContext::new(whole),
            wrapper: None,
            source,
            captures: HashMap::new(),
            conditional: 0,
            result_unused: false,
            extends: false,
            unknown_names: std::collections::HashSet::new(),
            depth: 0,
            temporaries: 0,
        }
    }

    /// The blocks; those that never got a terminator fall off the end of the function.
    pub(crate) fn finish(self) -> Vec<Block> {
        self.blocks
            .into_iter()
            .map(|(statements, terminator)| Block {
                statements,
                terminator: terminator.unwrap_or(Terminator::Unreachable),
            })
            .collect()
    }

    // ---- blocks

    pub(crate) fn new_block(&mut self) -> BlockId {
        self.blocks.push((Vec::new(), None));
        BlockId::new(self.blocks.len() - 1)
    }

    pub(crate) fn switch_to(&mut self, block: BlockId) {
        self.current = block.index();
    }

    pub(crate) fn current(&self) -> BlockId {
        BlockId::new(self.current)
    }

    /// Whether the current block is open.
    pub(crate) fn is_open(&self) -> bool {
        self.blocks[self.current].1.is_none()
    }

    /// Ends the current block; statements that follow without a new block go to one that nothing reaches.
    pub(crate) fn terminate(&mut self, terminator: Terminator) {
        if self.is_open() {
            self.blocks[self.current].1 = Some(terminator);
        }
    }

    pub(crate) fn goto(&mut self, block: BlockId) {
        self.terminate(Terminator::Goto(block));
    }

    /// Continues in `block`, which the current block leads to.
    pub(crate) fn fall_into(&mut self, block: BlockId) {
        self.goto(block);
        self.switch_to(block);
    }

    fn ensure_open(&mut self) {
        if !self.is_open() {
            let dead = self.new_block();
            self.switch_to(dead);
        }
    }

    // ---- statements

    pub(crate) fn emit(&mut self, kind: StatementKind, source: Option<SourceRef>) {
        self.emit_call(kind, source, None);
    }

    pub(crate) fn emit_call(
        &mut self,
        kind: StatementKind,
        source: Option<SourceRef>,
        syntax: Option<CallSyntax>,
    ) {
        self.ensure_open();
        let source = source.unwrap_or(self.source);
        let syntax = syntax.map(Box::new);
        self.blocks[self.current].0.push(Statement { kind, source, syntax });
    }

    pub(crate) fn assign(&mut self, place: Place, ty: TypeId, value: Expr, at: Option<SourceRef>) {
        self.emit(StatementKind::Assign { place, ty, value }, at);
    }

    /// Something that is not understood: one statement that may do anything.
    pub(crate) fn opaque(&mut self, why: impl Into<String>, cursor: Cursor<'tu>) -> Expr {
        let source = self.session.spans.source(cursor);
        self.emit(StatementKind::Opaque { why: why.into() }, source);
        Expr::Unknown
    }

    /// The whole function is not understood.
    pub(crate) fn fail(&mut self, why: impl Into<String>) {
        if self.fatal.is_none() {
            self.fatal = Some(why.into());
        }
    }

    pub(crate) fn source_of(&mut self, cursor: Cursor<'tu>) -> SourceRef {
        self.session.spans.source(cursor).unwrap_or(self.source)
    }

    pub(crate) fn ty(&mut self, ty: Type<'tu>) -> TypeId {
        self.session.ty(ty)
    }

    // ---- temporaries

    /// A value without an address.
    pub(crate) fn temporary(&mut self, ty: TypeId) -> VariableId {
        self.unnamed(ty, Storage::Temporary)
    }

    /// An object without a name: its address may be taken.
    pub(crate) fn object(&mut self, ty: TypeId) -> VariableId {
        let variable = self.unnamed(ty, Storage::Local);
        self.emit(StatementKind::Declare(variable), None);
        variable
    }

    fn unnamed(&mut self, ty: TypeId, storage: Storage) -> VariableId {
        let id = VariableId::new(self.session.program.variables.len());
        let name = format!("%{}", self.temporaries);
        self.temporaries += 1;
        self.session.program.variables.push(Variable {
            name,
            usr: String::new(),
            ty,
            storage,
            assignable: false,
            restrict: false,
            volatile: false,
            declaration: None,
        });
        id
    }

    /// `value`, computed now.
    pub(crate) fn spill(&mut self, value: Expr, ty: TypeId) -> Expr {
        let temporary = self.temporary(ty);
        self.assign(Place::variable(temporary), ty, value, None);
        Expr::variable(temporary, ty)
    }

    // ---- order of evaluation

    pub(crate) fn mark(&mut self) -> Mark {
        self.ensure_open();
        Mark { block: self.current, index: self.blocks[self.current].0.len() }
    }

    /// Whether statements were added since `mark`.
    pub(crate) fn moved_since(&self, mark: Mark) -> bool {
        self.current != mark.block || self.blocks[self.current].0.len() != mark.index
    }

    /// `value`, as it was at `mark`: if anything ran since, it is computed there.
    pub(crate) fn settle(&mut self, mark: Mark, value: Expr, ty: TypeId) -> Expr {
        if !self.moved_since(mark) || !self.reads(&value) || self.session.is_aggregate(ty) {
            return value;
        }
        let temporary = self.temporary(ty);
        let kind = StatementKind::Assign { place: Place::variable(temporary), ty, value };
        let source = self.source;
        self.blocks[mark.block].0.insert(mark.index, Statement { kind, source, syntax: None });
        Expr::variable(temporary, ty)
    }

    /// `place`, with the pointers and indices it is reached by as they were at `mark`.
    pub(crate) fn settle_place(&mut self, mark: Mark, place: Place) -> Place {
        if !self.moved_since(mark) {
            return place;
        }
        let void = self.session.void_type();
        let pointer = self.session.pointer_to(void);
        let index_type = self.session.int_type();
        let base = match place.base {
            PlaceBase::Variable(v) => PlaceBase::Variable(v),
            PlaceBase::Deref(e) => {
                let ty = self.pointer_type_of(&e).unwrap_or(pointer);
                PlaceBase::Deref(self.settle(mark, e, ty))
            }
        };
        let path = place
            .path
            .into_iter()
            .map(|step| match step {
                Projection::Index { index, element_bytes } => Projection::Index {
                    index: Box::new(self.settle(mark, *index, index_type)),
                    element_bytes,
                },
                field @ Projection::Field { .. } => field,
            })
            .collect();
        Place { base, path }
    }

    /// The type of a pointer value, where it shows.
    pub(crate) fn pointer_type_of(&self, value: &Expr) -> Option<TypeId> {
        match value {
            Expr::Load { ty, .. } | Expr::Cast { to: ty, .. } => Some(*ty),
            Expr::PointerAdd { pointer, .. } => self.pointer_type_of(pointer),
            Expr::Integer(_)
            | Expr::Null
            | Expr::Literal
            | Expr::AddressOf(_)
            | Expr::Arithmetic { .. }
            | Expr::PointerDifference { .. }
            | Expr::Compare { .. }
            | Expr::Function(_)
            | Expr::Closure(_)
            | Expr::Computed(_)
            | Expr::Unknown => None,
        }
    }

    /// Whether `value` reads anything that a later statement could change.
    fn reads(&self, value: &Expr) -> bool {
        match value {
            Expr::Integer(_)
            | Expr::Null
            | Expr::Literal
            | Expr::Function(_)
            | Expr::Closure(_)
            | Expr::Unknown => false,
            Expr::Load { place, .. } => match &place.base {
                PlaceBase::Variable(v) => {
                    let storage = self.session.program.variables[v.index()].storage;
                    storage != Storage::Temporary || !place.path.is_empty()
                }
                PlaceBase::Deref(_) => true,
            },
            Expr::AddressOf(place) => self.reads_on_the_way(place),
            Expr::Arithmetic { left, right, .. }
            | Expr::PointerDifference { left, right }
            | Expr::Compare { left, right, .. } => self.reads(left) || self.reads(right),
            Expr::PointerAdd { pointer, elements, .. } => {
                self.reads(pointer) || self.reads(elements)
            }
            Expr::Cast { value, .. } => self.reads(value),
            Expr::Computed(operands) => operands.iter().any(|o| self.reads(o)),
        }
    }

    fn reads_on_the_way(&self, place: &Place) -> bool {
        let base = match &place.base {
            PlaceBase::Variable(_) => false,
            PlaceBase::Deref(e) => self.reads(e),
        };
        base || place.path.iter().any(|step| match step {
            Projection::Field { .. } => false,
            Projection::Index { index, .. } => self.reads(index),
        })
    }

    /// Whether computing `value` reads memory or variables at all (so that dropping it loses a read).
    pub(crate) fn has_reads(&self, value: &Expr) -> bool {
        self.reads(value)
    }

    // ---- nesting

    /// Runs `inner` one level deeper, on a larger stack where needed; `None` if it is too deep.
    pub(crate) fn nested<T>(&mut self, inner: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.depth >= MAX_DEPTH {
            self.fail("nested too deeply");
            return None;
        }
        self.depth += 1;
        let result = stacker::maybe_grow(128 << 10, 4 << 20, || inner(self));
        self.depth -= 1;
        Some(result)
    }

    /// Keeps expressions shallow: at every so many levels a compound value goes through a temporary.
    pub(crate) fn shallow(&mut self, value: Expr, ty: TypeId) -> Expr {
        let scalar = matches!(
            self.session.program.types[ty.index()].kind,
            TypeKind::Integer { .. } | TypeKind::Float | TypeKind::Pointer { .. }
        );
        let compound =
            matches!(value, Expr::Arithmetic { .. } | Expr::PointerAdd { .. } | Expr::Computed(_));
        if compound && scalar && self.depth > 0 && self.depth.is_multiple_of(SPILL_DEPTH) {
            self.spill(value, ty)
        } else {
            value
        }
    }
}
