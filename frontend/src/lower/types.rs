//! Types.

use clang_sys as clang;
use echo_dataflow::program::{Type, TypeId, TypeKind};

use crate::clang::{Cursor, Ty};

use super::Unit;

/// The id of `ty`, without sugar and top-level qualifiers.
pub(super) fn intern(unit: &mut Unit<'_>, ty: Ty) -> TypeId {
    let canonical = ty.canonical();
    let mut spelling = canonical.name();
    if let Some(rest) = spelling.strip_prefix("const ")
        && !rest.ends_with('*')
        && !rest.ends_with('&')
    {
        spelling = rest.to_owned();
    }
    if let Some(&id) = unit.types.get(&spelling) {
        return id;
    }
    let id = TypeId::new(unit.program.types.len());
    unit.types.insert(spelling.clone(), id);
    unit.program.types.push(Type {
        spelling: spelling.clone(),
        bytes: canonical.bytes(),
        kind: TypeKind::Unknown,
    });
    let kind = kind(unit, canonical);
    let slot = &mut unit.program.types[id.index()];
    if let TypeKind::Pointer { .. } = kind {
        slot.bytes = Some(8);
    }
    slot.kind = kind;
    id
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
        | clang::CXType_Int128
        | clang::CXType_Enum => TypeKind::Integer { signed: true },
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
    let name = ty.name();
    if let Some(&known) = unit.trivial.get(&name) {
        return known;
    }
    unit.trivial.insert(name.clone(), true);
    let trivial = match ty.declaration().map(|d| d.definition().unwrap_or(d)) {
        None => false,
        Some(declaration) => declaration.children().into_iter().all(|member| match member.kind() {
            clang::CXCursor_Constructor => {
                member.is_defaulted()
                    || member.is_copy_constructor()
                    || !member.arguments().is_empty()
                    || is_cuda_vector(&name)
            }
            clang::CXCursor_Destructor => member.is_defaulted(),
            clang::CXCursor_CXXMethod => !member.is_virtual(),
            clang::CXCursor_FieldDecl => {
                // A default member initialiser is code.
                is_trivial(unit, member.ty()) && !has_initializer(member)
            }
            clang::CXCursor_CXXBaseSpecifier => is_trivial(unit, member.ty()),
            _ => true,
        }),
    };
    unit.trivial.insert(name, trivial);
    trivial
}

fn is_cuda_vector(name: &str) -> bool {
    matches!(
        name.trim_start_matches("struct "),
        "dim3" | "__half" | "__nv_bfloat16" | "__half2" | "__nv_bfloat162"
    )
}

fn has_initializer(field: Cursor) -> bool {
    field.children().into_iter().any(|c| c.is_expression()) && !field.is_bit_field()
}

fn may_hold_pointers(ty: Ty, depth: u32) -> bool {
    let ty = ty.canonical();
    match ty.kind() {
        clang::CXType_Record => {
            if depth > 8 {
                return true;
            }
            let Some(declaration) = ty.declaration().map(|d| d.definition().unwrap_or(d)) else {
                return true;
            };
            if !declaration.is_definition() {
                return true;
            }
            declaration.children().into_iter().any(|member| match member.kind() {
                clang::CXCursor_FieldDecl | clang::CXCursor_CXXBaseSpecifier => {
                    may_hold_pointers(member.ty(), depth + 1)
                }
                clang::CXCursor_CXXMethod => member.is_virtual(),
                _ => false,
            })
        }
        clang::CXType_ConstantArray
        | clang::CXType_IncompleteArray
        | clang::CXType_VariableArray => may_hold_pointers(ty.element(), depth),
        clang::CXType_Pointer
        | clang::CXType_LValueReference
        | clang::CXType_RValueReference
        | clang::CXType_MemberPointer
        | clang::CXType_Long
        | clang::CXType_ULong
        | clang::CXType_LongLong
        | clang::CXType_ULongLong => matches!(
            ty.kind(),
            clang::CXType_Pointer
                | clang::CXType_LValueReference
                | clang::CXType_RValueReference
                | clang::CXType_MemberPointer
        ),
        clang::CXType_Invalid | clang::CXType_Unexposed | clang::CXType_Dependent => true,
        _ => false,
    }
}
