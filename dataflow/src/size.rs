//! Symbolic byte counts: polynomials with integer coefficients over symbols.
//!
//! Two sizes are equal iff their polynomials are; a symbol stands for one run-time value (an argument, a value
//! read from somewhere, the result of a division of two given polynomials), so equal polynomials are equal in
//! every execution. Never compared as text (DESIGN section 4).

use std::collections::BTreeMap;
use std::fmt::Write as _;

crate::index_type! {
    /// A run-time value that the algebra does not look into; index into [`crate::event::EventGraph::symbols`].
    Symbol
}

/// A polynomial: sum of coefficient times product of symbols. The empty product is the constant term.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Size {
    /// Sorted symbols (with repetition) to non-zero coefficient.
    terms: BTreeMap<Vec<Symbol>, i128>,
}

impl Size {
    /// The constant `value`.
    #[must_use]
    pub fn constant(value: i128) -> Self {
        let mut terms = BTreeMap::new();
        if value != 0 {
            terms.insert(Vec::new(), value);
        }
        Self { terms }
    }

    /// The value of `symbol`.
    #[must_use]
    pub fn symbol(symbol: Symbol) -> Self {
        Self { terms: BTreeMap::from([(vec![symbol], 1)]) }
    }

    /// The constant this is, if it is one.
    #[must_use]
    pub fn as_constant(&self) -> Option<i128> {
        match self.terms.len() {
            0 => Some(0),
            1 => self.terms.get(&Vec::new()).copied(),
            _ => None,
        }
    }

    /// Sum; `None` on overflow of a coefficient.
    #[must_use]
    pub fn add(&self, other: &Self) -> Option<Self> {
        let mut terms = self.terms.clone();
        for (product, &coefficient) in &other.terms {
            let sum = terms.get(product).copied().unwrap_or(0).checked_add(coefficient)?;
            if sum == 0 {
                terms.remove(product);
            } else {
                terms.insert(product.clone(), sum);
            }
        }
        Some(Self { terms })
    }

    /// Difference; `None` on overflow of a coefficient.
    #[must_use]
    pub fn subtract(&self, other: &Self) -> Option<Self> {
        self.add(&other.multiply(&Self::constant(-1))?)
    }

    /// Product; `None` on overflow of a coefficient or beyond 64 terms or degree 12, where the result is of no use.
    #[must_use]
    pub fn multiply(&self, other: &Self) -> Option<Self> {
        if self.terms.len() * other.terms.len() > 64 {
            return None;
        }
        let mut sum = Self::default();
        for (left, &a) in &self.terms {
            for (right, &b) in &other.terms {
                let mut product = left.clone();
                product.extend(right);
                product.sort_unstable();
                if product.len() > 12 {
                    return None;
                }
                sum = sum.add(&Self { terms: BTreeMap::from([(product, a.checked_mul(b)?)]) })?;
            }
        }
        sum.terms.retain(|_, c| *c != 0);
        Some(sum)
    }

    /// Exact quotient by a non-zero constant that divides every coefficient.
    #[must_use]
    pub fn divide_exactly(&self, by: i128) -> Option<Self> {
        if by == 0 || self.terms.values().any(|c| c % by != 0) {
            return None;
        }
        Some(Self { terms: self.terms.iter().map(|(p, c)| (p.clone(), c / by)).collect() })
    }

    /// The symbols that occur.
    pub fn symbols(&self) -> impl Iterator<Item = Symbol> + '_ {
        self.terms.keys().flatten().copied()
    }

    /// Coefficient of the plain symbol and the rest, if this is `coefficient * symbol + rest` with `symbol` in no
    /// other term.
    #[must_use]
    pub fn split_linear(&self, symbol: Symbol) -> Option<(Self, Self)> {
        let mut factor = BTreeMap::new();
        let mut rest = BTreeMap::new();
        for (product, &coefficient) in &self.terms {
            match product.iter().filter(|&&s| s == symbol).count() {
                0 => {
                    rest.insert(product.clone(), coefficient);
                }
                1 => {
                    let others = product.iter().copied().filter(|&s| s != symbol).collect();
                    factor.insert(others, coefficient);
                }
                _ => return None,
            }
        }
        Some((Self { terms: factor }, Self { terms: rest }))
    }

    /// The size in words, with `name` for each symbol: `4 * n`.
    pub fn display(&self, name: impl Fn(Symbol) -> String) -> String {
        if self.terms.is_empty() {
            return "0".to_owned();
        }
        let mut text = String::new();
        for (i, (product, coefficient)) in self.terms.iter().rev().enumerate() {
            let negative = *coefficient < 0;
            match (i, negative) {
                (0, false) => {}
                (0, true) => text.push('-'),
                (_, false) => text.push_str(" + "),
                (_, true) => text.push_str(" - "),
            }
            let names: Vec<String> = product.iter().map(|&s| name(s)).collect();
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
