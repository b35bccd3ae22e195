//! Work of the host.

use super::Printer;
use crate::program::{HostWork, Part, Reach, Side};

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
                let element = self.element(pair);
                self.elements(&element, low, high, work, k);
            }
            Reach::Alias => {
                let alias = format!("a{}", self.count);
                self.line("{");
                self.indent += 1;
                self.line(&format!("{ty}* {alias} = {offset};"));
                self.elements(&format!("{alias}[i]"), "0", &format!("{high} - {low}"), work, k);
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
                self.elements(&format!("{global}[i]"), "0", &format!("{high} - {low}"), work, k);
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
            Reach::Each => {
                let (first, last) = self.range(pair, low, high);
                let inner = inner("x", "at++", work, k);
                self.line("{");
                self.indent += 1;
                self.line("int at = 0;");
                self.line(&format!(
                    "std::for_each({first}, {last}, [&]({ty}& x) {{ (void)at; {inner} }});"
                ));
                self.indent -= 1;
                self.line("}");
            }
            Reach::Range => {
                let vector = self.is_vector(Side::Host(pair)) && part == Part::Whole;
                let range = if vector {
                    format!("v{pair}")
                } else {
                    format!("Range_{letter}{{{offset}, {name} + {high}}}")
                };
                let inner = inner("x", "at++", work, k);
                self.line("{");
                self.indent += 1;
                self.line("int at = 0;");
                self.line(&format!("for (auto& x : {range}) {inner}"));
                self.line("(void)at;");
                self.indent -= 1;
                self.line("}");
            }
            Reach::Returned => {
                let element = if self.count.is_multiple_of(2) {
                    format!("same_{letter}({name})[i]")
                } else {
                    format!("*place_{letter}({name}, i)")
                };
                self.elements(&format!("({element})"), low, high, work, k);
            }
            Reach::Index => {
                self.line("{");
                self.indent += 1;
                self.line(&format!("Span_{letter} span{{{name}}};"));
                self.elements("span[i]", low, high, work, k);
                self.indent -= 1;
                self.line("}");
            }
            Reach::Method => {
                let cells = format!("Cells_{letter}{{{name}, n}}");
                self.line(&match work {
                    HostWork::Read => format!("sum += {cells}.weigh({low}, {high});"),
                    HostWork::Update => format!("{cells}.bump({low}, {high});"),
                    HostWork::Fill | HostWork::Clear => {
                        format!("{cells}.fill({low}, {high}, {k});")
                    }
                });
            }
            Reach::Default => {
                // The end is an argument, the begin too unless it is that of the buffer.
                let arguments = if low == "0" {
                    format!("{name}, {high}")
                } else {
                    format!("{name}, {high}, {low}")
                };
                self.line(&match work {
                    HostWork::Read => format!("sum += weigh_to_{letter}({arguments});"),
                    HostWork::Update => format!("bump_to_{letter}({arguments});"),
                    HostWork::Fill | HostWork::Clear => format!("fill_to_{letter}({arguments});"),
                });
            }
            Reach::Open => self.line(&match work {
                HostWork::Read => format!("sum += weigh_all_{letter}({name}, {low}, {high});"),
                HostWork::Update => format!("bump_all_{letter}({name}, {low}, {high});"),
                HostWork::Fill | HostWork::Clear => {
                    format!("fill_all_{letter}({name}, {low}, {high}, {k});")
                }
            }),
        }
    }

    fn elements(&mut self, element: &str, low: &str, high: &str, work: HostWork, k: usize) {
        let inner = inner(element, "i", work, k);
        self.line(&format!("for (int i = {low}; i < {high}; i++) {inner}"));
    }

    // The element `i` of the pair's host side.
    fn element(&self, pair: usize) -> String {
        let side = Side::Host(pair);
        match self.given.get(&side) {
            Some(given) => given.element.clone(),
            None if self.is_vector(side) => format!("v{pair}[i]"),
            None => format!("{}[i]", self.name(side)),
        }
    }

    // `[first, last)` of the elements, as iterators of the vector where it is one.
    fn range(&self, pair: usize, low: &str, high: &str) -> (String, String) {
        let begin = if self.is_vector(Side::Host(pair)) {
            format!("v{pair}.begin()")
        } else {
            self.name(Side::Host(pair))
        };
        let first = if low == "0" { begin.clone() } else { format!("{begin} + {low}") };
        (first, format!("{begin} + {high}"))
    }
}

fn inner(element: &str, index: &str, work: HostWork, k: usize) -> String {
    match work {
        HostWork::Read => format!("sum = sum * 31 + (unsigned long)(long)({element} * 4);"),
        HostWork::Update => format!("{element} = {element} / 2 + {k};"),
        HostWork::Fill | HostWork::Clear => format!("{element} = ({index} * 5 + {k}) % 97;"),
    }
}
