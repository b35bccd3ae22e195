//! What the units of one run know of each other's functions: which of them keep to the host, and which are defined
//! otherwise elsewhere.
//!
//! A call of a function without a body may do anything with the device. Where the function is defined in another
//! unit of the run, and neither it nor anything it calls uses CUDA, it may not. An inline function or an instance of a
//! template that two units see with different bodies, as their macros select, has one of them in the program.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use echo_dataflow::effect::EffectModels;
use echo_dataflow::host_use::host_use;
use echo_dataflow::program::{Callee, Function, FunctionKind, Program, StatementKind};
use serde::{Deserialize, Serialize};

use super::form::{form, is_inline};
use super::model::{Status, UnitReport, VerdictName};
use super::report::words;
use super::rounds::{Refused, RefusedWhy};

/// What a unit tells the others of a function that it defines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Definition {
    /// Unified symbol resolution string.
    pub(crate) usr: String,
    /// Name for people.
    pub(crate) name: String,
    /// Its own statements neither use CUDA nor are unknown.
    pub(crate) keeps_to_host: bool,
    /// Functions of programs that it calls and that may use CUDA.
    pub(crate) calls: BTreeSet<String>,
    /// All functions without a body in this unit that it calls.
    pub(crate) external: BTreeSet<String>,
    /// What its body says, if other units may define it too.
    pub(crate) form: Option<u64>,
    /// The other units do not see it.
    pub(crate) internal: bool,
    /// It takes the place of a library's function in the whole program.
    pub(crate) replaces_library: bool,
}

/// What a unit is told of the others.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Others {
    /// Functions of other units that do not use CUDA.
    pub(crate) host_only: BTreeSet<String>,
    /// Functions whose definitions differ between units.
    pub(crate) otherwise: BTreeSet<String>,
}

/// The functions that `program`, whose file is `main`, defines.
pub(crate) fn definitions(program: &Program, models: &EffectModels, main: &str) -> Vec<Definition> {
    program
        .functions
        .iter()
        .filter(|function| !function.usr.is_empty())
        .filter(|function| !function.blocks.is_empty() || function.opaque.is_some())
        .map(|function| definition(program, models, function, main))
        .collect()
}

fn definition(
    program: &Program,
    models: &EffectModels,
    function: &Function,
    main: &str,
) -> Definition {
    let found = host_use(models, function);
    let own = found.calls.iter().map(|callee| program.function(*callee).usr.clone());
    Definition {
        usr: function.usr.clone(),
        name: function.name.clone(),
        keeps_to_host: found.keeps_to_host,
        calls: own.chain(found.unknown).collect(),
        external: found.external.into_iter().collect(),
        form: is_inline(program, function, main).then(|| form(program, function)),
        internal: function.internal_linkage,
        replaces_library: replaces_library(models, function),
    }
}

/// Whether the linker takes `function` for one that analyses of other units know by its name.
fn replaces_library(models: &EffectModels, function: &Function) -> bool {
    let name = function.name.as_str();
    if name.starts_with("operator new") || name.starts_with("operator delete") {
        return true;
    }
    let allocates = ["malloc", "calloc", "realloc", "free"].contains(&name);
    let of_cuda = name.starts_with("cu") && echo_frontend::headers::is_declared(name.as_bytes());
    let unmangled = function.usr.rsplit_once("@F@").is_some_and(|(_, symbol)| symbol == name);
    unmangled
        && !function.internal_linkage
        && function.kind != FunctionKind::Main
        && (allocates || of_cuda || models.get(name).is_some())
}

/// Whether replacing the function `name` reaches code that does not name it: what the patch inserts, launches, and the
/// libraries themselves.
fn is_used_everywhere(name: &str) -> bool {
    name.starts_with("operator ")
        || name.starts_with("cuda")
        || ["malloc", "calloc", "realloc", "free"].contains(&name)
}

/// Functions of libraries that are known by their names and that host code of `program` calls.
pub(crate) fn library_names(program: &Program, models: &EffectModels) -> BTreeSet<String> {
    let on_host = |function: &&Function| {
        !matches!(function.kind, FunctionKind::Kernel | FunctionKind::Device)
    };
    let functions = program.functions.iter().filter(on_host);
    let statements = functions.flat_map(|f| &f.blocks).flat_map(|b| &b.statements);
    let names = statements.filter_map(|statement| match &statement.kind {
        StatementKind::Cuda { name, .. } => Some(name),
        StatementKind::Call(call) => match &call.callee {
            Callee::External { name, .. } => models.get(name).map(|_| name),
            Callee::Function(_) | Callee::Indirect(_) => None,
        },
        StatementKind::Declare(_)
        | StatementKind::Assign { .. }
        | StatementKind::CopyAggregate { .. }
        | StatementKind::Evaluate(_)
        | StatementKind::HostAllocate(_)
        | StatementKind::HostRelease(_)
        | StatementKind::Launch(_)
        | StatementKind::Opaque { .. } => None,
    });
    names.map(|name| name.to_string()).collect()
}

