//! Verdicts: proofs, objections and the actions a proof permits.

use crate::event::{EventId, ObjectId};
use crate::program::{SourceRef, StatementRef};
use crate::target::MemoryKind;

/// A host and a device object joined by linking copies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CandidatePair {
    /// The host side.
    pub host: ObjectId,
    /// The device side.
    pub device: ObjectId,
    /// Copies between corresponding bytes of the two, in order of event id.
    pub linking_copies: Vec<EventId>,
}

/// A pair in one root, judged.
#[derive(Debug, Clone)]
pub struct Judged {
    /// Which pair.
    pub pair: CandidatePair,
    /// Merge or decline.
    pub verdict: Verdict,
    /// Kinds of memory the merge is sound with on every device of the target.
    pub admissible: Vec<MemoryKind>,
    /// The other kinds, each with its reason.
    pub excluded: Vec<(MemoryKind, Objection)>,
    /// What was assumed rather than proved, for people.
    pub assumptions: Vec<String>,
}

/// Merge, or decline with at least one objection.
#[derive(Debug, Clone)]
pub enum Verdict {
    /// Proved safe.
    Merge(Proof),
    /// In the order of [`Condition`]; the first is the headline. Never empty.
    Decline(Vec<Objection>),
}

/// That merging a pair changes no observable behaviour. Made only by the checker (private fields).
#[derive(Debug, Clone)]
pub struct Proof {
    pub(crate) memory: MemoryKind,
    pub(crate) actions: Vec<Action>,
}

impl Proof {
    /// The kind of memory it is valid for.
    #[must_use]
    pub fn memory(&self) -> MemoryKind {
        self.memory
    }

    /// What must be done to the program, all of it or none; at most one action per statement, in statement order.
    #[must_use]
    pub fn actions(&self) -> &[Action] {
        &self.actions
    }
}

/// One change to the program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Action {
    /// The statement changed.
    pub at: StatementRef,
    /// How.
    pub kind: ActionKind,
}

/// Changes (DESIGN section 5). The *first* site is the allocation that dominates the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ActionKind {
    /// R1 at the first site: allocate p there, through the first site's own variable. An allocation that was
    /// zero-filled keeps its fill right after it.
    AllocateHere,
    /// R2 at the second site: `second = first`.
    AliasHere {
        /// How to name the first pointer at this place.
        first: String,
        /// How to name the second.
        second: String,
        /// The first pointer's variable.
        first_variable: crate::program::VariableId,
        /// The second pointer's variable.
        second_variable: crate::program::VariableId,
        /// The first pointer's type, if known: with the second's it decides on a cast.
        first_type: Option<crate::program::TypeId>,
        /// The second pointer's type, if known.
        second_type: Option<crate::program::TypeId>,
        /// The second allocation was zero-filled: its bytes are zeroed here (a host write).
        zero_fill: bool,
    },
    /// R3: a linking copy goes away.
    RemoveCopy(Replacement),
    /// a retained copy whose end became p: kind Default, and a host wait where the original had one.
    RetainCopy {
        /// The wait that follows it.
        wait: Replacement,
    },
    /// R4: this free is the free of p; `wait`: `cudaDeviceSynchronize()` before it.
    FreeMerged {
        /// A wait is needed.
        wait: bool,
    },
    /// R4: this free is deleted; `wait`: `cudaDeviceSynchronize()` stays in its place.
    DeleteFree {
        /// A wait is needed.
        wait: bool,
    },
}

/// What replaces a copy (DESIGN section 4).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Replacement {
    /// Nothing: no device work can be unfinished in the copy's scope, or the table says so.
    Nothing,
    /// `cudaStreamSynchronize(0)`.
    DefaultStream,
    /// `cudaStreamSynchronize(s)` with the stream argument of the copy.
    SameStream,
}

/// Why a pair is declined. Each names the events that conflict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Objection {
    /// Which condition.
    pub condition: Condition,
    /// What exactly.
    pub reason: Reason,
    /// Violated (there is a conflict) or undecided (it could not be excluded).
    pub certain: bool,
    /// Places, primary first.
    pub places: Vec<Place>,
    /// What would repair it, if something simple would.
    pub repair: Option<Repair>,
}

/// A place in an objection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// Where.
    pub source: SourceRef,
    /// What happens there, as data; the words live in the command line's report.
    pub role: PlaceRole,
}

/// The conditions, in the order objections are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs, reason = "one module and one page each")]
pub enum Condition {
    Value,
    Order,
    SelfOverlap,
    Pointer,
    Lifetime,
    ExclusiveAccess,
    Kind,
    Coverage,
    Size,
    Sharing,
    Threshold,
    Edit,
}

impl Condition {
    /// The code shown to users: `S1`.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Value => "S1",
            Self::Order => "S2",
            Self::SelfOverlap => "S2b",
            Self::Pointer => "S3",
            Self::Lifetime => "S4",
            Self::ExclusiveAccess => "S5",
            Self::Kind => "S6",
            Self::Coverage => "C",
            Self::Size => "size",
            Self::Sharing => "m:n",
            Self::Threshold => "threshold",
            Self::Edit => "edit",
        }
    }
}

