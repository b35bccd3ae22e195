//! Variables of device code.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::text::{leading_name, leading_type, size_of};

/// Bytes of dynamic shared memory: more than any launch may ask for.
const DYNAMIC_SHARED: usize = 128 << 10;

/// What was seen so far.
#[derive(Default)]
pub(crate) struct Variables {
    dynamic_shared: bool,
    /// Name (as written) and type of `__shared__` variables.
    shared: Vec<(String, String)>,
    /// The same of `__device__` and `__constant__` variables, and whether they are managed.
    device: Vec<(String, String, bool)>,
}

/// Names of variables with the annotation of `__managed__`.
pub(crate) fn managed(ir: &str) -> BTreeSet<String> {
    let annotation = ir.lines().find(|line| line.contains("c\"echo_managed\\00\""));
    let annotation = annotation.and_then(|line| leading_name(line)).map(|(name, _)| name);
    let list = ir.lines().find(|line| line.starts_with("@llvm.global.annotations = "));
    let (Some(annotation), Some(list)) = (annotation, list) else { return BTreeSet::new() };
    let mut names = BTreeSet::new();
    // Entries are `{ ptr @variable, ptr @annotation, ... }`.
    for entry in list.split("{ ptr @").skip(1) {
        let text = format!("@{entry}");
        let Some((name, rest)) = leading_name(&text) else { continue };
        let of_ours = rest
            .strip_prefix(", ptr ")
            .and_then(leading_name)
            .is_some_and(|(other, _)| other == annotation);
        if of_ours {
            names.insert(name.to_owned());
        }
    }
    names
}

impl Variables {
    /// The line to write in place of a variable's definition, if it needs another.
    pub(crate) fn replace(&mut self, line: &str, managed: &BTreeSet<String>) -> Option<String> {
        if !line.starts_with('@') {
            return None;
        }
        let (name, rest) = leading_name(line)?;
        let definition = rest.strip_prefix(" = ")?;
        let keyword = ["global ", "constant "].into_iter().find_map(|keyword| {
            let at = definition.find(keyword)?;
            let whole_word = at == 0 || definition.as_bytes()[at - 1] == b' ';
            whole_word.then_some((at, keyword))
        });
        let (at, keyword) = keyword?;
        let attributes = &definition[..at];
        let (ty, value) = leading_type(&definition[at + keyword.len()..])?;
        if attributes.contains("externally_initialized") {
            self.device.push((name.to_owned(), ty.to_owned(), managed.contains(name)));
            // The host writes constants too, and looks static ones up by name.
            let attributes = attributes.replace("internal ", "").replace("unnamed_addr ", "");
            let attributes = attributes.replace("local_", "");
            return Some(format!("@\"{name}\" = {attributes}global {ty}{value}"));
        }
        let words = || attributes.split_whitespace();
        if words().any(|word| word == "external") && ty.starts_with("[0 x ") {
            self.dynamic_shared = true;
            return Some(format!("@\"{name}\" = internal alias {ty}, ptr @__echo_dynamic_shared"));
        }
        if value.trim_start().starts_with("undef") {
            self.shared.push((name.to_owned(), ty.to_owned()));
        }
        None
    }

    /// Definitions that the runtime looks for: sizes, marks of managed variables, the list of shared ones.
    pub(crate) fn tables(&self) -> String {
        let mut out = String::new();
        for (name, ty, managed) in &self.device {
            let size = size_of(ty, "i64");
            let _ = writeln!(out, "@\"__echo_size_{name}\" = constant i64 {size}");
            if *managed {
                let _ = writeln!(out, "@\"__echo_managed_{name}\" = constant i8 1");
            }
        }
        let mut entries: Vec<String> = self
            .shared
            .iter()
            .map(|(name, ty)| {
                format!("{{ptr, i64}} {{ptr @\"{name}\", i64 {}}}", size_of(ty, "i64"))
            })
            .collect();
        if self.dynamic_shared {
            let _ = writeln!(
                out,
                "@__echo_dynamic_shared = internal global [{DYNAMIC_SHARED} x i8] zeroinitializer, align 256"
            );
            entries
                .push(format!("{{ptr, i64}} {{ptr @__echo_dynamic_shared, i64 {DYNAMIC_SHARED}}}"));
        }
        entries.push("{ptr, i64} {ptr null, i64 0}".to_owned());
        let _ = writeln!(
            out,
            "@__echo_shared = constant [{} x {{ptr, i64}}] [{}]",
            entries.len(),
            entries.join(", ")
        );
        out
    }
}
