//! Edits of all accepted pairs, put together.

use std::collections::BTreeMap;

use echo_dataflow::program::{FileId, Program, Span, StatementKind, StatementRef, VariableId};
use echo_dataflow::verdict::{Action, ActionKind, Proof};

use crate::allocate::{Alias, unqualified};
use crate::edit::{Edit, Step};
use crate::effects::Effects;
use crate::hidden::Hidden;
use crate::rename::Uses;
use crate::site::{Context, Renamed, Site};
use crate::{allocate, copies, instances, quoted, release, rename};

/// A pair to rewrite.
#[derive(Debug, Clone)]
pub struct PairPlan<'p> {
    /// Its name in reports.
    pub id: String,
    /// Why it may be.
    pub proof: &'p Proof,
}

/// What the user says about the way his program is written.
#[derive(Debug, Clone, Default)]
pub struct Style {
    /// Macros and functions that do nothing but look at a status: `CHECK(cudaMemcpy(...));` may go as a whole.
    pub checks: Vec<String>,
    /// Every use of the second pointer is renamed to the first, instead of assigning it once.
    pub rename: bool,
}

/// All edits, non-overlapping, in order of file and offset.
#[derive(Debug, Clone, Default)]
pub struct EditPlan {
    edits: Vec<Edit>,
    by_pair: BTreeMap<String, Vec<Edit>>,
    refused: BTreeMap<String, Refusal>,
}

/// Why a pair's rewrite cannot be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// Kebab-case code.
    pub code: &'static str,
    /// For people.
    pub what: String,
}

impl Refusal {
    pub(crate) fn new(code: &'static str, what: &str) -> Self {
        Self { code, what: what.to_owned() }
    }
}

/// A defect of this program, not of the input.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// Two edits touch the same bytes in different ways.
    #[error("edits of {first} and {second} overlap at bytes {start}..{end}")]
    Overlap {
        /// A pair.
        first: String,
        /// Another, or the same.
        second: String,
        /// First shared byte.
        start: u32,
        /// One past the last.
        end: u32,
    },
}

impl EditPlan {
    /// All edits.
    #[must_use]
    pub fn edits(&self) -> &[Edit] {
        &self.edits
    }

    /// The edits of one pair, before those of several pairs were put together.
    #[must_use]
    pub fn of(&self, id: &str) -> &[Edit] {
        self.by_pair.get(id).map_or(&[], Vec::as_slice)
    }

    /// Pairs that are proved but cannot be written, with the reason.
    #[must_use]
    pub fn refused(&self) -> &BTreeMap<String, Refusal> {
        &self.refused
    }

    /// Files with edits.
    #[must_use]
    pub fn files(&self) -> Vec<FileId> {
        let mut files: Vec<FileId> = self.edits.iter().map(|e| e.file).collect();
        files.dedup();
        files
    }
}

/// Plans the rewrite of `pairs`. If any pair is refused, the caller must judge again without it (its synchronization was
/// part of what the others were proved with), so `refused` must be empty before edits are used.
///
/// # Errors
/// If edits overlap: a defect of the forms.
pub fn plan(
    program: &Program,
    pairs: &[PairPlan<'_>],
    style: &Style,
) -> Result<EditPlan, PlanError> {
    let touched = pairs.iter().flat_map(|pair| pair.proof.actions()).map(|action| action.at);
    let effects = Effects::of(program, touched);
    let mut plan = EditPlan::default();
    let mut changes: Vec<Change> = Vec::new();
    let (uses, renamed) = if style.rename {
        let uses = uses(program, pairs, &mut plan);
        let renamed = renamed(program, &uses);
        (uses, renamed)
    } else {
        (Vec::new(), Renamed::new())
    };
    let hidden = Hidden::of(program);
    let context_of = |pair: &PairPlan<'_>| Context {
        program,
        effects: &effects,
        style,
        memory: pair.proof.memory(),
        plain_addresses: passes_plain_addresses(program, pair.proof),
        renamed: &renamed,
    };
    for (index, pair) in pairs.iter().enumerate() {
        let context = context_of(pair);
        for action in pair.proof.actions() {
            let edits = edits(&context, action);
            let checked = edits.and_then(|edits| {
                hidden.check(&edits)?;
                quoted::check(program, &effects, action.at, &edits)?;
                Ok(edits)
            });
            match checked {
                Ok(edits) => changes.push(Change { pair: index, at: action.at, edits }),
                Err(why) => {
                    plan.refused.entry(pair.id.clone()).or_insert(why);
                }
            }
        }
    }
    let spans = Spans::of(&changes);
    for renaming in uses {
        let pair = &pairs[renaming.pair];
        match renaming.edits(&context_of(pair), &spans) {
            Ok(edits) => {
                let own = |c: &&mut Change| c.pair == renaming.pair && c.at == renaming.at;
                changes.iter_mut().filter(own).for_each(|c| c.edits.extend(edits.iter().cloned()));
            }
            Err(why) => {
                plan.refused.entry(pair.id.clone()).or_insert(why);
            }
        }
    }
    for index in instances::disagreeing(program, &changes) {
        let what = "another instantiation or use of the same text would have to change differently";
        let why = Refusal::new("instances-disagree", what);
        plan.refused.entry(pairs[index].id.clone()).or_insert(why);
    }
    let mut all: Vec<(Edit, usize)> = Vec::new();
    for change in changes {
        let id = &pairs[change.pair].id;
        if !plan.refused.contains_key(id) {
            plan.by_pair.entry(id.clone()).or_default().extend(change.edits.iter().cloned());
            all.extend(change.edits.into_iter().map(|edit| (edit, change.pair)));
        }
    }
    for own in plan.by_pair.values_mut() {
        own.sort();
        own.dedup();
    }
    all.sort();
    // One statement shared by several pairs is changed once.
    all.dedup_by(|(a, _), (b, _)| a == b);
    for window in all.windows(2) {
        let [(a, first), (b, second)] = window else { continue };
        if a.file == b.file && b.start < a.end {
            return Err(PlanError::Overlap {
                first: pairs[*first].id.clone(),
                second: pairs[*second].id.clone(),
                start: b.start,
                end: a.end.min(b.end),
            });
        }
    }
    plan.edits = all.into_iter().map(|(edit, _)| edit).collect();
    Ok(plan)
}

