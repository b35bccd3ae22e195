//! The sample for labelling by hand.

use std::collections::BTreeMap;
use std::io::{self, Write};

use super::Rows;

/// Writes the `size` claims with the smallest ranks as CSV, in random (rank) order, with empty columns for the label.
///
/// # Errors
/// Writing or reading rows failed.
pub fn write_sample(size: usize, rows: &mut Rows<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut chosen = BTreeMap::new();
    for row in rows {
        let row = row.map_err(io::Error::other)?;
        for item in row.sample {
            let link = match (&row.commit, row.repository.split_once('/')) {
                (Some(commit), Some((owner, name))) if is_name(owner) && is_name(name) => {
                    format!(
                        "https://github.com/{owner}/{name}/blob/{commit}/{}#L{}",
                        item.place.path, item.place.line
                    )
                }
                (Some(_) | None, _) => String::new(),
            };
            chosen.insert(
                (item.rank, row.index, item.clone()),
                (row.repository.clone(), row.domain.clone(), row.commit.clone(), link),
            );
            if chosen.len() > size {
                chosen.pop_last();
            }
        }
    }
    let mut writer = csv::Writer::from_writer(out);
    writer.write_record([
        "repository",
        "domain",
        "commit",
        "claim",
        "path",
        "line",
        "what",
        "link",
        "label",
        "note",
    ])?;
    for ((_, _, item), (repository, domain, commit, link)) in chosen {
        let line = item.place.line.to_string();
        let commit = commit.unwrap_or_default();
        writer.write_record([
            repository.as_str(),
            &domain,
            &commit,
            &item.claim,
            &item.place.path,
            &line,
            &item.place.what,
            &link,
            "",
            "",
        ])?;
    }
    writer.flush()
}

fn is_name(text: &str) -> bool {
    !text.is_empty()
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte))
        && !text.starts_with('.')
}
