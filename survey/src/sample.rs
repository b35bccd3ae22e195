//! Samples for labelling by hand: the claims with the smallest hashes.

use std::collections::BTreeSet;

use sha1::{Digest, Sha1};

use crate::row::{Place, SampleItem};

/// Draws a sample of fixed size. Because a claim's rank is a hash of what it says, the sample depends neither on the
/// order of scanning nor on sharding, every claim has the same chance, and a larger sample contains the smaller one.
#[derive(Debug, Clone)]
pub struct Sampler {
    /// Number of claims wanted.
    pub size: usize,
    /// Another seed draws another sample.
    pub seed: u64,
    /// Mixed into the rank, so that equal files in two repositories are two claims.
    pub(crate) repository: String,
}

impl Sampler {
    /// A sampler for all repositories of a run.
    pub fn new(size: usize, seed: u64) -> Self {
        Self { size, seed, repository: String::new() }
    }

    pub(crate) fn within(&self, repository: &str) -> Self {
        Self { repository: repository.to_owned(), ..self.clone() }
    }

    pub(crate) fn offer(&self, sample: &mut BTreeSet<SampleItem>, claim: &str, place: Place) {
        let mut hash = Sha1::new();
        hash.update(self.seed.to_le_bytes());
        for part in [&self.repository, claim, &place.path, &place.what] {
            hash.update(part.as_bytes());
            hash.update([0]);
        }
        hash.update(place.line.to_le_bytes());
        // Shifted so that the rank stays exact in JSON readers that know only doubles.
        let rank =
            hash.finalize().iter().take(8).fold(0_u64, |value, &byte| value << 8 | u64::from(byte))
                >> 11;
        sample.insert(SampleItem { rank, claim: claim.to_owned(), place });
        if sample.len() > self.size {
            sample.pop_last();
        }
    }
}
