//! Findings for people, drawn like rustc's.

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};

use crate::fix::model::{Location, Pair, VerdictName};

use super::sources::Sources;
use super::summary::count;

/// Further objections shown as notes.
const NOTES: usize = 3;

/// One finding per pair: what is merged, or why not.
pub(crate) fn findings(pairs: &[Pair], color: bool) -> String {
    let renderer = if color { Renderer::styled() } else { Renderer::plain() };
    let mut sources = Sources::default();
    let mut out = String::new();
    for pair in pairs {
        match pair.verdict {
            VerdictName::Merge => out.push_str(&merge(pair)),
            VerdictName::Decline => {
                out.push_str(&decline(pair, &mut sources, &renderer));
                out.push('\n');
            }
        }
        out.push('\n');
    }
    out
}

fn merge(pair: &Pair) -> String {
    let removed = pair.copies.iter().filter(|copy| copy.action == "removed").count();
    let waits = pair.copies.iter().filter(|copy| copy.action == "synchronised").count();
    let mut what = format!("{} removed", count(removed + waits, "copy").replace("copys", "copies"));
    if waits > 0 {
        what.push_str(&format!(
            ", {} a wait instead",
            if waits == 1 { "one leaves".to_owned() } else { format!("{waits} leave") }
        ));
    }
    let mut text = format!(
        "merge: `{}` and `{}` become one buffer of {} bytes: {what}\n  --> {}:{}:{}\n",
        pair.host.name,
        pair.device.name,
        pair.bytes,
        pair.device.file,
        pair.device.line,
        pair.device.column
    );
    for assumption in &pair.assumptions {
        text.push_str(&format!("   = assumed: {assumption}\n"));
    }
    text
}

/// One diagnostic: the first objection, with the others as notes.
fn decline(pair: &Pair, sources: &mut Sources, renderer: &Renderer) -> String {
    let Some(first) = pair.objections.first() else { return String::new() };
    let title = format!(
        "declined to merge `{}` and `{}`: {}",
        pair.host.name, pair.device.name, first.message
    );
    let excerpts = excerpts(&first.locations, sources);
    let mut group = Level::WARNING
        .primary_title(&title)
        .id(first.condition.as_str())
        .elements(std::iter::empty::<annotate_snippets::Element<'_>>());
    for excerpt in &excerpts {
        let mut snippet = Snippet::source(excerpt.text.as_str())
            .path(excerpt.file)
            .line_start(excerpt.line)
            .fold(true);
        for (primary, (start, end), label) in &excerpt.annotations {
            let kind = if *primary { AnnotationKind::Primary } else { AnnotationKind::Context };
            snippet = snippet.annotation(kind.span(*start..*end).label(*label));
        }
        group = group.element(snippet);
    }
    let mut notes: Vec<String> = Vec::new();
    notes.extend(first.note.clone());
    let others = &pair.objections[1..];
    let mut said = vec![(&first.condition, &first.message)];
    for other in others {
        let objection = (&other.condition, &other.message);
        if !said.contains(&objection) {
            said.push(objection);
        }
    }
    let also = said[1..].iter().take(NOTES);
    notes.extend(also.map(|(condition, message)| format!("also {condition}: {message}")));
    if said.len() > 1 + NOTES {
        notes.push(format!("and {} more, in `--format json`", said.len() - 1 - NOTES));
    }
    for note in &notes {
        group = group.element(Level::NOTE.message(note.as_str()));
    }
    // Following it must make the merge possible: no other objection may remain.
    if let Some(help) = &first.repair
        && others.iter().all(|other| other.repair.as_ref() == Some(help))
    {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    renderer.render(&[group])
}

/// Lines of one file, with what is to be said about them.
struct Excerpt<'a> {
    file: &'a str,
    /// 1-based line of the first line of `text`.
    line: usize,
    text: String,
    /// Primary or not, bytes of `text`, label.
    annotations: Vec<(bool, (usize, usize), &'a str)>,
}

fn excerpts<'a>(locations: &'a [Location], sources: &mut Sources) -> Vec<Excerpt<'a>> {
    let mut files: Vec<&str> = Vec::new();
    for location in locations {
        if !files.contains(&location.file.as_str()) {
            files.push(&location.file);
        }
    }
    files
        .into_iter()
        .map(|file| {
            let source = sources.get(file);
            let own: Vec<(usize, &Location)> = locations
                .iter()
                .enumerate()
                .filter(|(_, location)| location.file == file)
                .collect();
            let lines = own.iter().map(|(_, location)| source.line(location.start as usize));
            let first = lines.clone().min().unwrap_or(0);
            let last = lines.max().unwrap_or(0);
            let spans: Vec<_> =
                own.iter().map(|(_, at)| (at.start as usize, at.end as usize)).collect();
            let (text, places) = source.excerpt(first, last, &spans);
            let annotations = own
                .iter()
                .zip(places)
                .map(|((index, location), place)| (*index == 0, place, location.label.as_str()))
                .collect();
            Excerpt { file, line: first + 1, text, annotations }
        })
        .collect()
}
