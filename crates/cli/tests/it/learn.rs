//! `learn` on machines, running systems and words.

use idiolect_base::Rng;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

const INPUTS: &str = "listen,syn,ack,data,fin,close,rst";

fn idiolect(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_idiolect"));
    command.current_dir(xtask::root()).arg("learn").args(args);
    command
}

fn outcome(args: &[&str]) -> (Option<i32>, Value) {
    let output = idiolect(args).args(["--json", "--no-timing"]).output();
    let output = output.expect("it runs");
    let shown = String::from_utf8_lossy(&output.stdout);
    let value = serde_json::from_slice(&output.stdout);
    (
        output.status.code(),
        value.unwrap_or_else(|e| panic!("{e}: {shown}")),
    )
}

fn is_refused(output: &Output, said: &str) {
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.contains(said), "expected {said:?} in {text}");
    assert!(text.contains("help:"), "{text}");
}

/// Compiles a C program of ours.
fn compile(folder: &Path, name: &str, text: &str) -> PathBuf {
    let (source, program) = (folder.join(format!("{name}.c")), folder.join(name));
    std::fs::write(&source, text).expect("a file");
    let status = Command::new("cc")
        .args(["-O1", "-o"])
        .args([&program, &source])
        .status();
    assert!(status.expect("a C compiler").success());
    program
}

/// The inputs and outputs of all transitions, in order.
fn steps(learned: &Value) -> Vec<String> {
    let transitions = learned["automaton"]["transitions"].as_array();
    let transitions = transitions.expect("a list").iter();
    let mut steps: Vec<String> = transitions
        .map(|t| format!("{}/{}", t["letter"], t["output"]))
        .collect();
    steps.sort();
    steps
}

fn connection(folder: &Path) -> PathBuf {
    let text = std::fs::read_to_string(xtask::root().join("examples/connection.c"));
    compile(folder, "connection", &text.expect("the example"))
}

#[test]
fn a_mealy_machine_is_learned_as_what_it_is() {
    for learner in ["lstar", "lstar-columns", "rs", "kv", "ttt", "lsharp"] {
        let args = ["examples/coffee.dot", "--learner", learner];
        let (code, learned) = outcome(&args);
        assert_eq!(code, Some(0));
        assert_eq!(learned["automaton"]["kind"], "mealy", "{learner}");
        assert_eq!(learned["statistics"]["states"], 3, "{learner}");
        assert_eq!(learned["is_target"], true, "{learner}");
        assert_eq!(learned["guarantee"]["kind"], "proved", "{learner}");
    }
    let output = idiolect(&["examples/coffee.dot", "--learner", "nlstar"]).output();
    is_refused(&output.expect("it runs"), "learns DFA alone");
}

#[test]
fn what_is_written_is_learned_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let (dot, json) = (folder.path().join("m.dot"), folder.path().join("m.json"));
    let svg = folder.path().join("m.svg");
    let (dot, svg) = (dot.display().to_string(), svg.display().to_string());
    let (_, first) = outcome(&["examples/coffee.dot", "--dot", &dot, "--svg", &svg]);
    std::fs::write(&json, first["automaton"].to_string()).expect("a file");
    let drawing = std::fs::read_to_string(&svg).expect("a drawing");
    assert!(drawing.contains("coin / refuse"), "outputs are drawn");
    for file in [dot, json.display().to_string()] {
        let (code, again) = outcome(&[&file]);
        assert_eq!(code, Some(0));
        assert_eq!(again["automaton"], first["automaton"], "{file}");
    }
}

#[test]
fn tests_of_equivalence_are_counted() {
    for how in [
        "w",
        "wp",
        "random-wp",
        "random",
        "walks",
        "state-cover",
        "pac",
    ] {
        let (code, learned) = outcome(&["examples/coffee.dot", "--equivalence", how]);
        assert_eq!(code, Some(0), "{how}");
        let statistics = &learned["statistics"];
        let words = statistics["equivalence_words"].as_u64().unwrap_or(0);
        let letters = statistics["equivalence_symbols"].as_u64().unwrap_or(0);
        assert!(words > 0 && letters >= words, "{how}: {statistics}");
        assert_eq!(learned["is_target"], true, "{how}");
    }
}

