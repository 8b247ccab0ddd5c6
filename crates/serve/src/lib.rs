//! `idiolect serve`: the reports of a folder in a browser, the runs that are making some, and the
//! same again with other options.
//!
//! Only this machine can ask, only with the token in the address, and only for reports below the
//! folder. No command comes from the network: see `rerun.rs`. A report is shown in a sandbox and under an
//! address of its own, from which neither the list nor another report can be told: whatever a page
//! in the folder does, it does to itself.
//!
//! It never makes a report itself, and never starts anything but idiolect.

mod list;
mod rerun;

use idiolect_console::{exit, failure, live, output};

use crate::exit::Exit;
use crate::failure::CommandFailure;
use clap::Args;
use idiolect_base::Canceller;
use idiolect_report::{POLICY, escape, read_summary};
use idiolect_web::connections;
use idiolect_web::http::{self, Request, Response};
use list::{FolderContents, ReportSummaries};
use rerun::{Recipe, Rerun};
use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;
use std::io::Read as _;
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

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
/// Analyses started from the page that go on at the same time.
const MOST_RERUNS: usize = 2;

/// The list asks for itself again, and has forms.
const LIST_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; \
                           script-src 'unsafe-inline'; connect-src 'self'; form-action 'self'; \
                           base-uri 'none'";

/// What a report may do beside the policy of its page: run its own script and save a drawing. It has no
/// origin, sends no form and asks for nothing.
const OF_REPORTS: &str = "sandbox allow-scripts allow-downloads";
/// What is no report of ours runs no script: a script could still lead its own tab elsewhere.
const OF_OTHERS: &str = "sandbox";
const OF_ALL: &str = "form-action 'none'; base-uri 'none'; frame-ancestors 'none'";

struct Site {
    root: PathBuf,
    /// Where `serve` was started, and where analyses are repeated.
    here: PathBuf,
    summaries: ReportSummaries,
    token: String,
    hosts: [String; 2],
    reruns: Mutex<Vec<Rerun>>,
}

/// Serves until it is told to end.
pub fn run(args: &ServeArgs, canceller: &Canceller) -> Result<Exit, CommandFailure> {
    let cannot_read = |source| CommandFailure::CannotRead {
        path: args.folder.clone(),
        source,
    };
    let root = args.folder.canonicalize().map_err(cannot_read)?;
    if !root.is_dir() {
        return Err(CommandFailure::usage(
            format!("`{}` is not a folder", args.folder.display()),
            "give the folder that the reports are in",
        ));
    }
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, args.port)).map_err(|error| {
        CommandFailure::usage(
            format!("cannot listen on port {}: {error}", args.port),
            "choose another `--port`, or none",
        )
    })?;
    let port = listener.local_addr().map_or(args.port, |at| at.port());
    let token = random_token().map_err(|source| CommandFailure::CannotRead {
        path: PathBuf::from("/dev/urandom"),
        source,
    })?;
    let here = std::env::current_dir().and_then(|here| here.canonicalize());
    let site = Arc::new(Site {
        here: here.unwrap_or_else(|_| root.clone()),
        summaries: ReportSummaries::default(),
        root,
        hosts: [format!("127.0.0.1:{port}"), format!("localhost:{port}")],
        token,
        reruns: Mutex::default(),
    });
    output::print(&format!("http://127.0.0.1:{port}/{}/\n", site.token));
    let for_answers = Arc::clone(&site);
    let answer: Arc<connections::Answerer> = Arc::new(move |request| for_answers.answer(request));
    let served = connections::serve(&listener, &answer, || canceller.is_cancelled());
    // What was started from here ends with us.
    site.reruns().clear();
    served.map(|()| Exit::Clean).map_err(|error| {
        CommandFailure::usage(
            format!("cannot serve on port {port}: {error}"),
            "choose another `--port`, or none",
        )
    })
}

/// 128 bits that nobody can guess.
fn random_token() -> std::io::Result<String> {
    let mut bytes = [0; 16];
    std::fs::File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(hex(&bytes))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
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
            let is_file = request.form.is_none() && is_same(token, &self.key(inner));
            return if is_file {
                self.file(inner)
            } else {
                Response::refusal(403)
            };
        }
        match (inner, &request.form) {
            ("", None) => html(self.list()),
            ("running", None) => html(self.running()),
            // Only our own list may ask for work: browsers say which page a form is on.
            ("again", Some(_)) if !self.is_own(request) => Response::refusal(403),
            ("again", Some(form)) => self.again(form),
            (_, Some(_)) => Response::refusal(405),
            _ => Response::refusal(404),
        }
    }

    /// The key of one file: who knows it knows nothing about the token or another file.
    fn key(&self, inner: &str) -> String {
        let mut hash = Sha256::new();
        hash.update(self.token.as_bytes());
        hash.update([0]);
        hash.update(inner.as_bytes());
        hex(&hash.finalize()[..16])
    }

    fn is_own(&self, request: &Request) -> bool {
        let origin = request.origin.as_deref().unwrap_or_default();
        let host = origin.strip_prefix("http://").unwrap_or_default();
        host == request.host
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
            match recipe.outside(&[&self.here, &self.root], &self.here) {
                Some(path) => Err(format!("`{path}` is not below a folder that is served")),
                None => Ok(recipe),
            }
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
        let found = FolderContents::below(&self.root);
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
                policy: format!("{POLICY}; {}; {OF_ALL}", sandbox_of(content_type, &body)),
                body,
                location: None,
            },
            Err(_) => Response::refusal(404),
        }
    }
}

fn sandbox_of(content_type: &str, body: &[u8]) -> &'static str {
    let text = std::str::from_utf8(body).unwrap_or_default();
    if content_type.starts_with("text/html") && read_summary(text).is_some() {
        OF_REPORTS
    } else {
        OF_OTHERS
    }
}

fn html(body: String) -> Response {
    Response {
        status: 200,
        content_type: "text/html; charset=utf-8",
        body: body.into_bytes(),
        policy: LIST_POLICY.to_owned(),
        location: None,
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
