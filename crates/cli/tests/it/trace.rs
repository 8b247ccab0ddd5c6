//! Real programs, recorded: what is in the trace, and what is mined from it.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};
use xtask::process::available_or_skip;

struct Lab {
    folder: tempfile::TempDir,
}

impl Lab {
    /// `None` without a C compiler, which is said.
    fn new() -> Option<Self> {
        available_or_skip("cc", "recording").then(|| Self {
            folder: tempfile::tempdir().expect("there is room for a folder"),
        })
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn compile(&self, name: &str, source: &Path, flags: &[&str]) -> PathBuf {
        let program = self.path(name);
        let status = Command::new("cc")
            .args(["-O1", "-w", "-o"])
            .arg(&program)
            .arg(source)
            .args(flags)
            .status();
        assert!(status.is_ok_and(|s| s.success()), "{name} compiles");
        program
    }

    fn compile_text(&self, name: &str, text: &str, flags: &[&str]) -> PathBuf {
        let source = self.path(&format!("{name}.c"));
        std::fs::write(&source, text).expect("a file can be written");
        self.compile(name, &source, flags)
    }

    fn idiolect(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_idiolect"));
        command.args(args).current_dir(self.folder.path());
        command
    }

    fn run(&self, args: &[&str]) -> Output {
        self.idiolect(args).output().expect("idiolect runs")
    }

    /// The lines of a trace that are calls.
    fn trace(&self, args: &[&str], program: &Path) -> Vec<String> {
        let mut all = vec!["trace", "-o", "out.trace"];
        all.extend(args);
        let program = program.display().to_string();
        all.extend(["--", &program]);
        let output = self.run(&all);
        // A program that a signal ends has that signal as our exit code, as in a shell.
        let code = output.status.code();
        let is_told = code == Some(0) || code.is_some_and(|c| c > 128);
        assert!(is_told, "{code:?} {}", error_of(&output));
        self.lines("out.trace")
    }

    fn lines(&self, name: &str) -> Vec<String> {
        let text = std::fs::read_to_string(self.path(name)).expect("a trace was written");
        text.lines()
            .filter(|line| !line.starts_with('#'))
            .map(str::to_owned)
            .collect()
    }
}

fn error_of(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn json(output: &Output) -> serde_json::Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", error_of(output)))
}

/// Waits for something that another process does.
fn wait_for<T>(mut look: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(start.elapsed() < Duration::from_secs(60), "it never came");
        std::thread::yield_now();
    }
}

/// A server that is recorded, and talks to us.
fn serve(lab: &Lab, trace: &str, connections: &[&[&str]], early: bool) {
    let server = xtask::root().join("bench/socket/server.c");
    let program = lab.compile("server", &server, &[]);
    let port_file = lab.path(&format!("{trace}.port"));
    let mut command = lab.idiolect(&["trace", "--api", "socket", "-o", trace, "--"]);
    command.arg(&program).arg(&port_file);
    command.arg(connections.len().to_string());
    if early {
        command.arg("early");
    }
    let mut child: Child = (command.stderr(Stdio::piped()).spawn()).expect("idiolect runs");
    let port: u16 = wait_for(|| {
        let text = std::fs::read_to_string(&port_file).ok()?;
        text.strip_suffix('\n')?.parse().ok()
    });
    for messages in connections {
        let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("the server listens");
        for message in *messages {
            stream.write_all(message.as_bytes()).expect("it reads");
            let mut answer = vec![0; message.len()];
            stream.read_exact(&mut answer).expect("it answers");
            assert_eq!(answer, message.as_bytes());
        }
    }
    assert!(child.wait().is_ok_and(|status| status.success()));
}