#[test]
fn what_is_no_machine_is_refused_with_its_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("m.dot");
    for (lines, said) in [
        (
            "s0 [label=N];\ns0 -> s0 [label=a];",
            "m.dot:3: no state accepts",
        ),
        (
            "s0 -> s0 [label=\"a/x\"];\ns0 -> s0 [label=b];",
            "m.dot:4: the transition `b`",
        ),
        (
            "s0 -> s0 [label=\"a/x\"];\ns0 -> s0 [label=\"a/y\"];",
            "two transitions",
        ),
        ("s0 [label=N];\ns0 -> s0 [label=\"a:0.5\"];", "probability"),
    ] {
        let text = format!("digraph g {{\n__start0 -> s0;\n{lines}\n}}\n");
        std::fs::write(&file, text).expect("a file");
        let output = idiolect(&[&file.display().to_string()]).output();
        is_refused(&output.expect("it runs"), said);
    }
}

/// The states that the source of the example has, and what it answers.
#[test]
fn a_drawing_without_outputs_is_warned_about() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("m.dot");
    let learned = |shape: &str| {
        let text = format!(
            "digraph g {{ s0 [shape=\"circle\"]; s1 [shape=\"{shape}\"];
             s0 -> s1 [label=\"POD\"]; s1 -> s0 [label=\"POD\"];
             __start0 [shape=\"none\"]; __start0 -> s0; }}"
        );
        std::fs::write(&file, text).unwrap();
        let (code, learned) = outcome(&[file.to_str().unwrap()]);
        assert_eq!(code, Some(0));
        (learned["warnings"][0].as_str().unwrap_or_default()).to_owned()
    };
    assert!(learned("circle").starts_with("no state of the target accepts"));
    assert_eq!(learned("doublecircle"), "");
}

#[test]
fn a_c_program_is_learned_as_a_process() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = connection(folder.path()).display().to_string();
    let mut models = Vec::new();
    for more in [
        &[][..],
        &["--restart"],
        &["--learner", "ttt"],
        &["--repeat", "3"],
    ] {
        let args = [&["--sul", &program, "--alphabet", INPUTS][..], more].concat();
        let (code, learned) = outcome(&args);
        assert_eq!(code, Some(0), "{more:?}");
        let statistics = &learned["statistics"];
        assert_eq!(statistics["states"], 6, "{more:?}");
        assert_eq!(learned["guarantee"]["kind"], "exact");
        let bound = &learned["guarantee"]["assumptions"][0];
        assert_eq!(bound["text"], "the system has at most 7 states");
        let resets = statistics["resets"].as_u64().expect("a number");
        assert!(statistics["steps"].as_u64() >= Some(resets));
        models.push(steps(&learned));
    }
    assert!(models.windows(2).all(|pair| pair[0] == pair[1]));
}

#[test]
fn a_python_program_is_learned_as_a_process() {
    let args = [
        "--sul",
        "python3 examples/coffee.py",
        "--alphabet",
        "coin,button,clean",
    ];
    let (code, learned) = outcome(&args);
    assert_eq!(code, Some(0));
    let (_, target) = outcome(&["examples/coffee.dot", "--learner", "lsharp"]);
    assert_eq!(learned["statistics"]["states"], 3);
    assert_eq!(steps(&learned), steps(&target));
}

