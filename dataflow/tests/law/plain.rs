//! Of programs that do the same in the original and in every merged program, one is enough.
//!
//! A rule turns a program into a shorter one, or into one that comes earlier, that is as right or wrong to merge: it has
//! the same observations, traps and undefined uses, whatever pairs are merged and whatever waits the merge puts where.
//! That is meant of originals without races; of the others, whose proofs promise nothing, few are left out.
//! A rule looks only at the steps between two borders of a loop or an optional part, so that it speaks of every run.
//! None rests on what the analysis does; that a program and what the rules make of it agree is a test of its own.
//!
//! An argument that most rules share: of two adjacent submissions to one stream, all that is behind one is behind the
//! other, and what is not ordered with one is not ordered with the other, so that nothing can tell them apart but by what
//! they do themselves.

use super::enumerate::Family;
use super::scenario::{Buffer, Setting, Step, StreamNumber};

/// What makes another program of a program. Numbers are those of steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rewrite {
    /// The step says nothing.
    Drop(usize),
    /// The first of the two comes before the second; what is between moves up.
    Move { step: usize, before: usize },
    /// Another step says the same here.
    Replace(usize, Step),
}

/// What may run when the first of the steps is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Before {
    /// The program starts with them.
    Nothing,
    /// Something else of the program is before them.
    Unknown,
}

/// What the rules make of the program because of the last of `steps`, if anything.
pub(crate) fn rewrite(steps: &[Step], before: Before, family: &Family) -> Option<Rewrite> {
    let [earlier @ .., last] = steps else { return None };
    let at = earlier.len();
    for (number, &step) in earlier.iter().enumerate().rev() {
        if let Some(rewrite) = absorb((number, step), (at, *last), family.setting) {
            return Some(rewrite);
        }
        if !commute(step, *last) {
            break;
        }
        if position(*last, family) < position(step, family) {
            return Some(Rewrite::Move { step: at, before: number });
        }
    }
    if last.waits() {
        return wait(steps, before, family);
    }
    let preceding = earlier.last().copied()?;
    waits_itself(*last, preceding, family.setting).then_some(Rewrite::Drop(at - 1))
}

/// What the rules make of the program because it ends with `steps`, after `rest`, and frees that it does not have.
pub(crate) fn end(
    steps: &[Step],
    before: Before,
    rest: &[Step],
    family: &Family,
) -> Option<Rewrite> {
    let [earlier @ .., last] = steps else { return None };
    let at = earlier.len();
    // Nobody asks any more whether the device is active.
    let launches = steps.iter().rev().take_while(|step| kernel_stream(**step).is_some()).count();
    let idle = (steps.len() - launches..steps.len())
        .find(|number| matches!(steps[*number], Step::Unrelated(s) if s != 0 || *number == at));
    if let Some(idle) = idle {
        return Some(Rewrite::Drop(idle));
    }
    let all = || rest.iter().chain(earlier);
    let is_pointless = match last {
        Step::WaitForDevice
        | Step::WaitForStream(_)
        | Step::WaitForMarker
        | Step::Record(_)
        | Step::StreamWaits(_) => true,
        // Only device work can still run then, and what it observes it knows by the same name: the original races too.
        // A smaller merged buffer it would leave.
        Step::KernelWrite(..) | Step::Fill(..) => {
            !family.setting.host_is_half && !all().any(|step| step.lends_host_memory())
        }
        // Only device work can see it, and there is none.
        Step::HostWrite(..) => pending(earlier, before, family.setting) == 0,
        // It is removed, and nobody reads it in the original; but a merge of one end with a third buffer keeps it.
        Step::Copy { to, part, .. } => {
            let pair = last.links(*part);
            let other = |(h, d): (Buffer, Buffer)| Some((h, d)) != pair && (h == *to || d == *to);
            pair.is_some()
                && all().any(|step| step.links(0) == pair)
                && !all().filter_map(|step| step.links(0)).any(other)
        }
        Step::HostRead(..)
        | Step::KernelRead(..)
        | Step::KernelUpdate(..)
        | Step::KernelMove(..)
        | Step::KernelMirror(..)
        | Step::Unrelated(_)
        | Step::CopyToEither { .. }
        | Step::Shift { .. }
        | Step::Allocate(_)
        | Step::Free(_)
        | Step::FreeEither
        | Step::Reset => false,
    };
    let is_awaited = || frees_need_waits(rest, family) || frees_need_waits(steps, family);
    (is_pointless && !is_awaited()).then_some(Rewrite::Drop(at))
}

/// Whether host memory, which the frees at the end give back, may be in use by the device then unless something waits: a
/// wait, a copy, or another free.
pub(crate) fn frees_need_waits(steps: &[Step], family: &Family) -> bool {
    steps.iter().any(|step| step.borrows_host_memory())
        && family.alphabet.iter().any(|step| {
            let frees = |b: &Buffer| b.is_pageable() && !family.alphabet.contains(&Step::Free(*b));
            step.buffers().iter().any(frees)
        })
}

