//! Wilson score interval of a proportion.

/// The 95 % interval of `hits` among `trials`, as fractions. `None` when there are no trials.
///
/// The repositories of a list are no random sample of all repositories; the interval says how far the number could
/// move by chance alone, nothing about how the list was made.
pub fn wilson(hits: u64, trials: u64) -> Option<(f64, f64)> {
    const Z: f64 = 1.959_963_984_540_054;
    if trials == 0 {
        return None;
    }
    #[expect(clippy::cast_precision_loss, reason = "counts of repositories are far below 2^52")]
    let (hits, trials) = (hits as f64, trials as f64);
    let share = hits / trials;
    let z2 = Z * Z / trials;
    let centre = (share + z2 / 2.0) / (1.0 + z2);
    let half = Z / (1.0 + z2) * (share * (1.0 - share) / trials + z2 / (4.0 * trials)).sqrt();
    Some(((centre - half).max(0.0), (centre + half).min(1.0)))
}

#[cfg(test)]
mod tests {
    use super::wilson;

    #[test]
    fn known_values() {
        // 19 of 34, computed with an independent calculator.
        let (low, high) = wilson(19, 34).unwrap();
        assert!((low - 0.394_5).abs() < 5e-4 && (high - 0.711_2).abs() < 5e-4, "{low} {high}");
        assert_eq!(wilson(0, 0), None);
        let (low, high) = wilson(0, 10).unwrap();
        assert!(low == 0.0 && (high - 0.2775).abs() < 5e-4, "{high}");
    }
}
