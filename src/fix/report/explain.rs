//! `--explain`: the page of a condition.

use anyhow::{Result, bail};

/// Pages by code, in the order objections are listed.
pub(crate) const PAGES: &[(&str, &str)] = &[
    ("S1", include_str!("../../../docs/conditions/S1.md")),
    ("S2", include_str!("../../../docs/conditions/S2.md")),
    ("S2b", include_str!("../../../docs/conditions/S2b.md")),
    ("S3", include_str!("../../../docs/conditions/S3.md")),
    ("S4", include_str!("../../../docs/conditions/S4.md")),
    ("S5", include_str!("../../../docs/conditions/S5.md")),
    ("S6", include_str!("../../../docs/conditions/S6.md")),
    ("C", include_str!("../../../docs/conditions/C.md")),
    ("size", include_str!("../../../docs/conditions/size.md")),
    ("m:n", include_str!("../../../docs/conditions/sharing.md")),
    ("threshold", include_str!("../../../docs/conditions/threshold.md")),
    ("edit", include_str!("../../../docs/conditions/edit.md")),
];

/// The page of `code`.
pub(crate) fn page(code: &str) -> Result<&'static str> {
    match PAGES.iter().find(|(name, _)| name.eq_ignore_ascii_case(code)) {
        Some((_, page)) => Ok(page),
        None => {
            let known: Vec<&str> = PAGES.iter().map(|(name, _)| *name).collect();
            bail!("there is no condition `{code}`; known: {}", known.join(", "))
        }
    }
}