/// The renaming that one alias of one pair asks for.
struct Renaming {
    pair: usize,
    /// The allocation that would have become the alias.
    at: StatementRef,
    first: VariableId,
    uses: Uses,
}

/// What each pair renames; those that cannot are refused.
fn uses(program: &Program, pairs: &[PairPlan<'_>], plan: &mut EditPlan) -> Vec<Renaming> {
    let mut found = Vec::new();
    for (index, pair) in pairs.iter().enumerate() {
        for action in pair.proof.actions() {
            let ActionKind::AliasHere { first_variable, .. } = &action.kind else { continue };
            let Some(alias) = allocate::Alias::of(&action.kind) else { continue };
            match rename::uses(program, action.at, &alias) {
                Ok(uses) => {
                    let (at, first) = (action.at, *first_variable);
                    found.push(Renaming { pair: index, at, first, uses });
                }
                Err(why) => {
                    plan.refused.entry(pair.id.clone()).or_insert(why);
                }
            }
        }
    }
    found
}

fn renamed(program: &Program, uses: &[Renaming]) -> Renamed {
    let mut renamed = Renamed::new();
    for renaming in uses {
        for name in &renaming.uses.names {
            let new = program.variable(renaming.first).name.clone();
            renamed.insert((name.file, name.start), (name.end, new));
        }
    }
    renamed
}

impl Renaming {
    /// The edits of the names that stand outside everything that is replaced.
    fn edits(&self, context: &Context<'_>, replaced: &Spans) -> Result<Vec<Edit>, Refusal> {
        let new = &context.program.variable(self.first).name;
        let edit = |span: Span, replacement: &str| Edit {
            file: span.file,
            start: span.start,
            end: span.end,
            replacement: replacement.to_owned(),
            step: Step::Renaming,
        };
        let mut edits = Vec::new();
        for &name in self.uses.names.iter().filter(|name| !replaced.cover(**name)) {
            rename::may_be_renamed(context, self.at, name)?;
            edits.push(edit(name, new));
        }
        edits.extend(self.uses.declaration.map(|declaration| edit(declaration, "")));
        Ok(edits)
    }
}

/// What is replaced, in order, without overlaps.
struct Spans(BTreeMap<(FileId, u32), u32>);

impl Spans {
    fn of(changes: &[Change]) -> Self {
        let edits = changes.iter().flat_map(|change| &change.edits);
        let mut spans = BTreeMap::new();
        for edit in edits.filter(|edit| edit.start < edit.end) {
            let end = spans.entry((edit.file, edit.start)).or_insert(edit.end);
            *end = edit.end.max(*end);
        }
        Self(spans)
    }

    fn cover(&self, name: Span) -> bool {
        let mut before = self.0.range(..=(name.file, name.start));
        before.next_back().is_some_and(|(&(file, _), &end)| file == name.file && name.end <= end)
    }
}

/// The edits that one action of one pair asks for.
pub(crate) struct Change {
    pub(crate) pair: usize,
    pub(crate) at: StatementRef,
    pub(crate) edits: Vec<Edit>,
}

/// The edits of one action.
fn edits(context: &Context<'_>, action: &Action) -> Result<Vec<Edit>, Refusal> {
    let site = |step| Site::new(context, action.at, step);
    match &action.kind {
        ActionKind::AllocateHere => allocate::allocate(&site(Step::Allocation)?),
        ActionKind::AliasHere { .. } => match allocate::Alias::of(&action.kind) {
            Some(alias) => allocate::alias(&site(Step::Renaming)?, &alias),
            None => Ok(Vec::new()),
        },
        ActionKind::RemoveCopy(replacement) => copies::remove(&site(Step::Copy)?, replacement),
        ActionKind::RetainCopy { wait } => copies::retain(&site(Step::Copy)?, wait),
        ActionKind::FreeMerged { wait } => {
            release::release_merged(&site(Step::Deallocation)?, *wait)
        }
        ActionKind::DeleteFree { wait } => release::delete(&site(Step::Deallocation)?, *wait),
    }
}

/// Whether the pair's own `cudaMalloc` is written with `&d`, without a cast: the templates of the C++ header are there.
fn passes_plain_addresses(program: &Program, proof: &Proof) -> bool {
    let address = |at: StatementRef| {
        let statement = program.statement(at);
        let StatementKind::Cuda { .. } = statement.kind else { return None };
        let span = *statement.syntax.as_ref()?.arguments.first()?;
        let text = &program.file(span.file).text;
        Some(text.get(span.start as usize)? == &b'&')
    };
    // They take no pointer that is itself qualified (`float* __restrict__ h`).
    let qualified = |variable: VariableId| {
        let spelling = program.ty(program.variable(variable).ty).spelling.trim();
        unqualified(spelling) != spelling
    };
    let allocated_into = proof.actions().iter().filter_map(|action| Alias::of(&action.kind));
    if allocated_into.into_iter().any(|alias| qualified(alias.first_variable)) {
        return false;
    }
    proof
        .actions()
        .iter()
        .filter(|action| {
            matches!(action.kind, ActionKind::AllocateHere | ActionKind::AliasHere { .. })
        })
        .any(|action| address(action.at) == Some(true))
}
