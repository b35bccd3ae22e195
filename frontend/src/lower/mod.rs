//! Syntax tree to program. Total: each construct is lowered exactly, or becomes `Opaque`.

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "what an expression is not, is left as it is: every rest arm keeps the value or gives it up"
)]

mod body;
mod bounds;
mod call;
mod capture;
mod class;
mod cleanup;
mod collect;
mod conversion;
mod cuda_api;
mod cuda_roles;
mod expr;
mod heap;
mod host_library;
mod if_header;
mod kept_value;
mod lambda;
mod launch;
mod library_call;
mod library_code;
mod linking;
mod list;
mod loops;
mod new_shape;
mod operators;
mod place;
mod plain_code;
mod pragma;
mod range_code;
mod scope;
mod selected;
mod sequence;
mod source;
mod statement;
mod syntax;
mod types;
mod value_category;

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;

use clang_sys as clang;
use echo_dataflow::program::{
    FileId, Function, FunctionId, FunctionKind, Program, Storage, TypeId, Variable, VariableId,
};

use crate::audit::Lost;
use crate::clang::{Cursor, CursorKey, Ty, TyKey};
use crate::source_text::Files;

/// What the lowering needs to know besides the syntax tree.
pub(crate) struct Context<'a> {
    /// Texts of the unit's own files.
    pub(crate) files: &'a Files,
    /// The language is C.
    pub(crate) in_c: bool,
    /// Names of functions that allocate host memory like `malloc`.
    pub(crate) allocators: &'a [String],
    /// Names of functions that free it.
    pub(crate) deallocators: &'a [String],
}

/// Lowers all functions that are defined in the unit's own files or that they instantiate.
pub(crate) fn lower(root: Cursor, context: &Context<'_>, lost: &Lost) -> Program {
    let mut unit = Unit {
        context,
        selected: selected::Selected::of(context.files),
        expansions: expansions(root),
        program: Program::default(),
        types: HashMap::new(),
        names: HashSet::new(),
        types_by_name: HashMap::new(),
        type_names: Vec::new(),
        variables: HashMap::new(),
        functions: HashMap::new(),
        pending: VecDeque::new(),
        file_ids: HashMap::new(),
        catches: false,
        replaces_new: false,
        weak: HashSet::new(),
        weak_symbols: Vec::new(),
        pragma_macros: Vec::new(),
        second_name: None,
        global_object: None,
        lambda_this: HashMap::new(),
        this_classes: HashMap::new(),
        lambdas: HashMap::new(),
        trivial: HashMap::new(),
        judged: plain_code::Judged::default(),
        extensions: library_code::Extensions::default(),
        invalid: HashSet::new(),
        device_uses: HashMap::new(),
    };
    unit.symbol_pragmas();
    unit.pragma_macros();
    let mut definitions = Vec::new();
    unit.collect(root, &mut definitions);
    for cursor in definitions {
        unit.function(cursor);
    }
    while let Some((id, cursor)) = unit.pending.pop_front() {
        unit.body(id, cursor);
        unit.check_complete(id, cursor, lost);
    }
    unit.doubt_overloads();
    let mut program = unit.program;
    // A long program stays in memory until it is judged.
    program.variables.shrink_to_fit();
    program.functions.shrink_to_fit();
    program
}

/// Uses of macros, by file.
fn expansions(root: Cursor) -> HashMap<usize, Vec<(u32, u32)>> {
    let mut found: HashMap<usize, Vec<(u32, u32)>> = HashMap::new();
    for child in root.children() {
        if child.kind() == clang::CXCursor_MacroExpansion && !child.in_system_header() {
            let (start, end) = child.expanded_range();
            found.entry(start.file).or_default().push((start.offset, end.offset));
        }
    }
    found
}

