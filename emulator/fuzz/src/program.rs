//! What is generated, repaired, shrunk and printed: a program over pairs of a host and a device buffer, and streams.

use crate::form::{Form, KernelForm};

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
    /// `cudaHostAlloc` with the flag for mapped memory.
    Mapped,
    /// A `std::vector`, which frees it when it goes.
    Vector,
    /// `new T[n]` in a `std::unique_ptr`.
    Unique,
}

impl HostKind {
    /// Whether an object frees the memory when its scope ends.
    pub fn is_owned(self) -> bool {
        matches!(self, Self::Vector | Self::Unique)
    }
}

/// Memory of a device buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeviceKind {
    /// `cudaMalloc` with a cast to `void**`.
    Cast,
    /// The template `cudaMalloc(&pointer, bytes)`.
    Template,
    /// In the constructor of an object that frees it in its destructor.
    Object,
    /// `cudaMallocAsync` and `cudaFreeAsync` in the default stream.
    Async,
}

/// What is larger than the copies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Slack {
    /// Neither side.
    None,
    /// The host buffer.
    Host,
    /// The device buffer.
    Device,
    /// The device buffer: the host's size is cut to 16 bits, and so are the copies'.
    CutHost,
    /// The host buffer: the device's size is cut to 16 bits, and so are the copies'.
    CutDevice,
}

/// One pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pair {
    /// Memory of its host side.
    pub host: HostKind,
    /// Memory of its device side.
    pub device: DeviceKind,
    /// How its size in bytes is written for the host side, for the device side and in copies: several ways that mean
    /// the same.
    pub sizes: [usize; 3],
    /// Which side is larger than the other.
    pub slack: Slack,
}

impl Pair {
    /// The simplest pair.
    pub const PLAIN: Self = Self {
        host: HostKind::Malloc,
        device: DeviceKind::Cast,
        sizes: [0; 3],
        slack: Slack::None,
    };

    /// Ways to write a size.
    pub const SIZES: usize = 19;
    /// The first of those that go through a narrower type, which holds what they need.
    pub const NARROW_SIZES: usize = 14;
    /// The first so many cannot overflow, whatever the number of elements.
    pub const PLAIN_SIZES: usize = 4;

    /// Whether an object frees a side when its scope ends.
    pub fn is_owned(self) -> bool {
        self.host.is_owned() || self.device == DeviceKind::Object
    }
}

/// A stream; index 0 is the legacy default stream and not in the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stream {
    /// Made with `cudaStreamNonBlocking`.
    pub non_blocking: bool,
    /// Made with `cudaStreamCreateWithPriority`.
    pub priority: bool,
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
    /// The first half of each of two rows; only copies (`cudaMemcpy2D`).
    Stripe,
    /// From the first half to the second half; only copies.
    Shift,
}

/// How a copy is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CopyCall {
    /// `cudaMemcpy` with its direction.
    Flat,
    /// `cudaMemcpy` with `cudaMemcpyDefault`.
    Default,
    /// `cudaMemcpy2D`.
    Rows,
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
    /// By a pointer that moves.
    Pointer,
    /// Through a global variable that gets the pointer.
    Global,
    /// Through a lambda that captures the pointer.
    Lambda,
    /// By an algorithm of the standard library, where there is one.
    Algorithm,
    /// By `std::for_each`, from iterators of a vector where it is one.
    Each,
    /// By a loop over a range.
    Range,
    /// Through what a function returns.
    Returned,
    /// Through an object with `operator[]`.
    Index,
    /// By the method of an object.
    Method,
    /// In a function with default arguments.
    Default,
    /// In a function with the parameter `T v[]`.
    Open,
}

impl Reach {
    /// Its name in the report, if it is one of the rarer ones.
    pub fn dimension(self) -> Option<&'static str> {
        match self {
            Self::Loop
            | Self::Alias
            | Self::Function
            | Self::Pointer
            | Self::Global
            | Self::Lambda
            | Self::Algorithm => None,
            Self::Each => Some("for_each"),
            Self::Range => Some("range-for"),
            Self::Returned => Some("elements through returned pointers"),
            Self::Index => Some("elements through operator[]"),
            Self::Method => Some("elements in methods"),
            Self::Default => Some("elements in functions with default arguments"),
            Self::Open => Some("elements in functions with v[]"),
        }
    }
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
    /// Writes those elements that are large.
    Clamp(usize),
    /// Reads and writes all elements through a struct that holds the pointer.
    View(usize),
    /// Reads and writes the second half, by a pointer to its begin.
    Tail(usize),
    /// Reads and writes all elements in a kernel that is a template over a function object.
    Functor(usize),
    /// The same with a lambda of the program.
    Lambda(usize),
    /// Adds all elements of the second to the first element of the first, with atomics.
    Total(usize, usize),
    /// Reads and writes all elements through a parameter of that form.
    Form(KernelForm, usize),
    /// Writes the first from the second, both written as arrays.
    Gather(usize, usize),
}

/// A part of the body that is written as a function of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// A function; in a second file, if the source has one.
    Function,
    /// A function template.
    Template,
    /// A lambda.
    Lambda,
    /// Only a block.
    Block,
    /// Whatever it is, it gets the pointers in that form.
    With(Form),
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

