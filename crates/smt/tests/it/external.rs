//! SMT-LIB text, and the conversation with another solver: `z3`, `cvc5` or `bitwuzla`, whichever is
//! installed. Without one the conversation tests say so and check the text only.

use crate::common;

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use common::{Vars, read};
use idiolect_base::{Budget, Rng, StopReason};
use idiolect_smt::float::{self, Format, Mode};
use idiolect_smt::smtlib::{self, FloatText};
use idiolect_smt::{BinaryOp, ExternalError, ExternalSolver, Outcome, Solver, Sort, TermId, Terms};

/// A solver that is installed, ready to be asked.
fn installed() -> Option<ExternalSolver> {
    let known: [(&str, &[&str]); 3] = [
        ("z3", &["-in"]),
        ("cvc5", &["--lang=smt2", "--incremental"]),
        ("bitwuzla", &["--lang", "smt2"]),
    ];
    let found = known
        .into_iter()
        .find(|(program, _)| Command::new(program).arg("--version").output().is_ok());
    found.map(|(program, arguments)| ExternalSolver::new(program, arguments))
}

/// Says on standard error that a test could not do its work.
#[allow(clippy::print_stderr)]
fn skipped() {
    eprintln!("SKIPPED: no SMT solver (z3, cvc5, bitwuzla) is installed");
}

