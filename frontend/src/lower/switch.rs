//! `switch`.

use echo_dataflow::program::{BlockId, Terminator};

use super::body::Body;
use super::loops::Target;
use crate::clang::{Cursor, Kind};

/// The labels met so far in a `switch` body.
#[derive(Debug, Clone, Default)]
pub(crate) struct Cases {
    blocks: Vec<BlockId>,
    has_default: bool,
}

impl<'tu> Body<'_, 'tu> {
    pub(crate) fn switch_statement(&mut self, cursor: Cursor<'tu>) {
        let span = self.source.span;
        self.push_scope(span);
        let children = cursor.children();
        let mut parts = &children[..];
        if parts.len() >= 3 && parts[0].kind() != Kind::VarDecl && self.has_init_statement(cursor) {
            self.statement(parts[0], false);
            parts = &parts[1..];
        }
        if let [declared, _, _] = *parts
            && declared.kind() == Kind::VarDecl
        {
            self.in_header(|body| body.declare(declared, 1));
            parts = &parts[1..];
        }
        let [selector, inner] = *parts else {
            self.fail("a `switch` of unknown shape");
            return;
        };
        let ty = self.ty(selector.ty());
        let value = self.in_header(|body| {
            body.full_expression(|body| {
                let value = body.value(selector);
                body.kept_through_cleanup(value, ty)
            })
        });
        // The block that selects stays open until all labels are known.
        let head = self.new_block();
        self.fall_into(head);
        let (inside, after) = (self.new_block(), self.new_block());
        self.switch_to(inside);
        let keep = self.scopes.len();
        self.targets.push(Target { break_to: after, continue_to: None, keep });
        self.switches.push(Cases::default());
        self.statement(inner, false);
        let cases = self.switches.pop().unwrap_or_default();
        self.targets.pop();
        self.goto(after);
        let mut targets = cases.blocks;
        if !cases.has_default {
            targets.push(after);
        }
        self.switch_to(head);
        self.terminate(Terminator::Switch { value, targets });
        self.switch_to(after);
        self.pop_scope();
    }

    pub(crate) fn case_statement(&mut self, cursor: Cursor<'tu>, in_block: bool) {
        self.switch_label(false);
        // One value, or two of a range, then the statement.
        if let Some(inner) = cursor.children().last() {
            self.statement(*inner, in_block);
        }
    }

    pub(crate) fn default_statement(&mut self, cursor: Cursor<'tu>, in_block: bool) {
        self.switch_label(true);
        if let Some(inner) = cursor.children().last() {
            self.statement(*inner, in_block);
        }
    }

    fn switch_label(&mut self, default: bool) {
        let block = self.new_block();
        self.fall_into(block);
        match self.switches.last_mut() {
            Some(cases) => {
                cases.blocks.push(block);
                cases.has_default |= default;
            }
            None => self.fail("a `case` outside a `switch`"),
        }
    }
}
