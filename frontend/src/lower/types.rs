//! Types.

use clang_sys as clang;
use echo_dataflow::program::{TypeId, TypeKind};

use crate::clang::Ty;

use super::{Unit, class};

/// The id of `ty`, without sugar and top-level qualifiers.
pub(super) fn intern(unit: &mut Unit<'_>, ty: Ty) -> TypeId {
    let canonical = ty.canonical();
    if let Some(&id) = unit.types.get(&canonical.key()) {
        return id;
    }
    let mut spelling = canonical.name();
    if let Some(rest) = spelling.strip_prefix("const ")
        && !rest.ends_with('*')
        && !rest.ends_with('&')
    {
        spelling = rest.to_owned();
    }
    let name = format!("{spelling}{}", class_of(canonical));
    let id = match unit.types_by_name.get(&name) {
        Some(&id) => id,
        None => {
            let id = unit.new_type(name, spelling, canonical.bytes());
            let kind = kind(unit, canonical);
            let slot = &mut unit.program.types[id.index()];
            if let TypeKind::Pointer { .. } = kind {
                slot.bytes = Some(8);
            }
            slot.kind = kind;
            id
        }
    };
    unit.types.insert(canonical.key(), id);
    id
}

/// Tells types apart that are spelled alike: classes of one name in several functions.
fn class_of(ty: Ty) -> String {
    let mut at = ty;
    // Types nest no deeper than expressions do.
    for _ in 0..256 {
        at = match at.kind() {
            clang::CXType_Pointer
            | clang::CXType_LValueReference
            | clang::CXType_RValueReference => at.pointee().canonical(),
            clang::CXType_ConstantArray
            | clang::CXType_IncompleteArray
            | clang::CXType_VariableArray => at.element().canonical(),
            _ => break,
        };
    }
    match at.declaration() {
        Some(class) => format!(" {:?}", class.canonical().key()),
        None => String::new(),
    }
}

fn kind(unit: &mut Unit<'_>, ty: Ty) -> TypeKind {
    match ty.kind() {
        clang::CXType_Void => TypeKind::Void,
        clang::CXType_Bool
        | clang::CXType_Char_U
        | clang::CXType_UChar
        | clang::CXType_Char16
        | clang::CXType_Char32
        | clang::CXType_UShort
        | clang::CXType_UInt
        | clang::CXType_ULong
        | clang::CXType_ULongLong
        | clang::CXType_UInt128 => TypeKind::Integer { signed: false },
        clang::CXType_Char_S
        | clang::CXType_SChar
        | clang::CXType_WChar
        | clang::CXType_Short
        | clang::CXType_Int
        | clang::CXType_Long
        | clang::CXType_LongLong
        | clang::CXType_Int128 => TypeKind::Integer { signed: true },
        clang::CXType_Enum => match ty.of_enumeration() {
            Some(integer) => kind(unit, integer.canonical()),
            None => TypeKind::Unknown,
        },
        clang::CXType_Float
        | clang::CXType_Double
        | clang::CXType_LongDouble
        | clang::CXType_Float128
        | clang::CXType_Half
        | clang::CXType_Float16
        | clang::CXType_BFloat16
        | clang::CXType_Complex
        | clang::CXType_Vector
        | clang::CXType_ExtVector => TypeKind::Float,
        clang::CXType_NullPtr => TypeKind::Integer { signed: false },
        clang::CXType_Pointer | clang::CXType_LValueReference | clang::CXType_RValueReference => {
            TypeKind::Pointer { to: intern(unit, ty.pointee()) }
        }
        clang::CXType_ConstantArray => {
            TypeKind::Array { of: intern(unit, ty.element()), count: ty.array_count() }
        }
        clang::CXType_IncompleteArray | clang::CXType_VariableArray => {
            TypeKind::Array { of: intern(unit, ty.element()), count: None }
        }
        clang::CXType_Record => record(unit, ty),
        clang::CXType_FunctionProto
        | clang::CXType_FunctionNoProto
        | clang::CXType_MemberPointer => TypeKind::Function,
        _ => TypeKind::Unknown,
    }
}

fn record(unit: &mut Unit<'_>, ty: Ty) -> TypeKind {
    let Some(declaration) = ty.declaration() else {
        return TypeKind::Record { trivial: false, union: false, may_hold_pointers: true };
    };
    TypeKind::Record {
        trivial: is_trivial(unit, ty),
        union: declaration.kind() == clang::CXCursor_UnionDecl,
        may_hold_pointers: may_hold_pointers(ty, 0),
    }
}

/// A number, or a reference to one: it leads to no memory.
pub(super) fn is_number(ty: Ty) -> bool {
    let ty = ty.canonical();
    let ty = if super::is_reference(ty) { ty.pointee().canonical() } else { ty };
    super::expr::is_integer(ty)
        || matches!(
            ty.kind(),
            clang::CXType_Float | clang::CXType_Double | clang::CXType_LongDouble
        )
}

