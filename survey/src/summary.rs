//! Adding rows up, one at a time, in list order.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use crate::definitions::{CANDIDATES, COPY_ONLY, EXPLICIT, MIXED, PAPER, TIERS};
use crate::row::{FileCounts, LinkCounts, Proof, ProvedFiles, Row, Status};

/// Everything the reports show besides the rows themselves.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Summary {
    /// All domains, in the order in which the list first names them.
    pub domains: Vec<Domain>,
    /// The sum.
    pub total: Counts,
    /// Skipped repositories by reason code.
    pub skipped_by_reason: BTreeMap<String, u64>,
    /// Files, summed.
    pub files: FileCounts,
    /// Links, summed.
    pub links: LinkCounts,
    /// What the provers said.
    pub proofs: ProofCounts,
    /// Repositories that share at least half of their CUDA files with an earlier one of the list.
    pub copies: Vec<SharedFiles>,
    /// CUDA files that occurred in an earlier repository.
    pub shared_files: u64,
    /// Positions of the list for which there is no row (a shard is missing).
    pub missing_rows: u64,
    #[serde(skip)]
    first_seen: HashMap<u64, u64>,
    #[serde(skip)]
    names: Vec<String>,
    #[serde(skip)]
    next_index: u64,
}

/// Counts of one domain.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Domain {
    /// Name.
    pub name: String,
    /// Counts.
    pub counts: Counts,
}

/// How many repositories answer yes.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Counts {
    /// Lines of the list.
    pub listed: u64,
    /// With numbers: the denominator of every share.
    pub counted: u64,
    /// Of these: some files could not be handled.
    pub partial: u64,
    /// Yes, by definition code.
    pub yes: BTreeMap<&'static str, u64>,
}

/// How many repositories a prover was asked about.
#[derive(Debug, Clone, Default, Serialize)]
pub struct ProofCounts {
    /// It answered.
    pub ran: u64,
    /// It could not be run.
    pub not_run: u64,
    /// Pairs proved mergeable.
    pub merge: u64,
    /// Pairs declined.
    pub decline: u64,
    /// Files it looked at.
    pub files: ProvedFiles,
}

/// A repository that looks like a copy of another.
#[derive(Debug, Clone, Serialize)]
pub struct SharedFiles {
    /// The later one.
    pub repository: String,
    /// The earlier one with which it shares most.
    pub earlier: String,
    /// CUDA files that occur in earlier repositories.
    pub shared: u64,
    /// All its CUDA files.
    pub files: u64,
}

/// Distinct files remembered for recognising copies (bounds memory; about 100 MB when full).
const REMEMBERED: usize = 4_000_000;
/// Copies listed by name.
const COPIES_LISTED: usize = 1_000;

impl Counts {
    /// Yes answers of one definition.
    pub fn of(&self, code: &str) -> u64 {
        self.yes.get(code).copied().unwrap_or_default()
    }

    fn add(&mut self, row: &Row) {
        self.listed += 1;
        if !row.is_counted() {
            return;
        }
        self.counted += 1;
        self.partial += u64::from(row.status == Status::Partial);
        let all = CANDIDATES.iter().chain(&MIXED).chain(&TIERS).chain([&EXPLICIT, &COPY_ONLY]);
        for definition in all {
            *self.yes.entry(definition.code).or_default() += u64::from((definition.holds)(row));
        }
        *self.yes.entry("whole-from-host").or_default() += u64::from(row.links.whole_from_host > 0);
    }
}

impl Summary {
    /// Adds a row. Rows must come in list order.
    pub fn add(&mut self, row: &Row) {
        self.missing_rows += row.index.saturating_sub(self.next_index);
        self.next_index = row.index + 1;
        self.total.add(row);
        let position = self.domains.iter().position(|domain| domain.name == row.domain);
        let position = position.unwrap_or_else(|| {
            self.domains.push(Domain { name: row.domain.clone(), counts: Counts::default() });
            self.domains.len() - 1
        });
        self.domains[position].counts.add(row);
        if let (false, Some(reason)) = (row.is_counted(), &row.reason) {
            *self.skipped_by_reason.entry(reason.code().to_owned()).or_default() += 1;
        }
        self.files.add(&row.files);
        self.links.linked += row.links.linked;
        self.links.whole += row.links.whole;
        self.links.whole_from_host += row.links.whole_from_host;
        match &row.proof {
            Proof::NotAsked => {}
            Proof::NotRun { .. } => self.proofs.not_run += 1,
            Proof::Ran { merge, decline, files } => {
                self.proofs.ran += 1;
                self.proofs.files.whole += files.whole;
                self.proofs.files.partial += files.partial;
                self.proofs.files.failed += files.failed;
                self.proofs.merge += merge;
                self.proofs.decline += decline;
            }
        }
        self.recognise(row);
    }

    /// Whether the run must not look green.
    pub fn has_failures(&self) -> bool {
        self.total.counted < self.total.listed
            || self.total.partial > 0
            || self.missing_rows > 0
            || self.proofs.not_run > 0
    }

    /// The list has the paper's mix of domains, so its Table 2 can stand beside ours.
    pub fn has_paper_mix(&self) -> bool {
        self.domains.len() == PAPER.len()
            && PAPER.iter().all(|paper| {
                self.domains.iter().any(|ours| {
                    ours.name == paper.domain && ours.counts.listed == paper.repositories
                })
            })
    }

    /// Sum over the domains of the distance between our count and the paper's.
    pub fn distance(&self, code: &str, paper: fn(&crate::definitions::PaperRow) -> u64) -> u64 {
        PAPER
            .iter()
            .map(|row| {
                let ours = self.domains.iter().find(|domain| domain.name == row.domain);
                ours.map_or(0, |domain| domain.counts.of(code)).abs_diff(paper(row))
            })
            .sum()
    }

    fn recognise(&mut self, row: &Row) {
        let position = self.names.len() as u64;
        let mut by_earlier: BTreeMap<u64, u64> = BTreeMap::new();
        for print in row.fingerprints.iter().filter_map(|print| u64::from_str_radix(print, 16).ok())
        {
            match self.first_seen.get(&print) {
                Some(&earlier) => *by_earlier.entry(earlier).or_default() += 1,
                None if self.first_seen.len() < REMEMBERED => {
                    self.first_seen.insert(print, position);
                }
                None => {}
            }
        }
        // Names are kept only for repositories that others can be copies of.
        self.names.push(if row.fingerprints.is_empty() {
            String::new()
        } else {
            row.repository.clone()
        });
        let shared: u64 = by_earlier.values().sum();
        self.shared_files += shared;
        let files = row.fingerprints.len() as u64;
        if shared * 2 < files || shared == 0 || self.copies.len() >= COPIES_LISTED {
            return;
        }
        let earlier =
            by_earlier.iter().max_by_key(|&(&earlier, &count)| (count, std::cmp::Reverse(earlier)));
        let name = earlier.and_then(|(&earlier, _)| self.names.get(usize::try_from(earlier).ok()?));
        self.copies.push(SharedFiles {
            repository: row.repository.clone(),
            earlier: name.cloned().unwrap_or_default(),
            shared,
            files,
        });
    }
}
