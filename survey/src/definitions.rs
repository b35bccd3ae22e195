//! What each column means, in words that every report repeats, and the paper's numbers beside it.

use crate::row::{Columns, Row, Tier};

/// A yes-or-no question about a repository.
pub struct Definition {
    /// Short code used in reports and rows.
    pub code: &'static str,
    /// A line for tables.
    pub title: &'static str,
    /// The definition.
    pub text: &'static str,
    /// The answer.
    pub holds: fn(&Row) -> bool,
}

macro_rules! column {
    ($code:literal, $field:ident, $title:literal, $text:literal) => {
        Definition { code: $code, title: $title, text: $text, holds: |row| row.columns.$field }
    };
}

/// Definitions of the candidate pattern. The first is the one called "candidate" in tables.
pub const CANDIDATES: [Definition; 5] = [
    column!(
        "candidate-file",
        candidate_file,
        "one file, malloc or any new",
        "One file calls malloc or calloc or uses any new expression, calls cudaMalloc, and has an explicit copy."
    ),
    column!(
        "candidate-file-strict",
        candidate_file_strict,
        "one file, malloc or new T[n]",
        "The same, but a new expression counts only if it allocates an array."
    ),
    column!(
        "candidate-file-raw",
        candidate_file_raw,
        "one file, by raw text",
        "The words occur in the text of one file: comments, strings and longer names such as cudaMallocHost count too."
    ),
    column!(
        "candidate-repo",
        candidate_repo,
        "whole repository, malloc or any new",
        "The three ingredients occur anywhere in the repository."
    ),
    column!(
        "candidate-repo-strict",
        candidate_repo_strict,
        "whole repository, malloc or new T[n]",
        "The same, but a new expression counts only if it allocates an array."
    ),
];

fn unified(columns: &Columns, level: usize) -> bool {
    let paths =
        [columns.managed, columns.mapped, columns.pinned, columns.shared_buffer, columns.wrapper];
    columns.explicit && paths[..level].contains(&true)
}

/// Definitions of "mixed", each counting one more path as aware of unified memory. The last is the one in tables.
pub const MIXED: [Definition; 5] = [
    Definition {
        code: "mixed-managed",
        title: "managed",
        text: "Explicit copies and cudaMallocManaged or __managed__.",
        holds: |row| unified(&row.columns, 1),
    },
    Definition {
        code: "mixed-mapped",
        title: "+ mapped",
        text: "… or zero-copy mapped memory (cudaHostAllocMapped, cudaHostGetDevicePointer, cudaDeviceMapHost).",
        holds: |row| unified(&row.columns, 2),
    },
    Definition {
        code: "mixed-pinned",
        title: "+ pinned",
        text: "… or any pinned host memory (cudaMallocHost, cudaHostAlloc, cudaHostRegister).",
        holds: |row| unified(&row.columns, 3),
    },
    Definition {
        code: "mixed-shared-buffer",
        title: "+ NvBuf/EGL",
        text: "… or shared camera and codec buffers (NvBufSurface, NvBuffer, NvSciBuf, EGLImage).",
        holds: |row| unified(&row.columns, 4),
    },
    Definition {
        code: "mixed",
        title: "+ known wrappers",
        text: "… or a known wrapper around one of these (cudaAllocMapped of jetson-utils).",
        holds: |row| unified(&row.columns, 5),
    },
];

/// The tiers.
pub const TIERS: [Definition; 5] = [
    Definition {
        code: "T0",
        title: "has CUDA",
        text: "The repository has a .cu or .cuh file, includes the CUDA runtime, or calls it.",
        holds: |row| row.tier >= Tier::T0,
    },
    Definition {
        code: "T1",
        title: "co-occurrence",
        text: "The candidate pattern occurs in one file: the words are there, whether or not they belong together.",
        holds: |row| row.tier >= Tier::T1,
    },
    Definition {
        code: "T2",
        title: "linked by a copy",
        text: "In one file a buffer from malloc, calloc or new T[n] and a buffer from cudaMalloc are the two ends of a directed copy (matched by variable, not by word).",
        holds: |row| row.tier >= Tier::T2,
    },
    Definition {
        code: "T3",
        title: "whole buffer, one to one",
        text: "… and both allocations and a copy have equal sizes (products reordered, casts and sizeof folded, constants followed), no copy is displaced, and neither buffer has another partner in the file.",
        holds: |row| row.tier >= Tier::T3,
    },
    Definition {
        code: "T4",
        title: "proved mergeable",
        text: "echo-fix proves at least one pair of the repository mergeable (asked only with --prove).",
        holds: |row| row.tier >= Tier::T4,
    },
];

/// The explicit-copy column.
pub const EXPLICIT: Definition = column!(
    "explicit-copy",
    explicit,
    "explicit copy",
    "A cudaMemcpy of any form with cudaMemcpyHostToDevice or cudaMemcpyDeviceToHost, in code; a direction kept in a variable counts if the same file names one."
);

/// The copy-only column.
pub const COPY_ONLY: Definition = column!(
    "copy-only",
    copy_only,
    "copy only",
    "Explicit copies and none of the paths that know about unified memory."
);

/// One row of the paper's Table 2.
pub struct PaperRow {
    /// Domain as in our list.
    pub domain: &'static str,
    /// Repositories.
    pub repositories: u64,
    /// Explicit copy.
    pub explicit: u64,
    /// Candidate pattern.
    pub candidate: u64,
    /// Copy only.
    pub copy_only: u64,
    /// Mixed.
    pub mixed: u64,
}

/// The paper's Table 2.
pub const PAPER: [PaperRow; 5] = [
    PaperRow {
        domain: "inference",
        repositories: 11,
        explicit: 10,
        candidate: 10,
        copy_only: 2,
        mixed: 8,
    },
    PaperRow {
        domain: "robotics",
        repositories: 13,
        explicit: 8,
        candidate: 5,
        copy_only: 5,
        mixed: 3,
    },
    PaperRow { domain: "cv", repositories: 8, explicit: 3, candidate: 2, copy_only: 1, mixed: 2 },
    PaperRow {
        domain: "signal",
        repositories: 1,
        explicit: 1,
        candidate: 1,
        copy_only: 0,
        mixed: 1,
    },
    PaperRow {
        domain: "other",
        repositories: 1,
        explicit: 1,
        candidate: 1,
        copy_only: 0,
        mixed: 1,
    },
];
