//! Whether a link is possible at all: some copy must name a buffer of each kind.
//!
//! Names are collected without scopes and without telling a name from the rest of its expression, so the answer "no"
//! is certain and "maybe" is for the grammar to settle.

use std::collections::BTreeSet;

use super::lexemes::is_word;

/// Words around the allocations and copies of one file.
#[derive(Debug, Default, Clone)]
pub(super) struct Ends<'t> {
    host: BTreeSet<&'t [u8]>,
    device: BTreeSet<&'t [u8]>,
    copies: Vec<(&'t [u8], &'t [u8])>,
}

impl<'t> Ends<'t> {
    /// A host allocation: the statement before the allocating word.
    pub(super) fn host(&mut self, before: &'t [u8]) {
        self.host.extend(names(before));
    }

    /// A device allocation: what is filled.
    pub(super) fn device(&mut self, target: &'t [u8]) {
        self.device.extend(names(target));
    }

    /// A copy: both pointers.
    pub(super) fn copy(&mut self, destination: &'t [u8], source: &'t [u8]) {
        self.copies.push((destination, source));
    }

    /// Whether some copy may have a host and a device buffer as its two ends.
    pub(super) fn may_meet(&self) -> bool {
        let has = |set: &BTreeSet<_>, text| names(text).any(|name| set.contains(name));
        self.copies.iter().any(|&(one, other)| {
            (has(&self.host, one) && has(&self.device, other))
                || (has(&self.device, one) && has(&self.host, other))
        })
    }
}

/// Words of casts and declarations, which name no variable.
const NO_NAMES: [&[u8]; 26] = [
    b"auto",
    b"bool",
    b"char",
    b"const",
    b"const_cast",
    b"double",
    b"float",
    b"int",
    b"int8_t",
    b"int32_t",
    b"long",
    b"reinterpret_cast",
    b"return",
    b"short",
    b"signed",
    b"size_t",
    b"sizeof",
    b"static_cast",
    b"std",
    b"struct",
    b"this",
    b"uint8_t",
    b"uint32_t",
    b"unsigned",
    b"void",
    b"static",
];

/// Words that may be names of variables.
fn names(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|&byte| !is_word(byte))
        .filter(|word| word.first().is_some_and(|first| !first.is_ascii_digit()))
        .filter(|word| !NO_NAMES.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_must_name_one_buffer_of_each_kind() {
        let mut ends = Ends::default();
        ends.host(b"float *h = (float *)");
        ends.device(b"(void **)&ctx->d[0]");
        for (one, other, meet) in [
            ("ctx->d[0]", "h", true),
            ("(void *)h", "ctx.d[0] + 4", true),
            ("h", "other", false),
            ("other", "(float *)d", false),
            ("h", "h2", false),
        ] {
            let copies = vec![(one.as_bytes(), other.as_bytes())];
            assert_eq!(Ends { copies, ..ends.clone() }.may_meet(), meet, "{one} {other}");
        }
    }
}
