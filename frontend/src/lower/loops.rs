//! `if`, `while`, `do`, `for`.

use echo_dataflow::program::BlockId;

use super::body::Body;
use super::lexer;
use crate::clang::{Cursor, Kind};

/// Where `break` and `continue` lead.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Target {
    pub(crate) break_to: BlockId,
    /// `None` for `switch`.
    pub(crate) continue_to: Option<BlockId>,
    /// Scopes that stay open there.
    pub(crate) keep: usize,
}

impl<'tu> Body<'_, 'tu> {
    pub(crate) fn if_statement(&mut self, cursor: Cursor<'tu>) {
        let span = self.source.span;
        self.push_scope(span);
        let children = cursor.children();
        let mut parts = &children[..];
        // `if (init; condition)`: the initialiser comes first and ends before the header's semicolon.
        if parts.len() >= 3 && self.has_init_statement(cursor) {
            self.statement(parts[0], false);
            parts = &parts[1..];
        }
        let declared = match parts.first() {
            Some(first) if first.kind() == Kind::VarDecl => {
                self.in_header(|body| body.declare(*first, 1));
                parts = &parts[1..];
                true
            }
            Some(_) | None => false,
        };
        let (then, otherwise, after) = (self.new_block(), self.new_block(), self.new_block());
        match parts {
            [condition, branches @ ..] if branches.len() <= 2 => {
                // A discarded branch of `if constexpr` in an instantiation is missing or empty.
                self.branch_on(*condition, then, otherwise);
                self.switch_to(then);
                if let Some(branch) = branches.first() {
                    self.branch(*branch);
                }
                self.goto(after);
                self.switch_to(otherwise);
                if let Some(branch) = branches.get(1) {
                    self.branch(*branch);
                }
                self.goto(after);
            }
            _ if declared => self.fail("an `if` without a condition"),
            _ => self.fail("an `if` of unknown shape"),
        }
        self.switch_to(after);
        self.pop_scope();
    }

    /// A branch or loop body: not in a block, and in a scope of its own.
    fn branch(&mut self, cursor: Cursor<'tu>) {
        let span = self.source_of(cursor).span;
        self.push_scope(span);
        self.statement(cursor, false);
        self.pop_scope();
    }

    pub(crate) fn while_statement(&mut self, cursor: Cursor<'tu>) {
        let (head, inner, after) = (self.new_block(), self.new_block(), self.new_block());
        self.fall_into(head);
        let keep = self.scopes.len();
        let span = self.source.span;
        self.push_scope(span);
        let leave = self.new_block();
        match *cursor.children() {
            [condition, body] => {
                self.branch_on(condition, inner, leave);
                self.loop_body(
                    inner,
                    body,
                    Target { break_to: after, continue_to: Some(head), keep },
                );
            }
            [declared, condition, body] if declared.kind() == Kind::VarDecl => {
                self.in_header(|body| body.declare(declared, 1));
                self.branch_on(condition, inner, leave);
                self.loop_body(
                    inner,
                    body,
                    Target { break_to: after, continue_to: Some(head), keep },
                );
            }
            _ => self.fail("a `while` of unknown shape"),
        }
        // Each round ends the scope of the condition's variable.
        let cleanups = self.scopes.last().map(|s| s.cleanups.clone()).unwrap_or_default();
        self.destroy_all(&cleanups);
        self.goto(head);
        self.switch_to(leave);
        self.pop_scope();
        self.fall_into(after);
    }

    fn loop_body(&mut self, block: BlockId, body: Cursor<'tu>, target: Target) {
        self.switch_to(block);
        self.targets.push(target);
        self.branch(body);
        self.targets.pop();
    }

    pub(crate) fn do_statement(&mut self, cursor: Cursor<'tu>) {
        let (inner, head, after) = (self.new_block(), self.new_block(), self.new_block());
        self.goto(inner);
        let keep = self.scopes.len();
        match *cursor.children() {
            [body, condition] => {
                self.loop_body(
                    inner,
                    body,
                    Target { break_to: after, continue_to: Some(head), keep },
                );
                self.fall_into(head);
                self.branch_on(condition, inner, after);
            }
            _ => self.fail("a `do` of unknown shape"),
        }
        self.switch_to(after);
    }

    pub(crate) fn for_statement(&mut self, cursor: Cursor<'tu>) {
        let Some(slots) = self.for_slots(cursor) else {
            self.fail("a `for` whose empty slots cannot be told");
            return;
        };
        let span = self.source.span;
        self.push_scope(span);
        if let Some(init) = slots.init {
            self.statement(init, false);
        }
        let (head, inner, step, after) =
            (self.new_block(), self.new_block(), self.new_block(), self.new_block());
        self.fall_into(head);
        let keep = self.scopes.len();
        match slots.condition {
            Some(condition) => self.branch_on(condition, inner, after),
            None => self.goto(inner),
        }
        self.loop_body(
            inner,
            slots.body,
            Target { break_to: after, continue_to: Some(step), keep },
        );
        self.fall_into(step);
        if let Some(increment) = slots.increment {
            self.in_header(|body| body.full_expression(|body| body.effect(increment)));
        }
        self.goto(head);
        self.switch_to(after);
        self.pop_scope();
    }

    /// Which of the three slots of a `for` header its children fill: absent ones are missing from the tree.
    fn for_slots(&mut self, cursor: Cursor<'tu>) -> Option<Slots<'tu>> {
        let children = cursor.children();
        let (&body, slots) = children.split_last()?;
        if let [init, condition, increment] = *slots {
            return Some(Slots {
                init: Some(init),
                condition: Some(condition),
                increment: Some(increment),
                body,
            });
        }
        let mut found = Slots { init: None, condition: None, increment: None, body };
        if slots.is_empty() {
            return Some(found);
        }
        let (file, first, second) = self.header(cursor)?;
        for &slot in slots {
            let at = slot.extent().0.spelling();
            if at.key()?.0 != file {
                return None;
            }
            let place = if at.offset < first {
                &mut found.init
            } else if at.offset < second {
                &mut found.condition
            } else {
                &mut found.increment
            };
            if place.replace(slot).is_some() {
                return None;
            }
        }
        Some(found)
    }

    /// Offsets of the two semicolons of a `for` header, where the keyword was spelled.
    fn header(&mut self, cursor: Cursor<'tu>) -> Option<(crate::clang::FileKey, u32, u32)> {
        let at = cursor.extent().0.spelling();
        let file = at.file?;
        let text = file.contents(self.session.unit);
        let keyword = lexer::next(text, at.offset as usize)?;
        if &text[keyword.start..keyword.end] != b"for" {
            return None;
        }
        let open = lexer::next(text, keyword.end)?.start;
        let (semicolons, _) = lexer::header_semicolons(text, open)?;
        match *semicolons {
            [first, second] => {
                Some((file.key(), u32::try_from(first).ok()?, u32::try_from(second).ok()?))
            }
            _ => None,
        }
    }

    /// Whether the header of an `if` or `switch` holds a semicolon.
    pub(crate) fn has_init_statement(&mut self, cursor: Cursor<'tu>) -> bool {
        let at = cursor.extent().0.spelling();
        let Some(file) = at.file else { return false };
        let text = file.contents(self.session.unit);
        let Some(mut piece) = lexer::next(text, at.offset as usize) else { return false };
        // `if constexpr (`
        for _ in 0..3 {
            if text[piece.start] == b'(' {
                return lexer::header_semicolons(text, piece.start)
                    .is_some_and(|(semicolons, _)| !semicolons.is_empty());
            }
            match lexer::next(text, piece.end) {
                Some(next) => piece = next,
                None => return false,
            }
        }
        false
    }

    /// Evaluates a condition as a full expression and branches.
    pub(crate) fn branch_on(&mut self, condition: Cursor<'tu>, then: BlockId, otherwise: BlockId) {
        self.in_header(|body| body.condition(condition, then, otherwise));
    }

    /// Lowers a part of a statement's header: calls in it belong to the statement, but nothing can be inserted
    /// beside them.
    pub(crate) fn in_header<T>(&mut self, inner: impl FnOnce(&mut Self) -> T) -> T {
        let in_block = std::mem::replace(&mut self.context.in_block, false);
        let outermost = self.context.outermost.take();
        let result = inner(self);
        self.context.in_block = in_block;
        self.context.outermost = outermost;
        result
    }
}

struct Slots<'tu> {
    init: Option<Cursor<'tu>>,
    condition: Option<Cursor<'tu>>,
    increment: Option<Cursor<'tu>>,
    body: Cursor<'tu>,
}
