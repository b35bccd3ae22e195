//! Entering and leaving functions that are folded into their caller.

use crate::event::{ContextId, Holder, Mode};
use crate::program::{Argument, Expr, Place, Statement, StatementKind, TypeKind};
use crate::size::Size;

use super::emit::Draft;
use super::holders::is_exact;
use super::machine::Machine;
use super::regions::RegionKind;
use super::state::ANYWHERE;
use super::step::path_text;
use super::value::{Pointer, Region, Value};

impl Machine<'_> {
    pub(crate) fn enter(&mut self, arguments: &[Argument], callee: ContextId) {
        let function = self.program.function(self.graph.contexts[callee.index()].function);
        let parameters = function.parameters.clone();
        for (index, argument) in arguments.iter().enumerate() {
            let Some(&parameter) = parameters.get(index) else {
                // Passed through `...`: nobody names it, but its address may be taken from there.
                let value = self.eval(&argument.value).pointer();
                self.escape(&value, "passed as a variadic argument");
                continue;
            };
            let region = self.variable_region_in(parameter, callee);
            self.state.forget(region, i64::MIN, i64::MAX);
            self.state.escaped.remove(&region);
            let to = Pointer::to(region, Some(Size::constant(0)));
            if self.is_aggregate(argument.ty)
                && let Expr::Load { place, .. } = &argument.value
            {
                let from = self.address(place);
                self.copy_aggregate(&to, &from, self.program.ty(argument.ty).bytes);
                continue;
            }
            let value = self.eval(&argument.value);
            let value = self.settled(&argument.value, value);
            let value = if let Value::Any = value { Value::Unknown(self.produce()) } else { value };
            if let Value::Unknown(symbol) = &value {
                let name = self.program.variable(parameter).name.clone();
                self.symbols.name(*symbol, &name);
            }
            let place = Place::variable(parameter);
            self.note_parameter(&place, parameter, callee, &value);
            self.poke(&to, self.program.ty(argument.ty).bytes, value);
        }
        // Parameters without arguments (a lowering of default arguments would give them): unknown.
        for &parameter in parameters.iter().skip(arguments.len()) {
            let region = self.variable_region_in(parameter, callee);
            self.state.forget(region, i64::MIN, i64::MAX);
            self.state.set((region, ANYWHERE), Value::Any);
        }
    }

    /// A parameter that receives heap or CUDA memory is a holder of it.
    pub(crate) fn note_parameter(
        &mut self,
        place: &Place,
        parameter: crate::program::VariableId,
        callee: ContextId,
        value: &Value,
    ) {
        let Value::Pointer(pointer) = value else { return };
        if !pointer.regions.iter().any(|(r, _)| self.regions.is_memory(*r)) {
            return;
        }
        let holder = Holder {
            context: callee,
            variable: parameter,
            offset: Some(0),
            path: path_text(place),
            through: None,
            ty: Some(self.program.variable(parameter).ty),
        };
        let exact = is_exact(pointer);
        self.emit_draft(Draft::store(holder, pointer.clone(), exact));
    }

    pub(crate) fn enter_callback(&mut self, arguments: &[Argument], callee: ContextId) {
        let mut any = Pointer::anywhere();
        for argument in arguments {
            let value = self.peek_argument(argument);
            any = any.join(&value.moved(None));
        }
        let function = self.program.function(self.graph.contexts[callee.index()].function);
        for parameter in function.parameters.clone() {
            let region = self.variable_region_in(parameter, callee);
            self.state.forget(region, i64::MIN, i64::MAX);
            self.state.set((region, ANYWHERE), Value::Pointer(any.clone()));
        }
    }

    /// The pointers an argument carries, without emitting its reads again.
    pub(crate) fn peek_argument(&mut self, argument: &Argument) -> Pointer {
        let drafts = self.drafts.take();
        let pointer = self.argument_pointer(argument);
        self.drafts = drafts;
        pointer
    }

    /// The pointers an argument carries: its value, or those held in a class passed by value.
    pub(crate) fn argument_pointer(&mut self, argument: &Argument) -> Pointer {
        if self.is_aggregate(argument.ty)
            && let Expr::Load { place, .. } = &argument.value
        {
            let address = self.address(place);
            let bytes = self.program.ty(argument.ty).bytes;
            self.access(&address, bytes.map(|b| Size::constant(i128::from(b))), Mode::Read);
            return self.pointers_in(&address, bytes);
        }
        match self.eval(&argument.value) {
            // Numbers carry no pointers unless they are of pointer type.
            value @ (Value::Integer(_) | Value::Unknown(_) | Value::Any) => {
                if matches!(
                    self.program.ty(argument.ty).kind,
                    TypeKind::Pointer { .. } | TypeKind::Unknown | TypeKind::Function
                ) {
                    value.pointer()
                } else {
                    Pointer::null()
                }
            }
            value @ (Value::Pointer(_) | Value::Nothing | Value::Function(_)) => value.pointer(),
        }
    }

    pub(crate) fn leave(&mut self, value: Option<&Expr>, call: &Statement, caller: ContextId) {
        let StatementKind::Call(call) = &call.kind else { return };
        let (Some(value), Some(result)) = (value, &call.result) else {
            if let Some(value) = value {
                self.eval(value);
            }
            return;
        };
        if self.is_aggregate(call.returns)
            && let Expr::Load { place, .. } = value
        {
            let from = self.address(place);
            self.position.context = caller;
            let to = self.address(result);
            self.copy_aggregate(&to, &from, self.program.ty(call.returns).bytes);
            return;
        }
        let returned = self.eval(value);
        let returned = self.settled(value, returned);
        self.position.context = caller;
        self.assign(result, call.returns, returned);
    }

    /// The variables of an activation are gone, and whoever still points to them must not follow the pointer. Forgetting
    /// them keeps states as small as what is alive.
    pub(crate) fn end_lifetimes(&mut self, context: ContextId) {
        for &region in self.regions.locals(context) {
            self.state.forget(region, i64::MIN, i64::MAX);
            self.state.escaped.remove(&region);
        }
    }

    pub(crate) fn root_returns(&mut self, value: Option<&Expr>) {
        let value = value.map(|v| self.eval(v));
        if let Some(value) = &value
            && !self.root_is_main
        {
            self.escape_handle(
                value,
                "held by a handle that is returned to the caller of this function",
            );
        }
        let returned = value.map_or_else(Pointer::null, |v| v.pointer());
        if !self.root_is_main {
            // The caller sees what is returned, what static variables hold and what its own memory holds.
            let mut seen = Pointer::null();
            let alive = |machine: &Self, p: &Pointer| Pointer {
                regions: p
                    .regions
                    .iter()
                    .filter(|(r, _)| !machine.state.released.contains(r))
                    .cloned()
                    .collect(),
                ..*p
            };
            let outer: Vec<Region> = self
                .regions
                .iter()
                .filter(|(_, info)| match info.kind {
                    RegionKind::Variable { context, .. } => context.is_none(),
                    RegionKind::External(_) => true,
                    RegionKind::Host { .. }
                    | RegionKind::Cuda { .. }
                    | RegionKind::Stream(_)
                    | RegionKind::Marker(_)
                    | RegionKind::Handle(_)
                    | RegionKind::Constant => false,
                })
                .map(|(region, _)| region)
                .collect();
            if outer.iter().any(|&region| self.may_hold_some_handle(region)) {
                self.escape_handles("left in memory that the caller of this function can see");
            }
            for region in outer {
                let held = self.pointers_in(&Pointer::to(region, None), None);
                seen = seen.join(&alive(self, &held));
            }
            self.escape(&seen, "left in memory that the caller of this function can see");
            let back = alive(self, &returned);
            self.escape(&back, "returned to the caller of this function");
        }
        self.emit_draft(Draft::returned(returned));
    }
}
