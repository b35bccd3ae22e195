//! The run-time values that sizes are made of.

use std::collections::HashMap;

use crate::program::Arithmetic;
use crate::size::{Size, Symbol, as_operand};

use super::value::Region;

/// Longest text of an expression, in bytes; longer ones are named after a variable that holds them, or by number.
const LONGEST_NAME: usize = 120;

/// What makes two symbols the same: the place that produces the value.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum SymbolKey {
    /// The `n`-th unknown value that a step of a block produces.
    Produced { block: usize, step: usize, n: u32 },
    /// What a cell held when the root was entered.
    Initial { region: Region, offset: i64 },
    /// Where paths with different values of a cell meet.
    Merged { block: usize, region: Region, offset: i64 },
    /// The result of an operation the algebra does not expand: equal operands give equal results.
    Operation { op: Arithmetic, left: Size, right: Size },
    /// A value wrapped to this many bits.
    Wrapped { bits: u64, value: Size },
}

/// All symbols of one root.
#[derive(Debug, Default)]
pub(crate) struct Symbols {
    by_key: HashMap<SymbolKey, Symbol>,
    names: Vec<String>,
    /// Blocks that (re)define the value; a loop that contains one gives a new value each iteration.
    origins: Vec<Vec<usize>>,
    /// Made by a modelled library call that stores a new handle or status.
    created: Vec<bool>,
    /// The cell whose values meet in the symbol, and the block where.
    cells: Vec<Option<(usize, Region, i64)>>,
}

impl Symbols {
    /// The symbol for `key`.
    pub(crate) fn intern(&mut self, key: SymbolKey) -> Symbol {
        if let Some(&symbol) = self.by_key.get(&key) {
            return symbol;
        }
        let origins = match &key {
            SymbolKey::Produced { block, .. } | SymbolKey::Merged { block, .. } => vec![*block],
            SymbolKey::Initial { .. } => Vec::new(),
            SymbolKey::Operation { left, right, .. } => {
                let mut all: Vec<usize> = left
                    .symbols()
                    .chain(right.symbols())
                    .flat_map(|s| self.origins[s.index()].clone())
                    .collect();
                all.sort_unstable();
                all.dedup();
                all
            }
            SymbolKey::Wrapped { value, .. } => {
                let mut all: Vec<usize> =
                    value.symbols().flat_map(|s| self.origins[s.index()].clone()).collect();
                all.sort_unstable();
                all.dedup();
                all
            }
        };
        let name = match &key {
            SymbolKey::Operation { op, left, right } => format!(
                "({} {} {})",
                self.operand(left),
                match op {
                    Arithmetic::Add => "+",
                    Arithmetic::Subtract => "-",
                    Arithmetic::Multiply => "*",
                    Arithmetic::Divide => "/",
                    Arithmetic::Remainder => "%",
                    Arithmetic::ShiftLeft => "<<",
                    Arithmetic::ShiftRight => ">>",
                    Arithmetic::And => "&",
                    Arithmetic::Or => "|",
                    Arithmetic::Xor => "^",
                },
                self.operand(right)
            ),
            SymbolKey::Wrapped { bits, value } => {
                format!("(uint{bits})({})", value.display(|s| self.names[s.index()].clone()))
            }
            SymbolKey::Produced { .. } | SymbolKey::Initial { .. } | SymbolKey::Merged { .. } => {
                String::new()
            }
        };
        // An expression that is used twice in the next one would double its text each time.
        let name = if name.len() > LONGEST_NAME { String::new() } else { name };
        let symbol = Symbol::new(self.names.len());
        self.cells.push(match key {
            SymbolKey::Merged { block, region, offset } => Some((block, region, offset)),
            SymbolKey::Produced { .. }
            | SymbolKey::Initial { .. }
            | SymbolKey::Operation { .. }
            | SymbolKey::Wrapped { .. } => None,
        });
        self.by_key.insert(key, symbol);
        self.names.push(name);
        self.origins.push(origins);
        self.created.push(false);
        symbol
    }

