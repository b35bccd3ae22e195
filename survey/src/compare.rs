//! What changed between two runs.

use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;

use serde::Deserialize;

use crate::definitions::{CANDIDATES, COPY_ONLY, EXPLICIT, MIXED};
use crate::row::{Row, Tier};

/// Rows of a JSON report or an NDJSON file.
///
/// # Errors
/// The file cannot be read or is neither.
pub fn load(path: &Path) -> io::Result<Vec<Row>> {
    #[derive(Deserialize)]
    struct Document {
        repositories: Vec<Row>,
    }
    let reader = || std::fs::File::open(path).map(BufReader::new);
    let mut first = String::new();
    reader()?.read_line(&mut first)?;
    if serde_json::from_str::<Row>(&first).is_ok() {
        return reader()?
            .lines()
            .map(|line| serde_json::from_str(&line?).map_err(io::Error::from))
            .collect();
    }
    if first.trim().is_empty() {
        return Ok(Vec::new());
    }
    Ok(serde_json::from_reader::<_, Document>(reader()?)?.repositories)
}

/// Writes the differences; true when there are none.
///
/// # Errors
/// Writing failed.
pub fn compare(before: &[Row], after: &[Row], out: &mut dyn Write) -> io::Result<bool> {
    let old = by_name(before);
    let new = by_name(after);
    let mut same = true;
    let mut say = |out: &mut dyn Write, line: String| {
        same = false;
        writeln!(out, "{line}")
    };
    for (name, row) in &old {
        if !new.contains_key(name) {
            say(out, format!("- {}: only in the first", row.repository))?;
        }
    }
    for (name, after) in &new {
        let Some(before) = old.get(name) else {
            say(out, format!("+ {}: only in the second", after.repository))?;
            continue;
        };
        for change in changes(before, after) {
            say(out, format!("~ {}: {change}", after.repository))?;
        }
    }
    for definition in all() {
        let count = |rows: &[Row]| {
            rows.iter().filter(|row| row.is_counted() && (definition.holds)(row)).count()
        };
        let (was, is) = (count(before), count(after));
        if was != is {
            say(out, format!("total {}: {was} -> {is}", definition.code))?;
        }
    }
    let options = |rows: &[Row]| rows.first().map(|row| row.options.clone());
    if options(before) != options(after) {
        writeln!(out, "note: the two runs used different options or versions")?;
    }
    if same {
        writeln!(out, "no differences in {} repositories", after.len())?;
    }
    Ok(same)
}

/// A repository may be listed more than once; the n-th of one run is compared with the n-th of the other.
fn by_name(rows: &[Row]) -> BTreeMap<(String, usize), &Row> {
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    rows.iter()
        .map(|row| {
            let times = seen.entry(&row.repository).or_default();
            *times += 1;
            ((row.repository.clone(), *times), row)
        })
        .collect()
}

fn all() -> impl Iterator<Item = &'static crate::definitions::Definition> {
    [&EXPLICIT, &COPY_ONLY].into_iter().chain(&CANDIDATES).chain(&MIXED)
}

fn changes(before: &Row, after: &Row) -> Vec<String> {
    let mut changes = Vec::new();
    let outcome = |row: &Row| match &row.reason {
        Some(reason) => format!("{:?} ({})", row.status, reason.code()).to_lowercase(),
        None => format!("{:?}", row.status).to_lowercase(),
    };
    if outcome(before) != outcome(after) {
        changes.push(format!("status {} -> {}", outcome(before), outcome(after)));
    }
    if !before.is_counted() || !after.is_counted() {
        return changes;
    }
    if before.commit != after.commit {
        let short = |row: &Row| {
            row.commit.as_deref().map_or("-", |hash| hash.get(..12).unwrap_or(hash)).to_owned()
        };
        changes.push(format!("commit {} -> {}", short(before), short(after)));
    }
    if before.tier != after.tier {
        let direction = if after.tier > before.tier { "up" } else { "down" };
        let code = |tier: Tier| tier.code();
        changes.push(format!("tier {} -> {} ({direction})", code(before.tier), code(after.tier)));
    }
    for definition in all() {
        let (was, is) = ((definition.holds)(before), (definition.holds)(after));
        if was != is {
            let word = |yes: bool| if yes { "yes" } else { "no" };
            changes.push(format!("{} {} -> {}", definition.code, word(was), word(is)));
        }
    }
    if before.links != after.links {
        changes.push(format!(
            "links {}/{} -> {}/{} (linked/whole)",
            before.links.linked, before.links.whole, after.links.linked, after.links.whole
        ));
    }
    changes
}