/// Whether the step, done again at once, adds nothing.
pub(crate) fn is_idempotent(step: Step, setting: Setting) -> bool {
    match step {
        // It waits until the first one has written the device, which a non-blocking stream does not.
        Step::Copy { to, stream: None, .. } => !(to.is_device() && setting.second_is_non_blocking),
        Step::HostRead(..)
        | Step::HostWrite(..)
        | Step::KernelWrite(..)
        | Step::KernelRead(..)
        | Step::KernelUpdate(..)
        | Step::Unrelated(_)
        | Step::Fill(..)
        | Step::Copy { .. }
        | Step::Record(_)
        | Step::StreamWaits(_)
        | Step::WaitForDevice
        | Step::WaitForStream(_)
        | Step::WaitForMarker => true,
        Step::KernelMove(..)
        | Step::KernelMirror(..)
        | Step::CopyToEither { .. }
        | Step::Shift { .. }
        | Step::Allocate(_)
        | Step::Free(_)
        | Step::FreeEither
        | Step::Reset => false,
    }
}

/// Whether one of two steps adds nothing to the other, where nothing between them matters to the later one.
fn absorb((a, one): (usize, Step), (b, other): (usize, Step), setting: Setting) -> Option<Rewrite> {
    if one == other && !one.waits() && is_idempotent(one, setting) {
        return Some(Rewrite::Drop(b));
    }
    // Of a part and the whole, read or written by the host, the whole says all. What is written is different everywhere.
    if let (Some((first, writes)), Some((second, also_writes))) =
        (host_access(one), host_access(other))
    {
        let part = |whole: u8, number| (whole == 0).then_some(Rewrite::Drop(number));
        let same = first.0 == second.0 && writes == also_writes;
        return part(first.1, b).or(part(second.1, a)).filter(|_| same);
    }
    let stream = kernel_stream(one).filter(|_| kernel_stream(one) == kernel_stream(other))?;
    match (one, other) {
        // The other one keeps the device active just as long.
        (Step::Unrelated(_), _) => Some(Rewrite::Drop(a)),
        (_, Step::Unrelated(_)) => Some(Rewrite::Drop(b)),
        // What updates also reads, and sees whatever comes between.
        (Step::KernelRead(x, _), Step::KernelUpdate(y, _)) if x == y => Some(Rewrite::Drop(a)),
        (Step::KernelUpdate(x, _), Step::KernelRead(y, _)) if x == y => Some(Rewrite::Drop(b)),
        (_, _) => {
            let (x, first) = kernel_write(one)?;
            let (y, second) = kernel_write(other).filter(|(y, _)| x == *y)?;
            debug_assert!(x == y && one.stream() == Some(stream), "adjacent in one stream");
            // Nobody reads what the first one wrote; or the second one writes some of it anew.
            match (first, second) {
                (_, 0) => Some(Rewrite::Drop(a)),
                (0, _) => Some(Rewrite::Drop(b)),
                (_, _) => None,
            }
        }
    }
}

/// Rules about a wait at the end of `steps`.
fn wait(steps: &[Step], before: Before, family: &Family) -> Option<Rewrite> {
    let setting = family.setting;
    let [earlier @ .., last] = steps else { return None };
    let at = earlier.len();
    let covered = covers(*last, setting);
    if *last == Step::WaitForMarker {
        let since = earlier.iter().rposition(|step| *step == Step::WaitForDevice || step == last);
        let is_for_something = earlier[since.map_or(0, |at| at + 1)..].iter().any(|s| s.submits());
        let knows = since.is_some() || before == Before::Nothing;
        return (knows && !is_for_something).then_some(Rewrite::Drop(at));
    }
    let awaited = pending(earlier, before, setting) & covered;
    if awaited == 0 {
        return Some(Rewrite::Drop(at));
    }
    let preceding = earlier.last().copied();
    if preceding.is_some_and(|step| step.waits() && covers(step, setting) & !covered == 0)
        && (preceding != Some(Step::WaitForMarker) || *last == Step::WaitForDevice)
    {
        return Some(Rewrite::Drop(at - 1));
    }
    // It only kept the device active, and nobody asked; all that it is behind is waited for anyway.
    for (number, step) in earlier.iter().enumerate().rev() {
        if let Step::Unrelated(s) = *step
            && covered & 1 != 0
            && covered & 1 << s != 0
            && (s != 0 || number + 1 == at)
        {
            return Some(Rewrite::Drop(number));
        }
        if kernel_stream(*step).is_none() {
            break;
        }
    }
    // The wait for the fewest streams that waits for the same work.
    let least = [1, 2, 0].map(Step::WaitForStream).into_iter().find(|own| {
        let own_covers = covers(*own, setting);
        awaited & !own_covers == 0 && family.alphabet.contains(own)
    });
    let same = |own: &Step| pending(earlier, before, setting) & covers(*own, setting) == awaited;
    least.filter(same).filter(|own| own != last).map(|own| Rewrite::Replace(at, own))
}