/// What the units may know of each other after each was analysed by itself.
pub(crate) fn others(units: &[UnitReport]) -> Others {
    Others { host_only: host_only(units), otherwise: otherwise(units) }
}

/// Functions of `units` that `witnesses` define otherwise, or may: what could not be read may define any.
pub(crate) fn defined_otherwise(
    units: &[UnitReport],
    witnesses: &[UnitReport],
) -> BTreeSet<String> {
    let all: Vec<UnitReport> = units.iter().chain(witnesses).cloned().collect();
    let mut found = otherwise(&all);
    if witnesses.iter().any(|witness| witness.file.status == Status::Failed) {
        let shared = units.iter().flat_map(|unit| &unit.definitions);
        let shared = shared.filter(|definition| !definition.internal && definition.form.is_some());
        found.extend(shared.map(|definition| definition.usr.clone()));
    }
    found
}

/// Whether `others` may change what is said of `unit`.
pub(crate) fn matters(unit: &UnitReport, others: &Others) -> bool {
    let merges = unit.pairs.iter().any(|pair| pair.verdict == VerdictName::Merge);
    may_gain(unit, &others.host_only)
        || (merges && unit.definitions.iter().any(|d| others.otherwise.contains(&d.usr)))
}

/// The bodies of these functions may not be the ones that run.
pub(crate) fn give_up(program: &mut Program, otherwise: &BTreeSet<String>) {
    for function in &mut program.functions {
        if otherwise.contains(&function.usr) {
            function.blocks.clear();
            function.opaque.get_or_insert("another file defines it otherwise".to_owned());
        }
    }
}

/// Functions that more than one unit defines, where these may end up in one program, and not alike.
fn otherwise(units: &[UnitReport]) -> BTreeSet<String> {
    let mut seen: BTreeMap<&str, Vec<(&UnitReport, Option<u64>)>> = BTreeMap::new();
    for unit in units {
        for definition in unit.definitions.iter().filter(|definition| !definition.internal) {
            seen.entry(&definition.usr).or_default().push((unit, definition.form));
        }
    }
    let differ = |(a, form): &(&UnitReport, Option<u64>),
                  (b, other): &(&UnitReport, Option<u64>)| {
        form != other
            && a.file.path != b.file.path
            && !(has_main(a) && has_main(b))
            && !(includes(a, b) || includes(b, a))
    };
    let several = |all: &[(&UnitReport, Option<u64>)]| {
        all.iter().enumerate().any(|(index, a)| all[index + 1..].iter().any(|b| differ(a, b)))
    };
    seen.into_iter().filter(|(_, all)| several(all)).map(|(usr, _)| usr.to_owned()).collect()
}

/// A source that another one includes as text is no unit of its own in that one's program.
fn includes(unit: &UnitReport, other: &UnitReport) -> bool {
    unit.includes.contains(&other.file.path)
}

/// Two units with a `main` are of different programs.
fn has_main(unit: &UnitReport) -> bool {
    unit.definitions.iter().any(|definition| definition.name == "main")
}

/// Merges in units that may be linked with a file that replaces a function of a library. `bystanders` are the sources
/// of the run that are no units.
pub(crate) fn library_replaced(units: &[UnitReport], bystanders: &[PathBuf]) -> Refused {
    let concerns = |unit: &UnitReport, other: &UnitReport| {
        let relies = || {
            let mut assumptions = unit.pairs.iter().flat_map(|pair| &pair.assumptions);
            assumptions.any(|assumption| assumption == words::LINKED)
        };
        let mut replaced = other.definitions.iter().filter(|d| d.replaces_library);
        replaced.any(|function| {
            // Whoever calls one of CUDA's functions is not known to keep to the host.
            let keeps_to_host = function.keeps_to_host && function.calls.is_empty();
            let may_use_cuda = !(keeps_to_host || function.name.starts_with("cu"));
            is_used_everywhere(&function.name)
                || unit.library_names.contains(&function.name)
                || (may_use_cuda && relies())
        })
    };
    let by_bystander = bystanders
        .iter()
        .any(|path| super::discover::text(path).is_ok_and(|text| replaces_allocation(&text)));
    let mut found = Refused::new();
    for (index, unit) in units.iter().enumerate() {
        let mut rest = units.iter().enumerate().filter(|(other, _)| *other != index);
        let linked = |other: &UnitReport| !(has_main(unit) && has_main(other));
        if by_bystander || rest.any(|(_, other)| linked(other) && concerns(unit, other)) {
            let merged = unit.pairs.iter().filter(|pair| pair.verdict == VerdictName::Merge);
            found.extend(merged.map(|pair| (pair.key.clone(), RefusedWhy::LibraryReplaced)));
        }
    }
    found
}

