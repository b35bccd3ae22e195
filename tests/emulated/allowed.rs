//! The list of exceptions: what a fixture may do that fixtures should not, and why.

use std::fmt;
use std::fs;

/// Where the list is.
pub const FILE: &str = "tests/emulated/allowed.txt";

/// A sort of finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum What {
    /// The original does not compile for the emulator.
    Compile,
    /// The original does not run to its end.
    Run,
    /// The original prints different things under different orders.
    Orders,
    /// The original has a race.
    Race,
    /// The original prints nothing, so that nothing can be compared.
    Silent,
    /// The decline of this pair is not explained by merging while running.
    Unexplained(String),
    /// What the tool made of it does what the original cannot do. Never allowed.
    FalseMerge,
}

impl What {
    /// Whether the list may name it.
    pub fn may_be_allowed(&self) -> bool {
        *self != Self::FalseMerge
    }

    fn parse(word: &str) -> Option<Self> {
        Some(match word {
            "compile" => Self::Compile,
            "run" => Self::Run,
            "orders" => Self::Orders,
            "race" => Self::Race,
            "silent" => Self::Silent,
            _ => Self::Unexplained(word.strip_prefix("what-if:")?.to_owned()),
        })
    }
}

impl fmt::Display for What {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Compile => write!(out, "compile"),
            Self::Run => write!(out, "run"),
            Self::Orders => write!(out, "orders"),
            Self::Race => write!(out, "race"),
            Self::Silent => write!(out, "silent"),
            Self::Unexplained(pair) => write!(out, "what-if:{pair}"),
            Self::FalseMerge => write!(out, "FALSE MERGE"),
        }
    }
}

/// The list.
pub struct Allowed {
    entries: Vec<(String, What)>,
}

impl Allowed {
    /// Reads it: a line is a fixture, a sort of finding, and the reason.
    pub fn read() -> Self {
        let text = fs::read_to_string(FILE).unwrap_or_else(|why| panic!("{FILE}: {why}"));
        let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
        let entry = |line: &str| {
            let mut words = line.splitn(3, ' ');
            let (fixture, what, reason) = (words.next()?, words.next()?, words.next()?);
            (!reason.trim().is_empty()).then_some((fixture.to_owned(), What::parse(what)?))
        };
        let entries = lines
            .map(|line| entry(line).unwrap_or_else(|| panic!("{FILE}: cannot read `{line}`")))
            .collect();
        Self { entries }
    }

    /// All fixtures that it names.
    pub fn fixtures(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|(fixture, _)| fixture.as_str())
    }

    /// What it allows a fixture.
    pub fn of(&self, fixture: &str) -> impl Iterator<Item = &What> {
        self.entries.iter().filter(move |(named, _)| named == fixture).map(|(_, what)| what)
    }

    /// Whether it allows a fixture this.
    pub fn has(&self, fixture: &str, what: &What) -> bool {
        self.of(fixture).any(|allowed| allowed == what)
    }
}