/// Killed again and again at any moment, it comes to the same model in the end and runs no word twice.
#[test]
fn a_killed_run_goes_on_where_it_was() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = connection(folder.path()).display().to_string();
    let log = folder.path().join("runs.log");
    let system = ["--sul", &program, "--alphabet", INPUTS];
    let (_, whole) = outcome(&system);
    let log_name = log.display().to_string();
    let args = [&system[..], &["--cache", &log_name]].concat();
    let mut random = Rng::new(3, 0);
    for _ in 0..12 {
        let mut run = idiolect(&args)
            .stdout(Stdio::null())
            .spawn()
            .expect("it starts");
        std::thread::sleep(Duration::from_millis(5 + random.below(25)));
        let _ = run.kill();
        let _ = run.wait();
        // What a write that was cut short leaves.
        if let Ok(bytes) = std::fs::read(&log)
            && random.chance(1, 2)
        {
            let cut = bytes.len().saturating_sub(random.below(20) as usize);
            std::fs::write(&log, &bytes[..cut]).expect("a file");
        }
    }
    let (code, learned) = outcome(&args);
    assert_eq!(code, Some(0));
    assert_eq!(learned["automaton"], whole["automaton"]);
    let (_, again) = outcome(&args);
    assert_eq!(again["automaton"], whole["automaton"]);
    assert_eq!(again["statistics"]["steps"], 0, "everything is known");
    let text = std::fs::read_to_string(&log).expect("a log");
    let lines: BTreeSet<&str> = text.lines().collect();
    assert_eq!(lines.len(), text.lines().count(), "no word was run twice");

    let other = idiolect(&["--sul", "cat", "--alphabet", INPUTS, "--cache", &log_name]).output();
    is_refused(&other.expect("it runs"), "another system");
    std::fs::write(&log, "precious\n").expect("a file");
    let output = idiolect(&args).output().expect("it runs");
    is_refused(&output, "is not a log of runs");
    assert_eq!(std::fs::read(&log).expect("a file"), b"precious\n");
}

/// One output in a hundred is wrong.
const FLAKY: &str = "#include <stdio.h>\n#include <string.h>\n#include <unistd.h>\n\
    int main(void) { char l[64]; unsigned s = 0, r = getpid();\n\
    while (fgets(l, 64, stdin)) {\n\
      if (!strncmp(l, \"RESET\", 5)) { s = 0; continue; }\n\
      s = (s + (l[0] == 'a')) % 4; r = r * 1664525u + 1013904223u;\n\
      puts((r >> 16) % 100 == 0 ? \"noise\" : s == 3 ? \"three\" : \"less\"); fflush(stdout); } }\n";

#[test]
fn noise_is_voted_down_or_shown() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = compile(folder.path(), "flaky", FLAKY).display().to_string();
    let system = ["--sul", &program, "--alphabet", "a,b"];
    // More words than noise spares.
    let much = [
        &system[..],
        &["--equivalence", "random", "--word-length", "30"],
    ]
    .concat();
    let (code, refused) = outcome(&much);
    assert_eq!(code, Some(3));
    let runs = &refused["contradiction"];
    assert_ne!(runs["first"], runs["second"]);
    let length = |name: &str| runs[name].as_array().map(Vec::len);
    assert!(length("inputs") > Some(0));
    assert_eq!(length("inputs"), length("first"));
    assert_eq!(length("inputs"), length("second"));
    let (code, learned) =
        outcome(&[&system[..], &["--repeat", "5", "--extra-states", "3"]].concat());
    assert_eq!(code, Some(0));
    assert_eq!(learned["statistics"]["states"], 4);
}

#[test]
fn silence_is_an_error_or_an_output() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "#include <stdio.h>\nint main(void) { char l[64]; int on = 0;\n\
        while (fgets(l, 64, stdin)) {\n\
          if (l[0] == 'R') { on = 0; continue; }\n\
          if (l[0] == 'p') on = !on;\n\
          if (l[0] == 'p' || on) { puts(\"yes\"); fflush(stdout); } } }\n";
    let program = compile(folder.path(), "silent", text).display().to_string();
    let system = [
        "--sul",
        &program,
        "--alphabet",
        "press,ask",
        "--wait",
        "0.3",
    ];
    let output = idiolect(&system).output().expect("it runs");
    is_refused(&output, "no output within 0.3 s after `ask`");
    let args = [
        &system[..],
        &["--timeout-as", "nothing", "--extra-states", "1"],
    ]
    .concat();
    let (code, learned) = outcome(&args);
    assert_eq!(code, Some(0));
    assert_eq!(learned["statistics"]["states"], 2);
}

