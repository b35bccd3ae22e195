//! What is generated, repaired, shrunk and printed: a program over pairs of a host and a device buffer, and streams.

/// Memory of a host buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HostKind {
    /// `malloc`.
    Malloc,
    /// `calloc`.
    Calloc,
    /// `new T[n]`.
    New,
    /// `cudaMallocHost`.
    Pinned,
}

/// One pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pair {
    /// Memory of its host side.
    pub host: HostKind,
    /// How its size in bytes is written: one of several ways that mean the same.
    pub size: usize,
}

/// A stream; index 0 is the legacy default stream and not in the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stream {
    /// Made with `cudaStreamNonBlocking`.
    pub non_blocking: bool,
}

/// The side of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Side {
    /// The host buffer of that pair.
    Host(usize),
    /// The device buffer of that pair.
    Device(usize),
}

/// Which elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// All.
    Whole,
    /// The first half.
    Lower,
    /// The second half.
    Upper,
}

/// How the host works on a buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HostWork {
    /// Writes elements.
    Fill,
    /// Reads and writes elements.
    Update,
    /// Adds elements to the checksum.
    Read,
    /// `memset`.
    Clear,
}

/// How the host reaches the elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// By index in a loop.
    Loop,
    /// Through a second pointer.
    Alias,
    /// In a function that gets the pointer.
    Function,
}

/// What a kernel does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kernel {
    /// Reads and writes all elements of one buffer.
    Update(usize),
    /// Writes all elements of one buffer.
    Ramp(usize),
    /// Writes the first from the second.
    Map(usize, usize),
    /// Adds the second to the first.
    Add(usize, usize),
    /// Writes half of the elements.
    Half(usize),
    /// Reads and writes one element.
    Touch(usize),
}

/// How the host waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wait {
    /// `cudaDeviceSynchronize`.
    Device,
    /// `cudaStreamSynchronize`.
    Stream(usize),
    /// An event recorded in the stream, and `cudaEventSynchronize`.
    Event(usize),
}

/// A statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Statement {
    /// Allocates a side.
    Allocate(Side),
    /// Frees a side.
    Free(Side),
    /// The host works on a buffer.
    Host {
        /// The pair.
        pair: usize,
        /// What.
        work: HostWork,
        /// Where.
        part: Part,
        /// How.
        reach: Reach,
    },
    /// `memcpy` between two host buffers.
    HostCopy(usize, usize),
    /// A copy between two sides.
    Copy {
        /// Destination.
        to: Side,
        /// Source.
        from: Side,
        /// Which elements, the same in both.
        part: Part,
        /// In this stream, asynchronously.
        stream: Option<usize>,
        /// Direction is `cudaMemcpyDefault`.
        default: bool,
    },
    /// A launch.
    Launch(Kernel, usize),
    /// `cudaMemset`, or `cudaMemsetAsync` in a stream.
    Memset(usize, Option<usize>),
    /// The host waits.
    Wait(Wait),
    /// The first stream waits for an event recorded in the second.
    StreamWait(usize, usize),
    /// A loop.
    Loop(u32, Vec<Statement>),
    /// A branch on the checksum.
    Branch(Vec<Statement>, Vec<Statement>),
    /// Compares the pair's pointers.
    Compare(usize),
    /// Returns early if the checksum says so.
    Return,
}

/// How the source is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Style {
    /// Calls inside an error-checking macro.
    pub check: bool,
    /// Synchronous copies in functions.
    pub helpers: bool,
    /// Pointers in a struct.
    pub fields: bool,
    /// Elements are `int`, not `float`.
    pub int: bool,
    /// The whole life of the buffers happens in a loop.
    pub rounds: bool,
}

/// A program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// Elements of each buffer.
    pub elements: u32,
    /// The pairs.
    pub pairs: Vec<Pair>,
    /// Streams beside the legacy stream.
    pub streams: Vec<Stream>,
    /// What it does.
    pub body: Vec<Statement>,
    /// How it is written.
    pub style: Style,
}

impl Program {
    /// How many statements it has.
    pub fn size(&self) -> usize {
        fn of(body: &[Statement]) -> usize {
            body.iter()
                .map(|statement| match statement {
                    Statement::Loop(times, body) => 1 + *times as usize + of(body),
                    Statement::Branch(one, other) => 1 + of(one) + of(other),
                    Statement::Allocate(_)
                    | Statement::Free(_)
                    | Statement::Host { .. }
                    | Statement::HostCopy(..)
                    | Statement::Copy { .. }
                    | Statement::Launch(..)
                    | Statement::Memset(..)
                    | Statement::Wait(_)
                    | Statement::StreamWait(..)
                    | Statement::Compare(_)
                    | Statement::Return => 1,
                })
                .sum()
        }
        of(&self.body) + self.pairs.len() + self.streams.len()
    }
}

/// The sides that a statement uses, nested ones included, each with whether it is written.
pub(crate) fn sides(statement: &Statement) -> Vec<(Side, bool)> {
    use Side::{Device, Host};
    match statement {
        Statement::Host { pair, work, .. } => vec![(Host(*pair), *work != HostWork::Read)],
        Statement::HostCopy(to, from) => vec![(Host(*from), false), (Host(*to), true)],
        Statement::Copy { to, from, .. } => vec![(*from, false), (*to, true)],
        Statement::Launch(kernel, _) => match kernel {
            Kernel::Update(d) | Kernel::Ramp(d) | Kernel::Half(d) | Kernel::Touch(d) => {
                vec![(Device(*d), true)]
            }
            Kernel::Map(to, from) | Kernel::Add(to, from) => {
                vec![(Device(*from), false), (Device(*to), true)]
            }
        },
        Statement::Memset(pair, _) => vec![(Device(*pair), true)],
        Statement::Loop(_, body) => body.iter().flat_map(sides).collect(),
        Statement::Branch(one, other) => one.iter().chain(other).flat_map(sides).collect(),
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
            Kernel::Update(d) | Kernel::Touch(d) => vec![Device(*d)],
            Kernel::Map(_, from) => vec![Device(*from)],
            Kernel::Add(to, from) => vec![Device(*to), Device(*from)],
            Kernel::Ramp(_) | Kernel::Half(_) => Vec::new(),
        },
        Statement::Host { .. }
        | Statement::Memset(..)
        | Statement::Loop(..)
        | Statement::Branch(..)
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
        Statement::Launch(Kernel::Ramp(d) | Kernel::Map(d, _), _) | Statement::Memset(d, _) => {
            Some(Side::Device(*d))
        }
        Statement::Host { .. }
        | Statement::Copy { .. }
        | Statement::Launch(..)
        | Statement::Loop(..)
        | Statement::Branch(..)
        | Statement::Allocate(_)
        | Statement::Free(_)
        | Statement::Wait(_)
        | Statement::StreamWait(..)
        | Statement::Compare(_)
        | Statement::Return => None,
    }
}
