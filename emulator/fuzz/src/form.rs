//! The ways in which C++ hands a pointer on: what a reader of programs must see through.

/// How a part of the body in a function, an object or a scope of its own gets the pointers it works with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// As parameters of a function.
    Parameter(Parameter),
    /// In a struct that is a parameter.
    Held(Held),
    /// As fields of the object whose method it is.
    Method,
    /// It is a lambda.
    Lambda(Lambda),
    /// As variables of its scope.
    Local(Local),
}

impl Form {
    /// All of them.
    pub const ALL: [Self; 22] = [
        Self::Parameter(Parameter::Open),
        Self::Parameter(Parameter::Sized),
        Self::Parameter(Parameter::Rows),
        Self::Parameter(Parameter::RowPointer),
        Self::Parameter(Parameter::Named),
        Self::Parameter(Parameter::Reference),
        Self::Parameter(Parameter::ConstReference),
        Self::Parameter(Parameter::Twice),
        Self::Parameter(Parameter::Deduced),
        Self::Parameter(Parameter::DeducedReference),
        Self::Parameter(Parameter::Index),
        Self::Parameter(Parameter::Default),
        Self::Held(Held::Value),
        Self::Held(Held::Reference),
        Self::Held(Held::Pointer),
        Self::Method,
        Self::Lambda(Lambda::Copy),
        Self::Lambda(Lambda::Parameter),
        Self::Lambda(Lambda::Auto),
        Self::Local(Local::Auto),
        Self::Local(Local::Reference),
        Self::Local(Local::Returned),
    ];

    /// Its name in the report.
    pub fn dimension(self) -> &'static str {
        match self {
            Self::Method => "methods",
            Self::Parameter(Parameter::Open) => "parameters v[]",
            Self::Parameter(Parameter::Sized) => "parameters v[64]",
            Self::Parameter(Parameter::Rows) => "parameters v[][2]",
            Self::Parameter(Parameter::RowPointer) => "parameters (*v)[2]",
            Self::Parameter(Parameter::Named) => "parameters of named array types",
            Self::Parameter(Parameter::Reference) => "parameters *& v",
            Self::Parameter(Parameter::ConstReference) => "parameters *const& v",
            Self::Parameter(Parameter::Twice) => "parameters **v",
            Self::Parameter(Parameter::Deduced) => "templates over pointers",
            Self::Parameter(Parameter::DeducedReference) => "templates over pointers by reference",
            Self::Parameter(Parameter::Index) => "parameters with operator[]",
            Self::Parameter(Parameter::Default) => "default arguments",
            Self::Held(Held::Value) => "structs",
            Self::Held(Held::Reference) => "structs by reference",
            Self::Held(Held::Pointer) => "structs by pointer",
            Self::Lambda(Lambda::Copy) => "lambdas with copies",
            Self::Lambda(Lambda::Parameter) => "lambdas with parameters",
            Self::Lambda(Lambda::Auto) => "lambdas with auto parameters",
            Self::Local(Local::Auto) => "auto",
            Self::Local(Local::Reference) => "auto&",
            Self::Local(Local::Returned) => "returned pointers",
        }
    }
}

/// A parameter of a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Parameter {
    /// `T v[]`.
    Open,
    /// `T v[64]`.
    Sized,
    /// `T v[][2]`.
    Rows,
    /// `T (*v)[2]`.
    RowPointer,
    /// Its type is a name of an array.
    Named,
    /// `T*& v`.
    Reference,
    /// `T* const& v`.
    ConstReference,
    /// `T** v`.
    Twice,
    /// Of a template over the pointer's type.
    Deduced,
    /// The same by reference.
    DeducedReference,
    /// An object with `operator[]`.
    Index,
    /// With others that have default arguments, and one itself where it is a global variable.
    Default,
}

/// A struct of pointers as a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Held {
    /// Itself.
    Value,
    /// A reference to it.
    Reference,
    /// A pointer to it.
    Pointer,
}

/// What a lambda works with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lambda {
    /// What it captured by value.
    Copy,
    /// Its parameters.
    Parameter,
    /// Its `auto` parameters.
    Auto,
}

/// A variable of the scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Local {
    /// `auto v = ...`.
    Auto,
    /// `auto& v = ...`.
    Reference,
    /// What a function that got the pointer returned.
    Returned,
}

/// How a kernel that reads and writes all elements gets the pointer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KernelForm {
    /// `T v[]`.
    Open,
    /// `T v[64]`.
    Sized,
    /// `T v[][2]`.
    Rows,
    /// `T (*v)[2]`.
    RowPointer,
    /// A parameter whose type is a name of an array.
    Named,
    /// A template over the pointer's type.
    Deduced,
    /// An object with `operator[]`.
    Index,
    /// An object whose method does it.
    Method,
    /// A device function with `T v[]` does it.
    Inner,
    /// Through what a device function returns.
    Returned,
}

impl KernelForm {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::Open,
        Self::Sized,
        Self::Rows,
        Self::RowPointer,
        Self::Named,
        Self::Deduced,
        Self::Index,
        Self::Method,
        Self::Inner,
        Self::Returned,
    ];

    /// Its name in the report.
    pub fn dimension(self) -> &'static str {
        match self {
            Self::Open => "kernels with v[]",
            Self::Sized => "kernels with v[64]",
            Self::Rows => "kernels with v[][2]",
            Self::RowPointer => "kernels with (*v)[2]",
            Self::Named => "kernels with named array types",
            Self::Deduced => "kernel templates over pointers",
            Self::Index => "kernels with operator[]",
            Self::Method => "kernels with methods",
            Self::Inner => "device functions with v[]",
            Self::Returned => "device functions that return pointers",
        }
    }
}
