//! Markers: what a fixture says the tool must say about it (grammar in `corpus/README.md`).

use std::collections::BTreeSet;
use std::fmt;

/// One way of running the tool on a fixture.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Configuration {
    /// Value of `--target`.
    pub target: String,
    /// Value of `--memory`, if the marker names one.
    pub memory: Option<String>,
    /// `--naming rename`.
    pub rename: bool,
}

impl Configuration {
    /// The configuration in which every fixture runs.
    pub fn standard() -> Self {
        Self { target: "any-uma".into(), memory: None, rename: false }
    }

    fn parse(text: &str) -> Result<Self, String> {
        let mut words = text.split('+');
        let target = words.next().unwrap_or_default();
        if !TARGETS.contains(&target) {
            return Err(format!("unknown target `{target}`"));
        }
        let mut configuration = Self { target: target.into(), memory: None, rename: false };
        for word in words {
            if word == "rename" {
                configuration.rename = true;
            } else if MEMORY_KINDS.contains(&word) {
                configuration.memory = Some(word.into());
            } else {
                return Err(format!("unknown kind of memory `{word}`"));
            }
        }
        Ok(configuration)
    }

    /// The flags of the tool that it stands for.
    pub fn flags(&self) -> Vec<&str> {
        let mut flags = vec!["--target", &self.target];
        if let Some(memory) = &self.memory {
            flags.extend(["--memory", memory]);
        }
        if self.rename {
            flags.extend(["--naming", "rename"]);
        }
        flags
    }
}

impl fmt::Display for Configuration {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.target)?;
        if let Some(memory) = &self.memory {
            write!(out, "+{memory}")?;
        }
        if self.rename { write!(out, "+rename") } else { Ok(()) }
    }
}

/// One marker, at the line it speaks about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Marker {
    /// Line it speaks about, 1-based: its own, or above for each `^`.
    pub line: usize,
    /// What it says.
    pub kind: MarkerKind,
}

/// What a marker says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MarkerKind {
    /// The pair's verdict.
    Verdict {
        /// In which configurations; all if empty.
        only: Vec<Configuration>,
        /// Name of the host side, `/`, name of the device side.
        pair: String,
        /// The verdict.
        verdict: Verdict,
    },
    /// `NOTE text`: an objection has a location on this line whose label contains the text.
    Note(String),
    /// `REPAIR text`: an objection's repair contains the text.
    Repair(String),
    /// `NONE reason`: the tool reports no pair at all.
    NoPairs,
}

/// Verdict a marker asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// `MERGE h/d`.
    Merge,
    /// `DECLINE S1 h/d`, `DECLINE S1+S2 h/d`: the headline, then others that must be there too.
    Decline {
        /// Condition codes, headline first.
        conditions: Vec<String>,
        /// `LIMIT reason`: a sound merge that the tool does not find yet.
        limit: Option<String>,
    },
    /// `LIMIT h/d reason`: the tool does not report the pair, though it could be merged.
    Unreported(String),
}

const TARGETS: [&str; 8] = ["any-uma", "orin", "xavier", "thor", "gb10", "gh200", "mi300a", "dgpu"];
const MEMORY_KINDS: [&str; 4] = ["managed", "mapped", "registered", "system"];
const CONDITIONS: [&str; 12] =
    ["S1", "S2", "S2b", "S3", "S4", "S5", "S6", "C", "size", "m:n", "threshold", "edit"];

/// All markers of a source text.
///
/// # Errors
/// Names the line of the first marker that does not follow the grammar, or the text if it has none at all.
pub fn parse(text: &str) -> Result<Vec<Marker>, String> {
    let mut markers = Vec::new();
    for (index, line) in text.lines().enumerate() {
        for marker in line.split("//~").skip(1) {
            let marker = parse_one(index + 1, marker.trim_end())
                .map_err(|why| format!("line {}: {why}", index + 1))?;
            markers.push(marker);
        }
    }
    if !markers.iter().any(|m| !matches!(m.kind, MarkerKind::Note(_) | MarkerKind::Repair(_))) {
        return Err("no verdict marker: a fixture that expects nothing cannot fail".into());
    }
    check_coverage(&markers)?;
    Ok(markers)
}

