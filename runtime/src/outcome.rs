//! Reading outcome pages: what a run of the preloaded object did.

use serde::Serialize;

use crate::wire::{self, outcome, reason, state};

/// Counters of one rule.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct RuleOutcome {
    /// Linking copies made.
    pub copies: u64,
    /// Copies skipped.
    pub skipped: u64,
    /// Windows opened.
    pub opened: u64,
    /// Windows left open.
    pub open: u64,
    /// Fault bits, see [`wire::fault`].
    pub faults: u64,
    /// Content comparisons made.
    pub checks: u64,
}

/// What a run did.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Outcome {
    /// One of [`state`]; 0 if the object was never loaded (static program, setuid, wrong path).
    pub state: u64,
    /// One of [`reason`].
    pub reason: u64,
    /// Copies skipped.
    pub skipped_copies: u64,
    /// Their bytes.
    pub skipped_bytes: u64,
    /// Waits in place of skipped copies.
    pub waits: u64,
    /// Skipped copies that needed no wait.
    pub waits_left_out: u64,
    /// Merged pairs created.
    pub merged: u64,
    /// Highest number of bytes of live merged buffers.
    pub peak_bytes: u64,
    /// Planned buffers that fell back to the original call.
    pub fallbacks: u64,
    /// Copies on merged memory that the plan did not foresee.
    pub unplanned: u64,
    /// Linking copies made by the original call.
    pub real_copies: u64,
    /// Their bytes.
    pub real_bytes: u64,
    /// Their time, ns.
    pub real_ns: u64,
    /// Combined digest of downloads and how many.
    pub digest: (u64, u64),
    /// 1 userfaultfd, 2 PROT_NONE.
    pub guard: u64,
    /// Time in hooks on tracked copies, ns, and how many.
    pub hook: (u64, u64),
    /// Per rule, in the order of the control file.
    pub rules: Vec<RuleOutcome>,
    /// Times between consecutive round marks, ns, oldest first (the last 4095 at most).
    pub rounds: Vec<u64>,
}

/// An empty page to be mapped by the preloaded object.
pub fn blank() -> Vec<u8> {
    let mut words = vec![0u64; outcome::WORDS];
    words[outcome::MAGIC] = wire::OUTCOME_MAGIC;
    words[outcome::VERSION] = wire::VERSION;
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// Decodes a page; a short one reads as zeros.
pub fn decode(bytes: &[u8]) -> Outcome {
    let word = |index: usize| {
        bytes
            .get(index * 8..index * 8 + 8)
            .and_then(|part| part.try_into().ok())
            .map_or(0, u64::from_le_bytes)
    };
    let rules = (0..wire::MAX_RULES)
        .map(|rule| {
            let of = |index: usize| word(outcome::FIRST_RULE + rule * outcome::RULE_WORDS + index);
            RuleOutcome {
                copies: of(outcome::RULE_COPIES),
                skipped: of(outcome::RULE_SKIPPED),
                opened: of(outcome::RULE_OPENED),
                open: of(outcome::RULE_OPEN),
                faults: of(outcome::RULE_FAULTS),
                checks: of(outcome::RULE_CHECKS),
            }
        })
        .collect();
    let marks = word(outcome::MARKS) as usize;
    let kept = marks.min(outcome::MARK_SLOTS);
    let times: Vec<u64> = (marks - kept..marks)
        .map(|mark| word(outcome::FIRST_MARK + mark % outcome::MARK_SLOTS))
        .collect();
    Outcome {
        state: word(outcome::STATE),
        reason: word(outcome::REASON),
        skipped_copies: word(outcome::SKIPPED_COPIES),
        skipped_bytes: word(outcome::SKIPPED_BYTES),
        waits: word(outcome::WAITS),
        waits_left_out: word(outcome::WAITS_LEFT_OUT),
        merged: word(outcome::MERGED),
        peak_bytes: word(outcome::PEAK_BYTES),
        fallbacks: word(outcome::FALLBACKS),
        unplanned: word(outcome::UNPLANNED),
        real_copies: word(outcome::REAL_COPIES),
        real_bytes: word(outcome::REAL_BYTES),
        real_ns: word(outcome::REAL_NS),
        digest: (word(outcome::DIGEST), word(outcome::DIGESTS)),
        guard: word(outcome::GUARD),
        hook: (word(outcome::HOOK_NS), word(outcome::HOOK_CALLS)),
        rules,
        rounds: times.windows(2).map(|pair| pair[1].saturating_sub(pair[0])).collect(),
    }
}

impl Outcome {
    /// Why the object passed through, in words; `None` if it did its work.
    pub fn why_inactive(&self) -> Option<&'static str> {
        match self.reason {
            reason::NONE => match self.state {
                0 => Some("the preloaded object was not loaded (static or setuid program?)"),
                state::LOADED => Some("no planned buffer was allocated"),
                _ => None,
            },
            reason::EXECUTABLE => Some("another executable ran"),
            reason::ARGUMENTS => Some("the program ran with other arguments"),
            reason::DRIVER => Some("the driver version differs"),
            reason::DEVICE => Some("the GPU differs"),
            reason::CONTROL => Some("the control file could not be used"),
            reason::CLAIMED => Some("another process of the run was served"),
            reason::TRACE => Some("the trace could not be written"),
            reason::BACKEND => Some("the memory kind could not be allocated"),
            _ => Some("unknown reason"),
        }
    }

    /// Median time of a round in ns without the first quarter; `None` with fewer than four rounds.
    pub fn round_ns(&self) -> Option<f64> {
        if self.rounds.len() < 4 {
            return None;
        }
        let steady: Vec<f64> =
            self.rounds[self.rounds.len() / 4..].iter().map(|&round| round as f64).collect();
        Some(crate::calibrate::median(&steady))
    }
}
