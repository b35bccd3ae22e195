//! What a root function does, with every pointer resolved: the input of the conditions.
//!
//! [`crate::interpret`] folds the callees of a root into one graph (bounded inlining per call site, summaries for
//! kernels) and resolves each statement to events on abstract [`Object`]s. One object stands for all blocks that
//! one allocation site (in one calling context) yields.

mod role;

pub use role::{Role, Touch};

use crate::program::{
    DeviceMemory, DeviceRelease, FunctionId, HostAllocator, HostDeallocator, SourceRef,
    StatementRef, TransferKind, TypeId, VariableId,
};
use crate::size::Size;

crate::index_type! {
    /// Index into [`EventGraph::objects`].
    ObjectId
}
crate::index_type! {
    /// Index into [`EventGraph::streams`].
    StreamId
}
crate::index_type! {
    /// Index into [`EventGraph::markers`].
    MarkerId
}
crate::index_type! {
    /// Index into [`EventGraph::contexts`].
    ContextId
}
crate::index_type! {
    /// Index into [`EventGraph::blocks`].
    EventBlockId
}
crate::index_type! {
    /// Index into [`EventGraph::events`].
    EventId
}
crate::index_type! {
    /// A loop of the graph (a strongly connected region with one header).
    LoopId
}

/// One root with all its callees folded in.
#[derive(Debug, Clone, Default)]
pub struct EventGraph {
    /// The root's name, for people.
    pub root: String,
    /// The root is `main`: nothing of the program runs before its entry or after its return, and nobody calls it.
    pub root_is_main: bool,
    /// The root's name in its definition.
    pub root_source: Option<SourceRef>,
    /// All abstract objects.
    pub objects: Vec<Object>,
    /// All created streams.
    pub streams: Vec<Stream>,
    /// All created CUDA events.
    pub markers: Vec<Marker>,
    /// Calling contexts; 0 is the root itself.
    pub contexts: Vec<Context>,
    /// Control flow; 0 is the entry. Every block is reachable.
    pub blocks: Vec<EventBlock>,
    /// All events; those of a block are contiguous and in order of execution.
    pub events: Vec<Event>,
    /// Name of each symbol of [`crate::size::Size`], for people.
    pub symbols: Vec<String>,
    /// Functions that may run without their events being in this graph: the root itself, if it was not understood, and
    /// callees that were not folded in.
    pub unseen: Vec<FunctionId>,
    /// Default-stream work goes to the per-thread stream.
    pub per_thread_default_stream: bool,
    /// The program may create streams that are not in `streams` (unknown or opaque code, `MarkerId`s from elsewhere).
    pub unknown_streams: bool,
}

/// A call chain.
#[derive(Debug, Clone)]
pub struct Context {
    /// The caller's context and the call; `None` for the root.
    pub caller: Option<(ContextId, StatementRef)>,
    /// The function that runs.
    pub function: FunctionId,
}

/// A straight-line run of events.
#[derive(Debug, Clone, Default)]
pub struct EventBlock {
    /// First event.
    pub first: u32,
    /// Number of events.
    pub count: u32,
    /// Where control goes next; empty at the end of the root and at process exit.
    pub successors: Vec<EventBlockId>,
    /// The loops this block is in, outermost first.
    pub loops: Vec<LoopId>,
}

/// A memory object.
#[derive(Debug, Clone)]
pub struct Object {
    /// What it is.
    pub kind: ObjectKind,
    /// Bytes; `None` if not known even symbolically.
    pub bytes: Option<Size>,
    /// Name for people: the variable it is first stored in, of those that the fewest calls lead to, until a copy uses it.
    pub name: String,
    /// That variable.
    pub named_after: Option<VariableId>,
    /// The first place (of a known variable) its pointer is stored in after allocation.
    pub holder: Option<Holder>,
    /// The allocating event, for heap and device memory.
    pub allocation: Option<EventId>,
    /// It was allocated at its site while an element of an array of pointers, or through a pointer that may be one
    /// of several: one abstract object stands for several live blocks, whatever the control flow says.
    pub several: bool,
}

/// A pointer variable or field that holds an object's address.
#[derive(Debug, Clone)]
pub struct Holder {
    /// The context whose variable it is.
    pub context: ContextId,
    /// The variable.
    pub variable: VariableId,
    /// Bytes from the start of the variable to the pointer; `None` if it may be any of several.
    pub offset: Option<i64>,
    /// Field path within it (`.a.b[2]`), empty for the variable itself; with an `@` if it was not written as a path.
    pub path: String,
    /// The pointer or reference through which it was written, if it was.
    pub through: Option<Through>,
    /// The type with which it was written, if that is known.
    pub ty: Option<TypeId>,
}

/// `b->a` or `*b`, where `b` is a parameter that its function never changes.
#[derive(Debug, Clone)]
pub struct Through {
    /// The context that wrote it so.
    pub context: ContextId,
    /// `b`.
    pub pointer: VariableId,
    /// Field path behind it: `.a`, or nothing.
    pub path: String,
}

/// Which memory a holder is, however it is written.
pub type HolderKey = (ContextId, VariableId, Option<i64>);

