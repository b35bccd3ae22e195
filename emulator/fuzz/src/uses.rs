//! What a statement needs and gives.

use crate::program::{HostWork, Kernel, Part, Side, Special, Statement};

/// The sides that a statement uses, nested ones included, each with whether it is written.
pub(crate) fn sides(statement: &Statement) -> Vec<(Side, bool)> {
    use Side::{Device, Host};
    match statement {
        Statement::Host { pair, work, .. } => vec![(Host(*pair), *work != HostWork::Read)],
        Statement::HostCopy(to, from) => vec![(Host(*from), false), (Host(*to), true)],
        Statement::Copy { to, from, .. } => vec![(*from, false), (*to, true)],
        Statement::Launch(kernel, _) => match kernel {
            Kernel::Update(d)
            | Kernel::Ramp(d)
            | Kernel::Half(d)
            | Kernel::Touch(d)
            | Kernel::Clamp(d)
            | Kernel::View(d)
            | Kernel::Tail(d)
            | Kernel::Functor(d)
            | Kernel::Lambda(d)
            | Kernel::Form(_, d) => vec![(Device(*d), true)],
            Kernel::Map(to, from)
            | Kernel::Add(to, from)
            | Kernel::Total(to, from)
            | Kernel::Gather(to, from) => {
                vec![(Device(*from), false), (Device(*to), true)]
            }
        },
        Statement::Memset(pair, _) => vec![(Device(*pair), true)],
        Statement::Loop(_, body) | Statement::Stage(_, body) => {
            body.iter().flat_map(sides).collect()
        }
        Statement::Branch(one, other) => one.iter().chain(other).flat_map(sides).collect(),
        Statement::Special(special, pair, _) => match special {
            Special::ToSymbol => vec![(Host(*pair), false), (Device(*pair), true)],
            Special::FromSymbol => vec![(Device(*pair), false), (Host(*pair), true)],
            Special::HostFunction | Special::Thread => vec![(Host(*pair), true)],
            Special::Graph => vec![(Device(*pair), true)],
            Special::LastDevice => Vec::new(),
        },
        Statement::Allocate(_)
        | Statement::Free(_)
        | Statement::Wait(_)
        | Statement::StreamWait(..)
        | Statement::Compare(_)
        | Statement::Return => Vec::new(),
    }
}

/// The sides whose elements a statement of its own must find defined.
pub(crate) fn needs_defined(statement: &Statement) -> Vec<Side> {
    use Side::{Device, Host};
    match statement {
        Statement::Host { pair, work: HostWork::Read | HostWork::Update, .. } => vec![Host(*pair)],
        Statement::HostCopy(_, from) => vec![Host(*from)],
        Statement::Copy { from, .. } => vec![*from],
        Statement::Launch(kernel, _) => match kernel {
            Kernel::Update(d)
            | Kernel::Touch(d)
            | Kernel::Clamp(d)
            | Kernel::View(d)
            | Kernel::Tail(d)
            | Kernel::Functor(d)
            | Kernel::Lambda(d)
            | Kernel::Form(_, d) => vec![Device(*d)],
            Kernel::Map(_, from) | Kernel::Gather(_, from) => vec![Device(*from)],
            Kernel::Add(to, from) | Kernel::Total(to, from) => {
                vec![Device(*to), Device(*from)]
            }
            Kernel::Ramp(_) | Kernel::Half(_) => Vec::new(),
        },
        Statement::Special(special, pair, _) => match special {
            Special::ToSymbol => vec![Host(*pair), Device(*pair)],
            Special::FromSymbol | Special::Graph => vec![Device(*pair)],
            Special::HostFunction | Special::Thread => vec![Host(*pair)],
            Special::LastDevice => Vec::new(),
        },
        Statement::Host { .. }
        | Statement::Memset(..)
        | Statement::Loop(..)
        | Statement::Branch(..)
        | Statement::Stage(..)
        | Statement::Allocate(_)
        | Statement::Free(_)
        | Statement::Wait(_)
        | Statement::StreamWait(..)
        | Statement::Compare(_)
        | Statement::Return => Vec::new(),
    }
}

/// The side that a statement of its own defines wholly.
pub(crate) fn defines(statement: &Statement) -> Option<Side> {
    match statement {
        Statement::Host {
            pair, work: HostWork::Fill | HostWork::Clear, part: Part::Whole, ..
        } => Some(Side::Host(*pair)),
        Statement::HostCopy(to, _) => Some(Side::Host(*to)),
        Statement::Copy { to, part: Part::Whole, .. } => Some(*to),
        Statement::Special(Special::FromSymbol, pair, _) => Some(Side::Host(*pair)),
        Statement::Launch(Kernel::Ramp(d) | Kernel::Map(d, _) | Kernel::Gather(d, _), _)
        | Statement::Memset(d, _) => Some(Side::Device(*d)),
        Statement::Host { .. }
        | Statement::Copy { .. }
        | Statement::Launch(..)
        | Statement::Loop(..)
        | Statement::Branch(..)
        | Statement::Stage(..)
        | Statement::Allocate(_)
        | Statement::Free(_)
        | Statement::Wait(_)
        | Statement::StreamWait(..)
        | Statement::Compare(_)
        | Statement::Return
        | Statement::Special(..) => None,
    }
}
