//! Compiles and runs CUDA programs on the CPU: `echo-emu run`, `echo-emu compare`.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for a terminal")]

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context as _, Result};
use clap::{Args, Parser, Subcommand, ValueEnum};
use echo_emulator::{
    Difference, Ending, Installation, Options, Order, Outcome, Program, Setting, all_settings,
    compare, compile, run,
};

/// Runs CUDA programs on the CPU, in every order of operations that CUDA allows.
#[derive(Debug, Parser)]
#[command(version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Compile a program and run it once.
    ///
    /// The exit code is the program's, or 90 to 99 where the emulator stopped it (see the crate's documentation).
    Run(RunArguments),
    /// Compile two programs and look for a schedule under which they differ.
    ///
    /// Exit code 0: no difference; 1: a difference, printed with its schedule and seed; 2: could not tell.
    Compare(CompareArguments),
    /// Compile a program and print where it is.
    Build(BuildArguments),
}

#[derive(Debug, Args)]
struct Compilation {
    /// A further argument for clang, such as -DNAME or -Ifolder; may be given more than once.
    #[arg(short = 'X', long = "clang", value_name = "ARGUMENT", allow_hyphen_values = true)]
    clang: Vec<String>,
    /// A further source to compile and link; may be given more than once.
    #[arg(long, value_name = "FILE")]
    with: Vec<PathBuf>,
    /// Optimization level.
    #[arg(short = 'O', value_name = "LEVEL", default_value_t = 1)]
    optimize: u8,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum OrderName {
    Eager,
    Late,
    Others,
    Rand,
}

#[derive(Debug, Args)]
struct RunArguments {
    #[command(flatten)]
    compilation: Compilation,
    /// When operations run.
    #[arg(long, value_enum, default_value = "eager")]
    sched: OrderName,
    /// Seed of random schedules and of the poison in fresh memory.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Report races.
    #[arg(long)]
    race: bool,
    /// Report races, and reads of bytes that nobody wrote.
    #[arg(long)]
    undefined: bool,
    /// Behave as a device with concurrentManagedAccess = 0.
    #[arg(long)]
    no_concurrent_access: bool,
    /// List the pairs of allocations that copies join.
    #[arg(long)]
    pairs: bool,
    /// Merge the n-th host allocation (heap or cudaHostAlloc) with the m-th cudaMalloc; may be given more than once.
    #[arg(long, value_name = "HOST:DEVICE", value_parser = pair)]
    unify: Vec<(u32, u32)>,
    /// Seconds before the program is stopped.
    #[arg(long, default_value_t = 60)]
    limit: u64,
    /// The program.
    file: PathBuf,
    /// Its arguments.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

#[derive(Debug, Args)]
struct CompareArguments {
    #[command(flatten)]
    compilation: Compilation,
    /// How many random schedules to try.
    #[arg(long, default_value_t = 20)]
    seeds: u64,
    /// Try only the orders of operations: no race detector, no concurrentManagedAccess = 0.
    #[arg(long)]
    orders_only: bool,
    /// Seconds before a program is stopped.
    #[arg(long, default_value_t = 60)]
    limit: u64,
    /// The original program.
    first: PathBuf,
    /// The transformed program.
    second: PathBuf,
    /// Their arguments.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

#[derive(Debug, Args)]
struct BuildArguments {
    #[command(flatten)]
    compilation: Compilation,
    /// Put in calls for the race detector.
    #[arg(long)]
    race: bool,
    /// The program.
    file: PathBuf,
}

fn pair(text: &str) -> Result<(u32, u32), String> {
    let (host, device) = text.split_once(':').ok_or("expected HOST:DEVICE")?;
    let number = |text: &str| text.parse().map_err(|_| format!("`{text}` is not a number"));
    Ok((number(host)?, number(device)?))
}

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Run(arguments) => run_once(&arguments),
        Command::Compare(arguments) => compare_two(&arguments),
        Command::Build(arguments) => build(&arguments),
    };
    done.unwrap_or_else(|why| {
        eprintln!("echo-emu: {why:#}");
        ExitCode::from(2)
    })
}

fn compiled(compilation: &Compilation, file: &Path, race: bool) -> Result<Program> {
    let installation = Installation::find()?;
    let options = Options {
        race,
        optimize: Some(compilation.optimize),
        arguments: compilation.clang.clone(),
        device: None,
    };
    let mut sources = vec![file.to_owned()];
    sources.extend(compilation.with.iter().cloned());
    compile(&installation, &sources, &options).context("the program does not compile")
}

fn run_once(arguments: &RunArguments) -> Result<ExitCode> {
    let race = u8::from(arguments.race || arguments.undefined) + u8::from(arguments.undefined);
    let program = compiled(&arguments.compilation, &arguments.file, race > 0)?;
    let order = match arguments.sched {
        OrderName::Eager => Order::Eager,
        OrderName::Late => Order::Late,
        OrderName::Others => Order::OthersFirst,
        OrderName::Rand => Order::Random(arguments.seed),
    };
    let mut setting = Setting::new(order);
    setting.race = race;
    setting.concurrent_access = !arguments.no_concurrent_access;
    setting.list_pairs = arguments.pairs;
    setting.unify.clone_from(&arguments.unify);
    setting.other.push(("ECHO_SEED".to_owned(), arguments.seed.to_string()));
    let limit = Duration::from_secs(arguments.limit);
    let outcome = run(&program, &arguments.arguments, Path::new("."), &setting, limit)?;
    print(&outcome)?;
    if !matches!(outcome.ending, Ending::Exit(_)) {
        eprintln!("echo-emu: {}", outcome.ending);
    }
    Ok(ExitCode::from(code_of(outcome.ending)))
}

fn code_of(ending: Ending) -> u8 {
    match ending {
        Ending::Exit(code) => u8::try_from(code & 0xFF).unwrap_or(1),
        Ending::Broken => 91,
        Ending::BadCopy => 92,
        Ending::KernelTouchesHost => 93,
        Ending::Freed => 94,
        Ending::ManagedBusy => 95,
        Ending::Race => 96,
        Ending::HostTouchesDevice => 97,
        Ending::Fault => 98,
        Ending::Unsupported => 99,
        Ending::Signal(signal) => u8::try_from(128 + signal).unwrap_or(255),
        Ending::TimeOut => 124,
    }
}

fn print(outcome: &Outcome) -> Result<()> {
    std::io::stdout().write_all(&outcome.output)?;
    let mut errors = std::io::stderr().lock();
    errors.write_all(&outcome.errors)?;
    for finding in &outcome.findings {
        writeln!(errors, "{finding}")?;
    }
    Ok(())
}

fn compare_two(arguments: &CompareArguments) -> Result<ExitCode> {
    let limit = Duration::from_secs(arguments.limit);
    let mut rounds = vec![(false, all_settings(arguments.seeds))];
    if !arguments.orders_only {
        let mut exclusive = Setting::new(Order::Eager);
        exclusive.concurrent_access = false;
        rounds[0].1.push(exclusive);
        let mut detecting = Setting::new(Order::Eager);
        detecting.race = 1;
        rounds.push((true, vec![detecting]));
    }
    let mut tried = 0;
    for (race, settings) in rounds {
        let first = compiled(&arguments.compilation, &arguments.first, race)?;
        let second = compiled(&arguments.compilation, &arguments.second, race)?;
        let folder = Path::new(".");
        let found = compare(&first, &second, &arguments.arguments, folder, &settings, limit)?;
        tried += found.settings;
        if let Some((setting, difference)) = found.difference {
            return Ok(report(arguments, &setting, &difference));
        }
    }
    println!("no difference in {tried} runs of each program");
    Ok(ExitCode::SUCCESS)
}

fn report(arguments: &CompareArguments, setting: &Setting, difference: &Difference) -> ExitCode {
    let (first, second) = (arguments.first.display(), arguments.second.display());
    match difference {
        Difference::Undetermined { outcomes } => {
            println!("cannot tell: {first} itself differs between schedules (eager, {setting})");
            show(&outcomes.0, "eager");
            show(&outcomes.1, &setting.to_string());
            ExitCode::from(2)
        }
        Difference::Outcome { outcomes } => {
            println!("difference under schedule: {setting}");
            show(&outcomes.0, &first.to_string());
            show(&outcomes.1, &second.to_string());
            ExitCode::from(1)
        }
    }
}

fn show(outcome: &Outcome, name: &str) {
    println!("--- {name}: {}", outcome.ending);
    print!("{}", String::from_utf8_lossy(&outcome.output));
    for finding in &outcome.findings {
        println!("{finding}");
    }
}

fn build(arguments: &BuildArguments) -> Result<ExitCode> {
    let program = compiled(&arguments.compilation, &arguments.file, arguments.race)?;
    println!("{}", program.file.display());
    Ok(ExitCode::SUCCESS)
}
