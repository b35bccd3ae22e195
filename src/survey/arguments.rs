//! What can be typed.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use echo_survey::report;

/// Scans many repositories and reports how common the pattern malloc + cudaMalloc + cudaMemcpy is.
///
/// LIST names one repository a line: `owner/name[@commit] [domain]`, a git URL, or a local path; `#` starts a comment
/// and `-` reads standard input. Repositories are fetched with git (one commit, shallow, no submodules, no LFS) and
/// read from git objects; nothing in them is ever checked out or executed.
#[derive(Debug, Parser)]
#[command(
    name = "echo-survey",
    version,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "Exit codes: 0 complete; 1 compare found differences; 2 usage or input error; 3 some repositories were skipped or are partial.\n\nExamples:\n  echo-survey survey/jetson-34.txt\n  echo-survey --cache repos --output rows.ndjson --format html survey/jetson-34.txt > report.html\n  echo-survey --resume --cache repos --output rows.ndjson big-list.txt\n  echo-survey --shard 3/8 --output rows-3.ndjson big-list.txt\n  echo-survey merge rows-*.ndjson --output rows.ndjson"
)]
pub struct Arguments {
    /// Something else than a scan.
    #[command(subcommand)]
    pub action: Option<Action>,
    /// The scan.
    #[command(flatten)]
    pub scan: ScanArguments,
}

/// Other things to do.
#[derive(Debug, Subcommand)]
pub enum Action {
    /// Show what changed between two runs (JSON reports or NDJSON rows); exit code 1 if anything did.
    Compare(CompareArguments),
    /// Join the rows of shards into list order and report on them.
    Merge(MergeArguments),
    /// Report on rows of an earlier run without scanning.
    Report(ReportArguments),
}

/// Arguments of a scan.
#[derive(Debug, Args)]
pub struct ScanArguments {
    /// List of repositories; `-` for standard input.
    #[arg(value_name = "LIST", required = true)]
    pub list: Option<PathBuf>,
    /// Form of the report on standard output.
    #[arg(long, value_enum, default_value_t = Format::Text, help_heading = "Output")]
    pub format: Format,
    /// Keep the rows in this NDJSON file (one line per repository).
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub output: Option<PathBuf>,
    /// Continue an interrupted run: keep the rows of --output, try skipped repositories again.
    #[arg(long, requires = "output", help_heading = "Output")]
    pub resume: bool,
    /// Write N claims, drawn at random, as CSV for labelling by hand (needs --sample-to).
    #[arg(long, value_name = "N", requires = "sample_to", help_heading = "Output")]
    pub sample: Option<usize>,
    /// Seed of the sample.
    #[arg(long, value_name = "S", default_value_t = 1, help_heading = "Output")]
    pub seed: u64,
    /// Where the sample goes.
    #[arg(long, value_name = "FILE", requires = "sample", help_heading = "Output")]
    pub sample_to: Option<PathBuf>,
    /// Places of evidence per column and repository.
    #[arg(long, value_name = "N", default_value_t = 3, help_heading = "Output")]
    pub evidence: usize,
    /// No progress bar, no closing line.
    #[arg(short, long, help_heading = "Output")]
    pub quiet: bool,
    /// Domain of lines that name none.
    #[arg(long, value_name = "NAME", default_value = "unknown", help_heading = "Input")]
    pub domain_default: String,
    /// Scan only part I of N (from 1) of the list.
    #[arg(long, value_name = "I/N", value_parser = parse_shard, help_heading = "Input")]
    pub shard: Option<Shard>,
    /// Count third_party, external, vendor and the like as the repository's own code.
    #[arg(long, help_heading = "Input")]
    pub include_vendored: bool,
    /// Count generated code.
    #[arg(long, help_heading = "Input")]
    pub include_generated: bool,
    /// Larger source files are left out (bytes).
    #[arg(long, value_name = "BYTES", default_value_t = 400_000, help_heading = "Limits")]
    pub max_file_size: u64,
    /// More source files make a repository too big.
    #[arg(long, value_name = "N", default_value_t = 500_000, help_heading = "Limits")]
    pub max_files: u64,
    /// Larger downloads are broken off (bytes).
    #[arg(long, value_name = "BYTES", default_value_t = 2_000_000_000, help_heading = "Limits")]
    pub max_fetch_size: u64,
    /// Seconds for one attempt to fetch a repository.
    #[arg(long, value_name = "S", default_value_t = 600, help_heading = "Limits")]
    pub fetch_timeout: u64,
    /// Seconds for scanning a repository.
    #[arg(long, value_name = "S", default_value_t = 600, help_heading = "Limits")]
    pub scan_timeout: u64,
    /// Attempts to fetch a repository; rate limits are waited for.
    #[arg(long, value_name = "N", default_value_t = 4, help_heading = "Limits")]
    pub attempts: u32,
    /// Repositories at a time [default: number of processors].
    #[arg(short, long, value_name = "N", help_heading = "Limits")]
    pub jobs: Option<usize>,
    /// Keep fetched repositories here and use them again.
    #[arg(long, value_name = "DIR", help_heading = "Fetching")]
    pub cache: Option<PathBuf>,
    /// Use only what --cache holds.
    #[arg(long, requires = "cache", help_heading = "Fetching")]
    pub offline: bool,
    /// Where `owner/name` lives; for mirrors.
    #[arg(
        long,
        value_name = "URL",
        default_value = "https://github.com",
        help_heading = "Fetching"
    )]
    pub github_url: String,
    /// Ask echo-fix which pairs it can prove mergeable (tier T4).
    #[arg(long, help_heading = "Proving")]
    pub prove: bool,
    /// The echo-fix to run [default: the one beside this program].
    #[arg(long, value_name = "FILE", requires = "prove", help_heading = "Proving")]
    pub echo_fix: Option<PathBuf>,
}

