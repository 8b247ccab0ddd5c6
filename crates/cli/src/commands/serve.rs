//! `idiolect serve`: the reports of a folder in a browser.
//!
//! Only this machine can ask, only with the token in the address, and only for reports below the
//! folder. There is nothing to ask for but files: no command comes from the network.

use crate::exit::Exit;
use crate::failure::Failure;
use crate::http::{self, Request, Response};
use crate::output;
use clap::Args;
use idiolect_base::Canceller;
use idiolect_report::{POLICY, escape, read_summary};
use std::fmt::Write as _;
use std::io::Read as _;
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Component, Path, PathBuf};
use std::sync::mpsc::sync_channel;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  idiolect serve reports/            every page below reports/, and new ones as they are written
  idiolect serve . --port 8080

Ctrl-C ends it. Other machines cannot reach it; `ssh -L` can bring it to one.")]
pub struct ServeArgs {
    /// The folder with the reports
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    /// The port; 0 takes a free one
    #[arg(long, value_name = "N", default_value_t = 0)]
    port: u16,
}

/// Larger files are not sent.
const LARGEST_FILE: u64 = 64 << 20;
/// More reports are not listed.
const MOST_REPORTS: usize = 500;
const DEEPEST: usize = 4;
const WORKERS: usize = 8;
/// Connections that wait for a worker; more wait in the system's queue.
const QUEUE: usize = 1024;

struct Site {
    root: PathBuf,
    token: String,
    hosts: [String; 2],
}

pub fn run(args: &ServeArgs, canceller: &Canceller) -> Result<Exit, Failure> {
    let cannot_read = |source| Failure::CannotRead {
        path: args.folder.clone(),
        source,
    };
    let root = args.folder.canonicalize().map_err(cannot_read)?;
    if !root.is_dir() {
        return Err(Failure::usage(
            format!("`{}` is not a folder", args.folder.display()),
            "give the folder that the reports are in",
        ));
    }
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, args.port)).map_err(|error| {
        Failure::usage(
            format!("cannot listen on port {}: {error}", args.port),
            "choose another `--port`, or none",
        )
    })?;
    let port = listener.local_addr().map_or(args.port, |at| at.port());
    let token = random_token().map_err(|source| Failure::CannotRead {
        path: PathBuf::from("/dev/urandom"),
        source,
    })?;
    let site = Arc::new(Site {
        root,
        hosts: [format!("127.0.0.1:{port}"), format!("localhost:{port}")],
        token,
    });
    let (sender, receiver) = sync_channel(QUEUE);
    let receiver = Arc::new(Mutex::new(receiver));
    for _ in 0..WORKERS {
        let (site, receiver) = (Arc::clone(&site), Arc::clone(&receiver));
        std::thread::spawn(move || {
            loop {
                let next = receiver
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .recv();
                let Ok(stream) = next else { return };
                // A client that goes away is no concern of ours.
                let _ = http::serve_one(stream, POLICY, |request| site.answer(request));
            }
        });
    }
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            if sender.send(stream).is_err() {
                return;
            }
        }
    });
    output::print(&format!("http://127.0.0.1:{port}/{}/\n", site.token));
    while !canceller.is_cancelled() {
        std::thread::sleep(Duration::from_millis(50));
    }
    Ok(Exit::Clean)
}

/// 128 bits that nobody can guess.
fn random_token() -> std::io::Result<String> {
    let mut bytes = [0; 16];
    std::fs::File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    }))
}

impl Site {
    fn answer(&self, request: &Request) -> Response {
        // A page elsewhere may name us by a host name of its own.
        if !self.hosts.contains(&request.host) {
            return Response::refusal(403);
        }
        let Some(path) = http::decode(&request.path) else {
            return Response::refusal(400);
        };
        let path = path.strip_prefix('/').unwrap_or(&path);
        let (token, inner) = path.split_once('/').unwrap_or((path, ""));
        if !is_same(token, &self.token) {
            return Response::refusal(403);
        }
        match inner {
            "" => Response {
                status: 200,
                content_type: "text/html; charset=utf-8",
                body: self.list().into_bytes(),
            },
            inner => self.file(inner),
        }
    }