/// The streams whose jobs a wait waits for, as a set.
fn covers(wait: Step, setting: Setting) -> u8 {
    let second = if setting.second_is_non_blocking { 0 } else { 0b100 };
    match wait {
        Step::WaitForDevice => 0b111,
        Step::WaitForStream(0) => 0b011 | second,
        Step::WaitForStream(s) => 1 << s,
        // Of what was recorded, which no rule follows.
        Step::WaitForMarker
        | Step::HostWrite(..)
        | Step::HostRead(..)
        | Step::KernelWrite(..)
        | Step::KernelRead(..)
        | Step::KernelUpdate(..)
        | Step::KernelMove(..)
        | Step::KernelMirror(..)
        | Step::CopyToEither { .. }
        | Step::Unrelated(_)
        | Step::Fill(..)
        | Step::Copy { .. }
        | Step::Shift { .. }
        | Step::Record(_)
        | Step::StreamWaits(_)
        | Step::Allocate(_)
        | Step::Free(_)
        | Step::FreeEither
        | Step::Reset => 0,
    }
}

/// The streams that may have unfinished jobs after `steps`, in the original or any merged program, as a set. Waits that
/// are part of other steps are not counted on.
fn pending(steps: &[Step], before: Before, setting: Setting) -> u8 {
    let mut finished = 0;
    let mut pending = 0;
    for &step in steps.iter().rev() {
        if step.submits() {
            pending |= 1 << step.stream().unwrap_or(0) & !finished;
        } else if let Step::StreamWaits(stream) = step {
            pending |= 1 << stream & !finished;
        } else {
            finished |= covers(step, setting);
        }
    }
    if before == Before::Unknown { pending | 0b111 & !finished } else { pending }
}

/// Whether `step` itself waits for all that the wait `preceding` waits for.
fn waits_itself(step: Step, preceding: Step, setting: Setting) -> bool {
    if !preceding.waits() {
        return false;
    }
    match step {
        // Some copies wait for all blocking streams.
        Step::Copy { to, from, stream: None, .. } => {
            let uploads = from.is_pageable() && to.is_device() && !setting.small;
            let downloads = from.is_device() && !to.is_device();
            let waits = uploads || downloads || from == Buffer::Pinned && to.is_device();
            waits && !setting.second_is_non_blocking && preceding != Step::WaitForMarker
        }
        // Its wait stays where the free goes; where it is left out for want of work, there is none without the other.
        Step::Free(buffer) => !buffer.is_pageable(),
        Step::HostWrite(..)
        | Step::HostRead(..)
        | Step::KernelWrite(..)
        | Step::KernelRead(..)
        | Step::KernelUpdate(..)
        | Step::KernelMove(..)
        | Step::KernelMirror(..)
        | Step::CopyToEither { .. }
        | Step::Unrelated(_)
        | Step::Fill(..)
        | Step::Copy { .. }
        | Step::Shift { .. }
        | Step::WaitForDevice
        | Step::WaitForStream(_)
        | Step::Record(_)
        | Step::StreamWaits(_)
        | Step::WaitForMarker
        | Step::Allocate(_)
        | Step::FreeEither
        | Step::Reset => false,
    }
}

/// Whether the order of two adjacent steps cannot matter: the host touches different bytes, or only reads; or kernels go
/// to different streams that do not know of each other; or both only wait; or the host uses pinned memory, which is never
/// merged, and a kernel does not.
pub(crate) fn commute(one: Step, other: Step) -> bool {
    if let (Some((first, writes)), Some((second, also_writes))) =
        (host_access(one), host_access(other))
    {
        let apart = first.0 != second.0 || first.1 + second.1 == 3;
        return apart || !(writes || also_writes);
    }
    if let (Step::WaitForStream(_), Step::WaitForStream(_)) = (one, other) {
        return true;
    }
    let beside = |host: Step, kernel: Step| {
        host_access(host).is_some_and(|(part, _)| part.0 == Buffer::Pinned)
            && kernel_stream(kernel).is_some()
            && !kernel.buffers().contains(&Buffer::Pinned)
    };
    if beside(one, other) || beside(other, one) {
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

/// What a kernel or a fill overwrites without reading.
fn kernel_write(step: Step) -> Option<(Buffer, u8)> {
    if let Step::KernelWrite(buffer, _, part) = step {
        Some((buffer, part))
    } else if let Step::Fill(buffer, _) = step {
        Some((buffer, 0))
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
