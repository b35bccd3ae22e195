//! One repository's result: one line of NDJSON.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::api::Signal;
use crate::skip::Skip;

/// Version of the row and of the JSON report. Fields may be added, not renamed.
pub const SCHEMA_VERSION: u32 = 1;

/// Everything known about one repository.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// [`SCHEMA_VERSION`].
    pub schema_version: u32,
    /// Position in the list, from 0.
    pub index: u64,
    /// The repository as the list names it.
    pub repository: String,
    /// Domain of the list.
    pub domain: String,
    /// The commit that was scanned; `None` for plain folders.
    pub commit: Option<String>,
    /// The list pins the commit.
    pub pinned: bool,
    /// How far the scan came.
    pub status: Status,
    /// Why it was skipped or is partial.
    pub reason: Option<Skip>,
    /// Digest of the options that change results; rows of other options are not reused by `--resume`.
    pub options: String,
    /// What was looked at.
    pub files: FileCounts,
    /// Occurrences of each signal in code.
    pub counts: BTreeMap<Signal, u64>,
    /// The verdict per column.
    pub columns: Columns,
    /// The highest tier reached.
    pub tier: Tier,
    /// Places that show each verdict, by column name.
    pub evidence: BTreeMap<String, Vec<Place>>,
    /// Links between heap and device buffers.
    pub links: LinkCounts,
    /// What a prover said (`--prove`).
    pub proof: Proof,
    /// First 64 bits of the git blob hash of every file that names a CUDA memory call, sorted; recognises copies.
    pub fingerprints: Vec<String>,
    /// Rows for labelling by hand (`--sample`).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sample: Vec<SampleItem>,
}

/// How far the scan of a repository came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Every file was handled.
    Scanned,
    /// Some files could not be read or parsed; a `no` may be wrong.
    Partial,
    /// No numbers.
    Skipped,
}

/// How many files, and why some were left out.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileCounts {
    /// All files of the tree.
    pub total: u64,
    /// C, C++ and CUDA files of the repository itself that were read.
    pub source: u64,
    /// Bytes of those.
    pub source_bytes: u64,
    /// `.cu` and `.cuh` among them.
    pub cuda: u64,
    /// Files that name a CUDA memory call.
    pub named: u64,
    /// Bytes of those.
    pub named_bytes: u64,
    /// Of these: read with the grammar, the others by their tokens alone.
    pub parsed: u64,
    /// Bytes of those.
    pub parsed_bytes: u64,
    /// Parsed with syntax errors (counts still come from the rest of the file).
    pub syntax_errors: u64,
    /// Left out: other people's code.
    pub vendored: u64,
    /// Left out: generated.
    pub generated: u64,
    /// Left out: larger than the limit.
    pub too_large: u64,
    /// Left out: same content as another file of the repository.
    pub duplicate: u64,
    /// Left out: symbolic links, never followed.
    pub links: u64,
    /// Left out: submodules, never fetched.
    pub submodules: u64,
    /// Left out: Git LFS pointers.
    pub lfs: u64,
    /// Python files that copy through PyCUDA or cuda-python; not part of any column.
    pub python_copies: u64,
    /// Could not be read or parsed.
    pub failed: u64,
}

/// The verdicts. Candidate scopes follow the definitions in [`crate::definitions`].
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Columns {
    /// A copy with a direction (paper: explicit copy).
    pub explicit: bool,
    /// malloc or any new, cudaMalloc, and a directed copy in one file (the paper's candidate pattern).
    pub candidate_file: bool,
    /// The same with malloc, calloc or `new T[n]` only.
    pub candidate_file_strict: bool,
    /// The same by raw text, comments and look-alikes included.
    pub candidate_file_raw: bool,
    /// malloc or any new, cudaMalloc, directed copy anywhere in the repository.
    pub candidate_repo: bool,
    /// The same with malloc, calloc or `new T[n]` only.
    pub candidate_repo_strict: bool,
    /// Explicit copies and none of the unified-memory paths below.
    pub copy_only: bool,
    /// Explicit copies and at least one of them.
    pub mixed: bool,
    /// cudaMallocManaged or `__managed__`.
    pub managed: bool,
    /// Zero-copy mapped memory.
    pub mapped: bool,
    /// Pinned host memory.
    pub pinned: bool,
    /// NvBufSurface, NvBuffer, EGLImage, NvSciBuf.
    pub shared_buffer: bool,
    /// Known wrappers.
    pub wrapper: bool,
}