/// What the tool mostly keeps away from: it must not break it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Special {
    /// Copies the host side to a variable of the device, from which a kernel adds to the device side.
    ToSymbol,
    /// A kernel writes a variable of the device from the device side; it is copied to the host side.
    FromSymbol,
    /// A function of the host, queued in a stream, updates the host side.
    HostFunction,
    /// Records a kernel and a fill that work on the device side, and launches the graph twice.
    Graph,
    /// A thread updates the host side, and is joined.
    Thread,
    /// Chooses the last device.
    LastDevice,
}

impl Special {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::ToSymbol,
        Self::FromSymbol,
        Self::HostFunction,
        Self::Graph,
        Self::Thread,
        Self::LastDevice,
    ];

    /// Its name in the report.
    pub fn dimension(self) -> &'static str {
        match self {
            Self::ToSymbol | Self::FromSymbol => "symbols",
            Self::HostFunction => "host functions",
            Self::Graph => "graphs",
            Self::Thread => "threads",
            Self::LastDevice => "devices",
        }
    }
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
        /// How it is written.
        call: CopyCall,
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
    /// A part in a function of its own, which it may leave early.
    Stage(Stage, Vec<Statement>),
    /// Compares the pair's pointers.
    Compare(usize),
    /// Returns early if the checksum says so.
    Return,
    /// With the pair, in the stream.
    Special(Special, usize, usize),
}

/// Where the pointers are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Names {
    /// In local variables, declared at the begin.
    #[default]
    Locals,
    /// In local variables, declared where they are first set.
    Late,
    /// In a struct for each pair.
    Fields,
    /// In an array for each sort of memory.
    Arrays,
    /// In an object for each pair that frees the device side and has methods for copies.
    Object,
    /// In global variables.
    Globals,
}

/// What is done with the status of calls.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Check {
    /// Nothing.
    #[default]
    None,
    /// A macro.
    Macro,
    /// A function.
    Function,
    /// A branch at each call.
    Branch,
}

/// How the source is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Style {
    /// What is done with the status of calls.
    pub check: Check,
    /// Synchronous copies in functions.
    pub helpers: bool,
    /// Allocations and frees in functions.
    pub allocators: bool,
    /// Launches in functions.
    pub launchers: bool,
    /// Where the pointers are.
    pub names: Names,
    /// Elements are `int`, not `float`.
    pub int: bool,
    /// The whole life of the buffers happens in a loop.
    pub rounds: bool,
    /// Loops are not all written with `for`, branches not all with `if`.
    pub flow: bool,
    /// Early returns go to a label at the end, where everything is freed.
    pub cleanup: bool,
    /// The number of elements is not a constant of the program.
    pub counted: bool,
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
    /// How much there is to it: statements count most, then what is not plain about them.
    pub fn size(&self) -> usize {
        let not_plain = self.pairs.iter().filter(|pair| **pair != Pair::PLAIN).count();
        let plain = Style { int: self.style.int, ..Style::default() };
        let style = usize::from(self.style != plain);
        let parts = self.pairs.len() + self.streams.len();
        weight(&self.body) + 4 * parts + not_plain + style
    }

    /// Whether it has device code of its own.
    pub fn has_lambda(&self) -> bool {
        fn within(body: &[Statement]) -> bool {
            body.iter().any(|statement| match statement {
                Statement::Launch(kernel, _) => matches!(kernel, Kernel::Lambda(_)),
                Statement::Loop(_, body) | Statement::Stage(_, body) => within(body),
                Statement::Branch(one, other) => within(one) || within(other),
                Statement::Allocate(_)
                | Statement::Free(_)
                | Statement::Host { .. }
                | Statement::HostCopy(..)
                | Statement::Copy { .. }
                | Statement::Memset(..)
                | Statement::Wait(_)
                | Statement::StreamWait(..)
                | Statement::Compare(_)
                | Statement::Return
                | Statement::Special(..) => false,
            })
        }
        within(&self.body)
    }

    /// Whether memory is freed at the end of a scope, wherever it is left.
    pub fn frees_at_exit(&self) -> bool {
        self.style.cleanup
            || self.style.names == Names::Object
            || self.pairs.iter().any(|pair| pair.is_owned())
    }
}

fn weight(body: &[Statement]) -> usize {
    let of = |statement: &Statement| match statement {
        Statement::Loop(times, body) => *times as usize + weight(body),
        Statement::Branch(one, other) => weight(one) + weight(other),
        Statement::Stage(_, body) => weight(body),
        Statement::Copy { part, stream, call, .. } => {
            usize::from(*part != Part::Whole)
                + usize::from(stream.is_some())
                + usize::from(*call != CopyCall::Flat)
        }
        Statement::Host { part, reach, .. } => {
            usize::from(*part != Part::Whole) + usize::from(*reach != Reach::Loop)
        }
        Statement::Allocate(_)
        | Statement::Free(_)
        | Statement::HostCopy(..)
        | Statement::Launch(..)
        | Statement::Memset(..)
        | Statement::Wait(_)
        | Statement::StreamWait(..)
        | Statement::Compare(_)
        | Statement::Return
        | Statement::Special(..) => 0,
    };
    body.iter().map(|statement| 4 + of(statement)).sum()
}