#[test]
fn systems_that_say_more_than_one_line_are_not_learned() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "#include <stdio.h>\nint main(void) { char l[64];\n\
        while (fgets(l, 64, stdin)) {\n\
          if (l[0] == 'R') continue;\n\
          printf(l[0] == 'a' ? \"x\\n\" : \"y\\nmore\\n\"); fflush(stdout); } }\n";
    let program = compile(folder.path(), "two", text).display().to_string();
    let system = ["--sul", &program, "--alphabet", "a,b"];
    let output = idiolect(&system).output().expect("it runs");
    // The second line is there before the next input or takes the place of its answer.
    match output.status.code() {
        Some(2) => is_refused(&output, "without being asked"),
        code => assert_eq!(code, Some(3), "{output:?}"),
    }
}

#[test]
fn systems_that_do_not_answer_are_refused() {
    let args = |command| ["--sul", command, "--alphabet", "a"];
    let run = |args: &[&str]| idiolect(args).output().expect("it runs");
    is_refused(&run(&args("true")), "the system ended");
    let nowhere = run(&args("./there-is-no-such-program"));
    is_refused(&nowhere, "the system ended");
    is_refused(
        &run(&["--tcp", "192.0.2.1:80", "--alphabet", "a"]),
        "this machine",
    );
    is_refused(
        &run(&["--tcp", "127.0.0.1:1", "--alphabet", "a"]),
        "cannot connect",
    );
    is_refused(
        &run(&["--sul", "cat", "--alphabet", "a,RESET"]),
        "cannot be an input",
    );
    let exact = ["--sul", "cat", "--alphabet", "a", "--equivalence", "exact"];
    is_refused(&run(&exact), "compared exactly");
}

#[test]
fn words_become_automata() {
    for (learner, kind) in [
        ("rpni", "dfa"),
        ("edsm", "dfa"),
        ("alergia", "pfsa"),
        ("k-tails", "pfsa"),
        ("sk-strings", "pfsa"),
    ] {
        let args = ["--words", "examples/words.txt", "--learner", learner];
        let (code, learned) = outcome(&args);
        assert_eq!(code, Some(0), "{learner}");
        assert_eq!(learned["automaton"]["kind"], kind, "{learner}");
        assert_eq!(learned["statistics"]["words"], 15, "{learner}");
    }
    let run = |args: &[&str]| idiolect(args).output().expect("it runs");
    let by_queries = ["--words", "examples/words.txt", "--learner", "kv"];
    is_refused(&run(&by_queries), "learns by queries");
    is_refused(
        &run(&["examples/odd.dot", "--learner", "edsm"]),
        "learns from words",
    );
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("words");
    std::fs::write(&file, "a b\n").expect("a file");
    let name = file.display().to_string();
    is_refused(
        &run(&["--words", &name, "--learner", "rpni"]),
        "not in the language",
    );
    std::fs::write(&file, "+ a\n- a\n").expect("a file");
    is_refused(&run(&["--words", &name]), "both in the language and not");
}

/// In the interpreter and as a process the same program is the same machine.
#[test]
fn a_c_program_is_learned_in_the_interpreter() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = connection(folder.path()).display().to_string();
    let c = [
        "--c",
        "examples/connection.c",
        "--step",
        "step",
        "--reset",
        "reset",
    ];
    let (code, learned) = outcome(&[&c[..], &["--alphabet", INPUTS]].concat());
    assert_eq!(code, Some(0));
    let (_, process) = outcome(&["--sul", &program, "--alphabet", INPUTS, "--learner", "ttt"]);
    let of_c = [&c[..], &["--alphabet", INPUTS, "--learner", "ttt"]].concat();
    assert_eq!(outcome(&of_c).1["automaton"], process["automaton"]);
    assert_eq!(learned["statistics"]["states"], 6);
    assert!(learned["statistics"]["statements"].as_u64() > Some(0));
}