/// The configurations the markers ask for; the standard one always among them.
pub fn configurations(markers: &[Marker]) -> BTreeSet<Configuration> {
    let mut all = BTreeSet::from([Configuration::standard()]);
    for marker in markers {
        if let MarkerKind::Verdict { only, .. } = &marker.kind {
            all.extend(only.iter().cloned());
        }
    }
    all
}

fn parse_one(line: usize, text: &str) -> Result<Marker, String> {
    let carets = text.bytes().take_while(|&byte| byte == b'^').count();
    let line = line.checked_sub(carets).filter(|&line| line > 0).ok_or("points above the file")?;
    let text = text[carets..].trim_start();
    let word_end = text.find([' ', '[']).unwrap_or(text.len());
    let (word, mut rest) = text.split_at(word_end);
    let mut only = Vec::new();
    if let Some(selector) = rest.strip_prefix('[') {
        let (list, after) = selector.split_once(']').ok_or("`[` without `]`")?;
        only = list
            .split(',')
            .map(|one| Configuration::parse(one.trim()))
            .collect::<Result<_, _>>()?;
        rest = after;
    }
    let rest = rest.trim();
    let kind = match word {
        "MERGE" => MarkerKind::Verdict { only, pair: whole_pair(rest)?, verdict: Verdict::Merge },
        "DECLINE" => {
            let (conditions, rest) =
                rest.split_once(' ').ok_or("expected a condition and a pair")?;
            let conditions: Vec<String> = conditions.split('+').map(Into::into).collect();
            if let Some(unknown) =
                conditions.iter().find(|code| !CONDITIONS.contains(&code.as_str()))
            {
                return Err(format!("unknown condition `{unknown}`"));
            }
            let (pair, limit) = match rest.split_once(" LIMIT ") {
                Some((pair, reason)) => (pair, Some(nonempty(reason, "a reason")?)),
                None => (rest, None),
            };
            let verdict = Verdict::Decline { conditions, limit };
            MarkerKind::Verdict { only, pair: whole_pair(pair)?, verdict }
        }
        "LIMIT" => {
            let (pair, reason) = rest.split_once(' ').ok_or("expected a pair and a reason")?;
            let verdict = Verdict::Unreported(nonempty(reason, "a reason")?);
            MarkerKind::Verdict { only, pair: whole_pair(pair)?, verdict }
        }
        "NOTE" if only.is_empty() => MarkerKind::Note(nonempty(rest, "a text")?),
        "REPAIR" if only.is_empty() => MarkerKind::Repair(nonempty(rest, "a text")?),
        "NONE" if only.is_empty() => {
            nonempty(rest, "a reason")?;
            MarkerKind::NoPairs
        }
        _ => return Err(format!("unknown marker `{word}`")),
    };
    Ok(Marker { line, kind })
}

fn whole_pair(text: &str) -> Result<String, String> {
    let text = text.trim();
    match text.split_once('/') {
        Some((host, device))
            if !host.is_empty() && !device.is_empty() && !text.contains(char::is_whitespace) =>
        {
            Ok(text.into())
        }
        _ => Err(format!("`{text}` is not a pair `host/device`")),
    }
}

fn nonempty(text: &str, what: &str) -> Result<String, String> {
    let text = text.trim();
    if text.is_empty() { Err(format!("expected {what}")) } else { Ok(text.into()) }
}

// A pair whose verdict depends on the configuration says it for each configuration of the fixture exactly once.
fn check_coverage(markers: &[Marker]) -> Result<(), String> {
    let all = configurations(markers);
    let verdicts: Vec<_> = markers
        .iter()
        .filter_map(|marker| match &marker.kind {
            MarkerKind::Verdict { only, pair, .. } => Some((marker.line, only, pair)),
            MarkerKind::Note(_) | MarkerKind::Repair(_) | MarkerKind::NoPairs => None,
        })
        .collect();
    if markers.iter().any(|m| m.kind == MarkerKind::NoPairs) && !verdicts.is_empty() {
        return Err("`NONE` beside a verdict".into());
    }
    for (line, only, pair) in &verdicts {
        if only.is_empty() {
            continue;
        }
        for configuration in &all {
            let said = verdicts
                .iter()
                .filter(|(_, only, other)| other == pair && only.contains(configuration))
                .count();
            if said != 1 {
                return Err(format!(
                    "line {line}: {said} verdicts on `{pair}` for `{configuration}`"
                ));
            }
        }
    }
    Ok(())
}
