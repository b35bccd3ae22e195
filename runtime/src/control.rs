//! Building control files for the preloaded object.

use crate::pairing::Candidate;
use crate::plan::{Backend, Plan};
use crate::wire::{self, control, rule_flag};

/// One rule of a control file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// Host site.
    pub host: u64,
    /// Device site.
    pub device: u64,
    /// Bytes.
    pub bytes: u64,
    /// Uploads were seen.
    pub uploads: bool,
    /// Downloads were seen.
    pub downloads: bool,
    /// No upload had unfinished work before it.
    pub upload_clean: bool,
    /// No download had unfinished work before it.
    pub download_clean: bool,
}

impl Rule {
    /// The rule for a candidate.
    pub fn of(candidate: &Candidate) -> Rule {
        Rule {
            host: candidate.host_site,
            device: candidate.device_site,
            bytes: candidate.bytes,
            uploads: candidate.uploads > 0,
            downloads: candidate.downloads > 0,
            upload_clean: candidate.upload_clean,
            download_clean: candidate.download_clean,
        }
    }

    /// The rules of a plan, in the order of its merged pairs.
    pub fn of_plan(plan: &Plan) -> Vec<Rule> {
        plan.merged()
            .filter_map(|pair| {
                let (host, device) = pair.sites()?;
                Some(Rule {
                    host,
                    device,
                    bytes: pair.bytes,
                    uploads: pair.uploads > 0,
                    downloads: pair.downloads > 0,
                    upload_clean: pair.upload_clean,
                    download_clean: pair.download_clean,
                })
            })
            .collect()
    }
}

/// A control file to be.
#[derive(Debug, Clone, Default)]
pub struct Control {
    /// One of [`wire::mode`].
    pub mode: u64,
    /// Threshold in bytes.
    pub threshold: u64,
    /// Device and inode number of the only executable to touch; zeros for any.
    pub executable: (u64, u64),
    /// Hash of its command line, 0 for any.
    pub arguments: u64,
    /// Bits of [`wire::flag`].
    pub flags: u64,
    /// Driver version to insist on, 0 for any.
    pub driver: u64,
    /// Device UUID to insist on, zeros for any.
    pub uuid: [u64; 2],
    /// Device ordinal.
    pub ordinal: u64,
    /// Index of the rule that marks rounds, and whether its uploads do.
    pub marker: Option<(usize, bool)>,
    /// Memory kind.
    pub backend: Option<Backend>,
    /// Rules, at most [`wire::MAX_RULES`] are written.
    pub rules: Vec<Rule>,
}

/// The rule whose copies mark rounds: the first with uploads, else the first with downloads.
pub fn marker(rules: &[Rule]) -> Option<(usize, bool)> {
    let uploads = rules.iter().position(|rule| rule.uploads).map(|index| (index, true));
    uploads.or_else(|| rules.iter().position(|rule| rule.downloads).map(|index| (index, false)))
}

impl Control {
    /// The bytes of the file.
    pub fn bytes(&self) -> Vec<u8> {
        let rules = &self.rules[..self.rules.len().min(wire::MAX_RULES)];
        let mut words = vec![0u64; control::FIRST_RULE + rules.len() * control::RULE_WORDS];
        words[control::MAGIC] = wire::CONTROL_MAGIC;
        words[control::VERSION] = wire::VERSION;
        words[control::MODE] = self.mode;
        words[control::THRESHOLD] = self.threshold;
        (words[control::EXE_DEV], words[control::EXE_INO]) = self.executable;
        words[control::ARGV_HASH] = self.arguments;
        words[control::FLAGS] = self.flags;
        words[control::RULES] = rules.len() as u64;
        words[control::DRIVER] = self.driver;
        words[control::UUID_LOW] = self.uuid[0];
        words[control::UUID_HIGH] = self.uuid[1];
        words[control::ORDINAL] = self.ordinal;
        if let Some((rule, uploads)) = self.marker {
            words[control::MARKER] = rule as u64;
            words[control::MARKER_DIRECTION] = if uploads { 1 } else { 2 };
        }
        for (index, rule) in rules.iter().enumerate() {
            let base = control::FIRST_RULE + index * control::RULE_WORDS;
            words[base + control::RULE_HOST] = rule.host;
            words[base + control::RULE_DEVICE] = rule.device;
            words[base + control::RULE_BYTES] = rule.bytes;
            words[base + control::RULE_BACKEND] = self.backend.map_or(0, Backend::number);
            let bits = [
                (rule.uploads, rule_flag::UPLOADS),
                (rule.downloads, rule_flag::DOWNLOADS),
                (rule.upload_clean, rule_flag::UPLOAD_CLEAN),
                (rule.download_clean, rule_flag::DOWNLOAD_CLEAN),
            ];
            words[base + control::RULE_FLAGS] =
                bits.iter().filter(|(set, _)| *set).map(|(_, bit)| bit).sum();
        }
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }
}