/// A stack on the heap behind a reset that takes long, with a use after its end.
const STACK: &str = "#include <stdlib.h>\n#include <stdio.h>\n\
    struct cell { struct cell *next; int value; };\nstatic struct cell *top; static int table[500], n;\n\
    void reset(void) { for (int i = 0; i < 500; i++) table[i] = i * i; printf(\"ready\"); }\n\
    int step(int x) {\n\
      static int calls; calls++;\n\
      for (int i = 1; i < 500; i++) table[i] ^= table[i - 1];\n\
      if (x == 0) { struct cell *c = top; if (!c) return -1; top = c->next; int v = c->value; free(c); n--; return v; }\n\
      if (x == 9) { struct cell *c = top; free(c); return c ? c->value : -2; }\n\
      if (n == 3) return -3;\n\
      struct cell *c = malloc(sizeof *c); c->next = top; c->value = x; top = c; n++; return calls < 0; }\n";

#[test]
fn snapshots_change_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("stack.c");
    std::fs::write(&file, STACK).expect("a file");
    let name = file.display().to_string();
    for learner in ["lsharp", "ttt"] {
        let args = [
            "--c",
            &name,
            "--step",
            "step",
            "--reset",
            "reset",
            "--alphabet",
            "0,1,2,9",
            "--learner",
            learner,
        ];
        let (code, learned) = outcome(&args);
        assert_eq!(code, Some(0));
        let (_, without) = outcome(&[&args[..], &["--no-snapshots"]].concat());
        assert_eq!(learned["automaton"], without["automaton"]);
        assert_eq!(learned["statistics"], without["statistics"]);
        // Before the first step, what a stack of up to three numbers of two kinds can be, and after a use after free.
        assert_eq!(learned["statistics"]["states"], 1 + 1 + 2 + 4 + 8 + 1);
        let text = learned["automaton"].to_string();
        assert!(text.contains("(use after free)"), "{text}");
        assert!(text.contains("ready -1"), "what the reset prints");
    }
}

#[test]
fn values_names_and_faults_are_outputs() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("door.c");
    let text = "#include <stdio.h>\nenum input { OPEN, SHUT, KICK };\n\
        enum answer { DONE = 3, REFUSED = 5 };\nstatic int open, kicks;\n\
        static enum answer step(enum input in) {\n\
          if (in == KICK) { static const int left[2] = {1, 0}; printf(\"bang\\n\"); return 3 / left[kicks++]; }\n\
          if ((in == OPEN) == open) return REFUSED;\n\
          open = !open; return DONE; }\n\
        int use(void) { return step(OPEN); }\n";
    std::fs::write(&file, text).expect("a file");
    let name = file.display().to_string();
    let args = [
        "--c",
        &name,
        "--step",
        "step",
        "--alphabet",
        "OPEN,SHUT,KICK",
    ];
    let (code, learned) = outcome(&args);
    assert_eq!(code, Some(0));
    let outputs: BTreeSet<String> = (learned["automaton"]["transitions"].as_array())
        .expect("a list")
        .iter()
        .map(|t| t["output"].as_str().expect("text").to_owned())
        .collect();
    let expected = [
        "(ended)",
        "DONE",
        "REFUSED",
        "bang (division by zero)",
        "bang DONE",
    ];
    assert_eq!(outputs, expected.map(str::to_owned).into());
    // Open or shut, kicked or not, and broken.
    assert_eq!(learned["statistics"]["states"], 5);

    let run = |args: &[&str]| idiolect(args).output().expect("it runs");
    let missing = ["--c", &name, "--step", "stop", "--alphabet", "OPEN"];
    assert_eq!(run(&missing).status.code(), Some(2));
    let two = ["--c", &name, "--step", "use", "--alphabet", "OPEN"];
    is_refused(&run(&two), "does not take one input");
    std::fs::write(&file, "int step(int n) { for (;;) n++; }\n").expect("a file");
    let endless = ["--c", &name, "--step", "step", "--alphabet", "1"];
    is_refused(&run(&endless), "a step does not end");
}

/// A lock whose code no test of the Wp-method with one more state tries.
const LOCK: &str = "static int n;\nint step(int x) {\n  static const int code[5] = {1, 2, 1, 1, 2};\n\
    n = x == code[n] ? n + 1 : 0;\n  if (n < 5) return 0;\n  n = 0;\n  return 7;\n}\n";

