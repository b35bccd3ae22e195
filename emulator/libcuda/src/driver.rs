//! The driver API. Each module holds one part and a table of its entry points by name.

mod context;
mod copy;
mod copy_calls;
mod event;
mod fill;
mod graph;
mod kernel;
mod memory;
mod per_thread;
mod pointer;
mod proc_address;
mod result;
mod stream;

/// Defines exported entry points and the look-up of their addresses by name.
macro_rules! entry_points {
    ($lookup:ident; $( $(#[$attribute:meta])* fn $name:ident($($argument:ident: $type:ty),* $(,)?) $body:block )*) => {
        $(
            $(#[$attribute])*
            ///
            /// # Safety
            /// Pointers are as the driver API asks.
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $name($($argument: $type),*) -> i32 {
                crate::start::ensure();
                // SAFETY: the caller's promise about pointers.
                #[allow(unused_unsafe, reason = "some bodies need none")]
                unsafe { $body }
            }
        )*
        pub(super) fn $lookup(name: &str) -> Option<*const ()> {
            match name {
                $( stringify!($name) => Some($name as *const ()), )*
                _ => None,
            }
        }
    };
}
pub(crate) use entry_points;
