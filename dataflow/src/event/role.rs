//! What events have in common: the memory they touch, the queue they use, the part they play.

use super::{Access, CopyEnd, EventKind, Mode, ObjectId, Range, StreamUse, Target};

/// The part an event plays. Every kind of event plays exactly one; an analysis that cares for some parts names the
/// others here instead of all kinds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role<'e> {
    /// A block comes into being.
    Birth(ObjectId),
    /// A block may cease to be.
    Death(&'e Target),
    /// Memory is read or written, now or later: see [`EventKind::touches`].
    Memory,
    /// Something waits for something, or marks what will be waited for.
    Order,
    /// A pointer is stored, looked at or given away.
    Pointer,
    /// The device, its flags or the process change.
    Environment,
    /// Code runs of which not everything is known.
    Code,
    /// A stretch of the program is set apart: stream capture, time measurement.
    Stretch,
    /// The root ends.
    End,
}

/// Memory that an event touches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Touch<'e> {
    /// Which object.
    pub target: &'e Target,
    /// Which bytes.
    pub range: &'e Range,
    /// What is done.
    pub mode: Mode,
    /// As [`Access::must`].
    pub must: bool,
}

impl<'e> From<&'e Access> for Touch<'e> {
    fn from(access: &'e Access) -> Self {
        Self { target: &access.target, range: &access.range, mode: access.mode, must: access.must }
    }
}

impl CopyEnd {
    fn touch(&self, mode: Mode) -> Touch<'_> {
        let must = self.target.single().is_some() && self.range != Range::Some;
        Touch { target: &self.target, range: &self.range, mode, must }
    }
}

impl EventKind {
    /// The part this event plays.
    #[must_use]
    pub fn role(&self) -> Role<'_> {
        match self {
            Self::Allocate(object) => Role::Birth(*object),
            Self::HostRelease { target, .. } | Self::DeviceRelease { target, .. } => {
                Role::Death(target)
            }
            Self::Host(_)
            | Self::Work(_)
            | Self::Copy(_)
            | Self::HostCallback { .. }
            | Self::ThreadStart { .. } => Role::Memory,
            Self::Synchronize(_)
            | Self::Record { .. }
            | Self::StreamWait { .. }
            | Self::ThreadJoin => Role::Order,
            Self::Store { .. } | Self::Observe { .. } | Self::Escape { .. } => Role::Pointer,
            Self::SetDevice { .. }
            | Self::SetDeviceFlags
            | Self::DeviceReset
            | Self::ReadMemoryInfo
            | Self::ProcessControl { .. } => Role::Environment,
            Self::UnknownCode { .. } => Role::Code,
            Self::Capture { .. } | Self::ReadClock { .. } => Role::Stretch,
            Self::Return { .. } | Self::Exit => Role::End,
        }
    }

    /// The memory the event reads or writes, in no order; of code that is not described nothing is known.
    #[must_use]
    pub fn touches(&self) -> Vec<Touch<'_>> {
        if let Self::Host(access) = self {
            vec![access.into()]
        } else if let Self::Work(work) = self {
            work.accesses.iter().map(Touch::from).collect()
        } else if let Self::Copy(copy) = self {
            vec![copy.from.touch(Mode::Read), copy.to.touch(Mode::Write)]
        } else if let Self::HostCallback { accesses, .. } | Self::ThreadStart { accesses, .. } =
            self
        {
            accesses.iter().map(Touch::from).collect()
        } else {
            debug_assert!(self.role() != Role::Memory, "a kind that touches memory is missing");
            Vec::new()
        }
    }

    /// The stream in which the event queues work.
    #[must_use]
    pub fn queue(&self) -> Option<&StreamUse> {
        if let Self::Work(work) = self {
            Some(&work.stream)
        } else if let Self::Copy(copy) = self {
            Some(copy.stream.as_ref().unwrap_or(&StreamUse::Default))
        } else if let Self::HostCallback { stream, .. } = self {
            Some(stream)
        } else {
            None
        }
    }
}
