//! Tokens of a range.

use clang_sys::{
    CXSourceRange, CXToken_Comment, CXToken_Identifier, CXToken_Keyword, CXToken_Literal,
    clang_disposeTokens, clang_getTokenKind, clang_getTokenLocation, clang_getTokenSpelling,
    clang_tokenize,
};

use super::{Location, TranslationUnit};

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "named after what they are")]
pub enum TokenKind {
    Punctuation,
    Keyword,
    Identifier,
    Literal,
    Comment,
}

/// A raw token of a file (macros not expanded).
#[derive(Debug, Clone)]
pub struct Token {
    /// Kind.
    pub kind: TokenKind,
    /// Byte offset in the file.
    pub offset: u32,
    /// 1-based line.
    pub line: u32,
    /// Text, kept for identifiers only.
    pub text: String,
}

pub(super) fn tokens(unit: &TranslationUnit, range: CXSourceRange) -> Vec<Token> {
    let mut raw = std::ptr::null_mut();
    let mut count = 0;
    // SAFETY: libclang fills `raw` with `count` tokens, read here and disposed of once below.
    unsafe {
        clang_tokenize(unit.raw(), range, &mut raw, &mut count);
        let mut tokens = Vec::with_capacity(count as usize);
        for index in 0..count as usize {
            let token = *raw.add(index);
            let kind = match clang_getTokenKind(token) {
                CXToken_Keyword => TokenKind::Keyword,
                CXToken_Identifier => TokenKind::Identifier,
                CXToken_Literal => TokenKind::Literal,
                CXToken_Comment => TokenKind::Comment,
                _ => TokenKind::Punctuation,
            };
            let at = Location::wrap(clang_getTokenLocation(unit.raw(), token)).spelling();
            let text = if kind == TokenKind::Identifier {
                super::string(clang_getTokenSpelling(unit.raw(), token))
            } else {
                String::new()
            };
            tokens.push(Token { kind, offset: at.offset, line: at.line, text });
        }
        if !raw.is_null() {
            clang_disposeTokens(unit.raw(), raw, count);
        }
        tokens
    }
}
