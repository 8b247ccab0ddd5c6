//! `idiolect serve`: the reports of a folder in a browser, the runs that are making some, and the
//! same again with other options.
//!
//! Only this machine can ask, only with the token in the address, and only for reports below the
//! folder. No command comes from the network: see `rerun.rs`.

mod rerun;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::http::{self, Request, Response};
use crate::live::{self, Status};
use crate::output;
use clap::Args;
use idiolect_base::Canceller;
use idiolect_report::{POLICY, escape, read_summary};
use rerun::{Recipe, Rerun};
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

The page shows runs that are making a report in this folder, and can repeat the analysis of a
report with other options; it is run where `serve` was started.

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

/// Analyses started from the page that go on at the same time.
const MOST_RERUNS: usize = 2;

/// The list asks for itself again, and has forms.
const LIST_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; \
                           script-src 'unsafe-inline'; connect-src 'self'; form-action 'self'; \
                           base-uri 'none'";

struct Site {
    root: PathBuf,
    token: String,
    hosts: [String; 2],
    reruns: Mutex<Vec<Rerun>>,
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
        reruns: Mutex::default(),
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
                let _ = http::serve_one(stream, |request| site.answer(request));
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
    // What was started from here ends with us.
    site.reruns().clear();
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
        match (inner, &request.form) {
            ("", None) => html(self.list()),
            ("running", None) => html(self.running()),
            ("again", Some(form)) => self.again(form),
            (_, Some(_)) => Response::refusal(405),
            (inner, None) => self.file(inner),
        }
    }

    fn reruns(&self) -> std::sync::MutexGuard<'_, Vec<Rerun>> {
        self.reruns.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts the analysis of a report again, with the options of the form.
    fn again(&self, form: &[u8]) -> Response {
        let Some(fields) = http::form_fields(form) else {
            return Response::refusal(400);
        };
        let name = fields.iter().find(|(name, _)| name == "report");
        let Some(first) = name.and_then(|(_, inner)| self.inside(inner)) else {
            return Response::refusal(404);
        };
        let summary = std::fs::read_to_string(&first).ok();
        let summary = summary.and_then(|text| read_summary(&text));
        let recipe = match summary {
            Some(summary) => Recipe::read(&summary.command),
            None => Err("it is no report of ours".to_owned()),
        };
        let recipe = recipe.and_then(|mut recipe| {
            let options = fields.iter().filter(|(name, _)| name != "report");
            for (name, value) in options {
                recipe.set(name, value.trim())?;
            }
            Ok(recipe)
        });
        let complain = |status: u16, text: &str| Response {
            body: format!("{text}\n").into_bytes(),
            ..Response::refusal(status)
        };
        let recipe = match recipe {
            Ok(recipe) => recipe,
            Err(why) => return complain(409, &why),
        };
        let mut reruns = self.reruns();
        let n_running = reruns
            .iter_mut()
            .filter_map(|r| r.end().is_none().then_some(()))
            .count();
        if n_running >= MOST_RERUNS {
            return complain(429, "wait until one of the others has ended");
        }
        match Rerun::start(&recipe, &first) {
            Ok(rerun) => reruns.push(rerun),
            Err(failure) => return complain(409, &failure.to_string()),
        }
        Response {
            location: Some(format!("/{}/", self.token)),
            ..Response::refusal(303)
        }
    }

    /// The file of a report below the folder, whatever the path tries.
    fn inside(&self, inner: &str) -> Option<PathBuf> {
        let path = Path::new(inner);
        let is_plain = path.components().all(|part| match part {
            Component::Normal(name) => !name.to_string_lossy().starts_with('.'),
            _ => false,
        });
        if !is_plain {
            return None;
        }
        // Links may lead out of the folder.
        let whole = self.root.join(path).canonicalize().ok()?;
        whole.starts_with(&self.root).then_some(whole)
    }

    /// Runs in progress, and those started from here that came to nothing. The first line is a mark
    /// that changes when the list has to be asked for again.
    fn running(&self) -> String {
        let found = Found::below(&self.root);
        let newest = found.reports.iter().filter_map(|r| r.written).max();
        let newest = newest.and_then(|at| at.duration_since(std::time::UNIX_EPOCH).ok());
        let mut text = format!(
            "<p hidden id=\"mark\">{} {}</p>\n",
            found.reports.len(),
            newest.map_or(0, |at| at.as_millis())
        );
        for status in &found.running {
            let _ = writeln!(
                text,
                "<p class=\"run\"><b>running for {} s</b> {} {}<br><small>{}</small></p>",
                status.seconds,
                escape(&status.phase),
                escape(&status.message),
                escape(&status.command)
            );
        }
        for rerun in self.reruns().iter_mut() {
            let name = rerun.report.clone();
            if let Some(why) = rerun.end().filter(|why| !why.is_empty()) {
                let name = name.file_name().unwrap_or_default().to_string_lossy();
                let _ = writeln!(
                    text,
                    "<p class=\"run\"><b>{} was not made</b></p><pre>{}</pre>",
                    escape(&name),
                    escape(why)
                );
            }
        }
        text
    }

    fn file(&self, inner: &str) -> Response {
        let content_type = content_type(Path::new(inner));
        let (Some(content_type), Some(whole)) = (content_type, self.inside(inner)) else {
            return Response::refusal(404);
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
                policy: POLICY,
                location: None,
            },
            Err(_) => Response::refusal(404),
        }
    }

    /// The reports, the newest first. The page asks again by itself, so that new ones appear.
    fn list(&self) -> String {
        let mut reports = Found::below(&self.root).reports;
        reports.sort_by(|a, b| b.written.cmp(&a.written).then(a.path.cmp(&b.path)));
        let mut rows = String::new();
        for report in &reports {
            let inner = report.path.strip_prefix(&self.root).unwrap_or(&report.path);
            let name = inner.to_string_lossy();
            let summary = report.summary();
            let (title, verdict, guarantee) = match &summary {
                Some(summary) => (
                    summary.title.as_str(),
                    summary.verdict.as_str(),
                    summary.guarantee.as_str(),
                ),
                None => (name.as_ref(), "", ""),
            };
            let _ = writeln!(
                rows,
                "<tr><td><a href=\"{}\">{}</a><br><small>{}</small></td><td>{}</td><td>{}{}</td></tr>",
                escape(&encode(&name)),
                escape(title),
                escape(&name),
                escape(verdict),
                escape(guarantee),
                summary
                    .as_ref()
                    .map_or_else(String::new, |s| form(&name, &s.command))
            );
        }
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <noscript><meta http-equiv=\"refresh\" content=\"5\"></noscript>\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>idiolect reports</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
             <h1>{} reports in {}</h1>\n<div id=\"running\" aria-live=\"polite\">\n{}</div>\n\
             <table>\n{rows}</table>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n",
            reports.len(),
            escape(&self.root.to_string_lossy()),
            self.running(),
        )
    }
}