#[test]
fn a_query_is_printed_with_shared_terms_defined_once() {
    let mut t = Terms::new();
    let v = Vars::new(&mut t, 8);
    let sum = read(&mut t, &v, "(add x y)").expect("a term");
    let square = t.mul(sum, sum);
    let nine = t.bv(9, 8);
    let goal = t.eq(square, nine);
    let [p, ..] = v.bools;
    let mut solver = Solver::new();
    solver.assert(&t, goal);
    solver.add_clause(&t, &[p, goal]);
    let text = solver.script(&t, &[p]).text();
    let expected = "\
(set-logic QF_BV)
(declare-fun |x| () (_ BitVec 8))
(declare-fun |y| () (_ BitVec 8))
(define-fun t!7 () (_ BitVec 8) (bvadd |x| |y|))
(define-fun t!10 () Bool (= (bvmul t!7 t!7) #x09))
(declare-fun |p| () Bool)
(assert t!10)
(assert (or |p| t!10))
(declare-fun assume!0 () Bool)
(assert (=> assume!0 |p|))
(check-sat-assuming (assume!0))
";
    assert_eq!(text, expected);
}

#[test]
fn variables_of_the_same_name_stay_apart() {
    let mut t = Terms::new();
    let (a, b) = (t.bool_var("a|b"), t.bool_var("a|b"));
    let both = t.and(a, b);
    let text = Solver::new().script(&t, &[both]).text();
    assert!(text.contains("|a_b|") && text.contains("|a_b!1|"), "{text}");
}

#[test]
fn deep_terms_are_printed_in_linear_space() {
    let mut t = Terms::unsimplified();
    let x = t.bv_var("x", 8);
    let mut deep = x;
    for _ in 0..20_000 {
        deep = t.neg(deep);
    }
    let goal = t.eq(deep, x);
    let text = Solver::new().script(&t, &[goal]).text();
    assert!(text.len() < 1_000_000, "{} bytes", text.len());
}

#[test]
fn a_missing_program_is_an_error() {
    let mut t = Terms::new();
    let p = t.bool_var("p");
    let solver = ExternalSolver::new("/nonexistent/solver", &[]);
    let answer = solver.check(&t, &[p], &Budget::unlimited());
    assert!(
        matches!(answer, Err(ExternalError::Start { .. })),
        "{answer:?}"
    );
}

#[test]
fn a_program_that_says_something_else_is_an_error() {
    let mut t = Terms::new();
    let p = t.bool_var("p");
    for (program, arguments) in [("echo", vec!["(error \"no\")"]), ("echo", vec!["perhaps"])] {
        let solver = ExternalSolver::new(program, &arguments);
        let answer = solver.check(&t, &[p], &Budget::unlimited());
        // The pipe may be closed before everything is written.
        assert!(
            matches!(
                answer,
                Err(ExternalError::Answer { .. } | ExternalError::Write { .. })
            ),
            "{answer:?}"
        );
    }
    // A lie is found out.
    let no = t.not(p);
    let both = t.and(p, no);
    let mut solver = ExternalSolver::new(
        "sh",
        &["-c", "cat >/dev/null & echo sat; echo '((|p| true))'"],
    );
    let answer = solver.check(&t, &[no], &Budget::unlimited());
    assert!(
        matches!(
            answer,
            Err(ExternalError::WrongModel { .. } | ExternalError::Write { .. })
        ),
        "{answer:?}"
    );
    solver.assert(both);
    assert!(solver.check(&t, &[], &Budget::unlimited()).is_err());
}

#[test]
fn a_silent_program_is_stopped_by_the_clock() {
    let mut t = Terms::new();
    let p = t.bool_var("p");
    let solver = ExternalSolver::new("sleep", &["60"]);
    let start = Instant::now();
    let budget = Budget::unlimited().within(Duration::from_millis(100));
    let answer = solver.check(&t, &[p], &budget).expect("not an error");
    assert_eq!(answer, Outcome::Unknown(StopReason::Time));
    assert!(start.elapsed() < Duration::from_secs(2));
}

#[test]
fn another_solver_agrees_on_random_questions() {
    let Some(external) = installed() else {
        return skipped();
    };
    let mut n_sat = [0; 2];
    for seed in 0..60 {
        let mut rng = Rng::new(seed, 0);
        let width = rng.below(7) as u32 + 2;
        let mut t = if seed % 2 == 0 {
            Terms::new()
        } else {
            Terms::unsimplified()
        };
        let mut words: Vec<TermId> = ["x", "y", "z"].map(|n| t.bv_var(n, width)).to_vec();
        let mut bools: Vec<TermId> = vec![t.bool_var("p")];
        let mut array = t.array_var("memory", width.max(5), width);
        let index = |t: &mut Terms, word: TermId| t.zext(word, width.max(5));
        for _ in 0..18 {
            let pick = |rng: &mut Rng, from: &[TermId]| from[rng.below(from.len() as u64) as usize];
            let (a, b, p) = (
                pick(&mut rng, &words),
                pick(&mut rng, &words),
                pick(&mut rng, &bools),
            );
            let op = BinaryOp::ALL[rng.below(19) as usize];
            match rng.below(8) {
                0 => words.push(t.ite(p, a, b)),
                1 => {
                    let i = index(&mut t, a);
                    array = t.store(array, i, b);
                }
                2 => {
                    let i = index(&mut t, b);
                    words.push(t.select(array, i));
                }
                3 => {
                    let cut = t.extract(width - 2, 0, a);
                    words.push(t.sext(cut, width));
                }
                _ if op == BinaryOp::Concat => {}
                _ => {
                    let made = t.binary(op, a, b);
                    if t.sort(made) == t.sort(a) {
                        words.push(made);
                    } else {
                        bools.push(made);
                    }
                }
            }
        }
        let question: Vec<TermId> = bools.iter().rev().take(3).copied().collect();
        let ours = Solver::new().check(&t, &question, &Budget::unlimited());
        let theirs = external
            .check(&t, &question, &Budget::unlimited())
            .expect("an answer");
        n_sat[usize::from(ours.is_sat())] += 1;
        assert_eq!(ours.is_sat(), theirs.is_sat(), "seed {seed}");
        if let Outcome::Unsat(core) = theirs {
            let again = Solver::new().check(&t, &core, &Budget::unlimited());
            assert!(
                again.is_unsat(),
                "seed {seed}: the core of the other solver"
            );
        }
    }
    assert!(
        n_sat.iter().all(|&n| n > 5),
        "both answers occur: {n_sat:?}"
    );
}

/// Each operation as bits and as the theory has it, asked of another solver: is there a difference?
#[test]
fn operations_of_floats_are_those_of_the_theory() {
    let Some(solver) = installed() else {
        return skipped();
    };
    let format = Format {
        exponent: 3,
        precision: 4,
    };
    for op in 0..8 {
        let mut t = Terms::new();
        let [x, y] = ["x", "y"].map(|name| t.bv_var(name, format.width()));
        let mode = Mode::ALL[op % Mode::ALL.len()];
        let term = match op {
            0 => float::add(&mut t, format, mode, x, y),
            1 => float::subtract(&mut t, format, mode, x, y),
            2 => float::multiply(&mut t, format, mode, x, y),
            3 => float::divide(&mut t, format, mode, x, y),
            4 => float::sqrt(&mut t, format, mode, x),
            5 => float::equal(&mut t, format, x, y),
            6 => float::less(&mut t, format, x, y),
            _ => float::less_or_equal(&mut t, format, x, y),
        };
        // The two texts share their variables, and differ in the name of the result.
        let width = t.width(term);
        let result = if t.sort(term) == Sort::Bool {
            t.bool_var("result")
        } else {
            t.bv_var("result", width)
        };
        let is_result = t.eq(result, term);
        let text = |floats| smtlib::script(&t, &[is_result], &[], &[], floats);
        let (bits, theory) = (text(FloatText::Bits), text(FloatText::Theory));
        assert_eq!((bits.logic, theory.logic), ("QF_BV", "QF_BVFP"));
        let other = (bits.preamble)
            .lines()
            .filter(|line| !line.contains("declare-fun |x|") && !line.contains("declare-fun |y|"))
            .map(|line| line.replace("|result|", "|other|").replace("t!", "u!"))
            .collect::<Vec<String>>()
            .join("\n");
        let declared = ["x", "y"].map(|name| {
            let line = format!("(declare-fun |{name}| () (_ BitVec {}))", format.width());
            let is_there = theory.preamble.contains(&line) || !bits.preamble.contains(&line);
            if is_there { String::new() } else { line }
        });
        let question = format!(
            "(set-logic QF_BVFP)\n{}{}\n{other}\n(assert (not (= |result| |other|)))\n(check-sat)\n",
            declared.concat(),
            theory.preamble
        );
        assert_eq!(
            answer(&solver, &question),
            "unsat",
            "{op} {mode:?}\n{question}"
        );
    }
}

/// What a solver says to a text.
fn answer(solver: &ExternalSolver, text: &str) -> String {
    let (program, arguments) = solver.command();
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("an installed solver");
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(text.as_bytes()).expect("a reader");
    drop(input);
    let output = child.wait_with_output().expect("an answer");
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}
