//! Newtyped indices.

/// Declares a documented `u32` index type, public unless `in` gives another visibility.
#[macro_export]
macro_rules! index_type {
    ($(#[$doc:meta])* $name:ident) => {
        $crate::index_type! { $(#[$doc])* in pub $name }
    };
    ($(#[$doc:meta])* in $visibility:vis $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $visibility struct $name($visibility u32);

        impl $name {
            /// The index as a `usize`.
            #[must_use]
            $visibility fn index(self) -> usize {
                self.0 as usize
            }

            /// The id of the element that is at `index`.
            ///
            /// # Panics
            /// If there are more than `u32::MAX` elements, which a source file of at most 4 GiB cannot have.
            #[must_use]
            $visibility fn new(index: usize) -> Self {
                Self(u32::try_from(index).expect("fewer than 2^32 elements"))
            }
        }
    };
}