    /// A file below the folder, whatever the path tries.
    fn file(&self, inner: &str) -> Response {
        let path = Path::new(inner);
        let is_plain = path.components().all(|part| match part {
            Component::Normal(name) => !name.to_string_lossy().starts_with('.'),
            _ => false,
        });
        let Some(content_type) = content_type(path).filter(|_| is_plain) else {
            return Response::refusal(404);
        };
        // Links may lead out of the folder.
        let whole = match self.root.join(path).canonicalize() {
            Ok(whole) if whole.starts_with(&self.root) => whole,
            _ => return Response::refusal(404),
        };
        match std::fs::metadata(&whole) {
            Ok(data) if data.is_file() && data.len() <= LARGEST_FILE => {}
            Ok(data) if data.is_file() => return Response::refusal(413),
            _ => return Response::refusal(404),
        }
        match std::fs::read(&whole) {
            Ok(body) => Response {
                status: 200,
                content_type,
                body,
            },
            Err(_) => Response::refusal(404),
        }
    }

    /// The reports, the newest first. The page asks again by itself, so that new ones appear.
    fn list(&self) -> String {
        let mut reports = Vec::new();
        collect(&self.root, DEEPEST, &mut reports);
        reports.sort_by(|a, b| b.written.cmp(&a.written).then(a.path.cmp(&b.path)));
        let mut rows = String::new();
        for report in &reports {
            let inner = report.path.strip_prefix(&self.root).unwrap_or(&report.path);
            let name = inner.to_string_lossy();
            let (title, verdict, guarantee) = match &report.summary {
                Some(summary) => (
                    summary.title.as_str(),
                    summary.verdict.as_str(),
                    summary.guarantee.as_str(),
                ),
                None => (name.as_ref(), "", ""),
            };
            let _ = writeln!(
                rows,
                "<tr><td><a href=\"{}\">{}</a><br><small>{}</small></td><td>{}</td><td>{}</td></tr>",
                escape(&encode(&name)),
                escape(title),
                escape(&name),
                escape(verdict),
                escape(guarantee)
            );
        }
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"refresh\" content=\"5\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>idiolect reports</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
             <h1>{} reports in {}</h1>\n<table>\n{rows}</table>\n</body>\n</html>\n",
            reports.len(),
            escape(&self.root.to_string_lossy()),
        )
    }
}

const STYLE: &str = "\
:root { color-scheme: light dark; }
body { font: 14px/1.5 system-ui, sans-serif; max-width: 1100px; margin: 20px auto; padding: 0 16px; }
h1 { font-size: 1.1rem; }
table { border-collapse: collapse; width: 100%; }
td { border-top: 1px solid #8884; padding: 6px 14px 6px 0; vertical-align: top; }
small { color: #778; }
";

struct Report {
    path: PathBuf,
    written: Option<std::time::SystemTime>,
    summary: Option<idiolect_report::Summary>,
}

fn collect(folder: &Path, depth: usize, reports: &mut Vec<Report>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        // The type of the entry itself: links are not followed.
        let Ok(kind) = entry.file_type() else {
            continue;
        };
        let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
        if is_hidden || reports.len() >= MOST_REPORTS {
            continue;
        }
        if kind.is_dir() && depth > 0 {
            collect(&path, depth - 1, reports);
        }
        let is_page = path.extension().is_some_and(|e| e == "html");
        if kind.is_file() && is_page {
            let data = entry.metadata().ok();
            let is_small = data.as_ref().is_some_and(|d| d.len() <= LARGEST_FILE);
            let text = is_small
                .then(|| std::fs::read_to_string(&path).ok())
                .flatten();
            reports.push(Report {
                summary: text.and_then(|text| read_summary(&text)),
                written: data.and_then(|d| d.modified().ok()),
                path,
            });
        }
    }
}

fn content_type(path: &Path) -> Option<&'static str> {
    Some(match path.extension()?.to_str()? {
        "html" => "text/html; charset=utf-8",
        "svg" => "image/svg+xml",
        "json" | "sarif" => "application/json",
        "dot" => "text/plain; charset=utf-8",
        _ => return None,
    })
}

/// Takes the same time wherever the two differ.
fn is_same(one: &str, other: &str) -> bool {
    let differences = one.bytes().zip(other.bytes()).map(|(a, b)| a ^ b);
    one.len() == other.len() && differences.fold(0, |all, bits| all | bits) == 0
}

fn encode(path: &str) -> String {
    let mut text = String::new();
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                text.push(char::from(byte));
            }
            _ => {
                let _ = write!(text, "%{byte:02X}");
            }
        }
    }
    text
}
