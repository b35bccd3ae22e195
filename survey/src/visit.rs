//! What the two ways of reading a repository (git objects, plain folder) have in common.

use std::ops::ControlFlow;

use crate::path_rules::PathClass;
use crate::row::FileCounts;

/// Called with path, class and content of each selected file; folders call it from several threads.
pub(crate) type Visit<'a> = dyn Fn(&[u8], PathClass, &[u8]) -> ControlFlow<()> + Sync + 'a;

/// Which classes of files are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Selection {
    /// Count other people's code as the repository's own.
    pub(crate) vendored: bool,
    /// Count generated code.
    pub(crate) generated: bool,
    /// Every source file, duplicates included: for exporting a tree.
    pub(crate) whole_tree: bool,
}

impl Selection {
    /// The class under which a file is read, or `None` (and counted as left out).
    pub(crate) fn admit(self, class: PathClass, counts: &mut FileCounts) -> Option<PathClass> {
        match class {
            PathClass::Source => Some(class),
            PathClass::Python => (!self.whole_tree).then_some(class),
            PathClass::Vendored if self.vendored || self.whole_tree => Some(PathClass::Source),
            PathClass::Generated if self.generated || self.whole_tree => Some(PathClass::Source),
            PathClass::Vendored => {
                counts.vendored += 1;
                None
            }
            PathClass::Generated => {
                counts.generated += 1;
                None
            }
            PathClass::Other => None,
        }
    }
}
