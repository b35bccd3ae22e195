//! A headless Chromium over its debugging pipe: requests and answers are JSON texts separated by NUL.

use std::collections::VecDeque;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::{Value, json};

/// The first Chromium of the search path.
pub(crate) fn find_chromium() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    ["chromium", "chromium-browser", "google-chrome"]
        .iter()
        .flat_map(|name| std::env::split_paths(&path).map(move |folder| folder.join(name)))
        .find(|program| program.is_file())
}

/// One page of one browser.
pub(crate) struct Browser {
    process: Child,
    requests: File,
    messages: Receiver<Value>,
    events: VecDeque<Value>,
    session: Option<String>,
    next_id: u64,
    complaints: Vec<String>,
    urls: Vec<String>,
}

/// No answer of the browser takes longer, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

impl Browser {
    pub(crate) fn start(program: &Path, folder: &Path) -> Self {
        let (to, from) = (folder.join("to-browser"), folder.join("from-browser"));
        for pipe in [&to, &from] {
            assert!(Command::new("mkfifo").arg(pipe).status().unwrap().success());
        }
        // The browser expects its pipes as descriptors 3 and 4.
        let script = "exec \"$0\" --headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run --disable-extensions --disable-background-networking --user-data-dir=\"$1\" --remote-debugging-pipe about:blank 3<\"$2\" 4>\"$3\"";
        let process = Command::new("sh")
            .args(["-c", script])
            .arg(program)
            .arg(folder.join("profile"))
            .args([&to, &from])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()
            .unwrap();
        let requests = OpenOptions::new().write(true).open(&to).unwrap();
        let answers = BufReader::new(File::open(&from).unwrap());
        let (send, messages) = channel();
        std::thread::spawn(move || {
            for message in answers.split(0).map_while(Result::ok) {
                let Ok(message) = serde_json::from_slice(&message) else { return };
                if send.send(message).is_err() {
                    return;
                }
            }
        });
        let mut browser = Self {
            process,
            requests,
            messages,
            events: VecDeque::new(),
            session: None,
            next_id: 0,
            complaints: Vec::new(),
            urls: Vec::new(),
        };
        let target = browser.call("Target.createTarget", json!({"url": "about:blank"}));
        let attached = browser.call(
            "Target.attachToTarget",
            json!({"targetId": target["targetId"], "flatten": true}),
        );
        browser.session = attached["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Log", "Network"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        browser
    }

    /// Sends a command and waits for its answer.
    pub(crate) fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.next_id += 1;
        let mut message = json!({"id": self.next_id, "method": method, "params": parameters});
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        let mut bytes = serde_json::to_vec(&message).unwrap();
        bytes.push(0);
        self.requests.write_all(&bytes).unwrap();
        loop {
            let answer = self.receive(method);
            if answer["id"] == self.next_id {
                assert!(answer["error"].is_null(), "{method}: {}", answer["error"]);
                return answer["result"].clone();
            }
        }
    }

    fn receive(&mut self, waiting_for: &str) -> Value {
        let message = self
            .messages
            .recv_timeout(PATIENCE)
            .unwrap_or_else(|_| panic!("no answer to {waiting_for}"));
        let parameters = &message["params"];
        match message["method"].as_str() {
            Some("Log.entryAdded") => self.complaints.push(parameters["entry"]["text"].to_string()),
            Some("Runtime.exceptionThrown") => {
                self.complaints.push(parameters["exceptionDetails"].to_string())
            }
            Some("Runtime.consoleAPICalled") => {
                self.complaints.push(parameters["args"].to_string())
            }
            Some("Network.requestWillBeSent") => {
                self.urls
                    .push(parameters["request"]["url"].as_str().unwrap_or_default().to_owned());
            }
            Some(_) => self.events.push_back(message.clone()),
            None => {}
        }
        message
    }

    /// Opens a page and waits until it is loaded.
    pub(crate) fn open(&mut self, url: &str) {
        self.events.clear();
        self.call("Page.navigate", json!({"url": url}));
        while !self.events.iter().any(|event| event["method"] == "Page.loadEventFired") {
            self.receive("Page.loadEventFired");
        }
    }

    /// The value of an expression in the page.
    pub(crate) fn evaluate(&mut self, script: &str) -> Value {
        let result =
            self.call("Runtime.evaluate", json!({"expression": script, "returnByValue": true}));
        assert!(result["exceptionDetails"].is_null(), "{script}: {}", result["exceptionDetails"]);
        result["result"]["value"].clone()
    }

    /// Presses and releases a key.
    pub(crate) fn press(&mut self, key: &str, code: u32) {
        let text = if key == "Enter" { "\r" } else { "" };
        for kind in [if text.is_empty() { "rawKeyDown" } else { "keyDown" }, "keyUp"] {
            let mut event =
                json!({"type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code});
            if kind == "keyDown" {
                event["text"] = json!(text);
            }
            self.call("Input.dispatchKeyEvent", event);
        }
    }

    /// The whole page as PNG.
    pub(crate) fn screenshot(&mut self) -> Vec<u8> {
        let answer = self.call("Page.captureScreenshot", json!({"captureBeyondViewport": true}));
        let encoded = answer["data"].as_str().unwrap_or_default();
        decode_base64(encoded)
    }

    /// Everything written to the console, thrown, or logged by the browser.
    pub(crate) fn complaints(&self) -> Vec<String> {
        self.complaints.clone()
    }

    /// Every URL that was asked for.
    pub(crate) fn requests(&self) -> Vec<String> {
        self.urls.clone()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Its helpers are in the same process group.
        let group = format!("-{}", self.process.id());
        let _ = Command::new("kill").args(["-KILL", "--", &group]).stderr(Stdio::null()).status();
        let _ = self.process.wait();
    }
}

fn decode_base64(text: &str) -> Vec<u8> {
    let value = |byte: u8| match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let digits: Vec<u32> = text.bytes().filter_map(value).map(u32::from).collect();
    let mut bytes = Vec::with_capacity(digits.len() * 3 / 4);
    for group in digits.chunks(4) {
        let joined =
            group.iter().fold(0, |joined, digit| joined << 6 | digit) << (6 * (4 - group.len()));
        bytes.extend((0..group.len() - 1).map(|byte| (joined >> (16 - 8 * byte)).to_le_bytes()[0]));
    }
    bytes
}
