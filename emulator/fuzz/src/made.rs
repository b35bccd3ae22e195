//! What the tool makes of a batch of programs.

use std::collections::BTreeSet;
use std::fs;

use anyhow::{Context as _, Result, bail};

use crate::program::Program;
use crate::source::{Layout, Part, Source};
use crate::tool::{Answer, Tool, Verdict};

/// A source, and what the tool makes of it.
#[derive(Debug, Clone)]
pub(crate) struct Made {
    /// As generated.
    pub(crate) source: Source,
    /// With the tool's edits.
    pub(crate) after: Source,
    /// The tool's verdicts by program. Those of functions that all programs share are the first program's.
    pub(crate) verdicts: Vec<Vec<Verdict>>,
}

impl Made {
    /// Has the tool look at the programs.
    ///
    /// # Errors
    /// If the tool fails, or edits what it must not edit.
    pub(crate) fn by(tool: &Tool, programs: &[Program], layout: Layout) -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let source = Source::new(programs, layout);
        for file in &source.files {
            fs::write(folder.path().join(&file.name), file.text())?;
        }
        let answer = tool.transform(folder.path())?;
        let mut verdicts: Vec<Vec<Verdict>> = vec![Vec::new(); programs.len()];
        for verdict in &answer.verdicts {
            let index = number(&verdict.place).unwrap_or(0);
            verdicts.get_mut(index).context("a pair in no program")?.push(verdict.clone());
        }
        let after = edited(&source, &answer)?;
        Ok(Self { source, after, verdicts })
    }

    /// The programs whose text the tool changes.
    pub(crate) fn changed(&self) -> Vec<usize> {
        differing(&self.source, &self.after, self.verdicts.len())
    }

    /// The programs of which the tool makes something else here and there.
    pub(crate) fn differing(&self, other: &Self) -> Vec<usize> {
        differing(&self.after, &other.after, self.verdicts.len())
    }

    /// One source with the original programs as cases `p0`, ... and the transformed ones as `q0`, ...: one start of the
    /// compiler, and none at all for the device code where it is the same in every batch.
    pub(crate) fn combined(&self, tested: &[usize], changed: &[usize]) -> String {
        let mut cases: Vec<String> = self.cases(tested, changed);
        if cases.is_empty() {
            cases.push("{\"none\", nullptr}".to_owned());
        }
        let mut text = self.functions(tested, changed);
        text.push_str("#include \"echo/batch.h\"\n");
        text.push_str(&format!("ECHO_BATCH({})\n", cases.join(", ")));
        text
    }

    /// The functions of both versions.
    pub(crate) fn functions(&self, tested: &[usize], changed: &[usize]) -> String {
        let mut text = Source::kernels();
        // Files with `main` are programs of their own; others are one program together.
        let group = if self.source.layout == Layout::Mains { 1 } else { self.source.files.len() };
        for (number, (before, after)) in
            self.source.files.chunks(group).zip(self.after.files.chunks(group)).enumerate()
        {
            for (name, files, wanted) in [("before", before, tested), ("after", after, changed)] {
                if self.source.layout == Layout::Mains && !wanted.contains(&number) {
                    continue;
                }
                text.push_str(&format!("namespace {name}{number} {{\n"));
                for (part, piece) in files.iter().flat_map(|file| &file.pieces) {
                    let wanted = match part {
                        Part::Kernels | Part::Include => false,
                        Part::Shared => true,
                        Part::Program(index) => wanted.contains(index),
                    };
                    if wanted && self.source.layout == Layout::Mains {
                        text.push_str(&as_function(piece, number));
                    } else if wanted {
                        text.push_str(piece);
                    }
                }
                text.push_str("}\n");
            }
        }
        text
    }

    /// Name and function of each: original programs `p0`, ... and transformed ones `q0`, ...
    pub(crate) fn cases(&self, tested: &[usize], changed: &[usize]) -> Vec<String> {
        let space = |index: usize| if self.source.layout == Layout::Mains { index } else { 0 };
        let case = |letter: char, space: String, index: usize| {
            format!("{{\"{letter}{index}\", {space}::p{index}}}")
        };
        let originals =
            tested.iter().map(|&index| case('p', format!("before{}", space(index)), index));
        let transformed =
            changed.iter().map(|&index| case('q', format!("after{}", space(index)), index));
        originals.chain(transformed).collect()
    }
}

// The number of the program that a function belongs to: `p7`, `p7_setup`, or any in `p7.cu`.
fn number((file, function): &(String, String)) -> Option<usize> {
    let of = |name: &str| {
        let digits = name.strip_prefix('p')?;
        let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        digits[..end].parse().ok()
    };
    of(function).or_else(|| of(file))
}

fn edited(source: &Source, answer: &Answer) -> Result<Source> {
    let mut after = source.clone();
    for (file, changed) in source.files.iter().zip(&mut after.files) {
        let text = file.text();
        for ((part, range), (_, piece)) in file.ranges().zip(&mut changed.pieces) {
            let edited = answer.apply(&file.name, &text, &range);
            if matches!(part, Part::Kernels | Part::Include) && edited != *piece {
                bail!("echo-fix edits the headers or kernels of {}", file.name);
            }
            *piece = edited;
        }
    }
    Ok(after)
}

// The programs whose pieces are not the same in both.
fn differing(one: &Source, other: &Source, programs: usize) -> Vec<usize> {
    let pieces = |source: &Source| -> Vec<(Part, String)> {
        source.files.iter().flat_map(|file| file.pieces.clone()).collect()
    };
    let mut found = BTreeSet::new();
    for ((part, before), (_, after)) in pieces(one).into_iter().zip(pieces(other)) {
        if before != after {
            match part {
                Part::Program(index) => {
                    found.insert(index);
                }
                Part::Kernels | Part::Include | Part::Shared => found.extend(0..programs),
            }
        }
    }
    found.into_iter().collect()
}

// A program with `main` as a function that returns its checksum instead of printing it.
fn as_function(piece: &str, number: usize) -> String {
    piece
        .replace("int main() {", &format!("unsigned long p{number}() {{"))
        .replace("printf(\"%lu\\n\", sum);", "")
        .replace("return 0;", "return sum;")
}
