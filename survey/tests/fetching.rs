//! Fetching from real git servers on this machine: smart HTTP, the git protocol, and servers that limit, move or lie.

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::{Duration, SystemTime};

use echo_survey::{Limits, Row, Skip, Status, Tier};
use support::hub::{HttpHub, git_protocol};
use support::{CANDIDATE, Scan, Server, bare, git};

/// `hub/o/r.git` with two commits, the second without the pattern; a large file; a tag.
struct Hub {
    top: tempfile::TempDir,
    commits: [String; 2],
}

const LARGE: usize = 900_000;

fn hub() -> Hub {
    let top = tempfile::tempdir().unwrap();
    fs::create_dir_all(top.path().join("hub/o")).unwrap();
    // Does not compress.
    let mut state = 1_u64;
    let noise: Vec<u8> = std::iter::repeat_with(|| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u8
    })
    .take(LARGE)
    .collect();
    let repository =
        bare(&top.path().join("hub/o/r.git"), &[("a.cu", CANDIDATE.as_bytes()), ("big.c", &noise)]);
    for setting in ["uploadpack.allowFilter", "uploadpack.allowAnySHA1InWant"] {
        git(&repository, &["config", setting, "true"]);
    }
    let first = git(&repository, &["rev-parse", "HEAD"]);
    git(&repository, &["tag", "v1"]);
    let text = git(&repository, &["hash-object", "-w", "--stdin"]);
    let tree = support::raw_tree(&repository, &[("100644", b"a.cu", &text)]);
    let second = git(&repository, &["commit-tree", "-p", &first, "-m", "y", &tree]);
    git(&repository, &["update-ref", "refs/heads/main", &second]);
    Hub { top, commits: [first, second] }
}

impl Hub {
    fn root(&self) -> PathBuf {
        self.top.path().join("hub")
    }

    fn scan(&self, url: &str) -> Scan<'_> {
        Scan {
            github: url.to_owned(),
            limits: Limits { attempts: 4, ..Limits::default() },
            ..Scan::new(self.top.path())
        }
    }

    /// The line that pins the commit with the pattern.
    fn pinned(&self) -> String {
        format!("o/r@{}", self.commits[0])
    }

    fn cached(&self) -> PathBuf {
        self.top.path().join("cache/github/o/r.git")
    }
}

fn reason(row: &Row) -> &str {
    row.reason.as_ref().map_or("ok", Skip::code)
}

fn seconds(scan: &Scan<'_>) -> Vec<u64> {
    // Waits are measured from the answer on, so a second may have begun since.
    scan.waits.lock().unwrap().iter().map(|wait| wait.as_secs_f64().ceil() as u64).collect()
}

fn objects(repository: &Path) -> String {
    git(
        repository,
        &["cat-file", "--batch-all-objects", "--batch-check=%(objecttype) %(objectsize)"],
    )
}

#[test]
fn one_commit_is_fetched_without_history_tags_or_large_files() {
    let hub = hub();
    let http = HttpHub::serving(&hub.root(), &[]);
    let scan = hub.scan(&http.url);
    let row = scan.list(&hub.pinned()).remove(0);
    assert_eq!(
        (row.status, row.tier, row.files.too_large),
        (Status::Scanned, Tier::T3, 1),
        "{row:?}"
    );
    assert_eq!(row.commit.as_ref(), Some(&hub.commits[0]));
    let there = objects(&hub.cached());
    assert!(there.lines().count() == 3 && !there.contains(&LARGE.to_string()), "{there}");
    assert_eq!(
        git(&hub.cached(), &["for-each-ref", "--format=%(refname)"]),
        format!("refs/echo/{}", hub.commits[0])
    );

    // Again: from the cache, without a request. The newest commit: asked for each time.
    let before = http.requests.lock().unwrap().len();
    assert_eq!(scan.list(&hub.pinned()).remove(0).columns, row.columns);
    assert_eq!(http.requests.lock().unwrap().len(), before);
    let newest = scan.list("o/r").remove(0);
    assert_eq!((newest.commit.as_ref(), newest.tier), (Some(&hub.commits[1]), Tier::T0));
    assert!(http.requests.lock().unwrap().len() > before);
    assert!(scan.waits.lock().unwrap().is_empty());
}