#[test]
fn the_socket_study() {
    let Some(lab) = Lab::new() else { return };
    let load: Vec<&[&str]> = [
        &["a."][..],
        &["a", "b."],
        &["a", "b", "c."],
        &["a", "b", "c", "d."],
    ]
    .into_iter()
    .cycle()
    .take(40)
    .collect();
    serve(&lab, "good.trace", &load, false);
    let lines = lab.lines("good.trace");
    let count = |call: &str| lines.iter().filter(|line| line.starts_with(call)).count();
    assert_eq!(
        [
            "socket(", "bind(", "listen(", "accept(", "read(", "write(", "close("
        ]
        .map(count),
        [1, 1, 1, 40, 100, 100, 41]
    );
    let mined = lab.run(&[
        "mine",
        "good.trace",
        "--api",
        "socket",
        "--spec",
        "server.spec",
        "--strings",
        "--json",
    ]);
    let mined = json(&mined);
    assert_eq!(mined["scenarios"]["count"], 40);
    assert_eq!(mined["scenarios"]["distinct"], 4);
    assert_eq!(mined["removed"].as_array().map(Vec::len), Some(0));
    // The protocol of Figure 3: x is made to listen, y is accepted from it, read, written, closed.
    let letters: Vec<&str> = (mined["specification"]["alphabet"]
        .as_array()
        .into_iter()
        .flatten())
    .filter_map(serde_json::Value::as_str)
    .collect();
    assert_eq!(
        letters,
        [
            "socket(return = x0:T0)",
            "bind(so = x0:T0)",
            "listen(so = x0:T0)",
            "accept(so = x0:T0, return = x1:T0)",
            "read(fd = x1:T0)",
            "write(fd = x1:T0)",
            "close(fd = x1:T0)",
        ]
    );
    let good = lab.run(&[
        "check",
        "--check",
        "paper",
        "--spec",
        "server.spec",
        "good.trace",
        "--json",
    ]);
    assert_eq!(json(&good)["verdict"], "satisfies");
    // The early return leaves the third connection open.
    serve(
        &lab,
        "early.trace",
        &[&["a."][..], &["a", "b."], &["a", "b!"]],
        true,
    );
    let early = lab.run(&[
        "check",
        "--check",
        "paper",
        "--spec",
        "server.spec",
        "early.trace",
        "--json",
    ]);
    assert_eq!(early.status.code(), Some(1));
    let early = json(&early);
    assert_eq!(early["verdict"], "violates");
    let violations = early["violations"].as_array().expect("a list");
    assert_eq!(violations.len(), 1);
    let text = std::fs::read_to_string(lab.path("early.trace")).expect("a trace");
    let accepts: Vec<usize> = (text.lines().enumerate())
        .filter(|(_, line)| line.starts_with("accept("))
        .map(|(i, _)| i + 1)
        .collect();
    assert_eq!(violations[0]["line"], accepts[2]);
    assert_eq!(
        violations[0]["missing"],
        serde_json::json!(["close(fd = x1:T0)"])
    );
    // The listening socket is never closed either; a specification about sockets says so.
    for (i, rounds) in [&["a."][..], &["a", "b."], &["a", "b", "c."]]
        .iter()
        .enumerate()
    {
        serve(&lab, &format!("one{i}.trace"), &[rounds], false);
    }
    let mined = lab.run(&[
        "mine",
        "one0.trace",
        "one1.trace",
        "one2.trace",
        "--api",
        "socket",
        "--seed-call",
        "socket(return)",
        "--size",
        "20",
        "--spec",
        "whole.spec",
        "--json",
    ]);
    assert_eq!(json(&mined)["scenarios"]["count"], 3);
    serve(&lab, "one_early.trace", &[&["a", "b!"]], true);
    let early = json(&lab.run(&[
        "check",
        "--check",
        "paper",
        "--spec",
        "whole.spec",
        "one_early.trace",
        "--json",
    ]));
    let missing = early["violations"][0]["missing"].as_array().map(Vec::len);
    assert_eq!(missing, Some(2), "both sockets: {early}");
}

#[test]
fn a_crash_leaves_every_line() {
    let Some(lab) = Lab::new() else { return };
    let program = lab.compile_text(
        "crash",
        "#include <stdlib.h>\n#include <signal.h>\n\
         int main(void) { for (int i = 0; i < 5000; i++) free(malloc(i)); raise(SIGKILL); }",
        &["-fno-builtin"],
    );
    let lines = lab.trace(&["--api", "malloc"], &program);
    assert_eq!(lines.len(), 10_000);
    assert!(lines[9_999].starts_with("free(block = 0x"));
}

