//! Escaping and the pictures of the HTML report.

use std::fmt;
use std::io::{self, Write};

use super::tables::percent;
use crate::definitions::{PAPER, PaperRow, TIERS};
use crate::interval::wilson;
use crate::summary::Summary;

/// Text made safe inside elements and quoted attributes.
pub(super) struct Escaped<'a>(pub(super) &'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for character in self.0.chars() {
            match character {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                // Characters that reverse the direction of text could disguise a path.
                '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => f.write_str("\u{fffd}")?,
                other => fmt::Write::write_char(f, other)?,
            }
        }
        Ok(())
    }
}

/// Grouped bars: per domain, how many of its repositories have each column.
pub(super) fn prevalence_picture(summary: &Summary, out: &mut dyn Write) -> io::Result<()> {
    const SERIES: [(&str, &str, &str); 4] = [
        ("explicit-copy", "explicit copy", "s1"),
        ("candidate-file", "candidate pattern", "s2"),
        ("T2", "linked by a copy", "s3"),
        ("T3", "whole buffer, one to one", "s4"),
    ];
    writeln!(
        out,
        "<figure><figcaption>Repositories by domain, as a share of those counted</figcaption>"
    )?;
    writeln!(out, "<ul class=\"legend\">")?;
    for (_, title, class) in SERIES {
        writeln!(out, "<li><span class=\"key {class}\"></span>{title}</li>")?;
    }
    if summary.has_paper_mix() {
        writeln!(out, "<li><span class=\"key mark\"></span>the paper's count</li>")?;
    }
    writeln!(out, "</ul>\n<div class=\"bars\" role=\"list\">")?;
    let lines = summary
        .domains
        .iter()
        .map(|domain| (domain.name.as_str(), &domain.counts))
        .chain([("all", &summary.total)]);
    for (name, counts) in lines {
        writeln!(
            out,
            "<div class=\"group{}\" role=\"listitem\"><div class=\"name\">{} <small>({})</small></div><div class=\"set\">",
            if name == "all" { " all" } else { "" },
            Escaped(name),
            counts.counted
        )?;
        for (code, title, class) in SERIES {
            let bar = Bar { hits: counts.of(code), trials: counts.counted, title, class };
            bar.write(out, paper(summary, name, code).map_or(Over::Nothing, Over::Paper))?;
        }
        writeln!(out, "</div></div>")?;
    }
    writeln!(out, "</div></figure>")
}

/// One bar per tier with its interval.
pub(super) fn tier_picture(summary: &Summary, out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "<figure><figcaption>Tiers: how many repositories get how far (line: 95 % interval)</figcaption>\n<div class=\"bars\" role=\"list\">"
    )?;
    for tier in TIERS {
        writeln!(
            out,
            "<div class=\"group\" role=\"listitem\"><div class=\"name\"><b>{}</b> {}</div><div class=\"set\">",
            tier.code, tier.title
        )?;
        if tier.code == "T4" && summary.proofs.ran == 0 {
            writeln!(out, "<div class=\"row\">not asked (--prove)</div>")?;
        } else {
            let (hits, trials) = (summary.total.of(tier.code), summary.total.counted);
            Bar { hits, trials, title: tier.title, class: "s2" }.write(out, Over::Interval)?;
        }
        writeln!(out, "</div></div>")?;
    }
    writeln!(out, "</div></figure>")
}

/// The paper's count for a domain or for all, where its list has the same mix and it counts this column.
fn paper(summary: &Summary, name: &str, code: &str) -> Option<u64> {
    let count: fn(&PaperRow) -> u64 = match code {
        "explicit-copy" => |row| row.explicit,
        "candidate-file" => |row| row.candidate,
        _ => return None,
    };
    let rows = PAPER.iter().filter(|row| name == "all" || row.domain == name);
    summary.has_paper_mix().then(|| rows.map(count).sum())
}

/// Drawn over a bar.
enum Over {
    Nothing,
    /// The 95 % interval.
    Interval,
    /// A mark at the paper's count.
    Paper(u64),
}

/// A bar as SVG that stretches with the page; the number stands beside it as text.
struct Bar<'a> {
    hits: u64,
    trials: u64,
    title: &'a str,
    class: &'a str,
}

impl Bar<'_> {
    fn write(&self, out: &mut dyn Write, over: Over) -> io::Result<()> {
        let Self { hits, trials, title, class } = *self;
        #[expect(clippy::cast_precision_loss, reason = "a picture")]
        let place = |count: u64| {
            if trials == 0 { 0.0 } else { count.min(trials) as f64 / trials as f64 * 100.0 }
        };
        let said = match over {
            Over::Paper(count) => format!("; the paper: {count}"),
            Over::Nothing | Over::Interval => String::new(),
        };
        write!(
            out,
            "<div class=\"row\"><svg viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"{title}: {hits} of {trials}{said}\"><rect class=\"back\" width=\"100\" height=\"10\"/><rect class=\"{class}\" width=\"{:.2}\" height=\"10\"/>",
            place(hits)
        )?;
        match over {
            Over::Nothing => {}
            Over::Interval => {
                if let Some((low, high)) = wilson(hits, trials) {
                    let (low, high) = (low * 100.0, high * 100.0);
                    write!(
                        out,
                        "<path class=\"interval\" vector-effect=\"non-scaling-stroke\" d=\"M{low:.2} 5H{high:.2}M{low:.2} 2V8M{high:.2} 2V8\"/>"
                    )?;
                }
            }
            // Not quite at the edges, where half of the stroke would be cut off.
            Over::Paper(count) => write!(
                out,
                "<path class=\"paper\" vector-effect=\"non-scaling-stroke\" d=\"M{:.2} 0V10\"/>",
                place(count).clamp(0.3, 99.7)
            )?,
        }
        writeln!(
            out,
            "</svg><span class=\"value\">{hits}/{trials} <small>{}</small></span></div>",
            percent(hits, trials)
        )
    }
}
