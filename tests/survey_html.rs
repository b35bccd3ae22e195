//! The HTML report in a real browser: renders, no console errors, no requests, usable with the keyboard alone,
//! readable at phone width.
//!
//! Needs Chromium (`apt install chromium`). Without it the test says so and passes, unless ECHO_REQUIRE_CHROMIUM=1.
//! With ECHO_SURVEY_SCREENSHOTS=DIR it leaves pictures there, with ECHO_SURVEY_REPORT=FILE it opens that page instead.

#[path = "survey_html/browser.rs"]
mod browser;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use browser::{Browser, find_chromium};
use serde_json::{Value, json};

/// A page with hostile names, a failure, and every tier up to T3.
fn report(folder: &Path) -> PathBuf {
    let candidate = "void f(int n) {\n float *h = new float[n], *d;\n cudaMalloc(&d, n * 4);\n cudaMemcpy(d, h, n * 4, cudaMemcpyHostToDevice);\n}\n";
    let evil =
        "<script>console.error('injected')<\u{2044}script>\"><img src=x onerror=alert(1)>.cu";
    for (name, file, text) in [
        ("plain", "a.cu", "__global__ void k() {}\n"),
        ("a-repository-with-quite-a-long-name-that-has-to-wrap-on-a-phone", evil, candidate),
        (
            "managed",
            "deep/folder/with/a/long/path/that/wraps/somewhere/in/the/middle/of/it.cu",
            candidate,
        ),
    ] {
        let path = folder.join(name).join(file.replace('\u{2044}', "∕"));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    fs::write(folder.join("managed/m.cu"), "void g() { cudaMallocManaged(&p, 4); }").unwrap();
    let list = folder.join("list.txt");
    fs::write(&list, "./plain cv\n./a-repository-with-quite-a-long-name-that-has-to-wrap-on-a-phone robotics\n./managed inference\n./gone signal\n").unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_echo-survey"))
        .current_dir(folder)
        .args(["--format", "html", "-q", "list.txt"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(3), "{}", String::from_utf8_lossy(&output.stderr));
    let page = folder.join("report.html");
    fs::write(&page, &output.stdout).unwrap();
    page
}

#[test]
#[allow(clippy::print_stderr, reason = "a skipped check must be seen")]
fn the_report_works_in_a_browser() {
    let Some(chromium) = find_chromium() else {
        assert!(
            std::env::var_os("ECHO_REQUIRE_CHROMIUM").is_none_or(|value| value != "1"),
            "Chromium is required but not installed: apt install chromium"
        );
        eprintln!(
            "SKIPPED: no Chromium on this machine (apt install chromium); the HTML report was not opened"
        );
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let page =
        std::env::var_os("ECHO_SURVEY_REPORT").map_or_else(|| report(folder.path()), PathBuf::from);
    let url = format!("file://{}", page.canonicalize().unwrap().display());
    let mut browser = Browser::start(&chromium, folder.path());

    for (name, width, height) in [("desktop", 1280, 900), ("phone", 360, 740)] {
        browser.call("Emulation.setDeviceMetricsOverride", json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}));
        browser.open(&url);
        let sees = |browser: &mut Browser, script: &str| browser.evaluate(script);
        assert!(
            sees(&mut browser, "document.querySelector('h1').innerText.length > 10")
                .as_bool()
                .unwrap()
        );
        // Bars have a width and a colour.
        let bars = sees(
            &mut browser,
            "[...document.querySelectorAll('svg rect.s2')].filter(r => r.getBoundingClientRect().width > 1 && getComputedStyle(r).fill != 'rgb(0, 0, 0)').length",
        );
        assert!(bars.as_u64().unwrap() > 0, "{name}: no bar is visible");
        // The page itself never scrolls sideways; wide tables scroll inside their own box.
        let overflow =
            sees(&mut browser, "document.documentElement.scrollWidth - window.innerWidth");
        assert!(overflow.as_i64().unwrap() <= 0, "{name}: {overflow} pixels too wide");
        let smallest = sees(
            &mut browser,
            "Math.min(...[...document.querySelectorAll('p, li, td, th, summary, dd')].map(e => parseFloat(getComputedStyle(e).fontSize)))",
        );
        assert!(smallest.as_f64().unwrap() >= 13.0, "{name}: text of {smallest} px");
        let touch = sees(
            &mut browser,
            "Math.min(...[...document.querySelectorAll('summary')].map(e => e.getBoundingClientRect().height))",
        );
        assert!(touch.as_f64().unwrap() >= 44.0, "{name}: a line to tap is {touch} px high");
        unfold_with_the_keyboard(&mut browser);
        if let Some(pictures) = std::env::var_os("ECHO_SURVEY_SCREENSHOTS") {
            fs::write(Path::new(&pictures).join(format!("{name}.png")), browser.screenshot())
                .unwrap();
        }
    }
    let complaints = browser.complaints();
    assert!(complaints.is_empty(), "{complaints:#?}");
    let requests: Vec<_> = browser
        .requests()
        .into_iter()
        .filter(|request| *request != url && !request.starts_with("data:"))
        .collect();
    assert!(requests.is_empty(), "the page is self-contained, but asks for {requests:?}");
    assert_eq!(browser.evaluate("document.scripts.length"), 0);
}

/// Tab from the top reaches the skip link, the contents, and the repositories; Enter unfolds one.
fn unfold_with_the_keyboard(browser: &mut Browser) {
    let mut reached = Vec::new();
    for _ in 0..60 {
        browser.press("Tab", 9);
        let tag = browser
            .evaluate("document.activeElement.tagName + ' ' + document.activeElement.className");
        let tag = tag.as_str().unwrap().trim().to_owned();
        let found = tag.starts_with("SUMMARY");
        reached.push(tag);
        if found {
            break;
        }
    }
    assert_eq!(reached[0], "A skip", "{reached:?}");
    assert_eq!(reached.last().map(String::as_str), Some("SUMMARY"), "{reached:?}");
    let outline = browser.evaluate("getComputedStyle(document.activeElement).outlineStyle");
    assert_eq!(outline, "solid", "the focus is visible");
    let open = "document.activeElement.parentElement.open";
    assert_eq!(browser.evaluate(open), Value::Bool(false));
    browser.press("Enter", 13);
    assert_eq!(browser.evaluate(open), Value::Bool(true));
    let visible = browser
        .evaluate("document.activeElement.nextElementSibling.getBoundingClientRect().height > 20");
    assert_eq!(visible, Value::Bool(true));
}
