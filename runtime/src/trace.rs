//! Reading traces: tolerant of a kill at any moment, strict about what a record means.

use std::path::{Path, PathBuf};

use crate::wire::{copy_flag, kind, record_check, text, trace as layout};

/// Why a trace cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    /// The file cannot be opened or read.
    #[error("cannot read trace {path}: {source}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// Not a trace, or cut off before the end of its header.
    #[error(
        "{path} is not a complete echo-dr trace ({bytes} bytes): was the program killed before its first device allocation?"
    )]
    NotATrace {
        /// The file.
        path: PathBuf,
        /// Its length.
        bytes: usize,
    },
    /// Written by another version.
    #[error("{path} has trace format {found}, this echo-dr reads {expected}: profile again")]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u64,
        /// Ours.
        expected: u64,
    },
}

/// What the header says about the run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Header {
    /// Threshold in bytes.
    pub threshold: u64,
    /// Process id.
    pub pid: u64,
    /// Device and inode number of the executable.
    pub executable: (u64, u64),
    /// FNV-1a 64 of the command line.
    pub arguments: u64,
    /// Driver version, e.g. 13000.
    pub driver: u64,
    /// Device UUID.
    pub uuid: [u64; 2],
    /// Device ordinal.
    pub ordinal: u64,
    /// Bits of [`crate::wire::attribute`].
    pub attributes: u64,
    /// Device name.
    pub device: String,
}

/// A direction of a copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    /// Host to device.
    Upload,
    /// Device to host.
    Download,
}

/// How a block was used by something that is no linking copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ForeignUse {
    /// Another copy.
    Copy,
    /// Memset.
    Fill,
    /// Registration.
    Register,
    /// IPC export.
    Export,
    /// Pointer query.
    Query,
}

/// How a host block was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// malloc or new.
    Malloc,
    /// calloc.
    Calloc,
    /// An aligned form.
    Aligned,
    /// realloc.
    Realloc,
}

/// One recorded event. Addresses are those of the recorded process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// A host block came to be.
    HostAllocated {
        /// Address.
        address: u64,
        /// Bytes.
        bytes: u64,
        /// Call-site identity.
        site: u64,
        /// How.
        origin: Origin,
    },
    /// A host block was freed.
    HostFreed {
        /// Address.
        address: u64,
    },
    /// A host block went into realloc.
    HostReallocated {
        /// Address.
        address: u64,
    },
    /// A device block came to be.
    DeviceAllocated {
        /// Address.
        address: u64,
        /// Bytes.
        bytes: u64,
        /// Call-site identity.
        site: u64,
    },
    /// A device block was freed.
    DeviceFreed {
        /// Address.
        address: u64,
    },
    /// A copy between a tracked host and a tracked device block.
    Copied {
        /// Direction.
        direction: Direction,
        /// Host end.
        host: u64,
        /// Device end.
        device: u64,
        /// Bytes.
        bytes: u64,
        /// Call-site identity.
        site: u64,
        /// Normalised stream.
        stream: u64,
        /// Asynchronous form.
        asynchronous: bool,
        /// No device work was unfinished.
        clean: bool,
        /// During capture.
        capturing: bool,
        /// Nanoseconds of CLOCK_MONOTONIC.
        time: u64,
    },
    /// Another use of a tracked block.
    Foreign {
        /// Start of the block.
        address: u64,
        /// What it was.
        how: ForeignUse,
    },
    /// Device work (consecutive work in one stream is recorded once).
    Work {
        /// Normalised stream.
        stream: u64,
    },
    /// The host waited.
    Waited {
        /// Normalised stream, `None` for everything or an event.
        stream: Option<u64>,
    },
    /// A capture began.
    Captured,
    /// The process forked.
    Forked,
    /// A context was destroyed or reset.
    Reset,
}

/// A decoded trace.
#[derive(Debug, Clone, Default)]
pub struct Trace {
    /// The header.
    pub header: Header,
    /// Path of the executable.
    pub executable: String,
    /// Paths of loaded objects, sorted, each once.
    pub libraries: Vec<String>,
    /// Events in order.
    pub events: Vec<Event>,
    /// Records that were begun but not finished (one per thread at a kill).
    pub torn: usize,
    /// The file ends inside a block of records.
    pub truncated: bool,
    /// The process ended in order.
    pub clean: bool,
    /// Recording stopped early (limit or disk full).
    pub overflow: bool,
}

fn word(bytes: &[u8], index: usize) -> u64 {
    bytes
        .get(index * 8..index * 8 + 8)
        .and_then(|part| part.try_into().ok())
        .map_or(0, u64::from_le_bytes)
}