#[test]
fn threads_and_children_are_recorded() {
    let Some(lab) = Lab::new() else { return };
    let program = lab.compile_text(
        "threads",
        "#include <pthread.h>\n#include <sys/wait.h>\n#include <unistd.h>\n\
         static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;\n\
         static void *work(void *n) {\n\
             for (int i = 0; i < 1000; i++) { pthread_mutex_lock(&mutex); pthread_mutex_unlock(&mutex); }\n\
             return n; }\n\
         int main(void) {\n\
             pthread_t threads[4];\n\
             for (int i = 0; i < 4; i++) pthread_create(&threads[i], 0, work, 0);\n\
             for (int i = 0; i < 4; i++) pthread_join(threads[i], 0);\n\
             if (fork() == 0) { work(0); _exit(0); }\n\
             wait(0); return 0; }",
        &["-pthread"],
    );
    let lines = lab.trace(&["--api", "pthread"], &program);
    let end = lines.iter().position(|line| line == "--");
    assert_eq!(end, Some(8008));
    // The child has the mutex from its parent, with the last eight calls on it.
    assert_eq!(lines.len(), 8009 + 8 + 2000);
    // A mutex is locked by one thread at a time: `lock` stands where it returned, `unlock` where it
    // was entered, so the trace cannot show anything else.
    let locks = lines
        .iter()
        .filter(|line| line.starts_with("pthread_mutex_"));
    let locks: Vec<&String> = locks.collect();
    assert_eq!(locks.len(), 10_008);
    for pair in locks.chunks(2) {
        assert!(pair[0].starts_with("pthread_mutex_lock("), "{pair:?}");
        assert!(pair[1].starts_with("pthread_mutex_unlock("), "{pair:?}");
    }
}

#[test]
fn programs_do_not_notice() {
    let Some(lab) = Lab::new() else { return };
    // Modes of `open`, `errno`, floating-point arguments of `fprintf`, closing all descriptors.
    let program = lab.compile_text(
        "polite",
        "#include <errno.h>\n#include <fcntl.h>\n#include <stdio.h>\n#include <sys/stat.h>\n\
         #include <unistd.h>\n\
         int main(void) {\n\
             struct stat s; char text[64] = \"\";\n\
             for (int fd = 3; fd < 1024; fd++) close(fd);\n\
             int fd = open(\"made\", O_CREAT | O_RDWR | O_TRUNC, 0640);\n\
             if (fd != 3 || fstat(fd, &s) || (s.st_mode & 0777) != 0640) return 1;\n\
             if (open(\"/does/not/exist\", O_RDONLY) != -1 || errno != ENOENT) return 2;\n\
             FILE *f = fdopen(fd, \"w+\");\n\
             if (fprintf(f, \"%d %.2f %s\", 7, 2.5, \"x\") != 8) return 3;\n\
             rewind(f); if (!fgets(text, sizeof text, f)) return 4;\n\
             return fclose(f) || text[4] != '5'; }",
        &["-D_FORTIFY_SOURCE=2", "-O2"],
    );
    for api in ["files", "stdio", "malloc"] {
        let program = program.display().to_string();
        let out = format!("{api}.trace");
        let output = lab.run(&["trace", "--api", api, "-o", &out, "--json", "--", &program]);
        assert_eq!(json(&output)["exit_code"], 0, "{api}");
    }
    let files = lab.lines("files.trace");
    assert_eq!(
        files.iter().filter(|l| l.starts_with("close(")).count(),
        1021
    );
    assert!(
        files
            .iter()
            .any(|l| l.starts_with("open(path = \"made\", flags = "))
    );
    let stdio = lab.lines("stdio.trace");
    let calls: Vec<&str> = stdio.iter().filter_map(|l| l.split('(').next()).collect();
    assert_eq!(calls, ["fdopen", "fprintf", "rewind", "fgets", "fclose"]);
}

#[test]
fn callers_are_told_apart() {
    let Some(lab) = Lab::new() else { return };
    lab.compile_text(
        "libhelp.so",
        "#include <stdlib.h>\nvoid help(void) { for (int i = 0; i < 3; i++) free(malloc(9)); }",
        &["-shared", "-fPIC", "-fno-builtin"],
    );
    let folder = lab.folder.path().display().to_string();
    let program = lab.compile_text(
        "asks",
        "#include <stdlib.h>\nvoid help(void);\nint main(void) { help(); free(malloc(5)); return 0; }",
        &["-fno-builtin", &format!("-L{folder}"), "-lhelp", &format!("-Wl,-rpath,{folder}")],
    );
    let count = |from: &str| {
        let lines = lab.trace(&["--api", "malloc", "--from", from], &program);
        lines
            .iter()
            .filter(|line| line.starts_with("malloc(size = "))
            .count()
    };
    assert_eq!(count("program"), 1);
    assert_eq!(count("libhelp"), 3);
    assert!(count("all") >= 4);
}

