//! Findings for people, drawn like rustc's.

use std::collections::BTreeMap;

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};

use crate::fix::model::{Pair, VerdictName};

/// One finding per pair: what is merged, or why not.
pub(crate) fn findings(pairs: &[Pair], texts: &BTreeMap<String, String>, color: bool) -> String {
    let renderer = if color { Renderer::styled() } else { Renderer::plain() };
    let mut out = String::new();
    for pair in pairs {
        match pair.verdict {
            VerdictName::Merge => {
                let removed = pair.copies.iter().filter(|c| c.action == "removed").count();
                let waits = pair.copies.iter().filter(|c| c.action == "synchronised").count();
                out.push_str(&format!(
                    "merged `{}` and `{}` ({}:{}): {} bytes; copies removed: {}, of these replaced by a wait: {}\n\n",
                    pair.host.name,
                    pair.device.name,
                    pair.device.file,
                    pair.device.line,
                    pair.bytes,
                    removed + waits,
                    waits
                ));
            }
            VerdictName::Decline => {
                out.push_str(&decline(pair, texts, &renderer));
                out.push_str("\n\n");
            }
        }
    }
    out
}

fn decline(pair: &Pair, texts: &BTreeMap<String, String>, renderer: &Renderer) -> String {
    let Some(first) = pair.objections.first() else { return String::new() };
    let title = format!(
        "declined to merge `{}` and `{}`: {}",
        pair.host.name, pair.device.name, first.message
    );
    let mut group = Level::WARNING.primary_title(&title).id(first.condition.as_str());
    let _ = &mut group;
    let mut report = group.elements(std::iter::empty::<annotate_snippets::Element<'_>>());
    let mut by_file: Vec<(&str, Vec<(usize, &crate::fix::model::Location)>)> = Vec::new();
    for (index, location) in first.locations.iter().enumerate() {
        match by_file.iter_mut().find(|(file, _)| *file == location.file) {
            Some((_, list)) => list.push((index, location)),
            None => by_file.push((&location.file, vec![(index, location)])),
        }
    }
    for (file, locations) in &by_file {
        let Some(text) = texts.get(*file) else { continue };
        let mut snippet = Snippet::source(text.as_str()).path(*file).fold(true);
        for (index, location) in locations {
            let start = (location.start as usize).min(text.len());
            let end = (location.end as usize).clamp(start, text.len());
            // Only the first line of a long construct: the rest says nothing more.
            let end = text.as_bytes()[start..end]
                .iter()
                .position(|&b| b == b'\n')
                .map_or(end, |p| start + p);
            if !text.is_char_boundary(start) || !text.is_char_boundary(end) {
                continue;
            }
            let kind = if *index == 0 { AnnotationKind::Primary } else { AnnotationKind::Context };
            snippet = snippet.annotation(kind.span(start..end).label(location.label.as_str()));
        }
        report = report.element(snippet);
    }
    let notes: Vec<String> = pair
        .objections
        .iter()
        .skip(1)
        .map(|o| format!("also {}: {}", o.condition, o.message))
        .take(3)
        .collect();
    for note in &notes {
        report = report.element(Level::NOTE.message(note.as_str()));
    }
    let help = first.repair.clone();
    if let Some(help) = &help {
        report = report.element(Level::HELP.message(help.as_str()));
    }
    let explain =
        format!("`echo-fix --explain {}` says what this condition means", first.condition);
    if notes.is_empty() && help.is_none() {
        report = report.element(Level::NOTE.message(explain.as_str()));
    }
    renderer.render(&[report])
}
