//! A scripted editor: it opens, saves, hovers and asks, and the language server answers.

use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

struct Editor {
    process: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    next: u64,
    /// Messages that came while another one was waited for.
    others: Vec<Value>,
}

impl Editor {
    fn start(root: &Path) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_idiolect"))
            .args(["lsp", "--stdio", "--timeout", "20"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("idiolect starts");
        let to = process.stdin.take().expect("it is piped");
        let from = BufReader::new(process.stdout.take().expect("it is piped"));
        let mut editor = Self {
            process,
            to,
            from,
            next: 0,
            others: Vec::new(),
        };
        let params = json!({"capabilities": {}, "rootUri": uri(root)});
        let answer = editor.ask("initialize", params);
        assert_eq!(answer["capabilities"]["hoverProvider"], true);
        editor.tell("initialized", json!({}));
        editor
    }

    fn send(&mut self, message: &Value) {
        let text = message.to_string();
        write!(self.to, "Content-Length: {}\r\n\r\n{text}", text.len()).expect("it listens");
        self.to.flush().expect("it listens");
    }

    fn tell(&mut self, method: &str, params: Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    fn receive(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            self.from.read_line(&mut line).expect("it speaks");
            let line = line.trim();
            if line.is_empty() {
                break;
            }
            if let Some(n) = line.strip_prefix("Content-Length: ") {
                length = n.parse().expect("a number");
            }
        }
        let mut body = vec![0; length];
        self.from.read_exact(&mut body).expect("a body");
        serde_json::from_slice(&body).expect("JSON")
    }

    fn answer(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let id = self.next;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        loop {
            let message = self.receive();
            if message["id"] == json!(id) {
                return message;
            }
            self.others.push(message);
        }
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.answer(method, params)["result"].clone()
    }

    /// The next diagnostics of a file.
    fn diagnostics(&mut self, uri: &str) -> Vec<Value> {
        let is_it = |message: &Value| {
            message["method"] == "textDocument/publishDiagnostics"
                && message["params"]["uri"] == uri
        };
        loop {
            let message = match self.others.iter().position(is_it) {
                Some(index) => self.others.remove(index),
                None => self.receive(),
            };
            if is_it(&message) {
                let list = message["params"]["diagnostics"].as_array();
                return list.cloned().unwrap_or_default();
            }
            self.others.push(message);
        }
    }

    fn open(&mut self, uri: &str) {
        let document = json!({"uri": uri, "languageId": "c", "version": 1, "text": ""});
        self.tell("textDocument/didOpen", json!({"textDocument": document}));
    }

    fn save(&mut self, uri: &str) {
        self.tell(
            "textDocument/didSave",
            json!({"textDocument": {"uri": uri}}),
        );
    }

    fn lenses(&mut self, uri: &str) -> Vec<(u64, String)> {
        let found = self.ask(
            "textDocument/codeLens",
            json!({"textDocument": {"uri": uri}}),
        );
        let list = found.as_array().cloned().unwrap_or_default();
        list.iter()
            .map(|lens| {
                let line = lens["range"]["start"]["line"].as_u64().expect("a line");
                let title = lens["command"]["title"].as_str().unwrap_or_default();
                (line, title.to_owned())
            })
            .collect()
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn uri(path: &Path) -> String {
    format!("file://{}", path.display())
}

const WRONG: &str = "#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 9)
        return 0;
    assert(n != 7);
    return 0;
}
";

const LOOP: &str = "#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    int x = 0, y = 0;
    if (n < 0) return 0;
    while (x < n) {
        x = x + 1;
        y = y + 2;
        if (y > 100000) { y = 0; x = 0; n = 0; }
    }
    assert(y >= 0);
    return 0;
}
";

/// A repair is looked for on wish, and offered as an edit; made, it is gone, and so is the error.
#[test]
fn an_editor_offers_repairs() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().canonicalize().expect("a path").join("a.c");
    let text = std::fs::read_to_string(xtask::root().join("examples/sort.c")).expect("a file");
    std::fs::write(&path, &text).expect("a file");
    let address = uri(&path);
    let mut editor = Editor::start(path.parent().expect("a folder"));
    editor.open(&address);
    let line = editor.diagnostics(&address)[0]["range"]["start"]["line"].clone();
    let actions = |editor: &mut Editor, line: &Value| {
        let at = json!({"line": line, "character": 0});
        let params = json!({"textDocument": {"uri": address}, "range": {"start": at, "end": at},
                            "context": {"diagnostics": []}});
        let found = editor.ask("textDocument/codeAction", params);
        found.as_array().cloned().unwrap_or_default()
    };
    assert_eq!(actions(&mut editor, &json!(0)), Vec::<Value>::new());
    let first = actions(&mut editor, &line);
    assert_eq!(first.len(), 1, "{first:?}");
    assert_eq!(first[0]["command"]["command"], "idiolect.repair");
    let asked =
        json!({"command": "idiolect.repair", "arguments": first[0]["command"]["arguments"]});
    let answer = editor.ask("workspace/executeCommand", asked);
    let said = answer["text"].as_str().unwrap_or_default();
    assert!(said.starts_with("repaired: "), "{answer}");
    let offered = actions(&mut editor, &line);
    let title = offered[0]["title"].as_str().unwrap_or_default();
    assert!(
        title.starts_with("idiolect: repair line 20: for (int i = 0; i <= N - 2 - round; i++)"),
        "{title}"
    );
    // The edit, as an editor makes it.
    let edit = &offered[0]["edit"]["changes"][&address][0];
    let place = |end: &str| edit["range"][end]["character"].as_u64().expect("a column") as usize;
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    lines[19].replace_range(
        place("start")..place("end"),
        edit["newText"].as_str().expect("a text"),
    );
    std::fs::write(&path, lines.join("\n")).expect("a file");
    editor.save(&address);
    assert_eq!(editor.diagnostics(&address), Vec::<Value>::new());
    assert_eq!(actions(&mut editor, &line), Vec::<Value>::new());
}

