//! Variables, interned by their declaration.

use echo_dataflow::program::{Declaration, Span, Storage, TypeKind, Variable, VariableId};

use super::session::Session;
use super::spans::Ownership;
use crate::clang::{Cursor, Kind};

impl<'tu> Session<'tu> {
    /// The variable that `declaration` (a variable or parameter) declares. `scope` is where its name lives, if the
    /// caller knows; it only matters the first time.
    pub(crate) fn variable(&mut self, declaration: Cursor<'tu>, scope: Option<Span>) -> VariableId {
        let canonical = declaration.canonical();
        if let Some(&id) = self.variables.get(&canonical.key()) {
            return id;
        }
        let storage = storage(declaration);
        let ty = declaration.ty();
        let reference = ty.is_reference();
        let pointee = ty.canonical().pointee();
        let shared = matches!(storage, Storage::Global | Storage::InternalGlobal)
            || storage == Storage::Device
            || storage == Storage::Managed;
        let shown = declaration.definition().unwrap_or(declaration);
        let variable = Variable {
            name: declaration.spelling(),
            usr: if shared { canonical.usr() } else { String::new() },
            ty: self.ty(ty),
            storage,
            assignable: !ty.is_const() && !ty.canonical().is_const() && !reference,
            restrict: ty.is_restrict() || ty.canonical().is_restrict(),
            volatile: ty.canonical().is_volatile() || pointee.is_some_and(|p| p.is_volatile()),
            declaration: self.declared_at(shown, scope),
        };
        let id = VariableId::new(self.program.variables.len());
        self.program.variables.push(variable);
        self.variables.insert(canonical.key(), id);
        id
    }

    fn declared_at(
        &mut self,
        declaration: Cursor<'tu>,
        scope: Option<Span>,
    ) -> Option<Declaration> {
        let at = declaration.location();
        if self.spans.ownership(at) == Ownership::System {
            return None;
        }
        let (_, end) = declaration.extent();
        let mut source = self.spans.range(at, end)?;
        let length = u32::try_from(declaration.spelling().len()).unwrap_or(0);
        source.span.end = source.span.end.min(source.span.start.saturating_add(length));
        let file = source.span.file;
        let whole = u32::try_from(self.spans.text(file).len()).unwrap_or(u32::MAX);
        let scope = scope.unwrap_or(Span { file, start: 0, end: whole });
        Some(Declaration { name: source.span, scope, spelling: source.spelling })
    }

    /// Whether the values of `variable` are pointers.
    pub(crate) fn is_pointer(&self, variable: VariableId) -> bool {
        let ty = self.program.variables[variable.index()].ty;
        matches!(self.program.types[ty.index()].kind, TypeKind::Pointer { .. })
    }
}

fn storage(declaration: Cursor<'_>) -> Storage {
    if declaration.kind() == Kind::ParmDecl {
        return Storage::Parameter;
    }
    let mut storage = None;
    for child in declaration.children() {
        match child.kind() {
            Kind::CUDADeviceAttr | Kind::CUDASharedAttr | Kind::CUDAConstantAttr => {
                storage = storage.or(Some(Storage::Device));
            }
            Kind::AnnotateAttr if child.spelling() == "cuda_managed" => {
                storage = Some(Storage::Managed);
            }
            _ => {}
        }
    }
    if let Some(storage) = storage {
        return storage;
    }
    if !declaration.has_global_storage() {
        return Storage::Local;
    }
    match declaration.semantic_parent().map(Cursor::kind) {
        Some(
            Kind::FunctionDecl
            | Kind::CXXMethod
            | Kind::Constructor
            | Kind::Destructor
            | Kind::ConversionFunction
            | Kind::FunctionTemplate,
        ) if !declaration.canonical().is_extern() => Storage::StaticLocal,
        _ if declaration.has_external_linkage() => Storage::Global,
        _ => Storage::InternalGlobal,
    }
}
