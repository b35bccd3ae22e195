//! The body of one function: blocks under construction.

use std::collections::{HashMap, HashSet};

use clang_sys as clang;
use echo_dataflow::program::{
    Block, BlockId, CallSyntax, Expr, FunctionId, Place, SourceRef, Statement, StatementKind,
    Terminator, TypeId, TypeKind, VariableId,
};

use crate::clang::{Cursor, CursorKey};

use super::scope::{Handlers, LabelScopes, Scope};
use super::{Unit, types};

/// A block whose terminator may still be missing.
struct OpenBlock {
    statements: Vec<Statement>,
    terminator: Option<Terminator>,
    end: Option<SourceRef>,
}

/// What `break` and `continue` mean.
#[derive(Clone, Copy)]
pub(super) struct Breakable {
    pub(super) on_break: BlockId,
    pub(super) on_continue: Option<BlockId>,
    /// Number of scopes outside it.
    pub(super) depth: usize,
}

/// One function being lowered.
pub(super) struct Body<'u, 'a> {
    pub(super) unit: &'u mut Unit<'a>,
    pub(super) function: FunctionId,
    blocks: Vec<OpenBlock>,
    current: BlockId,
    /// Open scopes, innermost last.
    pub(super) scopes: Vec<Scope>,
    pub(super) label_scopes: LabelScopes,
    /// It returns a reference.
    pub(super) returns_reference: bool,
    /// Its parameters.
    pub(super) own_parameters: HashSet<CursorKey>,
    /// The function's outermost statement.
    pub(super) root: Option<Cursor>,
    pub(super) breakables: Vec<Breakable>,
    pub(super) labels: HashMap<CursorKey, BlockId>,
    /// Those of them that have been lowered.
    pub(super) placed: HashSet<CursorKey>,
    /// Handlers of the `try` blocks around, innermost last.
    pub(super) handlers: Vec<Handlers>,
    pub(super) this: Option<VariableId>,
    /// Syntax facts of the statement being lowered.
    pub(super) site: super::syntax::Site,
    /// Why the body is not understood.
    pub(super) opaque: Option<String>,
    /// Depth of expression recursion.
    pub(super) depth: u32,
}

/// Deepest nesting that is followed: below what the stack holds, above what people write.
const MAX_DEPTH: u32 = 400;

