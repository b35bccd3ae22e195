//! JSON, version 1 (DESIGN section 6; `docs/echo-fix.schema.json`).

use std::collections::BTreeMap;

use serde::Serialize;

use crate::fix::model::{FileReport, Pair, VerdictName};

/// The whole document.
#[derive(Debug, Serialize)]
pub(crate) struct Document<'a> {
    schema_version: u32,
    tool: &'static str,
    version: &'static str,
    target: &'a str,
    files: &'a [FileReport],
    pairs: &'a [Pair],
    patch: String,
    summary: Summary,
}

#[derive(Debug, Serialize)]
struct Summary {
    pairs: usize,
    merge: usize,
    decline: usize,
    by_condition: BTreeMap<String, usize>,
}

/// Builds the document.
pub(crate) fn document<'a>(
    target: &'a str,
    files: &'a [FileReport],
    pairs: &'a [Pair],
    patch: &[u8],
) -> Document<'a> {
    let merge = pairs.iter().filter(|p| p.verdict == VerdictName::Merge).count();
    let mut by_condition = BTreeMap::new();
    for pair in pairs {
        if let Some(first) = pair.objections.first() {
            *by_condition.entry(first.condition.clone()).or_insert(0) += 1;
        }
    }
    Document {
        schema_version: 1,
        tool: "echo-fix",
        version: env!("CARGO_PKG_VERSION"),
        target,
        files,
        pairs,
        patch: String::from_utf8_lossy(patch).into_owned(),
        summary: Summary { pairs: pairs.len(), merge, decline: pairs.len() - merge, by_condition },
    }
}