/// Whether a source that was not parsed may define `malloc`, `free`, `operator new` or one of their kind.
fn replaces_allocation(text: &[u8]) -> bool {
    let at = |word: &[u8]| {
        let starts =
            (0..text.len()).filter(move |&i| text[i..].starts_with(b"void")).collect::<Vec<_>>();
        starts.into_iter().any(|start| {
            let rest = text[start + 4..].trim_ascii_start();
            let rest = rest.strip_prefix(b"*").unwrap_or(rest).trim_ascii_start();
            rest.strip_prefix(word).is_some_and(|rest| rest.trim_ascii_start().starts_with(b"("))
        })
    };
    text.windows(12).any(|window| window == b"operator new")
        || text.windows(15).any(|window| window == b"operator delete")
        || [&b"malloc"[..], b"calloc", b"realloc", b"free"].into_iter().any(at)
}

/// Whether `program` calls a function of another unit that is known to keep to the host.
pub(crate) fn relies_on_others(program: &Program, models: &EffectModels) -> bool {
    program.functions.iter().flat_map(|f| &f.blocks).flat_map(|b| &b.statements).any(|statement| {
        if let StatementKind::Call(call) = &statement.kind
            && let Callee::External { usr, .. } = &call.callee
        {
            models.is_host_only(usr)
        } else {
            false
        }
    })
}

/// Functions of which every definition in the run keeps to the host, with all that they call.
///
/// A unit that was not analysed may define any of them too: then nothing is known.
fn host_only(units: &[UnitReport]) -> BTreeSet<String> {
    if units.iter().any(|unit| unit.file.status == Status::Failed) {
        return BTreeSet::new();
    }
    let mut known: BTreeMap<&str, (bool, BTreeSet<&str>)> = BTreeMap::new();
    for definition in units.iter().flat_map(|unit| &unit.definitions) {
        let entry = known.entry(&definition.usr).or_insert_with(|| (true, BTreeSet::new()));
        entry.0 &= definition.keeps_to_host;
        entry.1.extend(definition.calls.iter().map(String::as_str));
    }
    let mut host_only: BTreeSet<&str> =
        known.iter().filter(|(_, (keeps, _))| *keeps).map(|(usr, _)| *usr).collect();
    loop {
        let leaves: Vec<&str> = host_only
            .iter()
            .copied()
            .filter(|usr| known[usr].1.iter().any(|callee| !host_only.contains(callee)))
            .collect();
        if leaves.is_empty() {
            return host_only.into_iter().map(str::to_owned).collect();
        }
        for usr in leaves {
            host_only.remove(usr);
        }
    }
}

/// Units that a knowledge of `host_only` may help: they decline something, and call one of those functions in another
/// unit.
fn may_gain(unit: &UnitReport, host_only: &BTreeSet<String>) -> bool {
    let own: BTreeSet<&str> = unit.definitions.iter().map(|d| d.usr.as_str()).collect();
    unit.pairs.iter().any(|pair| pair.verdict == VerdictName::Decline)
        && unit
            .definitions
            .iter()
            .flat_map(|definition| &definition.calls)
            .any(|callee| !own.contains(callee.as_str()) && host_only.contains(callee))
}

#[cfg(test)]
mod tests {
    use super::super::unit::failed;
    use super::*;

    fn unit(definitions: &[(&str, bool, &[&str])]) -> UnitReport {
        let mut unit = failed(std::path::Path::new("a.cu"), "made by hand");
        unit.file.status = Status::Analysed;
        unit.definitions = definitions
            .iter()
            .map(|(usr, keeps_to_host, calls)| Definition {
                usr: (*usr).to_owned(),
                name: (*usr).to_owned(),
                keeps_to_host: *keeps_to_host,
                calls: calls.iter().map(|c| (*c).to_owned()).collect(),
                external: BTreeSet::new(),
                form: None,
                internal: false,
                replaces_library: false,
            })
            .collect();
        unit
    }

    #[test]
    fn what_calls_something_unknown_is_not_host_only() {
        let units = [
            unit(&[("clock", true, &[]), ("setup", true, &["missing"]), ("run", true, &["clock"])]),
            unit(&[("outer", true, &["setup"]), ("loop", true, &["loop"])]),
        ];
        let found: Vec<String> = host_only(&units).into_iter().collect();
        assert_eq!(found, ["clock", "loop", "run"]);
    }

    #[test]
    fn every_definition_must_keep_to_the_host() {
        let units = [unit(&[("init", true, &[])]), unit(&[("init", false, &[])])];
        assert!(host_only(&units).is_empty());
    }

    #[test]
    fn a_unit_that_failed_may_define_anything() {
        let failed = failed(std::path::Path::new("b.cu"), "not read");
        assert!(host_only(&[unit(&[("init", true, &[])]), failed]).is_empty());
    }
}
