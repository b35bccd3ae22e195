//! Checks that test builds can switch off, to see whether any test notices (DESIGN section 8, law 3).

use crate::target::Options;

/// Names accepted in [`Options::disabled_checks`], each with what is left out. Honoured only with the feature
/// `mutations`.
pub const CHECKS: &[(&str, &str)] = &[
    ("stale-read", "S1: reads of a stale side are let pass"),
    ("stale-partner", "S1: a write leaves the other side valid"),
    ("copied-state", "S1: after a linking copy both sides are valid, whatever the source was"),
    ("weak-write", "S1: every write overwrites all bytes, certainly"),
    ("zero-fill", "S1, S2: a zero-filling allocation writes nothing"),
    ("uninitialised-read", "S1: certain reads of memory that was never written are let pass"),
    ("host-against-device", "S2: host accesses are not compared with unfinished device work"),
    (
        "device-against-device",
        "S2: device work is not compared with unfinished work of other streams",
    ),
    ("same-side", "S2: unordered accesses through one name are let pass (R-2)"),
    ("unknown-stream", "S2: work in a stream that is not known is let pass"),
    ("captured", "S2: copies and work inside a stream capture are let pass"),
    ("timed-copy", "S2: copies whose duration is measured are let pass"),
    ("replace-copy", "R3: synchronous copies are replaced by nothing"),
    ("replace-async-copy", "R3: asynchronous copies are replaced by nothing"),
    ("retained-wait", "R-30: a retained copy gets no wait"),
    (
        "exclusive-access",
        "S5: host accesses to managed memory are let pass while the device is busy",
    ),
    ("both-sides", "S2b: work that accesses both sides is let pass"),
    ("offset-copy", "S2b: copies between different offsets are let pass"),
    ("observed", "S3 and S6: observed pointers are let pass"),
    ("access-after-free", "S4: accesses after the free of their side are let pass"),
    ("several-live", "S4: several live blocks of one allocation site are let pass"),
    ("rounds", "S4: sides allocated in different rounds are let pass"),
    ("free-order", "R4: every free is the last one"),
    ("early-free", "R4: the first free is the free of the merged buffer, the last is deleted"),
    ("free-wait", "R4: no wait replaces a deleted free or precedes the surviving one"),
    ("unclear-free", "S4: frees of what may be several objects are let pass"),
    ("escape", "C: escaping pointers are let pass"),
    ("opaque", "C: code that is not understood is let pass"),
    ("ambiguous-copy", "C: copies that may join several buffers are let pass"),
    ("size", "size: sides of different size are merged"),
    ("sharing", "m:n: pairs that share a buffer are all merged"),
    ("dominance", "R1: neither allocation needs to dominate the other"),
    ("allocation-place", "R1: the device may change between the two allocations"),
    ("alias", "R2: the first pointer need not be held where the second is assigned"),
];

/// Whether the check `name` of [`CHECKS`] is on.
pub(crate) fn is_on(options: &Options, name: &'static str) -> bool {
    debug_assert!(CHECKS.iter().any(|(known, _)| *known == name), "{name} is not in the list");
    !cfg!(feature = "mutations") || !options.disabled_checks.iter().any(|off| off == name)
}
