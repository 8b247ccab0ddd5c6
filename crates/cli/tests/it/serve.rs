//! The local server against what a network may send it: refused or served, never a crash.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

struct Server {
    process: Child,
    port: u16,
    token: String,
}

impl Server {
    fn start(folder: &Path) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_idiolect"))
            .arg("serve")
            .arg(folder)
            .current_dir(xtask::root())
            .stdout(Stdio::piped())
            .spawn()
            .expect("idiolect starts");
        let mut line = String::new();
        let out = process.stdout.take().expect("it is piped");
        BufReader::new(out)
            .read_line(&mut line)
            .expect("it says where it is");
        let address = line
            .trim()
            .strip_prefix("http://127.0.0.1:")
            .expect("an address");
        let (port, path) = address.split_once('/').expect("a path");
        Self {
            port: port.parse().expect("a port"),
            token: path.trim_matches('/').to_owned(),
            process,
        }
    }

    /// Sends bytes as they are and gives back all that comes.
    fn send(&self, bytes: &[u8]) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("it listens");
        // It may refuse and close before everything was sent.
        let _ = stream.write_all(bytes);
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    fn get(&self, path: &str) -> String {
        let port = self.port;
        self.send(format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n").as_bytes())
    }

    /// The status of a request for a path below the token.
    fn status(&self, inner: &str) -> u16 {
        status(&self.get(&format!("/{}/{inner}", self.token)))
    }

    fn list(&self) -> String {
        self.get(&format!("/{}/", self.token))
    }

    /// The address of a report, as the list has it.
    fn address(&self, inner: &str) -> String {
        let list = self.list();
        let mut links = list
            .split("href=\"")
            .skip(1)
            .filter_map(|rest| rest.split('"').next());
        let found = links.find(|link| link.ends_with(&format!("/{inner}")));
        found
            .unwrap_or_else(|| panic!("no link to {inner} in {list}"))
            .to_owned()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn status(answer: &str) -> u16 {
    answer
        .split(' ')
        .nth(1)
        .and_then(|n| n.parse().ok())
        .unwrap_or(0)
}

/// A folder with a report, beside something that is nobody's business.
fn folder() -> tempfile::TempDir {
    let outside = tempfile::tempdir().expect("a folder");
    let reports = outside.path().join("reports");
    std::fs::create_dir_all(reports.join("deep")).expect("a folder");
    std::fs::write(outside.path().join("secret.html"), "secret").expect("a file");
    std::fs::write(reports.join("notes.txt"), "secret").expect("a file");
    std::fs::write(reports.join(".hidden.html"), "secret").expect("a file");
    std::os::unix::fs::symlink(
        outside.path().join("secret.html"),
        reports.join("link.html"),
    )
    .expect("a link");
    let made = Command::new(env!("CARGO_BIN_EXE_idiolect"))
        .args(["learn", "examples/odd.dot", "--report"])
        .arg(reports.join("deep/a b.html"))
        .current_dir(xtask::root())
        .output()
        .expect("idiolect runs");
    assert!(made.status.success());
    outside
}

#[test]
fn reports_are_listed_and_served_and_nothing_else_is() {
    let outside = folder();
    let server = Server::start(&outside.path().join("reports"));
    let list = server.get(&format!("/{}/", server.token));
    assert_eq!(status(&list), 200);
    assert!(
        list.contains("/deep/a%20b.html\">learn odd.dot</a>"),
        "{list}"
    );
    assert!(
        list.contains("The learned automaton is the target."),
        "{list}"
    );
    assert!(list.contains("<a rel=\"noreferrer\" "));
    assert!(
        list.contains("<span class=\"verdict promise\">✔ learned</span>"),
        "{list}"
    );
    let address = server.address("deep/a%20b.html");
    assert!(!address.contains(&server.token));
    let page = server.get(&address);
    assert!(status(&page) == 200 && page.contains("<!DOCTYPE html>"));
    // The key of one report opens no other, and the token opens none.
    let key = address.split('/').nth(1).expect("a key").to_owned();
    assert_eq!(server.status("deep/a%20b.html"), 404);
    for inner in [
        "",
        "running",
        "link.html",
        "../secret.html",
        "deep/../deep/a%20b.html",
    ] {
        assert_eq!(
            status(&server.get(&format!("/{key}/{inner}"))),
            403,
            "{inner}"
        );
    }
    for inner in [
        "../secret.html",
        "%2e%2e/secret.html",
        "deep/../../secret.html",
        "..%2fsecret.html",
        "/etc/passwd",
        "%2fetc%2fpasswd",
        "link.html",
        "notes.txt",
        ".hidden.html",
        "deep",
        "a%00.html",
        "missing.html",
    ] {
        assert_eq!(server.status(inner), 404, "{inner}");
    }
    assert_eq!(server.status("%zz.html"), 400);
}

/// The same question asked again: how the answer changed.
/// A report is listed under what was asked, and a repair is no bad news.
#[test]
fn reports_have_titles_and_signs() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, command) in [
        ("mined", "mine examples/server.trace --api socket"),
        (
            "checked",
            "check --spec examples/protocol/sockets.spec examples/server.trace",
        ),
        (
            "mended",
            "repair examples/repair/median.c --tests examples/repair/median.toml --exit-zero",
        ),
    ] {
        let made = Command::new(env!("CARGO_BIN_EXE_idiolect"))
            .args(command.split_whitespace())
            .arg("--report")
            .arg(folder.path().join(format!("{name}.html")))
            .current_dir(xtask::root())
            .output()
            .expect("idiolect runs");
        assert!(made.status.success(), "{made:?}");
    }
    let list = Server::start(folder.path()).list();
    assert!(list.contains(">mine examples/server.trace</a>"), "{list}");
    assert!(list.contains(">check examples/server.trace</a>"), "{list}");
    assert!(
        list.contains("<span class=\"verdict mended\">✎ repaired</span>"),
        "{list}"
    );
    // Text has a ground of its own in both colour schemes.
    assert!(list.contains("background: Canvas; color: CanvasText"));
}

