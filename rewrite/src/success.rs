//! Whether the check around a CUDA call does anything when the call succeeds.
//!
//! `CHECK(cudaMemcpy(...));` may be removed as a whole only if the macro does nothing but look at the status. The
//! macro's statements are followed with the status known to be `cudaSuccess`; whatever cannot be followed counts as
//! something, and then only the call inside is replaced.

use std::collections::{HashMap, HashSet};

use echo_dataflow::program::{
    Arithmetic, BlockId, Callee, Comparison, Expr, Function, FunctionId, Place, PlaceBase, Program,
    Span, Statement, StatementKind, StatementRef, Storage, Terminator, VariableId,
};

use crate::effects::Effects;

/// Statements followed at most, over all callees.
const FUEL: u32 = 200;
/// Nested calls followed at most.
const DEPTH: u32 = 3;

/// Whether everything within `expansion`, the text of the statement `at` with its check, has no effect apart from `at`
/// itself if that succeeds.
pub(crate) fn succeeds_silently(
    program: &Program,
    effects: &Effects,
    at: StatementRef,
    expansion: Span,
) -> bool {
    let StatementKind::Cuda { result, .. } = &program.statement(at).kind else { return false };
    let function = program.function(at.function);
    let mut walk = Walk::new(program, effects, at);
    if let Some(result) = result {
        let Some(variable) = walk.own_variable(result, function, Some(expansion)) else {
            return false;
        };
        walk.values.insert(variable, 0);
    }
    starts_silently(program, effects, function, at, expansion)
        && walk.run(function, at.block, at.index as usize + 1, Some(expansion), DEPTH).is_some()
}

/// Nothing of the expansion that runs before the call has an effect.
fn starts_silently(
    program: &Program,
    effects: &Effects,
    function: &Function,
    at: StatementRef,
    expansion: Span,
) -> bool {
    let mut seen = HashSet::from([at.block]);
    let mut pending = vec![(at.block, at.index as usize)];
    while let Some((block, end)) = pending.pop() {
        let mut left = false;
        for statement in function.blocks[block.index()].statements[..end].iter().rev() {
            if !within(statement, expansion) {
                left = true;
                break;
            }
            if !is_silent(program, effects, at, function, statement, Some(expansion)) {
                return false;
            }
        }
        if left || seen.len() > 16 {
            continue;
        }
        for &before in effects.predecessors(at.function, block) {
            if seen.insert(before) {
                pending.push((before, function.blocks[before.index()].statements.len()));
            }
        }
    }
    true
}

/// A statement is part of `expansion`.
pub(crate) fn within(statement: &Statement, expansion: Span) -> bool {
    let span = statement.source.span;
    span.file == expansion.file && span.start >= expansion.start && span.end <= expansion.end
}

fn is_silent(
    program: &Program,
    effects: &Effects,
    home: StatementRef,
    function: &Function,
    statement: &Statement,
    expansion: Option<Span>,
) -> bool {
    let walk = Walk { program, effects, home, fuel: 0, values: HashMap::new() };
    match &statement.kind {
        StatementKind::Declare(_) | StatementKind::Evaluate(_) => true,
        StatementKind::Assign { place, .. } => {
            walk.own_variable(place, function, expansion).is_some()
        }
        StatementKind::CopyAggregate { .. }
        | StatementKind::HostAllocate(_)
        | StatementKind::HostRelease(_)
        | StatementKind::Cuda { .. }
        | StatementKind::Launch(_)
        | StatementKind::Call(_)
        | StatementKind::Opaque { .. } => false,
    }
}

/// One execution, as far as it is determined.
pub(crate) struct Walk<'p> {
    pub(crate) program: &'p Program,
    pub(crate) effects: &'p Effects,
    /// The call whose check is followed.
    home: StatementRef,
    fuel: u32,
    /// Known values.
    pub(crate) values: HashMap<VariableId, i128>,
}

/// What a followed stretch ends with: the value returned, if it is known.
type Returned = Option<i128>;

impl<'p> Walk<'p> {
    /// From the call `home` on.
    pub(crate) fn new(program: &'p Program, effects: &'p Effects, home: StatementRef) -> Self {
        Self { program, effects, home, fuel: FUEL, values: HashMap::new() }
    }

    /// The variable `place` is, if it exists only inside what is followed.
    pub(crate) fn own_variable(
        &self,
        place: &Place,
        function: &Function,
        expansion: Option<Span>,
    ) -> Option<VariableId> {
        let PlaceBase::Variable(id) = place.base else { return None };
        let variable = self.program.variable(id);
        let own = match variable.storage {
            Storage::Temporary => true,
            Storage::Local | Storage::Parameter => {
                let home = expansion.unwrap_or(function.definition);
                match variable.declaration {
                    Some(declaration) => {
                        let name = declaration.name;
                        name.file == home.file && name.start >= home.start && name.end <= home.end
                    }
                    None => expansion.is_none(),
                }
            }
            Storage::Global
            | Storage::InternalGlobal
            | Storage::StaticLocal
            | Storage::Device
            | Storage::Managed => false,
        };
        (own && place.path.is_empty()).then_some(id)
    }