const STYLE: &str = "\
:root { color-scheme: light dark; }
body { font: 14px/1.5 system-ui, sans-serif; max-width: 1100px; margin: 20px auto; padding: 0 16px; }
h1 { font-size: 1.1rem; }
table { border-collapse: collapse; width: 100%; }
td { border-top: 1px solid #8884; padding: 6px 14px 6px 0; vertical-align: top; }
small { color: #778; overflow-wrap: anywhere; }
pre { white-space: pre-wrap; }
.run { border-left: 4px solid #37b; padding-left: 10px; }
summary { cursor: pointer; }
form { display: flex; flex-wrap: wrap; gap: 8px 14px; padding: 8px 0; align-items: end; }
label { display: grid; font-size: 12px; }
input { font: inherit; width: 9em; }
";

/// Looks at what is running; when reports have come or gone and nobody is filling in a form, the
/// whole list is asked for again.
const SCRIPT: &str = "\
const place = document.getElementById('running');
const mark = () => document.getElementById('mark')?.textContent;
const first = mark();
setInterval(async () => {
  try {
    const answer = await fetch('running');
    if (!answer.ok) return;
    place.innerHTML = await answer.text();
  } catch { return; }
  if (mark() !== first && !document.querySelector('details[open]')) location.reload();
}, 1000);
";

fn html(body: String) -> Response {
    Response {
        status: 200,
        content_type: "text/html; charset=utf-8",
        body: body.into_bytes(),
        policy: LIST_POLICY,
        location: None,
    }
}

/// The options of a report that can be changed.
fn form(name: &str, command: &str) -> String {
    let Ok(recipe) = Recipe::read(command) else {
        return String::new();
    };
    let fields = rerun::fields(&recipe.command).iter().map(|option| {
        format!(
            "<label>{}<input name=\"{option}\" value=\"{}\"></label>",
            option.trim_start_matches('-'),
            escape(recipe.value(option))
        )
    });
    format!(
        "<details><summary>again, with other options</summary>\
         <form method=\"post\" action=\"again\"><input type=\"hidden\" name=\"report\" value=\"{}\">\
         {}<button>run</button></form><small>{}</small></details>",
        escape(name),
        fields.collect::<String>(),
        escape(command)
    )
}

struct Report {
    path: PathBuf,
    written: Option<std::time::SystemTime>,
    is_small: bool,
}

impl Report {
    fn summary(&self) -> Option<idiolect_report::Summary> {
        let text = self.is_small.then(|| std::fs::read_to_string(&self.path));
        read_summary(&text?.ok()?)
    }
}

/// What there is below a folder.
#[derive(Default)]
struct Found {
    reports: Vec<Report>,
    running: Vec<Status>,
}

impl Found {
    fn below(root: &Path) -> Self {
        let mut found = Self::default();
        collect(root, DEEPEST, &mut found);
        found
    }
}

fn collect(folder: &Path, depth: usize, found: &mut Found) {
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
        if is_hidden && kind.is_file() && found.running.len() < MOST_REPORTS {
            found.running.extend(live::read(&path));
        }
        if is_hidden || found.reports.len() >= MOST_REPORTS {
            continue;
        }
        if kind.is_dir() && depth > 0 {
            collect(&path, depth - 1, found);
        }
        let is_page = path.extension().is_some_and(|e| e == "html");
        if kind.is_file() && is_page {
            let data = entry.metadata().ok();
            found.reports.push(Report {
                is_small: data.as_ref().is_some_and(|d| d.len() <= LARGEST_FILE),
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