impl Unit<'_> {
    /// Lowers the body of `cursor` into function `id`.
    pub(super) fn body(&mut self, id: FunctionId, cursor: Cursor) {
        let is_lambda = cursor.kind() == clang::CXCursor_LambdaExpr;
        let mut parameters = Vec::new();
        let this = self.this_of(cursor);
        let is_member = matches!(
            cursor.kind(),
            clang::CXCursor_Constructor
                | clang::CXCursor_Destructor
                | clang::CXCursor_ConversionFunction
        ) || (cursor.kind() == clang::CXCursor_CXXMethod
            && !cursor.is_static_method()
            && !self.is_lambda_call(cursor));
        let this = if is_member {
            let variable = self.new_this(cursor);
            parameters.push(variable);
            Some(variable)
        } else {
            this
        };
        let children = cursor.children();
        let declared = parameters_of(cursor, &children);
        for parameter in &declared {
            parameters.push(self.variable(*parameter));
        }
        let compound = children.iter().copied().find(|c| {
            matches!(c.kind(), clang::CXCursor_CompoundStmt | clang::CXCursor_CXXTryStmt)
        });
        let mut body = Body {
            unit: self,
            function: id,
            blocks: vec![OpenBlock { statements: Vec::new(), terminator: None, end: None }],
            current: BlockId(0),
            scopes: Vec::new(),
            label_scopes: LabelScopes::default(),
            returns_reference: super::is_reference(cursor.result_type()),
            own_parameters: declared.iter().map(|parameter| parameter.key()).collect(),
            root: compound,
            breakables: Vec::new(),
            labels: HashMap::new(),
            placed: HashSet::new(),
            handlers: Vec::new(),
            this,
            site: super::syntax::Site::default(),
            opaque: None,
            depth: 0,
        };
        body.open_scope(None);
        for parameter in &declared {
            body.parameter_bounds(*parameter);
        }
        match compound {
            Some(compound) => {
                if cursor.kind() == clang::CXCursor_Constructor {
                    body.constructor_initializers(cursor, &children);
                }
                body.statement(compound);
                if cursor.kind() == clang::CXCursor_Destructor {
                    body.destroy_members(cursor);
                }
                body.leave_scopes(0, cursor);
                body.terminate(Terminator::Return(None));
            }
            None => body.opaque = Some("its body is not seen".to_owned()),
        }
        if body.labels.keys().any(|label| !body.placed.contains(label)) {
            body.give_up("it jumps into a statement that is not understood");
        }
        let opaque = body.opaque.take();
        let blocks = std::mem::take(&mut body.blocks)
            .into_iter()
            .map(|mut b| {
                // Most blocks are short, and there are many.
                b.statements.shrink_to_fit();
                Block {
                    statements: b.statements,
                    terminator: b.terminator.unwrap_or(Terminator::Unreachable),
                    end: b.end,
                }
            })
            .collect();
        let function = &mut self.program.functions[id.index()];
        function.parameters = parameters;
        if opaque.is_some() {
            function.opaque = opaque;
        } else {
            function.blocks = blocks;
        }
        let _ = is_lambda;
    }

    fn is_lambda_call(&self, cursor: Cursor) -> bool {
        cursor.name() == "operator()"
            && cursor.semantic_parent().is_some_and(super::capture::is_lambda_class)
    }

    /// The `this` that a lambda's body refers to.
    fn this_of(&self, cursor: Cursor) -> Option<VariableId> {
        let class = match cursor.kind() {
            clang::CXCursor_LambdaExpr => cursor.ty().declaration(),
            clang::CXCursor_CXXMethod => cursor.semantic_parent(),
            _ => None,
        }?;
        self.lambda_this.get(&class.canonical().key()).copied()
    }

    fn new_this(&mut self, cursor: Cursor) -> VariableId {
        let record = cursor.semantic_parent().map(|c| c.ty());
        let to = match record {
            Some(ty) => types::intern(self, ty),
            None => self.void_type(),
        };
        let ty = self.pointer_to(to);
        let id = VariableId::new(self.program.variables.len());
        if let Some(class) = record {
            self.this_classes.insert(id, class);
        }
        self.program.variables.push(echo_dataflow::program::Variable {
            name: "this".to_owned(),
            usr: String::new(),
            ty,
            storage: echo_dataflow::program::Storage::Parameter,
            assignable: false,
            restrict: false,
            volatile: false,
            declaration: None,
        });
        id
    }
}

/// The parameters of a function. Its children are not only these, but also those of a function that it returns a pointer
/// to, and not those that C declares before the body.
fn parameters_of(function: Cursor, children: &[Cursor]) -> Vec<Cursor> {
    if function.kind() == clang::CXCursor_LambdaExpr {
        let parameters = children.iter().copied();
        return parameters.filter(|c| c.kind() == clang::CXCursor_ParmDecl).collect();
    }
    function.arguments()
}

impl Body<'_, '_> {
    pub(super) fn new_block(&mut self) -> BlockId {
        self.blocks.push(OpenBlock { statements: Vec::new(), terminator: None, end: None });
        BlockId::new(self.blocks.len() - 1)
    }

    /// The block that statements go to.
    pub(super) fn current(&self) -> BlockId {
        self.current
    }

    /// Statements go to `block` from now on.
    pub(super) fn switch_to(&mut self, block: BlockId) {
        self.current = block;
    }

    /// Ends the current block, unless it has ended.
    pub(super) fn terminate(&mut self, terminator: Terminator) {
        let block = &mut self.blocks[self.current.index()];
        if block.terminator.is_none() {
            block.terminator = Some(terminator);
        }
    }

    /// The end of the current block, which follows, is written at `source`.
    pub(super) fn ends_at(&mut self, source: SourceRef) {
        let block = &mut self.blocks[self.current.index()];
        if block.terminator.is_none() {
            block.end = Some(source);
        }
    }

    /// Ends the current block and goes on in a new one that nothing leads to.
    pub(super) fn terminate_dead(&mut self, terminator: Terminator) {
        self.terminate(terminator);
        let dead = self.new_block();
        self.switch_to(dead);
    }

    pub(super) fn goto(&mut self, block: BlockId) {
        self.terminate(Terminator::Goto(block));
    }