    /// Follows `function` from a statement on, until it leaves `expansion` or returns; `None` if something happens, or
    /// if it cannot be told what does.
    fn run(
        &mut self,
        function: &Function,
        block: BlockId,
        index: usize,
        expansion: Option<Span>,
        depth: u32,
    ) -> Option<Returned> {
        let (mut block, mut index) = (block, index);
        loop {
            self.fuel = self.fuel.checked_sub(1)?;
            let body = function.blocks.get(block.index())?;
            if let Some(statement) = body.statements.get(index) {
                if expansion.is_some_and(|expansion| !within(statement, expansion)) {
                    return Some(None);
                }
                self.step(function, statement, expansion, depth)?;
                index += 1;
                continue;
            }
            let next = match &body.terminator {
                Terminator::Goto(next) => *next,
                Terminator::Branch { condition, then, otherwise } => match self.value(condition) {
                    Some(0) => *otherwise,
                    Some(_) => *then,
                    // The header of a loop around the statement: the check is over.
                    None if expansion.is_some() && self.leads_home(block) => {
                        return Some(None);
                    }
                    None => return None,
                },
                Terminator::Return(value) => match expansion {
                    // The end of the function, or a `return` of the macro: only the text could tell.
                    Some(expansion) if !ends_function(self.program, function, expansion) => {
                        return None;
                    }
                    Some(_) => return Some(None),
                    None => return Some(value.as_ref().and_then(|value| self.value(value))),
                },
                Terminator::Switch { .. } | Terminator::Exit | Terminator::Unreachable => {
                    return None;
                }
            };
            (block, index) = (next, 0);
        }
    }

    /// Every path from the entry to the call goes through `by`, a block of the same function.
    fn leads_home(&self, by: BlockId) -> bool {
        let mut seen = HashSet::from([by]);
        let mut pending = vec![self.home.block];
        while let Some(at) = pending.pop() {
            if !seen.insert(at) {
                continue;
            }
            if at == BlockId(0) {
                return false;
            }
            pending.extend(self.effects.predecessors(self.home.function, at));
        }
        true
    }

    fn step(
        &mut self,
        function: &Function,
        statement: &Statement,
        expansion: Option<Span>,
        depth: u32,
    ) -> Option<()> {
        match &statement.kind {
            StatementKind::Declare(_) | StatementKind::Evaluate(_) => Some(()),
            StatementKind::Assign { place, value, .. } => {
                let variable = self.own_variable(place, function, expansion)?;
                match self.value(value) {
                    Some(value) => self.values.insert(variable, value),
                    None => self.values.remove(&variable),
                };
                Some(())
            }
            StatementKind::Call(call) => {
                let Callee::Function(callee) = call.callee else { return None };
                let result = match &call.result {
                    Some(place) => Some(self.own_variable(place, function, expansion)?),
                    None => None,
                };
                let arguments: Vec<Option<i128>> =
                    call.arguments.iter().map(|a| self.value(&a.value)).collect();
                let returned = self.call(callee, &arguments, depth.checked_sub(1)?)?;
                if let Some(variable) = result {
                    match returned {
                        Some(value) => self.values.insert(variable, value),
                        None => self.values.remove(&variable),
                    };
                }
                Some(())
            }
            StatementKind::CopyAggregate { .. }
            | StatementKind::HostAllocate(_)
            | StatementKind::HostRelease(_)
            | StatementKind::Cuda { .. }
            | StatementKind::Launch(_)
            | StatementKind::Opaque { .. } => None,
        }
    }

    fn call(
        &mut self,
        callee: FunctionId,
        arguments: &[Option<i128>],
        depth: u32,
    ) -> Option<Returned> {
        let program = self.program;
        let function = program.function(callee);
        if function.opaque.is_some() || function.blocks.is_empty() {
            return None;
        }
        let mut values = HashMap::new();
        for (parameter, value) in function.parameters.iter().zip(arguments) {
            if let Some(value) = value {
                values.insert(*parameter, *value);
            }
        }
        let outer = std::mem::replace(&mut self.values, values);
        let returned = self.run(function, BlockId(0), 0, None, depth);
        self.values = outer;
        returned
    }

    /// The value of `expr`, if it is known.
    pub(crate) fn value(&self, expr: &Expr) -> Option<i128> {
        match expr {
            Expr::Integer(value) => Some(*value),
            Expr::Null => Some(0),
            Expr::Load { place, .. } => match (&place.base, place.path.is_empty()) {
                (PlaceBase::Variable(variable), true) => self.values.get(variable).copied(),
                (PlaceBase::Variable(_) | PlaceBase::Deref(_), _) => None,
            },
            Expr::Cast { value, .. } => self.value(value).filter(|value| (0..128).contains(value)),
            Expr::Compare { op, left, right } => {
                let (left, right) = (self.value(left)?, self.value(right)?);
                Some(i128::from(match op {
                    Comparison::Equal => left == right,
                    Comparison::NotEqual => left != right,
                    Comparison::Less => left < right,
                    Comparison::LessEqual => left <= right,
                    Comparison::Greater => left > right,
                    Comparison::GreaterEqual => left >= right,
                }))
            }
            Expr::Arithmetic { op: Arithmetic::And, left, right } => {
                match (self.value(left), self.value(right)) {
                    (Some(0), _) | (_, Some(0)) => Some(0),
                    (Some(left), Some(right)) => Some(left & right),
                    (Some(_) | None, _) => None,
                }
            }
            Expr::Arithmetic { .. }
            | Expr::Literal
            | Expr::AddressOf(_)
            | Expr::PointerAdd { .. }
            | Expr::PointerDifference { .. }
            | Expr::Function(_)
            | Expr::Closure(_)
            | Expr::Computed(_)
            | Expr::Unknown => None,
        }
    }
}

/// Nothing but the closing brace follows `expansion` in the function.
fn ends_function(program: &Program, function: &Function, expansion: Span) -> bool {
    let definition = function.definition;
    let rest = program
        .file(definition.file)
        .text
        .get(expansion.end as usize..definition.end as usize)
        .unwrap_or_default()
        .trim_ascii();
    definition.file == expansion.file
        && rest.strip_prefix(b";").unwrap_or(rest).trim_ascii() == b"}"
}
