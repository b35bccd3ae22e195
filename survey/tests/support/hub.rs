//! Real git servers on this machine: smart HTTP through `git http-backend`, and the git protocol.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};

/// An HTTP server of the repositories below a folder. The first requests get the given answers instead.
pub struct HttpHub {
    /// Without a slash at the end.
    pub url: String,
    /// Method and target of every request.
    pub requests: Arc<Mutex<Vec<String>>>,
}

impl HttpHub {
    pub fn serving(root: &Path, first: &[&str]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let requests = Arc::new(Mutex::new(Vec::new()));
        let first = Mutex::new(first.iter().map(|&text| text.to_owned()).collect::<VecDeque<_>>());
        let state = Arc::new((root.to_owned(), first, Arc::clone(&requests)));
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let state = Arc::clone(&state);
                std::thread::spawn(move || {
                    let (root, first, requests) = &*state;
                    // A client that went away is no concern of the server.
                    let _ = serve(stream, root, first, requests);
                });
            }
        });
        Self { url, requests }
    }
}

/// Answers one request and closes.
fn serve(
    mut stream: TcpStream,
    root: &PathBuf,
    first: &Mutex<VecDeque<String>>,
    requests: &Mutex<Vec<String>>,
) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let mut words = line.split(' ').map(str::to_owned);
    let (method, target) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? <= 2 {
            break;
        }
        if let Some((name, value)) = line.trim().split_once(':') {
            headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        }
    }
    let header =
        |name: &str| headers.iter().find(|(n, _)| n == name).map_or("", |(_, value)| value);
    let body = if header("transfer-encoding") == "chunked" {
        read_chunks(&mut reader)?
    } else {
        let mut body = vec![0; header("content-length").parse().unwrap_or(0)];
        reader.read_exact(&mut body)?;
        body
    };
    requests.lock().unwrap().push(format!("{method} {target}"));
    let canned = first.lock().unwrap().pop_front();
    let answer = match canned {
        Some(canned) => format!("HTTP/1.1 {canned}\r\nContent-Length: 0\r\n\r\n").into_bytes(),
        None => {
            let (path, query) = target.split_once('?').unwrap_or((&target, ""));
            let mut backend = Command::new("git")
                .arg("http-backend")
                .env("GIT_PROJECT_ROOT", root)
                .env("GIT_HTTP_EXPORT_ALL", "1")
                .env("GIT_CONFIG_GLOBAL", "/dev/null")
                .env("GIT_CONFIG_NOSYSTEM", "1")
                .env("REQUEST_METHOD", &method)
                .env("PATH_INFO", path)
                .env("QUERY_STRING", query)
                .env("CONTENT_TYPE", header("content-type"))
                .env("CONTENT_LENGTH", body.len().to_string())
                .env("HTTP_CONTENT_ENCODING", header("content-encoding"))
                .env("GIT_PROTOCOL", header("git-protocol"))
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::null())
                .spawn()?;
            let mut stdin = backend.stdin.take().unwrap();
            let writer = std::thread::spawn(move || stdin.write_all(&body));
            let output = backend.wait_with_output()?;
            let _ = writer.join();
            let status = output
                .stdout
                .strip_prefix(b"Status: ")
                .and_then(|rest| rest.split(|&byte| byte == b'\r').next())
                .map_or("200 OK".into(), String::from_utf8_lossy);
            let head = format!("HTTP/1.1 {status}\r\nConnection: close\r\n");
            [head.into_bytes(), output.stdout].concat()
        }
    };
    stream.write_all(&answer)?;
    stream.shutdown(std::net::Shutdown::Write)?;
    reader.read_to_end(&mut Vec::new())?;
    Ok(())
}

fn read_chunks(reader: &mut impl BufRead) -> std::io::Result<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let mut size = String::new();
        reader.read_line(&mut size)?;
        let size = usize::from_str_radix(size.trim(), 16).map_err(std::io::Error::other)?;
        let mut chunk = vec![0; size + 2];
        reader.read_exact(&mut chunk)?;
        if size == 0 {
            return Ok(body);
        }
        body.extend_from_slice(&chunk[..size]);
    }
}

/// Serves the folder over the git protocol; returns its URL without a slash at the end.
pub fn git_protocol(root: &Path) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("git://{}", listener.local_addr().unwrap());
    let root = root.to_owned();
    std::thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let socket = OwnedFd::from(stream);
            let status = Command::new("git")
                .args(["daemon", "--inetd", "--export-all"])
                .arg(format!("--base-path={}", root.display()))
                .stdin(socket.try_clone().unwrap())
                .stdout(socket)
                .stderr(Stdio::null())
                .status();
            assert!(status.is_ok(), "git daemon cannot be started");
        }
    });
    url
}
