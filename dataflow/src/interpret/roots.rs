//! Which functions are analysed as roots.

use crate::program::{Callee, CudaOperation, FunctionId, FunctionKind, Program, StatementKind};

/// Who calls whom, as far as it is seen, and who reaches a CUDA copy.
pub(crate) struct Calls {
    callees: Vec<Vec<usize>>,
    reaches_copy: Vec<bool>,
}

impl Calls {
    /// The calls of `program`.
    pub(crate) fn new(program: &Program) -> Self {
        let count = program.functions.len();
        let mut callees: Vec<Vec<usize>> = vec![Vec::new(); count];
        let mut copies = vec![false; count];
        for (index, function) in program.functions.iter().enumerate() {
            for statement in function.blocks.iter().flat_map(|b| &b.statements) {
                match &statement.kind {
                    StatementKind::Call(call) => match &call.callee {
                        Callee::Function(callee) => callees[index].push(callee.index()),
                        Callee::External { callbacks, .. } => {
                            callees[index].extend(callbacks.iter().map(|f| f.index()));
                        }
                        Callee::Indirect(_) => {}
                    },
                    StatementKind::Cuda { operation, .. }
                        if matches!(**operation, CudaOperation::Copy { .. }) =>
                    {
                        copies[index] = true;
                    }
                    StatementKind::Declare(_)
                    | StatementKind::Assign { .. }
                    | StatementKind::CopyAggregate { .. }
                    | StatementKind::Evaluate(_)
                    | StatementKind::HostAllocate(_)
                    | StatementKind::HostRelease(_)
                    | StatementKind::Cuda { .. }
                    | StatementKind::Launch(_)
                    | StatementKind::Opaque { .. } => {}
                }
            }
        }
        let reaches_copy = closure_backwards(&callees, &copies);
        Self { callees, reaches_copy }
    }

    /// Functions that `function` calls.
    pub(crate) fn of(&self, function: FunctionId) -> impl Iterator<Item = FunctionId> {
        self.callees[function.index()].iter().map(|&callee| FunctionId::new(callee))
    }

    /// Whether `function` can reach a CUDA copy.
    pub(crate) fn reaches_copy(&self, function: FunctionId) -> bool {
        self.reaches_copy[function.index()]
    }
}

/// Host functions whose callers are all unseen and that can reach a CUDA copy: each is analysed for every caller that it
/// may have, `main` as the first of all.
#[must_use]
pub fn roots(program: &Program) -> Vec<FunctionId> {
    let calls = Calls::new(program);
    all(program, &calls).into_iter().filter(|&root| calls.reaches_copy(root)).collect()
}

/// Host functions whose callers are all unseen.
///
/// A function that is only called in a cycle of functions without other callers is a root too, as is one whose address
/// is taken. Functions called from opaque bodies have no *seen* caller and so are roots.
pub(crate) fn all(program: &Program, calls: &Calls) -> Vec<FunctionId> {
    let callees = &calls.callees;
    let count = program.functions.len();
    let mut called = vec![false; count];
    for (index, list) in callees.iter().enumerate() {
        for &callee in list {
            called[callee] |= callee != index;
        }
    }
    let host = |index: usize| match program.functions[index].kind {
        FunctionKind::Main
        | FunctionKind::Host
        | FunctionKind::Constructor
        | FunctionKind::Destructor => {
            program.functions[index].opaque.is_none() && !program.functions[index].blocks.is_empty()
        }
        FunctionKind::Kernel | FunctionKind::Device => false,
    };
    let mut covered = vec![false; count];
    let mut roots = Vec::new();
    for (index, &seen) in called.iter().enumerate() {
        if host(index) && (!seen || program.functions[index].address_taken) {
            cover(callees, index, &mut covered);
            roots.push(index);
        }
    }
    for index in 0..count {
        if host(index) && !covered[index] {
            cover(callees, index, &mut covered);
            roots.push(index);
        }
    }
    roots.sort_unstable();
    roots.into_iter().map(FunctionId::new).collect()
}

fn cover(callees: &[Vec<usize>], from: usize, covered: &mut [bool]) {
    let mut work = vec![from];
    while let Some(index) = work.pop() {
        if !std::mem::replace(&mut covered[index], true) {
            work.extend(&callees[index]);
        }
    }
}

fn closure_backwards(callees: &[Vec<usize>], start: &[bool]) -> Vec<bool> {
    let mut callers: Vec<Vec<usize>> = vec![Vec::new(); callees.len()];
    for (from, list) in callees.iter().enumerate() {
        for &to in list {
            callers[to].push(from);
        }
    }
    let mut reached = start.to_vec();
    let mut work: Vec<usize> = (0..start.len()).filter(|&i| start[i]).collect();
    while let Some(index) = work.pop() {
        for &caller in &callers[index] {
            if !std::mem::replace(&mut reached[caller], true) {
                work.push(caller);
            }
        }
    }
    reached
}
