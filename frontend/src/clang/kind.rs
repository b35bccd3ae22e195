//! Kinds of nodes, operators and types, as enumerations.
#![allow(non_upper_case_globals, reason = "libclang's own constants")]

use clang_sys::*;

macro_rules! kinds {
    ($(#[$doc:meta])* $name:ident from $raw:ident { $($variant:ident = $($constant:ident)|+,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[allow(missing_docs, reason = "named after libclang's constants")]
        pub enum $name {
            $($variant,)*
            /// None of the above; libclang's number.
            Other($raw),
        }

        impl $name {
            pub(super) fn from_raw(raw: $raw) -> Self {
                match raw {
                    $($($constant)|+ => Self::$variant,)*
                    other => Self::Other(other),
                }
            }
        }
    };
}

kinds! {
    /// What a node is (`CXCursor_*`).
    Kind from CXCursorKind {
        UnexposedDecl = CXCursor_UnexposedDecl,
        StructDecl = CXCursor_StructDecl,
        UnionDecl = CXCursor_UnionDecl,
        ClassDecl = CXCursor_ClassDecl,
        EnumDecl = CXCursor_EnumDecl,
        FieldDecl = CXCursor_FieldDecl,
        EnumConstantDecl = CXCursor_EnumConstantDecl,
        FunctionDecl = CXCursor_FunctionDecl,
        VarDecl = CXCursor_VarDecl,
        ParmDecl = CXCursor_ParmDecl,
        TypedefDecl = CXCursor_TypedefDecl,
        CXXMethod = CXCursor_CXXMethod,
        Namespace = CXCursor_Namespace,
        LinkageSpec = CXCursor_LinkageSpec,
        Constructor = CXCursor_Constructor,
        Destructor = CXCursor_Destructor,
        ConversionFunction = CXCursor_ConversionFunction,
        FunctionTemplate = CXCursor_FunctionTemplate,
        ClassTemplate = CXCursor_ClassTemplate,
        ClassTemplatePartialSpecialization = CXCursor_ClassTemplatePartialSpecialization,
        NamespaceAlias = CXCursor_NamespaceAlias,
        UsingDirective = CXCursor_UsingDirective,
        UsingDeclaration = CXCursor_UsingDeclaration,
        TypeAliasDecl = CXCursor_TypeAliasDecl,
        CXXAccessSpecifier = CXCursor_CXXAccessSpecifier,
        TypeAliasTemplateDecl = CXCursor_TypeAliasTemplateDecl,
        StaticAssert = CXCursor_StaticAssert,
        FriendDecl = CXCursor_FriendDecl,
        TemplateTypeParameter = CXCursor_TemplateTypeParameter,
        NonTypeTemplateParameter = CXCursor_NonTypeTemplateParameter,
        TemplateTemplateParameter = CXCursor_TemplateTemplateParameter,
        TypeRef = CXCursor_TypeRef,
        CXXBaseSpecifier = CXCursor_CXXBaseSpecifier,
        TemplateRef = CXCursor_TemplateRef,
        NamespaceRef = CXCursor_NamespaceRef,
        MemberRef = CXCursor_MemberRef,
        LabelRef = CXCursor_LabelRef,
        OverloadedDeclRef = CXCursor_OverloadedDeclRef,
        VariableRef = CXCursor_VariableRef,
        UnexposedExpr = CXCursor_UnexposedExpr,
        DeclRefExpr = CXCursor_DeclRefExpr,
        MemberRefExpr = CXCursor_MemberRefExpr,
        CallExpr = CXCursor_CallExpr,
        IntegerLiteral = CXCursor_IntegerLiteral,
        FloatingLiteral = CXCursor_FloatingLiteral,
        ImaginaryLiteral = CXCursor_ImaginaryLiteral,
        StringLiteral = CXCursor_StringLiteral,
        CharacterLiteral = CXCursor_CharacterLiteral,
        ParenExpr = CXCursor_ParenExpr,
        UnaryOperator = CXCursor_UnaryOperator,
        ArraySubscriptExpr = CXCursor_ArraySubscriptExpr,
        BinaryOperator = CXCursor_BinaryOperator,
        CompoundAssignOperator = CXCursor_CompoundAssignOperator,
        ConditionalOperator = CXCursor_ConditionalOperator,
        CStyleCastExpr = CXCursor_CStyleCastExpr,
        CompoundLiteralExpr = CXCursor_CompoundLiteralExpr,
        InitListExpr = CXCursor_InitListExpr,
        StmtExpr = CXCursor_StmtExpr,
        GNUNullExpr = CXCursor_GNUNullExpr,
        CXXStaticCastExpr = CXCursor_CXXStaticCastExpr,
        CXXDynamicCastExpr = CXCursor_CXXDynamicCastExpr,
        CXXReinterpretCastExpr = CXCursor_CXXReinterpretCastExpr,
        CXXConstCastExpr = CXCursor_CXXConstCastExpr,
        CXXFunctionalCastExpr = CXCursor_CXXFunctionalCastExpr,
        CXXAddrspaceCastExpr = CXCursor_CXXAddrspaceCastExpr,
        CXXTypeidExpr = CXCursor_CXXTypeidExpr,
        CXXBoolLiteralExpr = CXCursor_CXXBoolLiteralExpr,
        CXXNullPtrLiteralExpr = CXCursor_CXXNullPtrLiteralExpr,
        CXXThisExpr = CXCursor_CXXThisExpr,
        CXXThrowExpr = CXCursor_CXXThrowExpr,
        CXXNewExpr = CXCursor_CXXNewExpr,
        CXXDeleteExpr = CXCursor_CXXDeleteExpr,
        UnaryExpr = CXCursor_UnaryExpr,
        PackExpansionExpr = CXCursor_PackExpansionExpr,
        SizeOfPackExpr = CXCursor_SizeOfPackExpr,
        LambdaExpr = CXCursor_LambdaExpr,
        BuiltinBitCastExpr = CXCursor_BuiltinBitCastExpr,
        CXXParenListInitExpr = CXCursor_CXXParenListInitExpr,
        UnexposedStmt = CXCursor_UnexposedStmt,
        LabelStmt = CXCursor_LabelStmt,
        CompoundStmt = CXCursor_CompoundStmt,
        CaseStmt = CXCursor_CaseStmt,
        DefaultStmt = CXCursor_DefaultStmt,
        IfStmt = CXCursor_IfStmt,
        SwitchStmt = CXCursor_SwitchStmt,
        WhileStmt = CXCursor_WhileStmt,
        DoStmt = CXCursor_DoStmt,
        ForStmt = CXCursor_ForStmt,
        GotoStmt = CXCursor_GotoStmt,
        IndirectGotoStmt = CXCursor_IndirectGotoStmt,
        ContinueStmt = CXCursor_ContinueStmt,
        BreakStmt = CXCursor_BreakStmt,
        ReturnStmt = CXCursor_ReturnStmt,
        AsmStmt = CXCursor_AsmStmt,
        MSAsmStmt = CXCursor_MSAsmStmt,
        CXXCatchStmt = CXCursor_CXXCatchStmt,
        CXXTryStmt = CXCursor_CXXTryStmt,
        CXXForRangeStmt = CXCursor_CXXForRangeStmt,
        NullStmt = CXCursor_NullStmt,
        DeclStmt = CXCursor_DeclStmt,
        AnnotateAttr = CXCursor_AnnotateAttr,
        CUDAConstantAttr = CXCursor_CUDAConstantAttr,
        CUDADeviceAttr = CXCursor_CUDADeviceAttr,
        CUDAGlobalAttr = CXCursor_CUDAGlobalAttr,
        CUDAHostAttr = CXCursor_CUDAHostAttr,
        CUDASharedAttr = CXCursor_CUDASharedAttr,
        MacroDefinition = CXCursor_MacroDefinition,
        MacroExpansion = CXCursor_MacroExpansion,
        InclusionDirective = CXCursor_InclusionDirective,
    }
}

kinds! {
    /// A binary operator (`CXBinaryOperator_*`).
    BinaryOperator from CXBinaryOperatorKind {
        PtrMemD = CXBinaryOperator_PtrMemD,
        PtrMemI = CXBinaryOperator_PtrMemI,
        Mul = CXBinaryOperator_Mul,
        Div = CXBinaryOperator_Div,
        Rem = CXBinaryOperator_Rem,
        Add = CXBinaryOperator_Add,
        Sub = CXBinaryOperator_Sub,
        Shl = CXBinaryOperator_Shl,
        Shr = CXBinaryOperator_Shr,
        Cmp = CXBinaryOperator_Cmp,
        Less = CXBinaryOperator_LT,
        Greater = CXBinaryOperator_GT,
        LessEqual = CXBinaryOperator_LE,
        GreaterEqual = CXBinaryOperator_GE,
        Equal = CXBinaryOperator_EQ,
        NotEqual = CXBinaryOperator_NE,
        And = CXBinaryOperator_And,
        Xor = CXBinaryOperator_Xor,
        Or = CXBinaryOperator_Or,
        LogicalAnd = CXBinaryOperator_LAnd,
        LogicalOr = CXBinaryOperator_LOr,
        Assign = CXBinaryOperator_Assign,
        MulAssign = CXBinaryOperator_MulAssign,
        DivAssign = CXBinaryOperator_DivAssign,
        RemAssign = CXBinaryOperator_RemAssign,
        AddAssign = CXBinaryOperator_AddAssign,
        SubAssign = CXBinaryOperator_SubAssign,
        ShlAssign = CXBinaryOperator_ShlAssign,
        ShrAssign = CXBinaryOperator_ShrAssign,
        AndAssign = CXBinaryOperator_AndAssign,
        XorAssign = CXBinaryOperator_XorAssign,
        OrAssign = CXBinaryOperator_OrAssign,
        Comma = CXBinaryOperator_Comma,
    }
}

kinds! {
    /// A unary operator (`CXUnaryOperator_*`).
    UnaryOperator from CXUnaryOperatorKind {
        PostInc = CXUnaryOperator_PostInc,
        PostDec = CXUnaryOperator_PostDec,
        PreInc = CXUnaryOperator_PreInc,
        PreDec = CXUnaryOperator_PreDec,
        AddrOf = CXUnaryOperator_AddrOf,
        Deref = CXUnaryOperator_Deref,
        Plus = CXUnaryOperator_Plus,
        Minus = CXUnaryOperator_Minus,
        Not = CXUnaryOperator_Not,
        LogicalNot = CXUnaryOperator_LNot,
        Real = CXUnaryOperator_Real,
        Imag = CXUnaryOperator_Imag,
        Extension = CXUnaryOperator_Extension,
        Coawait = CXUnaryOperator_Coawait,
    }
}

kinds! {
    /// Shape of a canonical type (`CXType_*`).
    TypeShape from CXTypeKind {
        Void = CXType_Void,
        Bool = CXType_Bool,
        Unsigned = CXType_Char_U | CXType_UChar | CXType_Char16 | CXType_Char32 | CXType_UShort | CXType_UInt | CXType_ULong | CXType_ULongLong | CXType_UInt128,
        Signed = CXType_Char_S | CXType_SChar | CXType_WChar | CXType_Short | CXType_Int | CXType_Long | CXType_LongLong | CXType_Int128,
        Float = CXType_Float | CXType_Double | CXType_LongDouble | CXType_Float128 | CXType_Half | CXType_Float16 | CXType_BFloat16 | CXType_Ibm128,
        Complex = CXType_Complex,
        NullPointer = CXType_NullPtr,
        Pointer = CXType_Pointer,
        LValueReference = CXType_LValueReference,
        RValueReference = CXType_RValueReference,
        Record = CXType_Record,
        Enum = CXType_Enum,
        Function = CXType_FunctionProto | CXType_FunctionNoProto,
        MemberPointer = CXType_MemberPointer,
        ConstantArray = CXType_ConstantArray,
        OtherArray = CXType_IncompleteArray | CXType_VariableArray | CXType_DependentSizedArray,
        Vector = CXType_Vector | CXType_ExtVector,
        Dependent = CXType_Dependent | CXType_Unexposed | CXType_Overload,
    }
}
