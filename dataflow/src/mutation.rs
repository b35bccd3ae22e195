//! Checks that test builds can switch off, to see whether any test notices (DESIGN section 8, law 3).

use crate::target::Options;

/// A check of the analysis, or a rule of what it replaces, that can be switched off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Check {
    /// Name, for [`Options::disabled_checks`].
    pub name: &'static str,
    /// What the analysis does without it.
    pub without: &'static str,
    /// Which test must notice.
    pub noticed_by: NoticedBy,
}

/// The test that must notice a missing check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoticedBy {
    /// The exhaustive small programs of law 1.
    SmallPrograms,
    /// A fixture of the corpus that must be declined and then is merged.
    Fixture,
}

use NoticedBy::{Fixture, SmallPrograms};

const fn check(name: &'static str, without: &'static str, noticed_by: NoticedBy) -> Check {
    Check { name, without, noticed_by }
}

/// All of them. Honoured only with the feature `mutations`.
pub const CHECKS: &[Check] = &[
    check("stale-read", "S1: reads of a stale side are let pass", SmallPrograms),
    check("stale-partner", "S1: a write leaves the other side valid", SmallPrograms),
    check("copied-state", "S1: after a linking copy both sides are valid", SmallPrograms),
    check("weak-write", "S1: every write overwrites all bytes, certainly", SmallPrograms),
    check("zero-fill", "S1, S2, S5: a zero-filling allocation writes nothing", SmallPrograms),
    check("zero-fill-kept", "R1: the zeros of a second allocation are not written", SmallPrograms),
    check("uninitialised-read", "S1: certain reads of fresh memory are let pass", Fixture),
    check("host-against-device", "S2: the host is not compared with the device", SmallPrograms),
    check("device-against-device", "S2: streams are not compared", SmallPrograms),
    check("same-side", "S2: unordered accesses through one name are let pass (R-2)", SmallPrograms),
    check("non-blocking", "S2: every stream waits for the legacy stream (R-26)", SmallPrograms),
    check("stream-scope", "S2: a wait for a stream is one for the device", SmallPrograms),
    check("marker-scope", "S2: a marker covers the work of all streams", SmallPrograms),
    check("small-upload", "S2: small uploads wait for earlier work (R-23)", SmallPrograms),
    check("library-work", "S2: a call of a library has completed when it returns", Fixture),
    check("work-of-unknown-code", "S2, S5: unknown code leaves no work behind", Fixture),
    check("device-of-unknown-code", "S2, S5: unknown code leaves the current device", Fixture),
    check("work-of-threads", "S2, S5: other threads submit no work", Fixture),
    check("work-of-caller", "S2, S5: the root's caller has left no work behind", Fixture),
    check("captured", "S2: copies and work inside a stream capture are let pass", Fixture),
    check("timed-copy", "S2: copies whose duration is measured are let pass (R-44)", Fixture),
    check("replace-copy", "R3: synchronous copies are replaced by nothing", SmallPrograms),
    check("replace-async-copy", "R3: asynchronous copies are replaced by nothing", SmallPrograms),
    check("left-out", "R3, R4: only work on the buffer itself is waited for", SmallPrograms),
    check("order-lost", "R3: what a copy's stream waits for because of it is let pass", Fixture),
    check("retained-wait", "R-30: a retained copy gets no wait", SmallPrograms),
    check("exclusive-access", "S5: the host may touch managed memory at any time", SmallPrograms),
    check("both-sides", "S2b: work that accesses both sides is let pass", SmallPrograms),
    check("offset-copy", "S2b: copies between different offsets are let pass", SmallPrograms),
    check("observed", "S3: observed pointers are let pass", Fixture),
    check("kind", "S6: uses that need one kind of memory are let pass", Fixture),
    check("fork", "S6: forks are let pass", Fixture),
    check("direction", "S6: copies told a wrong direction are let pass (R-81)", Fixture),
    check("float-atomics", "S6: atomics on the memory of an MI300A are let pass (R-75)", Fixture),
    check("access-after-free", "S4: accesses after the free of their side are let pass", Fixture),
    check("several-live", "S4: several live blocks of one site are let pass", Fixture),
    check("rounds", "S4: sides of different rounds are let pass", Fixture),
    check("device-reset", "S4: the reset of the device is let pass", SmallPrograms),
    check("memory-info", "S4: a look at how much memory is left is let pass", Fixture),
    check("free-order", "R4: every free is the last one", SmallPrograms),
    check("early-free", "R4: the first free frees the merged buffer", SmallPrograms),
    check("free-wait", "R4: frees are deleted and kept without a wait", SmallPrograms),
    check("spinning", "R4: a wait is put where a kernel may wait for the host", Fixture),
    check("unclear-free", "S4: frees of what may be several objects are let pass", SmallPrograms),
    check("escape", "C: escaping pointers are let pass", Fixture),
    check("ambiguous-copy", "C: copies that may join several buffers are let pass", SmallPrograms),
    check("threads", "C: what other threads and queued functions reach is let pass", Fixture),
    check("conditional", "C: sites in different preprocessor branches are let pass", Fixture),
    check("size", "size: sides of different size are merged", SmallPrograms),
    check("sharing", "m:n: pairs that share a buffer are all merged", SmallPrograms),
    check("joint", "R-8: the rest is not judged again when a pair is dropped", SmallPrograms),
    check("contexts", "edit: a statement may change that other buffers use", Fixture),
    check("unseen", "edit: a statement may change that also runs unseen", Fixture),
    check("in-macro", "edit: statements from the body of a macro may change", Fixture),
    check("dominance", "R1: neither allocation needs to dominate the other", Fixture),
    check("allocation-place", "R1: the device may change between the two allocations", Fixture),
    check("alias", "R2: the first pointer need not be held at the second site", Fixture),
    check("names", "R2: the pointers need not have names at the second site", Fixture),
    check("restrict", "R2: both names may be `__restrict__`", Fixture),
];

/// Whether the check `name` of [`CHECKS`] is on.
pub(crate) fn is_on(options: &Options, name: &'static str) -> bool {
    debug_assert!(CHECKS.iter().any(|known| known.name == name), "{name} is not in the list");
    !cfg!(feature = "mutations") || !options.disabled_checks.iter().any(|off| off == name)
}