    pub(super) fn push(
        &mut self,
        mut kind: StatementKind,
        source: SourceRef,
        mut syntax: Option<CallSyntax>,
    ) {
        // Lists of arguments are short, and there are many.
        match &mut kind {
            StatementKind::Call(call) => call.arguments.shrink_to_fit(),
            StatementKind::Launch(launch) => {
                launch.arguments.shrink_to_fit();
                launch.configuration.shrink_to_fit();
            }
            StatementKind::Declare(_)
            | StatementKind::Assign { .. }
            | StatementKind::CopyAggregate { .. }
            | StatementKind::Evaluate(_)
            | StatementKind::HostAllocate(_)
            | StatementKind::HostRelease(_)
            | StatementKind::Cuda { .. }
            | StatementKind::Opaque { .. } => {}
        }
        if let Some(syntax) = &mut syntax {
            syntax.arguments.shrink_to_fit();
        }
        let statement = Statement { kind, source, syntax: syntax.map(Box::new) };
        self.blocks[self.current.index()].statements.push(statement);
    }

    pub(super) fn assign(&mut self, place: Place, ty: TypeId, value: Expr, source: SourceRef) {
        self.push(StatementKind::Assign { place, ty, value }, source, None);
    }

    /// `value` in a new temporary.
    pub(super) fn keep(&mut self, ty: TypeId, value: Expr, source: SourceRef) -> Expr {
        let temporary = self.unit.temporary(ty);
        self.assign(Place::variable(temporary), ty, value, source);
        Expr::variable(temporary, ty)
    }

    /// A construct that is not understood: may do anything.
    pub(super) fn opaque_statement(&mut self, cursor: Cursor, why: &str) {
        let source = self.unit.source(cursor);
        self.push(StatementKind::Opaque { why: why.to_owned() }, source, None);
    }

    /// The whole body is not understood.
    pub(super) fn give_up(&mut self, why: &str) {
        if self.opaque.is_none() {
            self.opaque = Some(why.to_owned());
        }
    }

    /// Runs `f` one level deeper, or gives up if that is too deep.
    pub(super) fn deeper<T>(&mut self, fallback: T, f: impl FnOnce(&mut Self) -> T) -> T {
        if self.depth >= MAX_DEPTH {
            self.give_up("it is nested too deeply");
            return fallback;
        }
        self.depth += 1;
        let result = f(self);
        self.depth -= 1;
        result
    }
}

impl Unit<'_> {
    pub(super) fn void_type(&mut self) -> TypeId {
        self.simple_type("void", None, TypeKind::Void)
    }

    pub(super) fn int_type(&mut self) -> TypeId {
        self.simple_type("int", Some(4), TypeKind::Integer { signed: true })
    }

    pub(super) fn pointer_to_const(&mut self, to: TypeId) -> TypeId {
        self.pointer_type("const ", to)
    }

    pub(super) fn pointer_to(&mut self, to: TypeId) -> TypeId {
        self.pointer_type("", to)
    }

    fn pointer_type(&mut self, qualifier: &str, to: TypeId) -> TypeId {
        let spelling = format!("{qualifier}{} *", self.program.types[to.index()].spelling);
        let class = self.type_names[to.index()]
            .strip_prefix(&*self.program.types[to.index()].spelling)
            .unwrap_or_default();
        let name = format!("{spelling}{class}");
        self.made_type(name, spelling, Some(8), TypeKind::Pointer { to })
    }

    fn simple_type(&mut self, spelling: &str, bytes: Option<u64>, kind: TypeKind) -> TypeId {
        self.made_type(spelling.to_owned(), spelling.to_owned(), bytes, kind)
    }

    fn made_type(
        &mut self,
        name: String,
        spelling: String,
        bytes: Option<u64>,
        kind: TypeKind,
    ) -> TypeId {
        if let Some(&id) = self.types_by_name.get(&name) {
            return id;
        }
        let id = self.new_type(name, spelling, bytes);
        self.program.types[id.index()].kind = kind;
        id
    }

    /// A type that is called `name` here, of a kind that is not known yet.
    pub(super) fn new_type(
        &mut self,
        name: String,
        spelling: String,
        bytes: Option<u64>,
    ) -> TypeId {
        let id = TypeId::new(self.program.types.len());
        self.types_by_name.insert(name.clone(), id);
        self.type_names.push(name);
        self.program.types.push(echo_dataflow::program::Type {
            spelling,
            bytes,
            kind: TypeKind::Unknown,
        });
        id
    }
}
