//! Compares the pairs of a JSON report with the markers of a fixture, in both directions.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::markers::{Configuration, Marker, MarkerKind, Verdict};

/// Markers of each file of a fixture, by path relative to the repository.
pub type Markers = BTreeMap<PathBuf, Vec<Marker>>;

/// All differences between `report` (the JSON output in `configuration`) and `markers`; empty if there are none.
pub fn differences(
    report: &Value,
    markers: &Markers,
    configuration: &Configuration,
) -> Vec<String> {
    let pairs = match report["pairs"].as_array() {
        Some(pairs) => pairs.iter().map(Pair::read).collect::<Vec<_>>(),
        None => return vec!["the report has no `pairs`".into()],
    };
    let mut wrong = Vec::new();
    let mut explained = vec![false; pairs.len()];
    for (file, marker) in markers.iter().flat_map(|(file, all)| all.iter().map(move |m| (file, m)))
    {
        let at = format!("{}:{}", file.display(), marker.line);
        match &marker.kind {
            MarkerKind::Verdict { only, pair, verdict } => {
                if !only.is_empty() && !only.contains(configuration) {
                    continue;
                }
                let mut found = false;
                for (reported, explained) in pairs.iter().zip(&mut explained) {
                    if reported.names != *pair || !reported.is_at(file, marker.line, verdict) {
                        continue;
                    }
                    found = true;
                    *explained = true;
                    if let Some(why) = reported.contradicts(verdict) {
                        wrong.push(format!("{at}: `{pair}`: {why}"));
                    }
                }
                let expected = !matches!(verdict, Verdict::Unreported(_));
                if found != expected {
                    let what =
                        if expected { "not reported here" } else { "reported: a limit is gone" };
                    wrong.push(format!("{at}: `{pair}` is {what}"));
                }
            }
            MarkerKind::Note(text) => {
                if *configuration == Configuration::standard()
                    && !pairs.iter().any(|pair| pair.notes(file, marker.line, text))
                {
                    wrong.push(format!("{at}: no label on this line contains {text:?}"));
                }
            }
            MarkerKind::Repair(text) => {
                if *configuration == Configuration::standard()
                    && !pairs
                        .iter()
                        .any(|pair| pair.repairs.iter().any(|repair| repair.contains(text)))
                {
                    wrong.push(format!("{at}: no repair contains {text:?}"));
                }
            }
            MarkerKind::NoPairs => {}
        }
    }
    for (pair, explained) in pairs.iter().zip(explained) {
        if !explained {
            wrong.push(format!("no marker for {pair}"));
        }
    }
    wrong
}

/// What matters here of one element of `pairs`.
struct Pair {
    names: String,
    merge: bool,
    conditions: Vec<String>,
    messages: Vec<String>,
    repairs: Vec<String>,
    device: (PathBuf, usize),
    primary: Option<(PathBuf, usize)>,
    labels: Vec<(PathBuf, usize, String)>,
}

impl Pair {
    fn read(pair: &Value) -> Self {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let place = |value: &Value| (PathBuf::from(text(&value["file"])), line(value));
        let objections = pair["objections"].as_array().map_or(&[][..], Vec::as_slice);
        let locations =
            |objection: &Value| objection["locations"].as_array().cloned().unwrap_or_default();
        Self {
            names: format!("{}/{}", text(&pair["host"]["name"]), text(&pair["device"]["name"])),
            merge: pair["verdict"] == "merge",
            conditions: objections.iter().map(|one| text(&one["condition"])).collect(),
            messages: objections.iter().map(|one| text(&one["message"])).collect(),
            repairs: objections.iter().map(|one| text(&one["repair"])).collect(),
            device: place(&pair["device"]),
            primary: objections.first().and_then(|one| locations(one).first().map(place)),
            labels: objections
                .iter()
                .flat_map(locations)
                .map(|location| {
                    let (file, line) = place(&location);
                    (file, line, text(&location["label"]))
                })
                .collect(),
        }
    }

    // A merge stands on the line of the device allocation; a decline there or on its primary line.
    fn is_at(&self, file: &Path, line: usize, verdict: &Verdict) -> bool {
        let is = |place: &(PathBuf, usize)| place.0 == file && place.1 == line;
        match verdict {
            Verdict::Merge | Verdict::Unreported(_) => is(&self.device),
            Verdict::Decline { .. } => is(&self.device) || self.primary.as_ref().is_some_and(is),
        }
    }

    fn contradicts(&self, verdict: &Verdict) -> Option<String> {
        match verdict {
            Verdict::Merge if self.merge => None,
            Verdict::Merge => Some(format!("must merge, but {self}")),
            Verdict::Decline { .. } if self.merge => Some("FALSE MERGE: must be declined".into()),
            Verdict::Decline { conditions, .. } => {
                let headline = self.conditions.first() == conditions.first();
                let others = conditions.iter().all(|code| self.conditions.contains(code));
                (!headline || !others)
                    .then(|| format!("must be declined by {}, but {self}", conditions.join("+")))
            }
            Verdict::Unreported(_) => None,
        }
    }

    fn notes(&self, file: &Path, line: usize, text: &str) -> bool {
        self.labels.iter().any(|(at, on, label)| at == file && *on == line && label.contains(text))
    }
}

impl std::fmt::Display for Pair {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "`{}` at {}:{} is ", self.names, self.device.0.display(), self.device.1)?;
        if self.merge {
            return write!(out, "merged");
        }
        write!(out, "declined")?;
        for (condition, message) in self.conditions.iter().zip(&self.messages) {
            write!(out, " [{condition}: {message}]")?;
        }
        if let Some((_, line)) = &self.primary {
            write!(out, ", primary line {line}")?;
        }
        Ok(())
    }
}

fn line(place: &Value) -> usize {
    place["line"].as_u64().and_then(|line| usize::try_from(line).ok()).unwrap_or(0)
}
