//! Small programs: what they are made of, and the runs they have.

use std::fmt;
use std::ops::Range;

/// The buffers. `Host` and `Device` are the pair of one-pair programs; the `Other` ones make a second pair or m:n;
/// `Pinned` is host memory that the device can use directly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Buffer {
    Host,
    Device,
    OtherHost,
    OtherDevice,
    Pinned,
}

pub(crate) const BUFFERS: [Buffer; 5] =
    [Buffer::Host, Buffer::Device, Buffer::OtherHost, Buffer::OtherDevice, Buffer::Pinned];

impl Buffer {
    /// Ordinary host memory.
    pub(crate) fn is_pageable(self) -> bool {
        matches!(self, Self::Host | Self::OtherHost)
    }

    /// Memory of `cudaMalloc`.
    pub(crate) fn is_device(self) -> bool {
        matches!(self, Self::Device | Self::OtherDevice)
    }
}

/// Which part of a buffer: 0 is all, 1 and 2 are its halves.
pub(crate) type Part = u8;

/// 0 is the legacy stream, 1 and 2 are created ones.
pub(crate) type StreamNumber = u8;

/// A step of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Step {
    HostWrite(Buffer, Part),
    HostRead(Buffer, Part),
    /// Overwrites a part without reading.
    KernelWrite(Buffer, StreamNumber, Part),
    KernelRead(Buffer, StreamNumber),
    /// Reads and then overwrites all.
    KernelUpdate(Buffer, StreamNumber),
    /// Reads the first and overwrites the second.
    KernelMove(Buffer, Buffer, StreamNumber),
    /// A kernel that touches none of the buffers.
    Unrelated(StreamNumber),
    /// `cudaMemset`, or `cudaMemsetAsync` in the stream.
    Fill(Buffer, StreamNumber),
    Copy {
        to: Buffer,
        from: Buffer,
        part: Part,
        stream: Option<StreamNumber>,
    },
    /// Overwrites each half of the second by a function of the other half of the first, one after the other.
    KernelMirror(Buffer, Buffer, StreamNumber),
    /// Copies `from` to `Device` or to `OtherDevice`: always the same, but the analysis cannot tell which.
    CopyToEither {
        from: Buffer,
        stream: Option<StreamNumber>,
    },
    /// Copies the first half of `from` to the second half of `to`.
    Shift {
        to: Buffer,
        from: Buffer,
    },
    WaitForDevice,
    WaitForStream(StreamNumber),
    Record(StreamNumber),
    StreamWaits(StreamNumber),
    WaitForMarker,
    /// The allocation; buffers without one are allocated before the first step.
    Allocate(Buffer),
    Free(Buffer),
    /// The free of `Host` or of `OtherHost`: always the same, but the analysis cannot tell which.
    FreeEither,
    /// `cudaDeviceReset`.
    Reset,
}

impl Step {
    /// The buffers the step names.
    pub(crate) fn buffers(self) -> Vec<Buffer> {
        match self {
            Self::HostWrite(b, _)
            | Self::HostRead(b, _)
            | Self::KernelWrite(b, _, _)
            | Self::KernelRead(b, _)
            | Self::KernelUpdate(b, _)
            | Self::Fill(b, _)
            | Self::Allocate(b)
            | Self::Free(b) => vec![b],
            Self::KernelMove(a, b, _) | Self::KernelMirror(a, b, _) => vec![a, b],
            Self::CopyToEither { from, .. } => vec![from, Buffer::Device, Buffer::OtherDevice],
            Self::FreeEither => vec![Buffer::Host, Buffer::OtherHost],
            Self::Copy { to, from, .. } | Self::Shift { to, from } => vec![to, from],
            Self::Unrelated(_)
            | Self::WaitForDevice
            | Self::WaitForStream(_)
            | Self::Record(_)
            | Self::StreamWaits(_)
            | Self::WaitForMarker
            | Self::Reset => Vec::new(),
        }
    }

    /// The stream the step names.
    pub(crate) fn stream(self) -> Option<StreamNumber> {
        match self {
            Self::KernelWrite(_, s, _)
            | Self::KernelRead(_, s)
            | Self::KernelUpdate(_, s)
            | Self::KernelMove(_, _, s)
            | Self::KernelMirror(_, _, s)
            | Self::Unrelated(s)
            | Self::Fill(_, s)
            | Self::WaitForStream(s)
            | Self::Record(s)
            | Self::StreamWaits(s) => Some(s),
            Self::Copy { stream, .. } | Self::CopyToEither { stream, .. } => stream,
            Self::HostWrite(..)
            | Self::HostRead(..)
            | Self::Shift { .. }
            | Self::WaitForDevice
            | Self::WaitForMarker
            | Self::Allocate(_)
            | Self::Free(_)
            | Self::FreeEither
            | Self::Reset => None,
        }
    }