/// What is wrong, with what the wording needs. The kebab-case code of each is part of the JSON output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// S1 `stale-read`: the old value of `side` is read after the other side was written.
    StaleRead {
        /// The side whose old value is needed.
        side: Side,
        /// The write and the read are in different iterations of a loop.
        across_iterations: bool,
    },
    /// S1 `stale-upload` / `stale-download` (`--conditions paper` only): a linking copy reads a stale side.
    StaleCopy {
        /// The stale side.
        side: Side,
    },
    /// S1 `uninitialised-read`.
    UninitialisedRead {
        /// The side read.
        side: Side,
    },
    /// S2 `unordered`: two accesses to the merged buffer, one of them a write, are not ordered.
    Unordered {
        /// Both are device work in different streams.
        between_streams: bool,
    },
    /// S2 `replacement-impossible`: the copy's wait cannot be kept (table of DESIGN section 4).
    ReplacementImpossible,
    /// S2 `order-lost`: the copy's stream waits for the legacy stream only because of the copy.
    OrderLost,
    /// S2 `racy-original`: the original's own accesses to one side are not ordered.
    RacyOriginal,
    /// S2 `captured`: the copy is inside stream capture.
    Captured,
    /// S2 `timed-copy`.
    TimedCopy,
    /// S2b `offset-copy`: bytes of one side are copied to other bytes of the other.
    OffsetCopy,
    /// S2b `both-sides-one-event`: one kernel or call accesses both sides and writes one.
    BothSides,
    /// S3 `pointers-compared`, `pointer-subtracted`, `pointer-converted`, `attributes-queried`.
    Observed(crate::event::Observation),
    /// S4 `access-after-free`.
    AccessAfterFree,
    /// S4 `several-live`: one allocation site has several live blocks.
    SeveralLive,
    /// S4 `different-rounds`: the two sides are allocated in different loops.
    DifferentRounds,
    /// S4 `ownership-leaves`: returned, stored where the caller sees it, or freed by someone else.
    OwnershipLeaves,
    /// S4 `free-order`: the last free differs by path.
    FreeOrder,
    /// S4 `free-not-expressible`: a free that is not exactly of this object.
    UnclearFree,
    /// S4 `device-reset`.
    DeviceReset,
    /// S4 `memory-info`: `cudaMemGetInfo` tells how much memory is left while a side is alive.
    MemoryInfo,
    /// S5 `host-access-while-busy`.
    HostAccessWhileBusy,
    /// S5 `allocated-while-busy` (S5c).
    AllocatedWhileBusy,
    /// S6, with its own code: `no-pageable-access`, `ipc`, `fork`, `registered`, ...
    Kind {
        /// Kebab-case code.
        code: &'static str,
        /// For people.
        what: String,
    },
    /// C `escapes`.
    Escapes {
        /// How, for people.
        how: String,
    },
    /// C `may-point-elsewhere`: a pointer used in a linking copy or a free may point to several objects.
    Ambiguous,
    /// C `macro-body`: the buffer's name occurs in the body of a `#define`.
    MacroBody,
    /// C `conditional`: its sites are in different preprocessor branches.
    ConditionalCompilation,
    /// C `threads`: another host thread may touch it.
    Threads,
    /// `size-differs` / `size-unknown` / `size-zero`.
    Size {
        /// Host bytes, for people.
        host: String,
        /// Device bytes, for people.
        device: String,
    },
    /// `m:n` `shared-buffer`: another pair with one of the buffers was merged instead, or none can be.
    SharedBuffer {
        /// The chosen pair's names, if any.
        chosen: Option<(String, String)>,
    },
    /// `too-small`.
    TooSmall {
        /// Bytes of the pair.
        bytes: u64,
        /// Threshold.
        min_bytes: u64,
    },
    /// `edit` `alias-not-expressible`, `no-dominating-site`, `in-macro`, `contexts-disagree`, ...
    Edit {
        /// Kebab-case code.
        code: &'static str,
        /// For people.
        what: String,
    },
}

/// Host or device side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "named after what they are")]
pub enum Side {
    Host,
    Device,
}

/// What happens at a place of an objection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlaceRole {
    /// The two sides are linked here (a linking copy).
    Link,
    /// This side is written here, by `by` (`kernel \`scale\``).
    Write {
        /// Side.
        side: Side,
        /// By what, for people; empty for a host store.
        by: String,
    },
    /// This side is read here.
    Read {
        /// Side.
        side: Side,
        /// By what.
        by: String,
    },
    /// Device work that may still be running.
    Busy {
        /// By what.
        by: String,
    },
    /// Allocation of a side.
    Allocation(Side),
    /// Free of a side.
    Free(Side),
    /// Anything else, in words.
    Other(String),
}

/// What would make the pair mergeable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Repair {
    /// Insert `cudaDeviceSynchronize();` (or a stream synchronization) before this place.
    SynchronizeBefore(SourceRef),
    /// Choose another kind of memory: `--memory mapped`.
    Memory(MemoryKind),
    /// Target only devices without the restriction: `--target thor`.
    Target(crate::target::Target),
    /// Move the read at this place before the write.
    ReadBefore(SourceRef),
    /// Anything else, in words.
    Words(String),
}
