//! Abstract values.

use std::collections::BTreeSet;

use crate::program::FunctionId;
use crate::size::{Size, Symbol};

crate::index_type! {
    /// Index into the object table of one root.
    in pub(crate) Region
}

/// What a cell of memory or an expression may hold.
///
/// `Nothing` is bottom (never assigned: using it is undefined behaviour of the program); join is the union of the
/// pointers and, for integers that differ, a symbol of the joining place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Value {
    /// Indeterminate: never assigned on any path.
    Nothing,
    /// An integer.
    Integer(Size),
    /// A pointer.
    Pointer(Pointer),
    /// A function pointer or callable.
    Function(BTreeSet<FunctionId>),
    /// Some value, always the same one for the same symbol: a number, or a pointer to anything that has escaped.
    Unknown(Symbol),
    /// Some value without identity: reading it twice may give two numbers.
    Any,
}

/// A pointer value.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Pointer {
    /// Regions it may point into, ascending, each with the byte offset if that is known.
    pub(crate) regions: Vec<(Region, Option<Size>)>,
    /// It may point to anything that has escaped, and to external memory.
    pub(crate) unknown: bool,
    /// It may be null.
    pub(crate) null: bool,
}

impl Pointer {
    /// The null pointer.
    pub(crate) fn null() -> Self {
        Self { regions: Vec::new(), unknown: false, null: true }
    }

    /// A pointer to `region` at `offset` bytes.
    pub(crate) fn to(region: Region, offset: Option<Size>) -> Self {
        Self { regions: vec![(region, offset)], unknown: false, null: false }
    }

    /// A pointer to anything that has escaped.
    pub(crate) fn anywhere() -> Self {
        Self { regions: Vec::new(), unknown: true, null: true }
    }

    /// Union.
    pub(crate) fn join(&self, other: &Self) -> Self {
        let mut regions = Vec::with_capacity(self.regions.len() + other.regions.len());
        let (mut left, mut right) =
            (self.regions.iter().peekable(), other.regions.iter().peekable());
        loop {
            match (left.peek(), right.peek()) {
                (Some(l), Some(r)) if l.0 == r.0 => {
                    let offset = if l.1 == r.1 { l.1.clone() } else { None };
                    regions.push((l.0, offset));
                    left.next();
                    right.next();
                }
                (Some(l), Some(r)) if l.0 < r.0 => {
                    regions.push((*l).clone());
                    left.next();
                }
                (_, Some(r)) => {
                    regions.push((*r).clone());
                    right.next();
                }
                (Some(l), None) => {
                    regions.push((*l).clone());
                    left.next();
                }
                (None, None) => break,
            }
        }
        Self { regions, unknown: self.unknown || other.unknown, null: self.null || other.null }
    }

    /// The pointer moved by `bytes`.
    pub(crate) fn moved(&self, bytes: Option<&Size>) -> Self {
        let regions = self
            .regions
            .iter()
            .map(|(region, offset)| {
                let sum = match (offset, bytes) {
                    (Some(offset), Some(bytes)) => offset.add(bytes),
                    (Some(_) | None, Some(_) | None) => None,
                };
                (*region, sum)
            })
            .collect();
        Self { regions, unknown: self.unknown, null: self.null }
    }
}

impl Value {
    /// As a pointer, for a use that dereferences or passes it on. An integer other than 0 may be any address.
    pub(crate) fn pointer(&self) -> Pointer {
        match self {
            Self::Nothing => Pointer::default(),
            Self::Integer(size) if size.as_constant() == Some(0) => Pointer::null(),
            Self::Pointer(pointer) => pointer.clone(),
            Self::Function(_) => Pointer { null: false, ..Pointer::default() },
            Self::Integer(_) | Self::Unknown(_) | Self::Any => Pointer::anywhere(),
        }
    }

    /// As an integer, if it is one that the algebra can name.
    pub(crate) fn integer(&self) -> Option<Size> {
        match self {
            Self::Integer(size) => Some(size.clone()),
            Self::Unknown(symbol) => Some(Size::symbol(*symbol)),
            Self::Nothing | Self::Pointer(_) | Self::Function(_) | Self::Any => None,
        }
    }

    /// What may be held where control flows with `self` and with `other` meet; `symbol` names numbers that differ.
    pub(crate) fn join(&self, other: &Self, symbol: impl FnOnce() -> Option<Symbol>) -> Self {
        if self == other {
            return self.clone();
        }
        match (self, other) {
            (Self::Nothing, value) | (value, Self::Nothing) => value.clone(),
            (Self::Pointer(left), Self::Pointer(right)) => Self::Pointer(left.join(right)),
            (Self::Pointer(pointer), number) | (number, Self::Pointer(pointer)) => {
                Self::Pointer(pointer.join(&number.pointer()))
            }
            (Self::Function(left), Self::Function(right)) => {
                Self::Function(left.union(right).copied().collect())
            }
            (Self::Function(callable), Self::Integer(zero))
            | (Self::Integer(zero), Self::Function(callable))
                if zero.as_constant() == Some(0) =>
            {
                Self::Function(callable.clone())
            }
            (Self::Any, _) | (_, Self::Any) => Self::Any,
            (
                Self::Integer(_) | Self::Unknown(_) | Self::Function(_),
                Self::Integer(_) | Self::Unknown(_) | Self::Function(_),
            ) => symbol().map_or(Self::Any, Self::Unknown),
        }
    }
}