#[test]
fn callbacks_are_recorded_and_can_be_removed() {
    let Some(lab) = Lab::new() else { return };
    lab.compile_text(
        "libbell.so",
        "static int (*handlers[9])(void *, int); static void *closures[9]; static int n;\n\
         void on(int (*f)(void *, int), void *c) { handlers[n] = f; closures[n++] = c; }\n\
         void off(int (*f)(void *, int), void *c) {\n\
             for (int i = 0; i < n; i++) if (handlers[i] == f && closures[i] == c) handlers[i] = 0; }\n\
         int ring(int x) { int sum = 0;\n\
             for (int i = 0; i < n; i++) if (handlers[i]) sum += handlers[i](closures[i], x);\n\
             return sum; }",
        &["-shared", "-fPIC"],
    );
    let folder = lab.folder.path().display().to_string();
    let program = lab.compile_text(
        "rings",
        "void on(int (*f)(void *, int), void *c); void off(int (*f)(void *, int), void *c);\n\
         int ring(int x); static int one = 1, ten = 10;\n\
         static int times(void *c, int x) { return *(int *)c * x; }\n\
         int main(void) {\n\
             on(times, &one); on(times, &ten); on(0, 0);\n\
             if (ring(2) != 22) return 1;\n\
             off(times, &one);\n\
             return ring(3) != 30; }",
        &[
            &format!("-L{folder}"),
            "-lbell",
            &format!("-Wl,-rpath,{folder}"),
        ],
    );
    std::fs::write(
        lab.path("bell.toml"),
        "[calls.on]\ndeclare = \"void on(int (*f)(void *, int), void *c)\"\n\
         [calls.off]\ndeclare = \"void off(int (*f)(void *, int), void *c)\"\n\
         [calls.ring]\ndeclare = \"int ring(int x)\"\n\
         [calls.handler]\ndeclare = \"int handler(void *c, int x)\"\n\
         extra = { what = \"*(int *)c\" }\n\
         callback_of = [\"on(f, c)\", \"off(f, c)\"]\n",
    )
    .expect("a file can be written");
    let lines = lab.trace(&["--api", "bell.toml"], &program);
    let what: Vec<String> = (lines.iter())
        .map(|line| {
            let (call, rest) = line.split_once('(').expect("a call");
            let keep = |part: &&str| !part.contains("= 0x") && !part.starts_with("at = ");
            let parts: Vec<&str> = rest
                .trim_end_matches(')')
                .split(", ")
                .filter(keep)
                .collect();
            format!("{call} {}", parts.join(" "))
        })
        .collect();
    assert_eq!(
        what,
        [
            "on ",
            "on ",
            "on ",
            "ring x = 2 return = 22",
            "handler x = 2 what = 1 return = 2",
            "handler x = 2 what = 10 return = 20",
            "off ",
            "ring x = 3 return = 30",
            "handler x = 3 what = 10 return = 30",
        ]
    );
}

#[test]
fn a_program_that_does_not_end_is_ended() {
    let Some(lab) = Lab::new() else { return };
    let program = lab.compile_text(
        "waits",
        "#include <stdlib.h>\n#include <unistd.h>\n\
         int main(void) { free(malloc(7)); for (;;) pause(); }",
        &["-fno-builtin"],
    );
    let program = program.display().to_string();
    let code = |limit: [&str; 2]| {
        let mut args = vec!["trace", "--api", "malloc", "-o", "out.trace"];
        args.extend(limit);
        args.extend(["--", &program]);
        let code = lab.run(&args).status.code();
        assert_eq!(lab.lines("out.trace").len(), 2);
        code
    };
    assert_eq!(code(["--stop-after", "2"]), Some(0));
    assert_eq!(code(["--timeout", "2"]), Some(3));
}

#[test]
fn an_api_from_a_header() {
    let Some(lab) = Lab::new() else { return };
    std::fs::write(
        lab.path("thing.h"),
        "typedef struct thing thing;\nextern thing *thing_open(const char *__name, int);\n\
         int thing_use(thing *t, int (*with)(int)) __attribute__((nonnull));\n\
         void thing_close(thing *t), other(void);\n",
    )
    .expect("a file can be written");
    let output = lab.run(&[
        "trace",
        "--api-from",
        "thing.h",
        "--only",
        "thing_*",
        "--write-api",
        "thing.toml",
    ]);
    assert!(output.status.success(), "{}", error_of(&output));
    let api = std::fs::read_to_string(lab.path("thing.toml")).expect("it was written");
    for line in [
        "declare = \"thing *thing_open(const char *name, int arg1)\"",
        "declare = \"int thing_use(thing *t, int (*with)(int))\"",
        "declare = \"void thing_close(thing *t)\"",
    ] {
        assert!(api.contains(line), "{api}");
    }
    assert!(!api.contains("other"));
}