#[test]
fn the_same_question_is_shown_over_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let versions = ["assert(0);", "assert(0);", "assert(1);"];
    for (number, body) in versions.iter().enumerate() {
        let text = format!("#include <assert.h>\nint main(void) {{ {body} return 0; }}\n");
        std::fs::write(folder.path().join("p.c"), text).expect("a file");
        let made = Command::new(env!("CARGO_BIN_EXE_idiolect"))
            .args(["verify", "p.c", "--exit-zero", "--report"])
            .arg(format!("{number}.html"))
            .current_dir(folder.path())
            .output();
        assert!(made.expect("idiolect runs").status.success());
    }
    let server = Server::start(folder.path());
    let list = server.get(&format!("/{}/", server.token));
    let (_, trend) = list.split_once("<h2>Over time</h2>").expect("a trend");
    let (trend, _) = trend.split_once("</ul>").expect("an end");
    assert_eq!(trend.matches("<li>").count(), 1, "{trend}");
    let signs: String = trend.chars().filter(|c| "✖✔".contains(*c)).collect();
    assert_eq!(signs, "✖✖✔", "{trend}");
    assert!(trend.contains("was error, is proved"), "{trend}");
    assert!(trend.contains("title=\"0.html: error\""), "{trend}");
}

#[test]
fn strangers_and_oversized_requests_are_refused() {
    let outside = folder();
    let server = Server::start(&outside.path().join("reports"));
    let (port, token) = (server.port, &server.token);
    assert_eq!(status(&server.get("/")), 403);
    assert_eq!(
        status(&server.get("/0123456789abcdef0123456789abcdef/")),
        403
    );
    let wrong = format!("/{}0/", &token[..token.len() - 1]);
    let is_by_chance_right = wrong == format!("/{token}/");
    assert!(is_by_chance_right || status(&server.get(&wrong)) == 403);
    let with = |request: String| status(&server.send(request.as_bytes()));
    assert_eq!(
        with(format!(
            "GET /{token}/ HTTP/1.1\r\nHost: evil.example\r\n\r\n"
        )),
        403
    );
    assert_eq!(with(format!("GET /{token}/ HTTP/1.1\r\n\r\n")), 403);
    let host = format!("Host: localhost:{port}\r\n");
    assert_eq!(with(format!("GET /{token}/ HTTP/1.1\r\n{host}\r\n")), 200);
    assert_eq!(with(format!("POST /{token}/ HTTP/1.1\r\n{host}\r\n")), 405);
    let body = "x".repeat(1 << 20);
    assert_eq!(
        with(format!(
            "GET /{token}/ HTTP/1.1\r\n{host}Content-Length: 1048576\r\n\r\n{body}"
        )),
        413
    );
    assert_eq!(with(format!("GET /{body} HTTP/1.1\r\n{host}\r\n")), 431);
    assert_eq!(with("\0\u{1}\r\n\r\n".to_owned()), 400);
    assert_eq!(with(String::new()), 400);
    // And it is still there.
    assert_eq!(server.status(""), 200);
}

