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
    Operation { op: Arithmetic, unsigned: bool, left: Size, right: Size },
    /// What an integer type keeps of a value that may not fit in it.
    Wrapped { width: Width, value: Size },
}

/// An integer type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Width {
    pub(crate) bits: u64,
    pub(crate) signed: bool,
}

impl Width {
    /// The least and the greatest value.
    pub(crate) fn range(self) -> (i128, i128) {
        let bits = self.bits.min(64);
        if self.signed { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) }
    }

    /// Whether all values from `low` to `high` are of this type.
    pub(crate) fn holds(self, (low, high): (i128, i128)) -> bool {
        let (least, greatest) = self.range();
        least <= low && high <= greatest
    }
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
    /// The narrow type that the value is of, if it is known to be.
    widths: Vec<Option<Width>>,
    /// Of what unknown code has written as a whole: how many bytes it was written to.
    bytes: Vec<Option<i64>>,
    /// For a value that was cut off: to how many bits, and what it was before.
    cut: Vec<Option<(u64, Size)>>,
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
            SymbolKey::Operation { op, left, right, .. } => format!(
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
            SymbolKey::Wrapped { width: Width { bits, signed }, value } => {
                let sign = if *signed { "" } else { "u" };
                format!("({sign}int{bits})({})", value.display(|s| self.names[s.index()].clone()))
            }
            SymbolKey::Produced { .. } | SymbolKey::Initial { .. } | SymbolKey::Merged { .. } => {
                String::new()
            }
        };
        // An expression that is used twice in the next one would double its text each time.
        let name = if name.len() > LONGEST_NAME { String::new() } else { name };
        let symbol = Symbol::new(self.names.len());
        self.widths.push(match key {
            SymbolKey::Wrapped { width, .. } => Some(width),
            SymbolKey::Produced { .. }
            | SymbolKey::Initial { .. }
            | SymbolKey::Merged { .. }
            | SymbolKey::Operation { .. } => None,
        });
        self.cells.push(match key {
            SymbolKey::Merged { block, region, offset } => Some((block, region, offset)),
            SymbolKey::Produced { .. }
            | SymbolKey::Initial { .. }
            | SymbolKey::Operation { .. }
            | SymbolKey::Wrapped { .. } => None,
        });
        self.bytes.push(None);
        self.cut.push(match &key {
            SymbolKey::Wrapped { width, value } => Some((width.bits, value.clone())),
            SymbolKey::Produced { .. }
            | SymbolKey::Initial { .. }
            | SymbolKey::Merged { .. }
            | SymbolKey::Operation { .. } => None,
        });
        self.by_key.insert(key, symbol);
        self.names.push(name);
        self.origins.push(origins);
        self.created.push(false);
        symbol
    }

    /// The value of `symbol` is of type `width`.
    pub(crate) fn note_width(&mut self, symbol: Symbol, width: Width) {
        self.widths[symbol.index()].get_or_insert(width);
    }

    /// Unknown code has written `symbol` to that many bytes.
    pub(crate) fn note_bytes(&mut self, symbol: Symbol, bytes: i64) {
        self.bytes[symbol.index()].get_or_insert(bytes);
    }

    /// How many bytes unknown code has written `symbol` to, if it has.
    pub(crate) fn bytes(&self, symbol: Symbol) -> Option<i64> {
        self.bytes[symbol.index()]
    }

    /// What was cut off to 32 bits or more to make `value`.
    pub(crate) fn uncut(&self, value: &Size) -> Option<Size> {
        let symbol = value.symbols().next()?;
        let (bits, inner) = self.cut[symbol.index()].as_ref()?;
        (*bits >= 32 && *value == Size::symbol(symbol)).then(|| inner.clone())
    }

    /// Whether all that `value` may be is of type `width`.
    fn fits(&self, width: Width, value: &Size) -> bool {
        value
            .range(|s| self.widths[s.index()].map(Width::range))
            .is_some_and(|range| width.holds(range))
    }

    /// What an object of type `width` holds after `value` was stored in it.
    pub(crate) fn cut_off(&mut self, width: Width, value: Size) -> Size {
        if self.fits(width, &value) {
            return value;
        }
        // Cut off twice is cut off once: sums and products do not look at the bits above.
        let inner: HashMap<Symbol, Size> = value
            .symbols()
            .filter_map(|symbol| self.cut[symbol.index()].clone().map(|cut| (symbol, cut)))
            .filter(|(_, (bits, _))| *bits >= width.bits)
            .map(|(symbol, (_, value))| (symbol, value))
            .collect();
        let value = value.substitute(|symbol| inner.get(&symbol)).unwrap_or(value);
        Size::symbol(self.intern(SymbolKey::Wrapped { width, value }))
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

    /// The result of `left op right`, of operands that may be `unsigned` numbers of 64 bits.
    pub(crate) fn arithmetic(
        &mut self,
        op: Arithmetic,
        unsigned: bool,
        left: &Size,
        right: &Size,
    ) -> Size {
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
        // What is divided matters as a whole: a negative number is another one than the large one with its bits.
        let signed = Width { bits: 64, signed: true };
        let differs = match op {
            Arithmetic::Divide | Arithmetic::Remainder | Arithmetic::ShiftRight => {
                !self.fits(signed, left) || !self.fits(signed, right)
            }
            Arithmetic::Add
            | Arithmetic::Subtract
            | Arithmetic::Multiply
            | Arithmetic::ShiftLeft
            | Arithmetic::And
            | Arithmetic::Or
            | Arithmetic::Xor => false,
        };
        exact.unwrap_or_else(|| {
            Size::symbol(self.intern(SymbolKey::Operation {
                op,
                unsigned: unsigned && differs,
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
