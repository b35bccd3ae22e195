//! What a report counts: programs with one of the rarer dimensions.

use std::collections::BTreeSet;

use crate::program::{HostKind, Kernel, Pair, Program, Slack, Stage, Statement};

/// The rarer dimensions, by the names of the report.
pub const DIMENSIONS: [&str; 51] = [
    "auto",
    "auto&",
    "default arguments",
    "device functions that return pointers",
    "device functions with v[]",
    "devices",
    "elements in functions with default arguments",
    "elements in functions with v[]",
    "elements in methods",
    "elements through operator[]",
    "elements through returned pointers",
    "for_each",
    "graphs",
    "host functions",
    "kernel templates over pointers",
    "kernels with (*v)[2]",
    "kernels with methods",
    "kernels with named array types",
    "kernels with operator[]",
    "kernels with two arrays",
    "kernels with v[64]",
    "kernels with v[]",
    "kernels with v[][2]",
    "lambdas with auto parameters",
    "lambdas with copies",
    "lambdas with parameters",
    "methods",
    "narrowed sizes",
    "parameters (*v)[2]",
    "parameters *& v",
    "parameters **v",
    "parameters *const& v",
    "parameters of named array types",
    "parameters v[64]",
    "parameters v[]",
    "parameters v[][2]",
    "parameters with operator[]",
    "range-for",
    "returned pointers",
    "sizes read at run time",
    "sizes that can overflow",
    "sizes that overflow",
    "structs",
    "structs by pointer",
    "structs by reference",
    "symbols",
    "templates over pointers",
    "templates over pointers by reference",
    "threads",
    "unique pointers",
    "vectors",
];

impl Program {
    /// Which of the [`DIMENSIONS`] it has.
    pub fn dimensions(&self) -> BTreeSet<&'static str> {
        let mut found = BTreeSet::new();
        within(&self.body, &mut found);
        let sizes = || self.pairs.iter().flat_map(|pair| pair.sizes);
        if sizes().any(|size| size >= Pair::PLAIN_SIZES) {
            found.insert("sizes that can overflow");
        }
        if sizes().any(|size| size >= Pair::NARROW_SIZES) {
            found.insert("narrowed sizes");
        }
        if self.pairs.iter().any(|pair| matches!(pair.slack, Slack::CutHost | Slack::CutDevice)) {
            found.insert("sizes that overflow");
        }
        if self.style.counted {
            found.insert("sizes read at run time");
        }
        if self.pairs.iter().any(|pair| pair.host == HostKind::Vector) {
            found.insert("vectors");
        }
        if self.pairs.iter().any(|pair| pair.host == HostKind::Unique) {
            found.insert("unique pointers");
        }
        found
    }
}

fn within(body: &[Statement], found: &mut BTreeSet<&'static str>) {
    for statement in body {
        match statement {
            Statement::Special(special, ..) => {
                found.insert(special.dimension());
            }
            Statement::Host { reach, .. } => found.extend(reach.dimension()),
            Statement::Launch(Kernel::Form(form, _), _) => {
                found.insert(form.dimension());
            }
            Statement::Launch(Kernel::Gather(..), _) => {
                found.insert("kernels with two arrays");
            }
            Statement::Stage(stage, body) => {
                if let Stage::With(form) = stage {
                    found.insert(form.dimension());
                }
                within(body, found);
            }
            Statement::Loop(_, body) => within(body, found),
            Statement::Branch(one, other) => {
                within(one, found);
                within(other, found);
            }
            Statement::Allocate(_)
            | Statement::Free(_)
            | Statement::HostCopy(..)
            | Statement::Copy { .. }
            | Statement::Launch(..)
            | Statement::Memset(..)
            | Statement::Wait(_)
            | Statement::StreamWait(..)
            | Statement::Compare(_)
            | Statement::Return => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::form::{Form, KernelForm};

    #[test]
    fn every_form_is_in_the_list_once() {
        let mut names = DIMENSIONS.to_vec();
        names.dedup();
        assert_eq!(names.len(), DIMENSIONS.len());
        for name in
            Form::ALL.map(Form::dimension).iter().chain(&KernelForm::ALL.map(KernelForm::dimension))
        {
            assert!(DIMENSIONS.contains(name), "{name}");
        }
    }
}
