//! The equivalence query of a C program, asked of the solver: does any word of at most so many letters get
//! another answer from the program than from the hypothesis?
//!
//! The hypothesis is written as C tables beside the program, and bounded model checking looks for a word on
//! which the two part. A word that it finds is run in the interpreter before it is believed.

use super::c_program::{DRIVER, Functions, LETTER, ReturnedValue, build, c_string};
use idiolect_automata::{Alphabet, Letter, Mealy, Word};
use idiolect_base::{Budget, StopReason};
use idiolect_ir::callgraph::CallGraph;
use idiolect_ir::{
    Builtin, Callee, ErrorKind, FuncId, PrintfTarget, Program, Property, Stmt, StmtKind,
    TerminatorKind,
};
use idiolect_learn::{Counterexample, EqAnswer, EquivalenceOracle, Guarantee, MembershipOracle};
use idiolect_symex::bmc::{BmcOutcome, Undecided, find_error};
use std::cell::RefCell;
use std::fmt::Write as _;

/// The longest words, unless `--word-length` says otherwise.
pub const DEPTH: usize = 6;
/// Loops of the program are unwound so often at most.
const UNWIND: usize = 256;

/// What the solver was asked, and why it gave no promise.
#[derive(Clone, Debug, Default)]
pub struct Solved {
    pub calls: u64,
    pub doubt: Option<String>,
}

/// Program and hypothesis as one program.
pub struct Check<'a> {
    files: &'a [(String, String)],
    functions: &'a Functions,
    alphabet: &'a Alphabet,
    depth: usize,
}

impl<'a> Check<'a> {
    pub fn new(
        files: &'a [(String, String)],
        functions: &'a Functions,
        alphabet: &'a Alphabet,
        depth: usize,
    ) -> Self {
        Self {
            files,
            functions,
            alphabet,
            depth,
        }
    }

    /// What a step returns, as a C expression for each output, or none if nothing comes after.
    fn value(&self, output: &str, texts: &mut Vec<String>) -> Option<String> {
        if is_end(output) {
            return None;
        }
        Some(match &self.functions.value {
            ReturnedValue::Nothing => "0".to_owned(),
            ReturnedValue::Number => output.parse::<i64>().ok()?.to_string(),
            ReturnedValue::Enum(names) => {
                let named = names.iter().find(|(name, _)| name == output);
                let number = named.map(|(_, n)| *n).or_else(|| output.parse().ok());
                number?.to_string()
            }
            ReturnedValue::Text => {
                let known = texts.iter().position(|text| text == output);
                let at = known.unwrap_or_else(|| {
                    texts.push(output.to_owned());
                    texts.len() - 1
                });
                at.to_string()
            }
        })
    }

    /// Whether the program ends on some word, as far as the hypothesis knows.
    fn has_ends(&self, hypothesis: &Mealy<String>) -> bool {
        let mut texts = Vec::new();
        let mut outputs = hypothesis
            .states()
            .flat_map(|q| hypothesis.letters().map(move |a| hypothesis.output(q, a)));
        outputs.any(|output| self.value(output, &mut texts).is_none())
    }