/// Default construction and destruction run no code. Unknown is no.
pub(super) fn is_trivial(unit: &mut Unit<'_>, ty: Ty) -> bool {
    let ty = ty.canonical();
    match ty.kind() {
        clang::CXType_Record => {}
        clang::CXType_ConstantArray
        | clang::CXType_IncompleteArray
        | clang::CXType_VariableArray => {
            return is_trivial(unit, ty.element());
        }
        clang::CXType_Invalid | clang::CXType_Unexposed | clang::CXType_Dependent => return false,
        _ => return true,
    }
    let ty = ty.unqualified().canonical();
    let key = ty.key();
    if let Some(&known) = unit.trivial.get(&key) {
        return known;
    }
    unit.trivial.insert(key, true);
    let trivial = match class::class(ty) {
        None => false,
        Some(class) => {
            (class.default_constructor().is_none() || is_cuda_vector(&ty.name()))
                && class.destructor().is_none()
                && !class.has_virtual()
                // A default member initialiser is code, wherever it is written.
                && !class
                    .fields
                    .iter()
                    .chain(class.members.iter().filter(|m| m.kind() == clang::CXCursor_FieldDecl))
                    .any(|field| {
                        class::field_initializer(*field).is_some() || unit.hides_default(*field)
                    })
                && class.fields.iter().all(|field| is_trivial(unit, field.ty()))
                && class.bases().all(|base| is_trivial(unit, base.ty()))
        }
    };
    unit.trivial.insert(key, trivial);
    trivial
}

fn is_cuda_vector(name: &str) -> bool {
    matches!(
        name.trim_start_matches("struct "),
        "dim3" | "__half" | "__nv_bfloat16" | "__half2" | "__nv_bfloat162"
    )
}

/// Assigning a value of `ty` copies its bytes and runs no code: no class in it has an assignment operator that was written.
pub(super) fn assigns_bytes(ty: Ty, depth: u32) -> bool {
    let ty = ty.canonical();
    match ty.kind() {
        clang::CXType_Record => {
            let Some(class) = class::class(ty).filter(|c| c.declaration.is_definition()) else {
                return false;
            };
            depth < 8
                && !class.has_virtual()
                && !class.members.iter().any(|m| m.name() == "operator=" && !m.is_defaulted())
                && class.fields.iter().all(|field| assigns_bytes(field.ty(), depth + 1))
                && class.bases().all(|base| assigns_bytes(base.ty(), depth + 1))
        }
        clang::CXType_ConstantArray => assigns_bytes(ty.element(), depth),
        clang::CXType_LValueReference
        | clang::CXType_RValueReference
        | clang::CXType_Invalid
        | clang::CXType_Unexposed
        | clang::CXType_Dependent => false,
        _ => true,
    }
}

/// A class of a library, or one of CUDA's vectors.
pub(super) fn is_of_library(ty: Ty) -> bool {
    let ty = ty.canonical();
    is_cuda_vector(&ty.name())
        || ty.declaration().is_some_and(|declaration| declaration.in_system_header())
}

/// A class that is made by a constructor that was written.
pub(super) fn has_constructors(ty: Ty) -> bool {
    class::class(ty).is_none_or(|class| {
        let mut members = class.members.iter();
        class.from_template && class.declaration.in_system_header()
            || members.any(|m| m.kind() == clang::CXCursor_Constructor && !m.is_defaulted())
    })
}

/// A list of initialisers makes a value of `ty` without running code.
pub(super) fn is_plain_aggregate(ty: Ty, depth: u32) -> bool {
    let ty = ty.canonical();
    match ty.kind() {
        clang::CXType_Record => {
            let Some(class) = class::class(ty).filter(|c| c.declaration.is_definition()) else {
                return false;
            };
            if class.declaration.in_system_header() {
                let mut arguments = ty.template_arguments().into_iter();
                return depth < 8 && arguments.all(|a| is_plain_aggregate(a, depth + 1));
            }
            depth < 8
                && !has_constructors(ty)
                && class.fields.iter().chain(&class.members).all(|field| {
                    field.kind() != clang::CXCursor_FieldDecl
                        || class::field_initializer(*field).is_none()
                })
                && class.fields.iter().all(|field| is_plain_aggregate(field.ty(), depth + 1))
                && class.bases().all(|base| is_plain_aggregate(base.ty(), depth + 1))
        }
        clang::CXType_ConstantArray => is_plain_aggregate(ty.element(), depth),
        clang::CXType_Invalid | clang::CXType_Unexposed | clang::CXType_Dependent => false,
        _ => true,
    }
}

fn may_hold_pointers(ty: Ty, depth: u32) -> bool {
    let ty = ty.canonical();
    match ty.kind() {
        clang::CXType_Record => {
            if depth > 8 {
                return true;
            }
            let Some(class) = class::class(ty).filter(|c| c.declaration.is_definition()) else {
                return true;
            };
            class.has_virtual()
                || class.fields.iter().any(|field| may_hold_pointers(field.ty(), depth + 1))
                || class.bases().any(|base| may_hold_pointers(base.ty(), depth + 1))
        }
        clang::CXType_ConstantArray
        | clang::CXType_IncompleteArray
        | clang::CXType_VariableArray => may_hold_pointers(ty.element(), depth),
        clang::CXType_Pointer
        | clang::CXType_LValueReference
        | clang::CXType_RValueReference
        | clang::CXType_MemberPointer
        // A pointer may travel in an integer of its size.
        | clang::CXType_Long
        | clang::CXType_ULong
        | clang::CXType_LongLong
        | clang::CXType_ULongLong
        | clang::CXType_Int128
        | clang::CXType_UInt128 => true,
        clang::CXType_Invalid | clang::CXType_Unexposed | clang::CXType_Dependent => true,
        _ => false,
    }
}

/// Whether an object of type `ty`, or what it points to, is volatile.
pub(super) fn is_volatile(ty: Ty) -> bool {
    let ty = ty.canonical();
    if ty.is_volatile() {
        return true;
    }
    match ty.kind() {
        clang::CXType_Pointer | clang::CXType_LValueReference | clang::CXType_RValueReference => {
            ty.pointee().is_volatile()
        }
        clang::CXType_ConstantArray | clang::CXType_IncompleteArray => ty.element().is_volatile(),
        _ => false,
    }
}
