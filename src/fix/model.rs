//! What a unit's analysis yields, as data that passes from the worker to the parent and into the machine output.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

/// Result of one file, made in a worker process.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct UnitReport {
    /// The file.
    pub(crate) file: FileReport,
    /// Files of its own that it includes, itself first.
    pub(crate) includes: Vec<String>,
    /// Content hashes of the files that may be edited.
    pub(crate) hashes: BTreeMap<String, u64>,
    /// Its pairs.
    pub(crate) pairs: Vec<Pair>,
    /// Suppression comments, by file.
    pub(crate) suppressions: Vec<SuppressionReport>,
    /// Counts for a result that explains itself.
    pub(crate) counts: Counts,
    /// An edit was dropped: a defect of this program.
    pub(crate) dropped: Option<String>,
    /// What other units may know of its functions.
    pub(crate) definitions: Vec<super::linkage::Definition>,
    /// Functions of libraries that it calls and that are known by their names.
    pub(crate) library_names: BTreeSet<String>,
    /// What it took.
    pub(crate) cost: Cost,
}

/// What a file took; for people (`-vv`) and benches, not part of the machine output.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Cost {
    /// Parsing and lowering, in microseconds.
    pub(crate) parse: u64,
    /// Analysis and rewriting, in microseconds.
    pub(crate) analysis: u64,
    /// Most memory the worker has had, in KiB.
    pub(crate) memory: u64,
    /// Whether a precompiled prefix was used, and why not.
    pub(crate) prefix: String,
}

/// How a file fared.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct FileReport {
    pub(crate) path: String,
    pub(crate) status: Status,
    pub(crate) errors: usize,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) message: Option<String>,
    pub(crate) opaque_functions: Vec<OpaqueFunction>,
    /// Statements that were not understood, in functions that were.
    pub(crate) opaque_statements: Vec<OpaqueStatement>,
}

impl FileReport {
    /// How many functions and single statements were not understood.
    pub(crate) fn not_understood(&self) -> usize {
        self.opaque_functions.len() + self.opaque_statements.len()
    }
}

/// Status of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Status {
    Analysed,
    Partial,
    Failed,
}

/// A function that was not understood.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct OpaqueFunction {
    pub(crate) name: String,
    /// The unit itself or a header.
    pub(crate) file: String,
    pub(crate) line: u32,
    pub(crate) reason: String,
}

/// A statement that was not understood: it may do anything.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct OpaqueStatement {
    /// The unit itself or a header.
    pub(crate) file: String,
    pub(crate) line: u32,
    /// The function that it is in.
    pub(crate) function: String,
    pub(crate) reason: String,
}

/// A suppression comment.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct SuppressionReport {
    pub(crate) file: String,
    pub(crate) line: u32,
    pub(crate) used: bool,
}

/// What was seen in a file.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub(crate) struct Counts {
    pub(crate) allocates_device_memory: bool,
    pub(crate) copies: bool,
    pub(crate) links: bool,
}

/// Where the two allocations of a pair stand: what a pair is, whichever unit sees it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(crate) struct PlaceKey {
    /// File and byte offset of the host allocation.
    pub(crate) host: (String, u32),
    /// The same of the device allocation.
    pub(crate) device: (String, u32),
}

/// Maps whose keys are not strings, as lists: JSON has no others.
pub(crate) mod as_pairs {
    use std::collections::BTreeMap;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(crate) fn serialize<S: Serializer, K: Serialize, V: Serialize>(
        map: &BTreeMap<K, V>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        map.iter().collect::<Vec<_>>().serialize(serializer)
    }

    pub(crate) fn deserialize<
        'de,
        D: Deserializer<'de>,
        K: Deserialize<'de> + Ord,
        V: Deserialize<'de>,
    >(
        deserializer: D,
    ) -> Result<BTreeMap<K, V>, D::Error> {
        Ok(Vec::<(K, V)>::deserialize(deserializer)?.into_iter().collect())
    }
}

/// One pair (DESIGN section 6).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Pair {
    /// `a.cu:main:h_a/d_a`; numbered where several are alike only when all units are put together.
    pub(crate) id: String,
    pub(crate) key: PlaceKey,
    pub(crate) host: Side,
    pub(crate) device: Side,
    pub(crate) bytes: String,
    pub(crate) verdict: VerdictName,
    pub(crate) memory_chosen: Option<String>,
    pub(crate) memory: Vec<String>,
    pub(crate) memory_excluded: Vec<Excluded>,
    pub(crate) copies: Vec<Copy>,
    pub(crate) edits: Vec<EditReport>,
    pub(crate) objections: Vec<Objection>,
    pub(crate) assumptions: Vec<String>,
    /// Functions with its edits that other files may call.
    pub(crate) in_functions: Vec<super::callers::Edited>,
    /// Variables with one of its buffers that other files may name.
    pub(crate) in_globals: Vec<String>,
    pub(crate) suppressed: bool,
}

/// The verdict's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum VerdictName {
    Merge,
    Decline,
}

/// A side of a pair.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Side {
    pub(crate) name: String,
    pub(crate) kind: String,
    pub(crate) function: String,
    pub(crate) file: String,
    pub(crate) line: u32,
    pub(crate) column: u32,
    pub(crate) declared_at: Option<LineColumn>,
}

/// A place.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct LineColumn {
    pub(crate) line: u32,
    pub(crate) column: u32,
}

/// A kind of memory that is not admissible.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Excluded {
    pub(crate) kind: String,
    pub(crate) condition: String,
    pub(crate) code: String,
}

/// A copy of a pair.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Copy {
    pub(crate) file: String,
    pub(crate) line: u32,
    pub(crate) direction: String,
    pub(crate) role: String,
    pub(crate) action: String,
    pub(crate) replacement: Option<String>,
}

/// An edit.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct EditReport {
    pub(crate) file: String,
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) replacement: String,
    pub(crate) step: String,
}

/// An objection.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Objection {
    pub(crate) condition: String,
    pub(crate) code: String,
    pub(crate) message: String,
    pub(crate) repair: Option<String>,
    /// What would happen once merged.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) note: Option<String>,
    pub(crate) locations: Vec<Location>,
}

/// A labelled place.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Location {
    pub(crate) file: String,
    pub(crate) line: u32,
    pub(crate) column: u32,
    /// First byte.
    pub(crate) start: u32,
    /// One past its last byte.
    pub(crate) end: u32,
    pub(crate) label: String,
}
