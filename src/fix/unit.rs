//! One file, from text to a report: what a worker does.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Instant;

use echo_dataflow::effect::EffectModels;
use echo_dataflow::interpret::event_graphs;
use echo_dataflow::program::{Function, Program, Span, StatementKind, StatementRef};
use echo_dataflow::report::{PairReport, Refusals, SideReport, reports_on};
use echo_dataflow::target::Options;
use echo_dataflow::verdict::{
    Condition, Objection as Objected, Place, PlaceRole, Reason, Replacement, Verdict,
};
use echo_frontend::arguments::UnitArguments;
use echo_frontend::{Frontend, PrefixUse, UnitInput};
use echo_rewrite::{Edit, EditPlan, PairPlan, Style};

use super::callers;
use super::discover::shown;
use super::model::{
    Copy, Cost, Counts, EditReport, Excluded, FileReport, LineColumn, Location, Objection,
    OpaqueFunction, OpaqueStatement, Pair, PlaceKey, Side, Status, SuppressionReport, UnitReport,
    VerdictName,
};
use super::patch::content_hash;
use super::places::Places;
use super::report::words::{self, Names};
use super::rounds::Refused;
use super::settings::Settings;

/// What there is to do.
pub(crate) struct Job<'a> {
    pub(crate) frontend: &'a Frontend,
    pub(crate) models: &'a EffectModels,
    pub(crate) settings: &'a Settings,
    pub(crate) path: &'a Path,
    pub(crate) arguments: &'a UnitArguments,
    /// Folders whose headers may be edited.
    pub(crate) roots: &'a [PathBuf],
    /// Pairs that must not be merged.
    pub(crate) refused: &'a Refused,
    /// Functions that other units define otherwise.
    pub(crate) otherwise: &'a BTreeSet<String>,
    /// Description of the file's precompiled prefix.
    pub(crate) prefix: Option<&'a Path>,
}

/// Analyses a file; one that cannot be parsed yields a report that says so.
pub(crate) fn analyse(job: &Job<'_>) -> UnitReport {
    let input = UnitInput {
        path: job.path.to_owned(),
        arguments: job.arguments.arguments.clone(),
        roots: job.roots.to_vec(),
        prefix: job.prefix.map(Path::to_owned),
    };
    let start = Instant::now();
    let parsed = match job.frontend.parse(&input) {
        Ok(parsed) => parsed,
        Err(error) => return failed(job.path, &error.to_string()),
    };
    let parse = micros(start);
    let start = Instant::now();
    let mut program = parsed.program;
    if program.functions.iter().map(|function| function.blocks.len()).sum::<usize>() > LONG {
        give_back_memory();
    }
    for file in program.files.iter_mut().filter(|file| !file.path.is_empty()) {
        file.path = shown(Path::new(&file.path));
    }
    program.per_thread_default_stream |= job.arguments.per_thread_default_stream;
    super::linkage::give_up(&mut program, job.otherwise);
    let options = job.settings.options();
    let hashes = program
        .files
        .iter()
        .filter(|file| file.editable)
        .map(|file| (file.path.clone(), content_hash(&file.text)))
        .collect();
    let places = Places::new(&program);
    let opaque: Vec<OpaqueFunction> = program
        .functions
        .iter()
        .filter_map(|function| {
            let reason = function.opaque.clone()?;
            let span = function.source.span;
            Some(OpaqueFunction {
                name: function.name.clone(),
                file: places.path(span.file).to_owned(),
                line: places.line(span),
                reason,
            })
        })
        .collect();
    let opaque_statements = opaque_statements(&program, places);
    let (reports, plan, dropped) = judged(&program, places, &options, job);
    let suppressions = suppressions(&program, places, &reports);
    let linked = super::linkage::relies_on_others(&program, job.models);
    let open = callers::open_to_others(&program);
    let pairs: Vec<Pair> = reports
        .iter()
        .enumerate()
        .map(|(index, pair)| {
            let edits = plan.as_ref().map(|plan| plan.of(&index.to_string()));
            let mut pair = describe(&program, &open, places, &options, pair, edits);
            if linked && pair.verdict == VerdictName::Merge {
                pair.assumptions.push(words::LINKED.to_owned());
            }
            pair
        })
        .collect();
    let mut counts = counts(&program);
    counts.links = !pairs.is_empty();
    let status = if parsed.errors.is_empty() && opaque.is_empty() {
        Status::Analysed
    } else {
        Status::Partial
    };
    UnitReport {
        file: FileReport {
            path: shown(job.path),
            status,
            errors: parsed.errors.len(),
            message: parsed.errors.first().cloned(),
            opaque_functions: opaque,
            opaque_statements,
        },
        includes: parsed.files.iter().map(|file| shown(Path::new(file))).collect(),
        hashes,
        pairs,
        suppressions,
        counts,
        dropped,
        definitions: super::linkage::definitions(&program, job.models, &shown(job.path)),
        library_names: super::linkage::library_names(&program, job.models),
        cost: Cost {
            parse,
            analysis: micros(start),
            memory: peak_memory(),
            prefix: match parsed.prefix {
                PrefixUse::NotGiven => "no prefix".to_owned(),
                PrefixUse::Used => "with prefix".to_owned(),
                PrefixUse::Refused(why) => format!("without prefix: {why}"),
            },
        },
    }
}

