//! Arguments of `echo-dr`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

/// Merges host and device buffers of an unmodified CUDA program at run time.
#[derive(Debug, Parser)]
#[command(name = "echo-dr", version, after_help = AFTER_HELP)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

const AFTER_HELP: &str = "\
Exit status: that of the program for `profile` and `run` (a signal ends echo-dr by the same signal).
  `doctor`, `analyze`, `auto`: 0 the program can be helped, 1 it cannot (the text says why).
  125 echo-dr itself failed; 126 the program cannot be executed; 127 it was not found.
Kill switch: with ECHO_DR=off in the environment every program runs unchanged.";

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Say whether and how a program can be helped.
    Doctor(Doctor),
    /// Phase 1: run the program and record a trace.
    Profile(Profile),
    /// Phase 2: turn a trace into a plan (runs the program several times, without input or output).
    Analyze(Analyze),
    /// Phase 3: run the program with a plan.
    Run(Run),
    /// All three phases in one go, with a summary.
    Auto(Auto),
}

/// The program to run.
#[derive(Debug, Clone, Args)]
pub struct Program {
    /// The program and its arguments.
    #[arg(last = true, required = true, value_name = "PROGRAM")]
    pub command: Vec<OsString>,
}

/// Arguments of `doctor`.
#[derive(Debug, Args)]
pub struct Doctor {
    /// The program.
    pub program: PathBuf,
}

/// Arguments of `profile`.
#[derive(Debug, Args)]
pub struct Profile {
    /// Trace file to write.
    #[arg(short, long, default_value = "echo-dr.trace")]
    pub output: PathBuf,
    /// Bytes below which buffers are not looked at.
    #[arg(long, default_value_t = 200_000)]
    pub min_size: u64,
    /// The program.
    #[command(flatten)]
    pub program: Program,
}

/// How phase 2 checks and decides.
#[derive(Debug, Clone, Args)]
pub struct Checks {
    /// Copies that a pair needs at its dominant copy site.
    #[arg(long, default_value_t = 2)]
    pub k_min: u64,
    /// How to guard host buffers in the validation run.
    #[arg(long, value_enum, default_value = "auto")]
    pub guard: Guard,
    /// Do not compare host and device buffers where windows close (a check beyond the paper's).
    #[arg(long)]
    pub no_s1_check: bool,
    /// Do not compare the results of merged and unchanged runs (a check beyond the paper's).
    #[arg(long)]
    pub no_digest: bool,
    /// Rule that decides whether the plan pays.
    #[arg(long, value_enum, default_value = "echo")]
    pub rule: Rule,
    /// Pairs of runs per memory kind.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub trials: u32,
    /// Memory kinds to try; all that the device supports by default.
    #[arg(long, value_enum, value_delimiter = ',')]
    pub backend: Vec<Kind>,
    /// Validate, but do not measure: the plan is enabled with the first memory kind that works.
    #[arg(long)]
    pub no_calibration: bool,
    /// Seconds after which a run of phase 2 is given up.
    #[arg(long, default_value_t = 600)]
    pub timeout: u64,
}

/// Arguments of `analyze`.
#[derive(Debug, Args)]
pub struct Analyze {
    /// Trace of a profile run.
    pub trace: PathBuf,
    /// Plan file to write.
    #[arg(short, long, default_value = "echo-dr.plan.json")]
    pub output: PathBuf,
    /// How to check and decide.
    #[command(flatten)]
    pub checks: Checks,
    /// The program, with the arguments it was profiled with.
    #[command(flatten)]
    pub program: Program,
}

/// Arguments of `run`.
#[derive(Debug, Args)]
pub struct Run {
    /// Plan to apply.
    #[arg(short, long, default_value = "echo-dr.plan.json")]
    pub plan: PathBuf,
    /// Report what was saved.
    #[arg(long, value_enum)]
    pub report: Option<Format>,
    /// Write the report here instead of to standard error.
    #[arg(long)]
    pub report_to: Option<PathBuf>,
    /// The program.
    #[command(flatten)]
    pub program: Program,
}

/// Arguments of `auto`.
#[derive(Debug, Args)]
pub struct Auto {
    /// Plan file to write.
    #[arg(short, long, default_value = "echo-dr.plan.json")]
    pub output: PathBuf,
    /// Bytes below which buffers are not looked at.
    #[arg(long, default_value_t = 200_000)]
    pub min_size: u64,
    /// How to check and decide.
    #[command(flatten)]
    pub checks: Checks,
    /// The program.
    #[command(flatten)]
    pub program: Program,
}

/// Guards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Guard {
    /// userfaultfd where the system allows it, else page protection.
    Auto,
    /// Page protection (PROT_NONE).
    Protection,
}

/// Profit rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Rule {
    /// Median gain above max(1 %, twice the spread of two unchanged runs).
    Echo,
    /// Median gain above zero.
    Paper,
}

/// Memory kinds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    /// cudaMallocManaged.
    Managed,
    /// cudaHostAlloc, mapped.
    Mapped,
    /// cudaHostRegister.
    Registered,
    /// Plain host memory.
    System,
}

/// Report formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// JSON, one object.
    Json,
    /// For people.
    Text,
}
