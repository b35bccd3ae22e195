//! Edits as values on the original text.

use echo_dataflow::program::FileId;

/// Replaces bytes `start..end` of a file by `replacement`; an insertion has `start == end`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edit {
    /// The file.
    pub file: FileId,
    /// First byte replaced.
    pub start: u32,
    /// One past the last byte replaced.
    pub end: u32,
    /// The new text.
    pub replacement: String,
    /// Which step of the transformation it belongs to.
    pub step: Step,
}

/// Steps of the transformation (paper section 3.2, Definition 2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    /// R1.
    Allocation,
    /// R2.
    Renaming,
    /// R3.
    Copy,
    /// R4.
    Deallocation,
}

impl Step {
    /// `R1` to `R4`.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Allocation => "R1",
            Self::Renaming => "R2",
            Self::Copy => "R3",
            Self::Deallocation => "R4",
        }
    }

    /// The step with this code.
    #[must_use]
    pub fn from_code(code: &str) -> Option<Self> {
        [Self::Allocation, Self::Renaming, Self::Copy, Self::Deallocation]
            .into_iter()
            .find(|step| step.code() == code)
    }
}