fn micros(since: Instant) -> u64 {
    u64::try_from(since.elapsed().as_micros()).unwrap_or(u64::MAX)
}

/// Of this process, in KiB, since it began with the file where the system can tell; 0 if that is not known.
fn peak_memory() -> u64 {
    use nix::sys::resource::{UsageWho, getrusage};
    getrusage(UsageWho::RUSAGE_SELF)
        .ok()
        .and_then(|usage| u64::try_from(usage.max_rss()).ok())
        .unwrap_or(0)
}

/// Blocks of a program that is long: giving memory back costs more than it is worth for others.
const LONG: usize = 10_000;

/// Gives the memory of clang's syntax tree back to the system, where the allocator would keep it.
#[cfg(target_env = "gnu")]
#[allow(unsafe_code, reason = "a call of the C library")]
fn give_back_memory() {
    // SAFETY: any thread may call it at any time.
    unsafe {
        libc::malloc_trim(0);
    }
}

#[cfg(not(target_env = "gnu"))]
fn give_back_memory() {}

/// The report of a file that was not analysed.
pub(crate) fn failed(path: &Path, why: &str) -> UnitReport {
    let path = shown(path);
    UnitReport {
        file: FileReport {
            path: path.clone(),
            status: Status::Failed,
            errors: 1,
            message: Some(why.to_owned()),
            opaque_functions: Vec::new(),
            opaque_statements: Vec::new(),
        },
        includes: vec![path],
        hashes: BTreeMap::new(),
        pairs: Vec::new(),
        suppressions: Vec::new(),
        counts: Counts::default(),
        dropped: None,
        definitions: Vec::new(),
        library_names: BTreeSet::new(),
        cost: Cost::default(),
    }
}

/// Judges, and judges again without the pairs that cannot be written or must not be merged.
fn judged(
    program: &Program,
    places: Places<'_>,
    options: &Options,
    job: &Job<'_>,
) -> (Vec<PairReport>, Option<EditPlan>, Option<String>) {
    let style = Style { checks: job.settings.checks.clone(), rename: job.settings.rename };
    let graphs = event_graphs(program, job.models);
    let mut refused = Refusals::new();
    loop {
        let pairs = reports_on(program, &graphs, options, &refused);
        let mut new = Refusals::new();
        for pair in pairs.iter().filter(|pair| matches!(pair.verdict, Verdict::Merge(_))) {
            if is_suppressed(program, places, pair) {
                new.insert(pair.key, refusal(pair, "suppressed", words::SUPPRESSED));
            } else if let Some(why) = job.refused.get(&place_key(program, pair)) {
                let (code, what) = words::refused(*why);
                new.insert(pair.key, refusal(pair, code, what));
            }
        }
        if new.is_empty() {
            let plans: Vec<PairPlan<'_>> = pairs
                .iter()
                .enumerate()
                .filter_map(|(index, pair)| match &pair.verdict {
                    Verdict::Merge(proof) => Some(PairPlan { id: index.to_string(), proof }),
                    Verdict::Decline(_) => None,
                })
                .collect();
            let plan = match echo_rewrite::plan(program, &plans, &style) {
                Ok(plan) => plan,
                Err(error) => return (pairs, None, Some(error.to_string())),
            };
            for (index, pair) in pairs.iter().enumerate() {
                if let Some(why) = plan.refused().get(&index.to_string()) {
                    new.insert(pair.key, refusal(pair, why.code, &why.what));
                }
            }
            if new.is_empty() {
                return (pairs, Some(plan), None);
            }
        }
        refused.extend(new);
    }
}

