//! One translation unit being lowered.

use std::collections::{HashMap, HashSet, VecDeque};
use std::rc::Rc;

use echo_dataflow::program::{FunctionId, Program, TypeId, VariableId};

use super::record::Record;
use super::spans::Spans;
use crate::audit::Audit;
use crate::clang::{Cursor, CursorKey, TranslationUnit, Type, TypeKey};

/// What lowering must be told.
#[derive(Debug, Clone, Default)]
pub(crate) struct LowerOptions {
    /// Folders whose files are the program's own; the main file always is.
    pub(crate) roots: Vec<std::path::PathBuf>,
    /// Further functions that allocate like `malloc` (`echo.toml`).
    pub(crate) allocators: Vec<String>,
    /// Further functions that release like `free` (`echo.toml`).
    pub(crate) frees: Vec<String>,
}

/// A body that waits to be lowered.
#[derive(Debug, Clone)]
pub(crate) enum Work<'tu> {
    /// The definition of a function, method, constructor or destructor.
    Function(Cursor<'tu>),
    /// A lambda's body.
    Lambda(Rc<Lambda<'tu>>),
    /// A special member that the compiler writes.
    Implicit(Cursor<'tu>, Special),
}

/// A lambda's body and what it sees of the function around it.
#[derive(Debug)]
pub(crate) struct Lambda<'tu> {
    /// The lambda expression, or the `operator()` of a generic lambda's instantiation.
    pub(crate) cursor: Cursor<'tu>,
    /// The captured `this`.
    pub(crate) this: Option<VariableId>,
    pub(crate) this_class: Option<Type<'tu>>,
    /// Copies of captured variables, by the variable.
    pub(crate) captures: HashMap<CursorKey, VariableId>,
}

/// Special members.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Special {
    /// `T()`.
    DefaultConstructor,
    /// `T(const T &)`.
    CopyConstructor,
    /// `T(T &&)`.
    MoveConstructor,
    /// `operator=(const T &)`.
    CopyAssignment,
    /// `operator=(T &&)`.
    MoveAssignment,
    /// `~T()`.
    Destructor,
}

/// State shared by all bodies of a unit.
pub(crate) struct Session<'tu> {
    pub(crate) unit: &'tu TranslationUnit,
    pub(crate) options: LowerOptions,
    pub(crate) program: Program,
    pub(crate) spans: Spans<'tu>,
    pub(crate) audit: Audit,
    pub(crate) types: HashMap<TypeKey, TypeId>,
    pub(crate) variables: HashMap<CursorKey, VariableId>,
    pub(crate) functions: HashMap<CursorKey, FunctionId>,
    pub(crate) implicit: HashMap<(CursorKey, Special), FunctionId>,
    pub(crate) records: HashMap<CursorKey, Rc<Record<'tu>>>,
    pub(crate) constants: HashMap<CursorKey, Option<i128>>,
    pub(crate) offsets: HashMap<(TypeKey, CursorKey), Option<u64>>,
    /// The body of each lambda, by the class of its closure.
    pub(crate) closures: HashMap<CursorKey, FunctionId>,
    /// Generic lambdas, by the class of their closure.
    pub(crate) generic_lambdas: HashMap<CursorKey, Rc<Lambda<'tu>>>,
    /// Functions declared `noexcept`.
    pub(crate) never_throws: HashSet<FunctionId>,
    /// Objects of the unit whose initialisation or destruction runs code.
    pub(crate) globals: Vec<Cursor<'tu>>,
    pub(crate) queue: VecDeque<(FunctionId, Work<'tu>)>,
    /// A handler exists, or the callers of this unit's functions are unseen: throws may be caught.
    pub(crate) catches: bool,
    /// Something at namespace scope did not compile.
    pub(crate) lost_declarations: bool,
    /// The unit defines `main`.
    pub(crate) has_main: bool,
}

impl<'tu> Session<'tu> {
    pub(crate) fn new(unit: &'tu TranslationUnit, options: LowerOptions) -> Self {
        let spans = Spans::new(unit, &options.roots);
        Self {
            unit,
            options,
            program: Program::default(),
            spans,
            audit: Audit::default(),
            types: HashMap::new(),
            variables: HashMap::new(),
            functions: HashMap::new(),
            implicit: HashMap::new(),
            records: HashMap::new(),
            constants: HashMap::new(),
            offsets: HashMap::new(),
            closures: HashMap::new(),
            generic_lambdas: HashMap::new(),
            never_throws: HashSet::new(),
            lost_declarations: false,
            globals: Vec::new(),
            queue: VecDeque::new(),
            catches: false,
            has_main: false,
        }
    }

    /// Lowers the unit's own functions and all they reach.
    pub(crate) fn run(mut self) -> Program {
        self.find_roots();
        while let Some((id, work)) = self.queue.pop_front() {
            self.lower_function(id, work);
        }
        self.program.files = std::mem::take(&mut self.spans.files);
        self.program
    }
}
