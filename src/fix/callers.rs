//! Whether anything calls a function that a merge edits, besides the unit that judged the merge.
//!
//! Inside a unit, calls that were not followed are known (`contexts-disagree`). A function of external linkage may also be
//! called from other files: those of the run are looked at here, those outside are an assumption of the merge.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::{Path, PathBuf};

use echo_dataflow::interpret::roots;
use echo_dataflow::program::{Function, FunctionId, FunctionKind, Program, plain_name};
use echo_rewrite::Edit;
use serde::{Deserialize, Serialize};

use super::model::{Status, UnitReport, VerdictName};
use super::rounds::{Refused, RefusedWhy};

/// A function of external linkage that an edit lies in.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Edited {
    /// Unified symbol resolution string.
    pub(crate) usr: String,
    /// Name for people.
    pub(crate) name: String,
}

/// The functions of `program` that other files may call, with arguments for which nothing was judged: what is analysed as
/// a root was judged for every caller.
pub(crate) fn open_to_others(program: &Program) -> Vec<&Function> {
    let roots: HashSet<FunctionId> = roots(program).into_iter().collect();
    let functions = program.functions.iter().enumerate();
    let open = functions.filter(|(index, function)| {
        let hidden = function.internal_linkage
            || function.kind == FunctionKind::Main
            || roots.contains(&FunctionId::new(*index));
        !hidden && !function.usr.is_empty()
    });
    open.map(|(_, function)| function).collect()
}

/// Those of the functions `open` to other files that `edits` lie in.
pub(crate) fn edited(open: &[&Function], edits: &[Edit]) -> Vec<Edited> {
    let inside = open.iter().filter(|function| {
        let at = function.definition;
        let mut edits = edits.iter();
        edits.any(|edit| edit.file == at.file && at.start <= edit.start && edit.end <= at.end)
    });
    let found: BTreeSet<Edited> = inside
        .map(|function| Edited { usr: function.usr.clone(), name: function.name.clone() })
        .collect();
    found.into_iter().collect()
}

/// Merges that edit a function which another file of the run may call. `bystanders` are the sources of the run without
/// anything of CUDA, which are no units.
pub(crate) fn called_elsewhere(units: &[UnitReport], bystanders: &[PathBuf]) -> Refused {
    let mut texts = Texts::default();
    let mut found = Refused::new();
    for (index, unit) in units.iter().enumerate() {
        for pair in unit.pairs.iter().filter(|pair| pair.verdict == VerdictName::Merge) {
            let elsewhere = pair.in_functions.iter().any(|function| {
                let others = units.iter().enumerate().filter(|(other, _)| *other != index);
                others.into_iter().any(|(_, other)| may_call(other, unit, function, &mut texts))
                    || bystanders.iter().any(|path| texts.mention(path, &function.name))
            });
            let held = pair.in_globals.iter().any(|variable| {
                let mut others = units.iter().enumerate().filter(|(other, _)| *other != index);
                others.any(|(_, other)| may_name(other, unit, variable, &mut texts))
                    || bystanders.iter().any(|path| texts.mention(path, variable))
            });
            if elsewhere {
                found.insert(pair.key.clone(), RefusedWhy::CalledElsewhere);
            } else if held {
                found.insert(pair.key.clone(), RefusedWhy::HeldElsewhere);
            }
        }
    }
    found
}

/// Whether `other` may call `function` of `unit`: its calls say so, or its own text holds the name, unless it is understood
/// whole and has a function of that very name itself. A unit that has the function, from a shared header, must agree on the
/// edits anyway.
fn may_call(other: &UnitReport, unit: &UnitReport, function: &Edited, texts: &mut Texts) -> bool {
    if other.definitions.iter().any(|definition| definition.usr == function.usr) {
        return false;
    }
    if other.definitions.iter().any(|definition| definition.external.contains(&function.usr)) {
        return true;
    }
    let means_its_own = other.file.status == Status::Analysed
        && other.definitions.iter().any(|definition| definition.name == function.name);
    let mut foreign = other.includes.iter().filter(|file| !unit.includes.contains(file));
    !means_its_own && foreign.any(|file| texts.mention(Path::new(file), &function.name))
}

/// Whether `other` may be linked with `unit` and use its variable: in what runs before `main` or after it, for what `main`
/// calls there is code that is not seen anyway.
fn may_name(other: &UnitReport, unit: &UnitReport, variable: &str, texts: &mut Texts) -> bool {
    let is_program = |unit: &UnitReport| unit.definitions.iter().any(|d| d.name == "main");
    let includes =
        unit.includes.contains(&other.file.path) || other.includes.contains(&unit.file.path);
    let mut foreign = other.includes.iter().filter(|file| !unit.includes.contains(file));
    let linked = !is_program(unit) || !is_program(other);
    linked
        && !includes
        && foreign.any(|file| texts.mention(Path::new(file), variable))
        && other.includes.iter().any(|file| texts.mention(Path::new(file), "extern"))
}

/// The words of files, read once.
#[derive(Default)]
struct Texts {
    words: BTreeMap<PathBuf, Option<BTreeSet<Vec<u8>>>>,
}

impl Texts {
    /// Whether the file may call a function of this name: it holds the word, or there is none, or it cannot be read.
    fn mention(&mut self, path: &Path, name: &str) -> bool {
        let Some(word) = plain_name(name) else { return true };
        let words = self.words.entry(path.to_owned()).or_insert_with(|| {
            let text = super::discover::text(path).ok()?;
            let words = text.split(|b| !(b.is_ascii_alphanumeric() || *b == b'_'));
            Some(words.filter(|word| !word.is_empty()).map(<[u8]>::to_vec).collect())
        });
        words.as_ref().is_none_or(|words| words.contains(word.as_bytes()))
    }
}
