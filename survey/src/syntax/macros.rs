//! The replacement text of macros, which the grammar leaves unparsed.

use tree_sitter::Node;

use super::walk::{Walker, line_of};
use super::words::words;
use crate::api::{Name, Signal, lookup};

impl<'t> Walker<'t> {
    /// Counts the names in a macro body as if the macro were used once.
    pub(super) fn macro_body(&mut self, node: Node<'t>) {
        let body = &self.text[node.byte_range()];
        let first_line = line_of(node);
        let mut copy_line = None;
        let mut directed = false;
        for word in words(body) {
            let before = memchr::memchr_iter(b'\n', &body[..word.start]).count();
            let line = first_line.saturating_add(u32::try_from(before).unwrap_or(u32::MAX));
            if word.text == "new" {
                self.facts.see(Signal::HostObject, line);
                continue;
            }
            let Some(meaning) = lookup(word.text) else { continue };
            let called = word.called && !word.member;
            match meaning {
                Name::Kind(_) => {
                    self.kind_mentioned = true;
                    directed = true;
                }
                Name::Mention(signal) => self.facts.see(signal, line),
                Name::Call(signal) if called => self.facts.see(signal, line),
                Name::Malloc | Name::Calloc if called => self.facts.see(Signal::HostArray, line),
                Name::Copy(_) if called => copy_line = copy_line.or(Some(line)),
                Name::Call(_) | Name::Malloc | Name::Calloc | Name::Copy(_) => {}
            }
        }
        if let Some(line) = copy_line {
            self.facts.has_copy_call = true;
            if directed {
                self.facts.literal_direction = true;
                self.facts.see(Signal::ExplicitCopy, line);
            } else {
                self.undirected.push(line);
            }
        }
    }
}
