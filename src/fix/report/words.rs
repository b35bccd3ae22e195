//! The words of every objection: the only place where they are written.

use crate::fix::places::Places;
use crate::fix::rounds::RefusedWhy;
use echo_dataflow::event::Observation;
use echo_dataflow::program::SourceRef;
use echo_dataflow::target::{MemoryKind, Target};
use echo_dataflow::verdict::{Objection, PlaceRole, Reason, Repair, Side};

/// Kebab-case code of a reason: part of the machine output.
pub(crate) fn code(reason: &Reason) -> &'static str {
    match reason {
        Reason::StaleRead { .. } => "stale-read",
        Reason::StaleCopy { side: Side::Host } => "stale-upload",
        Reason::StaleCopy { side: Side::Device } => "stale-download",
        Reason::UninitialisedRead { .. } => "uninitialised-read",
        Reason::Unordered { .. } => "unordered",
        Reason::ReplacementImpossible => "replacement-impossible",
        Reason::OrderLost => "order-lost",
        Reason::RacyOriginal => "racy-original",
        Reason::Captured => "captured",
        Reason::TimedCopy => "timed-copy",
        Reason::OffsetCopy => "offset-copy",
        Reason::BothSides => "both-sides-one-event",
        Reason::Observed(Observation::Compared) => "pointers-compared",
        Reason::Observed(Observation::Subtracted) => "pointers-subtracted",
        Reason::Observed(Observation::Converted) => "pointer-converted",
        Reason::Observed(Observation::Attributes) => "attributes-queried",
        Reason::Observed(Observation::KindSpecific(_)) => "kind-specific-operation",
        Reason::AccessAfterFree => "access-after-free",
        Reason::SeveralLive => "several-live",
        Reason::DifferentRounds => "different-rounds",
        Reason::OwnershipLeaves => "ownership-leaves",
        Reason::FreeOrder => "free-order",
        Reason::UnclearFree => "unclear-free",
        Reason::DeviceReset => "device-reset",
        Reason::MemoryInfo => "memory-info",
        Reason::HostAccessWhileBusy => "host-access-while-busy",
        Reason::AllocatedWhileBusy => "allocated-while-busy",
        Reason::Kind { code, .. } | Reason::Edit { code, .. } => code,
        Reason::Escapes { .. } => "escapes",
        Reason::Ambiguous => "may-point-elsewhere",
        Reason::MacroBody => "macro-body",
        Reason::ConditionalCompilation => "conditional",
        Reason::Threads => "threads",
        Reason::Size { .. } => "size-differs",
        Reason::SharedBuffer { .. } => "shared-buffer",
        Reason::TooSmall { .. } => "too-small",
    }
}

/// Assumed where another unit's functions were found not to use CUDA.
pub(crate) const LINKED: &str =
    "the functions that other files of this run define are the ones the program is linked with";

/// Why a pair with a comment is left alone.
pub(crate) const SUPPRESSED: &str = "a comment asks to leave this pair alone";

/// Code and words for what a single unit cannot see.
pub(crate) fn refused(why: RefusedWhy) -> (&'static str, &'static str) {
    match why {
        RefusedWhy::UnitsDisagree => {
            ("units-disagree", "the files that include this header do not agree on the change")
        }
        RefusedWhy::UnitMissing => {
            ("unit-missing", "a file that may include this header could not be analysed")
        }
        RefusedWhy::CalledElsewhere => (
            "called-elsewhere",
            "another file may call a function that would have to change, with other buffers",
        ),
        RefusedWhy::HeldElsewhere => (
            "held-elsewhere",
            "another file names a variable that holds one of the buffers, and may use it before `main` or after it",
        ),
        RefusedWhy::LibraryReplaced => (
            "library-replaced",
            "another file defines a function of a library, which is not what it is taken for",
        ),
        RefusedWhy::NotSelected => ("not-selected", "`--only` names other pairs"),
    }
}

/// The assumption of a merge that edits a function which other files may call.
pub(crate) fn only_caller(function: &str) -> String {
    format!("no file outside this run calls `{function}`")
}

/// Names of the two sides.
pub(crate) struct Names<'a> {
    pub(crate) host: &'a str,
    pub(crate) device: &'a str,
}

impl Names<'_> {
    fn of(&self, side: Side) -> &str {
        match side {
            Side::Host => self.host,
            Side::Device => self.device,
        }
    }

    fn partner(&self, side: Side) -> &str {
        match side {
            Side::Host => self.device,
            Side::Device => self.host,
        }
    }
}