/// How far towards a proof. Ordered: each tier implies those before it, except that `T4` is only asked with `--prove`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Tier {
    /// No CUDA.
    #[default]
    #[serde(rename = "none")]
    None,
    /// Has CUDA.
    T0,
    /// Co-occurrence in a file.
    T1,
    /// A host and a device buffer really joined by a copy.
    T2,
    /// A full-size, one-to-one pair.
    T3,
    /// Proved mergeable.
    T4,
}

impl Tier {
    /// The tiers above "no CUDA".
    pub const ALL: [Self; 5] = [Self::T0, Self::T1, Self::T2, Self::T3, Self::T4];

    /// Short name.
    pub fn code(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::T0 => "T0",
            Self::T1 => "T1",
            Self::T2 => "T2",
            Self::T3 => "T3",
            Self::T4 => "T4",
        }
    }
}

/// A place in a repository.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Place {
    /// Path within the repository; bytes that are not UTF-8 as `\xNN`.
    pub path: String,
    /// 1-based line; 0 where the whole file is meant.
    pub line: u32,
    /// What is there, if the column does not say it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub what: String,
}

/// Numbers of links (see [`crate::Link`]).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkCounts {
    /// Heap buffer and `cudaMalloc` buffer joined by a directed copy.
    pub linked: u64,
    /// Of these: full-size and one-to-one, any direction.
    pub whole: u64,
    /// Of these: with a full-size host-to-device copy (the paper's candidate pair).
    pub whole_from_host: u64,
}

/// What the prover said.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "kebab-case")]
pub enum Proof {
    /// `--prove` was not given, or nothing in the repository needs it.
    #[default]
    NotAsked,
    /// It could not be run.
    NotRun {
        /// Why.
        why: String,
    },
    /// It ran.
    Ran {
        /// Pairs it proved mergeable.
        merge: u64,
        /// Pairs it declined.
        decline: u64,
        /// Files it looked at.
        files: ProvedFiles,
    },
}

/// How far a prover could read the files it looked at.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProvedFiles {
    /// Understood from beginning to end.
    pub whole: u64,
    /// In part: a header is missing, or something in them is outside what the prover models.
    pub partial: u64,
    /// Not at all.
    pub failed: u64,
}

/// One claim to be judged by a person.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SampleItem {
    /// Rank: a hash of seed, repository, claim and place. The smallest ranks are the sample, whatever the order of
    /// scanning, and samples of shards merge exactly.
    pub rank: u64,
    /// Column or tier claimed.
    pub claim: String,
    /// Where.
    pub place: Place,
}

impl Row {
    /// A row without numbers.
    pub(crate) fn skipped(entry: &crate::list::Entry, options: &str, reason: Skip) -> Self {
        Self {
            schema_version: SCHEMA_VERSION,
            index: entry.index,
            repository: entry.name.clone(),
            domain: entry.domain.clone(),
            commit: entry.commit.clone(),
            pinned: entry.commit.is_some(),
            status: Status::Skipped,
            reason: Some(reason),
            options: options.to_owned(),
            files: FileCounts::default(),
            counts: BTreeMap::new(),
            columns: Columns::default(),
            tier: Tier::None,
            evidence: BTreeMap::new(),
            links: LinkCounts::default(),
            proof: Proof::NotAsked,
            fingerprints: Vec::new(),
            sample: Vec::new(),
        }
    }

    /// Has numbers.
    pub fn is_counted(&self) -> bool {
        self.status != Status::Skipped
    }
}

impl FileCounts {
    /// Adds another count.
    pub fn add(&mut self, other: &Self) {
        let Self {
            total,
            source,
            source_bytes,
            cuda,
            named,
            named_bytes,
            parsed,
            parsed_bytes,
            syntax_errors,
            vendored,
            generated,
            too_large,
            duplicate,
            links,
            submodules,
            lfs,
            python_copies,
            failed,
        } = other;
        self.total += total;
        self.source += source;
        self.source_bytes += source_bytes;
        self.cuda += cuda;
        self.named += named;
        self.named_bytes += named_bytes;
        self.parsed += parsed;
        self.parsed_bytes += parsed_bytes;
        self.syntax_errors += syntax_errors;
        self.vendored += vendored;
        self.generated += generated;
        self.too_large += too_large;
        self.duplicate += duplicate;
        self.links += links;
        self.submodules += submodules;
        self.lfs += lfs;
        self.python_copies += python_copies;
        self.failed += failed;
    }
}
