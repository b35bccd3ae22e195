//! Work of the host.

use super::Printer;
use crate::program::{HostKind, HostWork, Part, Reach, Side};

impl Printer<'_> {
    pub(super) fn host(&mut self, pair: usize, work: HostWork, part: Part, reach: Reach) {
        let name = self.name(Side::Host(pair));
        let (letter, ty, k) = (self.letter, self.ty, self.count % 13);
        let (low, high) = match part {
            Part::Whole => ("0", "n"),
            Part::Lower | Part::Stripe => ("0", "n / 2"),
            Part::Upper | Part::Shift => ("n / 2", "n"),
        };
        if work == HostWork::Clear {
            let bytes = self.bytes(pair);
            self.line(&format!("memset({name}, 0, {bytes});"));
            return;
        }
        let offset = if low == "0" { name.clone() } else { format!("{name} + {low}") };
        match reach {
            Reach::Loop => {
                let vector = self.program.pairs[pair].host == HostKind::Vector;
                let place = if vector { format!("v{pair}") } else { name };
                self.elements(&place, low, high, work, k);
            }
            Reach::Alias => {
                let alias = format!("a{}", self.count);
                self.line("{");
                self.indent += 1;
                self.line(&format!("{ty}* {alias} = {offset};"));
                self.elements(&alias, "0", &format!("{high} - {low}"), work, k);
                self.indent -= 1;
                self.line("}");
            }
            Reach::Function => self.line(&match work {
                HostWork::Read => format!("sum += weigh_{letter}({name}, {low}, {high});"),
                HostWork::Update => format!("bump_{letter}({name}, {low}, {high});"),
                HostWork::Fill | HostWork::Clear => {
                    format!("fill_{letter}({name}, {low}, {high}, {k});")
                }
            }),
            Reach::Pointer => {
                let inner = inner("*q", "(q - first)", work, k);
                self.line("{");
                self.indent += 1;
                self.line(&format!("{ty}* first = {offset};"));
                self.line(&format!("for ({ty}* q = first; q != first + ({high} - {low}); ++q) {{"));
                self.line(&format!("  {inner}"));
                self.line("}");
                self.indent -= 1;
                self.line("}");
            }
            Reach::Global => {
                let global = format!("last_{letter}");
                self.line(&format!("{global} = {offset};"));
                self.elements(&global, "0", &format!("{high} - {low}"), work, k);
            }
            Reach::Lambda => {
                self.line("{");
                self.indent += 1;
                self.line(&format!("auto at = [&](int i) -> {ty}& {{ return {name}[i]; }};"));
                let inner = inner("at(i)", "i", work, k);
                self.line(&format!("for (int i = {low}; i < {high}; i++) {inner}"));
                self.indent -= 1;
                self.line("}");
            }
            Reach::Algorithm => {
                let range = format!("{offset}, {name} + {high}");
                self.line(&match work {
                    HostWork::Read => format!(
                        "sum = std::accumulate({range}, sum, [](unsigned long s, {ty} x) {{ return s * 31 + (unsigned long)(long)(x * 4); }});"
                    ),
                    HostWork::Update => format!(
                        "std::transform({range}, {offset}, []({ty} x) {{ return x / 2 + {k}; }});"
                    ),
                    HostWork::Fill | HostWork::Clear => format!("std::fill({range}, ({ty}){k});"),
                });
            }
        }
    }

    fn elements(&mut self, place: &str, low: &str, high: &str, work: HostWork, k: usize) {
        let inner = inner(&format!("{place}[i]"), "i", work, k);
        self.line(&format!("for (int i = {low}; i < {high}; i++) {inner}"));
    }
}

fn inner(element: &str, index: &str, work: HostWork, k: usize) -> String {
    match work {
        HostWork::Read => format!("sum = sum * 31 + (unsigned long)(long)({element} * 4);"),
        HostWork::Update => format!("{element} = {element} / 2 + {k};"),
        HostWork::Fill | HostWork::Clear => format!("{element} = ({index} * 5 + {k}) % 97;"),
    }
}
