//! Which file is parsed with which precompiled prefix.

use std::collections::BTreeMap;
use std::path::PathBuf;

use echo_frontend::Frontend;
use echo_frontend::arguments::{ArgumentOptions, unit_arguments};
use echo_frontend::prefix::{Cache, Flags};

use super::isolate;
use super::settings::Settings;

/// Building a prefix takes as long as it saves on this many files.
const WORTHWHILE: usize = 8;

/// Finds the prefix of each file; builds those that are missing and that enough files share.
pub(crate) fn prepare(
    files: &[PathBuf],
    settings: &Settings,
    frontend: &Frontend,
    options: &ArgumentOptions,
) -> BTreeMap<PathBuf, PathBuf> {
    let Some(folder) = &settings.cache else { return BTreeMap::new() };
    let cache = Cache::at(folder.clone());
    let mut alike: BTreeMap<Vec<String>, (Vec<String>, Vec<PathBuf>)> = BTreeMap::new();
    for path in files {
        let arguments = unit_arguments(path, options, frontend.library()).arguments;
        if let Some(flags) = Flags::of(&arguments) {
            let entry = alike.entry(flags.shared().to_vec());
            entry.or_insert_with(|| (arguments, Vec::new())).1.push(path.clone());
        }
    }
    let mut prefixes = BTreeMap::new();
    for (arguments, paths) in alike.into_values() {
        let found = Flags::of(&arguments).and_then(|flags| cache.find(frontend, &flags));
        let prefix = match found {
            Some(prefix) => Some(prefix.facts),
            // What cannot be built costs time only.
            None if paths.len() >= WORTHWHILE => isolate::build_prefix(settings, &arguments).ok(),
            None => None,
        };
        if let Some(prefix) = prefix {
            prefixes.extend(paths.into_iter().map(|path| (path, prefix.clone())));
        }
    }
    prefixes
}