    /// The text of `size` as an operand: a sum or product in brackets.
    fn operand(&self, size: &Size) -> String {
        as_operand(size.display(|s| self.names[s.index()].clone()))
    }

    /// The symbol for `key`, if there is one.
    pub(crate) fn lookup(&self, key: &SymbolKey) -> Option<Symbol> {
        self.by_key.get(key).copied()
    }

    /// The cell whose values on several paths `symbol` stands for, and the block where they meet.
    pub(crate) fn merged_cell(&self, symbol: Symbol) -> Option<(usize, Region, i64)> {
        self.cells[symbol.index()]
    }

    /// Names `symbol` after a variable that holds it, if it has no name yet.
    pub(crate) fn name(&mut self, symbol: Symbol, name: &str) {
        let slot = &mut self.names[symbol.index()];
        if slot.is_empty() && !name.starts_with('%') {
            name.clone_into(slot);
        }
    }

    /// Marks `symbol` as a handle that a modelled call has just created.
    pub(crate) fn mark_created(&mut self, symbol: Symbol) {
        self.created[symbol.index()] = true;
    }

    /// Whether `symbol` is a handle that a modelled call created.
    pub(crate) fn is_created(&self, symbol: Symbol) -> bool {
        self.created[symbol.index()]
    }

    /// Whether some symbol of `size` gets a new value in a block that `inside` accepts.
    pub(crate) fn redefined(&self, size: &Size, inside: impl Fn(usize) -> bool) -> bool {
        size.symbols().any(|s| self.origins[s.index()].iter().any(|&b| inside(b)))
    }

    /// The result of `left op right`.
    pub(crate) fn arithmetic(&mut self, op: Arithmetic, left: &Size, right: &Size) -> Size {
        if let (Some(a), Some(b)) = (left.as_constant(), right.as_constant()) {
            let folded = match op {
                Arithmetic::Add => a.checked_add(b),
                Arithmetic::Subtract => a.checked_sub(b),
                Arithmetic::Multiply => a.checked_mul(b),
                Arithmetic::Divide => a.checked_div(b),
                Arithmetic::Remainder => a.checked_rem(b),
                Arithmetic::ShiftLeft => u32::try_from(b)
                    .ok()
                    .filter(|&b| b < 64)
                    .and_then(|b| a.checked_mul(1i128 << b)),
                Arithmetic::ShiftRight => u32::try_from(b).ok().filter(|&b| b < 64).map(|b| a >> b),
                Arithmetic::And => Some(a & b),
                Arithmetic::Or => Some(a | b),
                Arithmetic::Xor => Some(a ^ b),
            };
            if let Some(value) = folded {
                return Size::constant(value);
            }
        }
        let exact = match op {
            Arithmetic::Add => left.add(right),
            Arithmetic::Subtract => left.subtract(right),
            Arithmetic::Multiply => left.multiply(right),
            Arithmetic::ShiftLeft => right
                .as_constant()
                .filter(|b| (0..62).contains(b))
                .and_then(|b| left.multiply(&Size::constant(1i128 << b))),
            Arithmetic::Divide => right.as_constant().and_then(|b| left.divide_exactly(b)),
            Arithmetic::Remainder
            | Arithmetic::ShiftRight
            | Arithmetic::And
            | Arithmetic::Or
            | Arithmetic::Xor => None,
        };
        exact.unwrap_or_else(|| {
            Size::symbol(self.intern(SymbolKey::Operation {
                op,
                left: left.clone(),
                right: right.clone(),
            }))
        })
    }

    /// Names of all symbols; those never stored in a variable get a number.
    pub(crate) fn into_names(self) -> Vec<String> {
        self.names
            .into_iter()
            .enumerate()
            .map(|(i, name)| if name.is_empty() { format!("?{i}") } else { name })
            .collect()
    }
}
