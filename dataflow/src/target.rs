//! Devices and kinds of memory (notes/semantics.md section 2).

/// What the merged program must run on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[allow(missing_docs, reason = "named after the devices")]
pub enum Target {
    /// `orin`, `xavier`, `thor`, `gb10` and `gh200` together.
    #[default]
    AnyUma,
    Orin,
    Xavier,
    Thor,
    Gb10,
    Gh200,
    Mi300a,
    Dgpu,
}

/// The kind of memory the merged buffer gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum MemoryKind {
    /// `cudaMallocManaged` / `cudaFree`.
    #[default]
    Managed,
    /// `cudaHostAlloc(cudaHostAllocMapped)` / `cudaFreeHost`.
    Mapped,
    /// Page-aligned host allocation, registered; unregistered before it is freed.
    Registered,
    /// The host allocation is kept; the device name is its alias (`pageableMemoryAccess` = 1).
    System,
}

/// What the analysis is asked to assume and to prove.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// Devices.
    pub target: Target,
    /// Kind of the merged buffer.
    pub memory: MemoryKind,
    /// `--conditions paper`: only the paper's S1 to S4 and C (DESIGN section 4).
    pub paper_conditions: bool,
    /// `--strict-s5`: the literal reading of R-19 (notes/semantics.md section 12, item 2).
    pub strict_exclusive_access: bool,
    /// Pairs known to be smaller, in bytes, are declined `too-small`.
    pub min_bytes: u64,
    /// `--naming rename`: every use of the alias is renamed, instead of assigning the alias once.
    pub rename: bool,
    /// Checks switched off (law 3); honoured only in builds with the feature `mutations`.
    pub disabled_checks: Vec<String>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            target: Target::default(),
            memory: MemoryKind::default(),
            paper_conditions: false,
            strict_exclusive_access: false,
            min_bytes: 200_000,
            rename: false,
            disabled_checks: Vec::new(),
        }
    }
}
