//! Objects of namespace scope: they are initialised before `main` and destroyed after it.

use echo_dataflow::program::Place;

use super::body::Body;
use super::record::innermost_element;
use crate::clang::Cursor;

impl<'tu> Body<'_, 'tu> {
    /// The start of `main`: dynamic and static initialisation of the unit's objects, in order of definition.
    pub(crate) fn initialize_globals(&mut self) {
        if self.session.lost_declarations {
            self.emit_opaque("a declaration at namespace scope that did not compile");
        }
        for declared in self.session.globals.clone() {
            let variable = self.session.variable(declared, None);
            if let Some(value) = declared.initializer()
                && !declared.is_invalid()
                && !self.is_folded(declared)
            {
                let place = Place::variable(variable);
                let source = self.source;
                self.source = self.source_of(declared);
                let before = self.enter_statement(declared, false);
                self.full_expression(|body| {
                    body.initialize_variable(declared, &place, Some(value));
                });
                self.context = before;
                self.source = source;
            }
        }
    }

    /// Constants are replaced by their values where they are used.
    fn is_folded(&mut self, declared: Cursor<'tu>) -> bool {
        let id = self.ty(declared.ty());
        self.is_number(id) && declared.ty().canonical().is_const()
    }

    /// The end of `main`: destructors that can run code of the program.
    pub(crate) fn destroy_globals(&mut self) {
        for declared in self.session.globals.clone().into_iter().rev() {
            let ty = declared.ty();
            if ty.is_reference() || !self.needs_destruction(ty) {
                continue;
            }
            let element = innermost_element(ty);
            let own = self.session.record(element).is_none_or(|r| !r.system);
            if own || !self.session.callables_of(element).is_empty() {
                let variable = self.session.variable(declared, None);
                self.destroy(&Place::variable(variable), ty);
            }
        }
    }
}