#[test]
fn the_solver_finds_what_tests_miss() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("lock.c");
    std::fs::write(&file, LOCK).expect("a file");
    let name = file.display().to_string();
    let c = ["--c", &name, "--step", "step", "--alphabet", "1,2"];
    let (_, tested) = outcome(&c);
    assert_eq!(tested["statistics"]["states"], 1, "the tests are too few");
    let (code, solved) = outcome(&[&c[..], &["--equivalence", "solver"]].concat());
    assert_eq!(code, Some(0));
    assert_eq!(solved["statistics"]["states"], 5);
    assert_eq!(solved["warnings"], serde_json::json!([]));
    let text = "It agrees with the program on every word of at most 6 letters.";
    assert_eq!(solved["guarantee"]["text"], text);
    // With words that are too short it says no more than it knows.
    let short = [&c[..], &["--equivalence", "solver", "--word-length", "4"]].concat();
    let (_, short) = outcome(&short);
    assert_eq!(short["statistics"]["states"], 1);
    assert!(
        short["guarantee"]["text"]
            .to_string()
            .contains("at most 4 letters")
    );
    // What it cannot see it does not promise: a step that ends the program, on a word that no test tries.
    let leaving = LOCK.replace("return 7", "exit(3)");
    std::fs::write(&file, format!("#include <stdlib.h>\n{leaving}")).expect("a file");
    let (_, leaving) = outcome(&[&c[..], &["--equivalence", "solver"]].concat());
    let warnings = leaving["warnings"].to_string();
    assert!(warnings.contains("may end the program"), "{warnings}");
    assert!(
        !leaving["guarantee"]["text"]
            .to_string()
            .contains("every word of at most"),
        "{leaving}"
    );
    // What it cannot see it does not promise.
    let printing = LOCK.replace("return 7", "puts(\"open\"); return 7");
    let text = format!("#include <stdio.h>\n{printing}");
    std::fs::write(
        &file,
        text.replace("if (n < 5)", "puts(\".\");\n  if (n < 5)"),
    )
    .expect("a file");
    let (_, printed) = outcome(&[&c[..], &["--equivalence", "solver"]].concat());
    assert!(printed["guarantee"]["text"].to_string().contains("at most"));
    assert!(printed["warnings"][0].to_string().contains("steps print"));
    // Nor if no test has ever seen it print: the solver finds a word on which it does.
    std::fs::write(&file, text.replace("return 7", "return 0")).expect("a file");
    let (_, printed) = outcome(&[&c[..], &["--equivalence", "solver"]].concat());
    assert_eq!(printed["statistics"]["states"], 5, "{printed}");
    assert!(printed["warnings"][0].to_string().contains("steps print"));
    // Runs that end at an assumption are no errors, but outputs.
    let assuming = LOCK.replace("return 7", "__VERIFIER_assume(0); return 0");
    let assuming = format!("void __VERIFIER_assume(int);\n{assuming}");
    std::fs::write(&file, assuming).expect("a file");
    let (_, assuming) = outcome(&[&c[..], &["--equivalence", "solver"]].concat());
    let text = assuming["guarantee"]["text"].to_string();
    assert!(!text.contains("every word of at most"), "{text}");
    let other = idiolect(&["examples/odd.dot", "--equivalence", "solver"]).output();
    is_refused(&other.expect("it runs"), "only a C program");
}

