//! Sources without CUDA that may define what a merge rests on.
//!
//! They are no units. But an inline function, an instance of a template or a member of a class may be defined in one of
//! them too, with another body, and the linker keeps one of the two: so those that may define a function of a unit with
//! merges are read for their definitions alone.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use echo_dataflow::program::plain_name;

use super::discover;
use super::isolate::Unit;
use super::model::{UnitReport, VerdictName};

/// Those of `bystanders` that may define a function which a unit with merges takes from its own text.
pub(crate) fn witnesses(units: &[UnitReport], bystanders: &[PathBuf]) -> Vec<Unit> {
    let mut names: BTreeSet<Vec<u8>> = BTreeSet::new();
    let mut headers: BTreeSet<&str> = BTreeSet::new();
    let merging =
        |unit: &&UnitReport| unit.pairs.iter().any(|pair| pair.verdict == VerdictName::Merge);
    for unit in units.iter().filter(merging) {
        let mut shared = unit
            .definitions
            .iter()
            .filter(|definition| !definition.internal && definition.form.is_some())
            .peekable();
        if shared.peek().is_some() {
            let files = unit.includes.iter().skip(1).map(|file| Path::new(file.as_str()));
            headers.extend(files.filter_map(|file| file.file_name()?.to_str()));
        }
        names.extend(shared.filter_map(|definition| word(&definition.name)));
    }
    if names.is_empty() && headers.is_empty() {
        return Vec::new();
    }
    let mut known = BTreeMap::new();
    bystanders
        .iter()
        .filter(|path| concerns(path, &names, &headers, &mut known))
        .map(|path| Unit { path: path.clone(), way: 0 })
        .collect()
}

/// The word without which no source can define a function of this name: `look` for `N::look<int>`.
fn word(name: &str) -> Option<Vec<u8>> {
    let own = name.split('<').next().unwrap_or(name);
    let own = own.rsplit("::").next().unwrap_or(own).trim_start_matches('~');
    plain_name(own).map(|own| own.as_bytes().to_vec())
}

/// Whether `path`, or a header that it includes, holds one of `names` or is one of `headers`. Headers that are not
/// beside the file that includes them are known by their names alone.
fn concerns(
    path: &Path,
    names: &BTreeSet<Vec<u8>>,
    headers: &BTreeSet<&str>,
    known: &mut BTreeMap<PathBuf, bool>,
) -> bool {
    if let Some(&concerned) = known.get(path) {
        return concerned;
    }
    known.insert(path.to_owned(), false);
    // What cannot be read is not compiled either.
    let Ok(text) = discover::text(path) else { return false };
    let mut words = text.split(|b| !(b.is_ascii_alphanumeric() || *b == b'_'));
    let concerned = words.any(|word| names.contains(word))
        || discover::includes(&text).any(|name| {
            let file = Path::new(name).file_name().and_then(|file| file.to_str());
            let beside = path.parent().unwrap_or(Path::new("")).join(name);
            file.is_some_and(|file| headers.contains(file))
                || concerns(&beside, names, headers, known)
        });
    known.insert(path.to_owned(), concerned);
    concerned
}

#[cfg(test)]
mod tests {
    use super::word;

    #[test]
    fn a_function_is_known_by_the_last_word_of_its_name() {
        assert_eq!(word("N::look<int>").as_deref(), Some(&b"look"[..]));
        assert_eq!(word("Buffer::~Buffer").as_deref(), Some(&b"Buffer"[..]));
        assert_eq!(word("operator+"), None);
    }
}