    /// The C that runs program and hypothesis side by side. A step that comes back where the hypothesis has
    /// the end of the program is a difference.
    fn driver(&self, hypothesis: &Mealy<String>) -> String {
        let k = self.alphabet.len();
        let (mut texts, mut values, mut ends, mut next) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for q in hypothesis.states() {
            for a in hypothesis.letters() {
                let value = self.value(hypothesis.output(q, a), &mut texts);
                ends.push(u8::from(value.is_none()).to_string());
                values.push(value.unwrap_or("0".to_owned()));
                next.push(hypothesis.step(q, a).index().to_string());
            }
        }
        let step = &self.functions.step;
        let mut text = format!(
            "unsigned {LETTER}(void);\nvoid __VERIFIER_error(void);\nint strcmp(const char *, const char *);\n\
             static const long long idiolect_value[] = {{ {} }};\n\
             static const unsigned char idiolect_ends[] = {{ {} }};\n\
             static const int idiolect_next[] = {{ {} }};\n\
             int {DRIVER}(void) {{\n  int state = {};\n",
            values.join(", "),
            ends.join(", "),
            next.join(", "),
            hypothesis.initial().index(),
        );
        if let Some(reset) = &self.functions.reset {
            let _ = writeln!(text, "  {reset}();");
        }
        let _ = writeln!(
            text,
            "  for (int length = 0; length < {}; length++) {{\n    unsigned letter = {LETTER}();\n    \
             if (letter >= {k}u) return 0;\n    int at = state * {k} + (int)letter;\n    \
             long long value = 0;\n    switch (letter) {{",
            self.depth
        );
        for (i, name) in self.alphabet.names().iter().enumerate() {
            let call = format!("{step}({})", self.functions.input(name));
            let run = match self.functions.value {
                ReturnedValue::Nothing => format!("{call};"),
                ReturnedValue::Number | ReturnedValue::Enum(_) => {
                    format!("value = (long long)({call});")
                }
                ReturnedValue::Text => {
                    let mut run = format!("{{ const char *text = {call}; value = -1; ");
                    for (number, known) in texts.iter().enumerate() {
                        let same = match known.as_str() {
                            "NULL" => "!text".to_owned(),
                            known => format!("text && !strcmp(text, {})", c_string(known)),
                        };
                        let _ = write!(run, "if ({same}) value = {number}; else ");
                    }
                    run + "; }"
                }
            };
            let _ = writeln!(text, "    case {i}: {run} break;");
        }
        text + "    }\n    if (idiolect_ends[at] || value != idiolect_value[at]) __VERIFIER_error();\n    \
                state = idiolect_next[at];\n  }\n  return 0;\n}\n"
    }
}

/// Whether an output says how the program ended.
fn is_end(output: &str) -> bool {
    output.starts_with('(') && output.ends_with(')')
}

/// Makes an error of whatever a step can do besides returning, so that the solver finds a word on which it is
/// done: printing, and the end of the program. The hypothesis has no such outputs, unless `has_ends`: of some
/// words it says that the program ends there. Or why that cannot be done.
fn make_visible(program: &mut Program, has_ends: bool) -> Result<(), &'static str> {
    let calls = CallGraph::new(program);
    let start = program.start;
    let called = |f: &FuncId| *f != start && calls.is_reachable(*f);
    let functions: Vec<FuncId> = program.function_ids().filter(called).collect();
    for f in functions {
        for block in &mut program.functions[f.index()].blocks {
            let assumes = |stmt: &Stmt| matches!(stmt.kind, StmtKind::Assume { .. });
            if block.stmts.iter().any(assumes) {
                return Err("a step may end by an assumption, and it compares what steps return");
            }
            if let Some(at) = block.stmts.iter().position(|stmt| prints(&stmt.kind)) {
                block.stmts.truncate(at);
                block.terminator.kind = TerminatorKind::Error(ErrorKind::ReachError);
            }
            let kind = &mut block.terminator.kind;
            if matches!(kind, TerminatorKind::Exit(_) | TerminatorKind::Abort) {
                if has_ends {
                    return Err("a step may end the program, and it compares what steps return");
                }
                *kind = TerminatorKind::Error(ErrorKind::ReachError);
            }
        }
    }
    Ok(())
}

/// Whether a statement writes to standard output.
fn prints(kind: &StmtKind) -> bool {
    let StmtKind::Call {
        callee: Callee::Builtin(builtin),
        ..
    } = kind
    else {
        return false;
    };
    matches!(
        builtin,
        Builtin::Printf(PrintfTarget::Stdout)
            | Builtin::VPrintf(PrintfTarget::Stdout)
            | Builtin::Putchar
            | Builtin::Host(_)
    )
}