#[test]
fn a_thousand_clients_at_once_are_all_served() {
    let outside = folder();
    let server = Server::start(&outside.path().join("reports"));
    let address = server.address("deep/a%20b.html");
    let served = std::thread::scope(|scope| {
        let clients: Vec<_> = (0..1000)
            .map(|_| scope.spawn(|| status(&server.get(&address))))
            .collect();
        let mut statuses = std::collections::BTreeMap::new();
        for client in clients {
            *statuses
                .entry(client.join().expect("no panic"))
                .or_insert(0) += 1;
        }
        statuses
    });
    assert_eq!(served, [(200, 1000)].into());
}

#[test]
fn a_run_in_progress_is_shown_while_it_goes_on() {
    let outside = folder();
    let reports = outside.path().join("reports");
    let server = Server::start(&reports);
    let running = || server.get(&format!("/{}/running", server.token));
    assert!(!running().contains("running for"));
    // It loops for ever on inputs that nobody gives an end.
    let endless = outside.path().join("endless.c");
    let text = "int __VERIFIER_nondet_int(void);\n\
                int main(void) { unsigned i = 0; while (__VERIFIER_nondet_int()) i += i * 3u; return 0; }\n";
    std::fs::write(&endless, text).expect("a file");
    let mut run = Command::new(env!("CARGO_BIN_EXE_idiolect"))
        .args([
            "verify",
            "--engine",
            "bmc",
            "--unwind",
            "1000000",
            "--timeout",
            "60",
        ])
        .arg(&endless)
        .arg("--report")
        .arg(reports.join("endless.html"))
        .stdout(Stdio::null())
        .spawn()
        .expect("idiolect starts");
    let shown = (0..200).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(100));
        let text = running();
        text.contains("running for") && text.contains("bounded model checking")
    });
    // Its status is nobody's file.
    assert_eq!(server.status(".endless.html.running"), 404);
    let _ = run.kill();
    let _ = run.wait();
    assert!(shown);
}

#[test]
fn an_analysis_is_repeated_with_other_options_and_with_nothing_else() {
    let outside = folder();
    let reports = outside.path().join("reports");
    // One report asks for a program that would be started.
    let page = std::fs::read_to_string(reports.join("deep/a b.html")).expect("a report");
    assert!(page.contains("idiolect learn"));
    let evil = page.replace(
        "idiolect learn",
        "idiolect trace --api socket -- touch x; learn",
    );
    std::fs::write(reports.join("evil.html"), evil).expect("a file");
    let server = Server::start(&reports);
    let list = server.get(&format!("/{}/", server.token));
    assert!(list.contains("name=\"--learner\""), "{list}");
    let post_from = |origin: &str, form: &str| {
        let request = format!(
            "POST /{}/again HTTP/1.1\r\nHost: localhost:{}\r\n{origin}Content-Length: {}\r\n\r\n{form}",
            server.token,
            server.port,
            form.len()
        );
        server.send(request.as_bytes())
    };
    let own = format!("Origin: http://localhost:{}\r\n", server.port);
    let post = |form: &str| post_from(&own, form);
    // A form on another page, a page without an origin, and no page at all.
    for origin in [
        "Origin: http://evil.example\r\n",
        "Origin: null\r\n",
        "",
        "Origin: http://localhost:1\r\n",
    ] {
        assert_eq!(
            status(&post_from(origin, "report=deep%2fa+b.html")),
            403,
            "{origin}"
        );
    }
    // A report that was made of a file elsewhere.
    let elsewhere = page.replace("examples/odd.dot", "/etc/hostname");
    std::fs::write(reports.join("elsewhere.html"), elsewhere).expect("a file");
    let refused = post("report=elsewhere.html");
    assert_eq!(status(&refused), 409);
    assert!(
        refused.contains("not below a folder that is served"),
        "{refused}"
    );
    for (form, expected) in [
        ("report=missing.html", 404),
        ("report=..%2fsecret.html", 404),
        ("report=link.html", 404),
        ("report=evil.html", 409),
        ("report=deep%2fa+b.html&--report=x", 409),
        ("report=deep%2fa+b.html&--learner=a%20b", 409),
        ("report=%zz", 400),
        ("", 404),
    ] {
        assert_eq!(status(&post(form)), expected, "{form}");
    }
    let started = post("report=deep%2fa+b.html&--learner=ttt");
    assert_eq!(status(&started), 303, "{started}");
    assert!(started.contains(&format!("Location: /{}/", server.token)));
    let again = reports.join("deep/a b-again-1.html");
    let made = (0..200).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(50));
        again.exists()
    });
    assert!(
        made,
        "{}",
        server.get(&format!("/{}/running", server.token))
    );
    let page = std::fs::read_to_string(&again).expect("a report");
    assert!(page.contains("--learner=ttt"));
    // One that fails says why.
    assert_eq!(
        status(&post("report=deep%2fa+b.html&--learner=nobody")),
        303
    );
    let told = (0..200).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(50));
        server
            .get(&format!("/{}/running", server.token))
            .contains("was not made")
    });
    assert!(told);
}