    /// The pair that the step links by a copy of this part.
    pub(crate) fn links(self, whole: Part) -> Option<(Buffer, Buffer)> {
        let Self::Copy { to, from, part, .. } = self else { return None };
        if part != whole {
            return None;
        }
        match (to.is_pageable() && from.is_device(), to.is_device() && from.is_pageable()) {
            (true, _) => Some((to, from)),
            (_, true) => Some((from, to)),
            (false, false) => None,
        }
    }

    /// Work is submitted to the device.
    pub(crate) fn submits(self) -> bool {
        match self {
            Self::KernelWrite(..)
            | Self::KernelRead(..)
            | Self::KernelUpdate(..)
            | Self::KernelMove(..)
            | Self::KernelMirror(..)
            | Self::CopyToEither { .. }
            | Self::Unrelated(_)
            | Self::Fill(..)
            | Self::Copy { .. }
            | Self::Shift { .. } => true,
            Self::HostWrite(..)
            | Self::HostRead(..)
            | Self::WaitForDevice
            | Self::WaitForStream(_)
            | Self::Record(_)
            | Self::StreamWaits(_)
            | Self::WaitForMarker
            | Self::Allocate(_)
            | Self::Free(_)
            | Self::FreeEither
            | Self::Reset => false,
        }
    }

    /// The host only waits.
    pub(crate) fn waits(self) -> bool {
        matches!(self, Self::WaitForDevice | Self::WaitForStream(_) | Self::WaitForMarker)
    }

    /// A kernel accesses ordinary host memory.
    pub(crate) fn lends_host_memory(self) -> bool {
        match self {
            Self::KernelMove(from, to, _) | Self::KernelMirror(from, to, _) => {
                from.is_pageable() || to.is_pageable()
            }
            Self::KernelWrite(b, ..) | Self::KernelRead(b, _) | Self::KernelUpdate(b, _) => {
                b.is_pageable()
            }
            Self::HostWrite(..)
            | Self::HostRead(..)
            | Self::CopyToEither { .. }
            | Self::Unrelated(_)
            | Self::Fill(..)
            | Self::Copy { .. }
            | Self::Shift { .. }
            | Self::WaitForDevice
            | Self::WaitForStream(_)
            | Self::Record(_)
            | Self::StreamWaits(_)
            | Self::WaitForMarker
            | Self::Allocate(_)
            | Self::Free(_)
            | Self::FreeEither
            | Self::Reset => false,
        }
    }

    /// The device may use ordinary host memory after the step.
    pub(crate) fn borrows_host_memory(self) -> bool {
        let is_copy = matches!(self, Self::Copy { .. } | Self::CopyToEither { .. });
        let is_late = is_copy && self.stream().is_some();
        self.lends_host_memory() || is_late && self.buffers().iter().any(|b| b.is_pageable())
    }

    /// Something of the program's values becomes visible.
    pub(crate) fn observes(self) -> bool {
        match self {
            Self::HostRead(..)
            | Self::KernelRead(..)
            | Self::KernelUpdate(..)
            | Self::KernelMove(..)
            | Self::KernelMirror(..) => true,
            Self::HostWrite(..)
            | Self::KernelWrite(..)
            | Self::Unrelated(_)
            | Self::Fill(..)
            | Self::Copy { .. }
            | Self::CopyToEither { .. }
            | Self::Shift { .. }
            | Self::WaitForDevice
            | Self::WaitForStream(_)
            | Self::Record(_)
            | Self::StreamWaits(_)
            | Self::WaitForMarker
            | Self::Allocate(_)
            | Self::Free(_)
            | Self::FreeEither
            | Self::Reset => false,
        }
    }
}

/// Properties of all programs of a family.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Setting {
    /// Stream 2 does not take part in legacy barriers.
    pub(crate) second_is_non_blocking: bool,
    /// The analysis cannot tell which stream stream 2 is.
    pub(crate) second_is_unknown: bool,
    /// Uploads are of at most 64 KiB, and so wait for nothing.
    pub(crate) small: bool,
    /// `OtherHost` and `OtherDevice` are below the threshold.
    pub(crate) other_is_small: bool,
    /// Host buffers come from `calloc`.
    pub(crate) zeroed: bool,
    /// `Host` is as large as the first half of `Device`.
    pub(crate) host_is_half: bool,
}