/// Tests first, then the solver.
pub struct BySolver<'a, E, M, P> {
    check: Check<'a>,
    tests: E,
    mq: M,
    /// Whether the program prints, which the solver does not see.
    prints: P,
    budget: &'a Budget,
    solved: &'a RefCell<Solved>,
}

impl<'a, E, M, P> BySolver<'a, E, M, P> {
    pub fn new(
        check: Check<'a>,
        tests: E,
        mq: M,
        prints: P,
        budget: &'a Budget,
        solved: &'a RefCell<Solved>,
    ) -> Self {
        Self {
            check,
            tests,
            mq,
            prints,
            budget,
            solved,
        }
    }
}

impl<E, M, P> EquivalenceOracle<String, Mealy<String>> for BySolver<'_, E, M, P>
where
    E: EquivalenceOracle<String, Mealy<String>>,
    M: MembershipOracle<Answer = String>,
    P: Fn() -> bool,
{
    fn compare(&mut self, hypothesis: &Mealy<String>) -> Result<EqAnswer<String>, StopReason> {
        let tested = self.tests.compare(hypothesis)?;
        if matches!(tested, EqAnswer::Differs(_)) {
            return Ok(tested);
        }
        let doubt = |text: &str| {
            let text = format!("the solver promises nothing: {text}");
            self.solved.borrow_mut().doubt = Some(text);
        };
        if (self.prints)() {
            doubt("steps print, and it compares what they return");
            return Ok(tested);
        }
        let Ok(mut program) = build(self.check.files, &self.check.driver(hypothesis)) else {
            doubt("program and model do not compile together");
            return Ok(tested);
        };
        if let Err(reason) = make_visible(&mut program, self.check.has_ends(hypothesis)) {
            doubt(reason);
            return Ok(tested);
        }
        self.solved.borrow_mut().calls += 1;
        match find_error(&program, &Property::ALL, UNWIND, self.budget) {
            BmcOutcome::Proved { .. } => {
                self.solved.borrow_mut().doubt = None;
                Ok(EqAnswer::Agrees(Guarantee::UpToLength(self.check.depth)))
            }
            BmcOutcome::Error { inputs, .. } => {
                let k = self.check.alphabet.len();
                let letters = inputs.iter().map(|input| input.bits);
                let word: Word = letters
                    .take_while(|&bits| bits < k as u128)
                    .map(|bits| Letter(bits as u32))
                    .collect();
                let cex = self.first_difference(hypothesis, &word)?;
                if cex.is_none() {
                    doubt("it found a run that the interpreter does not have");
                }
                Ok(cex.map_or(tested, EqAnswer::Differs))
            }
            BmcOutcome::NoErrorUpTo { unwind, .. } => {
                doubt(&format!("a loop runs more than {unwind} times"));
                Ok(tested)
            }
            BmcOutcome::Undecided(Undecided::Stopped(reason)) => {
                self.budget.look()?;
                doubt(&reason.to_string());
                Ok(tested)
            }
            BmcOutcome::Undecided(_) => {
                doubt("some C is not modelled");
                Ok(tested)
            }
        }
    }
}

impl<E, M: MembershipOracle<Answer = String>, P> BySolver<'_, E, M, P> {
    /// The shortest beginning of a word that the program answers differently.
    fn first_difference(
        &mut self,
        hypothesis: &Mealy<String>,
        word: &Word,
    ) -> Result<Option<Counterexample<String>>, StopReason> {
        let mut traces = self.mq.ask_traces(std::slice::from_ref(word))?;
        let seen: Vec<String> = traces
            .pop()
            .unwrap_or_default()
            .into_iter()
            .flatten()
            .collect();
        let said = hypothesis.outputs_of(word);
        let at = seen.iter().zip(said).position(|(x, y)| x != y);
        Ok(at.map(|i| Counterexample {
            word: word[..=i].to_vec(),
            answer: seen[i].clone(),
        }))
    }
}
