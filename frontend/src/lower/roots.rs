//! What a unit defines: the functions that lowering starts from.

use super::callee::function_body;
use super::lexer;
use super::session::Session;
use super::spans::{Ownership, is_preprocessing};
use crate::audit::Audit;
use crate::clang::{Cursor, Kind};

impl<'tu> Session<'tu> {
    /// Finds the unit's own functions and objects, and audits their text.
    pub(crate) fn find_roots(&mut self) {
        let Some(root) = self.unit.root() else { return };
        let mut expansions = Vec::new();
        let mut declarations = Vec::new();
        for child in root.children() {
            if child.kind() == Kind::MacroExpansion {
                self.spans.note_expansion(child);
                expansions.push(child);
            } else if !is_preprocessing(child.kind())
                && self.spans.ownership(child.location()) != Ownership::System
            {
                declarations.push(child);
            }
        }
        self.audit = Audit::of(self.unit, &self.spans, &declarations, &expansions);
        self.catches = self.spans.kept().any(|(file, _, _)| {
            let text = self.spans.text(file);
            lexer::pieces(text, 0).any(|p| &text[p.start..p.end] == b"try")
        });
        self.has_main = declarations
            .iter()
            .any(|d| d.kind() == Kind::FunctionDecl && d.is_definition() && d.spelling() == "main");
        self.lost_declarations = self.audit.lost_outside_functions();
        for declaration in declarations {
            if self.spans.ownership(declaration.location()) == Ownership::Own {
                self.declaration(declaration);
            } else if declaration.kind() == Kind::VarDecl && declaration.is_definition() {
                self.globals.push(declaration);
            }
        }
    }

    fn declaration(&mut self, cursor: Cursor<'tu>) {
        match cursor.kind() {
            Kind::FunctionDecl
            | Kind::CXXMethod
            | Kind::Constructor
            | Kind::Destructor
            | Kind::ConversionFunction => {
                if cursor.is_definition() && function_body(cursor).is_some() && !in_template(cursor)
                {
                    self.own_function(cursor);
                }
            }
            Kind::Namespace
            | Kind::LinkageSpec
            | Kind::StructDecl
            | Kind::ClassDecl
            | Kind::UnionDecl
            | Kind::FriendDecl
            | Kind::UnexposedDecl => {
                for child in cursor.children() {
                    if child.is_declaration() {
                        self.declaration(child);
                    }
                }
            }
            Kind::VarDecl => {
                if cursor.is_definition() && !in_template(cursor) {
                    self.globals.push(cursor);
                }
            }
            _ => {}
        }
    }
}

/// Whether a declaration belongs to a class template (not to an instantiation).
fn in_template(cursor: Cursor<'_>) -> bool {
    let mut parent = cursor.semantic_parent();
    while let Some(scope) = parent {
        match scope.kind() {
            Kind::ClassTemplate | Kind::ClassTemplatePartialSpecialization => return true,
            Kind::StructDecl | Kind::ClassDecl | Kind::UnionDecl => {
                parent = scope.semantic_parent();
            }
            _ => return false,
        }
    }
    false
}
