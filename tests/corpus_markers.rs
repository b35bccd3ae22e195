//! Unit tests of the marker grammar; the fixtures themselves run in `corpus.rs`.
#![allow(dead_code, missing_docs, unreachable_pub, reason = "shared with the test target `corpus`")]

#[path = "corpus/markers.rs"]
mod markers;
#[path = "corpus/verdicts.rs"]
mod verdicts;

mod markers_tests {
    use super::markers::*;

    fn verdict(text: &str) -> (usize, Vec<Configuration>, String, Verdict) {
        match parse(text).expect("parses").remove(0) {
            Marker { line, kind: MarkerKind::Verdict { only, pair, verdict } } => {
                (line, only, pair, verdict)
            }
            other => panic!("not a verdict: {other:?}"),
        }
    }

    #[test]
    fn reads_a_merge() {
        let (line, only, pair, verdict) = verdict("a\nb  //~ MERGE h_a/d_a\n");
        assert_eq!((line, only.len(), pair.as_str(), verdict), (2, 0, "h_a/d_a", Verdict::Merge));
    }

    #[test]
    fn carets_point_up() {
        assert_eq!(verdict("a\nb\n//~^^ MERGE h/d").0, 1);
        assert!(parse("//~^ MERGE h/d").is_err());
    }

    #[test]
    fn reads_a_decline_with_two_conditions_and_a_limit() {
        let (_, _, pair, said) = verdict("//~ DECLINE S1+S2b h.x/d[0] LIMIT needs ranges");
        assert_eq!(pair, "h.x/d[0]");
        assert_eq!(
            said,
            Verdict::Decline {
                conditions: vec!["S1".into(), "S2b".into()],
                limit: Some("needs ranges".into())
            }
        );
    }

    #[test]
    fn reads_an_unreported_pair() {
        assert_eq!(verdict("//~ LIMIT h/d pinned").3, Verdict::Unreported("pinned".into()));
        assert!(parse("//~ LIMIT h/d").is_err(), "a limit needs its reason");
    }

    #[test]
    fn selectors_must_cover_every_configuration() {
        let both = "//~ DECLINE[any-uma] S5 h/d\n//~^ MERGE[thor,any-uma+mapped] h/d\n";
        let markers = parse(both).expect("parses");
        let all: Vec<_> = configurations(&markers).iter().map(ToString::to_string).collect();
        assert_eq!(all, ["any-uma", "any-uma+mapped", "thor"]);
        assert!(parse("//~ MERGE[thor] h/d").is_err(), "nothing said for any-uma");
        assert!(
            parse("//~ MERGE h/d\n//~ DECLINE[any-uma] S5 h/d\n//~ MERGE[any-uma] h/d").is_err()
        );
    }

    #[test]
    fn rejects_what_it_does_not_know() {
        for wrong in [
            "//~ MREGE h/d",
            "//~ MERGE h",
            "//~ DECLINE S7 h/d",
            "//~ DECLINE h/d",
            "//~ MERGE[tor] h/d",
            "//~ MERGE[thor+paged] h/d",
            "//~ NOTE",
            "//~ NONE",
            "//~ MERGE h/d\n//~ NONE but there is one",
        ] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_fixture_without_a_verdict_is_an_error() {
        assert!(parse("int main() {}").is_err());
        assert!(parse("//~ NOTE something").is_err());
        assert_eq!(parse("//~ NONE managed already").expect("parses").len(), 1);
    }
}

mod verdicts_tests {
    use std::path::PathBuf;

    use serde_json::{Value, json};

    use super::markers::{Configuration, parse};
    use super::verdicts::*;

    fn report(verdict: &str, condition: &str) -> Value {
        let objections = if verdict == "merge" {
            json!([])
        } else {
            json!([{ "condition": condition, "code": "stale-read", "message": "m", "repair": "synchronize first",
                     "locations": [{ "file": "a.cu", "line": 3, "column": 1, "label": "old value of `h`" }] }])
        };
        json!({ "pairs": [{ "host": { "name": "h", "file": "a.cu", "line": 1 },
                            "device": { "name": "d", "file": "a.cu", "line": 2 },
                            "verdict": verdict, "objections": objections }] })
    }

    fn wrong(report: &Value, source: &str) -> Vec<String> {
        let markers = parse(source).expect("parses");
        let markers = Markers::from([(PathBuf::from("a.cu"), markers)]);
        differences(report, &markers, &Configuration::standard())
    }

    #[test]
    fn a_decline_may_stand_on_either_line() {
        let report = report("decline", "S1");
        assert_eq!(wrong(&report, "\n//~ DECLINE S1 h/d\n"), [""; 0]);
        assert_eq!(wrong(&report, "\n\n//~ DECLINE S1 h/d\n"), [""; 0]);
        assert_eq!(
            wrong(&report, "//~ DECLINE S1 h/d\n").len(),
            2,
            "elsewhere: unmatched both ways"
        );
    }

    #[test]
    fn a_merge_stands_on_the_device_allocation() {
        assert_eq!(wrong(&report("merge", ""), "\n//~ MERGE h/d\n"), [""; 0]);
        assert_eq!(wrong(&report("merge", ""), "\n\n//~ MERGE h/d\n").len(), 2);
    }

    #[test]
    fn verdict_and_headline_must_agree() {
        assert!(wrong(&report("merge", ""), "\n//~ DECLINE S1 h/d")[0].contains("FALSE MERGE"));
        assert!(wrong(&report("decline", "S1"), "\n//~ MERGE h/d")[0].contains("must merge"));
        assert!(
            wrong(&report("decline", "S2"), "\n//~ DECLINE S1 h/d")[0].contains("declined by S1")
        );
        assert!(wrong(&report("decline", "S1"), "\n//~ DECLINE S1+S2 h/d")[0].contains("S1+S2"));
    }

    #[test]
    fn every_pair_needs_a_marker_and_every_marker_a_pair() {
        assert_eq!(wrong(&report("merge", ""), "//~ NONE nothing").len(), 1);
        assert_eq!(wrong(&json!({ "pairs": [] }), "\n//~ MERGE h/d").len(), 1);
        assert_eq!(wrong(&json!({ "pairs": [] }), "//~ NONE nothing"), [""; 0]);
        assert_eq!(wrong(&json!({}), "//~ NONE nothing").len(), 1);
    }

    #[test]
    fn a_limit_that_is_gone_is_noticed() {
        assert_eq!(wrong(&json!({ "pairs": [] }), "\n//~ LIMIT h/d pinned"), [""; 0]);
        assert_eq!(wrong(&report("merge", ""), "\n//~ LIMIT h/d pinned").len(), 1);
    }

    #[test]
    fn notes_and_repairs_are_looked_up() {
        let report = report("decline", "S1");
        let base = "\n//~ DECLINE S1 h/d\n";
        assert_eq!(
            wrong(&report, &format!("{base}//~ NOTE old value\n//~ REPAIR synchronize")),
            [""; 0]
        );
        assert_eq!(wrong(&report, &format!("{base}//~ NOTE new value")).len(), 1);
        assert_eq!(wrong(&report, &format!("{base}//~ REPAIR move")).len(), 1);
    }
}
