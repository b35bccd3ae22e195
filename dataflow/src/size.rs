//! Symbolic byte counts: polynomials with integer coefficients over symbols.
//!
//! Two sizes are equal iff their polynomials are; a symbol stands for one run-time value (an argument, a value
//! read from somewhere, the result of a division of two given polynomials), so equal polynomials are equal in
//! every execution. Never compared as text (DESIGN section 4).

use std::fmt::Write as _;

crate::index_type! {
    /// A run-time value that the algebra does not look into; index into [`crate::event::EventGraph::symbols`].
    Symbol
}

/// A polynomial: sum of coefficient times product of symbols. Most are constants, which need no memory of their own.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Size {
    constant: i128,
    /// Products, each of one symbol or more (sorted, with repetition), with their coefficients: ascending, none zero.
    terms: Vec<(Vec<Symbol>, i128)>,
}

impl Size {
    /// The constant `value`.
    #[must_use]
    pub fn constant(value: i128) -> Self {
        Self { constant: value, terms: Vec::new() }
    }

    /// The value of `symbol`.
    #[must_use]
    pub fn symbol(symbol: Symbol) -> Self {
        Self { constant: 0, terms: vec![(vec![symbol], 1)] }
    }

    /// The constant this is, if it is one.
    #[must_use]
    pub fn as_constant(&self) -> Option<i128> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// Sum; `None` on overflow of a coefficient.
    #[must_use]
    pub fn add(&self, other: &Self) -> Option<Self> {
        let mut sum = self.clone();
        sum.constant = sum.constant.checked_add(other.constant)?;
        for (product, coefficient) in &other.terms {
            sum.add_term(product, *coefficient)?;
        }
        Some(sum)
    }

    fn add_term(&mut self, product: &[Symbol], coefficient: i128) -> Option<()> {
        if product.is_empty() {
            self.constant = self.constant.checked_add(coefficient)?;
            return Some(());
        }
        match self.terms.binary_search_by(|(own, _)| own.as_slice().cmp(product)) {
            Ok(at) => {
                let sum = self.terms[at].1.checked_add(coefficient)?;
                if sum == 0 {
                    self.terms.remove(at);
                } else {
                    self.terms[at].1 = sum;
                }
            }
            Err(at) if coefficient != 0 => self.terms.insert(at, (product.to_vec(), coefficient)),
            Err(_) => {}
        }
        Some(())
    }

    /// All terms, the constant one first if there is one.
    fn all_terms(&self) -> impl Iterator<Item = (&[Symbol], i128)> {
        let constant = (self.constant != 0).then_some((&[][..], self.constant));
        constant.into_iter().chain(self.terms.iter().map(|(product, c)| (product.as_slice(), *c)))
    }

    /// Difference; `None` on overflow of a coefficient.
    #[must_use]
    pub fn subtract(&self, other: &Self) -> Option<Self> {
        self.add(&other.multiply(&Self::constant(-1))?)
    }

    /// Product; `None` on overflow of a coefficient or beyond 64 terms or degree 12, where the result is of no use.
    #[must_use]
    pub fn multiply(&self, other: &Self) -> Option<Self> {
        if self.all_terms().count() * other.all_terms().count() > 64 {
            return None;
        }
        let mut sum = Self::default();
        for (left, a) in self.all_terms() {
            for (right, b) in other.all_terms() {
                let mut product = [left, right].concat();
                product.sort_unstable();
                if product.len() > 12 {
                    return None;
                }
                sum.add_term(&product, a.checked_mul(b)?)?;
            }
        }
        Some(sum)
    }

    /// Exact quotient by a non-zero constant that divides every coefficient.
    #[must_use]
    pub fn divide_exactly(&self, by: i128) -> Option<Self> {
        if by == 0 || self.all_terms().any(|(_, c)| c % by != 0) {
            return None;
        }
        let terms = self.terms.iter().map(|(product, c)| (product.clone(), c / by)).collect();
        Some(Self { constant: self.constant / by, terms })
    }

