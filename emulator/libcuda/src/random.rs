//! The generator behind random schedules: xorshift64*, seeded, never from the machine's entropy.

use std::sync::atomic::{AtomicU64, Ordering};

static STATE: AtomicU64 = AtomicU64::new(1);

/// Starts the sequence of `seed`.
pub(crate) fn seed(seed: u64) {
    let mixed = 88_172_645_463_325_252 ^ seed.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    STATE.store(if mixed == 0 { 1 } else { mixed }, Ordering::Relaxed);
    for _ in 0..8 {
        below(2);
    }
}

/// The next number below `bound` (at least 1).
pub(crate) fn below(bound: u64) -> u64 {
    let mut x = STATE.load(Ordering::Relaxed);
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    STATE.store(x, Ordering::Relaxed);
    (x.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 11) % bound.max(1)
}