/// A program: steps in sequence, of which some may repeat and some are optional.
#[derive(Debug, Clone)]
pub(crate) struct Scenario {
    pub(crate) steps: Vec<Step>,
    /// Steps that run any number of times.
    pub(crate) repeated: Option<Range<usize>>,
    /// Steps that run or not. Inside, around or beside `repeated`; if the two are equal, inside.
    pub(crate) optional: Option<Range<usize>>,
    pub(crate) setting: Setting,
}

/// Part of a program's structure.
#[derive(Debug, Clone)]
pub(crate) enum Element {
    Step(usize),
    Repeated(Vec<Element>),
    Optional(Vec<Element>),
}

impl fmt::Display for Scenario {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = 0..self.steps.len();
        for number in all {
            if number > 0 {
                f.write_str("; ")?;
            }
            for (range, word) in [(&self.repeated, "repeat {"), (&self.optional, "maybe {")] {
                if range.as_ref().is_some_and(|range| range.start == number) {
                    write!(f, "{word} ")?;
                }
            }
            write!(f, "{:?}", self.steps[number])?;
            for range in [&self.optional, &self.repeated].into_iter().flatten() {
                if range.end == number + 1 {
                    f.write_str(" }")?;
                }
            }
        }
        if self.setting != Setting::default() {
            write!(f, " ({:?})", self.setting)?;
        }
        Ok(())
    }
}

impl Scenario {
    /// The program's structure.
    pub(crate) fn structure(&self) -> Vec<Element> {
        let mut constructs: Vec<(Range<usize>, bool)> = Vec::new();
        constructs.extend(self.repeated.clone().map(|range| (range, true)));
        constructs.extend(self.optional.clone().map(|range| (range, false)));
        structure(0..self.steps.len(), &constructs)
    }

    /// The runs to check: step numbers in order of execution.
    pub(crate) fn runs(&self) -> Vec<Vec<usize>> {
        runs(&self.structure(), if self.optional.is_some() { 2 } else { 3 })
    }

    /// The steps for each choice that the program makes once.
    pub(crate) fn choices(&self) -> Vec<Vec<Step>> {
        let chooses = |step: &Step| matches!(step, Step::CopyToEither { .. } | Step::FreeEither);
        if !self.steps.iter().any(chooses) {
            return vec![self.steps.clone()];
        }
        let with = |host, to| {
            let chosen = |step: &Step| {
                if let Step::CopyToEither { from, stream } = *step {
                    Step::Copy { to, from, part: 0, stream }
                } else if *step == Step::FreeEither {
                    Step::Free(host)
                } else {
                    *step
                }
            };
            self.steps.iter().map(chosen).collect()
        };
        vec![with(Buffer::Host, Buffer::Device), with(Buffer::OtherHost, Buffer::OtherDevice)]
    }

    /// Whether a step names `buffer`.
    pub(crate) fn uses(&self, buffer: Buffer) -> bool {
        self.steps.iter().any(|step| step.buffers().contains(&buffer))
    }
}

fn structure(range: Range<usize>, constructs: &[(Range<usize>, bool)]) -> Vec<Element> {
    let mut parts = Vec::new();
    let mut at = range.start;
    while at < range.end {
        // The widest construct that starts here; of equals the loop.
        let widest = constructs
            .iter()
            .enumerate()
            .filter(|(_, (own, _))| own.start == at)
            .max_by_key(|(_, (own, repeats))| (own.end, *repeats));
        let Some((number, (own, repeats))) = widest else {
            parts.push(Element::Step(at));
            at += 1;
            continue;
        };
        let mut others = constructs.to_vec();
        others.remove(number);
        let inner = structure(own.clone(), &others);
        parts.push(if *repeats { Element::Repeated(inner) } else { Element::Optional(inner) });
        at = own.end;
    }
    parts
}

fn runs(parts: &[Element], times: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for part in parts {
        let choices = match part {
            Element::Step(number) => vec![vec![*number]],
            Element::Optional(inner) => {
                let mut choices = vec![Vec::new()];
                choices.extend(runs(inner, times));
                choices
            }
            Element::Repeated(inner) => {
                let once = runs(inner, times);
                let mut choices = vec![Vec::new()];
                let mut last: Vec<Vec<usize>> = vec![Vec::new()];
                for _ in 0..times {
                    last = product(&last, &once);
                    choices.extend(last.iter().cloned());
                }
                choices
            }
        };
        all = product(&all, &choices);
    }
    all
}

fn product(left: &[Vec<usize>], right: &[Vec<usize>]) -> Vec<Vec<usize>> {
    left.iter().flat_map(|a| right.iter().map(move |b| [&a[..], b].concat())).collect()
}
