//! What a failed fetch means, and when to try again.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crate::git::last_line;
use crate::skip::Skip;

/// A failed attempt, judged from what git printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Failure {
    /// Trying again cannot help.
    Final(Skip),
    /// The server asks to wait, for so long if it says.
    RateLimited { wait: Option<Duration>, message: String },
    /// May pass.
    Passing(String),
}

/// Judges the error output of `git fetch` (with the header trace of its HTTP library).
pub(crate) fn judge(stderr: &str, commit: Option<&str>) -> Failure {
    let message = last_line(stderr);
    let says = |text: &str| stderr.contains(text);
    let limited = says("returned error: 429")
        || (says("returned error: 403")
            && (says("rate limit") || header(stderr, "retry-after").is_some()))
        || header(stderr, "x-ratelimit-remaining").as_deref() == Some("0");
    if limited {
        return Failure::RateLimited { wait: wait_asked(stderr), message };
    }
    if says("returned error: 404")
        || says("Repository not found")
        || message.ends_with("' not found")
        || says("does not appear to be a git repository")
        || says("could not read Username")
        || says("terminal prompts disabled")
        || says("unable to get password")
        || says("returned error: 401")
        || says("returned error: 403")
        || says("returned error: 451")
        || says("Permission denied (publickey")
    {
        return Failure::Final(Skip::NotFound(message));
    }
    if says("not our ref") || says("couldn't find remote ref") || says("unadvertised object") {
        return Failure::Final(Skip::CommitMissing(commit.unwrap_or("HEAD").to_owned()));
    }
    if says("No space left on device") || (says("transport '") && says("not allowed")) {
        return Failure::Final(Skip::Network(message));
    }
    Failure::Passing(message)
}

/// The last value of a response header in the trace.
fn header(stderr: &str, name: &str) -> Option<String> {
    stderr.lines().rev().find_map(|line| {
        let (_, header) = line.split_once("Recv header:")?;
        let (found, value) = header.split_once(':')?;
        found.trim().eq_ignore_ascii_case(name).then(|| value.trim().to_owned())
    })
}

fn wait_asked(stderr: &str) -> Option<Duration> {
    let until = |then: SystemTime| then.duration_since(SystemTime::now()).unwrap_or_default();
    if let Some(value) = header(stderr, "retry-after") {
        let seconds = value.parse().ok().map(Duration::from_secs);
        let date = || httpdate::parse_http_date(&value).ok().map(until);
        if let Some(wait) = seconds.or_else(date) {
            return Some(wait);
        }
    }
    let reset = header(stderr, "x-ratelimit-reset")?.parse().ok()?;
    UNIX_EPOCH.checked_add(Duration::from_secs(reset)).map(until)
}

/// Wait before attempt `attempt` (from 1) when the server does not say: 2, 4, 8, … seconds, at most two minutes.
pub(crate) fn back_off(attempt: u32) -> Duration {
    Duration::from_secs(2_u64.saturating_pow(attempt.clamp(1, 7))).min(Duration::from_secs(120))
}

/// One limited server stops all fetches from that server, not only the one that was told.
#[derive(Debug, Default)]
pub(crate) struct Gate {
    closed_until: Mutex<BTreeMap<String, Instant>>,
}

impl Gate {
    /// Closes the gate of a host.
    pub(crate) fn close(&self, host: &str, wait: Duration) {
        let until = Instant::now() + wait;
        let mut closed = self.closed_until.lock().unwrap_or_else(PoisonError::into_inner);
        let entry = closed.entry(host.to_owned()).or_insert(until);
        *entry = (*entry).max(until);
    }

    /// How long it stays closed.
    pub(crate) fn wait(&self, host: &str) -> Duration {
        let closed = self.closed_until.lock().unwrap_or_else(PoisonError::into_inner);
        closed
            .get(host)
            .map_or(Duration::ZERO, |until| until.saturating_duration_since(Instant::now()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rate_limits_carry_the_wait_of_the_server() {
        let stderr = "10:00:00 http.c:845 <= Recv header: HTTP/1.1 429 Too Many Requests\n10:00:00 http.c:845 <= Recv header: Retry-After: 17\nfatal: unable to access 'https://x/': The requested URL returned error: 429\n";
        let Failure::RateLimited { wait, message } = judge(stderr, None) else { panic!("limited") };
        assert_eq!(wait, Some(Duration::from_secs(17)));
        assert!(message.starts_with("fatal: unable to access"));
    }

    #[test]
    fn gone_and_private_are_final_and_the_rest_passes() {
        for text in [
            "fatal: could not read Username for 'https://github.com': terminal prompts disabled",
            "remote: Repository not found.",
            "fatal: unable to get password from user",
            "fatal: '/x' does not appear to be a git repository",
        ] {
            assert!(matches!(judge(text, None), Failure::Final(Skip::NotFound(_))), "{text}");
        }
        let unadvertised = "fatal: remote error: upload-pack: not our ref 0123";
        assert_eq!(
            judge(unadvertised, Some("0123")),
            Failure::Final(Skip::CommitMissing("0123".into()))
        );
        assert!(matches!(judge("fatal: Could not resolve host: x", None), Failure::Passing(_)));
    }

    #[test]
    fn waits_grow_and_are_bounded() {
        let waits: Vec<_> = (1..10).map(|attempt| back_off(attempt).as_secs()).collect();
        assert_eq!(waits, [2, 4, 8, 16, 32, 64, 120, 120, 120]);
    }
}
