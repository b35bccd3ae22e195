//! Of straight programs that do the same in the original and in every merged program, one is enough.
//!
//! The rules speak of adjacent steps, or of the last one. None rests on what the analysis does.

use super::enumerate::Family;
use super::scenario::{Buffer, Step, StreamNumber};

/// Whether the last step says something that no other program without it, or with another order, says.
pub(crate) fn continues(steps: &[Step], family: &Family) -> bool {
    let [.., before, last] = steps else { return true };
    if commute(*before, *last) && position(*before, family) > position(*last, family) {
        return false;
    }
    let blocking = !family.setting.second_is_non_blocking;
    match last {
        Step::HostRead(..)
        | Step::HostWrite(..)
        | Step::Unrelated(_)
        | Step::Record(_)
        | Step::StreamWaits(_) => before != last,
        Step::WaitForDevice => {
            !before.waits() && !matches!(before, Step::Unrelated(_)) && is_for_something(steps)
        }
        Step::WaitForStream(0) => *before != Step::Unrelated(0) && is_for_something(steps),
        Step::WaitForStream(_) | Step::WaitForMarker => is_for_something(steps),
        // Some copies wait for all blocking streams themselves.
        Step::Copy { to, from, stream: None, .. } => {
            let uploads = from.is_pageable() && to.is_device() && !family.setting.small;
            let downloads = from.is_device() && !to.is_device();
            let waits = uploads || downloads || *from == Buffer::Pinned && to.is_device();
            !(waits && blocking && before.waits() && *before != Step::WaitForMarker)
        }
        Step::KernelWrite(..)
        | Step::KernelRead(..)
        | Step::KernelUpdate(..)
        | Step::KernelMove(..)
        | Step::KernelMirror(..)
        | Step::CopyToEither { .. }
        | Step::Fill(..)
        | Step::Copy { .. }
        | Step::Shift { .. }
        | Step::Allocate(_)
        | Step::Free(_) => true,
    }
}

/// Whether the last step can matter where nothing but frees follows: something is observed in it, or earlier work may
/// observe it, or it makes a pair.
pub(crate) fn ends(steps: &[Step]) -> bool {
    let [earlier @ .., last] = steps else { return true };
    match last {
        Step::Unrelated(_)
        | Step::WaitForDevice
        | Step::WaitForStream(_)
        | Step::WaitForMarker
        | Step::Record(_)
        | Step::StreamWaits(_) => false,
        // Only device work can still run then, and what it observes it knows by the same name: the original races too.
        Step::KernelWrite(..) | Step::Fill(..) => {
            earlier.iter().any(|step| step.lends_host_memory())
        }
        Step::Copy { part, .. } => {
            let pair = last.links(*part);
            !earlier.iter().any(|step| pair.is_some() && step.links(0) == pair)
        }
        Step::HostRead(..)
        | Step::HostWrite(..)
        | Step::KernelRead(..)
        | Step::KernelUpdate(..)
        | Step::KernelMove(..)
        | Step::KernelMirror(..)
        | Step::CopyToEither { .. }
        | Step::Shift { .. }
        | Step::Allocate(_)
        | Step::Free(_) => true,
    }
}

/// Whether the wait at the end may wait for something that no earlier wait has waited for.
fn is_for_something(steps: &[Step]) -> bool {
    let [earlier @ .., last] = steps else { return true };
    let since = earlier.iter().rposition(|step| *step == Step::WaitForDevice || step == last);
    earlier[since.map_or(0, |at| at + 1)..].iter().any(|step| step.submits())
}

/// Whether the order of two adjacent steps cannot matter: the host touches different bytes, or only reads; or kernels go
/// to different streams that do not know of each other; or both only wait.
fn commute(one: Step, other: Step) -> bool {
    if let (Some((first, writes)), Some((second, also_writes))) =
        (host_access(one), host_access(other))
    {
        let apart = first.0 != second.0 || first.1 + second.1 == 3;
        return apart || !(writes || also_writes);
    }
    if let (Step::WaitForStream(_), Step::WaitForStream(_)) = (one, other) {
        return true;
    }
    matches!((kernel_stream(one), kernel_stream(other)), (Some(s), Some(t)) if s != t && s != 0 && t != 0)
}

/// What the host accesses, and whether it writes.
fn host_access(step: Step) -> Option<((Buffer, u8), bool)> {
    if let Step::HostRead(buffer, part) = step {
        Some(((buffer, part), false))
    } else if let Step::HostWrite(buffer, part) = step {
        Some(((buffer, part), true))
    } else {
        None
    }
}

/// The stream of a kernel or a fill.
fn kernel_stream(step: Step) -> Option<StreamNumber> {
    let is_copy =
        matches!(step, Step::Copy { .. } | Step::CopyToEither { .. } | Step::Shift { .. });
    step.stream().filter(|_| step.submits() && !is_copy)
}

fn position(step: Step, family: &Family) -> Option<usize> {
    family.alphabet.iter().position(|own| *own == step)
}