/// Arguments of `compare`.
#[derive(Debug, Args)]
pub struct CompareArguments {
    /// The earlier run.
    pub before: PathBuf,
    /// The later run.
    pub after: PathBuf,
}

/// Arguments of `merge`.
#[derive(Debug, Args)]
pub struct MergeArguments {
    /// Row files of the shards.
    #[arg(required = true)]
    pub inputs: Vec<PathBuf>,
    /// The merged row file.
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// Form of the report on standard output.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

/// Arguments of `report`.
#[derive(Debug, Args)]
pub struct ReportArguments {
    /// Row file.
    pub rows: PathBuf,
    /// Form of the report on standard output.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

/// Form of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Tables for a terminal.
    Text,
    /// Summary, definitions and rows in one document.
    Json,
    /// One JSON object per repository and line.
    Ndjson,
    /// One line per repository.
    Csv,
    /// Tables for a README.
    Markdown,
    /// One self-contained page with pictures and evidence.
    Html,
}

impl From<Format> for report::Format {
    fn from(format: Format) -> Self {
        match format {
            Format::Text => Self::Text,
            Format::Json => Self::Json,
            Format::Ndjson => Self::Ndjson,
            Format::Csv => Self::Csv,
            Format::Markdown => Self::Markdown,
            Format::Html => Self::Html,
        }
    }
}

/// Part `index` (from 0) of `count`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    /// From 0.
    pub index: u64,
    /// At least 1.
    pub count: u64,
}

impl Shard {
    /// Whether the list position belongs to this part. Neighbours go to different parts, so that all parts are
    /// about equally large even where a list is sorted.
    pub fn has(self, position: u64) -> bool {
        position % self.count == self.index
    }
}

fn parse_shard(text: &str) -> Result<Shard, String> {
    let parsed = text.split_once('/').and_then(|(index, count)| {
        Some((index.trim().parse::<u64>().ok()?, count.trim().parse::<u64>().ok()?))
    });
    match parsed {
        Some((index, count)) if (1..=count).contains(&index) => {
            Ok(Shard { index: index - 1, count })
        }
        Some(_) | None => Err("expected I/N with I from 1 to N, for example 3/8".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_partition_the_list() {
        let shards: Vec<_> =
            (1..=3).map(|part| parse_shard(&format!("{part}/3")).unwrap()).collect();
        for position in 0..100 {
            assert_eq!(shards.iter().filter(|shard| shard.has(position)).count(), 1);
        }
        for bad in ["0/3", "4/3", "1", "a/b", "1/0"] {
            assert!(parse_shard(bad).is_err(), "{bad}");
        }
    }
}