impl Holder {
    /// Which memory it is.
    #[must_use]
    pub fn key(&self) -> HolderKey {
        (self.context, self.variable, self.offset)
    }

    /// The variable it is in.
    #[must_use]
    pub fn owner(&self) -> (ContextId, VariableId) {
        (self.context, self.variable)
    }
}

/// What an object is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ObjectKind {
    /// Host heap memory.
    HostHeap(HostAllocator),
    /// CUDA memory.
    Cuda(DeviceMemory),
    /// A variable of the program (its address is taken, or it is an array or class).
    Variable(VariableId),
    /// A `__device__`, `__constant__` or `__managed__` variable.
    DeviceVariable(VariableId),
    /// Read-only constants.
    Constant,
    /// A library handle or descriptor.
    Handle,
    /// Everything that exists outside the root and is not one of the above: memory the caller or unknown code owns.
    External,
}

/// A created stream.
#[derive(Debug, Clone)]
pub struct Stream {
    /// Name for people.
    pub name: String,
    /// Created with `cudaStreamNonBlocking`; `None` if unknown.
    pub non_blocking: Option<bool>,
    /// Its creation is in a loop or in an array: several streams share this identity.
    pub several: bool,
    /// Code that is not tracked may have it.
    pub given_away: bool,
}

/// A created CUDA event.
#[derive(Debug, Clone)]
pub struct Marker {
    /// Name for people.
    pub name: String,
    /// Its creation is in a loop or in an array: several share this identity.
    pub several: bool,
}

/// Which stream an operation uses.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum StreamUse {
    /// The default stream of the translation unit.
    Default,
    /// `cudaStreamLegacy` named explicitly.
    Legacy,
    /// `cudaStreamPerThread` named explicitly.
    PerThread,
    /// A created stream.
    Created(StreamId),
    /// Could be any stream.
    Unknown,
}

/// Which objects a pointer may point to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Target {
    /// Sorted; the null pointer contributes nothing (dereferencing it is undefined anyway).
    pub objects: Vec<ObjectId>,
    /// It may also point to anything that has escaped ([`EventKind::Escape`]) and to external memory.
    pub unknown: bool,
}

/// Which bytes of the object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Range {
    /// All of them.
    Whole,
    /// Bytes `start..end`.
    Bytes {
        /// First byte.
        start: u64,
        /// One past the last.
        end: u64,
    },
    /// Some bytes, not known which.
    Some,
}

/// Read, write or both (reads first).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "named after what they are")]
pub enum Mode {
    Read,
    Write,
    ReadWrite,
}

/// One access to memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Access {
    /// Which object.
    pub target: Target,
    /// Which bytes.
    pub range: Range,
    /// What is done.
    pub mode: Mode,
    /// Every byte of `range` is accessed on every execution of the event (so a write kills). Implies one object and
    /// a range other than `Some`.
    pub must: bool,
}

/// One step of the root.
#[derive(Debug, Clone)]
pub struct Event {
    /// What happens.
    pub kind: EventKind,
    /// The statement it comes from.
    pub at: StatementRef,
    /// The calling context of that statement.
    pub context: ContextId,
    /// Where to show it.
    pub source: SourceRef,
}

/// What happens. Closed: an analysis names every variant.
#[derive(Debug, Clone)]
pub enum EventKind {
    /// A block comes into being; contents undefined unless its kind says zero-filled.
    Allocate(ObjectId),
    /// A host block is released (or nothing, if the pointer is null).
    HostRelease {
        /// What.
        target: Target,
        /// How.
        by: HostDeallocator,
        /// The pointer is the block's start.
        at_start: bool,
    },
    /// A CUDA block is released.
    DeviceRelease {
        /// What.
        target: Target,
        /// How.
        by: DeviceRelease,
        /// The pointer is the block's start.
        at_start: bool,
    },
    /// The host accesses memory.
    Host(Access),
    /// Work is submitted to the device; it runs later, in stream order.
    Work(Work),
    /// A copy between two pointers.
    Copy(Box<Copy>),
    /// The host waits.
    Synchronize(Scope),
    /// A marker is recorded in a stream.
    Record {
        /// Which, if known exactly.
        marker: Option<MarkerId>,
        /// Where.
        stream: StreamUse,
    },
    /// A stream waits for a marker.
    StreamWait {
        /// The waiting stream.
        stream: StreamUse,
        /// For what, if known exactly.
        marker: Option<MarkerId>,
    },
    /// A pointer is stored in a variable or field that holds, or is about to hold, a heap or device object.
    Store {
        /// Where.
        holder: Holder,
        /// What it points to now.
        value: Target,
        /// The value is exactly the start of one object (or null if `value` is empty and not unknown).
        exact: bool,
    },
    /// The identity or kind of a pointer is observed (S3, S6).
    Observe {
        /// Of what.
        target: Target,
        /// How.
        how: Observation,
    },
    /// The pointer becomes reachable for code or memory that is not tracked (C).
    Escape {
        /// What.
        target: Target,
        /// How, for people: `passed to unknown function \`f\``.
        how: String,
    },
    /// The current device changes, or may change.
    SetDevice {
        /// To which, if that is constant.
        device: Option<i128>,
    },
    /// Flags of a context that is not yet initialised are set.
    SetDeviceFlags,
    /// `cudaDeviceReset`.
    DeviceReset,
    /// `fork`, `MPI_Init` and the like; `name` for people.
    ProcessControl {
        /// Function called.
        name: String,
    },
    /// Capture begins or ends; between them copies are declined.
    Capture {
        /// Begins (rather than ends).
        begins: bool,
    },
    /// The time between two markers or host clock readings reaches the program.
    ReadClock {
        /// The two markers, if they are known exactly.
        between: Option<(MarkerId, MarkerId)>,
    },
    /// How much memory is left reaches the program.
    ReadMemoryInfo,
    /// A host function is queued in a stream; `accesses` are what it may do there (C-71).
    HostCallback {
        /// Stream.
        stream: StreamUse,
        /// What it may access.
        accesses: Vec<Access>,
        /// It may do more.
        unknown: bool,
    },
    /// Another host thread may start running now with these accesses, concurrently with all that follows.
    ThreadStart {
        /// What it may access.
        accesses: Vec<Access>,
        /// It may do more than that.
        unknown: bool,
        /// It may use CUDA.
        may_use_cuda: bool,
    },
    /// All threads started before are known to have ended.
    ThreadJoin,
    /// Code that is not described: reads, writes and frees anything that has escaped, may submit device work to any
    /// stream and may synchronize.
    UnknownCode {
        /// For people.
        why: String,
        /// It may use CUDA (false for system functions).
        may_use_cuda: bool,
        /// It may be code of the program, which may use CUDA for what libraries do not: reset the device, make
        /// another the current one, capture the streams that it was given.
        of_program: bool,
    },
    /// The root returns to its caller, or `main` returns.
    Return {
        /// Pointers returned.
        value: Target,
    },
    /// The process ends.
    Exit,
}

