//! Vectors and matrices in device memory. Places are addresses; accesses are told to the race detector.

use std::marker::PhantomData;

use crate::driver::touch;

/// `count` elements, `step` apart; a negative step starts at the far end, as BLAS has it.
#[derive(Clone, Copy)]
pub(crate) struct Vector<T> {
    start: usize,
    pub(crate) count: usize,
    step: isize,
    element: PhantomData<T>,
}

impl<T: Copy> Vector<T> {
    pub(crate) fn new(place: usize, count: usize, step: i32) -> Self {
        let step = step as isize;
        let size = size_of::<T>();
        let back = if step < 0 { count.saturating_sub(1) * step.unsigned_abs() * size } else { 0 };
        Self { start: place + back, count, step, element: PhantomData }
    }

    fn place(&self, index: usize) -> usize {
        self.start.wrapping_add_signed(index as isize * self.step * size_of::<T>() as isize)
    }

    pub(crate) fn get(&self, index: usize) -> T {
        read(self.place(index))
    }

    pub(crate) fn set(&self, index: usize, value: T) {
        write(self.place(index), value);
    }
}

/// A column-major matrix whose columns are `lead` elements apart.
#[derive(Clone, Copy)]
pub(crate) struct Matrix<T> {
    place: usize,
    lead: usize,
    element: PhantomData<T>,
}

impl<T: Copy> Matrix<T> {
    pub(crate) const fn new(place: usize, lead: usize) -> Self {
        Self { place, lead, element: PhantomData }
    }

    pub(crate) fn get(&self, row: usize, column: usize) -> T {
        read(self.place + (column * self.lead + row) * size_of::<T>())
    }

    pub(crate) fn set(&self, row: usize, column: usize, value: T) {
        write(self.place + (column * self.lead + row) * size_of::<T>(), value);
    }
}

/// Reads an element of memory that the running operation may use.
pub(crate) fn read<T: Copy>(place: usize) -> T {
    touch(place, size_of::<T>(), false);
    // SAFETY: the program passed the place to a library call for this use; a wrong one faults like a kernel's.
    unsafe { std::ptr::read_unaligned(place as *const T) }
}

/// Writes an element of memory that the running operation may use.
pub(crate) fn write<T: Copy>(place: usize, value: T) {
    touch(place, size_of::<T>(), true);
    // SAFETY: as for `read`.
    unsafe { std::ptr::write_unaligned(place as *mut T, value) };
}
