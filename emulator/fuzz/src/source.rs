//! The text of several programs: files made of pieces that belong to a program each or to all.

use std::ops::Range;

use crate::forms::{FORM_FUNCTIONS, FORM_KERNELS};
use crate::prelude::{CHECK, DECLARATIONS, FUNCTIONS, HEADERS, KERNELS};
use crate::print::{self, Printed};
use crate::program::Program;

/// How programs are spread over files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// All in one file, each a function that returns its checksum.
    One,
    /// The functions they call in a second file.
    Two,
    /// Each a file of its own with `main`.
    Mains,
}

/// What a piece of a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Headers, macros and device code: the same for all, and never edited.
    Kernels,
    /// An `#include` of another file of the source.
    Include,
    /// For all programs.
    Shared,
    /// For the program of this number.
    Program(usize),
}

/// A file.
#[derive(Debug, Clone)]
pub struct File {
    /// Its name.
    pub name: String,
    /// Its pieces in order.
    pub pieces: Vec<(Part, String)>,
}

impl File {
    /// The file's text.
    #[must_use]
    pub fn text(&self) -> String {
        self.pieces.iter().map(|(_, text)| text.as_str()).collect()
    }

    /// Where each piece stands in the text.
    pub fn ranges(&self) -> impl Iterator<Item = (Part, Range<usize>)> {
        let mut end = 0;
        self.pieces.iter().map(move |(part, text)| {
            let start = end;
            end += text.len();
            (*part, start..end)
        })
    }
}

/// The text of some programs. Program `i` is a function `pi`, or the `main` of a file `pi.cu`.
#[derive(Debug, Clone)]
pub struct Source {
    /// How they are spread over files.
    pub layout: Layout,
    /// The files.
    pub files: Vec<File>,
}

impl Source {
    /// The text of the programs.
    #[must_use]
    pub fn new(programs: &[Program], layout: Layout) -> Self {
        let printed = programs
            .iter()
            .enumerate()
            .map(|(index, program)| print::program(program, index, layout));
        let kernels = (Part::Kernels, kernels());
        let files = match layout {
            Layout::One => {
                let mut pieces = vec![kernels, (Part::Shared, functions("static "))];
                pieces.extend(printed.enumerate().map(whole));
                vec![File { name: "batch.cu".to_owned(), pieces }]
            }
            Layout::Mains => printed
                .enumerate()
                .map(|(index, printed)| File {
                    name: format!("p{index}.cu"),
                    pieces: vec![
                        kernels.clone(),
                        (Part::Shared, functions("static ")),
                        whole((index, printed)),
                    ],
                })
                .collect(),
            Layout::Two => {
                let include = (Part::Include, "#include \"types.h\"\n".to_owned());
                let guard = (Part::Include, "#pragma once\n".to_owned());
                let mut types = vec![guard, kernels, (Part::Shared, prototypes())];
                let (mut one, mut other) = (vec![include.clone()], vec![include]);
                other.push((Part::Shared, functions("")));
                for (index, printed) in printed.enumerate() {
                    let part = Part::Program(index);
                    types.push((part, printed.types + &printed.prototypes));
                    one.push((part, printed.function));
                    other.push((part, printed.stages));
                }
                let file = |name: &str, pieces| File { name: name.to_owned(), pieces };
                vec![file("types.h", types), file("batch.cu", one), file("parts.cu", other)]
            }
        };
        Self { layout, files }
    }

    /// What to print of a source: its files, one after the other.
    #[must_use]
    pub fn text(&self) -> String {
        match self.files.as_slice() {
            [file] => file.text(),
            files => {
                let named = |file: &File| format!("// ---- {}\n{}", file.name, file.text());
                files.iter().map(named).collect()
            }
        }
    }

    /// The headers and device code of all programs.
    #[must_use]
    pub fn kernels() -> String {
        kernels()
    }
}

fn whole((index, printed): (usize, Printed)) -> (Part, String) {
    let Printed { types, prototypes: _, stages, function } = printed;
    (Part::Program(index), types + &stages + &function)
}

fn both(text: &str) -> String {
    let of = |ty: &str| text.replace("@T", ty).replace("@t", &ty[..1]);
    of("float") + &of("int")
}

fn kernels() -> String {
    HEADERS.to_owned() + &both(KERNELS) + &both(FORM_KERNELS) + &both(DECLARATIONS)
}

// The shared functions, defined; `linkage` comes first.
fn functions(linkage: &str) -> String {
    let define = |(signature, body): &(&str, &str)| {
        let signature =
            if linkage.is_empty() { without_defaults(signature) } else { (*signature).to_owned() };
        format!("\n{linkage}{signature} {{{body}}}\n")
    };
    let for_types: String = FUNCTIONS.iter().chain(&FORM_FUNCTIONS).map(define).collect();
    define(&CHECK) + &both(&for_types)
}

fn prototypes() -> String {
    let declare = |(signature, _): &(&str, &str)| format!("{signature};\n");
    let for_types: String = FUNCTIONS.iter().chain(&FORM_FUNCTIONS).map(declare).collect();
    declare(&CHECK) + &both(&for_types)
}

// Default arguments stand in the declaration only.
fn without_defaults(signature: &str) -> String {
    let parameters = signature.trim_end_matches(')').split(", ");
    let plain: Vec<&str> =
        parameters.map(|parameter| parameter.split(" = ").next().unwrap_or(parameter)).collect();
    plain.join(", ") + ")"
}
