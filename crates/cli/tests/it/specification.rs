//! `verify --spec`: a mined specification against C source; `check --monitor`: the same while a program runs.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

struct Lab(tempfile::TempDir);

impl Lab {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.path().join(name);
        std::fs::write(&path, text).expect("a file");
        path
    }

    fn run(&self, args: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_idiolect"))
            .args(args)
            .current_dir(self.0.path())
            .output()
            .expect("idiolect runs")
    }

    fn code(&self, args: &[&str], wanted: i32) -> String {
        let output = self.run(args);
        let (out, error) = (
            String::from_utf8_lossy(&output.stdout).into_owned(),
            String::from_utf8_lossy(&output.stderr).into_owned(),
        );
        assert_eq!(output.status.code(), Some(wanted), "{args:?}\n{out}{error}");
        out
    }

    /// The rules of three programs that do everything right.
    fn spec(&self) {
        let mut names = Vec::new();
        for program in ["a", "b", "c"] {
            let name = format!("{program}.trace");
            self.write(&name, RIGHT);
            names.push(name);
        }
        let mut args: Vec<&str> = vec!["mine"];
        args.extend(names.iter().map(String::as_str));
        for api in ["files", "stdio", "socket", "malloc", "string", "pthread"] {
            args.extend(["--api", api]);
        }
        args.extend(["--spec", "right.spec"]);
        let text = self.code(&args, 0);
        assert!(
            text.contains("a stream made by fopen.return ends"),
            "{text}"
        );
    }

    fn verify(&self, source: &str, more: &[&str]) -> Value {
        let mut args = vec![
            "verify",
            source,
            "--spec",
            "right.spec",
            "--json",
            "--timeout",
            "60",
        ];
        args.extend(more);
        let output = self.run(&args);
        serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|e| panic!("{e}: {}", String::from_utf8_lossy(&output.stderr)))
    }
}

/// One run that makes, uses and ends an object of every kind.
const RIGHT: &str = include_str!("../cmd/in/objects.trace");

/// Mistakes of `bench/lives`, and whether nothing is wrong with the corrected twin can be shown in seconds. The twelfth, a
/// stream that is forgotten once a word was found in a line, takes longer.
const MISTAKES: [(&str, bool); 11] = [
    ("dir_leak", false),
    ("double_close", true),
    ("double_free", true),
    ("double_unlock", true),
    ("fd_leak", false),
    ("lock_held", true),
    ("read_after_close", true),
    ("readdir_after_closedir", true),
    ("send_after_shutdown", false),
    ("unlock_without_lock", true),
    ("use_after_free", true),
];

/// Found without running anything, each at its line.
#[test]
fn mistakes_with_objects_are_found_in_the_source() {
    let lab = Lab::new();
    lab.spec();
    for (name, is_proved) in MISTAKES {
        let file = root().join(format!("bench/lives/bugs/{name}.c"));
        let text = std::fs::read_to_string(&file).expect("it can be read");
        let line = 1
            + (text.lines())
                .position(|l| l.contains("/* BUG */"))
                .expect("a mark");
        let source = file.to_string_lossy();
        let bug = lab.verify(&source, &[]);
        assert_eq!(bug["error"]["kind"], "specification", "{name}: {bug:#}");
        assert_eq!(bug["error"]["line"], line, "{name}: {bug:#}");
        if is_proved {
            let twin = lab.verify(&source, &["-D", "FIXED"]);
            assert_eq!(twin["verdict"], "proved", "{name}: {twin:#}");
        }
    }
}

/// Two runs that put descriptors into places of their own choice, and open streams once more.
const PLACED: &str = "open(path = 0x10, flags = 0, return = 3)\ndup2(fd = 3, to = 10, return = 10)\n\
    close(fd = 3, return = 0)\nread(fd = 10, buf = 0x20, len = 1, return = 1)\nclose(fd = 10, return = 0)\n\
    fopen(path = 0x10, mode = 0x11, return = 0x90)\n\
    freopen(path = 0x10, mode = 0x11, stream = 0x90, return = 0x90)\nfclose(stream = 0x90, return = 0)\n";

/// What `dup2` makes has the number that the program chose; a `freopen` that fails has closed the stream all the same.
#[test]
fn the_program_says_which_object_is_made() {
    let lab = Lab::new();
    lab.write("a.trace", PLACED);
    lab.write("b.trace", PLACED);
    let apis = ["--api", "files", "--api", "stdio", "--spec", "right.spec"];
    lab.code(&[&["mine", "a.trace", "b.trace"][..], &apis].concat(), 0);
    lab.write(
        "dup.c",
        "#include <fcntl.h>\n#include <unistd.h>\nint main(void) {\n    int fd = open(\"f\", O_RDONLY), to;\n    \
         if (fd < 0) return 1;\n    to = dup2(fd, 10);\n    close(fd);\n    if (to < 0) return 1;\n    \
         if (to != 10) return 2;\n#ifdef FIXED\n    close(to);\n#endif\n    fd = open(\"g\", O_WRONLY);\n    \
         if (fd < 0) return 1;\n    dup2(fd, 1);\n    close(fd);\n    return 0;\n}\n",
    );
    let leak = lab.verify("dup.c", &[]);
    assert_eq!(leak["error"]["line"], 6, "{leak:#}");
    assert_eq!(lab.verify("dup.c", &["-D", "FIXED"])["verdict"], "proved");
    lab.write(
        "reopen.c",
        "#include <stdio.h>\nint main(void) {\n    FILE *f = fopen(\"f\", \"r\");\n    if (!f) return 1;\n    \
         if (!freopen(\"g\", \"r\", f)) {\n#ifdef TWICE\n        fclose(f);\n#endif\n        return 1;\n    }\n    \
         fclose(f);\n    return 0;\n}\n",
    );
    let right = lab.verify("reopen.c", &[]);
    assert_eq!(right["verdict"], "proved", "{right:#}");
    let twice = lab.verify("reopen.c", &["-D", "TWICE"]);
    assert_eq!(twice["error"]["line"], 7, "{twice:#}");
}

