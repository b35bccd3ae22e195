//! The texts of files that reports point into.

use std::collections::HashMap;
use std::fs;

/// Texts by path, read when first asked for.
#[derive(Debug, Default)]
pub(crate) struct Sources {
    texts: HashMap<String, Source>,
}

/// A file as text. Bytes that are not UTF-8 show as replacement characters.
#[derive(Debug, Default)]
pub(crate) struct Source {
    bytes: Vec<u8>,
    line_starts: Vec<usize>,
}

impl Sources {
    /// The file at `path`; empty if it cannot be read any more.
    pub(crate) fn get(&mut self, path: &str) -> &Source {
        self.texts
            .entry(path.to_owned())
            .or_insert_with(|| Source::new(fs::read(path).unwrap_or_default()))
    }
}

impl Source {
    fn new(bytes: Vec<u8>) -> Self {
        let newlines = bytes.iter().enumerate().filter(|(_, b)| **b == b'\n').map(|(at, _)| at + 1);
        let line_starts = std::iter::once(0).chain(newlines).collect();
        Self { bytes, line_starts }
    }

    /// 0-based line of a byte.
    pub(crate) fn line(&self, offset: usize) -> usize {
        self.line_starts.partition_point(|start| *start <= offset).saturating_sub(1)
    }

    /// 1-based line and 1-based column in UTF-16 code units.
    pub(crate) fn line_and_column(&self, offset: usize) -> (usize, usize) {
        let line = self.line(offset);
        let start = self.line_starts.get(line).copied().unwrap_or(0);
        let before = self.bytes.get(start..offset.min(self.bytes.len())).unwrap_or_default();
        (line + 1, String::from_utf8_lossy(before).encode_utf16().count() + 1)
    }

    /// The 0-based lines `first..=last`, with `spans` of the file as spans of that text; a span ends where its line does.
    pub(crate) fn excerpt(
        &self,
        first: usize,
        last: usize,
        spans: &[(usize, usize)],
    ) -> (String, Vec<(usize, usize)>) {
        let from = self.line_starts.get(first).copied().unwrap_or(0);
        let to = self.line_starts.get(last + 1).copied().unwrap_or(self.bytes.len());
        // Where each span's ends come to lie in the text.
        let mut text = String::new();
        let mut places: Vec<(usize, usize)> = vec![(usize::MAX, usize::MAX); spans.len()];
        let mut at = from;
        let mut note = |at: usize, written: usize, length: usize| {
            for (place, (start, end)) in places.iter_mut().zip(spans) {
                let line_end = self
                    .line_starts
                    .get(self.line(*start) + 1)
                    .map_or(self.bytes.len(), |next| next - 1);
                let end = (*end).min(line_end).max(*start);
                if (at..at + length).contains(start) && place.0 == usize::MAX {
                    place.0 = written;
                }
                if at >= end && place.1 == usize::MAX {
                    place.1 = written;
                }
            }
        };
        let bytes = self.bytes.get(from..to).unwrap_or_default();
        for chunk in bytes.utf8_chunks() {
            for c in chunk.valid().chars() {
                note(at, text.len(), c.len_utf8());
                // A lone carriage return would end a line for the renderer only.
                text.push(if c == '\r' { ' ' } else { c });
                at += c.len_utf8();
            }
            if !chunk.invalid().is_empty() {
                note(at, text.len(), chunk.invalid().len());
                text.push(char::REPLACEMENT_CHARACTER);
                at += chunk.invalid().len();
            }
        }
        let length = text.len();
        let within = |place: usize| place.min(length);
        let places = places
            .into_iter()
            .map(|(start, end)| (within(start), within(end).max(within(start))))
            .collect();
        (text, places)
    }
}
