//! Folding the facts of files into one row. The result does not depend on the order of the files.

use std::collections::{BTreeMap, BTreeSet};

use sha1::{Digest, Sha1};

use crate::api::{Direction, Signal};
use crate::facts::{FileFacts, Link, Shape};
use crate::path_rules::display;
use crate::row::{Columns, FileCounts, LinkCounts, Place, SampleItem, Tier};
use crate::sample::Sampler;

/// The sum so far.
#[derive(Debug)]
pub(crate) struct Tally {
    pub(crate) files: FileCounts,
    counts: [u64; Signal::ALL.len()],
    columns: Columns,
    links: LinkCounts,
    evidence: BTreeMap<&'static str, BTreeSet<Place>>,
    evidence_limit: usize,
    fingerprints: BTreeSet<u64>,
    sampler: Option<Sampler>,
    sample: BTreeSet<SampleItem>,
}

/// Fingerprints kept per repository: enough for every repository seen, and a bound for hostile ones.
const FINGERPRINTS: usize = 20_000;

/// The parts of a row that come from files.
pub(crate) struct Sum {
    pub(crate) files: FileCounts,
    pub(crate) counts: BTreeMap<Signal, u64>,
    pub(crate) columns: Columns,
    pub(crate) tier: Tier,
    pub(crate) evidence: BTreeMap<String, Vec<Place>>,
    pub(crate) links: LinkCounts,
    pub(crate) fingerprints: Vec<String>,
    pub(crate) sample: Vec<SampleItem>,
}

impl Tally {
    /// Nothing seen.
    pub(crate) fn new(evidence_limit: usize, sampler: Option<Sampler>) -> Self {
        Self {
            files: FileCounts::default(),
            counts: [0; Signal::ALL.len()],
            columns: Columns::default(),
            links: LinkCounts::default(),
            evidence: BTreeMap::new(),
            evidence_limit,
            fingerprints: BTreeSet::new(),
            sampler,
            sample: BTreeSet::new(),
        }
    }

    /// The file has CUDA, whether or not it names memory.
    pub(crate) fn see_cuda(&mut self, path: &[u8]) {
        self.show("cuda", path, 0, String::new());
    }

    /// Whether the per-repository definition still lacks only a host allocation.
    pub(crate) fn lacks_host_allocation(&self, strict: bool) -> bool {
        let host =
            self.count(Signal::HostArray) + if strict { 0 } else { self.count(Signal::HostObject) };
        host == 0 && self.count(Signal::DeviceAllocation) > 0 && self.columns.explicit
    }

    /// A host allocation in a file outside CUDA, for the per-repository definition.
    pub(crate) fn see_host_allocation(&mut self, path: &[u8], facts: &FileFacts) {
        for signal in [Signal::HostArray, Signal::HostObject] {
            if facts.has(signal) {
                self.counts[signal.index()] += u64::from(facts.counts[signal.index()]);
                self.show(signal.code(), path, facts.first_line[signal.index()], String::new());
            }
        }
    }

    /// A parsed file.
    pub(crate) fn see_file(
        &mut self,
        path: &[u8],
        bytes: u64,
        fingerprint: u64,
        facts: &FileFacts,
    ) {
        self.files.named += 1;
        self.files.named_bytes += bytes;
        if facts.parsed {
            self.files.parsed += 1;
            self.files.parsed_bytes += bytes;
        }
        self.files.syntax_errors += u64::from(facts.has_errors);
        for signal in Signal::ALL {
            let count = facts.counts[signal.index()];
            if count == 0 {
                continue;
            }
            self.counts[signal.index()] += u64::from(count);
            self.show(signal.code(), path, facts.first_line[signal.index()], String::new());
        }
        if Signal::ALL.iter().any(|&signal| signal_is_cuda(signal) && facts.has(signal)) {
            self.show("cuda", path, 0, String::new());
            if self.fingerprints.len() < FINGERPRINTS {
                self.fingerprints.insert(fingerprint);
            }
        }
        self.see_candidate(path, facts);
        for link in &facts.links {
            self.see_link(path, link);
        }
        self.columns.candidate_file_raw |= facts.raw.all();
        if facts.raw.all() {
            self.show("candidate-file-raw", path, 0, String::new());
        }
        self.columns.explicit |= facts.has(Signal::ExplicitCopy);
    }

    fn see_candidate(&mut self, path: &[u8], facts: &FileFacts) {
        for (strict, column) in [(false, "candidate-file"), (true, "candidate-file-strict")] {
            if !facts.is_candidate(strict) {
                continue;
            }
            let line = |signal: Signal| facts.first_line[signal.index()];
            let host = match (line(Signal::HostArray), line(Signal::HostObject)) {
                (0, object) => object,
                (array, 0) => array,
                (array, object) if !strict => array.min(object),
                (array, _) => array,
            };
            let (device, copy) = (line(Signal::DeviceAllocation), line(Signal::ExplicitCopy));
            let what =
                format!("host allocation line {host}, cudaMalloc line {device}, copy line {copy}");
            self.show(column, path, host, what.clone());
            if strict {
                self.columns.candidate_file_strict = true;
            } else {
                self.columns.candidate_file = true;
                self.claim("candidate-file", path, host, &what);
            }
        }
    }

