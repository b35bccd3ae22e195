//! What the units of one run know of each other's functions: which of them keep to the host.
//!
//! A call of a function without a body may do anything with the device. Where the function is defined in another
//! unit of the run, and neither it nor anything it calls uses CUDA, it may not.

use std::collections::{BTreeMap, BTreeSet};

use echo_dataflow::effect::EffectModels;
use echo_dataflow::host_use::host_use;
use echo_dataflow::program::{Callee, Function, Program, StatementKind};
use serde::{Deserialize, Serialize};

use super::model::{Status, UnitReport, VerdictName};

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
}

/// The host functions that `program` defines.
pub(crate) fn definitions(program: &Program, models: &EffectModels) -> Vec<Definition> {
    program
        .functions
        .iter()
        .filter(|function| !function.usr.is_empty())
        .filter(|function| !function.blocks.is_empty() || function.opaque.is_some())
        .map(|function| definition(program, models, function))
        .collect()
}

fn definition(program: &Program, models: &EffectModels, function: &Function) -> Definition {
    let found = host_use(models, function);
    let own = found.calls.iter().map(|callee| program.function(*callee).usr.clone());
    Definition {
        usr: function.usr.clone(),
        name: function.name.clone(),
        keeps_to_host: found.keeps_to_host,
        calls: own.chain(found.unknown).collect(),
        external: found.external.into_iter().collect(),
    }
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
pub(crate) fn host_only(units: &[UnitReport]) -> BTreeSet<String> {
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
pub(crate) fn may_gain(unit: &UnitReport, host_only: &BTreeSet<String>) -> bool {
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