/// One translation unit being lowered.
pub(crate) struct Unit<'a> {
    context: &'a Context<'a>,
    /// Names that mean something else to other passes and compilers.
    selected: selected::Selected,
    /// Uses of macros, by file.
    expansions: HashMap<usize, Vec<(u32, u32)>>,
    program: Program,
    types: HashMap<TyKey, TypeId>,
    /// The same by what they are called, for those that are made here.
    types_by_name: HashMap<String, TypeId>,
    /// What each is called there.
    type_names: Vec<String>,
    /// Names of what is called, which statements share.
    names: HashSet<Arc<str>>,
    variables: HashMap<CursorKey, VariableId>,
    functions: HashMap<CursorKey, FunctionId>,
    pending: VecDeque<(FunctionId, Cursor)>,
    file_ids: HashMap<usize, FileId>,
    /// Some function of the unit's own files catches exceptions.
    catches: bool,
    /// The unit's own files define `operator new` or `operator delete` for all types.
    replaces_new: bool,
    /// Functions of which a declaration is weak.
    weak: HashSet<CursorKey>,
    /// Operands of `#pragma weak`.
    weak_symbols: Vec<String>,
    /// Macros that hold `_Pragma`, with their definitions.
    pragma_macros: Vec<(Vec<u8>, Vec<u8>)>,
    /// A variable whose storage may have another name.
    second_name: Option<String>,
    /// A variable of static storage whose construction or destruction runs code of the program.
    global_object: Option<String>,
    /// The `this` that the bodies of lambdas refer to, by their class.
    lambda_this: HashMap<CursorKey, VariableId>,
    /// The classes that the variables `this` point to.
    this_classes: HashMap<VariableId, Ty>,
    /// The function of each lambda, by its class.
    lambdas: HashMap<CursorKey, FunctionId>,
    /// Whether destroying a value of a record type runs no code.
    trivial: HashMap<TyKey, bool>,
    /// Which functions are plain, and which types the library may handle without running others.
    judged: plain_code::Judged,
    /// What the unit's own files give to the library.
    extensions: library_code::Extensions,
    /// Names of functions with a declaration that did not resolve: a call may mean that one.
    invalid: HashSet<String>,
    /// What functions do with the device.
    device_uses: HashMap<CursorKey, sequence::DeviceUse>,
}