/// The headline: what is wrong, complete in itself, lower case, no full stop.
pub(crate) fn message(objection: &Objection, names: &Names<'_>) -> String {
    match &objection.reason {
        Reason::StaleRead { side, across_iterations } => {
            let when = if *across_iterations { ", in a later iteration or on another path" } else { "" };
            format!(
                "the old value of `{}` is read after `{}` has changed{when}",
                names.of(*side),
                names.partner(*side)
            )
        }
        Reason::StaleCopy { side } => {
            format!("a copy reads `{}` after `{}` has changed", names.of(*side), names.partner(*side))
        }
        Reason::UninitialisedRead { side } => format!(
            "`{}` is read before anything is written to it, and once merged it would hold the contents of `{}`",
            names.of(*side),
            names.partner(*side)
        ),
        Reason::Unordered { between_streams: false } => {
            "the host and the device would access the merged buffer at the same time".to_owned()
        }
        Reason::Unordered { between_streams: true } => {
            "two streams would access the merged buffer at the same time".to_owned()
        }
        Reason::ReplacementImpossible => {
            "the wait that must replace a copy or a free could block for ever: a kernel may wait for the host".to_owned()
        }
        Reason::OrderLost => {
            "the copy makes its stream wait for other work, and no wait that replaces it does".to_owned()
        }
        Reason::RacyOriginal => {
            "cannot prove that the program's own accesses to the buffer are ordered".to_owned()
        }
        Reason::Captured => "the program captures streams into graphs".to_owned(),
        Reason::TimedCopy => "the duration of a copy is measured".to_owned(),
        Reason::OffsetCopy => "a copy moves bytes of one buffer to other offsets of its partner".to_owned(),
        Reason::BothSides => "one operation accesses both buffers and writes one of them".to_owned(),
        Reason::Observed(how) => match how {
            Observation::Compared => "the pointer is compared with a pointer to another buffer".to_owned(),
            Observation::Subtracted => "the pointer is subtracted from a pointer to another buffer".to_owned(),
            Observation::Converted => "the address itself is used as a value".to_owned(),
            Observation::Attributes => "the program asks what kind of memory the pointer points to".to_owned(),
            Observation::KindSpecific(name) => format!("`{name}` depends on the kind of memory"),
        },
        Reason::AccessAfterFree => "the buffer is accessed or freed after it was freed".to_owned(),
        Reason::SeveralLive => "one allocation site may have several buffers alive at once".to_owned(),
        Reason::DifferentRounds => "the two buffers are not allocated in the same round".to_owned(),
        Reason::OwnershipLeaves => "the buffer outlives the function that allocates it".to_owned(),
        Reason::FreeOrder => "which of the two frees comes last depends on the path".to_owned(),
        Reason::UnclearFree => "a free may release something else than exactly this buffer".to_owned(),
        Reason::DeviceReset => "the device is reset while a buffer is alive".to_owned(),
        Reason::MemoryInfo => "the merged program would have more memory left than is looked at here".to_owned(),
        Reason::HostAccessWhileBusy => {
            "the host touches the buffer while the GPU may be running, which managed memory forbids on some devices of \
             the target"
                .to_owned()
        }
        Reason::AllocatedWhileBusy => "the merged buffer would be allocated while the GPU may be running".to_owned(),
        Reason::Kind { what, .. } | Reason::Edit { what, .. } => what.clone(),
        Reason::Escapes { how } => format!("cannot see all accesses: the pointer is {how}"),
        Reason::Ambiguous => "a copy may join other buffers than these two".to_owned(),
        Reason::MacroBody => "the buffer's name occurs in the body of a macro".to_owned(),
        Reason::ConditionalCompilation => {
            "its allocation, copies and frees are in different preprocessor branches".to_owned()
        }
        Reason::Threads => "another host thread may access the buffer".to_owned(),
        Reason::Size { host, device } if host == device => {
            format!("cannot prove that a copy moves the whole buffer of {host} bytes")
        }
        Reason::Size { host, device } => {
            format!("cannot prove that the sizes are equal: {host} bytes on the host, {device} on the device")
        }
        Reason::SharedBuffer { chosen: Some((host, device)) } => {
            format!("one of the buffers is merged with another partner instead (`{host}` with `{device}`)")
        }
        Reason::SharedBuffer { chosen: None } => "one of the buffers has several partners".to_owned(),
        Reason::TooSmall { bytes, min_bytes } => {
            format!("the buffer of {bytes} bytes is below the threshold of {min_bytes} bytes (`--min-size`)")
        }
    }
}