#[test]
fn the_git_protocol_works_as_well() {
    let hub = hub();
    let scan = hub.scan("file:///nonexistent");
    let url = git_protocol(&hub.root());
    let rows = scan.list(&format!("{url}/o/r.git@{}\n{url}/o/none.git", hub.commits[0]));
    assert_eq!((rows[0].status, rows[0].tier), (Status::Scanned, Tier::T3), "{:?}", rows[0]);
    assert_eq!(rows[1].status, Status::Skipped, "{:?}", rows[1]);
}

#[test]
fn the_wait_that_a_server_asks_for_is_kept_and_then_it_works() {
    let hub = hub();
    let later = SystemTime::now() + Duration::from_secs(200);
    let epoch = later.duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs();
    let date = format!("429 Too Many Requests\r\nRetry-After: {}", httpdate::fmt_http_date(later));
    let exhausted =
        format!("403 Forbidden\r\nX-RateLimit-Remaining: 0\r\nX-RateLimit-Reset: {epoch}");
    for (answers, expected) in [
        (
            vec![
                "429 Too Many Requests\r\nRetry-After: 30",
                "429 Too Many Requests\r\nretry-after: 40",
            ],
            vec![30, 40],
        ),
        (vec!["403 Forbidden\r\nRetry-After: 60"], vec![60]),
        (vec![&date], vec![200]),
        (vec![&exhausted], vec![200]),
        // Without a word about time: 8, 16 seconds.
        (vec!["429 Too Many Requests", "429 Too Many Requests"], vec![8, 16]),
        // Passing trouble: 2, 4 seconds.
        (vec!["503 Service Unavailable", "502 Bad Gateway"], vec![2, 4]),
    ] {
        let http = HttpHub::serving(&hub.root(), &answers);
        let scan = hub.scan(&http.url);
        let row = scan.list(&hub.pinned()).remove(0);
        assert_eq!(row.status, Status::Scanned, "{answers:?}: {row:?}");
        let waits = seconds(&scan);
        // A gate is opened by time, and no time passes here: every later wait is what is left of the longest.
        assert_eq!(waits.len(), expected.len(), "{answers:?}: {waits:?}");
        for (wait, expected) in waits.iter().zip(&expected) {
            assert!(wait <= expected && wait + 10 > *expected, "{answers:?}: {waits:?}");
        }
        fs::remove_dir_all(hub.top.path().join("cache")).unwrap();
    }
}

#[test]
fn one_limited_answer_holds_back_every_fetch_from_that_host() {
    let hub = hub();
    let limited = HttpHub::serving(&hub.root(), &["429 Too Many Requests\r\nRetry-After: 100"]);
    let free = HttpHub::serving(&hub.root(), &[]);
    let mut scan = hub.scan(&limited.url);
    scan.jobs = 1;
    let list = format!("{}\n{}/o/r.git\n{}/o/r.git", hub.pinned(), limited.url, free.url);
    let rows = scan.list(&list);
    assert!(rows.iter().all(|row| row.status == Status::Scanned), "{rows:?}");
    let waits = seconds(&scan);
    let same_host = limited.url.split(':').nth(1) == free.url.split(':').nth(1);
    assert_eq!(waits.len(), if same_host { 3 } else { 2 }, "{waits:?}");
    assert!(waits.iter().all(|&wait| (80..=100).contains(&wait)), "{waits:?}");
}