/// The protocol of a server that forks for each connection is in two processes.
#[test]
fn a_child_has_the_objects_of_its_parent() {
    let Some(lab) = Lab::new() else { return };
    let program = lab.compile_text(
        "forking",
        "#include <fcntl.h>\n#include <sys/wait.h>\n#include <unistd.h>\n\
         int main(void) {\n\
             char c;\n\
             for (int i = 0; i < 3; i++) {\n\
                 int other = open(\"/dev/null\", O_RDONLY), fd = open(\"/dev/zero\", O_RDONLY);\n\
                 if (fork() == 0) {\n\
                     for (int j = 0; j <= i; j++) read(fd, &c, 1);\n\
                     close(fd); _exit(0);\n\
                 }\n\
                 wait(0); close(fd); close(other);\n\
             }\n\
             return 0; }",
        &[],
    );
    let lines = lab.trace(&["--api", "files"], &program);
    let runs: Vec<Vec<String>> = lines
        .split(|line| line == "--")
        .map(|run| {
            let names = run
                .iter()
                .map(|l| l.split('(').next().unwrap_or("").to_owned());
            names.collect()
        })
        .collect();
    let child = |n: usize| {
        let mut calls = vec!["open"];
        calls.extend(vec!["read"; n]);
        calls.push("close");
        calls
    };
    assert_eq!(runs.len(), 4);
    assert_eq!(runs[0], ["open", "open", "close", "close"].repeat(3));
    for (n, run) in runs.iter().enumerate().skip(1) {
        assert_eq!(*run, child(n));
    }
    // What it did not use is not there.
    let opened: Vec<&String> = lines.iter().filter(|l| l.starts_with("open(")).collect();
    assert!(
        opened[6..].iter().all(|l| l.contains("/dev/zero")),
        "{opened:?}"
    );
}

#[test]
fn programs_that_ignore_the_recorder_are_named() {
    let Some(lab) = Lab::new() else { return };
    let text = "int main(void) { return 0; }";
    let statically = lab.compile_text("static", text, &["-static"]);
    let output = lab.run(&[
        "trace",
        "--api",
        "malloc",
        "--",
        &statically.to_string_lossy(),
    ]);
    assert_eq!(output.status.code(), Some(2));
    assert!(error_of(&output).contains("is statically linked, so its calls cannot be recorded"));
    assert!(error_of(&output).contains("strace -f -ttt"));
    // The first bytes of a 32-bit program are all that is looked at.
    let mut bytes = b"\x7fELF\x01\x01\x01".to_vec();
    bytes.resize(64, 0);
    let narrow = lab.path("narrow");
    std::fs::write(&narrow, bytes).expect("a file can be written");
    let output = lab.run(&["trace", "--api", "malloc", "--", &narrow.to_string_lossy()]);
    assert_eq!(output.status.code(), Some(2));
    assert!(error_of(&output).contains("is not a 64-bit program"));
    // Whoever owns it can record it.
    let special = lab.compile_text("special", text, &[]);
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o4755);
    std::fs::set_permissions(&special, mode).expect("it is ours");
    let output = lab.run(&[
        "trace",
        "--api",
        "malloc",
        "-o",
        "special.trace",
        "--",
        &special.to_string_lossy(),
    ]);
    assert!(
        error_of(&output).contains("is setuid or setgid"),
        "{}",
        error_of(&output)
    );
}

#[test]
fn what_cannot_be_recorded_is_said() {
    let Some(lab) = Lab::new() else { return };
    let refused = |args: &[&str], what: &str| {
        let output = lab.run(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(error_of(&output).contains(what), "{}", error_of(&output));
    };
    refused(
        &["trace", "--api", "malloc", "--", "/no/such/program"],
        "there is no program",
    );
    refused(
        &["trace", "--api", "malloc"],
        "there is no program to record",
    );
    refused(
        &["trace", "--api", "nothing", "--", "true"],
        "there is no API `nothing`",
    );
    std::fs::write(
        lab.path("bad.toml"),
        "[calls.f]\ndeclare = \"nonsense f(int x)\"\n",
    )
    .expect("a file can be written");
    refused(
        &["trace", "--api", "bad.toml", "--", "true"],
        "does not compile",
    );
    std::fs::write(lab.path("none.toml"), "[calls.f]\nuses = [\"x\"]\n")
        .expect("a file can be written");
    refused(
        &["trace", "--api", "none.toml", "--", "true"],
        "nothing to record",
    );
}
