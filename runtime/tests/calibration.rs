//! The two rules of calibration.

use echo_runtime::ProfitRule;
use echo_runtime::calibrate::{decide, median, spread};

#[test]
fn medians_and_spread() {
    assert_eq!(median(&[]), 0.0);
    assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
    assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), 2.5);
    assert!((spread(100.0, 103.0) - 0.03).abs() < 1e-12);
    assert_eq!(spread(0.0, 5.0), 0.0);
}

#[test]
fn a_tiny_gain_counts_only_for_the_paper() {
    let trials = [(100.0, 99.5), (100.0, 99.6), (100.0, 99.4)];
    assert!(decide(ProfitRule::Paper, &trials, 0.0).enabled);
    assert!(!decide(ProfitRule::Echo, &trials, 0.0).enabled, "below 1 %");
}

#[test]
fn a_noisy_machine_needs_a_larger_gain() {
    let trials = [(100.0, 90.0), (100.0, 91.0), (100.0, 89.0)];
    assert!(decide(ProfitRule::Echo, &trials, 0.04).enabled);
    assert!(!decide(ProfitRule::Echo, &trials, 0.06).enabled, "not above twice the spread");
    assert!(!decide(ProfitRule::Echo, &[(100.0, 110.0)], 0.0).enabled);
    assert!(!decide(ProfitRule::Paper, &[(100.0, 110.0)], 0.0).enabled);
    assert!(!decide(ProfitRule::Paper, &[], 0.0).enabled);
}