fn place_key(program: &Program, pair: &PairReport) -> PlaceKey {
    let place = |side: &SideReport| {
        let span = side.source.span;
        (program.file(span.file).path.clone(), span.start)
    };
    PlaceKey { host: place(&pair.host), device: place(&pair.device) }
}

fn refusal(pair: &PairReport, code: &'static str, what: &str) -> Objected {
    Objected {
        condition: Condition::Edit,
        reason: Reason::Edit { code, what: what.to_owned() },
        certain: true,
        places: vec![Place {
            source: pair.device.source,
            role: PlaceRole::Allocation(echo_dataflow::verdict::Side::Device),
        }],
        repair: None,
    }
}

fn is_suppressed(program: &Program, places: Places<'_>, pair: &PairReport) -> bool {
    [&pair.host, &pair.device].iter().any(|side| {
        let span = side.source.span;
        let suppressed = &program.file(span.file).suppressions;
        !suppressed.is_empty() && {
            let line = places.line(span);
            suppressed.iter().any(|s| s.line == line)
        }
    })
}

fn suppressions(
    program: &Program,
    places: Places<'_>,
    pairs: &[PairReport],
) -> Vec<SuppressionReport> {
    let lines = pairs.iter().flat_map(|pair| [&pair.host, &pair.device]).map(|side| {
        let span = side.source.span;
        (places.path(span.file), places.line(span))
    });
    let lines: BTreeSet<(&str, u32)> = lines.collect();
    let mut all = Vec::new();
    for file in &program.files {
        for suppression in &file.suppressions {
            let used = lines.contains(&(file.path.as_str(), suppression.line));
            all.push(SuppressionReport { file: file.path.clone(), line: suppression.line, used });
        }
    }
    all
}

/// Each once, however many instances of a template hold it.
fn opaque_statements(program: &Program, places: Places<'_>) -> Vec<OpaqueStatement> {
    let mut found = BTreeSet::new();
    for function in &program.functions {
        for statement in function.blocks.iter().flat_map(|block| &block.statements) {
            if let StatementKind::Opaque { why } = &statement.kind {
                found.insert(OpaqueStatement {
                    file: places.path(statement.source.span.file).to_owned(),
                    line: places.line(statement.source.span),
                    function: function.name.clone(),
                    reason: why.clone(),
                });
            }
        }
    }
    found.into_iter().collect()
}

fn counts(program: &Program) -> Counts {
    let mut counts = Counts::default();
    for statement in program.functions.iter().flat_map(|f| &f.blocks).flat_map(|b| &b.statements) {
        if let Some(operation) = statement.kind.cuda_operation() {
            use echo_dataflow::program::CudaOperation as Op;
            counts.allocates_device_memory |= matches!(operation, Op::Allocate { .. });
            counts.copies |= matches!(operation, Op::Copy { .. });
        }
    }
    counts
}

