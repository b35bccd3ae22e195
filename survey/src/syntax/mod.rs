//! Reading one source file with tree-sitter.
//!
//! The grammar decides what is code and what is comment or string; names are then matched as whole words. Files that
//! cannot contain a linked pair and leave no doubt are read by their tokens alone ([`tokens`]), with the same result.
//! Nothing is resolved across files and no header is opened: the survey is a syntactic measurement.

mod extent;
mod link;
mod macros;
mod operand;
mod roles;
mod scope;
mod tokens;
mod walk;
mod words;

use std::cell::RefCell;
use std::ops::ControlFlow;
use std::sync::OnceLock;

use tree_sitter::{Language, ParseOptions, Parser};

use crate::facts::FileFacts;
use crate::prefilter::raw_words;

/// Progress calls after which a file is given up. One is made every few hundred parser steps; ordinary files of
/// the largest accepted size need a few hundred thousand. A count, not a clock, so that results do not depend on load.
const STEP_LIMIT: u32 = 3_000_000;

/// Why a file that had to be parsed was not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct GaveUp;

/// Facts of one file.
///
/// # Errors
/// [`GaveUp`] when the parser needs more than [`STEP_LIMIT`] steps.
pub(crate) fn read_source(path: &[u8], bytes: &[u8]) -> Result<FileFacts, GaveUp> {
    read_tokens(bytes).map_or_else(|| read_tree(path, bytes), Ok)
}

/// Facts of one file by its tokens; `None` where the grammar is needed.
pub(crate) fn read_tokens(bytes: &[u8]) -> Option<FileFacts> {
    tokens::token_facts(bytes).map(|facts| FileFacts { raw: raw_words(bytes), ..facts })
}

/// Facts of one file by the grammar.
///
/// # Errors
/// [`GaveUp`] when the parser needs more than [`STEP_LIMIT`] steps.
pub(crate) fn read_tree(path: &[u8], bytes: &[u8]) -> Result<FileFacts, GaveUp> {
    parse_source(path, bytes).map(|facts| FileFacts { raw: raw_words(bytes), ..facts })
}

/// Facts by the grammar.
fn parse_source(path: &[u8], bytes: &[u8]) -> Result<FileFacts, GaveUp> {
    let mut seen_calls = 0_u32;
    let mut watch = |_: &tree_sitter::ParseState| {
        seen_calls += 1;
        if seen_calls > STEP_LIMIT { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let cuda = is_cuda(path, bytes);
    let tree = with_parser(cuda, |parser| {
        let options = ParseOptions::new().progress_callback(&mut watch);
        let tree = parser.parse_with_options(
            &mut |at, _| bytes.get(at..).unwrap_or_default(),
            None,
            Some(options),
        );
        // A cancelled parse would otherwise be resumed by the next file.
        parser.reset();
        tree
    })
    .ok_or(GaveUp)?;
    let mut facts = walk::walk(&tree, roles(cuda), bytes);
    facts.parsed = true;
    facts.has_errors = tree.root_node().has_error();
    Ok(facts)
}

/// `.cu` and `.cuh`, and any other file with a kernel launch, need the CUDA grammar.
fn is_cuda(path: &[u8], bytes: &[u8]) -> bool {
    path.ends_with(b".cu")
        || path.ends_with(b".cuh")
        || memchr::memmem::find(bytes, b"<<<").is_some()
}

fn with_parser<T>(cuda: bool, body: impl FnOnce(&mut Parser) -> T) -> T {
    thread_local! {
        static CUDA: RefCell<Parser> = RefCell::new(parser(&tree_sitter_cuda::LANGUAGE.into()));
        static CPP: RefCell<Parser> = RefCell::new(parser(&tree_sitter_cpp::LANGUAGE.into()));
    }
    if cuda { CUDA.with_borrow_mut(body) } else { CPP.with_borrow_mut(body) }
}

fn roles(cuda: bool) -> &'static roles::Roles {
    static CUDA: OnceLock<roles::Roles> = OnceLock::new();
    static CPP: OnceLock<roles::Roles> = OnceLock::new();
    if cuda {
        CUDA.get_or_init(|| roles::Roles::new(&tree_sitter_cuda::LANGUAGE.into()))
    } else {
        CPP.get_or_init(|| roles::Roles::new(&tree_sitter_cpp::LANGUAGE.into()))
    }
}

#[expect(
    clippy::expect_used,
    reason = "both grammars are compiled in; their version is checked by every test"
)]
fn parser(language: &Language) -> Parser {
    let mut parser = Parser::new();
    parser.set_language(language).expect("the grammar fits the library it is built with");
    parser
}

#[cfg(test)]
mod tests;