impl Unit<'_> {
    /// `text`, shared with all that are equal.
    fn name(&mut self, text: &str) -> Arc<str> {
        if let Some(name) = self.names.get(text) {
            return Arc::clone(name);
        }
        let name: Arc<str> = text.into();
        self.names.insert(Arc::clone(&name));
        name
    }

    /// What a pointer to `target` calls: a lambda that was converted to a pointer runs through a function without a body.
    fn pointed_to(&mut self, target: Cursor) -> Option<FunctionId> {
        let lambda = target
            .semantic_parent()
            .filter(|_| target.name() == "__invoke")
            .and_then(|class| self.lambdas.get(&class.canonical().key()).copied());
        lambda.or_else(|| self.function_target(target))
    }

    /// The function `cursor` (a definition) is lowered, now or later.
    fn function(&mut self, cursor: Cursor) -> FunctionId {
        let key = cursor.canonical().key();
        if let Some(&id) = self.functions.get(&key) {
            return id;
        }
        let id = FunctionId::new(self.program.functions.len());
        self.functions.insert(key, id);
        let kind = self.function_kind(cursor);
        let returns = self.type_of(cursor.result_type());
        let source = self.name_source(cursor);
        let definition = self.definition_span(cursor);
        self.program.functions.push(Function {
            usr: cursor.usr(),
            name: qualified_name(cursor),
            kind,
            parameters: Vec::new(),
            returns,
            internal_linkage: matches!(
                cursor.linkage(),
                clang::CXLinkage_Internal | clang::CXLinkage_NoLinkage
            ),
            address_taken: cursor.kind() == clang::CXCursor_CXXMethod && cursor.is_virtual(),
            variadic: cursor.is_variadic(),
            blocks: Vec::new(),
            opaque: None,
            source,
            definition,
        });
        self.pending.push_back((id, cursor));
        id
    }

    /// A function whose code holds an identifier that the tree lost is opaque.
    fn check_complete(&mut self, id: FunctionId, cursor: Cursor, lost: &Lost) {
        let (start, end) = cursor.expanded_range();
        // Only code can be lost: a name in the head that does not resolve makes the declaration invalid. The
        // initialisers of a constructor are code.
        let body = cursor.children().into_iter().find(|c| {
            matches!(c.kind(), clang::CXCursor_CompoundStmt | clang::CXCursor_CXXTryStmt)
        });
        let code = match body {
            Some(body) if cursor.kind() != clang::CXCursor_Constructor => {
                let begin = body.expanded_range().0;
                if begin.file == start.file { begin.offset } else { start.offset }
            }
            Some(_) | None => start.offset,
        };
        let missing = lost.get(&start.file).and_then(|in_file| {
            in_file.range(code..end.offset.max(code)).next().map(|(_, name)| name.clone())
        });
        // Device code is read as the host pass sees it: what an architecture test selects is not what runs.
        let on_device = cursor.children().iter().any(|c| {
            matches!(c.kind(), clang::CXCursor_CUDAGlobalAttr | clang::CXCursor_CUDADeviceAttr)
        });
        let selected = self.selected_otherwise(cursor, on_device);
        let invalid = cursor.is_invalid_declaration()
            || cursor
                .children()
                .iter()
                .any(|c| c.kind() == clang::CXCursor_ParmDecl && c.is_invalid_declaration());
        let function = &mut self.program.functions[id.index()];
        if invalid {
            function.blocks.clear();
            function.opaque.get_or_insert("its declaration is in error".to_owned());
        }
        if let Some(why) = selected {
            function.blocks.clear();
            function.opaque.get_or_insert(why);
        }
        if function.kind == FunctionKind::Main
            && let Some(object) = &self.global_object
        {
            function.blocks.clear();
            function.opaque.get_or_insert(format!(
                "the global object `{object}` runs code before or after it"
            ));
        }
        if let Some(why) = self.unfollowed_pragma(cursor) {
            let function = &mut self.program.functions[id.index()];
            function.blocks.clear();
            function.opaque.get_or_insert(why.to_owned());
        }
        if self.is_weak(cursor) {
            let function = &mut self.program.functions[id.index()];
            function.blocks.clear();
            function
                .opaque
                .get_or_insert("it is weak: another definition may replace it".to_owned());
        }
        if let Some(variable) = &self.second_name {
            let why = format!("`{variable}` may be another name of some variable");
            let function = &mut self.program.functions[id.index()];
            function.blocks.clear();
            function.opaque.get_or_insert(why);
        }
        if let Some(name) = missing {
            let function = &mut self.program.functions[id.index()];
            function.blocks.clear();
            function.opaque.get_or_insert(format!("the name `{name}` did not resolve"));
        }
    }

    fn function_kind(&self, cursor: Cursor) -> FunctionKind {
        let mut host = false;
        let mut device = false;
        for child in cursor.children() {
            match child.kind() {
                clang::CXCursor_CUDAGlobalAttr => return FunctionKind::Kernel,
                clang::CXCursor_CUDADeviceAttr => device = true,
                clang::CXCursor_CUDAHostAttr => host = true,
                _ => {}
            }
        }
        if device && !host {
            return FunctionKind::Device;
        }
        match cursor.kind() {
            clang::CXCursor_Constructor => FunctionKind::Constructor,
            clang::CXCursor_Destructor => FunctionKind::Destructor,
            clang::CXCursor_FunctionDecl if cursor.name() == "main" => FunctionKind::Main,
            _ => FunctionKind::Host,
        }
    }

    /// The variable that `cursor` declares.
    fn variable(&mut self, cursor: Cursor) -> VariableId {
        let cursor =
            if cursor.kind() == clang::CXCursor_ParmDecl { cursor } else { cursor.canonical() };
        let key = cursor.key();
        if let Some(&id) = self.variables.get(&key) {
            return id;
        }
        let written = cursor.ty();
        let reference = is_reference(written);
        let ty = self.type_of(written);
        let storage = self.storage(cursor);
        let declaration = self.declaration(cursor);
        let id = VariableId::new(self.program.variables.len());
        let usr = match storage {
            Storage::Global | Storage::Device | Storage::Managed => cursor.usr(),
            Storage::InternalGlobal
            | Storage::StaticLocal
            | Storage::Local
            | Storage::Parameter
            | Storage::Temporary => String::new(),
        };
        self.program.variables.push(Variable {
            name: cursor.name(),
            usr,
            ty,
            storage,
            assignable: !written.is_const() && !reference,
            restrict: written.is_restrict(),
            volatile: types::is_volatile(written),
            declaration,
        });
        self.variables.insert(key, id);
        id
    }

    fn storage(&self, cursor: Cursor) -> Storage {
        if cursor.kind() == clang::CXCursor_ParmDecl {
            return Storage::Parameter;
        }
        for child in cursor.children() {
            match child.kind() {
                clang::CXCursor_CUDADeviceAttr
                | clang::CXCursor_CUDAConstantAttr
                | clang::CXCursor_CUDASharedAttr => return Storage::Device,
                clang::CXCursor_AnnotateAttr if child.name() == "cuda_managed" => {
                    return Storage::Managed;
                }
                _ => {}
            }
        }
        let in_function = cursor.semantic_parent().is_some_and(|parent| is_function(parent.kind()));
        let is_static = cursor.storage_class() == clang::CX_SC_Static || cursor.is_thread_local();
        match (in_function, is_static) {
            (true, _) if cursor.storage_class() == clang::CX_SC_Extern => Storage::Global,
            (true, true) => Storage::StaticLocal,
            (true, false) => Storage::Local,
            (false, _) if cursor.kind() == clang::CXCursor_FieldDecl => Storage::Local,
            (false, _) => match cursor.linkage() {
                clang::CXLinkage_Internal | clang::CXLinkage_NoLinkage => Storage::InternalGlobal,
                _ => Storage::Global,
            },
        }
    }

    fn temporary(&mut self, ty: TypeId) -> VariableId {
        let id = VariableId::new(self.program.variables.len());
        self.program.variables.push(Variable {
            name: format!("%{}", id.0),
            usr: String::new(),
            ty,
            storage: Storage::Temporary,
            assignable: false,
            restrict: false,
            volatile: false,
            declaration: None,
        });
        id
    }

    fn type_of(&mut self, ty: Ty) -> TypeId {
        types::intern(self, ty)
    }
}