    fn see_link(&mut self, path: &[u8], link: &Link) {
        let arrows: Vec<_> = link
            .directions
            .iter()
            .map(|direction| match direction {
                Direction::H2d => "h2d",
                Direction::D2h => "d2h",
            })
            .collect();
        let what = format!(
            "{} / {} ({}), allocated in lines {} and {}",
            link.host,
            link.device,
            arrows.join("+"),
            link.host_line,
            link.device_line
        );
        self.links.linked += 1;
        self.show("linked", path, link.copy_line, what.clone());
        let claim = match link.shape {
            Shape::Linked => "linked",
            Shape::WholeBuffer { from_host } => {
                self.links.whole += 1;
                self.links.whole_from_host += u64::from(from_host);
                self.show("whole-buffer", path, link.copy_line, what.clone());
                "whole-buffer"
            }
        };
        self.claim(claim, path, link.copy_line, &what);
    }

    fn claim(&mut self, claim: &str, path: &[u8], line: u32, what: &str) {
        if let Some(sampler) = &self.sampler {
            let place = Place { path: display(path), line, what: what.to_owned() };
            sampler.offer(&mut self.sample, claim, place);
        }
    }

    /// Keeps the smallest places, so that evidence does not depend on the order in which files finish.
    fn show(&mut self, column: &'static str, path: &[u8], line: u32, what: String) {
        let places = self.evidence.entry(column).or_default();
        places.insert(Place { path: display(path), line, what });
        if places.len() > self.evidence_limit {
            places.pop_last();
        }
    }

    fn count(&self, signal: Signal) -> u64 {
        self.counts[signal.index()]
    }

    /// Closes the sum.
    pub(crate) fn finish(mut self) -> Sum {
        let has = |signal: Signal| self.counts[signal.index()] > 0;
        let columns = &mut self.columns;
        let device_and_copy = columns.explicit && has(Signal::DeviceAllocation);
        columns.candidate_repo_strict = device_and_copy && has(Signal::HostArray);
        columns.candidate_repo =
            device_and_copy && (has(Signal::HostArray) || has(Signal::HostObject));
        columns.managed = has(Signal::Managed);
        columns.mapped = has(Signal::Mapped);
        columns.pinned = has(Signal::Pinned);
        columns.shared_buffer = has(Signal::SharedBuffer);
        columns.wrapper = has(Signal::Wrapper);
        let unified = columns.managed
            || columns.mapped
            || columns.pinned
            || columns.shared_buffer
            || columns.wrapper;
        columns.mixed = columns.explicit && unified;
        columns.copy_only = columns.explicit && !unified;
        let tier = if self.links.whole > 0 {
            Tier::T3
        } else if self.links.linked > 0 {
            Tier::T2
        } else if columns.candidate_file {
            Tier::T1
        } else if self.evidence.contains_key("cuda") {
            Tier::T0
        } else {
            Tier::None
        };
        let evidence = self
            .evidence
            .into_iter()
            .map(|(column, places)| (column.to_owned(), places.into_iter().collect()))
            .collect();
        let counts = Signal::ALL
            .into_iter()
            .map(|signal| (signal, self.counts[signal.index()]))
            .filter(|&(_, count)| count > 0)
            .collect();
        Sum {
            files: self.files,
            counts,
            columns: self.columns,
            tier,
            evidence,
            links: self.links,
            fingerprints: self.fingerprints.iter().map(|print| format!("{print:016x}")).collect(),
            sample: self.sample.into_iter().collect(),
        }
    }
}

/// Signals that only CUDA code has. EGL images and host allocations occur without it.
fn signal_is_cuda(signal: Signal) -> bool {
    match signal {
        Signal::ExplicitCopy
        | Signal::UndirectedCopy
        | Signal::DeviceAllocation
        | Signal::OtherDeviceAllocation
        | Signal::Managed
        | Signal::Mapped
        | Signal::Pinned
        | Signal::Wrapper
        | Signal::DriverApi => true,
        Signal::HostArray | Signal::HostObject | Signal::SharedBuffer => false,
    }
}

/// First 64 bits of the content's git blob hash (SHA-1 form).
pub(crate) fn fingerprint(bytes: &[u8]) -> u64 {
    let mut hash = Sha1::new();
    hash.update(format!("blob {}\0", bytes.len()).as_bytes());
    hash.update(bytes);
    let digest = hash.finalize();
    digest.iter().take(8).fold(0, |value, &byte| value << 8 | u64::from(byte))
}