#[test]
fn an_editor_sees_errors_proofs_and_reports() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().canonicalize().expect("a path").join("a.c");
    let root = path.parent().expect("a folder").to_owned();
    std::fs::write(&path, WRONG).expect("a file");
    let address = uri(&path);
    let mut editor = Editor::start(&root);
    editor.open(&address);
    let found = editor.diagnostics(&address);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0]["range"]["start"]["line"], 6);
    assert_eq!(found[0]["severity"], 1);
    assert_eq!(found[0]["source"], "idiolect");
    assert_eq!(
        found[0]["message"],
        "assertion `n != 7` failed, with inputs __VERIFIER_nondet_int() = 7"
    );
    let steps = found[0]["relatedInformation"].as_array().expect("steps");
    let first = steps[0]["message"].as_str().unwrap_or_default();
    assert!(first.contains("n = 7"), "{first}");
    let lenses = editor.lenses(&address);
    let titles: Vec<(u64, &str)> = lenses.iter().map(|(n, t)| (*n, t.as_str())).collect();
    assert_eq!(
        titles,
        [
            (2, "✖ error"),
            (2, "what changed here since HEAD"),
            (6, "explain this assertion")
        ]
    );
    // All the ways to fail, on a page.
    let params = json!({"command": "idiolect.explain", "arguments": [address, 7]});
    let answer = editor.ask("workspace/executeCommand", params);
    let said = answer["text"].as_str().unwrap_or_default();
    assert!(said.starts_with("error-language: "), "{answer}");
    let page = std::fs::read_to_string(answer["report"].as_str().expect("a report"));
    assert!(page.expect("a page").contains("n != 7"));
    // A newer version: the error is gone, and there is a proof to hover over.
    std::fs::write(&path, LOOP).expect("a file");
    editor.save(&address);
    assert_eq!(editor.diagnostics(&address), Vec::<Value>::new());
    let at = json!({"textDocument": {"uri": address}, "position": {"line": 6, "character": 6}});
    let hover = editor.ask("textDocument/hover", at);
    let text = hover["contents"]["value"].as_str().unwrap_or_default();
    assert!(
        text.contains("loop invariant") && text.contains("% 2 == 0"),
        "{hover}"
    );
    let elsewhere =
        json!({"textDocument": {"uri": address}, "position": {"line": 0, "character": 0}});
    assert_eq!(editor.ask("textDocument/hover", elsewhere), Value::Null);
    assert_eq!(editor.lenses(&address)[0].1, "✔ proved");
    // C that cannot be read is said where it is.
    std::fs::write(&path, "int main(void) { return 1 +; }\n").expect("a file");
    editor.save(&address);
    let found = editor.diagnostics(&address);
    assert_eq!(found[0]["range"]["start"]["line"], 0, "{found:?}");
    assert_eq!(found[0]["severity"], 1);
    // What is not known is refused, and the session goes on.
    let answer = editor.answer("textDocument/rename", json!({}));
    assert_eq!(answer["error"]["code"], -32601);
    let bad = json!({"command": "rm", "arguments": ["-rf"]});
    assert_eq!(
        editor.answer("workspace/executeCommand", bad)["error"]["code"],
        -32602
    );
    let not_in_git = json!({"command": "idiolect.diff", "arguments": [address]});
    assert!(editor.answer("workspace/executeCommand", not_in_git)["error"]["message"].is_string());
    editor.tell(
        "textDocument/didClose",
        json!({"textDocument": {"uri": address}}),
    );
    assert_eq!(editor.diagnostics(&address), Vec::<Value>::new());
    assert_eq!(editor.ask("shutdown", Value::Null), Value::Null);
    editor.tell("exit", Value::Null);
    assert_eq!(editor.process.wait().expect("it ends").code(), Some(0));
}