/// What would happen once merged, where the headline does not say it.
pub(crate) fn consequence(reason: &Reason, names: &Names<'_>) -> Option<String> {
    match reason {
        Reason::StaleRead { side, .. } => Some(format!(
            "once merged, this read would see what was written to `{}`",
            names.partner(*side)
        )),
        Reason::HostAccessWhileBusy => Some(
            "on Orin and Xavier any host access to managed memory while a kernel runs ends the program".to_owned(),
        ),
        Reason::StaleCopy { .. }
        | Reason::UninitialisedRead { .. }
        | Reason::Unordered { .. }
        | Reason::ReplacementImpossible
        | Reason::OrderLost
        | Reason::RacyOriginal
        | Reason::Captured
        | Reason::TimedCopy
        | Reason::OffsetCopy
        | Reason::BothSides
        | Reason::Observed(_)
        | Reason::AccessAfterFree
        | Reason::SeveralLive
        | Reason::DifferentRounds
        | Reason::OwnershipLeaves
        | Reason::FreeOrder
        | Reason::UnclearFree
        | Reason::DeviceReset
        | Reason::MemoryInfo
        | Reason::AllocatedWhileBusy
        | Reason::Kind { .. }
        | Reason::Escapes { .. }
        | Reason::Ambiguous
        | Reason::MacroBody
        | Reason::ConditionalCompilation
        | Reason::Threads
        | Reason::Size { .. }
        | Reason::SharedBuffer { .. }
        | Reason::TooSmall { .. }
        | Reason::Edit { .. } => None,
    }
}

/// The label of a place.
pub(crate) fn label(role: &PlaceRole, names: &Names<'_>) -> String {
    let by = |by: &str| if by.is_empty() { String::new() } else { format!(" by {by}") };
    match role {
        PlaceRole::Link => format!("`{}` and `{}` become partners here", names.host, names.device),
        PlaceRole::Write { side, by: who } => {
            format!("`{}` may be written here{}", names.of(*side), by(who))
        }
        PlaceRole::Read { side, by: who } => {
            format!("`{}` may be read here{}", names.of(*side), by(who))
        }
        PlaceRole::Busy { by: who } => {
            let of = if who.starts_with("unknown code") { "work of " } else { "" };
            let who = if who.is_empty() { "device work" } else { who };
            format!("{of}{who} may still be running")
        }
        PlaceRole::Allocation(side) => format!("`{}` is allocated here", names.of(*side)),
        PlaceRole::Free(side) => format!("`{}` is freed here", names.of(*side)),
        PlaceRole::Other(words) => words.clone(),
    }
}

/// What would repair it.
pub(crate) fn repair(repair: &Repair, places: Places<'_>) -> String {
    let at = |source: &SourceRef| format!("line {}", places.line(source.span));
    match repair {
        Repair::SynchronizeBefore(source) => {
            format!(
                "insert `cudaDeviceSynchronize();` before {} to make the merge possible",
                at(source)
            )
        }
        Repair::Memory(kind) => format!("try `--memory {}`", memory(*kind)),
        Repair::Target(target) => format!("try `--target {}`", self::target(*target)),
        Repair::ReadBefore(source) => {
            format!("read the old value before {} to make the merge possible", at(source))
        }
        Repair::Words(words) => words.clone(),
    }
}

/// Name of a kind of memory on the command line.
pub(crate) fn memory(kind: MemoryKind) -> &'static str {
    match kind {
        MemoryKind::Managed => "managed",
        MemoryKind::Mapped => "mapped",
        MemoryKind::Registered => "registered",
        MemoryKind::System => "system",
    }
}

/// Name of a target on the command line.
pub(crate) fn target(target: Target) -> &'static str {
    match target {
        Target::AnyUma => "any-uma",
        Target::Orin => "orin",
        Target::Xavier => "xavier",
        Target::Thor => "thor",
        Target::Gb10 => "gb10",
        Target::Gh200 => "gh200",
        Target::Mi300a => "mi300a",
        Target::Dgpu => "dgpu",
    }
}