/// A page in the folder is shown in a sandbox, and can neither load, send nor ask for anything.
#[test]
fn a_hostile_page_has_no_rights() {
    let outside = folder();
    let reports = outside.path().join("reports");
    let hostile =
        "<script>fetch('/')</script><form method=post action=/x></form><base href=//evil>";
    std::fs::write(reports.join("hostile.html"), hostile).expect("a file");
    std::fs::write(reports.join("hostile.svg"), "<svg><script>1</script></svg>").expect("a file");
    let server = Server::start(&reports);
    let list = server.list();
    assert!(list.contains("not a report of idiolect"), "{list}");
    let policy_of = |page: &str| {
        let mut lines = page.lines();
        let policy = lines.find_map(|line| line.strip_prefix("Content-Security-Policy: "));
        policy.expect("a policy").to_owned()
    };
    let page = server.get(&server.address("hostile.html"));
    let policy = policy_of(&page);
    for rule in [
        "default-src 'none'",
        "; sandbox;",
        "form-action 'none'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    ] {
        assert!(policy.contains(rule), "{rule}: {policy}");
    }
    assert!(!policy.contains("allow-same-origin") && !policy.contains("connect-src"));
    assert!(page.contains("X-Content-Type-Options: nosniff"));
    assert!(page.contains("Cross-Origin-Opener-Policy: same-origin"));
    // A script could lead its tab elsewhere, so only reports have theirs.
    let report = policy_of(&server.get(&server.address("deep/a%20b.html")));
    assert!(
        report.contains("; sandbox allow-scripts allow-downloads;"),
        "{report}"
    );
}

/// Those who say nothing, and those who say a byte now and then, keep nobody waiting.
#[test]
fn idle_and_dripping_connections_block_nobody() {
    let outside = folder();
    let server = Server::start(&outside.path().join("reports"));
    let address = server.address("deep/a%20b.html");
    // As many as this process may open, at most 2,000.
    let mut idle = Vec::new();
    for _ in 0..2000 {
        match TcpStream::connect(("127.0.0.1", server.port)) {
            Ok(stream) => idle.push(stream),
            Err(_) => break,
        }
    }
    assert!(idle.len() > 900, "{} connections", idle.len());
    // Leave some files for ourselves.
    idle.truncate(idle.len() - 80);
    let mut dripping: Vec<TcpStream> = (0..50)
        .filter_map(|_| TcpStream::connect(("127.0.0.1", server.port)).ok())
        .collect();
    assert_eq!(dripping.len(), 50);
    let mut slowest = std::time::Duration::ZERO;
    for round in 0..20 {
        for stream in &mut dripping {
            let _ = stream.write_all(&b"GET / HTTP/1.1\r\nHost: x"[round..=round]);
        }
        let start = std::time::Instant::now();
        assert_eq!(status(&server.get(&address)), 200);
        slowest = slowest.max(start.elapsed());
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    assert!(slowest < std::time::Duration::from_secs(4), "{slowest:?}");
    // Nobody keeps a place for long: fifteen seconds after its first byte a dripping one is gone.
    let end = std::time::Instant::now() + std::time::Duration::from_secs(40);
    let is_gone = dripping.iter_mut().all(|stream| {
        let _ = stream.set_read_timeout(Some(std::time::Duration::from_secs(20)));
        let mut rest = Vec::new();
        use std::io::ErrorKind::{TimedOut, WouldBlock};
        let ended = match stream.read_to_end(&mut rest) {
            Ok(_) => true,
            Err(error) => !matches!(error.kind(), TimedOut | WouldBlock),
        };
        ended && std::time::Instant::now() < end
    });
    assert!(is_gone);
    assert_eq!(status(&server.get(&address)), 200);
}
