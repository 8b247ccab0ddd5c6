//! What is in `contrib/` for others' CI: the steps of the Action and the hook are run, the rest is read.

use std::path::{Path, PathBuf};
use std::process::Command;

fn path_with_binary() -> String {
    let binary = Path::new(env!("CARGO_BIN_EXE_idiolect"));
    let folder = binary.parent().expect("a binary is in a folder");
    format!("{}:/usr/bin:/bin", folder.display())
}

struct Step {
    code: i32,
    printed: String,
    outputs: String,
    sarif: PathBuf,
    _folder: tempfile::TempDir,
}

/// The step of the Action that runs, with these inputs.
fn step(files: &str, more: &[(&str, &str)]) -> Step {
    let folder = tempfile::tempdir().expect("a folder");
    let sarif = folder.path().join("found.sarif");
    let outputs = folder.path().join("outputs");
    let mut command = Command::new("bash");
    command
        .arg(xtask::root().join("contrib/action/run.sh"))
        .current_dir(xtask::root())
        .env("PATH", path_with_binary())
        .env("GITHUB_OUTPUT", &outputs)
        .env("IDIOLECT_COMMAND", "verify")
        .env("IDIOLECT_FILES", files)
        .env("IDIOLECT_SARIF", &sarif)
        .env("IDIOLECT_REPORT", folder.path().join("page.html"));
    for (name, value) in more {
        command.env(name, value);
    }
    let output = command.output().expect("bash is there");
    Step {
        code: output.status.code().unwrap_or(-1),
        printed: String::from_utf8_lossy(&output.stdout).into_owned(),
        outputs: std::fs::read_to_string(&outputs).unwrap_or_default(),
        sarif,
        _folder: folder,
    }
}

#[test]
fn the_action_annotates_and_writes_sarif() {
    let found = step("examples/sort.c", &[]);
    assert_eq!(found.code, 1, "{}", found.printed);
    assert!(
        found
            .printed
            .starts_with("::error file=examples/sort.c,line=42"),
        "{}",
        found.printed
    );
    assert_eq!(found.outputs, "code=1\nverdict=error\n");
    let sarif = std::fs::read_to_string(&found.sarif).expect("SARIF is written");
    assert!(sarif.contains("\"version\": \"2.1.0\""));
    let proved = step("examples/book/shelf_fixed.c", &[]);
    assert_eq!(
        (proved.code, proved.outputs.as_str()),
        (0, "code=0\nverdict=proved\n")
    );
}

/// Words of a file name are words, and nothing that a pull request writes there is run.
#[test]
fn the_action_runs_nothing_that_is_written_in_its_inputs() {
    let folder = tempfile::tempdir().expect("a folder");
    let mark = folder.path().join("mark");
    let file = folder.path().join("a b.c");
    std::fs::write(&file, "int main(void) { return 0; }\n").expect("a file");
    let files = format!("'{}' $(touch {})", file.display(), mark.display());
    let step = step(&files, &[]);
    assert!(!mark.exists());
    assert_eq!(step.code, 2, "{}", step.printed);
    assert_eq!(self::step(&format!("'{}'", file.display()), &[]).code, 0);
}

#[test]
fn the_hook_stops_a_commit_with_an_error_and_no_other() {
    let hook = |files: &[&str]| {
        let status = Command::new("sh")
            .arg(xtask::root().join("contrib/pre-commit/verify.sh"))
            .args(files)
            .current_dir(xtask::root())
            .env("PATH", path_with_binary())
            .output();
        status.expect("sh is there").status.code()
    };
    assert_eq!(hook(&["examples/book/shelf_fixed.c"]), Some(0));
    assert_eq!(
        hook(&["examples/book/shelf_fixed.c", "examples/sort.c"]),
        Some(1)
    );
    // A library is no program.
    assert_eq!(hook(&["examples/invariants/find.c"]), Some(0));
}