#[test]
fn an_earlier_model_guides_and_is_compared() {
    let (code, learned) = outcome(&[
        "examples/coffee.dot",
        "--start-from",
        "examples/coffee-old.dot",
    ]);
    assert_eq!(code, Some(0));
    assert_eq!(learned["is_target"], true);
    let first = &learned["changes"][0];
    assert_eq!(
        first["inputs"],
        serde_json::json!(["coin", "button", "coin"])
    );
    assert_eq!(first["old"], serde_json::json!(["beep", "coffee", "beep"]));
    assert_eq!(
        first["new"],
        serde_json::json!(["beep", "coffee", "refuse"])
    );
    let same = ["examples/coffee.dot", "--start-from", "examples/coffee.dot"];
    let (_, same) = outcome(&same);
    assert_eq!(same["changes"], serde_json::json!([]));

    // A system with an input that the model does not know, and without one that it does: the words of
    // tests are fewer, and the promise is the same.
    let folder = tempfile::tempdir().expect("a folder");
    let old = folder.path().join("old.dot").display().to_string();
    let c = [
        "--c",
        "examples/connection.c",
        "--step",
        "step",
        "--reset",
        "reset",
        "--alphabet",
    ];
    let (_, before) = outcome(&[&c[..], &["listen,syn,ack,fin,close,rst", "--dot", &old]].concat());
    let (_, afresh) = outcome(&[&c[..], &["data,listen,syn,ack,fin,close"]].concat());
    let guided = [
        &c[..],
        &["data,listen,syn,ack,fin,close", "--start-from", &old],
    ]
    .concat();
    let (code, guided) = outcome(&guided);
    assert_eq!(code, Some(0));
    assert_eq!(guided["added_inputs"], serde_json::json!(["data"]));
    assert_eq!(guided["removed_inputs"], serde_json::json!(["rst"]));
    assert_eq!(guided["changes"], serde_json::json!([]));
    assert_eq!(before["statistics"]["states"], 6);
    assert_eq!(
        guided["statistics"]["states"],
        afresh["statistics"]["states"]
    );
    assert_eq!(guided["guarantee"]["text"], afresh["guarantee"]["text"]);

    let run = |args: &[&str]| idiolect(args).output().expect("it runs");
    let kinds = ["examples/coffee.dot", "--start-from", "examples/odd.dot"];
    is_refused(&run(&kinds), "has none of these inputs");
}

#[test]
fn noise_and_outputs_in_words() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("words");
    let name = file.display().to_string();
    let run = |args: &[&str]| idiolect(args).output().expect("it runs");
    // Words of even length are in the language; one line says otherwise.
    let words: String = (0..60)
        .map(|i| {
            let sign = if i % 2 == 0 { '+' } else { '-' };
            format!("{sign}{}\n", " a".repeat(i % 12))
        })
        .collect();
    std::fs::write(&file, format!("{words}- a a\n")).expect("a file");
    is_refused(&run(&["--words", &name]), "both in the language and not");
    let (code, learned) = outcome(&["--words", &name, "--noise", "0.05"]);
    assert_eq!(code, Some(0));
    assert_eq!(learned["statistics"]["states"], 2);
    assert!(
        learned["guarantee"]["text"]
            .to_string()
            .contains("60 of 61 words")
    );
    is_refused(
        &run(&["--words", &name, "--noise", "0.5"]),
        "below one half",
    );
    is_refused(
        &run(&["--words", &name, "--noise", "0.1", "--learner", "alergia"]),
        "only rpni",
    );

    let turnstile = "push/locked coin/ok push/pass push/locked\ncoin/ok coin/ok push/pass\n\
        coin/ok push/pass coin/ok push/pass push/locked\npush/locked push/locked coin/ok\n";
    std::fs::write(&file, turnstile).expect("a file");
    for learner in ["rpni", "edsm"] {
        let (code, learned) = outcome(&["--words", &name, "--learner", learner]);
        assert_eq!(code, Some(0));
        assert_eq!(learned["automaton"]["kind"], "mealy");
        assert_eq!(learned["statistics"]["states"], 2, "{learner}");
        assert!(
            learned["guarantee"]["text"]
                .to_string()
                .contains("all 15 outputs")
        );
    }
    std::fs::write(&file, format!("{turnstile}push/open\n")).expect("a file");
    is_refused(&run(&["--words", &name]), "different outputs");
}

#[test]
fn programs_that_people_use_are_learned() {
    let ed = "add,write,edit,look,quit";
    let sqlite = "begin,commit,rollback,insert,delete,count";
    for (program, alphabet, states) in [("ed", ed, 4), ("sqlite3", sqlite, 6)] {
        if !xtask::process::available_or_skip(program, "programs_that_people_use") {
            continue;
        }
        let script = program.trim_end_matches('3');
        let command = format!("python3 examples/systems/{script}.py");
        let (code, learned) = outcome(&["--sul", &command, "--alphabet", alphabet]);
        assert_eq!(code, Some(0), "{program}");
        assert_eq!(learned["statistics"]["states"], states, "{program}");
    }
}
