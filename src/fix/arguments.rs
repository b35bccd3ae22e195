//! The command line of echo-fix.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Parser, ValueEnum};

/// Merge host and device buffers of CUDA programs for unified-memory chips, where that provably changes nothing.
#[derive(Debug, Parser)]
#[command(name = "echo-fix", version, max_term_width = 100, after_help = EXIT_CODES)]
pub(crate) struct Arguments {
    /// Files and folders to scan
    #[arg(value_name = "PATH", help_heading = "Input")]
    pub(crate) paths: Vec<PathBuf>,

    /// Print the patch and write nothing (the default)
    #[arg(long, help_heading = "Mode")]
    pub(crate) dry_run: bool,
    /// Write the changes into the files
    #[arg(long, conflicts_with_all = ["dry_run", "check"], help_heading = "Mode")]
    pub(crate) apply: bool,
    /// Exit with 1 if there is something to change
    #[arg(long, help_heading = "Mode")]
    pub(crate) check: bool,
    /// Change files even if git says they have uncommitted changes
    #[arg(long, help_heading = "Mode")]
    pub(crate) allow_dirty: bool,
    /// Exit with 3 if a file could not be analysed
    #[arg(long, help_heading = "Mode")]
    pub(crate) strict: bool,

    /// What the program must run on [default: any-uma]
    #[arg(long, value_enum, help_heading = "Judgement")]
    pub(crate) target: Option<TargetName>,
    /// Kind of memory the merged buffers get [default: managed]
    #[arg(long, value_enum, help_heading = "Judgement")]
    pub(crate) memory: Option<MemoryName>,
    /// Leave pairs alone that are known to be smaller, in bytes [default: 200000]
    #[arg(long, value_name = "BYTES", help_heading = "Judgement")]
    pub(crate) min_size: Option<u64>,
    /// Conditions to check: all, or only those of the paper
    #[arg(long, value_enum, default_value_t = Conditions::All, help_heading = "Judgement")]
    pub(crate) conditions: Conditions,
    /// Read the exclusive-access rule literally: the tail of any upload counts as device activity
    #[arg(long, help_heading = "Judgement")]
    pub(crate) strict_s5: bool,
    /// Leave out a check of `echo_dataflow::mutation` (may be repeated)
    #[cfg(feature = "mutations")]
    #[arg(long, value_name = "CHECK", hide = true)]
    pub(crate) disable_check: Vec<String>,
    /// Print the names of these checks
    #[cfg(feature = "mutations")]
    #[arg(long, hide = true)]
    pub(crate) list_checks: bool,
    /// Change only the pair with this id (may be repeated)
    #[arg(long, value_name = "ID", help_heading = "Judgement")]
    pub(crate) only: Vec<String>,
    /// How the two names of a merged buffer are made one
    #[arg(long, value_enum, default_value_t = Naming::Alias, help_heading = "Judgement")]
    pub(crate) naming: Naming,

    /// Folder with compile_commands.json, or the file itself
    #[arg(short = 'p', long, value_name = "PATH", help_heading = "Parsing")]
    pub(crate) compile_commands: Option<PathBuf>,
    /// A CUDA toolkit to take headers from, instead of the built-in declarations
    #[arg(long, value_name = "DIR", help_heading = "Parsing")]
    pub(crate) cuda_path: Option<PathBuf>,
    /// The libclang to use (file or folder)
    #[arg(long, value_name = "PATH", help_heading = "Parsing")]
    pub(crate) libclang: Option<PathBuf>,
    /// A further argument for clang (may be repeated)
    #[arg(long, value_name = "ARG", allow_hyphen_values = true, help_heading = "Parsing")]
    pub(crate) extra_arg: Vec<String>,
    /// Where precompiled headers are kept [default: echo in the user's cache folder]
    #[arg(long, value_name = "DIR", help_heading = "Parsing")]
    pub(crate) cache_dir: Option<PathBuf>,
    /// Neither use nor make precompiled headers
    #[arg(long, conflicts_with = "cache_dir", help_heading = "Parsing")]
    pub(crate) no_cache: bool,
    /// Files parsed at once [default: number of processors]
    #[arg(short = 'j', long, value_name = "N", help_heading = "Parsing")]
    pub(crate) jobs: Option<NonZeroUsize>,

    /// Form of the result
    #[arg(long, value_enum, default_value_t = Format::Text, help_heading = "Output")]
    pub(crate) format: Format,
    /// Explain a condition (S1, S2, S2b, S3, S4, S5, S6, C, size, m:n, threshold, edit)
    #[arg(long, value_name = "CODE", help_heading = "Output")]
    pub(crate) explain: Option<String>,
    /// Say more (files skipped, code not understood; -vv: what each file took)
    #[arg(short, long, action = clap::ArgAction::Count, help_heading = "Output")]
    pub(crate) verbose: u8,
    /// Print completions for a shell
    #[arg(long, value_enum, value_name = "SHELL", help_heading = "Output")]
    pub(crate) completions: Option<clap_complete::Shell>,
    /// Print the manual page (roff)
    #[arg(long, help_heading = "Output")]
    pub(crate) man: bool,
}

const EXIT_CODES: &str = "\
Exit codes: 0 done; 1 --check and a patch is available; 2 usage or input error; 3 --strict and a file could not be
analysed; 4 an edit was dropped (a bug of echo-fix).

Examples:
  echo-fix src/                      show the patch for a folder
  echo-fix src/ --apply              write it
  echo-fix src/ --target thor        for Jetson Thor only
  echo-fix --explain S1              what a condition means";

/// Devices.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum TargetName {
    /// orin, xavier, thor, gb10 and gh200 together
    AnyUma,
    /// Jetson Orin
    Orin,
    /// Jetson Xavier
    Xavier,
    /// Jetson Thor
    Thor,
    /// DGX Spark
    Gb10,
    /// Grace Hopper
    Gh200,
    /// AMD MI300A
    Mi300a,
    /// Discrete GPUs
    Dgpu,
}

/// Kinds of memory.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum MemoryName {
    /// cudaMallocManaged
    Managed,
    /// cudaHostAlloc(cudaHostAllocMapped)
    Mapped,
    /// cudaHostRegister
    Registered,
    /// ordinary host memory
    System,
}

/// Which conditions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Conditions {
    /// S1 to S6, C and the rest
    All,
    /// S1 to S4 and C as the paper defines them
    Paper,
}

/// How names are joined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Naming {
    /// The later pointer is assigned the earlier one
    Alias,
    /// Every use is renamed
    Rename,
}

/// Forms of the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// A unified diff on standard output, findings on standard error
    Text,
    /// One JSON document on standard output
    Json,
    /// SARIF 2.1.0 on standard output
    Sarif,
}
