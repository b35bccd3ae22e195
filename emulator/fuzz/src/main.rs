//! Fuzzing campaigns: `echo-fuzz --minutes 10 --seed 1`.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for a terminal")]

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use clap::Parser;
use echo_emulator::Installation;
use echo_emulator_fuzz::{Bench, Layout, Plan, Source, Tool, campaign, export, mutants, program};

/// Generates CUDA programs, has echo-fix transform them, and compares both on the emulator.
///
/// Exit code 0: no difference; 1: at least one; 2: could not run.
#[derive(Debug, Parser)]
#[command(version)]
struct Cli {
    /// Minutes to run.
    #[arg(long, default_value_t = 1.0)]
    minutes: f64,
    /// The programs of the test suite and those after them, for at least 6 minutes: more than CI has time for.
    #[arg(long, conflicts_with_all = ["seed", "batch", "batches"])]
    long: bool,
    /// Switch off each check of the analysis in turn, and say after how many programs that is noticed, among so many.
    /// Needs an echo-fix built with the feature `mutations`.
    #[arg(long, value_name = "PROGRAMS", conflicts_with = "long")]
    mutants: Option<usize>,
    /// Only this check, with --mutants; may be given more than once.
    #[arg(long, value_name = "CHECK", requires = "mutants")]
    check: Vec<String>,
    /// First seed.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Programs per batch.
    #[arg(long, default_value_t = 40)]
    batch: usize,
    /// Batches, instead of minutes.
    #[arg(long)]
    batches: Option<usize>,
    /// Random schedules for each program.
    #[arg(long, default_value_t = 6)]
    schedules: u64,
    /// Do not look at declined pairs.
    #[arg(long)]
    no_precision: bool,
    /// Do not run programs that the tool leaves as they are (implies --no-precision): campaigns for soundness.
    #[arg(long)]
    only_changed: bool,
    /// Stop after so many differences.
    #[arg(long, default_value_t = 3)]
    differences: usize,
    /// Show programs that differ as they were generated.
    #[arg(long)]
    no_shrink: bool,
    /// The echo-fix to test; the one beside this program if not given.
    #[arg(long)]
    echo_fix: Option<PathBuf>,
    /// Folder for the programs that differ.
    #[arg(long, default_value = "target/fuzz")]
    out: PathBuf,
    /// Only print the program of the seed.
    #[arg(long)]
    print: bool,
    /// Write sources with at least so many transformed programs to the folder of --out, and the checksums that the
    /// emulator gives, to compare with those of a device.
    #[arg(long, value_name = "PROGRAMS", conflicts_with_all = ["long", "mutants"])]
    export: Option<usize>,
    /// Only print the programs of a batch, as one program that runs the one whose number is its argument.
    #[arg(long)]
    print_batch: bool,
}

fn main() -> ExitCode {
    run(&Cli::parse()).unwrap_or_else(|why| {
        eprintln!("echo-fuzz: {why:#}");
        ExitCode::from(2)
    })
}

fn run(cli: &Cli) -> Result<ExitCode> {
    if cli.print {
        print!("{}", Source::new(&[program(cli.seed)], Layout::Mains).text());
        return Ok(ExitCode::SUCCESS);
    }
    if cli.print_batch {
        let seeds = cli.seed..cli.seed + cli.batch as u64;
        let programs: Vec<_> = seeds.map(program).collect();
        let names: Vec<String> = (0..programs.len()).map(|index| format!("p{index}")).collect();
        print!("{}", Source::new(&programs, Layout::One).text());
        println!(
            "
int main(int argc, char** argv) {{
  unsigned long (*const all[])() = {{{}}};
  const int which = argc > 1 ? atoi(argv[1]) : 0;
  if (which < 0 || which >= {}) return 2;
  printf(\"%lu\\n\", all[which]());
  return 0;
}}",
            names.join(", "),
            names.len()
        );
        return Ok(ExitCode::SUCCESS);
    }
    let beside = std::env::current_exe()?.with_file_name("echo-fix");
    // It is started in other folders.
    let binary = cli.echo_fix.clone().unwrap_or(beside);
    let binary = binary.canonicalize().with_context(|| format!("no {}", binary.display()))?;
    let bench = Bench {
        installation: Installation::find()?,
        tool: Tool { binary, target: String::new(), arguments: Vec::new() },
        shards: std::thread::available_parallelism().map_or(2, usize::from),
        seeds: cli.schedules,
        precision: !cli.no_precision && !cli.only_changed,
        unchanged: !cli.only_changed,
    };
    if let Some(least) = cli.export {
        let done = export(&bench, cli.seed, least, &cli.out)?;
        println!("{done:?}");
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(most) = cli.mutants {
        return try_mutants(cli, &bench, most);
    }
    let minutes = if cli.long { cli.minutes.max(6.0) } else { cli.minutes };
    let plan = Plan {
        seed: cli.seed,
        batch: if cli.long { TEST_BATCH } else { cli.batch },
        batches: cli.batches,
        time: cli.batches.is_none().then(|| Duration::from_secs_f64(minutes * 60.0)),
        most_differences: cli.differences,
        shrink: !cli.no_shrink,
    };
    let report = campaign(&bench, plan, &mut |report| eprintln!("{report}\n"))?;
    println!("seed {}: {report}", cli.seed);
    for (seed, target, why) in &report.rejected_programs {
        println!("seed {seed} for {target} rejected: {why}");
    }
    fs::create_dir_all(&cli.out).context("the folder for programs")?;
    for finding in &report.findings {
        let file = |version: &str| cli.out.join(format!("{}.{version}.cu", finding.seed));
        fs::write(file("original"), &finding.original)?;
        fs::write(file("transformed"), &finding.transformed)?;
        println!(
            "seed {} for {}: {}\n  {}",
            finding.seed,
            finding.target,
            finding.what,
            file("original").display()
        );
    }
    if !report.findings.is_empty() {
        return Ok(ExitCode::from(1));
    }
    ensure!(report.rejected < report.programs, "nothing can be said of any program");
    Ok(ExitCode::SUCCESS)
}

// The batch of the test suite: with seed 1, the same programs.
const TEST_BATCH: usize = 165;

fn try_mutants(cli: &Cli, bench: &Bench, most: usize) -> Result<ExitCode> {
    let wanted = |name: &&str| cli.check.is_empty() || cli.check.iter().any(|check| check == name);
    let names = bench.tool.checks()?;
    let checks: Vec<&str> = names.iter().map(String::as_str).filter(wanted).collect();
    let found = mutants(bench, &checks, cli.seed, cli.batch, most, &mut |mutant| {
        if let Some((after, seed, target, what)) = &mutant.noticed {
            let what = what.lines().next().unwrap_or_default();
            println!(
                "{}: noticed by program {after} (seed {seed}, {target}): {what}",
                mutant.check
            );
        }
    })?;
    for mutant in found.iter().filter(|mutant| mutant.noticed.is_none()) {
        let differing = mutant.differing;
        println!("{}: NOT NOTICED, {differing} programs come out otherwise", mutant.check);
    }
    let noticed = found.iter().filter(|mutant| mutant.noticed.is_some()).count();
    println!("{noticed} of {} checks noticed within {most} programs", found.len());
    Ok(ExitCode::SUCCESS)
}
