//! `idiolect lsp`: a language server over standard input and output.
//!
//! When a C file is opened or saved, `verify` looks at it in a process of its own, with a small budget. What it
//! says becomes diagnostics, lenses and hovers; nothing is said about text that is not saved yet.
//!
//! It never analyses anything itself: another process does.

mod analysis;
mod show;

use idiolect_console::{exit, failure, output};

use crate::exit::Exit;
use crate::failure::CommandFailure;
use analysis::{Analyst, EditorSide, FileCheck};
use clap::Args;
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, Response};
use lsp_types::{
    CodeActionParams, CodeActionProviderCapability, CodeLensOptions, CodeLensParams,
    DidCloseTextDocumentParams, DidOpenTextDocumentParams, DidSaveTextDocumentParams,
    ExecuteCommandOptions, ExecuteCommandParams, HoverParams, HoverProviderCapability, SaveOptions,
    ServerCapabilities, TextDocumentSyncCapability, TextDocumentSyncKind, TextDocumentSyncOptions,
    TextDocumentSyncSaveOptions, Uri,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[derive(Args, Debug)]
#[command(after_help = "Example:
  idiolect lsp --timeout 5         started by an editor; see contrib/vscode and the book

Each file is looked at when it is opened or saved, as `idiolect verify FILE --timeout SECONDS` would.")]
pub struct LspArgs {
    /// Seconds for each file that is saved
    #[arg(long, value_name = "SECONDS", default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=3600))]
    timeout: u64,

    /// Editors give it; standard input and output are the only way anyway
    #[arg(long, hide = true)]
    stdio: bool,
}

/// What an editor can ask to be run.
pub const EXPLAIN: &str = "idiolect.explain";
pub const DIFF: &str = "idiolect.diff";
pub const REPORT: &str = "idiolect.report";
pub const REPAIR: &str = "idiolect.repair";

/// Serves one editor until it leaves.
pub fn run(args: &LspArgs) -> Result<Exit, CommandFailure> {
    let (connection, threads) = Connection::stdio();
    let served = serve(args, &connection);
    // The threads end with the connection.
    drop(connection);
    let joined = threads.join();
    match served.and(joined.map_err(|error| error.to_string())) {
        Ok(()) => Ok(Exit::Clean),
        Err(why) => Err(CommandFailure::usage(
            format!("the editor does not keep to the protocol: {why}"),
            "`idiolect lsp` is started by an editor, not by a person",
        )),
    }
}

fn serve(args: &LspArgs, connection: &Connection) -> Result<(), String> {
    let capabilities = serde_json::to_value(capabilities()).map_err(|e| e.to_string())?;
    let given = (connection.initialize(capabilities)).map_err(|error| error.to_string())?;
    let timeout = given["initializationOptions"]["timeout"].as_u64();
    let root = given["rootUri"].as_str().and_then(path_of_text);
    let sender = connection.sender.clone();
    let editor: EditorSide = Arc::new(move |message| {
        // An editor that has gone away needs no answer.
        let _ = sender.send(message);
    });
    let mut server = Server {
        analyst: Analyst::new(editor, timeout.unwrap_or(args.timeout)),
        root: root.unwrap_or_else(|| std::env::current_dir().unwrap_or_default()),
        open: BTreeMap::new(),
    };
    for message in &connection.receiver {
        match message {
            Message::Request(request) => {
                if (connection.handle_shutdown(&request)).map_err(|error| error.to_string())? {
                    break;
                }
                if let Some(response) = server.request(request) {
                    let _ = connection.sender.send(Message::Response(response));
                }
            }
            Message::Notification(notification) => server.notification(notification),
            Message::Response(_) => {}
        }
    }
    server.analyst.stop();
    Ok(())
}

fn capabilities() -> ServerCapabilities {
    ServerCapabilities {
        text_document_sync: Some(TextDocumentSyncCapability::Options(
            TextDocumentSyncOptions {
                open_close: Some(true),
                change: Some(TextDocumentSyncKind::NONE),
                save: Some(TextDocumentSyncSaveOptions::SaveOptions(SaveOptions {
                    include_text: Some(false),
                })),
                ..TextDocumentSyncOptions::default()
            },
        )),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        code_action_provider: Some(CodeActionProviderCapability::Simple(true)),
        code_lens_provider: Some(CodeLensOptions {
            resolve_provider: Some(false),
        }),
        execute_command_provider: Some(ExecuteCommandOptions {
            commands: [EXPLAIN, DIFF, REPORT, REPAIR].map(str::to_owned).to_vec(),
            ..ExecuteCommandOptions::default()
        }),
        ..ServerCapabilities::default()
    }
}

struct Server {
    analyst: Analyst,
    root: PathBuf,
    /// Open files by their addresses.
    open: BTreeMap<String, PathBuf>,
}

impl Server {
    fn notification(&mut self, notification: Notification) {
        match notification.method.as_str() {
            "textDocument/didOpen" => {
                let params: Option<DidOpenTextDocumentParams> = read(notification.params);
                if let Some(params) = params {
                    self.look_at(&params.text_document.uri);
                }
            }
            "textDocument/didSave" => {
                let params: Option<DidSaveTextDocumentParams> = read(notification.params);
                if let Some(params) = params {
                    self.look_at(&params.text_document.uri);
                }
            }
            "textDocument/didClose" => {
                let params: Option<DidCloseTextDocumentParams> = read(notification.params);
                if let Some(params) = params {
                    let address = params.text_document.uri.as_str();
                    self.open.remove(address);
                    self.analyst.forget(address);
                }
            }
            _ => {}
        }
    }

    fn look_at(&mut self, uri: &Uri) {
        let Some(path) = path_of(uri) else { return };
        if !path.extension().is_some_and(|e| e == "c" || e == "i") {
            return;
        }
        self.open.insert(uri.as_str().to_owned(), path.clone());
        self.analyst.verify(uri, &path, &self.root);
    }

    /// The answer, or nothing if it comes later.
    fn request(&mut self, request: Request) -> Option<Response> {
        let Request { id, method, params } = request;
        let answer = match method.as_str() {
            "textDocument/hover" => {
                let params: Option<HoverParams> = read(params);
                let hover = params.and_then(|params| {
                    let at = params.text_document_position_params;
                    let known = self.analyst.known(at.text_document.uri.as_str())?;
                    let path = path_of(&at.text_document.uri)?;
                    show::hover(&known, &path, &self.root, at.position.line)
                });
                json!(hover)
            }
            "textDocument/codeLens" => {
                let params: Option<CodeLensParams> = read(params);
                let lenses = params.and_then(|params| {
                    let uri = params.text_document.uri;
                    let path = path_of(&uri)?;
                    let text = std::fs::read_to_string(&path).ok()?;
                    let known = self.analyst.known(uri.as_str());
                    Some(show::lenses(known.as_deref(), &uri, &text))
                });
                json!(lenses.unwrap_or_default())
            }
            "textDocument/codeAction" => {
                let params: Option<CodeActionParams> = read(params);
                let actions = params.and_then(|params| {
                    let uri = params.text_document.uri;
                    let path = path_of(&uri)?;
                    let text = std::fs::read_to_string(&path).ok()?;
                    let found = show::File {
                        uri: &uri,
                        path: &path,
                        root: &self.root,
                        text: &text,
                    };
                    let known = self.analyst.known(uri.as_str())?;
                    let repairs = self.analyst.repairs(uri.as_str());
                    Some(show::actions(
                        &known,
                        repairs.as_deref(),
                        &found,
                        params.range,
                    ))
                });
                json!(actions.unwrap_or_default())
            }
            "workspace/executeCommand" => {
                let params: Option<ExecuteCommandParams> = read(params);
                return match params.and_then(|params| self.job(&params)) {
                    Some(job) => {
                        self.analyst.start(id, job, &self.root);
                        None
                    }
                    None => Some(Response::new_err(
                        id,
                        ErrorCode::InvalidParams as i32,
                        "expected a command of idiolect, the address of a C file, and perhaps a line"
                            .to_owned(),
                    )),
                };
            }
            _ => {
                return Some(Response::new_err(
                    id,
                    ErrorCode::MethodNotFound as i32,
                    format!("`{method}` is not known"),
                ));
            }
        };
        Some(Response::new_ok(id, answer))
    }

    fn job(&self, params: &ExecuteCommandParams) -> Option<FileCheck> {
        let path = path_of_text(params.arguments.first()?.as_str()?)?;
        let line = params.arguments.get(1).and_then(Value::as_u64);
        match params.command.as_str() {
            EXPLAIN => Some(FileCheck::Explain(path, line?)),
            DIFF => Some(FileCheck::Diff(path)),
            REPORT => Some(FileCheck::Report(path)),
            REPAIR => Some(FileCheck::Repair(
                path,
                params.arguments.first()?.as_str()?.to_owned(),
            )),
            _ => None,
        }
    }
}

fn read<T: DeserializeOwned>(params: Value) -> Option<T> {
    serde_json::from_value(params).ok()
}

fn path_of(uri: &Uri) -> Option<PathBuf> {
    path_of_text(uri.as_str())
}

/// The path of a `file:` address.
fn path_of_text(uri: &str) -> Option<PathBuf> {
    let path = uri.strip_prefix("file://")?;
    let decoded = idiolect_web::http::decode(path)?;
    Path::new(&decoded)
        .is_absolute()
        .then(|| PathBuf::from(decoded))
}