    /// The symbols that occur.
    pub fn symbols(&self) -> impl Iterator<Item = Symbol> + '_ {
        self.terms.iter().flat_map(|(product, _)| product).copied()
    }

    /// The same with other values for some symbols; `None` on overflow of a coefficient, or where it grows too large.
    pub(crate) fn substitute<'s>(
        &self,
        other: impl Fn(Symbol) -> Option<&'s Self>,
    ) -> Option<Self> {
        let mut sum = Self::constant(self.constant);
        for (product, coefficient) in &self.terms {
            let mut value = Self::constant(*coefficient);
            for &symbol in product {
                let factor = other(symbol).cloned().unwrap_or_else(|| Self::symbol(symbol));
                value = value.multiply(&factor)?;
            }
            sum = sum.add(&value)?;
        }
        Some(sum)
    }

    /// Bounds of the value, given those of its symbols; `None` where one of them has none.
    pub(crate) fn range(
        &self,
        of: impl Fn(Symbol) -> Option<(i128, i128)>,
    ) -> Option<(i128, i128)> {
        let (mut low, mut high) = (self.constant, self.constant);
        for (product, coefficient) in &self.terms {
            let mut bounds = (*coefficient, *coefficient);
            for &symbol in product {
                let (least, greatest) = of(symbol)?;
                let ends = [
                    bounds.0.checked_mul(least)?,
                    bounds.0.checked_mul(greatest)?,
                    bounds.1.checked_mul(least)?,
                    bounds.1.checked_mul(greatest)?,
                ];
                bounds = (*ends.iter().min()?, *ends.iter().max()?);
            }
            low = low.checked_add(bounds.0)?;
            high = high.checked_add(bounds.1)?;
        }
        Some((low, high))
    }

    /// Coefficient of the plain symbol and the rest, if this is `coefficient * symbol + rest` with `symbol` in no
    /// other term.
    #[must_use]
    pub fn split_linear(&self, symbol: Symbol) -> Option<(Self, Self)> {
        let mut factor = Self::default();
        let mut rest = Self::constant(self.constant);
        for (product, coefficient) in &self.terms {
            match product.iter().filter(|&&s| s == symbol).count() {
                0 => rest.add_term(product, *coefficient)?,
                1 => {
                    let others: Vec<Symbol> =
                        product.iter().copied().filter(|&s| s != symbol).collect();
                    factor.add_term(&others, *coefficient)?;
                }
                _ => return None,
            }
        }
        Some((factor, rest))
    }

    /// The size in words, with `name` for each symbol: `4 * n`.
    pub fn display(&self, name: impl Fn(Symbol) -> String) -> String {
        let terms: Vec<(&[Symbol], i128)> = self.all_terms().collect();
        if terms.is_empty() {
            return "0".to_owned();
        }
        let mut text = String::new();
        for (i, (product, coefficient)) in terms.into_iter().rev().enumerate() {
            let negative = coefficient < 0;
            match (i, negative) {
                (0, false) => {}
                (0, true) => text.push('-'),
                (_, false) => text.push_str(" + "),
                (_, true) => text.push_str(" - "),
            }
            // `a + b` as a factor needs brackets of its own.
            let alone = product.len() == 1 && coefficient.unsigned_abs() == 1;
            let factor = |s: Symbol| if alone { name(s) } else { as_operand(name(s)) };
            let names: Vec<String> = product.iter().map(|&s| factor(s)).collect();
            let magnitude = coefficient.unsigned_abs();
            if names.is_empty() {
                let _ = write!(text, "{magnitude}");
            } else {
                text.push_str(&names.join(" * "));
                if magnitude != 1 {
                    let _ = write!(text, " * {magnitude}");
                }
            }
        }
        text
    }
}

/// `text` with brackets around it, if it is a sum or product without them.
pub(crate) fn as_operand(text: String) -> String {
    if !text.contains(' ') || is_bracketed(&text) { text } else { format!("({text})") }
}

/// One pair of brackets holds all of `text`.
fn is_bracketed(text: &str) -> bool {
    let mut depth = 0usize;
    let mut closed_at = None;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' => {
                depth = depth.saturating_sub(1);
                if depth == 0 && closed_at.is_none() {
                    closed_at = Some(at);
                }
            }
            _ => {}
        }
    }
    text.starts_with('(') && closed_at == Some(text.len() - 1)
}
