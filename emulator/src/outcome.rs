//! What a run shows.

/// How a process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ending {
    /// By itself, with this code.
    Exit(i32),
    /// The emulator stopped it: a device image is missing or broken (90, 91).
    Broken,
    /// A copy outside its block, or whose ends overlap (92).
    BadCopy,
    /// A kernel touched pageable host memory (93).
    KernelTouchesHost,
    /// Use after free, or a free of what is not live (94).
    Freed,
    /// The host touched managed memory while the device worked (95).
    ManagedBusy,
    /// Races were reported (96); the program ran to its end.
    Race,
    /// The host touched device memory (97).
    HostTouchesDevice,
    /// Another bad address (98).
    Fault,
    /// Something the emulator does not do (99).
    Unsupported,
    /// A signal.
    Signal(i32),
    /// It ran longer than allowed.
    TimeOut,
}

impl Ending {
    /// The ending that an exit code of an emulated process stands for.
    pub fn from_code(code: i32) -> Self {
        match code {
            90 | 91 => Self::Broken,
            92 => Self::BadCopy,
            93 => Self::KernelTouchesHost,
            94 => Self::Freed,
            95 => Self::ManagedBusy,
            96 => Self::Race,
            97 => Self::HostTouchesDevice,
            98 => Self::Fault,
            99 => Self::Unsupported,
            other => Self::Exit(other),
        }
    }
}

impl std::fmt::Display for Ending {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Exit(code) => write!(formatter, "exit code {code}"),
            Self::Broken => write!(formatter, "broken device image"),
            Self::BadCopy => write!(formatter, "trap: copy outside its block"),
            Self::KernelTouchesHost => write!(formatter, "trap: kernel touches host memory"),
            Self::Freed => write!(formatter, "trap: freed memory"),
            Self::ManagedBusy => write!(formatter, "trap: managed memory while the device works"),
            Self::Race => write!(formatter, "race"),
            Self::HostTouchesDevice => write!(formatter, "trap: host touches device memory"),
            Self::Fault => write!(formatter, "trap: bad address"),
            Self::Unsupported => write!(formatter, "not supported by the emulator"),
            Self::Signal(signal) => write!(formatter, "signal {signal}"),
            Self::TimeOut => write!(formatter, "time limit"),
        }
    }
}

/// Result of one run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// How it ended.
    pub ending: Ending,
    /// Standard output.
    pub output: Vec<u8>,
    /// The emulator's findings on standard error: lines that begin with `ECHO-`.
    pub findings: Vec<String>,
    /// The rest of standard error.
    pub errors: Vec<u8>,
}
