//! Calibration: is a plan faster? (Paper section 3.3.2; the default rule is stricter than the paper's,
//! whose median of three above zero enables a plan without effect half the time.)

use serde::{Deserialize, Serialize};

/// Which rule decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(rename_all = "kebab-case")]
pub enum ProfitRule {
    /// Median gain above max(1 %, twice the spread of an A/A pair).
    #[default]
    Echo,
    /// Median gain above zero.
    Paper,
}

/// Outcome of the trials of one memory kind. Times are nanoseconds per round.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Decision {
    /// The plan pays.
    pub enabled: bool,
    /// Median of (without - with) / without over the trials.
    pub gain: f64,
    /// What the gain had to exceed.
    pub threshold: f64,
    /// Median time without the plan.
    pub without_ns: f64,
    /// Median time with it.
    pub with_ns: f64,
}

/// Median; 0 of nothing.
pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    match sorted.len() {
        0 => 0.0,
        length if length % 2 == 1 => sorted[length / 2],
        length => (sorted[length / 2 - 1] + sorted[length / 2]) / 2.0,
    }
}

/// Relative difference of an A/A pair.
pub fn spread(first: f64, second: f64) -> f64 {
    let low = first.min(second);
    if low > 0.0 { (first - second).abs() / low } else { 0.0 }
}

/// Decides from pairs of (without, with) times and the relative spread of an A/A pair.
pub fn decide(rule: ProfitRule, trials: &[(f64, f64)], aa_spread: f64) -> Decision {
    let gains: Vec<f64> = trials
        .iter()
        .filter(|&&(without, _)| without > 0.0)
        .map(|&(without, with)| (without - with) / without)
        .collect();
    let threshold = match rule {
        ProfitRule::Echo => (2.0 * aa_spread).max(0.01),
        ProfitRule::Paper => 0.0,
    };
    let gain = median(&gains);
    Decision {
        enabled: !gains.is_empty() && gain > threshold,
        gain,
        threshold,
        without_ns: median(&trials.iter().map(|trial| trial.0).collect::<Vec<_>>()),
        with_ns: median(&trials.iter().map(|trial| trial.1).collect::<Vec<_>>()),
    }
}
