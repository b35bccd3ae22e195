//! Builds a prefix.

use std::collections::HashMap;
use std::ffi::CString;
use std::path::Path;

use clang_sys as clang;

use super::STANDARD;
use super::facts::{Facts, Header, Words};
use crate::clang::{TranslationUnit, file_name};
use crate::headers;

/// Templates of the headers are instantiated while the prefix is built. Else each file that uses it would instantiate all of
/// them again at its end: two thirds of the time of a short file. One that specializes such a template afterwards is an
/// error to clang, so it is parsed without the prefix.
pub(super) const INSTANTIATE: [&str; 2] = ["-Xclang", "-fpch-instantiate-templates"];

/// Why there is no prefix.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// clang did not take it.
    #[error("the standard headers cannot be parsed alone: {0}")]
    Parse(String),
    /// It cannot be written.
    #[error("clang cannot write {0}")]
    Save(std::path::PathBuf),
    /// A file beside it cannot be written or read.
    #[error("{path}: {source}")]
    File {
        /// Which.
        path: std::path::PathBuf,
        /// Why.
        source: std::io::Error,
    },
}

/// Parses the headers with `arguments` and writes the prefix to `out`; `file` and `hash` of the facts are for the caller.
pub(crate) fn build(
    arguments: &[String],
    virtual_files: &[(CString, CString)],
    out: &Path,
) -> Result<(Facts, Words), BuildError> {
    let source = format!("{}/prefix.h", headers::ROOT);
    let includes = STANDARD.iter().map(|name| format!("#include <{name}>\n"));
    let text: String =
        std::iter::once("#include <echo_cuda.h>\n".to_owned()).chain(includes).collect();
    let mut files = virtual_files.to_vec();
    let nul = |_| BuildError::Parse("a NUL byte".to_owned());
    files.push((CString::new(source.as_str()).map_err(nul)?, CString::new(text).map_err(nul)?));
    let arguments: Vec<String> =
        arguments.iter().cloned().chain(INSTANTIATE.map(str::to_owned)).collect();
    let unit = TranslationUnit::parse_prefix(&source, &arguments, &files)
        .map_err(|why| BuildError::Parse(why.to_string()))?;
    if let Some(error) = unit.diagnostics().into_iter().find(|diagnostic| diagnostic.is_error) {
        return Err(BuildError::Parse(error.message));
    }
    let found = describe(&unit, &source, &files);
    if !unit.save(out) {
        return Err(BuildError::Save(out.to_owned()));
    }
    Ok(found)
}

fn describe(
    unit: &TranslationUnit,
    source: &str,
    virtual_files: &[(CString, CString)],
) -> (Facts, Words) {
    let texts: HashMap<&[u8], &[u8]> =
        virtual_files.iter().map(|(name, text)| (name.as_bytes(), text.as_bytes())).collect();
    let mut facts = Facts {
        file: String::new(),
        hash: String::new(),
        headers: Vec::new(),
        includes: Vec::new(),
        prelude: Vec::new(),
        names: Vec::new(),
    };
    let mut words = Words::default();
    let mut nodes: HashMap<usize, Option<usize>> = HashMap::new();
    let mut node = |handle: usize, facts: &mut Facts| {
        *nodes.entry(handle).or_insert_with(|| {
            let path = file_name(handle);
            if handle == 0 || path == source {
                return None;
            }
            let built_in = texts.get(path.as_bytes());
            let length = match built_in {
                Some(text) => text.len() as u64,
                None => std::fs::metadata(&path).map_or(0, |metadata| metadata.len()),
            };
            let found = unit.words(handle, u32::try_from(length).unwrap_or(u32::MAX));
            let list = if built_in.is_some() { &mut words.built_in } else { &mut words.standard };
            list.extend(found.into_iter().map(|(_, _, word)| word));
            facts.headers.push(Header::at(path, built_in.is_some()));
            Some(facts.headers.len() - 1)
        })
    };
    for child in unit.cursor().children() {
        if child.kind() != clang::CXCursor_InclusionDirective {
            continue;
        }
        let from = node(child.name_expansion().file, &mut facts);
        let Some(to) = node(child.included_file(), &mut facts) else { continue };
        facts.names.push(child.name());
        match from {
            Some(from) => facts.includes.push((from, to)),
            // The first line of the prefix; the others are the standard headers that a file must ask for.
            None if child.name() == "echo_cuda.h" => facts.prelude.push(to),
            None => {}
        }
    }
    facts.names.sort();
    facts.names.dedup();
    facts.includes.sort_unstable();
    facts.includes.dedup();
    (facts, words)
}
