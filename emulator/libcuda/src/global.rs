//! State of the process. CUDA's interface is global, so the state behind it is too.

use std::cell::{RefCell, RefMut};

/// A process-wide variable. Borrow it for a few lines only: never while code of the program runs.
pub(crate) struct Global<T>(RefCell<T>);

// SAFETY: the emulated process has one thread; `threads` ends the process when it wants to start another.
unsafe impl<T> Sync for Global<T> {}

impl<T> Global<T> {
    pub(crate) const fn new(value: T) -> Self {
        Self(RefCell::new(value))
    }

    /// The value, for reading and writing.
    pub(crate) fn get(&self) -> RefMut<'_, T> {
        self.0.borrow_mut()
    }
}
