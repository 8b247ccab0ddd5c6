//! Another solver's opinion: on the questions that `--dump-smt2` writes, and as `--solver`.

use std::path::Path;
use std::process::Command;
use xtask::process::available_or_skip;

const IDIOLECT: &str = env!("CARGO_BIN_EXE_idiolect");

const PROGRAMS: [&str; 5] = [
    "examples/sort.c",
    "crates/cli/tests/cmd/in/countdown.c",
    "crates/cli/tests/cmd/in/residue.c",
    "crates/cli/tests/cmd/in/vote.c",
    "crates/cli/tests/cmd/in/trap.c",
];

/// The JSON outcome of `idiolect verify`, without its statistics, which depend on the solver.
fn verify(program: &str, options: &[&str]) -> serde_json::Value {
    let output = Command::new(IDIOLECT)
        .args([
            "verify",
            "--engine",
            "bmc",
            "--json",
            "--no-timing",
            "--unwind",
            "8",
        ])
        .args(options)
        .arg(program)
        .current_dir(xtask::root())
        .output()
        .expect("idiolect starts");
    let text = String::from_utf8_lossy(&output.stdout);
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{program}: {e} in {text}"))
}

fn z3(arguments: &[&str], file: &Path) -> String {
    let output = Command::new("z3")
        .args(arguments)
        .arg(file)
        .output()
        .expect("z3 starts");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn z3_gives_every_question_the_answer_that_we_gave() {
    if !available_or_skip("z3", "solver") {
        return;
    }
    let scratch = tempfile::tempdir().expect("a temporary folder");
    let file = scratch.path().join("questions.smt2");
    let mut n_answers = [0, 0];
    for program in PROGRAMS {
        let path = file.to_str().expect("a path in UTF-8");
        let options = ["--property", "assert,memory,division", "--dump-smt2", path];
        let outcome = verify(program, &options);
        let text = std::fs::read_to_string(&file).expect("the questions were written");
        let ours: Vec<&str> = text
            .lines()
            .filter_map(|l| l.strip_prefix("(set-info :status ")?.strip_suffix(')'))
            .collect();
        let theirs = z3(&[], &file);
        assert_eq!(theirs.lines().collect::<Vec<_>>(), ours, "{program}");
        // Nothing is refined in these, so each question is one call.
        let calls = outcome["statistics"]["solver_calls"].as_u64();
        assert_eq!(calls, Some(ours.len() as u64), "{program}");
        n_answers[0] += ours.iter().filter(|&&a| a == "sat").count();
        n_answers[1] += ours.iter().filter(|&&a| a == "unsat").count();
    }
    assert!(
        n_answers.iter().all(|&n| n > 0),
        "both occur: {n_answers:?}"
    );
}

#[test]
fn verdicts_do_not_depend_on_the_solver() {
    if !available_or_skip("z3", "solver") {
        return;
    }
    for program in PROGRAMS {
        let (ours, theirs) = (
            verify(program, &[]),
            verify(program, &["--solver", "z3 -in"]),
        );
        for part in ["verdict", "found_by"] {
            assert_eq!(ours[part], theirs[part], "{program}");
        }
        assert_eq!(theirs["statistics"]["conflicts"], serde_json::Value::Null);
    }
}

/// Every command that asks a solver, with a program for which it does.
const COMMANDS: [&[&str]; 5] = [
    &["explain", "examples/sort.c"],
    &[
        "verify",
        "--engine",
        "both",
        "crates/cli/tests/cmd/in/residue.c",
    ],
    &["localize", "examples/sort.c"],
    &["invariants", "corpus/linear/array-find.c"],
    &["diff", "examples/sort.c", "examples/sort.c"],
];

fn answer(words: &[&str], options: &[&str]) -> serde_json::Value {
    let output = Command::new(IDIOLECT)
        .args(words)
        .args(["--json", "--no-timing"])
        .args(options)
        .current_dir(xtask::root())
        .output()
        .expect("idiolect starts");
    let text = String::from_utf8_lossy(&output.stdout);
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{words:?}: {e} in {text}"))
}

#[test]
fn questions_of_every_command_are_written_and_z3_agrees() {
    if !available_or_skip("z3", "solver") {
        return;
    }
    let scratch = tempfile::tempdir().expect("a temporary folder");
    let file = scratch.path().join("questions.smt2");
    let path = file.to_str().expect("a path in UTF-8");
    for words in COMMANDS {
        let plain = answer(words, &[]);
        let dumped = answer(words, &["--dump-smt2", path]);
        assert_eq!(plain["verdict"], dumped["verdict"], "{words:?}");
        let text = std::fs::read_to_string(&file).expect("the questions were written");
        // A few of them: z3 takes seconds for all.
        let questions: Vec<&str> = text.split("; question ").skip(1).collect();
        assert!(!questions.is_empty(), "{words:?} asks nothing");
        for question in questions.iter().step_by(questions.len().div_ceil(8)) {
            let status = question
                .lines()
                .find_map(|l| l.strip_prefix("(set-info :status ")?.strip_suffix(')'));
            let (_, script) = question
                .split_once('\n')
                .expect("a number, then the question");
            std::fs::write(&file, script).expect("a file");
            let theirs = z3(&["-T:20"], &file);
            if let (Some("sat" | "unsat"), Some(first)) = (status, theirs.lines().next())
                && matches!(first, "sat" | "unsat")
            {
                assert_eq!(Some(first), status, "{words:?}");
            }
        }
    }
}

#[test]
fn a_solver_that_is_none_is_refused_before_the_work() {
    for command in ["explain", "localize", "invariants"] {
        let output = Command::new(IDIOLECT)
            .args([command, "examples/sort.c", "--solver", "no-such-solver -in"])
            .current_dir(xtask::root())
            .output()
            .expect("idiolect starts");
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{command}: {text}");
        assert!(
            text.contains("cannot start the solver"),
            "{command}: {text}"
        );
    }
}