/// Text of words that hold up to `8 * words` bytes, ended by a zero.
pub(crate) fn text_of(words: &[u64]) -> String {
    let bytes: Vec<u8> =
        words.iter().flat_map(|word| word.to_le_bytes()).take_while(|&byte| byte != 0).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Reads a trace file.
///
/// # Errors
/// If the file is missing, no trace, shorter than its header, or of another version. A file cut off
/// later, or left by a killed process, is read as far as it goes.
pub fn read(path: &Path) -> Result<Trace, TraceError> {
    let bytes = std::fs::read(path)
        .map_err(|source| TraceError::Unreadable { path: path.to_owned(), source })?;
    decode(&bytes, path)
}

/// Decodes the bytes of a trace; `path` is for messages.
///
/// # Errors
/// As for [`read`].
pub fn decode(bytes: &[u8], path: &Path) -> Result<Trace, TraceError> {
    if bytes.len() < layout::HEADER_BYTES || word(bytes, layout::MAGIC) != crate::wire::TRACE_MAGIC
    {
        return Err(TraceError::NotATrace { path: path.to_owned(), bytes: bytes.len() });
    }
    let found = word(bytes, layout::VERSION);
    if found != crate::wire::VERSION {
        return Err(TraceError::Version {
            path: path.to_owned(),
            found,
            expected: crate::wire::VERSION,
        });
    }
    let name: Vec<u64> = (0..8).map(|index| word(bytes, layout::NAME + index)).collect();
    let body = &bytes[layout::HEADER_BYTES..];
    let mut trace = Trace {
        header: Header {
            threshold: word(bytes, layout::THRESHOLD),
            pid: word(bytes, layout::PID),
            executable: (word(bytes, layout::EXE_DEV), word(bytes, layout::EXE_INO)),
            arguments: word(bytes, layout::ARGV_HASH),
            driver: word(bytes, layout::DRIVER),
            uuid: [word(bytes, layout::UUID_LOW), word(bytes, layout::UUID_HIGH)],
            ordinal: word(bytes, layout::ORDINAL),
            attributes: word(bytes, layout::ATTRIBUTES),
            device: text_of(&name),
        },
        truncated: !body.len().is_multiple_of(layout::CHUNK_BYTES),
        clean: word(bytes, layout::CLEAN) != 0,
        overflow: word(bytes, layout::OVERFLOW) != 0,
        ..Trace::default()
    };
    let mut texts: Vec<(u8, String)> = Vec::new();
    for record in body.chunks_exact(layout::RECORD_BYTES) {
        let words: [u64; 7] = std::array::from_fn(|index| word(record, index));
        let check = word(record, 7);
        if check == 0 && words.iter().all(|&value| value == 0) {
            continue; // reserved, never begun
        }
        if check != record_check(&words) {
            trace.torn += 1;
            continue;
        }
        match event_of(&words) {
            Decoded::Event(event) => trace.events.push(event),
            Decoded::Text(which, part) if which & text::MORE != 0 => {
                if let Some((_, whole)) = texts.last_mut() {
                    whole.push_str(&part);
                }
            }
            Decoded::Text(which, part) => texts.push((which, part)),
            Decoded::Unknown => trace.torn += 1,
        }
    }
    for (which, part) in texts {
        match which {
            text::EXECUTABLE => trace.executable = part,
            text::LIBRARY => trace.libraries.push(part),
            _ => trace.torn += 1,
        }
    }
    trace.libraries.sort();
    trace.libraries.dedup();
    Ok(trace)
}

enum Decoded {
    Event(Event),
    Text(u8, String),
    Unknown,
}

fn event_of(words: &[u64; 7]) -> Decoded {
    let [first, time, a, b, n, site, stream] = *words;
    let (which, flags) = (first.to_le_bytes()[0], first.to_le_bytes()[1]);
    let set = |bit: u8| flags & bit != 0;
    let event = match which {
        kind::HOST_ALLOC => Event::HostAllocated {
            address: a,
            bytes: n,
            site,
            origin: match flags {
                0 => Origin::Malloc,
                1 => Origin::Calloc,
                2 => Origin::Aligned,
                3 => Origin::Realloc,
                _ => return Decoded::Unknown,
            },
        },
        kind::HOST_FREE => Event::HostFreed { address: a },
        kind::HOST_REALLOC => Event::HostReallocated { address: a },
        kind::DEVICE_ALLOC => Event::DeviceAllocated { address: a, bytes: n, site },
        kind::DEVICE_FREE => Event::DeviceFreed { address: a },
        kind::UPLOAD | kind::DOWNLOAD => {
            let upload = which == kind::UPLOAD;
            Event::Copied {
                direction: if upload { Direction::Upload } else { Direction::Download },
                host: if upload { b } else { a },
                device: if upload { a } else { b },
                bytes: n,
                site,
                stream,
                asynchronous: set(copy_flag::ASYNC),
                clean: set(copy_flag::CLEAN),
                capturing: set(copy_flag::CAPTURING),
                time,
            }
        }
        kind::FOREIGN => Event::Foreign {
            address: a,
            how: match flags {
                1 => ForeignUse::Copy,
                2 => ForeignUse::Fill,
                3 => ForeignUse::Register,
                4 => ForeignUse::Export,
                5 => ForeignUse::Query,
                _ => return Decoded::Unknown,
            },
        },
        kind::WORK => Event::Work { stream },
        kind::WAIT => {
            let other = set(copy_flag::EVERYTHING) || set(copy_flag::ASYNC);
            Event::Waited { stream: (!other).then_some(stream) }
        }
        kind::CAPTURE => Event::Captured,
        kind::FORK => Event::Forked,
        kind::RESET => Event::Reset,
        kind::TEXT => return Decoded::Text(flags, text_of(&words[1..7])),
        _ => return Decoded::Unknown,
    };
    Decoded::Event(event)
}
