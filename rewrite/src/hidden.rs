//! Names that the rewrite writes into a program, where the program gives them another meaning.

use std::collections::BTreeSet;

use echo_dataflow::program::{Program, WRITTEN_NAMES};

use crate::edit::Edit;
use crate::plan::Refusal;
use crate::text::words;

/// Those of the names that the program declares itself, anywhere, or defines as macros in text that is not compiled.
pub(crate) struct Hidden(BTreeSet<&'static str>);

impl Hidden {
    /// Of `program`.
    pub(crate) fn of(program: &Program) -> Self {
        let known = |name: &str| WRITTEN_NAMES.into_iter().find(|written| *written == name);
        let mut found = program.taken_names.clone();
        for file in &program.files {
            found.extend(macros(&file.text).filter_map(known));
        }
        Self(found)
    }

    /// Refuses edits that write such a name.
    pub(crate) fn check(&self, edits: &[Edit]) -> Result<(), Refusal> {
        if self.0.is_empty() {
            return Ok(());
        }
        match edits.iter().flat_map(|e| words(&e.replacement)).find(|w| self.0.contains(w)) {
            Some(name) => {
                let what = format!("the program gives `{name}` a meaning of its own");
                Err(Refusal { code: "hidden-name", what })
            }
            None => Ok(()),
        }
    }
}

/// The names of the macros that a text defines.
fn macros(text: &[u8]) -> impl Iterator<Item = &str> {
    text.split(|&byte| byte == b'\n').filter_map(|line| {
        let directive = line.trim_ascii_start().strip_prefix(b"#")?.trim_ascii_start();
        let name = directive.strip_prefix(b"define")?;
        let start = name.len() - name.trim_ascii_start().len();
        let name = &name[start..];
        let end = name.iter().position(|byte| !crate::text::is_word(*byte)).unwrap_or(name.len());
        (start > 0).then(|| std::str::from_utf8(&name[..end]).ok()).flatten()
    })
}
