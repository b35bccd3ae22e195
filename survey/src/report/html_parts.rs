//! Escaping and the pictures of the HTML report.

use std::fmt;
use std::io::{self, Write};

use crate::definitions::TIERS;
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
    writeln!(out, "</ul>\n<div class=\"bars\" role=\"list\">")?;
    let lines = summary
        .domains
        .iter()
        .map(|domain| (domain.name.as_str(), &domain.counts))
        .chain([("all", &summary.total)]);
    for (name, counts) in lines {
        writeln!(
            out,
            "<div class=\"group\" role=\"listitem\"><div class=\"name\">{} <small>({})</small></div><div class=\"set\">",
            Escaped(name),
            counts.counted
        )?;
        for (code, title, class) in SERIES {
            bar(out, counts.of(code), counts.counted, title, class, false)?;
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
            bar(out, summary.total.of(tier.code), summary.total.counted, tier.title, "s2", true)?;
        }
        writeln!(out, "</div></div>")?;
    }
    writeln!(out, "</div></figure>")
}

/// A bar as SVG that stretches with the page; the number stands beside it as text.
fn bar(
    out: &mut dyn Write,
    hits: u64,
    trials: u64,
    title: &str,
    class: &str,
    interval: bool,
) -> io::Result<()> {
    #[expect(clippy::cast_precision_loss, reason = "a picture")]
    let share = if trials == 0 { 0.0 } else { hits as f64 / trials as f64 };
    write!(
        out,
        "<div class=\"row\"><svg viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"{title}: {hits} of {trials}\"><rect class=\"back\" width=\"100\" height=\"10\"/><rect class=\"{class}\" width=\"{:.2}\" height=\"10\"/>",
        share * 100.0
    )?;
    if let (true, Some((low, high))) = (interval, wilson(hits, trials)) {
        write!(
            out,
            "<path class=\"interval\" vector-effect=\"non-scaling-stroke\" d=\"M{:.2} 5H{:.2}M{:.2} 2V8M{:.2} 2V8\"/>",
            low * 100.0,
            high * 100.0,
            low * 100.0,
            high * 100.0
        )?;
    }
    writeln!(out, "</svg><span class=\"value\">{hits}/{trials}</span></div>")
}