/// Whether the cursor kind is a function's.
pub(crate) fn is_function(kind: clang::CXCursorKind) -> bool {
    matches!(
        kind,
        clang::CXCursor_FunctionDecl
            | clang::CXCursor_CXXMethod
            | clang::CXCursor_Constructor
            | clang::CXCursor_Destructor
            | clang::CXCursor_ConversionFunction
            | clang::CXCursor_FunctionTemplate
            | clang::CXCursor_LambdaExpr
    )
}

/// A member of a template that is not instantiated.
fn is_dependent_context(cursor: Cursor) -> bool {
    let mut at = cursor.semantic_parent();
    while let Some(parent) = at {
        if matches!(
            parent.kind(),
            clang::CXCursor_ClassTemplate | clang::CXCursor_ClassTemplatePartialSpecialization
        ) {
            return true;
        }
        at = parent.semantic_parent();
    }
    false
}

/// `ns::Class::method`, without template arguments and without inline namespaces of the library's own.
pub(crate) fn qualified_name(cursor: Cursor) -> String {
    let mut parts = vec![plain(&cursor.name())];
    let mut at = cursor.semantic_parent();
    while let Some(parent) = at {
        match parent.kind() {
            clang::CXCursor_Namespace
            | clang::CXCursor_StructDecl
            | clang::CXCursor_ClassDecl
            | clang::CXCursor_UnionDecl
            | clang::CXCursor_ClassTemplate
            | clang::CXCursor_ClassTemplatePartialSpecialization => {
                let name = parent.name();
                if !name.is_empty() && !name.starts_with("__") && !name.starts_with("_V") {
                    parts.push(plain(&name));
                }
            }
            _ => {}
        }
        at = parent.semantic_parent();
    }
    parts.reverse();
    parts.join("::")
}

fn plain(name: &str) -> String {
    if name.starts_with("operator") {
        return name.to_owned();
    }
    name.split('<').next().unwrap_or(name).to_owned()
}

/// Whether a type is a C++ reference.
pub(crate) fn is_reference(ty: Ty) -> bool {
    ty.is_reference()
}

fn is_array(ty: Ty) -> bool {
    matches!(ty.canonical().kind(), clang::CXType_ConstantArray | clang::CXType_IncompleteArray)
}
