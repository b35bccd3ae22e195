//! Which variables hold heap and CUDA memory: the facts that the rewriter's names rest on.

use std::rc::Rc;

use imbl::ordmap::DiffItem;

use crate::event::{ContextId, Holder, Through};
use crate::program::{Expr, Place, PlaceBase, Storage, TypeId};

use super::emit::{Draft, DraftKind, at_start};
use super::machine::{Machine, constant_offset};
use super::regions::RegionKind;
use super::state::{ANYWHERE, Cells};
use super::step::path_text;
use super::value::{Pointer, Region, Value};

impl Machine<'_> {
    /// Emits [`crate::event::EventKind::Store`] where a variable starts or stops holding heap or CUDA memory.
    pub(crate) fn note_holder(
        &mut self,
        place: &Place,
        address: &Pointer,
        ty: Option<TypeId>,
        value: &Value,
    ) {
        let [(region, offset)] = address.regions.as_slice() else { return };
        let region = *region;
        let RegionKind::Variable { context, variable } = self.regions.info(region).kind else {
            self.name_after(place, value);
            return;
        };
        if self.program.variable(variable).storage == Storage::Temporary {
            return;
        }
        let holds_now = self.is_memory_pointer(value);
        let offset = constant_offset(offset.as_ref());
        let held_before = match offset {
            Some(offset) => {
                let cell = self.state.get(&(region, offset));
                cell.is_some_and(|v| self.is_memory_pointer(v))
            }
            None => self.state.cells_of(region).any(|(_, v)| self.is_memory_pointer(v)),
        };
        if !holds_now && !held_before {
            return;
        }
        let certain = offset.is_some() && !address.unknown && !self.regions.info(region).several;
        let holder = Holder {
            context: context.unwrap_or(ContextId(0)),
            variable,
            offset,
            path: match &place.base {
                PlaceBase::Variable(_) => path_text(place),
                PlaceBase::Deref(_) => match offset {
                    Some(0) if self.is_scalar(self.program.variable(variable).ty) => String::new(),
                    Some(_) | None => UNWRITTEN.to_owned(),
                },
            },
            through: self.through(place).filter(|_| certain),
            ty,
        };
        let pointer = value.pointer();
        if let Some(held) = self.one_memory(&pointer) {
            let depth = context.map_or(0, |context| self.depth(context));
            let name = self.holder_name(place);
            let own = || self.program.variable(variable).name.clone();
            let info = self.regions.info_mut(held);
            if info.holder.is_none() {
                info.holder = Some(holder.clone());
            }
            // What a helper returns is known by the name that its caller gives it, if that is the one who uses it.
            let is_better = !info.name_is_settled;
            if info.named_after.is_none_or(|(_, named)| named > depth && is_better) {
                info.named_after = Some((variable, depth));
                info.name = name.unwrap_or_else(own);
            }
        }
        let exact = certain && is_exact(&pointer);
        self.emit_draft(Draft::store(holder, pointer, exact));
    }

    /// Emits the same for what the current step changed in other ways: a copy of a class, a call, code that is not known.
    /// The step's own drafts start at `from`; `enters`: it gives parameters their values.
    pub(super) fn note_changes(&mut self, before: &Cells, from: usize, enters: bool) {
        if before.ptr_eq(&self.state.cells) {
            return;
        }
        let mut changed: Vec<(Region, i64, Pointer)> = Vec::new();
        for item in before.diff(&self.state.cells) {
            let (&(region, offset), old, new) = match item {
                DiffItem::Add(key, new) => (key, None, Some(new)),
                DiffItem::Update { old: (key, old), new: (_, new) } => (key, Some(old), Some(new)),
                DiffItem::Remove(key, old) => (key, Some(old), None),
            };
            let (old, new) = (old.map(Rc::as_ref), new.map(Rc::as_ref));
            let holds = |value: Option<&Value>| value.is_some_and(|v| self.is_memory_pointer(v));
            let in_memory = holds(old) || holds(new);
            // A variable that comes into scope anew, or whose call has returned, receives nothing.
            let Some(value) = new.filter(|new| !matches!(new, Value::Nothing)) else { continue };
            if !enters
                && let RegionKind::Variable { context: Some(context), variable } =
                    self.regions.info(region).kind
                && self.program.variable(variable).storage == Storage::Parameter
            {
                self.reassigned.insert((context, variable));
            }
            if in_memory {
                changed.push((region, offset, value.pointer()));
            }
        }
        for (region, offset, value) in changed {
            let RegionKind::Variable { context, variable } = self.regions.info(region).kind else {
                continue;
            };
            if self.program.variable(variable).storage == Storage::Temporary {
                continue;
            }
            let offset = (offset != ANYWHERE).then_some(offset);
            let holder = Holder {
                context: context.unwrap_or(ContextId(0)),
                variable,
                offset,
                path: UNWRITTEN.to_owned(),
                through: None,
                ty: None,
            };
            let key = holder.key();
            let noted = |draft: &Draft| matches!(&draft.kind, DraftKind::Store { holder, .. } if holder.key() == key);
            if self.drafts.as_ref().is_some_and(|drafts| drafts[from..].iter().any(noted)) {
                continue;
            }
            let exact = offset.is_some() && is_exact(&value);
            self.emit_draft(Draft::store(holder, value, exact));
        }
    }

    /// How many calls lead to `context`.
    fn depth(&self, context: ContextId) -> u32 {
        let caller = |id: ContextId| self.graph.contexts[id.index()].caller.map(|(by, _)| by);
        let callers = std::iter::successors(caller(context), |&id| caller(id));
        u32::try_from(callers.count()).unwrap_or(u32::MAX)
    }

    /// Memory whose pointer is first stored in other memory is called after that place.
    fn name_after(&mut self, place: &Place, value: &Value) {
        if let Value::Pointer(pointer) = value
            && let Some(held) = self.one_memory(pointer)
            && self.regions.info(held).name.is_empty()
            && let Some(name) = self.holder_name(place)
        {
            self.regions.info_mut(held).name = name;
        }
    }

    /// The heap or CUDA memory that is all that `pointer` may point to.
    fn one_memory(&self, pointer: &Pointer) -> Option<Region> {
        match (pointer.regions.as_slice(), pointer.unknown) {
            ([(held, _)], false) if self.regions.is_memory(*held) => Some(*held),
            _ => None,
        }
    }

    fn is_memory_pointer(&self, value: &Value) -> bool {
        match value {
            Value::Pointer(p) => p.regions.iter().any(|(r, _)| self.regions.is_memory(*r)),
            Value::Nothing
            | Value::Integer(_)
            | Value::Function(_)
            | Value::Unknown(_)
            | Value::Any => false,
        }
    }

    /// `place` as a path behind a parameter; whether that keeps its value is known at the end.
    fn through(&self, place: &Place) -> Option<Through> {
        let PlaceBase::Deref(through) = &place.base else { return None };
        let Expr::Load { place: pointer, .. } = through.as_ref() else { return None };
        let PlaceBase::Variable(variable) = pointer.base else { return None };
        let is_own = self.program.variable(variable).storage == Storage::Parameter
            && pointer.path.is_empty();
        let context = self.position.context;
        is_own.then(|| Through { context, pointer: variable, path: path_text(place) })
    }

    /// `place` as people would write it.
    fn holder_name(&self, place: &Place) -> Option<String> {
        match &place.base {
            PlaceBase::Variable(base) => {
                Some(format!("{}{}", self.program.variable(*base).name, path_text(place)))
            }
            PlaceBase::Deref(through) => {
                let Expr::Load { place: pointer, .. } = through.as_ref() else { return None };
                if place.path.is_empty() {
                    return None;
                }
                let PlaceBase::Variable(through) = pointer.base else { return None };
                let through = &self.program.variable(through).name;
                let path = path_text(place);
                let field = path.trim_start_matches('.');
                if through == "this" {
                    Some(field.to_owned())
                } else {
                    Some(format!("{through}->{field}"))
                }
            }
        }
    }
}

/// The path of a holder that was not written as one.
const UNWRITTEN: &str = "@";

/// The start of one region and nothing else, or null and nothing else.
pub(super) fn is_exact(pointer: &Pointer) -> bool {
    let one = match pointer.regions.len() {
        0 => true,
        1 => !pointer.null && at_start(pointer),
        _ => false,
    };
    one && !pointer.unknown
}