fn describe(
    program: &Program,
    open: &[&Function],
    places: Places<'_>,
    options: &Options,
    pair: &PairReport,
    edits: Option<&[Edit]>,
) -> Pair {
    let device_file = &program.file(pair.device.source.span.file).path;
    let function = &program.function(pair.device.allocation.function).name;
    let names = Names { host: &pair.host.name, device: &pair.device.name };
    let merged = matches!(pair.verdict, Verdict::Merge(_)) && edits.is_some();
    let objections = match &pair.verdict {
        Verdict::Merge(_) => Vec::new(),
        Verdict::Decline(list) => list.iter().map(|o| objection(places, o, &names)).collect(),
    };
    let in_functions =
        if merged { callers::edited(open, edits.unwrap_or_default()) } else { Vec::new() };
    let in_globals = if merged { pair.globals.iter().cloned().collect() } else { Vec::new() };
    let mut assumptions = pair.assumptions.clone();
    assumptions.extend(in_functions.iter().map(|function| words::only_caller(&function.name)));
    let edits: Vec<EditReport> = edits
        .unwrap_or_default()
        .iter()
        .map(|edit| EditReport {
            file: program.file(edit.file).path.clone(),
            start: edit.start,
            end: edit.end,
            replacement: edit.replacement.clone(),
            step: edit.step.code().to_owned(),
        })
        .collect();
    let suppressed = matches!(&pair.verdict, Verdict::Decline(list)
        if list.iter().any(|o| matches!(o.reason, Reason::Edit { code: "suppressed", .. })));
    Pair {
        id: format!("{device_file}:{function}:{}/{}", pair.host.name, pair.device.name),
        key: place_key(program, pair),
        host: side(program, places, &pair.host),
        device: side(program, places, &pair.device),
        bytes: pair.bytes.clone(),
        verdict: if merged { VerdictName::Merge } else { VerdictName::Decline },
        memory_chosen: merged.then(|| words::memory(options.memory).to_owned()),
        memory: pair.admissible.iter().map(|k| words::memory(*k).to_owned()).collect(),
        memory_excluded: pair
            .excluded
            .iter()
            .map(|(kind, o)| Excluded {
                kind: words::memory(*kind).to_owned(),
                condition: o.condition.code().to_owned(),
                code: words::code(&o.reason).to_owned(),
            })
            .collect(),
        copies: pair
            .copies
            .iter()
            .map(|copy| {
                let (action, replacement) = match (merged, &copy.replacement, copy.linking) {
                    (true, Some(Replacement::Nothing), true) => ("removed", None),
                    (true, Some(Replacement::DefaultStream), true) => {
                        ("synchronised", Some("cudaStreamSynchronize(0)".to_owned()))
                    }
                    (true, Some(Replacement::SameStream), true) => {
                        ("synchronised", Some("cudaStreamSynchronize(stream)".to_owned()))
                    }
                    (_, _, _) => ("kept", None),
                };
                Copy {
                    file: places.path(copy.source.span.file).to_owned(),
                    line: places.line(copy.source.span),
                    direction: if copy.to_device { "h2d" } else { "d2h" }.to_owned(),
                    role: if copy.linking { "linking" } else { "retained" }.to_owned(),
                    action: action.to_owned(),
                    replacement,
                }
            })
            .collect(),
        edits,
        objections,
        assumptions,
        in_functions,
        in_globals,
        suppressed,
    }
}

fn objection(places: Places<'_>, objection: &Objected, names: &Names<'_>) -> Objection {
    Objection {
        condition: objection.condition.code().to_owned(),
        code: words::code(&objection.reason).to_owned(),
        message: words::message(objection, names),
        note: words::consequence(&objection.reason, names),
        repair: objection.repair.as_ref().map(|r| words::repair(r, places)),
        locations: objection
            .places
            .iter()
            .map(|place| location(places, place.source.span, words::label(&place.role, names)))
            .collect(),
    }
}

fn location(places: Places<'_>, span: Span, label: String) -> Location {
    let (line, column) = places.line_column(span);
    let file = places.path(span.file).to_owned();
    Location { file, line, column, start: span.start, end: span.end, label }
}

fn side(program: &Program, places: Places<'_>, side: &SideReport) -> Side {
    let span = side.source.span;
    let (line, column) = places.line_column(span);
    let declared_at =
        side.variable.and_then(|v| program.variable(v).declaration).map(|declaration| {
            let (line, column) = places.line_column(declaration.name);
            LineColumn { line, column }
        });
    Side {
        name: side.name.clone(),
        kind: kind(program, side.allocation),
        function: program.function(side.allocation.function).name.clone(),
        file: places.path(span.file).to_owned(),
        line,
        column,
        declared_at,
    }
}

fn kind(program: &Program, at: StatementRef) -> String {
    use echo_dataflow::program::HostAllocator as A;
    match &program.statement(at).kind {
        StatementKind::HostAllocate(allocation) => match allocation.allocator {
            A::Malloc => "malloc",
            A::Calloc => "calloc",
            A::NewArray | A::NewArrayZeroed | A::NewArrayConstructed => "new[]",
            A::NewObject => "new",
            A::Other => "other",
        }
        .to_owned(),
        StatementKind::Cuda { name, .. } => name.to_string(),
        StatementKind::Declare(_)
        | StatementKind::Assign { .. }
        | StatementKind::CopyAggregate { .. }
        | StatementKind::Evaluate(_)
        | StatementKind::HostRelease(_)
        | StatementKind::Launch(_)
        | StatementKind::Call(_)
        | StatementKind::Opaque { .. } => "other".to_owned(),
    }
}