#[test]
fn a_wait_beyond_the_limit_is_not_begun() {
    let hub = hub();
    let http = HttpHub::serving(&hub.root(), &["429 Too Many Requests\r\nRetry-After: 86400"]);
    let scan = hub.scan(&http.url);
    let row = scan.list(&hub.pinned()).remove(0);
    assert_eq!(reason(&row), "rate-limited", "{row:?}");
    assert!(row.reason.unwrap().to_string().contains("86400 s"));
    assert!(scan.waits.lock().unwrap().is_empty());
    assert!(!hub.cached().exists(), "nothing half-done stays");
}

#[test]
fn a_moved_repository_is_followed_and_a_private_one_asks_nobody() {
    let hub = hub();
    let target = HttpHub::serving(&hub.root(), &[]);
    let moved = format!(
        "301 Moved Permanently\r\nLocation: {}/o/r.git/info/refs?service=git-upload-pack",
        target.url
    );
    let http = HttpHub::serving(&hub.root(), &[&moved]);
    let row = hub.scan(&http.url).list(&format!("old/name@{}", hub.commits[0])).remove(0);
    assert_eq!(row.status, Status::Scanned, "{row:?}");
    assert_eq!(http.requests.lock().unwrap().len(), 1, "the rest goes to the new place");

    let unauthorized = "401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"x\"";
    let private = HttpHub::serving(&hub.root(), &[unauthorized; 9]);
    let scan = hub.scan(&private.url);
    let row = scan.list(&hub.pinned()).remove(0);
    assert_eq!(reason(&row), "not-found", "{row:?}");
    assert_eq!(private.requests.lock().unwrap().len(), 1, "no password is tried");
}

#[test]
fn a_commit_that_is_not_there_and_a_download_that_is_too_large_are_reasons() {
    let hub = hub();
    let http = HttpHub::serving(&hub.root(), &[]);
    let mut scan = hub.scan(&http.url);
    let absent = scan.list(&format!("o/r@{}", "0".repeat(39) + "1")).remove(0);
    assert_eq!(reason(&absent), "commit-missing", "{absent:?}");
    scan.limits.fetch_bytes = (LARGE / 2) as u64;
    scan.limits.file_bytes = 2 * LARGE as u64;
    let large = scan.list(&hub.pinned()).remove(0);
    assert_eq!(reason(&large), "too-big", "{large:?}");
    assert!(!hub.cached().exists());
}

#[test]
fn what_a_killed_fetch_left_is_no_obstacle() {
    let hub = hub();
    let http = HttpHub::serving(&hub.root(), &[]);
    let scan = hub.scan(&http.url);
    // Killed before anything was complete.
    let cached = hub.cached();
    fs::create_dir_all(cached.join("objects/pack")).unwrap();
    fs::write(cached.join("HEAD"), "half").unwrap();
    assert_eq!(scan.list(&hub.pinned()).remove(0).status, Status::Scanned);
    // Killed while a second commit was on its way: the first stays, git's locks go.
    for left in
        ["shallow.lock", "objects/pack/tmp_pack_1", &format!("refs/echo/{}.lock", hub.commits[1])]
    {
        fs::write(cached.join(left), "half").unwrap();
    }
    let row = scan.list(&format!("o/r@{}", hub.commits[1])).remove(0);
    assert_eq!(row.status, Status::Scanned, "{row:?}");
    assert!(!cached.join("objects/pack/tmp_pack_1").exists());
    let before = http.requests.lock().unwrap().len();
    assert_eq!(scan.list(&hub.pinned()).remove(0).tier, Tier::T3);
    assert_eq!(http.requests.lock().unwrap().len(), before, "still in the cache");
}

#[test]
fn a_server_that_never_answers_costs_its_time_and_no_more() {
    let top = tempfile::tempdir().unwrap();
    let server = Server::answering(None);
    let mut scan = Scan::new(top.path());
    scan.limits.fetch_time = Duration::from_millis(300);
    let row = scan.list(&server.url).remove(0);
    assert_eq!(reason(&row), "timed-out", "{row:?}");
    assert!(server.requests.load(Ordering::SeqCst) <= 1);
}
