//! Limits that keep one repository from costing more than its share.

use std::time::Duration;

/// Limits per repository and per file.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Larger source files are not read; they are counted and reported (bytes). Generated kernels are what is large.
    pub file_bytes: u64,
    /// Source files looked at per repository; beyond, the row says `partial`.
    pub files: u64,
    /// Size of a download on disk (bytes).
    pub fetch_bytes: u64,
    /// Time for one attempt to fetch.
    pub fetch_time: Duration,
    /// Memory of one git process (bytes).
    pub git_memory: u64,
    /// Time for scanning one repository.
    pub scan_time: Duration,
    /// Attempts to fetch.
    pub attempts: u32,
    /// Longest wait that a server may impose before the repository is given up as rate limited.
    pub longest_wait: Duration,
    /// Places of evidence kept per column.
    pub evidence: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            file_bytes: 400_000,
            files: 500_000,
            fetch_bytes: 2_000_000_000,
            fetch_time: Duration::from_secs(600),
            git_memory: 2 << 30,
            scan_time: Duration::from_secs(600),
            attempts: 4,
            longest_wait: Duration::from_secs(900),
            evidence: 3,
        }
    }
}