/// The early return of the paper's Figure 1, by what two clients of a recorded server did.
#[test]
fn the_early_return_of_figure_1() {
    let lab = Lab::new();
    let trace = root().join("examples/server.trace");
    let server = root().join("examples/protocol/server.c");
    let (trace, server) = (trace.to_string_lossy(), server.to_string_lossy());
    lab.code(
        &["mine", &trace, "--api", "socket", "--spec", "right.spec"],
        0,
    );
    let text = lab.code(&["verify", &server, "--spec", "right.spec"], 1);
    assert!(text.contains("the descriptor is never ended"), "{text}");
    assert!(text.contains("accept.return at"), "{text}");
    let text = lab.code(
        &["verify", &server, "--spec", "right.spec", "-D", "FIXED"],
        0,
    );
    assert!(text.starts_with("proved: "), "{text}");
}

#[test]
fn what_a_function_is_given_is_not_its_to_end() {
    let lab = Lab::new();
    lab.spec();
    let source = lab.write(
        "f.c",
        "#include <unistd.h>\n#include <fcntl.h>\nint f(int fd) { char c; if (read(fd, &c, 1) < 1) return -1; \
         close(fd); return c; }\nint g(int fd) { close(fd); return f(fd); }\nint h(void) { return open(\"x\", 0); }\n",
    );
    let source = source.to_string_lossy();
    let of = |entry: &str| lab.verify(&source, &["--entry", entry]);
    assert_eq!(of("f")["error"], Value::Null);
    assert_eq!(of("g")["error"]["kind"], "specification");
    assert_eq!(of("g")["error"]["line"], 3);
    assert_eq!(of("h")["error"], Value::Null);
}

#[test]
fn handlers_at_exit_come_before_the_end() {
    let lab = Lab::new();
    lab.spec();
    let text = |registers: &str| {
        format!(
            "#include <stdio.h>\n#include <stdlib.h>\nstatic FILE *log;\nstatic void done(void) {{ if (log) fclose(log); \
             }}\nint main(void) {{\n  log = fopen(\"log\", \"w\");\n  {registers}\n  if (!log) exit(2);\n  \
             fputs(\"x\", log);\n  return 0;\n}}\n"
        )
    };
    let right = lab.write("right.c", &text("atexit(done);"));
    let wrong = lab.write("wrong.c", &text("(void)done;"));
    assert_eq!(
        lab.verify(&right.to_string_lossy(), &[])["error"],
        Value::Null
    );
    let wrong = lab.verify(&wrong.to_string_lossy(), &[]);
    assert_eq!(
        (&wrong["error"]["kind"], &wrong["error"]["line"]),
        (&"specification".into(), &6.into())
    );
    assert_eq!(wrong["violations"][0]["kind"], "missing");
}

#[test]
fn a_program_without_the_calls_keeps_it_by_doing_nothing() {
    let lab = Lab::new();
    lab.spec();
    lab.write("empty.c", "int main(void) { return 0; }\n");
    let said = lab.verify("empty.c", &[]);
    assert_eq!(said["verdict"], "proved");
    let warnings = said["warnings"].to_string();
    assert!(warnings.contains("kept by doing nothing"), "{warnings}");
}

/// The same rules in a library that is preloaded: the mistakes are told while the programs run.
#[test]
fn a_monitor_watches_real_runs() {
    let lab = Lab::new();
    lab.spec();
    lab.code(
        &["check", "--spec", "right.spec", "--monitor", "watch.c"],
        0,
    );
    let cc = |args: &[&str]| {
        let output = Command::new("cc")
            .args(args)
            .current_dir(lab.0.path())
            .output();
        let output = output.expect("there is a compiler");
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
    };
    cc(&[
        "-w", "-O1", "-shared", "-fPIC", "-o", "watch.so", "watch.c", "-ldl",
    ]);
    let watch = lab.0.path().join("watch.so");
    let mut found = Vec::new();
    for name in [
        "double_close",
        "double_free",
        "double_unlock",
        "fd_leak",
        "file_leak",
        "dir_leak",
        "lock_held",
        "read_after_close",
        "readdir_after_closedir",
        "send_after_shutdown",
        "unlock_without_lock",
        "use_after_free",
    ] {
        let source = root().join(format!("bench/lives/bugs/{name}.c"));
        let source = source.to_string_lossy();
        for (define, program) in [("-DBUG", "bug"), ("-DFIXED", "fixed")] {
            cc(&[
                "-g", "-O0", "-w", "-pthread", define, "-o", program, &source,
            ]);
            let output = Command::new(lab.0.path().join(program))
                .env("LD_PRELOAD", &watch)
                .env("IDIOLECT_ON_BREAK", "exit")
                .current_dir(lab.0.path())
                .output()
                .expect("it runs");
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            let is_told = said.lines().any(|line| line.starts_with("idiolect: "));
            match program {
                "bug" if is_told => found.push(name),
                "fixed" => assert!(!is_told, "{name}: {said}"),
                _ => {}
            }
        }
    }
    assert!(found.len() >= 11, "{found:?}");
}