/// Docker is not everywhere: the file is read, and what it needs is there.
#[test]
fn the_dockerfile_names_what_is_there() {
    let root = xtask::root();
    let text =
        std::fs::read_to_string(root.join("contrib/docker/Dockerfile")).expect("a Dockerfile");
    let joined = text.replace("\\\n", " ");
    let known = [
        "FROM",
        "RUN",
        "WORKDIR",
        "COPY",
        "USER",
        "ENTRYPOINT",
        "CMD",
    ];
    for line in joined
        .lines()
        .filter(|l| !l.is_empty() && !l.starts_with('#'))
    {
        let word = line.split_whitespace().next().unwrap_or_default();
        assert!(known.contains(&word), "{line}");
        // Layers stay small, images of named versions.
        if word == "RUN" && line.contains("apt-get install") {
            assert!(
                line.contains("--no-install-recommends")
                    && line.contains("rm -rf /var/lib/apt/lists")
            );
        }
        assert!(!line.contains(":latest"), "{line}");
    }
    let version = env!("CARGO_PKG_RUST_VERSION");
    assert!(
        joined.contains(&format!("FROM rust:{version}-")),
        "the image has Rust {version}"
    );
    assert!(joined.contains("\nUSER user\n"), "it does not run as root");
    let manifest = std::fs::read_to_string(root.join("Cargo.toml")).expect("a manifest");
    assert!(manifest.contains("[profile.dist]"));
}

/// The extension, with a VS Code of a few lines: it starts `idiolect lsp`, and shows the page of an answer in a panel.
#[test]
#[allow(clippy::print_stderr)]
fn the_extension_starts_the_server_and_shows_pages() {
    let folder = tempfile::tempdir().expect("a folder");
    let page = folder.path().join("page.html");
    std::fs::write(&page, "<p>a page</p>").expect("a file");
    let script = r#"
        const Module = require("module");
        const [extension, page] = process.argv.slice(1);
        const seen = { panels: [], messages: [] };
        const vscode = {
          workspace: { getConfiguration: () => ({ get: (name) => ({ path: "my-idiolect", timeout: 7 })[name] }) },
          window: {
            showInformationMessage: (text) => seen.messages.push(text),
            createWebviewPanel: (...about) => { const panel = { about, webview: {} }; seen.panels.push(panel); return panel; },
            withProgress: (_, work) => work(),
          },
          ViewColumn: { Beside: 2 }, ProgressLocation: { Window: 10 },
        };
        class LanguageClient {
          constructor(...about) { seen.client = about; }
          start() { return Promise.resolve(); }
          stop() {}
        }
        const load = Module._load;
        Module._load = (name, ...rest) => name === "vscode" ? vscode
          : name === "vscode-languageclient/node" ? { LanguageClient } : load(name, ...rest);
        (async () => {
          await require(extension).activate({ subscriptions: [] });
          const { executeCommand } = seen.client[3].middleware;
          await executeCommand("idiolect.report", [], async () => ({ text: "error: it fails", report: page }));
          await executeCommand("idiolect.diff", [], async () => ({ text: "nothing changed" }));
          console.log(JSON.stringify(seen));
        })();
    "#;
    let extension = xtask::root().join("contrib/vscode/extension.js");
    let output = Command::new("node")
        .args(["-e", script])
        .arg(&extension)
        .arg(&page)
        .output();
    let Ok(output) = output else {
        assert!(std::env::var_os("CI").is_none(), "CI has to have node");
        eprintln!("SKIPPED: there is no node");
        return;
    };
    let said = String::from_utf8_lossy(&output.stderr);
    let seen: serde_json::Value = serde_json::from_slice(&output.stdout).expect(&said);
    assert_eq!(seen["client"][2]["command"], "my-idiolect");
    assert_eq!(seen["client"][2]["args"], serde_json::json!(["lsp"]));
    assert_eq!(seen["client"][3]["initializationOptions"]["timeout"], 7);
    assert_eq!(seen["panels"][0]["about"][1], "error");
    assert_eq!(seen["panels"][0]["webview"]["html"], "<p>a page</p>");
    assert_eq!(seen["messages"], serde_json::json!(["nothing changed"]));
}
