//! Why a candidate pair is not merged at run time. Closed list; every reason has words for people.

use serde::{Deserialize, Serialize};

use crate::wire::fault;

/// A reason to leave a pair alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rejection {
    /// Copied fewer than k_min times at its dominant copy site.
    TooFewCopies,
    /// The copy, the host block and the device block differ in size or start.
    SizeMismatch,
    /// One host block is copied to or from several device blocks.
    SeveralDevices,
    /// One device block is copied to or from several host blocks.
    SeveralHosts,
    /// One allocation site serves several candidate pairs of one size.
    SharedSite,
    /// Matching by order of allocation would join other blocks than the copies do.
    AllocationOrder,
    /// A block is also used by another copy.
    OtherCopy,
    /// A block is filled by memset.
    Filled,
    /// The host block is registered.
    Registered,
    /// A block is exported to other processes.
    Exported,
    /// The program asks the driver about the block's pointer.
    PointerQueried,
    /// The host block comes from or goes into realloc.
    Reallocated,
    /// Copies and device work use more than one stream.
    SeveralStreams,
    /// An asynchronous download is not followed by a wait for its stream.
    NotWaitedFor,
    /// A stream capture took place while the pair was live.
    Captured,
    /// The process forked while the pair was live.
    Forked,
    /// A context was reset while the pair was live.
    Reset,
    /// The host touched the buffer while the GPU used the pair.
    HostAccess,
    /// The host buffer was used for input or output while the GPU used the pair.
    HostIo,
    /// The GPU changes the input, and the program needs the old value.
    DeviceChangedInput,
    /// The GPU writes the buffer outside every window.
    DeviceWroteOutside,
    /// Device work starts while the host buffer holds newer data than the device buffer.
    WorkBeforeUpload,
    /// The host buffer was freed or reallocated while the GPU used the pair.
    FreedInWindow,
    /// The device buffer was freed while the GPU used the pair.
    DeviceFreedInWindow,
    /// The host buffer is allocated after the device has already written its partner.
    LateAllocation,
    /// A window did not close before the program ended.
    IncompleteWindow,
    /// The buffer could not be guarded or compared.
    GuardFailed,
    /// The pair did not show up in the validation run.
    NotValidated,
    /// The validation run crashed or failed.
    ValidationFailed,
    /// The merged run produced other results.
    DigestDiffers,
}

impl Rejection {
    /// Whether the paper's own analysis has this check (section 3.3.2), or Echo added it.
    pub fn in_paper(self) -> bool {
        match self {
            Rejection::TooFewCopies
            | Rejection::SizeMismatch
            | Rejection::SeveralStreams
            | Rejection::HostAccess
            | Rejection::HostIo
            | Rejection::IncompleteWindow
            | Rejection::GuardFailed
            | Rejection::NotValidated
            | Rejection::ValidationFailed => true,
            Rejection::SeveralDevices
            | Rejection::SeveralHosts
            | Rejection::SharedSite
            | Rejection::AllocationOrder
            | Rejection::OtherCopy
            | Rejection::Filled
            | Rejection::Registered
            | Rejection::Exported
            | Rejection::PointerQueried
            | Rejection::Reallocated
            | Rejection::NotWaitedFor
            | Rejection::Captured
            | Rejection::Forked
            | Rejection::Reset
            | Rejection::DeviceChangedInput
            | Rejection::DeviceWroteOutside
            | Rejection::WorkBeforeUpload
            | Rejection::FreedInWindow
            | Rejection::DeviceFreedInWindow
            | Rejection::LateAllocation
            | Rejection::DigestDiffers => false,
        }
    }

    /// One sentence for people.
    pub fn message(self) -> &'static str {
        match self {
            Rejection::TooFewCopies => "it is copied too rarely to be worth merging",
            Rejection::SizeMismatch => "the copies do not cover both buffers exactly",
            Rejection::SeveralDevices => {
                "one host buffer is copied to or from several device buffers"
            }
            Rejection::SeveralHosts => {
                "one device buffer is copied to or from several host buffers"
            }
            Rejection::SharedSite => "the same allocation call serves several pairs of this size",
            Rejection::AllocationOrder => {
                "which buffers belong together does not follow from the order of allocation"
            }
            Rejection::OtherCopy => "part of it is also copied from or to somewhere else",
            Rejection::Filled => "it is also filled by a memset",
            Rejection::Registered => "the host buffer is registered with the driver",
            Rejection::Exported => "it is shared with other processes",
            Rejection::PointerQueried => "the program asks the driver what kind of pointer it is",
            Rejection::Reallocated => "the host buffer comes from or goes through realloc",
            Rejection::SeveralStreams => "copies and kernels run in different streams",
            Rejection::NotWaitedFor => {
                "the program does not wait for the stream of its asynchronous copy"
            }
            Rejection::Captured => "a CUDA graph is captured while it is in use",
            Rejection::Forked => "the process forks while it is in use",
            Rejection::Reset => "the device is reset while it is in use",
            Rejection::HostAccess => {
                "the CPU touches the host buffer while the GPU may use the pair"
            }
            Rejection::HostIo => {
                "the host buffer is read or written by a system call while the GPU may use the pair"
            }
            Rejection::DeviceChangedInput => {
                "the GPU changes the buffer, and the program later needs the old value (S1)"
            }
            Rejection::DeviceWroteOutside => {
                "the GPU writes the buffer between a download and the next upload (S1)"
            }
            Rejection::WorkBeforeUpload => {
                "kernels run after the CPU changed the buffer and before it is uploaded (S1)"
            }
            Rejection::FreedInWindow => "the host buffer is freed while the GPU may use the pair",
            Rejection::DeviceFreedInWindow => {
                "the device buffer is freed while the GPU may use the pair"
            }
            Rejection::LateAllocation => {
                "the host buffer is created and cleared after the GPU has written its result"
            }
            Rejection::IncompleteWindow => {
                "the program ended while the GPU might still use the pair"
            }
            Rejection::GuardFailed => "the buffer could not be guarded",
            Rejection::NotValidated => "it did not occur in the validation run",
            Rejection::ValidationFailed => "the program failed in the validation run",
            Rejection::DigestDiffers => "the merged run computed something else",
        }
    }

    /// Reasons in the fault word of a rule.
    pub fn of_faults(word: u64) -> Vec<Rejection> {
        [
            (fault::HOST_ACCESS, Rejection::HostAccess),
            (fault::HOST_IO, Rejection::HostIo),
            (fault::DEVICE_CHANGED_INPUT, Rejection::DeviceChangedInput),
            (fault::DEVICE_WROTE_OUTSIDE, Rejection::DeviceWroteOutside),
            (fault::WORK_BEFORE_UPLOAD, Rejection::WorkBeforeUpload),
            (fault::FOREIGN_USE, Rejection::OtherCopy),
            (fault::FREED_IN_WINDOW, Rejection::FreedInWindow),
            (fault::DEVICE_FREED_IN_WINDOW, Rejection::DeviceFreedInWindow),
            (fault::GUARD_FAILED, Rejection::GuardFailed),
            (fault::CAPTURE, Rejection::Captured),
            (fault::FORK, Rejection::Forked),
            (fault::OTHER_PARTNER, Rejection::AllocationOrder),
            (fault::LATE_ALLOCATION, Rejection::LateAllocation),
        ]
        .into_iter()
        .filter(|&(bit, _)| word >> bit & 1 == 1)
        .map(|(_, rejection)| rejection)
        .collect()
    }
}