/// How a pointer is observed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Observation {
    /// Compared with a pointer into another object (or one not known to be into the same).
    Compared,
    /// Subtracted from such a pointer.
    Subtracted,
    /// Converted to an integer, printed with `%p`, hashed.
    Converted,
    /// Its attributes are queried.
    Attributes,
    /// An IPC handle, a registration or another kind-specific operation; the function's name.
    KindSpecific(String),
}

/// Work submitted to a stream.
#[derive(Debug, Clone)]
pub struct Work {
    /// What it is.
    pub kind: WorkKind,
    /// For people: kernel or function name.
    pub name: String,
    /// Where.
    pub stream: StreamUse,
    /// What it may access, in no particular order within the work; reads of one piece of work happen before or
    /// between its writes.
    pub accesses: Vec<Access>,
    /// It may also access anything that has escaped.
    pub unknown: bool,
    /// The submitting call returns only after the work has completed (a documented edge).
    pub host_waits: bool,
    /// It may spin until the host writes something: it reads memory through `volatile` or atomics in a loop.
    pub may_spin: bool,
}

/// Kinds of device work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "named after what they are")]
pub enum WorkKind {
    Kernel,
    Library,
    Fill,
    Graph,
}

/// A copy.
#[derive(Debug, Clone)]
pub struct Copy {
    /// Destination.
    pub to: CopyEnd,
    /// Source.
    pub from: CopyEnd,
    /// Bytes moved; `None` if unknown.
    pub bytes: Option<Size>,
    /// Kind as written.
    pub kind: TransferKind,
    /// `None`: the synchronous form, in the default stream. `Some(s)`: async in `s`.
    pub stream: Option<StreamUse>,
    /// Rows with gaps or run-time pitch: never a linking copy.
    pub strided: bool,
}

/// One end of a copy.
#[derive(Debug, Clone)]
pub struct CopyEnd {
    /// Which object.
    pub target: Target,
    /// Byte offset into it; `None` if unknown.
    pub offset: Option<Size>,
    /// Which bytes that is.
    pub range: Range,
}

/// What the host waits for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scope {
    /// Everything on the device.
    Device,
    /// One stream.
    Stream(StreamUse),
    /// What was before a marker's last record; `None` if it is not known which marker: then nothing is certain.
    Marker(Option<MarkerId>),
}

impl EventGraph {
    /// The events of a block, with their ids, in order.
    pub fn events_of(
        &self,
        block: EventBlockId,
    ) -> impl DoubleEndedIterator<Item = (EventId, &Event)> {
        let block = &self.blocks[block.index()];
        (block.first..block.first + block.count).map(|i| (EventId(i), &self.events[i as usize]))
    }

    /// The object `id` names.
    #[must_use]
    pub fn object(&self, id: ObjectId) -> &Object {
        &self.objects[id.index()]
    }
}

impl Target {
    /// Exactly one known object.
    #[must_use]
    pub fn single(&self) -> Option<ObjectId> {
        match (self.objects.as_slice(), self.unknown) {
            (&[object], false) => Some(object),
            _ => None,
        }
    }

    /// Whether it may be `object` (not counting what escaped).
    #[must_use]
    pub fn may_be(&self, object: ObjectId) -> bool {
        self.objects.binary_search(&object).is_ok()
    }
}
