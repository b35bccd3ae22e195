//! What one parsed file says.

use serde::{Deserialize, Serialize};

use crate::api::{Direction, Signal};
use crate::prefilter::RawWords;

/// Facts of one file; folded into a repository's row by [`crate::tally`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct FileFacts {
    /// Occurrences per signal, in [`Signal::ALL`] order.
    pub(crate) counts: [u32; Signal::ALL.len()],
    /// Line (1-based) of the first occurrence per signal; 0 where there is none.
    pub(crate) first_line: [u32; Signal::ALL.len()],
    /// A copy function is called.
    pub(crate) has_copy_call: bool,
    /// A call carries its direction literally; otherwise the direction came through a variable of the same file.
    pub(crate) literal_direction: bool,
    /// The ingredients by raw text.
    pub(crate) raw: RawWords,
    /// Host and device buffers joined by a copy in this file.
    pub(crate) links: Vec<Link>,
    /// The grammar was needed.
    pub(crate) parsed: bool,
    /// The grammar met something it could not read (counts still come from what it could).
    pub(crate) has_errors: bool,
}

impl FileFacts {
    /// Records one occurrence.
    pub(crate) fn see(&mut self, signal: Signal, line: u32) {
        let index = signal.index();
        self.counts[index] += 1;
        let first = &mut self.first_line[index];
        if *first == 0 || line < *first {
            *first = line;
        }
    }

    /// Settles copies without a literal direction, when the whole file has been seen.
    pub(crate) fn close(&mut self, kind_mentioned: bool, undirected: &[u32]) {
        // A direction kept in a variable: the file names one and copies without one.
        if kind_mentioned && !self.literal_direction && self.has_copy_call {
            self.see(Signal::ExplicitCopy, undirected.first().copied().unwrap_or(1));
        }
        for &line in undirected {
            self.see(Signal::UndirectedCopy, line);
        }
    }

    /// Whether the signal occurs.
    pub(crate) fn has(&self, signal: Signal) -> bool {
        self.counts[signal.index()] > 0
    }

    /// `malloc`, `calloc` or any `new`.
    pub(crate) fn has_host_allocation(&self) -> bool {
        self.has(Signal::HostArray) || self.has(Signal::HostObject)
    }

    /// The paper's co-occurrence within this file; `strict` leaves single-object `new` out.
    pub(crate) fn is_candidate(&self, strict: bool) -> bool {
        let host = if strict { self.has(Signal::HostArray) } else { self.has_host_allocation() };
        host && self.has(Signal::DeviceAllocation) && self.has(Signal::ExplicitCopy)
    }
}

/// A heap buffer and a `cudaMalloc` buffer joined by at least one directed copy in one file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Link {
    /// Host expression as written, for example `h_a` or `this->input`.
    pub host: String,
    /// Device expression as written.
    pub device: String,
    /// Line of the host allocation (1-based).
    pub host_line: u32,
    /// Line of the `cudaMalloc` (1-based).
    pub device_line: u32,
    /// Line of the first copy between the two (1-based).
    pub copy_line: u32,
    /// Directions that occur, sorted.
    pub directions: Vec<Direction>,
    /// What the syntax says about size and partners.
    pub shape: Shape,
}

/// How much of a link's fitness is visible in the syntax of one file (tier T3 = `WholeBuffer`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shape {
    /// Joined by a copy; size or partners do not fit or cannot be seen.
    Linked,
    /// Both sizes and a copy's size are equal, no offsets, and neither side has another partner in the file.
    WholeBuffer {
        /// At least one host-to-device copy has the full size (the paper's definition of a candidate pair).
        from_host: bool,
    },
}
